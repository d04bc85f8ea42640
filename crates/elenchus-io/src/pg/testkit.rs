//! Servers for tests, which `cargo xtask test` starts and names in `ELENCHUS_TEST_POSTGRES`.

use super::connect;
use std::sync::atomic::{AtomicU64, Ordering};

/// URLs of the servers. Where there are none, says so on a line that the test command counts, with the name of the test.
pub fn servers(test: &str) -> Vec<String> {
    let named = std::env::var("ELENCHUS_TEST_POSTGRES").unwrap_or_default();
    let urls: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
    if urls.is_empty() {
        #[expect(clippy::print_stdout, reason = "a skip must be seen")]
        {
            println!("skip: {test}: ELENCHUS_TEST_POSTGRES names no server");
        }
    }
    urls
}

/// Makes a schema of its own on a server, with the extension for vectors where the server has it; gives the URL under
/// which everything happens in it.
///
/// # Errors
/// When the server cannot do it.
pub async fn schema(url: &str) -> Result<String, String> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = format!("t{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let client = connect(url).await?;
    client
        .batch_execute(&format!("CREATE SCHEMA {name}"))
        .await
        .map_err(|error| super::plain_cause(&error))?;
    let joint = if url.contains('?') { '&' } else { '?' };
    Ok(format!("{url}{joint}options=-csearch_path%3D{name},public"))
}

/// Runs SQL on a server, as somebody beside Elenchus would.
///
/// # Errors
/// What the server said.
pub async fn run(url: &str, sql: &str) -> Result<(), String> {
    connect(url).await?.batch_execute(sql).await.map_err(|error| super::plain_cause(&error))
}

/// The one value that a statement gives, as text.
///
/// # Errors
/// What the server said, or that there is no such value.
pub async fn told(url: &str, sql: &str) -> Result<String, String> {
    let rows = connect(url).await?.simple_query(sql).await;
    let rows = rows.map_err(|error| super::plain_cause(&error))?;
    let value = rows.iter().find_map(|message| match message {
        tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    });
    value.ok_or_else(|| format!("{sql:?} gives nothing"))
}
