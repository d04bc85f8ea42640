//! The model that a run thinks with, from the settings and the usual variables.

use crate::api_keys;
use crate::config::{Config, Value};
use crate::error::{CliError, Kind, Result};
use crate::paths;
use crate::prices;
use crate::ui::terminal::Terminal;
use elenchus_core::inquiry::{EgressMode, Elsewhere};
use elenchus_core::port::{Model, ModelRole};
use elenchus_core::prompt::PromptBook;
use elenchus_io::model::ExtractiveModel;
use elenchus_io::model::language::{
    ChatClient, ChatError, Endpoint, EndpointError, LanguageModel, MOST_BYTES, ModelName, Provider,
    ProxyVariables, ReplyCache, Settings,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The name of the model that needs nothing.
pub(crate) const EXTRACTIVE: &str = "extractive";

/// The settings that name those who stand in, for the strong role and the fast one.
pub(crate) const SPARES: [&str; 2] = ["strong_fallback", "fast_fallback"];

/// What answers prompts, and what has to be reached for it.
pub(crate) struct Mind {
    pub(crate) model: Arc<dyn Model>,
    /// Clients of language models, the strong one first; none for the extractive model.
    pub(crate) clients: Vec<ChatClient>,
    /// For each of them those that are asked in its place, in order.
    pub(crate) spares: Vec<Vec<ChatClient>>,
    /// Whether nobody stands in for the strong role, although others do for the fast one.
    strong_is_alone: bool,
    /// Whether the extractive model answers when they do not.
    pub(crate) falls_back: bool,
    /// What runs ask elsewhere beside them.
    helpers: Vec<Helper>,
    /// The settings, which know where the keys are.
    config: Config,
}

/// A model behind a server elsewhere that a run does not think with and sends something to all the same.
pub(crate) struct Helper {
    sent: &'static str,
    address: String,
    price: String,
}

impl Helper {
    /// What is sent where, and whether it costs, in words.
    pub(crate) fn told(&self) -> String {
        format!("{} are sent to {}; {}", self.sent, self.address, self.price)
    }
}

/// The verifier and the embedders of the settings, where they are elsewhere. Nothing is sent; settings that cannot be used
/// are refused where they are used.
pub(crate) fn helpers(config: &Config) -> Vec<Helper> {
    let verifier = config.text("verifier").unwrap_or_default();
    let judge = crate::wire::judge_client(verifier, config).ok().flatten().map(|client| {
        let address = client.endpoint();
        (
            address.is_loopback(),
            Helper {
                sent: "statements and the passages that they are held against",
                address: address.base_url().to_owned(),
                price: priced(&client),
            },
        )
    });
    let corpus = config.text("embedder").unwrap_or_default().to_owned();
    let memory = match config.get("memory") {
        Some((Value::Flag(false), _)) => String::new(),
        _ => crate::bank::embedding(config),
    };
    let embed = [(corpus, "passages and searches"), (memory, "what is learned and recalled")];
    let embed = embed.into_iter().filter(|(name, _)| crate::wire::is_remote(name)).filter_map(
        |(name, sent)| {
            let (model, address, _) = endpoint(crate::wire::parted(&name).0, config).ok()?;
            let helper = Helper {
                sent,
                address: address.base_url().to_owned(),
                price: format!("what {model} costs for their vectors is not counted here"),
            };
            Some((address.is_loopback(), helper))
        },
    );
    judge.into_iter().chain(embed).filter(|(here, _)| !here).map(|(_, helper)| helper).collect()
}

/// The scheme, host and port of an address: a name, a key or a path in it is for nobody who reads a trace.
fn origin(base: &str) -> String {
    let (scheme, rest) = base.split_once("://").unwrap_or(("https", base));
    let place = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = place.rsplit('@').next().unwrap_or(place);
    format!("{scheme}://{host}")
}

fn priced(client: &ChatClient) -> String {
    match client.price() {
        Some(price) => format!(
            "{} costs {} and {} USD for a million tokens in and out",
            client.name(),
            price.input,
            price.output
        ),
        None => format!("the price of {} is not known here", client.name()),
    }
}

impl Mind {
    /// From the settings. Nothing is sent, and nothing is kept.
    pub(crate) fn new(config: &Config) -> Result<Self> {
        Self::with(config, None)
    }

    /// From the settings, with the replies that were kept, unless they or the command say otherwise. A cache that
    /// cannot be used is told and no reason not to think.
    pub(crate) fn remembering(config: &Config, keeps: bool, terminal: &Terminal) -> Result<Self> {
        let wanted = !matches!(config.get("cache"), Some((Value::Flag(false), _)));
        let speaks = config.text("model").is_some_and(|model| model != EXTRACTIVE);
        if !(keeps && wanted && speaks) {
            return Self::new(config);
        }
        let kept = match ReplyCache::open(&paths::replies()?, MOST_BYTES) {
            Ok((kept, warning)) => {
                if let Some(warning) = warning {
                    terminal.warn(&warning);
                }
                Some(Arc::new(kept))
            }
            Err(error) => {
                terminal.warn(&error.to_string());
                None
            }
        };
        Self::with(config, kept)
    }

    fn with(config: &Config, kept: Option<Arc<ReplyCache>>) -> Result<Self> {
        let strong = config.text("model").unwrap_or(EXTRACTIVE);
        let falls_back = config.text("fallback") == Some(EXTRACTIVE);
        let helpers = helpers(config);
        if strong == EXTRACTIVE {
            if let Some(fast) = config.text("fast_model").filter(|fast| *fast != EXTRACTIVE) {
                return Err(CliError::usage(
                    format!("could not use the fast model {fast:?}"),
                    "the model itself is the extractive one, which takes no helper",
                    "name the model as well, with --model or `model = ...`",
                ));
            }
            // It never fails to answer, so nobody stands in for it.
            let model = Arc::new(ExtractiveModel::new());
            let (clients, spares, strong_is_alone) = (vec![], vec![], false);
            let config = config.clone();
            return Ok(Self {
                model,
                clients,
                spares,
                strong_is_alone,
                falls_back,
                helpers,
                config,
            });
        }
        let first = client(strong, config)?;
        let second = match config.text("fast_model") {
            Some(fast) if fast != strong => Some(beside(&first, fast, config)?),
            _ => None,
        };
        let book = book(config)?;
        let fast = second.clone().unwrap_or_else(|| first.clone());
        let [strong_spares, fast_spares] = SPARES.map(|key| {
            config
                .list(key)
                .iter()
                .map(|name| beside(&first, name, config))
                .collect::<Result<Vec<_>>>()
        });
        let strong_spares = strong_spares?;
        // Where one model does both, what stands in for it does so too, unless others are named.
        let fast_spares = match fast_spares? {
            named if named.is_empty() && second.is_none() => strong_spares.clone(),
            named => named,
        };
        let mut model = LanguageModel::new(first.clone(), fast, book)
            .or_else(ModelRole::Strong, strong_spares.clone())
            .or_else(ModelRole::Fast, fast_spares.clone());
        if falls_back {
            model = model.or_extractive();
        }
        if let Some(kept) = kept {
            model = model.remembering(kept);
        }
        let strong_is_alone = strong_spares.is_empty();
        let spares = match second {
            Some(_) => vec![strong_spares, fast_spares],
            // One model does both: whoever stands in for it in either.
            None => {
                let mut all = strong_spares;
                all.extend(fast_spares);
                let mut seen = BTreeSet::new();
                all.retain(|client| seen.insert(client.name().to_string()));
                vec![all]
            }
        };
        let clients = std::iter::once(first).chain(second).collect();
        let model = Arc::new(model);
        let config = config.clone();
        Ok(Self { model, clients, spares, strong_is_alone, falls_back, helpers, config })
    }

    /// Whether a language model is asked at all.
    pub(crate) fn speaks(&self) -> bool {
        !self.clients.is_empty()
    }

    /// Clients of models elsewhere.
    fn away(&self) -> impl Iterator<Item = &ChatClient> {
        self.everyone().filter(|client| !client.endpoint().is_loopback())
    }

    /// Whether anything of a run is sent to a model elsewhere, be it to think, to judge or to embed.
    pub(crate) fn sends(&self) -> bool {
        !self.helpers.is_empty() || self.away().next().is_some()
    }

    /// Every client that may be asked, those that stand in last.
    pub(crate) fn everyone(&self) -> impl Iterator<Item = &ChatClient> {
        self.clients.iter().chain(self.spares.iter().flatten())
    }

    /// What leaves this machine, and whether it costs, in words.
    pub(crate) fn sent(&self) -> String {
        if !self.sends() {
            return "nothing leaves this machine and nothing is paid for".to_owned();
        }
        let mut told = BTreeSet::new();
        let mut places = |clients: Vec<&ChatClient>| -> String {
            let mut places = Vec::new();
            for client in clients {
                let base = client.endpoint().base_url().to_owned();
                if !client.endpoint().is_loopback() && told.insert(base.clone()) {
                    places.push(base);
                }
            }
            places.join(" and ")
        };
        let first = places(self.clients.iter().collect());
        let instead = places(self.spares.iter().flatten().collect());
        let to = match (first.is_empty(), instead.is_empty()) {
            (true, true) => None,
            (false, true) => Some(format!("sent to {first}")),
            (true, false) => Some(format!("sent to {instead} where the model does not answer")),
            (false, false) => {
                Some(format!("sent to {first}, and to {instead} where that does not answer"))
            }
        };
        let mut parts = Vec::new();
        if let Some(to) = to {
            let mut known = BTreeSet::new();
            let prices: Vec<String> = self
                .away()
                .filter(|client| known.insert(client.name().to_string()))
                .map(priced)
                .collect();
            parts.push(format!("the question and what is read are {to}; {}", prices.join(", ")));
        }
        parts.extend(self.helpers.iter().map(Helper::told));
        parts.join("; ")
    }

    /// The same as runs note it: what is sent to which server.
    pub(crate) fn elsewhere(&self) -> Vec<Elsewhere> {
        let thinks: BTreeSet<&str> =
            self.away().map(|client| client.endpoint().base_url()).collect();
        let thinks = thinks.into_iter().map(|base| ("the question and what is read", base));
        let helps = self.helpers.iter().map(|helper| (helper.sent, helper.address.as_str()));
        thinks
            .chain(helps)
            .map(|(sent, base)| Elsewhere { sent: sent.to_owned(), to: origin(base) })
            .collect()
    }

    /// Looks whether the models can be reached, before anything else is done.
    pub(crate) async fn reach(&self, terminal: &Terminal) -> Result<()> {
        for (at, (client, spares)) in self.clients.iter().zip(&self.spares).enumerate() {
            // With one model for both roles those who stand in for the fast one are no help to the strong one.
            let alone = at == 0 && self.strong_is_alone;
            let spares = if alone { &[] } else { spares.as_slice() };
            let probe = client.probe().await;
            let Some(trouble) = probe.trouble else { continue };
            let error = api_keys::where_it_is(CliError::from(trouble), &self.config);
            if let Some(spare) = answering(spares).await {
                let name = spare.name();
                terminal.warn(&format!("{}; {name} is asked in its place", error.message()));
                continue;
            }
            if self.falls_back {
                terminal
                    .warn(&format!("{}; the built-in model answers in its place", error.message()));
                continue;
            }
            return Err(or_built_in(error));
        }
        Ok(())
    }
}

/// Adds the ways that need no server to an error's way out, each once.
fn or_built_in(error: CliError) -> CliError {
    let ways = if error.hint.contains("--model extractive") {
        "add `--fallback extractive`"
    } else {
        "use `--model extractive`, which needs no server, or add `--fallback extractive`"
    };
    let hint = format!("{}, or {ways}", error.hint);
    error.with_hint(hint)
}

/// The first of those that stand in that can be reached.
async fn answering(spares: &[ChatClient]) -> Option<&ChatClient> {
    for spare in spares {
        if spare.probe().await.trouble.is_none() {
            return Some(spare);
        }
    }
    None
}

/// Another client. On the same server it shares the connections of the first, and is left alone with it where nothing
/// can be reached there; its price, and any other trouble, are its own.
fn beside(first: &ChatClient, name: &str, config: &Config) -> Result<ChatClient> {
    let wanted: ModelName = name.parse().map_err(|error| named(name, &error))?;
    if wanted.provider == first.name().provider {
        let beside = first.for_model(&wanted.model)?;
        return Ok(match prices::of(&wanted, first.endpoint(), config)? {
            Some(price) => beside.priced(price),
            None => beside,
        });
    }
    client(name, config)
}

fn named(name: &str, error: &elenchus_io::model::language::NameError) -> CliError {
    CliError::usage(
        format!("could not use the model {name:?}"),
        error.to_string(),
        "write `extractive`, or `ollama:NAME`, `openai:NAME` or `anthropic:NAME`",
    )
}

/// A client for `provider:model`.
pub(crate) fn client(name: &str, config: &Config) -> Result<ChatClient> {
    let (model, endpoint, settings) = endpoint(name, config)?;
    Ok(ChatClient::new(model, endpoint, settings)?)
}

/// What `provider:model` means, and where it is.
pub(crate) fn endpoint(name: &str, config: &Config) -> Result<(ModelName, Endpoint, Settings)> {
    let parsed: ModelName = name.parse().map_err(|error| named(name, &error))?;
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let (setting, address) = match parsed.provider {
        Provider::Ollama => ("ollama.url", variable("OLLAMA_HOST")),
        Provider::OpenAi => ("openai.url", variable("OPENAI_BASE_URL")),
        Provider::Anthropic => ("anthropic.url", variable("ANTHROPIC_BASE_URL")),
    };
    let key = api_keys::of(config, parsed.provider.word())?;
    let address = config.text(setting).map(str::to_owned).or(address);
    let endpoint =
        Endpoint::new(parsed.provider, address.as_deref(), key.as_deref()).map_err(|error| {
            match &error {
                EndpointError::MissingKey { provider, .. } => {
                    let file = format!("or take it from a file: --key-file, `{provider}.key_file`");
                    CliError::from(ChatError::from(error)).or_hint(&file)
                }
                _ => ChatError::from(error).into(),
            }
        })?;
    may_reach(name, &endpoint, address.is_some(), config)?;
    let price = prices::of(&parsed, &endpoint, config)?;
    let either = |upper: &str| variable(upper).or_else(|| variable(&upper.to_lowercase()));
    let proxies = ProxyVariables {
        http: either("HTTP_PROXY"),
        https: either("HTTPS_PROXY"),
        all: either("ALL_PROXY"),
        no_proxy: either("NO_PROXY"),
    };
    Ok((parsed, endpoint, Settings { proxies, price, ..Settings::default() }))
}

/// Whether the egress mode lets a model be asked where it is. What the user gave an address for is a host that the user
/// named.
fn may_reach(name: &str, endpoint: &Endpoint, named: bool, config: &Config) -> Result<()> {
    let allowed = endpoint.is_loopback()
        || match crate::web::egress(config) {
            EgressMode::Offline => false,
            EgressMode::PrivateOnly => named,
            EgressMode::Public => true,
        };
    if allowed {
        return Ok(());
    }
    Err(CliError::usage(
        format!("could not use the model {name:?}"),
        format!(
            "it is at {}, and the egress mode is `{}`",
            endpoint.base_url(),
            crate::web::egress(config).name()
        ),
        "use a model on this machine, or set `egress` to `public` (--egress of `elenchus ask`, ELENCHUS_EGRESS or \
         elenchus.toml)",
    ))
}

/// The prompts, with the user's own in the place of those with the same id.
pub(crate) fn book(config: &Config) -> Result<PromptBook> {
    let mut book = PromptBook::builtin();
    let Some(folder) = config.path("prompts") else { return Ok(book) };
    let attempted = || format!("could not use the prompts in {}", folder.display());
    let listed = std::fs::read_dir(&folder).map_err(|error| {
        CliError::usage(attempted(), error.to_string(), "check the path in the setting `prompts`")
    })?;
    let mut files: Vec<_> = listed
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    files.sort();
    for file in files {
        let wrong = |cause: String| {
            CliError::usage(
                format!("could not use the prompt {}", file.display()),
                cause,
                "mend the file, or take it out of the folder; the built-in one is used then",
            )
        };
        let text = std::fs::read_to_string(&file).map_err(|error| wrong(error.to_string()))?;
        book = book.with_override(&text).map_err(|error| wrong(error.to_string()))?;
    }
    Ok(book)
}

/// An error of a model that another flag than `--model` names: what needs no server there is `otherwise`.
pub(crate) fn named_elsewhere(error: CliError, otherwise: &str) -> CliError {
    let hint = error.hint.replace("`extractive`, or ", "");
    let before = hint.split(", or use --model extractive").next().unwrap_or_default();
    // Nothing else was advised.
    if before.is_empty() || before.contains("--model extractive") {
        return error.with_hint(otherwise);
    }
    let hint = format!("{before}, or {otherwise}");
    error.with_hint(hint)
}

impl From<ChatError> for CliError {
    fn from(error: ChatError) -> Self {
        let kind = match &error {
            ChatError::Endpoint(_) => Kind::Usage,
            _ => Kind::Provider,
        };
        Self::parsed(kind, &error.to_string(), "use `--model extractive`, which needs no server")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_of_another_flag_has_another_way_out() {
        let told = |hint: &str| {
            named_elsewhere(
                CliError::usage("could not ask", "nobody answers", hint),
                "leave --llm out",
            )
            .hint
        };
        assert_eq!(
            told("start it with `ollama serve`, or use --model extractive, which needs no server"),
            "start it with `ollama serve`, or leave --llm out"
        );
        assert_eq!(told("use `--model extractive`, which needs no server"), "leave --llm out");
        assert_eq!(
            told("write `extractive`, or `ollama:NAME`"),
            "write `ollama:NAME`, or leave --llm out"
        );
        assert_eq!(told(""), "leave --llm out");
    }

    #[test]
    fn what_needs_no_server_is_advised_once() {
        let told =
            |hint: &str| or_built_in(CliError::usage("could not ask", "nobody answers", hint)).hint;
        assert_eq!(
            told("start it with `ollama serve`, or use --model extractive, which needs no server"),
            "start it with `ollama serve`, or use --model extractive, which needs no server, or add \
             `--fallback extractive`"
        );
        assert_eq!(
            told("get it with `ollama pull m`"),
            "get it with `ollama pull m`, or use `--model extractive`, which needs no server, or add \
             `--fallback extractive`"
        );
    }

    fn set(pairs: &[(&'static str, &str)]) -> Config {
        let mut config = Config::default();
        for (key, value) in pairs {
            let value = if SPARES.contains(key) {
                Value::List(value.split(',').map(str::to_owned).collect())
            } else {
                Value::Text((*value).to_owned())
            };
            config.flag(key, "the test", Some(value));
        }
        config
    }

    #[test]
    fn those_that_stand_in_are_told_to_get_what_is_sent() {
        let here = ("ollama.url", "http://127.0.0.1:11434");
        let there = ("openai.url", "https://models.example/v1");
        let mind =
            Mind::new(&set(&[("model", "ollama:a"), here, there, ("strong_fallback", "openai:b")]))
                .unwrap();
        assert!(mind.sends());
        let sent = mind.sent();
        assert!(sent.contains("https://models.example/v1 where the model does not"), "{sent}");
        // One model for both roles: whoever stands in for it does so in both.
        assert_eq!((mind.clients.len(), mind.spares.len(), mind.spares[0].len()), (1, 1, 1));
        let local = set(&[("model", "ollama:a"), here, ("strong_fallback", "ollama:b,ollama:c")]);
        let local = Mind::new(&local).unwrap();
        assert!(!local.sends() && local.sent().starts_with("nothing leaves"));
        assert_eq!(local.everyone().count(), 3);
        // Two models of one server, each at its own price.
        let mut priced =
            set(&[("model", "openai:a"), there, ("strong_fallback", "openai:b,openai:c")]);
        priced.flag("price.input", "the test", Some(Value::Amount(4.0)));
        let own = vec!["openai:b=0.5/2".to_owned()];
        priced.flag("prices", "the test", Some(Value::List(own)));
        let sent = Mind::new(&priced).unwrap().sent();
        assert!(sent.contains("openai:a costs 4 and 0 USD"), "{sent}");
        assert!(sent.contains("openai:b costs 0.5 and 2 USD"), "{sent}");
        assert!(sent.contains("openai:c costs 4 and 0 USD"), "{sent}");
        let vectors = set(&[("embedder", "openai:e@512"), there]);
        let vectors = Mind::new(&vectors).unwrap();
        assert!(vectors.sends() && !vectors.speaks());
        let sent = vectors.sent();
        assert!(
            sent.starts_with("passages and searches are sent to https://models.example/v1"),
            "{sent}"
        );
        assert!(!Mind::new(&set(&[("fast_fallback", "ollama:b")])).unwrap().speaks());
        let error = Mind::new(&set(&[("model", "ollama:a"), here, ("strong_fallback", "b")]))
            .err()
            .unwrap();
        assert!(error.message().contains("\"b\""));
    }

    #[test]
    fn whoever_judges_and_embeds_elsewhere_is_told() {
        let text = |value: &str| Some(Value::Text(value.to_owned()));
        let told = |verifier: &str, embedder: &str, url: &str| {
            let mut config = Config::default();
            config.flag("verifier", "the test", text(verifier));
            config.flag("embedder", "the test", text(embedder));
            config.flag("openai.url", "the test", text(url));
            let mind = Mind::new(&config).unwrap();
            assert_eq!(
                mind.sends(),
                mind.sent() != "nothing leaves this machine and nothing is paid for"
            );
            assert_eq!(mind.sends(), !mind.elsewhere().is_empty());
            for one in mind.elsewhere() {
                assert_eq!(one.to, "https://models.example");
                assert!(mind.sent().contains(&one.sent), "{one:?}");
            }
            mind.sent()
        };
        let far = "https://models.example/v1";
        let judged = told("llm:openai:some", "builtin", far);
        assert!(judged.contains("statements and the passages"), "{judged}");
        assert!(judged.contains(far) && judged.contains("price of openai:some"), "{judged}");
        let embedded = told("builtin", "openai:some", far);
        assert!(embedded.starts_with("passages and searches are sent to"), "{embedded}");
        assert!(told("llm:openai:some", "openai:some", far).contains("; passages and searches"));
        for here in [
            told("builtin", "builtin", far),
            told("llm:openai:some", "openai:some", "http://127.0.0.1:9/v1"),
        ] {
            assert!(here.starts_with("nothing leaves this machine"), "{here}");
        }
    }

    #[test]
    fn a_trace_names_a_server_by_its_origin_alone() {
        for (base, noted) in [
            ("https://models.example/v1", "https://models.example"),
            ("http://me:secret@models.example:8080/v1?key=k", "http://models.example:8080"),
            ("http://[fd00::1]:9#x", "http://[fd00::1]:9"),
            ("models.example/v1", "https://models.example"),
        ] {
            assert_eq!(origin(base), noted, "{base}");
        }
    }

    #[test]
    fn a_model_out_of_reach_names_the_setting() {
        let mut config = Config::default();
        config.flag("egress", "--egress", Some(Value::Text("offline".to_owned())));
        config.flag(
            "openai.url",
            "the test",
            Some(Value::Text("https://models.example/v1".to_owned())),
        );
        let error = endpoint("openai:some", &config).unwrap_err();
        assert!(error.cause.contains("`offline`"), "{error:?}");
        assert!(error.hint.contains("ELENCHUS_EGRESS"), "{error:?}");
    }
}
