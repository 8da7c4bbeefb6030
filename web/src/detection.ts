// How long after the touch the impact is noticed.
import { chart, panels } from "./chart";
import { cite } from "./equations";
import { axisTitle, Q } from "./quantities";
import { known, type Results } from "./results";
import { spreadTraces, type Plotted } from "./spreads";
import { paragraph, section } from "./text";

const SHOWN: { title: string; plotted: Plotted }[] = [
  { title: "threshold on the torques of the controller", plotted: { of: "detection_delay", unit: "ms", scale: 1000, trial: (trial) => trial.detection_delay } },
  { title: "momentum observer", plotted: { of: "observer_delay", unit: "ms", scale: 1000, trial: (trial) => trial.observer_delay } },
];

export function detection(results: Results, choose: (trial: number) => void): HTMLElement {
  const shown = SHOWN.filter(({ plotted }) => results.cells.some((cell) => known(cell[plotted.of]?.mean)));
  if (shown.length === 0) return section("detection", "Detection", paragraph("There is no log of joint torques, so no alarm to time."));
  const names = results.configurations.map(({ name }) => name);
  const drawn = chart(
    "chart-detection",
    "Delay of the alarm after first touch",
    [
      "Small marks: trials. Large marks: means of the cells, with one standard deviation. The controller's alarm is the sum of |τ − τ*| over chosen joints against the configuration's threshold ",
      cite("Wang22, (sec:robot_configuration)"), "; the observer estimates the external torque from the same log. The paper reports 3 to 5 ms.",
    ],
    (width, colours) => {
      const drawing = panels(width, colours, {
        titles: shown.map(({ title }) => title), x: axisTitle({ ...Q.exact, name: "contact velocity" }), y: "delay [ms]", height: 240, minWidth: 260,
        legend: names, shareY: true, fromZero: true,
      });
      const data = shown.flatMap(({ plotted }, panel) => names.flatMap((name) => spreadTraces(results, name, plotted, drawing.at(panel), panel === 0)));
      return { data, layout: drawing.layout };
    },
    choose,
  );
  return section("detection", "Detection", drawn.figure);
}
