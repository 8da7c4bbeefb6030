// Which law is behind a force record: drop files, see the window and the laws with their bands, read the parameters.
import type { Fit, FitRecord, File as Opened, Translate } from "../../generated/studio";
import type { Results, Trial } from "../../generated/results";
import { chart, dropCharts, level, line, milliseconds, panels, startCharts, type Data } from "../chart";
import { known, numbers, type Maybe } from "../maybe";
import { element, number, paragraph, plain, withUnit } from "../text";
import { lawLookOf, variable, type Look, type Theme } from "../theme";
import { lawTable, stack } from "../trial";
import { writeAddress } from "./address";
import { Away, closeFile, post, work } from "./api";
import { commandLine, python, type Code, type Options } from "./code";
import type { Context, View } from "./context";
import { button, choice, group, keepFocus, notice, numberField, progressBar, warningList, type Field } from "./controls";
import { acceptDrops, dropZone, openOnly } from "./drop";
import { words } from "./hit_results";
import { latest } from "./latest";
import { chartsPicture, save } from "./picture";

interface FitState {
  files: string[]; // ids
  chosen: number;
  speed: number; // of approach [m/s]
  mass: number | null; // null: fitted
  contact: number | null;
  from: number | null; // [s]
  to: number | null;
  timeColumn: string;
  forceColumn: string;
  unit: string;
  simulator: string;
}

const QUIET = 350; // after the last change [ms]

const optional = (values: URLSearchParams, key: string): number | null => {
  const value = Number(values.get(key) ?? NaN);
  return values.get(key) && Number.isFinite(value) ? value : null;
};

