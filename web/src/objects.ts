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
  const followed = found.trials.filter(({ status }) => status === "ok");
  const left = found.trials.filter(({ status }) => status !== "ok");
  return section(
    "objects",
    "Objects",
    paragraph(
      `${found.followed ?? followed.length} of ${found.objects ?? found.trials.length} objects could be followed from the hit on. Predictions take ${found.contact}. Ratios are predicted over measured, errors medians; angles count to the left of the hit.`,
    ),
    found.objects === undefined ? null : paragraph(`Below, those of the trials that are drawn; objects.csv has all.`),
    left.length ? element("ul", {}, left.map(({ trial, status }) => element("li", {}, `${trial}: ${status}`))) : null,
    tableBox(
      "Predicted against measured",
      head("model", "objects", "speed ratio", "error", "spin error [rad/s]", "angle error [°]"),
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
            numberCell(number(model.median_spin_error)),
            numberCell(degrees(model.median_angle_error)),
          ),
        ),
      ),
    ),
    tableBox(
      "As measured",
      head("trial", "mass [kg]", "approach [m/s]", "speed [m/s]", "spin [rad/s]", "angle [°]"),
      element(
        "tbody",
        {},
        followed.map((object) =>
          element(
            "tr",
            {},
            headCell("row", object.trial),
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
