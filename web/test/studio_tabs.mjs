// Ten tabs of the studio for a minute: node studio_tabs.mjs THUD
import { launch, runTests } from "./browser.mjs";
import { close, doNotGrow, open, POINT, serve, stop, updated } from "./studio_program.mjs";

const [thud] = process.argv.slice(2);
const server = await serve(thud, "panda", "--port", "0");
const browser = await launch();
const status = await runTests({
  async "ten tabs for a minute do not grow"() {
    const tabs = [];
    for (let i = 0; i < 10; ++i) tabs.push(await open(browser, server, `#hit?${POINT}`));
    for (const { page } of tabs) await updated(page);
    await doNotGrow(tabs, server, 60);
    for (const each of tabs) await close(each);
  },
});
await browser.close();
await stop(server);
process.exit(status);
