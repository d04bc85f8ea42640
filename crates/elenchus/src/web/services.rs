//! Which services search the web, as the pages tell it.

use super::{configured, variables};
use crate::config::Config;
use elenchus_io::web::provider::{PROVIDERS, ProviderInfo, ProviderSettings};
use elenchus_server::runs::Service;

/// Every service, with what is wanting and whether a question that names none is put to it.
pub(crate) fn services(config: &Config) -> Vec<Service> {
    told(&variables(config))
}

fn told(settings: &ProviderSettings) -> Vec<Service> {
    let asked = configured(settings);
    PROVIDERS
        .iter()
        .map(|info| Service {
            name: info.name.to_owned(),
            what: info.what.to_owned(),
            wants: wants(info, settings),
            is_asked: asked.iter().any(|name| name == info.name),
        })
        .collect()
}

/// What is wanting before it can be asked, in words.
fn wants(info: &ProviderInfo, settings: &ProviderSettings) -> String {
    let is_there = match info.name {
        "searxng" | "opensearch" => settings.addresses.contains_key(info.name),
        "mediawiki" => return format!("write it as {}", info.form),
        name => !info.needs_key || settings.keys.contains_key(name),
    };
    match info.variables.first() {
        Some(variable) if !is_there => format!("set {variable}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanting_is_told_and_who_is_asked() {
        let of = |variables: &[(&str, &str)]| {
            let settings = ProviderSettings::from_variables(|name| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            });
            move |name: &str| {
                let found = told(&settings).into_iter().find(|one| one.name == name);
                found.map(|one| (one.wants, one.is_asked)).unwrap()
            }
        };
        let nothing = of(&[]);
        assert_eq!(nothing("wikipedia"), (String::new(), true));
        assert_eq!(nothing("brave"), ("set BRAVE_API_KEY".to_owned(), false));
        assert_eq!(nothing("searxng"), ("set SEARXNG_URL".to_owned(), false));
        let keyed = of(&[("BRAVE_API_KEY", "k"), ("SEARXNG_URL", "http://127.0.0.1:8080")]);
        assert_eq!(keyed("brave"), (String::new(), true));
        assert_eq!(keyed("searxng"), (String::new(), true));
        assert_eq!(keyed("wikipedia"), (String::new(), false));
    }
}
