#!/usr/bin/env python3
"""Pairs of question and unit for the answer reader: does this unit answer this question, and with which words?

Read by `train_reader.py`. Sources are folders below --sources (what is missing is left out and said):

    squad-1.1, squad-v2.0   pages of SQuAD's development sets (explore/*/dev of the explorer's published site); CC BY-SA 4.0
    shifts/new_wiki.json    the Wikipedia part of SQuADShifts; CC BY 4.0
    qamr/{dev,test}.tsv     QAMR, the readable form; MIT
    selqa/{dev,test}.json   SelQA, answer sentence selection; Apache-2.0
    tatqa/{dev,test_gold}.json   TAT-QA; CC BY 4.0
    medquad/*               MedQuAD, questions and answers of the National Institutes of Health; CC BY 4.0

and --documents, invented documents with questions of our own (`crates/elenchus-evals/data/reader/`). No question of an
answer key of this project and no document that it asks about is among them.

A pair is {question, context, unit, span, label, source}: `context` is the heading (and title) over the unit, `span` the
characters of the unit that answer, or null.
"""

import json
import random
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

from reader_forms import as_row, figures, named, plain_title, versions

WORD = re.compile(r"[a-z0-9]+")
# A sentence that begins so goes on from the one before: the product reads both together.
GOES_ON = re.compile(r"(?:It|They|He|She|This|These|Those|That|Both|His|Her|Their|Its|There|Then|Neither|Either|The (?:former|latter|other|others|first|second|third|bigger|smaller|older|newer|same))\b")
STOP = set("a an the of in on at to for by with and or is are was were be been do does did what which who whom whose when where why how "
           "many much it its this that these those from as into than then there their they he she his her has have had not".split())
ENDS = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9])")
ABBREVIATED = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Prof|Gen|Col|Sen|Rep|Jr|Sr|vs|etc|Inc|Ltd|Co|No|Vol|pp?|c|ca|approx|[A-Z])|\b(?:[A-Za-z]\.)+[A-Za-z])\.$")


def sentences(text):
    out, at = [], 0
    for match in ENDS.finditer(text):
        piece = text[at:match.start()].strip()
        if ABBREVIATED.search(piece):
            continue
        out.append(piece)
        at = match.end()
    out.append(text[at:].strip())
    return [s for s in out if len(s) > 2]


def stems(text):
    return {w[:6] for w in WORD.findall(text.lower()) if w not in STOP}


def overlap(question, unit):
    asked = stems(question)
    return len(asked & stems(unit)) / (len(asked) or 1)


def negatives(rng, question, units, right, count):
    """Units that do not answer: mostly those that share most words with the question."""
    others = [u for u in range(len(units)) if u not in right]
    rng.shuffle(others)
    others.sort(key=lambda u: -overlap(question, units[u]))
    hard = others[:max(1, count - (rng.random() < 0.3))]
    rest = others[len(hard):]
    if len(hard) < count and rest:
        hard.append(rng.choice(rest))
    return hard[:count]


def pair(question, context, unit, span, label, source):
    return {"question": " ".join(question.split()), "context": context, "unit": unit, "span": span, "label": label, "source": source}


def find(unit, answers):
    """The first place of an answer: a short one may stand inside another word or stand there twice."""
    for answer in answers:
        at = unit.find(answer)
        if answer and at >= 0:
            return [at, at + len(answer)]
    return None


