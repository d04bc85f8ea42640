//! Who may come in over HTTP. A page in a browser can send requests to this machine, so names, origins and the kind of
//! content are checked before anything is read, and a token is asked for.
//!
//! Programs send the token with every request. A browser gives it once, in the address that is printed at the start, and
//! has a cookie from then on. A cookie is sent by the browser, whoever made it send the request: what changes anything
//! must come from a page of our own then.

use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, Method, StatusCode};
use elenchus_core::bank::Caller;
use elenchus_core::id::short_hash;
use std::borrow::Cow;

/// A token and on whose behalf its bearer acts.
#[derive(Clone)]
pub struct Pass {
    /// The secret. Never shown.
    pub token: String,
    /// Whose memory is used.
    pub caller: Caller,
}

/// What is let in.
#[derive(Clone, Default)]
pub struct Door {
    /// Names under which the server may be addressed, in lower case and without a port.
    pub hosts: Vec<String>,
    /// The port that it listens on.
    pub port: u16,
    /// The tokens that are known. Without any, nobody is asked for one.
    pub passes: Vec<Pass>,
}

/// Why a request is not let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Closed {
    pub(crate) status: StatusCode,
    pub(crate) why: Cow<'static, str>,
}

/// Who was let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry<'a> {
    /// On whose behalf, where a token says so.
    pub(crate) caller: Option<&'a Caller>,
    /// The place of the token among those that are known.
    pub(crate) pass: usize,
}

fn closed<T>(status: StatusCode, why: &'static str) -> Result<T, Closed> {
    Err(Closed { status, why: why.into() })
}

/// All header lines together, in bytes.
pub(crate) const MAX_HEAD: usize = 64 << 10;

/// Names of this machine that no other machine answers to.
pub const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

