//! The real corpora beside the repository. They are not part of it: without them the tests say that they
//! were skipped.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop at the first surprise, and says what it skips"
)]

use crate::ingest::{now, request};
use elenchus_core::evidence::{Source, Vintage};
use elenchus_core::port::{Retriever, SearchRequest};
use elenchus_io::retrieve::{Corpus, builtin_vectors};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The folder `name` of the data, if it is there.
fn data(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("ELENCHUS_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let folder = root.join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skip: no data: {name}; set ELENCHUS_DATA to the folder that holds it");
    None
}

fn corpus(name: &str) -> Option<Corpus> {
    let mut corpus = Corpus::in_memory(&data(name)?, Some(builtin_vectors())).unwrap();
    corpus.sync(&mut |_| {}).unwrap();
    Some(corpus)
}

fn source<'a>(sources: &'a [Source], path: &str) -> &'a Source {
    sources.iter().find(|source| source.path == path).unwrap_or_else(|| panic!("{path} is missing"))
}

#[test]
fn veltrix_metadata() {
    let Some(corpus) = corpus("veltrix") else { return };
    let sources = corpus.sources();
    assert_eq!(sources.len(), 27);
    // path, title, author, date, vintage
    let expected = [
        (
            "company_overview.md",
            "Veltrix Dynamics B.V. - Company Overview",
            "",
            "May 2026",
            Vintage::Current,
        ),
        (
            "board/board_memo_2026_strategy.pdf",
            "Board Memo: 2026 Strategy - Veltrix Dynamics",
            "CEO office",
            "January 2026",
            Vintage::Current,
        ),
        (
            "board/board_minutes_2024_06.md",
            "Board Minutes - June 2024 (excerpt, approved)",
            "",
            "June 2024",
            Vintage::Current,
        ),
        (
            "ops/q1_2026_ops_report.pdf",
            "Q1 2026 Operations Report - Veltrix Dynamics",
            "COO office",
            "14 April 2026",
            Vintage::Current,
        ),
        (
            "ops/archive/q1_2025_ops_report.pdf",
            "Q1 2025 Operations Report - Veltrix Dynamics",
            "COO office",
            "April 2025",
            Vintage::Superseded,
        ),
        (
            "ops/archive/q1_2024_ops_report.pdf",
            "Q1 2024 Operations Report - Veltrix Dynamics",
            "COO office",
            "April 2024",
            Vintage::Superseded,
        ),
        (
            "product/vlx500_product_brief.docx",
            "VLX-500 Product Brief (Draft v0.9)",
            "Product team",
            "March 2026",
            Vintage::Current,
        ),
        (
            "product/archive/vlx500_concept_2025_superseded.md",
            "VLX-500 Concept One-Pager (v0.2 - SUPERSEDED)",
            "Product team",
            "June 2025",
            Vintage::Superseded,
        ),
        (
            "hr/remote_work_policy.md",
            "Remote & Hybrid Work Policy",
            "",
            "January 2026",
            Vintage::Current,
        ),
        (
            "it/access_review_2026.md",
            "Quarterly Access Review - Q1 2026",
            "",
            "Q1 2026",
            Vintage::Current,
        ),
        ("finance/expense_policy.md", "Expense Policy (2026)", "", "2026", Vintage::Current),
        (
            "ops/warehouse_safety_bulletin_march2026.md",
            "Warehouse Safety Bulletin - March 2026",
            "",
            "March 2026",
            Vintage::Current,
        ),
        (
            "engineering/veltrixos_release_notes_5_0_beta.md",
            "VeltrixOS 5.0 (beta) - Release Notes",
            "",
            "",
            Vintage::Current,
        ),
    ];
    for (path, title, author, date, vintage) in expected {
        let found = source(&sources, path);
        assert_eq!(found.title, title);
        assert_eq!(found.author.as_deref().unwrap_or(""), author, "{path}");
        assert_eq!(
            found.date.as_ref().map_or(String::new(), |date| date.value.to_string()),
            date,
            "{path}"
        );
        assert_eq!(found.vintage, vintage, "{path}");
    }
    let family = |path| &source(&sources, path).family;
    assert_eq!(family("ops/q1_2026_ops_report.pdf"), family("ops/archive/q1_2025_ops_report.pdf"));
    assert_eq!(family("ops/q1_2026_ops_report.pdf"), family("ops/archive/q1_2024_ops_report.pdf"));
    let clusters: BTreeSet<_> = sources.iter().map(|source| &source.cluster).collect();
    assert_eq!(clusters.len(), 27, "vintages are not copies");
    let overview = corpus.overview();
    assert_eq!(overview.subjects[0], "Veltrix");
    assert_eq!(overview.newest.unwrap().to_string(), "May 2026");
}

