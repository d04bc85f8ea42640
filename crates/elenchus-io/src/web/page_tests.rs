use super::*;

fn url(text: &str) -> Url {
    Url::parse(text).expect("an address")
}

fn raw<'a>(url: &'a Url, content_type: Option<&'a str>, body: &'a [u8]) -> RawPage<'a> {
    RawPage {
        url,
        requested: url,
        content_type,
        last_modified: None,
        link: None,
        body,
        retrieved_at: Timestamp(7),
        via: &Voucher::User,
        hints: Hints::default(),
    }
}

#[test]
fn a_page_is_a_document_of_its_address() {
    let address = url("https://www.news.example.co.uk/2026/04/03/dock?utm=1");
    let html = "<html><head><link rel=canonical href='/2026/04/03/dock'><title>Dock</title></head><body><p>The dock closes at nine.</p><a href=/next>Next</a></body></html>";
    let page =
        read(raw(&address, Some("text/html; charset=utf-8"), html.as_bytes())).expect("it is read");
    let source = &page.document.source;
    let web = source.web.as_ref().expect("it is of the web");
    assert_eq!(source.path, "https://www.news.example.co.uk/2026/04/03/dock");
    assert_eq!(source.id, SourceId::from_path(&source.path));
    assert_eq!((web.site.as_str(), web.url.as_str()), ("example.co.uk", source.path.as_str()));
    assert_eq!((web.retrieved_at, web.via.as_str()), (Timestamp(7), "named in the question"));
    assert_eq!(source.date.as_ref().map(|date| date.value), Some(PartialDate::day(2026, 4, 3)));
    assert!(page.document.passages.iter().any(|passage| passage.text.contains("closes at nine")));
    assert_eq!(page.links[0].url.url().as_str(), "https://www.news.example.co.uk/next");
    assert_eq!(*page.links[0].url.by(), Voucher::Page(source.path.clone()));
}

#[test]
fn another_site_is_no_canonical_address() {
    for (stated, fits) in [
        ("https://evil.example/dock", false),
        ("javascript:alert(1)", false),
        ("https://a:b@docks.example/x", false),
        ("/", false),
        ("https://m.docks.example/x", false),
        ("https://docks.example:8443/x", false),
        ("https://www.docks.example/x", true),
        ("https://docks.example/z", true),
    ] {
        let address = url("https://docks.example/x?y=1");
        assert_eq!(canonical(Some(stated), None, &address) != address, fits, "{stated}");
    }
}

#[test]
fn sites() {
    for (address, site) in [
        ("https://www.a.b.example.com/x", "example.com"),
        ("https://news.bbc.co.uk", "bbc.co.uk"),
        ("http://127.0.0.1:8080/x", "127.0.0.1:8080"),
        ("http://[::1]/", "[::1]"),
        ("http://localhost:99/", "localhost:99"),
        ("https://alice.github.io/", "alice.github.io"),
        ("https://co.uk/", "co.uk"),
    ] {
        assert_eq!(site_of(&url(address)), site, "{address}");
    }
}