impl Door {
    /// Decides over a request of a program, which sends its token along.
    pub(crate) fn admit(&self, headers: &HeaderMap) -> Result<Entry<'_>, Closed> {
        self.address(headers)?;
        self.caller(headers)
    }

    /// Decides over a request of a program or of a browser that has signed in.
    pub(crate) fn enter(&self, method: &Method, headers: &HeaderMap) -> Result<Entry<'_>, Closed> {
        self.address(headers)?;
        if self.passes.is_empty() || headers.contains_key(AUTHORIZATION) {
            same_site(method, headers, self.passes.is_empty())?;
            return self.caller(headers);
        }
        let entry = self.signed_in(headers)?;
        same_site(method, headers, true)?;
        Ok(entry)
    }

    /// What a browser keeps of a token that fits. The token itself is not in it.
    ///
    /// # Errors
    /// When no such token is known.
    pub(crate) fn sign_in(&self, token: &str) -> Result<String, Closed> {
        let mut found = None;
        for pass in &self.passes {
            if same(token.as_bytes(), pass.token.as_bytes()) {
                found = Some(cookie_of(&pass.token));
            }
        }
        let Some(value) = found else {
            return closed(
                StatusCode::UNAUTHORIZED,
                "this is not the token of the server: take the address that it printed when it started, as it is",
            );
        };
        Ok(format!(
            "{}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000",
            self.cookie_name()
        ))
    }

    /// Cookies know no ports, and two servers of one machine are two.
    fn cookie_name(&self) -> String {
        format!("elenchus_{}", self.port)
    }

    fn signed_in(&self, headers: &HeaderMap) -> Result<Entry<'_>, Closed> {
        let name = self.cookie_name();
        let given: Vec<&str> = headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(';'))
            .filter_map(|part| part.trim().split_once('='))
            .filter(|(key, _)| *key == name)
            .map(|(_, value)| value)
            .collect();
        let mut found = None;
        for (at, pass) in self.passes.iter().enumerate() {
            let value = cookie_of(&pass.token);
            for given in &given {
                if same(given.as_bytes(), value.as_bytes()) {
                    found = Some(Entry { caller: Some(&pass.caller), pass: at });
                }
            }
        }
        match found {
            Some(entry) => Ok(entry),
            None => closed(
                StatusCode::UNAUTHORIZED,
                "no valid token came along: sign in with the address that the server printed when it started, or send its token as a bearer in the header Authorization",
            ),
        }
    }

    /// What every request must have right, whoever sends it: its size, the name of the server, the page it comes from.
    pub(crate) fn address(&self, headers: &HeaderMap) -> Result<(), Closed> {
        let head: usize =
            headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
        if head > MAX_HEAD {
            return closed(
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                "the header lines are longer than 64 KB together",
            );
        }
        self.host(headers)?;
        self.origin(headers)
    }

    fn host(&self, headers: &HeaderMap) -> Result<(), Closed> {
        let mut given = headers.get_all(HOST).iter();
        let wrong = "the Host header must name the server once, as `host` or `host:port`";
        let (Some(host), None) = (given.next(), given.next()) else {
            return closed(StatusCode::BAD_REQUEST, wrong);
        };
        let Some((name, port)) = host.to_str().ok().and_then(authority) else {
            return closed(StatusCode::BAD_REQUEST, wrong);
        };
        if self.is_ours(&name) && port.is_none_or(|port| port == self.port) {
            return Ok(());
        }
        closed(
            StatusCode::FORBIDDEN,
            "the server does not go by this Host: use 127.0.0.1 or localhost with its port, or start it with --allow-host",
        )
    }

    /// Programs send no origin; a browser sends that of the page.
    fn origin(&self, headers: &HeaderMap) -> Result<(), Closed> {
        let mut given = headers.get_all(ORIGIN).iter();
        let Some(origin) = given.next() else { return Ok(()) };
        let ours = given.next().is_none()
            && origin.to_str().is_ok_and(|origin| {
                let lower = origin.to_ascii_lowercase();
                let (rest, default) = match lower.split_once("://") {
                    Some(("http", rest)) => (rest, 80),
                    Some(("https", rest)) => (rest, 443),
                    _ => return false,
                };
                authority(rest).is_some_and(|(name, port)| {
                    self.is_ours(&name) && port.unwrap_or(default) == self.port
                })
            });
        if ours {
            return Ok(());
        }
        closed(StatusCode::FORBIDDEN, "pages of other origins may not use this server")
    }

    fn is_ours(&self, name: &str) -> bool {
        self.hosts.iter().any(|host| host == name)
    }

    fn caller(&self, headers: &HeaderMap) -> Result<Entry<'_>, Closed> {
        if self.passes.is_empty() {
            return Ok(Entry { caller: None, pass: 0 });
        }
        let mut given = headers.get_all(AUTHORIZATION).iter();
        let told = match (given.next(), given.next()) {
            (Some(header), None) => header.to_str().ok().and_then(bearer),
            _ => None,
        };
        let mut found = None;
        // Every pass is compared, whichever fits: the time tells nothing.
        for (at, pass) in self.passes.iter().enumerate() {
            if told.is_some_and(|token| same(token.as_bytes(), pass.token.as_bytes())) {
                found = Some(Entry { caller: Some(&pass.caller), pass: at });
            }
        }
        match found {
            Some(entry) => Ok(entry),
            None => closed(
                StatusCode::UNAUTHORIZED,
                "no valid token came along: send the token of the file that the server names at its start as a bearer in the header Authorization",
            ),
        }
    }
}

/// Whether a request may have been made by a page that is not ours. Programs send none of these lines. `by_browser`: the
/// browser vouches for the request by itself, with a cookie or because nobody is asked for a token.
fn same_site(method: &Method, headers: &HeaderMap, by_browser: bool) -> Result<(), Closed> {
    let line = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let site = line("sec-fetch-site");
    if !by_browser || matches!(site, Some("same-origin" | "none")) {
        return Ok(());
    }
    let changes = !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    let with_cookie = headers.contains_key(COOKIE);
    if changes {
        // An Origin that is there was found to be ours.
        if headers.contains_key(ORIGIN) || (site.is_none() && !with_cookie) {
            return Ok(());
        }
        return closed(
            StatusCode::FORBIDDEN,
            "what changes something must come from a page of this server: send its Origin, or use the token as a bearer",
        );
    }
    // Another page may link here. What it embeds or fetches, it could learn from.
    let navigates = line("sec-fetch-mode") == Some("navigate")
        && matches!(line("sec-fetch-dest"), None | Some("document"));
    if site.is_none() || navigates {
        return Ok(());
    }
    closed(StatusCode::FORBIDDEN, "pages of other origins may not use this server")
}

