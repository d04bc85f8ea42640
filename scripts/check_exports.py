"""Asks questions of small corpora with the built binary, exports the runs in every format, and has the exports read by tools that
others wrote: citeproc-py, pybtex, rispy, prov, PyLD, jsonschema, ro-crate-py and the RO-Crate validator. Nothing is fetched: contexts
that the tools would load from the web come from their own packages or stand below.

`cargo xtask exports` installs the tools into `target/export-tools` and calls this with --binary."""

import argparse
import base64
import csv
import hashlib
import html.parser
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema
import requests
import rispy
from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
from citeproc.source.json import CiteProcJSON
from prov.model import ProvDerivation, ProvDocument
from pybtex.database import parse_string
from pybtex.plugin import find_plugin
from pyld import jsonld
from rocrate.rocrate import ROCrate
from rocrate_validator import models, services
from rocrate_validator.utils import http

HARBOR = [
    "What is the installed capacity of the Skerry Tidal Array?",
    "Who is the managing director of the Skerry Tidal Cooperative and how many members does it have?",
    "How deep is the water at the turbine Razorbill?",
    "Did porpoise sightings change?",
    "What will the second phase at Corbie Head cost?",
]
VELTRIX = ["Who founded Veltrix?", "How much did Veltrix raise in its last round and who led it?"]
FORMATS = ["md", "json", "jsonl", "html", "bibtex", "ris", "csl-json", "csv", "web-annotation", "prov-json"]

# The terms of http://www.w3.org/ns/anno.jsonld that we use, and what they mean there.
OA = "http://www.w3.org/ns/oa#"
AS = "http://www.w3.org/ns/activitystreams#"
DCTERMS = "http://purl.org/dc/terms/"
DATE = "http://www.w3.org/2001/XMLSchema#dateTime"
COUNT = "http://www.w3.org/2001/XMLSchema#nonNegativeInteger"
ANNO = {
    "oa": OA,
    "id": "@id",
    "type": "@type",
    **{name: OA + name for name in ["Annotation", "TextualBody", "SpecificResource", "TextQuoteSelector", "TextPositionSelector", "TimeState"]},
    **{name: OA + name for name in ["linking", "tagging", "exact", "prefix", "suffix"]},
    "Text": "http://purl.org/dc/dcmitype/Text",
    "Software": AS + "Application",
    "AnnotationPage": AS + "OrderedCollectionPage",
    "body": {"@id": OA + "hasBody", "@type": "@id"},
    "target": {"@id": OA + "hasTarget", "@type": "@id"},
    "source": {"@id": OA + "hasSource", "@type": "@id"},
    "selector": {"@id": OA + "hasSelector", "@type": "@id"},
    "state": {"@id": OA + "hasState", "@type": "@id"},
    "generator": {"@id": AS + "generator", "@type": "@id"},
    "items": {"@id": AS + "items", "@type": "@id", "@container": "@list"},
    "motivation": {"@id": OA + "motivatedBy", "@type": "@vocab"},
    "purpose": {"@id": OA + "hasPurpose", "@type": "@vocab"},
    "format": "http://purl.org/dc/elements/1.1/format",
    "value": "http://www.w3.org/1999/02/22-rdf-syntax-ns#value",
    "name": "http://xmlns.com/foaf/0.1/name",
    "label": "http://www.w3.org/2000/01/rdf-schema#label",
    "created": {"@id": DCTERMS + "created", "@type": DATE},
    "sourceDate": {"@id": OA + "sourceDate", "@type": DATE},
    "start": {"@id": OA + "start", "@type": COUNT},
    "end": {"@id": OA + "end", "@type": COUNT},
    "startIndex": {"@id": AS + "startIndex", "@type": COUNT},
}

