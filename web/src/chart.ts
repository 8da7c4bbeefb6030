// Charts: drawn when they come near the viewport, and redrawn when the width, the theme or the selection changes. Before
// printing all of them are drawn, in light colours and as wide as the paper.
import * as Plotly from "plotly.js-cartesian-dist-min";
import type { Config, Data, Layout, LayoutAxis, PlotlyHTMLElement } from "plotly.js-cartesian-dist-min";
import { element } from "./text";
import { theme, type Dash, type Look, type Theme } from "./theme";

export type { Data } from "plotly.js-cartesian-dist-min";

export interface Drawing {
  data: Data[];
  layout: Partial<Layout>;
}

export interface Chart {
  figure: HTMLElement;
  redraw: () => void;
}

type Draw = (width: number, theme: Theme) => Drawing;

interface Entry {
  box: HTMLElement;
  draw: Draw;
  drawn: boolean;
  width: number;
  choose: ((trial: number) => void) | undefined; // what a click on a trial's point does
  select: ((range: [number, number]) => void) | undefined; // what a stretch of the x axis does, where it can be selected
  observed: boolean;
}

const PRINT_WIDTH = 680; // A4 without its margins [CSS px]
const entries: Entry[] = [];
const printing = window.matchMedia("print");
const touch = window.matchMedia("(pointer: coarse)");

// Plotly's mode bar covers the legend, and one of its buttons uploads the chart to a Plotly server.
const config: Partial<Config> = { displayModeBar: false, plotlyServerURL: "" };

function show(entry: Entry): void {
  const width = printing.matches ? PRINT_WIDTH : Math.floor(entry.box.clientWidth);
  if (width === 0) return;
  const first = !entry.drawn;
  entry.width = width;
  entry.drawn = true;
  const colours = theme();
  const { data, layout } = entry.draw(width, colours);
  void Plotly.react(entry.box, data, { ...layout, width }, config);
  fitLegend(entry.box, layout);
  if (first) listen(entry.box as unknown as PlotlyHTMLElement, entry);
}

// Adjusts the margin above the panels to the height of the legend as rendered.
function fitLegend(box: HTMLElement, layout: Partial<Layout>): void {
  const assumed = (layout as { meta?: { legend: number } }).meta?.legend ?? 0;
  const height = box.querySelector(".legend .bg")?.getBoundingClientRect().height ?? assumed;
  const more = Math.ceil(height) - assumed;
  if (more !== 0) void Plotly.relayout(box, { height: (layout.height ?? 0) + more, "margin.t": (layout.margin?.t ?? 0) + more } as Partial<Layout>);
}

function listen(plot: PlotlyHTMLElement, { choose, select }: Entry): void {
  if (choose)
    plot.on("plotly_click", ({ points }) => {
      const trial = points[0]?.customdata;
      if (typeof trial === "number") choose(trial);
    });
  if (select)
    plot.on("plotly_selected", (event) => {
      const range = event?.range?.["x"];
      if (range) select([Number(range[0]), Number(range[1])]);
    });
}

const near = new IntersectionObserver(
  (seen) => {
    for (const { target, isIntersecting } of seen) {
      const entry = entries.find(({ box }) => box === target);
      if (!entry || !isIntersecting) continue;
      near.unobserve(target);
      if (!entry.drawn) show(entry);
    }
  },
  { rootMargin: "800px" },
);

const widths = new ResizeObserver((changes) => {
  if (printing.matches) return;
  for (const { target } of changes) {
    const entry = entries.find(({ box }) => box === target);
    if (entry?.drawn && entry.width !== Math.floor(entry.box.clientWidth)) show(entry);
  }
});

let drawnTrials = "";

/** What every chart of trials says where it draws a part of them; to be called before charts are made. */
export function tellDrawn(sentence: string): void {
  drawnTrials = sentence;
}

/** A figure with a caption that says what it shows and from which data. A click on a point may select a trial, a pull along the x axis a stretch. */
export function chart(id: string, title: string, caption: (Node | string)[], draw: Draw, choose?: (trial: number) => void, select?: (range: [number, number]) => void): Chart {
  const box = element("div", { class: "chart", id, role: "img", "aria-label": title });
  const entry: Entry = { box, draw, drawn: false, width: 0, choose, select, observed: false };
  entries.push(entry);
  const figure = element(
    "figure",
    {},
    element("div", { class: "figure-head" }, element("p", { class: "figure-title" }, title), saver(box, title)),
    box,
    element("figcaption", {}, ...caption, ...(choose && drawnTrials ? [` ${drawnTrials}`] : [])),
  );
  return { figure, redraw: () => entry.drawn && show(entry) };
}

