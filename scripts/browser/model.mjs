// A server that speaks like Ollama, for the run that the pages are looked at with. Its replies are written by hand (origin: written)
// over `examples/harbor`: it points at the sentences of the two porpoise surveys, names explanations, looks through lenses, objects
// to its own answer, and finds nothing of what the second phase will cost.
//
// Started by `cargo xtask browser`, which ends it; prints its address on a line.
import http from "node:http";

// A unit that holds one of these is a fact, in this order.
const TELLING = [
  { words: "fell by 38 %", role: "answer", bearing: "strong" },
  { words: "did not change measurably", role: "conflict", bearing: null },
];

// Units of the prompt, as [id, text].
const units = (prompt) => prompt.split("\n").flatMap((line) => {
  const found = /^\[(P[\d.]+)\] (.*)$/.exec(line);
  return found ? [[found[1], found[2]]] : [];
});
const telling = (prompt) => TELLING.flatMap((one) => units(prompt).filter(([, text]) => text.includes(one.words)).slice(0, 1).map(([id]) => ({ id, ...one })));

const LENSES = {
  Skeptical: ["opposes", "The clicks did not change measurably.", "f2"],
  Charitable: ["supports", "Porpoise sightings fell by 38 %.", "f1"],
};

function answer(keys, prompt) {
  const has = (key) => key in keys;
  const found = telling(prompt);
  if (has("estimated_sources")) {
    const question = (id, text, queries) => ({ id, text, kind: "lookup", expects: null, severity: "critical", depends_on: [], rationale: "It is a part of what was asked.", queries });
    return { complexity: "moderate", estimated_sources: 3, questions: [
      question(1, "Did porpoise sightings in Skerry Sound change between 2021 and 2025?", ["porpoise sightings Skerry Sound 2021 2025", "porpoise activity clicks Skerry Sound"]),
      question(2, "What will the second phase at Corbie Head cost?", ["second phase Corbie Head cost"]),
    ] };
  }
  if (has("vague")) return { vague: false, questions: [] };
  if (has("is_sufficient")) {
    const open = prompt.split("Open questions:")[1] ?? "";
    const asked = /(^|\n)\W*1\b/.test(open.split("\n\n")[0]);
    const answered = found.length > 0 && asked;
    return { is_sufficient: false, answered_questions: answered ? [1] : [], unanswered_questions: answered || !asked ? [2] : [1, 2],
      relevant_passage_ids: found.map((one) => one.id.split(".")[0]), notes: [], new_gaps_identified: [] };
  }
  if (has("facts")) {
    return { facts: found.map((one) => ({ question_id: 1, unit: one.id, value: one.words, role: one.role, polarity: null, bearing: one.bearing, warrant: "It says whether they changed." })) };
  }
  if (has("conclusion")) {
    return { chain: [], conclusion: ["f1"], sections: [],
      insights: [{ type: "cross_ref", text: "A deck by day and a detector by night watch the same animals at different hours.", facts: ["f1", "f2"] }] };
  }
  if (prompt.includes("<sentence number=")) return { findings: [] };
  if (has("would_change")) {
    const lens = Object.keys(LENSES).find((name) => prompt.includes(`The lens: ${name}.`));
    const [stance, statement, fact] = LENSES[lens] ?? ["qualifies", "Sightings fell; the clicks did not.", "f1"];
    return { points: [{ statement, stance, facts: [fact] }], would_change: "A count of both kinds in the same weeks." };
  }
  if (has("groups")) return { groups: [{ points: ["v2", "v3"] }], tensions: [{ points: ["v1", "v2"], why: "It is about what a count by day can tell." }], unique: [] };
  if (has("sentences")) return { sentences: [{ text: "The lenses part over what was counted.", points: ["v1", "v2"] }] };
  if (has("hypotheses")) {
    return { hypotheses: [
      { claim: "Porpoises are avoiding the sound since the array began to turn.", prior: "possible", queries_for: ["porpoises avoiding the sound array"], queries_against: ["porpoises feeding hours of darkness"] },
      { claim: "Porpoises have moved their feeding to the hours of darkness.", prior: "likely", queries_for: ["porpoises feeding night maintenance boats"], queries_against: ["porpoise fall near the turbines"] },
    ] };
  }
  if (has("alternatives")) {
    return { findings: [{ kind: "overstatement", severity: "important", claim_id: "c1", words: "fell by 38 %", text: "Ten million customers can't be wrong.", queries: [] }],
      alternatives: ["The animals may be there at other hours."], leans: "towards what is seen from a deck", replies: [] };
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

function reply(path, text) {
  if (path === "/api/version") return ["application/json", JSON.stringify({ version: "0.6.2" })];
  if (path === "/api/tags") return ["application/json", JSON.stringify({ models: [{ name: "written:latest", model: "written:latest" }] })];
  const asked = JSON.parse(text);
  const prompt = asked.messages?.at(-1)?.content ?? "";
  const said = JSON.stringify(answer(asked.format?.properties ?? {}, prompt));
  const line = (content, more) => `${JSON.stringify({ model: asked.model, message: { role: "assistant", content }, ...more })}\n`;
  return ["application/x-ndjson", line(said, { done: false }) + line("", { done: true, done_reason: "stop", prompt_eval_count: 300, eval_count: 40 })];
}

const server = http.createServer((request, response) => {
  const parts = [];
  request.on("data", (bytes) => parts.push(bytes));
  request.on("end", () => {
    let status = 200;
    let said;
    try { said = reply(request.url, Buffer.concat(parts).toString("utf8")); } catch (error) { status = 500; said = ["text/plain", String(error)]; }
    const bytes = Buffer.from(said[1], "utf8");
    response.writeHead(status, { "content-type": said[0], "content-length": bytes.length });
    response.end(bytes);
  });
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
