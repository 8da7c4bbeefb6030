// The page of a study, from the results in it.
import type { Results } from "../generated/results";
import { startCharts } from "./chart";
import { report } from "./report";
import { element, paragraph } from "./text";

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

function build(page: HTMLElement): void {
  const results = readResults();
  if (typeof results === "string") {
    page.replaceChildren(element("main", {}, element("h1", {}, "thud"), paragraph(results)));
    return;
  }
  document.title = `thud: ${results.dataset.file}`;
  page.replaceChildren(...report(results));
  startCharts();
}

const page = document.getElementById("page");
if (page) build(page);
