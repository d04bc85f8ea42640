//! Names to addresses, each of them checked before anything connects.
//!
//! The client connects to what the resolver returns and to nothing else, so there is no second look-up whose answer could
//! differ from the one that was checked.

use super::guard::{Guard, Route, way_out};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::fmt;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

/// The most addresses of one name that are tried.
const MOST_ADDRESSES: usize = 16;

/// The addresses of a name, or why there are none.
pub type Looking = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Looks names up. What it answers is not trusted: every address is checked by the guard.
pub trait Lookup: Send + Sync {
    /// All addresses of a name.
    fn addresses(&self, name: &str) -> Looking;
}

/// The look-up of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn addresses(&self, name: &str) -> Looking {
        let name = name.to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Why a name may not be connected to. Found again in the chain of causes of the client's error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameRefused {
    pub(crate) cause: String,
}

impl fmt::Display for NameRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)
    }
}

impl std::error::Error for NameRefused {}

/// Looks a name up once and lets it through only when every address may be connected to.
#[derive(Clone)]
pub(crate) struct GuardedResolver {
    pub(crate) lookup: Arc<dyn Lookup>,
    pub(crate) guard: Arc<Guard>,
    pub(crate) route: Route,
}

impl GuardedResolver {
    /// The checked addresses. One that may not be reached refuses the name: an honest name has no such mixture, and
    /// picking the others would leave the choice to whoever set the trap.
    pub(crate) async fn checked(
        &self,
        name: &str,
    ) -> Result<Vec<IpAddr>, Box<dyn std::error::Error + Send + Sync>> {
        let mut addresses = self.lookup.addresses(name).await?;
        if addresses.is_empty() {
            return Err(io::Error::other("the name has no address").into());
        }
        for address in &addresses {
            if let Err(reason) = self.guard.check(*address, self.route) {
                return Err(Box::new(NameRefused {
                    cause: format!(
                        "{name} leads to {address}, which is {reason}; {}",
                        way_out(name, Some(*address))
                    ),
                }));
            }
        }
        addresses.truncate(MOST_ADDRESSES);
        Ok(addresses)
    }
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let this = self.clone();
        Box::pin(async move {
            let addresses = this.checked(name.as_str()).await?;
            let sockets = addresses.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(sockets) as Addrs)
        })
    }
}