#[test]
fn veltrix_passages() {
    let Some(corpus) = corpus("veltrix") else { return };
    let first = |query: &str| {
        let hit = now(corpus.search(&request(query))).unwrap().hits.remove(0);
        now(corpus.read(&[hit.passage_id])).unwrap().remove(0)
    };
    let funding = first("Series C lead investor");
    assert_eq!(funding.location(), "company_overview.md, Funding history");
    assert_eq!(funding.passage.table_header, ["Round", "Date", "Amount", "Lead investor"]);
    let incident = first("firmware regression February 2026 incident");
    assert_eq!(incident.location(), "ops/q1_2026_ops_report.pdf, p. 1, Incidents");
    assert!(incident.passage.text.contains("within\n  36 hours"));
    assert!(
        first("VLX-500 payload cold rating table")
            .passage
            .text
            .contains("| Cold rating | -25°C | -30°C |")
    );
}

#[test]
fn theology_authors_and_centuries() {
    let Some(folder) = data("theology") else { return };
    let expected = [
        ("Alexander_of_Alexandria_Epistles_on_the_Arian_Heresy", "Alexander of Alexandria", 4),
        ("Athanasius_of_Alexandria_On_the_Incarnation_of_the_Word", "Athanasius of Alexandria", 4),
        ("Athenagoras_of_Athens_A_Plea_For_the_Christians", "Athenagoras of Athens", 2),
        ("Clement_of_Rome_First_Epistle_to_the_Corinthians", "Clement of Rome", 1),
        ("Council_of_Nicaea_of_325_The_Nicene_Creed", "Council of Nicaea", 4),
        ("Didache_Didache", "Didache", 1),
        ("Epistle_of_Barnabas_The_Epistle_of_Barnabas", "Barnabas", 2),
        ("Epistle_to_Diognetus_The_Epistle_to_Diognetus", "Epistle to Diognetus", 2),
        ("Eusebius_of_Caesarea_THE_CHURCH_HISTORY_OF_EUSEBIUS_Book_1", "Eusebius of Caesarea", 4),
        ("Hilary_of_Poitiers_On_the_Trinity_Book_1", "Hilary of Poitiers", 4),
        ("Ignatius_of_Antioch_Epistle_to_the_Ephesians", "Ignatius of Antioch", 2),
        ("Ignatius_of_Antioch_Pseudo_Ignatius_Epistle_to_the_Philippians", "Pseudo-Ignatius", 4),
        ("Irenaeus_Irenaeus_Against_Heresies_Book_1", "Irenaeus", 2),
        ("Justin_Martyr_Dialogue_with_Trypho", "Justin Martyr", 2),
        ("Novatian_A_Treatise_of_Novatian_Concerning_the_Trinity", "Novatian", 3),
        ("Papias_of_Hierapolis_Fragments_of_Papias_ANF", "Papias of Hierapolis", 2),
        ("Polycarp_of_Smyrna_Epistle_to_the_Philippians", "Polycarp of Smyrna", 2),
        ("Shepherd_of_Hermas_Translation_Lightfoot", "Hermas", 2),
        ("Tatian_the_Assyrian_Address_of_Tatian_to_the_Greeks", "Tatian", 2),
        ("Tertullian_Against_Praxeas", "Tertullian", 3),
        ("Theophilus_of_Antioch_Theophilus_to_Autolycus_Book_1", "Theophilus of Antioch", 2),
    ];
    // What is expected of, and one book of the Bible: reading all of it takes a minute without optimisation.
    let own = tempfile::TempDir::new().unwrap();
    std::fs::create_dir(own.path().join("fathers")).unwrap();
    for (stem, ..) in expected {
        let file = format!("fathers/{stem}.txt");
        std::fs::copy(folder.join(&file), own.path().join(&file)).unwrap();
    }
    let verses = std::fs::read_to_string(folder.join("kjv.tsv")).unwrap();
    let john: Vec<&str> = verses.lines().filter(|line| line.starts_with("John.")).collect();
    std::fs::write(own.path().join("kjv.tsv"), john.join("\n")).unwrap();
    let mut corpus = Corpus::in_memory(own.path(), Some(builtin_vectors())).unwrap();
    corpus.sync(&mut |_| {}).unwrap();
    let sources = corpus.sources();
    for (stem, author, century) in expected {
        let found = source(&sources, &format!("fathers/{stem}.txt"));
        assert_eq!(found.author.as_deref(), Some(author));
        assert_eq!(found.date.as_ref().unwrap().value.century(), century, "{stem}");
    }
    let verse = SearchRequest {
        filter: elenchus_core::port::SearchFilter {
            only: vec!["kjv.tsv".to_owned()],
            exclude: Vec::new(),
        },
        ..request("John 1:1")
    };
    let hit = now(corpus.search(&verse)).unwrap().hits.remove(0);
    let read = now(corpus.read(&[hit.passage_id])).unwrap().remove(0);
    assert_eq!(read.passage.record.as_deref(), Some("John.1.1"));
    let capped = SearchRequest {
        per_author: 1,
        ..request("Jesus Christ our God, begotten of the Father, of one substance")
    };
    let authors: Vec<Option<String>> = now(corpus.search(&capped))
        .unwrap()
        .hits
        .into_iter()
        .map(|hit| now(corpus.read(&[hit.passage_id])).unwrap().remove(0).source.author)
        .collect();
    let distinct: BTreeSet<&Option<String>> =
        authors.iter().filter(|author| author.is_some()).collect();
    assert!(distinct.len() >= 5, "{authors:?}");
}

