// How the page finds its way in the results.
import type { Cell, LawFit, Results, Spread, Trial } from "../generated/results";
import { known } from "./maybe";

/** Key of a cell's quantity that is given as a spread over the trials. */
export type SpreadName = { [Key in keyof Cell]-?: Cell[Key] extends Spread ? Key : never }[keyof Cell];

/** Of all trials, those with a usable contact, drawn or not. */
export const usableTrials = (results: Results): number => results.cells.reduce((sum, { trials }) => sum + trials, 0);

export const ok = (trial: Trial): boolean => trial.status === "ok";

/** The fit of a law, if it converged. */
export function fitted(trial: Trial, law: string): LawFit | null {
  const fit = trial.laws[law];
  return fit && known(fit.restitution) && fit.curve?.time.length ? fit : null;
}

export function trialsOf(results: Results, configuration: string, speed: number): Trial[] {
  return results.trials.filter((trial) => trial.configuration === configuration && trial.speed === speed && ok(trial));
}

export function cellOf(results: Results, configuration: string, speed: number): Cell | undefined {
  return results.cells.find((cell) => cell.configuration === configuration && cell.speed === speed);
}

/** Of the trials of a cell to which the law was fitted, the one with the median residual: neither the best nor the worst. */
export function typicalTrial(results: Results, configuration: string, speed: number, law: string): Trial | undefined {
  const trials = trialsOf(results, configuration, speed).filter((trial) => fitted(trial, law));
  trials.sort((a, b) => (a.laws[law]?.rmse ?? 0) - (b.laws[law]?.rmse ?? 0));
  return trials[Math.floor((trials.length - 1) / 2)];
}

/** The models of the inverse inertia that predictions were made with. */
export function optionNames(results: Results): string[] {
  return [...new Set(results.cells.flatMap((cell) => Object.values(cell.predictions).flatMap((options) => Object.keys(options))))];
}
