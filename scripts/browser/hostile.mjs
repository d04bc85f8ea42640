// Texts that try to become markup, by every way on which a text comes to a page: documents, a model's words, addresses, forms.
import { NIGHT, ORIGIN, PATIENT, ask, check, context, finished, gate, lead, stir, told, until } from "./kit.mjs";
import { MARKUP } from "./model.mjs";
import { mixture, payloads } from "./payloads.mjs";

const CORPUS = process.env.ELENCHUS_XSS;
const VIEWS = ["answer", "confidence", "trace", "trace&as=tree", "trace&as=timeline", "gaps", "hypotheses", "perspectives", "insights", "critique", "cost"];
// A word of a question for whose replies a run waits: nothing else has it.
const HELD = "rondeau";

const missing = (what) => console.log(`skip: browser ${what}: the corpus of payloads is not here (shared/data/attacks/xss)`);
const squeezed = (text) => text.replace(/\s+/g, " ").trim();

// Opens what is folded and stirs it; gives the text that stands on the page.
async function seenOn(page, url, name) {
  const reply = await page.goto(url);
  if (!reply || reply.status() !== 200) return null;
  await page.evaluate(() => { for (const fold of document.querySelectorAll("main details")) fold.open = true; });
  await stir(page, name);
  return squeezed(await page.evaluate(() => document.body.textContent));
}

