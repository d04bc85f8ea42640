// A server that speaks like Ollama, for the runs that the pages are looked at with. Its replies are written by hand (origin: written)
// over `examples/harbor`: it points at the sentences of the two porpoise surveys, names explanations, looks through lenses, objects
// to its own answer, and finds nothing of what the second phase will cost.
//
// What it does beyond that, a question asks for: one that begins with "Tell me about" is vague to it; to one with a "toneless
// voice" it gives no reflection that can be read; and replies to prompts with a word that is held wait (`/gate`). Under the name
// `hostile` it points at more places, and each text of its own ends in markup.
//
// Started by `cargo xtask browser`, which ends it; prints its address on a line.
import http from "node:http";
import { pathToFileURL } from "node:url";

// What the texts of the hostile one end in.
export const MARKUP = "<img src=x onerror=alert(document.title)>";

// A unit that holds one of these is a fact, in this order.
export const TELLING = [
  { words: "fell by 38 %", role: "answer", bearing: "strong" },
  { words: "did not change measurably", role: "conflict", bearing: null },
];

// Units of the prompt, as [id, text].
const units = (prompt) => prompt.split("\n").flatMap((line) => {
  const found = /^\[(P[\d.]+)\] (.*)$/.exec(line);
  return found ? [[found[1], found[2]]] : [];
});
const telling = (prompt, most) => TELLING.flatMap((one) => units(prompt).filter(([, text]) => text.includes(one.words)).slice(0, most).map(([id]) => ({ id, ...one })));

const LENSES = {
  Skeptical: ["opposes", "The clicks did not change measurably.", "f2"],
  Charitable: ["supports", "Porpoise sightings fell by 38 %.", "f1"],
};

function answer(keys, prompt, hostile) {
  const has = (key) => key in keys;
  const found = telling(prompt, hostile ? 5 : 1);
  const worded = (text) => (hostile ? `${text} ${MARKUP}` : text);
  if (has("estimated_sources")) {
    const question = (id, text, queries) => ({ id, text, kind: "lookup", expects: null, severity: "critical", depends_on: [], rationale: worded("It is a part of what was asked."), queries });
    return { complexity: "moderate", estimated_sources: 3, questions: [
      question(1, worded("Did porpoise sightings in Skerry Sound change between 2021 and 2025?"), ["porpoise sightings Skerry Sound 2021 2025", "porpoise activity clicks Skerry Sound"]),
      question(2, "What will the second phase at Corbie Head cost?", ["second phase Corbie Head cost"]),
    ] };
  }
  if (has("vague")) {
    const asks = /Tell me about/.test(prompt);
    return { vague: asks, questions: !asks ? [] : [
      { text: "Which animals do you mean?", why: "They are counted in different ways.", choices: ["porpoises", "seabirds", "both"] },
      { text: "Since when?", why: "The surveys begin in different years.", choices: ["since 2021", "since the array turns"] },
    ] };
  }
  if (has("is_sufficient")) {
    if (prompt.includes("toneless voice")) return "I would rather say nothing of it.";
    const open = prompt.split("Open questions:")[1] ?? "";
    const asked = /(^|\n)\W*1\b/.test(open.split("\n\n")[0]);
    const answered = found.length > 0 && asked;
    return { is_sufficient: false, answered_questions: answered ? [1] : [], unanswered_questions: answered || !asked ? [2] : [1, 2],
      relevant_passage_ids: found.map((one) => one.id.split(".")[0]), notes: [], new_gaps_identified: [] };
  }
  if (has("facts")) {
    return { facts: found.map((one) => ({ question_id: 1, unit: one.id, value: one.words, role: one.role, polarity: null, bearing: one.bearing, warrant: worded("It says whether they changed.") })) };
  }
  if (has("conclusion")) {
    return { chain: [], conclusion: ["f1"], sections: [],
      insights: [{ type: "cross_ref", text: worded("A deck by day and a detector by night watch the same animals at different hours."), facts: ["f1", "f2"] }] };
  }
  if (prompt.includes("<sentence number=")) return { findings: [] };
  if (has("would_change")) {
    const lens = Object.keys(LENSES).find((name) => prompt.includes(`The lens: ${name}.`));
    const [stance, statement, fact] = LENSES[lens] ?? ["qualifies", "Sightings fell; the clicks did not.", "f1"];
    return { points: [{ statement: worded(statement), stance, facts: [fact] }], would_change: worded("A count of both kinds in the same weeks.") };
  }
  if (has("groups")) return { groups: [{ points: ["v2", "v3"] }], tensions: [{ points: ["v1", "v2"], why: worded("It is about what a count by day can tell.") }], unique: [] };
  if (has("sentences")) return { sentences: [{ text: worded("The lenses part over what was counted."), points: ["v1", "v2"] }] };
  if (has("hypotheses")) {
    return { hypotheses: [
      { claim: worded("Porpoises are avoiding the sound since the array began to turn."), prior: "possible", queries_for: ["porpoises avoiding the sound array"], queries_against: ["porpoises feeding hours of darkness"] },
      { claim: worded("Porpoises have moved their feeding to the hours of darkness."), prior: "likely", queries_for: ["porpoises feeding night maintenance boats"], queries_against: ["porpoise fall near the turbines"] },
    ] };
  }
  if (has("alternatives")) {
    return { findings: [{ kind: "overstatement", severity: "important", claim_id: "c1", words: "fell by 38 %", text: worded("Ten million customers can't be wrong."), queries: [] }],
      alternatives: [worded("The animals may be there at other hours.")], leans: worded("towards what is seen from a deck"), replies: [] };
  }
  if (has("patches")) {
    const finding = [...prompt.matchAll(/^- (x\d+):/gm)].at(-1)?.[1] ?? "x1";
    return { patches: [{ finding, op: "drop_claim", claim_id: "c1", fact_id: null, to: null, heading: null }] };
  }
  if (has("findings")) return { findings: [] };
  if (has("verdicts")) {
    const claims = [...prompt.matchAll(/^Claim (\d+): /gm)].map((one) => one[1]);
    return { verdicts: claims.map((number) => {
      const unit = found.find((one) => one.id.startsWith(`P${number}.`))?.id;
      return { number, units: unit ? [unit] : [], verdict: unit ? "supported" : "not_enough" };
    }) };
  }
  return { queries: [], rationale: "There is nothing else to try." };
}

