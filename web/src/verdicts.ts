import type { Results, Verdict } from "../generated/results";
import { known } from "./maybe";
import { element, headCell, number, paragraph, pretty, section, short, tableBox } from "./text";

const MARKS: Record<string, [className: string, mark: string]> = {
  supported: ["yes", "✓"],
  "not supported": ["no", "✗"],
  "not testable": ["open", "○"],
  failed: ["open", "–"],
};

/** A verdict by colour, mark and word. */
export function badge(verdict: string): HTMLElement {
  const [className, mark] = MARKS[verdict] ?? ["open", "?"];
  return element("span", { class: `badge ${className}` }, element("span", { "aria-hidden": "true" }, mark), ` ${verdict}`);
}

// Statistic and threshold share a unit, which is shown once.
function comparison(verdict: Verdict): (Node | string)[] {
  if (!known(verdict.statistic) && !known(verdict.threshold)) return [number(null)];
  const unit = verdict.unit === "" || verdict.unit === "1" ? "[1]" : `[${pretty(verdict.unit)}]`;
  return [
    element("strong", {}, short(verdict.statistic)),
    element("span", { class: "against" }, ` against ${short(verdict.threshold)} `),
    element("span", { class: "unit" }, unit),
  ];
}

function table(title: string, list: Verdict[]): HTMLElement {
  return tableBox(
    title,
    element("thead", {}, element("tr", {}, ...["claim", "verdict", "statistic against threshold", "why"].map((text) => headCell("col", text)))),
    element(
      "tbody",
      {},
      list.map((verdict) =>
        element(
          "tr",
          { class: "verdict" },
          element(
            "th",
            { scope: "row" },
            element("span", { class: "claim" }, verdict.claim),
            verdict.section && verdict.section !== "beyond" ? element("span", { class: "unit" }, ` Sec. ${verdict.section.replace(/^Sec\.?\s*/, "")}`) : null,
            element("span", { class: "statement" }, verdict.statement),
          ),
          element("td", {}, badge(verdict.verdict)),
          element("td", { class: "comparison" }, ...comparison(verdict)),
          element("td", { class: "why" }, verdict.why),
        ),
      ),
    ),
  );
}

// Mass free and mass as in the paper, side by side.
function bothWays(results: Results): HTMLElement {
  const cell = (verdict: Verdict | undefined | null): HTMLElement =>
    verdict ? element("td", {}, badge(verdict.verdict), " ", ...comparison(verdict)) : element("td", {}, number(null));
  const differ = results.verdicts_as_in_paper.filter((paper, i) => paper.verdict !== results.verdicts[i]?.verdict || (paper.asymptotic && paper.asymptotic.verdict !== paper.verdict));
  return element(
    "details",
    { id: "both-ways", open: "" },
    element("summary", {}, "By the paper's own procedure"),
    paragraph(
      "The paper fits two numbers, k and c; the mass is the composite rigid body's, and the restitution is read as k/(c|v₀|). Above the mass is fitted too, so that no inertia model enters what is measured. ",
      differ.length ? `The two disagree on ${differ.map(({ claim }) => claim).join(", ")}: a mass that is not that of the record goes into stiffness, damping and what follows from them.` : "The two agree.",
    ),
    tableBox(
      "Verdicts by the paper's own procedure",
      element("thead", {}, element("tr", {}, ...["claim", "mass fitted", "mass of the composite body, exact restitution", "the same, k/(c|v₀|)"].map((text) => headCell("col", text)))),
      element(
        "tbody",
        { class: "both" },
        results.verdicts_as_in_paper.map((paper, i) =>
          element("tr", {}, element("th", { scope: "row" }, element("span", { class: "claim" }, paper.claim)), cell(results.verdicts[i]), cell(paper), cell(paper.asymptotic)),
        ),
      ),
    ),
  );
}

export function verdicts(results: Results): HTMLElement {
  const count = (name: string): number => results.verdicts.filter((verdict) => verdict.verdict === name).length;
  if (results.verdicts.length === 0) return section("verdicts", "Verdicts", paragraph("The study gave no verdict."));
  return section(
    "verdicts",
    "Verdicts",
    paragraph(
      `What these data say about the paper's claims: ${count("supported")} supported, ${count("not supported")} not supported, `,
      `${count("not testable")} not testable.`,
    ),
    table("Verdicts", results.verdicts),
    ...(results.verdicts_as_in_paper.length ? [bothWays(results)] : []),
    ...(results.beyond.length
      ? [paragraph("Beyond the paper: rotors, and joints that are elastic, against its four matrices."), table("Verdicts beyond the paper", results.beyond)]
      : []),
  );
}
