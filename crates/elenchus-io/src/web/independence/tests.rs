use super::*;
use elenchus_core::evidence::{Vintage, WebPage};
use elenchus_core::id::Timestamp;
use proptest::prelude::*;

#[derive(Clone, Debug)]
struct Page {
    source: Source,
    text: String,
    links: Vec<(String, String)>,
}

fn page(url: &str, author: Option<&str>, text: &str) -> Page {
    let site = site_of(url).unwrap();
    let web = WebPage {
        url: url.to_owned(),
        site,
        retrieved_at: Timestamp(0),
        via: "test".to_owned(),
        published: None,
        modified: None,
        licence: None,
        hidden: 0,
        one_with: Vec::new(),
        self_published: false,
    };
    let source = Source {
        id: SourceId::from_path(url),
        path: url.to_owned(),
        title: "A page".to_owned(),
        author: author.map(str::to_owned),
        date: None,
        vintage: Vintage::Current,
        content_hash: String::new(),
        family: String::new(),
        cluster: SourceId::from_path(url),
        web: Some(Box::new(web)),
    };
    Page { source, text: text.to_owned(), links: Vec::new() }
}

fn judged(pages: &[Page]) -> Independence {
    let witnesses: Vec<Witness<'_>> = pages
        .iter()
        .map(|page| Witness { source: &page.source, text: &page.text, links: &page.links })
        .collect();
    independence(&witnesses)
}

fn reasons(pages: &[Page]) -> Vec<String> {
    judged(pages).unions.iter().map(|union| union.tie.to_string()).collect()
}

const TRUST: &str = "In October 2024 our volunteers walked 492 stretches of the River Ledden and its tributaries. They \
    counted 268 otters, 44 fewer than in 2021, and 103 pairs of kingfishers. The floods of January destroyed most holts.";
const OWN: &str = "A camera beside the weir at Oxmarsh filmed three young otters on Monday night. The keeper of the lock, \
    Ola Brandt, says that she has seen the mother since March and that the family fishes below the bridge.";

#[test]
fn sites_where_nobody_edits_are_told_from_archives_of_papers() {
    for site in ["medium.com", "x.com", "reddit.com", "anna.substack.com", "anna.wordpress.com"] {
        assert!(is_self_published(site), "{site}");
    }
    for site in ["arxiv.org", "doi.org", "github.com", "example.org", "notx.com", "wordpress.com"] {
        assert!(!is_self_published(site), "{site}");
    }
    // On the open sites of the list below nobody is a publisher but the author.
    assert!(SELF_PUBLISHED.iter().all(|site| OPEN_TO_ALL.contains(site)));
}

#[test]
fn one_registrable_domain_is_one_publisher() {
    let pages = [
        page("https://news.example.co.uk/a", None, OWN),
        page("https://www.example.co.uk/b", None, TRUST),
        page(
            "https://other.co.uk/c",
            None,
            "Something else altogether stands here, of no concern to anyone.",
        ),
    ];
    assert_eq!(reasons(&pages), ["same publisher example.co.uk"]);
    assert_eq!(judged(&pages).sources(), 2);
    // Sites of one host's customers are several.
    let hosted =
        [page("https://one.github.io/", None, OWN), page("https://two.github.io/", None, TRUST)];
    assert_eq!(judged(&hosted).sources(), 2);
    // So are ports of one machine.
    let ports =
        [page("http://127.0.0.1:8898/a", None, OWN), page("http://127.0.0.1:8897/a", None, TRUST)];
    assert_eq!(judged(&ports).sources(), 2);
}

#[test]
fn where_all_may_publish_the_author_is_the_publisher() {
    let papers = [
        page("https://doi.org/10.5555/1", Some("A. Fehr and B. Reil"), TRUST),
        page("https://doi.org/10.5555/2", Some("I. Karrow"), OWN),
        page(
            "https://doi.org/10.5555/3",
            None,
            "Bridges of steel need paint every twelve years or so.",
        ),
        page(
            "https://doi.org/10.5555/4",
            Some("i. karrow"),
            "Hangers crack where water stands in their sockets.",
        ),
    ];
    assert_eq!(reasons(&papers), ["same publisher i. karrow on doi.org"]);
    let indexed = [
        page("https://search.example:9200/reports/_doc/1", None, TRUST),
        page("https://search.example:9200/reports/_doc/2", None, OWN),
    ];
    assert_eq!(judged(&indexed).sources(), 2, "an index publishes nothing");
}

#[test]
fn copies_are_one_source() {
    let longer = format!("{TRUST} {OWN} {TRUST}");
    let pages = [
        page("https://a.example/", None, &longer),
        page("https://b.example/", None, &longer.to_uppercase()),
        page("https://c.example/", None, OWN),
    ];
    assert_eq!(reasons(&pages), ["nearly the same text"]);
}

