// A sweep: in how much of the space each claim holds, what decides it, maps, models, and every campaign.
import type { Sweep } from "../../generated/answers";
import { startCharts } from "../chart";
import { contents, element, headCell, numberCell, paragraph, section, short, tableBox } from "../text";
import { campaignExplorer } from "./campaign";
import { claims } from "./claims";
import { SweepTable } from "./data";
import { deciding } from "./deciding";
import { maps } from "./maps";
import { models } from "./models";

const DESIGNS: Record<string, string> = { sobol: "Sobol's sequence", latin_hypercube: "a Latin hypercube", grid: "a grid" };

// The sweep in the page, or a sentence that says why there is none.
function readSweep(): Sweep | string {
  const text = document.getElementById("results")?.textContent ?? "";
  let file: { format?: unknown; version?: unknown };
  try {
    file = JSON.parse(text) as typeof file;
  } catch {
    return "This page holds no sweep. It is the empty form that thud sweep fills.";
  }
  if (file.format !== "thud sweep" || file.version !== 1)
    return `This page shows "thud sweep", version 1; what it was given is "${file.format}", version ${file.version}.`;
  return file as Sweep;
}

function header(table: SweepTable): HTMLElement {
  const { file, planned, complete, plan, answers, thud } = table.file;
  const size = `${answers.campaigns} campaigns${answers.refined ? `, ${answers.refined} of them refined` : ""}${complete ? "" : `, a shard of ${planned}`}`;
  return element(
    "header", {},
    element("h1", {}, `Over which plants do the claims hold? ${file}`),
    paragraph(`${size}; ${DESIGNS[plan.design] ?? plan.design}, seed ${plan.seed}; by thud ${thud}.`),
    answers.failed ? element("div", { class: "warnings", role: "note" }, `${answers.failed} of ${answers.campaigns} campaigns failed: `, element("a", { href: "#space" }, "why"), ".") : null,
  );
}

// What was swept, and what could not be run.
function space(table: SweepTable, choose: (campaign: number) => void): HTMLElement {
  const ranges = table.ranges.map((range) =>
    element("tr", {}, headCell("row", table.label(range.key)), element("td", {}, range.kind),
      element("td", { class: "number" }, range.kind === "values" ? (range.values ?? []).join(", ") : `${short(range.low)} to ${short(range.high)}`)));
  const reasons = new Map<string, number[]>();
  table.rows.forEach((_, i) => {
    const failure = table.failure(i);
    if (failure) reasons.set(failure, [...(reasons.get(failure) ?? []), i]);
  });
  const button = (campaign: number): HTMLElement => {
    const made = element("button", { type: "button", class: "save", "aria-label": `Campaign ${table.rows[campaign]}` }, String(table.rows[campaign]));
    made.addEventListener("click", () => choose(campaign));
    return made;
  };
  const failures = [...reasons].sort((a, b) => b[1].length - a[1].length).map(([reason, list]) =>
    element("tr", {}, numberCell(String(list.length)), element("td", { class: "why" }, reason), element("td", {}, ...list.flatMap((campaign) => [button(campaign), " "]))));
  return section(
    "space", "The space",
    tableBox("What is swept", element("thead", {}, element("tr", {}, headCell("col", "parameter"), headCell("col", "kind"), element("th", { scope: "col", class: "number" }, "range"))), element("tbody", {}, ranges)),
    failures.length === 0
      ? paragraph("No campaign failed.")
      : tableBox("Failures", element("thead", {}, element("tr", {}, element("th", { scope: "col", class: "number" }, "failed"), headCell("col", "why"), headCell("col", "campaigns"))), element("tbody", {}, failures)),
  );
}

function build(page: HTMLElement): void {
  const file = readSweep();
  if (typeof file === "string") {
    page.replaceChildren(element("main", {}, element("h1", {}, "thud"), paragraph(file)));
    return;
  }
  document.title = `thud: ${file.file}`;
  const table = new SweepTable(file);
  const { section: campaign, choose } = campaignExplorer(table);
  const sections = [claims(table, choose), deciding(table), maps(table, choose), models(table, choose), space(table, choose), campaign];
  page.replaceChildren(contents(sections), element("main", {}, header(table), ...sections));
  startCharts();
}

const page = document.getElementById("page");
if (page) build(page);
