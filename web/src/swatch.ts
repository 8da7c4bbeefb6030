// The mark of a configuration in a table: its symbol, coloured by a custom property, so that it follows the theme without
// being redrawn.
import type { Results } from "../generated/results";
import { configurationLook } from "./theme";

const SHAPES: Record<string, string> = {
  circle: '<circle cx="7" cy="7" r="5"/>',
  square: '<rect x="2.5" y="2.5" width="9" height="9"/>',
  diamond: '<path d="M7 1 13 7 7 13 1 7Z"/>',
  "triangle-up": '<path d="M7 1.5 13 12 1 12Z"/>',
};

export function swatch(results: Results, name: string): Element {
  const look = configurationLook(results, name);
  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 14 14", width: "12", height: "12", class: "swatch", "aria-hidden": "true" }))
    drawing.setAttribute(key, value);
  drawing.setAttribute("style", `fill: var(${look.variable})`);
  drawing.innerHTML = SHAPES[look.symbol] ?? SHAPES["circle"] ?? "";
  return drawing;
}