function saver(box: HTMLElement, title: string): HTMLElement {
  const button = element("button", { type: "button", class: "save", "aria-label": `Save as SVG: ${title}` }, "SVG");
  button.addEventListener("click", () => {
    const { clientWidth: width, clientHeight: height, id } = box;
    void Plotly.downloadImage(box, { format: "svg", width, height, filename: id.replace("chart", "thud") });
  });
  return button;
}

let started = false;

/** To be called when charts have been put into the page. */
export function startCharts(): void {
  for (const entry of entries.filter(({ observed }) => !observed)) {
    entry.observed = true;
    near.observe(entry.box);
    widths.observe(entry.box);
  }
  whenIdle(drawNext);
  if (started) return;
  started = true;
  const redrawn = (): void => entries.filter((entry) => entry.drawn).forEach(show);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawn);
  window.addEventListener("beforeprint", drawAll);
  printing.addEventListener("change", () => entries.forEach(show));
}

/** The charts in a part of the page that is about to go. */
export function dropCharts(within: HTMLElement): void {
  for (const entry of entries.filter(({ box }) => within.contains(box))) {
    near.unobserve(entry.box);
    widths.unobserve(entry.box);
    if (entry.drawn) Plotly.purge(entry.box);
    entries.splice(entries.indexOf(entry), 1);
  }
}

/** The charts in a part of the page, each as SVG; those that nobody has come near are drawn for it. */
export async function chartPictures(within: HTMLElement): Promise<{ svg: string; width: number; height: number }[]> {
  const there = entries.filter(({ box }) => within.contains(box) && box.clientWidth > 0)
    .sort((a, b) => (a.box.compareDocumentPosition(b.box) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1)); // as the page has them
  for (const entry of there) if (!entry.drawn) show(entry);
  return Promise.all(there.map(async ({ box }) => {
    const { clientWidth: width, clientHeight: height } = box;
    const url = await Plotly.toImage(box, { format: "svg", width, height });
    return { svg: decodeURIComponent(url.slice(url.indexOf(",") + 1)), width, height };
  }));
}

function drawAll(): void {
  for (const entry of entries) if (!entry.drawn) show(entry);
}

// The remaining charts, one at a time, so that they are ready before the reader scrolls or prints.
function drawNext(): void {
  const waiting = entries.find((entry) => !entry.drawn && entry.box.clientWidth > 0);
  if (!waiting) return;
  show(waiting);
  whenIdle(drawNext);
}

function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in window) window.requestIdleCallback(work, { timeout: 500 });
  else setTimeout(work, 50);
}

// Panels

export interface PanelOptions {
  titles: string[];
  x: string;
  y: string | string[]; // one for all, or one each
  height: number; // of one panel [px]
  minWidth: number; // of one panel [px]; fewer columns when there is less
  legend: string[]; // entries, to reserve space for them
  shareY?: boolean; // one range for all
  shareX?: boolean;
  rangeX?: [number, number];
  fromZero?: boolean;
}

export interface Panels {
  layout: Partial<Layout>;
  at: (panel: number) => { xaxis: string; yaxis: string };
}

const MARGIN = { left: 58, right: 14, bottom: 50, title: 26, gap: 20, rowGap: 66, columnGap: 34 };
const LOW = 0.72; // of the height, for many panels in one column
const LEGEND_ROW = 19;

// Estimated height of a legend; fitLegend corrects it once the text is rendered.
function legendHeight(names: string[], width: number): number {
  const together = names.reduce((sum, name) => sum + 52 + 7 * name.length, 0);
  return Math.ceil(together / width) * LEGEND_ROW + (names.length ? 10 : 0);
}

