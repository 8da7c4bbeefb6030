// A dataset judged: open one, or simulate a small campaign; the report's sections inside.
import type { Campaign, File as Opened } from "../../generated/studio";
import type { Results } from "../../generated/results";
import { dropCharts, startCharts } from "../chart";
import { report } from "../report";
import { element, paragraph } from "../text";
import { formatAddress, lastAddress, listText, writeAddress } from "./address";
import { Away, get, LOST, work } from "./api";
import { commandLine, python, type Code } from "./code";
import type { Context, View } from "./context";
import { button, choice, group, notice, numberField, progressBar } from "./controls";
import { acceptDrops, addFiles, dropZone, openOnly } from "./drop";
import { chartsPicture } from "./picture";

interface Wanted {
  speeds: number[]; // [m/s]
  repeats: number;
  seed: number;
  configurations: string[];
}

type Question = { dataset: string } | { campaign: Wanted };

// A file, studied in Python; what really happened is known of a simulated one.
const studyLines = (name: string): string[] => [
  `reader = thud.DatasetReader(${python(name)})`,
  "study = thud.study(reader.dataset(), [reader.truth(trial) for trial in reader.finished])",
  `thud.write_report(study, ${python(name)}, "study")  # report.html, results.json, tables`,
];

export function studyView(context: Context): View {
  const { studio } = context;
  const files = new Map<string, Opened>(studio.files.filter(({ kind }) => kind === "dataset").map((file) => [file.id, file]));
  let shown: Question | null = null; // what the report is of
  let asked: Question | null = null; // what is computed
  let running: AbortController | null = null;
  let open = false;
  let turns = 0; // addresses that were opened: only the last counts
  let ready = false; // whether the view is as the last of them says

  const refused = notice(), refusedFiles = notice();
  const progress = progressBar("at work", () => running?.abort());
  const body = element("div", { class: "report" });
  let campaign: Campaign | null = null; // as the program proposes it
  let wanted: Wanted = { speeds: [], repeats: 0, seed: 1, configurations: [] }; // the form
  const form = element("div", {});
  const sets = choice("dataset", [], "", (id) => (id ? void ask({ dataset: id }) : fillSets()));
  const inputs = element("div", { class: "inputs", role: "group", "aria-label": "What is studied" },
    group("A dataset", dropZone("Drop a dataset (.h5) here, or choose it", ".h5,.hdf5", (chosen) => void take(chosen)), sets.box),
    group("A small campaign", element("p", { class: "hint" }, "Hits of a virtual Panda on a virtual wall, simulated and studied here."), form, button("Simulate and study", () => void ask({ campaign: copyOf(wanted) }), { class: "primary" })));
  const box = element("div", { class: "view study" }, inputs, element("div", { class: "page-part" }, refusedFiles.box, refused.box, progress.box, body));

  acceptDrops(box, (dropped) => void take(dropped));

  // Datasets that are dropped; the last of them is studied.
  async function take(dropped: File[]): Promise<void> {
    progress.show(null);
    const opened = await openOnly("dataset", "dataset", dropped, refusedFiles.say);
    if (!running) progress.hide();
    addFiles(studio.files, opened);
    for (const file of opened) files.set(file.id, file);
    const last = opened.at(-1);
    if (last) await ask({ dataset: last.id });
  }

  const datasetOf = (question: Question | null): string => (question && "dataset" in question ? question.dataset : "");
  const copyOf = (campaign: Wanted): Wanted => ({ ...campaign, speeds: [...campaign.speeds], configurations: [...campaign.configurations] });

  // The dataset that is studied, or whose report is on the screen.
  function fillSets(): void {
    sets.fill([{ value: "", text: files.size ? "choose …" : "none is open" }, ...[...files.values()].map(({ id, name }) => ({ value: id, text: name }))], datasetOf(asked ?? shown));
  }

  // What a campaign is made of.
  function fillForm(): void {
    if (!campaign) return;
    const speeds = element("input", { type: "text", autocomplete: "off", "aria-label": "speeds [m/s]", value: wanted.speeds.join(", ") });
    speeds.addEventListener("input", () => {
      const list = speeds.value.split(/[\s,;]+/).filter((text) => text).map(Number);
      const good = list.length > 0 && list.every((value) => value > 0);
      speeds.setAttribute("aria-invalid", String(!good));
      if (good) wanted.speeds = list;
    });
    const boxes = campaign.configurations.map((name) => {
      const check = element("input", { type: "checkbox", ...(wanted.configurations.includes(name) ? { checked: "" } : {}) });
      check.addEventListener("change", () => {
        wanted.configurations = campaign!.configurations.filter((each) => (each === name ? check.checked : wanted.configurations.includes(each)));
      });
      return element("label", { class: "check" }, check, ` ${name}`);
    });
    form.replaceChildren(
      element("label", { class: "field wide united" }, element("span", {}, "speeds"), speeds, element("span", { class: "unit" }, "m/s")),
      numberField("repeats", "", wanted.repeats, (value) => (wanted.repeats = value ?? 1), { min: 1, max: 20, step: 1 }).box,
      numberField("seed", "", wanted.seed, (value) => (wanted.seed = value ?? 1), { min: 1, step: 1 }).box,
      element("div", { class: "field wide", role: "group", "aria-label": "configurations" }, element("span", {}, "postures"), element("span", {}, ...boxes)));
  }

  // The address of the report; before there is one, of what is computed.
  function write(): void {
    const question = shown ?? asked;
    if (!question) writeAddress("study", {});
    else if ("dataset" in question) writeAddress("study", { dataset: question.dataset });
    else {
      const { speeds, repeats, seed, configurations } = question.campaign;
      writeAddress("study", { campaign: "1", speeds: listText(speeds), repeats: String(repeats), seed: String(seed), configurations: configurations.join(",") });
    }
  }

  async function ask(question: Question): Promise<void> {
    running?.abort();
    const own = new AbortController();
    running = own;
    asked = question;
    fillSets();
    write();
    refused.say("");
    progress.show(null);
    context.busy("study", true);
    try {
      const [path, request] = "dataset" in question ? ["/api/study", question] : ["/api/campaign", question.campaign];
      const results = await work<Results>(path, request, own.signal, progress.show);
      if (running !== own) return;
      shown = question;
      dropCharts(body);
      body.replaceChildren(...report(results));
      if (open) startCharts();
    } catch (error) {
      if (running !== own) return; // another has taken its place
      if (error instanceof Away) {
        if (!own.signal.aborted) refused.say(LOST);
      } else refused.say(own.signal.aborted ? "The computation was cancelled." : error instanceof Error ? error.message : String(error));
    } finally {
      if (running === own) {
        stopped();
        fillSets();
        write();
      }
    }
  }

  function stopped(): void {
    running = asked = null;
    progress.hide();
    context.busy("study", false);
  }

  // Links of the report lead to its sections; the address stays that of the view.
  body.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
    if (!link) return;
    event.preventDefault();
    document.getElementById(link.getAttribute("href")?.slice(1) ?? "")?.scrollIntoView();
  });

  // The chosen postures as the program writes them, a table each; what a campaign does not say is as the program has it.
  function postures({ configurations }: Wanted): string[] {
    const tables = campaign?.toml.split("\n\n").filter((part) => part.startsWith("[[configuration]]")) ?? [];
    const chosen = tables.filter((_, i) => configurations.includes(campaign!.configurations[i] ?? ""));
    return chosen.length ? chosen.flatMap((table) => ["", table.trim()]) : ["configuration = []"];
  }

  function code(): Code {
    const question = shown ?? asked ?? { campaign: wanted };
    if ("dataset" in question) {
      const name = context.nameOf(question.dataset);
      return {
        command: commandLine("study", [name], { out: "study" }),
        python: ["import thud", "", ...studyLines(name)].join("\n"),
      };
    }
    const { seed, repeats, speeds, configurations } = question.campaign;
    const lines = [`seed = ${seed}`, `repeats = ${repeats}`, `speeds = [${speeds.join(", ")}]`];
    const chosen = `campaign.replace(${lines.map((line) => line.replaceAll(" = ", "=")).join(", ")},\n    configurations=[c for c in campaign.configurations if c.name in ${JSON.stringify(configurations)}])`;
    return {
      command: ["cat > campaign.toml << 'END'", ...lines, ...postures(question.campaign), "END", commandLine("simulate", ["campaign.toml"], { out: "campaign.h5" }), commandLine("study", ["campaign.h5"], { out: "study" })].join("\n"),
      python: ["import thud", "", "campaign = thud.default_campaign()", `campaign = ${chosen}`, 'thud.simulate(campaign, "campaign.h5")', ...studyLines("campaign.h5")].join("\n"),
    };
  }

  // What another address says.
  async function start(values: URLSearchParams, proposed: Campaign): Promise<void> {
    running?.abort();
    stopped();
    refused.say("");
    const subject = studio.subject_kind === "dataset" ? studio.subject : null;
    const id = values.get("dataset") ?? (values.size === 0 ? datasetOf(shown) || subject : null) ?? "";
    const speeds = values.get("speeds")?.split(",").map(Number).filter((value) => value > 0);
    const names = values.get("configurations")?.split(",").filter((name) => proposed.configurations.includes(name));
    const known = wanted.repeats > 0 ? wanted : proposed;
    wanted = copyOf({ speeds: speeds?.length ? speeds : known.speeds, repeats: Number(values.get("repeats")) || known.repeats, seed: Number(values.get("seed") ?? known.seed), configurations: names?.length ? names : known.configurations });
    fillForm();
    fillSets();
    if (!shown && !id)
      body.replaceChildren(element("div", { class: "empty" }, element("h1", {}, "What do the data say?"), paragraph("Open a dataset, or simulate a small campaign: every trial is fitted, every claim of the paper is judged on these data, with its numbers.")));
    const question: Question | null = id ? { dataset: id } : values.get("campaign") === "1" ? { campaign: copyOf(wanted) } : null;
    if (id && !files.has(id)) {
      writeAddress("study", Object.fromEntries(values));
      refused.say("The dataset of this address is not open: drop it again.");
    } else if (question && JSON.stringify(question) !== JSON.stringify(shown)) await ask(question);
    else {
      write();
      startCharts();
    }
  }

  return {
    box,
    async open(values) {
      const turn = ++turns;
      open = true;
      // where this view was left, the form and the report are as they were, and work goes on
      if (ready && formatAddress("study", Object.fromEntries(values)) === lastAddress("study")) return startCharts();
      ready = false;
      try {
        const proposed = campaign ?? (await get<Campaign>("/api/campaign"));
        if (turn !== turns) return;
        campaign = proposed;
        ready = true;
        await start(values, proposed);
      } catch (error) {
        if (turn === turns && !(error instanceof Away)) refused.say(error instanceof Error ? error.message : String(error));
      }
    },
    close() {
      open = false;
      ++turns;
    },
    resume: () => undefined,
    recolour: () => undefined,
    code,
    async picture() {
      const made = await chartsPicture(body, null, "study", "thud-study");
      if (!made) refused.say("There is nothing to save as a picture yet: open a dataset or simulate a campaign first.");
      return made;
    },
  };
}
