// The studio as its user sees it: the program itself, its page in headless Chromium.
//
//   node studio.mjs THUD PICTURES [long]
//
// THUD is the program; PICTURES is a folder for screenshots of every view, light, dark and on a phone. With `long`, ten
// tabs for a minute and nothing else. Nothing here waits for a time: tests wait for what the page shows or says in its
// own address.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DESK, launch, PHONE, runTests } from "./browser.mjs";

const [thud, pictures, long] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "thud-studio-"));
mkdirSync(pictures, { recursive: true });
const RECORDS = fileURLToPath(new URL("../../data/records/", import.meta.url));
const WIDE = { width: 1440, height: 900 };
const WAIT = 60_000; // for a condition, on a busy machine [ms]
const GROWTH = 1.5e6; // of a tab's heap, once it is warm [bytes]
const POINT = "robot=panda&q=0,0.4,0,-1.3,0,3.2708,0.7854&frame=panda_foot&offset=0,0,0.0223&normal=-1,0,0&drives=none";

// The program

function serve(...words) {
  const child = spawn(thud, ["studio", ...words, "--no-browser"], { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((done, failed) => {
    let text = "";
    child.on("exit", (code) => failed(new Error(`thud studio ended with ${code}: ${text}`)));
    child.stdout.on("data", (part) => {
      text += part;
      const address = text.match(/http:\/\/127\.0\.0\.1:(\d+)\/\S*/);
      if (address) done({ child, address: address[0], port: Number(address[1]) });
    });
  });
}

const ended = (child) => (child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : new Promise((done) => child.once("exit", done)));

async function stop({ child }, signal = "SIGINT") {
  child.removeAllListeners("exit");
  child.kill(signal);
  await ended(child);
}

const run = (line) => JSON.parse(execFileSync("sh", ["-c", `${line.replace(/^thud /, `'${thud}' `)} --json`], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }));
const refusalOf = (...words) => spawnSync(thud, words, { encoding: "utf8" }).stderr.trim().replace(/^thud: /, "");

// Pages

async function open(browser, server, hash = "", viewport = DESK, colorScheme = "light") {
  const page = await browser.newPage();
  const complaints = [], foreign = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.stack}`));
  page.on("request", (request) => new URL(request.url()).host === `127.0.0.1:${server.port}` || /^(data|blob):/.test(request.url()) || foreign.push(request.url()));
  page.setDefaultTimeout(WAIT);
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
  await page.goto(server.address + hash);
  return { page, complaints, foreign };
}

// What a refusal leaves in the console is the browser's own line about its status.
async function close({ page, complaints, foreign }, allowed = /status of 4\d\d/) {
  assert.deepEqual(complaints.filter((text) => !allowed.test(text)), [], "console");
  assert.deepEqual(foreign, [], "network");
  await page.close();
}

const updated = (page, more = 0) => page.waitForFunction((count) => Number(document.querySelector(".hit")?.dataset.updates ?? 0) > count, more);
const updates = (page) => page.evaluate(() => Number(document.querySelector(".hit").dataset.updates));
const value = (page, key) => page.evaluate((name) => new URLSearchParams(location.hash.split("?")[1]).get(name), key);
async function eventually(look, test, what) {
  for (const end = Date.now() + WAIT; ; await new Promise((done) => setTimeout(done, 40))) {
    const now = await look();
    if (test(now)) return now;
    assert.ok(Date.now() < end, `${what}: ${JSON.stringify(now)}`);
  }
}
const becomes = (page, key, test) => eventually(() => value(page, key), test, `${key} of the address stays`);
const masses = (page) => page.evaluate(() => Object.fromEntries([...document.querySelectorAll("#masses tbody tr:not([hidden])")].map((row) => [row.querySelector(".model span:not(.bar-box):not(.bar-fill):not(.radio-space)").textContent, row.querySelector("td").textContent])));
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const numberOf = (text) => Number(text.replace("−", "-"));
const same = (shown, exact, what) => assert.equal(numberOf(shown), Number(exact.toPrecision(4)), what);

async function code(page) {
  await page.getByRole("button", { name: "Code" }).click();
  const texts = await page.locator("dialog pre").allTextContents();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  return { lines: texts[0].split("\n\n").filter((line) => line.startsWith("thud")), python: texts[1] };
}

async function drop(page, selector, files) {
  const transfer = await page.evaluateHandle((list) => {
    const made = new DataTransfer();
    for (const { name, text } of list) made.items.add(new File([text], name, { type: "text/csv" }));
    return made;
  }, files);
  await page.dispatchEvent(selector, "drop", { dataTransfer: transfer });
}

const record = (name) => ({ name, text: readFileSync(join(RECORDS, name), "utf8") });

// Where the handle of the tool is on the screen.
async function findHandle(page) {
  const { x, y } = await page.locator("canvas").boundingBox();
  const [left, top] = (await page.locator("canvas").getAttribute("data-tool")).split(",").map(Number);
  return { x: x + left, y: y + top };
}

async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
}

// Tabs that are dragged about for so long; what their heaps grow by after the first half.
async function tabs(browser, server, count, seconds) {
  const pages = [];
  for (let i = 0; i < count; ++i) pages.push(await open(browser, server, `#hit?${POINT}`));
  for (const { page } of pages) await updated(page);
  const move = (page, until) => page.evaluate((end) => new Promise((done) => {
    const slider = document.querySelector('input[type="range"][aria-label^="joint4"]');
    const begin = performance.now();
    const step = () => {
      const now = performance.now() - begin;
      slider.value = String(-1.3 + 0.5 * Math.sin(now / 300));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      if (now < 1000 * end) setTimeout(step, 30);
      else done();
    };
    step();
  }), until);
  const half = async () => {
    await Promise.all(pages.map(({ page }) => move(page, seconds / 2)));
    return Promise.all(pages.map(({ page }) => heapOf(page)));
  };
  const warm = await half();
  const hot = await half();
  const all = await Promise.all(pages.map(({ page }) => updates(page)));
  const grown = hot.map((size, i) => size - warm[i]);
  console.log(`  ${count} tabs, ${seconds} s: ${all.join(", ")} updates; heap ${(Math.max(...hot) / 1e6).toFixed(1)} MB, grown by ${(Math.max(...grown) / 1e6).toFixed(2)} MB at most`);
  for (const each of pages) await close(each);
  return Math.max(...grown);
}