def from_paragraph(rng, source, title, paragraph, questions, out):
    """`questions`: (text, answers); no answers: the paragraph leaves it open."""
    units = sentences(paragraph)
    if not units:
        return
    told = [units[i] if i == 0 or rng.random() > 0.25 else f"{units[i - 1]} {units[i]}" for i in range(len(units))]
    for question, answers in questions:
        if answers:
            holders = [i for i, u in enumerate(units) if find(u, answers)]
            if not holders:
                continue
            if len(holders) > 1:
                holders.sort(key=lambda i: -overlap(question, units[i]))
                first, second = (overlap(question, units[i]) for i in holders[:2])
                if first - second < 0.2:
                    continue
            best = holders[0]
            shift = len(told[best]) - len(units[best])
            span = [x + shift for x in find(units[best], answers)]
            out.append(pair(question, title, told[best], span, 1, source))
            for i in negatives(rng, question, units, set(holders), 2):
                if not find(told[i], answers):
                    out.append(pair(question, title, told[i], None, 0, source))
        else:
            for i in negatives(rng, question, units, set(), 2):
                out.append(pair(question, title, told[i], None, 0, source))


class Explorer(HTMLParser):
    """A page of SQuAD's explorer: paragraphs, each with questions and their answers."""

    def __init__(self):
        super().__init__()
        self.paragraphs, self.into, self.text = [], None, ""

    def handle_starttag(self, tag, attributes):
        classes = (dict(attributes).get("class") or "").split()
        if tag == "pre":
            self.into = "paragraph"
        elif tag == "strong" and "question" in classes:
            self.into = "question"
        elif tag == "span" and "answer" in classes:
            self.into = "answer"
        else:
            return
        self.text = ""

    def handle_data(self, data):
        if self.into:
            self.text += data

    def handle_endtag(self, tag):
        if {"paragraph": "pre", "question": "strong", "answer": "span"}.get(self.into) != tag:
            return
        if self.into == "paragraph":
            self.paragraphs.append((self.text, []))
        elif self.into == "question":
            self.paragraphs[-1][1].append((self.text.strip(), []))
        else:
            self.paragraphs[-1][1][-1][1].append(self.text)
        self.into = None


def squad(rng, root, out):
    newer = {p.name for p in (root / "squad-v2.0").glob("*.html")}
    for folder, skip in (("squad-v2.0", set()), ("squad-1.1", newer)):
        for path in sorted((root / folder).glob("*.html")):
            if path.name == "index.html" or path.name in skip:
                continue
            page = Explorer()
            page.feed(path.read_text(encoding="utf-8"))
            title = path.stem.replace("_", " ")
            for paragraph, asked in page.paragraphs:
                asked = [(q, sorted({a for a in answers if a and "No Answer" not in a}, key=len)) for q, answers in asked]
                from_paragraph(rng, "squad", title, " ".join(paragraph.split()), asked, out)


def shifts(rng, root, out):
    path = root / "shifts/new_wiki.json"
    if path.exists():
        for document in json.loads(path.read_text(encoding="utf-8"))["data"]:
            title = unquote(document.get("title") or "").replace("_", " ")
            title = "" if len(title) > 60 else title
            for paragraph in document["paragraphs"]:
                asked = [(q["question"], sorted({a["text"] for a in q["answers"]}, key=len)) for q in paragraph["qas"]]
                from_paragraph(rng, "shifts", title, " ".join(paragraph["context"].split()), asked, out)


def qamr(rng, root, out):
    blocks = []
    for path in sorted(root.glob("qamr/*.tsv")):
        for block in path.read_text(encoding="utf-8").split("\n\n"):
            lines = [line for line in block.splitlines() if line.strip()]
            if len(lines) > 2 and lines[0].startswith("#"):
                blocks.append((lines[1], lines[2:]))
    told = [sentence for sentence, _ in blocks]
    words = [stems(s) for s in told]
    for at, (sentence, lines) in enumerate(blocks):
        rng.shuffle(lines)
        for line in lines[:8]:
            question, answers = line[:50].strip(), [a.strip() for a in line[50:].split("\t")]
            span = find(sentence, sorted(set(answers), key=len))
            if not span or not question.endswith("?"):
                continue
            out.append(pair(question, "", sentence, span, 1, "qamr"))
            if rng.random() < 0.5:
                asked = stems(question)
                near = max((i for i in rng.sample(range(len(told)), min(400, len(told))) if i != at and told[i] != sentence), key=lambda i: len(asked & words[i]))
                if not find(told[near], answers):
                    out.append(pair(question, "", told[near], None, 0, "qamr"))


