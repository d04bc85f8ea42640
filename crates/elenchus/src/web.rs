//! The web from the settings: which providers, how far, and what of it a run is told.

mod services;

pub(crate) use services::services;

use crate::api_keys;
use crate::config::{Config, Origin, Value};
use crate::error::{CliError, Result};
use crate::paths;
use crate::store_place::StorePlace;
use crate::ui::terminal::Terminal;
use crate::wire;
use elenchus_core::evidence::PartialDate;
use elenchus_core::inquiry::{EgressMode, Sources, WebOptions};
use elenchus_io::clock::SystemClock;
use elenchus_io::web::provider::{PROVIDERS, Provider, ProviderSettings, Secret, provider};
use elenchus_io::web::{
    Egress, FetchSettings, Fetcher, SnapshotError, Snapshots, Url, Vouched, Voucher, WebRetriever,
    WebSettings, named_in,
};
use std::sync::Arc;
use std::time::Duration;

/// Set where the question may be a program's: addresses in it are nobody's word then, whoever goes on with the run. It is noted with
/// runs, and nobody sets it otherwise.
pub(crate) const OF_A_PROGRAM: &str = "web.question_of_a_program";

/// Settings that a run is to be resumed with.
pub(crate) const NOTED: [&str; 16] = [
    OF_A_PROGRAM,
    "egress",
    "web.sources",
    "web.providers",
    "web.urls",
    "web.domains",
    "web.since",
    "web.private_hosts",
    "web.allow_private_queries",
    "web.language",
    "web.results",
    "web.pages",
    "web.most_pages",
    "web.follow",
    "web.fresh_hours",
    "exclude",
];

/// How a run is to use the web.
pub(crate) struct WebPlan {
    pub(crate) options: WebOptions,
    named: Vec<Vouched>,
}

impl WebPlan {
    /// From the settings and the question; `None` when the run looks at documents only.
    pub(crate) fn of(config: &Config, question: &str) -> Result<Option<Self>> {
        let mut providers = list(config, "web.providers");
        let mut named = Vec::new();
        for address in list(config, "web.urls") {
            let vouched = Vouched::new(&address, Voucher::User).map_err(|error| {
                CliError::parsed(
                    crate::error::Kind::Usage,
                    &error.to_string(),
                    "give a whole address such as https://example.org/page",
                )
            })?;
            named.push(vouched);
        }
        // A date that is none is a mistake whether or not it would have an effect.
        let since = match config.text("web.since") {
            Some(text) => Some(date(text)?),
            None => None,
        };
        let has_documents = config.path("corpus").is_some();
        let sources = match config.text("web.sources") {
            Some("local") => Sources::Local,
            Some("web") => Sources::Web,
            Some("hybrid") => Sources::Hybrid,
            _ if providers.is_empty() && named.is_empty() => Sources::Local,
            _ if has_documents => Sources::Hybrid,
            _ => Sources::Web,
        };
        if sources == Sources::Local {
            return Ok(None);
        }
        let egress = egress(config);
        if egress == EgressMode::Offline {
            return Err(CliError::usage(
                "could not search the web",
                "the egress mode is `offline`, which lets nothing leave this machine",
                "set `egress` to `public`, or to `private-only` with hosts in `web.private_hosts` (--egress of `elenchus \
                 ask`, ELENCHUS_EGRESS or elenchus.toml), or ask the documents alone",
            ));
        }
        // Those of the question are noted with it.
        let pages = named.iter().map(Vouched::shown).collect();
        if !flag(config, OF_A_PROGRAM) {
            named.extend(named_in(question));
        }
        providers.retain(|name| name != CONFIGURED);
        if providers.is_empty() && (named.is_empty() || config_says_configured(config)) {
            for name in SET_UP {
                api_keys::from_file(config, name)?;
            }
            providers = configured(&variables(config));
        }
        let (private, own_servers) = of_your_own(&providers, &variables(config));
        Ok(Some(Self {
            options: WebOptions {
                sources,
                providers,
                egress,
                private,
                own_servers,
                private_queries: flag(config, "web.allow_private_queries"),
                domains: list(config, "web.domains"),
                since,
                pages,
            },
            named,
        }))
    }

