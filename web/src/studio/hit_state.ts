// What the view of a hit shows, its address, and the options of the commands that compute it.
import type { Robot, Studio } from "../../generated/studio";
import { listText, readList } from "./address";
import type { Options } from "./code";
import type { Triple } from "./scene";

export interface HitState {
  robot: string;
  q: number[];
  frame: string;
  offset: Triple;
  normal: Triple;
  speed: number; // [m/s]
  restitution: number;
  friction: number | null; // null: none is asked for
  object: number | null; // mass of what is hit [kg]; null: it does not move
  law: string;
  parameters: Record<string, number>;
  drives: string; // empty: not known
  model: string; // whose record, arrows and jumps are shown
  body: string; // of a person, for the safe speed; empty: joints and limits of force
  limits: string;
}

export function lawParameters(studio: Studio, law: string, values?: URLSearchParams): Record<string, number> {
  const list = studio.laws.find(({ name }) => name === law)?.parameters ?? [];
  return Object.fromEntries(list.map(({ name, typical }) => {
    const given = Number(values?.get(`law.${name}`) ?? NaN);
    return [name, Number.isFinite(given) ? given : typical];
  }));
}

const among = (value: string | null, list: readonly string[], otherwise: string): string => (value !== null && list.includes(value) ? value : otherwise);

function amount(value: string | null, otherwise: number, least: number): number {
  const found = value === null ? NaN : Number(value);
  return Number.isFinite(found) && found >= least ? found : otherwise;
}

/** The state of an address; what it does not say, or says wrongly, is the robot's good first view. */
export function readHit(studio: Studio, robot: Robot, name: string, values: URLSearchParams): HitState {
  const { start, frames } = robot.studio;
  const law = among(values.get("law"), studio.laws.map((each) => each.name), "viscoelastic");
  const drives = values.get("drives");
  const optional = (key: string): number | null => (values.has(key) ? amount(values.get(key), 0, 0) : null);
  const frame = among(values.get("frame"), frames.map((each) => each.name), start.frame);
  return {
    robot: name,
    q: readList(values.get("q"), robot.joints.length) ?? [...start.q],
    frame,
    offset: (readList(values.get("offset"), 3) ?? (frame === start.frame ? [...start.offset] : [0, 0, 0])) as Triple,
    normal: (readList(values.get("normal"), 3) ?? [...start.normal]) as Triple,
    speed: amount(values.get("speed"), 0.12, 1e-6),
    restitution: Math.min(1, amount(values.get("restitution"), 0, 0)),
    friction: optional("friction"),
    object: values.has("object-mass") ? amount(values.get("object-mass"), 1, 1e-9) : null,
    law,
    parameters: lawParameters(studio, law, values),
    drives: drives === "" || drives === "none" ? "" : drives !== null ? drives : (start.drives ?? ""),
    model: among(values.get("model"), studio.models, "composite_rigid_body"),
    body: among(values.get("body"), studio.bodies, ""),
    limits: values.get("limits") ?? start.limits ?? "",
  };
}

/** The address of a state. */
export function writeHit(state: HitState, view: string): Record<string, string> {
  return {
    robot: state.robot, q: listText(state.q, 6), frame: state.frame, offset: listText(state.offset, 6), normal: listText(state.normal, 6),
    speed: String(state.speed), restitution: state.restitution ? String(state.restitution) : "", friction: state.friction === null ? "" : String(state.friction),
    "object-mass": state.object === null ? "" : String(state.object), law: state.law,
    ...Object.fromEntries(Object.entries(state.parameters).map(([name, value]) => [`law.${name}`, String(value)])),
    drives: state.drives || "none", model: state.model === "composite_rigid_body" ? "" : state.model, body: state.body, limits: state.limits, view,
  };
}

const contact = (state: HitState): Options => ({ frame: state.frame, offset: state.offset, normal: state.normal });
const law = (state: HitState): Options => ({ law: state.law, ...state.parameters });

export const predictOptions = (state: HitState): Options => ({
  robot: state.robot, q: state.q, ...contact(state), speed: state.speed, restitution: state.restitution,
  friction: state.friction, "object-mass": state.object,
});

/** Of a mass, which may be a model's name. */
export const massProfileOptions = (state: HitState, mass: number | string): Options => ({ ...law(state), mass, speed: state.speed, "object-mass": state.object });

export const armProfileOptions = (state: HitState): Options => ({
  robot: state.robot, q: state.q, ...contact(state), speed: state.speed, ...law(state), drives: state.drives, "object-mass": state.object,
});

/** Whether the safe speed is the elastic arm's: a search that takes up to a second. Without it, it takes a few milliseconds. */
export const limitTakesLong = (state: HitState): boolean => state.drives !== "" && state.body === "";

/** Of thud limit: a person instead of the law, where one is chosen; then the arm is rigid. */
export const limitOptions = (state: HitState): Options => ({
  robot: state.robot, q: state.q, ...contact(state), ...(state.body ? { body: state.body } : law(state)),
  ...(state.body || "restitution" in state.parameters ? {} : { restitution: state.restitution }), drives: limitTakesLong(state) ? state.drives : null, limits: state.limits || null,
});
