// Follows a run and makes pages handier. Everything here is done by links and forms as well: see docs/web-ui.md.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const said = $("#said");
// Markup comes from the server alone, and goes through this one policy: the browser refuses any other.
const policy = globalThis.trustedTypes?.createPolicy("elenchus", { createHTML: (html) => html });
const parsed = (html) => new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, "text/html");
const store = {
  get(key) { try { return localStorage.getItem(`elenchus.${key}`); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(`elenchus.${key}`, value); } catch { /* kept for this page only */ } },
};

const theme = store.get("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

// What is told to people who do not look: at most a sentence in four seconds, the latest one.
let toTell = null;
let telling = 0;
function tell(text) {
  toTell = text;
  if (telling) return;
  const speak = () => {
    telling = 0;
    if (toTell !== null && said.textContent !== toTell) said.textContent = toTell;
    toTell = null;
  };
  telling = setTimeout(speak, said.textContent ? 4000 : 50);
}

// Puts new markup in the place of a piece and keeps what the reader has open, written and under the focus.
function replace(piece, html) {
  const fresh = parsed(html).body.firstElementChild;
  if (!fresh) return;
  const open = new Map($$("details[data-key]", piece).map((one) => [one.dataset.key, one.open]));
  const fields = new Map();
  for (const field of $$("input:not([type=hidden]), textarea, select", piece)) {
    const changed = field.type === "radio" || field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
    if (changed && field.name) fields.set(`${field.form?.getAttribute("action")} ${field.name} ${field.type === "radio" ? field.value : ""}`, field);
  }
  const focus = piece.contains(document.activeElement) ? path(document.activeElement, piece) : null;
  const selection = focus && "selectionStart" in document.activeElement ? [document.activeElement.selectionStart, document.activeElement.selectionEnd] : null;
  const scrolled = new Map($$(".scroll, pre", piece).map((one, at) => [at, [one.scrollLeft, one.scrollTop]]));
  piece.replaceChildren(...fresh.childNodes);
  piece.dataset.mark = fresh.dataset.mark;
  for (const one of $$("details[data-key]", piece)) if (open.has(one.dataset.key)) one.open = open.get(one.dataset.key);
  for (const field of $$("input:not([type=hidden]), textarea, select", piece)) {
    const kept = fields.get(`${field.form?.getAttribute("action")} ${field.name} ${field.type === "radio" ? field.value : ""}`);
    if (!kept) continue;
    if (field.type === "radio" || field.type === "checkbox") field.checked = kept.checked; else field.value = kept.value;
  }
  $$(".scroll, pre", piece).forEach((one, at) => { const was = scrolled.get(at); if (was) [one.scrollLeft, one.scrollTop] = was; });
  if (focus) {
    const target = find(focus, piece);
    if (target) {
      target.focus({ preventScroll: true });
      if (selection && "setSelectionRange" in target && selection[0] !== null) try { target.setSelectionRange(...selection); } catch { /* not a text */ }
    }
  }
  dress(piece);
}

// How to find an element again in other markup of the same piece.
function path(element, piece) {
  if (element.id) return { id: element.id };
  const same = $$(element.tagName, piece);
  return { tag: element.tagName, text: element.textContent.trim().slice(0, 80), name: element.getAttribute("name"), href: element.getAttribute("href"), at: same.indexOf(element) };
}
function find(was, piece) {
  if (was.id) return document.getElementById(was.id);
  const same = $$(was.tag, piece);
  return same.find((one) => one.getAttribute("href") === was.href && one.getAttribute("name") === was.name && one.textContent.trim().slice(0, 80) === was.text) ?? same[was.at];
}

const run = $("article.run");
let wanted = false;
let under_way = false;
let last = 0;

// Asks for the pieces that have become different; at most twice in a second, however fast events come.
async function refresh() {
  wanted = true;
  if (under_way) return;
  under_way = true;
  while (wanted) {
    wanted = false;
    const wait = last + 450 - performance.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    last = performance.now();
    const have = $$("[data-piece]", run).map((piece) => `${piece.dataset.piece}:${piece.dataset.mark}`).join(",");
    const query = run.dataset.query + (run.dataset.query.includes("?") ? "&" : "?") + `have=${encodeURIComponent(have)}`;
    try {
      const reply = await fetch(`/research/${encodeURIComponent(run.dataset.run)}/part/changed${query}`, { headers: { accept: "application/json" } });
      if (!reply.ok) throw new Error(String(reply.status));
      const news = await reply.json();
      run.dataset.seq = news.seq;
      const at = scrollY;
      for (const { name, html } of news.pieces) {
        const piece = document.getElementById(`piece-${name}`);
        if (piece) replace(piece, html);
      }
      if (scrollY !== at && !location.hash) scrollTo({ top: at });
      if (news.status) tell(news.status);
      if (news.over) { run.dataset.over = ""; source?.close(); connection(true); }
      connection(true);
    } catch {
      connection(false);
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
  under_way = false;
}

let notice = null;
function connection(there) {
  if (there) { notice?.remove(); notice = null; return; }
  if (notice) return;
  notice = document.createElement("p");
  notice.className = "note bad offline";
  notice.textContent = "The server cannot be reached. The run goes on without this page, and this page goes on when it is back.";
  run.prepend(notice);
  tell(notice.textContent);
}

let source = null;
function follow() {
  if (!run || run.dataset.over !== undefined) return;
  // The browser sends the number of the last event itself when it has to connect again.
  source = new EventSource(`/v1/research/${encodeURIComponent(run.dataset.run)}/events?after=${encodeURIComponent(run.dataset.seq)}`);
  let seen = Number(run.dataset.seq);
  const take = (event) => {
    const seq = Number(event.lastEventId);
    if (seq && seq <= seen) return;
    if (seq) seen = seq;
    refresh();
  };
  source.onmessage = take;
  for (const type of (run.dataset.types ?? TYPES).split(" ")) source.addEventListener(type, take);
  source.onopen = () => { connection(true); refresh(); };
  source.onerror = () => { if (source.readyState === EventSource.CLOSED) setTimeout(refresh, 500); else connection(false); };
}
const TYPES = "session_started session_completed session_failed clarification_requested planning_started planning_completed reasoning_thought reasoning_action reasoning_observation reasoning_conclusion round_started round_completed source_added reflection facts_extracted knowledge_gap_analysis followup_query_generation gap_opened gap_resolved gap_abandoned gap_reopened hypotheses_generated hypothesis_updated contradiction_found confidence_scoring_started claims_extracted entailment_checked suscore_calculated confidence_calculated fallacy_detected insight_detected critique_completed revision_completed perspective_completed perspectives_compared budget_updated budget_changed control_received answer_completed rule_of_two query_withheld web_searched memory_recalled memory_credited memos_recalled reply_repaired status progress";

// Forms of a run are sent without leaving the page.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!run || form.method !== "post" || !run.contains(form)) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter));
  try {
    const reply = await fetch(form.action, { method: "POST", body, headers: { accept: "text/html", "x-elenchus-page": "1" } });
    const to = new URL(reply.url);
    if (!reply.ok) {
      const page = parsed(await reply.text());
      tell(page.querySelector(".lead")?.textContent ?? `That did not work (${reply.status}).`);
      alertNote(page.querySelector(".lead")?.textContent ?? `That did not work (${reply.status}).`, form);
      return;
    }
    if (to.pathname !== `/research/${encodeURIComponent(run.dataset.run)}`) { location.assign(to); return; }
    form.reset();
    form.closest("details.drawer")?.removeAttribute("open");
    tell("Done.");
    refresh();
  } catch {
    alertNote("The server cannot be reached. What you wrote is still here.", form);
  }
});

function alertNote(text, form) {
  $(".note.bad", form)?.remove();
  const note = document.createElement("p");
  note.className = "note bad";
  note.setAttribute("role", "alert");
  note.textContent = text;
  form.append(note);
}

// Cards beside the text, each as near to its statement as the one above it allows.
const wide = matchMedia("(min-width: 68rem)");
function align() {
  const cards = $(".cards");
  if (!cards) return;
  if (!wide.matches) {
    cards.classList.remove("aligned");
    cards.style.minBlockSize = "";
    for (const card of $$(".card", cards)) card.style.top = "";
    return;
  }
  cards.classList.add("aligned");
  const origin = cards.getBoundingClientRect().top;
  let below = 0;
  for (const card of $$(".card", cards)) {
    const mark = document.getElementById(card.dataset.claim);
    const wish = mark ? mark.getBoundingClientRect().top - origin - 4 : below;
    const top = Math.max(below, wish);
    card.style.top = `${top}px`;
    below = top + card.offsetHeight + 12;
  }
  cards.style.minBlockSize = `${below}px`;
}
addEventListener("resize", () => requestAnimationFrame(align));
wide.addEventListener("change", align);
document.addEventListener("toggle", (event) => { if (event.target.closest?.(".cards")) align(); }, true);

// The card of a statement: marked beside the text where there is room, else shown at once over it.
let pop = null;
function light(claim, on) {
  document.getElementById(`card-${claim.id}`)?.classList.toggle("on", on);
  claim.classList.toggle("on", on);
}
function show(claim) {
  hide();
  const card = document.getElementById(`card-${claim.id}`);
  if (!card || wide.matches) return;
  pop = document.createElement("div");
  pop.className = "pop";
  pop.popover = "manual";
  pop.setAttribute("role", "group");
  pop.setAttribute("aria-label", `What ${claim.id} rests on`);
  const copy = card.cloneNode(true);
  copy.removeAttribute("id");
  for (const one of $$("[id]", copy)) one.removeAttribute("id");
  const close = document.createElement("button");
  close.type = "button";
  close.className = "quiet small";
  close.textContent = "Close";
  close.addEventListener("click", () => { hide(); claim.focus(); });
  pop.append(copy, close);
  claim.after(pop);
  pop.showPopover();
  if (innerWidth >= 640) {
    const place = claim.getBoundingClientRect();
    pop.style.left = `${Math.min(place.left, innerWidth - pop.offsetWidth - 12)}px`;
    const room = innerHeight - place.bottom - 8;
    pop.style.top = room > pop.offsetHeight ? `${place.bottom + 6}px` : `${Math.max(8, place.top - pop.offsetHeight - 6)}px`;
  }
}
function hide() { pop?.remove(); pop = null; }
const claimOf = (event) => event.target.closest?.(".prose a.claim");
document.addEventListener("mouseover", (event) => { const claim = claimOf(event); if (claim) light(claim, true); });
document.addEventListener("mouseout", (event) => { const claim = claimOf(event); if (claim) light(claim, false); });
document.addEventListener("focusin", (event) => { const claim = claimOf(event); if (claim) light(claim, true); });
document.addEventListener("focusout", (event) => { const claim = claimOf(event); if (claim) light(claim, false); });
document.addEventListener("click", (event) => {
  const claim = claimOf(event);
  if (claim && !wide.matches) { event.preventDefault(); show(claim); return; }
  if (claim) {
    const card = document.getElementById(`card-${claim.id}`);
    if (card) { event.preventDefault(); history.replaceState(null, "", `#card-${claim.id}`); card.focus({ preventScroll: false }); $$(".card.on").forEach((one) => one.classList.remove("on")); card.classList.add("on"); }
    return;
  }
  if (pop && !pop.contains(event.target)) hide();
  const menu = $("details.menu[open]");
  if (menu && !menu.contains(event.target)) menu.open = false;
});

// Tabs: without this all panels stand below each other.
function tabs(root) {
  for (const group of $$("[data-tabs]", root)) {
    const links = $$(".tablist a", group);
    const panels = links.map((link) => document.getElementById(link.hash.slice(1)));
    $(".tablist", group).setAttribute("role", "tablist");
    const choose = (at, focus) => {
      links.forEach((link, n) => {
        link.setAttribute("aria-selected", String(n === at));
        link.tabIndex = n === at ? 0 : -1;
        panels[n].hidden = n !== at;
      });
      if (focus) links[at].focus();
    };
    links.forEach((link, at) => {
      link.parentElement.setAttribute("role", "presentation");
      link.setAttribute("role", "tab");
      link.id ||= `tab-${link.hash.slice(1)}`;
      link.setAttribute("aria-controls", panels[at].id);
      panels[at].setAttribute("role", "tabpanel");
      panels[at].setAttribute("aria-labelledby", link.id);
      link.addEventListener("click", (event) => { event.preventDefault(); choose(at, true); });
      link.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step) { event.preventDefault(); choose((at + step + links.length) % links.length, true); }
      });
    });
    const asked = panels.findIndex((panel) => location.hash && (`#${panel.id}` === location.hash || $(location.hash, panel)));
    choose(Math.max(0, asked), false);
  }
}

