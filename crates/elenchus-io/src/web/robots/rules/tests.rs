use super::*;
use proptest::prelude::*;

fn allows(file: &str, path: &str) -> bool {
    Rules::read(file.as_bytes(), "elenchus").allow(path)
}

#[test]
fn groups() {
    // File, whether /x may be read.
    for (file, good) in [
        ("", true),
        ("disallow: /x", false),
        ("User-agent: *\nDisallow: /x", false),
        ("User-agent: *\nDisallow: /x\nUser-agent: elenchus\nDisallow: /y", true),
        ("User-agent: elenchus\nDisallow:\n\nUser-agent: *\nDisallow: /", true),
        ("User-agent: ELENCHUS/2.0 (+x)\nDisallow: /", false),
        ("User-agent: elenchus-images\nDisallow: /", true),
        ("User-agent: a\nUser-agent: elenchus\nUser-agent: b\nDisallow: /", false),
        // Two groups for us are one.
        (
            "User-agent: elenchus\nDisallow: /y\nUser-agent: z\nDisallow: /\nUser-agent: elenchus\nDisallow: /x",
            false,
        ),
        // Other lines stand in no one's way.
        (
            "User-agent: elenchus\nSitemap: https://a.example/s.xml\n\n# for all\nUser-agent: z\nDisallow: /",
            false,
        ),
        ("User-agent: a\nCrawl-delay: 3\nUser-agent: *\nDisallow:", true),
        ("User-agent: a\nDisallow: /\nUser-agent: *\nDisallow: /y", true),
        ("\u{feff}user agent : *\r\n DISALLOW : /x # not this\r", false),
        ("User-agent: *\nDisallow: /x\u{0}Allow: /x", true),
        ("Disallow: /x\nUser-agent: *\nDisallow: /y", true),
        ("<html><body>User-agent *</body></html>", true),
    ] {
        assert_eq!(allows(file, "/x"), good, "{file:?}");
    }
}

#[test]
fn patterns() {
    for (pattern, path, fit) in [
        ("/", "/", true),
        ("/", "/a?b", true),
        ("/fish", "/fish.html", true),
        ("/fish", "/Fish", false),
        ("/fish/", "/fish", false),
        ("/fish*", "/fishheads/yummy", true),
        ("/*.php", "/a/index.php?x=1", true),
        ("/*.php", "/windows.PHP", false),
        ("/*.php$", "/a.php", true),
        ("/*.php$", "/a.php?x", false),
        ("/*.php$", "/a.php5", false),
        ("/fish*.php", "/fishheads/c.php?p", true),
        ("/a$", "/a", true),
        ("/a$", "/ab", false),
        ("/$", "/", true),
        ("/$", "/a", false),
        ("/a*$", "/abc", true),
        ("*", "/", true),
        ("*/b", "/a/b", true),
        ("/a*b*c", "/a-c-b", false),
        ("/a*b*c", "/abxc", true),
        ("/a**b", "/ab", true),
        ("fish", "/fish", true),
        ("/%7Euser", "/~user", true),
        ("/~user", "/%7euser", true),
        ("/a%2fb", "/a/b", false),
        ("/a%2Fb", "/a%2fb", true),
        ("/\u{e9}", "/%C3%A9", true),
        ("/%c3%a9", "/\u{e9}", true),
        ("/a%zz", "/a%zz", true),
        ("/x*x$", "/x", false),
        ("/a$b", "/a$b", true),
        ("/aba*ba$", "/aba", false),
        ("/a%", "/a%b", true),
        // RFC 9309, section 2.2.3: what means something is named by its encoding.
        ("/a%2Ab", "/a*b", true),
        ("/a%2ab", "/axb", false),
        ("/a*b", "/a*b", true),
        ("/a%24", "/a$", true),
        ("/a%24", "/a%24b", true),
        ("/a$", "/a$", false),
        ("/a$b$", "/a$b", true),
    ] {
        assert_eq!(fits(&super::pattern(pattern), &literal(path)), fit, "{pattern} {path}");
    }
}

#[test]
fn the_longest_decides() {
    let file = |rules: &str| format!("User-agent: *\n{rules}");
    assert!(allows(&file("Allow: /p\nDisallow: /"), "/page"));
    assert!(allows(&file("Disallow: /folder\nAllow: /folder"), "/folder/page"));
    assert!(!allows(&file("Allow: /page\nDisallow: /*.htm"), "/page.htm"));
    assert!(!allows(&file("Allow: /$\nDisallow: /"), "/page.htm"));
    assert!(allows(&file("Allow: /$\nDisallow: /"), "/"));
    assert!(allows(&file("Disallow: /"), "/robots.txt"));
}

#[test]
fn a_pause_behind_the_last_rule_that_is_read_opens_no_more() {
    let file =
        format!("User-agent: *\n{0}Crawl-delay: 1\n{0}", "Disallow: /a\n".repeat(MOST_RULES));
    check(file.as_bytes(), "b");
    assert_eq!(Rules::read(file.as_bytes(), "elenchus").patterns.len(), MOST_RULES);
}

#[test]
fn pauses() {
    let delay = |file: &str| Rules::read(file.as_bytes(), "elenchus").delay;
    assert_eq!(delay("User-agent: *\nCrawl-delay: 2.5\nCrawl-delay: 9"), Some(2.5));
    assert_eq!(delay("Crawl-delay: 4\nUser-agent: *\nDisallow: /a"), Some(4.0));
    assert_eq!(delay("User-agent: other\nCrawl-delay: 4"), None);
    assert_eq!(delay("User-agent: *\nCrawl-delay: soon"), None);
    assert_eq!(
        delay("User-agent: *\nCrawl-delay: nan\nCrawl-delay: inf\nCrawl-delay: 3"),
        Some(3.0)
    );
}

#[test]
fn a_stray_percent_sign_stays_one() {
    assert_eq!(usual("/%%30a"), "/%250a");
    assert_eq!(usual(&usual("/100%")), "/100%25");
    assert!(!allows("User-agent: *\nDisallow: /100%", "/100%"));
}

proptest! {
    #[test]
    fn no_file_panics(
        file: Vec<u8>,
        lines in "((user-agent|disallow|allow|crawl-delay): ?[*$/a-z%\u{e9} 0-9.e-]{0,20}\n){0,20}",
        path in "/?\\PC*",
    ) {
        check(&file, &path);
        check(lines.as_bytes(), &path);
    }

    #[test]
    fn a_pattern_fits_as_a_slow_and_simple_reading_says(pattern in "/[ab*]{0,8}[$]?", path in "/[ab]{0,8}") {
        fn slow(pattern: &[u8], path: &[u8]) -> bool {
            match pattern {
                [] => true,
                [b'$'] => path.is_empty(),
                [b'*', rest @ ..] => (0..=path.len()).any(|from| slow(rest, &path[from..])),
                [first, rest @ ..] => path.first() == Some(first) && slow(rest, &path[1..]),
            }
        }
        prop_assert_eq!(fits(&pattern, &path), slow(pattern.as_bytes(), path.as_bytes()), "{} {}", pattern, path);
    }

    #[test]
    fn the_usual_form_is_its_own(text in "[/a-z%0-9A-F~\u{e9} ]{0,20}") {
        let once = usual(&text);
        prop_assert_eq!(usual(&once), once);
    }
}
