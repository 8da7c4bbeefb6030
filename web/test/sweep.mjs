// The page of a sweep as a reader sees it: written by thud sweep, opened from disk in headless Chromium.
//
//   node sweep.mjs THUD PICTURES
//
// THUD is the program; PICTURES is a folder for screenshots, light, dark and on a phone.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { documentation, properties, readSchema } from "../schema.mjs";
import { sweepSample } from "../sweep_sample.mjs";
import { closeFile, DESK, launch, openFile, PHONE, runTests } from "./browser.mjs";
import { faults, unwritten } from "./validate.mjs";

const [thud, pictures] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "thud-sweep-"));
mkdirSync(pictures, { recursive: true });
const SIZE_LIMIT = 2.5e6; // bytes, of a page with 40 campaigns
const PLAN = `points = 4
seed = 3
${readFileSync(new URL("../../test/sweep/tiny.toml", import.meta.url), "utf8")}[range]
"joints.stiffness" = { log = [4e3, 2e4] }
"contact.stiffness" = { values = [1e6, -1] }
`;

const browser = await launch();
await browser.grantPermissions(["clipboard-read", "clipboard-write"]);

// A sweep that ran, half of whose campaigns fail; and its page filled with a sample that has something to show.
writeFileSync(join(folder, "s.toml"), PLAN);
execFileSync(thud, ["sweep", join(folder, "s.toml"), "--out", join(folder, "a.h5"), "--report", join(folder, "out")]);
const real = join(folder, "out", "report.html");
const written = JSON.parse(readFileSync(join(folder, "out", "answers.json"), "utf8"));
const sample = sweepSample();

function fill(name, data) {
  const html = join(folder, `${name}.html`);
  const text = typeof data === "string" ? data : JSON.stringify(data).replaceAll("<", "\\u003c");
  writeFileSync(html, readFileSync(real, "utf8").replace(/(id="results">)[^<]*/, (_, head) => head + text));
  return html;
}

const traces = (page, id) => page.evaluate((name) => document.getElementById(name).data.map((trace) => JSON.parse(JSON.stringify(trace))), id);
const column = (data, name) => data.columns.find((each) => each.name === name).values;
const near = (a, b) => assert.ok(Math.abs(a - b) <= 1e-9 * Math.abs(b) + 1e-12, `${a} is not ${b}`);

