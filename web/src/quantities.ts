// Name, symbol, unit and equation of every quantity, in one place for tables, axes and captions.
import { cite } from "./equations";
import { element, markup, pretty } from "./text";

export interface Quantity {
  name: string;
  symbol: string; // with tags that both HTML and Plotly interpret
  unit: string; // as shown
  scale: number; // shown = SI * scale
  label?: string; // in docs/equations.md
}

const make = (name: string, symbol: string, unit: string, label?: string, scale = 1): Quantity =>
  label === undefined ? { name, symbol, unit, scale } : { name, symbol, unit, scale, label };

const FORCE_LAW = "Wang22, (normal_impact_force)";
const FIT = "Wang22, (sec:validate-contact-force-model)";

export const Q = {
  reference: make("reference speed", "", "m/s"),
  exact: make("contact velocity, exact", "|v<sub>n</sub>|", "m/s", "Wang22, (contactVel_exact)"),
  approximate: make("contact velocity, approximate", "|ṽ<sub>n</sub>|", "m/s", "Wang22, (contactVel_transform)"),
  ratio: make("approximate-to-exact ratio", "e<sub>a</sub>", "1", "Wang22, (approximate-to-exact)"),
  force: make("contact force", "f", "N", FORCE_LAW),
  peakForce: make("peak force", "f<sub>max</sub>", "N"),
  peakTime: make("time of peak", "t<sub>p</sub>", "ms", undefined, 1000),
  contactTime: make("force above noise and 1 % of its peak", "T", "ms", undefined, 1000),
  time: make("time from first touch", "t", "ms", undefined, 1000),
  impulseCompression: make("impulse to end of compression", "ι<sub>c</sub>", "N s", "Wang22, (zImpulseCE)"),
  impulseTotal: make("impulse, whole contact", "ι", "N s", "Wang22, (zImpulseCE)"),
  effectiveMass: make("effective mass", "m<sub>n</sub>", "kg", "Wang22, (iim_def)"),
  restitution: make("restitution", "e", "1"),
  restitutionAsymptotic: make("restitution, asymptotic", "k/(c|v<sub>0</sub>|)", "1", "Wang22, (coe_property)"),
  detectionDelay: make("alarm of the controller after touch", "", "ms", "Wang22, (sec:robot_configuration)", 1000),
  observerDelay: make("alarm of the momentum observer after touch", "", "ms", undefined, 1000),
  energy: make("energy", "E", "mJ", "Wang22, (energy_balance)", 1000),
  rmse: make("root mean square of the residual", "", "N", FIT),
  rSquared: make("coefficient of determination", "R²", "1", FIT),
  bic: make("Bayesian information criterion", "BIC", "1", FIT),
  timeOfCompression: make("end of compression", "t<sub>c</sub>", "ms", FORCE_LAW, 1000),
  timeOfParting: make("end of contact, compression back at zero", "", "ms", FORCE_LAW, 1000),
  timeOfEnd: make("end of force, 1 % of its peak", "t<sub>e</sub>", "ms", FORCE_LAW, 1000),
} as const;

/** By which equation an option, a law and the restitution of a law are computed. */
export const OPTION_LABEL: Record<string, string> = {
  algebraic: "Wang22, (option_em)",
  composite_rigid_body: "Wang22, (iim_inertia_def)",
  flexible_joints: "Wang22, (crb_fb_iim)",
  generalized_momentum: "Wang22, (option_gm_iim)",
};

export const LAW_LABEL: Record<string, string> = {
  spring: "Wang22, (sec:virtual_spring_model)",
  maxwell: "Stronge00, (5.1.1)",
  viscoelastic: FORCE_LAW,
};

export const RESTITUTION_LABEL: Record<string, string> = {
  spring: "Wang22, (sec:virtual_spring_model)",
  maxwell: "Stronge00, (5.7)",
  viscoelastic: FORCE_LAW,
  hunt_crossley: FORCE_LAW,
};

export const unitOf = (quantity: Quantity): string => pretty(quantity.unit);

/** Title of an axis: name, symbol, unit. */
export function axisTitle(quantity: Quantity): string {
  return `${quantity.name}${quantity.symbol ? ` ${quantity.symbol}` : ""} [${unitOf(quantity)}]`;
}

/** Head of a row: name, symbol, unit, equation. */
export function rowHead(quantity: Quantity): (Node | string)[] {
  return [
    quantity.name,
    " ",
    markup(quantity.symbol),
    quantity.symbol ? " " : "",
    element("span", { class: "unit" }, `[${unitOf(quantity)}]`),
    ...(quantity.label ? [" ", cite(quantity.label)] : []),
  ];
}
