// The report page as a reader sees it: filled by the library, opened from disk in headless Chromium.
//
//   node page.mjs MAKE_PAGE [PICTURES [RESULTS.json]]
//
// MAKE_PAGE turns a results.json into a page; PICTURES is a folder for screenshots of every section, light, dark, on a
// phone and on paper, for people: no test looks at them. With RESULTS.json that study is opened too.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { DESK, launch, PHONE, runTests } from "./browser.mjs";
import { sample as makeSample, variants } from "../sample.mjs";

const [makePage, pictures, given] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "thud-page-"));
if (pictures) mkdirSync(pictures, { recursive: true });

const made = makeSample();
const sample = () => structuredClone(made);
const CHARTS = ["profiles", "law", "energy", "restitution", "spring", "spring-restitution", "impulse", "arm", "detection", "trial", "trial-residuals", "trial-energy"];
const SIZE_LIMIT = 5e6; // bytes, with 150 trials, the elastic arm of each among them

const browser = await launch();

// A page of these results, with its console messages and network requests.
async function open(name, results, viewport = DESK) {
  const json = join(folder, `${name}.json`), html = join(folder, `${name}.html`);
  writeFileSync(json, typeof results === "string" ? results : JSON.stringify(results));
  execFileSync(makePage, [json, html]);
  const page = await browser.newPage();
  const complaints = [], requests = [];
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.stack}`));
  page.on("request", (request) => requests.push(request.url()));
  await page.setViewportSize(viewport);
  const begin = performance.now();
  await page.goto(pathToFileURL(html).href);
  await page.waitForSelector("main");
  const took = performance.now() - begin;
  return { page, complaints, requests, took, size: statSync(html).size };
}

async function close({ page, complaints, requests }) {
  assert.deepEqual(complaints, [], "console");
  assert.deepEqual(requests.filter((url) => !/^(file|data|blob):/.test(url)), [], "network");
  await page.close();
}

// All charts of the page that are not hidden, once they are drawn: id, traces, points.
async function drawn(page) {
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".chart")].every((box) => box.closest("figure").hidden || box.querySelector("svg.main-svg")));
  return page.evaluate(() =>
    [...document.querySelectorAll(".chart")].filter((box) => !box.closest("figure").hidden).map((box) => ({
      id: box.id,
      traces: box.data.length,
      paths: box.querySelectorAll(".cartesianlayer .trace path").length,
      titles: Object.values(box._fullLayout).filter((axis) => axis?._id && axis.title?.text).map((axis) => axis.title.text),
    })));
}

const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

// Texts of a chart that overlap or extend beyond its edge: legend, titles, annotations, tick labels.
function clashes(page) {
  return page.evaluate(() => {
    const found = [];
    for (const box of document.querySelectorAll(".chart")) {
      if (box.closest("figure").hidden) continue;
      const edge = box.getBoundingClientRect();
      const texts = [...box.querySelectorAll(".legendtext, .annotation-text, .xtick text, .ytick text, .g-xtitle text, .g-ytitle text, [class*=xtitle], [class*=ytitle]")]
        .filter((text) => text.tagName === "text" && text.textContent.trim())
        .map((text) => ({ text: text.textContent, at: text.getBoundingClientRect() }));
      for (const { text, at } of texts)
        if (at.left < edge.left - 1 || at.right > edge.right + 1 || at.top < edge.top - 1 || at.bottom > edge.bottom + 1) found.push(`${box.id}: "${text}" is clipped`);
      for (let i = 0; i < texts.length; ++i)
        for (let j = i + 1; j < texts.length; ++j) {
          const a = texts[i].at, b = texts[j].at;
          const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left), high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
          if (wide > 2 && high > 3) found.push(`${box.id}: "${texts[i].text}" overlaps "${texts[j].text}"`);
        }
    }
    return found;
  });
}

async function photograph(page, name) {
  if (!pictures) return;
  await page.addStyleTag({ content: "nav { position: static !important }" });
  for (const id of await page.evaluate(() => [...document.querySelectorAll("section")].map((part) => part.id)))
    await page.locator(`section#${id}`).screenshot({ path: join(pictures, `${name}-${id}.png`) });
}

