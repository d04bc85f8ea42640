// The web pages in a real browser: a question from the first word to the export, everything by keyboard, axe on every page, and
// payloads that try to become markup.
import fs from "node:fs";
import { AxeBuilder, ENTRY, ORIGIN, ask, check, context, counts, cutLine, finished, focusShows, launch, seen, tabTo } from "./kit.mjs";

const QUESTION = "When was consent for the Skerry Tidal Array granted, how long is its export cable, and which salary does the harbour master draw?";
const only = process.argv.slice(2);
const browser = await launch();
const main = await context(browser);
const state = { whole: `${ORIGIN}/research/${process.env.ELENCHUS_RUN}` };

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
  // What is written and opened stays when the page is written anew under it.
  await page.click("details[data-key=redirect] > summary");
  await page.fill("details[data-key=redirect] input[name=focus]", "turbines");
  await page.click(".bar button[value=resume]");
  await page.waitForTimeout(1200);
  if (!(await page.locator("article.run[data-over]").count())) {
    const kept = page.locator("details[data-key=redirect] input[name=focus]");
    if (await kept.count()) check("what was written stays while the run goes on", (await kept.inputValue()) === "turbines");
  }
  await finished(page);
  // Another run is interrupted where it surely waits: with its plan, which nobody approves.
  const stopped = await context(browser);
  const other = await stopped.newPage();
  await ask(other, "What incidents were there?", async (form) => {
    await form.click("details[data-key=more] > summary");
    await form.check("input[name=review_plan]");
  });
  await other.waitForSelector("text=This is the plan", { timeout: 60_000 });
  await other.locator(".bar button[value=interrupt]").click();
  await other.waitForSelector(".status.is-interrupted", { timeout: 30_000 });
  await other.reload();
  check("an interrupted run is told to be interrupted", (await other.locator(".status.is-interrupted").count()) > 0 && (await other.locator(".status.is-finished").count()) === 0);
  await stopped.close();
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