def selqa(rng, root, out):
    for path in sorted(root.glob("selqa/*.json")):
        for row in json.loads(path.read_text(encoding="utf-8")):
            units, right = row["candidates"], set(row["answers"])
            context = f"{row['article']}, {row['section']}" if row["section"] != "Abstract" else row["article"]
            for i in right:
                out.append(pair(row["question"], context, units[i], None, 1, "selqa"))
            if len(units) > len(right):
                for i in negatives(rng, row["question"], units, right, 2):
                    out.append(pair(row["question"], context, units[i], None, 0, "selqa"))


def rows_of(table):
    """A table as rows of `Column: cell`; the first rows without figures are its header."""
    head = []
    for row in table:
        if any(re.search(r"\d{1,3}[,.]\d|\$|%", cell) for cell in row[1:]):
            break
        head.append(row)
    names = [" ".join(dict.fromkeys(h[c].strip() for h in head if c < len(h) and h[c].strip())) for c in range(len(table[0]))]
    return ["; ".join(f"{names[c]}: {cell}" if c < len(names) and names[c] else cell for c, cell in enumerate(row) if cell.strip()) for row in table[len(head):] if len([x for x in row if x.strip()]) > 1]


def tatqa(rng, root, out):
    for path in sorted(root.glob("tatqa/*.json")):
        for document in json.loads(path.read_text(encoding="utf-8")):
            texts = [s for p in document["paragraphs"] for s in sentences(p["text"])]
            rows = rows_of(document["table"]["table"])
            for q in document["questions"]:
                answers = q["answer"] if isinstance(q["answer"], list) else [str(q["answer"])]
                if q["answer_type"] != "span" or len(answers) != 1:
                    continue
                units = texts if q["answer_from"] == "text" else rows
                holders = sorted((i for i, u in enumerate(units) if find(u, answers)), key=lambda i: -overlap(q["question"], units[i]))
                if not holders or len(holders) > 1 and overlap(q["question"], units[holders[0]]) - overlap(q["question"], units[holders[1]]) < 0.15:
                    continue
                out.append(pair(q["question"], "", units[holders[0]], find(units[holders[0]], answers), 1, "tatqa"))
                for i in negatives(rng, q["question"], units, set(holders), 2):
                    out.append(pair(q["question"], "", units[i], None, 0, "tatqa"))


def medquad(rng, root, out):
    pairs = []
    for path in sorted(root.glob("medquad/*/*.xml")):
        try:
            document = ElementTree.parse(path).getroot()
        except ElementTree.ParseError:
            continue
        told = []
        for node in document.iter("QAPair"):
            question, answer = node.findtext("Question") or "", " ".join((node.findtext("Answer") or "").split())
            if len(answer) > 40 and question.strip().endswith("?"):
                told.append((question.replace(" ?", "?").strip(), " ".join(sentences(answer)[:2])[:400]))
        if len(told) > 2:
            for at, (question, answer) in enumerate(told):
                other = rng.choice([t for i, t in enumerate(told) if i != at])
                pairs.append((pair(question, "", answer, None, 1, "medquad"), pair(question, "", other[1], None, 0, "medquad")))
    rng.shuffle(pairs)
    out += [p for both in pairs[:2500] for p in both]


def read_documents(folder, pattern="*.txt"):
    """Our own documents, in the order of the files below a folder: (title, [(heading, unit, [(question, answer)], [near misses])])."""
    found, heading = [], ""
    for path in sorted(Path(folder).glob(pattern)):
        for line in path.read_text(encoding="utf-8").splitlines():
            line = line.strip()
            if line.startswith("# "):
                found.append((line[2:].strip(), []))
                heading = ""
            elif line.startswith("## "):
                heading = line[3:].strip()
            elif line.startswith("u "):
                found[-1][1].append((heading, line[2:].strip(), [], []))
            elif line.startswith("? "):
                question, _, answer = line[2:].partition("|")
                found[-1][1][-1][2].append((question.strip(), answer.strip()))
            elif line.startswith("- "):
                found[-1][1][-1][3].append(line[2:].strip())
    return found


