// Coefficient of restitution against velocity, by the laws that predict how it should behave.
import type { Results } from "../generated/results";
import { chart, level, panels, type Data } from "./chart";
import { cite } from "./equations";
import { fitted } from "./lookup";
import { known } from "./maybe";
import { axisTitle, Q } from "./quantities";
import { spreadTraces, velocityRange, type Plotted } from "./spreads";
import { paragraph, section, withUnit } from "./text";

const SHOWN: { title: string; plotted: Plotted }[] = [
  {
    title: "Maxwell",
    plotted: { of: "restitution_maxwell", unit: "", trial: (trial) => fitted(trial, "maxwell")?.restitution },
  },
  {
    title: "viscoelastic, exact",
    plotted: { of: "restitution_viscoelastic", unit: "", trial: (trial) => fitted(trial, "viscoelastic")?.restitution },
  },
  {
    title: "viscoelastic, k/(c|v₀|)",
    plotted: { of: "restitution_asymptotic", unit: "", trial: (trial) => fitted(trial, "viscoelastic")?.restitution_asymptotic },
  },
];

// The line of the materials is drawn where the trials still take at least this share of the panel's height.
const REACH = 0.4;

export function restitution(results: Results, choose: (trial: number) => void): HTMLElement {
  const any = SHOWN.some(({ plotted }) => results.cells.some((cell) => known(cell[plotted.of].mean)));
  if (!any) return section("restitution", "Restitution", paragraph("No trial has a fit with a restitution."));
  const names = results.configurations.map(({ name }) => name);
  const drawn = chart(
    "chart-restitution",
    "Restitution against contact velocity",
    [
      "Small marks: trials. Large marks: means of the cells, with one standard deviation. Maxwell's law says that e does not depend on the velocity ",
      cite("Stronge00, (5.7)"), ": its lines should be horizontal. The viscoelastic law says that e falls ", cite("Wang22, (normal_impact_force)"),
      ", towards k/(c|v₀|) where damping is strong ", cite("Wang22, (coe_property)"), `. The materials alone have ${withUnit(results.material_restitution, "1", 3)}: a horizontal line where the range of the panel reaches it. `,
      "Click on a mark to see its trial.",
    ],
    (width, colours) => {
      const drawing = panels(width, colours, {
        titles: SHOWN.map(({ title }) => title), x: axisTitle({ ...Q.exact, name: "contact velocity" }), y: axisTitle(Q.restitution), height: 270, minWidth: 155,
        legend: names, fromZero: true, rangeX: velocityRange(results),
      });
      const data: Data[] = SHOWN.flatMap(({ plotted }, panel) =>
        names.flatMap((name) => spreadTraces(results, name, plotted, drawing.at(panel), panel === 0)),
      );
      const materials = results.material_restitution;
      SHOWN.forEach(({ plotted }, panel) => {
        const largest = Math.max(0, ...results.trials.map((trial) => plotted.trial(trial) ?? 0));
        if (known(materials) && largest > REACH * materials) level(drawing, panel, materials, "materials alone", colours);
      });
      return { data, layout: drawing.layout };
    },
    choose,
  );
  return section("restitution", "Restitution", drawn.figure);
}
