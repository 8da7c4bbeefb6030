// How often the studio's page is brought up to date while the tool is dragged, and what an update costs:
//
//   node bench/studio.mjs THUD [SECONDS]
//
// An update is everything that the view shows, but for the safe speed of the elastic arm, a search of up to a second that waits until
// nothing has changed for 250 ms: while the tool is dragged it is not asked for. Without drives the safe speed is part of every update.
//
// The program itself and headless Chromium. The pointer moves along a circle, 125 times a second; an update counts when the
// numbers, the chart and the arm have it; times are the processor's, whatever else the machine does. Without a graphics card WebGL draws in software, on the processor that
// program and page need too: what that takes is told beside the page's own work.
import { readdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { launch } from "../web/test/browser.mjs";
import { findHandle, open, POINT, serve, stop, updated, updates, WIDE } from "../web/test/studio_program.mjs";

const [thud, seconds = "10"] = process.argv.slice(2);
const MOUSE = 8; // between two movements of the pointer, as a mouse tells them [ms]
const TICK = 100; // of the clock that /proc counts in [1/s]

// Processor time of a process [s].
function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICK;
}

// Of the browser's process that draws.
function drawing(profile) {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      if (line.includes("--type=gpu-process") && line.includes(profile)) return pid;
    } catch {
      // it has ended meanwhile
    }
  return null;
}

async function measure(name, server, options, hash) {
  const browser = await launch(options);
  const { page } = await open(browser, server, hash, WIDE);
  await updated(page);
  const session = await browser.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" }); // the processor's time, whatever else it does
  const metrics = async () => Object.fromEntries((await session.send("Performance.getMetrics")).metrics.map((each) => [each.name, each.value]));
  const at = await findHandle(page);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  // frames that show something new
  await page.evaluate(() => {
    const box = document.querySelector(".hit");
    let shown = box.dataset.updates;
    window.frames_made = 0;
    const look = () => {
      if (box.dataset.updates !== shown) ++window.frames_made;
      shown = box.dataset.updates;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  const state = async () => ({ updates: await updates(page), frames: await page.evaluate(() => window.frames_made), page: await metrics(), program: processorTime(server.child.pid), drawn: gpu ? processorTime(gpu) : 0 });
  const gpu = options.webgl ? drawing(browser.profile) : null;
  const first = await state();
  const begin = performance.now();
  let waiting = 0; // movements that the page has not taken yet
  for (let i = 0; performance.now() - begin < 1000 * Number(seconds); ++i) {
    await new Promise((done) => setTimeout(done, MOUSE));
    if (waiting > 3) continue;
    ++waiting;
    void page.mouse.move(at.x - 40 + 40 * Math.cos(i / 20), at.y + 40 * Math.sin(i / 20)).then(() => --waiting);
  }
  const took = (performance.now() - begin) / 1000;
  const last = await state();
  while (waiting > 0) await new Promise((done) => setTimeout(done, MOUSE));
  await page.mouse.up();
  const count = last.updates - first.updates;
  const each = (now, then) => `${((1000 * (now - then)) / count).toFixed(2)} ms`;
  console.log(`${name}: ${(count / took).toFixed(1)} updates/s, ${((last.frames - first.frames) / took).toFixed(1)} of them in a frame of their own`);
  console.log(`  an update takes ${each(last.page.ScriptDuration, first.page.ScriptDuration)} of script, ${each(last.page.RecalcStyleDuration, first.page.RecalcStyleDuration)} of style, ${each(last.page.LayoutDuration, first.page.LayoutDuration)} of layout, ` +
    `${each(last.page.TaskDuration, first.page.TaskDuration)} of the page's thread in all; ${each(last.program, first.program)} of the program` + (gpu ? `; ${each(last.drawn, first.drawn)} of drawing in software` : ""));
  await browser.close();
}

const load = Number(readFileSync("/proc/loadavg", "utf8").split(" ")[0]);
console.log(`${cpus()[0].model}, ${cpus().length} cores, load ${load}; ${WIDE.width} x ${WIDE.height}, ${seconds} s each`);
const server = await serve(thud, "panda", "--port", "0");
const ELASTIC = `#hit?${POINT.replace("none", "panda")}`;
await measure("not drawn", server, {}, `#hit?${POINT}`);
await measure("not drawn, elastic arm", server, {}, ELASTIC);
await measure("drawn in software", server, { webgl: true }, `#hit?${POINT}`);
await measure("drawn in software, elastic arm", server, { webgl: true }, ELASTIC);
await stop(server);
