// The web pages in a real browser: a question from the first word to the export, a run that is watched while it thinks, everything
// by keyboard, axe on every page, and payloads that try to become markup. Words name parts; without any, all are done.
import fs from "node:fs";
import { ENTRY, ORIGIN, ask, check, context, counts, cutLine, finished, launch, seen } from "./kit.mjs";
import { documents, fields, questions } from "./hostile.mjs";
import { keyboard } from "./keyboard.mjs";
import { long } from "./long.mjs";
import { look } from "./looks.mjs";
import { pictures } from "./pictures.mjs";
import { printed, states } from "./states.mjs";
import { watch } from "./watch.mjs";

const QUESTION = "When was consent for the Skerry Tidal Array granted, how long is its export cable, and which salary does the harbour master draw?";
const only = process.argv.slice(2);
const browser = await launch();
const main = await context(browser);
const state = { whole: `${ORIGIN}/research/${process.env.ELENCHUS_RUN}` };
const site = { browser, main, state };

async function part(name, work) {
  if (only.length && !only.includes(name) && !(name === "live")) return;
  const start = Date.now();
  try { await work(); } catch (error) { check(name, false, String(error.message ?? error).split("\n").slice(0, 4).join(" | ")); }
  console.log(`${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
}

await part("live", async () => {
  const page = await main.newPage();
  state.run = await ask(page, QUESTION, async (form) => {
    await form.click("details[data-key=more] > summary");
    await form.check("input[name=review_plan]");
  });
  // The run waits with its plan; the page learns that from the stream.
  await page.waitForSelector("text=This is the plan", { timeout: 60_000 });
  check("the plan is shown before anything is searched", true);
  const plan = page.locator(".dialogue textarea[name=questions]");
  const planned = (await plan.inputValue()).trim();
  check("the plan has questions", planned.split("\n").length >= 2, planned);
  // A page that is loaded again has lost nothing.
  const before = await page.locator("article.run").getAttribute("data-seq");
  await page.reload();
  await page.waitForSelector("text=This is the plan");
  check("a page loaded again mid-run shows the same run", Number(await page.locator("article.run").getAttribute("data-seq")) >= Number(before));
  await page.goto(`${state.run}?view=trace`);
  check("the trace has the plan", (await page.locator(".step .k-plan").count()) > 0);
  const steps = await page.locator(".step").count();
  await page.goto(state.run);
  await page.locator(".dialogue textarea[name=questions]").fill(`${planned}\nWho made the turbines of the array?`);
  await page.locator(".dialogue button", { hasText: "Use this plan" }).click();
  await page.goto(`${state.run}?view=trace`);
  await finished(page);
  check("the trace fills", (await page.locator(".step").count()) > steps);
  check("the edited plan was used", (await page.locator(".log").innerText()).includes("Who made the turbines"));
  await page.close();
});

await part("answer", async () => {
  const page = await main.newPage();
  await page.goto(state.run);
  check("statements are marked in the text", (await page.locator(".prose a.claim").count()) >= 2);
  check("every statement has a card", (await page.locator(".prose a.claim").count()) === (await page.locator(".cards .card").count()));
  check("confidence is a word, a number and an interval", /(high|medium|low|very low)\s+0\.\d\d\s+\(95 % interval/.test(await page.locator(".card .sure").first().innerText()));
  check("what could not be established is told", (await page.locator("#missing-title").count()) === 1 && (await page.locator("text=harbour master draw").count()) > 0);
  // A statement to its quote in the stored source.
  const claim = page.locator(".prose a.claim").first();
  await claim.click();
  const card = page.locator(".cards .card").first();
  const quote = (await card.locator("blockquote").first().innerText()).replace(/\s+/g, " ").trim();
  await card.locator("a.place").first().click();
  await page.waitForSelector("mark.quoted");
  const marked = (await page.locator("mark.quoted").first().innerText()).replace(/\s+/g, " ").trim();
  check("a citation opens its stored source at the quote", marked.length > 10 && (marked.includes(quote) || quote.includes(marked)), `${marked} | ${quote}`);
  check("the quote is in sight", await page.locator("mark.quoted").first().evaluate((one) => { const box = one.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }));
  // A statement is judged, and the word is taken back, without leaving the page.
  await page.goto(state.run);
  const judged = page.locator(".cards .card").first();
  await judged.locator("button[name=feedback][value=right]").click();
  await judged.locator("button[name=feedback][value=right][aria-pressed=true]").waitFor();
  check("a statement is judged", true);
  await judged.locator("button[name=feedback][value=forget]").click();
  await judged.locator("button[name=feedback][value=right][aria-pressed=false]").waitFor();
  check("the word on it is taken back", (await judged.locator("button[name=feedback][value=forget]").count()) === 0);
  await page.goto(`${state.run}?view=confidence`);
  check("the confidence view is filled", (await page.locator(".claimlist > li").count()) >= 2 && (await page.locator("svg.plot").count()) >= 1);
  await page.locator("summary", { hasText: "Why this number?" }).first().click();
  check("the formula opens with its values", (await page.locator(".why .inputs dd").first().innerText()).length > 0);
  // Its chart as a file, by mouse and by keyboard, beside the table with the same figures.
  const chart = page.locator("figure.chart", { has: page.locator("svg.plot") }).first();
  const save = (kind) => chart.getByRole("button", { name: new RegExp(`^Save\\s+the chart \u2018.+\u2019 as ${kind}$`) });
  const [drawn] = await Promise.all([page.waitForEvent("download"), save("PNG").click()]);
  const png = fs.readFileSync(await drawn.path());
  const wide = await chart.locator("svg.plot").evaluate((one) => one.getBoundingClientRect().width);
  check("a chart is saved as PNG", drawn.suggestedFilename().endsWith(".png") && png.subarray(0, 8).toString("hex") === "89504e470d0a1a0a", drawn.suggestedFilename());
  check("the PNG has two points for each of the page", png.length > 1000 && Math.abs(png.readUInt32BE(16) - 2 * wide) <= 2 && png.readUInt32BE(20) > 0, `${png.length} bytes, ${png.readUInt32BE(16)} wide for ${wide}`);
  await save("SVG").focus();
  const [written] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  const svg = fs.readFileSync(await written.path(), "utf8");
  check("a chart is saved as SVG with its colours", svg.startsWith("<svg") && /fill="rgb/.test(svg) && !svg.includes("class="), svg.slice(0, 200));
  await chart.locator("summary", { hasText: "as a table" }).click();
  check("the chart has a table with its figures", (await chart.locator("tbody tr").count()) >= 2);
  await page.goto(`${state.run}?view=gaps`);
  check("the ledger has rounds as columns", (await page.locator(".ledger thead th").count()) >= 3);
  await page.goto(`${state.run}?view=trace`);
  await page.fill("#search", "cable");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=cable/);
  const found = await page.locator(".step").count();
  check("a search finds some of the steps", found > 0, String(found));
  const seq = await page.locator(".step").first().getAttribute("id");
  await page.goto(`${state.run}#${seq}`);
  await page.waitForURL(/view=trace/);
  check("a step has an address of its own", await page.locator(`#${seq}`).isVisible());
  // Export.
  await page.goto(state.run);
  await page.locator("summary", { hasText: "Export" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".menu a", { hasText: "Markdown" }).click()]);
  const text = fs.readFileSync(await download.path(), "utf8");
  check("the export holds the answer", text.includes(QUESTION.slice(0, 40)) && text.includes("## Sources"), text.slice(0, 120));
  await page.close();
});

