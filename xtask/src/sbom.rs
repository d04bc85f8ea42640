//! `cargo xtask sbom`: what the binary is made of, as a bill of materials in the form of CycloneDX 1.6.
//!
//! It is written from what cargo resolved and from the lock file, has no time and no random number in it, and so is the same
//! bytes for the same sources, features and target.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::json::Json;
use crate::metadata::{self, field};
use crate::step;

/// The crate whose binary is shipped, and the one into which its data are compiled.
const PRODUCT: &str = "elenchus";
const HOLDER: &str = "elenchus-io";

/// Data that are compiled in: the file, its kind in CycloneDX, and its licence. NOTICE says where each comes from.
const ASSETS: &[(&str, &str, Licence)] = &[
    ("answer_reader.onnx", MODEL, Licence::Spdx("Apache-2.0")),
    ("bearing.json", "data", Licence::Spdx("Apache-2.0")),
    ("calibration.json", "data", Licence::Spdx("Apache-2.0")),
    ("cross_encoder.onnx", MODEL, Licence::Spdx("Apache-2.0")),
    ("places.txt", "data", Licence::Named("WordNet 3.0")),
    ("sentence_encoder.onnx", MODEL, Licence::Spdx("Apache-2.0")),
    ("static_minilm.bin", MODEL, Licence::Spdx("Apache-2.0")),
    ("succession_reader.onnx", MODEL, Licence::Spdx("Apache-2.0")),
    ("verifier.json", "data", Licence::Spdx("Apache-2.0")),
    ("wordnet.bin", "data", Licence::Named("WordNet 3.0")),
];

const MODEL: &str = "machine-learning-model";

#[derive(Debug, Clone, Copy)]
enum Licence {
    /// On the list of SPDX.
    Spdx(&'static str),
    /// Not on it.
    Named(&'static str),
}

/// What was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Wanted {
    features: Option<String>,
    target: Option<String>,
    out: Option<PathBuf>,
}

pub(crate) fn run(root: &Path, words: &[&str]) -> bool {
    let Some(wanted) = wanted(words) else {
        eprintln!("usage: cargo xtask sbom [--features LIST] [--target TRIPLE] [--out FILE]");
        return false;
    };
    let out = wanted.out.clone().unwrap_or_else(|| step::target(root).join("elenchus.cdx.json"));
    match written(root, &wanted, &out) {
        Ok(parts) => {
            println!("wrote {} with {parts} components", out.display());
            true
        }
        Err(cause) => {
            eprintln!("error: could not write the bill of materials: {cause}");
            false
        }
    }
}

fn wanted(words: &[&str]) -> Option<Wanted> {
    let mut wanted = Wanted::default();
    let mut rest = words;
    while let [flag, value, tail @ ..] = rest {
        let text = Some((*value).to_owned());
        match *flag {
            "--features" => wanted.features = text,
            "--target" => wanted.target = text,
            "--out" => wanted.out = text.map(PathBuf::from),
            _ => return None,
        }
        rest = tail;
    }
    rest.is_empty().then_some(wanted)
}

fn written(root: &Path, wanted: &Wanted, out: &Path) -> Result<usize, String> {
    // In a workspace a feature is named with its crate.
    let named = wanted.features.as_deref().unwrap_or_default();
    let features: Vec<String> = named
        .split(',')
        .map(str::trim)
        .filter(|feature| !feature.is_empty())
        .map(|feature| format!("{PRODUCT}/{feature}"))
        .collect();
    let features = features.join(",");
    let mut more: Vec<&str> = Vec::new();
    if !features.is_empty() {
        more.extend(["--features", features.as_str()]);
    }
    if let Some(target) = &wanted.target {
        more.extend(["--filter-platform", target.as_str()]);
    }
    let said = metadata::ask(root, &more)?;
    let lock = root.join("Cargo.lock");
    let lock = std::fs::read_to_string(&lock).map_err(|error| format!("Cargo.lock: {error}"))?;
    let bill = bill(&said, &lock, wanted)?;
    let parts = bill.get("components").map_or(0, |parts| parts.array().len());
    let mut text = String::new();
    print(&bill, 0, &mut text);
    text.push('\n');
    if let Some(folder) = out.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    std::fs::write(out, text).map_err(|error| format!("{}: {error}", out.display()))?;
    Ok(parts)
}

/// A package that takes part.
struct Part {
    name: String,
    version: String,
    licence: Option<String>,
    /// Runs while others are compiled, and is in no binary.
    is_macro: bool,
    /// What it needs to run, and what it needs to be compiled.
    normal: Vec<String>,
    build: Vec<String>,
}

impl Part {
    /// The name of it that tools know.
    fn purl(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, self.version.replace('+', "%2B"))
    }
}