// Runs over documents in which titles, authors, headings, sentences and names are payloads, answered by a model whose own words
// end in markup.
export async function documents({ browser }) {
  const runs = (process.env.ELENCHUS_TEST_HOSTILE ?? "").split(",").filter(Boolean);
  if (!runs.length) { missing("documents"); return; }
  const made = await context(browser);
  const page = await made.newPage();
  let quotes = 0;
  let sources = 0;
  for (const [at, run] of runs.entries()) {
    const url = `${ORIGIN}/research/${run}`;
    let text = "";
    for (const view of VIEWS) text += ` ${await seenOn(page, `${url}?view=${view}`, `in documents ${at}, ${view}`)}`;
    for (let number = 1; number < 200; number += 1) {
      const source = await seenOn(page, `${url}/source/${number}`, `in documents ${at}, source ${number}`);
      if (source === null) break;
      text += ` ${source}`;
      sources += 1;
    }
    const answer = await (await made.request.get(`${ORIGIN}/v1/research/${run}/answer`)).json();
    // What cannot be seen is left out of pages, so that only the rest can be compared.
    const plain = (texts) => texts.map(squeezed).filter((one) => /^[\x20-\x7e]+$/.test(one));
    const wanted = plain([answer.question, ...answer.sources.flatMap((one) => [one.title, one.path]), ...answer.evidence.map((one) => one.quote)]);
    const lost = wanted.filter((one) => !text.includes(one));
    check(`what documents ${at} say stands on the pages as text`, wanted.length > 0 && lost.length === 0, lost.slice(0, 3).join(" | "));
    check(`words of the model stand on the pages of documents ${at} as text`, text.includes(MARKUP));
    quotes += answer.evidence.filter((one) => /[<>"']/.test(one.quote)).length;
  }
  for (const address of ["/sources", "/sources?q=survey", "/research", `/compare?a=${runs[0]}&b=${runs.at(-1)}`, "/about", "/memory"]) await seenOn(page, `${ORIGIN}${address}`, `in documents, ${address}`);
  check("payloads are quoted and their sources shown", quotes >= runs.length && sources >= runs.length, `${quotes} quotes, ${sources} sources`);
  console.log(`hostile documents: ${runs.length} runs, ${quotes} quotes with signs of markup, ${sources} sources`);
  await made.close();
}

// Every field of every form, and what becomes of what was written there.
export async function fields({ browser, state }) {
  if (!CORPUS) { missing("fields"); return; }
  const mixed = mixture(payloads(CORPUS));
  const lines = (count, most) => Array.from({ length: count }, () => `Which boat? ${mixed(most)}`).join("\n");
  const made = await context(browser);
  const page = await made.newPage();
  const views = async (url, name, wanted) => { for (const view of wanted) await seenOn(page, `${url.split("?")[0]}?view=${view}`, `in ${name}, ${view}`); };
  // A question with a plan and explanations of its own; what it waits for is written over, twice.
  const planned = await ask(page, `Which boats counted? ${mixed(1_000)}`, async (form) => {
    await form.click("details[data-key=more] > summary");
    await form.check("input[name=review_plan]");
    await form.fill("textarea[name=plan]", lines(3, 200));
    await form.fill("textarea[name=test]", lines(2, 200));
  });
  await page.waitForSelector("text=This is the plan");
  await stir(page, "in a plan that was brought");
  await page.click("details[data-key=redirect] > summary");
  await page.fill("details[data-key=redirect] input[name=focus]", `the boats ${mixed(300)}`);
  await page.fill("details[data-key=redirect] textarea[name=exclude]", mixed(300));
  await page.click("details[data-key=redirect] form button");
  check("a run takes the direction", await until(async () => (await told(made, planned)).controls.length >= 1));
  await page.reload();
  await stir(page, "in a direction");
  await page.fill(".dialogue textarea[name=questions]", lines(3, 200));
  await page.click(".dialogue form button");
  check("a run takes the plan", await until(async () => (await told(made, planned)).controls.length >= 2));
  await page.goto(planned);
  await finished(page);
  await views(planned, "a plan", ["answer", "trace", "gaps", "hypotheses", "cost"]);
  // Notes.
  await page.goto(state.run);
  const card = page.locator(".cards .card").first();
  await card.locator(".noting > summary").click();
  await card.locator("textarea[name=note]").fill(mixed(1_800));
  await card.locator("button[name=feedback][value=wrong]").click();
  await card.locator("button[name=feedback][value=wrong][aria-pressed=true]").waitFor();
  await page.goto(`${state.whole}?view=insights`);
  const insight = page.locator(".insight").first();
  if (await insight.count()) {
    await insight.locator(".noting > summary").click();
    await insight.locator("textarea[name=note]").fill(mixed(1_800));
    await insight.locator("button[value=useful]").click();
    await page.locator(".insight button[value=useful][aria-pressed=true]").first().waitFor();
  }
  check("notes hold what was written", (await seenOn(page, `${ORIGIN}/notes`, "in notes"))?.includes("<") === true);
  // Runs that come of another one.
  const child = async (name, from, act, wanted) => {
    await page.goto(`${state.run}?view=${from}`);
    await act();
    check(`${name} opens another run`, await until(async () => /\/research\/run_/.test(page.url()) && !page.url().startsWith(state.run), 30_000), page.url());
    await finished(page);
    await views(page.url(), name, wanted);
  };
  const unfold = async (key) => {
    const fold = page.locator(`.step details[data-key^=${key}]`).first();
    await fold.locator("summary").click();
    return fold;
  };
  await child("a challenge", "trace", async () => {
    const fold = await unfold("x");
    await fold.locator("textarea[name=text]").fill(`Is that so? ${mixed(900)}`);
    await fold.locator("form button").click();
  }, ["answer", "trace", "critique"]);
  if (NIGHT) {
    await child("a fork", "trace", async () => {
      const fold = await unfold("f");
      await fold.locator("input[name=focus]").fill(`the boats ${mixed(900)}`);
      await fold.locator("form button").click();
    }, ["answer", "trace"]);
    await child("an explanation", "hypotheses", async () => {
      await page.locator("form[action$='/hypotheses'] input[name=claim]").fill(`The boats ${mixed(250)}`);
      await page.locator("form[action$='/hypotheses'] button").click();
    }, ["answer", "hypotheses"]);
  }
  await remembered(made, page, mixed);
  await spoken(made, page, mixed);
  // What is only reflected.
  for (const address of ["/notes?q=", "/notes?only=", "/sources?q=", "/memory?q=", "/memory?undo=", "/memory?voted=", "/compare?q=", "/compare?a=", "/research?q=", "/?again=", "/research/"]) {
    await page.goto(`${ORIGIN}${address}${encodeURIComponent(mixed(600))}`);
    await stir(page, `in ${address}`);
  }
  await made.close();
}

// A strategy as a program records it and as its form changes it.
async function remembered(made, page, mixed) {
  const draft = { title: mixed(45), description: mixed(180), content: mixed(2_000), outcome: "success", tags: [mixed(30), mixed(30)] };
  const reply = await made.request.post(`${ORIGIN}/v1/memory/record`, { headers: { origin: ORIGIN }, data: draft });
  check("a strategy with payloads is recorded", reply.ok(), `${reply.status()} ${(await reply.text()).slice(0, 300)}`);
  const { id } = await reply.json();
  if (!id) return;
  await seenOn(page, `${ORIGIN}/memory/${id}`, "in a strategy");
  await page.fill("input[name=title]", mixed(45));
  await page.fill("input[name=description]", mixed(180));
  await page.fill("textarea[name=content]", mixed(2_000));
  await page.fill("input[name=tags]", mixed(60));
  await page.click("button[name=do][value=edit]");
  await page.waitForLoadState();
  await stir(page, "in a strategy that was changed");
  await seenOn(page, `${ORIGIN}/memory`, "in strategies");
}

// What is said to a run: words of one's own in the dialogue, and why an explanation is dropped.
async function spoken(made, page, mixed) {
  const vague = await ask(page, "Tell me about the animals.", async (form) => {
    await form.click("details[data-key=more] > summary");
    await form.check("input[name=clarify]");
  }, PATIENT);
  await page.waitForSelector("form.dialogue input[name=text1]");
  const said = mixed(400);
  await page.fill("form.dialogue input[name=text1]", said);
  await page.click("form.dialogue button[value=answer]");
  await finished(page);
  await seenOn(page, `${vague}?view=answer`, "in what was said");
  await seenOn(page, `${vague}?view=trace`, "in what was said, trace");
  await gate(HELD, "hold");
  try {
    const run = await ask(page, `Did porpoise sightings in Skerry Sound change, to a ${HELD}?`, async () => {}, PATIENT);
    check("a run has explanations while it goes on", await lead(made, run, HELD, (one) => one.counts.hypotheses > 0));
    await page.goto(`${run}?view=hypotheses`);
    const drop = page.locator("form.bar", { has: page.locator("input[name=reason]") }).first();
    await drop.locator("input[name=reason]").fill(mixed(280));
    await drop.locator("button").click();
    check("an explanation is dropped for a reason", await until(async () => (await told(made, run)).controls.length > 0));
    await seenOn(page, `${run}?view=hypotheses`, "in a reason");
    await seenOn(page, `${run}?view=trace`, "in a reason, trace");
    await page.locator(".bar button[value=interrupt]").click();
    await page.waitForSelector(".status.is-interrupted");
  } finally {
    await gate(HELD, "open");
  }
}

// Payloads in searches and questions, a page of them at a time.
export async function questions({ browser, state }) {
  if (!CORPUS) { missing("payloads"); return; }
  const texts = payloads(CORPUS);
  const pages = [[]];
  for (const text of texts) {
    if (pages.at(-1).join("\n").length + text.length > 5800) pages.push([]);
    pages.at(-1).push(text.slice(0, 5800));
  }
  const made = await context(browser);
  const page = await made.newPage();
  const most = NIGHT ? pages.length : Math.min(Number(process.env.PAYLOAD_PAGES ?? 10), pages.length);
  let shown = 0;
  let visited = 0;
  for (const [at, some] of pages.slice(0, most).entries()) {
    // Reflected: searches. Kept: a question, on its own page and in the list.
    const text = some.join("\n");
    await page.goto(`${state.run}?view=trace&q=${encodeURIComponent(text.slice(0, 200))}`);
    await stir(page, `in a search of the trace ${at}`);
    await page.goto(`${ORIGIN}/research?q=${encodeURIComponent(text.slice(0, 1500))}`);
    await stir(page, `in a search of runs ${at}`);
    await page.goto(`${ORIGIN}/`);
    await page.fill("textarea[name=question]", `Which cable? ${text}`);
    await page.check("input[value=quick]");
    await page.click("form.asking button:not([type=button])");
    await page.waitForURL(/\/research\/[^/]+$/);
    const stop = page.locator(".bar button[value=interrupt]");
    if (await stop.count()) await stop.click().catch(() => {});
    await finished(page, 30_000).catch(() => {});
    const address = page.url().split("?")[0];
    for (const view of ["answer", "trace", "gaps", "cost"]) {
      await page.goto(`${address}?view=${view}`);
      await stir(page, `in a question ${at}, ${view}`);
    }
    shown += some.length;
    visited += 1;
  }
  await page.goto(`${ORIGIN}/research`);
  await stir(page, "in the list of runs");
  await made.close();
  const expected = pages.slice(0, most).reduce((sum, one) => sum + one.length, 0);
  check("every page of payloads was shown", most > 0 && visited === most && shown === expected, `${visited} of ${most} pages, ${shown} of ${expected} payloads`);
  console.log(`payloads: ${shown} of ${texts.length} shown on ${visited} of ${pages.length} pages`);
}