#[test]
fn formats_are_told_by_type_then_bytes_then_name() {
    let text = "Plain words of a notice that is long enough.";
    let cases: [(&str, Option<&str>, &str, Option<&str>); 10] = [
        ("https://a.example/x", Some("text/plain"), text, Some(text)),
        ("https://a.example/x.md", Some("text/plain"), "# T\n\nWords here.", Some("Words here.")),
        ("https://a.example/x", None, "<!DOCTYPE html><p>Words here.", Some("Words here.")),
        (
            "https://a.example/x",
            Some("application/octet-stream"),
            "<html><p>Words here.",
            Some("Words here."),
        ),
        ("https://a.example/x.csv", Some("text/csv"), "name,length\nRiver,412\n", Some("412")),
        (
            "https://a.example/x",
            Some("application/x-ndjson"),
            "{\"text\":\"Words here.\"}",
            Some("Words here."),
        ),
        (
            "https://a.example/x",
            Some("application/xml"),
            "<rss><channel><item><title>Words here</title></item></channel></rss>",
            Some("Words here"),
        ),
        ("https://a.example/x", Some("image/png"), "\u{89}PNG", None),
        ("https://a.example/x.zip", Some("application/zip"), "PK", None),
        ("https://a.example/x", Some("application/json"), "{\"a\": 1}", None),
    ];
    for (address, kind, body, wanted) in cases {
        let address = url(address);
        let read = read(raw(&address, kind, body.as_bytes()));
        match wanted {
            Some(words) => {
                let page = read.expect("it is read");
                assert!(page.document.text.contains(words), "{kind:?}: {}", page.document.text);
            }
            None => {
                assert!(
                    matches!(read, Err(ExtractError::Unsupported { .. })),
                    "{kind:?}: {read:?}"
                );
            }
        }
    }
}

#[test]
fn encodings_are_told_by_header_meta_and_bytes() {
    let address = url("https://a.example/x");
    let latin = b"<html><body><p>Le caf\xe9 est ferm\xe9 ce soir et demain.</p></body></html>";
    let cyrillic: &[u8] = b"<html><head><meta charset=windows-1251></head><body><p>\xcf\xf0\xe8\xe2\xe5\xf2 \xec\xe8\xf0, \xfd\xf2\xee \xf2\xe5\xea\xf1\xf2.</p>";
    let utf8 = "<html><body><p>Le café est fermé ce soir.</p></body></html>".as_bytes();
    for (kind, body, words) in [
        ("text/html; charset=ISO-8859-1", &latin[..], "café est fermé"),
        ("text/html", &latin[..], "café est fermé"),
        ("text/html", cyrillic, "Привет мир"),
        // The header is wrong and the bytes are beyond doubt.
        ("text/html; charset=iso-8859-1", utf8, "café est fermé"),
    ] {
        let page = read(raw(&address, Some(kind), body)).expect("it is read");
        assert!(page.document.text.contains(words), "{kind}: {}", page.document.text);
    }
}

#[test]
fn dates_come_from_the_page_then_the_address_then_hints_then_the_header() {
    let address = url("https://a.example/about");
    let body = b"<html><body><p>The river is long and wide and deep.</p></body></html>";
    let mut page = raw(&address, Some("text/html"), body);
    page.last_modified = Some("Sun, 03 May 2026 10:00:00 GMT");
    let date = |page: &RawPage<'_>| {
        read(page.clone()).expect("it is read").document.source.date.expect("it has a date")
    };
    assert_eq!(date(&page).value, PartialDate::day(2026, 5, 3));
    assert!(date(&page).stated.contains("header"));
    page.hints.published = Some(PartialDate::month(2025, 2));
    assert_eq!(date(&page).value, PartialDate::month(2025, 2));
}

#[test]
fn a_given_document_is_searched_like_a_page() {
    let address = url("https://doi.example/10.1/x");
    let page = given(Received {
        url: &address,
        markdown: "We measured the river.\u{e0041}\u{e0042}\u{e0043}\u{e0044} It is 412 km long.",
        licence: Some("CC-BY-4.0"),
        retrieved_at: Timestamp(9),
        via: &Voucher::Provider("openalex".to_owned()),
        hints: Hints {
            title: Some("Rivers"),
            author: Some("A. Reis"),
            published: Some(PartialDate::year(2024)),
        },
    })
    .expect("it is read");
    let source = &page.document.source;
    assert_eq!((source.title.as_str(), source.author.as_deref()), ("Rivers", Some("A. Reis")));
    assert_eq!(source.date.as_ref().map(|date| date.value), Some(PartialDate::year(2024)));
    assert_eq!(
        source.web.as_ref().map(|web| (web.hidden, web.via.as_str())),
        Some((4, "openalex"))
    );
    assert_eq!(page.document.text, "We measured the river. It is 412 km long.");
}
