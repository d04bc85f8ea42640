//! Which addresses and names belong to the public internet.
//!
//! The ranges follow the registries of special-purpose addresses of IANA (RFC 6890 and its successors); where a range
//! is reachable from everywhere in theory but serves no pages in practice, it counts as not public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why an address is not public; `None` for a public one.
///
/// Only addresses at which a stranger's server can be are public. Addresses that carry another address inside (mapped,
/// translated, tunnelled) never are: what they lead to depends on the network that we are in.
pub(crate) fn why_not_public(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => v4(address),
        IpAddr::V6(address) => v6(address),
    }
}

/// Whether an address is refused even where the user allowed the host: metadata services of clouds, which hand out keys
/// to whoever asks, and addresses that are no single host.
pub(crate) fn never(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_metadata(address) || no_host(address),
        IpAddr::V6(address) => {
            // What is carried inside is what is reached, if anything is.
            let inside =
                carried(address).is_some_and(|inside| is_metadata(inside) || no_host(inside));
            inside
                || address.is_multicast()
                || address.is_unspecified()
                || address == Ipv6Addr::new(0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x0254)
        }
    }
}

/// Link-local is where most clouds answer; the rest are single addresses of Alibaba, Oracle and Azure.
fn is_metadata(address: Ipv4Addr) -> bool {
    address.is_link_local()
        || matches!(address.octets(), [100, 100, 100, 200] | [192, 0, 0, 192] | [168, 63, 129, 16])
}

fn no_host(address: Ipv4Addr) -> bool {
    address.octets()[0] == 0 || address.octets()[0] >= 224
}

fn v4(address: Ipv4Addr) -> Option<&'static str> {
    Some(match address.octets() {
        _ if is_metadata(address) => "an address of cloud metadata or link-local",
        [0, ..] => "an unspecified address",
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => "a private address",
        [100, 64..=127, ..] => "an address shared behind a provider's NAT",
        [127, ..] => "a loopback address",
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => "an address for documentation",
        [192, 0, 0, _] | [192, 88, 99, _] => "an address reserved for protocols",
        [198, 18..=19, ..] => "an address for benchmarks",
        [224..=239, ..] => "a multicast address",
        [240..=255, ..] => "a reserved or broadcast address",
        _ => return None,
    })
}

fn v6(address: Ipv6Addr) -> Option<&'static str> {
    let part = address.segments();
    Some(match part {
        [0, 0, 0, 0, 0, 0, 0, 0] => "an unspecified address",
        [0, 0, 0, 0, 0, 0, 0, 1] => "a loopback address",
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] => {
            "an IPv4 address in the clothes of an IPv6 address"
        }
        [0x0064, 0xff9b, ..] => "an address translated to IPv4",
        [0x2002, ..] | [0x2001, 0, ..] => "an address tunnelled to IPv4",
        [_, _, _, _, 0 | 0x0200, 0x5efe, ..] => "an address tunnelled to IPv4",
        [0x2001, 0..=0x01ff, ..] => "an address reserved for protocols",
        [0x2001, 0x0db8, ..] | [0x3fff, 0..=0x0fff, ..] => "an address for documentation",
        [0x3ffe, ..] => "a reserved address",
        [0xfc00..=0xfdff, ..] => "a private address",
        [0xfe80..=0xfebf, ..] => "a link-local address",
        [0xfec0..=0xfeff, ..] => "a site-local address",
        [0xff00..=0xffff, ..] => "a multicast address",
        [0x2000..=0x3fff, ..] => return None,
        _ => "a reserved address",
    })
}

/// The IPv4 address that an IPv6 address carries inside, in the forms that systems are known to follow.
fn carried(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let join = |high: u16, low: u16| Ipv4Addr::from(u32::from(high) << 16 | u32::from(low));
    match address.segments() {
        // Small numbers of this form are addresses of their own: `::1`.
        [0, 0, 0, 0, 0, 0, 0, _] => None,
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x0064, 0xff9b, .., high, low]
        | [_, _, _, _, 0 | 0x0200, 0x5efe, high, low] => Some(join(high, low)),
        [0x2002, high, low, ..] => Some(join(high, low)),
        [0x2001, 0, .., high, low] => Some(join(!high, !low)),
        _ => None,
    }
}

/// Endings of names that no public server has.
const INNER: &[&str] = &[
    "localhost",
    "local",
    "localdomain",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "home.arpa",
    "svc",
    "onion",
];

/// Why a name is never public; `None` when its addresses have to decide. A trailing dot and capitals change nothing.
///
/// This is the outer fence: what counts is that every address of a name is checked.
pub(crate) fn why_name_not_public(name: &str) -> Option<&'static str> {
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    if name.is_empty() {
        return Some("it names no host");
    }
    let inner = INNER.iter().any(|ending| {
        name.strip_suffix(ending).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    });
    if inner {
        Some("its name belongs to a private network")
    } else if !name.contains('.') {
        Some("a name without a dot belongs to a private network")
    } else {
        None
    }
}

/// A host as a key: small letters, no trailing dot, no brackets.
pub(crate) fn host_key(url: &reqwest::Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

#[cfg(test)]
mod tests;
