// Table I of the paper: exact and approximate contact velocity and their ratio.
import type { Results } from "../generated/results";
import { cite } from "./equations";
import { cellOf, ok, type SpreadName } from "./lookup";
import { known, type Maybe } from "./maybe";
import { Q, rowHead, type Quantity } from "./quantities";
import { swatch } from "./swatch";
import { element, headCell, number, numberCell, paragraph, section, speedText, tableBox, withUnit } from "./text";

const size = (value: Maybe): Maybe => (known(value) ? Math.abs(value) : value);

// Four decimals, as in the paper's table.
const four = (value: Maybe): string => (known(value) ? Math.abs(value).toFixed(4) : number(value));

function group(results: Results, quantity: Quantity, name: SpreadName): HTMLElement {
  const columns = results.speeds.length + 2;
  const head = element("tr", {}, element("th", { scope: "rowgroup", colspan: String(columns), class: "group" }, ...rowHead(quantity)));
  const rows = results.configurations.map((configuration) => {
    const spreads = results.speeds.map((speed) => cellOf(results, configuration.name, speed)?.[name]);
    const means = spreads.map((spread) => size(spread?.mean)).filter(known);
    const overall = means.length ? means.reduce((sum, value) => sum + value, 0) / means.length : null;
    return element(
      "tr",
      {},
      headCell("row", swatch(results, configuration.name), " ", configuration.name),
      spreads.map((spread) =>
        numberCell(four(spread?.mean), known(spread?.std) ? `standard deviation ${withUnit(spread.std, quantity.unit, 2)}` : ""),
      ),
      numberCell(name === "ratio" ? four(overall) : ""),
    );
  });
  return element("tbody", {}, head, rows);
}

export function velocity(results: Results): HTMLElement {
  const fromReference = results.trials.filter((trial) => ok(trial) && trial.velocity.source === "reference").length;
  return section(
    "velocity",
    "Contact velocity",
    paragraph(
      "Table I of the paper. The approximate velocity is that of the contact point if the whole arm moved as one rigid body; ",
      "the ratio of the two tells how close the motion is to that. Means over the trials of a cell. A restitution below 0.15 may be assumed where e",
      element("sub", {}, "a"),
      " > 0.85 and |v",
      element("sub", {}, "n"),
      "| > 0.1 m/s ",
      cite("Wang22, (Sec. VII-C)"),
      ".",
      fromReference ? ` ${fromReference}${results.dataset.drawn === undefined ? "" : ` of the ${results.dataset.drawn} drawn`} trials have no joint log: their velocities are those of the reference speed at the nominal posture.` : "",
    ),
    tableBox(
      "Table I: contact velocities",
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          headCell("col", Q.reference.name),
          results.speeds.map((speed) => element("th", { scope: "col", class: "number" }, `${speedText(speed)} m/s`)),
          element("th", { scope: "col", class: "number" }, "mean"),
        ),
      ),
      group(results, Q.exact, "velocity_exact"),
      group(results, Q.approximate, "velocity_approximate"),
      group(results, Q.ratio, "ratio"),
    ),
  );
}
