// The viscoelastic law on the records, and where the energy goes.
import type { Energy, Results, Trial } from "../generated/results";
import { chart, line, milliseconds, panels, type Data } from "./chart";
import { cite } from "./equations";
import { eventTraces, EVENT_NAMES, lawTrace, recordTrace } from "./events";
import { fitted, typicalTrial } from "./lookup";
import { axisTitle, Q } from "./quantities";
import { element, paragraph, section, selector, speedText } from "./text";
import { configurationLook, ENERGY_NAMES, energyLook, type Theme } from "./theme";

/** Energies and their sum, in the unit of the axis. */
export function energyTraces(energy: Energy, axes: { xaxis: string; yaxis: string }, showlegend: boolean): Data[] {
  const sum = energy.time.map((_, i) => (energy.kinetic[i] ?? 0) + (energy.potential[i] ?? 0) + (energy.dissipated[i] ?? 0));
  const series = { kinetic: energy.kinetic, potential: energy.potential, dissipated: energy.dissipated, sum };
  return Object.entries(series).map(([key, values]): Data => {
    const look = energyLook(key);
    return {
      type: "scatter", mode: "lines", x: milliseconds(energy.time), y: values.map((value) => Q.energy.scale * value), name: look.name,
      legendgroup: look.name, showlegend, line: line(look), ...axes,
      hovertemplate: `%{y:.3g} ${Q.energy.unit} at %{x:.2f} ms<extra>${look.name}</extra>`,
    };
  });
}

export function law(results: Results, choose: (trial: number) => void): HTMLElement {
  let configuration = results.configurations[0]?.name ?? "";
  const shown = (): { speed: number; trial: Trial }[] =>
    results.speeds.flatMap((speed) => {
      const trial = typicalTrial(results, configuration, speed, "viscoelastic");
      return trial ? [{ speed, trial }] : [];
    });
  const titles = (): string[] => shown().map(({ speed, trial }) => `${speedText(speed)} m/s, repeat ${trial.repeat}`);
  const fits = chart(
    "chart-law",
    "Viscoelastic law on typical records",
    [
      "For each speed, the trial with the median residual, the fitted law ", cite("Wang22, (normal_impact_force)"), ", and its events. ",
      "The force peaks before the compression ends wherever the law dissipates; the end of force is where it has fallen to 1 % of its peak.",
    ],
    (width, colours) => fitPanels(results, configuration, titles(), shown(), width, colours),
    choose,
  );
  const energies = chart(
    "chart-energy",
    "Energy over time in the same trials",
    [
      "Kinetic energy, potential energy ", cite("Wang22, (potential_energy)"), " and dissipated energy ", cite("Wang22, (dissipated_energy)"),
      " of the fitted law. Their sum stays what it was at the touch ", cite("Wang22, (energy_balance)"), ".",
    ],
    (width, colours) => {
      const drawing = panels(width, colours, {
        titles: titles(), x: "t [ms]", y: axisTitle(Q.energy), height: 210, minWidth: 150, legend: ENERGY_NAMES, shareY: true, shareX: true, fromZero: true,
      });
      const data = shown().flatMap(({ trial }, panel) => (trial.energy ? energyTraces(trial.energy, drawing.at(panel), panel === 0) : []));
      return { data, layout: drawing.layout };
    },
  );
  const options = results.configurations.map(({ name }) => ({ value: name, text: name }));
  const control = selector("configuration", options, configuration, (value) => {
    configuration = value;
    fits.redraw();
    energies.redraw();
  });
  // Start with a configuration that has something to show.
  configuration = options.find(({ value }) => ((configuration = value), shown().length > 0))?.value ?? configuration;
  control.select.value = configuration;
  if (shown().length === 0) return section("law", "Viscoelastic law", paragraph("No trial has a viscoelastic fit that converged."));
  return section("law", "Viscoelastic law", element("div", { class: "controls" }, control.box), fits.figure, energies.figure);
}

function fitPanels(results: Results, configuration: string, titles: string[], shown: { trial: Trial }[], width: number, colours: Theme) {
  const look = { ...configurationLook(results, configuration), name: "viscoelastic law" };
  const drawing = panels(width, colours, {
    titles, x: "t [ms]", y: axisTitle(Q.force), height: 250, minWidth: 150, legend: ["record", look.name, ...EVENT_NAMES], shareY: true, shareX: true,
  });
  const data = shown.flatMap(({ trial }, panel): Data[] => {
    const found = fitted(trial, "viscoelastic");
    if (!found?.curve) return [];
    const axes = drawing.at(panel);
    return [
      recordTrace(trial, axes, colours, panel === 0, results.trials.indexOf(trial)),
      lawTrace(found, look, axes, panel === 0),
      ...eventTraces(found, found.curve.time, found.curve.force, "N", axes, colours, panel === 0),
    ];
  });
  return { data, layout: drawing.layout };
}
