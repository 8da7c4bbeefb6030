// The studio as its user sees it, with the arm drawn, by WebGL in software:
//
//   node studio_drawn.mjs THUD PICTURES
//
// PICTURES is a folder for screenshots of every view, light, dark and on a phone.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
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
  "study without data": { hash: "#study", ready: () => document.querySelector(".report h1") },
  study: { hash: "#study?campaign=1&speeds=0.12&repeats=1&configurations=one", ready: () => document.querySelectorAll(".report .main-svg").length > 3 },
  fit: { hash: "#fit", ready: () => document.querySelector(".fit h1") },
};
const faults = (page) => page.evaluate(() => [
  ...[...document.querySelectorAll("input, select, textarea")].filter((input) => !input.getAttribute("aria-label") && !input.labels?.length).map((input) => `input without label: ${input.outerHTML}`),
  ...[...document.querySelectorAll("button, a")].filter((each) => !each.getAttribute("aria-label") && !each.textContent.trim()).map((each) => `without name: ${each.outerHTML}`),
  ...[...document.querySelectorAll('[aria-label*="[]"]')].map((each) => `empty unit: ${each.getAttribute("aria-label")}`),
  ...[...document.querySelectorAll(".bar, .tabs, .table-box:has(.verdict), .field > span, .slider-name, .inputs, .middle, .side, .page-part, .report > nav, .report > nav > ol, dialog[open]")].filter((each) => each.scrollWidth > each.clientWidth && each.clientWidth > 0).map((each) => `cut off: ${each.className}: ${each.textContent.slice(0, 40)}`),
  ...[...document.querySelectorAll('input[type="text"]')].filter((input) => input.scrollWidth > input.clientWidth).map((input) => `cut off: ${input.getAttribute("aria-label")}: ${input.value}`),
  // an option is as wide as a selector of it alone wants to be
  ...[...document.querySelectorAll("select")].filter(({ offsetWidth }) => offsetWidth > 0).flatMap((select) => [...select.options].filter((option) => {
    const alone = select.cloneNode(false);
    alone.append(option.cloneNode(true));
    select.after(alone);
    alone.style.cssText = "position: absolute; width: max-content";
    const wide = alone.offsetWidth;
    alone.remove();
    return wide > select.offsetWidth;
  }).map((option) => `cut off: ${select.getAttribute("aria-label")}: ${option.text}`)),
  ...[...document.querySelectorAll("th:not([scope])")].map((cell) => `th without scope: ${cell.textContent}`),
  ...(/NaN|undefined|\bnull\b(?! space)|Infinity/.exec(document.body.innerText) ?? []),
]);

