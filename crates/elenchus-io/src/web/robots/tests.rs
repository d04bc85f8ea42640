use super::*;

const PAGE: &str = "https://example.org/a/page?x=1";

async fn leave_of(rules: &[u8]) -> Leave {
    let page = Url::parse(PAGE).unwrap();
    leave(Word::Rules(rules.into()), &page, Duration::from_secs(10)).await
}

#[tokio::test]
async fn rules_and_pauses() {
    let given = |seconds: f32| Leave::Given(Some(Duration::from_secs_f32(seconds)));
    for (rules, expected) in [
        ("", Leave::Given(None)),
        ("User-agent: *\nDisallow: /b", Leave::Given(None)),
        ("User-agent: other\nDisallow: /", Leave::Given(None)),
        ("User-agent: *\nCrawl-delay: 2.5", given(2.5)),
        ("User-agent: *\nCrawl-delay: 1e30", given(10.0)),
        ("User-agent: *\nCrawl-delay: -4", Leave::Given(None)),
        ("User-agent: *\nCrawl-delay: NaN", Leave::Given(None)),
        ("User-agent: *\nCrawl-delay: 99999", given(10.0)),
        ("\u{feff}User-agent: *\nDisallow: /b", Leave::Given(None)),
        ("<!doctype html><p>Not found", Leave::Given(None)),
    ] {
        assert_eq!(leave_of(rules.as_bytes()).await, expected, "{rules}");
    }
    for rules in [
        "User-agent: *\nDisallow: /",
        "user-agent: ELENCHUS\ndisallow: /a/*x=1$",
        "User-agent: a\nUser-agent: *\r\nDisallow: /a\r\n",
        "User-agent: *\nDisallow: /*?",
    ] {
        let leave = leave_of(rules.as_bytes()).await;
        assert!(
            matches!(&leave, Leave::Denied(cause) if cause.contains("robots.txt")),
            "{rules}: {leave:?}"
        );
    }
}

#[tokio::test]
async fn files_that_want_to_cost_much_do_not() {
    let begun = Instant::now();
    let heavy = [
        format!("User-agent: *\n{}", "Disallow: /*a*b*c*$\n".repeat(30_000)),
        format!("User-agent: *\n{}Disallow: /a", "Allow: /zzz$\n".repeat(40_000)),
        format!("User-agent: *\nDisallow: /{}$", "*a".repeat(250_000)),
        "User-agent: *\n".repeat(40_000),
        "\n".repeat(MOST_BYTES),
        "a".repeat(MOST_BYTES),
        format!("User-agent: *\n{}", "Disallow: /%\n".repeat(40_000)),
    ];
    for rules in &heavy {
        let rules = &rules.as_bytes()[..rules.len().min(MOST_BYTES)];
        leave_of(rules).await;
    }
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
}

#[test]
fn a_site_has_one_place_and_all_are_forgotten_before_they_are_too_many() {
    let robots = Robots::default();
    let page = |text: &str| Url::parse(text).unwrap();
    let one = robots.slot(&page("https://example.org/a"));
    assert!(Arc::ptr_eq(&one, &robots.slot(&page("https://EXAMPLE.org:443/b"))));
    assert!(!Arc::ptr_eq(&one, &robots.slot(&page("http://example.org/a"))));
    assert!(!Arc::ptr_eq(&one, &robots.slot(&page("https://example.org:8443/a"))));
    for host in 0..2_000 {
        robots.slot(&page(&format!("https://h{host}.example.org/")));
        assert!(robots.kept.lock().unwrap().0.len() <= MOST_ORIGINS);
    }
    let word = Word::Rules(vec![b'#'; MOST_BYTES].into());
    for host in 0..100 {
        let slot = robots.slot(&page(&format!("https://h{host}.example.org/")));
        robots.keep(&mut slot.try_lock().unwrap(), word.clone());
        assert!(robots.kept.lock().unwrap().1 <= MOST_KEPT + MOST_BYTES);
    }
    assert_eq!(
        address(&page("https://example.org/a/b?c#d")).as_str(),
        "https://example.org/robots.txt"
    );
}
