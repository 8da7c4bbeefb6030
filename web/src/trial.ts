// One trial: its record, the laws fitted to it, events, energies, and all its numbers.
import type { LawFit, LawParameter, Parameter, Results, Trial } from "../generated/results";
import { chart, level, panels, valueAt, type Data } from "./chart";
import { cite } from "./equations";
import { eventTraces, EVENT_NAMES, lawTrace, recordTrace, type Drawn } from "./events";
import { energyTraces } from "./law";
import { fitted, ok } from "./lookup";
import { known, type Maybe } from "./maybe";
import { axisTitle, LAW_LABEL, Q, RESTITUTION_LABEL, rowHead, type Quantity } from "./quantities";
import { hasResiduals, residualSentences, runsText, sineText, spectrumPanel } from "./residuals";
import { caption, DASH, element, fillSelect, headCell, number, numberCell, paragraph, section, selector, speedText, tableBox, withUnit } from "./text";
import { elasticArmLook, ENERGY_NAMES, lawLook, type Look, type Theme } from "./theme";

export interface Explorer {
  section: HTMLElement;
  choose: (trial: number) => void;
}

export function trialExplorer(results: Results): Explorer {
  if (results.trials.length === 0)
    return { section: section("trial", "One trial", paragraph("There is no trial.")), choose: () => undefined };
  let chosen = Math.max(0, results.trials.findIndex((trial) => ok(trial) && fitted(trial, "viscoelastic")));
  const trial = (): Trial => results.trials[chosen]!;
  const record = chart("chart-trial", "Record and fitted laws",
    ["Above: the record, every law whose fit converged, the arm with elastic joints where drives are known, and the events of the viscoelastic law. Below: the residual of each. Click an entry of the legend to hide a law."],
    (width, colours) => recordPanels(results, trial(), width, colours));
  const left = chart("chart-trial-residuals", "Spectrum of what is left over",
    ["Share of the residual's squares that a sine of each frequency explains. Noise spreads over all of them; hum of the mains stands out at 50 or 60 Hz, a second hump or another mode of the arm at its own frequency. A run is a stretch of residuals of one sign: noise has many, a shape has few."],
    (width, colours) => spectrumPanel(results, trial(), width, colours));
  const residuals = element("div", { id: "trial-residuals" });
  const energies = chart("chart-trial-energy", "Energy over time",
    ["Of the viscoelastic fit: kinetic, potential ", cite("Wang22, (potential_energy)"), ", dissipated ", cite("Wang22, (dissipated_energy)"), ", and their sum ", cite("Wang22, (energy_balance)"), "."],
    (width, colours) => energyPanel(trial(), width, colours));
  const heading = element("h3", { id: "trial-name", "aria-live": "polite" });
  const said = element("div", { id: "trial-status" });
  const numbers = element("div", { id: "trial-numbers" });
  const laws = element("div", { id: "trial-laws" });
  const controls = chooser(results, () => chosen, (index) => choose(index));
  function choose(index: number): void {
    chosen = index;
    heading.textContent = `Trial ${trial().name}`;
    said.replaceChildren(paragraph(status(results, trial())), ...trial().warnings.map((text) => element("p", { class: "note" }, text)));
    numbers.replaceChildren(numberTable(results, trial()));
    laws.replaceChildren(lawTable(results, trial()));
    residuals.replaceChildren(...residualSentences(results, trial()).map((text) => paragraph(text)));
    record.figure.hidden = !trial().record.time.length;
    left.figure.hidden = !hasResiduals(results, trial());
    energies.figure.hidden = !trial().energy?.time.length;
    controls.refresh();
    record.redraw();
    left.redraw();
    energies.redraw();
  }
  choose(chosen);
  const { drawn, trials, file } = results.dataset;
  const others = drawn === undefined ? null : paragraph(`${drawn} of ${trials} trials, spread over the plan, can be chosen here. trials.csv has the numbers of every one, and "thud info ${file} --trial NAME" its record.`);
  const made = section("trial", "One trial", others, controls.box, heading, said, record.figure, residuals, left.figure, energies.figure, numbers, laws);
  return {
    section: made,
    choose: (index) => {
      choose(index);
      made.scrollIntoView();
    },
  };
}

function status(results: Results, trial: Trial): string {
  const where = `Configuration ${trial.configuration}, reference speed ${speedText(trial.speed)} m/s, repeat ${trial.repeat}. `;
  if (!ok(trial)) return `${where}No usable contact: ${trial.status}.`;
  return where + (trial.best ? `Best law by BIC: ${lawLook(results, trial.best).name}.` : "No law converged.");
}

