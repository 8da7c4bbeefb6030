// The measured force, trial by trial.
import type { Results } from "../generated/results";
import { chart, line, milliseconds, panels, type Data } from "./chart";
import { trialsOf } from "./lookup";
import { axisTitle, Q } from "./quantities";
import { element, paragraph, plain, section, selector, speedText } from "./text";
import { configurationLook } from "./theme";

const ALL = "";

// All records of a cell as one line with gaps between them; each sample knows its trial.
function records(results: Results, configuration: string, speed: number): { x: (number | null)[]; y: (number | null)[]; trial: (number | null)[] } {
  const all = { x: [] as (number | null)[], y: [] as (number | null)[], trial: [] as (number | null)[] };
  for (const trial of trialsOf(results, configuration, speed)) {
    const index = results.trials.indexOf(trial);
    all.x.push(...milliseconds(trial.record.time), null);
    all.y.push(...trial.record.force, null);
    all.trial.push(...trial.record.time.map(() => index), null);
  }
  return all;
}

export function profiles(results: Results, choose: (trial: number) => void): HTMLElement {
  let chosen = ALL;
  const names = (): string[] => results.configurations.map(({ name }) => name).filter((name) => chosen === ALL || chosen === name);
  const drawn = chart(
    "chart-profiles",
    "Force records by reference speed",
    [
      "Every record with a contact, without the sensor's baseline, from its first touch. Look at the spread of repeats, at how much ",
      "faster the force rises than it falls, and at how both change with the speed. Click on a record to see its trial.",
    ],
    (width, colours) => {
      const drawing = panels(width, colours, {
        titles: results.speeds.map((speed) => `${speedText(speed)} m/s`),
        x: "t [ms]",
        y: axisTitle(Q.force),
        height: 250,
        minWidth: 150,
        legend: names(),
        shareY: true,
        shareX: true,
      });
      const key = names().map((name): Data => ({ type: "scatter", mode: "lines", x: [null], y: [null], name: plain(name), legendgroup: name, line: line(configurationLook(results, name)) }));
      const data: Data[] = results.speeds.flatMap((speed, panel) =>
        names().map((name): Data => {
          const look = configurationLook(results, name);
          const { x, y, trial } = records(results, name, speed);
          return {
            type: "scatter", mode: "lines", x, y, name: plain(name), legendgroup: name, showlegend: false,
            customdata: trial as number[], line: { ...line(look), width: 1 }, opacity: 0.7, ...drawing.at(panel),
            hovertemplate: "%{y:.1f} N at %{x:.2f} ms",
          };
        }),
      );
      return { data: [...key, ...data], layout: drawing.layout };
    },
    choose,
  );
  const control = selector(
    "configuration",
    [{ value: ALL, text: "all" }, ...results.configurations.map(({ name }) => ({ value: name, text: name }))],
    chosen,
    (value) => {
      chosen = value;
      drawn.redraw();
    },
  );
  if (results.trials.length === 0) return section("profiles", "Force records", paragraph("There is no trial."));
  return section("profiles", "Force records", element("div", { class: "controls" }, control.box), drawn.figure);
}
