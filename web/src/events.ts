// A record, a law fitted to it, and the events of that law.
import type { LawFit, Trial } from "../generated/results";
import { line, milliseconds, valueAt, type Data } from "./chart";
import { known } from "./maybe";
import type { Look, Theme } from "./theme";

export const EVENTS = [
  { key: "time_of_peak", name: "peak", symbol: "triangle-up" },
  { key: "time_of_compression", name: "end of compression", symbol: "circle" },
  { key: "time_of_end", name: "end of force", symbol: "square" },
] as const;

type Axes = { xaxis: string; yaxis: string };

export function recordTrace(trial: Trial, axes: Axes, colours: Theme, showlegend: boolean, index?: number): Data {
  const { record } = trial;
  return {
    type: "scatter", mode: "markers", x: milliseconds(record.time), y: record.force, name: "record", legendgroup: "record", showlegend,
    marker: { size: 4, color: colours.muted, opacity: 0.7 }, ...axes,
    ...(index === undefined ? {} : { customdata: record.time.map(() => index) }),
    hovertemplate: "%{y:.1f} N at %{x:.2f} ms<extra>record</extra>",
  };
}

/** What has a force over time. */
export type Drawn = Pick<LawFit, "curve">;

export function lawTrace(law: Drawn, look: Look, axes: Axes, showlegend: boolean): Data {
  const curve = law.curve ?? { time: [], force: [] };
  return {
    type: "scatter", mode: "lines", x: milliseconds(curve.time), y: curve.force, name: look.name, legendgroup: look.name, showlegend,
    line: line(look), ...axes, hovertemplate: `%{y:.1f} N at %{x:.2f} ms<extra>${look.name}</extra>`,
  };
}

/** One trace per event: its mark on a curve, where the event exists. */
export function eventTraces(law: LawFit, time: number[], value: number[], unit: string, axes: Axes, colours: Theme, showlegend: boolean): Data[] {
  return EVENTS.map(({ key, name, symbol }): Data => {
    const after = law[key];
    const when = known(after) ? after + (law.touch ?? 0) : null;
    const at = known(when) ? valueAt(time, value, when) : null;
    const there = known(when) && at !== null;
    return {
      type: "scatter", mode: "markers", x: there ? [1000 * when] : [], y: there ? [at] : [], name, legendgroup: name,
      showlegend, marker: { symbol, size: 10, color: colours.panel, line: { color: colours.ink, width: 2 } }, ...axes,
      hovertemplate: `%{x:.3f} ms, %{y:.4g} ${unit}<extra>${name}</extra>`,
    };
  });
}

export const EVENT_NAMES = EVENTS.map(({ name }) => name);
