// Pages as they are on other screens, in other colours and with larger letters; and what axe finds on them.
import { AxeBuilder, NIGHT, check, context } from "./kit.mjs";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
// What colours can break is looked at in every scheme, everything else once a width: the elements are the same.
const SHADES = ["color-contrast", "link-in-text-block", "target-size", "aria-hidden-focus", "scrollable-region-focusable"];
const MODES = [["light", { colorScheme: "light" }], ["dark", { colorScheme: "dark" }], ["forced", { forcedColors: "active" }]];

// Looks at pages in every mode, all modes at a time. A page has a `name`, its `url`, and may have
// - `act`: what is done before it is looked at, at every width anew;
// - `unfolded`: everything that can be opened is opened;
// - `light`: the other modes are left to the night, since the same parts are looked at elsewhere;
// - `widths`: of its own;
// - `bare`: no style of ours is on it, so that its targets are as large as the browser makes them.
export async function look(browser, pages) {
  let looked = 0;
  const worker = async ([mode, options]) => {
    const whole = NIGHT || mode === "light";
    const made = await context(browser, { reducedMotion: "reduce", ...options });
    const page = await made.newPage();
    for (const one of pages) {
      if (!whole && one.light) continue;
      let there = false;
      for (const width of one.widths ?? (whole ? [1440, 768, 320] : [1440, 320])) {
        await page.setViewportSize({ width, height: 900 });
        if (!there || one.act) {
          if (one.url) await page.goto(one.url);
          await one.act?.(page);
          there = true;
          if (one.unfolded) await page.evaluate(() => { for (const fold of document.querySelectorAll("main details:not(.menu)")) fold.open = true; });
          // What is not laid out yet has a guessed height, and axe would take its neighbours for what lies behind it.
          await page.evaluate(() => { for (const step of document.querySelectorAll(".step")) step.style.contentVisibility = "visible"; });
        }
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        const axe = new AxeBuilder({ page }).setLegacyMode(true);
        const found = await (whole ? axe.withTags(RULES) : axe.withRules(SHADES)).analyze();
        looked += 1;
        const told = found.violations.map((rule) => `${rule.id}: ${rule.nodes.slice(0, 2).map((node) => node.target.join(" ")).join("; ")}`).join(" | ");
        check(`axe ${mode} ${width} ${one.name}`, found.violations.length === 0, told);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        check(`no sideways scrolling ${mode} ${width} ${one.name}`, over <= 0, `${over} px`);
        if (mode !== "light" || one.bare) continue;
        const small = await page.evaluate(() => [...document.querySelectorAll("button, .button, summary, .views a, .top nav a, input[type=radio], input[type=checkbox]")].filter((target) => target.checkVisibility()).filter((target) => { const box = target.getBoundingClientRect(); const label = target.closest("label")?.getBoundingClientRect(); return box.height > 0 && Math.max(box.height, label?.height ?? 0) < 24; }).map((target) => target.outerHTML.slice(0, 80)));
        check(`targets of 24 px ${width} ${one.name}`, small.length === 0, small.slice(0, 3).join(" "));
      }
    }
    await made.close();
  };
  await Promise.all(MODES.map(worker));
  console.log(`axe: ${looked} pages looked at`);
}
