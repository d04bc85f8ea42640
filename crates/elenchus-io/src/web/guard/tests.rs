use super::*;
use crate::web::resolve::GuardedResolver;
use crate::web::testing::{Names, attacks, settings};
use crate::web::{Vouched, Voucher};
use proptest::prelude::*;
use serde_json::Value;
use std::sync::Arc;

fn guard(allow: &[&str]) -> Guard {
    Guard::new(&settings(allow)).unwrap()
}

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

#[test]
fn an_allowed_host_is_this_host_at_this_port() {
    let guard = guard(&[
        "127.0.0.1:8888",
        "Wiki.Example.ORG",
        "[::1]:9000",
        "::1",
        "https://x.example.net",
        "y.example.net:80",
    ]);
    for text in [
        "http://127.0.0.1:8888/a",
        "http://0x7f.1:8888/",
        "http://wiki.example.org/",
        "https://wiki.example.org./",
        "http://wiki.example.org:8080/",
        "http://[::1]:9000/",
        "http://[::1]/",
        "https://x.example.net/",
        "http://y.example.net/",
    ] {
        assert!(guard.allows(&url(text)), "{text}");
    }
    for text in [
        "http://127.0.0.1/",
        "http://127.0.0.1:8889/",
        "http://127.0.0.2:8888/",
        "http://wiki.example.org:22/",
        "http://a.wiki.example.org/",
        "http://[::1]:9001/",
        "http://x.example.net/",
        "https://y.example.net/",
        "http://localhost:8888/",
        "http://[::ffff:127.0.0.1]:8888/",
    ] {
        assert!(!guard.allows(&url(text)), "{text}");
    }
}

#[test]
fn what_is_no_single_host_cannot_be_allowed() {
    for text in [
        "",
        " ",
        "*",
        "*.example.org",
        "a/b",
        "user@host",
        "host:99999",
        "host:x",
        "[::1",
        "169.254.169.254",
        "fd00:ec2::254",
        "0.0.0.0:80",
        "http://",
        "a b",
        "host?x",
        "[::ffff:169.254.169.254]:80",
    ] {
        let error = Guard::new(&settings(&[text])).map(|_| ()).unwrap_err();
        assert!(error.cause.contains("cannot be allowed"), "{text}: {error}");
    }
}

#[test]
fn a_refusal_names_a_way_out_only_where_there_is_one() {
    let told =
        |address: &str| guard(&[]).route(&url(address), &Claim::default()).unwrap_err().to_string();
    for own in ["http://10.0.0.7/", "http://wiki.lan/", "http://[::1]/"] {
        assert!(told(own).contains("`web.private_hosts`"), "{}", told(own));
    }
    for never in ["http://169.254.169.254/latest", "http://[fd00:ec2::254]/", "http://0.0.0.0/"] {
        let told = told(never);
        assert!(told.contains("no setting opens it") && !told.contains("private_hosts"), "{told}");
    }
}

#[test]
fn the_modes_of_egress() {
    let of = |egress| {
        let settings = FetchSettings { egress, ..settings(&["127.0.0.1:8888"]) };
        Guard::new(&settings).unwrap()
    };
    let none = Claim::default();
    let (own, public) = (url("http://127.0.0.1:8888/"), url("https://1.1.1.1/"));
    let offline = of(Egress::Offline);
    assert!(matches!(offline.route(&own, &none), Err(FetchFailure::Offline { .. })));
    assert!(matches!(offline.route(&public, &none), Err(FetchFailure::Offline { .. })));
    assert!(matches!(offline.route_api(&own, true), Err(FetchFailure::Offline { .. })));
    let private = of(Egress::PrivateOnly);
    assert_eq!(private.route(&own, &none), Ok(Route::Named));
    assert!(private.route(&public, &none).unwrap_err().to_string().contains("private-only"));
    // An interface that the user configured, at a private address; not one at a public address, and none that is built in.
    assert_eq!(private.route_api(&url("http://10.0.0.7:8080/"), true), Ok(Route::NamedPrivate));
    assert!(private.route_api(&public, true).is_err());
    assert!(private.route_api(&public, false).is_err());
    assert!(private.check("8.8.8.8".parse().unwrap(), Route::NamedPrivate).is_err());
    let all = of(Egress::Public);
    assert_eq!(all.route(&own, &none), Ok(Route::Named));
    assert_eq!(all.route(&public, &none), Ok(Route::Public));
    assert_eq!(all.route_api(&url("http://10.0.0.7:8080/"), true), Ok(Route::Named));
    assert!(all.route_api(&url("http://10.0.0.7:8080/"), false).is_err());
    assert!(all.route_api(&url("http://169.254.169.254/"), true).is_err());
}