await part("steer", async () => {
  const page = await main.newPage();
  const url = await ask(page, "What incidents were there, what followed from each, and what did people in the surveys say about them?", async (form) => {
    await form.check("input[name=effort][value=deep]");
    await form.click("details[data-key=more] > summary");
    await form.check("input[name=review_plan]");
  });
  await page.waitForSelector("text=This is the plan", { timeout: 60_000 });
  await page.click(".bar button[value=resume]");
  await finished(page);
  // A step of a run that is over is doubted: another run looks into it.
  await page.goto(`${url}?view=trace`);
  const step = page.locator(".step", { has: page.locator("summary", { hasText: "Challenge" }) }).first();
  await step.locator("summary", { hasText: "Challenge" }).click();
  await step.locator("textarea[name=text]").fill("Is that so? Was anything else reported?");
  await step.locator("button", { hasText: "Challenge this step" }).click();
  await page.waitForFunction((was) => !location.href.startsWith(was), url);
  await page.waitForSelector("text=looks into a challenge", { timeout: 30_000 });
  check("a challenge opens a linked run", true);
  await finished(page);
  await page.close();
});

// The browser's own EventSource over a line that breaks in the middle of events: each event arrives once, in order.
await part("reconnect", async () => {
  const run = state.run.split("/").pop();
  const told = await main.request.get(`${ORIGIN}/v1/research/${run}`);
  const events = (await told.json()).events;
  const line = await cutLine(Math.ceil(events / 6));
  const made = await browser.newContext();
  try {
    const page = await made.newPage();
    await page.goto(ENTRY.replace(ORIGIN, line.origin));
    const got = await page.evaluate(async ({ run, most, events }) => {
      const types = (await (await fetch(document.querySelector("script[src*=live]").src)).text()).match(/TYPES = "([^"]+)"/)[1].split(" ");
      const ids = [];
      let broke = 0;
      const source = new EventSource(`/v1/research/${run}/events`);
      await new Promise((done, fail) => {
        const timer = setTimeout(() => fail(new Error(`no end after ${ids.length} events`)), most);
        const over = () => { clearTimeout(timer); source.close(); done(); };
        source.onerror = () => { broke += 1; };
        const take = (event) => {
          if (!event.lastEventId) return;
          ids.push(Number(event.lastEventId));
          if (ids.at(-1) >= events) over();
        };
        for (const type of types) source.addEventListener(type, take);
      });
      return { ids, broke };
    }, { run, most: 60_000, events });
    const last = got.ids.at(-1);
    check("the line broke several times", got.broke >= 4, String(got.broke));
    check("each event came once and in order", got.ids.every((id, at) => id === got.ids[0] + at) && got.ids.length === events && got.ids[0] === 1, `${got.ids.length} of ${events}: ${got.ids.slice(0, 5)} … ${last}`);
    check("the browser said each time what it had seen last", line.asked[0] === null && line.asked.slice(1).every((id, at) => id !== null && Number(id) >= Number(line.asked[at] ?? 0)), line.asked.join(" "));
    // A page that follows the run over such a line tells so, and goes on.
    await page.goto(`${line.origin}/research/${run}`);
    check("the page is whole over a broken line", (await page.locator(".prose a.claim").count()) > 0);
  } finally {
    await made.close();
    line.close();
  }
});

