//! The web as a source, as a user meets it: a wiki on loopback, searched, read, kept and cited.

use crate::world::{World, harbor};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

pub(crate) const ASKED: &str = "How many lanterns hang in the Varn Tunnel?";

/// A site with the API of a wiki. Its replies are written by hand from MediaWiki's documentation (origin: documented).
pub(crate) struct Site {
    pub(crate) address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Site {
    /// Serves pages by path; each is found by any search.
    pub(crate) fn new(pages: &[(&str, &str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of loopback");
        let address = listener.local_addr().expect("it is bound").to_string();
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let pages: BTreeMap<String, String> =
            pages.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let (log, host) = (Arc::clone(&asked), address.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (pages, log, host) = (pages.clone(), Arc::clone(&log), host.clone());
                std::thread::spawn(move || serve(stream, &pages, &log, &host));
            }
        });
        Self { address, asked }
    }

    pub(crate) fn provider(&self) -> String {
        format!("mediawiki:http://{}/w/api.php", self.address)
    }

    pub(crate) fn requests(&self) -> Vec<String> {
        self.asked.lock().expect("nobody panics with it").clone()
    }
}

fn serve(
    mut stream: TcpStream,
    pages: &BTreeMap<String, String>,
    log: &Mutex<Vec<String>>,
    host: &str,
) {
    let mut lines = BufReader::new(stream.try_clone().expect("a second handle")).lines();
    let Some(Ok(first)) = lines.next() else { return };
    while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
    let target = first.split(' ').nth(1).unwrap_or("/").to_owned();
    log.lock().expect("nobody panics with it").push(target.clone());
    let (status, kind, body) = if target.starts_with("/w/api.php") {
        let found: Vec<serde_json::Value> = pages
            .keys()
            .filter(|path| path.starts_with("/wiki/"))
            .enumerate()
            .map(|(at, path)| {
                serde_json::json!({
                    "pageid": at + 1, "ns": 0, "index": at + 1, "title": path.trim_start_matches("/wiki/").replace('_', " "),
                    "fullurl": format!("http://{host}{path}"), "canonicalurl": format!("http://{host}{path}"),
                })
            })
            .collect();
        let reply = serde_json::json!({ "batchcomplete": true, "query": { "pages": found } });
        ("200 OK", "application/json", reply.to_string())
    } else {
        match pages.get(&target) {
            Some(text) => ("200 OK", "text/html; charset=utf-8", text.clone()),
            None => ("404 Not Found", "text/plain", "nothing here".to_owned()),
        }
    };
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
}

fn page(title: &str, body: &str) -> String {
    let filler =
        "The valley was mapped in four winters, and the maps were printed in the county town. "
            .repeat(4);
    format!(
        "<html><head><title>{title}</title></head><body><article><h1>{title}</h1>{body}<p>{filler}</p></article></body></html>"
    )
}

pub(crate) fn lanterns(n: u32) -> String {
    page(
        "Varn Tunnel",
        &format!("<p>The Varn Tunnel joins two valleys. {n} lanterns hang in the Varn Tunnel.</p>"),
    )
}

fn ask(world: &World, site: &Site, more: &[&str]) -> crate::world::Ran {
    let provider = site.provider();
    let mut args = vec!["ask", ASKED, "--web", &provider, "--private-host", &site.address];
    args.extend_from_slice(more);
    world.run(&args)
}

#[test]
fn a_wiki_is_searched_read_kept_and_cited() {
    let site = Site::new(&[("/wiki/Varn_Tunnel", &lanterns(412))]);
    let world = World::new();
    let ran = ask(&world, &site, &[]);
    ran.succeeds();
    assert!(ran.out.contains("**412**"), "{}", ran.out);
    let address = format!("http://{}/wiki/Varn_Tunnel", site.address);
    assert!(ran.out.contains(&address), "{}", ran.out);
    assert!(ran.out.contains("## What was done on the web"), "{}", ran.out);
    assert!(!ran.err.contains("nothing leaves this machine"), "{}", ran.err);
    // One page that stands alone is never believed far.
    let json = world.run(&["runs", "replay", &world.newest(), "--json"]).succeeds().json();
    assert!(json["confidence"]["overall_confidence"].as_f64().unwrap() < 0.7, "{json}");
    assert_eq!(json["sources"][0]["web"]["url"], address);
    assert_eq!(json["web"]["read"], 1);
    // Its citation opens again from what was kept.
    let opened = world.run(&["source", &world.newest(), "1"]);
    assert!(opened.succeeds().out.contains("stands where the run saw it"), "{}", opened.out);
    assert!(opened.out.contains("#:~:text=") && opened.out.contains(">>> "), "{}", opened.out);
    world.run(&["source", &world.newest(), "--html", "cited.html"]).succeeds();
    let html = std::fs::read_to_string(world.folder().join("cited.html")).unwrap();
    assert!(html.contains("<mark>") && html.contains("default-src 'none'"), "{html}");
    assert!(!html.contains("<script") && !html.contains("<img"), "{html}");
    assert_eq!(world.run(&["source", &world.newest(), "7"]).code, Some(2));
    // The page was kept: asked again it is not fetched again.
    let fetched =
        |site: &Site| site.requests().iter().filter(|path| path.starts_with("/wiki/")).count();
    let before = fetched(&site);
    let again = ask(&world, &site, &[]);
    again.succeeds();
    assert!(again.out.contains("**412**"), "{}", again.out);
    assert_eq!(fetched(&site), before);
}

#[test]
fn a_store_that_moves_takes_the_pages_along_that_its_answers_cite() {
    let site = Site::new(&[("/wiki/Varn_Tunnel", &lanterns(412))]);
    let world = World::new();
    ask(&world, &site, &[]).succeeds();
    let (run, store) = (world.newest(), world.store());
    let usual = store.to_str().expect("UTF-8");
    let made = world.run(&["db", "copy", usual, "moved.db", "--json"]).succeeds().json();
    assert_eq!(made["stays"], serde_json::json!([]), "{made}");
    let rows = |name: &str| {
        let relations = made["relations"].as_array().expect("a list");
        relations.iter().find(|one| one["relation"] == name).expect("it is told")["rows"].clone()
    };
    assert_eq!(rows("snapshots"), 1, "{made}");
    // Where they were nothing is left.
    for name in ["elenchus.db", "elenchus.web.db"] {
        for tail in ["", "-wal", "-shm"] {
            let gone = std::fs::remove_file(store.with_file_name(format!("{name}{tail}")));
            assert!(gone.is_ok() || !tail.is_empty(), "{name}{tail}: {gone:?}");
        }
    }
    let cited = |store: &str| world.run(&["source", &run, "1", "--store", store]);
    let opened = cited("moved.db");
    assert!(opened.succeeds().out.contains("stands where the run saw it"), "{opened:?}");
    // And back again, by the same hashes.
    let back = world.run(&["db", "copy", "moved.db", usual, "--json"]).succeeds().json();
    assert_eq!(back["relations"], made["relations"]);
    assert!(cited(usual).succeeds().out.contains("stands where the run saw it"));
}

#[test]
fn nothing_private_is_fetched_and_only_vouched_addresses_are() {
    let text = page(
        "Varn Tunnel",
        "<p>412 lanterns hang in the Varn Tunnel.</p><p><a href='http://169.254.169.254/latest'>more lanterns hang in the Varn Tunnel</a></p>",
    );
    let site = Site::new(&[("/wiki/Varn_Tunnel", &text)]);
    let world = World::new();
    let json = ask(&world, &site, &["--json"]).succeeds().json();
    let refused = json["web"]["refused"].as_array().unwrap();
    assert!(refused.iter().any(|page| page["url"].as_str().unwrap().contains("169.254")), "{json}");
    // Without the user's word loopback is not read either.
    let provider = site.provider();
    let alone = World::new().run(&["ask", ASKED, "--web", &provider, "--json"]);
    assert!(alone.json()["claims"].as_array().unwrap().is_empty(), "{}", alone.out);
}

#[test]
fn searches_worded_after_reading_private_documents_stay_here() {
    let site = Site::new(&[("/wiki/Nothing", &page("Nothing", "<p>Nothing of it.</p>"))]);
    let searches = |site: &Site| -> Vec<String> {
        site.requests().into_iter().filter(|path| path.starts_with("/w/api.php")).collect()
    };
    let harbor = harbor();
    let corpus = ["--corpus", harbor.to_str().unwrap(), "--json"];
    let kept = ask(&World::new(), &site, &corpus).succeeds().json();
    let withheld = kept["web"]["withheld"].as_array().unwrap();
    assert!(!withheld.is_empty(), "{kept}");
    for one in withheld {
        // The whole query: words of the question itself may be sent.
        let words = format!("={}", one["query"].as_str().unwrap().replace(' ', "+"));
        let is_sent = |path: &String| path.split('&').any(|part| part.ends_with(&words));
        assert!(!searches(&site).iter().any(is_sent), "{words}");
    }
    let sent = searches(&site).len();
    let mut allowed = corpus.to_vec();
    allowed.push("--allow-private-queries");
    let all = ask(&World::new(), &site, &allowed).succeeds().json();
    assert!(all["web"].get("withheld").is_none(), "{all}");
    assert!(searches(&site).len() - sent > sent);
}

#[test]
fn a_provider_that_fails_is_told_and_offline_is_offline() {
    let world = World::new();
    // Nobody listens there.
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let ran = world.run(&["ask", ASKED, "--web", &format!("mediawiki:http://{gone}/w/api.php")]);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(
        ran.out.contains("could not search") || ran.err.contains("could not search"),
        "{ran:?}"
    );
    // Who refuses is not asked again: here the address is wrong.
    let other = Site::new(&[]);
    let wrong = format!("mediawiki:http://{}/none/api.php", other.address);
    let refused = world.run(&["ask", ASKED, "--web", &wrong]);
    assert_eq!(refused.code, Some(4), "{}", refused.err);
    assert!(refused.err.contains("check the address"), "{}", refused.err);
    assert_eq!(other.requests().len(), 1, "{:?}", other.requests());
    let site = Site::new(&[("/wiki/Varn_Tunnel", &lanterns(412))]);
    let offline = ask(&world, &site, &["--egress", "offline"]);
    assert_eq!(offline.code, Some(2), "{}", offline.err);
    assert!(offline.err.contains("offline") && site.requests().is_empty(), "{}", offline.err);
    let unknown = world.run(&["ask", ASKED, "--web", "altavista"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.err.contains("wikipedia"), "{}", unknown.err);
}

#[test]
fn pages_that_the_user_names_are_read() {
    let site = Site::new(&[("/tunnel.html", &lanterns(97))]);
    let address = format!("http://{}/tunnel.html", site.address);
    let world = World::new();
    let ran = world.run(&["ask", ASKED, "--url", &address, "--private-host", &site.address]);
    assert!(ran.succeeds().out.contains("**97**"));
    let asked = format!("According to {address}, how many lanterns hang in the Varn Tunnel?");
    let ran =
        World::new().run(&["ask", &asked, "--sources", "web", "--private-host", &site.address]);
    assert!(ran.succeeds().out.contains("**97**"));
}

#[test]
fn what_an_intranet_says_is_not_told_to_strangers() {
    let words = page(
        "Varn Tunnel",
        "<p>The Varn Tunnel joins two valleys. Lanterns hang in the Varn Tunnel.</p>",
    );
    let own = Site::new(&[("/wiki/Varn_Tunnel", &words)]);
    let other = Site::new(&[("/wiki/Varn_Tunnel", &words)]);
    let (intranet, strangers) = (own.provider(), other.provider());
    let both = format!("{intranet},{strangers}");
    let asked = |providers: &str, more: &[&str]| {
        let mut args = vec!["ask", ASKED, "--web", providers, "--private-host", &own.address];
        args.extend_from_slice(more);
        args.push("--json");
        World::new().run(&args).json()["web"].clone()
    };
    let kept = asked(&both, &[]);
    assert_eq!(kept["rule"]["outward"], "before_reading", "{kept}");
    assert!(kept["rule"]["private"][0].as_str().unwrap().contains(&own.address), "{kept}");
    let withheld = kept["withheld"].as_array().unwrap();
    assert!(!withheld.is_empty(), "{kept}");
    for one in withheld {
        let words = one["query"].as_str().unwrap().replace(' ', "+");
        assert!(!other.requests().iter().any(|path| path.contains(&words)), "{words}");
    }
    // The wiki itself may be asked in its own words.
    let alone = asked(&intranet, &[]);
    assert_eq!(alone["rule"]["outward"], "to_own_servers", "{alone}");
    assert!(alone.get("withheld").is_none(), "{alone}");
    let before = other.requests().len();
    let allowed = asked(&both, &["--allow-private-queries"]);
    assert_eq!(allowed["rule"]["outward"], "by_the_users_word", "{allowed}");
    assert!(other.requests().len() > before + 1, "{:?}", other.requests());
}

#[test]
fn kept_pages_and_secrets_in_addresses_stay_where_they_belong() {
    // In pieces, so that no scanner takes it for one.
    let token = ["ghp_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].concat();
    let path = format!("/tunnel?token={token}");
    let site = Site::new(&[(&path, &lanterns(97))]);
    let address = format!("http://{}{path}", site.address);
    let world = World::new();
    let ran = world.run(&["ask", ASKED, "--url", &address, "--private-host", &site.address]);
    assert!(ran.succeeds().out.contains("**97**"), "{}", ran.out);
    let opened = world.run(&["source", &world.newest()]);
    assert!(opened.succeeds().out.contains("stands where the run saw it"), "{}", opened.out);
    for said in [&ran.out, &ran.err, &opened.out, &opened.err] {
        assert!(!said.contains(&token), "{said}");
    }
    // The page is noted with the run, so that it can be asked again, and its secret is not.
    let trace = world.run(&["runs", "trace", &world.newest(), "--jsonl"]);
    let first: serde_json::Value = serde_json::from_str(trace.out.lines().next().unwrap()).unwrap();
    let noted = first["data"]["options"]["web"]["pages"][0].as_str().unwrap_or_default();
    let start = format!("http://{}/tunnel?token=[", site.address);
    assert!(noted.starts_with(&start) && noted.ends_with("removed]"), "{first}");
    for file in ["elenchus.db", "elenchus.db-wal", "elenchus.web.db", "elenchus.web.db-wal"] {
        let bytes = std::fs::read(world.store().with_file_name(file)).unwrap_or_default();
        let there = bytes.windows(token.len()).any(|window| window == token.as_bytes());
        assert!(!there, "{file} holds the secret");
    }
    // A run without leave for the host does not get from the snapshots what it could not fetch.
    let without = world.run(&["ask", ASKED, "--url", &address, "--json"]).json();
    assert_eq!(without["claims"], serde_json::json!([]), "{without}");
    assert_eq!(site.requests(), [path]);
}

#[test]
fn sites_and_dates_bound_what_is_read() {
    let dated = |n: u32, date: &str| {
        let meta = format!("<head><meta property='article:published_time' content='{date}-03-04'>");
        lanterns(n).replacen("<head>", &meta, 1)
    };
    let site = Site::new(&[
        ("/wiki/Older", &dated(212, "2021")),
        ("/wiki/Newer", &dated(412, "2024")),
        ("/named.html", &dated(97, "2024")),
    ]);
    let read = |more: &[&str]| {
        let before = site.requests().len();
        let ran = ask(&World::new(), &site, more);
        let pages = site.requests().split_off(before);
        let pages: Vec<String> = pages.into_iter().filter(|path| !path.contains("api")).collect();
        (ran.out, pages)
    };
    let (all, pages) = read(&[]);
    assert!(all.contains("**412**") && all.contains("**212** (older)"), "{all}");
    assert!(pages.iter().any(|path| path == "/wiki/Older"), "{pages:?}");
    // Another site than those named, and a part of an address: neither is asked for.
    let named = format!("http://{}/named.html", site.address);
    let (none, pages) = read(&["--domains", "example.org", "--url", &named]);
    assert!(none.contains("outside of the sites") && pages.is_empty(), "{none} {pages:?}");
    let (rest, pages) = read(&["--domains", "127.0.0.1", "--exclude", "Newer"]);
    assert!(rest.contains("**212**") && !rest.contains("412 lanterns"), "{rest}");
    assert!(!pages.iter().any(|path| path.contains("Newer")), "{pages:?}");
    // A page tells its date itself, so it has to be read to be told too old.
    let (since, _) = read(&["--since", "2023"]);
    assert!(since.contains("**412**") && !since.contains("**212**"), "{since}");
    assert!(since.contains("before --since"), "{since}");
}
