// Citations. Labels and symbols come from docs/equations.md, so that there is one list of them.
import page from "../../docs/equations.md?raw";
import { element, headCell, markup, section, tableBox } from "./text";

interface Row {
  label: string;
  symbol: string;
}

const rows: Row[] = page
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .filter((cells) => cells.length === 6 && /^\[\w+(, \(.+\))?\]$/.test(cells[1] ?? ""))
  .map((cells) => ({ label: (cells[1] ?? "").slice(1, -1), symbol: cells[2] ?? "" }));

/** Key and bibliography entry. */
const works: [string, string][] = [...page.matchAll(/\*\*(\w+)\*\* ([^]*?)(?=\*\*|\n\n)/g)].map((match) => [
  match[1] ?? "",
  (match[2] ?? "").replace(/\s+/g, " ").trim(),
]);

const used = new Set<string>();
const idOf = (label: string): string => `eq-${label.replace(/[^\w-]+/g, "-")}`;

/** [Key, (label)] as a link to its row at the end of the page. */
export function cite(label: string): HTMLElement {
  if (!rows.some((row) => row.label === label)) throw new Error(`${label}: not in docs/equations.md`);
  used.add(label);
  return element("a", { class: "cite", href: `#${idOf(label)}` }, `[${label}]`);
}

/** The equations cited so far: the section to make last. */
export function equations(): HTMLElement {
  const cited = rows.filter((row) => used.has(row.label));
  const keys = new Set(cited.map((row) => row.label.split(",")[0] ?? ""));
  return section(
    "equations",
    "Equations",
    tableBox(
      "Equations cited on this page",
      element("thead", {}, element("tr", {}, headCell("col", "label"), headCell("col", "equation"))),
      element(
        "tbody",
        {},
        cited.map((row) =>
          element("tr", { id: idOf(row.label) }, element("th", { scope: "row", class: "cite" }, `[${row.label}]`), element("td", { class: "formula" }, markup(formula(row.symbol)))),
        ),
      ),
    ),
    element(
      "dl",
      { class: "works" },
      works.filter(([key]) => keys.has(key)).map(([key, work]) => [element("dt", {}, key), element("dd", {}, ...italics(work))]),
    ),
  );
}

// The plain text of the list as a typeset formula.
function formula(text: string): string {
  const words: Record<string, string> = { iota: "ι", tau: "τ", zeta: "ζ", pi: "π", int: "∫", sqrt: "√" };
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/\b(iota|tau|zeta|pi|int|sqrt)(?=\b|_)/g, (word) => words[word] ?? word)
    .replace(/abs\(([^()]+)\)/g, "|$1|")
    .replace(/\^(-?\([^()]+\)|-?\w+)/g, "<sup>$1</sup>")
    .replace(/_(\w+)/g, "<sub>$1</sub>")
    .replaceAll("]x", "]<sub>×</sub>")
    .replace(/\b([vW])(<sub>\w+<\/sub>)?~/g, "$1\u0303$2")
    .replace(/\b([vW])0\b/g, "$1<sub>0</sub>")
    .replace(/(^|[\s(=>])-(?=[\s\w(π∫])/g, "$1−");
}

// *title* of a work in the Markdown of the list.
function italics(text: string): (Node | string)[] {
  return text.split("*").map((part, i) => (i % 2 ? element("cite", {}, part) : part));
}
