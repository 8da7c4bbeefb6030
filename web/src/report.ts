// A study as a page: the sections in their order; each has a file of its own.
import type { Results } from "../generated/results";
import { arm } from "./arm";
import { tellDrawn } from "./chart";
import { dataset, sourceBadge } from "./dataset";
import { detection } from "./detection";
import { equations } from "./equations";
import { impulse } from "./impulse";
import { law } from "./law";
import { objects } from "./objects";
import { profiles } from "./profiles";
import { restitution } from "./restitution";
import { spring } from "./spring";
import { contents, counted, element, paragraph } from "./text";
import { trialExplorer } from "./trial";
import { truth } from "./truth";
import { velocity } from "./velocity";
import { verdicts } from "./verdicts";

function header(results: Results): HTMLElement {
  const { file, robot, trials } = results.dataset;
  return element(
    "header",
    {},
    element("h1", {}, `Impact study of ${file}`),
    paragraph(sourceBadge(results), ` ${counted(trials, "trial")} with ${robot}; studied by thud ${results.thud}.`),
    results.warnings.length
      ? element("div", { class: "warnings", role: "note" }, element("strong", {}, "Warnings"), element("ul", {}, results.warnings.map((text) => element("li", {}, text))))
      : null,
  );
}

/** The sections of a study, in their order, behind a table of contents. */
export function report(results: Results): HTMLElement[] {
  const { drawn, trials } = results.dataset;
  tellDrawn(drawn === undefined ? "" : `${drawn} of ${trials} trials are drawn; what is said of cells is of all.`);
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
  return [contents(sections), element("main", {}, header(results), ...sections)];
}