fn bill(said: &Json, lock: &str, wanted: &Wanted) -> Result<Json, String> {
    let parts = parts(said)?;
    let product = parts.iter().find(|(_, part)| part.name == PRODUCT).map(|(id, _)| id.as_str());
    let product = product.ok_or_else(|| format!("cargo knows no package {PRODUCT}"))?;
    let all = reached(&parts, product, true);
    let runs = reached(&parts, product, false);
    let hashes = hashes(lock);
    let mut sorted: Vec<(&str, &Part)> = all
        .iter()
        .filter_map(|id| Some((*id, parts.get(*id)?)))
        .filter(|(id, _)| *id != product)
        .collect();
    sorted.sort_by(|(_, a), (_, b)| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    let mut components: Vec<Json> = sorted
        .iter()
        .map(|(id, part)| component(part, "library", runs.contains(id), &hashes))
        .collect();
    let version = parts.get(product).map(|part| part.version.clone()).unwrap_or_default();
    components.extend(ASSETS.iter().map(|asset| asset_component(asset, &version)));
    let mut needs = Vec::new();
    for id in std::iter::once(product).chain(sorted.iter().map(|(id, _)| *id)) {
        let Some(part) = parts.get(id) else { continue };
        let mut on: BTreeSet<String> = part
            .normal
            .iter()
            .chain(&part.build)
            .filter(|id| all.contains(id.as_str()))
            .filter_map(|id| Some(parts.get(id)?.purl()))
            .collect();
        if part.name == HOLDER {
            on.extend(ASSETS.iter().map(|(file, _, _)| asset_ref(file)));
        }
        needs.push(object([
            ("ref", text(part.purl())),
            ("dependsOn", Json::Array(on.into_iter().map(Json::String).collect())),
        ]));
    }
    let root = parts.get(product).ok_or("the product is gone")?;
    let tool = object([
        ("type", text("application")),
        ("name", text("xtask sbom")),
        ("version", text(&version)),
    ]);
    let properties = vec![
        property("elenchus:features", wanted.features.as_deref()),
        property("elenchus:target", wanted.target.as_deref()),
    ];
    let metadata = object([
        ("tools", object([("components", Json::Array(vec![tool]))])),
        ("component", component(root, "application", true, &hashes)),
        ("properties", Json::Array(properties)),
    ]);
    let mut body = String::new();
    for part in [&metadata, &Json::Array(components.clone()), &Json::Array(needs.clone())] {
        print(part, 0, &mut body);
    }
    Ok(object([
        ("$schema", text("http://cyclonedx.org/schema/bom-1.6.schema.json")),
        ("bomFormat", text("CycloneDX")),
        ("specVersion", text("1.6")),
        ("serialNumber", text(serial(&body))),
        ("version", Json::Number("1".to_owned())),
        ("metadata", metadata),
        ("components", Json::Array(components)),
        ("dependencies", Json::Array(needs)),
    ]))
}

fn parts(said: &Json) -> Result<BTreeMap<String, Part>, String> {
    let mut parts = BTreeMap::new();
    for item in said.get("packages").map_or(&[][..], Json::array) {
        let targets = item.get("targets").map_or(&[][..], Json::array);
        let is_macro = targets.iter().any(|target| {
            let kinds = target.get("kind").map_or(&[][..], Json::array);
            kinds.iter().any(|kind| kind.str() == Some("proc-macro"))
        });
        let part = Part {
            name: field(item, "name")?,
            version: field(item, "version")?,
            licence: item.get("license").and_then(Json::str).map(str::to_owned),
            is_macro,
            normal: Vec::new(),
            build: Vec::new(),
        };
        parts.insert(field(item, "id")?, part);
    }
    let nodes = said.get("resolve").and_then(|resolve| resolve.get("nodes"));
    for node in nodes.map_or(&[][..], Json::array) {
        let Some(part) = parts.get_mut(&field(node, "id")?) else { continue };
        for need in node.get("deps").map_or(&[][..], Json::array) {
            let id = field(need, "pkg")?;
            let kinds = need.get("dep_kinds").map_or(&[][..], Json::array);
            let is = |wanted: Option<&str>| {
                kinds.iter().any(|kind| kind.get("kind").and_then(Json::str) == wanted)
            };
            if is(None) {
                part.normal.push(id.clone());
            }
            if is(Some("build")) {
                part.build.push(id);
            }
        }
    }
    Ok(parts)
}

/// What a package leads to, itself included: all that is compiled, or only what is in the binary.
fn reached<'a>(
    parts: &'a BTreeMap<String, Part>,
    from: &'a str,
    compiled: bool,
) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(id) = open.pop() {
        let Some(part) = parts.get(id) else { continue };
        if (part.is_macro && !compiled) || !found.insert(id) {
            continue;
        }
        open.extend(part.normal.iter().map(String::as_str));
        if compiled {
            open.extend(part.build.iter().map(String::as_str));
        }
    }
    found
}

