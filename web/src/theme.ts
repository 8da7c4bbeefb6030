// Colours from the style sheet, which has light, dark and print variants; symbols and dashes, so that nothing is told
// apart by colour alone.
import type { Results } from "../generated/results";
import { optionNames } from "./lookup";

export interface Theme {
  ink: string;
  muted: string;
  line: string;
  panel: string;
  font: string;
}

/** The current value of a custom property of the style sheet. */
export const variable = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export function theme(): Theme {
  return {
    ink: variable("--ink"),
    muted: variable("--muted"),
    line: variable("--line"),
    panel: variable("--panel"),
    font: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  };
}

export type Dash = "solid" | "dot" | "dash" | "longdash" | "dashdot";

/** How something is drawn. */
export interface Look {
  name: string;
  variable: string; // custom property in the style sheet
  colour: string; // its current value
  symbol: string;
  dash: Dash;
  width: number;
}

const CONFIGURATION = ["red", "blue", "green", "violet", "ochre", "grey"];
const SYMBOL = ["circle", "square", "diamond", "triangle-up", "x", "star"];
const PAPER = ["one", "two", "three"];

/** The paper's colours: red, blue and green for one, two and three; for other names, by their position in the results. */
export function configurationLook(results: Results, name: string): Look {
  const named = PAPER.indexOf(name);
  const listed = results.configurations.findIndex((configuration) => configuration.name === name);
  const index = (named >= 0 ? named : Math.max(0, listed)) % CONFIGURATION.length;
  return {
    name,
    variable: `--${CONFIGURATION[index]}`,
    colour: variable(`--${CONFIGURATION[index]}`),
    symbol: SYMBOL[index] ?? "circle",
    dash: "solid",
    width: 2,
  };
}

type Style = [title: string, colour: string, symbol: string, dash: Dash, width?: number];

// Names as people write them, and styles that stay the same from report to report.
const LAWS: Record<string, Style> = {
  viscoelastic: ["viscoelastic", "--violet", "circle", "solid", 2.5],
  maxwell: ["Maxwell", "--ochre", "square", "dash"],
  spring: ["spring", "--teal", "diamond", "longdash"],
  hunt_crossley: ["Hunt-Crossley", "--ink", "x", "dot"],
};

const OPTIONS: Record<string, Style> = {
  algebraic: ["algebraic", "--violet", "triangle-up", "dash"],
  composite_rigid_body: ["composite rigid body", "--ink", "circle", "solid", 2.5],
  flexible_joints: ["flexible joints", "--ochre", "triangle-down", "longdash"],
  generalized_momentum: ["generalized momentum", "--grey", "x", "dashdot"],
  generalized_momentum_with_rotors: ["generalized momentum with rotors", "--teal", "square", "dashdot"],
  elastic_joints: ["elastic joints", "--teal", "star", "solid", 2.5],
};

const ENERGIES: Record<string, Style> = {
  kinetic: ["kinetic", "--teal", "circle", "solid"],
  potential: ["potential", "--ochre", "circle", "dash"],
  dissipated: ["dissipated", "--violet", "circle", "dashdot"],
  sum: ["sum", "--ink", "circle", "dot"],
};

// For laws and options that are not listed above, in their order.
const OTHERS: [colour: string, symbol: string, dash: Dash][] = [
  ["--blue", "star", "dashdot"],
  ["--green", "triangle-up", "longdash"],
  ["--red", "triangle-down", "dash"],
];

function lookOf(styles: Record<string, Style>, name: string, names: string[]): Look {
  const unlisted = names.filter((other) => !(other in styles)).indexOf(name);
  const [title, colour, symbol, dash, width = 2] =
    styles[name] ?? [name.replaceAll("_", " "), ...OTHERS[Math.max(0, unlisted) % OTHERS.length]!];
  return { name: title, variable: colour, colour: variable(colour), symbol, dash, width };
}

export const lawLook = (results: Pick<Results, "laws">, name: string): Look => lookOf(LAWS, name, results.laws.map((law) => law.name));

export const optionLook = (results: Results, name: string): Look => lookOf(OPTIONS, name, optionNames(results));

/** A law, or a model of the arm's inertia, by its name alone. */
export const lawLookOf = (name: string): Look => lookOf(LAWS, name, [name]);

export const modelLook = (name: string): Look => (name === "elastic_arm" ? elasticArmLook() : lookOf(OPTIONS, name, [name]));

/** The record by the arm with elastic joints. */
export const elasticArmLook = (): Look => lookOf({ elastic_arm: ["elastic arm", "--red", "star", "solid", 2] }, "elastic_arm", []);

export const energyLook = (name: string): Look => lookOf(ENERGIES, name, []);

export const ENERGY_NAMES = Object.values(ENERGIES).map(([title]) => title);