// Selectors for configuration, speed and repeat, each offering only what exists, and buttons for the previous and next trial.
function chooser(results: Results, chosen: () => number, choose: (index: number) => void): { box: HTMLElement; refresh: () => void } {
  const find = (wanted: Partial<Trial>): number => {
    const keys = ["configuration", "speed", "repeat"] as const;
    const score = (trial: Trial): number =>
      keys.reduce((sum, key, i) => sum + (trial[key] === wanted[key] ? 2 ** (keys.length - i) : 0), 0);
    return results.trials.reduce((best, trial, i) => (score(trial) > score(results.trials[best]!) ? i : best), 0);
  };
  const now = (): Trial => results.trials[chosen()]!;
  const configuration = selector("configuration", [], "", (value) => choose(find({ ...now(), configuration: value })));
  const speed = selector("reference speed [m/s]", [], "", (value) => choose(find({ ...now(), speed: Number(value) })));
  const repeat = selector("repeat", [], "", (value) => choose(Number(value)));
  const step = (text: string, label: string, by: number): HTMLElement => {
    const button = element("button", { type: "button", "aria-label": label }, text);
    button.addEventListener("click", () => choose((chosen() + by + results.trials.length) % results.trials.length));
    return button;
  };
  const distinct = (values: (string | number)[]): { value: string; text: string }[] =>
    [...new Set(values)].map((value) => ({ value: String(value), text: typeof value === "number" ? speedText(value) : value }));
  return {
    box: element("div", { class: "controls" }, configuration.box, speed.box, repeat.box,
      element("div", { class: "steps" }, step("←", "previous trial", -1), step("→", "next trial", 1))),
    refresh: () => {
      const trial = now();
      const same = results.trials.filter(({ configuration: name }) => name === trial.configuration);
      fillSelect(configuration.select, distinct(results.trials.map(({ configuration: name }) => name)), trial.configuration);
      fillSelect(speed.select, distinct(same.map((other) => other.speed).sort((a, b) => a - b)), String(trial.speed));
      const repeats = results.trials.flatMap((other, i) =>
        other.configuration === trial.configuration && other.speed === trial.speed
          ? [{ value: String(i), text: `${other.repeat}${ok(other) ? "" : ` (${other.status})`}` }]
          : []);
      fillSelect(repeat.select, repeats, String(chosen()));
    },
  };
}

function recordPanels(results: Results, trial: Trial, width: number, colours: Theme) {
  const shown: { law: Drawn; look: Look }[] = results.laws.flatMap(({ name }) => {
    const law = fitted(trial, name);
    return law ? [{ law, look: lawLook(results, name) }] : [];
  });
  const arm = trial.elastic_arm;
  if (arm?.curve) shown.push({ law: arm, look: elasticArmLook() });
  const viscoelastic = fitted(trial, "viscoelastic");
  const names = ["record", ...shown.map(({ look }) => look.name), ...(viscoelastic ? EVENT_NAMES : [])];
  const drawing = panels(width, colours, { titles: ["", ""], x: axisTitle(Q.time), y: [axisTitle(Q.force), "residual [N]"], height: 320, minWidth: width, legend: names });
  stack(drawing.layout as Record<string, unknown>);
  const above = drawing.at(0);
  const below = { xaxis: "x", yaxis: "y2" };
  const data: Data[] = [recordTrace(trial, above, colours, true)];
  for (const { law, look } of shown) data.push(lawTrace(law, look, above, true));
  for (const { law, look } of shown) data.push({ ...lawTrace(residual(trial, law), { ...look, width: 1.2, dash: "solid" }, below, false) } as Data);
  if (viscoelastic?.curve) data.push(...eventTraces(viscoelastic, viscoelastic.curve.time, viscoelastic.curve.force, "N", above, colours, true));
  level(drawing, 1, 0, "", colours);
  return { data, layout: drawing.layout };
}

/** The record above, the residuals in a lower panel with the same time axis. */
export function stack(layout: Record<string, unknown>): void {
  delete layout["xaxis2"];
  const upper = 0.32;
  const total = 470;
  const { t, b } = layout["margin"] as { t: number; b: number };
  layout["height"] = total + t + b;
  Object.assign(layout["xaxis"] as object, { anchor: "y2", title: { text: axisTitle(Q.time), standoff: 8 } });
  Object.assign(layout["yaxis"] as object, { domain: [upper, 1] });
  Object.assign(layout["yaxis2"] as object, { domain: [0, upper - 0.06], anchor: "x", nticks: 4 });
}

// Record minus law; the force of the law is zero outside its curve.
function residual(trial: Trial, law: Drawn): Drawn {
  const { time, force } = trial.record;
  const curve = law.curve ?? { time: [], force: [] };
  return { curve: { time, force: time.map((t, i) => (force[i] ?? 0) - (t < (curve.time[0] ?? 0) ? 0 : (valueAt(curve.time, curve.force, t) ?? 0))) } };
}