/// SHA-256 of what the registry gave, by name and version.
fn hashes(lock: &str) -> BTreeMap<(String, String), String> {
    let mut found = BTreeMap::new();
    for block in lock.split("[[package]]\n").skip(1) {
        let value = |key: &str| {
            let line = block.lines().find_map(|line| line.strip_prefix(key))?;
            Some(line.trim_start_matches(" = \"").trim_end_matches('"').to_owned())
        };
        if let (Some(name), Some(version), Some(hash)) =
            (value("name"), value("version"), value("checksum"))
        {
            found.insert((name, version), hash);
        }
    }
    found
}

fn component(
    part: &Part,
    kind: &str,
    is_in: bool,
    hashes: &BTreeMap<(String, String), String>,
) -> Json {
    let mut members = vec![
        ("type", text(kind)),
        ("bom-ref", text(part.purl())),
        ("name", text(&part.name)),
        ("version", text(&part.version)),
        ("scope", text(if is_in { "required" } else { "excluded" })),
    ];
    if let Some(hash) = hashes.get(&(part.name.clone(), part.version.clone())) {
        let hash = object([("alg", text("SHA-256")), ("content", text(hash))]);
        members.push(("hashes", Json::Array(vec![hash])));
    }
    if let Some(licence) = &part.licence {
        // An older way to write "or", which SPDX does not know.
        let spaced = licence.replace(" / ", "/").replace('/', " OR ");
        let expression = object([("expression", text(spaced))]);
        members.push(("licenses", Json::Array(vec![expression])));
    }
    members.push(("purl", text(part.purl())));
    Json::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn asset_component((file, kind, licence): &(&str, &str, Licence), version: &str) -> Json {
    let licence = match licence {
        Licence::Spdx(id) => object([("id", text(*id))]),
        Licence::Named(name) => object([("name", text(*name))]),
    };
    object([
        ("type", text(*kind)),
        ("bom-ref", text(asset_ref(file))),
        ("name", text(*file)),
        ("version", text(version)),
        ("scope", text("required")),
        ("licenses", Json::Array(vec![object([("license", licence)])])),
    ])
}

fn asset_ref(file: &str) -> String {
    format!("asset:{file}")
}

fn property(name: &str, value: Option<&str>) -> Json {
    object([("name", text(name)), ("value", text(value.unwrap_or("")))])
}

fn text(value: impl Into<String>) -> Json {
    Json::String(value.into())
}

fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
    Json::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A UUID of version 8 that follows from the content (FNV-1a over 128 bits): the same bill has the same number.
fn serial(body: &str) -> String {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let hash = body.bytes().fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME));
    let mut bytes = hash.to_be_bytes();
    bytes[6] = (bytes[6] & 0x0f) | 0x80;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let mut out = String::from("urn:uuid:");
    for (at, byte) in bytes.iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            out.push('-');
        }
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// A value as JSON, set in by two spaces a level.
fn print(json: &Json, depth: usize, out: &mut String) {
    match json {
        Json::Null => out.push_str("null"),
        Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Json::Number(number) => out.push_str(number),
        Json::String(value) => quoted(value, out),
        Json::Array(items) if items.is_empty() => out.push_str("[]"),
        Json::Object(members) if members.is_empty() => out.push_str("{}"),
        Json::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                out.push(if at == 0 { '[' } else { ',' });
                line(depth + 1, out);
                print(item, depth + 1, out);
            }
            line(depth, out);
            out.push(']');
        }
        Json::Object(members) => {
            for (at, (name, value)) in members.iter().enumerate() {
                out.push(if at == 0 { '{' } else { ',' });
                line(depth + 1, out);
                quoted(name, out);
                out.push_str(": ");
                print(value, depth + 1, out);
            }
            line(depth, out);
            out.push('}');
        }
    }
}

fn line(depth: usize, out: &mut String) {
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
}

