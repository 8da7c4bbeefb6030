// One campaign: its values, its verdicts, its numbers, and the commands that make its records again.
import { known } from "../maybe";
import { DASH, element, headCell, number, numberCell, paragraph, percent, pretty, section, selector, short, tableBox } from "../text";
import { modelLook } from "../theme";
import { badge } from "../verdicts";
import type { SweepTable } from "./data";

export interface Explorer {
  section: HTMLElement;
  choose: (campaign: number) => void;
}

const quoted = (text: string): string => (/^[\w./-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** What makes the records of a row again and studies them. */
export function commands(file: string, row: number): string[] {
  const name = `campaign_${row}`;
  return [`thud sweep ${quoted(file.startsWith("-") ? `./${file}` : file)} --campaign ${row} > ${name}.toml`, `thud simulate ${name}.toml --out ${name}.h5`, `thud study ${name}.h5 --out ${name}`];
}

// Copies a text, and says so on the button.
function copier(label: string, text: string): HTMLElement {
  const button = element("button", { type: "button", class: "copy", "aria-label": `Copy: ${label}` }, "copy");
  const said = (word: string): void => {
    button.textContent = word;
    setTimeout(() => (button.textContent = "copy"), 1500);
  };
  button.addEventListener("click", () => {
    void navigator.clipboard.writeText(text).then(() => said("copied"), () => said("select it"));
  });
  return button;
}

function commandBox(table: SweepTable, campaign: number): HTMLElement {
  const lines = commands(table.file.file, table.rows[campaign] ?? 0);
  return element(
    "div", { class: "commands" },
    paragraph("The records of a campaign are not kept: its seed makes them again, in the folder of the sweep."),
    ...lines.map((line) => element("div", { class: "command" }, element("code", {}, line), copier(line, line))),
    element("div", { class: "command" }, element("span", {}, "all three"), copier("all three commands", lines.join(" &&\n"))),
  );
}

function valueTable(table: SweepTable, campaign: number): HTMLElement {
  const rows = table.ranges.map((range) =>
    element("tr", {}, headCell("row", table.label(range.key)), numberCell(table.shown(range.key, campaign)),
      element("td", { class: "number" }, range.kind === "values" ? (range.values ?? []).join(", ") : `${short(range.low)} to ${short(range.high)}`)));
  return tableBox("Values of the campaign",
    element("thead", {}, element("tr", {}, headCell("col", "parameter"), element("th", { scope: "col", class: "number" }, "value"), element("th", { scope: "col", class: "number" }, "range"))),
    element("tbody", {}, rows));
}

function verdictTable(table: SweepTable, campaign: number): HTMLElement {
  const rows = table.claims.map(({ claim, statement }) => {
    const unit = table.unit(`${claim}.statistic`);
    return element("tr", {},
      element("th", { scope: "row" }, element("span", { class: "claim" }, claim), element("span", { class: "statement" }, statement)),
      element("td", {}, badge(table.text(claim, campaign) || "failed")),
      numberCell(number(table.numberOf(`${claim}.statistic`, campaign))), numberCell(short(table.numberOf(`${claim}.threshold`, campaign))), element("td", { class: "unit" }, unit ? `[${pretty(unit)}]` : ""));
  });
  return tableBox("Verdicts of the campaign",
    element("thead", {}, element("tr", {}, headCell("col", "claim"), headCell("col", "verdict"), element("th", { scope: "col", class: "number" }, "statistic"), element("th", { scope: "col", class: "number" }, "threshold"), headCell("col", "unit"))),
    element("tbody", {}, rows));
}

function modelTable(table: SweepTable, campaign: number): HTMLElement {
  const best = table.text("best_matrix", campaign);
  const rows = table.file.answers.models.map(({ model }) =>
    element("tr", {}, headCell("row", modelLook(model).name, model === best ? " ★" : ""), numberCell(percent(table.numberOf(`${model}.error`, campaign))), numberCell(number(table.numberOf(`${model}.ratio`, campaign)))));
  return tableBox("Models in the campaign",
    element("thead", {}, element("tr", {}, headCell("col", "model; ★ is the best of the four matrices"), element("th", { scope: "col", class: "number" }, "error"), element("th", { scope: "col", class: "number" }, "predicted/true [1]"))),
    element("tbody", {}, rows));
}

// Whatever else the row says.
function otherTable(table: SweepTable, campaign: number): HTMLElement {
  const shown = new Set(["row", "failure", "best_matrix", ...table.ranges.map(({ key }) => key), ...table.claims.flatMap(({ claim }) => [claim, `${claim}.statistic`, `${claim}.threshold`]),
    ...table.file.answers.models.flatMap(({ model }) => [`${model}.error`, `${model}.ratio`])]);
  const rows = table.names().filter((name) => !shown.has(name)).map((name) => {
    const value = table.value(name, campaign), unit = table.unit(name);
    return element("tr", {}, headCell("row", name, unit && name !== "seed" ? element("span", { class: "unit" }, ` [${pretty(unit)}]`) : null),
      numberCell(typeof value === "string" ? value : !known(value) ? DASH : Number.isInteger(value) ? String(value) : number(value)));
  });
  return element("details", {}, element("summary", {}, "All other numbers of the row"), tableBox("Other numbers of the campaign", element("tbody", {}, rows)));
}

export function campaignExplorer(table: SweepTable): Explorer {
  if (table.size === 0) return { section: section("campaign", "One campaign", paragraph("There is no campaign.")), choose: () => undefined };
  let chosen = 0;
  const heading = element("h3", { id: "campaign-name", "aria-live": "polite" });
  const body = element("div", { id: "campaign-body" });
  const options = table.rows.map((row, i) => ({ value: String(i), text: `${row}${table.failure(i) ? " (failed)" : ""}` }));
  const select = selector("campaign", options, "0", (value) => show(Number(value)));
  const step = (text: string, label: string, by: number): HTMLElement => {
    const button = element("button", { type: "button", "aria-label": label }, text);
    button.addEventListener("click", () => show((chosen + by + table.size) % table.size));
    return button;
  };
  function show(campaign: number): void {
    chosen = campaign;
    select.select.value = String(campaign);
    heading.textContent = `Campaign ${table.rows[campaign]}`;
    const failure = table.failure(campaign);
    const refined = table.numberOf("refined", campaign);
    body.replaceChildren(
      ...(failure ? [element("div", { class: "warnings", role: "note" }, element("strong", {}, "It failed: "), failure)] : []),
      ...(known(refined) && refined > 0 ? [paragraph(`Of refinement ${refined}: shares leave it out.`)] : []),
      commandBox(table, campaign),
      valueTable(table, campaign),
      ...(failure ? [] : [verdictTable(table, campaign), modelTable(table, campaign), otherTable(table, campaign)]),
    );
  }
  show(0);
  const made = section("campaign", "One campaign", element("div", { class: "controls" }, select.box, element("div", { class: "steps" }, step("←", "previous campaign", -1), step("→", "next campaign", 1))), heading, body);
  return {
    section: made,
    choose: (campaign) => {
      show(campaign);
      made.scrollIntoView();
    },
  };
}
