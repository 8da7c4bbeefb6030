// Figures for the README from a report: node figures.mjs REPORT.html FOLDER
//
// Each chart is saved by the page's own button, as a reader would save it.
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [report, folder] = process.argv.slice(2);
const CHARTS = ["impulse", "profiles"];
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
for (const chart of CHARTS) {
  const figure = page.locator(`figure:has(#chart-${chart})`);
  await figure.scrollIntoViewIfNeeded();
  await figure.locator(".main-svg").first().waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), figure.locator("button.save").click()]);
  copyFileSync(await download.path(), join(folder, `study-${chart}.svg`));
}
await browser.close();
rmSync(profile, { recursive: true });
