// The commands and the Python that the studio shows for what is on the screen are run, and say what the screen says:
//
//   node studio_code.mjs THUD PYTHON
//
// PYTHON has the package thud.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, runTests } from "./browser.mjs";
import { close, code, drop, masses, numberOf, open, paste, POINT, record, RECORDS, serve, stop, updated } from "./studio_program.mjs";

const [thud, python] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "thud-studio-"));
const server = await serve(thud, "panda", "--port", "0");
const plain = await launch();
const runs = (text, cwd = folder) => execFileSync(python, ["-c", text], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

// A hit of that address: mass, force and safe speed.
async function hit(hash) {
  const opened = await open(plain, server, hash);
  const { page } = opened;
  await updated(page);
  await page.waitForFunction(() => /m\/s/.test(document.getElementById("safe-speed")?.textContent) && !document.querySelector(".waiting"));
  const shows = await code(page);
  assert.match(paste(server, shows.command, folder), /composite.rigid.body[^]*peak[^]*speed/i);
  const [, mass, force, speed] = runs(shows.python).match(/^([\d.]+) kg, ([\d.]+) N, safe up to ([\d.]+) m\/s$/m).map(Number);
  const shown = numberOf((await masses(page))["composite rigid body"]);
  const peak = numberOf(await page.locator("#record tbody tr").first().locator("td").first().textContent());
  const safe = numberOf((await page.locator("#safe-speed").textContent()).replace(" m/s", ""));
  assert.deepEqual([mass, force].map((number) => Number(number.toPrecision(4))), [shown, peak]);
  assert.ok(Math.abs(speed - safe) < 6e-4, `${speed} and ${safe}`); // printed with 3 decimals, shown with 3 digits
  await close(opened);
}

const status = await runTests({
  "hit: a wall": () => hit(`#hit?${POINT}&speed=0.15&restitution=0.2`),
  "hit: friction, an object, drives": () => hit(`#hit?${POINT.replace("none", "panda")}&speed=0.15&friction=0.3&object-mass=2&law=hunt_crossley`),
  "hit: a person": () => hit(`#hit?${POINT}&body=chest`),

  async "fit"() {
    copyFileSync(join(RECORDS, "viscoelastic.csv"), join(folder, "viscoelastic.csv"));
    const opened = await open(plain, server, "#fit");
    const { page } = opened;
    await page.getByText("Which law is behind a record?").waitFor();
    await drop(page, ".view.fit", [record("viscoelastic.csv")]);
    await page.getByRole("heading", { name: "viscoelastic.csv" }).waitFor();
    assert.match(await page.locator(".fit-head p").textContent(), /Best by BIC: viscoelastic/);
    const shows = await code(page);
    assert.match(paste(server, shows.command, folder), /viscoelastic/);
    assert.match(runs(shows.python), /viscoelastic/);
    await close(opened);
  },

  async "map"() {
    const opened = await open(plain, server, "#map?robot=panda&samples=20000&cell=0.15&computed=1");
    await opened.page.waitForFunction(() => Number(document.querySelector(".view.map")?.dataset.cells) > 10);
    const shows = await code(opened.page);
    for (const way of [() => paste(server, shows.command, folder), () => runs(shows.python)]) {
      way();
      assert.ok(existsSync(join(folder, "map/map.html")));
      rmSync(join(folder, "map"), { recursive: true });
    }
    await close(opened);
  },

  async "study"() {
    const opened = await open(plain, server, "#study?campaign=1&speeds=0.12,0.2&repeats=1&seed=7&configurations=one,three");
    const { page } = opened;
    await page.getByRole("heading", { name: "Verdicts" }).waitFor();
    const shows = await code(page);
    // the campaign that the page has simulated, as text of the command line and in Python
    const [shell, own] = [(cwd) => paste(server, shows.command, cwd), (cwd) => runs(shows.python, cwd)].map((way, i) => {
      const cwd = join(folder, `study-${i}`);
      mkdirSync(cwd);
      way(cwd);
      assert.ok(existsSync(join(cwd, "campaign.h5")) && existsSync(join(cwd, "study/report.html")));
      return JSON.parse(readFileSync(join(cwd, "study/results.json"), "utf8"));
    });
    assert.deepEqual(shell, own);
    assert.deepEqual([shell.speeds, shell.configurations.map(({ name }) => name), shell.dataset.seed, shell.dataset.trials], [[0.12, 0.2], ["one", "three"], 7, 4]);
    const shown = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("tr.verdict")].map((row) => [row.querySelector(".claim").textContent, row.querySelector(".why").textContent])));
    for (const { claim, why } of shell.verdicts) assert.equal(shown[claim], why, claim);
    await close(opened);
  },
});
await plain.close();
await stop(server);
rmSync(folder, { recursive: true, force: true });
process.exit(status);