/// What stands for a token in a cookie.
fn cookie_of(token: &str) -> String {
    short_hash(format!("elenchus cookie\n{token}").as_bytes(), 64)
}

/// Whether a body is JSON in UTF-8. What a browser sends without asking first is not.
pub(crate) fn is_json(headers: &HeaderMap) -> Result<(), Closed> {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let mut parts = kind.split(';').map(str::trim);
    let json = parts.next().is_some_and(|kind| kind.eq_ignore_ascii_case("application/json"));
    let utf8 = parts.all(|part| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let value = value.trim().trim_matches('"');
        !name.trim().eq_ignore_ascii_case("charset") || value.eq_ignore_ascii_case("utf-8")
    });
    if json && utf8 {
        return Ok(());
    }
    closed(StatusCode::UNSUPPORTED_MEDIA_TYPE, "send Content-Type: application/json, in UTF-8")
}

/// The name in lower case and the port of `host`, `host:port` or `[address]:port`; `None` for anything else.
fn authority(text: &str) -> Option<(String, Option<u16>)> {
    let (name, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let (address, rest) = rest.split_once(']')?;
            address.parse::<std::net::Ipv6Addr>().ok()?;
            let port = if rest.is_empty() { None } else { Some(rest.strip_prefix(':')?) };
            (format!("[{address}]"), port)
        }
        None => match text.split_once(':') {
            Some((name, port)) => (name.to_owned(), Some(port)),
            None => (text.to_owned(), None),
        },
    };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_[]:".contains(&byte);
    if name.is_empty() || !name.bytes().all(plain) {
        return None;
    }
    let port = match port {
        Some(port) if port.bytes().all(|byte| byte.is_ascii_digit()) => Some(port.parse().ok()?),
        Some(_) => return None,
        None => None,
    };
    Some((name.to_ascii_lowercase(), port))
}

