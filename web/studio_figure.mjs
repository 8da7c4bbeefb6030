// The picture of the studio: node studio_figure.mjs THUD FILE.png
import { launch } from "./test/browser.mjs";
import { close, open, POINT, serve, stop, WIDE } from "./test/studio_program.mjs";

const [thud, file] = process.argv.slice(2);
const server = await serve(thud, "panda", "--port", "0");
const browser = await launch({ webgl: true, pixels: 2 }); // drawn twice as fine and shrunk: smooth edges
const opened = await open(browser, server, `#hit?${POINT.replace("none", "panda")}&restitution=0.2`, WIDE);
const { page } = opened;
await page.waitForFunction(() => document.querySelectorAll(".forces path.curve").length === 2);
await page.waitForFunction(() => /m\/s/.test(document.getElementById("safe-speed").textContent) && !document.querySelector(".waiting"));
await page.waitForTimeout(1000); // the scene comes to rest and is drawn with all its pixels
await page.screenshot({ path: file, scale: "css" });
await close(opened);
await browser.close();
await stop(server);
