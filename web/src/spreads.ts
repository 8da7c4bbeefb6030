// A quantity against the contact velocity: every trial faint, the cells' means with their spread on a line.
import type { Results, Trial } from "../generated/results";
import type { Data } from "./chart";
import { cellOf, ok, type SpreadName } from "./lookup";
import { known, type Maybe } from "./maybe";
import { plain } from "./text";
import { configurationLook, type Look } from "./theme";

export interface Plotted {
  of: SpreadName; // in the cells
  trial: (trial: Trial) => Maybe; // in a trial
  unit: string;
  scale?: number;
}

/** Magnitude of the exact velocity, or the reference speed where it is unknown. */
export function cellVelocity(results: Results, configuration: string, speed: number): number {
  const mean = cellOf(results, configuration, speed)?.velocity_exact.mean;
  return known(mean) ? Math.abs(mean) : speed;
}

/** Range of the velocity axis: all trials, with a margin even for a single one. */
export function velocityRange(results: Results): [number, number] {
  const speeds = results.trials.filter(ok).map(trialVelocity);
  const [low, high] = [Math.min(...speeds), Math.max(...speeds)];
  const room = Math.max(0.07 * (high - low), 0.05 * high);
  return [low - room, high + room];
}

export const trialVelocity = (trial: Trial): number => (known(trial.velocity.exact) ? Math.abs(trial.velocity.exact) : trial.speed);

export function spreadTraces(results: Results, configuration: string, plotted: Plotted, axes: { xaxis: string; yaxis: string }, showlegend: boolean, as: Partial<Look> & { joined?: boolean } = {}): Data[] {
  const look = { ...configurationLook(results, configuration), ...as };
  const scale = plotted.scale ?? 1;
  const trials = results.trials.filter((trial) => trial.configuration === configuration && ok(trial) && known(plotted.trial(trial)));
  const cells = results.speeds
    .map((speed) => ({ speed, spread: cellOf(results, configuration, speed)?.[plotted.of] }))
    .filter(({ spread }) => known(spread?.mean));
  const group = `${configuration} ${look.name}`;
  return [
    {
      type: "scatter", mode: "markers", name: plain(look.name), legendgroup: group, showlegend: false, ...axes,
      x: trials.map(trialVelocity), y: trials.map((trial) => scale * (plotted.trial(trial) ?? 0)),
      customdata: trials.map((trial) => results.trials.indexOf(trial)), text: trials.map((trial) => plain(trial.name)),
      marker: { size: 5, color: look.colour, symbol: look.symbol, opacity: 0.28 },
      hovertemplate: `%{text}<br>%{y:.4g} ${plotted.unit} at %{x:.4f} m/s<extra></extra>`,
    },
    {
      type: "scatter", mode: as.joined === false ? "markers" : "lines+markers", name: plain(look.name), legendgroup: group, showlegend, ...axes,
      x: cells.map(({ speed }) => cellVelocity(results, configuration, speed)), y: cells.map(({ spread }) => scale * (spread?.mean ?? 0)),
      error_y: { type: "data", array: cells.map(({ spread }) => scale * (spread?.std ?? 0)), thickness: 1.5, width: 4, color: look.colour },
      line: { color: look.colour, width: look.width, dash: look.dash }, marker: { size: 8, color: look.colour, symbol: look.symbol },
      hovertemplate: `mean %{y:.4g} ${plotted.unit} at %{x:.4f} m/s<extra>${plain(look.name)}</extra>`,
    },
  ];
}
