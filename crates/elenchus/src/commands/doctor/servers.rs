//! The servers that the settings name: of models, of the verifier, of the embedders. Each is asked where it is.

use super::{Check, bad, note, ok};
use crate::api_keys;
use crate::config::{Config, Value};
use crate::error::{CliError, Kind, Result};
use crate::mind::{self, Mind};
use crate::wire;
use elenchus_io::model::language::ChatClient;
use tokio::runtime::Runtime;

/// The models of the settings, looked at where they are.
pub(super) fn models(config: &Config) -> Vec<Check> {
    let builtin = ok("model", "extractive: built in, needs no key and no network");
    let mind = match Mind::new(config) {
        Ok(mind) => mind,
        Err(error) => return vec![bad("model", &error)],
    };
    if !mind.speaks() {
        return vec![builtin];
    }
    let runtime = match super::super::runtime() {
        Ok(runtime) => runtime,
        Err(error) => return vec![bad("model", &error)],
    };
    let asked = |client| asked(&runtime, "model", client, (None, config));
    mind.everyone().flat_map(asked).collect()
}

/// What a run asks beside its models, where that is a server: what judges, and what turns texts into vectors.
pub(super) fn helpers(config: &Config) -> Vec<Check> {
    let mut checks = Vec::new();
    let judge = wire::judge_client(config.text("verifier").unwrap_or_default(), config);
    let documents = config.text("embedder").unwrap_or_default().to_owned();
    let memory = match config.get("memory") {
        Some((Value::Flag(false), _)) => String::new(),
        _ => crate::bank::embedding(config),
    };
    let remote = [&documents, &memory].into_iter().any(|name| wire::is_remote(name));
    if !remote && matches!(judge, Ok(None)) {
        return checks;
    }
    let runtime = match super::super::runtime() {
        Ok(runtime) => runtime,
        Err(error) => return vec![bad("servers", &error)],
    };
    match judge {
        Ok(None) => {}
        Ok(Some(client)) => {
            let ways = (Some("use the verifier `builtin`"), config);
            checks.extend(asked(&runtime, "verifier", &client, ways));
        }
        Err(error) => checks.push(bad("verifier", &error)),
    }
    if wire::is_remote(&documents) {
        let hint = "use the embedder `builtin`, which needs no server";
        checks.push(embedded(&runtime, "embedder", &documents, hint, config));
    }
    if wire::is_remote(&memory) && memory != documents {
        let hint = "set `reasoning_bank.embedding.model` to `builtin`, which needs no server";
        checks.push(embedded(&runtime, "memory", &memory, hint, config));
    }
    checks
}

/// What is at the address of a client. `otherwise` is the way out that needs no server, where that is not another model; the
/// settings know where its key is.
fn asked(
    runtime: &Runtime,
    name: &'static str,
    client: &ChatClient,
    (otherwise, config): (Option<&str>, &Config),
) -> Vec<Check> {
    let probe = runtime.block_on(client.probe());
    let version =
        probe.version.as_ref().map(|version| format!(", version {version}")).unwrap_or_default();
    let mut checks = vec![match probe.trouble {
        None => ok(name, format!("{} at {}{version}", client.name(), probe.address)),
        Some(trouble) => {
            let error = api_keys::where_it_is(CliError::from(trouble), config);
            let error = match otherwise {
                Some(otherwise) => mind::named_elsewhere(error, otherwise),
                None => error,
            };
            bad(name, &error)
        }
    }];
    if let Some(skew) = probe.clock_skew_seconds.filter(|skew| skew.abs() > 60) {
        let way = if skew > 0 { "behind" } else { "ahead of" };
        checks.push(note(
            "clock",
            format!("this machine is {} s {way} {}", skew.abs(), probe.address),
            "set the clock (`timedatectl set-ntp true`): signed requests and certificates depend on it",
        ));
    }
    if let Some(proxy) = probe.proxy {
        checks.push(note(
            "proxy",
            proxy,
            "unset it, or add the host to NO_PROXY, if it should not apply",
        ));
    }
    checks
}

/// Whether an embedder behind a server turns a text into a vector: a list of models does not tell that.
fn embedded(
    runtime: &Runtime,
    check: &'static str,
    name: &str,
    hint: &str,
    config: &Config,
) -> Check {
    let tried = || -> Result<String> {
        let embedder = wire::remote_embedder(name, hint, config)?;
        let text = ["installed capacity".to_owned()];
        runtime.block_on(embedder.embed(&text)).map_err(|failure| {
            let error = CliError::parsed(Kind::Provider, &failure.cause, hint);
            mind::named_elsewhere(error, hint)
        })?;
        Ok(format!("{} makes vectors of {} numbers", embedder.id(), embedder.dimensions()))
    };
    match tried() {
        Ok(found) => ok(check, found),
        Err(error) => bad(check, &error),
    }
}

#[cfg(test)]
mod tests {
    use super::super::State;
    use super::*;
    use elenchus_io::model::language::{Endpoint, Provider, Settings};
    use std::io::{Read, Write};
    use std::net::TcpListener;

    /// What is said of a server that answers one request so.
    fn looked_at(head: &str, body: &str) -> Vec<Check> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let answer = format!(
            "HTTP/1.1 {head}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let (mut asked, mut byte) = (Vec::new(), [0]);
            while !asked.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap() > 0 {
                asked.extend(byte);
            }
            stream.write_all(answer.as_bytes()).unwrap();
        });
        let endpoint = Endpoint::new(Provider::OpenAi, Some(&base), Some("sk-mistyped")).unwrap();
        let name = "openai:written".parse().unwrap();
        let client = ChatClient::new(name, endpoint, Settings::default()).unwrap();
        let runtime = super::super::super::runtime().unwrap();
        let checks = asked(&runtime, "model", &client, (None, &Config::default()));
        server.join().unwrap();
        checks
    }

    fn named<'c>(checks: &'c [Check], name: &str) -> &'c Check {
        checks.iter().find(|check| check.name == name).unwrap_or_else(|| panic!("{checks:?}"))
    }

    #[test]
    fn a_clock_that_is_wrong_is_noted_beside_a_server_that_is_well() {
        let head = "200 OK\r\ndate: Fri, 01 Jan 1999 00:00:00 GMT";
        let checks = looked_at(head, r#"{"data":[{"id":"written"}]}"#);
        assert!(matches!(named(&checks, "model").state, State::Ok), "{checks:?}");
        let clock = named(&checks, "clock");
        assert!(matches!(clock.state, State::Note), "{checks:?}");
        assert!(clock.found.contains(" s ahead of http://127.0.0.1:"), "{checks:?}");
        assert!(clock.fix.as_ref().is_some_and(|fix| fix.contains("set the clock")), "{checks:?}");
    }

    #[test]
    fn a_key_that_is_refused_is_named_by_its_variable_and_not_shown() {
        let body = r#"{"error":{"message":"Incorrect API key: sk-mistyped"}}"#;
        let checks = looked_at("401 Unauthorized", body);
        let model = named(&checks, "model");
        assert!(matches!(model.state, State::Bad), "{checks:?}");
        assert!(model.fix.as_ref().is_some_and(|fix| fix.contains("OPENAI_API_KEY")), "{checks:?}");
        assert!(!format!("{checks:?}").contains("sk-mistyped"), "{checks:?}");
    }
}