    /// What searches and reads for a run. Pages are kept with the store, or not at all.
    pub(crate) fn open(
        &self,
        config: &Config,
        store: Option<&StorePlace>,
    ) -> Result<Arc<WebRetriever>> {
        let settings = variables(config);
        let mut providers: Vec<Arc<dyn Provider>> = Vec::new();
        for name in &self.options.providers {
            let plain = name.split(':').next().unwrap_or(name).trim().to_ascii_lowercase();
            let plain = if plain == "elasticsearch" { "opensearch" } else { &plain };
            api_keys::from_file(config, plain)?;
            let made = provider(name, &settings).map_err(|error| {
                CliError::parsed(
                    crate::error::Kind::Usage,
                    &error.to_string(),
                    "`elenchus doctor` lists the search providers and what each needs",
                )
            })?;
            providers.push(Arc::from(made));
        }
        let fetcher = Fetcher::new(fetching(config)).map_err(|error| {
            CliError::parsed(
                crate::error::Kind::Failure,
                &error.to_string(),
                "ask the documents alone",
            )
        })?;
        let whole = |key, usual: usize| {
            config.whole(key).and_then(|n| usize::try_from(n).ok()).unwrap_or(usual)
        };
        let usual = WebSettings::default();
        let settings = WebSettings {
            providers,
            named: self.named.clone(),
            results: u16::try_from(whole("web.results", 10)).unwrap_or(10),
            pages: whole("web.pages", usual.pages),
            follow: whole("web.follow", usual.follow),
            most_pages: whole("web.most_pages", usual.most_pages),
            fresh: config
                .amount("web.fresh_hours")
                .map_or(usual.fresh, |hours| Duration::from_secs_f64((hours * 3600.0).min(1e9))),
            domains: self.options.domains.clone(),
            exclude: list(config, "exclude"),
            since: self.options.since,
        };
        let snapshots = snapshots(store, config)?;
        let vectors = wire::text_vectors(config)?;
        Ok(Arc::new(WebRetriever::new(
            settings,
            fetcher,
            Arc::new(snapshots),
            Some(vectors),
            Arc::new(SystemClock),
        )?))
    }

    /// What leaves this machine for it, in words.
    pub(crate) fn sent(&self) -> String {
        let mut to = self.options.providers.join(", ");
        if to.is_empty() {
            "nothing but requests for the pages that you named".clone_into(&mut to);
        } else {
            to = format!("searches go to {to}, and pages are fetched from where they are");
        }
        let read = match self.options.sources {
            Sources::Hybrid => "your documents",
            _ if !self.options.private.is_empty() && !self.options.own_servers => "private pages",
            _ => return to,
        };
        if self.options.private_queries {
            format!("{to}; also searches worded after {read} were read, as you allowed")
        } else {
            format!("{to}; searches worded after {read} were read stay here")
        }
    }
}

/// Stands in the list of providers for those that are set up.
pub(crate) const CONFIGURED: &str = "configured";

fn config_says_configured(config: &Config) -> bool {
    list(config, "web.providers").iter().any(|name| name == CONFIGURED)
}

/// Where the pages of runs are kept: on the server of their store, or in a file beside it.
fn snapshots(store: Option<&StorePlace>, config: &Config) -> Result<Snapshots> {
    let opened = match store {
        Some(store) => {
            let most = config.whole("web.keep_mb").unwrap_or(1024) << 20;
            let kept =
                on_server(store).unwrap_or_else(|| Snapshots::open(&paths::snapshots(store)));
            kept.map(|kept| kept.capped(most))
        }
        None => Snapshots::in_memory(),
    };
    opened.map_err(|error| {
        CliError::parsed(
            crate::error::Kind::Storage,
            &error.to_string(),
            "name another store with --store; `elenchus ask` keeps nothing with --ephemeral",
        )
    })
}