fn quoted(value: &str, out: &mut String) {
    out.push('"');
    for c in value.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if u32::from(c) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    const SAID: &str = r#"{"packages":[
        {"id":"e","name":"elenchus","version":"0.1.0","license":"Apache-2.0","targets":[{"kind":["bin"]}]},
        {"id":"io","name":"elenchus-io","version":"0.1.0","license":"Apache-2.0","targets":[{"kind":["lib"]}]},
        {"id":"a","name":"a","version":"1.0.0+x","license":"MIT/Apache-2.0","targets":[{"kind":["lib"]}]},
        {"id":"m","name":"m","version":"1.0.0","license":"MIT","targets":[{"kind":["proc-macro"]}]},
        {"id":"s","name":"s","version":"2.0.0","license":null,"targets":[{"kind":["lib"]}]},
        {"id":"c","name":"c","version":"1.0.0","license":"MIT","targets":[{"kind":["lib"]}]},
        {"id":"t","name":"t","version":"1.0.0","license":"MIT","targets":[{"kind":["lib"]}]}],
        "resolve":{"nodes":[
        {"id":"e","deps":[{"pkg":"io","dep_kinds":[{"kind":null,"target":null}]},{"pkg":"t","dep_kinds":[{"kind":"dev"}]}]},
        {"id":"io","deps":[{"pkg":"m","dep_kinds":[{"kind":null}]},{"pkg":"a","dep_kinds":[{"kind":null}]},
                           {"pkg":"c","dep_kinds":[{"kind":"build"}]}]},
        {"id":"m","deps":[{"pkg":"s","dep_kinds":[{"kind":null}]}]},
        {"id":"a","deps":[]},{"id":"s","deps":[]},{"id":"c","deps":[]},{"id":"t","deps":[]}]}}"#;
    const LOCK: &str =
        "[[package]]\nname = \"a\"\nversion = \"1.0.0+x\"\nsource = \"r\"\nchecksum = \"00ff\"\n";

    fn example() -> (Json, String) {
        let said = json::parse(SAID).unwrap();
        let wanted = Wanted { features: Some("postgres".to_owned()), ..Wanted::default() };
        let bill = bill(&said, LOCK, &wanted).unwrap();
        let mut text = String::new();
        print(&bill, 0, &mut text);
        (bill, text)
    }

    fn find<'a>(bill: &'a Json, list: &str, key: &str, value: &str) -> &'a Json {
        let all = bill.get(list).unwrap().array();
        all.iter().find(|item| item.get(key).and_then(Json::str) == Some(value)).unwrap()
    }

    #[test]
    fn everything_that_is_compiled_stands_in_it_and_tests_do_not() {
        let (bill, text) = example();
        assert_eq!(json::parse(&text), Ok(bill.clone()), "it is JSON that says the same");
        let scope =
            |name: &str| find(&bill, "components", "name", name).get("scope").unwrap().str();
        assert_eq!((scope("a"), scope("elenchus-io")), (Some("required"), Some("required")));
        // A macro, what it needs, and a build script are in no binary.
        for name in ["m", "s", "c"] {
            assert_eq!(scope(name), Some("excluded"), "{name}");
        }
        assert!(!text.contains("pkg:cargo/t@"), "{text}");
        let component = find(&bill, "components", "name", "a");
        assert_eq!(component.get("purl").unwrap().str(), Some("pkg:cargo/a@1.0.0%2Bx"));
        let licence = component.get("licenses").unwrap().array()[0].get("expression").unwrap();
        assert_eq!(licence.str(), Some("MIT OR Apache-2.0"));
        let hash = component.get("hashes").unwrap().array()[0].get("content").unwrap();
        assert_eq!(hash.str(), Some("00ff"));
        let needs = find(&bill, "dependencies", "ref", "pkg:cargo/elenchus-io@0.1.0");
        let on: Vec<&str> =
            needs.get("dependsOn").unwrap().array().iter().filter_map(Json::str).collect();
        assert!(on.contains(&"pkg:cargo/m@1.0.0") && on.contains(&"asset:wordnet.bin"), "{on:?}");
    }

    #[test]
    fn the_same_sources_give_the_same_bytes() {
        assert_eq!(example().1, example().1);
        let number = serial("a");
        assert_ne!(number, serial("b"));
        let digits: Vec<usize> =
            number.trim_start_matches("urn:uuid:").split('-').map(str::len).collect();
        assert_eq!(digits, [8, 4, 4, 4, 12], "{number}");
        assert!(number.chars().nth(23) == Some('8'), "{number}");
    }

    #[test]
    fn every_file_that_is_compiled_in_is_listed() {
        let folder = crate::root().join("crates/elenchus-io/assets");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| Path::new(name).extension().is_none_or(|end| end != "md"))
            .collect();
        there.sort();
        let listed: Vec<&str> = ASSETS.iter().map(|(file, _, _)| *file).collect();
        assert_eq!(listed, there);
    }

    #[test]
    fn words_are_read_or_refused() {
        let wanted = wanted(&["--target", "x", "--out", "a/b.json"]).unwrap();
        assert_eq!(wanted.target.as_deref(), Some("x"));
        assert_eq!(wanted.out, Some(PathBuf::from("a/b.json")));
        assert_eq!(super::wanted(&[]), Some(Wanted::default()));
        assert!(super::wanted(&["--out"]).is_none() && super::wanted(&["--odd", "x"]).is_none());
    }
}
