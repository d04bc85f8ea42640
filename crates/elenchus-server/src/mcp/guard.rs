//! Who may come in over HTTP. A page in a browser can send requests to this machine, so names, origins and the kind of
//! content are checked before anything is read, and a token is asked for.

use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use elenchus_core::bank::Caller;

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
pub(super) struct Closed {
    pub(super) status: StatusCode,
    pub(super) why: &'static str,
}

fn closed<T>(status: StatusCode, why: &'static str) -> Result<T, Closed> {
    Err(Closed { status, why })
}

/// All header lines together, in bytes.
pub(super) const MAX_HEAD: usize = 64 << 10;

/// Names of this machine that no other machine answers to.
pub const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

impl Door {
    /// Decides over a request. Gives on whose behalf it acts, where a token says so.
    pub(super) fn admit(&self, headers: &HeaderMap) -> Result<Option<&Caller>, Closed> {
        let head: usize =
            headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
        if head > MAX_HEAD {
            return closed(
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                "the header lines are longer than 64 KB together",
            );
        }
        self.host(headers)?;
        self.origin(headers)?;
        self.caller(headers)
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

    fn caller(&self, headers: &HeaderMap) -> Result<Option<&Caller>, Closed> {
        if self.passes.is_empty() {
            return Ok(None);
        }
        let mut given = headers.get_all(AUTHORIZATION).iter();
        let told = match (given.next(), given.next()) {
            (Some(header), None) => header.to_str().ok().and_then(bearer),
            _ => None,
        };
        let mut found = None;
        // Every pass is compared, whichever fits: the time tells nothing.
        for pass in &self.passes {
            if told.is_some_and(|token| same(token.as_bytes(), pass.token.as_bytes())) {
                found = Some(&pass.caller);
            }
        }
        match found {
            Some(caller) => Ok(Some(caller)),
            None => closed(
                StatusCode::UNAUTHORIZED,
                "send `Authorization: Bearer TOKEN` with the token of the file that `elenchus mcp --http` names at its start",
            ),
        }
    }
}

/// Whether a body is JSON in UTF-8. What a browser sends without asking first is not.
pub(super) fn is_json(headers: &HeaderMap) -> Result<(), Closed> {
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
}
