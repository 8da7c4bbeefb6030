// Colours out of the style sheet, which knows light, dark and paper; shapes and dashes, so that colour is never alone.
import type { Results } from "./results";

export interface Theme {
  ink: string;
  muted: string;
  line: string;
  panel: string;
  font: string;
}

const variable = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

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
  variable: string; // of the style sheet
  colour: string; // its value now
  symbol: string;
  dash: Dash;
  width: number;
}

const CONFIGURATION = ["red", "blue", "green", "violet", "ochre", "grey"];
const SYMBOL = ["circle", "square", "diamond", "triangle-up", "x", "star"];
const PAPER = ["one", "two", "three"];

/** The paper's colours: red, blue, green for one, two, three; the next in the list for others. */
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

const look = (name: string, colour: string, symbol: string, dash: Dash, width = 2): (() => Look) => {
  return () => ({ name, variable: colour, colour: variable(colour), symbol, dash, width });
};

export const OPTIONS: Record<string, () => Look> = {
  algebraic: look("algebraic", "--violet", "triangle-up", "dash"),
  composite_rigid_body: look("composite rigid body", "--ink", "circle", "solid", 2.5),
  composite_approximate: look("composite, approximate velocity", "--ink", "circle-open", "dot"),
  flexible_joints: look("flexible joints", "--ochre", "triangle-down", "longdash"),
  generalized_momentum: look("generalized momentum", "--grey", "x", "dashdot"),
};

export const LAWS: Record<string, () => Look> = {
  viscoelastic: look("viscoelastic", "--violet", "circle", "solid", 2.5),
  maxwell: look("Maxwell", "--ochre", "square", "dash"),
  spring: look("spring", "--teal", "diamond", "longdash"),
  hunt_crossley: look("Hunt-Crossley", "--ink", "x", "dot"),
};

export const ENERGIES: Record<string, () => Look> = {
  kinetic: look("kinetic", "--teal", "circle", "solid"),
  potential: look("potential", "--ochre", "circle", "dash"),
  dissipated: look("dissipated", "--violet", "circle", "dashdot"),
  sum: look("sum", "--ink", "circle", "dot"),
};
