// The arm with elastic joints, identified: factors of its transmissions by each trial alone and by all of them.
import type { Parameter, Results } from "../generated/results";
import { chart, level, panels, type Data } from "./chart";
import { known } from "./maybe";
import { configurationLook, lawLook, type Theme } from "./theme";
import { trialVelocity, velocityRange } from "./spreads";
import { counted, element, headCell, number, numberCell, paragraph, percent, plain, pretty, section, tableBox } from "./text";

const NAMES: Record<string, [name: string, unit: string, drive: "stiffness" | "damping"]> = {
  "joints.stiffness": ["stiffness of the transmissions K", "N m/rad", "stiffness"],
  "joints.damping": ["damping of the transmissions D", "N m s/rad", "damping"],
};

export function arm(results: Results, choose: (trial: number) => void): HTMLElement {
  const found = results.arm;
  if (!found) return section("arm", "The arm, identified", paragraph("Not testable: the drives of the arm (rotors, transmissions, servo) are not known. thud study takes them by --drives."));
  const factors = Object.keys(NAMES).filter((name) => found.factors[name]);
  const said = paragraph(
    `Rotors, motors and servo as given by ${plain(found.origin)}; one factor for the transmissions of all joints, fitted to ${counted(found.trials, "trial")}${found.trials === 1 ? "" : " together, each"} with a wall of its own (${lawLook(results, found.law).name}): ${found.message}. `,
    "An interval holds how far the cells disagree and the error of the model that is common to all.",
  );
  if (factors.length === 0) return section("arm", "The arm, identified", said);
  const drawn = chart(
    "chart-arm",
    "Transmissions by each trial alone and by all",
    ["A factor of 1 is as given. Marks: trials alone; a click shows the trial. Line: all trials together."],
    (width, colours) => factorPanels(results, factors, width, colours),
    choose,
  );
  return section("arm", "The arm, identified", said, table(results, factors), drawn.figure);
}

function table(results: Results, factors: string[]): HTMLElement {
  const given = results.arm!.given;
  const truth = (name: string) => results.truth?.quantities.find(({ quantity }) => quantity === name);
  const simulated = factors.some(truth);
  const interval = ({ low, high }: Parameter): string => `${number(low)} to ${number(high)}`;
  const range = (values: (number | null)[] | null): string => {
    const all = (values ?? []).filter(known);
    if (all.length === 0) return number(null);
    const [least, most] = [Math.min(...all), Math.max(...all)];
    return least === most ? number(least) : `${number(least)} to ${number(most)}`;
  };
  return tableBox(
    "The arm, identified",
    element("thead", {}, element("tr", {}, headCell("col", "quantity"),
      ...["as given", "identified over given", "95 % interval", ...(simulated ? ["simulated, median", "error"] : [])].map((text) => element("th", { scope: "col", class: "number" }, text)))),
    element("tbody", {}, factors.map((name) => {
      const [title, unit, drive] = NAMES[name]!;
      const factor = results.arm!.factors[name]!;
      const known = truth(name);
      return element("tr", {}, headCell("row", title, " ", element("span", { class: "unit" }, `[${pretty(unit)}]`)), numberCell(range(given[drive])), numberCell(number(factor.value)), numberCell(interval(factor)),
        ...(simulated ? [numberCell(number(known?.simulated)), numberCell(percent(known?.median_error))] : []));
    })),
  );
}

function factorPanels(results: Results, factors: string[], width: number, colours: Theme) {
  const configurations = results.configurations.map(({ name }) => name).filter((name) => results.trials.some((trial) => trial.configuration === name && trial.elastic_arm));
  const drawing = panels(width, colours, {
    titles: factors.map((name) => NAMES[name]![0]), x: "contact velocity [m/s]", y: factors.map(() => "identified / given [1]"), height: 260, minWidth: 240, legend: configurations, rangeX: velocityRange(results),
  });
  const data = factors.flatMap((factor, panel): Data[] =>
    configurations.map((name): Data => {
      const look = configurationLook(results, name);
      const trials = results.trials.filter((trial) => trial.configuration === name && known(trial.elastic_arm?.alone[factor]));
      return {
        type: "scatter", mode: "markers", name: plain(name), legendgroup: name, showlegend: panel === 0, ...drawing.at(panel),
        x: trials.map(trialVelocity), y: trials.map((trial) => trial.elastic_arm?.alone[factor] ?? null),
        customdata: trials.map((trial) => results.trials.indexOf(trial)), text: trials.map((trial) => plain(trial.name)),
        marker: { size: 7, color: look.colour, symbol: look.symbol, opacity: 0.6 },
        hovertemplate: "%{text}<br>%{y:.4g} at %{x:.4f} m/s<extra></extra>",
      } as Data;
    }));
  factors.forEach((name, panel) => {
    const value = results.arm!.factors[name]!.value;
    if (known(value)) level(drawing, panel, value, `all trials: ${number(value)}`, colours);
  });
  return { data, layout: drawing.layout };
}