await part("keyboard", async () => {
  const page = await main.newPage();
  const press = (key) => page.keyboard.press(key);
  await page.goto(`${ORIGIN}/`);
  // 1 ask, with 2 another effort
  check("key 1: the question is reached", await tabTo(page, "textarea[name=question]") && await focusShows(page));
  await page.keyboard.type("Who made the turbines of the Skerry Tidal Array?");
  check("key 2: the effort is reached", await tabTo(page, "input[name=effort]"));
  await press("ArrowLeft");
  check("key 2: another effort is chosen", await page.locator("input[value=quick]").isChecked());
  check("key 1: the button is reached", await tabTo(page, "form.asking button"));
  await press("Enter");
  await page.waitForURL(/\/research\/[^/]+$/);
  await finished(page);
  // 3 a statement and its card, 4 why
  check("key 3: a statement is reached with j", await (async () => { await press("j"); return page.evaluate(() => document.activeElement.matches(".prose a.claim")); })());
  await press("Enter");
  check("key 3: its card has the focus", await page.evaluate(() => document.activeElement.matches(".card")));
  check("key 4: the drawer is reached", await tabTo(page, ".card details[data-key^=why] > summary"));
  await press("Enter");
  check("key 4: the formula is open", await page.locator(".card details[data-key^=why][open]").count() > 0);
  // 5 to the source and back
  await page.goto(page.url().split("#")[0]);
  check("key 5: the quote's place is reached", await tabTo(page, ".card a.place"));
  await press("Enter");
  await page.waitForSelector("mark.quoted");
  check("key 5: the way back is reached", await tabTo(page, "main a[href*='view=answer']"));
  await press("Enter");
  await page.waitForSelector(".prose");
  // 6 search the trace, 7 step through it, 8 challenge
  await press("3");
  await page.waitForURL(/view=trace/);
  await press("/");
  await page.keyboard.type("search");
  await press("Enter");
  await page.waitForURL(/q=search/);
  check("key 6: the search found steps", (await page.locator(".step").count()) > 0);
  await page.goto(page.url().split("?")[0] + "?view=trace");
  await press("j"); await press("j");
  const second = await page.evaluate(() => document.activeElement.id);
  await press("k");
  const first = await page.evaluate(() => document.activeElement.id);
  check("key 7: j and k step through the trace", second !== first && /^e\d+$/.test(first) && await focusShows(page), `${first} ${second}`);
  check("key 8: a challenge is reached", await tabTo(page, "details[data-key^=x] > summary", 400));
  await press("Enter");
  check("key 8: its field is reached", await tabTo(page, "textarea[name=text]", 5));
  // 9 the ledger
  await page.goto(page.url().split("?")[0]);
  await press("4");
  await page.waitForURL(/view=gaps/);
  check("key 9: the ledger is reached", await page.locator("#gaps-title").isVisible());
  // 10 export
  await press("1");
  await page.waitForURL(/view=answer/);
  check("key 10: the export menu is reached", await tabTo(page, "details.menu > summary"));
  await press("Enter");
  check("key 10: a format is reached", await tabTo(page, ".menu a", 3));
  const [download] = await Promise.all([page.waitForEvent("download"), press("Enter")]);
  check("key 10: it is downloaded", Boolean(await download.path()));
  // 11 the list of runs
  await page.goto(`${ORIGIN}/`);
  await page.locator("body").press("g"); await press("r");
  await page.waitForURL(/\/research$/);
  await press("/");
  await page.keyboard.type("turbines");
  await press("Enter");
  await page.waitForURL(/q=turbines/);
  check("key 11: a run is found again", (await page.locator(".history > li").count()) >= 1);
  // 12 compare
  await page.goto(`${ORIGIN}/research`);
  for (let n = 0; n < 2; n += 1) {
    await tabTo(page, `.history > li:nth-child(${n + 1}) input[name=run]`);
    await press("Space");
  }
  check("key 12: the button is reached", await tabTo(page, "form button.quiet"));
  await press("Enter");
  await page.waitForURL(/compare\?run=/);
  check("key 12: two runs stand side by side", (await page.locator(".cols > section").count()) === 2);
  // And the sheet of keys opens and closes.
  await page.locator("body").press("?");
  check("key 13: the sheet of keys opens", await page.locator("#keys[open]").count() === 1);
  await press("Escape");
  check("key 13: and closes", await page.locator("#keys[open]").count() === 0);
  await page.close();
});

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
  const filled = ["answer", "confidence", "gaps", "hypotheses", "hypotheses&scale=log-odds", "perspectives", "insights", "critique", "cost", "trace", "trace&as=tree"];
  const addresses = ["/", "/research", `/compare?a=${base.split("/").pop()}`, "/sources", "/notes", "/notes?q=cable", "/memory", "/settings", "/about", "/nowhere", "/research?status=finished", `${base}/delete`, `${base}/source/1`, `${base}?view=trace&as=tree`, `${base}?view=trace&as=timeline`, `${base}?view=trace&q=cable`,
    ...["answer", "confidence", "gaps", "hypotheses", "perspectives", "insights", "critique", "cost"].map((view) => `${base}?view=${view}`),
    ...filled.map((view) => `${whole}?view=${view}`), `${whole}/source/1`, `/compare?a=${base.split("/").pop()}&b=${whole.split("/").pop()}`];
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  // What colours can break is looked at in every scheme, everything else once a width: the elements are the same.
  const shades = ["color-contrast", "link-in-text-block", "target-size", "aria-hidden-focus", "scrollable-region-focusable"];
  const modes = [["light", { colorScheme: "light" }], ["dark", { colorScheme: "dark" }], ["forced", { forcedColors: "active" }]];
  let pages = 0;
  const worker = async ([name, options]) => {
    const made = await context(browser, { reducedMotion: "reduce", ...options });
    const page = await made.newPage();
    for (const address of addresses) {
      const shown = address.replace(base, "run").replace(whole, "whole");
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(new URL(address, ORIGIN).href);
      // What is folded is looked at as well.
      if (address.startsWith(whole)) await page.evaluate(() => { for (const one of document.querySelectorAll("main details:not(.menu)")) one.open = true; });
      // What is not laid out yet has a guessed height, and axe would take its neighbours for what lies behind it.
      await page.evaluate(() => { for (const one of document.querySelectorAll(".step")) one.style.contentVisibility = "visible"; });
      for (const width of name === "light" ? [1440, 768, 320] : [1440, 320]) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        const axe = new AxeBuilder({ page }).setLegacyMode(true);
        const found = await (name === "light" ? axe.withTags(tags) : axe.withRules(shades)).analyze();
        pages += 1;
        const told = found.violations.map((one) => `${one.id}: ${one.nodes.slice(0, 2).map((node) => node.target.join(" ")).join("; ")}`).join(" | ");
        check(`axe ${name} ${width} ${shown}`, found.violations.length === 0, told);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        check(`no sideways scrolling ${name} ${width} ${shown}`, over <= 0, `${over} px`);
        if (name !== "light") continue;
        const small = await page.evaluate(() => [...document.querySelectorAll("button, .button, summary, .views a, .top nav a, input[type=radio], input[type=checkbox]")].filter((one) => one.checkVisibility()).filter((one) => { const box = one.getBoundingClientRect(); const label = one.closest("label")?.getBoundingClientRect(); return box.height > 0 && Math.max(box.height, label?.height ?? 0) < 24; }).map((one) => one.outerHTML.slice(0, 80)));
        check(`targets of 24 px ${width} ${shown}`, small.length === 0, small.slice(0, 3).join(" "));
      }
    }
    await made.close();
  };
  await Promise.all(modes.map(worker));
  console.log(`axe: ${pages} pages looked at`);
});

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
  const folder = process.env.ELENCHUS_XSS;
  if (!folder) { console.log("skip: browser payloads: the corpus of payloads is not here (shared/data/attacks/xss)"); return; }
  const texts = fs.readFileSync(`${folder}/payloadbox_xss_all.txt`, "utf8").split("\n").map((line) => line.trim()).filter(Boolean);
  for (const name of ["patt_xss_blocks.jsonl", "own_markdown_vectors.jsonl", "dompurify_expect.jsonl"]) {
    for (const line of fs.readFileSync(`${folder}/${name}`, "utf8").split("\n").filter(Boolean)) {
      const one = JSON.parse(line);
      texts.push(String(one.payload ?? one.markdown ?? one.input ?? "").trim());
    }
  }
  const pages = [[]];
  for (const text of texts.filter(Boolean)) {
    if (pages.at(-1).join("\n").length + text.length > 5800) pages.push([]);
    pages.at(-1).push(text.slice(0, 5800));
  }
  const made = await context(browser);
  const page = await made.newPage();
  const most = process.env.PAYLOAD_PAGES === "all" ? pages.length : Math.min(Number(process.env.PAYLOAD_PAGES ?? 12), pages.length);
  let shown = 0;
  let visited = 0;
  for (const payloads of pages.slice(0, most)) {
    // Reflected: searches. Kept: a question, on its own page and in the list.
    const text = payloads.join("\n");
    await page.goto(`${state.run}?view=trace&q=${encodeURIComponent(text.slice(0, 200))}`);
    await page.goto(`${ORIGIN}/research?q=${encodeURIComponent(text.slice(0, 1500))}`);
    await page.goto(`${ORIGIN}/`);
    await page.fill("textarea[name=question]", `Which cable? ${text}`);
    await page.check("input[value=quick]");
    await page.click("form.asking button:not([type=button])");
    await page.waitForURL(/\/research\/[^/]+$/);
    const stop = page.locator(".bar button[value=interrupt]");
    if (await stop.count()) await stop.click().catch(() => {});
    await finished(page, 30_000).catch(() => {});
    const address = page.url().split("?")[0];
    for (const view of ["answer", "trace", "gaps", "cost"]) await page.goto(`${address}?view=${view}`);
    shown += payloads.length;
    visited += 1;
  }
  await page.goto(`${ORIGIN}/research`);
  await page.hover("h1");
  await made.close();
  const expected = pages.slice(0, most).reduce((sum, one) => sum + one.length, 0);
  check("every page of payloads was shown", most > 0 && visited === most && shown === expected, `${visited} of ${most} pages, ${shown} of ${expected} payloads`);
  console.log(`payloads: ${shown} of ${texts.length} shown on ${visited} of ${pages.length} pages`);
});

check("no alert was shown", seen.alerts === 0, String(seen.alerts));
check("the content policy had nothing to refuse", seen.reports.length === 0, [...new Set(seen.reports)].slice(0, 5).join(" | "));
check("no request went to another origin", seen.foreign.length === 0, seen.foreign.slice(0, 3).join(" "));
check("no script failed", seen.errors.length === 0, [...new Set(seen.errors)].slice(0, 3).join(" | "));
await browser.close();
const { passed, failed } = counts();
console.log(`browser: ${passed} checks held, ${failed} did not`);
process.exit(failed ? 1 : 0);
