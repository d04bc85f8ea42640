// Payloads of attacks, and folders of documents made of them: each place of a document that reaches a page tries to be markup.
//
// `node payloads.mjs FOLDER PAYLOADS COUNT` writes COUNT folders of documents below FOLDER and prints their paths.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { TELLING } from "./model.mjs";

// Every payload of the corpus.
export function payloads(folder) {
  const texts = fs.readFileSync(path.join(folder, "payloadbox_xss_all.txt"), "utf8").split("\n").map((line) => line.trim());
  for (const name of ["patt_xss_blocks.jsonl", "own_markdown_vectors.jsonl", "dompurify_expect.jsonl"]) {
    for (const line of fs.readFileSync(path.join(folder, name), "utf8").split("\n").filter(Boolean)) {
      const one = JSON.parse(line);
      texts.push(String(one.payload ?? one.markdown ?? one.input ?? "").trim());
    }
  }
  return texts.filter(Boolean);
}

// Gives the payloads that fit, spread over all of them: neighbours are much alike.
function spread(all, fits) {
  const fitting = all.filter(fits);
  const stride = 97;
  let at = 0;
  return () => {
    at += 1;
    return fitting[(at * stride + Math.floor((at * stride) / fitting.length)) % fitting.length];
  };
}

// Several payloads in a line of at most so many characters.
export function mixture(all) {
  const next = spread(all, (text) => text.length <= 160 && !/[\r\n]/.test(text));
  return (most) => {
    let line = "";
    for (let tries = 0; tries < 40; tries += 1) {
      const longer = line ? `${line} ${next()}` : next();
      if (longer.length <= most) line = longer;
    }
    return line;
  };
}

// What each survey looked from and when, so that no document is a copy of another.
const DECKS = ["a ferry", "a harbour wall", "a kayak", "a lighthouse", "a hydrophone", "a pilot boat", "a cliff path", "a drifting buoy"];
const TIMES = ["at slack water", "before sunrise", "in fog", "with the ebb", "under sail", "after the spring tides"];

// A folder of documents of which each says what the written model looks for. Titles, authors, headings, sentences, names of files
// and what stands around them are payloads.
function write(folder, all, next, count) {
  fs.mkdirSync(folder, { recursive: true });
  for (let n = 0; n < count; n += 1) {
    const telling = TELLING[n % TELLING.length].words;
    const name = `${n} ${next.name()}.md`;
    const text = [
      "---",
      `title: Survey ${n} ${next.line()}`,
      `author: ${next.line()}`,
      "---",
      "",
      `# Survey ${n} from ${DECKS[n % DECKS.length]} ${next.line()}`,
      "",
      `## Porpoises ${TIMES[n % TIMES.length]} ${next.line()}`,
      "",
      `Counted from ${DECKS[n % DECKS.length]} ${TIMES[n % TIMES.length]} ${next.sentence()} the porpoise sightings in Skerry Sound ${telling} between 2021 and 2025 ${next.sentence()}.`,
      "",
      next.any(),
      "",
    ].join("\n");
    fs.writeFileSync(path.join(folder, name), text);
  }
  // Files that carry payloads by themselves, in whatever form.
  const carriers = path.join(all.folder, "files");
  if (fs.existsSync(carriers)) for (const name of fs.readdirSync(carriers)) fs.copyFileSync(path.join(carriers, name), path.join(folder, name));
}

// Folders of eight documents each, with other payloads in every one.
export function folders(into, corpus, count) {
  const texts = payloads(corpus);
  const isLine = (text) => text.length <= 160 && !/[\r\n]/.test(text);
  const next = {
    // What a file may be called.
    name: spread(texts, (text) => isLine(text) && !/[/\0]/.test(text) && Buffer.byteLength(text) <= 160),
    line: spread(texts, isLine),
    // What ends no sentence.
    sentence: spread(texts, (text) => isLine(text) && !/[.!?;:]/.test(text)),
    any: spread(texts, (text) => text.length <= 2_000),
  };
  const made = [];
  for (let n = 0; n < count; n += 1) {
    const folder = path.join(into, `${n} <b onmouseover=alert(document.domain)>`);
    write(folder, { folder: corpus }, next, 8);
    made.push(folder);
  }
  return made;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [into, corpus, count] = process.argv.slice(2);
  for (const folder of folders(into, corpus, Number(count))) console.log(folder);
}