await part("watch", () => watch(site));
await part("keyboard", () => keyboard(site));

// A run of a language model, made before the server was started: something stands in every view.
await part("whole", async () => {
  const page = await main.newPage();
  const view = (name) => page.goto(`${state.whole}?view=${name}`);
  await view("answer");
  check("whole: warnings of fallacies stand below the answer", (await page.locator("#warnings-title").count()) === 1);
  check("whole: what could not be established is told with its reason", (await page.locator("section[aria-labelledby=missing-title]").innerText()).includes("Given up after"));
  // What only came nearest to an open question shows no figure.
  const cards = await page.locator(".cards .card").evaluateAll((all) => all.map((card) => [card.querySelector(".sure")?.textContent ?? "", card.textContent.includes("it came nearest to what could not be established")]));
  check("whole: a card has a figure, or says that it does not answer", cards.length > 0 && cards.every(([sure, nearest]) => (nearest ? sure.includes("does not answer") && !/\d/.test(sure) : /[01]\.\d\d|not checked/.test(sure))), JSON.stringify(cards));
  // A word on a statement stays: the pages are looked at with it.
  const judged = page.locator(".cards .card").first();
  await judged.locator("summary", { hasText: "With a note" }).click();
  await judged.locator("textarea[name=note]").fill("Checked against the log of the boat.");
  await judged.locator("button[name=feedback][value=right]").click();
  await judged.locator("button[name=feedback][value=right][aria-pressed=true]").waitFor();
  await view("gaps");
  check("whole: a gap that was given up stands in the ledger", (await page.locator(".ledger tbody tr").count()) >= 2 && (await page.locator(".ledger").innerText()).includes("given up"));
  await view("hypotheses");
  check("whole: the board has two explanations", (await page.locator(".board article.hypothesis").count()) === 2 && (await page.locator(".board button", { hasText: /^Test h\d again/ }).count()) === 2);
  check("whole: belief is drawn over the evidence", (await page.locator("section[aria-labelledby=belief-title] svg.plot").count()) === 1);
  await page.locator(".board summary", { hasText: "Why this number?" }).first().click();
  await page.goto(`${state.whole}?view=hypotheses&scale=log-odds`);
  check("whole: and in log-odds", (await page.locator("section[aria-labelledby=belief-title] svg.plot").count()) === 1);
  await view("perspectives");
  const tabs = page.locator("[role=tab]");
  check("whole: a tab for each lens and one for what to take from them", (await tabs.count()) === 4);
  check("whole: the synthesis comes first", await page.locator("#lens-synthesis").isVisible() && !(await page.locator("#lens-skeptical").isVisible()));
  check("whole: where the lenses part is marked", (await page.locator("#lens-synthesis .diverge").count()) >= 1);
  // A link to a point brings its tab to the front.
  await page.locator("#lens-synthesis a[href='#v1']").first().click();
  check("whole: a link to a point opens the tab of its lens", await page.locator("#v1").isVisible() && !(await page.locator("#lens-synthesis").isVisible()));
  await tabs.nth(0).focus();
  await page.keyboard.press("ArrowRight");
  check("whole: tabs move by arrow keys", (await tabs.nth(1).getAttribute("aria-selected")) === "true");
  check("whole: agreement and shared evidence are drawn", (await page.locator("svg.plot").count()) === 2);
  await view("critique");
  check("whole: the critic's finding is told", (await page.locator(".findings > li").count()) >= 1 && (await page.locator("#rev-title").count()) === 1);
  await view("insights");
  const insight = page.locator(".insight").first();
  if (await insight.count()) {
    await insight.locator("button[value=saved]").click();
    await page.locator(".insight button[value=saved][aria-pressed=true]").first().waitFor();
    check("whole: an insight is saved to notes", true);
  }
  await page.goto(`${state.whole}?view=trace&as=tree`);
  check("whole: the tree ends with claim, evidence and warrant", (await page.locator("[data-key=statements] > ul > li").count()) >= 1);
  await view("cost");
  check("whole: what went to the model is told", (await page.locator("section[aria-labelledby=left-title]").innerText()).includes("ollama:written"));
  await page.goto(`${ORIGIN}/notes`);
  check("whole: what was said stands among the notes", (await page.locator(".history > li").count()) >= 1 && (await page.locator(".history a[href*='#card-']").count()) >= 1 && (await page.locator("main").innerText()).includes("Checked against the log of the boat."));
  await page.goto(`${ORIGIN}/sources`);
  check("whole: its documents are among the sources", (await page.locator("main").innerText()).includes("porpoise-boat-survey-2025.md"));
  await page.close();
});

