// Figures for the README from the page of a study or of a map: node figures.mjs PAGE.html FOLDER
//
// Each chart is saved by the page's own button, as a reader would save it.
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [report, folder] = process.argv.slice(2);
const CHARTS = { impulse: "study-impulse", profiles: "study-profiles", slice: "map" }; // those that the page has
const profile = mkdtempSync(join(tmpdir(), "thud-figures-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  viewport: { width: 1280, height: 900 },
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
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
rmSync(profile, { recursive: true });
