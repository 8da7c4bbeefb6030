// The force over time, redrawn at every step of a drag: a few paths of SVG, whose numbers alone change.
import { number } from "../text";

const SVG = "http://www.w3.org/2000/svg";

export interface Curve {
  name: string;
  colour: string; // custom property of the style sheet
  dash: string; // as stroke-dasharray
  time: number[]; // [s]
  force: number[]; // [N]
}

export interface Mark {
  name: string;
  time: number; // [s]
  force: number; // [N]
}

export interface ForceChart {
  box: HTMLElement;
  svg: SVGSVGElement;
  draw: (curves: Curve[], marks: Mark[]) => void;
  /** A line at that time [s], or none. */
  cursor: (time: number | null) => void;
  resize: () => void;
}

// Where the words of a mark may stand beside it, the nearest first [px]: they take the first place that no curve crosses.
const PLACES = [4, -12, 20, -28, 36, -44, 52].flatMap((down) => [9, -9, 24, -24, 60, 100, 140, 180, 220, 280].map((right) => ({ right, down }))).sort((a, b) => Math.hypot(a.right, a.down) - Math.hypot(b.right, b.down));
const APART = 45; // a line leads to words that are farther away [px]
const LETTER = { width: 6.6, above: 11, below: 4, beside: 6 }; // of those words [px]
const MARGIN = { left: 54, right: 16, top: 26, bottom: 36 };

function make<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number>, text = ""): SVGElementTagNameMap[K] {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text) made.textContent = text;
  return made;
}

/** Round numbers from 0 to at most `end`, about `count` of them. */
export function ticks(end: number, count: number): number[] {
  if (!(end > 0)) return [0];
  const rough = end / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough;
  return Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(6)));
}

// The range changes in steps, so that the axes stand still through most of a drag.
function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((each) => each * power >= value * 1.001) ?? 10) * power;
}

