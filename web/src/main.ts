import type { Results } from "../generated/results";
import { arm } from "./arm";
import { startCharts } from "./chart";
import { dataset, sourceBadge } from "./dataset";
import { detection } from "./detection";
import { equations } from "./equations";
import { impulse } from "./impulse";
import { law } from "./law";
import { objects } from "./objects";
import { profiles } from "./profiles";
import { restitution } from "./restitution";
import { spring } from "./spring";
import { element, paragraph } from "./text";
import { trialExplorer } from "./trial";
import { truth } from "./truth";
import { velocity } from "./velocity";
import { verdicts } from "./verdicts";

// The results in the page, or a sentence that says why there are none.
function readResults(): Results | string {
  const text = document.getElementById("results")?.textContent ?? "";
  let results: { format?: unknown; version?: unknown };
  try {
    results = JSON.parse(text) as typeof results;
  } catch {
    return "This page holds no results. It is the empty form that thud study fills.";
  }
  const { format, version } = results;
  if (format !== "thud results" || version !== 1)
    return `This page shows "thud results", version 1; what it was given is "${format}", version ${version}.`;
  return results as Results;
}

function header(results: Results): HTMLElement {
  const { file, robot, trials } = results.dataset;
  return element(
    "header",
    {},
    element("h1", {}, `Impact study of ${file}`),
    paragraph(sourceBadge(results), ` ${trials} trials with ${robot}; studied by thud ${results.thud}.`),
    results.warnings.length
      ? element("div", { class: "warnings", role: "note" }, element("strong", {}, "Warnings"), element("ul", {}, results.warnings.map((text) => element("li", {}, text))))
      : null,
  );
}

function contents(sections: HTMLElement[]): HTMLElement {
  const items = sections.map((part) => element("li", {}, element("a", { href: `#${part.id}` }, part.querySelector("h2")?.textContent ?? "")));
  return element("nav", { "aria-label": "Contents" }, element("ol", {}, items));
}

function build(page: HTMLElement): void {
  const results = readResults();
  if (typeof results === "string") {
    page.replaceChildren(element("main", {}, element("h1", {}, "thud"), paragraph(results)));
    return;
  }
  document.title = `thud: ${results.dataset.file}`;
  const explorer = trialExplorer(results);
  const sections = [
    verdicts(results),
    dataset(results),
    velocity(results),
    profiles(results, explorer.choose),
    law(results, explorer.choose),
    restitution(results, explorer.choose),
    spring(results, explorer.choose),
    impulse(results, explorer.choose),
    arm(results, explorer.choose),
    detection(results, explorer.choose),
    ...(results.objects ? [objects(results.objects)] : []),
    truth(results),
    explorer.section,
  ];
  sections.push(equations()); // last: it lists what the others cite
  page.replaceChildren(contents(sections), element("main", {}, header(results), ...sections));
  startCharts();
}

const page = document.getElementById("page");
if (page) build(page);
