//! Where memos are: the store's file, or another Elenchus.

use super::super::store_path;
use crate::cli::MemoPlace;
use crate::config::Config;
use crate::error::{CliError, Kind, Result};
use crate::wire;
use crate::words::nearest;
use elenchus_core::bank::Caller;
use elenchus_core::graph::Memo;
use elenchus_core::id::MemoId;
use elenchus_core::port::{MemoFailure, MemoFilter, Memos};
use elenchus_io::memos::{RemoteMemos, RemoteSettings};
use std::sync::Arc;

/// The namespace of a user who names none.
const USUAL: &str = "default";

/// Memos, and which of them are meant.
pub(super) struct Place {
    pub(super) memos: Arc<dyn Memos>,
    pub(super) tenant: String,
    /// The namespace of what is saved or named.
    pub(super) namespace: String,
    /// The namespace that is listed: empty for all.
    pub(super) listed: String,
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

impl Place {
    /// For saving: a store is made where there is none.
    pub(super) fn make(args: &MemoPlace, config: &Config) -> Result<Self> {
        let memos = match remote(args)? {
            Some(remote) => remote,
            None => wire::memos(&store_path(args.store.store.clone(), config)?, config)?,
        };
        Ok(Self::of(memos, args))
    }

    /// For looking: `None` where there is no store, and none is made.
    pub(super) fn looked(args: &MemoPlace, config: &Config) -> Result<Option<Self>> {
        if let Some(remote) = remote(args)? {
            return Ok(Some(Self::of(remote, args)));
        }
        let path = store_path(args.store.store.clone(), config)?;
        if !path.is_made() {
            return Ok(None);
        }
        Ok(Some(Self::of(wire::memos(&path, config)?, args)))
    }

    /// For a memo that must be there.
    pub(super) fn there(args: &MemoPlace, config: &Config) -> Result<Self> {
        Self::looked(args, config)?.ok_or_else(|| {
            CliError::usage(
                "could not find the memo",
                "there are no memos yet",
                "`elenchus memo save TEXT` makes one, `elenchus memo keep RUN` makes those of an answer; --store names another file",
            )
        })
    }

    fn of(memos: Arc<dyn Memos>, args: &MemoPlace) -> Self {
        let named = args.namespace.clone().or_else(|| RemoteSettings::default_namespace(variable));
        Self {
            memos,
            tenant: Caller::local(USUAL).tenant,
            namespace: named.clone().unwrap_or_else(|| USUAL.to_owned()),
            listed: named.unwrap_or_default(),
        }
    }

    /// The memo that is called so, or the only one that begins so.
    pub(super) async fn memo(&self, name: &str) -> Result<Memo> {
        let id = MemoId(name.trim().to_owned());
        let there =
            self.memos.get(&self.tenant, &self.namespace, std::slice::from_ref(&id)).await?;
        if let Some(memo) = there.into_iter().next() {
            return Ok(memo);
        }
        let all = self.memos.list(&self.tenant, &MemoFilter::default()).await?;
        let (here, elsewhere): (Vec<Memo>, Vec<Memo>) =
            all.into_iter().partition(|memo| memo.namespace == self.namespace);
        let begins = |memo: &&Memo| {
            let own = memo.id.as_str();
            let rest = own.strip_prefix("memo_").unwrap_or(own);
            !id.as_str().is_empty()
                && (own.starts_with(id.as_str()) || rest.starts_with(id.as_str()))
        };
        let near: Vec<&Memo> = here.iter().filter(begins).collect();
        match near.as_slice() {
            [one] => return Ok((*one).clone()),
            [] => {}
            many => {
                let ids: Vec<&str> = many.iter().take(5).map(|memo| memo.id.as_str()).collect();
                return Err(CliError::usage(
                    format!("could not tell which memo {name:?} is"),
                    format!("{} memos begin so: {}", many.len(), ids.join(", ")),
                    "give more of the id",
                ));
            }
        }
        let hint = if let Some(other) = elsewhere.iter().find(begins) {
            format!("it is in another one: add --namespace {}", other.namespace)
        } else if let Some(other) = nearest(id.as_str(), here.iter().map(|memo| memo.id.as_str())) {
            format!("did you mean {other}? `elenchus memo list` shows those there are")
        } else {
            "`elenchus memo list` shows those there are".to_owned()
        };
        Err(CliError::usage(
            format!("could not find memo {name:?}"),
            format!("there is none in the namespace {}", self.namespace),
            hint,
        ))
    }
}

/// Another Elenchus, where the environment names one and no file was named.
fn remote(args: &MemoPlace) -> Result<Option<Arc<dyn Memos>>> {
    if args.store.store.is_some() {
        return Ok(None);
    }
    match RemoteSettings::from_variables(variable)? {
        Some(settings) => Ok(Some(Arc::new(RemoteMemos::new(settings)?))),
        None => Ok(None),
    }
}

impl From<MemoFailure> for CliError {
    fn from(failure: MemoFailure) -> Self {
        let kind = match failure {
            MemoFailure::Unknown(_) | MemoFailure::Refused { .. } => Kind::Usage,
            MemoFailure::Io { .. } => Kind::Storage,
        };
        match failure {
            MemoFailure::Refused { attempted, cause, way_out } => {
                Self::new(kind, format!("could not {attempted}"), cause, way_out)
            }
            MemoFailure::Unknown(id) => Self::new(
                kind,
                format!("could not find memo {id}"),
                "there is none in the namespace",
                "`elenchus memo list` shows those there are",
            ),
            MemoFailure::Io { attempted, cause } => {
                let (cause, hint) = cause
                    .rsplit_once("; ")
                    .unwrap_or((&cause, "`elenchus doctor` checks the store"));
                Self::new(kind, format!("could not {attempted}"), cause, hint)
            }
        }
    }
}
