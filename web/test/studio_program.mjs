// The program of the studio and its page, for whoever tests, measures or draws them. Nothing here waits for a time: it waits
// for what the page shows or says in its own address.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { DESK, WAIT } from "./browser.mjs";

export const RECORDS = fileURLToPath(new URL("../../data/records/", import.meta.url));
export const WIDE = { width: 1440, height: 900 };
export const POINT = "robot=panda&q=0,0.4,0,-1.3,0,3.2708,0.7854&frame=panda_foot&offset=0,0,0.0223&normal=-1,0,0&drives=none";

// The program

// Those that a test which failed has not ended go with the tests.
const running = new Set();
process.once("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/** `thud studio WORDS`, as soon as it has said its address. */
export function serve(thud, ...words) {
  const child = spawn(thud, ["studio", ...words, "--no-browser"], { stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  return new Promise((done, failed) => {
    let text = "";
    child.on("exit", (code) => failed(new Error(`thud studio ended with ${code}: ${text}`)));
    child.stdout.on("data", (part) => {
      text += part;
      const address = text.match(/http:\/\/127\.0\.0\.1:(\d+)\/\S*/);
      if (address) done({ thud, child, address: address[0], port: Number(address[1]) });
    });
  });
}

const ended = (child) => (child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : new Promise((done) => child.once("exit", done)));

export async function stop({ child }, signal = "SIGINT") {
  running.delete(child);
  child.removeAllListeners("exit");
  child.kill(signal);
  await ended(child);
}

/** What a line that the page shows prints with --json. */
export const run = ({ thud }, line) => JSON.parse(execFileSync("sh", ["-c", `${line.replace(/^thud /, `'${thud}' `)} --json`], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }));
/** A text of commands that the page shows, pasted into a shell in that folder. */
export const paste = ({ thud }, text, cwd) => execFileSync("sh", ["-e", "-c", text], { cwd, env: { ...process.env, PATH: `${dirname(resolve(thud))}:${process.env.PATH}` }, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
export const refusalOf = ({ thud }, ...words) => spawnSync(thud, words, { encoding: "utf8" }).stderr.trim().replace(/^thud: /, "");

// Pages

export async function open(browser, server, hash = "", viewport = DESK, colorScheme = "light") {
  const page = await browser.newPage();
  const complaints = [], foreign = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.stack}`));
  page.on("request", (request) => new URL(request.url()).host === `127.0.0.1:${server.port}` || /^(data|blob):/.test(request.url()) || foreign.push(request.url()));
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
  await page.goto(server.address + hash);
  return { page, complaints, foreign };
}

// What a refusal leaves in the console is the browser's own line about its status; what WebGL in software leaves, one about its speed.
export async function close({ page, complaints, foreign }, allowed = /status of 4\d\d|GPU stall due to ReadPixels/) {
  assert.deepEqual(complaints.filter((text) => !allowed.test(text)), [], "console");
  assert.deepEqual(foreign, [], "network");
  await page.close();
}

export const updated = (page, more = 0) => page.waitForFunction((count) => Number(document.querySelector(".hit")?.dataset.updates ?? 0) > count, more);
export const updates = (page) => page.evaluate(() => Number(document.querySelector(".hit").dataset.updates));
export const value = (page, key) => page.evaluate((name) => new URLSearchParams(location.hash.split("?")[1]).get(name), key);
export async function eventually(look, test, what) {
  for (const end = Date.now() + WAIT; ; await new Promise((done) => setTimeout(done, 40))) {
    const now = await look();
    if (test(now)) return now;
    assert.ok(Date.now() < end, `${what}: ${JSON.stringify(now)}`);
  }
}
export const becomes = (page, key, test) => eventually(() => value(page, key), test, `${key} of the address stays`);
export const masses = (page) => page.evaluate(() => Object.fromEntries([...document.querySelectorAll("#masses tbody tr:not([hidden])")].map((row) => [row.querySelector(".model span:not(.bar-box):not(.bar-fill):not(.radio-space)").textContent, row.querySelector("td").textContent])));
export const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
export const numberOf = (text) => Number(text.replace("−", "-"));
export const same = (shown, exact, what) => assert.equal(numberOf(shown), Number(exact.toPrecision(4)), what);

export async function code(page) {
  await page.getByRole("button", { name: "Code" }).click();
  const texts = await page.locator("dialog pre").allTextContents();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  return { command: texts[0], lines: texts[0].split("\n\n").filter((line) => line.startsWith("thud")), python: texts[1] };
}

/** Files, each with a name and its content, let fall on a part of the page. */
export async function drop(page, selector, files) {
  const transfer = await page.evaluateHandle((list) => {
    const made = new DataTransfer();
    for (const { name, bytes } of list) made.items.add(new File([Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0))], name));
    return made;
  }, files.map(({ name, content }) => ({ name, bytes: Buffer.from(content).toString("base64") })));
  await page.dispatchEvent(selector, "drop", { dataTransfer: transfer });
}

export const record = (name) => ({ name, content: readFileSync(join(RECORDS, name)) });

// Where the handle of the tool, or of the normal, is on the screen.
export async function findHandle(page, which = "tool") {
  await page.locator(`canvas[data-${which}]`).waitFor();
  const { x, y } = await page.locator("canvas").boundingBox();
  const [left, top] = (await page.locator("canvas").getAttribute(`data-${which}`)).split(",").map(Number);
  return { x: x + left, y: y + top };
}

/** Drags the tool of a view that is open along a curve, in two strokes: after each the arm has followed while it is held. */
export async function drags({ page, ...opened }) {
  await updated(page);
  const before = await becomes(page, "q", (text) => text !== null);
  let flying = 0, most = 0;
  page.on("request", (request) => request.url().endsWith("/api/hit") && (most = Math.max(most, ++flying)));
  for (const event of ["requestfinished", "requestfailed"]) page.on(event, (request) => request.url().endsWith("/api/hit") && --flying);
  const at = await findHandle(page);
  const place = (i) => ({ x: at.x - i, y: at.y + Math.round(20 * Math.sin(i / 8)) }); // [px]
  await page.mouse.move(at.x, at.y);
  await page.waitForFunction(() => document.querySelector("canvas")?.style.cursor === "move");
  await page.mouse.down();
  for (const [first, last] of [[1, 30], [31, 60]]) {
    for (let i = first; i <= last; ++i) await page.mouse.move(place(i).x, place(i).y);
    await eventually(() => findHandle(page), ({ x, y }) => Math.hypot(x - place(last).x, y - place(last).y) < 6, `the tool, dragged from ${at.x}, ${at.y} to ${place(last).x}, ${place(last).y}, is at`);
  }
  await page.mouse.up();
  await becomes(page, "q", (text) => text !== before);
  assert.equal(most, 1, "requests in flight");
  await close({ page, ...opened });
}

// Memory

const GROWTH = 1.5e6; // of a tab's heap, once it is warm [bytes]
const PROGRAM_GROWTH = 8e6; // of the program; its threads each keep some [bytes]

async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
}

const memoryOf = ({ child }) => 1024 * Number(readFileSync(`/proc/${child.pid}/status`, "utf8").match(/VmRSS:\s+(\d+) kB/)[1]);

// Moves a joint to and fro for so long.
const swing = (page, seconds) => page.evaluate((end) => new Promise((done) => {
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
}), seconds);

/** Tabs that are at work for so long: neither they nor the program grow after the first half. */
export async function doNotGrow(tabs, server, seconds) {
  const half = async () => {
    await Promise.all(tabs.map(({ page }) => swing(page, seconds / 2)));
    return { heaps: await Promise.all(tabs.map(({ page }) => heapOf(page))), program: memoryOf(server) };
  };
  const warm = await half(), hot = await half();
  const counts = await Promise.all(tabs.map(({ page }) => updates(page)));
  const grown = Math.max(...hot.heaps.map((size, i) => size - warm.heaps[i])), program = hot.program - warm.program;
  const MB = (bytes) => (bytes / 1e6).toFixed(2);
  console.log(`  ${tabs.length} tabs, ${seconds} s, ${counts.reduce((a, b) => a + b)} updates: a tab's heap is ${MB(Math.max(...hot.heaps))} MB, grown by ${MB(grown)} MB at most; the program has ${MB(hot.program)} MB, grown by ${MB(program)} MB`);
  assert.ok(grown < GROWTH, `a heap has grown by ${MB(grown)} MB`);
  assert.ok(program < PROGRAM_GROWTH, `the program has grown by ${MB(program)} MB`);
}
