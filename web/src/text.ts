// Elements and numbers as text.
import { known, type Maybe } from "./maybe";

type Child = Node | string | null | undefined | Child[];

/** An element. Strings become text, never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string>,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.flat(Infinity as 1).filter((child): child is Node | string => child != null));
  return made;
}

/** Our own markup, such as v<sub>n</sub>. Never for text from the results. */
export function markup(html: string): DocumentFragment {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

/** Text from the results, escaped for Plotly's labels, which interpret a few tags. */
export const plain = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Shown in place of a number that does not exist. */
export const DASH = "–";

const minus = (text: string): string => text.replace("-", "−");

/** A number with that many significant digits; very large and very small ones as a power of ten. */
export function number(value: Maybe, digits = 4): string {
  if (!known(value)) return DASH;
  if (value === 0) return "0";
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  if (size >= 1e-3 && size < 1e5) {
    const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
    return minus(rounded.toFixed(decimals));
  }
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e") as [string, string];
  return `${minus(mantissa)} × 10${superscript(Number(exponent))}`;
}

/** The same without trailing zeros: for numbers that somebody chose. */
export function short(value: Maybe, digits = 4): string {
  return known(value) && Math.abs(value) >= 1e-3 && Math.abs(value) < 1e5 ? minus(String(Number(value.toPrecision(digits)))) : number(value, digits);
}

/** A reference speed, as the paper writes it: 0.10 m/s. */
export function speedText(speed: number): string {
  const text = short(speed, 6);
  return (text.split(".")[1]?.length ?? 0) < 2 ? speed.toFixed(2) : text;
}

function superscript(exponent: number): string {
  return [...String(exponent)].map((sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)]).join("");
}

export const percent = (value: Maybe): string => (known(value) ? `${number(100 * value, 3)} %` : DASH);

/** A number with its unit; [1] is not written. */
export function withUnit(value: Maybe, unit: string, digits = 4): string {
  return known(value) ? `${number(value, digits)}${unit === "1" || unit === "" ? "" : ` ${pretty(unit)}`}` : DASH;
}

/** So many of them: 1 trial, 2 trials. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** A unit with superscripts: N s/m². */
export const pretty = (unit: string): string => unit.replace("^2", "²").replace("^(n+1)", "ⁿ⁺¹").replace("^n", "ⁿ");

/** A table in a box that scrolls sideways where the page is narrow. */
export function tableBox(label: string, ...children: Child[]): HTMLElement {
  return element("div", { class: "table-box", role: "region", tabindex: "0", "aria-label": label }, element("table", {}, ...children));
}

/** A caption that stays in view while a wide table scrolls. */
export const caption = (...children: Child[]): HTMLElement => element("caption", {}, element("span", { class: "caption" }, ...children));

export const headCell = (scope: "col" | "row" | "colgroup" | "rowgroup", ...children: Child[]): HTMLElement =>
  element("th", { scope }, ...children);

export const numberCell = (text: string, title = ""): HTMLElement =>
  element("td", title ? { class: "number", title } : { class: "number" }, text);

/** A labelled selector. */
export function selector(
  label: string,
  options: { value: string; text: string }[],
  chosen: string,
  change: (value: string) => void,
): { box: HTMLElement; select: HTMLSelectElement } {
  const select = element("select", {});
  fillSelect(select, options, chosen);
  select.addEventListener("change", () => change(select.value));
  return { box: element("label", { class: "control" }, element("span", {}, label), select), select };
}

export function fillSelect(select: HTMLSelectElement, options: { value: string; text: string }[], chosen: string): void {
  select.replaceChildren(...options.map(({ value, text }) => element("option", { value }, text)));
  select.value = chosen;
}

/** A section with a heading that the table of contents links to. */
export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return element("section", { id, "aria-labelledby": `${id}-title` }, element("h2", { id: `${id}-title` }, title), ...children);
}

export const paragraph = (...children: Child[]): HTMLElement => element("p", {}, ...children);

/** Links to sections, in a strip at the top. */
export function contents(sections: HTMLElement[]): HTMLElement {
  const items = sections.map((part) => element("li", {}, element("a", { href: `#${part.id}` }, part.querySelector("h2")?.textContent ?? "")));
  return element("nav", { "aria-label": "Contents" }, element("ol", {}, items));
}