/// The pages that are kept of a store's runs, where there are any.
pub(crate) fn pages(store: &StorePlace) -> std::result::Result<Option<Snapshots>, SnapshotError> {
    let file = paths::snapshots(store);
    match on_server(store) {
        Some(opened) => opened.map(Some),
        None if file.is_file() => Snapshots::open_existing(&file).map(Some),
        None => Ok(None),
    }
}

/// Nothing where the store is a file.
#[cfg(feature = "postgres")]
fn on_server(store: &StorePlace) -> Option<std::result::Result<Snapshots, SnapshotError>> {
    store.database().map(|url| wire::waited(Snapshots::on_server(url)))
}

#[cfg(not(feature = "postgres"))]
fn on_server(_store: &StorePlace) -> Option<std::result::Result<Snapshots, SnapshotError>> {
    None
}

/// How far connections may go.
pub(crate) fn egress(config: &Config) -> EgressMode {
    match config.text("egress") {
        Some("offline") => EgressMode::Offline,
        Some("private-only") => EgressMode::PrivateOnly,
        _ => EgressMode::Public,
    }
}

/// How pages are fetched.
pub(crate) fn fetching(config: &Config) -> FetchSettings {
    FetchSettings {
        egress: match egress(config) {
            EgressMode::Offline => Egress::Offline,
            EgressMode::PrivateOnly => Egress::PrivateOnly,
            EgressMode::Public => Egress::Public,
        },
        allow: list(config, "web.private_hosts"),
        contact: config.text("web.contact").map(str::to_owned),
        ..FetchSettings::default()
    }
}

/// Addresses and keys of providers: from the settings and the files that they name, else from the usual variables.
pub(crate) fn variables(config: &Config) -> ProviderSettings {
    let mut settings = ProviderSettings::from_variables(|name| std::env::var(name).ok());
    for (key, name) in [("searxng.url", "searxng"), ("opensearch.url", "opensearch")] {
        if let Some(address) = config.text(key) {
            settings.addresses.insert(name.to_owned(), address.to_owned());
        }
    }
    for info in PROVIDERS {
        match api_keys::from_file(config, info.name) {
            Ok(Some(key)) => {
                settings.keys.extend(Secret::new(&key).map(|key| (info.name.to_owned(), key)));
            }
            Ok(None) => {}
            // A file that cannot be used is told where the service is to be asked, and no other key takes its place.
            Err(_) => drop(settings.keys.remove(info.name)),
        }
    }
    settings.fetch = fetching(config);
    if let Some(contact) = config.text("web.contact") {
        settings.contact = Some(contact.to_owned());
    }
    if let Some(language) = config.text("web.language") {
        settings.language = Some(language.to_owned());
    }
    settings
}

/// Providers that are asked where they are set up.
const SET_UP: [&str; 4] = ["searxng", "tavily", "brave", "opensearch"];

/// The providers that are set up; the encyclopaedia, which needs nothing, where none is.
fn configured(settings: &ProviderSettings) -> Vec<String> {
    let set_up =
        PROVIDERS.iter().map(|info| info.name).filter(|name| SET_UP.contains(name)).filter(
            |name| settings.addresses.contains_key(*name) || settings.keys.contains_key(*name),
        );
    let found: Vec<String> = set_up.map(str::to_owned).collect();
    if found.is_empty() { vec!["wikipedia".to_owned()] } else { found }
}

