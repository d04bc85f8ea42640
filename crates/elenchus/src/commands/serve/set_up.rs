//! The settings as the pages tell them.

use crate::commands::config::in_force;
use crate::config::{Config, KEYS, Value};
use elenchus_io::web::{Vouched, Voucher};
use elenchus_server::runs::Setting;

/// Every setting in force, without what is secret in it.
pub(super) fn settings(config: &Config) -> Vec<Setting> {
    KEYS.iter()
        .map(|key| {
            let (value, origin) = in_force(config, key.name).unzip();
            Setting {
                name: key.name.to_owned(),
                about: key.about.to_owned(),
                value: value.map(|value| told(key.name, &value)).unwrap_or_default(),
                origin: origin.unwrap_or_default(),
            }
        })
        .collect()
}

fn told(key: &str, value: &Value) -> String {
    match value {
        Value::List(items) if items.is_empty() => "none".to_owned(),
        // An address of a page may carry a secret.
        Value::List(items) if key == "web.urls" => {
            items.iter().map(|item| address(item)).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

fn address(text: &str) -> String {
    match Vouched::new(text, Voucher::User) {
        Ok(vouched) => vouched.shown(),
        Err(_) => "an address that cannot be used".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_secret_is_not_told() {
        let mut config = Config::default();
        let pages = vec!["https://a.example/x?api_key=sk-0123456789abcdefghij".to_owned()];
        config.flag("web.urls", "the test", Some(Value::List(pages)));
        config.flag("exclude", "the test", Some(Value::List(Vec::new())));
        let all = settings(&config);
        let of = |name: &str| all.iter().find(|one| one.name == name).unwrap();
        assert!(of("web.urls").value.starts_with("https://a.example/x"), "{:?}", of("web.urls"));
        assert!(!of("web.urls").value.contains("sk-0123456789"), "{:?}", of("web.urls"));
        assert_eq!(of("exclude").value, "none");
        assert_eq!(of("web.urls").origin, "flag the test");
        assert_eq!((&*of("web.since").value, &*of("web.since").origin), ("", ""));
        assert_eq!(all.len(), KEYS.len());
    }
}
