// The measured force, trial by trial.
import type { Band, Results } from "../generated/results";
import { chart, line, milliseconds, panels, type Data } from "./chart";
import { cellOf, trialsOf } from "./lookup";
import { axisTitle, Q } from "./quantities";
import { element, paragraph, plain, section, selector, speedText } from "./text";
import { configurationLook, type Look } from "./theme";

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

// What all records of a cell do: between the outer quantiles, between the inner ones, and the median.
function bandTraces({ time, force }: Band, look: Look, group: string, axes: { xaxis: string; yaxis: string }): Data[] {
  const x = milliseconds(time);
  const middle = (force.length - 1) / 2;
  const common = { type: "scatter", mode: "lines", legendgroup: group, showlegend: false, ...axes } as const;
  const areas = Array.from({ length: middle }, (_, i): Data => ({
    ...common, x: [...x, ...[...x].reverse()], y: [...(force[i] ?? []), ...[...(force[force.length - 1 - i] ?? [])].reverse()],
    fill: "toself", fillcolor: `${look.colour}2e`, line: { width: 0 }, hoverinfo: "skip",
  }));
  return [...areas, { ...common, x, y: force[middle] ?? [], line: { ...line(look), width: 2 }, hovertemplate: `median %{y:.1f} N at %{x:.2f} ms<extra>${plain(look.name)}</extra>` }];
}

export function profiles(results: Results, choose: (trial: number) => void): HTMLElement {
  let chosen = ALL;
  const banded = results.cells.some(({ band }) => band);
  const names = (): string[] => results.configurations.map(({ name }) => name).filter((name) => chosen === ALL || chosen === name);
  const drawn = chart(
    "chart-profiles",
    "Force records by reference speed",
    [
      "Every record with a contact, without the sensor's baseline, from its first touch. Look at the spread of repeats, at how much ",
      "faster the force rises than it falls, and at how both change with the speed. Click on a record to see its trial.",
      banded ? " Shaded: the middle half and the middle nine tenths of all records of a cell; line: their median." : "",
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
        names().flatMap((name): Data[] => {
          const look = configurationLook(results, name);
          const { x, y, trial } = records(results, name, speed);
          const band = cellOf(results, name, speed)?.band;
          const each: Data = {
            type: "scatter", mode: "lines", x, y, name: plain(name), legendgroup: name, showlegend: false,
            customdata: trial as number[], line: { ...line(look), width: 1 }, opacity: band ? 0.25 : 0.7, ...drawing.at(panel),
            hovertemplate: "%{y:.1f} N at %{x:.2f} ms",
          };
          return band ? [each, ...bandTraces(band, look, name, drawing.at(panel))] : [each];
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
