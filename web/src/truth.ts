// Simulated data only: how far the identified quantities are from the simulated ones.
import type { Results } from "../generated/results";
import { cite } from "./equations";
import { element, headCell, number, numberCell, paragraph, percent, pretty, section, tableBox } from "./text";

// Name, and the equation if the paper has one.
const NAMES: Record<string, [name: string, label?: string]> = {
  stiffness: ["stiffness k", "Wang22, (normal_impact_force)"],
  damping: ["damping c", "Wang22, (normal_impact_force)"],
  impulse_compression: ["impulse to end of compression, by the viscoelastic law", "Wang22, (zImpulseCE)"],
  impulse_compression_best: ["impulse to end of compression, by the model that describes the record"],
  stiffness_elastic_arm: ["stiffness k, by the elastic arm"],
  damping_elastic_arm: ["damping c, by the elastic arm"],
  time_of_compression_elastic_arm: ["end of compression, by the elastic arm"],
  "joints.stiffness": ["stiffness of the transmissions, joint by joint"],
  "joints.damping": ["damping of the transmissions, joint by joint"],
  peak_force: ["peak force"],
  time_of_compression: ["end of compression", "Wang22, (normal_impact_force)"],
  velocity: ["contact velocity, exact", "Wang22, (contactVel_exact)"],
};

function rowHead(quantity: string, unit: string): HTMLElement {
  const [name, label] = NAMES[quantity] ?? [quantity];
  return headCell("row", name, " ", element("span", { class: "unit" }, `[${pretty(unit)}]`), label ? [" ", cite(label)] : null);
}

export function truth(results: Results): HTMLElement {
  const found = results.truth;
  if (!found) return section("truth", "Truth", paragraph("Not testable: what really happened in the contact is known for simulated data only."));
  return section(
    "truth",
    "Truth",
    paragraph(`The simulation knows what happened. This table compares it with what was identified from the sensors' records of ${found.trials} trials; errors are relative.`),
    tableBox(
      "Identified against simulated",
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          headCell("col", "quantity"),
          ...["identified, median", "simulated, median", "median error", "largest error"].map((text) => element("th", { scope: "col", class: "number" }, text)),
        ),
      ),
      element(
        "tbody",
        {},
        found.quantities.map((row) =>
          element(
            "tr",
            {},
            rowHead(row.quantity, row.unit),
            numberCell(number(row.identified)),
            numberCell(number(row.simulated)),
            numberCell(percent(row.median_error)),
            numberCell(percent(row.largest_error)),
          ),
        ),
      ),
    ),
  );
}