// Words that are held, each with what gives the replies that wait for it.
const gates = new Map();
const promptOf = (asked) => asked.messages?.at(-1)?.content ?? "";

// `?word=W&do=hold`: replies to prompts with the word wait from now on. `do=go`: those that wait are given; `do=open`: these and
// all later ones. Any other word only looks. Says how many wait then.
function gate(url) {
  const query = new URL(url, "http://here").searchParams;
  const [word, act] = [query.get("word"), query.get("do")];
  if (act === "hold" && !gates.has(word)) gates.set(word, new Set());
  const waiting = gates.get(word) ?? new Set();
  if (act === "open") gates.delete(word);
  if (act === "open" || act === "go") {
    for (const give of waiting) give();
    waiting.clear();
  }
  return ["application/json", JSON.stringify({ waiting: waiting.size })];
}

function reply(path, text) {
  if (path === "/api/version") return ["application/json", JSON.stringify({ version: "0.6.2" })];
  if (path === "/api/tags") return ["application/json", JSON.stringify({ models: ["written", "patient", "hostile"].map((name) => ({ name: `${name}:latest`, model: `${name}:latest` })) })];
  if (path.startsWith("/gate?")) return gate(path);
  const asked = JSON.parse(text);
  const hostile = String(asked.model).startsWith("hostile");
  const made = answer(asked.format?.properties ?? {}, promptOf(asked), hostile);
  const said = typeof made === "string" ? made : JSON.stringify(made);
  const line = (content, more) => `${JSON.stringify({ model: asked.model, message: { role: "assistant", content }, ...more })}\n`;
  return ["application/x-ndjson", line(said, { done: false }) + line("", { done: true, done_reason: "stop", prompt_eval_count: 300, eval_count: 40 })];
}

// The set in which a reply waits, where its prompt holds a word that is held.
function held(text) {
  if (!gates.size || !text.startsWith("{")) return undefined;
  const prompt = promptOf(JSON.parse(text));
  return [...gates].find(([word]) => prompt.includes(word))?.[1];
}

const server = http.createServer((request, response) => {
  const parts = [];
  request.on("data", (bytes) => parts.push(bytes));
  request.on("end", () => {
    const text = Buffer.concat(parts).toString("utf8");
    const give = () => {
      let status = 200;
      let said;
      try { said = reply(request.url, text); } catch (error) { status = 500; said = ["text/plain", String(error)]; }
      const bytes = Buffer.from(said[1], "utf8");
      response.writeHead(status, { "content-type": said[0], "content-length": bytes.length });
      response.end(bytes);
    };
    const waiting = held(text);
    if (!waiting) { give(); return; }
    waiting.add(give);
    // Whoever is interrupted waits for it no more.
    response.on("close", () => waiting.delete(give));
  });
});
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
}