# What the Web Annotation data model asks of the parts that we write.
ANNOTATIONS = {
    "type": "object",
    "required": ["@context", "id", "type", "items"],
    "properties": {
        "type": {"const": "AnnotationPage"},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["id", "type", "motivation", "body", "target"],
                "properties": {
                    "id": {"pattern": "^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"},
                    "type": {"const": "Annotation"},
                    "motivation": {"items": {"enum": ["assessing", "linking"]}},
                    "created": {"format": "date-time"},
                    "target": {
                        "required": ["type", "source", "selector"],
                        "properties": {
                            "type": {"const": "SpecificResource"},
                            "source": {"required": ["id"], "properties": {"id": {"pattern": "^(https?|ni|urn):"}}},
                            "selector": {
                                "type": "array",
                                "prefixItems": [
                                    {"required": ["type", "exact"], "properties": {"type": {"const": "TextQuoteSelector"}, "exact": {"minLength": 1}}},
                                    {
                                        "required": ["type", "start", "end"],
                                        "properties": {"type": {"const": "TextPositionSelector"}, "start": {"type": "integer", "minimum": 0}, "end": {"type": "integer"}},
                                    },
                                ],
                                "minItems": 2,
                                "maxItems": 2,
                            },
                        },
                    },
                },
            },
        },
    },
}


class Failure(Exception):
    """What a tool found wrong."""


def demand(holds, what):
    if not holds:
        raise Failure(what)


class Page(html.parser.HTMLParser):
    """What matters of the report's page: its policies, its styles, elements that it must not have."""

    def __init__(self):
        super().__init__()
        self.policies, self.styles, self.wrong, self.ids, self.inside = [], [], [], [], False

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy":
            self.policies.append(attributes["content"])
        if tag in ("script", "img", "iframe", "object", "embed", "link", "form") or "style" in attributes:
            self.wrong.append(tag)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        self.inside = tag == "style"

    def handle_data(self, data):
        if self.inside:
            self.styles.append(data)
            self.inside = False


def squeezed(text):
    return " ".join(text.split())


def check_html(text, _run):
    page = Page()
    page.feed(text)
    demand(not page.wrong, f"elements that have no business there: {page.wrong}")
    demand(len(page.policies) == 1 and len(page.styles) == 1, "one policy and one style")
    told = re.findall(r"'sha256-([^']+)'", page.policies[0])
    demand(told == [base64.b64encode(hashlib.sha256(page.styles[0].encode()).digest()).decode()], "the policy names the style's hash")
    demand(len(page.ids) == len(set(page.ids)), f"ids stand once: {page.ids}")


def check_json(text, run):
    answer = json.loads(text)
    demand(answer["run_id"] == run["id"], "it is this run's")
    for claim in answer["claims"]:
        span = claim["source_span"]
        demand(answer["text"][span["start"] : span["end"]] == claim["text"], f"{claim['id']} stands at its place")


def check_jsonl(text, run):
    events = [json.loads(line) for line in text.splitlines()]
    demand([event["seq"] for event in events] == list(range(1, len(events) + 1)), "numbers are dense from 1")
    demand(all(event["run_id"] == run["id"] for event in events), "all events are this run's")
    demand(events[-1]["type"] == "session_completed", f"it ends with its end, not with {events[-1]['type']}")


def check_bibtex(text, run):
    database = parse_string(text, "bibtex")
    demand(len(database.entries) == run["sources"], f"{len(database.entries)} entries for {run['sources']} sources")
    style = find_plugin("pybtex.style.formatting", "plain")()
    shown = list(style.format_bibliography(database))
    backend = find_plugin("pybtex.backends", "text")()
    demand(all(len(entry.text.render(backend)) > 3 for entry in shown), "every entry can be set")


def check_ris(text, run):
    records = rispy.loads(text)
    demand(len(records) == run["sources"], f"{len(records)} records for {run['sources']} sources")
    for record in records:
        demand(record["type_of_reference"] in ("ELEC", "GEN") and record.get("title"), f"a title: {record}")
        demand(not record.get("unknown_tag"), f"every tag is known: {record.get('unknown_tag')}")


def check_csl(text, run):
    items = json.loads(text)
    demand(len(items) == run["sources"], f"{len(items)} items for {run['sources']} sources")
    if not items:
        return
    source = CiteProcJSON(items)
    style = CitationStylesStyle("harvard-cite-them-right", validate=False)
    bibliography = CitationStylesBibliography(style, source, formatter.plain)
    for item in items:
        bibliography.register(Citation([CitationItem(item["id"])]))
    shown = [str(entry) for entry in bibliography.bibliography()]
    demand(len(shown) == len(items), "every item is in the bibliography")
    for item in items:
        words = squeezed(item["title"])
        demand(any(words in squeezed(entry) for entry in shown), f"{words!r} is not in {shown}")


