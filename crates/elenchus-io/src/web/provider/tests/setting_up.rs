//! Providers by name, and what keeps one from being set up.

use super::*;
use crate::web::provider::{PROVIDERS, ProviderSetupError};

fn refused(name: &str, settings: &ProviderSettings) -> String {
    match provider(name, settings) {
        Ok(_) => panic!("{name} was set up"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_list_is_what_can_be_built() {
    let all = settings("http://127.0.0.1:9");
    for info in PROVIDERS {
        let name = if info.name == "mediawiki" {
            "mediawiki:https://w.example/api.php"
        } else {
            info.name
        };
        assert!(provider(name, &all).unwrap().name().starts_with(info.name), "{name}");
        assert!(info.form.starts_with(info.name));
        let known = ProviderSettings::variables();
        assert!(info.variables.iter().all(|variable| known.contains(variable)), "{}", info.name);
        let needs = matches!(
            provider(name, &ProviderSettings::default()),
            Err(ProviderSetupError::NoKey { .. })
        );
        assert_eq!(needs, info.needs_key, "{}", info.name);
    }
    for name in
        [" Wikipedia ", "wikipedia:zh-yue", "SEARXNG", "elasticsearch:https://h.example:9200/a-*,b"]
    {
        assert!(provider(name, &all).is_ok(), "{name}");
    }
}

#[test]
fn a_refusal_says_what_to_set() {
    let none = ProviderSettings::default();
    assert!(refused("searxng", &none).contains("SEARXNG_URL=http://"));
    assert!(refused("tavily", &none).contains("set TAVILY_API_KEY"));
    assert!(refused("brave", &none).contains("set BRAVE_API_KEY"));
    assert!(refused("opensearch", &none).contains("OPENSEARCH_URL"));
    assert!(refused("mediawiki", &none).contains("mediawiki:https://"));
    for name in ["gogle", "", ":", "tavily:x", "wikipedia:", "searxng:http://a"] {
        assert!(refused(name, &none).contains("searxng"), "{name:?} tells which there are");
    }
    for name in [
        "wikipedia:../x",
        "wikipedia:en.evil.example/",
        "wikipedia:a@b",
        "mediawiki:ftp://w.example/a",
        "mediawiki:x",
        "opensearch:https://h.example",
        "opensearch:https://h.example/_all",
    ] {
        assert!(refused(name, &none).contains("give it like"), "{name}");
    }
}

#[test]
fn secrets_show_in_no_message_and_no_debug_output() {
    let mut with = settings("http://127.0.0.1:9");
    with.keys.insert("brave".to_owned(), Secret::new("bad\nkey words").unwrap());
    assert!(!refused("brave", &with).contains("words"));
    assert!(!format!("{with:?}").contains("key words"));
    let found = refused("mediawiki:ftp://name:password@w.example/a", &with);
    assert!(!found.contains("password"), "{found}");
    let named = provider("mediawiki:https://name:password@w.example/api.php", &with).unwrap();
    assert_eq!(named.name(), "mediawiki");
}