export function fitView(context: Context): View {
  const { studio } = context;
  const files = new Map<string, Opened>(studio.files.filter(({ kind }) => kind === "record").map((file) => [file.id, file]));
  let state: FitState = { files: [], chosen: 0, speed: 0.12, mass: null, contact: null, from: null, to: null, timeColumn: "", forceColumn: "", unit: "", simulator: studio.simulators[0] ?? "mujoco" };
  let answer: Fit | null = null;
  let quiet = 0;
  let open = false;

  const refused = notice(), refusedFiles = notice();
  const progress = progressBar("fitting", () => {
    running.cancel();
    progress.hide();
    refused.say("The fit was cancelled.");
  });
  const list = element("ul", { class: "files", "aria-label": "Records" });
  const results = element("div", { class: "fit-results" });
  const inputs = element("div", { class: "inputs", role: "group", "aria-label": "The record and its options" });
  const box = element("div", { class: "view fit" }, inputs, element("div", { class: "page-part" }, refusedFiles.box, refused.box, progress.box, results));
  acceptDrops(box, (dropped) => void take(dropped));

  // Records of the address may be open no more; they keep their place until they are dropped again.
  const opened = (now: FitState): string[] => now.files.filter((id) => files.has(id));
  const sayAbsent = (): void => refused.say(state.files.filter((id) => !files.has(id)).map((id) => `${id}: not open: drop it again`).join("\n"));

  const running = latest<FitState, Fit>({
    patience: 0,
    send: (now, signal) => work<Fit>("/api/fit", { records: opened(now), ...options(now) }, signal, (share) => progress.show(share)),
    answered(found) {
      progress.hide();
      sayAbsent();
      answer = found;
      show();
    },
    failed(error) {
      progress.hide();
      if (error instanceof Away) return;
      answer = null;
      show();
      refused.say(error instanceof Error ? error.message : String(error));
    },
  });

  async function take(dropped: File[]): Promise<void> {
    const taken = await openOnly("record", "force record", dropped, refusedFiles.say);
    if (taken.length === 0) return;
    for (const file of taken) files.set(file.id, file);
    const held = state.files;
    state.files = [...new Set([...held, ...taken.map(({ id }) => id)])];
    state.chosen = state.files.indexOf(taken[0]!.id);
    if (state.files.length > held.length) state.from = state.to = state.contact = null;
    changed(0);
  }

  function changed(after = QUIET): void {
    writeAddress("fit", addressOf(state));
    for (const sync of syncs) sync();
    fillList();
    window.clearTimeout(quiet);
    quiet = window.setTimeout(() => {
      if (!open) return;
      if (opened(state).length) running.ask({ ...state });
      else {
        running.cancel();
        answer = null;
        show();
      }
    }, after);
  }

  // inputs
  const syncs: (() => void)[] = [];
  const bind = <Value>(field: Field<Value>, value: () => Value): HTMLElement => {
    syncs.push(() => field.set(value()));
    return field.box;
  };
  const change = (apply: () => void): void => {
    apply();
    changed();
  };
  const text = (label: string, key: "timeColumn" | "forceColumn" | "unit", placeholder: string): HTMLElement => {
    const input = element("input", { type: "text", placeholder, autocomplete: "off", spellcheck: "false", "aria-label": label });
    input.addEventListener("change", () => change(() => (state[key] = input.value.trim())));
    syncs.push(() => document.activeElement !== input && (input.value = state[key]));
    return element("label", { class: "field wide" }, element("span", {}, label), input);
  };
  const zone = dropZone("Drop CSV files here, or choose them", ".csv,.tsv,.txt,.dat", (chosen) => void take(chosen));
  inputs.append(
    group("Records", zone, list),
    group("The hit",
      bind(numberField("approach speed", "m/s", state.speed, (value) => change(() => (state.speed = value ?? 0.12)), { above: 0 }), () => state.speed),
      bind(numberField("mass", "kg", state.mass, (value) => change(() => (state.mass = value)), { above: 0, optional: true }), () => state.mass),
      element("p", { class: "hint" }, "Without a mass it is fitted.")),
    group("Window",
      bind(numberField("from", "s", state.from, (value) => change(() => (state.from = value)), { optional: true }), () => state.from),
      bind(numberField("to", "s", state.to, (value) => change(() => (state.to = value)), { optional: true }), () => state.to),
      bind(numberField("contact", "", state.contact, (value) => change(() => (state.contact = value)), { min: 1, optional: true, step: 1 }), () => state.contact),
      button("Found by itself", () => change(() => (state.from = state.to = state.contact = null)))),
    group("Columns", text("time", "timeColumn", "by the header"), text("force", "forceColumn", "by the header"), text("units", "unit", "time=ms,force=kN")),
  );

  const fillList = (): void => keepFocus(list, () => {
    list.replaceChildren(...state.files.map((id, i) => {
      const name = files.get(id)?.name ?? id;
      const pick = button(name, () => {
        state.chosen = i;
        writeAddress("fit", addressOf(state));
        fillList();
        show();
      }, { class: "file", "aria-label": name, "aria-pressed": String(i === state.chosen) });
      return element("li", {}, pick, button("×", () => {
        state.files = state.files.filter((_, k) => k !== i);
        state.chosen = Math.max(0, Math.min(state.chosen, state.files.length - 1));
        if (id !== studio.subject && files.delete(id)) closeFile(id);
        sayAbsent();
        changed(0);
        (list.querySelectorAll<HTMLElement>(".remove")[Math.min(i, state.files.length - 1)] ?? zone.querySelector("input"))?.focus();
      }, { class: "remove", "aria-label": `Leave out ${name}` }));
    }));
  });

  const shownRecord = (): FitRecord | undefined => answer?.records.find(({ studio: { file } }) => file === state.files[state.chosen]);

  function show(): void {
    dropCharts(results);
    const record = shownRecord();
    const chosen = state.files[state.chosen] ?? "";
    const refusal = answer?.studio.refused[chosen];
    const warnings = [...(answer?.warnings ?? []).filter((text) => text !== refusal), ...(record?.warnings ?? [])];
    const warned = warnings.length ? [warningList(warnings)] : [];
    if (!record && refusal) {
      results.replaceChildren(element("header", { class: "fit-head" }, element("h1", {}, files.get(chosen)?.name ?? chosen), element("p", { class: "refusal" }, refusal)), ...warned);
      return;
    }
    if (!record) {
      results.replaceChildren(element("div", { class: "empty" }, element("h1", {}, "Which law is behind a record?"),
        paragraph("Drop force records (CSV with a column of time and one of force) anywhere on this page. The contact is found, every contact law is fitted to it, and the parameters come with 95 % intervals.")));
      return;
    }
    const overview = chart("chart-record", "The record and its window", ["The whole record; the band is the contact that was found, or that you chose. Pull along the time axis to choose another stretch."],
      (width, colours) => overviewPanel(record, state, width, colours), undefined, ([low, high]) => change(() => {
        state.from = Number((low / 1000).toPrecision(6));
        state.to = Number((high / 1000).toPrecision(6));
      }));
    const laws = chart("chart-laws", "Fitted laws", ["The samples of the contact and every law whose fit converged. The dark band about each holds that law's curve itself with 95 %, as far as noise leaves its parameters open; the wide one about the best holds 95 % of the samples, if it is true. Below, what each law leaves over."],
      (width, colours) => lawPanels(record, width, colours));
    const table = lawTable({ laws: studio.laws as unknown as Results["laws"] }, { laws: record.laws as unknown as Trial["laws"], best: record.best as Trial["best"] });
    const best = record.best ? `Best by BIC: ${lawLookOf(record.best).name}.` : "No law fits this record.";
    results.replaceChildren(
      element("header", { class: "fit-head" }, element("h1", {}, record.file),
        paragraph(best, ` ${record.samples} samples at ${withUnit(record.rate, "Hz")}; noise ${withUnit(record.noise, "N", 3)}; contact from ${number(record.window?.start, 4)} to ${number(record.window?.end, 4)} s.`)),
      ...warned,
      element("div", { class: "controls" },
        button("Table as CSV", () => save(`${stem(record)}-fit.csv`, "text/csv", csv(record))),
        button("JSON", () => save(`${stem(record)}-fit.json`, "application/json", JSON.stringify(withoutStudio(answer), null, 2))), translation(record)),
      laws.figure, table, overview.figure);
    startCharts();
  }

  // Parameters of a simulator for the best law.
  function translation(record: FitRecord): HTMLElement {
    const said = element("div", { class: "translation", "aria-live": "polite" });
    const best = record.best ? record.laws[record.best] : undefined;
    const to = choice("for", studio.simulators.map((name) => ({ value: name, text: words(name) })), state.simulator, (value) => {
      state.simulator = value;
      writeAddress("fit", addressOf(state));
      void ask();
    });
    async function ask(): Promise<void> {
      if (!best || !record.best) return;
      const { mass, start: _, baseline: __, ...parameters } = best.parameters;
      try {
        const made = await post<Translate>("/api/translate", { law: record.best, ...Object.fromEntries(Object.entries(parameters).map(([name, { value }]) => [name, value])), mass: mass?.value, speed: record.speed, to: state.simulator });
        said.replaceChildren(element("pre", { tabindex: "0", "aria-label": "Simulator parameters" }, made.snippet), button("Save", () => save(`${stem(record)}-${state.simulator}.txt`, "text/plain", made.snippet)), ...(made.warnings.length ? [warningList(made.warnings)] : []));
      } catch (error) {
        said.replaceChildren(element("p", { class: "refusal" }, error instanceof Error ? error.message : String(error)));
      }
    }
    return element("details", { class: "translate" }, element("summary", {}, "Simulator parameters"), to.box, button("Translate", () => void ask()), said);
  }

  return {
    box,
    async open(values) {
      open = true;
      const wanted = [...new Set(values.get("records")?.split(",").filter((id) => id))];
      const subject = studio.subject_kind === "record" && studio.subject && files.has(studio.subject) ? [studio.subject] : [];
      const held = wanted.length ? wanted : state.files.length ? state.files : subject;
      state = {
        files: held, chosen: Math.max(0, Math.min(held.length - 1, Number(values.get("chosen") ?? state.chosen) || 0)), speed: optional(values, "speed") ?? state.speed, mass: optional(values, "mass"), contact: optional(values, "contact"),
        from: optional(values, "from"), to: optional(values, "to"), timeColumn: values.get("time-column") ?? "", forceColumn: values.get("force-column") ?? "", unit: values.get("unit") ?? "",
        simulator: values.get("to-simulator") ?? state.simulator,
      };
      sayAbsent();
      show();
      changed(0);
    },
    close() {
      open = false;
      window.clearTimeout(quiet);
      running.cancel();
      progress.hide();
    },
    resume: () => changed(0),
    recolour: () => undefined,
    code: () => code(state, opened(state).map((id) => files.get(id)!.path ?? files.get(id)!.name)),
    async picture() {
      const made = await chartsPicture(box, null, shownRecord()?.file ?? "fit", "thud-fit");
      if (!made) refused.say("There is nothing to save as a picture yet: drop a record first.");
      return made;
    },
  };
}

