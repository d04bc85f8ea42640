// What the browser tests share: a browser, counted checks, and moving by keyboard alone.
//
// Started by `cargo xtask browser`, which names the tools and the server in the environment.
import net from "node:net";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.env.BROWSER_TOOLS, "package.json"));
export const { chromium } = require("playwright-core");
export const AxeBuilder = require("@axe-core/playwright").default;

// Addresses that sign a browser in, and where they are: the server with the model that is built in, and the one whose model waits.
export const ENTRY = process.env.ELENCHUS_URL;
export const ORIGIN = new URL(ENTRY).origin;
export const PATIENT_ENTRY = process.env.ELENCHUS_TEST_PATIENT;
export const PATIENT = new URL(PATIENT_ENTRY).origin;
// What takes too long for every change is done in the night.
export const NIGHT = process.env.ELENCHUS_NIGHTLY === "1";

let failed = 0;
let passed = 0;
export function check(name, holds, more = "") {
  if (holds) { passed += 1; if (process.env.VERBOSE) console.log(`ok    ${name}`); return true; }
  failed += 1;
  console.log(`FAIL  ${name} ${more}`);
  return false;
}
export const counts = () => ({ passed, failed });

export async function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

// What must never happen on any page: alerts, refused scripts, requests to other origins.
export const seen = { alerts: 0, reports: [], foreign: [], errors: [] };

// Whether a request stays with the server of the page that makes it. To go from one of ours to another is the tests' own doing.
function stays(request) {
  const url = new URL(request.url());
  if (["data:", "blob:", "about:"].includes(url.protocol)) return true;
  if (![ORIGIN, PATIENT].includes(url.origin)) return false;
  if (request.isNavigationRequest()) return true;
  let page;
  // Whose page is gone already asked for something of ours.
  try { page = new URL(request.frame().url()); } catch { return true; }
  return page.protocol === "about:" || page.origin === url.origin;
}

