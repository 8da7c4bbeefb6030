// The sweep in the page: its table by columns, and how keys, verdicts and models are written and drawn.
import type { Claim, Range, Sweep } from "../../generated/answers";
import { known, type Maybe } from "../maybe";
import { number, plain, short } from "../text";
import { variable } from "../theme";

export const VERDICTS = ["supported", "not supported", "not testable"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** How a verdict is drawn: never by colour alone. */
export interface VerdictLook {
  colour: string;
  back: string; // of a cell
  symbol: string;
  mark: string;
}

const LOOKS: Record<Verdict, [colour: string, back: string, symbol: string, mark: string]> = {
  supported: ["--yes", "--yes", "circle", "✓"],
  "not supported": ["--no", "--no-back", "x", "✗"],
  "not testable": ["--open", "--open-back", "circle-open", "○"],
};

export function verdictLook(verdict: Verdict): VerdictLook {
  const [colour, back, symbol, mark] = LOOKS[verdict];
  return { colour: variable(colour), back: variable(back), symbol, mark };
}

/** Units of the keys that campaigns are swept over most; another key is shown without. */
const UNITS: Record<string, string> = {
  "joints.stiffness": "N m/rad",
  "joints.damping": "N m s/rad",
  "joints.rotor_inertia": "kg m²",
  "controller.stiffness": "N m/rad",
  "controller.damping_ratio": "1",
  "controller.retreat_acceleration": "1",
  "controller.detection_delay": "s",
  "controller.command_delay": "s",
  "contact.stiffness": "N/m",
  "contact.damping": "N s/m²",
  "contact.restitution": "1",
  "contact.friction": "1",
};

export class SweepTable {
  readonly rows: number[]; // number of each campaign, as thud sweep --campaign takes it
  private readonly columns: Map<string, { unit: string; values: (number | string | null)[] }>;

  constructor(readonly file: Sweep) {
    this.columns = new Map(file.columns.map(({ name, unit, values }) => [name, { unit, values }]));
    this.rows = this.numbers("row").map((row) => row ?? 0);
  }

  get size(): number {
    return this.rows.length;
  }

  get ranges(): Range[] {
    return this.file.plan.ranges;
  }

  get claims(): Claim[] {
    return this.file.answers.claims;
  }

  has(name: string): boolean {
    return this.columns.has(name);
  }

  unit(name: string): string {
    return this.columns.get(name)?.unit ?? "";
  }

  names(): string[] {
    return [...this.columns.keys()];
  }

  numbers(name: string): (number | null)[] {
    return (this.columns.get(name)?.values ?? []).map((value) => (typeof value === "number" ? value : null));
  }

  value(name: string, campaign: number): number | string | null {
    return this.columns.get(name)?.values[campaign] ?? null;
  }

  numberOf(name: string, campaign: number): Maybe {
    const value = this.value(name, campaign);
    return typeof value === "number" ? value : null;
  }

  text(name: string, campaign: number): string {
    const value = this.value(name, campaign);
    return typeof value === "string" ? value : "";
  }

  failure(campaign: number): string {
    return this.text("failure", campaign);
  }

  verdict(claim: string, campaign: number): Verdict | undefined {
    const text = this.text(claim, campaign);
    return VERDICTS.find((each) => each === text);
  }

  /** A key with its unit; of `scale`, that it is a factor. */
  label(key: string): string {
    const range = this.ranges.find((each) => each.key === key);
    if (!range) return `${key === "x" ? "x = ω t_c" : key} [${this.unit(key) || "1"}]`;
    if (range.kind === "scale") return `${key} [factor]`;
    return range.kind !== "values" && UNITS[key] ? `${key} [${UNITS[key]}]` : key;
  }

  /** What a campaign has for a key, as text. */
  shown(key: string, campaign: number, digits = 4): string {
    const value = this.value(key, campaign);
    return typeof value === "string" ? value : short(value, digits);
  }

  /** Keys by what they are worth over all claims, those that decide nothing last, in the order of the plan. */
  importantKeys(claim?: string): string[] {
    const worth = new Map(this.ranges.map(({ key }) => [key, 0]));
    for (const each of this.claims)
      if (claim === undefined || each.claim === claim)
        for (const { key, loss } of each.deciding) worth.set(key, (worth.get(key) ?? 0) + Math.max(0, loss ?? 0));
    return this.ranges.map(({ key }) => key).sort((a, b) => (worth.get(b) ?? 0) - (worth.get(a) ?? 0));
  }

  get learnt(): boolean {
    return this.claims.some(({ surrogate }) => surrogate.learnt);
  }

  /** Campaigns in the order of a column's values; those without one last. */
  ordered(name: string): number[] {
    const key = (campaign: number): number => {
      const value = this.value(name, campaign);
      if (typeof value === "number") return value;
      const listed = this.ranges.find((range) => range.key === name)?.values ?? []; // as TOML: texts in quotes
      const place = listed.findIndex((each) => each === value || each === JSON.stringify(value));
      return place >= 0 ? place : Number.MAX_VALUE;
    };
    return this.rows.map((_, i) => i).sort((a, b) => key(a) - key(b) || a - b);
  }

  /** An axis for a column: logarithmic with marks at 1, 2 and 5, or one place for each value of a list. */
  axis(name: string): object {
    const range = this.ranges.find((each) => each.key === name);
    if (range?.kind === "values") return { type: "category", categoryorder: "array", categoryarray: [...new Set(this.ordered(name).map((i) => plain(this.shown(name, i))))] };
    if (range?.kind !== "log" && range?.kind !== "scale") return {};
    return logAxis([range.low ?? 1, range.high ?? 1]);
  }

  /** Where a campaign stands on it. */
  place(name: string, campaign: number): number | string | null {
    return this.ranges.find(({ key }) => key === name)?.kind === "values" ? plain(this.shown(name, campaign)) : this.value(name, campaign);
  }
}

/** A logarithmic axis over some values, with a margin of a twentieth. */
export function logAxis(values: (number | null)[]): object {
  const logs = values.filter((value) => known(value) && value > 0).map((value) => Math.log10(value ?? 1));
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  if (!Number.isFinite(low)) return { type: "log" };
  const margin = 0.05 * Math.max(high - low, 0.1);
  const decades = Array.from({ length: Math.ceil(high + margin) - Math.floor(low - margin) + 1 }, (_, i) => Math.floor(low - margin) + i);
  const steps = high - low > 3 ? [1] : [1, 2, 5];
  const marks = decades.flatMap((decade) => steps.map((step) => step * 10 ** decade)).filter((mark) => Math.log10(mark) >= low - margin && Math.log10(mark) <= high + margin);
  return { type: "log", range: [low - margin, high + margin], tickvals: marks, ticktext: marks.map(tick), minor: { showgrid: false } };
}

const tick = (value: number): string => short(value, 1).replace("1 × ", "");

export const shareText = (share: { share: Maybe; low: Maybe; high: Maybe }): string =>
  known(share.share) ? `${number(100 * share.share, 3)} % (${Math.round(100 * (share.low ?? 0))} to ${Math.round(100 * (share.high ?? 1))})` : number(null);

/** What decides a claim, in words. */
export function decidedBy(claim: Claim): string {
  const { accuracy, majority, learnt } = claim.surrogate;
  if (!known(majority)) return "no verdicts";
  if (!known(accuracy)) return majority === 1 ? "the same verdict everywhere" : "too few points to tell";
  if (!learnt) return "nothing learnt";
  return claim.deciding.filter(({ loss }) => known(loss) && loss >= 0.01).map(({ key, loss }) => `${key} ${number(loss, 2)}`).join(", ");
}
