// The studio as its user sees it, with the arm drawn, by WebGL in software:
//
//   node studio_drawn.mjs THUD PICTURES
//
// PICTURES is a folder for screenshots of every view, light, dark and on a phone.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { launch, PHONE, runTests } from "./browser.mjs";
import { close, drags, drop, eventually, open, overflow, POINT, record, serve, stop, updated, WIDE } from "./studio_program.mjs";

const [thud, pictures] = process.argv.slice(2);
mkdirSync(pictures, { recursive: true });
const SMALL = { width: 900, height: 640 }; // every pixel is drawn by the processor
const server = await serve(thud, "panda", "--port", "0");
const drawn = await launch({ webgl: true });

// What a view must be when it is drawn, and what nobody could name or read on it.
const VIEWS = {
  hit: { hash: `#hit?${POINT.replace("none", "panda")}`, ready: () => document.querySelectorAll(".forces path.curve").length === 2 },
  map: { hash: "#map?robot=panda&samples=100000&cell=0.08&computed=1", ready: () => document.querySelector("#chart-sections .main-svg") },
  study: { hash: "#study", ready: () => document.querySelector(".report h1") },
  fit: { hash: "#fit", ready: () => document.querySelector(".fit h1") },
};
const faults = (page) => page.evaluate(() => [
  ...[...document.querySelectorAll("input, select, textarea")].filter((input) => !input.getAttribute("aria-label") && !input.labels?.length).map((input) => `input without label: ${input.outerHTML}`),
  ...[...document.querySelectorAll("button, a")].filter((each) => !each.getAttribute("aria-label") && !each.textContent.trim()).map((each) => `without name: ${each.outerHTML}`),
  ...[...document.querySelectorAll("th:not([scope])")].map((cell) => `th without scope: ${cell.textContent}`),
  ...(/NaN|undefined|\bnull\b(?! space)|Infinity/.exec(document.body.innerText) ?? []),
]);

const tests = {
  async "the tool is dragged where it is drawn"() {
    await drags(await open(drawn, server, `#hit?${POINT}`, SMALL));
  },

  async "pictures: SVG and PNG of what is seen"() {
    const opened = await open(drawn, server, `#hit?${POINT}`, SMALL);
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
};
for (const [name, { hash, ready }] of Object.entries(VIEWS))
  tests[`${name}, light, dark and on a phone: nothing runs over, everything has a name`] = async () => {
    const opened = await open(drawn, server, hash, WIDE);
    const { page } = opened;
    await page.waitForFunction(ready);
    if (name === "fit") {
      await drop(page, ".view.fit", [record("viscoelastic.csv")]);
      await page.waitForFunction(() => document.querySelector("#chart-laws .main-svg"));
    }
    for (const [look, viewport, colorScheme] of [["light", WIDE, "light"], ["dark", WIDE, "dark"], ["phone", PHONE, "light"]]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await eventually(() => overflow(page), (by) => by <= 0, `${look} runs over by`);
      assert.deepEqual(await faults(page), [], look);
      await page.screenshot({ path: join(pictures, `studio-${name}-${look}.png`), fullPage: look === "phone" });
    }
    await close(opened);
  };

const status = await runTests(tests);
await drawn.close();
await stop(server);
process.exit(status);
