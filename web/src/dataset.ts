import type { Results } from "../generated/results";
import { cite } from "./equations";
import { cellOf, ok, usableTrials } from "./lookup";
import { Q } from "./quantities";
import { swatch } from "./swatch";
import { caption, counted, element, headCell, number, numberCell, paragraph, section, short, speedText, tableBox } from "./text";

export function sourceBadge(results: Results): HTMLElement {
  const simulated = results.dataset.source === "simulated";
  return element("span", { class: `badge ${simulated ? "simulated" : "measured"}` }, simulated ? "simulated data" : `${results.dataset.source} data`);
}

export function dataset(results: Results): HTMLElement {
  const { file, source, robot, seed, trials, planned } = results.dataset;
  const usable = usableTrials(results);
  const fact = (name: string, ...value: (Node | string)[]): HTMLElement[] => [element("dt", {}, name), element("dd", {}, ...value)];
  return section(
    "data",
    "Data",
    element(
      "dl",
      { class: "facts" },
      fact("source", source === "simulated" ? `simulated, seed ${seed ?? number(null)}: not measured on a robot` : `${source} on a robot`),
      fact("file", file),
      fact("robot", robot),
      fact("trials", `${trials} of ${planned} planned; ${usable} with a usable contact`),
      fact("restitution of the materials alone", short(results.material_restitution)),
      fact("inertia sets of the predictions", results.robots.join(", ") || number(null)),
    ),
    ...configurations(results),
    ...failures(results),
  );
}

function configurations(results: Results): HTMLElement[] {
  if (results.configurations.length === 0) return [paragraph("The dataset has no configuration.")];
  return [
    tableBox(
      "Configurations",
      caption("Configurations: posture, detection threshold ", cite("Wang22, (sec:robot_configuration)"), ", usable trials by ", Q.reference.name),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          headCell("col", "configuration"),
          headCell("col", "q ", element("span", { class: "unit" }, "[rad]")),
          headCell("col", "threshold ", element("span", { class: "unit" }, "[N m]")),
          results.speeds.map((speed) => headCell("col", `${speedText(speed)} m/s`)),
        ),
      ),
      element(
        "tbody",
        {},
        results.configurations.map(({ name, q, threshold }) =>
          element(
            "tr",
            {},
            headCell("row", swatch(results, name), " ", name),
            element("td", { class: "posture" }, q.map((angle) => short(angle, 4)).join(", ") || number(null)),
            numberCell(short(threshold)),
            results.speeds.map((speed) => numberCell(String(cellOf(results, name, speed)?.trials ?? 0))),
          ),
        ),
      ),
    ),
  ];
}

function failures(results: Results): HTMLElement[] {
  const failed = results.trials.filter((trial) => !ok(trial));
  const { drawn, trials } = results.dataset;
  const all = drawn === undefined ? failed.length : trials - usableTrials(results);
  if (all === 0) return [];
  return [
    element(
      "details",
      {},
      element("summary", {}, `${counted(all, "trial")} without a usable contact${failed.length < all ? `, ${failed.length} of them drawn; trials.csv has all` : ""}`),
      element("ul", {}, failed.map((trial) => element("li", {}, `${trial.name}: ${trial.status}`))),
    ),
  ];
}
