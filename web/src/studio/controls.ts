// Inputs with a label and a unit, all of them reachable by keyboard.
import { element } from "../text";

type Child = Node | string | null | undefined | Child[];

/** A group of inputs under a heading. */
export const group = (title: string, ...children: Child[]): HTMLElement => element("fieldset", { class: "block" }, element("legend", {}, title), ...children);

export function button(text: string, press: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", press);
  return made;
}

export interface Field<Value> {
  box: HTMLElement;
  set: (value: Value) => void;
  focus: () => void;
}

const named = (label: string, unit: string): string => (unit ? `${label} [${unit}]` : label);
const format = (value: number): string => String(Number(value.toPrecision(6)));

/** Whether a key means something to what has the focus: there it is no shortcut. A slider takes arrows alone. */
export const takesKey = ({ target, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  ctrlKey || altKey || metaKey || (target instanceof HTMLElement && target.matches('input:not([type="range"]), select, textarea, button'));

/** Makes a part of the page anew. The input there that has the focus has it afterwards too, known by its name. */
export function keepFocus(part: HTMLElement, make: () => void): void {
  const held = part.contains(document.activeElement) ? document.activeElement : null;
  make();
  if (!held || part.contains(held)) return;
  const same = [...part.querySelectorAll<HTMLElement>(held.tagName)].find((each) => ["type", "aria-label"].every((key) => each.getAttribute(key) === held.getAttribute(key)));
  same?.focus();
}

/** A number with its unit. What is no number, or outside its range, is marked and goes no further. */
export function numberField(label: string, unit: string, value: number | null, change: (value: number | null) => void, range: { min?: number; max?: number; above?: number; optional?: boolean; step?: number } = {}): Field<number | null> {
  const input = element("input", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false", value: value === null ? "" : format(value), "aria-label": named(label, unit) });
  if (range.optional) input.placeholder = "–";
  const read = (): number | null | undefined => {
    const text = input.value.trim();
    if (text === "") return range.optional ? null : undefined;
    const found = Number(text);
    const inside = found >= (range.min ?? -Infinity) && found <= (range.max ?? Infinity) && found > (range.above ?? -Infinity);
    return Number.isFinite(found) && inside ? found : undefined;
  };
  const rule = [range.above !== undefined ? `above ${range.above}` : "", range.min !== undefined ? `at least ${range.min}` : "", range.max !== undefined ? `at most ${range.max}` : ""].filter((text) => text).join(", ");
  const apply = (): void => {
    const found = read();
    input.setAttribute("aria-invalid", String(found === undefined));
    input.title = found === undefined ? `a number${rule ? `, ${rule}` : ""}` : "";
    if (found !== undefined) change(found);
  };
  input.addEventListener("input", apply);
  input.addEventListener("keydown", (event) => {
    const direction = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    const now = read();
    if (direction === 0 || typeof now !== "number") return;
    event.preventDefault();
    const step = range.step ?? (now === 0 ? 0.1 : 10 ** Math.floor(Math.log10(Math.abs(now)) - 0.7));
    input.value = format(now + direction * step);
    apply();
  });
  return {
    box: element("label", { class: "field" }, element("span", {}, label), input, element("span", { class: "unit" }, unit)),
    set(next) {
      if (document.activeElement === input && read() === next) return;
      input.value = next === null ? "" : format(next);
      input.setAttribute("aria-invalid", "false");
    },
    focus: () => input.focus(),
  };
}

/** Three numbers in a row. */
export function vectorField(label: string, unit: string, value: readonly number[], change: (value: number[]) => void): Field<readonly number[]> {
  const now = [...value];
  const fields = ["x", "y", "z"].map((axis, i) =>
    numberField(`${label} ${axis}`, unit, now[i] ?? 0, (each) => {
      now[i] = each ?? 0;
      change([...now]);
    }, { step: 0.01 }),
  );
  const inputs = fields.map(({ box }) => box.querySelector("input")!);
  return {
    box: element("div", { class: "field triple", role: "group", "aria-label": label }, element("span", {}, label), ...inputs, element("span", { class: "unit" }, unit)),
    set(next) {
      next.forEach((each, i) => {
        now[i] = each;
        fields[i]?.set(Number(each.toFixed(5)));
      });
    },
    focus: () => fields[0]?.focus(),
  };
}

export interface Slider extends Field<number> {
  /** Colours the value, and says why. */
  mark: (text: string) => void;
}

/** A slider with its value as text beside it, where `typed` may be a wider range than the slider's. */
export function slider(label: string, unit: string, value: number, min: number, max: number, change: (value: number) => void, step = "any", typed: { min?: number; max?: number; above?: number } = { min, max }): Slider {
  const input = element("input", { type: "range", min: String(min), max: String(max), step: step === "any" ? String((max - min) / 1000) : step, "aria-label": named(label, unit) });
  const text = numberField(label, unit, value, (now) => {
    if (now === null) return;
    move(now);
    change(now);
  }, typed);
  const move = (now: number): void => {
    input.value = String(now);
    input.setAttribute("aria-valuetext", `${Number(now.toFixed(3))} ${unit}`.trim());
  };
  const show = (now: number): void => {
    move(now);
    text.set(Number(now.toFixed(4)));
  };
  show(value);
  input.addEventListener("input", () => {
    const now = Number(input.value);
    show(now);
    change(now);
  });
  const beside = text.box.querySelector("input")!;
  return {
    box: element("div", { class: "slider" }, element("span", { class: "slider-name" }, label), input, beside, element("span", { class: "unit" }, unit)),
    set: show,
    focus: () => input.focus(),
    mark: (why) => (beside.title = why),
  };
}

export function choice(label: string, options: { value: string; text: string }[], value: string, change: (value: string) => void): Field<string> & { fill: (options: { value: string; text: string }[], value: string) => void } {
  const select = element("select", { "aria-label": label });
  const fill = (list: { value: string; text: string }[], chosen: string): void => {
    select.replaceChildren(...list.map((each) => element("option", { value: each.value }, each.text)));
    select.value = chosen;
  };
  fill(options, value);
  select.addEventListener("change", () => change(select.value));
  return { box: element("label", { class: "field wide" }, element("span", {}, label), select), set: (next) => (select.value = next), focus: () => select.focus(), fill };
}

/** How far long work has come, and a button that ends it. */
export function progressBar(label: string, cancel: () => void): { box: HTMLElement; show: (share: number | null) => void; hide: () => void } {
  const bar = element("progress", { max: "1", "aria-label": label });
  const text = element("span", { class: "progress-text", role: "status" });
  const box = element("div", { class: "progress" }, bar, text, button("Cancel", cancel));
  box.hidden = true;
  return {
    box,
    show(share) {
      box.hidden = false;
      if (share === null) bar.removeAttribute("value");
      else bar.value = share;
      text.textContent = share === null ? `${label} …` : `${label}: ${Math.floor(100 * share)} %`;
    },
    hide: () => (box.hidden = true),
  };
}

/** What was refused, in the program's own words; nothing where it is empty. A view with several says of what each is. */
export function notice(of = ""): { box: HTMLElement; say: (text: string) => void } {
  const box = element("p", { class: of ? `refusal of-${of}` : "refusal", role: "alert" });
  box.hidden = true;
  return {
    box,
    say(text) {
      box.textContent = text;
      box.hidden = text === "";
    },
  };
}

export const warningList = (warnings: readonly string[]): HTMLElement =>
  element("ul", { class: "notes", "aria-label": "Warnings" }, ...[...new Set(warnings)].map((text) => element("li", {}, text)));
