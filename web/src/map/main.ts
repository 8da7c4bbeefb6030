// The page of a capability map, from the data in it.
import { chart, startCharts, type Chart } from "../chart";
import { element, fillSelect, paragraph, section, selector, short } from "../text";
import { AXES, readMap, STATISTICS, type Axis, type CellMap, type MapFile, type Statistic } from "./data";
import { cellTable, drawArm, drawSections, drawSlice, quantity, settled, start } from "./view";

// The map in the page, or a sentence that says why there is none.
function readFile(): MapFile | string {
  const text = document.getElementById("results")?.textContent ?? "";
  let file: { format?: unknown; version?: unknown };
  try {
    file = JSON.parse(text) as typeof file;
  } catch {
    return "This page holds no map. It is the empty form that thud map fills.";
  }
  if (file.format !== "thud map" || file.version !== 1)
    return `This page shows "thud map", version 1; what it was given is "${file.format}", version ${file.version}.`;
  return file as MapFile;
}

function header(file: MapFile): HTMLElement {
  const model = file.model ? file.model.replaceAll("_", " ") : "the cautious one of all models";
  return element(
    "header", {},
    element("h1", {}, `Where ${file.robot} can do what: ${quantity(file)}`),
    paragraph(`Contact on ${file.frame}, ${file.side}; model: ${model}. ${file.samples} postures within the joints' limits, seed ${file.seed}; cells of ${short(file.cell)} m; by thud ${file.thud}.`),
    file.warnings.length
      ? element("div", { class: "warnings", role: "note" }, element("strong", {}, "Warnings"), element("ul", {}, file.warnings.map((text) => element("li", {}, text))))
      : null,
  );
}

function explorer(map: CellMap): HTMLElement[] {
  const { file } = map;
  const view = start(map);
  const charts: Chart[] = [];
  const table = element("div", { id: "cell" }, cellTable(map, view.cell));
  const update = (): void => {
    table.replaceChildren(cellTable(map, view.cell));
    for (const each of charts) each.redraw();
  };
  const choose = (cell: number): void => {
    view.cell = cell;
    update();
  };
  const heights = (): { value: string; text: string }[] =>
    Array.from({ length: file.grid.count[view.axis] ?? 1 }, (_, i) => ({ value: String(i), text: `${short(map.centre(view.axis, i))} m` }));
  const height = selector("height", heights(), String(view.height), (value) => {
    view.height = Number(value);
    update();
  });
  const axis = selector("slice across", AXES.map((name, i) => ({ value: String(i), text: name })), String(view.axis), (value) => {
    view.axis = Number(value) as Axis;
    view.height = map.place(view.cell)[view.axis] ?? 0;
    fillSelect(height.select, heights(), String(view.height));
    update();
  });
  const show = selector("show", STATISTICS.map((each) => ({ value: each, text: each })), view.show, (value) => {
    view.show = value as Statistic;
    update();
  });
  const step = (text: string, by: number): HTMLElement => {
    const button = element("button", { type: "button", "aria-label": by < 0 ? "Slice before" : "Slice after" }, text);
    button.addEventListener("click", () => {
      view.height = Math.max(0, Math.min((file.grid.count[view.axis] ?? 1) - 1, view.height + by));
      height.select.value = String(view.height);
      update();
    });
    return button;
  };
  const slice = chart("chart-slice", `Slice: ${quantity(file)}`, ["Colour is what the postures in a cell have; cells without colour are not reached. Choose a cell by a click."],
    (width, colours) => drawSlice(map, view, width, colours), choose);
  const sections = chart("chart-sections", `Sections through the chosen cell: ${quantity(file)}`, ["What lies between least and greatest is what the null space of the arm is worth at that place."],
    (width, colours) => drawSections(map, view, width, colours));
  const arm = chart("chart-arm", "The arm in the postures of the chosen cell", ["Lines between the origins of the joints' frames; a star is the contact point."],
    (width, colours) => drawArm(map, view, width, colours));
  charts.push(slice, sections, arm);
  return [
    section("slices", "Slices", element("div", { class: "controls" }, axis.box, height.box, element("div", { class: "steps" }, step("◀", -1), step("▶", 1)), show.box), slice.figure),
    section("sections", "Sections", sections.figure),
    section("arm", "The arm", table, arm.figure),
  ];
}

function build(page: HTMLElement): void {
  const file = readFile();
  if (typeof file === "string") {
    page.replaceChildren(element("main", {}, element("h1", {}, "thud"), paragraph(file)));
    return;
  }
  document.title = `thud: ${quantity(file)} of ${file.robot}`;
  const map = readMap(file);
  const parts = map.postures.length > 0 ? explorer(map) : [section("slices", "Slices", paragraph("No posture brings the contact point into the box."))];
  page.replaceChildren(element("main", {}, header(file), ...parts, settled(file)));
  startCharts();
}

const page = document.getElementById("page");
if (page) build(page);
