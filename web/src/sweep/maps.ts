// Campaigns over two keys, by verdict or by which matrix was best.
import { chart, panels, type Data, type Drawing } from "../chart";
import { element, fillSelect, paragraph, plain, section, selector } from "../text";
import { modelLook, type Theme } from "../theme";
import { VERDICTS, verdictLook, type SweepTable } from "./data";

const BEST = "best_matrix";

interface Look {
  name: string;
  colour: string;
  symbol: string;
}

// What campaigns are told apart by, and how each kind is drawn.
function kinds(table: SweepTable, by: string): { looks: Map<string, Look>; of: (campaign: number) => string } {
  const failed: [string, Look] = ["failed", { name: "failed", colour: "", symbol: "triangle-down-open" }];
  if (by === BEST) {
    const models = table.file.answers.models.filter(({ best }) => best !== null).map(({ model }) => model);
    return { looks: new Map([...models.map((model): [string, Look] => [model, modelLook(model)]), failed]), of: (campaign) => table.text(BEST, campaign) || "failed" };
  }
  const looks = VERDICTS.map((each): [string, Look] => [each, { name: each, ...verdictLook(each) }]);
  return { looks: new Map([...looks, failed]), of: (campaign) => table.verdict(by, campaign) ?? "failed" };
}

function draw(table: SweepTable, view: { by: string; x: string; y: string }, width: number, colours: Theme): Drawing {
  const { looks, of } = kinds(table, view.by);
  const present = [...looks].filter(([kind]) => table.rows.some((_, i) => of(i) === kind));
  const drawing = panels(width, colours, { titles: [""], x: plain(table.label(view.x)), y: plain(table.label(view.y)), height: Math.min(440, Math.max(280, 0.55 * width)), minWidth: 200, legend: present.map(([, look]) => look.name) });
  const layout = drawing.layout as Record<string, any>;
  Object.assign(layout["xaxis"], table.axis(view.x));
  Object.assign(layout["yaxis"], table.axis(view.y), { automargin: true });
  const data = present.map(([kind, look]): Data => {
    const mine = table.rows.map((_, i) => i).filter((i) => of(i) === kind);
    return {
      type: "scatter", mode: "markers", name: look.name, x: mine.map((i) => table.place(view.x, i)), y: mine.map((i) => table.place(view.y, i)), customdata: mine,
      marker: { color: look.colour || colours.muted, symbol: look.symbol, size: 11, line: { width: look.symbol.endsWith("open") ? 2 : 0 } },
      text: mine.map((i) => `campaign ${table.rows[i]}: ${look.name}<br>${plain(view.x)} ${plain(table.shown(view.x, i))}<br>${plain(view.y)} ${plain(table.shown(view.y, i))}`), hovertemplate: "%{text}<extra></extra>",
    } as Data;
  });
  return { data, layout: drawing.layout };
}

export function maps(table: SweepTable, choose: (campaign: number) => void): HTMLElement {
  const first = table.claims.find(({ surrogate }) => surrogate.learnt) ?? table.claims.find(({ claim }) => claim === "c2.composite_rigid_body") ?? table.claims[0];
  if (!first || table.ranges.length < 2) return section("maps", "Over two parameters", paragraph("There are no two parameters to draw a map over."));
  const axes = (by: string): string[] => {
    const learnt = table.claims.find(({ claim }) => claim === by)?.surrogate.learnt;
    return table.importantKeys(learnt ? by : undefined);
  };
  const keys = table.ranges.map(({ key }) => ({ value: key, text: key }));
  const [x0 = "", y0 = ""] = axes(first.claim);
  const view = { by: first.claim, x: x0, y: y0 };
  const picture = chart("chart-map", "Campaigns over two parameters", ["A mark is a campaign; a click on it leads to its numbers. All other parameters differ from mark to mark: kinds that do not separate here may do so along others."],
    (width, colours) => draw(table, view, width, colours), choose);
  let chosen = false; // the reader's own axes stay
  const axis = (name: "x" | "y") => selector(name === "x" ? "axis across" : "axis up", keys, view[name], (value) => {
    view[name] = value;
    chosen = true;
    picture.redraw();
  });
  const across = axis("x"), up = axis("y");
  const options = [...table.claims.map(({ claim }) => ({ value: claim, text: claim })), ...(table.has(BEST) ? [{ value: BEST, text: "best of the four matrices" }] : [])];
  const by = selector("verdict on", options, view.by, (value) => {
    view.by = value;
    if (!chosen) {
      [view.x = view.x, view.y = view.y] = axes(value);
      fillSelect(across.select, keys, view.x);
      fillSelect(up.select, keys, view.y);
    }
    picture.redraw();
  });
  return section(
    "maps", "Over two parameters",
    paragraph(table.learnt ? "The axes are the two that a verdict hangs on most, unless others are chosen." : "Nothing was learnt of what decides: the axes are the first two of the plan, unless others are chosen."),
    element("div", { class: "controls" }, by.box, across.box, up.box),
    picture.figure,
  );
}