await part("axe", async () => {
  const base = state.run;
  const whole = state.whole;
  const idOf = (url) => url.split("/").pop();
  const views = ["answer", "confidence", "gaps", "hypotheses", "perspectives", "insights", "critique", "cost"];
  const filled = [...views, "hypotheses&scale=log-odds", "trace", "trace&as=tree"];
  const fixed = ["/", "/research", `/compare?a=${idOf(base)}`, "/sources", "/notes", "/notes?q=cable", "/settings", "/about", "/nowhere", "/research?status=finished", `/compare?a=${idOf(base)}&b=${idOf(whole)}`];
  const plain = ["/delete", "/source/1", "?view=trace&as=tree", "?view=trace&as=timeline", "?view=trace&q=cable", ...views.map((view) => `?view=${view}`)];
  await look(browser, [
    ...fixed.map((address) => ({ name: address.replace(idOf(base), "run").replace(idOf(whole), "whole"), url: `${ORIGIN}${address}` })),
    // The run in which every view is filled has the same parts, so that one of the two is enough for colours.
    ...plain.map((rest) => ({ name: `run${rest}`, url: `${base}${rest}`, light: true })),
    ...filled.map((view) => ({ name: `whole?view=${view}`, url: `${whole}?view=${view}`, unfolded: true })),
    { name: "whole/source/1", url: `${whole}/source/1` },
  ]);
});

await part("states", () => states(site));
await part("print", () => printed(site));

await part("plain", async () => {
  // Without scripts everything is a page and a form.
  const made = await context(browser, { javaScriptEnabled: false });
  const page = await made.newPage();
  await page.goto(`${ORIGIN}/`);
  await page.fill("textarea[name=question]", "How long is the export cable?");
  await page.click("form.asking button");
  for (let tries = 0; tries < 60 && !(await page.locator(".prose").count()); tries += 1) { await page.waitForTimeout(500); await page.reload(); }
  check("without scripts a question is answered", (await page.locator(".prose a.claim").count()) > 0);
  await page.locator(".card a.place").first().click();
  check("without scripts a quote is marked", (await page.locator("mark.quoted").count()) > 0);
  await page.goto(`${page.url().split("/source/")[0]}?view=confidence`);
  check("without scripts a chart offers no file", (await page.locator("figure.chart svg.plot").count()) > 0 && (await page.locator("button[data-save]:visible").count()) === 0);
  await made.close();
});

await part("payloads", async () => {
  await documents(site);
  await fields(site);
  await questions(site);
});

await part("long", () => long(site));
if (only.includes("pictures")) await part("pictures", () => pictures(site));

check("no alert was shown", seen.alerts === 0, String(seen.alerts));
check("the content policy had nothing to refuse", seen.reports.length === 0, [...new Set(seen.reports)].slice(0, 5).join(" | "));
check("no request went to another origin", seen.foreign.length === 0, seen.foreign.slice(0, 3).join(" "));
check("no script failed", seen.errors.length === 0, [...new Set(seen.errors)].slice(0, 3).join(" | "));
await browser.close();
const { passed, failed } = counts();
console.log(`browser: ${passed} checks held, ${failed} did not`);
process.exit(failed ? 1 : 0);
