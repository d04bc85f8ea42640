//! What `doctor` learns.

use super::server::{Scene, Server};
use super::*;

fn list(provider: Provider, names: &[&str]) -> String {
    match provider {
        Provider::Ollama => {
            json!({ "models": names.iter().map(|n| json!({ "name": n })).collect::<Vec<_>>() })
        }
        _ => json!({ "data": names.iter().map(|n| json!({ "id": n })).collect::<Vec<_>>() }),
    }
    .to_string()
}

#[tokio::test]
async fn all_is_well() {
    for (provider, path) in [
        (Provider::Ollama, "get /api/tags "),
        (Provider::OpenAi, "get /models "),
        (Provider::Anthropic, "get /v1/models?limit=1000 "),
    ] {
        let here = if provider == Provider::Ollama { "m:latest" } else { "m" };
        let scenes = vec![
            Scene::answer(
                200,
                &[("date", "Sun, 06 Nov 1994 08:49:37 GMT")],
                &list(provider, &["n", here]),
            ),
            Scene::answer(200, &[], "{\"version\":\"0.9.1\"}"),
        ];
        let server = Server::start(scenes).await;
        let probe = client(provider, &server.base, quick()).probe().await;
        assert!(probe.reachable && probe.trouble.is_none(), "{probe:?}");
        assert_eq!(probe.models, ["n", here]);
        assert_eq!(probe.model_present, Some(true));
        assert_eq!(probe.version.as_deref(), (provider == Provider::Ollama).then_some("0.9.1"));
        let skew = probe.clock_skew_seconds.unwrap();
        assert!((skew + date::now() - 784_111_777).abs() < 3);
        assert_eq!(probe.proxy, None);
        assert!(server.seen()[0].head.starts_with(path));
        assert!(!format!("{probe:?}").contains(KEY));
    }
}

#[tokio::test]
async fn trouble_is_named_with_the_way_out() {
    let server =
        Server::start(vec![Scene::answer(200, &[], &list(Provider::Ollama, &["n:1b"]))]).await;
    let probe = client(Provider::Ollama, &server.base, quick()).probe().await;
    assert!(probe.reachable);
    assert_eq!(probe.model_present, Some(false));
    let text = shown(probe.trouble.as_ref().unwrap());
    assert!(text.contains("n:1b") && text.contains("ollama pull m"), "{text}");

    let server = Server::start(vec![Scene::answer(401, &[], "{}")]).await;
    let probe = client(Provider::Anthropic, &server.base, quick()).probe().await;
    assert!(probe.reachable && probe.model_present.is_none());
    assert!(shown(probe.trouble.as_ref().unwrap()).contains("ANTHROPIC_API_KEY"));
    assert_eq!(server.count(), 1);

    for body in ["<html>", "{}", "[]", "", "{\"models\":7}", "{\"mod"] {
        let server = Server::start(vec![Scene::answer(200, &[], body)]).await;
        let probe = client(Provider::Ollama, &server.base, quick()).probe().await;
        assert!(!probe.reachable, "{body}");
        shown(probe.trouble.as_ref().unwrap());
    }

    let base = Server::start(vec![]).await.base.clone();
    tokio::time::sleep(Duration::from_millis(20)).await;
    let probe = client(Provider::Ollama, &base, quick()).probe().await;
    assert!(!probe.reachable);
    assert!(shown(probe.trouble.as_ref().unwrap()).contains("ollama serve"));
}

#[tokio::test]
async fn a_proxy_is_obeyed_named_and_never_used_for_this_machine() {
    let proxy = Server::start(vec![Scene::stream(OPENAI)]).await;
    let mut settings = quick();
    settings.proxies.http = Some(proxy.base.replace("http://", "http://user:word4711@"));
    let far = client(Provider::OpenAi, "http://lab.invalid:8000/v1", settings.clone());
    let note = far.probe().await.proxy.unwrap();
    assert!(
        note.contains("HTTP_PROXY") && note.contains("NO_PROXY") && !note.contains("word4711"),
        "{note}"
    );
    assert!(!format!("{far:?} {settings:?}").contains("word4711"));
    assert_eq!(far.chat_quiet(&request()).await.unwrap().text, SAID, "through the proxy");
    let through = proxy.count();

    let near = Server::start(vec![Scene::stream(OPENAI)]).await;
    let client_near = client(Provider::OpenAi, &near.base, settings.clone());
    client_near.chat_quiet(&request()).await.unwrap();
    assert_eq!((proxy.count(), near.count()), (through, 1));

    settings.proxies.no_proxy = Some("example.org, .invalid".to_owned());
    let excepted = client(Provider::OpenAi, "http://lab.invalid:8000/v1", settings);
    assert!(excepted.chat_quiet(&request()).await.is_err(), "the name does not resolve");
    assert_eq!(proxy.count(), through);
}
