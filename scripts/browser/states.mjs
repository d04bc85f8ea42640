// Pages that are there only for a while, or only after something was done: a run with its plan, one that asks back, one that is
// under way, paused or failed; a form that was refused, the sheet of keys, a card under a finger; the page of a report.
import { NIGHT, ORIGIN, PATIENT, ask, check, context, finished, gate, lead, told, waits } from "./kit.mjs";
import { look } from "./looks.mjs";

const PORPOISES = "Did porpoise sightings in Skerry Sound change";
// Words of questions for whose replies runs wait: nothing else has them.
const PAUSED = "quillon";
const DRIVEN = "sarabande";

export async function states({ browser, main, state }) {
  const page = await main.newPage();
  const begun = (question, tick) => ask(page, question, tick, PATIENT);
  const more = async (form, box) => {
    await form.click("details[data-key=more] > summary");
    await form.check(`input[name=${box}]`);
  };
  // A model whose replies cannot be read fails a run.
  const failed = await begun(`${PORPOISES}, in a toneless voice?`);
  await finished(page);
  check("a run that cannot go on says so", await page.locator(".status.is-failed").count() === 1 && await page.locator(".note.bad", { hasText: "It could not go on" }).count() === 1);
  const planned = await begun(`${PORPOISES}?`, (form) => more(form, "review_plan"));
  await page.waitForSelector("text=This is the plan");
  const vague = await begun("Tell me about the animals.", (form) => more(form, "clarify"));
  await page.waitForSelector("form.dialogue input[name=choice1]");
  check("a vague question is asked back", (await page.locator("form.dialogue fieldset").count()) === 2 && await page.locator(".status.is-waiting").count() === 1);
  try {
    for (const word of [PAUSED, DRIVEN]) await gate(word, "hold");
    const paused = await begun(`${PORPOISES}, to a ${PAUSED}?`);
    check("a run waits for its model", await waits(PAUSED));
    await page.locator(".bar button[value=pause]").click();
    await page.waitForSelector(".status.is-paused");
    const driven = await begun(`${PORPOISES}, to a ${DRIVEN}?`);
    check("a run is held where it has read something", await lead(main, driven, DRIVEN, (run) => run.spent.passages > 0));
    await page.goto(driven);
    await motion(browser, driven);

    const memory = await main.request.post(`${ORIGIN}/v1/memory/record`, { headers: { origin: ORIGIN }, data: { title: "Lock order", description: "When two locks are held", content: "Take the lock of the ledger first.", outcome: "success", tags: ["locks"] } });
    const { id } = await memory.json();
    check("a strategy is recorded", memory.ok(), String(memory.status()));
    const report = await (await main.request.get(`${state.run.replace("/research/", "/v1/research/")}/export?format=html`)).text();
    const views = (url, names, light) => names.map((view) => ({ name: `driven ${view}`, url: `${url}?view=${view}`, light }));
    const lasting = [
      { name: "with its plan", url: planned },
      { name: "asking back", url: vague },
      { name: "paused", url: paused },
      { name: "driven", url: driven, unfolded: true },
      ...views(driven, ["confidence", "trace", "gaps"], true),
      { name: "failed", url: failed },
      { name: "a strategy", url: `${ORIGIN}/memory/${id}`, unfolded: true },
      { name: "strategies", url: `${ORIGIN}/memory`, unfolded: true },
    ];
    if (state.watched) lasting.push({ name: "four lenses", url: `${state.watched}?view=perspectives` });
    const passing = [
      { name: "a refused form", url: `${ORIGIN}/`, act: refuse, widths: [1440, 320] },
      { name: "the sheet of keys", url: `${ORIGIN}/research`, act: (at) => at.locator("body").press("?"), widths: [1440, 320] },
      { name: "a card under a finger", url: state.run, act: tap, widths: NIGHT ? [768, 320] : [320] },
      { name: "the page of a report", url: "about:blank", act: (at) => at.setContent(report) },
      ...["/", "/memory", "/settings"].map((address) => ({ name: `letters twice as large ${address}`, url: `${ORIGIN}${address}`, act: enlarge, widths: [1280], light: true })),
      ...["answer", "gaps", "hypotheses"].map((view) => ({ name: `letters twice as large ${view}`, url: `${state.whole}?view=${view}`, act: enlarge, widths: [1280], light: true })),
      // The last one: nobody is signed in any more.
      { name: "sign in", act: leave, bare: true, widths: [1440, 320] },
    ];
    await look(browser, [...lasting, ...passing]);
    const run = await told(main, driven);
    check("the run was under way all the while", run.status === "running", run.status);
  } finally {
    for (const word of [PAUSED, DRIVEN]) await gate(word, "open");
    // Others find room.
    const { items } = await (await main.request.get(`${PATIENT}/v1/research`)).json();
    for (const { run_id, status } of items) if (!["finished", "interrupted", "failed", "stopped"].includes(status)) await main.request.post(`${PATIENT}/v1/research/${run_id}/control`, { headers: { origin: PATIENT }, data: { control: "interrupt" } });
  }
  await page.close();
}

