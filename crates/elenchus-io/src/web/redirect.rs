//! Redirects, followed by hand.

use super::failure::FetchFailure;
use super::guard::shown;
use reqwest::header::{HeaderMap, LOCATION};
use reqwest::{StatusCode, Url};

/// Longest address that a redirect may name, in bytes.
const LONGEST: usize = 4_096;

/// Whether a status sends on to another address.
pub(crate) fn is_one(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Where an answer sends us on to. Only looks at the address; whether it may be reached is the guard's to say.
pub(crate) fn next(from: &Url, headers: &HeaderMap) -> Result<Url, FetchFailure> {
    let refuse = |cause: &str| FetchFailure::Redirect { url: shown(from), cause: cause.to_owned() };
    let location = headers.get(LOCATION).ok_or_else(|| refuse("it does not say where to"))?;
    let location = std::str::from_utf8(location.as_bytes())
        .map_err(|_| refuse("where it leads is not readable"))?;
    if location.trim().is_empty() {
        return Err(refuse("it does not say where to"));
    }
    if location.len() > LONGEST {
        return Err(refuse("it leads to an address longer than 4,096 bytes"));
    }
    let mut next = from
        .join(location)
        .map_err(|error| refuse(&format!("it leads to something that is no address ({error})")))?;
    next.set_fragment(None);
    match (from.scheme(), next.scheme()) {
        ("https", "http") => Err(refuse(
            "it leads from https to http, where anyone on the way can change the page; give the http address yourself if \
             you want it read",
        )),
        (_, "http" | "https") => Ok(next),
        _ => Err(refuse("it leads to something else than http or https")),
    }
}

/// Notes a redirect from `url` to `next`, unless there were too many or it closes a circle.
pub(crate) fn count(
    redirects: &mut Vec<Url>,
    url: &Url,
    next: &Url,
    most: usize,
) -> Result<(), FetchFailure> {
    let first = redirects.first().unwrap_or(url).clone();
    let fault = |cause: String| FetchFailure::Redirects { url: shown(&first), cause };
    redirects.push(url.clone());
    if redirects.contains(next) {
        return Err(fault("in a circle".to_owned()));
    }
    if redirects.len() > most {
        return Err(fault(format!("more than {most} times")));
    }
    Ok(())
}

/// The guard's refusal of an address that a redirect led to; other failures stay what they are.
pub(crate) fn refused(from: &Url, failure: FetchFailure) -> FetchFailure {
    let FetchFailure::Refused { url, cause } = failure else { return failure };
    FetchFailure::Redirect { url: shown(from), cause: format!("it leads to {url}: {cause}") }
}