#[test]
fn unusual_ports_are_for_those_who_name_them() {
    let guard = guard(&[]);
    let page = url("http://example.org:6379/");
    let named = Claim { port: Some(("example.org".to_owned(), 6379)), from_public: false };
    assert_eq!(guard.route(&page, &named), Ok(Route::Public));
    assert!(guard.route(&page, &Claim::default()).is_err());
    // The claim holds for that host and port alone.
    assert!(guard.route(&url("http://example.net:6379/"), &named).is_err());
    assert!(guard.route(&url("http://example.org:22/"), &named).is_err());
    assert!(guard.route(&url("http://example.org:0/"), &named).is_err());
    for port in [80, 443, 8080, 8443] {
        assert!(
            guard.route(&url(&format!("http://example.org:{port}/")), &Claim::default()).is_ok()
        );
    }
}

#[test]
fn the_public_web_cannot_send_us_to_an_allowed_host() {
    let guard = guard(&["10.0.0.7:8080", "example.org"]);
    let from_public = Claim { port: None, from_public: true };
    assert!(guard.route(&url("http://10.0.0.7:8080/delete"), &from_public).is_err());
    // A public host stays one, whether it is also on the list or not.
    assert_eq!(guard.route(&url("http://example.org/"), &from_public), Ok(Route::Public));
}

#[tokio::test]
async fn our_own_list_is_blocked_and_the_public_controls_pass() {
    let Some(text) = attacks("ssrf/own_ssrf_urls.jsonl") else { return };
    // A resolver that would lead everything home.
    let guard = Arc::new(guard(&[]));
    let resolver = |addresses: &[&str]| GuardedResolver {
        lookup: Names::all_at(addresses),
        guard: Arc::clone(&guard),
        route: Route::Public,
    };
    let hostile =
        [resolver(&["127.0.0.1"]), resolver(&["93.184.216.34", "::1"]), resolver(&["fe80::1"])];
    let (mut blocked, mut by_name, mut passed) = (0, 0, 0);
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = row["url"].as_str().unwrap();
        let vouched = Vouched::new(text, Voucher::User);
        let route = vouched.as_ref().ok().map(|vouched| {
            let port = vouched.url().port_or_known_default();
            let claim = Claim {
                port: port.map(|port| (host_key(vouched.url()), port)),
                from_public: false,
            };
            guard.route(vouched.url(), &claim)
        });
        let refused = match (&vouched, route) {
            (Ok(vouched), Some(Ok(_))) => match vouched.url().domain() {
                Some(name) => {
                    by_name += 1;
                    let mut all = true;
                    for resolver in &hostile {
                        all &= resolver.checked(name).await.is_err();
                    }
                    all
                }
                None => false,
            },
            _ => true,
        };
        match row["expect"].as_str().unwrap() {
            "block" => {
                assert!(refused, "{text}");
                blocked += 1;
            }
            _ => {
                assert!(!refused, "{text}");
                passed += 1;
            }
        }
    }
    println!(
        "{blocked} blocked, {by_name} of them by their addresses alone; {passed} public controls pass"
    );
    assert_eq!((blocked, passed), (312, 8));
    // Names that the outer fence does not know have to be caught by their addresses.
    assert!(by_name > 20, "{by_name}");
}

