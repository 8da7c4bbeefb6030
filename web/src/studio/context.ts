// What all views share: what the program has, robots as they are asked for, the scene, and the way between views.
import type { Robot, Studio } from "../../generated/studio";
import type { ViewName } from "./address";
import { get } from "./api";
import type { Code } from "./code";
import type { StudioScene } from "./scene";

/** A picture as vector graphics, with its size [px]. */
export interface Picture {
  svg: string;
  width: number;
  height: number;
  name: string;
}

export interface View {
  box: HTMLElement;
  /** Shows what the address says; called again when another address of this view is opened. */
  open: (values: URLSearchParams) => Promise<void>;
  /** Another view takes its place. */
  close: () => void;
  /** The program is there again: ask anew. */
  resume: () => void;
  code: () => Code;
  /** What is on the screen; null where there is nothing to draw, which the view says. */
  picture: () => Promise<Picture | null>;
  recolour: () => void;
}

export interface Context {
  studio: Studio;
  scene: StudioScene;
  robot: (name: string) => Promise<Robot>;
  go: (view: ViewName, values: Record<string, string>) => void;
  /** A view is at long work, or has ended it: its tab says so. */
  busy: (view: ViewName, busy: boolean) => void;
  /** A robot or a file as the command line has it: a shipped name, a path, or the name of a file that was dropped. */
  nameOf: (id: string) => string;
}

const robots = new Map<string, Robot>();

export async function robotOf(name: string): Promise<Robot> {
  const known = robots.get(name);
  if (known) return known;
  const robot = await get<Robot>(`/api/robots/${encodeURIComponent(name)}`);
  robots.set(name, robot);
  return robot;
}

/** Robots to choose from: those that ship and those that were opened. */
export function robotOptions(studio: Studio): { value: string; text: string }[] {
  return [
    ...studio.robots.map((name) => ({ value: name, text: name })),
    ...studio.files.filter(({ kind }) => kind === "robot").map(({ id, name }) => ({ value: id, text: name })),
  ];
}
