// Drawings of a capability map: slices through the workspace, sections through a cell, and the arm in the postures of its
// extremes.
import { panels, type Data, type Drawing } from "../chart";
import { known } from "../maybe";
import { caption, counted, element, headCell, number, numberCell, paragraph, percent, plain, pretty, section, short, tableBox, withUnit } from "../text";
import { variable, type Dash, type Theme } from "../theme";
import { armLine, AXES, STATISTICS, type Axis, type CellMap, type MapFile, type Statistic } from "./data";

const TITLES: Record<string, string> = { effective_mass: "effective mass", speed: "highest speed", peak_force: "peak force", impulse: "impulse" };
const LOOKS: Record<Statistic, { colour: string; dash: Dash; symbol: string }> = {
  least: { colour: "--blue", dash: "dash", symbol: "triangle-down" },
  median: { colour: "--ink", dash: "solid", symbol: "circle" },
  greatest: { colour: "--red", dash: "longdash", symbol: "triangle-up" },
};

export const quantity = (file: MapFile): string => TITLES[file.quantity] ?? file.quantity;
export const label = (file: MapFile): string => `${quantity(file)} [${pretty(file.unit)}]`;

// What the reader looks at.
export interface View {
  axis: Axis; // across the slice
  height: number; // place of the slice along it
  show: Statistic;
  cell: number;
}

export const inPlane = (axis: Axis): [Axis, Axis] => (axis === 0 ? [1, 2] : axis === 1 ? [0, 2] : [0, 1]);

export function placeIn(view: View, column: number, row: number): number[] {
  const place = [0, 0, 0];
  const [across, up] = inPlane(view.axis);
  place[view.axis] = view.height, place[across] = column, place[up] = row;
  return place;
}

// The same colours for all slices: the middle 96 % of the cells.
export function colourRange(map: CellMap, show: Statistic): [number, number] {
  const sorted = map.values[show].filter(Number.isFinite).sort();
  const at = (part: number): number => sorted[Math.round(part * (sorted.length - 1))] ?? 0;
  return [at(0.02), at(0.98)];
}

function hoverText(map: CellMap, cell: number): string {
  const place = map.place(cell);
  const centre = AXES.map((name, axis) => `${name} ${short(map.centre(axis as Axis, place[axis] ?? 0), 4)}`).join(", ");
  const numbers = STATISTICS.map((each) => `${each} ${withUnit(map.values[each][cell], map.file.unit)}`).join("<br>");
  return `${centre} m<br>${numbers}<br>${counted(map.postures[cell] ?? 0, "posture")}`;
}

export function drawSlice(map: CellMap, view: View, width: number, colours: Theme): Drawing {
  const { file } = map;
  const [across, up] = inPlane(view.axis);
  const columns = file.grid.count[across] ?? 1, rows = file.grid.count[up] ?? 1;
  const at = map.centre(view.axis, view.height);
  const drawing = panels(width, colours, {
    titles: [`${AXES[view.axis]} = ${short(at)} m, ${view.show}`], x: `${AXES[across]} [m]`, y: `${AXES[up]} [m]`,
    height: Math.max(200, Math.min(560, (width - 170) * (rows / columns))), minWidth: 240, legend: [],
  });
  const layout = drawing.layout as Record<string, any>;
  layout["margin"].r = 92;
  layout["yaxis"].scaleanchor = "x";
  layout["xaxis"].constrain = layout["yaxis"].constrain = "domain";
  const cells = Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => map.at(placeIn(view, column, row))));
  const [zmin, zmax] = colourRange(map, view.show);
  const value = (cell: number | undefined): number | null => {
    const found = cell === undefined ? undefined : map.values[view.show][cell];
    return known(found) ? found : null;
  };
  const chosen = map.place(view.cell);
  const data: Data[] = [
    {
      type: "heatmap", x: Array.from({ length: columns }, (_, i) => map.centre(across, i)), y: Array.from({ length: rows }, (_, i) => map.centre(up, i)),
      z: cells.map((row) => row.map(value)), customdata: cells, hoverongaps: false, zmin, zmax, colorscale: "Viridis",
      text: cells.map((row) => row.map((cell) => (cell === undefined ? "" : plain(hoverText(map, cell)).replaceAll("&lt;br>", "<br>")))),
      hovertemplate: "%{text}<extra></extra>",
      colorbar: { title: { text: pretty(file.unit), side: "top" }, thickness: 14, outlinewidth: 0, tickfont: { color: colours.muted, size: 11 }, x: 1.02, xanchor: "left" },
    } as unknown as Data,
  ];
  if (chosen[view.axis] === view.height)
    data.push({
      type: "scatter", mode: "markers", x: [map.centre(across, chosen[across] ?? 0)], y: [map.centre(up, chosen[up] ?? 0)], hoverinfo: "skip", showlegend: false,
      marker: { symbol: "square-open", size: 11, color: variable("--red"), line: { width: 2.5 } },
    } as Data);
  return { data, layout: drawing.layout };
}