export function forceChart(): ForceChart {
  const svg = make("svg", { class: "forces", role: "img", "aria-label": "Contact force over time" });
  const grid = make("g", { class: "grid" }), lines = make("g", {}), marks = make("g", {}), key = make("g", { class: "key" });
  const cursor = make("line", { class: "cursor", visibility: "hidden" });
  svg.append(grid, lines, marks, cursor, key);
  const box = document.createElement("div");
  box.className = "force-box";
  box.append(svg);
  let shown: { curves: Curve[]; marks: Mark[] } = { curves: [], marks: [] };
  let range = { time: 0, force: 0 };
  let size = { width: 0, height: 0 };
  let axes = "";
  let names = "";

  const x = (time: number): number => MARGIN.left + (time / range.time) * (size.width - MARGIN.left - MARGIN.right);
  const y = (force: number): number => size.height - MARGIN.bottom - (force / range.force) * (size.height - MARGIN.top - MARGIN.bottom);

  function drawAxes(): void {
    const now = `${size.width} ${size.height} ${range.time} ${range.force}`;
    if (now === axes) return;
    axes = now;
    svg.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    const parts: SVGElement[] = [];
    for (const force of ticks(range.force, Math.max(2, size.height / 55))) {
      parts.push(make("line", { x1: MARGIN.left, x2: size.width - MARGIN.right, y1: y(force), y2: y(force), class: force === 0 ? "axis" : "rule" }));
      parts.push(make("text", { x: MARGIN.left - 8, y: y(force) + 4, "text-anchor": "end" }, String(force)));
    }
    for (const time of ticks(1000 * range.time, Math.max(3, size.width / 90))) {
      parts.push(make("line", { x1: x(time / 1000), x2: x(time / 1000), y1: y(0), y2: y(0) + 4, class: "axis" }));
      parts.push(make("text", { x: x(time / 1000), y: y(0) + 17, "text-anchor": "middle" }, String(time)));
    }
    parts.push(make("text", { x: size.width - MARGIN.right, y: size.height - 5, "text-anchor": "end", class: "title" }, "time from first touch [ms]"));
    parts.push(make("text", { x: MARGIN.left - 8, y: 14, "text-anchor": "end", class: "title" }, "f [N]"));
    grid.replaceChildren(...parts);
  }

  function drawKey(): void {
    const now = shown.curves.map(({ name, colour, dash }) => name + colour + dash).join("|") + size.width;
    if (now === names) return;
    names = now;
    let left = MARGIN.left + 6;
    const parts = shown.curves.flatMap(({ name, colour, dash }) => {
      const at = left;
      left += 40 + 6.4 * name.length + 14;
      return [
        make("line", { x1: at, x2: at + 24, y1: 10, y2: 10, style: `stroke: var(${colour})`, "stroke-dasharray": dash, class: "curve" }),
        make("text", { x: at + 30, y: 14 }, name),
      ];
    });
    key.replaceChildren(...parts);
  }

  function points({ time, force }: Curve): { x: number; y: number }[] {
    const step = Math.max(1, Math.floor(time.length / 200)); // no finer than what is seen
    const made = [];
    for (let i = 0; i < time.length; i += step)
      if (Number.isFinite(time[i]! + force[i]!)) made.push({ x: x(time[i]!), y: y(force[i]!) });
    return made;
  }
  const path = (curve: { x: number; y: number }[]): string => curve.map((at, i) => `${i ? "L" : "M"}${at.x.toFixed(1)} ${at.y.toFixed(1)}`).join("");

  // Where so many letters stand beside a mark: where they stood before, if nothing crosses them there now.
  let place = 0;
  function besides(at: { x: number; y: number }, letters: number, curves: { x: number; y: number }[][]): { x: number; y: number; anchor: string } {
    const free = ({ right, down }: (typeof PLACES)[number]): boolean => {
      const width = LETTER.width * letters + 2 * LETTER.beside, left = at.x + right + (right > 0 ? -LETTER.beside : LETTER.beside - width);
      const top = at.y + down - LETTER.above, bottom = at.y + down + LETTER.below;
      if (left < MARGIN.left - LETTER.beside || left + width > size.width - MARGIN.right + LETTER.beside || top < MARGIN.top || bottom > size.height - MARGIN.bottom) return false;
      // a curve goes by if between two of its points it is within both ranges
      return !curves.some((curve) => curve.some((to, i) => {
        const from = curve[i - 1];
        if (!from || Math.max(from.x, to.x) < left || Math.min(from.x, to.x) > left + width) return false;
        const heightAt = (where: number): number => (to.x === from.x ? to.y : from.y + ((to.y - from.y) * (where - from.x)) / (to.x - from.x));
        const ends = [heightAt(Math.max(left, Math.min(from.x, to.x))), heightAt(Math.min(left + width, Math.max(from.x, to.x)))];
        return Math.min(...ends) < bottom && Math.max(...ends) > top;
      }));
    };
    if (!free(PLACES[place]!)) place = Math.max(0, PLACES.findIndex(free));
    const { right, down } = PLACES[place]!;
    return { x: at.x + right, y: at.y + down, anchor: right > 0 ? "start" : "end" };
  }

  function draw(): void {
    if (size.width === 0) return;
    const { curves } = shown;
    range = {
      time: roundUp(Math.max(0, ...curves.map(({ time }) => time.at(-1) ?? 0))),
      force: roundUp(curves.reduce((most, { force }) => force.reduce((a, b) => Math.max(a, b), most), 0)),
    };
    drawAxes();
    drawKey();
    while (lines.childElementCount > curves.length) lines.lastElementChild?.remove();
    while (lines.childElementCount < curves.length) lines.append(make("path", { class: "curve" }));
    const drawn = curves.map(points);
    curves.forEach((curve, i) => {
      const line = lines.children[i];
      line?.setAttribute("d", path(drawn[i] ?? []));
      line?.setAttribute("style", `stroke: var(${curve.colour})`);
      line?.setAttribute("stroke-dasharray", curve.dash);
    });
    marks.replaceChildren(...shown.marks.flatMap(({ name, time, force }) => {
      const words = `${name} ${number(force, 3)} N, ${number(1000 * time, 3)} ms`, at = { x: x(time), y: y(force) };
      const beside = besides(at, words.length, drawn);
      const leader = Math.hypot(beside.x - at.x, beside.y - at.y) > APART ? [make("line", { x1: at.x, y1: at.y, x2: beside.x + (beside.anchor === "end" ? 3 : -3), y2: beside.y - 4, class: "axis" })] : [];
      return [
        ...leader,
        make("circle", { cx: at.x, cy: at.y, r: 4, class: "mark" }),
        make("text", { x: beside.x, y: beside.y, "text-anchor": beside.anchor, class: "event" }, words),
      ];
    }));
  }

  function resize(): void {
    const { clientWidth: width, clientHeight: height } = box;
    if (width === size.width && height === size.height) return;
    size = { width, height };
    draw();
  }

  new ResizeObserver(resize).observe(box);
  return {
    box,
    svg,
    draw(curves, events) {
      shown = { curves, marks: events };
      draw();
    },
    cursor(time) {
      cursor.setAttribute("visibility", time === null || range.time === 0 ? "hidden" : "visible");
      if (time === null || range.time === 0) return;
      for (const [name, value] of [["x1", x(time)], ["x2", x(time)], ["y1", MARGIN.top], ["y2", y(0)]] as const) cursor.setAttribute(name, String(value));
    },
    resize,
  };
}