const server = await serve("panda", "--port", "0");
const plain = await launch(); // without WebGL: the arm is not drawn, everything else is there
const drawn = await launch({ webgl: true, viewport: WIDE });

const tests = {
  async "hit: what is on the screen is what the commands print"() {
    const opened = await open(plain, server, `#hit?${POINT}&speed=0.15&restitution=0.2`);
    const { page } = opened;
    await updated(page);
    await page.waitForFunction(() => /m\/s/.test(document.getElementById("safe-speed").textContent) && !document.querySelector(".waiting"));
    const shown = await masses(page);
    const { lines, python } = await code(page);
    const predict = run(lines.find((line) => line.startsWith("thud predict")));
    for (const [name, option] of Object.entries(predict.options)) same(shown[name.replaceAll("_", " ")], option.effective_mass, name);
    const limit = run(lines.find((line) => line.startsWith("thud limit")));
    assert.equal(numberOf((await page.locator("#safe-speed").textContent()).replace(" m/s", "")), Number(limit.speed.toPrecision(3)));
    const { joint_velocity_jump: jump } = predict.options.composite_rigid_body;
    const profile = run(lines.find((line) => line.startsWith("thud profile")));
    same(await page.locator("#record tbody tr").first().locator("td").first().textContent(), profile.events.peak.force, "peak");
    const after = await page.locator("#jumps tbody tr td:nth-child(3)").allTextContents();
    after.forEach((text, i) => assert.ok(Math.abs(numberOf(text) - (predict.dq[i] + jump[i])) < 6e-4, `joint ${i + 1}: ${text}`));
    assert.match(python, /thud\.nearest_approach\(dynamics, 0\.15\)/);
    await close(opened);
  },

  async "hit: the elastic arm where drives are known"() {
    const opened = await open(plain, server, `#hit?${POINT.replace("none", "panda")}`);
    const { page } = opened;
    await page.waitForFunction(() => document.querySelectorAll(".forces path.curve").length === 2);
    const { lines } = await code(page);
    const profile = run(lines.find((line) => line.startsWith("thud profile panda")));
    same(await page.locator("#record tbody tr").first().locator("td").nth(1).textContent(), profile.events.peak.force, "peak");
    same((await masses(page))["elastic arm"], profile.effective_mass.compression, "mass");
    await page.getByLabel("drives").selectOption("");
    await page.waitForFunction(() => document.querySelectorAll(".forces path.curve").length === 1);
    await close(opened);
  },

  async "hit: the tool is dragged, one request at a time, and the arm follows"() {
    for (const [browser, how] of [[plain, "not drawn"], [drawn, "drawn in software"]]) {
      const opened = await open(browser, server, `#hit?${POINT}`, WIDE);
      const { page } = opened;
      await updated(page);
      const before = await becomes(page, "q", (text) => text !== null);
      let flying = 0, most = 0;
      page.on("request", (request) => request.url().endsWith("/api/hit") && (most = Math.max(most, ++flying)));
      for (const event of ["requestfinished", "requestfailed"]) page.on(event, (request) => request.url().endsWith("/api/hit") && --flying);
      const at = await findHandle(page);
      await page.mouse.move(at.x, at.y);
      assert.equal(await page.evaluate(() => document.querySelector("canvas").style.cursor), "move");
      const count = await updates(page);
      await page.mouse.down();
      const begin = performance.now();
      for (let i = 1; i <= 60; ++i) await page.mouse.move(at.x - i, at.y + Math.round(20 * Math.sin(i / 8)));
      await updated(page, count + 5);
      const seconds = (performance.now() - begin) / 1000;
      await page.mouse.up();
      await becomes(page, "q", (text) => text !== before);
      console.log(`  ${((await updates(page)) - count).toFixed(0)} updates in ${seconds.toFixed(2)} s of dragging, ${how}`);
      assert.equal(most, 1, "requests in flight");
      const away = ({ x, y }) => Math.hypot(x - at.x + 60, y - at.y - 20 * Math.sin(60 / 8)); // [px]
      await eventually(() => findHandle(page), (now) => away(now) < 6, `the tool, dragged from ${at.x}, ${at.y}, is at`);
      await close(opened);
    }
  },

  async "hit: keyboard, sliders, model and law"() {
    const opened = await open(plain, server, `#hit?${POINT}`);
    const { page } = opened;
    await updated(page);
    await becomes(page, "q", (text) => text !== null);
    let q = await value(page, "q");
    await page.getByRole("slider", { name: "joint2 [rad]" }).focus();
    await page.keyboard.press("ArrowRight");
    await becomes(page, "q", (text) => Number(text.split(",")[1]) > 0.4);
    q = await value(page, "q");
    await page.locator("canvas").focus();
    await page.keyboard.press("PageUp");
    await becomes(page, "q", (text) => text !== q);
    const before = await updates(page);
    await page.getByRole("radio", { name: "Show generalized momentum" }).check();
    await updated(page, before);
    await becomes(page, "model", (text) => text === "generalized_momentum");
    await page.getByLabel("law", { exact: true }).selectOption("hunt_crossley");
    await becomes(page, "law.exponent", (text) => Number(text) > 0);
    await page.getByLabel("what is hit").selectOption("object");
    await page.getByLabel("mass [kg]").fill("2.5");
    await becomes(page, "object-mass", (text) => text === "2.5");
    await page.getByLabel("friction").fill("0.3");
    await becomes(page, "friction", (text) => text === "0.3");
    // a number that is none is marked and changes nothing
    await page.getByLabel("friction").fill("-1");
    assert.equal(await page.getByLabel("friction").getAttribute("aria-invalid"), "true");
    assert.equal(await value(page, "friction"), "0.3");
    await close(opened);
  },

  async "hit: a point of the arm is picked"() {
    const opened = await open(plain, server, `#hit?${POINT}`);
    const { page } = opened;
    await updated(page);
    const { x, y, width, height } = await page.locator("canvas").boundingBox();
    await page.keyboard.press("p");
    assert.equal(await page.getByRole("button", { name: "Pick contact" }).getAttribute("aria-pressed"), "true");
    for (let row = 0.25; row < 0.85 && (await page.getByRole("button", { name: "Pick contact" }).getAttribute("aria-pressed")) === "true"; row += 0.06)
      for (let column = 0.3; column < 0.7; column += 0.08) await page.mouse.click(x + column * width, y + row * height);
    await becomes(page, "frame", (text) => text !== null && text !== "panda_foot");
    const normal = (await value(page, "normal")).split(",").map(Number);
    assert.ok(Math.abs(Math.hypot(...normal) - 1) < 1e-3, normal.join());
    await close(opened);
  },

  async "hit: slow motion plays and ends where it began"() {
    const opened = await open(plain, server, `#hit?${POINT}&object-mass=1`);
    const { page } = opened;
    await updated(page);
    await page.getByRole("button", { name: "Play" }).click();
    await page.waitForFunction(() => /times slower/.test(document.querySelector(".clock").textContent));
    await page.waitForFunction(() => document.querySelector(".forces .cursor").getAttribute("visibility") === "visible");
    await page.getByRole("button", { name: "Stop" }).click();
    await page.waitForFunction(() => document.querySelector(".clock").textContent === "");
    await close(opened);
  },

  async "an address restores its view"() {
    const opened = await open(plain, server, `#hit?${POINT}&law=maxwell&law.stiffness=250000&model=algebraic&speed=0.2`);
    await updated(opened.page);
    await becomes(opened.page, "view", (text) => text !== null);
    const again = await open(plain, server, new URL(opened.page.url()).hash);
    await updated(again.page);
    assert.deepEqual(await masses(again.page), await masses(opened.page));
    assert.equal(await again.page.getByLabel("law", { exact: true }).inputValue(), "maxwell");
    assert.equal(await again.page.getByRole("radio", { name: "Show algebraic" }).isChecked(), true);
    assert.equal(new URL(again.page.url()).search, "", "the token stays in the address bar");
    await close(again);
    await close(opened);
  },

  async "what the program refuses is shown in its words"() {
    const opened = await open(plain, server, `#hit?${POINT}`);
    const { page } = opened;
    await updated(page);
    await page.getByLabel("on", { exact: true }).selectOption("panda_link0");
    const said = page.locator(".hit .refusal");
    await said.waitFor();
    const words = refusalOf("predict", "panda", "--q=0,0.4,0,-1.3,0,3.2708,0.7854", "--frame=panda_link0", "--offset=0,0,0.0223", "--normal=-1,0,0", "--speed=0.12", "--restitution=0");
    assert.equal(await said.textContent(), words);
    await page.getByLabel("on", { exact: true }).selectOption("panda_foot");
    await said.waitFor({ state: "hidden" });
    await close(opened);
  },

  async "fit: records are dropped, the law is found, the window moved, the numbers exported"() {
    const opened = await open(plain, server, "#fit");
    const { page } = opened;
    await page.getByText("Which law is behind a record?").waitFor();
    await drop(page, ".view.fit", [record("viscoelastic.csv"), record("spring.csv")]);
    await page.getByRole("heading", { name: "viscoelastic.csv" }).waitFor();
    const exact = run(`thud fit '${join(RECORDS, "viscoelastic.csv")}' --speed 0.12`).records[0];
    assert.match(await page.locator(".fit-head p").textContent(), new RegExp(`Best by BIC: ${exact.best}`));
    await page.waitForFunction(() => document.querySelectorAll("#chart-laws .scatterlayer .trace").length >= 8);
    const table = await page.locator(".fit-results table").innerText();
    for (const key of ["value", "low", "high"]) assert.ok(table.includes(exact.laws.viscoelastic.parameters.mass[key].toPrecision(4)), `mass ${key}`);
    const curve = await page.evaluate(() => document.getElementById("chart-laws").data.filter(({ name }) => name === "viscoelastic").map(({ y }) => Math.max(...y)));
    assert.ok(curve[0] > 100 && curve[1] < 30, `curve and residual: ${curve.join()}`);
    const save = async (name) => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
      return readFileSync(await download.path(), "utf8");
    };
    assert.match(await save("Table as CSV"), /viscoelastic\.csv,viscoelastic,best,converged,stiffness,\d/);
    const json = JSON.parse(await save("JSON"));
    assert.deepEqual(json.records[0].laws.viscoelastic.parameters, exact.laws.viscoelastic.parameters);
    assert.ok(!("studio" in json.records[0]));
    await page.getByText("Simulator parameters").click();
    await page.getByRole("button", { name: "Translate" }).click();
    await page.waitForFunction(() => /solref/.test(document.querySelector(".translation pre")?.textContent ?? ""));
    await page.getByLabel("to [s]").fill("0.006");
    await becomes(page, "to", (text) => text === "0.006");
    await page.waitForFunction(() => /to 0\.00[56]\d* s/.test(document.querySelector(".fit-head p").textContent));
    await page.getByRole("button", { name: "spring.csv", exact: true }).click();
    await page.getByRole("heading", { name: "spring.csv" }).waitFor();
    const { lines } = await code(page);
    assert.match(lines[0], /^thud fit viscoelastic\.csv spring\.csv --speed 0\.12 --to 0\.006$/);
    // what is no record is refused, and the others stay
    const bad = join(folder, "bad.csv");
    writeFileSync(bad, "time,force\n0,1\nx,2\n");
    await drop(page, ".view.fit", [{ name: "bad.csv", text: readFileSync(bad, "utf8") }]);
    await page.locator(".fit .refusal").waitFor();
    assert.equal((await page.locator(".fit .refusal").textContent()).replaceAll(bad, "bad.csv"), refusalOf("info", bad).replaceAll(bad, "bad.csv"));
    assert.equal(await page.locator(".files li").count(), 2);
    await close(opened);
  },

  async "map: computed in the background, sliced, and a cell puts the arm into its posture"() {
    const opened = await open(plain, server, "#map?robot=panda&samples=20000&cell=0.15");
    const { page } = opened;
    await page.getByRole("button", { name: "Compute the map" }).click();
    await page.waitForFunction(() => Number(document.querySelector(".view.map").dataset.cells) > 10);
    const slice = await page.evaluate(() => document.querySelector(".view.map").dataset.cells);
    await page.getByLabel("slice across").selectOption({ label: "z" });
    await page.waitForFunction((old) => document.querySelector(".view.map").dataset.cells !== old, slice);
    const posture = await page.evaluate(() => document.querySelector(".view.map").dataset.posture);
    const { x, y, width, height } = await page.locator("canvas").boundingBox();
    const cell = await value(page, "cell-at");
    for (let row = 0.3; row < 0.8 && (await value(page, "cell-at")) === cell; row += 0.07)
      for (let column = 0.3; column < 0.7; column += 0.07) await page.mouse.click(x + column * width, y + row * height);
    await becomes(page, "cell-at", (text) => text !== cell);
    assert.notEqual(await page.evaluate(() => document.querySelector(".view.map").dataset.posture), posture);
    const restored = new URL(page.url()).hash;
    const shown = await page.locator(".cell-table").innerText();
    // the posture reaches the cell, by the program's own kinematics
    const q = (await page.evaluate(() => document.querySelector(".view.map").dataset.posture)).split(",");
    const { position } = run(`thud predict panda --q=${q.join(",")} --speed 0.1 --frame panda_foot --offset 0,0,0.0223 --normal=-1,0,0`);
    (await value(page, "cell-at")).split(",").forEach((centre, i) => assert.ok(Math.abs(Number(centre) - position[i]) < 0.076, `${centre} and ${position[i]}`));
    await page.getByRole("button", { name: "Hit from here" }).click();
    await updated(page);
    assert.deepEqual((await value(page, "q")).split(",").map((text) => Number(text).toFixed(3)), q.map((text) => Number(text).toFixed(3)));
    await close(opened);
    const again = await open(plain, server, restored);
    await again.page.waitForFunction((text) => document.querySelector(".cell-table")?.innerText === text, shown);
    // long work is cancelled
    await again.page.getByLabel("postures", { exact: true }).fill("50000000");
    await again.page.getByRole("button", { name: "Compute anew" }).click();
    await again.page.getByRole("button", { name: "Cancel" }).click();
    await again.page.getByText("The map was cancelled.").waitFor();
    await close(again);
  },

  async "study: a small campaign, the report inside, and a cancelled one"() {
    const opened = await open(plain, server, "#study");
    const { page } = opened;
    await page.getByLabel("speeds [m/s]").fill("0.12");
    await page.getByLabel("repeats").fill("1");
    for (const name of ["two", "three"]) await page.getByLabel(name, { exact: true }).uncheck();
    await page.getByRole("button", { name: "Simulate and study" }).click();
    await page.getByRole("heading", { name: "Verdicts" }).waitFor();
    await page.waitForFunction(() => document.querySelectorAll("#chart-trial .main-svg").length > 0);
    assert.match(await page.locator(".report header").innerText(), /1 trial/);
    await page.getByRole("link", { name: "One trial" }).click();
    assert.match(page.url(), /#study\?/);
    await page.getByLabel("repeats").fill("20");
    await page.getByRole("button", { name: "Simulate and study" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("The computation was cancelled.").waitFor();
    await close(opened);
  },

  async "pictures: SVG and PNG of what is seen"() {
    const opened = await open(drawn, server, `#hit?${POINT}`, { width: 900, height: 700 });
    const { page } = opened;
    await updated(page);
    const [svg] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save picture as SVG" }).click()]);
    assert.match(readFileSync(await svg.path(), "utf8"), /^<svg[^]*<image[^]*data:image\/png[^]*time from first touch[^]*<\/svg>$/);
    const [png] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save picture as PNG" }).click()]);
    const bytes = readFileSync(await png.path());
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
    assert.ok(bytes.length > 20_000, `${bytes.length} bytes`);
    await close(opened);
  },

  async "every view, light, dark and on a phone: nothing runs over, everything has a name"() {
    for (const [name, hash, ready] of [
      ["hit", `#hit?${POINT.replace("none", "panda")}`, () => document.querySelectorAll(".forces path.curve").length === 2],
      ["map", "#map?robot=panda&samples=100000&cell=0.08&computed=1", () => document.querySelector("#chart-sections .main-svg")],
      ["study", "#study", () => document.querySelector(".report h1")],
      ["fit", "#fit", () => document.querySelector(".fit h1")],
    ])
      for (const [look, viewport, scheme] of [["light", WIDE, "light"], ["dark", WIDE, "dark"], ["phone", PHONE, "light"]]) {
        const opened = await open(drawn, server, hash, viewport, scheme);
        const { page } = opened;
        await page.waitForFunction(ready);
        if (name === "fit") {
          await drop(page, ".view.fit", [record("viscoelastic.csv")]);
          await page.waitForFunction(() => document.querySelector("#chart-laws .main-svg"));
        }
        assert.ok((await overflow(page)) <= 0, `${name} ${look}: runs over by ${await overflow(page)}`);
        const faults = await page.evaluate(() => [
          ...[...document.querySelectorAll("input, select, textarea")].filter((input) => !input.getAttribute("aria-label") && !input.labels?.length).map((input) => `input without label: ${input.outerHTML}`),
          ...[...document.querySelectorAll("button, a")].filter((each) => !each.getAttribute("aria-label") && !each.textContent.trim()).map((each) => `without name: ${each.outerHTML}`),
          ...[...document.querySelectorAll("th:not([scope])")].map((cell) => `th without scope: ${cell.textContent}`),
          ...(/NaN|undefined|\bnull\b(?! space)|Infinity/.exec(document.body.innerText) ?? []),
        ]);
        assert.deepEqual(faults, [], `${name} ${look}`);
        await page.screenshot({ path: join(pictures, `studio-${name}-${look}.png`), fullPage: look === "phone" });
        await close(opened);
      }
  },

  async "the program is killed and started again: the page says so and goes on"() {
    const first = await serve("panda", "--port", "0");
    const opened = await open(plain, first, `#hit?${POINT}`);
    const { page } = opened;
    await updated(page);
    await stop(first, "SIGKILL");
    await page.getByRole("slider", { name: "joint2 [rad]" }).press("ArrowRight");
    await page.getByText("The program does not answer").waitFor();
    const second = await serve("panda", "--port", String(first.port));
    await page.getByText("The program was started anew").waitFor();
    const count = await updates(page);
    const other = await open(plain, second, `#hit?${POINT}`); // its address, opened in this browser
    await updated(page, count);
    await page.locator(".banner").waitFor({ state: "hidden" });
    await close(other);
    await page.reload();
    await updated(page);
    await close(opened, /status of 4\d\d|ERR_CONNECTION|Failed to load/);
    await stop(second);
  },

  async "two tabs do not disturb each other; a few for a while do not grow"() {
    const one = await open(plain, server, `#hit?${POINT}`), two = await open(plain, server, `#hit?${POINT.replace("0.4", "0.7")}`);
    await Promise.all([updated(one.page), updated(two.page)]);
    const before = await masses(one.page);
    assert.notDeepEqual(await masses(two.page), before);
    const count = await updates(two.page);
    await two.page.getByLabel("speed [m/s]").last().fill("0.3");
    await updated(two.page, count);
    assert.deepEqual(await masses(one.page), before);
    await close(one);
    await close(two);
    assert.ok((await tabs(plain, server, 3, 10)) < GROWTH);
  },
};

const status = await runTests(long ? { "ten tabs for a minute do not grow": async () => assert.ok((await tabs(plain, server, 10, 60)) < GROWTH) } : tests);
await plain.close();
await drawn.close();
await stop(server);
rmSync(folder, { recursive: true, force: true });
process.exit(status);
