// The picture of the studio: node studio_figure.mjs THUD FILE.png
import { spawn } from "node:child_process";
import { launch } from "./test/browser.mjs";

const [thud, file] = process.argv.slice(2);
const server = spawn(thud, ["studio", "panda", "--port", "0", "--no-browser"], { stdio: ["ignore", "pipe", "inherit"] });
const address = await new Promise((done) => {
  let text = "";
  server.stdout.on("data", (part) => {
    const found = (text += part).match(/http:\/\/\S+/);
    if (found) done(found[0]);
  });
});
const browser = await launch({ webgl: true });
const page = await browser.newPage();
page.setDefaultTimeout(120_000);
await page.setViewportSize({ width: 1440, height: 900 });
await page.goto(`${address}#hit?robot=panda&q=0,0.4,0,-1.3,0,3.2708,0.7854&drives=panda&restitution=0.2`);
await page.waitForFunction(() => document.querySelectorAll(".forces path.curve").length === 2);
await page.waitForFunction(() => /m\/s/.test(document.getElementById("safe-speed").textContent) && !document.querySelector(".waiting"));
await page.waitForTimeout(1000); // the scene comes to rest and is drawn with all its pixels
await page.screenshot({ path: file });
await browser.close();
server.kill("SIGINT");