/// What is private of what the web gives, in words, and whether only servers that give it themselves are asked.
///
/// A host that had to be allowed is not everybody's, and an index holds what its owner put there. A search engine of one's
/// own passes on what it is asked.
fn of_your_own(providers: &[String], settings: &ProviderSettings) -> (Vec<String>, bool) {
    /// Hosts that are named; the others are counted.
    const NAMED: usize = 3;
    let mut private = Vec::new();
    let hosts: Vec<&str> = settings
        .fetch
        .allow
        .iter()
        .map(String::as_str)
        .filter(|host| !is_engine(host, settings))
        .collect();
    if !hosts.is_empty() {
        let named = hosts.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        let more = match hosts.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        private.push(format!("pages of hosts that you allowed ({named}{more})"));
    }
    let mut own_servers = true;
    for provider in providers {
        let (plain, argument) = provider.split_once(':').unwrap_or((provider.as_str(), ""));
        match plain.trim().to_ascii_lowercase().as_str() {
            "opensearch" | "elasticsearch" => private.push("documents of your index".to_owned()),
            "mediawiki" => own_servers &= settings.fetch.allows(argument.trim()),
            _ => own_servers = false,
        }
    }
    private.dedup();
    (private, own_servers)
}

/// Whether all that an allowed host opens is the search engine that was set up: it gives what others have published.
fn is_engine(host: &str, settings: &ProviderSettings) -> bool {
    let Some(address) = settings.addresses.get("searxng") else { return false };
    let Ok(mut other) = Url::parse(address) else { return false };
    let port = if other.port_or_known_default() == Some(8443) { 8080 } else { 8443 };
    let alone = FetchSettings { allow: vec![host.to_owned()], ..FetchSettings::default() };
    // A host without a port opens its other services, too.
    other.set_port(Some(port)).is_ok() && alone.allows(address) && !alone.allows(other.as_str())
}

/// A year, a month or a day.
fn date(text: &str) -> Result<PartialDate> {
    let wrong = || {
        CliError::usage(
            format!("could not use the date {text:?}"),
            "it is no year, month or day",
            "write it like 2025, 2025-06 or 2025-06-30",
        )
    };
    let parts: Vec<&str> = text.trim().split('-').collect();
    let number = |part: &str, digits: usize, most: u16| {
        let fits = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<u16>().ok().filter(|n| fits && (1..=most).contains(n)).ok_or_else(wrong)
    };
    let small = |part: &str, most: u16| number(part, 2, most).map(|n| n as u8);
    Ok(match parts.as_slice() {
        [year] => PartialDate::year(number(year, 4, 9999)?.into()),
        [year, month] => PartialDate::month(number(year, 4, 9999)?.into(), small(month, 12)?),
        [year, month, day] => {
            let (year, month, day) = (number(year, 4, 9999)?, small(month, 12)?, small(day, 31)?);
            if day > days_of(year, month) {
                return Err(wrong());
            }
            PartialDate::day(year.into(), month, day)
        }
        _ => return Err(wrong()),
    })
}

fn days_of(year: u16, month: u8) -> u8 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// What was said on the command line about which pages to take, where none are: it has no effect, and is told.
pub(crate) fn idle(config: &Config, terminal: &Terminal) {
    for key in ["web.since", "web.domains"] {
        if let Some((_, Origin::Flag(flag))) = config.get(key) {
            terminal.warn(&format!(
                "{flag} is about pages of the web and has no effect here, where documents alone are asked: name a search \
                 provider with --web or a page with --url for it to have one"
            ));
        }
    }
}

fn list(config: &Config, key: &str) -> Vec<String> {
    match config.get(key) {
        Some((Value::List(items), _)) => items.clone(),
        _ => Vec::new(),
    }
}

fn flag(config: &Config, key: &str) -> bool {
    matches!(config.get(key), Some((Value::Flag(true), _)))
}

