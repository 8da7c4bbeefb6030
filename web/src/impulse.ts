// Impulse to the end of compression: what was measured, and what each inverse inertia predicts.
import type { Prediction, Results } from "../generated/results";
import { chart, line, panels, type Data } from "./chart";
import { cite } from "./equations";
import { cellOf, optionNames } from "./lookup";
import { known, type Maybe } from "./maybe";
import { axisTitle, OPTION_LABEL, Q, unitOf } from "./quantities";
import { cellVelocity, spreadTraces, velocityRange } from "./spreads";
import { swatch } from "./swatch";
import { caption, element, headCell, markup, number, numberCell, paragraph, plain, section, selector, tableBox } from "./text";
import { optionLook, type Look, type Theme } from "./theme";

// A prediction of every cell: an option, with the exact or with the approximate velocity.
interface Series {
  option: string;
  approximate: boolean;
}

// Every option, and once more with the approximate velocity where the results have that too.
function allSeries(results: Results): Series[] {
  const approximated = (option: string): boolean =>
    results.cells.some((cell) => Object.values(cell.predictions).some((options) => options[option]?.impulse_compression_approximate !== undefined));
  return optionNames(results).flatMap((option) => [{ option, approximate: false }, ...(approximated(option) ? [{ option, approximate: true }] : [])]);
}

function seriesLook(results: Results, { option, approximate }: Series): Look {
  const look = optionLook(results, option);
  return approximate ? { ...look, name: `${look.name}, approximate velocity`, symbol: `${look.symbol}-open`, dash: "dot", width: 2 } : look;
}

function prediction(results: Results, robot: string, configuration: string, speed: number, option: string): Prediction | undefined {
  return cellOf(results, configuration, speed)?.predictions[robot]?.[option];
}

function predicted(results: Results, robot: string, configuration: string, speed: number, { option, approximate }: Series): Maybe {
  const found = prediction(results, robot, configuration, speed, option);
  return approximate ? found?.impulse_compression_approximate : found?.impulse_compression;
}

// By which end of compression the impulse is measured.
const MEASURED = {
  impulse_compression: "the viscoelastic law, as in the paper",
  impulse_compression_best: "the model that describes the record",
} as const;
type Measured = keyof typeof MEASURED;

const average = (values: number[]): number | null => (values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null);

export function impulse(results: Results, choose: (trial: number) => void): HTMLElement {
  let robot = results.robots[0] ?? "";
  let measured: Measured = "impulse_compression";
  const names = results.configurations.map(({ name }) => name).filter((name) => results.cells.some((cell) => cell.configuration === name));
  if (names.length === 0) return section("impulse", "Impulse", paragraph("No cell has a trial with a contact."));
  const numbers = element("div", {});
  const drawn = chart(
    "chart-impulse",
    "Impulse to the end of compression against contact velocity",
    [
      "Coloured: the measured force integrated up to the end of compression; small marks are trials, large ones means of the cells with one standard deviation. ",
      "Lines: ι", element("sub", {}, "c"), " = −m", element("sub", {}, "n"), " v", element("sub", {}, "n"), " ", cite("Wang22, (zImpulseCE)"),
      " with the effective mass of each option at the cell's mean posture and mean exact velocity; dotted, the composite option with the approximate velocity.",
      results.arm ? " Beyond the paper, by the first inertia set: the generalized momentum with the rotors' inertia, and elastic joints, the mean over the trials of what the arm and the wall of all other cells predict." : "",
    ],
    (width, colours) => impulsePanels(results, robot, measured, names, width, colours),
    choose,
  );
  const control = selector(
    "inertia set",
    results.robots.map((name, i) => ({ value: name, text: i === 0 ? `${name} (the dataset's own)` : name })),
    robot,
    (value) => {
      robot = value;
      show();
    },
  );
  const end = selector(
    "end of compression by",
    (Object.keys(MEASURED) as Measured[]).map((value) => ({ value, text: MEASURED[value] })),
    measured,
    (value) => {
      measured = value as Measured;
      show();
    },
  );
  function show(): void {
    drawn.redraw();
    numbers.replaceChildren(table(results, robot, measured, names));
  }
  show();
  const controls = results.robots.length ? element("div", { class: "controls" }, control.box, end.box) : paragraph("There is no inertia set.");
  return section("impulse", "Impulse", controls, drawn.figure, numbers);
}