def check_csv(text, run):
    rows = list(csv.reader(io.StringIO(text), strict=True))
    demand(all(len(row) == 9 for row in rows) and rows[0][0] == "number", "nine columns")
    demand({int(row[0]) for row in rows[1:]} == set(range(1, run["sources"] + 1)), "every source has a row")


def check_annotations(text, run):
    page = json.loads(text)
    jsonschema.Draft202012Validator(ANNOTATIONS, format_checker=jsonschema.FormatChecker()).validate(page)

    def load(url, _options):
        demand(url == "http://www.w3.org/ns/anno.jsonld", f"only the context of the model is used, not {url}")
        return {"contextUrl": None, "documentUrl": url, "document": {"@context": ANNO}}

    expanded = jsonld.expand(page, {"documentLoader": load})
    listed = expanded[0][AS + "items"][0]["@list"]
    demand(len(listed) == len(page["items"]), "no annotation is lost in expansion")
    lost = lost_in_expansion(page, expanded)
    demand(not lost, f"terms that mean nothing: {lost}")
    for item in listed:
        motives = sorted(one["@id"] for one in item[OA + "motivatedBy"])
        demand(motives == [OA + "assessing", OA + "linking"], f"{motives}")
    anchored = sum(reanchored(item["target"], run) for item in page["items"])
    demand(len(page["items"]) >= run["claims"], f"{len(page['items'])} annotations for {run['claims']} claims")
    run["anchored"] = anchored


def lost_in_expansion(page, expanded):
    """Keys of JSON that did not become a property: expansion drops what a context does not define."""
    seen = json.dumps(expanded)
    keys = set()

    def walk(value):
        if isinstance(value, dict):
            keys.update(value)
            [walk(one) for one in value.values()]
        elif isinstance(value, list):
            [walk(one) for one in value]

    walk({key: value for key, value in page.items() if key != "@context"})

    def meaning(key):
        term = ANNO.get(key)
        return term["@id"] if isinstance(term, dict) else term

    return sorted(key for key in keys if meaning(key) is None or (not meaning(key).startswith("@") and meaning(key) not in seen))


def reanchored(target, run):
    """Finds the words of a quote again: at their place where the text of a document is its file, else anywhere in the file."""
    words, place = target["selector"]
    demand(place["end"] - place["start"] == len(words["exact"]), f"the place is as long as the words: {target}")
    label = target["source"]["label"]
    path = re.search(r"\((.+)\)$", label)
    file = run["corpus"] / (path.group(1) if path else label)
    demand(file.is_file(), f"{label} names no file")
    if file.suffix not in (".md", ".txt"):
        run["elsewhere"] = run.get("elsewhere", 0) + 1
        return 0
    text = file.read_bytes().decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
    # What stands before a Markdown text is about it and no part of it.
    text = re.sub(r"\A---\n.*?\n---\n", "", text, count=1, flags=re.DOTALL)
    whole = words.get("prefix", "") + words["exact"] + words.get("suffix", "")
    demand(whole in text, f"{whole!r} is not in {file.name}")
    demand(text[place["start"] : place["end"]] == words["exact"], f"{words['exact']!r} is not at {place} of {file.name}")
    return 1


def check_prov(text, run):
    document = ProvDocument.deserialize(content=text, format="json")
    again = ProvDocument.deserialize(content=document.serialize(format="json"), format="json")
    demand(document == again, "it is the same after a round trip")
    document.get_provn()
    document.unified()
    quoted = [one for one in document.get_records(ProvDerivation) if any(str(kind) == "prov:Quotation" for kind in one.get_asserted_types())]
    demand(bool(quoted) == bool(run["sources"]), "quotes are quoted from sources")
    known = {str(record.identifier) for record in document.get_records() if record.is_element()}
    for record in document.get_records():
        if record.is_relation():
            for name, value in record.formal_attributes:
                if name.localpart != "time":
                    demand(value is None or str(value) in known, f"{record} names {value}, which is no record")


