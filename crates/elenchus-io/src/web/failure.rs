//! Why nothing was fetched.

use std::time::Duration;

/// What a failure says about trying again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nature {
    /// Refused by a rule of ours: safety, politeness, or what the user set. The same request is refused again.
    Refused,
    /// The network's or the server's trouble, which may pass.
    Passing,
    /// The same request would fail again.
    Permanent,
}

/// Why nothing was fetched. Every message says what was attempted, the cause, and the way out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchFailure {
    /// The user set `offline`.
    #[error(
        "did not fetch {url}: nothing is fetched in offline mode; choose another egress mode to reach it"
    )]
    Offline {
        /// The address.
        url: String,
    },
    /// The guard refuses the address.
    #[error("did not fetch {url}: {cause}")]
    Refused {
        /// The address.
        url: String,
        /// The cause and the way out.
        cause: String,
    },
    /// A redirect leads where we do not go.
    #[error("did not follow the redirect from {url}: {cause}")]
    Redirect {
        /// The address that redirects.
        url: String,
        /// Where to, and why not.
        cause: String,
    },
    /// More redirects than are followed, or a circle of them.
    #[error(
        "could not fetch {url}: it redirects {cause}; open it in a browser and give the address that it ends at"
    )]
    Redirects {
        /// The address asked for.
        url: String,
        /// "more than 5 times" or "in a circle".
        cause: String,
    },
    /// The site's robots.txt keeps programs from the page, or could not be had.
    #[error("did not fetch {url}: {cause}")]
    Robots {
        /// The address.
        url: String,
        /// The cause and the way out.
        cause: String,
        /// Whether the site's word could not be had for now, as opposed to being no.
        passing: bool,
    },
    /// The host asked to be left alone for a while.
    #[error(
        "did not fetch {url}: {host} asked for a rest of {} s more; try again later",
        .again_in.as_secs().max(1)
    )]
    Resting {
        /// The address.
        url: String,
        /// The host.
        host: String,
        /// For how long.
        again_in: Duration,
    },
    /// Our own queue at the host is too long.
    #[error(
        "did not fetch {url}: too many requests of ours wait for {host}; ask for fewer pages of it or try again later"
    )]
    Busy {
        /// The address.
        url: String,
        /// The host.
        host: String,
    },
    /// No connection, or it broke before the answer's head.
    #[error("could not reach {url}: {cause}; check the network and the address")]
    Unreachable {
        /// The address.
        url: String,
        /// What the network said.
        cause: String,
    },
    /// The server cannot show that it is the one asked for.
    #[error(
        "did not read {url}: its certificate is not trusted ({cause}); if the server is your own, add its authority to the \
         certificates of this machine"
    )]
    Untrusted {
        /// The address.
        url: String,
        /// What is wrong with the certificate.
        cause: String,
    },
    /// The deadline passed.
    #[error(
        "gave up on {url}: {cause} within {} s; try again later, or save the page yourself and give Elenchus the file",
        .after.as_secs_f64()
    )]
    TimedOut {
        /// The address.
        url: String,
        /// What had not happened.
        cause: String,
        /// The deadline.
        after: Duration,
    },
    /// The server answered with a failure.
    #[error("could not fetch {url}: the server answered {status}{}", status_hint(*.status))]
    Status {
        /// The address.
        url: String,
        /// The HTTP status.
        status: u16,
    },
    /// More came than is taken.
    #[error(
        "stopped fetching {url}: {cause}; download it yourself and give Elenchus the file if it matters"
    )]
    TooLarge {
        /// The address.
        url: String,
        /// Which limit was passed.
        cause: String,
    },
    /// The body cannot be unpacked.
    #[error("could not read what {url} sent: {cause}")]
    Encoding {
        /// The address.
        url: String,
        /// The cause and the way out.
        cause: String,
    },
    /// The connection ended before the body did.
    #[error(
        "{url} broke off after {received} bytes of its body; nothing of it is used; try again later"
    )]
    Cut {
        /// The address.
        url: String,
        /// Bytes of the body that had come, unpacked.
        received: usize,
    },
}

impl FetchFailure {
    /// What it says about trying again.
    pub fn nature(&self) -> Nature {
        match self {
            Self::Offline { .. }
            | Self::Refused { .. }
            | Self::Redirect { .. }
            | Self::Robots { passing: false, .. } => Nature::Refused,
            Self::Robots { .. }
            | Self::Resting { .. }
            | Self::Busy { .. }
            | Self::Unreachable { .. }
            | Self::TimedOut { .. }
            | Self::Cut { .. } => Nature::Passing,
            Self::Status { status: 408 | 425 | 429 | 500.., .. } => Nature::Passing,
            Self::Status { .. }
            | Self::Untrusted { .. }
            | Self::Redirects { .. }
            | Self::TooLarge { .. }
            | Self::Encoding { .. } => Nature::Permanent,
        }
    }

    /// The same failure, told of another address: that of the page that was wanted, or one without its query.
    pub(crate) fn told_of(mut self, address: String) -> Self {
        match &mut self {
            Self::Offline { url }
            | Self::Refused { url, .. }
            | Self::Redirect { url, .. }
            | Self::Redirects { url, .. }
            | Self::Robots { url, .. }
            | Self::Resting { url, .. }
            | Self::Busy { url, .. }
            | Self::Unreachable { url, .. }
            | Self::Untrusted { url, .. }
            | Self::TimedOut { url, .. }
            | Self::Status { url, .. }
            | Self::TooLarge { url, .. }
            | Self::Encoding { url, .. }
            | Self::Cut { url, .. } => *url = address,
        }
        self
    }

    /// Whether one of our rules refused it.
    pub fn is_refusal(&self) -> bool {
        self.nature() == Nature::Refused
    }

    /// Whether trying again later may help.
    pub fn is_passing(&self) -> bool {
        self.nature() == Nature::Passing
    }
}

fn status_hint(status: u16) -> &'static str {
    match status {
        401 | 407 => {
            " (it wants a login, which Elenchus does not give); save the page yourself and give Elenchus the file"
        }
        403 => {
            " (it does not serve programs, or not everyone); open it in a browser and save the page"
        }
        404 | 410 => " (there is no such page any more); look for its new address",
        408 | 425 | 429 => " (it is busy or asks for patience); try again later",
        451 => " (withheld for legal reasons)",
        500.. => " (its own trouble); try again later",
        _ => "; open it in a browser to see what it says",
    }
}

/// Why a client could not be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("could not set up the way to the web: {cause}")]
pub struct SetupError {
    /// The cause and the way out.
    pub cause: String,
}
