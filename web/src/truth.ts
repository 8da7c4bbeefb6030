// Simulated data only: how far what was identified is from what was simulated.
import type { Results } from "./results";
import { element, headCell, number, numberCell, paragraph, percent, pretty, section, tableBox } from "./text";

const NAMES: Record<string, string> = {
  stiffness: "stiffness k", damping: "damping c", impulse_compression: "impulse to end of compression", peak_force: "peak force",
  time_of_compression: "end of compression", velocity: "contact velocity, exact",
};

export function truth(results: Results): HTMLElement {
  const found = results.truth;
  if (!found) return section("truth", "Truth", paragraph("Not testable: what really happened in the contact is known of simulated data only."));
  return section(
    "truth",
    "Truth",
    paragraph(`The simulation knows what happened. Over ${found.trials} trials, what was identified from the sensors' records against it; errors are relative.`),
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
            headCell("row", NAMES[row.quantity] ?? row.quantity, " ", element("span", { class: "unit" }, `[${pretty(row.unit)}]`)),
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
