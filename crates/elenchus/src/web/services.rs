//! Which services search the web, as the pages tell it.

use super::{CONFIGURED, configured, variables};
use crate::api_keys;
use crate::config::Config;
use elenchus_io::web::provider::{
    PROVIDERS, ProviderInfo, ProviderSettings, ProviderSetupError, provider,
};
use elenchus_server::runs::Service;

/// Every service, with what is wanting and whether a question that names none is put to it.
pub(crate) fn services(config: &Config) -> Vec<Service> {
    let mut services = told(&variables(config), config.list("web.providers"));
    for one in &mut services {
        if let Err(error) = api_keys::from_file(config, &one.name) {
            one.wants = error.message();
        }
    }
    services
}

/// Those that the settings name are asked, else those that are set up.
fn told(settings: &ProviderSettings, named: &[String]) -> Vec<Service> {
    let named = named.iter().filter(|name| *name != CONFIGURED);
    // `wikipedia:de` is one of `wikipedia`.
    let plain = |name: &String| name.split(':').next().unwrap_or(name).trim().to_lowercase();
    let mut asked: Vec<String> = named.map(plain).collect();
    if asked.is_empty() {
        asked = configured(settings);
    }
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
    match provider(info.name, settings) {
        Ok(_) => String::new(),
        Err(ProviderSetupError::NoKey { variable, .. }) => format!("set {variable}"),
        Err(ProviderSetupError::NoAddress { way_out, .. }) => way_out,
        Err(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanting_is_told_and_who_is_asked() {
        let with = |variables: &[(&str, &str)], named: &[&str]| {
            let settings = ProviderSettings::from_variables(|name| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            });
            let named: Vec<String> = named.iter().map(|&name| name.to_owned()).collect();
            move |name: &str| {
                let found = told(&settings, &named).into_iter().find(|one| one.name == name);
                found.map(|one| (one.wants, one.is_asked)).unwrap()
            }
        };
        let of = |variables: &[(&str, &str)]| with(variables, &[]);
        let nothing = of(&[]);
        assert_eq!(nothing("wikipedia"), (String::new(), true));
        assert_eq!(nothing("brave"), ("set BRAVE_API_KEY".to_owned(), false));
        let (wants, is_asked) = nothing("searxng");
        assert!(wants.starts_with("set SEARXNG_URL") && !is_asked, "{wants}");
        let keyed = of(&[("BRAVE_API_KEY", "k"), ("SEARXNG_URL", "http://127.0.0.1:8080")]);
        assert_eq!(keyed("brave"), (String::new(), true));
        assert_eq!(keyed("searxng"), (String::new(), true));
        assert_eq!(keyed("wikipedia"), (String::new(), false));
        // Those that the settings name go before what is merely set up.
        let named = with(&[("BRAVE_API_KEY", "k")], &["wikipedia:de"]);
        assert_eq!(named("wikipedia"), (String::new(), true));
        assert_eq!(named("brave"), (String::new(), false));
        let usual = with(&[("BRAVE_API_KEY", "k")], &[CONFIGURED]);
        assert_eq!(usual("brave"), (String::new(), true));
    }
}