// A link to something in a tab that is not shown brings that tab to the front.
function reveal(hash) {
  const target = hash.length > 1 ? document.getElementById(hash.slice(1)) : null;
  const panel = target?.closest(".tab[hidden]");
  if (!panel) return;
  document.getElementById(panel.getAttribute("aria-labelledby"))?.click();
  target.scrollIntoView({ block: "nearest" });
  target.focus({ preventScroll: true });
}
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']:not([role='tab'])");
  if (link) reveal(link.hash);
});
addEventListener("hashchange", () => reveal(location.hash));

// What needs this module shows itself only now.
function dress(root) {
  for (const one of $$("[data-copy], [data-copytext], [data-print], [data-marks], [data-keys], [data-save], [data-theme-choice]", root)) one.hidden = false;
  tabs(root);
  align();
}
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button");
  if (!button) return;
  const text = button.dataset.copytext ?? (button.dataset.copy !== undefined ? new URL(button.dataset.copy, location.origin).href : undefined);
  if (text !== undefined) {
    try { await navigator.clipboard.writeText(text); tell("Copied."); button.textContent = "Copied"; } catch { tell("The browser did not allow copying."); }
  }
  if (button.dataset.print !== undefined) print();
  if (button.dataset.save !== undefined) save(button);
  if (button.dataset.marks !== undefined) {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    document.body.classList.toggle("plain-marks", !on);
  }
  if (button.dataset.keys !== undefined) $("#keys").showModal();
});