def invented(rng, documents, out, near):
    """`near(title, question)`: the units of the document, the nearest in meaning first: what the product would read beside the right one."""
    for title, units in documents:
        texts = [u[1] for u in units]

        def context(i, asked_otherwise=(), often=0.35):
            """What the unit stands under: a title that names nobody at times, or one of its own questions, as where questions are headings."""
            heading = units[i][0]
            if asked_otherwise and rng.random() < often:
                heading = rng.choice(asked_otherwise)
            chance = rng.random()
            over = plain_title(rng) if chance < 0.2 else title
            return f"{over}, {heading}" if chance < 0.65 and heading else heading if chance < 0.92 else ""

        def called(question, over, i):
            """The question, at times with the name that the title bears, which the title then mostly does."""
            put = named(rng, title, question) if rng.random() < 0.12 else None
            return (put, over if rng.random() < 0.25 else f"{title}, {units[i][0]}") if put else (question, over)

        def before(at, text, right=()):
            """What stands before a unit that goes on from another, or now and then before any sentence; never what answers itself."""
            if not at or at - 1 in right or units[at - 1][0] != units[at][0] or "; " in text or "; " in texts[at - 1]:
                return ""
            return f"{texts[at - 1]} " if rng.random() < (0.7 if GOES_ON.match(text) else 0.08) else ""

        def wrong(question, right, by_meaning, by_words):
            order = [u for u in near(title, question) if u not in right][:by_meaning + 3]
            chosen = set(rng.sample(order, min(by_meaning, len(order))))
            return sorted(chosen | set(negatives(rng, question, texts, right | chosen, by_words)))

        for at, (_, unit, asked, near_misses) in enumerate(units):
            for question, answer in asked:
                told, over = as_row(rng, unit), context(at, [q for q, a in asked if a == answer])
                put, over = called(question, over, at)
                span, first = find(told, [answer]), before(at, told)
                out.append(pair(put, over, first + told, span and [x + len(first) for x in span], 1, "invented"))
                # Another unit that says the same thing is no near miss: those with the answer in them are left out.
                same = {i for i, text in enumerate(texts) if answer and answer.lower() in text.lower()}
                for i in wrong(question, {at} | same, 2, 2):
                    text = as_row(rng, texts[i])
                    out.append(pair(put, context(i, [q for q, _ in units[i][2]], 0.08), before(i, text, {at} | same) + text, None, 0, "invented"))
            for question in near_misses:
                put, over = called(question, context(at), at)
                text = as_row(rng, unit)
                out.append(pair(put, over, before(at, text) + text, None, 0, "invented"))
                for i in wrong(question, {at}, 1, 1):
                    out.append(pair(put, context(i), before(i, texts[i]) + texts[i], None, 0, "invented"))


def public_pairs(root, seed=5):
    rng, out = random.Random(seed), []
    for source in (squad, shifts, qamr, selqa, tatqa, medquad):
        before = len(out)
        source(rng, Path(root), out)
        new = out[before:]
        print(f"{source.__name__}: {len(new)} pairs, {sum(p['label'] for p in new)} answered, {sum(p['span'] is not None for p in new)} with their words")
    return out


def invented_pairs(documents, near, seed=6):
    rng, out = random.Random(seed), []
    invented(rng, documents, out, near)
    made = figures(rng) + versions(rng)
    out += [pair(*row, "forms") for row in made]
    print(f"forms: {len(made)} pairs, {sum(row[4] for row in made)} answered")
    print(f"invented: {len(out)} pairs of {len(documents)} documents, {sum(p['label'] for p in out)} answered, {sum(p['span'] is not None for p in out)} with their words")
    return out
