// The pictures of docs/web-ui.md, taken anew: `cargo xtask browser pictures`. Runs come out alike each time, but not to the letter,
// so that they are looked at before they are committed.
import path from "node:path";
import { ORIGIN, PATIENT, ask, check, context, gate, lead } from "./kit.mjs";

// A word of a question for whose replies a run waits: nothing else has it.
const HELD = "sforzando";

export async function pictures({ browser, state }) {
  const made = await context(browser, { viewport: { width: 1280, height: 900 }, colorScheme: "light", reducedMotion: "reduce" });
  const page = await made.newPage();
  const take = async (name, url, act) => {
    await page.goto(url);
    await act?.();
    await page.evaluate(() => document.fonts.ready);
    const taken = await page.screenshot({ path: path.join("docs", "images", `${name}.png`) });
    check(`the picture ${name} is taken`, taken.length > 10_000, `${taken.length} bytes`);
  };
  await take("ask", `${ORIGIN}/`, async () => {
    await page.fill("textarea[name=question]", "When was consent for the Skerry Tidal Array granted, and how long is its export cable?");
    await page.click("details[data-key=more] > summary");
  });
  await take("run", state.run);
  await take("trace", `${state.run}?view=trace`);
  await take("gaps", `${state.run}?view=gaps`);
  await take("hypotheses", `${state.whole}?view=hypotheses`);
  await take("perspectives", `${state.whole}?view=perspectives`);
  await gate(HELD, "hold");
  try {
    const url = await ask(page, `Did porpoise sightings in Skerry Sound change, as it is said ${HELD}?`, async () => {}, PATIENT);
    await lead(made, url, HELD, (run) => run.spent.passages > 0);
    await take("live", url);
    await page.locator(".bar button[value=interrupt]").click();
    await page.waitForSelector(".status.is-interrupted");
  } finally {
    await gate(HELD, "open");
  }
  await made.close();
}