export async function context(browser, options = {}) {
  const made = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true, ...options });
  made.setDefaultTimeout(15_000);
  await made.exposeFunction("elenchusReport", (what) => seen.reports.push(what));
  await made.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => window.elenchusReport(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber} on ${location.pathname}`));
  });
  made.on("dialog", async (dialog) => { seen.alerts += 1; await dialog.dismiss(); });
  made.on("request", (request) => { if (!stays(request)) seen.foreign.push(request.url()); });
  made.on("weberror", (error) => seen.errors.push(String(error.error())));
  const page = await made.newPage();
  for (const entry of [ENTRY, PATIENT_ENTRY]) await page.goto(entry);
  await page.close();
  return made;
}

// Asks until something holds; gives whether it came to hold. What cannot be asked does not hold yet: a page may be on its way.
export async function until(holds, most = 15_000) {
  for (const end = Date.now() + most; Date.now() < end;) {
    if (await Promise.resolve().then(holds).catch(() => false)) return true;
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
}

// The model of the patient server: `hold` makes replies to prompts with the word wait, `go` gives those that do, `open` all.
export async function gate(word, act) {
  const reply = await fetch(`${process.env.ELENCHUS_TEST_MODEL}/gate?word=${word}&do=${act}`);
  return (await reply.json()).waiting;
}
export const waits = (word, most = 30_000) => until(async () => (await gate(word, "look")) > 0, most);

// How a run stands, by its address.
export async function told(made, url) {
  const { origin, pathname } = new URL(url);
  const reply = await made.request.get(`${origin}/v1${pathname}`);
  return reply.json();
}

// Lets replies go one after another until the run of the address has come to something. What a run has done is told before it
// asks its model again, so that it stands still there.
export async function lead(made, url, word, where) {
  return until(async () => {
    const waiting = (await gate(word, "look")) > 0;
    if (where(await told(made, url))) return true;
    if (waiting) await gate(word, "go");
    return false;
  }, 60_000);
}

// What a page holds that no page of ours may, and what happens when everything on it is pointed at, pressed and focused. What
// that brings about is counted in `seen`.
export async function stir(page, where) {
  const before = seen.alerts + seen.reports.length + seen.errors.length;
  const found = await page.evaluate(async () => {
    const bad = [];
    const all = [...document.querySelectorAll("*")];
    const ours = (address) => { try { return new URL(address, location.href).origin === location.origin; } catch { return false; } };
    for (const one of all) {
      const name = one.localName;
      if (["iframe", "frame", "object", "embed", "base", "style", "template", "img", "image", "audio", "video", "source", "portal", "math", "foreignobject", "animate", "set", "marquee", "applet"].includes(name.toLowerCase())) bad.push(`<${name}>`);
      if (name === "script" && !(one.type === "module" && ours(one.src) && !one.textContent)) bad.push("<script>");
      if (name === "link" && !ours(one.href)) bad.push(`link to ${one.href}`);
      if (name === "meta" && one.httpEquiv) bad.push("meta http-equiv");
      for (const { name: attribute, value } of one.attributes) {
        if (/^on/i.test(attribute) || attribute === "srcdoc") bad.push(`${name} ${attribute}`);
        if (["href", "src", "action", "formaction", "xlink:href", "ping", "data", "poster", "background"].includes(attribute) && !/^#/.test(value) && !ours(value)) bad.push(`${name} ${attribute}=${value.slice(0, 80)}`);
      }
    }
    // An attribute that is obeyed is obeyed whoever sends the event.
    for (const one of all.filter((one) => document.body.contains(one)).slice(0, 4_000)) {
      for (const kind of ["pointerover", "mouseover", "mousemove", "pointerdown", "keydown", "focus", "animationstart", "dragover"]) one.dispatchEvent(new Event(kind, { bubbles: false }));
    }
    await new Promise((done) => setTimeout(done, 30));
    return bad;
  });
  const after = seen.alerts + seen.reports.length + seen.errors.length;
  return check(`nothing is obeyed ${where}`, found.length === 0 && after === before, `${[...new Set(found)].slice(0, 5).join(" | ")} ${after - before} alerts, reports or errors`);
}

// Presses Tab until an element that fits has the focus.
export async function tabTo(page, selector, most = 150) {
  for (let pressed = 0; pressed <= most; pressed += 1) {
    const there = await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);
    if (there) return true;
    await page.keyboard.press("Tab");
  }
  return false;
}

// Whether what has the focus can be seen to have it, and is not covered.
export const focusShows = (page) => page.evaluate(() => {
  const one = document.activeElement;
  const style = getComputedStyle(one);
  const box = one.getBoundingClientRect();
  return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 && box.bottom > 0 && box.top < innerHeight;
});

export async function ask(page, question, tick = async () => {}, origin = ORIGIN) {
  await page.goto(`${origin}/`);
  await page.fill("textarea[name=question]", question);
  await tick(page);
  await page.click("form.asking button:not([type=button])");
  await page.waitForURL(/\/research\/[^/]+$/);
  return page.url();
}

export async function finished(page, most = 90_000) {
  await page.waitForSelector("article.run[data-over], .status.is-finished, .status.is-interrupted, .status.is-failed", { state: "attached", timeout: most });
  await page.waitForSelector(".status.is-finished, .status.is-interrupted, .status.is-failed", { timeout: 10_000 });
}

// A line to the server that is cut again and again: a stream breaks off in the middle of the event after the first `events`. The
// server goes by its own name and port, so they are put into what the browser sends.
export async function cutLine(events) {
  const real = new URL(ORIGIN);
  const asked = [];
  const line = net.createServer((client) => {
    const server = net.connect(Number(real.port), real.hostname);
    let stream = false;
    let left = events;
    const end = () => { client.destroy(); server.destroy(); };
    client.on("data", (bytes) => {
      const text = bytes.toString("latin1").replaceAll(`${real.hostname}:${line.address().port}`, real.host);
      if (/^GET \/v1\/research\/[^ ]*\/events/.test(text)) {
        stream = true;
        left = events;
        asked.push(/^last-event-id: *(\S+)/im.exec(text)?.[1] ?? null);
      }
      server.write(Buffer.from(text, "latin1"));
    });
    server.on("data", (bytes) => {
      if (!stream) { client.write(bytes); return; }
      const text = bytes.toString("latin1");
      let at = 0;
      while (left > 0) {
        const next = text.indexOf("\n\n", at);
        if (next < 0) { client.write(bytes); return; }
        at = next + 2;
        left -= 1;
      }
      client.write(bytes.subarray(0, at + 9), end);
    });
    for (const side of [client, server]) { side.on("error", end); side.on("close", end); }
  });
  await new Promise((ready) => line.listen(0, real.hostname, ready));
  return { origin: `http://${real.hostname}:${line.address().port}`, asked, close: () => line.close() };
}