/// The token of `Bearer TOKEN`.
fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// Compares in a time that depends on the length of `known` alone.
fn same(given: &[u8], known: &[u8]) -> bool {
    let mut differing = u8::from(given.len() != known.len());
    for (at, byte) in known.iter().enumerate() {
        differing |= byte ^ given.get(at).copied().unwrap_or(!byte);
    }
    std::hint::black_box(differing) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    fn door() -> Door {
        let pass = Pass { token: "secret".to_owned(), caller: Caller::local("p") };
        Door { hosts: LOOPBACK.map(str::to_owned).to_vec(), port: 8400, passes: vec![pass] }
    }

    fn status(headers: &[(HeaderName, &str)]) -> u16 {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name.clone(), HeaderValue::from_str(value).unwrap());
        }
        door().admit(&map).map_or_else(|closed| closed.status.as_u16(), |_| 200)
    }

    const TOKEN: (HeaderName, &str) = (AUTHORIZATION, "Bearer secret");

    #[test]
    fn the_host_must_be_ours() {
        for (host, expected) in [
            ("127.0.0.1:8400", 200),
            ("LOCALHOST", 200),
            ("[::1]:8400", 200),
            ("127.0.0.1:1", 403),
            ("evil.test", 403),
            ("localhost.evil.test:8400", 403),
            ("127.0.0.1:8400@evil.test", 400),
            ("a, b", 400),
            ("", 400),
        ] {
            assert_eq!(status(&[(HOST, host), TOKEN]), expected, "{host}");
        }
        assert_eq!(status(&[(HOST, "localhost"), (HOST, "localhost"), TOKEN]), 400);
    }

    #[test]
    fn an_origin_must_be_ours_to_the_port() {
        let host = (HOST, "localhost:8400");
        for (origin, expected) in [
            ("http://localhost:8400", 200),
            ("HTTP://127.0.0.1:8400", 200),
            ("http://localhost", 403),
            ("http://localhost:8400/", 403),
            ("null", 403),
            ("file://", 403),
            ("http://evil.test:8400", 403),
            ("", 403),
        ] {
            assert_eq!(status(&[host.clone(), (ORIGIN, origin), TOKEN]), expected, "{origin}");
        }
    }

    #[test]
    fn a_token_fits_whole_or_not_at_all() {
        let host = (HOST, "localhost:8400");
        for (header, expected) in [
            ("Bearer secret", 200),
            ("bearer secret", 200),
            ("Bearer secre", 401),
            ("Bearer secretx", 401),
            ("Bearer", 401),
            ("Bearer ", 401),
            ("Basic secret", 401),
            ("Bearer secret, Bearer x", 401),
        ] {
            assert_eq!(status(&[host.clone(), (AUTHORIZATION, header)]), expected, "{header}");
        }
        assert_eq!(status(&[host]), 401);
    }

    #[test]
    fn only_json_in_utf8_is_read() {
        let kind = |value: &str| {
            let mut map = HeaderMap::new();
            map.insert(CONTENT_TYPE, HeaderValue::from_str(value).unwrap());
            is_json(&map).is_ok()
        };
        assert!(kind("application/json"));
        assert!(kind("Application/JSON; charset=\"UTF-8\""));
        assert!(!kind("application/json; charset=utf-16"));
        assert!(!kind("text/plain"));
        assert!(is_json(&HeaderMap::new()).is_err());
    }

    fn enters(method: &Method, headers: &[(&str, &str)]) -> u16 {
        let mut map = HeaderMap::new();
        map.insert(HOST, HeaderValue::from_static("localhost:8400"));
        for (name, value) in headers {
            let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
            map.append(name, HeaderValue::from_str(value).unwrap());
        }
        door().enter(method, &map).map_or_else(|closed| closed.status.as_u16(), |_| 200)
    }

    #[test]
    fn a_browser_signs_in_once_and_changes_things_from_our_pages_only() {
        let door = door();
        assert_eq!(door.sign_in("secre").unwrap_err().status, StatusCode::UNAUTHORIZED);
        let told = door.sign_in("secret").unwrap();
        assert!(told.contains("HttpOnly") && told.contains("SameSite=Strict"), "{told}");
        assert!(!told.contains("secret"), "{told}");
        let cookie = told.split(';').next().unwrap().to_owned();
        let with = |more: &[(&str, &str)], method: &Method| {
            let mut headers = vec![("cookie", cookie.as_str())];
            headers.extend(more);
            enters(method, &headers)
        };
        assert_eq!(with(&[], &Method::GET), 200);
        assert_eq!(enters(&Method::GET, &[]), 401);
        assert_eq!(enters(&Method::GET, &[("cookie", "elenchus_8400=secret")]), 401);
        assert_eq!(enters(&Method::GET, &[("cookie", &cookie.replace("8400", "8401"))]), 401);
        // A change without a word about where it comes from.
        assert_eq!(with(&[], &Method::POST), 403);
        assert_eq!(with(&[("origin", "http://localhost:8400")], &Method::POST), 200);
        assert_eq!(with(&[("sec-fetch-site", "same-origin")], &Method::POST), 200);
        assert_eq!(with(&[("sec-fetch-site", "same-site")], &Method::POST), 403);
        assert_eq!(with(&[("origin", "http://localhost:3000")], &Method::POST), 403);
        // Another page of this machine that embeds ours.
        assert_eq!(with(&[("sec-fetch-site", "same-site")], &Method::GET), 403);
        let link = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
        assert_eq!(with(&link, &Method::GET), 200);
        assert_eq!(with(&[link[0], link[1], ("sec-fetch-dest", "iframe")], &Method::GET), 403);
        // A program needs none of that.
        assert_eq!(enters(&Method::POST, &[("authorization", "Bearer secret")]), 200);
    }
}
