// The page of a map as a reader sees it: written by thud map, opened from disk in headless Chromium.
//
//   node map.mjs THUD PICTURES
//
// THUD is the program; PICTURES is a folder for screenshots, light, dark and on a phone.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeFile, DESK, launch, openFile, PHONE, runTests } from "./browser.mjs";

const [thud, pictures] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "thud-map-"));
mkdirSync(pictures, { recursive: true });
const SIZE_LIMIT = 4e6; // bytes, of a Panda in cells of 5 cm
const WHERE = ["--frame", "panda_foot", "--offset", "0,0,0.0223"];

const browser = await launch();

function make(name, ...words) {
  const out = join(folder, name);
  execFileSync(thud, ["map", ...words, "--out", out]);
  const rows = readFileSync(join(out, "map.csv"), "utf8").trim().split("\n").filter((line) => !line.startsWith("#"));
  const titles = rows[0].split(",");
  const cells = rows.slice(1).map((row) => Object.fromEntries(row.split(",").map((text, i) => [titles[i], text === "" ? null : Number(text)])));
  return { html: join(out, "map.html"), cells, titles };
}

const sliceOf = (page) => page.evaluate(() => {
  const { x, y, z, customdata, text } = document.getElementById("chart-slice").data[0];
  return { x: [...x], y: [...y], z: z.map((row) => [...row]), customdata, text };
});

const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

const panda = make("panda", "panda", ...WHERE, "--normal=-1,0,0", "--samples", "1e6");

const tests = {
  async "slices show the numbers of the table"() {
    const opened = await openFile(browser, panda.html);
    const { page } = opened;
    assert.ok(statSync(panda.html).size < SIZE_LIMIT, `${statSync(panda.html).size} bytes`);
    console.log(`  ${(statSync(panda.html).size / 1e6).toFixed(2)} MB, ${panda.cells.length} cells`);
    const titles = await page.evaluate(() => [...document.querySelectorAll(".chart")].flatMap((box) =>
      Object.values(box._fullLayout).filter((axis) => axis?._id && axis.title?.text).map((axis) => axis.title.text)));
    assert.ok(titles.length >= 6 && titles.every((text) => /\[.+\]/.test(text)), titles.join("; "));
    for (const [axis, across, up] of [["z", "x", "y"], ["x", "y", "z"], ["y", "x", "z"]]) {
      await page.getByLabel("slice across").selectOption({ label: axis });
      const height = await page.getByLabel("height").evaluate((select) => Number(select.selectedOptions[0].textContent.replace("−", "-").replace(" m", "")));
      for (const statistic of ["least", "median", "greatest"]) {
        await page.getByLabel("show").selectOption(statistic);
        const slice = await sliceOf(page);
        const here = panda.cells.filter((cell) => Math.abs(cell[`${axis} [m]`] - height) < 1e-6);
        assert.ok(here.length > 20, `${axis} = ${height}: ${here.length} cells`);
        assert.equal(slice.z.flat().filter((value) => value !== null).length, here.filter((cell) => cell[`${statistic} [kg]`] !== null).length);
        for (const cell of here) {
          const column = slice.x.findIndex((x) => Math.abs(x - cell[`${across} [m]`]) < 1e-6);
          const row = slice.y.findIndex((y) => Math.abs(y - cell[`${up} [m]`]) < 1e-6);
          near(slice.z[row][column], cell[`${statistic} [kg]`], 1e-6 * cell[`${statistic} [kg]`]);
          assert.ok(slice.text[row][column].endsWith(`>${cell.postures} posture${Number(cell.postures) === 1 ? "" : "s"}`));
        }
      }
    }
    await closeFile(opened);
  },

  async "a click on a cell draws the arm that reaches it"() {
    const opened = await openFile(browser, panda.html);
    const { page } = opened;
    await page.getByLabel("slice across").selectOption({ label: "y" });
    const slice = await sliceOf(page);
    // a cell well away from the chosen one
    const row = Math.round(slice.y.length / 2), column = slice.z[row].findLastIndex((value) => value !== null) - 1;
    const at = await page.evaluate(({ x, y }) => {
      const box = document.getElementById("chart-slice"), { xaxis, yaxis } = box._fullLayout, edge = box.getBoundingClientRect();
      return { x: edge.left + xaxis._offset + xaxis.d2p(x), y: edge.top + yaxis._offset + yaxis.d2p(y) };
    }, { x: slice.x[column], y: slice.y[row] });
    await page.mouse.move(at.x - 3, at.y);
    await page.mouse.move(at.x, at.y);
    await page.waitForSelector("#chart-slice .hovertext");
    assert.match(await page.locator("#chart-slice .hovertext").first().textContent(), /least.*kg.*median.*kg.*greatest.*kg.*postures/);
    await page.mouse.click(at.x, at.y);
    await page.waitForFunction((title) => document.querySelector("#cell caption").textContent.includes(title), `${slice.x[column]}, `.replace("-", "−"));
    const lines = await page.evaluate(() => document.getElementById("chart-arm").data.map(({ x, y }) => ({ x: [...x], y: [...y] })));
    assert.equal(lines.length, 4); // two postures, from the side and from above
    for (const { x, y } of lines.slice(0, 2)) { // the star is in the cell, to what 16 bits of a joint leave
      near(x.at(-1), slice.x[column], 0.025 + 1e-3);
      near(y.at(-1), slice.y[row], 0.025 + 1e-3);
      near(Math.hypot(x[0], y[0]), 0, 1e-12);
    }
    await page.screenshot({ path: join(pictures, "map-light.png"), fullPage: true });
    await closeFile(opened);
  },

  async "dark, and on a phone, nothing runs over"() {
    for (const [name, viewport, scheme] of [["dark", DESK, "dark"], ["phone", PHONE, "light"]]) {
      const opened = await openFile(browser, panda.html, viewport, scheme);
      assert.ok(await opened.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth) <= 0, name);
      await opened.page.screenshot({ path: join(pictures, `map-${name}.png`), fullPage: true });
      await closeFile(opened);
    }
  },

  async "a flat arm, a map without values, a form without data"() {
    const flat = make("flat", "planar_2r", "--frame", "tip", "--normal", "1,0,0", "--model", "generalized_momentum", "--samples", "1e5");
    const opened = await openFile(browser, flat.html);
    assert.equal((await sliceOf(opened.page)).z.flat().filter((value) => value !== null).length, flat.cells.length);
    await closeFile(opened);
    const none = make("none", "planar_2r", "--frame", "tip", "--normal", "0,0,1", "--model", "generalized_momentum", "--samples", "1e4");
    const empty = await openFile(browser, none.html);
    assert.match(await empty.page.locator(".warnings").innerText(), /no posture has a value/);
    await closeFile(empty);
    const form = join(folder, "form.html");
    writeFileSync(form, readFileSync(panda.html, "utf8").replace(/(id="results">)[^<]*/, "$1nothing"));
    const blank = await openFile(browser, form);
    assert.match(await blank.page.locator("main").innerText(), /empty form/);
    await closeFile(blank);
  },
};

const status = await runTests(tests);
await browser.close();
rmSync(folder, { recursive: true, force: true });
process.exit(status);