#[test]
fn the_cases_of_the_url_standard_do_not_panic_and_do_not_slip_through() {
    let Some(text) = attacks("url/urltestdata.json") else { return };
    let (guard, mut count, mut routed) = (guard(&[]), 0, 0);
    let rows: Vec<Value> = serde_json::from_str(&text).unwrap();
    for row in rows.iter().filter(|row| row.is_object()) {
        count += 1;
        let input = row["input"].as_str().unwrap();
        let base = row["base"].as_str().and_then(|base| Url::parse(base).ok());
        let joined = base.and_then(|base| base.join(input).ok());
        let parsed = Vouched::new(input, Voucher::User).ok().map(|vouched| vouched.url().clone());
        for url in [joined, parsed].into_iter().flatten() {
            routed += usize::from(sound(&guard, &url));
        }
    }
    println!("{count} cases of the URL standard, {routed} of their addresses are public");
    assert_eq!(count, 869);
    assert!(routed > 50);
}

#[test]
fn the_setters_of_the_url_standard_do_not_panic_and_do_not_slip_through() {
    let Some(text) = attacks("url/setters_tests.json") else { return };
    let (guard, mut count) = (guard(&[]), 0);
    let rows: serde_json::Map<String, Value> = serde_json::from_str(&text).unwrap();
    for (part, cases) in rows.iter().filter(|(part, _)| *part != "comment") {
        for case in cases.as_array().unwrap() {
            count += 1;
            let value = case["new_value"].as_str().unwrap();
            let Ok(mut url) = Url::parse(case["href"].as_str().unwrap()) else { continue };
            let _ = match part.as_str() {
                "protocol" => url.set_scheme(value),
                "username" => url.set_username(value),
                "password" => url.set_password(Some(value)),
                "host" | "hostname" => url.set_host(Some(value)).map_err(|_| ()),
                "port" => url.set_port(value.parse().ok()),
                "pathname" => {
                    url.set_path(value);
                    Ok(())
                }
                "search" => {
                    url.set_query(Some(value));
                    Ok(())
                }
                _ => {
                    url.set_fragment(Some(value));
                    Ok(())
                }
            };
            sound(&guard, &url);
        }
    }
    // The file counts 295 with the 21 lines of its comment.
    assert_eq!(count, 274);
}

/// Whether an address is let through, after checking that it may be.
fn sound(guard: &Guard, url: &Url) -> bool {
    let through = guard.route(url, &Claim::default()).is_ok();
    if through {
        assert!(matches!(url.scheme(), "http" | "https"), "{url}");
        assert!(url.username().is_empty() && url.password().is_none(), "{url}");
        match url.host_str().unwrap().trim_matches(['[', ']']).parse::<IpAddr>() {
            Ok(address) => assert_eq!(why_not_public(address), None, "{url}"),
            Err(_) => assert_eq!(why_name_not_public(url.host_str().unwrap()), None, "{url}"),
        }
    }
    let _ = (shown(url), guard.route_api(url, true));
    through
}

#[test]
fn messages_tell_no_login_and_no_novel() {
    let text = format!("http://u:secret@example.org/{}", "é".repeat(2_000));
    let shown = shown(&url(&text));
    assert!(!shown.contains("secret") && shown.len() < 400, "{shown}");
}

proptest! {
    #[test]
    fn no_text_slips_through(text in "(https?://)?[\\PC\u{0}-\u{20}]{0,40}") {
        if let Ok(vouched) = Vouched::new(&text, Voucher::User) {
            sound(&guard(&[]), vouched.url());
        }
        let _ = Guard::new(&settings(&[text.as_str()]));
    }

    #[test]
    fn every_form_of_a_private_ipv4_address_is_refused(bits: u32) {
        let address = std::net::Ipv4Addr::from(bits);
        let [a, b, c, d] = address.octets();
        for form in [
            format!("{bits}"), format!("0x{bits:x}"), format!("0{bits:o}"), format!("{a}.{b}.{}", u32::from(c) * 256 + u32::from(d)),
            format!("0{a:o}.0x{b:x}.{c}.{d}."), format!("%3{}.{b}.{c}.{d}", a % 10), format!("{a}。{b}．{c}｡{d}"),
        ] {
            if let Ok(url) = Url::parse(&format!("http://{form}/")) {
                sound(&guard(&[]), &url);
                if form.starts_with(&bits.to_string()) {
                    prop_assert_eq!(guard(&[]).route(&url, &Claim::default()).is_ok(), why_not_public(address.into()).is_none());
                }
            }
        }
    }
}