function energyPanel(trial: Trial, width: number, colours: Theme) {
  const drawing = panels(width, colours, { titles: [""], x: axisTitle(Q.time), y: axisTitle(Q.energy), height: 240, minWidth: 200, legend: [...ENERGY_NAMES, ...EVENT_NAMES], fromZero: true });
  const energy = trial.energy;
  if (!energy) return { data: [], layout: drawing.layout };
  const data = energyTraces(energy, drawing.at(0), true);
  const viscoelastic = fitted(trial, "viscoelastic");
  const potential = energy.potential.map((value) => Q.energy.scale * value);
  if (viscoelastic) data.push(...eventTraces(viscoelastic, energy.time, potential, Q.energy.unit, drawing.at(0), colours, true));
  return { data, layout: drawing.layout };
}

function modelName(results: Results, trial: Trial): string {
  if (!trial.best_model) return "the model that describes the record";
  return trial.best_model === "elastic_arm" ? "the elastic arm" : `${lawLook(results, trial.best_model).name} with a mass`;
}

function numberTable(results: Results, trial: Trial): HTMLElement {
  const { velocity, window, truth } = trial;
  const size = (value: Maybe): Maybe => (known(value) ? Math.abs(value) : value);
  const viscoelastic = fitted(trial, "viscoelastic");
  const rows: [Quantity, Maybe, Maybe][] = [
    [Q.exact, size(velocity.exact), size(truth?.velocity)],
    [Q.approximate, size(velocity.approximate), null],
    [Q.ratio, velocity.ratio, null],
    [Q.peakForce, trial.peak_force, truth?.peak_force],
    [Q.peakTime, trial.peak_time, null],
    [Q.contactTime, trial.contact_time, null],
    [Q.timeOfCompression, viscoelastic?.time_of_compression, truth?.compression_time],
    ...(trial.elastic_arm ? [[{ ...Q.timeOfCompression, name: "end of compression, by the elastic arm" }, trial.elastic_arm.time_of_compression, truth?.compression_time] as [Quantity, Maybe, Maybe]] : []),
    [Q.timeOfParting, viscoelastic?.time_of_parting, truth?.contact_time],
    [{ ...Q.impulseCompression, name: "impulse to end of compression, by the viscoelastic law" }, trial.impulse_compression, truth?.impulse_compression],
    [{ ...Q.impulseCompression, name: `impulse to end of compression, by ${modelName(results, trial)}` }, trial.impulse_compression_best, truth?.impulse_compression],
    [Q.impulseTotal, trial.impulse_total, truth?.impulse],
    [Q.detectionDelay, trial.detection_delay, null],
    [Q.observerDelay, trial.observer_delay, null],
    [{ name: "sensor's baseline", symbol: "", unit: "N", scale: 1 }, window.baseline, null],
    [{ name: "sensor's noise, standard deviation", symbol: "", unit: "N", scale: 1 }, window.noise, null],
  ];
  const scaled = (quantity: Quantity, value: Maybe): string => number(known(value) ? quantity.scale * value : value);
  return tableBox(
    "Numbers of the trial",
    caption(`Velocity from ${velocity.source === "joints" ? "the joint log" : "the reference"}; window: ${window.status}`),
    element("thead", {}, element("tr", {}, headCell("col", "quantity"), element("th", { scope: "col", class: "number" }, "identified"),
      truth ? element("th", { scope: "col", class: "number" }, "simulated") : null)),
    element("tbody", {}, rows.map(([quantity, value, simulated]) =>
      element("tr", {}, headCell("row", ...rowHead(quantity)), numberCell(scaled(quantity, value)), truth ? numberCell(scaled(quantity, simulated)) : null))),
  );
}

// The parameters of all laws, each once, and the mass, which every fit has. Restitution has a row of its own, since it is
// a parameter of some laws and a consequence of others.
function parameterRows(results: Pick<Results, "laws">): Pick<LawParameter, "name" | "symbol">[] {
  const named = new Map(results.laws.flatMap(({ parameters }) => parameters.map((parameter) => [parameter.name, parameter])));
  named.delete("restitution");
  return [...named.values(), { name: "mass", symbol: "m" }];
}

function unitIn(results: Pick<Results, "laws">, law: string, parameter: string): string {
  const own = results.laws.find(({ name }) => name === law)?.parameters.find(({ name }) => name === parameter);
  return own?.unit ?? (parameter === "mass" ? "kg" : "");
}

