//! Secrets of our own making go; what only looks like one stays.

use super::*;
use proptest::prelude::*;

/// Text that nobody could mistake for a word, as long as is wanted.
fn noise(length: usize, alphabet: &str) -> String {
    let letters: Vec<char> = alphabet.chars().collect();
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    (0..length)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            letters[(state % letters.len() as u64) as usize]
        })
        .collect()
}

const MIXED: &str = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const HEX: &str = "0123456789abcdef";
const UPPER: &str = "ABCDEFGHJKLMNPQRSTUVWXYZ234567";

/// What all rules find, tried one after the other without a first look.
fn thorough(text: &str) -> String {
    RULES.iter().fold(text.to_owned(), |text, rule| match apply(rule, &text) {
        Some(cleaned) => cleaned.text,
        None => text,
    })
}

/// Scrubbed, nothing of `secret` is left, and what stands around it is.
fn goes(before: &str, secret: &str, after: &str, kind: &str) {
    let text = format!("Then {before}{secret}{after} and so on.");
    let scrubbed = scrub(&text);
    assert!(!scrubbed.text.contains(secret), "{text:?} became {:?}", scrubbed.text);
    assert!(
        scrubbed.text.starts_with("Then ") && scrubbed.text.ends_with(" and so on."),
        "{:?}",
        scrubbed.text
    );
    assert!(scrubbed.kinds.iter().any(|had| had == kind), "{text:?}: {:?}", scrubbed.kinds);
    assert_eq!(thorough(&text), scrubbed.text, "the first look misses nothing");
    assert_eq!(scrub(&scrubbed.text).text, scrubbed.text, "scrubbing settles");
}

#[test]
fn every_pattern_compiles() {
    assert!(RULES.len() > 90);
    assert_eq!(RULES.len(), LOOK.len());
    assert_eq!(scrub("").text, "");
}

#[test]
fn shapes_of_issuers() {
    for (begins, length, alphabet, kind) in [
        ("AKIA", 16, UPPER, "AWS access key"),
        ("ghp_", 36, MIXED, "GitHub token"),
        ("github_pat_", 60, MIXED, "GitHub token"),
        ("glpat-", 20, MIXED, "GitLab token"),
        ("AIza", 35, MIXED, "Google API key"),
        ("sk-", 40, MIXED, "OpenAI or similar key"),
        ("sk-ant-api03-", 60, MIXED, "OpenAI or similar key"),
        ("hf_", 34, MIXED, "Hugging Face token"),
        ("tvly-", 28, MIXED, "Tavily key"),
        ("rk_live_", 24, MIXED, "Stripe key"),
        ("dop_v1_", 64, HEX, "DigitalOcean token"),
        ("shpat_", 32, HEX, "Shopify token"),
        ("npm_", 36, MIXED, "npm token"),
        ("AGE-SECRET-KEY-1", 58, UPPER, "age key"),
    ] {
        let secret = format!("{begins}{}", noise(length, alphabet));
        goes("", &secret, "", kind);
        goes("(see \"", &secret, "\")", kind);
        goes("the key is ", &secret, ",", kind);
        goes("?key=", &secret, "", kind);
    }
    let jwt = format!("eyJ{}.eyJ{}.{}", noise(20, MIXED), noise(40, MIXED), noise(43, MIXED));
    goes("token ", &jwt, ";", "JSON web token");
}

#[test]
fn places_where_secrets_stand() {
    let word = noise(18, MIXED);
    for (before, after, kind) in [
        ("postgres://app:", "@db.host:5432/x", "password in an address"),
        ("amqp://:", "@queue/", "password in an address"),
        ("https://", "@errors.host/1", "key in an address"),
        ("Authorization: Bearer ", "", "authorization header"),
        ("-H 'authorization: token ", "'", "authorization header"),
        ("DB_PASSWORD=", "", "assigned secret"),
        ("export MY_SERVICE_TOKEN=", "", "assigned secret"),
        ("{\"client_secret\": \"", "\"}", "quoted secret"),
        ("x-api-key: ", "", "assigned secret"),
        ("apiKey = '", "'", "quoted secret"),
        ("https://a.host/f?x=1&sig=", "&y=2", "signature in an address"),
        ("mytool --token ", " run", "secret of a command"),
        ("curl -u bob:", " https://a.host", "secret of a command"),
        ("Cookie: session=", "\n", "cookie"),
    ] {
        goes(before, &word, after, kind);
    }
    // A password that is a word and a number, told in running text.
    goes("my password: ", "hunter22", "", "assigned secret");
    goes("the passphrase is: ", "red7!x", "", "password");
    goes("ftp://me:", "tuesday", "@host/", "password in an address");
}

#[test]
fn key_blocks_go_whole_and_unfinished_ones_too() {
    let line = noise(64, MIXED);
    let begin = format!("-----BEGIN {}PRIVATE KEY-----", "RSA ");
    let end = format!("-----END {}PRIVATE KEY-----", "RSA ");
    let whole = scrub(&format!("a\n{begin}\n{line}\n{line}\n{end}\nb"));
    assert_eq!(whole.text, "a\n[private key removed]\nb");
    let open = scrub(&format!("a\n{begin}\n{line}\n{line}"));
    assert_eq!(open.text, "a\n[private key removed]");
    let json = scrub(&format!("{{\"k\": \"{begin}\\n{line}\\n{end}\\n\"}}"));
    assert!(!json.text.contains(&line), "{}", json.text);
    let public = format!("-----BEGIN PUBLIC KEY-----\n{line}\n-----END PUBLIC KEY-----");
    assert_eq!(scrub(&public).text, public);
}

