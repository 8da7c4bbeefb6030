// One way to start headless Chromium for all tests and figures.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const DESK = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };
export const WAIT = 240_000; // for a condition, on a busy machine [ms]

const QUIET = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const SOFTWARE = ["--disable-gpu", "--enable-unsafe-swiftshader"]; // WebGL without a graphics card, as a machine that has none runs it

/** A browser with a profile of its own, a folder, which goes with it. Another one: CHROMIUM=/path. `pixels`: of the screen along one of the page. */
export async function launch({ webgl = false, viewport = DESK, pixels = 1, args = [] } = {}) {
  const profile = mkdtempSync(join(tmpdir(), "thud-browser-"));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    viewport,
    deviceScaleFactor: pixels,
    args: [...QUIET, ...(webgl ? SOFTWARE : ["--disable-gpu", "--disable-software-rasterizer"]), ...args],
  });
  browser.setDefaultTimeout(WAIT);
  browser.profile = profile;
  const close = browser.close.bind(browser);
  browser.close = async () => {
    await close();
    rmSync(profile, { recursive: true, force: true });
  };
  return browser;
}

/** A page that a command wrote, from the disk, with its charts drawn. */
export async function openFile(browser, html, viewport = DESK, colorScheme = "light") {
  const page = await browser.newPage();
  const complaints = [], requests = [];
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.stack}`));
  page.on("request", (request) => requests.push(request.url()));
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
  await page.goto(pathToFileURL(html).href);
  await page.waitForSelector("main");
  await page.waitForFunction(() => [...document.querySelectorAll(".chart")].every((box) => box.querySelector("svg.main-svg")));
  return { page, complaints, requests };
}

/** It has said nothing to the console, and asked for nothing that is not in it. */
export async function closeFile({ page, complaints, requests }) {
  assert.deepEqual(complaints, [], "console");
  assert.deepEqual(requests.filter((url) => !/^(file|data|blob):/.test(url)), [], "network");
  await page.close();
}

/** Runs tests by their names, all or those of ONLY; the exit status says whether any failed. */
export async function runTests(tests) {
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
    const begin = performance.now();
    try {
      await test();
      console.log(`ok   ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
    } catch (error) {
      ++failed;
      console.log(`FAIL ${name}\n${error.stack}`);
    }
  }
  return failed ? 1 : 0;
}