// A chart as a file. No style sheet goes with it, so what it is painted with is written into its elements.
const PAINT = ["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight", "font-style"];
// Points of a side that every browser can draw.
const MOST = 16_000;
function ground(element) {
  for (let one = element; one; one = one.parentElement) {
    const colour = getComputedStyle(one).backgroundColor;
    if (colour !== "transparent" && !/^rgba\(.*, 0\)$/.test(colour)) return colour;
  }
  return "white";
}
function picture(svg, scale) {
  const copy = svg.cloneNode(true);
  const from = [svg, ...$$("*", svg)];
  [copy, ...$$("*", copy)].forEach((one, at) => {
    if (one.localName === "title" || one.localName === "desc") return;
    const style = getComputedStyle(from[at]);
    for (const name of PAINT) {
      const value = style.getPropertyValue(name);
      if (value) one.setAttribute(name, value);
    }
    // A file leads nowhere.
    for (const name of ["class", "href"]) one.removeAttribute(name);
  });
  const { x, y, width, height } = svg.viewBox.baseVal;
  const shown = Math.max(1, svg.getBoundingClientRect().width / width);
  const grown = Math.min(shown * scale, MOST / width, MOST / height);
  const size = { width: Math.max(1, Math.round(width * grown)), height: Math.max(1, Math.round(height * grown)) };
  const back = document.createElementNS(svg.namespaceURI, "rect");
  const box = { x, y, width, height, fill: ground(svg) };
  for (const [name, value] of Object.entries(box)) back.setAttribute(name, value);
  for (const [name, value] of Object.entries(size)) copy.setAttribute(name, value);
  copy.insertBefore(back, $("desc", copy)?.nextSibling ?? copy.firstChild);
  return { text: new XMLSerializer().serializeToString(copy), ...size };
}
async function painted(svg) {
  const { text, width, height } = picture(svg, 2);
  const image = new Image();
  await new Promise((done, fail) => {
    image.onload = done;
    image.onerror = fail;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("nothing was drawn"))), "image/png"));
}
async function save(button) {
  const chart = button.closest("figure.chart");
  const svg = $("svg", chart);
  const kind = button.dataset.save;
  try {
    const blob = kind === "png" ? await painted(svg) : new Blob([picture(svg, 1).text], { type: "image/svg+xml" });
    const title = $("title", svg).textContent.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60).replace(/^-+|-+$/g, "");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${title || "chart"}.${kind}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    tell("The chart is saved.");
  } catch {
    alertNote("The browser could not save the chart.", chart);
  }
}