// How much of what a view is for is seen before anybody scrolls.
const hidden = (page) => page.evaluate(() => [...document.querySelectorAll(".stage, .force-box, .slicing, dialog[open]")].flatMap((part) => {
  let { top, bottom, height } = part.getBoundingClientRect();
  for (let around = part.parentElement; around; around = around.parentElement) {
    if (getComputedStyle(around).overflowY === "visible") continue;
    const box = around.getBoundingClientRect();
    [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
  }
  const seen = Math.min(bottom, innerHeight) - Math.max(top, 0);
  return seen < height - 1 ? [`${part.className}: ${Math.round(seen)} of ${Math.round(height)} px are seen`] : [];
}));

async function withRecord(page) {
  await drop(page, ".view.fit", [record("viscoelastic.csv")]);
  await page.waitForFunction(() => document.querySelector("#chart-laws .main-svg"));
}

const tests = {
  async "the tool is dragged where it is drawn"() {
    await drags(await open(drawn, server, `#hit?${POINT}`, SMALL));
  },

  async "meshes that the URDF names are drawn"() {
    const folder = mkdtempSync(join(tmpdir(), "thud-studio-"));
    mkdirSync(join(folder, "meshes"));
    // a slab of 0.4 x 0.4 x 0.1 m as STL: far wider than what the inertia looks like
    const corner = (i) => [i & 1 ? 0.4 : 0, i & 2 ? 0.2 : -0.2, i & 4 ? 0.05 : -0.05].join(" ");
    const faces = [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]];
    writeFileSync(join(folder, "meshes/slab.stl"), `solid slab\n${faces.map((face) => `facet normal 0 0 0\nouter loop\n${face.map((i) => `vertex ${corner(i)}\n`).join("")}endloop\nendfacet\n`).join("")}endsolid slab\n`);
    const urdf = readFileSync(new URL("../../data/robots/planar_2r.urdf", import.meta.url), "utf8");
    const link = '<link name="link2">';
    assert.ok(urdf.includes(link));
    writeFileSync(join(folder, "arm.urdf"), urdf.replace(link, `${link}<visual><geometry><mesh filename="meshes/slab.stl"/></geometry></visual>`));
    const own = await serve(thud, join(folder, "arm.urdf"), "--port", "0");
    const opened = await open(drawn, own, "", SMALL);
    const { page } = opened;
    await page.getByText("links: the meshes of the URDF").waitFor();
    await page.screenshot({ path: join(pictures, "studio-meshes.png") });
    await close(opened);
    await stop(own);
    rmSync(folder, { recursive: true, force: true });
  },

  async "pictures: SVG and PNG of what is seen, in every view"() {
    for (const [view, { hash, ready }] of Object.entries(VIEWS).filter(([name]) => name !== "study without data")) {
      const opened = await open(drawn, server, hash, SMALL);
      const { page } = opened;
      await page.waitForFunction(ready);
      if (view === "fit") await withRecord(page);
      const save = async (form) => {
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: `Save picture as ${form}` }).click()]);
        return readFileSync(await download.path());
      };
      const svg = (await save("SVG")).toString();
      assert.match(svg, { hit: /<image[^]*data:image\/png[^]*velocity before[^]*time from first touch/, map: /<image[^]*data:image\/png[^]*median effective mass[^]*position/, study: /speed/, fit: /residual/ }[view]);
      const [, width, height] = svg.match(/^<svg [^>]*?width="([\d.]+)" height="([\d.]+)"/).map(Number);
      // twice as fine, with something in every tenth of its height
      const png = await page.evaluate(async (text) => {
        const image = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))], { type: "image/png" }));
        const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true });
        canvas.drawImage(image, 0, 0);
        const parts = Array.from({ length: 10 }, (_, i) => {
          const { data } = canvas.getImageData(0, Math.floor((i * image.height) / 10), image.width, Math.floor(image.height / 10));
          const colours = new Set(new Uint32Array(data.buffer));
          return colours.size;
        });
        return { width: image.width, height: image.height, parts };
      }, (await save("PNG")).toString("base64"));
      assert.deepEqual([png.width, png.height], [2 * width, 2 * height], view);
      assert.ok(png.parts.every((colours) => colours > 3), `${view}: colours ${png.parts}`);
      await close(opened);
    }
  },
};
for (const [name, { hash, ready }] of Object.entries(VIEWS))
  tests[`${name}, light, dark, narrow and on a phone: nothing runs over, everything has a name`] = async () => {
    const opened = await open(drawn, server, hash, WIDE);
    const { page } = opened;
    await page.waitForFunction(ready);
    if (name === "fit") await withRecord(page);
    for (const [look, viewport, colorScheme] of [["light", WIDE, "light"], ["dark", WIDE, "dark"], ["narrow", SMALL, "light"], ["phone", PHONE, "light"]]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await eventually(() => overflow(page), (by) => by <= 0, `${look} runs over by`);
      assert.deepEqual(await faults(page), [], look);
      if (look !== "phone") assert.deepEqual(await hidden(page), [], look);
      await page.screenshot({ path: join(pictures, `studio-${name.replaceAll(" ", "-")}-${look}.png`), fullPage: look === "phone" });
      await page.getByRole("button", { name: "Code", exact: true }).click();
      assert.deepEqual([...(await faults(page)), ...(await hidden(page))], [], `${look}, code`);
      if (name === "study") await page.screenshot({ path: join(pictures, `studio-code-${look}.png`) });
      await page.keyboard.press("Escape");
    }
    await close(opened);
  };

const status = await runTests(tests);
await drawn.close();
await stop(server);
process.exit(status);
