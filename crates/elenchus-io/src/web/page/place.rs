//! Where a page is: its canonical address, its site, and what its address says.

use crate::ingest::dates::dates;
use elenchus_core::evidence::PartialDate;
use reqwest::Url;

/// The registrable domain of an address by the public suffix list ("example.co.uk"); host and port of a bare IP
/// address, a single label or a public suffix itself. A port that is not the scheme's own belongs to the site only
/// where there is no domain.
pub fn site_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    let bare = || match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    };
    let is_address = host.starts_with('[') || host.parse::<std::net::Ipv4Addr>().is_ok();
    if is_address || !host.contains('.') {
        return bare();
    }
    psl::domain_str(host).map_or_else(bare, str::to_owned)
}

/// The address under which a page wants to be known, taken only when it is on the same host (with or without "www.": whoever
/// writes one part of a domain speaks for no other) and no less than the page itself: a whole site that calls its front page canonical would make all its pages one document.
pub(super) fn canonical(stated: Option<&str>, link: Option<&str>, fetched: &Url) -> Url {
    let mut fetched_bare = fetched.clone();
    fetched_bare.set_fragment(None);
    let wanted = stated.map(str::to_owned).or_else(|| linked(link, "canonical"));
    let Some(mut url) = wanted.and_then(|text| fetched.join(text.trim()).ok()) else {
        return fetched_bare;
    };
    url.set_fragment(None);
    let fits = matches!(url.scheme(), "http" | "https")
        && url.host_str().is_some_and(|host| !host.is_empty())
        && url.username().is_empty()
        && url.password().is_none()
        && url.as_str().len() <= 2_000
        && host(&url) == host(fetched)
        && url.port() == fetched.port()
        && !(url.scheme() == "http" && fetched.scheme() == "https")
        && (url.path() != "/" || url.query().is_some() || fetched.path() == "/");
    if fits { url } else { fetched_bare }
}

/// The host of an address without "www.".
fn host(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    host.strip_prefix("www.").unwrap_or(host)
}

/// The target of a `Link` header with this relation.
pub(super) fn linked(header: Option<&str>, relation: &str) -> Option<String> {
    let header: &str = header?;
    let mut rest = header;
    while let Some(open) = rest.find('<') {
        let close = rest[open..].find('>')? + open;
        let target = &rest[open + 1..close];
        let after = &rest[close + 1..];
        let end = after.find('<').unwrap_or(after.len());
        let says = after[..end].split([';', ',']).any(|part| {
            part.split_once('=').is_some_and(|(name, value)| {
                name.trim().eq_ignore_ascii_case("rel")
                    && value
                        .trim()
                        .trim_matches('"')
                        .split_ascii_whitespace()
                        .any(|one| one.eq_ignore_ascii_case(relation))
            })
        });
        if says && !target.is_empty() {
            return Some(target.to_owned());
        }
        rest = after;
    }
    None
}

/// The last part of an address, as if it were a file's name, without dates: titles and families are told from it when
/// the page names none.
pub(super) fn file_name(url: &Url) -> String {
    let last = url.path_segments().into_iter().flatten().rfind(|part| !part.is_empty());
    let name = match last {
        Some(part) => percent_encoding::percent_decode_str(part).decode_utf8_lossy().into_owned(),
        None => url.host_str().unwrap_or("page").to_owned(),
    };
    let name: String = name.chars().filter(|c| !c.is_control() && *c != '/').take(120).collect();
    match dates(&name).first() {
        Some((range, _)) if range.len() < name.len() => {
            let (before, after) = (&name[..range.start], &name[range.end..]);
            format!("{before}{after}").trim_matches(['-', '_', ' ']).to_owned()
        }
        _ => name,
    }
}

/// "/2026/05/01/title", "/2026-05/title": a date that the address names, from the month on.
pub(super) fn dated_address(url: &Url) -> Option<(PartialDate, String)> {
    let parts: Vec<&str> = url.path_segments()?.collect();
    let number = |at: usize, digits: usize, most: u8| -> Option<u8> {
        let part = parts.get(at)?;
        let value: u8 = (part.len() <= digits).then(|| part.parse().ok()).flatten()?;
        (1..=most).contains(&value).then_some(value)
    };
    for at in 0..parts.len() {
        let year = (parts[at].len() == 4).then(|| parts[at].parse::<i32>().ok()).flatten();
        if let Some(year) = year.filter(|year| (1990..2100).contains(year))
            && let Some(month) = number(at + 1, 2, 12)
        {
            return Some(match number(at + 2, 2, 31) {
                Some(day) => (PartialDate::day(year, month, day), parts[at..at + 3].join("/")),
                None => (PartialDate::month(year, month), parts[at..at + 2].join("/")),
            });
        }
        let whole = dates(parts[at]).into_iter().next();
        if let Some((range, date)) = whole
            && parts[at][range.clone()].contains('-')
            && date.precision >= elenchus_core::evidence::DatePrecision::Month
        {
            return Some((date, parts[at][range].to_owned()));
        }
    }
    None
}