/** Layout of panels side by side, or one below the other where the page is narrow. */
export function panels(width: number, colours: Theme, options: PanelOptions): Panels {
  const count = options.titles.length;
  const separate = Array.isArray(options.y);
  const gap = separate || !options.shareY ? MARGIN.left : MARGIN.gap;
  const inner = width - MARGIN.left - MARGIN.right;
  let columns = Math.max(1, Math.min(count, Math.floor((inner + gap) / (options.minWidth + gap))));
  columns = Math.ceil(count / Math.ceil(count / columns));
  const rows = Math.ceil(count / columns);
  const panelWidth = (inner - gap * (columns - 1)) / columns;
  const rowGap = MARGIN.title + (columns === 1 ? MARGIN.columnGap : MARGIN.rowGap); // in a column only the last has a title
  const panelHeight = columns === 1 && count > 3 ? LOW * options.height : options.height;
  const plotHeight = rows * panelHeight + (rows - 1) * rowGap;
  const titled = options.titles.some((title) => title !== "");
  const legend = legendHeight(options.legend, inner);
  const top = legend + (titled ? MARGIN.title : 6);
  const layout: Record<string, unknown> = {
    height: top + plotHeight + MARGIN.bottom,
    meta: { legend },
    autosize: false,
    margin: { l: MARGIN.left, r: MARGIN.right, t: top, b: MARGIN.bottom, pad: 0 },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: colours.font, size: 12, color: colours.ink },
    hovermode: "closest",
    hoverlabel: { bgcolor: colours.panel, bordercolor: colours.line, font: { color: colours.ink, size: 12 } },
    dragmode: touch.matches ? false : "zoom",
    showlegend: options.legend.length > 0,
    legend: {
      orientation: "h",
      xref: "container",
      yref: "container",
      x: 0,
      xanchor: "left",
      y: 1,
      yanchor: "top",
      bgcolor: "rgba(0,0,0,0)",
      font: { size: 12 },
      itemwidth: 36,
      tracegroupgap: 0,
    },
    annotations: [] as unknown[],
    shapes: [] as unknown[],
  };
  for (let i = 0; i < count; ++i) {
    const column = i % columns;
    const row = Math.floor(i / columns);
    const left = (column * (panelWidth + gap)) / inner;
    const roof = 1 - (row * (panelHeight + rowGap)) / plotHeight;
    const floor = Math.max(0, roof - panelHeight / plotHeight);
    const number = i === 0 ? "" : String(i + 1);
    const outer = column === 0 || separate || !options.shareY;
    layout[`xaxis${number}`] = {
      ...axis(colours),
      domain: [left, Math.min(1, left + panelWidth / inner)],
      anchor: `y${number}`,
      title: { text: i + columns >= count ? options.x : "", standoff: 8 },
      ...(options.shareX && i > 0 ? { matches: "x" } : {}),
      ...(options.rangeX ? { range: options.rangeX } : {}),
    };
    layout[`yaxis${number}`] = {
      ...axis(colours),
      domain: [floor, roof],
      anchor: `x${number}`,
      title: { text: outer ? (separate ? (options.y[i] ?? "") : options.y) : "", standoff: 8 },
      showticklabels: outer,
      ...(options.shareY && i > 0 ? { matches: "y" } : {}),
      ...(options.fromZero ? { rangemode: "tozero" } : {}),
    };
    (layout["annotations"] as unknown[]).push({
      text: `<b>${options.titles[i]}</b>`,
      xref: "paper",
      yref: "paper",
      x: left,
      y: roof,
      xanchor: "left",
      yanchor: "bottom",
      yshift: 4,
      showarrow: false,
      font: { size: 12, color: colours.ink },
    });
  }
  return {
    layout: layout as Partial<Layout>,
    at: (panel) => ({ xaxis: panel === 0 ? "x" : `x${panel + 1}`, yaxis: panel === 0 ? "y" : `y${panel + 1}` }),
  };
}

function axis(colours: Theme): Partial<LayoutAxis> {
  return {
    gridcolor: colours.line,
    linecolor: colours.muted,
    zeroline: false,
    showline: true,
    ticks: "outside",
    ticklen: 4,
    tickcolor: colours.muted,
    nticks: 6,
    tickfont: { size: 11, color: colours.muted },
    fixedrange: touch.matches,
    exponentformat: "power",
  } as Partial<LayoutAxis>;
}

/** A horizontal line across a panel, labelled at its right end. */
export function level(drawing: Panels, panel: number, value: number, text: string, colours: Theme): void {
  const { xaxis, yaxis } = drawing.at(panel);
  const layout = drawing.layout as { shapes: unknown[]; annotations: unknown[] };
  layout.shapes.push({
    type: "line", xref: `${xaxis} domain`, yref: yaxis, x0: 0, x1: 1, y0: value, y1: value, layer: "below",
    line: { color: colours.muted, width: 1.2, dash: "dashdot" },
  });
  layout.annotations.push({
    text, xref: `${xaxis} domain`, yref: yaxis, x: 1, y: value, xanchor: "right", yanchor: "bottom", showarrow: false,
    font: { size: 11, color: colours.muted },
  });
}

export const line = (look: Look): { color: string; dash: Dash; width: number } => ({
  color: look.colour,
  dash: look.dash,
  width: look.width,
});

/** Value of a curve, linear between its samples; null beyond its end. */
export function valueAt(time: number[], value: number[], when: number): number | null {
  const after = time.findIndex((t) => t >= when);
  if (after < 0) return null;
  const [t1, v1] = [time[after] ?? 0, value[after] ?? 0];
  const [t0, v0] = [time[after - 1] ?? t1, value[after - 1] ?? v1];
  return t1 === t0 ? v1 : v0 + ((v1 - v0) * (when - t0)) / (t1 - t0);
}

export const milliseconds = (times: number[]): number[] => times.map((time) => 1000 * time);