// Keys.
let pending = "";
function step(by) {
  const all = $$(".jk, .prose a.claim").filter((one) => one.checkVisibility());
  if (!all.length) return;
  const now = all.indexOf(document.activeElement.closest(".jk, .prose a.claim"));
  const next = all[Math.min(all.length - 1, Math.max(0, now < 0 ? (by > 0 ? 0 : all.length - 1) : now + by))];
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") { hide(); const menu = $("details.menu[open]"); if (menu) { menu.open = false; $("summary", menu).focus(); } return; }
  // A dialog that was closed just now may hold the focus until the next frame: its keys are the page's again.
  if (event.target.closest?.("input, textarea, select, dialog[open]")) return;
  const both = pending + event.key;
  pending = event.key === "g" ? "g" : "";
  if (both === "ga") location.assign("/");
  else if (both === "gr") location.assign("/research");
  else if (event.key === "?") { event.preventDefault(); $("#keys").showModal(); }
  else if (event.key === "/") { const field = $("#search"); if (field) { event.preventDefault(); field.focus(); field.select(); } }
  else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else if (/^[1-9]$/.test(event.key)) $(`.views a[data-digit="${event.key}"]`)?.click();
  else if (event.key === "Enter" && event.target.matches?.(".jk")) { const inner = $("summary, a", event.target); inner?.click(); }
});

// A step may stand on another page of the log than the one that is shown.
const asked = /^#e(\d+)$/.exec(location.hash);
if (run && asked && !document.getElementById(`e${asked[1]}`)) location.replace(`?view=trace&at=${asked[1]}#e${asked[1]}`);

// Settings of this browser.
for (const choice of $$("[data-theme-choice]")) {
  choice.checked = (store.get("theme") ?? "system") === choice.value;
  choice.addEventListener("change", () => {
    store.set("theme", choice.value);
    if (choice.value === "system") delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = choice.value;
  });
}

dress(document);
document.fonts?.ready.then(align);
follow();
