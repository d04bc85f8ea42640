//! Servers for tests, which `cargo xtask test` starts and names in `ELENCHUS_TEST_POSTGRES`.

use super::connect;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

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

/// A way to a server that can be cut: to whoever goes it, the server is gone then.
pub struct Cut {
    /// Where it begins.
    pub url: String,
    open: Arc<AtomicBool>,
}

impl Cut {
    /// A way to the server of this URL, which names a host and a port.
    ///
    /// # Errors
    /// When nothing can be listened on, or the URL names no place.
    pub fn before(url: &str) -> Result<Self, String> {
        let place = url.split('@').nth(1).and_then(|rest| rest.split('/').next());
        let server = place.ok_or("the URL names no place")?.to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        let here = listener.local_addr().map_err(|error| error.to_string())?;
        let url = url.replace(&server, &here.to_string());
        let open = Arc::new(AtomicBool::new(true));
        let gate = Arc::clone(&open);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if gate.load(Ordering::SeqCst)
                    && let Ok(server) = TcpStream::connect(&server)
                {
                    // A connection that cannot be read from is as good as none.
                    let _ = joined(client, server, &gate);
                }
            }
        });
        Ok(Self { url, open })
    }

    /// Ends every connection and lets none through.
    pub fn cut(&self) {
        self.open.store(false, Ordering::SeqCst);
    }

    /// Lets connections through again.
    pub fn mend(&self) {
        self.open.store(true, Ordering::SeqCst);
    }
}

/// Passes on what either side says, as long as the way is open.
fn joined(client: TcpStream, server: TcpStream, gate: &Arc<AtomicBool>) -> std::io::Result<()> {
    let (back, forth) = (server.try_clone()?, client.try_clone()?);
    for (from, to) in [(client, server), (back, forth)] {
        from.set_read_timeout(Some(Duration::from_millis(20)))?;
        let gate = Arc::clone(gate);
        std::thread::spawn(move || pass_on(from, to, &gate));
    }
    Ok(())
}

fn pass_on(mut from: TcpStream, mut to: TcpStream, gate: &AtomicBool) {
    let mut bytes = [0; 4096];
    while gate.load(Ordering::SeqCst) {
        match from.read(&mut bytes) {
            Ok(0) => break,
            Ok(n) if bytes.get(..n).is_some_and(|some| to.write_all(some).is_ok()) => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            _ => break,
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
