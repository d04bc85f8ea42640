// Everything by keyboard alone. After the first address has been opened, pages are reached by keys as well.
import { ORIGIN, PATIENT, ask, check, finished, focusShows, gate, tabTo, told, until, waits } from "./kit.mjs";

// A word of a question for whose replies a run waits: nothing else has it.
const STEERED = "quincunx";

export async function keyboard({ main }) {
  const page = await main.newPage();
  const press = (key) => page.keyboard.press(key);
  const type = (text) => page.keyboard.type(text);
  await page.goto(`${ORIGIN}/`);
  // 1 ask, with 2 another effort
  check("key 1: the question is reached", await tabTo(page, "textarea[name=question]") && await focusShows(page));
  await type("Who owns the Skerry Tidal Array?");
  check("key 2: the effort is reached", await tabTo(page, "input[name=effort]"));
  await press("ArrowLeft");
  check("key 2: another effort is chosen", await page.locator("input[value=quick]").isChecked());
  check("key 1: the button is reached", await tabTo(page, "form.asking button"));
  await press("Enter");
  await page.waitForURL(/\/research\/[^/]+$/);
  await finished(page);
  const run = page.url();
  // 3 a statement and its card, 4 why
  check("key 3: a statement is reached with j", await (async () => { await press("j"); return page.evaluate(() => document.activeElement.matches(".prose a.claim")); })());
  await press("Enter");
  check("key 3: its card has the focus", await page.evaluate(() => document.activeElement.matches(".card")));
  check("key 4: the drawer is reached", await tabTo(page, ".card details[data-key^=why] > summary"));
  await press("Enter");
  check("key 4: the formula is open", await page.locator(".card details[data-key^=why][open]").count() > 0);
  // 5 to the source and back
  await press("1");
  await page.waitForURL(/view=answer/);
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
  await type("search");
  await press("Enter");
  await page.waitForURL(/q=search/);
  check("key 6: the search found steps", (await page.locator(".step").count()) > 0);
  check("key 6: the way to all of them is reached", await tabTo(page, ".trace p[role=status] a"));
  await press("Enter");
  await page.waitForURL((url) => !url.search.includes("q="));
  await press("j"); await press("j");
  const second = await page.evaluate(() => document.activeElement.id);
  await press("k");
  const first = await page.evaluate(() => document.activeElement.id);
  check("key 7: j and k step through the trace", second !== first && /^e\d+$/.test(first) && await focusShows(page), `${first} ${second}`);
  check("key 8: a challenge is reached", await tabTo(page, "details[data-key^=x] > summary", 400));
  await press("Enter");
  check("key 8: its field is reached", await tabTo(page, "details[data-key^=x] textarea[name=text]", 5));
  await type("Is that so? Who else made any?");
  check("key 8: its button is reached", await tabTo(page, "details[data-key^=x] form button", 3));
  await press("Enter");
  await page.waitForSelector("text=looks into a challenge", { timeout: 30_000 });
  check("key 8: another run looks into it", !page.url().startsWith(run));
  await finished(page);
  // 9 the ledger of the run that was doubted
  check("key 9: the way back to it is reached", await tabTo(page, ".runhead .note a"));
  await press("Enter");
  await page.waitForURL((url) => url.href.startsWith(run));
  await press("4");
  await page.waitForURL(/view=gaps/);
  check("key 9: the ledger is reached", await page.locator("#gaps-title").isVisible());
  check("key 9: what was tried for a gap is reached", await tabTo(page, "details[data-key^=tried] > summary"));
  await press("Enter");
  check("key 9: and read", await page.locator("details[data-key^=tried][open] li q").first().isVisible());
  // 10 export
  await press("1");
  await page.waitForURL(/view=answer/);
  check("key 10: the export menu is reached", await tabTo(page, "details.menu > summary"));
  await press("Enter");
  check("key 10: a format is reached", await tabTo(page, ".menu a", 3));
  const [download] = await Promise.all([page.waitForEvent("download"), press("Enter")]);
  check("key 10: it is downloaded", Boolean(await download.path()));
  // 11 the list of runs
  const toRuns = async () => { await press("g"); await press("r"); await page.waitForURL(/\/research$/); };
  await toRuns();
  await press("/");
  await type("owns");
  await press("Enter");
  await page.waitForURL(/q=owns/);
  check("key 11: a run is found again", (await page.locator(".history > li").count()) >= 1);
  // 12 compare
  check("key 12: the way to all runs is reached", await tabTo(page, "main a[href='/research']"));
  await press("Enter");
  await page.waitForURL(/\/research$/);
  for (let n = 0; n < 2; n += 1) {
    await tabTo(page, `.history > li:nth-child(${n + 1}) input[name=run]`);
    await press("Space");
  }
  check("key 12: the button is reached", await tabTo(page, "form button.quiet"));
  await press("Enter");
  await page.waitForURL(/compare\?run=/);
  check("key 12: two runs stand side by side", (await page.locator(".cols > section").count()) === 2);
  // 13 the sheet of keys opens and closes.
  await page.locator("body").press("?");
  check("key 13: the sheet of keys opens", await page.locator("#keys[open]").count() === 1);
  await press("Escape");
  check("key 13: and closes", await page.locator("#keys[open]").count() === 0);
  // 14 an explanation of one's own
  await toRuns();
  check("key 14: a run is reached in the list", await tabTo(page, ".history > li:nth-child(2) h2 a"));
  await press("Enter");
  await page.waitForURL(/\/research\/[^/]+$/);
  await press("5");
  await page.waitForURL(/view=hypotheses/);
  check("key 14: the field of an explanation is reached", await tabTo(page, "form[action$='/hypotheses'] input[name=claim]"));
  await type("The turbines were made on the island.");
  await press("Enter");
  await page.waitForSelector("text=begun to test", { timeout: 30_000 });
  check("key 14: another run tests it", /view=hypotheses/.test(page.url()));
  await finished(page);
  await page.close();
  await steered(main);
}

