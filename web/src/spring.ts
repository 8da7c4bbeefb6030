// Where the virtual spring fails: with a restitution below one its force cannot fall slower than it rises.
import type { LawFit, Results, Trial } from "../generated/results";
import { boxPanels } from "./boxes";
import { chart, level, milliseconds, panels, type Data } from "./chart";
import { cite } from "./equations";
import { lawTrace, recordTrace } from "./events";
import { fitted, typicalTrial } from "./lookup";
import { known } from "./maybe";
import { axisTitle, Q } from "./quantities";
import { number, paragraph, plain, section, speedText } from "./text";
import { lawLook, type Theme } from "./theme";

export function spring(results: Results, choose: (trial: number) => void): HTMLElement {
  const shown = results.configurations.flatMap(({ name }) => {
    const speeds = results.speeds.filter((speed) => typicalTrial(results, name, speed, "spring"));
    const middle = speeds[Math.floor(speeds.length / 2)];
    const trial = middle === undefined ? undefined : typicalTrial(results, name, middle, "spring");
    return trial ? [trial] : [];
  });
  if (shown.length === 0) return section("spring", "Virtual spring", paragraph("No trial has a spring fit that converged."));
  const fits = results.trials.flatMap((trial) => fitted(trial, "spring")?.restitution ?? []);
  const above = fits.filter((e) => e > 1).length;
  const record = chart(
    "chart-spring",
    "Virtual spring on typical records",
    [
      "A spring's force is in phase with its compression ", cite("Wang22, (sec:virtual_spring_model)"), ": after the peak it may fall no slower than it rose. ",
      "The shaded area is all that e ≤ 1 can reach. A record that leaves it asks for e > 1, which would create energy.",
    ],
    (width, colours) => springPanels(results, shown, width, colours),
    choose,
  );
  const distribution = chart(
    "chart-spring-restitution",
    "Restitution that the spring needs",
    [
      `Each mark is a trial, each box the middle half of a cell. Of ${fits.length} spring fits that converged, ${above} need e > 1. `,
      "Click on a mark to see its trial.",
    ],
    (width, colours) => {
      const drawing = boxPanels(results, [{ title: "", of: (trial) => fitted(trial, "spring")?.restitution, unit: "" }], "e of the spring [1]", width, colours);
      level(drawing.panels, 0, 1, "e = 1", colours);
      return drawing;
    },
    choose,
  );
  return section("spring", "Virtual spring", record.figure, distribution.figure);
}

// The force that a spring with e = 1 would have after the peak: the rise, mirrored.
function mirrored(law: LawFit): { x: number[]; y: number[] } {
  const curve = law.curve;
  if (!known(law.time_of_compression) || !curve) return { x: [], y: [] };
  const turn = law.time_of_compression + (law.touch ?? 0);
  const rise = curve.time.map((time, i) => ({ time, force: curve.force[i] ?? 0 })).filter(({ time }) => time <= turn);
  const fall = rise.map(({ time, force }) => ({ time: 2 * turn - time, force })).reverse();
  const all = [...rise, ...fall];
  return { x: milliseconds(all.map(({ time }) => time)), y: all.map(({ force }) => force) };
}

function springPanels(results: Results, shown: Trial[], width: number, colours: Theme) {
  const look = lawLook(results, "spring");
  const area = "reach of e ≤ 1";
  const drawing = panels(width, colours, {
    titles: shown.map((trial) => {
      const e = fitted(trial, "spring")?.restitution;
      return `${plain(trial.configuration)}, ${speedText(trial.speed)} m/s: e = ${number(e, 3)}`;
    }),
    x: axisTitle(Q.time), y: axisTitle(Q.force), height: 250, minWidth: 175, legend: ["record", look.name, area], shareY: true, shareX: true,
  });
  const data = shown.flatMap((trial, panel): Data[] => {
    const law = fitted(trial, "spring");
    if (!law) return [];
    const axes = drawing.at(panel);
    return [
      {
        type: "scatter", mode: "lines", ...mirrored(law), fill: "tozeroy", fillcolor: `${look.colour}2e`, line: { width: 0 }, name: area,
        legendgroup: area, showlegend: panel === 0, hoverinfo: "skip", ...axes,
      },
      recordTrace(trial, axes, colours, panel === 0, results.trials.indexOf(trial)),
      lawTrace(law, look, axes, panel === 0),
    ];
  });
  return { data, layout: drawing.layout };
}
