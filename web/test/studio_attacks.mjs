// The studio attacked from a browser, as whoever would attack it had to: by other pages, other names, no token, and from its
// own page. What no browser sends is in test/tools/test_studio_gate.py.
//
//   node studio_attacks.mjs THUD
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { launch, runTests } from "./browser.mjs";
import { close, eventually, open, POINT, serve, stop, updated } from "./studio_program.mjs";

const [thud] = process.argv.slice(2);
const server = await serve(thud, "panda", "--port", "0");
const studio = `http://127.0.0.1:${server.port}`;
const token = new URL(server.address).searchParams.get("token");

// Somebody else's server on this machine, with a page that has nothing in it.
const visits = [];
const foreign = createServer((request, response) => {
  visits.push(request.url);
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Content-Type", "text/html");
  response.end("<!doctype html><title>foreign</title>");
});
await new Promise((done) => foreign.listen(0, "127.0.0.1", done));
const { port: foreignPort } = foreign.address();

// A name of somebody else leads to this machine. That newer browsers do not let public pages ask private addresses is
// switched off: the program has to do without.
const browser = await launch({ args: ["--host-resolver-rules=MAP evil.example 127.0.0.1", `--ip-address-space-overrides=127.0.0.1:${server.port}=public`] });
const own = await open(browser, server, `#hit?${POINT}`); // its cookie is in this browser, and with it every page of it
await updated(own.page);
const ask = (path, init) => own.page.evaluate(async ([address, options]) => {
  const answer = await fetch(address, options);
  return { status: answer.status, text: await answer.text() };
}, [path, init]);
// A page without a policy of its own, under an address that the program itself would not answer like that.
async function empty(page, address) {
  await page.route(address, (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>empty</title>" }));
  await page.goto(address);
}
const files = async () => JSON.parse((await ask("/api/files")).text).files;

const status = await runTests({
  async "a foreign host: a name that is led here gets nothing and no cookie"() {
    const host = `http://evil.example:${server.port}`;
    const page = await browser.newPage();
    for (const path of [`/?token=${token}`, "/", "/api/studio", "/api/robots/panda"]) {
      const answer = await page.goto(host + path);
      assert.equal(answer.status(), 403, path);
      assert.equal((await answer.allHeaders())["set-cookie"], undefined, path);
      assert.ok(!(await answer.text()).includes(token), path);
    }
    // DNS rebinding: the page came from somebody else before its name was led here; for the browser it asks its own origin
    await empty(page, `${host}/page`);
    const asked = (path, options) => page.evaluate(async ([address, init]) => (await fetch(address, init)).status, [path, options]);
    assert.equal(await asked("/api/studio", { headers: { "X-Thud-Token": token } }), 403);
    assert.equal(await asked("/api/files?name=foreign.csv", { method: "POST", headers: { "X-Thud-Token": token, "X-Thud-Page": "foreign" }, body: "time,force\n0,1\n1,2\n" }), 403);
    assert.deepEqual(await files(), []);
    assert.deepEqual(await browser.cookies(host), []);
    await page.close();
  },

  async "a foreign page: fetch, a form and a frame of another origin bring nothing and change nothing"() {
    const before = await files();
    const cookies = (await browser.cookies(studio)).map(({ name }) => name);
    assert.deepEqual(cookies, [`thud_${server.port}`]);
    const work = await ask("/api/map?wait=0", { method: "POST", headers: { "X-Thud-Page": "own" }, body: JSON.stringify({ robot: "panda", frame: "panda_foot", offset: [0, 0, 0.0223], normal: [-1, 0, 0], samples: 100000000 }) });
    const { job } = JSON.parse(work.text);
    // another port of this machine is another origin, but the same site: the cookie goes with its requests
    for (const host of ["127.0.0.1", "evil.example"]) {
      const page = await browser.newPage();
      const statuses = [];
      page.on("response", (answer) => answer.url().startsWith(studio) && statuses.push(`${answer.request().method()} ${answer.status()}`));
      await page.goto(`http://${host}:${foreignPort}/`);
      const tries = await page.evaluate(async ([to, id]) => {
        const attempt = async (path, options) => {
          try {
            const answer = await fetch(to + path, { credentials: "include", ...options });
            return answer.type === "opaque" ? "nothing" : `${answer.status} ${await answer.text()}`;
          } catch {
            return "nothing";
          }
        };
        const got = [];
        for (const path of ["/", "/api/studio", "/api/files", "/api/robots/panda"]) for (const mode of ["cors", "no-cors"]) got.push(await attempt(path, { mode }));
        for (const mode of ["cors", "no-cors"]) got.push(await attempt("/api/files?name=foreign.csv", { method: "POST", mode, body: "time,force\n0,1\n1,2\n" }));
        got.push(await attempt("/api/files?name=foreign.csv", { method: "POST", headers: { "X-Thud-Page": "own" }, body: "time,force\n0,1\n1,2\n" }));
        for (const path of [`/api/jobs/${id}`, "/api/jobs"]) got.push(await attempt(path, { method: "DELETE", headers: { "X-Thud-Page": "own" } }));
        return got;
      }, [studio, job]);
      assert.deepEqual(new Set(tries), new Set(["nothing"]), host);
      // a form needs nobody's leave: it is sent, and refused
      const [sent] = await Promise.all([
        page.waitForResponse(/name=form/),
        page.waitForURL(/name=form/),
        page.evaluate((to) => {
          const form = document.createElement("form");
          Object.assign(form, { action: `${to}/api/files?name=form.csv`, method: "post", enctype: "text/plain" });
          const input = document.createElement("input");
          Object.assign(input, { name: "time,force\n0,1\n1", value: "2" });
          form.append(input);
          document.body.append(form);
          form.submit();
        }, studio),
      ]);
      assert.equal(sent.status(), 403, host);
      // nor is it shown in somebody's frame, where it could be clicked unseen
      await page.goto(`http://${host}:${foreignPort}/`);
      await page.evaluate((to) => new Promise((done) => {
        const frame = document.createElement("iframe");
        frame.addEventListener("load", done);
        frame.src = to;
        document.body.append(frame);
      }), `${studio}/?token=${token}#hit`);
      const [, frame] = page.frames();
      await eventually(() => frame.url(), (url) => url.startsWith("chrome-error:"), host);
      assert.equal(await frame.locator("#page").count(), 0);
      assert.ok(statuses.length > 0 && statuses.every((each) => / 403$/.test(each) || each === "GET 200"), statuses.join());
      await page.close();
    }
    assert.deepEqual(await files(), before);
    const { state } = JSON.parse((await ask(`/api/jobs/${job}?wait=0`)).text);
    assert.ok(["queued", "running"].includes(state), state);
    await ask(`/api/jobs/${job}`, { method: "DELETE", headers: { "X-Thud-Page": "own" } });
  },

  async "no token: a browser that has not opened the address gets nothing"() {
    const stranger = await launch();
    const page = await stranger.newPage();
    for (const path of ["/", "/api/studio", "/api/robots/panda", `/?token=${"0".repeat(32)}`, `/?token=${token.slice(1)}`, `/api/studio?token=${token}`]) {
      const answer = await page.goto(studio + path);
      assert.equal(answer.status(), 401, path);
      assert.ok(!(await answer.text()).includes(token), path);
    }
    await empty(page, `${studio}/page`);
    const posted = await page.evaluate(async () => (await fetch("/api/hit", { method: "POST", headers: { "X-Thud-Page": "stranger" }, body: "{}" })).status);
    assert.equal(posted, 401);
    assert.deepEqual(await stranger.cookies(), []);
    await stranger.close();
  },

  async "an oversized body is refused, and the program goes on"() {
    const before = await files();
    const sent = (path, MiB) => own.page.evaluate(async ([address, count]) => {
      const part = new Uint8Array(1 << 20).fill(32);
      const answer = await fetch(address, { method: "POST", headers: { "X-Thud-Page": "own" }, body: new Blob(Array(count).fill(part)) });
      return [answer.status, (await answer.json()).error.message];
    }, [path, MiB]);
    assert.deepEqual(await sent("/api/hit", 2), [413, "body: too long: at most 1048576 bytes"]);
    assert.deepEqual(await sent("/api/files?name=large.csv", 257), [413, "body: too long: at most 268435456 bytes"]);
    assert.deepEqual(await files(), before);
  },

  async "path traversal: no address leads to a file"() {
    // a browser takes plain steps upwards out itself, whether written as .. or as %2e%2e; what it leaves is refused
    for (const path of ["/../../../../etc/passwd", "/%2e%2e/%2e%2e/%2E%2E/etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd", "/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/..%5c..%5cetc%5cpasswd", "/%252e%252e%252fetc%252fpasswd", "/.//etc/passwd",
      "/api/robots/../../../etc/passwd", "/api/robots/..%2f..%2f..%2fetc%2fpasswd", "/api/robots/%2fetc%2fpasswd", "/api/robots/panda/meshes/..%2f..%2fetc%2fpasswd", "/api/robots/panda/meshes/0", "/api/files/..%2f..%2fetc%2fpasswd", "/api/jobs/..%2fstudio", "/api/robots/panda%00.urdf"]) {
      const { status: got, text } = await ask(path);
      assert.ok([400, 404, 405].includes(got), `${path}: ${got}`);
      assert.doesNotMatch(text, /root:|<robot/, path);
    }
    const options = { robot: "panda", q: [0, 0.4, 0, -1.3, 0, 3.2708, 0.7854], frame: "panda_foot", offset: [0, 0, 0.0223], normal: [-1, 0, 0], speed: 0.1 };
    for (const robot of ["/etc/passwd", "../../etc/passwd", "../data/robots/panda.urdf"]) {
      const { status: got, text } = await ask("/api/hit", { method: "POST", headers: { "X-Thud-Page": "own" }, body: JSON.stringify({ predict: { ...options, robot } }) });
      assert.equal(got, 400, robot);
      assert.match(text, /neither shipped nor open/, robot);
    }
  },

  async "a script that is brought into the page does not run, and nothing leaves it"() {
    const opened = await open(browser, server, `#hit?${POINT}`);
    const { page } = opened;
    await updated(page);
    visits.length = 0;
    const violated = await page.evaluate(async (to) => {
      const found = [];
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => found.push(effectiveDirective));
      const add = (name, values) => document.body.appendChild(Object.assign(document.createElement(name), values));
      add("script", { textContent: "window.ran = 'inline'" });
      add("script", { src: `${to}/script.js` });
      add("script", { src: "data:text/javascript,window.ran='data'" });
      document.body.insertAdjacentHTML("beforeend", '<p id="handler" onclick="window.ran = \'handler\'"></p>');
      document.getElementById("handler").click();
      add("iframe", { src: `${to}/frame` });
      add("img", { src: `${to}/image` });
      await fetch(`${to}/fetch`, { mode: "no-cors" }).catch(() => undefined);
      add("form", { action: `${to}/form` }).submit();
      for (const end = Date.now() + 10_000; found.length < 8 && Date.now() < end; ) await new Promise((done) => setTimeout(done, 20));
      return found.sort();
    }, `http://127.0.0.1:${foreignPort}`);
    assert.deepEqual(violated, ["connect-src", "form-action", "frame-src", "img-src", "script-src-attr", "script-src-elem", "script-src-elem", "script-src-elem"]);
    assert.equal(await page.evaluate(() => window.ran), undefined);
    assert.deepEqual(visits, []);
    await close({ ...opened, foreign: [] }, /Content Security Policy/);
  },
});
await close(own);
await browser.close();
foreign.close();
await stop(server);
process.exit(status);