// What is said to a run while it goes on: the dialogue, the plan, a pause, its end.
async function steered(main) {
  const page = await main.newPage();
  const press = (key) => page.keyboard.press(key);
  const type = (text) => page.keyboard.type(text);
  const asked = async (question, boxes) => {
    await page.goto(`${PATIENT}/`);
    await tabTo(page, "textarea[name=question]");
    await type(question);
    await tabTo(page, "details[data-key=more] > summary");
    await press("Enter");
    for (const box of boxes) {
      await tabTo(page, `input[name=${box}]`);
      await press("Space");
    }
    await tabTo(page, "form.asking > p button");
    await press("Enter");
    await page.waitForURL(/\/research\/[^/]+$/);
  };
  // 15 the dialogue of a vague question, 16 the plan of its run
  await asked("Tell me about the animals.", ["review_plan", "clarify"]);
  await page.waitForSelector("form.dialogue");
  check("key 15: what it asks back is reached", await tabTo(page, "form.dialogue input[name=choice1]"));
  await press("Space");
  await press("ArrowDown");
  check("key 15: another choice is made", await page.locator("form.dialogue input[name=choice1][value='2']").isChecked());
  check("key 15: words of one's own are reached", await tabTo(page, "form.dialogue input[name=text2]"));
  await type("since the first survey");
  check("key 15: the button is reached", await tabTo(page, "form.dialogue button[value=answer]"));
  await press("Enter");
  await page.waitForSelector("text=This is the plan");
  check("key 16: the plan is reached", await tabTo(page, ".dialogue textarea[name=questions]"));
  await press("Control+End");
  await press("Enter");
  await type("Which boats were used?");
  check("key 16: its button is reached", await tabTo(page, ".dialogue form button", 3));
  await press("Enter");
  await finished(page);
  const answer = await (await main.request.get(`${page.url().replace("/research/", "/v1/research/")}/answer`)).json();
  check("key 15: the answer tells what was said", JSON.stringify(answer.clarified?.map((one) => one.answer)) === JSON.stringify(["seabirds", "since the first survey"]), JSON.stringify(answer.clarified));
  const { questions } = await told(main, page.url());
  check("key 16: the plan that was edited is used", questions.some((one) => JSON.stringify(one).includes("Which boats were used?")), JSON.stringify(questions));
  // 17 pause and go on, 18 interrupt
  await gate(STEERED, "hold");
  try {
    const url = await ask(page, `Did porpoise sightings in Skerry Sound change, to a ${STEERED}?`, async () => {}, PATIENT);
    await waits(STEERED);
    check("key 17: the pause is reached", await tabTo(page, ".bar button[value=pause]"));
    await press("Enter");
    await page.waitForSelector(".status.is-paused");
    check("key 17: the way on is reached", await tabTo(page, ".bar button[value=resume]"));
    await press("Enter");
    check("key 17: it goes on", await until(async () => (await told(main, url)).status === "running"));
    await page.waitForSelector(".status.is-running");
    check("key 18: the end is reached", await tabTo(page, ".bar button[value=interrupt]"));
    await press("Enter");
    await page.waitForSelector(".status.is-interrupted");
    check("key 18: it is over", (await told(main, url)).status === "interrupted");
  } finally {
    await gate(STEERED, "open");
  }
  await page.close();
}