function impulsePanels(results: Results, robot: string, of: Measured, names: string[], width: number, colours: Theme) {
  const shown = allSeries(results).filter((series) =>
    results.cells.some((cell) => known(predicted(results, robot, cell.configuration, cell.speed, series))),
  );
  const measured = names.map((name) => `measured, ${name}`);
  const drawing = panels(width, colours, {
    titles: names.map(plain), x: axisTitle({ ...Q.exact, name: "contact velocity" }), y: `impulse ${Q.impulseCompression.symbol} [N s]`, height: 300,
    minWidth: 175, legend: [...measured, ...shown.map((series) => seriesLook(results, series).name)], shareY: true, fromZero: true, rangeX: velocityRange(results),
  });
  const data = names.flatMap((name, panel): Data[] => [
    ...shown.map((series): Data => {
      const look = seriesLook(results, series);
      const speeds = results.speeds.filter((speed) => known(predicted(results, robot, name, speed, series)));
      return {
        type: "scatter", mode: "lines+markers", name: look.name, legendgroup: look.name, showlegend: panel === 0, ...drawing.at(panel), legendrank: 2000,
        x: speeds.map((speed) => cellVelocity(results, name, speed)), y: speeds.map((speed) => predicted(results, robot, name, speed, series) ?? null),
        line: line(look), marker: { symbol: look.symbol, size: 7, color: look.colour },
        hovertemplate: `%{y:.4g} N s at %{x:.4f} m/s<extra>${look.name}</extra>`,
      } as Data;
    }),
    ...spreadTraces(results, name, { of, unit: "N s", trial: (trial) => trial[of] }, drawing.at(panel), true, {
      name: `measured, ${name}`,
      joined: false,
    }),
  ]);
  return { data, layout: drawing.layout };
}

// Effective mass and predicted over measured, as means over the speeds.
function table(results: Results, robot: string, of: Measured, names: string[]): HTMLElement {
  const rows = allSeries(results);
  if (rows.length === 0) return paragraph("There are no predictions.");
  const mass = (name: string, option: string): string => {
    const masses = results.speeds.map((speed) => prediction(results, robot, name, speed, option)?.effective_mass).filter(known);
    const status = results.speeds.map((speed) => prediction(results, robot, name, speed, option)?.status).find((text) => text && text !== "ok");
    return masses.length ? number(average(masses)) : (status ?? number(null));
  };
  const ratio = (name: string, series: Series): string => {
    const ratios = results.speeds.flatMap((speed) => {
      const guess = predicted(results, robot, name, speed, series);
      const mean = cellOf(results, name, speed)?.[of].mean;
      return known(guess) && known(mean) && mean > 0 ? [guess / mean] : [];
    });
    return number(average(ratios), 3);
  };
  return tableBox(
    "Predicted over measured impulse",
    caption(`Effective mass and predicted over measured impulse, means over the speeds, inertia set ${robot || number(null)}; end of compression by ${MEASURED[of]}`),
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        element("th", { scope: "col", rowspan: "2" }, "option"),
        element("th", { scope: "colgroup", colspan: String(names.length) }, "effective mass ", markup(Q.effectiveMass.symbol), " ", element("span", { class: "unit" }, `[${unitOf(Q.effectiveMass)}]`)),
        element("th", { scope: "colgroup", colspan: String(names.length) }, "predicted / measured ", element("span", { class: "unit" }, "[1]")),
      ),
      element("tr", {}, ...[0, 1].flatMap(() => names.map((name) => element("th", { scope: "col", class: "number" }, swatch(results, name), " ", name)))),
    ),
    element(
      "tbody",
      {},
      rows.map((series) => {
        const label = series.approximate ? Q.approximate.label : OPTION_LABEL[series.option];
        return element(
          "tr",
          {},
          headCell("row", seriesLook(results, series).name, ...(label ? [" ", cite(label)] : [])),
          names.map((name) => numberCell(mass(name, series.option))),
          names.map((name) => numberCell(ratio(name, series))),
        );
      }),
    ),
  );
}
