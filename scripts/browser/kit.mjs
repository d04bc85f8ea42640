// What the browser tests share: a browser, counted checks, and moving by keyboard alone.
//
// Started by `cargo xtask browser`, which names the tools and the server in the environment.
import net from "node:net";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.env.BROWSER_TOOLS, "package.json"));
export const { chromium } = require("playwright-core");
export const AxeBuilder = require("@axe-core/playwright").default;

export const ENTRY = process.env.ELENCHUS_URL;
export const ORIGIN = new URL(ENTRY).origin;

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
export async function context(browser, options = {}) {
  const made = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true, ...options });
  made.setDefaultTimeout(15_000);
  await made.exposeFunction("elenchusReport", (what) => seen.reports.push(what));
  await made.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => window.elenchusReport(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber} on ${location.pathname}`));
  });
  made.on("dialog", async (dialog) => { seen.alerts += 1; await dialog.dismiss(); });
  made.on("request", (request) => {
    const url = new URL(request.url());
    if (!["data:", "blob:", "about:"].includes(url.protocol) && url.origin !== ORIGIN) seen.foreign.push(request.url());
  });
  made.on("weberror", (error) => seen.errors.push(String(error.error())));
  const page = await made.newPage();
  await page.goto(ENTRY);
  await page.close();
  return made;
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

export async function ask(page, question, tick = async () => {}) {
  await page.goto(`${ORIGIN}/`);
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