const tests = {
  async "every chart is drawn, with axes and units, from disk, in size"() {
    const results = sample();
    const opened = await open("full", results);
    const charts = await drawn(opened.page);
    assert.deepEqual(charts.map(({ id }) => id).sort(), CHARTS.map((name) => `chart-${name}`).sort());
    for (const { id, traces, paths, titles } of charts) {
      assert.ok(traces > 0 && paths > 0, `${id}: ${traces} traces, ${paths} paths`);
      assert.ok(titles.length >= 2 && titles.every((text) => /\[.+\]/.test(text)), `${id}: ${titles.join("; ")}`);
    }
    const again = await open("again", results); // the first one also waited for the browser to start
    const took = Math.min(opened.took, again.took);
    await close(again);
    assert.ok(opened.size < SIZE_LIMIT, `${opened.size} bytes`);
    console.log(`  ready after ${took.toFixed(0)} ms, ${(opened.size / 1e6).toFixed(2)} MB`);
    assert.deepEqual(await clashes(opened.page), []);
    await photograph(opened.page, "light");
    await opened.page.evaluate(() => window.scrollTo(0, 0));
    if (pictures) await opened.page.screenshot({ path: join(pictures, "light-top.png") });
    await close(opened);
  },

  async "verdicts come first, by word, and texts of the results are never markup"() {
    const results = sample();
    const opened = await open("verdicts", results);
    assert.equal(await opened.page.locator("section").first().getAttribute("id"), "verdicts");
    const rows = await opened.page.locator("#verdicts tr.verdict").allInnerTexts();
    assert.equal(rows.length, results.verdicts.length + results.beyond.length);
    [...results.verdicts, ...results.beyond].forEach(({ claim, verdict, why }, i) => {
      for (const text of [claim, verdict, why]) assert.ok(rows[i].includes(text), `${claim}: ${text}`);
    });
    assert.match(await opened.page.locator("header").innerText(), /simulated data[^]*<\/script>/);
    await close(opened);
  },

  async "every citation leads to an equation of the list"() {
    const opened = await open("citations", sample());
    const dead = await opened.page.evaluate(() =>
      [...document.querySelectorAll("a[href^='#']")].filter((link) => !document.getElementById(link.hash.slice(1))).map((link) => link.hash));
    assert.deepEqual(dead, []);
    const list = readFileSync(new URL("../../docs/equations.md", import.meta.url), "utf8");
    const labels = await opened.page.locator("a.cite").allInnerTexts();
    assert.ok(new Set(labels).size > 15, `${new Set(labels).size} labels`);
    for (const label of labels) assert.ok(list.includes(`| ${label} |`), label);
    assert.deepEqual(await opened.page.locator(".works dt").allInnerTexts(), ["Wang22", "Stronge00"]);
    await close(opened);
  },

  async "a chosen trial changes chart and numbers, by selector, button, keyboard and click"() {
    const results = sample();
    const opened = await open("trial", results);
    const { page } = opened;
    await drawn(page);
    const state = () => page.evaluate(() => ({
      name: document.getElementById("trial-name").textContent,
      numbers: document.getElementById("trial-numbers").innerText + document.getElementById("trial-laws").innerText,
      record: document.getElementById("chart-trial").data[0].y.slice(0, 50).join(),
      drawing: document.querySelector("#chart-trial .scatterlayer").innerHTML.length,
      energy: document.getElementById("chart-trial-energy").data[0].y.slice(0, 5).join(),
    }));
    const first = await state();
    assert.equal(first.name, `Trial ${results.trials[0].name}`);
    const changed = async (trial, what) => {
      const now = await state();
      assert.equal(now.name, `Trial ${trial.name}`, what);
      assert.equal(now.record, trial.record.force.slice(0, 50).join(), what);
      assert.equal(now.energy, trial.energy.kinetic.slice(0, 5).map((value) => 1000 * value).join(), what);
      assert.ok(now.numbers.includes(trial.peak_force.toPrecision(4)), what);
      return now;
    };
    await page.getByLabel("configuration").last().selectOption("three");
    const second = await changed(results.trials.find((t) => t.configuration === "three" && t.speed === 0.08 && t.repeat === 1), "configuration");
    assert.notEqual(second.numbers, first.numbers);
    await page.getByLabel("reference speed [m/s]").selectOption("0.15");
    await page.getByLabel("repeat").selectOption({ label: "7" });
    const chosen = results.trials.findIndex((t) => t.configuration === "three" && t.speed === 0.15 && t.repeat === 7);
    await changed(results.trials[chosen], "speed and repeat");
    await page.getByLabel("next trial").focus();
    await page.keyboard.press("Enter");
    await changed(results.trials[chosen + 1], "button");
    await page.getByLabel("repeat").focus();
    await page.keyboard.press("ArrowDown");
    await changed(results.trials[chosen + 2], "keyboard");
    const clicked = results.trials.findIndex((t) => t.configuration === "two" && t.speed === 0.18 && t.repeat === 4);
    await page.evaluate((trial) => document.getElementById("chart-restitution").emit("plotly_click", { points: [{ customdata: trial }] }), clicked);
    await changed(results.trials[clicked], "click");
    await close(opened);
  },

  async "what a law leaves over, and what a record does not tell, is seen at once"() {
    const results = sample();
    const [hum, plain] = results.trials;
    Object.assign(hum.laws.viscoelastic.residuals, { runs: 14, runs_p: 1e-30, frequency: 50, frequency_share: 0.83, resolution: 12.5,
      spectrum: hum.laws.viscoelastic.residuals.spectrum.map((share, k) => (k === 3 ? 0.83 : share)) });
    hum.laws.viscoelastic.identifiability.stiffness = "flat";
    hum.laws.viscoelastic.restitution_interval = { low: 0.0021, high: 0.3123, identifiability: "flat" };
    const opened = await open("left", results);
    const { page } = opened;
    await drawn(page);
    const said = () => page.locator("#trial-residuals").innerText();
    assert.match(await said(), /viscoelastic, leaves over has a shape of its own: runs of one sign 14 of 122, p < 0\.001; strongest sine 50\.0 Hz, 83\.0 %/);
    const line = () => page.evaluate(() => {
      const { x, y } = document.getElementById("chart-trial-residuals").data.find(({ name }) => name === "viscoelastic");
      return x[y.indexOf(Math.max(...y))];
    });
    assert.equal(await line(), 50);
    const table = await page.locator("#trial-laws").innerText();
    assert.match(table, /not told: others fit as well[^]*0\.002100 to 0\.3123[^]*not told: others fit as well/);
    await page.getByLabel("next trial").click();
    assert.match(await said(), /looks like noise/);
    assert.notEqual(await line(), 50);
    assert.equal(await page.locator("#trial-name").innerText(), `Trial ${plain.name}`);
    await close(opened);
  },

  async "selectors redraw their charts"() {
    const opened = await open("selectors", sample());
    const { page } = opened;
    await drawn(page);
    const values = (id) => page.evaluate((name) => JSON.stringify(document.getElementById(name).data.map((trace) => trace.y?.slice(0, 40))), id);
    for (const [label, part, option, charts] of [
      ["configuration", "#profiles", "two", ["chart-profiles"]],
      ["configuration", "#law", "three", ["chart-law", "chart-energy"]],
      ["inertia set", "#impulse", "panda_gaz", ["chart-impulse"]],
    ]) {
      const before = await Promise.all(charts.map(values));
      const text = await page.locator(part).innerText();
      await page.locator(part).getByLabel(label).selectOption(option);
      (await Promise.all(charts.map(values))).forEach((now, i) => assert.notEqual(now, before[i], `${charts[i]} by ${option}`));
      if (part === "#impulse") assert.notEqual(await page.locator(part).innerText(), text, "the table follows");
    }
    await close(opened);
  },

  async "a law and an option that the page has never heard of are shown"() {
    const results = sample();
    results.laws.push({ name: "kelvin_voigt", parameters: [{ name: "stiffness", symbol: "k", unit: "N/m" }, { name: "viscosity", symbol: "η", unit: "Pa s" }] });
    for (const { laws } of results.trials)
      laws.kelvin_voigt = { ...laws.maxwell, parameters: { ...laws.maxwell.parameters, viscosity: { value: 12.5, low: 11, high: 14 } } };
    for (const { predictions } of results.cells)
      for (const options of Object.values(predictions)) options.locked_wrist = { ...options.algebraic, effective_mass: 77.7 };
    const opened = await open("unknown", results);
    const { page } = opened;
    await drawn(page);
    const table = await page.locator("#trial-laws").innerText();
    assert.match(table, /kelvin voigt[^]*viscosity η[^]*12\.50 Pa s/);
    assert.match(await page.locator("#impulse tbody").innerText(), /locked wrist\s+77\.70/);
    const legends = await page.evaluate(() => ["trial", "impulse"].map((name) => [...document.querySelectorAll(`#chart-${name} .legendtext`)].map((text) => text.textContent)));
    assert.ok(legends[0].includes("kelvin voigt") && legends[1].includes("locked wrist"), legends.join("; "));
    assert.deepEqual(await clashes(page), []);
    await close(opened);
  },

  async "a chart can be saved, and sent nowhere"() {
    const opened = await open("saved", sample());
    const { page } = opened;
    await drawn(page);
    assert.equal(await page.locator(".modebar-btn").count(), 0, "Plotly's mode bar has a button that uploads the chart");
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByLabel("Save as SVG: Energy over time in the same trials").click()]);
    assert.equal(download.suggestedFilename(), "thud-energy.svg");
    assert.match(readFileSync(await download.path(), "utf8"), /^<svg[^]*kinetic[^]*<\/svg>/);
    await close(opened);
  },

  async "dark: page and charts change colours together"() {
    const opened = await open("dark", sample());
    const { page } = opened;
    await drawn(page);
    const colours = () => page.evaluate(() => ({
      paper: getComputedStyle(document.body).backgroundColor,
      font: document.getElementById("chart-law")._fullLayout.font.color,
      one: document.getElementById("chart-restitution").data[1].line.color,
    }));
    const light = await colours();
    const turned = (ink) => page.waitForFunction((colour) => document.getElementById("chart-trial-energy")._fullLayout.font.color === colour, ink);
    await page.emulateMedia({ colorScheme: "dark" });
    await turned("#e6eaee");
    const dark = await colours();
    for (const key of Object.keys(light)) assert.notEqual(dark[key], light[key], key);
    assert.deepEqual(await clashes(page), []);
    await photograph(page, "dark");
    await page.emulateMedia({ colorScheme: "light" });
    await turned("#1d2329");
    assert.deepEqual(await colours(), light);
    await close(opened);
  },

  async "phone: no sideways scrolling, nothing cut"() {
    const opened = await open("phone", sample(), PHONE);
    const { page } = opened;
    await drawn(page);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await clashes(page), []);
    await photograph(page, "phone");
    await page.setViewportSize({ width: 844, height: 390 });
    await page.waitForFunction(() => document.getElementById("chart-law")._fullLayout.width > 700);
    assert.equal(await overflow(page), 0, "turned");
    await close(opened);
  },

  async "paper: light, every chart, no controls"() {
    const opened = await open("paper", sample());
    const { page } = opened;
    await page.emulateMedia({ colorScheme: "dark" });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await page.waitForFunction(() => [...document.querySelectorAll(".chart")].every((box) => box._fullLayout?.width <= 680));
    const charts = await page.evaluate(() => [...document.querySelectorAll(".chart")].map((box) => ({
      id: box.id, drawn: box.querySelector("svg.main-svg") !== null, width: box._fullLayout?.width, ink: box._fullLayout?.font.color })));
    for (const { id, drawn: there, width, ink } of charts) {
      assert.ok(there && width <= 680, `${id}: ${there}, ${width}`);
      assert.equal(ink, "#1d2329", `${id}: dark ink on paper`);
    }
    assert.equal(await page.locator("nav").isVisible(), false);
    await page.setViewportSize({ width: 680, height: 960 });
    assert.equal(await overflow(page), 0, "wider than the paper, which would then be printed smaller");
    assert.equal(await page.locator(".controls").first().isVisible(), false);
    assert.deepEqual(await clashes(page), []);
    await page.pdf({ path: join(pictures ?? folder, "paper.pdf"), preferCSSPageSize: true, printBackground: true });
    await page.emulateMedia({ media: "screen", colorScheme: "dark" });
    await page.waitForFunction(() => document.getElementById("chart-trial-energy")._fullLayout.font.color === "#e6eaee");
    await close(opened);
  },

  async "tables and controls are labelled for screen readers"() {
    const opened = await open("names", sample());
    const faults = await opened.page.evaluate(() => [
      ...[...document.querySelectorAll("th:not([scope])")].map((cell) => `th without scope: ${cell.textContent}`),
      ...[...document.querySelectorAll("select")].filter((select) => !select.labels.length).map(() => "select without label"),
      ...[...document.querySelectorAll(".chart")].filter((box) => !box.getAttribute("aria-label")).map((box) => `${box.id} without name`),
      ...[...document.querySelectorAll("figure")].filter((box) => !box.querySelector("figcaption")?.textContent).map(() => "figure without caption"),
      ...[...document.querySelectorAll("td.number")].filter((cell) => /NaN|undefined|null|Infinity/.test(cell.textContent)).map((cell) => cell.textContent),
    ]);
    assert.deepEqual(faults, []);
    await close(opened);
  },

  async "a page without results says so"() {
    for (const [text, said] of [["", /holds no results/], ["{\"format\": \"thud results\", \"version\": 2}", /version 2/]]) {
      const opened = await open("none", text);
      assert.match(await opened.page.locator("main").innerText(), said);
      await close(opened);
    }
  },
};

