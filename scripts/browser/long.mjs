// A run of ten thousand events, which `cargo xtask nightly` has put into the store: how long a reader waits for its page, for a
// search in it, and for each picture while it is scrolled. The server is a debug build, so that its share is told apart: what it
// may take is held by a test of its own (`ten_thousand_events`), which the night runs in release.
import { ORIGIN, check, context } from "./kit.mjs";

const median = (all) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)];

export async function long({ browser }) {
  const words = process.env.ELENCHUS_TEST_LONG;
  if (!words) return;
  const made = await context(browser);
  const { items } = await (await made.request.get(`${ORIGIN}/v1/research?q=${encodeURIComponent(words)}`)).json();
  const run = items.find((one) => one.events >= 10_000);
  if (!check("long: the run of ten thousand events is in the list", Boolean(run), JSON.stringify(items))) return;
  const page = await made.newPage();
  // From the start of the way to a page until all of it is there and painted: in all, and without the server.
  const times = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
    const way = performance.getEntriesByType("navigation")[0];
    done({ all: performance.now(), server: way.responseEnd - way.requestStart });
  }))));
  const open = async (address) => { await page.goto(address); return times(); };
  const url = `${ORIGIN}/research/${run.run_id}?view=trace`;
  const first = await open(url);
  const again = [];
  for (let n = 0; n < 5; n += 1) again.push(await open(url));
  const searched = [];
  for (const word of ["tide", "gauge", "spring", "harbour", "boats"]) {
    await page.fill("#search", word);
    await Promise.all([page.waitForURL(new RegExp(`q=${word}`)), page.keyboard.press("Enter")]);
    searched.push({ ...(await times()), steps: await page.locator(".step").count() });
  }
  const own = (all) => median(all.map((one) => one.all - one.server));
  check("long: the page opens within a second", median(again.map((one) => one.all)) <= 1_000, JSON.stringify(again));
  check("long: even from the store, by a debug build, within ten", first.all <= 10_000, JSON.stringify(first));
  check("long: a search finds steps, and the browser shows them within 200 ms of having them", searched.every((one) => one.steps > 0) && own(searched) <= 200, JSON.stringify(searched));
  // A page is scrolled from its top to its end.
  await page.goto(url);
  const frames = await page.evaluate(() => new Promise((done) => {
    const gaps = [];
    let last = performance.now();
    const frame = (now) => {
      gaps.push(now - last);
      last = now;
      scrollBy(0, 200);
      if (gaps.length < 120 && scrollY + innerHeight < document.documentElement.scrollHeight - 1) requestAnimationFrame(frame); else done(gaps.slice(1));
    };
    requestAnimationFrame(frame);
  }));
  check("long: scrolling keeps its pace", frames.length >= 20 && median(frames) <= 34, `${frames.length} frames, half within ${median(frames)?.toFixed(1)} ms, the longest ${Math.max(...frames).toFixed(1)} ms`);
  console.log(`long: ${run.events} events; opened in ${first.all.toFixed(0)} ms from the store, then in ${median(again.map((one) => one.all)).toFixed(0)} ms (${own(again).toFixed(0)} ms in the browser); searched in ${median(searched.map((one) => one.all)).toFixed(0)} ms (${own(searched).toFixed(0)} ms); half of ${frames.length} frames within ${median(frames).toFixed(1)} ms`);
  await made.close();
}