#[test]
fn an_agency_has_many_reports() {
    let otters = "OXMARSH (AP) - Volunteers counted 268 otters on the River Ledden in October 2024, down from 312 in \
        2021. Floods in January killed many of the young, and the next count is due in 2027.";
    let edited = "By our staff and agencies. On the River Ledden volunteers counted 268 otters in October 2024, fewer than \
        the 312 of 2021; floods killed many. Locals are worried. Copyright The Associated Press. All rights reserved.";
    let bridge = "OXMARSH (AP) - Harrow Bridge opened again on Monday after 20 months of work that cost 46 million crowns, \
        the minister Edda Sorn told reporters.";
    let rival = otters.replace("(AP)", "(Reuters)").replace("Volunteers", "Helpers");
    let pages = [
        page("https://a.example/", None, otters),
        page("https://b.example/", None, edited),
        page("https://c.example/", None, bridge),
    ];
    assert_eq!(reasons(&pages), ["wire report of AP"]);
    assert_eq!(wire::agency(otters, None), Some("AP"));
    assert_eq!(wire::agency(&rival, None), Some("Reuters"));
    assert_eq!(wire::agency(OWN, Some("Agence France-Presse")), Some("AFP"));
    assert_eq!(
        wire::agency("x (Reporting by A. One in Oxmarsh; Editing by B. Two)", None),
        Some("Reuters")
    );
    assert_eq!(
        wire::agency("BRACKWELL, May 1 /PRNewswire/ -- Tessivane opens a hall.", None),
        Some("PR Newswire")
    );
    for text in ["The MAP (APs) of the town", "A kyodo drum", "He paid 5 (PAID)", "", "é(A"] {
        assert_eq!(wire::agency(text, None), None, "{text}");
    }
}

#[test]
fn who_passes_on_what_another_says_is_no_second_witness() {
    let trust = page("https://ledden-trust.example/2024", Some("Ledden River Trust"), TRUST);
    for told in [
        "Volunteers counted 268 otters in October 2024, according to the Ledden River Trust.",
        "The Ledden River Trust said on Tuesday that its volunteers counted 268 otters in October 2024.",
        "In October 2024 volunteers counted 268 otters and 103 pairs of kingfishers. Source: ledden-trust.example",
        "Volunteers counted 268 otters (via ledden-trust.example) in October 2024.",
    ] {
        let pages = [trust.clone(), page("https://courier.example/a", None, told)];
        assert_eq!(reasons(&pages), ["cites ledden-trust.example"], "{told}");
    }
    // By the words of a link.
    let mut linked = page(
        "https://courier.example/a",
        None,
        "As reported by the river people, volunteers counted 268 otters in October 2024.",
    );
    linked.links =
        vec![("https://www.ledden-trust.example/".to_owned(), "river  people".to_owned())];
    assert_eq!(reasons(&[trust.clone(), linked]), ["cites ledden-trust.example"]);

    for apart in [
        // Names it and attributes nothing.
        "The Ledden River Trust looks after 1,260 hectares of fen and has its seat in Oxmarsh.",
        // Attributes something that the page of the set does not say.
        "Membership costs 30 crowns a year, according to the Ledden River Trust.",
        // Part of a longer name.
        "Volunteers counted 268 otters in October 2024, according to not-ledden-trust.example.",
        "Volunteers counted 268 otters in October 2024, according to the Upper Orl Society.",
    ] {
        let pages = [trust.clone(), page("https://courier.example/a", None, apart)];
        assert_eq!(reasons(&pages), Vec::<String>::new(), "{apart}");
    }
}

#[test]
fn a_digest_does_not_melt_what_it_cites() {
    let trust = page("https://ledden-trust.example/2024", Some("Ledden River Trust"), TRUST);
    let lock = page("https://lock.example/otters", Some("Ola Brandt's Diary"), OWN);
    let digest = page(
        "https://digest.example/",
        None,
        "Volunteers counted 268 otters and 103 pairs of kingfishers in October 2024, according to the Ledden River Trust.\n\
         A camera filmed three young otters, according to Ola Brandt's Diary.",
    );
    let judged = judged(&[trust, lock, digest]);
    assert_eq!(judged.sources(), 2, "{:?}", judged.unions);
    assert_eq!(judged.unions[0].tie.to_string(), "cites ledden-trust.example");
}

#[test]
fn a_portal_does_not_melt_the_agencies_that_it_prints() {
    let otters = "OXMARSH (AP) - Volunteers counted 268 otters on the River Ledden in October 2024, down from 312 in \
        2021. Floods in January killed many of the young, and the next count is due in 2027.";
    let bridge = "OXMARSH (Reuters) - Harrow Bridge opened again on Monday after 20 months of work that cost 46 million \
        crowns, the minister Edda Sorn told reporters. The province of Ledden paid 30 million.";
    let pages = [
        page("https://a.example/otters", None, otters),
        page("https://b.example/bridge", None, bridge),
        page("https://portal.example/1", None, otters),
        page("https://portal.example/2", None, bridge),
        page("https://portal.example/3", None, OWN),
        page(
            "https://portal.example/4",
            None,
            "The portal has a new look since Monday, and fewer colours.",
        ),
    ];
    let judged = judged(&pages);
    assert_eq!(judged.sources(), 3, "two agencies and the portal itself: {:?}", judged.unions);
}