// Why the record does not tell a quantity; nothing where it does.
const UNTOLD: Record<string, string> = {
  flat: "not told: others fit as well",
  correlated: "not told: another parameter makes up for it",
  window_too_short: "not told: the record ends before it shows",
};

function doubt(identifiability: string | undefined): Node[] {
  const text = UNTOLD[identifiability ?? ""];
  return text ? [element("span", { class: "interval reason" }, text)] : [];
}

function interval(parameter: Parameter | undefined, unit: string, identifiability: string | undefined): (Node | string)[] {
  if (!parameter || !known(parameter.value)) return [DASH];
  const bounds = parameter.low === parameter.high && known(parameter.low) ? "known" : `${number(parameter.low)} to ${known(parameter.high) ? number(parameter.high) : "∞"}`;
  return [withUnit(parameter.value, unit), element("span", { class: "interval" }, bounds), ...doubt(identifiability)];
}

function restitutionCell(law: LawFit, name: string): (Node | string)[] {
  if (!known(law.restitution)) return [DASH];
  const { low, high, identifiability } = law.restitution_interval;
  const bounds = known(low) && known(high) ? [element("span", { class: "interval" }, `${number(low)} to ${number(high)}`)] : [];
  const label = RESTITUTION_LABEL[name];
  return [number(law.restitution), ...bounds, ...doubt(identifiability), ...(label ? [element("span", { class: "interval" }, cite(label))] : [])];
}

function reason(law: LawFit): Node[] {
  return law.status === "converged" || !law.message ? [] : [element("span", { class: "interval reason" }, law.message)];
}

/** Parameters, events and quality of every law fitted to a record. */
export function lawTable(results: Pick<Results, "laws">, trial: Pick<Trial, "laws" | "best">): HTMLElement {
  const laws = results.laws.map(({ name }) => name).filter((name) => trial.laws[name]);
  if (laws.length === 0) return paragraph("No law was fitted to this record.");
  const law = (name: string): LawFit => trial.laws[name]!;
  const row = (head: (Node | string)[], cell: (name: string) => (Node | string)[]): HTMLElement =>
    element("tr", {}, headCell("row", ...head), laws.map((name) => element("td", { class: "number" }, ...cell(name))));
  const value = (quantity: Quantity, get: (law: LawFit) => Maybe, digits = 4): HTMLElement =>
    row(rowHead(quantity), (name) => {
      const found = get(law(name));
      return [number(known(found) ? quantity.scale * found : found, digits)];
    });
  return tableBox(
    "Laws fitted to the trial",
    caption("Laws fitted to the record, with 95 % intervals; ★ is the best by BIC ", cite("Wang22, (sec:validate-contact-force-model)")),
    element("thead", {}, element("tr", {}, headCell("col", "quantity"), laws.map((name) =>
      element("th", { scope: "col", class: "number" }, lawLook(results, name).name, name === trial.best ? " ★" : "", LAW_LABEL[name] ? cite(LAW_LABEL[name]) : null)))),
    element("tbody", {},
      row(["fit"], (name) => [law(name).status.replaceAll("_", " "), ...reason(law(name))]),
      parameterRows(results).filter((parameter) => laws.some((name) => law(name).parameters[parameter.name])).map((parameter) =>
        row([`${parameter.name} ${parameter.symbol}`], (name) => interval(law(name).parameters[parameter.name], unitIn(results, name, parameter.name), law(name).identifiability[parameter.name]))),
      row(["restitution e ", element("span", { class: "unit" }, "[1]")], (name) => restitutionCell(law(name), name)),
      value(Q.restitutionAsymptotic, (found) => found.restitution_asymptotic),
      value(Q.impulseCompression, (found) => found.impulse_compression),
      value({ ...Q.impulseCompression, name: "measured up to the law's end of compression", symbol: "" }, (found) => found.measured_impulse_compression),
      value({ ...Q.peakTime, name: "peak" }, (found) => found.time_of_peak),
      value(Q.timeOfCompression, (found) => found.time_of_compression),
      value(Q.timeOfEnd, (found) => found.time_of_end),
      value(Q.timeOfParting, (found) => found.time_of_parting),
      value(Q.rmse, (found) => found.rmse, 3),
      value({ name: "the same over the noise of the samples", symbol: "", unit: "1", scale: 1 }, (found) => found.misfit, 3),
      row(["runs of one sign in the residual, of those in noise ", element("span", { class: "unit" }, "[1]")], (name) => [law(name).residuals ? runsText(law(name).residuals!) : DASH]),
      row(["strongest sine in the residual, share of its squares"], (name) => [law(name).residuals ? sineText(law(name).residuals!) : DASH]),
      value(Q.rSquared, (found) => found.r_squared, 5),
      value(Q.bic, (found) => found.bic)),
  );
}
