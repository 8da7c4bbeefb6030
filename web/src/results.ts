// The form of results.json, as docs/results.md has it, and how the page finds its way in it.

/** A quantity that may not exist. */
export type Maybe = number | null | undefined;

export interface Spread {
  mean: Maybe;
  std: Maybe;
  min: Maybe;
  max: Maybe;
}

export interface Curve {
  time: number[];
  force: number[];
}

export interface Parameter {
  value: Maybe;
  low: Maybe;
  high: Maybe;
}

export interface Law {
  status: string;
  message?: string;
  parameters: Record<string, Parameter>;
  rmse: Maybe;
  r_squared: Maybe;
  aic: Maybe;
  bic: Maybe;
  restitution: Maybe;
  restitution_asymptotic?: Maybe;
  impulse_compression: Maybe;
  measured_impulse_compression: Maybe;
  time_of_peak: Maybe;
  time_of_compression: Maybe;
  time_of_end: Maybe;
  time_of_parting?: Maybe;
  touch?: Maybe; // of the law, in the record's time, from which its times count
  curve: Curve | null;
}

export interface Energy {
  time: number[];
  kinetic: number[];
  potential: number[];
  dissipated: number[];
}

export interface TrialTruth {
  law: string;
  parameters: Record<string, Maybe>;
  velocity: Maybe;
  peak_force: Maybe;
  compression_time: Maybe;
  contact_time: Maybe;
  impulse_compression: Maybe;
  impulse: Maybe;
}

export interface Trial {
  name: string;
  configuration: string;
  speed: number;
  repeat: number;
  status: string;
  velocity: { exact: Maybe; approximate: Maybe; ratio: Maybe; source: string } | null;
  window: { start: Maybe; end: Maybe; baseline: Maybe; noise: Maybe; status: string } | null;
  peak_force: Maybe;
  peak_time: Maybe;
  contact_time?: Maybe;
  impulse_compression: Maybe;
  impulse_total: Maybe;
  detection_delay: Maybe;
  observer_delay: Maybe;
  record: Curve | null;
  best: string | null;
  laws: Record<string, Law | undefined> | null;
  energy: Energy | null;
  truth: TrialTruth | null;
  warnings?: string[];
}

export interface Prediction {
  status: string;
  effective_mass: Maybe;
  impulse_compression: Maybe;
  impulse_compression_approximate?: Maybe;
}

export type SpreadName =
  | "velocity_exact"
  | "velocity_approximate"
  | "ratio"
  | "impulse_compression"
  | "impulse_total"
  | "peak_force"
  | "contact_time"
  | "detection_delay"
  | "observer_delay"
  | "restitution_spring"
  | "restitution_maxwell"
  | "restitution_viscoelastic"
  | "restitution_asymptotic";

export type Cell = Record<SpreadName, Spread | null> & {
  configuration: string;
  speed: number;
  trials: number;
  q: number[] | null;
  predictions: Record<string, Record<string, Prediction | undefined> | undefined> | null;
};

export interface Verdict {
  claim: string;
  statement: string;
  verdict: string;
  statistic: Maybe;
  threshold: Maybe;
  unit: string;
  why: string;
  section: string;
}

export interface Results {
  format: string;
  version: number;
  thud: string;
  dataset: { file: string; source: string; robot: string; seed: Maybe; trials: number; planned: number };
  material_restitution: Maybe;
  configurations: { name: string; q: number[] | null; threshold: Maybe }[];
  speeds: number[];
  robots: string[];
  trials: Trial[];
  cells: Cell[];
  verdicts: Verdict[];
  truth: {
    trials: number;
    quantities: {
      quantity: string;
      unit: string;
      identified: Maybe;
      simulated: Maybe;
      median_error: Maybe;
      largest_error: Maybe;
    }[];
  } | null;
  warnings: string[];
}

/** The results in the page, or a sentence that says why there are none. */
export function readResults(): Results | string {
  const text = document.getElementById("results")?.textContent ?? "";
  let results: Results;
  try {
    results = JSON.parse(text) as Results;
  } catch {
    return "This page holds no results. It is the empty form that thud study fills.";
  }
  if (results.format !== "thud results" || results.version !== 1)
    return `This page shows "thud results", version 1; what it was given is "${results.format}", version ${results.version}.`;
  return results;
}

export const known = (value: Maybe): value is number => typeof value === "number" && Number.isFinite(value);

export const ok = (trial: Trial): boolean => trial.status === "ok";

/** The law, if its fit has numbers that stand. */
export function fitted(trial: Trial, name: string): Law | null {
  const law = trial.laws?.[name];
  return law && known(law.restitution) && law.curve?.time?.length ? law : null;
}

export function trialsOf(results: Results, configuration: string, speed: number): Trial[] {
  return results.trials.filter((trial) => trial.configuration === configuration && trial.speed === speed && ok(trial));
}

export function cellOf(results: Results, configuration: string, speed: number): Cell | undefined {
  return results.cells.find((cell) => cell.configuration === configuration && cell.speed === speed);
}

/** Of the trials of a cell with that law fitted, the one in the middle by its residual: neither the best nor the worst. */
export function typicalTrial(results: Results, configuration: string, speed: number, law: string): Trial | undefined {
  const trials = trialsOf(results, configuration, speed).filter((trial) => fitted(trial, law));
  trials.sort((a, b) => (a.laws?.[law]?.rmse ?? 0) - (b.laws?.[law]?.rmse ?? 0));
  return trials[Math.floor((trials.length - 1) / 2)];
}
