// Objects that were hit: how they left, and what the models of the arm say.
import type { Objects } from "../generated/results";
import { element, headCell, number, numberCell, paragraph, percent, section, tableBox } from "./text";

const DEGREES = 180 / Math.PI;
const words = (name: string): string => name.replaceAll("_", " ");
const degrees = (angle: number | null): string => number(angle === null ? null : DEGREES * angle);
const head = (...names: string[]): HTMLElement =>
  element("thead", {}, element("tr", {}, headCell("col", names[0]), names.slice(1).map((text) => element("th", { scope: "col", class: "number" }, text))));

/** A table of the models and one of the objects. */
export function objects(found: Objects): HTMLElement {
  const seen = found.trials.filter(({ status }) => status === "ok").length;
  return section(
    "objects",
    "Objects",
    paragraph(`${seen} of ${found.trials.length} objects could be followed from the hit on. Predictions take ${found.contact}.`),
    tableBox(
      "Predicted against measured",
      head("model", "objects", "speed, predicted over measured", "median error", "largest error", "spin, median error [rad/s]", "angle, median error [°]"),
      element(
        "tbody",
        {},
        found.models.map((model) =>
          element(
            "tr",
            {},
            headCell("row", words(model.model)),
            numberCell(String(model.trials)),
            numberCell(number(model.median_ratio)),
            numberCell(percent(model.median_error)),
            numberCell(percent(model.largest_error)),
            numberCell(number(model.median_spin_error)),
            numberCell(degrees(model.median_angle_error)),
          ),
        ),
      ),
    ),
    tableBox(
      "Each object as measured",
      head("trial", "mass [kg]", "approach [m/s]", "speed [m/s]", "spin [rad/s]", "angle of departure [°]"),
      element(
        "tbody",
        {},
        found.trials.map((object) =>
          element(
            "tr",
            {},
            headCell("row", object.status === "ok" ? object.trial : `${object.trial}: ${object.status}`),
            numberCell(number(object.mass)),
            numberCell(number(object.approach)),
            numberCell(number(object.speed)),
            numberCell(number(object.spin)),
            numberCell(degrees(object.angle)),
          ),
        ),
      ),
    ),
  );
}
