// A dataset judged: open one, or simulate a small campaign; the report's sections inside.
import type { Campaign, File as Opened } from "../../generated/studio";
import type { Results } from "../../generated/results";
import { dropCharts, startCharts } from "../chart";
import { report } from "../report";
import { element, paragraph } from "../text";
import { listText, writeAddress } from "./address";
import { Away, get, LOST, work } from "./api";
import { commandLine, python, type Code } from "./code";
import type { Context, View } from "./context";
import { button, choice, group, notice, numberField, progressBar } from "./controls";
import { acceptDrops, addFiles, dropZone, openFiles } from "./drop";
import { chartsPicture } from "./picture";

// A file, studied in Python; what really happened is known of a simulated one.
const studyLines = (name: string): string[] => [
  `reader = thud.DatasetReader(${python(name)})`,
  "study = thud.study(reader.dataset(), [reader.truth(trial) for trial in reader.finished])",
  `thud.write_report(study, ${python(name)}, "study")  # report.html, results.json, tables`,
];

export function studyView(context: Context): View {
  const { studio } = context;
  const files = new Map<string, Opened>(studio.files.filter(({ kind }) => kind === "dataset").map((file) => [file.id, file]));
  let dataset = ""; // empty: the campaign
  let shown = ""; // what the report is of: the id of a dataset, or a campaign as JSON
  let running: AbortController | null = null;
  let open = false;

  const refused = notice();
  const progress = progressBar("at work", () => running?.abort());
  const body = element("div", { class: "report" });
  let campaign: Campaign | null = null; // as the program proposes it
  let wanted = { speeds: [] as number[], repeats: 0, seed: 1, configurations: [] as string[] };
  const form = element("div", {});
  const sets = choice("dataset", [], "", (id) => void choose(id));
  const inputs = element("div", { class: "inputs", role: "group", "aria-label": "What is studied" },
    group("A dataset", dropZone("Drop a dataset (.h5) here, or choose it", ".h5,.hdf5", (chosen) => void take(chosen)), sets.box),
    group("A small campaign", element("p", { class: "hint" }, "Hits of a virtual Panda on a virtual wall, simulated and studied here."), form, button("Simulate and study", () => void runCampaign(), { class: "primary" })));
  const box = element("div", { class: "view study" }, inputs, element("div", { class: "page-part" }, refused.box, progress.box, body));

  acceptDrops(box, (dropped) => void take(dropped));

  // Datasets that are dropped; the last of them is studied.
  async function take(dropped: File[]): Promise<void> {
    progress.show(null);
    const opened = (await openFiles(dropped, refused.say)).filter(({ kind, name }) => {
      if (kind !== "dataset") refused.say(`${name}: ${kind}: is no dataset`);
      return kind === "dataset";
    });
    if (!running) progress.hide();
    addFiles(studio.files, opened);
    for (const file of opened) files.set(file.id, file);
    const last = opened.at(-1);
    if (last && open) await choose(last.id);
  }

  function fillSets(): void {
    sets.fill([{ value: "", text: files.size ? "choose …" : "none is open" }, ...[...files.values()].map(({ id, name }) => ({ value: id, text: name }))], dataset);
  }

  async function choose(id: string): Promise<void> {
    dataset = id;
    fillSets();
    write();
    if (id) await ask(`/api/study`, { dataset: id }, id);
  }

  async function runCampaign(): Promise<void> {
    dataset = "";
    fillSets();
    write("1");
    await ask("/api/campaign", { ...wanted }, JSON.stringify(wanted));
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

  function write(simulated = shown === JSON.stringify(wanted) ? "1" : ""): void {
    const own = simulated && !dataset ? { campaign: "1", speeds: listText(wanted.speeds), repeats: String(wanted.repeats), seed: String(wanted.seed), configurations: wanted.configurations.join(",") } : {};
    writeAddress("study", { dataset, ...own });
  }

  async function ask(path: string, question: unknown, name: string): Promise<void> {
    running?.abort();
    const own = new AbortController();
    running = own;
    refused.say("");
    progress.show(null);
    try {
      const results = await work<Results>(path, question, own.signal, progress.show);
      if (!open || running !== own) return;
      shown = name;
      dropCharts(body);
      body.replaceChildren(...report(results));
      startCharts();
    } catch (error) {
      if (running !== own) return; // another has taken its place
      if (error instanceof Away) {
        if (!own.signal.aborted) refused.say(LOST);
      } else refused.say(own.signal.aborted ? "The computation was cancelled." : error instanceof Error ? error.message : String(error));
    } finally {
      if (running === own) {
        running = null;
        progress.hide();
      }
    }
  }

  // Links of the report lead to its sections; the address stays that of the view.
  body.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
    if (!link) return;
    event.preventDefault();
    document.getElementById(link.getAttribute("href")?.slice(1) ?? "")?.scrollIntoView();
  });

  // The chosen postures as the program writes them, a table each; what a campaign does not say is as the program has it.
  function postures(): string[] {
    const tables = campaign?.toml.split("\n\n").filter((part) => part.startsWith("[[configuration]]")) ?? [];
    const chosen = tables.filter((_, i) => wanted.configurations.includes(campaign!.configurations[i] ?? ""));
    return chosen.length ? chosen.flatMap((table) => ["", table.trim()]) : ["configuration = []"];
  }

  function code(): Code {
    const name = files.get(dataset)?.name;
    if (name)
      return {
        command: commandLine("study", [name], { out: "study" }),
        python: ["import thud", "", ...studyLines(name)].join("\n"),
      };
    const lines = [`seed = ${wanted.seed}`, `repeats = ${wanted.repeats}`, `speeds = [${wanted.speeds.join(", ")}]`];
    const chosen = `campaign.replace(${lines.map((line) => line.replaceAll(" = ", "=")).join(", ")},\n    configurations=[c for c in campaign.configurations if c.name in ${JSON.stringify(wanted.configurations)}])`;
    return {
      command: ["cat > campaign.toml << 'END'", ...lines, ...postures(), "END", commandLine("simulate", ["campaign.toml"], { out: "campaign.h5" }), commandLine("study", ["campaign.h5"], { out: "study" })].join("\n"),
      python: ["import thud", "", "campaign = thud.default_campaign()", `campaign = ${chosen}`, 'thud.simulate(campaign, "campaign.h5")', ...studyLines("campaign.h5")].join("\n"),
    };
  }

  return {
    box,
    async open(values) {
      open = true;
      const subject = studio.subject_kind === "dataset" ? studio.subject : null;
      const id = values.get("dataset") ?? (values.size === 0 ? dataset || subject : null) ?? "";
      try {
        campaign ??= await get<Campaign>("/api/campaign");
        const { configurations } = campaign;
        const speeds = values.get("speeds")?.split(",").map(Number).filter((value) => value > 0);
        const names = values.get("configurations")?.split(",").filter((name) => configurations.includes(name));
        const known = wanted.repeats > 0 ? wanted : { speeds: campaign.speeds, repeats: campaign.repeats, seed: campaign.seed, configurations };
        wanted = { speeds: speeds?.length ? speeds : known.speeds, repeats: Number(values.get("repeats")) || known.repeats, seed: Number(values.get("seed") ?? known.seed), configurations: names?.length ? names : known.configurations };
        fillForm();
        if (!shown && !id)
          body.replaceChildren(element("div", { class: "empty" }, element("h1", {}, "What do the data say?"), paragraph("Open a dataset, or simulate a small campaign: every trial is fitted, every claim of the paper is judged on these data, with its numbers.")));
        fillSets();
        if (id && !files.has(id)) refused.say("The dataset of this address is not open: drop it again.");
        else if (id && shown !== id) await choose(id);
        else if (!id && values.get("campaign") === "1" && shown !== JSON.stringify(wanted)) await runCampaign();
        else {
          dataset = id;
          fillSets();
          write();
          startCharts();
        }
      } catch (error) {
        if (!(error instanceof Away)) refused.say(error instanceof Error ? error.message : String(error));
      }
    },
    close() {
      open = false;
      running?.abort();
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