// A limit that no run takes, past what the browser itself refuses.
async function refuse(page) {
  await page.fill("textarea[name=question]", "Who made the turbines?");
  await page.click("details[data-key=budget] > summary");
  await page.fill("input[name=seconds]", "0");
  await page.evaluate(() => { document.querySelector("form.asking").noValidate = true; });
  await page.click("form.asking button:not([type=button])");
  await page.waitForSelector(".note.bad[role=alert]");
}

async function tap(page) {
  await page.locator(".prose a.claim").first().click();
  await page.waitForSelector(".pop .card");
}

const enlarge = (page) => page.evaluate(() => { document.documentElement.style.fontSize = "200%"; });

async function leave(page) {
  await page.context().clearCookies();
  await page.goto(`${ORIGIN}/`);
  await page.waitForSelector("input[name=token]");
}

// What moves on a page while a run is under way, and that it does not for those who ask for that.
async function motion(browser, url) {
  const moves = async (reducedMotion) => {
    const made = await context(browser, { reducedMotion });
    const page = await made.newPage();
    await page.goto(url);
    const found = await page.evaluate(() => {
      const name = getComputedStyle(document.querySelector(".pulse")).animationName;
      const moving = [...document.querySelectorAll("*")].filter((one) => ["", "::before"].some((part) => {
        const style = getComputedStyle(one, part || undefined);
        return style.animationName !== "none" || style.transitionDuration.split(",").some((time) => parseFloat(time) > 0);
      }));
      return { name, moving: moving.length };
    });
    await made.close();
    return found;
  };
  const usual = await moves("no-preference");
  const still = await moves("reduce");
  check("something moves while a run is under way", usual.name === "pulse" && usual.moving > 0, JSON.stringify(usual));
  check("nothing moves for those who ask for less motion", still.name === "none" && still.moving === 0, JSON.stringify(still));
}

// What is printed of a run: the answer and all that stands in its folds, and nothing that is pressed.
export async function printed({ main, state }) {
  const page = await main.newPage();
  await page.goto(state.whole);
  const folds = () => page.evaluate(() => [...document.querySelectorAll(".card details > .inside")].filter((one) => one.checkVisibility()).length);
  const before = await folds();
  await page.emulateMedia({ media: "print" });
  const left = await page.evaluate(() => [...document.querySelectorAll(".top, .views, .controls, .foot, button")].filter((one) => one.checkVisibility()).map((one) => one.className || one.localName));
  check("what is pressed is not printed", left.length === 0, [...new Set(left)].join(" "));
  check("the answer is printed", await page.evaluate(() => document.querySelector(".prose").checkVisibility()));
  const all = await page.evaluate(() => document.querySelectorAll(".card details > .inside").length);
  const shown = await folds();
  check("what is folded is printed", before === 0 && all > 0 && shown === all, `${before} before, ${shown} of ${all}`);
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  check("it is printed on white", ground === "rgb(255, 255, 255)", ground);
  const sheet = await page.pdf();
  check("it can be printed", sheet.subarray(0, 4).toString() === "%PDF" && sheet.length > 5_000, String(sheet.length));
  await page.close();
}