#[test]
fn a_liar_who_mirrors_the_honest_does_not_make_one_of_them() {
    let pages = [
        page("https://trust.example/count", None, TRUST),
        page(
            "https://trust.example/about",
            None,
            "The trust was founded in 1978 and has 2,100 members.",
        ),
        page("https://lock.example/otters", None, OWN),
        page("https://a-liar.example/mirror/1", None, TRUST),
        page("https://a-liar.example/mirror/2", None, OWN),
        page(
            "https://a-liar.example/lie",
            None,
            "There were 1,900 otters on the river, and nobody may say so.",
        ),
    ];
    let judged = judged(&pages);
    let leader = |at: usize| &judged.leaders[at];
    assert_eq!(judged.sources(), 3, "{:?}", judged.unions);
    assert_ne!(leader(0), leader(2));
    assert_eq!(leader(0), leader(1), "who shares less keeps its words");
    assert_eq!((leader(3), leader(4)), (leader(0), leader(2)));
    assert!(leader(5) != leader(0) && leader(5) != leader(2));
}

/// Texts that have something in common now and then.
fn some_page() -> impl Strategy<Value = Page> {
    let site =
        prop::sample::select(vec!["a.example", "b.example", "c.example", "d.example", "doi.org"]);
    let author = prop::sample::select(vec![
        None,
        Some("Ledden River Trust"),
        Some("Reuters"),
        Some("I. Karrow"),
    ]);
    let part = prop::sample::select(vec![
        TRUST,
        OWN,
        "Volunteers counted 268 otters in October 2024, according to the Ledden River Trust.",
        "OXMARSH (AP) - Volunteers counted 268 otters on the River Ledden.",
        "The family fishes below the bridge, a.example reported.",
        "Source: b.example",
        "Ünïcödé \u{202e} İ ſ",
        "",
    ]);
    (site, 0..6_u8, author, prop::collection::vec(part, 0..4)).prop_map(
        |(site, path, author, parts)| {
            let mut page = page(&format!("https://{site}/{path}"), author, &parts.join(" "));
            page.links = vec![(format!("https://{site}/x"), "the river people".to_owned())];
            page
        },
    )
}

proptest! {
    #[test]
    fn the_order_of_documents_does_not_matter(pages in prop::collection::vec(some_page(), 0..8), seed in any::<u64>()) {
        // Each address once, as in a corpus.
        let mut pages = pages;
        pages.sort_by(|a, b| a.source.path.cmp(&b.source.path));
        pages.dedup_by(|a, b| a.source.path == b.source.path);
        let first = judged(&pages);
        let mut order: Vec<usize> = (0..pages.len()).collect();
        order.sort_by_key(|at| (*at as u64 + 1).wrapping_mul(seed | 1).rotate_left(17));
        let shuffled: Vec<Page> = order.iter().map(|at| pages[*at].clone()).collect();
        let second = judged(&shuffled);
        let moved: Vec<SourceId> = order.iter().map(|at| first.leaders[*at].clone()).collect();
        prop_assert_eq!(&second.leaders, &moved);
        prop_assert_eq!(first.unions, second.unions);
    }

    #[test]
    fn clusters_are_what_the_reasons_say(pages in prop::collection::vec(some_page(), 0..8)) {
        let mut pages = pages;
        pages.sort_by(|a, b| a.source.path.cmp(&b.source.path));
        pages.dedup_by(|a, b| a.source.path == b.source.path);
        let judged = judged(&pages);
        prop_assert_eq!(judged.leaders.len(), pages.len());
        // A forest: each reason joins two clusters, so that clusters and reasons add up to documents.
        prop_assert_eq!(judged.sources() + judged.unions.len(), pages.len());
        let leader = |id: &SourceId| pages.iter().position(|page| page.source.id == *id).map(|at| &judged.leaders[at]);
        for union in &judged.unions {
            prop_assert_eq!(leader(&union.one), leader(&union.other));
        }
        // A leader leads itself and comes first.
        for (at, id) in judged.leaders.iter().enumerate() {
            prop_assert_eq!(leader(id), Some(id));
            let first = pages.iter().position(|page| page.source.id == *id);
            prop_assert!(first.is_some_and(|first| first <= at));
        }
        // One site, one source, where nobody shows another's words.
        let copied = judged.unions.iter().any(|union| matches!(union.tie, Tie::Copy | Tie::Wire(_)));
        for (one, a) in pages.iter().enumerate() {
            for (other, b) in pages.iter().enumerate() {
                let (a, b) = (publisher(&a.source), publisher(&b.source));
                prop_assert!(copied || a.is_none() || a != b || judged.leaders[one] == judged.leaders[other]);
            }
        }
    }

    #[test]
    fn nothing_panics(text in any::<String>(), author in any::<Option<String>>(), link in any::<String>()) {
        let mut one = page("https://a.example/", author.as_deref(), &text);
        one.links = vec![("https://b.example/".to_owned(), link.clone()), (link, text.clone())];
        let other = page("https://b.example/", Some(&text), &format!("according to {text} said"));
        judged(&[one, other]);
    }
}
