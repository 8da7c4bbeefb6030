// In how much of the space each claim holds, and in which campaigns.
import { chart, type Chart, type Data, type Drawing } from "../chart";
import { known } from "../maybe";
import { element, headCell, numberCell, paragraph, plain, section, selector, short, tableBox } from "../text";
import { badge } from "../verdicts";
import type { Theme } from "../theme";
import { shareText, VERDICTS, verdictLook, type SweepTable } from "./data";

const WIDE = 640; // from here on shares and campaigns stand side by side [px]
const ROW = 25; // of a claim [px]
const MARK = 11; // a column must be as wide for a mark in it [px]

const axis = (colours: Theme): Record<string, unknown> => ({
  gridcolor: colours.line, linecolor: colours.muted, zeroline: false, showline: true, ticks: "outside", ticklen: 4, tickcolor: colours.muted,
  tickfont: { size: 11, color: colours.muted }, fixedrange: true,
});

/** Columns by which campaigns can be put in order: what is swept, then what came out. */
export function orders(table: SweepTable): { value: string; text: string }[] {
  const found = ["x", "supported"].filter((name) => table.has(name));
  return [...table.ranges.map(({ key }) => key), ...found].map((value) => ({ value, text: value === "supported" ? "claims supported" : value }));
}

/** The key that decides most; where nothing was learnt, x, which all of them make together. */
export const firstOrder = (table: SweepTable): string =>
  table.learnt || !table.has("x") ? (table.importantKeys()[0] ?? "row") : "x";

function draw(table: SweepTable, order: string, width: number, colours: Theme): Drawing {
  const claims = [...table.claims].reverse(); // the first one on top
  const names = claims.map(({ claim }) => plain(claim));
  const campaigns = table.ordered(order);
  const wide = width >= WIDE;
  const left = 184, right = 14, top = 30, bottom = 52, gap = 92;
  const height = ROW * claims.length;
  const inner = width - left - right;
  const columns = wide ? 0.56 * inner : inner;
  const layout: Record<string, unknown> = {
    height: top + bottom + (wide ? height : 2 * height + gap), autosize: false, margin: { l: left, r: right, t: top, b: bottom, pad: 0 }, meta: { legend: 0 },
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: { family: colours.font, size: 12, color: colours.ink }, showlegend: false,
    hovermode: "closest", hoverlabel: { bgcolor: colours.panel, bordercolor: colours.line, font: { color: colours.ink, size: 12 } }, bargap: 0.35,
  };
  const each = height / (2 * height + gap); // of the height, for one of two panels
  const label = order === "supported" ? "claims supported [1]" : table.label(order);
  layout["xaxis"] = { ...axis(colours), domain: wide ? [0, 0.4] : [0, 1], anchor: "y", range: [0, 100], title: { text: wide ? "campaigns that support it [%]" : "support it [%]", standoff: 8 } };
  layout["yaxis"] = { ...axis(colours), domain: wide ? [0, 1] : [1 - each, 1], anchor: "x", showgrid: false, tickfont: { size: 12, color: colours.ink }, categoryorder: "array", categoryarray: names };
  const steps = wide ? 4 : 2;
  const marks = [...new Set(Array.from({ length: steps + 1 }, (_, i) => Math.round((i * (campaigns.length - 1)) / steps)))];
  layout["xaxis2"] = {
    ...axis(colours), domain: wide ? [0.44, 1] : [0, 1], anchor: "y2", showgrid: false, range: [-0.5, campaigns.length - 0.5], title: { text: wide ? `campaigns by ${plain(label)}` : plain(label), standoff: 8 }, tickangle: 0,
    tickvals: marks, ticktext: marks.map((i) => plain(table.shown(order, campaigns[i] ?? 0, 3))),
  };
  layout["yaxis2"] = { ...axis(colours), domain: wide ? [0, 1] : [0, each], anchor: "x2", showgrid: false, showticklabels: !wide, ticks: wide ? "" : "outside", tickfont: { size: 12, color: colours.ink }, categoryorder: "array", categoryarray: names };
  const title = (text: string, x: number, y: number): object =>
    ({ text: `<b>${text}</b>`, xref: "paper", yref: "paper", x, y, xanchor: "left", yanchor: "bottom", yshift: 6, showarrow: false, font: { size: 12, color: colours.ink } });
  const key = wide ? `:   ${VERDICTS.map((verdict) => `${verdictLook(verdict).mark} ${verdict}`).join("   ")}` : "";
  layout["annotations"] = [title("in how much of the space", 0, 1), title(`in which campaigns${key}`, wide ? 0.44 : 0, wide ? 1 : each)];
  const shares = claims.map(({ supported }) => supported);
  const bars = {
    type: "bar", orientation: "h", xaxis: "x", yaxis: "y", x: shares.map(({ share }) => (known(share) ? 100 * share : null)), y: names,
    marker: { color: verdictLook("supported").back, opacity: 0.75 },
    error_x: {
      type: "data", symmetric: false, thickness: 1.6, width: 4, color: colours.ink,
      array: shares.map(({ share, high }) => (known(share) && known(high) ? 100 * (high - share) : 0)),
      arrayminus: shares.map(({ share, low }) => (known(share) && known(low) ? 100 * (share - low) : 0)),
    },
    text: claims.map(({ supported }) => shareText(supported)), textposition: "none", hovertemplate: "%{y}: %{text}<extra></extra>",
  } as unknown as Data;
  const looks = VERDICTS.map(verdictLook);
  const classes = claims.map(({ claim }) => campaigns.map((each) => {
    const verdict = table.verdict(claim, each);
    return verdict ? VERDICTS.indexOf(verdict) : null;
  }));
  const cells = {
    type: "heatmap", xaxis: "x2", yaxis: "y2", x: campaigns.map((_, i) => i), y: names, z: classes, zmin: -0.5, zmax: 2.5, showscale: false, hoverongaps: false, xgap: 1, ygap: 2,
    colorscale: looks.flatMap(({ back }, i) => [[i / 3, back], [(i + 1) / 3, back]]),
    customdata: claims.map(() => campaigns),
    hovertext: claims.map(({ claim }) => campaigns.map((each) =>
      `campaign ${table.rows[each]}: ${plain(claim)} ${table.verdict(claim, each) ?? "failed"}<br>${plain(label)}: ${plain(table.shown(order, each))}`)),
    hovertemplate: "%{hovertext}<extra></extra>",
    ...(columns / campaigns.length >= MARK
      ? { text: classes.map((row) => row.map((each) => (each === null ? "" : (looks[each]?.mark ?? "")))), texttemplate: "%{text}", textfont: { size: 10 } }
      : {}),
  } as unknown as Data;
  return { data: [bars, cells], layout };
}

