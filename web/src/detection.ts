// How long after the touch the impact is detected.
import type { Results } from "../generated/results";
import { boxPanels, type Boxed } from "./boxes";
import { chart } from "./chart";
import { cite } from "./equations";
import { known } from "./maybe";
import { paragraph, section } from "./text";

const SHOWN: Boxed[] = [
  { title: "torques against a threshold", unit: "ms", scale: 1000, of: (trial) => trial.detection_delay },
  { title: "momentum observer", unit: "ms", scale: 1000, of: (trial) => trial.observer_delay },
];

export function detection(results: Results, choose: (trial: number) => void): HTMLElement {
  const shown = SHOWN.filter(({ of }) => results.trials.some((trial) => known(of(trial))));
  if (shown.length === 0) return section("detection", "Detection", paragraph("There is no log of the joint torques, hence no alarm."));
  const drawn = chart(
    "chart-detection",
    "Delay of the alarm after first touch",
    [
      "Each mark is a trial, each box the middle half of a cell. The controller's alarm is the sum of |τ − τ*| over chosen joints against the configuration's threshold ",
      cite("Wang22, (sec:robot_configuration)"), "; the observer estimates the external torque from the same log. The paper reports 3 to 5 ms.",
    ],
    (width, colours) => boxPanels(results, shown, "delay [ms]", width, colours),
    choose,
  );
  return section("detection", "Detection", drawn.figure);
}
