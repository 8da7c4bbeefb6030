// The studio as its user sees it: the program itself, its page in headless Chromium, without WebGL: the arm is not drawn,
// everything else is there.
//
//   node studio.mjs THUD
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSchema } from "../schema.mjs";
import { launch, runTests } from "./browser.mjs";
import { becomes, close, code, doNotGrow, drags, drop, eventually, findHandle, masses, numberOf, open, paste, POINT, record, RECORDS, refusalOf, run, same, serve, stop, updated, updates, value } from "./studio_program.mjs";
import { faults } from "./validate.mjs";

const [thud] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "thud-studio-"));
const server = await serve(thud, "panda", "--port", "0");
const plain = await launch();

// A dataset of one trial.
function smallDataset() {
  const data = join(folder, "mine.h5");
  if (!existsSync(data)) {
    const plan = join(folder, "plan.toml");
    writeFileSync(plan, "repeats = 1\nspeeds = [0.15]\n[[configuration]]\nname = \"reach\"\nq = [0, 0.4, 0, -1.3, 0, 3.2708, 0.7854]\nthreshold = 1.8\n");
    run(server, `thud simulate ${plan} --out ${data}`);
  }
  return readFileSync(data);
}

const status = await runTests({
  async "hit: what is on the screen is what the commands print"() {
    const opened = await open(plain, server, `#hit?${POINT}&speed=0.15&restitution=0.2`);
    const { page } = opened;
    await updated(page);
    await page.waitForFunction(() => /m\/s/.test(document.getElementById("safe-speed")?.textContent) && !document.querySelector(".waiting"));
    const shown = await masses(page);
    const { lines, python } = await code(page);
    const predict = run(server, lines.find((line) => line.startsWith("thud predict")));
    for (const [name, option] of Object.entries(predict.options)) same(shown[name.replaceAll("_", " ")], option.effective_mass, name);
    const limit = run(server, lines.find((line) => line.startsWith("thud limit")));
    assert.equal(numberOf((await page.locator("#safe-speed").textContent()).replace(" m/s", "")), Number(limit.speed.toPrecision(3)));
    const { joint_velocity_jump: jump } = predict.options.composite_rigid_body;
    const profile = run(server, lines.find((line) => line.startsWith("thud profile")));
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
    const profile = run(server, lines.find((line) => line.startsWith("thud profile panda")));
    same(await page.locator("#record tbody tr").first().locator("td").nth(1).textContent(), profile.events.peak.force, "peak");
    same((await masses(page))["elastic arm"], profile.effective_mass.compression, "mass");
    await page.getByLabel("drives").selectOption("");
    await page.waitForFunction(() => document.querySelectorAll(".forces path.curve").length === 1);
    await close(opened);
  },

  async "hit: the tool is dragged, one request at a time, and the arm follows"() {
    await drags(await open(plain, server, `#hit?${POINT}`));
  },

  async "hit: the normal is turned by its handle, and the arm stays"() {
    const opened = await open(plain, server, `#hit?${POINT}`);
    const { page } = opened;
    await updated(page);
    const q = await becomes(page, "q", (text) => text !== null), shown = await masses(page);
    const at = await findHandle(page, "normal"), tool = await findHandle(page);
    await page.mouse.move(at.x, at.y);
    await page.waitForFunction(() => document.querySelector("canvas")?.style.cursor === "grab");
    await page.mouse.down();
    for (let i = 1; i <= 20; ++i) await page.mouse.move(at.x, at.y - 2 * i);
    await page.mouse.up();
    const normal = (await becomes(page, "normal", (text) => text !== "-1,0,0")).split(",").map(Number);
    assert.ok(Math.abs(Math.hypot(...normal) - 1) < 1e-5 && normal[2] > 0.1, `turned upwards: ${normal}`);
    assert.equal(await value(page, "q"), q);
    // the handle is seen in the direction in which it was pulled
    const now = await findHandle(page, "normal");
    const cross = (now.x - tool.x) * (at.y - 40 - tool.y) - (now.y - tool.y) * (at.x - tool.x);
    assert.ok(Math.abs(cross) < 3 * Math.hypot(at.x - tool.x, at.y - 40 - tool.y), `${[now.x, now.y]} from ${[tool.x, tool.y]}`);
    assert.notDeepEqual(await masses(page), shown);
    await close(opened);
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
    // a space scrolls a region, and plays nothing behind a dialog
    const stopped = () => page.getByRole("button", { name: "Play" }).count();
    await page.locator('.hit [role="region"][tabindex="0"]').first().focus();
    await page.keyboard.press(" ");
    assert.equal(await stopped(), 1);
    await page.getByRole("button", { name: "Code" }).click();
    await page.locator("dialog[open] pre").first().focus();
    await page.keyboard.press(" ");
    await page.keyboard.press("p");
    await page.keyboard.press("Escape");
    assert.equal(await stopped(), 1);
    assert.equal(await page.getByRole("button", { name: "Pick contact" }).getAttribute("aria-pressed"), "false");
    // a number that is none is marked and changes nothing
    await page.getByLabel("friction").fill("-1");
    assert.equal(await page.getByLabel("friction").getAttribute("aria-invalid"), "true");
    assert.equal(await value(page, "friction"), "0.3");
    await close(opened);
  },

  async "hit: a slider says its value, and what has its focus leaves the shortcuts their keys"() {
    const opened = await open(plain, server, `#hit?${POINT}`);
    const { page } = opened;
    await updated(page);
    const slider = page.getByRole("slider", { name: "joint2 [rad]" });
    const said = async () => [await slider.getAttribute("aria-valuetext"), `${Number(Number(await slider.inputValue()).toFixed(3))} rad`];
    await slider.focus();
    for (let i = 0; i < 5; ++i) await page.keyboard.press("ArrowRight");
    const [heard, is] = await said();
    assert.equal(heard, is);
    assert.notEqual(heard, "0.4 rad");
    await page.getByRole("textbox", { name: "joint2 [rad]" }).fill("0.9");
    assert.equal((await said())[0], "0.9 rad");
    await slider.focus();
    await page.keyboard.press("Shift+P");
    assert.equal(await page.getByRole("button", { name: "Pick contact" }).getAttribute("aria-pressed"), "true");
    await page.keyboard.press("Escape");
    await page.keyboard.press("o");
    assert.equal(await page.getByLabel("what is hit").inputValue(), "object");
    // a number is typed beyond the range of its slider
    await page.getByRole("textbox", { name: "speed [m/s]" }).fill("1.5");
    await becomes(page, "speed", (text) => text === "1.5");
    await close(opened);
  },

  async "hit: what is changed just before another view is opened is there when one comes back"() {
    const opened = await open(plain, server, `#hit?${POINT}`);
    const { page } = opened;
    await updated(page);
    await becomes(page, "q", (text) => text !== null);
    await page.evaluate(() => {
      const friction = document.querySelector('[aria-label="friction"]');
      friction.value = "0.7";
      friction.dispatchEvent(new Event("input", { bubbles: true }));
      [...document.querySelectorAll(".tab")].find((tab) => tab.textContent === "Fit").click();
    });
    await page.getByText("Which law is behind a record?").waitFor();
    await page.getByRole("link", { name: "Hit", exact: true }).click();
    assert.equal(await page.getByLabel("friction").inputValue(), "0.7");
    await close(opened);
  },

  async "a file that falls beside the views is not opened in the place of the page"() {
    const opened = await open(plain, server, "#map?robot=panda");
    const { page } = opened;
    await page.getByRole("button", { name: "Compute the map" }).waitFor();
    const refused = await page.evaluate(() => [".bar", ".view.map"].flatMap((part) => ["dragover", "drop"].map((kind) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["0"], "hit.csv"));
      return !document.querySelector(part).dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }));
    })));
    assert.deepEqual(refused, [true, true, true, true]);
    await close(opened);
  },

  async "the keyboard stays where it was when what it has changed is made anew"() {
    const focused = (page) => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    const fits = await open(plain, server, "#fit");
    await fits.page.getByText("Which law is behind a record?").waitFor();
    await drop(fits.page, ".view.fit", ["viscoelastic.csv", "spring.csv"].map(record));
    await fits.page.getByRole("heading", { name: "viscoelastic.csv" }).waitFor();
    await fits.page.getByRole("button", { name: "spring.csv", exact: true }).press("Enter");
    assert.equal(await focused(fits.page), "spring.csv");
    await fits.page.getByRole("button", { name: "Leave out viscoelastic.csv" }).press("Enter");
    assert.equal(await focused(fits.page), "Leave out spring.csv");
    await fits.page.keyboard.press("Enter");
    assert.equal(await focused(fits.page), "Drop CSV files here, or choose them");
    await close(fits);
    const { page, ...rest } = await open(plain, server, "#map?robot=planar_2r&samples=2000&cell=0.2&computed=1");
    await page.getByLabel("slice across").focus();
    await page.getByLabel("slice across").selectOption("x");
    assert.equal(await focused(page), "slice across");
    await close({ page, ...rest });
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

  async "hit: links without a mesh stay beside those that have one, and each has its own"() {
    // a slab of 0.4 x 0.2 x 0.1 m as STL
    const corner = (i) => [i & 1 ? 0.4 : 0, i & 2 ? 0.1 : -0.1, i & 4 ? 0.05 : -0.05].join(" ");
    const faces = [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]];
    const slab = `solid slab\n${faces.map((face) => `facet normal 0 0 0\nouter loop\n${face.map((i) => `vertex ${corner(i)}\n`).join("")}endloop\nendfacet\n`).join("")}endsolid slab\n`;
    const urdf = readFileSync(new URL("../../data/robots/planar_2r.urdf", import.meta.url), "utf8");
    const dressed = (meshes) => Object.entries(meshes).reduce((text, [link, mesh]) => text.replace(`<link name="${link}">`, `$&<visual><geometry><mesh filename="${mesh}"/></geometry></visual>`), urdf);
    for (const name of ["arm.stl", "forearm.stl"]) writeFileSync(join(folder, name), slab);
    writeFileSync(join(folder, "empty.stl"), "solid nothing\nendsolid nothing\n");
    for (const [meshes, said, wanted] of [
      [{ link1: "arm.stl", link2: "forearm.stl" }, "links: the meshes of the URDF", ["0", "1"]],
      [{ link2: "forearm.stl" }, "links: the meshes of the URDF, or the ellipsoids of their inertia", ["0"]],
      [{ link1: "empty.stl" }, "links: the ellipsoids of their inertia", ["0"]],
    ]) {
      writeFileSync(join(folder, "arm.urdf"), dressed(meshes));
      const own = await serve(thud, join(folder, "arm.urdf"), "--port", "0");
      // every link can be picked, whatever it is drawn as: seen from above, the arm lies 0.4 m below the middle of the canvas
      const asked = new Set(), picked = [];
      for (const place of [0.3, 1.3]) {
        const opened = await open(plain, own);
        const { page } = opened;
        page.on("request", (request) => /meshes\/\d+$/.test(request.url()) && asked.add(request.url().split("/").pop()));
        await page.evaluate(() => (location.hash = "#hit?q=0,0&normal=0,-1,0&view=0.9,0.35,4,0.9,0.4,0"));
        await page.reload();
        await updated(page);
        await page.getByText(said, { exact: true }).waitFor();
        const { x, y, width, height } = await page.locator("canvas").boundingBox();
        const scale = height / 2 / (4 * Math.tan((17.5 * Math.PI) / 180)); // [px/m]
        await page.getByRole("button", { name: "Pick contact" }).click();
        await page.mouse.click(x + width / 2 + (place - 0.9) * scale, y + height / 2 + 0.4 * scale);
        picked.push(await page.getByLabel("on", { exact: true }).inputValue());
        await close(opened);
      }
      assert.deepEqual([...asked].sort(), wanted, JSON.stringify(meshes));
      assert.deepEqual(picked, ["link1", "link2"], JSON.stringify(meshes));
      await stop(own);
    }
  },

  async "hit: the safe speed goes with every update, or after rest with the elastic arm, and says what it leaves out"() {
    const opened = await open(plain, server, `#hit?${POINT}`);
    const { page } = opened;
    const asked = [];
    page.on("request", (request) => /api\/(hit|limit)/.test(request.url()) && asked.push([/limit/.test(request.url()) ? "job" : "live", request.postDataJSON()]));
    const speed = page.locator("#safe-speed"), against = page.locator("#safe-against");
    const exact = async () => run(server, (await code(page)).lines.find((line) => line.startsWith("thud limit"))).speed;
    const shown = async (wanted) => eventually(() => speed.textContent(), (text) => numberOf(text.replace(" m/s", "")) === Number(wanted.toPrecision(3)), `not ${wanted} m/s`);
    await updated(page);
    assert.match(await speed.textContent(), /m\/s/, "the first update has no safe speed");
    const first = await exact();
    await shown(first);
    const count = await updates(page);
    await page.getByRole("slider", { name: "joint2 [rad]" }).fill("0.9");
    await updated(page, count);
    assert.equal(numberOf((await speed.textContent()).replace(" m/s", "")), Number((await exact()).toPrecision(3)), "another posture, the same update");
    assert.notEqual(await exact(), first);
    assert.ok(asked.some(([how, body]) => how === "live" && body.limit), "the safe speed goes with the hit");
    assert.ok(asked.every(([how]) => how === "live"), "and with nothing else");
    // it knows neither an object nor friction
    assert.equal(await against.textContent(), "");
    await page.getByLabel("friction").fill("0.3");
    await page.waitForFunction(() => /against a fixed wall, without friction/.test(document.getElementById("safe-against")?.textContent));
    await page.getByLabel("friction").fill("");
    await page.waitForFunction(() => document.getElementById("safe-against")?.textContent === "");
    await page.getByLabel("what is hit").selectOption("object");
    await page.waitForFunction(() => /against a fixed wall, without friction/.test(document.getElementById("safe-against")?.textContent));
    // with drives it is a search, which waits for rest; a person is met by an arm that is rigid
    await page.getByLabel("drives").selectOption("panda");
    await eventually(async () => asked, (all) => all.some(([how]) => how === "job"), "the search is not asked for");
    assert.ok(!asked.filter(([how]) => how === "live").at(-1)[1].limit);
    await page.waitForFunction(() => !document.querySelector(".results.waiting"));
    await shown(await exact());
    await page.getByLabel("against").selectOption("chest");
    await page.waitForFunction(() => /^the joints as against a fixed wall, without friction/.test(document.getElementById("safe-against")?.textContent));
    await shown(await exact());
    await close(opened);
  },

  async "hit: what is hit is changed by a click in the scene, and by a key"() {
    const opened = await open(plain, server, `#hit?${POINT}`);
    const { page } = opened;
    await updated(page);
    const target = page.getByLabel("what is hit"), mass = page.getByLabel("mass [kg]"), said = page.locator(".hit .spoken");
    const tool = await findHandle(page);
    // a place of what is hit that is no handle: there the pointer is a hand
    const at = await (async () => {
      for (let reach = 24; reach < 60; reach += 4)
        for (let turn = 0; turn < 16; ++turn) {
          const place = { x: tool.x + reach * Math.cos((turn * Math.PI) / 8), y: tool.y + reach * Math.sin((turn * Math.PI) / 8) };
          await page.mouse.move(place.x, place.y);
          if ((await page.evaluate(() => document.querySelector("canvas").style.cursor)) === "pointer") return place;
        }
      assert.fail("nothing can be clicked");
    })();
    // by the left button alone: the others move the camera
    for (const button of ["right", "middle"]) {
      await page.mouse.click(at.x, at.y, { button });
      assert.equal(await target.inputValue(), "wall", button);
    }
    await page.mouse.click(at.x, at.y);
    await becomes(page, "object-mass", (text) => text === "1");
    assert.equal(await target.inputValue(), "object");
    assert.ok(await target.evaluate((select) => document.activeElement === select), "its choice is not where the keyboard is");
    assert.equal(await said.textContent(), "What is hit is an object of 1 kg, free to move.");
    await mass.fill("2.5");
    await becomes(page, "object-mass", (text) => text === "2.5");
    // and back by the key, with the mass kept for the next time
    await page.locator("canvas").focus();
    await page.keyboard.press("o");
    await becomes(page, "object-mass", (text) => text === null);
    assert.equal(await said.textContent(), "What is hit is a fixed wall.");
    assert.ok(await mass.isHidden());
    await page.keyboard.press("o");
    await becomes(page, "object-mass", (text) => text === "2.5");
    assert.match(await page.locator("canvas").getAttribute("aria-label"), /O makes that an object or a wall/);
    await close(opened);
    // seen from behind the arm, the hand is before the middle of the wall
    const behind = await open(plain, server, `#hit?${POINT}&view=-2,0,0.9,0.6,0,0.4`);
    await updated(behind.page);
    await becomes(behind.page, "speed", (text) => text !== null); // at rest
    const hand = await findHandle(behind.page);
    for (const [beside, wanted] of [[55, "pointer"], [22, ""], [55, "pointer"]]) {
      await behind.page.mouse.move(hand.x + beside, hand.y);
      await eventually(() => behind.page.evaluate(() => document.querySelector("canvas").style.cursor), (cursor) => cursor === wanted, `${beside} px beside the tool the cursor is`);
    }
    await close(behind);
  },

  async "hit: of two robots that are asked for at once the last is shown"() {
    const opened = await open(plain, server, `#hit?${POINT}`);
    const { page } = opened;
    await updated(page);
    let free;
    const held = new Promise((done) => (free = done));
    await page.route("**/api/robots/iiwa14", async (route) => (await held, route.continue()));
    await page.evaluate(() => (location.hash = "#hit?robot=iiwa14"));
    await page.waitForRequest(/robots\/iiwa14/);
    await page.evaluate(() => (location.hash = "#hit?robot=planar_2r"));
    await becomes(page, "frame", (text) => text === "tip");
    const late = page.waitForResponse(/robots\/iiwa14/);
    free();
    await (await late).finished();
    await page.waitForTimeout(300); // nothing is to happen
    assert.equal(await page.getByLabel("robot", { exact: true }).inputValue(), "planar_2r");
    assert.equal(await page.getByRole("slider", { name: /^joint/ }).count(), 2);
    await close(opened);
  },

  async "hit: an impulse that is none has its reason, and the words of the peak stand on no curve"() {
    const opened = await open(plain, server, `#hit?${POINT.replace("none", "panda")}&friction=0.3`);
    const { page } = opened;
    await page.waitForFunction(() => document.querySelectorAll(".forces path.curve").length === 2);
    const none = page.locator("#masses tr", { hasText: "flexible joints" }).locator("td").nth(1);
    assert.equal(await none.textContent(), "–");
    const why = "flexible_joints has no impact with friction: its matrix is not symmetric";
    assert.equal(await none.getAttribute("title"), why);
    await page.getByLabel("friction").fill("");
    await page.waitForFunction(() => document.querySelectorAll('#masses td[title]:not([title=""])').length === 0);
    for (const speed of ["0.12", "0.3", "0.8"]) {
      const count = await updates(page);
      await page.getByLabel("speed [m/s]").last().fill(speed);
      await updated(page, count);
      const crossed = await page.evaluate(() => {
        const { x, y, width, height } = document.querySelector(".forces .event").getBBox();
        return [...document.querySelectorAll(".forces path.curve")].filter((path) => Array.from({ length: 2000 }, (_, i) => path.getPointAtLength((i / 2000) * path.getTotalLength())).some((at) => at.x > x && at.x < x + width && at.y > y && at.y < y + height)).length;
      });
      assert.equal(crossed, 0, `curves through the words of the peak at ${speed} m/s`);
    }
    await close(opened);
  },

  async "a picture or a copy that the browser refuses is told of"() {
    const opened = await open(plain, server, `#hit?${POINT}`);
    const { page } = opened;
    await updated(page);
    await page.evaluate(() => {
      HTMLCanvasElement.prototype.toBlob = (done) => done(null);
      navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
    });
    await page.getByRole("button", { name: "Save picture as PNG" }).click();
    const told = page.locator(".refusal.of-picture");
    await told.waitFor();
    assert.match(await told.textContent(), /^No picture was saved: \d+ by \d+ pixels are too many for this browser/);
    const [svg] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save picture as SVG" }).click()]);
    assert.equal(svg.suggestedFilename(), "thud-hit.svg");
    assert.ok(await told.isHidden());
    await page.getByRole("button", { name: "Code" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Copy" }).first().click();
    await page.getByRole("dialog").getByText("The browser does not let the page copy (not allowed): select the text and copy it.").waitFor();
    await close(opened);
  },

  async "hit: slow motion plays and ends where it began"() {
    const opened = await open(plain, server, `#hit?${POINT}&object-mass=1`);
    const { page } = opened;
    await updated(page);
    await page.getByRole("button", { name: "Play" }).click();
    await page.waitForFunction(() => /times slower/.test(document.querySelector(".clock")?.textContent));
    await page.waitForFunction(() => document.querySelector(".forces .cursor")?.getAttribute("visibility") === "visible");
    await page.getByRole("button", { name: "Stop" }).click();
    await page.waitForFunction(() => document.querySelector(".clock")?.textContent === "");
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
    const said = page.locator(".hit .refusal.of-hit");
    await said.waitFor();
    const words = refusalOf(server, "predict", "panda", "--q=0,0.4,0,-1.3,0,3.2708,0.7854", "--frame=panda_link0", "--offset=0,0,0.0223", "--normal=-1,0,0", "--speed=0.12", "--restitution=0");
    assert.equal(await said.textContent(), words);
    await page.getByLabel("on", { exact: true }).selectOption("panda_foot");
    await said.waitFor({ state: "hidden" });
    await close(opened);
  },

  async "hit: a refusal stays while the hit goes on: of files, of the record, of the tool"() {
    const opened = await open(plain, server, `#hit?${POINT.replace("none", "panda")}`);
    const { page } = opened;
    await updated(page);
    const ofFiles = page.locator(".hit .refusal.of-files"), ofHit = page.locator(".hit .refusal.of-hit");
    const next = async () => {
      const count = await updates(page);
      for (let tries = 0, moved = false; !moved; ++tries) {
        assert.ok(tries < 10, "the hit does not go on");
        await page.getByRole("slider", { name: "joint1 [rad]" }).press("ArrowRight");
        moved = await page.waitForFunction((seen) => Number(document.querySelector(".hit").dataset.updates) > seen, count, { timeout: 5000 }).then(() => true, () => false);
      }
    };
    // of several files each is told of, and what is none of this view's too
    const before = await updates(page);
    await drop(page, ".view.hit", [{ name: "broken.urdf", content: "<robot" }, { name: "bad.csv", content: "time,force\n0,1\nx,2\n" }, record("spring.csv")]);
    await ofFiles.waitFor();
    const told = await ofFiles.textContent();
    const words = [["broken.urdf", "<robot"], ["bad.csv", "time,force\n0,1\nx,2\n"]].map(([name, content]) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return refusalOf(server, "info", path).replaceAll(path, name);
    });
    assert.deepEqual(told.split("\n"), [...words, "spring.csv: record: is neither a robot nor drives nor limits"]);
    assert.equal(await updates(page), before, "nothing was taken, and yet it was computed anew");
    await next();
    assert.equal(await ofFiles.textContent(), told);
    // a stiffness that is none: no curve, and why; the same sentence of the elastic arm is said once
    await page.getByLabel("stiffness").fill("0");
    await ofHit.waitFor();
    const stiffness = await ofHit.textContent();
    assert.equal(stiffness, refusalOf(server, "profile", "--law=viscoelastic", "--stiffness=0", "--damping=7.28e6", "--mass=4", "--speed=0.12"));
    assert.equal(await page.locator(".forces path.curve").count(), 0);
    await next();
    assert.equal(await ofHit.textContent(), stiffness);
    assert.equal(await ofFiles.textContent(), told);
    await page.getByLabel("stiffness").fill("1000000");
    await ofHit.waitFor({ state: "hidden" });
    // a reach that is refused is asked for once
    const asked = [];
    await page.route("**/api/hit", async (route) => {
      const body = route.request().postDataJSON();
      asked.push(body);
      if (body.reach) body.reach.frame = "nowhere";
      await route.continue({ postData: JSON.stringify(body) });
    });
    await page.locator("canvas").focus();
    await page.keyboard.press("PageUp");
    await ofHit.waitFor();
    assert.match(await ofHit.textContent(), /nowhere/);
    assert.equal(asked.filter(({ reach }) => reach).length, 1);
    const at = await findHandle(page, "normal"), count = await updates(page);
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x, at.y - 20);
    await page.mouse.up();
    await updated(page, count);
    assert.equal(asked.filter(({ reach }) => reach).length, 1, "the reach that was refused is asked for again");
    // a file that is taken takes away what was said of those before it
    await drop(page, ".view.hit", [{ name: "own.toml", content: readFileSync(new URL("../../data/drives/panda.toml", import.meta.url)) }]);
    await ofFiles.waitFor({ state: "hidden" });
    await becomes(page, "drives", (text) => /^f[0-9a-f]{16}$/.test(text));
    await close(opened);
  },

  async "fit: records are dropped, the law is found, the window moved, the numbers exported"() {
    const opened = await open(plain, server, "#fit");
    const { page } = opened;
    await page.getByText("Which law is behind a record?").waitFor();
    await drop(page, ".view.fit", [record("viscoelastic.csv"), record("spring.csv")]);
    await page.getByRole("heading", { name: "viscoelastic.csv" }).waitFor();
    const exact = run(server, `thud fit '${join(RECORDS, "viscoelastic.csv")}' --speed 0.12`).records[0];
    assert.match(await page.locator(".fit-head p").textContent(), new RegExp(`Best by BIC: ${exact.best}`));
    await page.waitForFunction(() => document.querySelectorAll("#chart-laws .scatterlayer .trace").length >= 8);
    const table = await page.locator(".fit-results table").innerText();
    for (const key of ["value", "low", "high"]) assert.ok(table.includes(exact.laws.viscoelastic.parameters.mass[key].toPrecision(4)), `mass ${key}`);
    const curve = await page.evaluate(() => document.getElementById("chart-laws").data.filter(({ name }) => name === "viscoelastic").map(({ y }) => Math.max(...y)));
    assert.ok(curve[0] > 100 && curve[1] < 30, `curve and residual: ${curve.join()}`);
    // a band about every curve, and that of the samples about the best
    const bands = await page.evaluate(() => document.getElementById("chart-laws").data.filter(({ fill }) => fill === "toself").length);
    assert.equal(bands, 1 + Object.values(exact.laws).filter(({ status }) => status === "converged").length);
    const save = async (name) => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
      return readFileSync(await download.path(), "utf8");
    };
    assert.match(await save("Table as CSV"), /viscoelastic\.csv,viscoelastic,best,converged,stiffness,\d/);
    const json = JSON.parse(await save("JSON"));
    assert.deepEqual(json.records[0].laws.viscoelastic.parameters, exact.laws.viscoelastic.parameters);
    assert.ok(!("studio" in json) && !("studio" in json.records[0]));
    await page.getByText("Simulator parameters").click();
    await page.getByRole("button", { name: "Translate" }).click();
    await page.waitForFunction(() => /solref/.test(document.querySelector(".translation pre")?.textContent ?? ""));
    await page.getByLabel("for", { exact: true }).selectOption("bullet");
    await becomes(page, "to-simulator", (text) => text === "bullet");
    await page.getByLabel("to [s]").fill("0.006");
    await becomes(page, "to", (text) => text === "0.006");
    await page.waitForFunction(() => /to 0\.00[56]\d* s/.test(document.querySelector(".fit-head p")?.textContent));
    await page.getByRole("button", { name: "spring.csv", exact: true }).click();
    await page.getByRole("heading", { name: "spring.csv" }).waitFor();
    const { lines } = await code(page);
    assert.match(lines[0], /^thud fit viscoelastic\.csv spring\.csv --speed 0\.12 --to 0\.006$/);
    // what is no record is refused, and the others stay
    const bad = join(folder, "bad.csv");
    writeFileSync(bad, "time,force\n0,1\nx,2\n");
    await drop(page, ".view.fit", [{ name: "bad.csv", content: readFileSync(bad) }]);
    await page.locator(".fit .refusal:visible").waitFor();
    assert.equal((await page.locator(".fit .refusal:visible").textContent()).replaceAll(bad, "bad.csv"), refusalOf(server, "info", bad).replaceAll(bad, "bad.csv"));
    assert.equal(await page.locator(".files li").count(), 2);
    await close(opened);
  },

  async "what is refused of dropped files stays until the next are dropped"() {
    const refusal = (page, text) => page.locator(".refusal:visible").filter({ hasText: text });
    const opened = await open(plain, server, "#fit");
    const { page } = opened;
    const bad = { name: "bad.csv", content: "time,force\n0,1\nx,2\n" };
    await page.getByText("Which law is behind a record?").waitFor();
    await drop(page, ".view.fit", [record("viscoelastic.csv"), bad]);
    await page.getByRole("heading", { name: "viscoelastic.csv" }).waitFor();
    const refused = "bad.csv:3: x: not a number";
    assert.equal(await refusal(page, refused).count(), 1);
    // after the next computation too, and beside what that one refuses
    await page.getByLabel("to [s]").fill("0.006");
    await page.waitForFunction(() => /to 0\.00[56]\d* s/.test(document.querySelector(".fit-head p")?.textContent));
    assert.equal(await refusal(page, refused).count(), 1);
    await page.getByLabel("force", { exact: true }).fill("none");
    await page.getByLabel("force", { exact: true }).press("Tab");
    await refusal(page, "has no column named none").waitFor();
    assert.equal(await refusal(page, refused).count(), 1);
    await page.getByLabel("force", { exact: true }).fill("");
    await page.getByLabel("force", { exact: true }).press("Tab");
    await drop(page, ".view.fit", [record("spring.csv")]);
    await page.getByRole("heading", { name: "spring.csv" }).waitFor();
    assert.equal(await page.locator(".refusal:visible").count(), 0);
    // files of another kind are named beside what cannot be read
    const dataset = { name: "small.h5", content: smallDataset() };
    await drop(page, ".view.fit", [dataset, bad]);
    await refusal(page, refused).and(refusal(page, "small.h5: dataset: is no force record")).waitFor();
    await close(opened);
    const other = await open(plain, server, "#study");
    await other.page.getByText("What do the data say?").waitFor();
    await drop(other.page, ".view.study", [{ name: "broken.h5", content: "no dataset" }, record("spring.csv"), dataset]);
    await other.page.getByRole("heading", { name: "Verdicts" }).waitFor();
    assert.equal(await refusal(other.page, "broken.h5: ").and(refusal(other.page, "spring.csv: record: is no dataset")).count(), 1);
    await close(other);
  },

  async "fit: of two records each shows its own numbers or its own refusal, and one that is left out is closed"() {
    const opened = await open(plain, server, "#fit");
    const { page } = opened;
    const content = record("viscoelastic.csv").content.toString();
    await drop(page, ".view.fit", [{ name: "other.csv", content: content.replace("force [N]", "fz [N]") }, { name: "own.csv", content }]);
    await page.getByRole("heading", { name: "other.csv" }).waitFor();
    await page.getByLabel("force", { exact: true }).fill("force");
    await page.getByLabel("force", { exact: true }).press("Tab");
    const said = page.locator(".fit-head .refusal");
    await said.waitFor();
    assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "other.csv");
    const words = await said.textContent();
    assert.equal(words, "other.csv:4: time [s],fz [N]: has no column named force");
    await page.getByRole("button", { name: "own.csv", exact: true }).click();
    await page.getByRole("heading", { name: "own.csv" }).waitFor();
    const exact = run(server, `thud fit '${join(RECORDS, "viscoelastic.csv")}' --speed 0.12`).records[0];
    assert.ok((await page.locator(".fit-results table").innerText()).includes(exact.laws.viscoelastic.parameters.mass.value.toPrecision(4)));
    assert.equal(await page.getByLabel("Warnings").getByText(words).count(), 1);
    // left out, it is closed
    const names = () => page.evaluate(async () => JSON.stringify(await (await fetch("/api/files")).json()));
    assert.match(await names(), /own\.csv/);
    await page.getByRole("button", { name: "Leave out own.csv" }).click();
    await eventually(names, (text) => !text.includes("own.csv"), "own.csv stays open");
    assert.match(await names(), /other\.csv/);
    await close(opened);
  },

  async "fit: an address of a record that is not open is refused, and restored once it is dropped again"() {
    const first = await serve(thud, join(RECORDS, "viscoelastic.csv"), "--port", "0");
    const opened = await open(plain, first, "#fit?speed=0.13&to=0.02&to-simulator=bullet");
    await opened.page.getByRole("heading", { name: "viscoelastic.csv" }).waitFor();
    assert.equal(await opened.page.getByLabel("for", { exact: true }).inputValue(), "bullet");
    const { hash } = new URL(opened.page.url());
    assert.match(hash, /to-simulator=bullet/);
    // a file of the command line is named as it was there, so that what is shown can be pasted where the studio was started
    const shows = await code(opened.page);
    assert.match(paste(first, shows.command, folder), /best by BIC: viscoelastic/);
    assert.ok(shows.python.includes(JSON.stringify(join(RECORDS, "viscoelastic.csv"))));
    const shown = await opened.page.locator(".fit-results table").innerText();
    await close(opened);
    await stop(first);
    const second = await serve(thud, join(RECORDS, "spring.csv"), "--port", String(first.port));
    const again = await open(plain, second, hash);
    const { page } = again;
    await page.getByText(`${new URLSearchParams(hash.split("?")[1]).get("records")}: not open: drop it again`).waitFor();
    assert.equal(await page.getByRole("button", { name: "spring.csv" }).count(), 0);
    await drop(page, ".view.fit", [record("viscoelastic.csv")]);
    await page.getByRole("heading", { name: "viscoelastic.csv" }).waitFor();
    assert.equal(await page.locator(".fit-results table").innerText(), shown);
    assert.equal(new URL(page.url()).hash, hash);
    await close(again);
    await stop(second);
  },

  async "map: computed in the background, sliced, and a cell puts the arm into its posture"() {
    const opened = await open(plain, server, "#map?robot=panda&samples=20000&cell=0.15");
    const { page } = opened;
    await page.getByRole("button", { name: "Compute the map" }).click();
    await page.waitForFunction(() => Number(document.querySelector(".view.map")?.dataset.cells) > 10);
    const slice = await page.evaluate(() => document.querySelector(".view.map").dataset.cells);
    await page.getByLabel("slice across").selectOption({ label: "z" });
    await page.waitForFunction((old) => document.querySelector(".view.map")?.dataset.cells !== old, slice);
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
    const { position } = run(server, `thud predict panda --q=${q.join(",")} --speed 0.1 --frame panda_foot --offset 0,0,0.0223 --normal=-1,0,0`);
    (await value(page, "cell-at")).split(",").forEach((centre, i) => assert.ok(Math.abs(Number(centre) - position[i]) < 0.076, `${centre} and ${position[i]}`));
    await page.getByRole("button", { name: "Hit from here" }).click();
    await updated(page);
    assert.deepEqual((await value(page, "q")).split(",").map((text) => Number(text).toFixed(3)), q.map((text) => Number(text).toFixed(3)));
    await close(opened);
    const again = await open(plain, server, restored);
    await again.page.waitForFunction((text) => document.querySelector(".cell-table")?.innerText === text, shown);
    // another address in the same tab: of this map another slice and cell, then another map
    const visit = (hash) => again.page.evaluate((text) => (location.hash = text), hash);
    await visit(restored.replace("across=z", "across=x").replace("posture=least", "posture=greatest"));
    await again.page.waitForFunction(() => document.querySelector('select[aria-label="slice across"]')?.selectedOptions[0].text === "x");
    assert.equal(await again.page.getByLabel("posture", { exact: true }).inputValue(), "greatest");
    await visit(restored.replace("samples=20000", "samples=10000"));
    await again.page.getByText("are reached by 10000 postures").waitFor();
    // long work is cancelled
    await again.page.getByLabel("postures", { exact: true }).fill("50000000");
    await again.page.getByRole("button", { name: "Compute anew" }).click();
    await again.page.getByRole("button", { name: "Cancel" }).click();
    await again.page.getByText("The map was cancelled.").waitFor();
    await close(again);
  },

  async "map: goes on while another view is open, and is there when one comes back"() {
    const opened = await open(plain, server, "#map?robot=panda&samples=20000&cell=0.15&quantity=speed");
    const { page } = opened;
    const go = (name) => page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("button", { name: "Compute the map" }).click();
    await go("Hit");
    await updated(page);
    await page.locator('.tab[aria-busy="true"]', { hasText: "Map" }).waitFor({ state: "detached" });
    await becomes(page, "q", (text) => text !== null);
    await go("Map");
    await page.waitForFunction(() => Number(document.querySelector(".view.map")?.dataset.cells) > 10);
    await page.locator(".cell-table caption").waitFor();
    // its warnings are there, now and after another visit
    const warning = page.getByLabel("Warnings").getByText("torques during the hit are not judged in a map");
    assert.equal(await warning.count(), 1);
    const address = new URL(page.url()).hash;
    assert.match(address, /computed=1/);
    const shown = await page.locator(".cell-table").innerText();
    await go("Hit");
    await go("Map");
    await warning.waitFor();
    assert.equal(await page.locator(".cell-table").innerText(), shown);
    assert.equal(new URL(page.url()).hash, address);
    // a long one: its progress goes on, and it is still cancelled by hand alone
    await page.getByLabel("postures", { exact: true }).fill("50000000");
    await page.getByRole("button", { name: "Compute anew" }).click();
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    await go("Study");
    await page.locator('.tab[aria-busy="true"]', { hasText: "Map" }).waitFor();
    for (let i = 0; i < 3; ++i) await page.waitForRequest(/api\/jobs\/j/); // it is still asked for
    await go("Map");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("The map was cancelled.").waitFor();
    await go("Hit");
    await go("Map");
    await page.getByText("The map was cancelled.").waitFor();
    assert.equal(await page.locator(".tab[aria-busy]").count(), 0);
    await close(opened);
  },

  async "map: code and address are of the map on the screen, whatever the form says"() {
    const opened = await open(plain, server, "#map?robot=panda&samples=20000&cell=0.15&computed=1");
    const { page } = opened;
    await page.locator(".cell-table caption").waitFor();
    const { hash } = await page.evaluate(() => ({ hash: location.hash }));
    const shown = await code(page);
    assert.match(shown.command, /--samples 20000/);
    await page.getByLabel("postures", { exact: true }).fill("50000000");
    await page.getByLabel("quantity").selectOption("impulse");
    await page.getByLabel("on", { exact: true }).selectOption("panda_link7");
    assert.deepEqual(await code(page), shown);
    assert.equal(new URL(page.url()).hash, hash);
    await page.getByRole("button", { name: "Compute anew" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("The map was cancelled.").waitFor();
    assert.deepEqual(await code(page), shown);
    assert.equal(new URL(page.url()).hash, hash);
    // the form is as it was left
    await page.getByRole("link", { name: "Hit", exact: true }).click();
    await page.getByRole("link", { name: "Map", exact: true }).click();
    assert.equal(await page.getByLabel("quantity").inputValue(), "impulse");
    await page.getByLabel("postures", { exact: true }).fill("10000");
    await page.getByRole("button", { name: "Compute anew" }).click();
    await page.getByText("are reached by 10000 postures").waitFor();
    const next = await code(page);
    assert.match(next.command, /--quantity impulse[^]*--samples 10000/);
    assert.deepEqual([await value(page, "samples"), await value(page, "quantity"), await value(page, "frame")], ["10000", "impulse", "panda_link7"]);
    await page.getByRole("button", { name: "Hit from here" }).click();
    await updated(page);
    assert.equal(await value(page, "frame"), "panda_link7");
    await close(opened);
    // the hit goes on with the map's person: the safe speed is the cell's
    const safe = await open(plain, server, "#map?robot=panda&samples=20000&cell=0.15&quantity=speed&body=chest&computed=1");
    const least = numberOf(await safe.page.locator(".cell-table tbody td").first().textContent());
    await safe.page.getByRole("button", { name: "Hit from here" }).click();
    await updated(safe.page);
    assert.equal(await value(safe.page, "body"), "chest");
    const speed = numberOf((await safe.page.locator("#safe-speed").textContent()).replace(" m/s", ""));
    assert.ok(Math.abs(speed / least - 1) < 0.02, `${speed} and ${least}`); // a map keeps its postures rounded
    // joints have digits after the point, and all of them are seen
    assert.deepEqual(await safe.page.locator('.slider input[type="text"]').evaluateAll((inputs) => inputs.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.value)), []);
    await close(safe);
  },

  async "map: of two robots in quick succession the last is shown"() {
    const opened = await open(plain, server, "#map?robot=panda");
    const { page } = opened;
    await page.getByRole("button", { name: "Compute the map" }).waitFor();
    let let_go;
    const held = new Promise((done) => (let_go = done));
    await page.route("**/api/robots/ur5e", async (route) => {
      await held;
      await route.continue();
    });
    const answered = page.waitForResponse(/robots\/ur5e$/);
    await page.getByLabel("robot", { exact: true }).selectOption("ur5e");
    await becomes(page, "robot", (name) => name === "ur5e");
    await page.evaluate(() => (location.hash = "#map?robot=iiwa7"));
    const shows = () => page.getByLabel("robot", { exact: true }).inputValue();
    await eventually(shows, (name) => name === "iiwa7", "the robot shown is");
    let_go();
    await (await answered).finished();
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
    assert.equal(await shows(), "iiwa7");
    assert.match((await code(page)).command, /^thud map iiwa7 /);
    await close(opened);
  },

  async "hit and map: where the camera looks from is in the address"() {
    for (const [hash, ready] of [[`#hit?${POINT}`, updated], ["#map?robot=planar_2r&samples=2000&cell=0.2&computed=1", (page) => becomes(page, "cell-at", (text) => text !== null)]]) {
      const opened = await open(plain, server, hash);
      const { page } = opened;
      await ready(page);
      const before = await becomes(page, "view", (text) => text !== null);
      const { x, y, width, height } = await page.locator("canvas").boundingBox();
      const at = { x: x + 0.15 * width, y: y + 0.8 * height };
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      for (let i = 1; i <= 10; ++i) await page.mouse.move(at.x + 8 * i, at.y - 3 * i);
      await page.mouse.up();
      const turned = await becomes(page, "view", (text) => text !== before), seen = await eventually(() => page.locator("canvas").getAttribute("data-tool"), (text) => text !== null, "tool");
      const shown = new URL(page.url()).hash;
      await page.reload();
      await ready(page);
      assert.equal(await value(page, "view"), turned);
      await eventually(() => page.locator("canvas").getAttribute("data-tool"), (text) => text !== null && Math.hypot(...text.split(",").map((each, i) => each - seen.split(",")[i])) <= 2, `the tool was at ${seen}`);
      assert.equal(new URL(page.url()).hash, shown);
      // nearer, by the wheel
      await page.mouse.move(at.x, at.y);
      await page.mouse.wheel(0, -240);
      const nearer = await becomes(page, "view", (text) => text !== turned);
      if (hash.startsWith("#hit")) {
        await page.getByRole("button", { name: "Reset view" }).click();
        await becomes(page, "view", (text) => text === before);
      } else {
        await page.locator("canvas").focus();
        await page.keyboard.press("0");
        await becomes(page, "view", (text) => text !== nearer);
      }
      await close(opened);
    }
  },

  async "the address is changed no faster than browsers let a page, and says what came last"() {
    const opened = await open(plain, server, `#hit?${POINT}`);
    const { page } = opened;
    await updated(page);
    await becomes(page, "view", (text) => text !== null);
    const { calls, time } = await page.evaluate(async () => {
      let calls = 0;
      const { replaceState } = history;
      history.replaceState = (...words) => (++calls, replaceState.apply(history, words));
      const canvas = document.querySelector("canvas"), begin = performance.now();
      for (let i = 0; i < 150; ++i) {
        canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: -20, bubbles: true, cancelable: true }));
        await new Promise((done) => setTimeout(done, 5));
      }
      return { calls, time: performance.now() - begin };
    });
    assert.ok(calls < 30 + time / 100, `${calls} changes in ${time} ms`);
    const seen = await page.locator("canvas").getAttribute("data-tool");
    // the way back leads to what was seen last
    await page.getByRole("link", { name: "Fit", exact: true }).click();
    await page.getByText("Which law is behind a record?").waitFor();
    await page.goBack();
    await page.reload();
    await updated(page);
    await eventually(() => page.locator("canvas").getAttribute("data-tool"), (text) => text !== null && Math.hypot(...text.split(",").map((each, i) => each - seen.split(",")[i])) <= 2, `the tool was at ${seen}`);
    await close(opened);
  },

  async "map: one that is given up before the program has answered is cancelled there too"() {
    const opened = await open(plain, server, "#map?robot=panda&samples=50000000");
    const { page } = opened;
    await page.getByRole("button", { name: "Compute the map" }).waitFor();
    let let_go;
    const held = new Promise((done) => (let_go = done));
    await page.route(/api\/map/, async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response }).catch(() => undefined); // nobody may listen any more
    });
    const cancelled = page.waitForRequest((request) => request.method() === "DELETE" && /api\/jobs\/j\d+$/.test(request.url()), { timeout: 20_000 });
    await page.getByRole("button", { name: "Compute the map" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    let_go();
    const { pathname } = new URL((await cancelled).url());
    await eventually(() => page.evaluate(async (job) => (await (await fetch(job)).json()).state, pathname), (state) => state === "cancelled", "the job is");
    await page.getByText("The map was cancelled.").waitFor();
    await close(opened);
  },

  async "map: a slice of thousands of cells is drawn whole"() {
    const opened = await open(plain, server, "#map?robot=planar_2r&samples=200000&cell=0.03&across=z&computed=1");
    const { page } = opened;
    const cells = await eventually(() => page.evaluate(() => Number(document.querySelector(".view.map")?.dataset.cells ?? 0)), (count) => count > 0, "cells");
    assert.ok(cells > 4096, `${cells} cells are too few to see whether any is left out`);
    assert.equal(Number(await page.locator("canvas").getAttribute("data-cells")), cells);
    await close(opened);
  },

  async "map: the keyboard leads from cell to cell and across slices, and says where"() {
    const opened = await open(plain, server, "#map?robot=panda&samples=20000&cell=0.15&across=z&at=0.45&cell-at=0.3,0.3,0.45&computed=1");
    const { page } = opened;
    await page.getByText("The cell at 0.3, 0.3, 0.45 m").waitFor();
    const canvas = page.locator("canvas"), said = page.locator(".map [role=status].spoken");
    const posture = () => page.evaluate(() => document.querySelector(".view.map").dataset.posture);
    assert.match(await canvas.getAttribute("aria-label"), /left and right along x, up and down along y; Page Up and Page Down along z, in the next slice/);
    await canvas.focus();
    for (const [key, cell] of [["ArrowRight", "0.45,0.3,0.45"], ["ArrowUp", "0.45,0.45,0.45"], ["PageUp", "0.45,0.45,0.6"], ["PageDown", "0.45,0.45,0.45"], ["ArrowDown", "0.45,0.3,0.45"], ["ArrowLeft", "0.3,0.3,0.45"]]) {
      const before = await posture();
      await page.keyboard.press(key);
      assert.equal(await value(page, "cell-at"), cell, key);
      assert.equal(await value(page, "at"), cell.split(",")[2], key);
      assert.equal(await page.getByRole("textbox", { name: "at [m]" }).inputValue(), cell.split(",")[2], key);
      assert.notEqual(await posture(), before, key);
      assert.match(await page.locator(".cell-table caption").textContent(), new RegExp(`The cell at ${cell.replaceAll(",", ", ")} m`));
      assert.match(await said.textContent(), new RegExp(`^Cell at ${cell.replaceAll(",", ", ")} m: effective mass from [\\d.]+ kg to [\\d.]+ kg$`));
      const { position } = run(server, `thud predict panda --q=${await posture()} --speed 0.1 --frame panda_foot --offset 0,0,0.0223 --normal=-1,0,0`);
      cell.split(",").forEach((centre, i) => assert.ok(Math.abs(Number(centre) - position[i]) < 0.076, `${key}: ${centre} and ${position[i]}`));
    }
    // a slice across another axis has other keys, and the last cell of a line is said to be the last
    await page.getByLabel("slice across").selectOption({ label: "x" });
    assert.match(await canvas.getAttribute("aria-label"), /left and right along y, up and down along z; .* along x, in the next slice/);
    await canvas.focus();
    for (let i = 0; i < 20; ++i) await page.keyboard.press("ArrowUp");
    assert.equal(await said.textContent(), "No cell is reached further that way.");
    const [x, y, z] = (await value(page, "cell-at")).split(",").map(Number);
    assert.ok(x === 0.3 && y === 0.3 && z > 0.6, `${[x, y, z]}`);
    // a slice that the chosen cell is not in: the nearest of its cells
    await page.getByRole("textbox", { name: "at [m]" }).fill("-0.3");
    await becomes(page, "at", (text) => text === "-0.3");
    await canvas.focus();
    await page.keyboard.press("ArrowDown");
    assert.match(await value(page, "cell-at"), /^-0\.3,/);
    // in another view the same keys do something else
    await page.getByRole("link", { name: "Hit" }).click();
    await updated(page);
    assert.match(await canvas.getAttribute("aria-label"), /move the tool by a centimetre/);
    await close(opened);
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
    assert.match(await page.locator(".report header").innerText(), /\b1 trial with panda/);
    const [picture] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save picture as SVG" }).click()]);
    const charts = await page.evaluate(() => [...document.querySelectorAll(".report .chart")].filter(({ clientWidth }) => clientWidth > 0).length);
    assert.equal(readFileSync(await picture.path(), "utf8").split(/<svg[^>]* y="/).length - 1, charts);
    assert.ok(charts > 3, `${charts} charts`);
    await page.getByRole("link", { name: "One trial" }).click();
    assert.match(page.url(), /#study\?/);
    // another campaign's address in the same tab
    await page.evaluate(() => (location.hash = location.hash.replace("repeats=1", "repeats=2")));
    await page.locator(".report header").getByText("2 trials").waitFor();
    await page.getByLabel("repeats").fill("20");
    await page.getByRole("button", { name: "Simulate and study" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("The computation was cancelled.").waitFor();
    await close(opened);
  },

  async "study: goes on while another view is open; code and address are of the report on the screen"() {
    const opened = await open(plain, server, "#study");
    const { page } = opened;
    const go = (name) => page.locator(".tab", { hasText: name }).click();
    const report = page.locator(".report header");
    await page.getByText("What do the data say?").waitFor();
    await drop(page, ".view.study", [{ name: "mine.h5", content: smallDataset() }]);
    await report.getByText("mine.h5").waitFor();
    const dataset = { ...(await code(page)), hash: new URL(page.url()).hash };
    assert.match(dataset.hash, /^#study\?dataset=f/);
    // a campaign over it that is cancelled, or refused, leaves everything as it is
    await page.getByLabel("repeats").fill("6");
    const set = () => page.getByLabel("dataset", { exact: true }).evaluate((box) => box.selectedOptions[0].text);
    for (const end of [() => page.getByRole("button", { name: "Cancel" }).click(), () => undefined]) {
      await page.getByRole("button", { name: "Simulate and study" }).click();
      await end();
      await page.locator(".study .refusal:visible").waitFor();
      assert.deepEqual({ ...(await code(page)), hash: new URL(page.url()).hash }, dataset);
      assert.equal(await set(), "mine.h5");
      await page.getByLabel("speeds [m/s]").fill("0.1, 0.11, 0.12, 0.13, 0.14"); // too many trials
    }
    assert.match(await page.locator(".study .refusal:visible").textContent(), /90 trials: must have at most 60/);
    // one that is left to itself
    await page.getByLabel("speeds [m/s]").fill("0.12");
    await page.getByLabel("repeats").fill("1");
    for (const name of ["two", "three"]) await page.getByLabel(name, { exact: true }).uncheck();
    await page.getByRole("button", { name: "Simulate and study" }).click();
    await go("Hit");
    await updated(page);
    await page.locator('.tab[aria-busy="true"]', { hasText: "Study" }).waitFor({ state: "detached" });
    assert.match(page.url(), /#hit(\?|$)/); // of the view that is open, whether or not it has rested long enough to have one of its own
    await go("Study");
    await report.getByText("1 trial with panda").waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".report .main-svg").length > 0);
    assert.equal(await value(page, "speeds"), "0.12");
    assert.equal(await value(page, "campaign"), "1");
    const campaign = { ...(await code(page)), hash: new URL(page.url()).hash };
    assert.match(campaign.command, /speeds = \[0\.12\]/);
    await page.getByLabel("speeds [m/s]").fill("0.2");
    await page.getByLabel("two", { exact: true }).check();
    assert.deepEqual({ ...(await code(page)), hash: new URL(page.url()).hash }, campaign);
    await close(opened);
  },

  async "a view that shows nothing saves no picture and says why"() {
    for (const [view, why] of [["study", "open a dataset or simulate a campaign first"], ["fit", "drop a record first"], ["map", "compute the map first"]])
      for (const form of ["SVG", "PNG"]) {
        const opened = await open(plain, server, `#${view}`);
        const { page } = opened;
        const saved = [];
        page.on("download", (download) => saved.push(download.suggestedFilename()));
        await page.locator(`.view.${view} .inputs .block`).first().waitFor();
        await page.getByRole("button", { name: `Save picture as ${form}` }).click();
        const said = page.locator(`.${view} .refusal:visible`);
        await eventually(async () => saved.length || (await said.isVisible()), (done) => done, `${view} neither saves nor says anything`);
        assert.deepEqual(saved, []);
        assert.equal(await said.textContent(), `There is nothing to save as a picture yet: ${why}.`);
        await close(opened);
      }
  },

  async "study: a dataset is dropped and studied, another file is refused"() {
    const opened = await open(plain, server, "#study");
    const { page } = opened;
    await page.getByText("What do the data say?").waitFor();
    await drop(page, ".view.study", [{ name: "mine.h5", content: smallDataset() }]);
    await page.getByRole("heading", { name: "Verdicts" }).waitFor();
    assert.match(await page.locator(".report header").innerText(), /mine\.h5/);
    assert.deepEqual((await code(page)).lines, ["thud study mine.h5 --out study"]);
    const restored = await value(page, "dataset");
    await drop(page, ".view.study", [{ name: "broken.h5", content: "no dataset" }]);
    const said = page.locator(".study .refusal:visible");
    await said.waitFor();
    const broken = join(folder, "broken.h5");
    writeFileSync(broken, "no dataset");
    assert.equal(await said.textContent(), refusalOf(server, "info", broken).replaceAll(broken, "broken.h5"));
    assert.equal(await value(page, "dataset"), restored);
    await close(opened);
    // its address restores it
    const again = await open(plain, server, `#study?dataset=${restored}`);
    await again.page.getByRole("heading", { name: "Verdicts" }).waitFor();
    await close(again);
  },

  async "what the program answers is what the schema says"() {
    const token = new URL(server.address).searchParams.get("token");
    const ask = async (path, body, method = body === undefined ? "GET" : "POST") => {
      const init = { method, headers: { "X-Thud-Token": token, "X-Thud-Page": "schema" }, ...(body === undefined ? {} : { body: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body) }) };
      return (await fetch(`http://127.0.0.1:${server.port}/api/${path}`, init)).json();
    };
    const point = { robot: "panda", frame: "panda_foot", offset: [0, 0, 0.0223], normal: [-1, 0, 0] }, q = [0, 0.4, 0, -1.3, 0, 3.2708, 0.7854];
    const law = { law: "viscoelastic", stiffness: 1e6, damping: 7.28e6 };
    const reach = { robot: "panda", q, frame: point.frame, position: [0.5, 0, 0.5] };
    const work = async (kind, body) => {
      let job = await ask(`${kind}?wait=2000`, body);
      while (job.state === "queued" || job.state === "running") job = await ask(`jobs/${job.job}?wait=2000`);
      return job;
    };
    const file = await ask("files?name=hit.csv", record("viscoelastic.csv").content.toString()), dataset = await ask("files?name=small.h5", smallDataset());
    const answers = {
      studio: await ask("studio"), file, files: await ask("files"), robot: await ask("robots/panda"),
      hit: await ask("hit", { reach, predict: { ...point, q, speed: 0.12, friction: 0.3, "object-mass": 2 }, profile: { ...law, mass: "composite_rigid_body" }, arm: { ...point, q, ...law, speed: 0.12, drives: "panda" } }),
      profile: await ask("profile", { ...point, q, ...law, speed: 0.12, drives: "panda" }), reach: await ask("reach", reach),
      translate: await ask("translate", { ...law, mass: 4, speed: 0.12, to: "mujoco" }), campaign: await ask("campaign"), refusal: await ask("hit", {}),
    };
    const schema = readSchema("studio");
    const jobs = [await work("limit", { ...point, q, ...law }), await work("fit", { records: [file.id], speed: 0.12 }), await work("map", { ...point, samples: 20000, cell: 0.15 }),
      await work("study", { dataset: dataset.id }), await work("campaign", { speeds: [0.12], repeats: 1, configurations: ["one"] })];
    assert.deepEqual(jobs.map(({ kind, state }) => `${kind}: ${state}`), ["limit: done", "fit: done", "map: done", "study: done", "campaign: done"]);
    for (const job of jobs) assert.deepEqual(faults(schema, { ...answers, job }), [], job.kind);
    for (const { answer } of jobs.slice(3)) assert.deepEqual(faults(readSchema(), answer), []);
    assert.equal((await work("map", { ...point, samples: 1 })).error.argument, "--samples");
    assert.ok(faults(schema, { ...answers, job: { ...jobs[0], more: 1 } }).length > 0);
  },

  async "the program is killed and started again: the page says so and goes on"() {
    const first = await serve(thud, "panda", "--port", "0");
    const opened = await open(plain, first, `#hit?${POINT}`);
    const { page } = opened;
    await updated(page);
    await stop(first, "SIGKILL");
    await page.getByRole("slider", { name: "joint2 [rad]" }).press("ArrowRight");
    await page.getByText("The program does not answer").waitFor();
    const second = await serve(thud, "panda", "--port", String(first.port));
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

  async "the program is killed at work: the page says that the computation is lost"() {
    const first = await serve(thud, "panda", "--port", "0");
    const opened = await open(plain, first, "#map?robot=panda&samples=50000000");
    const { page } = opened;
    await page.getByRole("button", { name: "Compute the map" }).click();
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    await stop(first, "SIGKILL");
    await page.getByText("The computation is lost, since the program ended: start it again.").waitFor();
    await close(opened, /ERR_CONNECTION|ERR_EMPTY|Failed to load/);
  },

  async "two tabs do not disturb each other, and do not grow"() {
    const one = await open(plain, server, `#hit?${POINT}`), two = await open(plain, server, `#hit?${POINT.replace("0.4", "0.7")}`);
    await Promise.all([updated(one.page), updated(two.page)]);
    const before = await masses(one.page);
    assert.notDeepEqual(await masses(two.page), before);
    const count = await updates(two.page);
    await two.page.getByLabel("speed [m/s]").last().fill("0.3");
    await updated(two.page, count);
    assert.deepEqual(await masses(one.page), before);
    await doNotGrow([one, two], server, 6);
    await close(one);
    await close(two);
  },
});
await plain.close();
await stop(server);
rmSync(folder, { recursive: true, force: true });
process.exit(status);
