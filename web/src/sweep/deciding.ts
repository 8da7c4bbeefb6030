// What decides a claim: permutation importance of a surrogate on points that it has not seen.
import { chart, type Data, type Drawing } from "../chart";
import { known } from "../maybe";
import { element, headCell, number, numberCell, paragraph, percent, plain, section, tableBox } from "../text";
import { variable, type Theme } from "../theme";
import { decidedBy, type SweepTable } from "./data";

const ROW = 30; // of a claim [px]

function draw(table: SweepTable, width: number, colours: Theme): Drawing {
  const learnt = table.claims.filter(({ surrogate }) => surrogate.learnt).reverse();
  const keys = table.importantKeys();
  const losses = learnt.map(({ deciding }) => keys.map((key) => deciding.find((each) => each.key === key)?.loss ?? null));
  const narrow = width < 640;
  const bottom = narrow ? 190 : 100; // for the names of the keys, which stand upright where there is little room
  const tick = { size: 11, color: colours.muted };
  const layout = {
    height: 8 + bottom + ROW * learnt.length, autosize: false, margin: { l: 184, r: 14, t: 8, b: bottom, pad: 0 }, meta: { legend: 0 }, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: colours.font, size: 12, color: colours.ink }, hoverlabel: { bgcolor: colours.panel, bordercolor: colours.line, font: { color: colours.ink, size: 12 } },
    xaxis: { type: "category", tickangle: narrow ? -90 : -35, tickfont: tick, showgrid: false, fixedrange: true },
    yaxis: { type: "category", tickfont: { size: 12, color: colours.ink }, showgrid: false, fixedrange: true },
  };
  const cells = {
    type: "heatmap", x: keys.map(plain), y: learnt.map(({ claim }) => plain(claim)), z: losses, zmin: 0, zmax: Math.max(0.05, ...losses.flat().map((loss) => loss ?? 0)), xgap: 2, ygap: 2,
    colorscale: [[0, colours.panel], [1, variable("--blue")]],
    text: losses.map((row) => row.map((loss) => (known(loss) && loss >= 0.01 ? number(loss, 2) : ""))), texttemplate: narrow ? "" : "%{text}",
    hovertemplate: "%{y} by %{x}: accuracy falls by %{z:.3f}<extra></extra>",
    showscale: false,
  } as unknown as Data;
  return { data: [cells], layout: layout as Drawing["layout"] };
}

export function deciding(table: SweepTable): HTMLElement {
  if (table.claims.length === 0) return section("deciding", "What decides", paragraph("There is no claim to be decided."));
  const rows = table.claims.map((claim) =>
    element("tr", {}, element("th", { scope: "row" }, element("span", { class: "claim" }, claim.claim)),
      numberCell(percent(claim.surrogate.accuracy)), numberCell(percent(claim.surrogate.majority)), element("td", { class: "why" }, decidedBy(claim))));
  return section(
    "deciding", "What decides",
    paragraph(
      "A forest of extremely randomised trees learns the verdict from the place of a campaign in the space, and is asked about points that it has not seen. It must be right more often than who always says the most frequent verdict, by more than chance; ",
      table.learnt
        ? "then the loss of accuracy when the values of one key are exchanged among those points says how much hangs on it."
        : "here it is so for no claim: with these campaigns nothing was learnt of what decides them. That is no finding about the claims; more points may tell.",
    ),
    ...(table.learnt
      ? [chart("chart-deciding", "What a verdict hangs on", ["Loss of accuracy on points that were not seen when the values of a key are exchanged among them; claims of which nothing was learnt are left out."],
          (width, colours) => draw(table, width, colours)).figure]
      : []),
    tableBox(
      "What decides each claim",
      element("thead", {}, element("tr", {}, headCell("col", "claim"), element("th", { scope: "col", class: "number" }, "right on unseen points"), element("th", { scope: "col", class: "number" }, "the most frequent verdict"), headCell("col", "decided by, with the loss of accuracy without it"))),
      element("tbody", {}, rows),
    ),
  );
}