const stem = (record: FitRecord): string => record.file.replace(/^.*\//, "").replace(/\.\w+$/, "");

function addressOf(state: FitState): Record<string, string> {
  const text = (value: number | null): string => (value === null ? "" : String(value));
  return {
    records: state.files.join(","), chosen: state.chosen ? String(state.chosen) : "", speed: String(state.speed), mass: text(state.mass), from: text(state.from), to: text(state.to),
    contact: text(state.contact), "time-column": state.timeColumn, "force-column": state.forceColumn, unit: state.unit, "to-simulator": state.simulator,
  };
}

const options = (state: FitState): Options => ({
  speed: state.speed, mass: state.mass, contact: state.contact, from: state.from, to: state.to,
  "time-column": state.timeColumn || null, "force-column": state.forceColumn || null, unit: state.unit || null,
});

function code(state: FitState, names: string[]): Code {
  const files = names.length ? names : ["record.csv"];
  const window = [state.contact === null ? "" : `contact=${python(state.contact)}`, state.from === null ? "" : `from_=${python(state.from)}`, state.to === null ? "" : `to=${python(state.to)}`].filter((part) => part);
  const lines = [
    "import thud",
    "",
    `for file in [${files.map((name) => python(name)).join(", ")}]:`,
    `    record = thud.read_record(file${state.timeColumn ? `, time_column=${python(state.timeColumn)}` : ""}${state.forceColumn ? `, force_column=${python(state.forceColumn)}` : ""}${state.unit ? `, units=${python(state.unit)}` : ""})`,
    `    found = thud.identify(record, velocity=${python(-state.speed)}${state.mass === null ? "" : `, mass=${python(state.mass)}`}${window.map((part) => `, ${part}`).join("")})`,
    "    print(file, found.best.name if found.best else None)",
    "    print(found.to_table())",
  ];
  return { command: commandLine("fit", files, options(state)), python: lines.join("\n") };
}

function overviewPanel(record: FitRecord, state: FitState, width: number, colours: Theme) {
  const drawing = panels(width, colours, { titles: [""], x: "time of the record [ms]", y: "force [N]", height: 190, minWidth: 200, legend: [] });
  const layout = drawing.layout as Record<string, any>;
  layout["dragmode"] = "select";
  layout["selectdirection"] = "h";
  const shade = (low: number | null | undefined, high: number | null | undefined, colour: string): void => {
    if (known(low) && known(high))
      layout["shapes"].push({ type: "rect", xref: "x", yref: "paper", x0: 1000 * low, x1: 1000 * high, y0: 0, y1: 1, fillcolor: colour, opacity: 0.14, line: { width: 0 }, layer: "below" });
  };
  shade(record.window?.start, record.window?.end, variable("--blue"));
  const { force } = record.studio.record;
  const time = numbers(record.studio.record.time);
  if (state.from !== null || state.to !== null) shade(state.from ?? time[0], state.to ?? time.at(-1), variable("--grey"));
  const data: Data[] = [{ type: "scatter", mode: "lines", x: milliseconds(time), y: force, line: { color: colours.muted, width: 1.2 }, hovertemplate: "%{y:.1f} N at %{x:.2f} ms<extra></extra>", showlegend: false, ...drawing.at(0) }];
  return { data, layout: drawing.layout };
}

function lawPanels(record: FitRecord, width: number, colours: Theme) {
  const { contact, laws } = record.studio;
  const fitted = Object.entries(laws).flatMap(([name, law]) => (law ? [{ name, law, look: lawLookOf(name) }] : []));
  const drawing = panels(width, colours, { titles: ["", ""], x: "time of the record [ms]", y: ["force [N]", "residual [N]"], height: 320, minWidth: width, legend: ["record", ...fitted.map(({ look }) => look.name)] });
  stack(drawing.layout as Record<string, unknown>);
  (drawing.layout as Record<string, any>)["xaxis"].title.text = "time of the record [ms]";
  const above = drawing.at(0), below = { xaxis: "x", yaxis: "y2" };
  const x = milliseconds(numbers(contact.time));
  const best = fitted.find(({ name }) => name === record.best);
  const noise = 1.96 * (record.noise ?? 0);
  const about = (force: readonly Maybe[], half: readonly number[], look: Look, opacity: number): Data => {
    const f = numbers(force);
    return { type: "scatter", mode: "lines", x: [...x, ...[...x].reverse()], y: [...f.map((value, i) => value + half[i]!), ...f.map((value, i) => value - half[i]!).reverse()], fill: "toself", fillcolor: look.colour, opacity, line: { width: 0 }, hoverinfo: "skip", showlegend: false, legendgroup: look.name, ...above } as Data;
  };
  const data: Data[] = [
    ...(best ? [about(best.law.force, x.map(() => noise), best.look, 0.14)] : []),
    ...fitted.flatMap(({ law, look }) => (law.band ? [about(law.force, numbers(law.band), look, 0.35)] : [])),
  ];
  data.push({ type: "scatter", mode: "markers", x, y: contact.force, name: "record", marker: { size: 4, color: colours.muted, opacity: 0.7 }, ...above, hovertemplate: "%{y:.1f} N at %{x:.2f} ms<extra>record</extra>" });
  for (const { law, look } of fitted)
    data.push(
      { type: "scatter", mode: "lines", x, y: law.force, name: plain(look.name), legendgroup: look.name, line: line(look), ...above, hovertemplate: `%{y:.1f} N at %{x:.2f} ms<extra>${plain(look.name)}</extra>` },
      { type: "scatter", mode: "lines", x, y: law.residual, name: plain(look.name), legendgroup: look.name, showlegend: false, line: { ...line(look), width: 1.1 }, ...below, hovertemplate: `%{y:.2f} N<extra>${plain(look.name)}</extra>` },
    );
  level(drawing, 1, 0, "", colours);
  return { data, layout: drawing.layout };
}

// What thud fit --json prints: without what only the page needs.
function withoutStudio(answer: Fit | null): unknown {
  if (!answer) return null;
  const { studio: _, ...printed } = answer;
  return { ...printed, records: answer.records.map(({ studio: __, ...record }) => record) };
}

function csv(record: FitRecord): string {
  const cell = (value: number | null | undefined): string => (known(value) ? String(value) : "");
  const rows = Object.entries(record.laws).flatMap(([law, fit]) =>
    Object.entries(fit.parameters).map(([name, { value, low, high }]) => [record.file, law, law === record.best ? "best" : "", fit.status, name, cell(value), cell(low), cell(high)].map((text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(",")));
  return `# thud studio: ${record.file}, speed ${record.speed} m/s\nfile,law,best,status,parameter,value,low,high\n${rows.join("\n")}\n`;
}