for (const [name, vary] of Object.entries(variants).filter(([variant]) => variant !== "full"))
  tests[`with data missing: ${name}`] = async () => {
    const results = vary(sample());
    const opened = await open(name, results);
    const { page } = opened;
    const charts = await drawn(page);
    for (const { id, traces } of charts) assert.ok(traces > 0, id);
    assert.ok(name === "nothing" ? charts.length === 0 : charts.length >= 7, `${charts.length} charts`);
    assert.doesNotMatch(await page.locator("main").innerText(), /NaN|undefined|\bnull\b|Infinity/);
    assert.deepEqual(await clashes(page), []);
    for (const trial of results.trials.slice(0, 4).keys()) {
      await page.getByLabel("next trial").click();
      assert.equal(await page.locator("#trial-name").innerText(), `Trial ${results.trials[(trial + 1 + Math.max(0, results.trials.findIndex((t) => t.laws.viscoelastic?.curve))) % results.trials.length].name}`);
    }
    await page.setViewportSize(PHONE);
    assert.equal(await overflow(page), 0);
    await page.setViewportSize(DESK);
    await photograph(page, name);
    await close(opened);
  };

if (given)
  tests["the given results"] = async () => {
    const opened = await open("given", readFileSync(given, "utf8"));
    await drawn(opened.page);
    console.log(`  ready after ${opened.took.toFixed(0)} ms, ${(opened.size / 1e6).toFixed(2)} MB`);
    await photograph(opened.page, "given");
    assert.deepEqual(await clashes(opened.page), []);
    await close(opened);
  };

const status = await runTests(tests);
await browser.close();
rmSync(folder, { recursive: true, force: true });
process.exit(status);