def check_crate(folder, run):
    crate = ROCrate(folder)
    demand({file.id for file in crate.data_entities} >= {"report.md", "answer.json", "trace.jsonl"}, "the files are in the package")
    for file in crate.data_entities:
        demand((folder / file.id).stat().st_size == int(file["contentSize"]), f"{file.id} is as long as it says")
    notes, wrong = [], []
    for profile in ("ro-crate-1.2", "process-run-crate-0.5"):
        settings = services.ValidationSettings(
            rocrate_uri=str(folder),
            profile_identifier=profile,
            requirement_severity=models.Severity.RECOMMENDED,
            enable_profile_inheritance=profile == "ro-crate-1.2",
            abort_on_first=False,
        )
        for issue in services.validate(settings).get_issues():
            line = f"{profile}: {issue.severity.name}: {issue.message}"
            (wrong if issue.severity == models.Severity.REQUIRED else notes).append(line)
    run["notes"] = notes
    demand(not wrong, "; ".join(wrong))


CHECKS = {
    "json": check_json,
    "jsonl": check_jsonl,
    "html": check_html,
    "bibtex": check_bibtex,
    "ris": check_ris,
    "csl-json": check_csl,
    "csv": check_csv,
    "web-annotation": check_annotations,
    "prov-json": check_prov,
}


def contexts_from_packages():
    """The RO-Crate context that ro-crate-py carries stands in for the one on the web: the terms that we use are in every version."""
    import rocrate

    bundled = (pathlib.Path(rocrate.__file__).parent / "data" / "ro-crate.jsonld").read_bytes()

    def get(_requester, url, **_options):
        found = requests.Response()
        found.url, found.status_code, found._content = url, 404, b""
        if re.fullmatch(r"https://w3id\.org/ro/crate/1\.\d/context", url):
            found.status_code, found._content = 200, bundled
            found.headers["Content-Type"] = "application/ld+json"
        return found

    http.HttpRequester.get = http.HttpRequester.head = get


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--binary", required=True, type=pathlib.Path)
    arguments.add_argument("--corpus", action="append", default=[], help="FOLDER; more than the examples")
    arguments.add_argument("--notes", action="store_true", help="show what validators recommend")
    options = arguments.parse_args()
    contexts_from_packages()
    root = pathlib.Path(__file__).resolve().parent.parent
    asked = [(root / "examples" / "harbor", question) for question in HARBOR]
    veltrix = pathlib.Path(os.environ.get("ELENCHUS_DATA", root.parent / "shared" / "data")) / "veltrix"
    if veltrix.is_dir():
        asked += [(veltrix, question) for question in VELTRIX]
    else:
        print("skip: veltrix (no data beside the repository)")
    asked += [(pathlib.Path(folder), question) for folder in options.corpus for question in HARBOR]
    failed = checked = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        home = {"HOME": str(scratch), "PATH": "/usr/bin:/bin"}
        for at, (corpus, question) in enumerate(asked):
            store = scratch / f"{at}.db"

            def elenchus(*words):
                command = [options.binary, *words, "--store", store]
                done = subprocess.run(command, cwd=scratch, env=home, capture_output=True, text=True, check=False)
                if done.returncode != 0:
                    raise Failure(f"{' '.join(map(str, words))}: {done.stderr}")
                return done.stdout

            print(f"{corpus.name}: {question}")
            if not options.binary.is_file():
                sys.exit(f"error: there is no {options.binary}: build it first, `cargo build -p elenchus`")
            elenchus("ask", question, "--corpus", corpus, "-q", "--no-input", "--no-memory")
            name = json.loads(elenchus("runs", "list", "--json"))[0]["run_id"]
            exports = {format: elenchus("runs", "export", name, "--format", format) for format in FORMATS}
            answer = json.loads(exports["json"])
            run = {"id": name, "corpus": corpus, "sources": len(answer["sources"]), "claims": len(answer["claims"])}
            package = scratch / f"{at}-package"
            elenchus("runs", "export", name, "--format", "ro-crate", "--out", package)
            work = [(format, check, exports[format]) for format, check in CHECKS.items()] + [("ro-crate", check_crate, package)]
            for format, check, given in work:
                checked += 1
                try:
                    check(given, run)
                except Exception as error:  # noqa: BLE001: whatever a tool throws at an export is a finding
                    failed += 1
                    print(f"  {format}: {type(error).__name__}: {str(error)[:600]}")
            print(f"  {run['sources']} sources, {run['claims']} claims, {run.get('anchored', 0)} quotes at their place in files, "
                  f"{run.get('elsewhere', 0)} in files that are no plain text")
            if options.notes:
                for note in run.get("notes", []):
                    print(f"    {note}")
    print(f"{checked} exports of {len(asked)} runs were read by others' tools: {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