// Through the chosen cell, along each axis.
export function drawSections(map: CellMap, view: View, width: number, colours: Theme): Drawing {
  const centre = map.place(view.cell);
  const titles = AXES.map((name, axis) => {
    const others = AXES.map((other, i) => (i === axis ? "" : `${other} = ${short(map.centre(i as Axis, centre[i] ?? 0))}`)).filter((text) => text);
    return `along ${name}, ${others.join(", ")}`;
  });
  const drawing = panels(width, colours, { titles, x: "position [m]", y: label(map.file), height: 220, minWidth: 260, legend: STATISTICS, shareY: true, fromZero: true });
  const data = AXES.flatMap((_, axis) =>
    STATISTICS.map((each): Data => {
      const look = LOOKS[each];
      const places = Array.from({ length: map.file.grid.count[axis] ?? 1 }, (_, i) => i);
      const cells = places.map((place) => map.at(centre.map((other, i) => (i === axis ? place : other))));
      return {
        type: "scatter", mode: "lines+markers", name: each, legendgroup: each, showlegend: axis === 0, ...drawing.at(axis),
        x: places.map((place) => map.centre(axis as Axis, place)), y: cells.map((cell) => (cell === undefined ? null : (map.values[each][cell] ?? null))),
        line: { color: variable(look.colour), dash: look.dash, width: 2 }, marker: { color: variable(look.colour), symbol: look.symbol, size: 5 },
        hovertemplate: `%{x:.3g} m: ${each} %{y:.4g} ${pretty(map.file.unit)}<extra></extra>`,
      } as Data;
    }),
  );
  return { data, layout: drawing.layout };
}

// The arm in the postures of the extremes: from the side and from above.
export function drawArm(map: CellMap, view: View, width: number, colours: Theme): Drawing {
  const extremes = ["least", "greatest"] as const;
  const views: [title: string, across: Axis, up: Axis][] = [["from the side", 0, 2], ["from above", 0, 1]];
  const drawing = panels(width, colours, {
    titles: views.map(([title]) => title), x: "x [m]", y: views.map(([, , up]) => `${AXES[up]} [m]`), height: 340, minWidth: 280, legend: [...extremes],
  });
  const layout = drawing.layout as Record<string, any>;
  // the whole workspace and the base, so that arms of different cells are drawn alike
  const range = (axis: Axis): [number, number] => {
    const [low, high] = [map.centre(axis, 0), map.centre(axis, (map.file.grid.count[axis] ?? 1) - 1)];
    const margin = 0.05 * Math.max(1e-3, high - low);
    return [Math.min(0, low) - margin, Math.max(0, high) + margin];
  };
  views.forEach(([, across, up], panel) => {
    const { xaxis, yaxis } = drawing.at(panel);
    Object.assign(layout[xaxis.replace("x", "xaxis")], { range: range(across), constrain: "domain" });
    Object.assign(layout[yaxis.replace("y", "yaxis")], { range: range(up), constrain: "domain", scaleanchor: xaxis });
  });
  const data = views.flatMap(([, across, up], panel) =>
    extremes.map((extreme): Data => {
      const look = LOOKS[extreme];
      const points = armLine(map.file, map.posture(view.cell, extreme));
      return {
        type: "scatter", mode: "lines+markers", name: extreme, legendgroup: extreme, showlegend: panel === 0, ...drawing.at(panel),
        x: points.map((point) => point[across] ?? 0), y: points.map((point) => point[up] ?? 0),
        line: { color: variable(look.colour), dash: look.dash, width: 3 },
        marker: { color: variable(look.colour), symbol: points.map((_, i) => (i === points.length - 1 ? "star" : "circle")), size: points.map((_, i) => (i === points.length - 1 ? 13 : 6)) },
        hovertemplate: "%{x:.3f}, %{y:.3f} m<extra></extra>",
      } as Data;
    }),
  );
  return { data, layout: drawing.layout };
}

export function cellTable(map: CellMap, cell: number): HTMLElement {
  const { file } = map;
  const names = file.joints.filter((joint, i) => joint.leader === i).map(({ name, prismatic }) => `${name} [${prismatic ? "m" : "rad"}]`);
  const place = map.place(cell);
  const centre = place.map((each, axis) => short(map.centre(axis as Axis, each))).join(", ");
  const rows = (["least", "greatest"] as const).map((extreme) =>
    element("tr", {}, headCell("row", extreme), numberCell(number(map.values[extreme][cell])), map.posture(cell, extreme).map((value) => numberCell(known(map.values[extreme][cell]) ? number(value) : "–"))),
  );
  return tableBox(
    "The chosen cell",
    caption(`The cell at ${centre} m: ${map.postures[cell]} postures, median ${withUnit(map.values.median[cell], file.unit)}.`),
    element("thead", {}, element("tr", {}, headCell("col", ""), headCell("col", label(file)), names.map((name) => headCell("col", name)))),
    element("tbody", {}, rows),
  );
}

export function settled(file: MapFile): HTMLElement {
  const { convergence: by } = file;
  const rows = STATISTICS.map((each) => element("tr", {}, headCell("row", each), numberCell(percent(by[`${each}_median`])), numberCell(percent(by[`${each}_95`]))));
  return section(
    "settled", "How far it is settled",
    paragraph(`Half of the ${file.samples} samples reach ${withUnit(by.volume_half, "m³")}, all of them ${withUnit(by.volume, "m³")}. Extremes of samples lie inside those of all postures and creep outwards as samples are added; medians settle. A median is taken of bins that are ${percent(file.resolution)} wide.`),
    tableBox(
      "Convergence",
      caption("Change of the cells when the samples were doubled."),
      element("thead", {}, element("tr", {}, headCell("col", ""), headCell("col", "median over cells"), headCell("col", "95 % of the cells below"))),
      element("tbody", {}, rows),
    ),
  );
}

export function start(map: CellMap): View {
  const { first, count } = map.file.grid;
  const flat = count.findIndex((each) => each === 1);
  const axis = (flat >= 0 ? flat : 1) as Axis;
  const height = Math.max(0, Math.min((count[axis] ?? 1) - 1, -(first[axis] ?? 0)));
  // of the slice nearest to the base, the cell that most postures reach
  let cell = -1;
  map.postures.forEach((postures, i) => {
    if (map.place(i)[axis] === height && postures > (map.postures[cell] ?? 0)) cell = i;
  });
  return cell >= 0 ? { axis, height, show: "median", cell } : { axis, height: map.place(0)[axis] ?? 0, show: "median", cell: 0 };
}
