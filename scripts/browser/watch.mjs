// A run that is watched while it thinks: replies of its model are let go one by one, so that each stage can be looked at. And one
// that is interrupted in the middle of a round.
import { PATIENT, ask, check, context, gate, lead, told, until, waits } from "./kit.mjs";

// Words of questions for whose replies runs wait: nothing else has them.
const WATCHED = "zephyrine";
const STOPPED = "ombrelle";
const question = (word) => `Did porpoise sightings in Skerry Sound change, to a ${word}?`;

export async function watch({ browser, state }) {
  const made = await context(browser);
  const page = await made.newPage();
  await gate(WATCHED, "hold");
  try {
    const url = await ask(page, question(WATCHED), async (form) => {
      await form.click("details[data-key=more] > summary");
      for (let n = 0; n < 4; n += 1) await form.locator("input[name=lens]").nth(n).check();
    }, PATIENT);
    state.watched = url;
    check("live: the run waits for its model", await waits(WATCHED));
    await page.locator(".controls .waits", { hasText: "planning" }).waitFor();
    // What stands in the page itself is gone once it is loaded again.
    await page.evaluate(() => { window.isTheSamePage = true; });
    const beside = await made.newPage();
    await beside.goto(`${url}?view=confidence`);
    const numbers = async (at, selector) => at.locator(selector).count();
    const seqOf = async (at) => Number(await at.locator("article.run").getAttribute("data-seq"));
    const isOver = async () => ["finished", "interrupted", "failed"].includes((await told(made, url)).status);
    const seen = [];
    const look = async () => {
      const { events } = await told(made, url);
      const follows = await until(async () => (await seqOf(page)) >= events && (await seqOf(beside)) >= events);
      seen.push({ follows, seq: await seqOf(page), steps: await numbers(page, ".now .feed > li"), questions: await numbers(page, ".now .plan .tick"), stages: await numbers(beside, ".stages > li.done") });
    };
    await look();
    const field = page.locator("details[data-key=redirect] input[name=focus]");
    let written = false;
    let loaded = false;
    for (let turn = 0; turn < 60 && !(await isOver()); turn += 1) {
      const mark = await page.locator("#piece-controls").getAttribute("data-mark");
      await gate(WATCHED, "go");
      if (!(await until(async () => (await gate(WATCHED, "look")) > 0 || await isOver(), 60_000))) break;
      if (await isOver()) break;
      await look();
      const isAnew = (await page.locator("#piece-controls").getAttribute("data-mark")) !== mark;
      if (written && isAnew && !loaded) {
        const kept = await field.evaluate((one) => ({ text: one.value, open: one.closest("details").open, focus: document.activeElement === one, cursor: one.selectionStart }));
        check("live: what was written stays, and the cursor in it, when the page is written anew under it", kept.text === "turbines" && kept.open && kept.focus && kept.cursor === 4, JSON.stringify(kept));
        check("live: nothing was loaded again until here", await page.evaluate(() => window.isTheSamePage === true));
        // And now it is, while the run goes on.
        const before = await seqOf(page);
        await gate(WATCHED, "go");
        await page.reload();
        check("live: a page loaded again while the run moves has lost nothing", (await seqOf(page)) >= before, `${before}, then ${await seqOf(page)}`);
        await until(async () => (await gate(WATCHED, "look")) > 0 || await isOver(), 60_000);
        loaded = true;
      }
      if (!written && seen.at(-1).questions > 0) {
        await page.click("details[data-key=redirect] > summary");
        await field.fill("turbines");
        await field.evaluate((one) => { one.focus(); one.setSelectionRange(4, 4); });
        written = true;
      }
    }
    check("live: the run came to its end", (await told(made, url)).status === "finished", (await told(made, url)).status);
    check("live: the page was written anew under what was written, and loaded again", written && loaded, `${written} ${loaded}`);
    const all = JSON.stringify(seen);
    const moments = new Set(seen.map((one) => one.seq)).size;
    check("live: the page follows every stage by itself", seen.length >= 5 && seen.every((one) => one.follows), all);
    check("live: events come while the run goes on", moments >= 5 && seen.every((one, at) => at === 0 || one.seq >= seen[at - 1].seq), all);
    check("live: the plan and the latest steps fill", seen[0].questions === 0 && Math.max(...seen.map((one) => one.questions)) >= 2 && seen[0].steps < Math.max(...seen.map((one) => one.steps)), all);
    check("live: the confidence view fills before the run is over", seen[0].stages === 0 && seen.some((one) => one.stages >= 3), all);
    await page.locator(".status.is-finished").waitFor();
    check("live: the answer comes to the open page", await until(async () => (await numbers(page, ".prose a.claim")) > 0));
    check("live: and its figures to the one beside it", await until(async () => (await numbers(beside, ".claimlist > li")) > 0));
    await page.goto(`${url}?view=perspectives`);
    check("live: four lenses have a tab each", (await numbers(page, "[role=tab]")) === 5, String(await numbers(page, "[role=tab]")));
  } finally {
    await gate(WATCHED, "open");
  }
  await stop(made);
  await made.close();
}

// The model has been asked what the first passages say, and never answers.
async function stop(made) {
  const page = await made.newPage();
  await gate(STOPPED, "hold");
  try {
    const url = await ask(page, question(STOPPED), async () => {}, PATIENT);
    check("a run is held in the middle of a round", await lead(made, url, STOPPED, (run) => run.spent.passages > 0) && await waits(STOPPED));
    const { rounds, status } = await told(made, url);
    check("it is under way, with a round that has not ended", status === "running" && rounds.length > 0, `${status} ${rounds.length}`);
    await page.locator(".bar button[value=interrupt]").click();
    await page.waitForSelector(".status.is-interrupted");
    check("interrupted in a round, it ends without its model", (await told(made, url)).status === "interrupted");
    await page.reload();
    check("and says so ever after", (await page.locator(".status.is-interrupted").count()) === 1 && (await page.locator("section.controls.over").count()) === 1);
  } finally {
    await gate(STOPPED, "open");
  }
  await page.close();
}