/// Tells of pages that an earlier process of a run had read and that are no longer kept.
pub(crate) fn missing(terminal: &Terminal, pages: usize) {
    if pages > 0 {
        terminal.warn(&format!(
            "{} that this run had read {} no longer kept; searches go on without",
            crate::ui::progress::counted(pages, "page"),
            if pages == 1 { "is" } else { "are" }
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_years_months_or_days() {
        assert_eq!(date("2025").unwrap(), PartialDate::year(2025));
        assert_eq!(date("2025-06").unwrap(), PartialDate::month(2025, 6));
        assert_eq!(date("2025-06-30").unwrap(), PartialDate::day(2025, 6, 30));
        for wrong in [
            "",
            "25",
            "2025-13",
            "2025-6",
            "last year",
            "2025-06-30-1",
            "+025",
            "2025-13-45",
            "2025-02-29",
            "2025-04-31",
        ] {
            assert!(date(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_private_of_the_web_is_known_and_who_may_hear_of_it() {
        let of = |hosts: &[&str], providers: &[&str]| {
            let own = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
            let mut settings = ProviderSettings::default();
            settings.fetch.allow = own(hosts);
            let engine = "http://127.0.0.1:8080".to_owned();
            settings.addresses.insert("searxng".to_owned(), engine);
            let providers: Vec<String> = own(providers);
            of_your_own(&providers, &settings)
        };
        let wiki = "mediawiki:http://wiki.lan/w/api.php";
        assert_eq!(of(&[], &["searxng", "wikipedia"]), (Vec::new(), false));
        let pages = vec!["pages of hosts that you allowed (wiki.lan)".to_owned()];
        assert_eq!(of(&["wiki.lan"], &[wiki]), (pages.clone(), true));
        assert_eq!(of(&["wiki.lan"], &[wiki, "searxng"]), (pages.clone(), false));
        // Another port is another server.
        assert!(!of(&["wiki.lan"], &["mediawiki:http://wiki.lan:99/w/api.php"]).1);
        // A search engine of one's own gives what others published; a host without a port is more than that.
        assert_eq!(of(&["127.0.0.1:8080"], &["searxng"]), (Vec::new(), false));
        assert!(!of(&["127.0.0.1"], &["searxng"]).0.is_empty());
        let index = "opensearch:https://search.lan:9200/reports";
        let documents = vec!["documents of your index".to_owned()];
        assert_eq!(of(&[], &[index, "opensearch"]), (documents.clone(), true));
        assert_eq!(of(&[], &[index, "wikipedia"]), (documents.clone(), false));
        let both = of(&["wiki.lan", "a", "b", "c"], &["elasticsearch"]).0;
        assert_eq!(
            both,
            ["pages of hosts that you allowed (wiki.lan, a, b and 1 more)", documents[0].as_str()]
        );
    }

    #[test]
    fn the_web_is_reached_only_when_somebody_says_so() {
        let mut config = Config::default();
        let with = |config: &mut Config, key, items: &[&str]| {
            let items = items.iter().map(|item| (*item).to_owned()).collect();
            config.flag(key, "--test", Some(Value::List(items)));
        };
        let asked = "What does https://a.example/x say?";
        assert!(WebPlan::of(&config, asked).unwrap().is_none());
        with(&mut config, "web.providers", &["wikipedia"]);
        let plan = WebPlan::of(&config, asked).unwrap().unwrap();
        assert_eq!(plan.options.sources, Sources::Web);
        assert_eq!((plan.options.providers, plan.named.len()), (vec!["wikipedia".to_owned()], 1));
        // What a program may have written names no pages.
        let mut theirs = config.clone();
        theirs.flag(OF_A_PROGRAM, "--test", Some(Value::Flag(true)));
        assert!(WebPlan::of(&theirs, asked).unwrap().unwrap().named.is_empty());
        config.flag("corpus", "--corpus", Some(Value::Text("docs".to_owned())));
        let plan = WebPlan::of(&config, asked).unwrap().unwrap();
        assert_eq!(plan.options.sources, Sources::Hybrid);
        config.flag("egress", "--egress", Some(Value::Text("offline".to_owned())));
        assert!(WebPlan::of(&config, asked).is_err());
        config.flag("web.sources", "--sources", Some(Value::Text("local".to_owned())));
        assert!(WebPlan::of(&config, asked).unwrap().is_none());
    }
}