/// nDCG@10 over the dev queries, records scored by their best passages. Slow without optimisation, so only
/// when `ELENCHUS_SCIFACT` is set.
#[test]
fn scifact_ndcg() {
    let Some(folder) = data("scifact") else { return };
    if std::env::var_os("ELENCHUS_SCIFACT").is_none() {
        println!("skip: set ELENCHUS_SCIFACT to measure retrieval on SciFact");
        return;
    }
    let own = tempfile::TempDir::new().unwrap();
    std::fs::copy(folder.join("scifact_corpus.jsonl"), own.path().join("corpus.jsonl")).unwrap();
    let mut corpus = Corpus::in_memory(own.path(), Some(builtin_vectors())).unwrap();
    corpus.sync(&mut |_| {}).unwrap();
    let queries = std::fs::read_to_string(folder.join("scifact_queries.jsonl")).unwrap();
    let (mut count, mut lexical, mut fused) = (0.0, 0.0, 0.0);
    for query in
        queries.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
    {
        if query["split"] != "dev" {
            continue;
        }
        let relevant: BTreeSet<&str> =
            query["relevant"].as_array().unwrap().iter().filter_map(|id| id.as_str()).collect();
        let text = query["text"].as_str().unwrap();
        count += 1.0;
        for (sum, ranked) in [
            (&mut lexical, corpus.rank_records_lexical(text, 10).unwrap()),
            (&mut fused, corpus.rank_records(text, 10).unwrap()),
        ] {
            let gain = |place: usize| 1.0 / ((place + 2) as f64).log2();
            let found: f64 = ranked
                .iter()
                .enumerate()
                .filter(|(_, hit)| hit.record.as_deref().is_some_and(|id| relevant.contains(id)))
                .map(|(place, _)| gain(place))
                .sum();
            *sum += found / (0..relevant.len().min(10)).map(gain).sum::<f64>();
        }
    }
    println!(
        "SciFact dev, {count} queries: nDCG@10 lexical {:.4}, fused {:.4}",
        lexical / count,
        fused / count
    );
    assert!(fused / count >= 0.68, "fused {:.4}", fused / count);
}
