// A quantity by reference speed: every trial, and the middle half of each cell in a box.
import type { Results, Trial } from "../generated/results";
import { panels, type Data, type Drawing, type Panels } from "./chart";
import { ok } from "./lookup";
import { known, type Maybe } from "./maybe";
import { axisTitle, Q } from "./quantities";
import { plain, speedText } from "./text";
import { configurationLook, type Theme } from "./theme";

export interface Boxed {
  title: string;
  of: (trial: Trial) => Maybe;
  unit: string;
  scale?: number;
}

export function boxPanels(results: Results, boxed: Boxed[], y: string, width: number, colours: Theme): Drawing & { panels: Panels } {
  const names = results.configurations.map(({ name }) => name);
  const drawing = panels(width, colours, {
    titles: boxed.map(({ title }) => title), x: axisTitle(Q.reference), y, height: 260, minWidth: 300, legend: names, shareY: true, fromZero: true,
  });
  const layout = drawing.layout as Record<string, unknown>;
  Object.assign(layout, { boxmode: "group", boxgap: 0.25, boxgroupgap: 0.25 });
  const data = boxed.flatMap(({ of, unit, scale = 1 }, panel) => {
    const axes = drawing.at(panel);
    Object.assign(layout[axes.xaxis.replace("x", "xaxis")] as object, {
      type: "category", categoryorder: "array", categoryarray: results.speeds.map(speedText), range: [-0.5, results.speeds.length - 0.5],
    });
    return names.map((name): Data => {
      const look = configurationLook(results, name);
      const trials = results.trials.filter((trial) => trial.configuration === name && ok(trial) && known(of(trial)));
      return {
        type: "box", name: plain(name), legendgroup: name, offsetgroup: name, alignmentgroup: String(panel), showlegend: panel === 0, ...axes,
        x: trials.map((trial) => speedText(trial.speed)), y: trials.map((trial) => scale * (of(trial) ?? 0)),
        customdata: trials.map((trial) => results.trials.indexOf(trial)), text: trials.map((trial) => plain(trial.name)),
        boxpoints: "all", jitter: 0.6, pointpos: 0, marker: { color: look.colour, symbol: look.symbol, size: 5, opacity: 0.55 },
        line: { color: look.colour, width: 1.5 }, fillcolor: "rgba(0,0,0,0)", hoveron: "points", hovertemplate: `%{text}<br>%{y:.4g} ${unit}<extra></extra>`,
      } as Data;
    });
  });
  return { data, layout: drawing.layout, panels: drawing };
}
