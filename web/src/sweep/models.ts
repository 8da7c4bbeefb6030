// How far each inertia model is from the true impulse, over all campaigns and over one parameter.
import { chart, panels, type Data, type Drawing } from "../chart";
import { known } from "../maybe";
import { element, headCell, numberCell, paragraph, percent, plain, section, selector, tableBox } from "../text";
import { modelLook, type Theme } from "../theme";
import { firstOrder, orders } from "./claims";
import { logAxis, shareText, type SweepTable } from "./data";

const ERROR = "error of the impulse |predicted/true − 1| [%]";

const errors = (table: SweepTable, model: string): (number | null)[] => table.numbers(`${model}.error`).map((error) => (known(error) ? 100 * error : null));

function drawBoxes(table: SweepTable, width: number, colours: Theme): Drawing {
  const models = [...table.file.answers.models].reverse();
  const drawing = panels(width, colours, { titles: [""], x: width < 640 ? "error [%]" : ERROR, y: "", height: 44 * models.length, minWidth: 150, legend: [] });
  const layout = drawing.layout as Record<string, any>;
  layout["margin"].l = 164;
  Object.assign(layout["xaxis"], logAxis(models.flatMap(({ model }) => errors(table, model))));
  Object.assign(layout["yaxis"], { tickfont: { size: 12, color: colours.ink }, showgrid: false, nticks: 0 });
  const label = (name: string): string => name.replace(" with", "<br>with");
  const data = models.map(({ model }): Data => {
    const look = modelLook(model);
    return {
      type: "box", orientation: "h", name: look.name, x: errors(table, model), y: table.rows.map(() => label(look.name)), customdata: table.rows.map((_, i) => i), boxpoints: "all", jitter: 0.5, pointpos: 0, showlegend: false,
      marker: { color: look.colour, symbol: look.symbol, size: 5, opacity: 0.6 }, line: { color: look.colour, width: 1.6 }, fillcolor: "rgba(0,0,0,0)",
      text: table.rows.map((row) => `campaign ${row}`), hoveron: "points", hovertemplate: "%{text}: %{x:.3g} %<extra></extra>",
    } as unknown as Data;
  });
  return { data, layout: drawing.layout };
}

function drawOver(table: SweepTable, key: string, width: number, colours: Theme): Drawing {
  const models = table.file.answers.models;
  const drawing = panels(width, colours, { titles: [""], x: key === "supported" ? "claims supported [1]" : plain(table.label(key)), y: "error [%]", height: 340, minWidth: 200, legend: models.map(({ model }) => modelLook(model).name) });
  const layout = drawing.layout as Record<string, any>;
  Object.assign(layout["xaxis"], table.axis(key));
  Object.assign(layout["yaxis"], logAxis(models.flatMap(({ model }) => errors(table, model))));
  const campaigns = table.ordered(key);
  const data = models.map(({ model }): Data => {
    const look = modelLook(model), values = errors(table, model);
    return {
      type: "scatter", mode: "markers", name: look.name, x: campaigns.map((i) => table.place(key, i)), y: campaigns.map((i) => values[i] ?? null), customdata: campaigns,
      marker: { color: look.colour, symbol: look.symbol, size: 8 }, text: campaigns.map((i) => `campaign ${table.rows[i]}`), hovertemplate: `%{text}, ${look.name}: %{y:.3g} %<extra></extra>`,
    } as Data;
  });
  return { data, layout: drawing.layout };
}

export function models(table: SweepTable, choose: (campaign: number) => void): HTMLElement {
  const list = table.file.answers.models;
  if (list.length === 0) return section("models", "Inertia models", paragraph("No campaign has predictions."));
  let key = firstOrder(table);
  const boxes = chart("chart-models", "Error of each model over the campaigns", ["Of the impulse up to the greatest depth against the simulated one, mean over the cells of a campaign. Boxes hold the middle half; every campaign is a mark."],
    (width, colours) => drawBoxes(table, width, colours), choose);
  const over = chart("chart-errors", "Error of each model over one parameter", ["Where the composite rigid body's mark is the lowest of the four matrices it is the best of them. x is the time of compression in units of the joints' own swing."],
    (width, colours) => drawOver(table, key, width, colours), choose);
  const by = selector("errors over", orders(table), key, (value) => {
    key = value;
    over.redraw();
  });
  return section(
    "models", "Inertia models",
    tableBox(
      "Inertia models",
      element("thead", {}, element("tr", {}, headCell("col", "model"), ...["error, median", "quartiles", "best of the four matrices [%]"].map((text) => element("th", { scope: "col", class: "number" }, text)))),
      element("tbody", {}, list.map(({ model, error, best }) =>
        element("tr", {}, headCell("row", modelLook(model).name), numberCell(percent(error.median)), numberCell(`${percent(error.lower)} to ${percent(error.upper)}`), numberCell(best ? shareText(best).replace(" %", "") : "–")))),
    ),
    boxes.figure,
    element("div", { class: "controls" }, by.box),
    over.figure,
  );
}