function claimTable(table: SweepTable): HTMLElement {
  return tableBox(
    "Shares of the space",
    element("thead", {}, element("tr", {}, headCell("col", "claim"), ...["supported [%]", "supported", "not supported", "not testable"].map((text) => element("th", { scope: "col", class: "number" }, text)))),
    element("tbody", {}, table.claims.map((claim) =>
      element("tr", {},
        element("th", { scope: "row" }, element("span", { class: "claim" }, claim.claim), element("span", { class: "statement" }, claim.statement)),
        numberCell(shareText(claim.supported).replace(" %", "")), numberCell(String(claim.supported.campaigns)), numberCell(String(claim.not_supported.campaigns)), numberCell(String(claim.not_testable.campaigns))))),
  );
}

export function claims(table: SweepTable, choose: (campaign: number) => void): HTMLElement {
  const { most_supported: most, campaigns, failed, refined } = table.file.answers;
  if (table.claims.length === 0) return section("claims", "Which claims hold", paragraph("No campaign has a verdict."));
  let order = firstOrder(table);
  const picture: Chart = chart("chart-claims", "Which claims hold, and where",
    ["Left: the share of the campaigns that support a claim, with Wilson's 95 % interval; not testable counts as not supported. Right: every campaign, a column each, in the chosen order; a gap is a campaign that failed. A click on it leads to its numbers."],
    (width, colours) => draw(table, order, width, colours), choose);
  const by = selector("campaigns in the order of", orders(table), order, (value) => {
    order = value;
    picture.redraw();
  });
  const counted = campaigns - refined - failed;
  return section(
    "claims", "Which claims hold",
    paragraph(
      `Of ${campaigns - refined} campaigns of the design ${counted === campaigns - refined ? "all" : counted} have verdicts. `,
      known(most) ? `At most ${short(most)} of the paper's claims are supported together. ` : "",
      "Shares are of the ranges in the plan: they say nothing of how likely a plant is.",
    ),
    element("div", { class: "controls" }, by.box),
    picture.figure,
    element("p", { class: "key" }, ...VERDICTS.map((each) => [badge(each), " "]).flat()),
    claimTable(table),
  );
}
