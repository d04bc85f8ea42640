//! `elenchus worker`: for a Restate server, or for runs on a PostgreSQL server that nobody drives any more.

#[cfg(feature = "postgres")]
mod abandoned;

use crate::cli::WorkerArgs;
use crate::config::Config;
use crate::durable;
use crate::error::Result;
use crate::ui::terminal::Terminal;

pub(super) async fn run(args: WorkerArgs, config: Config, terminal: &Terminal) -> Result<()> {
    #[cfg(feature = "postgres")]
    {
        let place = super::store_path(args.store.store.clone(), &config)?;
        if let Some(url) = place.database().filter(|_| !args.is_for_restate()) {
            let store = elenchus_io::store::PgStore::open(url).await?;
            return abandoned::work(args, store, place, config, terminal).await;
        }
        if args.once {
            return Err(crate::error::CliError::usage(
                "could not look for abandoned runs",
                format!("{place} is a file"),
                "name a store on a PostgreSQL server with --store or DATABASE_URL; a run in a file is gone on with by \
                 `elenchus runs resume`",
            ));
        }
    }
    durable::work(args, config, terminal).await
}