const tests = {
  "the library writes what the schema says, and the docs are its words"() {
    const schema = readSchema("answers");
    for (const { type, key, property } of properties(schema)) {
      assert.match(property.description ?? "", /\.$/, `${type}.${key}`);
      const number = [property.type, property.items?.type].flat().includes("number");
      assert.ok(!number || property.unit, `${type}.${key} has no unit`);
    }
    assert.deepEqual(faults(schema, written), []);
    assert.deepEqual(faults(schema, sample), []);
    assert.deepEqual(unwritten(schema, [written, sample]), []);
    const wrong = structuredClone(written);
    wrong.answers.claims[0].cor = 1;
    assert.ok(faults(schema, wrong).length);
    assert.equal(readFileSync(new URL("../../docs/answers.md", import.meta.url), "utf8"), documentation("answers"), "stale: node web/schema.mjs docs");
  },

  async "shares and campaigns are those of the answers"() {
    const html = fill("sample", sample);
    assert.ok(statSync(html).size < SIZE_LIMIT, `${statSync(html).size} bytes`);
    const opened = await openFile(browser, html);
    const { page } = opened;
    const [bars, cells] = await traces(page, "chart-claims");
    sample.answers.claims.forEach(({ claim, supported }) => {
      const at = bars.y.indexOf(claim);
      near(bars.x[at], 100 * supported.share);
      near(bars.x[at] + bars.error_x.array[at], 100 * supported.high);
      near(bars.x[at] - bars.error_x.arrayminus[at], 100 * supported.low);
      const shown = Object.fromEntries(cells.customdata[at].map((campaign, i) => [campaign, cells.z[at][i]]));
      column(sample, claim).forEach((verdict, i) => assert.equal(shown[i], verdict ? ["supported", "not supported", "not testable"].indexOf(verdict) : null));
    });
    await page.getByLabel("campaigns in the order of").selectOption("joints.stiffness");
    const [, sorted] = await traces(page, "chart-claims");
    const stiffness = sorted.customdata[0].map((campaign) => column(sample, "joints.stiffness")[campaign]);
    assert.deepEqual(stiffness, [...stiffness].sort((a, b) => a - b));
    const decided = await page.locator("#deciding tbody").innerText();
    assert.match(decided, /c1\.spring\s+50\.0 %\s+55\.6 %\s+nothing learnt/);
    assert.match(decided, /the same verdict everywhere/);
    assert.match(decided, /r1\s+95\.0 %\s+69\.4 %\s+contact\.restitution 0\.41/);
    await closeFile(opened);
  },

  async "maps take the keys that decide, until the reader chooses"() {
    const opened = await openFile(browser, fill("sample", sample));
    const { page } = opened;
    const axes = async () => [await page.getByLabel("axis across").inputValue(), await page.getByLabel("axis up").inputValue()];
    assert.equal((await axes())[0], "joints.stiffness");
    await page.getByLabel("verdict on").selectOption("r1");
    assert.equal((await axes())[0], "contact.restitution");
    await page.getByLabel("axis up").selectOption("joints.rotor_inertia");
    await page.getByLabel("verdict on").selectOption("best_matrix");
    assert.deepEqual(await axes(), ["contact.restitution", "joints.rotor_inertia"]);
    const marks = await traces(page, "chart-map");
    assert.equal(marks.reduce((sum, { x }) => sum + x.length, 0), 40);
    assert.equal(new Set(marks.map(({ marker }) => marker.symbol)).size, marks.length, "told apart without colour");
    const best = marks.find(({ name }) => name === "composite rigid body")?.customdata ?? [];
    assert.deepEqual(best, column(sample, "best_matrix").flatMap((name, i) => (name === "composite_rigid_body" ? [i] : [])));
    await closeFile(opened);
  },

  async "a click leads to the campaign, its numbers and its commands"() {
    const opened = await openFile(browser, fill("sample", sample));
    const { page } = opened;
    await page.getByLabel("axis up").selectOption("joints.rotor_inertia");
    await page.locator("#chart-map").scrollIntoViewIfNeeded();
    const [{ customdata, x, y }] = await traces(page, "chart-map");
    const at = await page.evaluate(({ x, y }) => {
      const box = document.getElementById("chart-map"), { xaxis, yaxis } = box._fullLayout, edge = box.getBoundingClientRect();
      return { x: edge.left + xaxis._offset + xaxis.d2p(x), y: edge.top + yaxis._offset + yaxis.d2p(y) };
    }, { x: x[0], y: y[0] });
    await page.mouse.move(at.x - 3, at.y);
    await page.mouse.move(at.x, at.y);
    await page.mouse.click(at.x, at.y);
    const row = column(sample, "row")[customdata[0]];
    await page.waitForFunction((title) => document.getElementById("campaign-name").textContent === title, `Campaign ${row}`);
    assert.deepEqual(await page.locator(".command code").allTextContents(), [
      `thud sweep sample.h5 --campaign ${row} > campaign_${row}.toml`, `thud simulate campaign_${row}.toml --out campaign_${row}.h5`, `thud study campaign_${row}.h5 --out campaign_${row}`]);
    await page.locator(".command button").first().click();
    await page.getByText("copied").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `thud sweep sample.h5 --campaign ${row} > campaign_${row}.toml`);
    for (const claim of sample.answers.claims) assert.match(await page.locator("#campaign-body tr", { hasText: `What ${claim.claim} says.` }).innerText(), new RegExp(column(sample, claim.claim)[customdata[0]]));
    // by keyboard, to one that failed
    await page.locator("#campaign select").focus();
    await page.keyboard.type("7");
    assert.match(await page.locator("#campaign-body").innerText(), /It failed: contact\.stiffness: -1/);
    await page.getByLabel("next campaign").focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#campaign-name").textContent(), "Campaign 8");
    await page.locator("#space button").first().click();
    assert.equal(await page.locator("#campaign-name").textContent(), "Campaign 7");
    await closeFile(opened);
  },

  async "light, dark and on a phone nothing runs over, and everything has a name"() {
    const html = fill("sample", sample);
    for (const [name, viewport, scheme] of [["light", DESK, "light"], ["dark", DESK, "dark"], ["phone", PHONE, "light"]]) {
      const opened = await openFile(browser, html, viewport, scheme);
      const { page } = opened;
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth) <= 0, name);
      const nameless = await page.evaluate(() => [...document.querySelectorAll("button, select, .chart, .table-box, section")].filter((each) =>
        !(each.getAttribute("aria-label") || each.getAttribute("aria-labelledby") || each.closest("label"))).map((each) => each.outerHTML.slice(0, 80)));
      assert.deepEqual(nameless, []);
      await page.screenshot({ path: join(pictures, `sweep-${name}.png`), fullPage: true });
      await closeFile(opened);
    }
  },

  async "a small sweep that ran, one of failures alone, one without anything, a form without data"() {
    const ran = await openFile(browser, real);
    assert.match(await ran.page.locator("header").innerText(), /2 of 4 campaigns failed/);
    assert.match(await ran.page.locator("#space").innerText(), /2\s+.*-1.*must be/);
    assert.match(await ran.page.locator("#deciding").innerText(), /nothing was learnt/);
    await closeFile(ran);
    const failed = structuredClone(sample);
    failed.answers = { ...failed.answers, claims: [], models: [], most_supported: null, failed: 40 };
    failed.columns = failed.columns.filter(({ name }) => ["row", "refined", "seed", "failure", ...sample.plan.ranges.map(({ key }) => key)].includes(name));
    failed.columns.find(({ name }) => name === "failure").values.fill("<b>no</b>");
    const none = await openFile(browser, fill("failed", failed));
    assert.match(await none.page.locator("#space").innerText(), /40\s+<b>no<\/b>/);
    assert.match(await none.page.locator("#claims").innerText(), /No campaign has a verdict/);
    await closeFile(none);
    const nothing = structuredClone(failed);
    nothing.answers.campaigns = nothing.answers.failed = 0;
    for (const each of nothing.columns) each.values = [];
    const empty = await openFile(browser, fill("nothing", nothing));
    assert.match(await empty.page.locator("#campaign").innerText(), /There is no campaign/);
    await closeFile(empty);
    const blank = await openFile(browser, fill("form", "nothing"));
    assert.match(await blank.page.locator("main").innerText(), /empty form/);
    await closeFile(blank);
  },
};

const status = await runTests(tests);
await browser.close();
rmSync(folder, { recursive: true, force: true });
process.exit(status);
