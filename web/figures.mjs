// Figures for the README from the page of a study, of a map or of a sweep: node figures.mjs PAGE.html FOLDER
//
// Each chart is saved by the page's own button, as a reader would save it.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./test/browser.mjs";

const [report, folder] = process.argv.slice(2);
const CHARTS = { impulse: "study-impulse", profiles: "study-profiles", slice: "map", claims: "sweep" }; // those that the page has
const browser = await launch();
const page = await browser.newPage();
await page.goto(pathToFileURL(report).href);
for (const [chart, name] of Object.entries(CHARTS)) {
  const figure = page.locator(`figure:has(#chart-${chart})`);
  if ((await figure.count()) === 0) continue;
  await figure.scrollIntoViewIfNeeded();
  await figure.locator(".main-svg").first().waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), figure.locator("button.save").click()]);
  copyFileSync(await download.path(), join(folder, `${name}.svg`));
}
await browser.close();
