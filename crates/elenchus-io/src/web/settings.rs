//! How the web is reached: what may be reached at all, how much is taken, how long is waited.

use super::guard::Guard;
use reqwest::Url;
use std::time::Duration;

/// Which hosts may be reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Egress {
    /// None: nothing leaves this machine, not even to a neighbour.
    Offline,
    /// Only the hosts that the user allowed by name, and provider endpoints at private addresses.
    PrivateOnly,
    /// Public addresses, and the hosts that the user allowed.
    #[default]
    Public,
}

/// The settings of a [`Fetcher`](super::Fetcher) and an [`ApiClient`](super::ApiClient).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchSettings {
    /// Which hosts may be reached.
    pub egress: Egress,
    /// Hosts that may be reached although their address is private, as `host` or `host:port`, exactly. Without a port
    /// the ports 80, 443, 8080 and 8443 are meant. Only the user's own words belong here.
    pub allow: Vec<String>,
    /// An address or page of the user that servers are told in the user agent, so that their owners can write.
    pub contact: Option<String>,
    /// For one page from the first connection to the last byte, redirects and robots.txt included; waiting for one's
    /// turn at a host does not count.
    pub deadline: Duration,
    /// To connect, TLS included.
    pub connect: Duration,
    /// The most bytes of one body, on the wire and unpacked.
    pub most_bytes: usize,
    /// How many times larger than on the wire a body may become.
    pub most_ratio: u32,
    /// Unpacked bytes up to which the ratio is not looked at.
    pub ratio_after: usize,
    /// The most bytes of all names and values of an answer's headers.
    pub most_header_bytes: usize,
    /// The most redirects that are followed for one page.
    pub most_redirects: usize,
    /// The least time between the beginnings of two requests to one host. None is kept at loopback hosts that the user
    /// allowed.
    pub pause: Duration,
    /// The longest pause that a robots.txt can ask for with `Crawl-delay`.
    pub longest_crawl_delay: Duration,
    /// The longest time that a host can ask to be left alone.
    pub longest_rest: Duration,
    /// The longest wait for one's turn at a host.
    pub longest_wait: Duration,
    /// The most requests under way at one host.
    pub most_at_a_host: usize,
    /// The most requests under way in all.
    pub most_at_once: usize,
}

impl Default for FetchSettings {
    fn default() -> Self {
        Self {
            egress: Egress::Public,
            allow: Vec::new(),
            contact: None,
            deadline: Duration::from_secs(20),
            connect: Duration::from_secs(8),
            most_bytes: 8 << 20,
            most_ratio: 100,
            ratio_after: 1 << 20,
            most_header_bytes: 64 << 10,
            most_redirects: 5,
            pause: Duration::from_millis(500),
            longest_crawl_delay: Duration::from_secs(10),
            longest_rest: Duration::from_mins(5),
            longest_wait: Duration::from_mins(1),
            most_at_a_host: 2,
            most_at_once: 8,
        }
    }
}

impl FetchSettings {
    /// Whether an address is on a host, and at a port, that the user allowed; not where a host that is written wrongly
    /// stands among them.
    pub fn allows(&self, address: &str) -> bool {
        let url = Url::parse(address);
        Guard::new(self).is_ok_and(|guard| url.is_ok_and(|url| guard.allows(&url)))
    }

    /// What servers are told of who asks: `Elenchus/VERSION (+contact)`. Characters that do not belong in a
    /// header's comment are left out.
    pub fn user_agent(&self) -> String {
        let name = concat!("Elenchus/", env!("CARGO_PKG_VERSION"));
        let contact: String = self
            .contact
            .iter()
            .flat_map(|contact| contact.chars())
            .filter(|char| char.is_ascii_graphic() && !matches!(char, '(' | ')'))
            .take(200)
            .collect();
        if contact.is_empty() {
            format!("{name} (research on behalf of one person; obeys robots.txt for elenchus)")
        } else {
            format!("{name} (+{contact})")
        }
    }
}
