//! Files of a model over HTTP, into a folder: each whole or not at all.

use futures_util::StreamExt;
use std::path::Path;
use std::time::Duration;
use tokio::io::AsyncWriteExt;

/// The most bytes of one file.
const MOST_BYTES: u64 = 4 << 30;

/// No byte for so long is a stall.
const STALL: Duration = Duration::from_mins(1);

/// Why a file could not be fetched.
#[derive(Debug, thiserror::Error)]
#[error("could not fetch {address}: {cause}")]
pub struct DownloadError {
    /// Without user, password and query.
    pub address: String,
    /// What went wrong, and the way out where there is one.
    pub cause: String,
    /// The server does not have the file.
    pub missing: bool,
}

/// Fetches a file. `told` gets the bytes that have come and, where the server says so, those that there are.
///
/// # Errors
/// When the address is none, the server cannot be reached or does not have the file, the file is larger than 4 GB or
/// shorter than was said, or it cannot be written. Nothing is left behind then.
pub async fn fetch(
    address: &str,
    to: &Path,
    told: &mut (dyn FnMut(u64, Option<u64>) + Send),
) -> Result<(), DownloadError> {
    let part = to.with_extension("part");
    let done = stream(address, &part, told).await.and_then(|()| {
        std::fs::rename(&part, to).map_err(|error| failed(address, error.to_string()))
    });
    if done.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    done
}

fn failed(address: &str, cause: impl Into<String>) -> DownloadError {
    DownloadError { address: shown(address), cause: cause.into(), missing: false }
}

/// An address as it may be shown: what stands before `@` and after `?` may be secret.
fn shown(address: &str) -> String {
    match reqwest::Url::parse(address) {
        Ok(mut url) => {
            let _ = url.set_username("");
            let _ = url.set_password(None);
            url.set_query(None);
            url.to_string()
        }
        Err(_) => address.split('?').next().unwrap_or_default().to_owned(),
    }
}

async fn stream(
    address: &str,
    to: &Path,
    told: &mut (dyn FnMut(u64, Option<u64>) + Send),
) -> Result<(), DownloadError> {
    let failed = |cause: String| failed(address, cause);
    let sent = |error: reqwest::Error| {
        let error = error.without_url();
        let mut cause = error.to_string();
        let mut below = std::error::Error::source(&error);
        while let Some(deeper) = below {
            cause = deeper.to_string();
            below = deeper.source();
        }
        failed(format!("{cause}; check the address and the network"))
    };
    // A second provider is refused, and the first one serves as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder()
        .user_agent(concat!("elenchus/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(Duration::from_secs(20))
        .read_timeout(STALL)
        .build()
        .map_err(sent)?;
    let response = client.get(address).send().await.map_err(sent)?;
    let status = response.status();
    if !status.is_success() {
        return Err(DownloadError {
            missing: status.as_u16() == 404,
            ..failed(format!("the server answered {status}"))
        });
    }
    let whole = response.content_length();
    if whole.is_some_and(|whole| whole > MOST_BYTES) {
        return Err(failed("it is larger than 4 GB".to_owned()));
    }
    let written = |error: std::io::Error| {
        failed(format!("it could not be written to {}: {error}", to.display()))
    };
    let mut file = tokio::fs::File::create(to).await.map_err(written)?;
    let mut pieces = response.bytes_stream();
    let mut come = 0;
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(sent)?;
        come += piece.len() as u64;
        if come > MOST_BYTES {
            return Err(failed("it is larger than 4 GB".to_owned()));
        }
        file.write_all(&piece).await.map_err(written)?;
        told(come, whole);
    }
    if whole.is_some_and(|whole| whole != come) {
        return Err(failed(format!("it ended after {come} bytes; try again")));
    }
    file.sync_all().await.map_err(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    /// A server that gives this answer to each request.
    fn server(answer: &'static [u8]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let address = listener.local_addr().expect("it is bound");
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut request = [0; 2048];
                let _ = stream.read(&mut request);
                let _ = stream.write_all(answer);
            }
        });
        format!("http://user:secret@{address}/m/config.json?token=hidden")
    }

    /// Names and bytes of the files that are left.
    type Left = Vec<(String, Vec<u8>)>;

    fn fetched(answer: &'static [u8]) -> (Result<(), DownloadError>, Left) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let to = folder.path().join("config.json");
        let done = runtime.block_on(fetch(&server(answer), &to, &mut |_, _| ()));
        let left = std::fs::read_dir(folder.path())
            .expect("the folder is there")
            .map(|entry| entry.expect("an entry").path())
            .map(|path| {
                let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
                (name, std::fs::read(path).expect("it can be read"))
            })
            .collect();
        (done, left)
    }

    #[test]
    fn a_file_comes_whole_or_not_at_all() {
        let (done, left) =
            fetched(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}");
        assert!(done.is_ok(), "{done:?}");
        assert_eq!(left, [("config.json".to_owned(), b"{}".to_vec())]);
        let (done, left) =
            fetched(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\nconnection: close\r\n\r\n{}");
        assert!(done.is_err());
        assert!(left.is_empty(), "{left:?}");
        let (done, left) =
            fetched(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        let error = done.expect_err("it is not there");
        assert!(error.missing && left.is_empty());
        let text = error.to_string();
        assert!(!text.contains("secret") && !text.contains("hidden"), "{text}");
        let (done, _) = fetched(
            b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\nconnection: close\r\n\r\n{}",
        );
        assert!(done.expect_err("too large").to_string().contains("larger than 4 GB"));
    }
}