#[test]
fn several_go_at_once_and_are_named_once() {
    let (one, two) = (noise(36, MIXED), noise(37, MIXED));
    let scrubbed = scrub(&format!("ghp_{one} ghp_{two}\nghp_{one}, password=\"{two}\""));
    assert_eq!(
        scrubbed.text,
        "[GitHub token removed] [GitHub token removed]\n[GitHub token removed], password=\"[quoted secret removed]\""
    );
    assert_eq!(scrubbed.kinds, ["GitHub token", "quoted secret"]);
}

#[test]
fn what_only_looks_like_one_stays() {
    for text in [
        "The token bucket holds 40 tokens; a secret of the trade.",
        "Passwords: choose long ones. The password is a shared one.",
        "password = getpass.getpass()",
        "token = config.auth.token",
        "api_key: ${API_KEY}",
        "api_key = \"<your key here>\"",
        "SECRET_KEY=changeme",
        "\"password\": \"********\"",
        "const accessToken = \"accessToken\";",
        "Keys begin with sk- or with ghp_ and go on for a while.",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "uuid 123e4567-e89b-42d3-a456-426614174000",
        "sk-learn-style-pipelines-for-everybody",
        "https://user@host.example/path and git@host.example:a/b.git",
        "https://host.example/a?page=2&key=title",
        "the author of the cookie: a biscuit with chocolate, sugar and flour",
        "Basic English, bearer of bad news for everybody",
        "doi 10.1000/182, arXiv:2101.00001, ISBN 978-0-306-40615-7",
        "authorization: see the section on access control",
        "the secret: patience",
        "Session-ID: none",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA",
        "the magnetic compass: https://host.test/~ritz/Ritz2004A.pdf",
        "Token: https://host.test/docs/2024/Token2b",
        "web_token::OF_SHA256",
        "{\"url\":\"http://host:8080\",\"mail\":\"ada@host.test\"}",
        "[site](http://localhost:8080),[mail](mailto:ada@host.test)",
    ] {
        assert_eq!(scrub(text).text, text);
        assert_eq!(scrub_if_any(text, &mut []), None, "{text}");
    }
}

#[test]
fn a_text_that_tells_how_a_key_looks_keeps_what_it_says() {
    let [begin, end] = ["BEGIN", "END"].map(|word| format!("-----{word} RSA PRIVATE KEY-----"));
    let told = format!(
        "It begins with {begin}, is kept in the vault of the harbour, and ends with {end}."
    );
    assert_eq!(scrub(&told).text, told);
    // One that follows is taken out all the same, and only that.
    let line = noise(64, MIXED);
    let both =
        scrub(&format!("{told}\n\n> {begin}\n> {line}\n> {line}\n> ab==\n> {end}\n\nKeep it."));
    assert_eq!(both.text, format!("{told}\n\n> [private key removed]\n\nKeep it."));
    // What says by what a key is locked stands above its lines.
    let locked =
        scrub(&format!("{begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES,01\n\n{line}\n\nSo it is."));
    assert_eq!(locked.text, "[private key removed]\n\nSo it is.");
    assert_eq!(locked.count, 1);
}

#[test]
fn an_address_behind_a_name_is_one_secret_only_where_the_name_says_so() {
    let word = noise(18, MIXED);
    goes("SENTRY_DSN=", &format!("https://host.test/{word}"), "", "assigned secret");
    goes("webhook_url: ", &format!("https://host.test/{word}"), "", "assigned secret");
    // The badge leads on behind its signature.
    let badge = scrub(&format!("[b](https://host.test/b.svg?token={word})](https://host.test/x)"));
    assert!(
        !badge.text.contains(&word) && badge.text.ends_with(")](https://host.test/x)"),
        "{badge:?}"
    );
}

#[test]
fn places_go_along_with_the_text() {
    let key = format!("ghp_{}", noise(36, MIXED));
    let text = format!("One {key} two\nthree password=\"{}\" four", noise(20, MIXED));
    let at = |words: &str| text.find(words).unwrap_or_default();
    let mut places =
        [0, at("ghp_"), at("ghp_") + 9, at(" two"), at("two"), at("three"), at("four"), text.len()];
    let scrubbed = scrub_if_any(&text, &mut places).unwrap_or_default();
    assert_eq!((scrubbed.count, scrubbed.kinds.len()), (2, 2));
    let begins =
        ["One [", "[GitHub token removed] two", " two\n", " two\n", "two\n", "three", "four", ""];
    for (place, begin) in places.into_iter().zip(begins) {
        let rest = &scrubbed.text[place..];
        assert!(
            rest.starts_with(begin) && rest.is_empty() == begin.is_empty(),
            "{begin:?}: {rest:?}"
        );
    }
    let mut still = [3];
    assert_eq!(scrub_if_any("The lamp of 1931.", &mut still), None);
    assert_eq!(still, [3]);
}

proptest! {
    #[test]
    fn nothing_stops_it_and_it_settles(text in "(?s).{0,400}") {
        let once = scrub(&text);
        prop_assert_eq!(&scrub(&once.text).text, &once.text);
        prop_assert_eq!(once.kinds.is_empty(), once.text == text);
    }

    /// The same with text made of the parts that rules look for.
    #[test]
    fn it_settles_and_looks_everywhere_on_text_full_of_marks(parts in prop::collection::vec(prop::sample::select(vec![
        "password", "=", ":", "\"", "'", " ", "\n", "://", "@", "user", "token", "Bearer ", "Authorization: ", "sk-", "ghp_",
        "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", "eyJhbGciOi", ".", "Cookie: ", "sig=", "?", "&", "secret", "é", "-----BEGIN PRIVATE KEY-----",
    ]), 0..40)) {
        let text = parts.concat();
        let once = scrub(&text);
        prop_assert_eq!(&scrub(&once.text).text, &once.text);
        prop_assert_eq!(&thorough(&text), &once.text);
    }
}
