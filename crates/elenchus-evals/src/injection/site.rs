//! A loopback site, listeners that nobody should reach, and names that are counted when they are looked up.

use elenchus_core::port::PortFuture;
use elenchus_io::web::provider::{Provider, ProviderFailure, WebQuery, WebResult};
use elenchus_io::web::{Looking, Lookup, Vouched, Voucher};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Hosts of the site. Each is a publisher of its own.
pub(crate) const HOSTS: &[&str] = &["river.example", "survey.example"];

/// Pages by path, and what was asked for that is none of them.
#[derive(Default)]
pub(crate) struct Site {
    pages: Mutex<BTreeMap<String, String>>,
    strange: Mutex<Vec<String>>,
    /// Every request as it came, line and headers.
    heads: Mutex<Vec<String>>,
}

/// A site that serves, and a canary beside it.
pub(crate) struct Serving {
    pub(crate) site: Arc<Site>,
    pub(crate) port: u16,
    /// Connections to the canary.
    pub(crate) touched: Arc<AtomicUsize>,
    pub(crate) canary_port: u16,
}

impl Site {
    pub(crate) fn put(&self, path: &str, html: &str) {
        self.pages
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(path.to_owned(), html.to_owned());
    }

    pub(crate) fn take_down(&self) {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// What was asked for and is no page, since this was asked last.
    pub(crate) fn strange(&self) -> Vec<String> {
        std::mem::take(&mut self.strange.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Every request since this was asked last.
    pub(crate) fn heads(&self) -> Vec<String> {
        std::mem::take(&mut self.heads.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn answer(&self, path: &str) -> String {
        let pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(html) = pages.get(path) {
            return format!(
                "HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{html}",
                html.len()
            );
        }
        if path != "/robots.txt" {
            self.strange.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
        }
        "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_owned()
    }
}

/// Serves until the program ends.
pub(crate) async fn serve() -> Result<Serving, String> {
    let failed =
        |cause: std::io::Error| format!("could not listen on the loopback interface: {cause}");
    let site = Arc::new(Site::default());
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    let served = Arc::clone(&site);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let site = Arc::clone(&served);
            tokio::spawn(async move { talk(stream, &site).await });
        }
    });
    let canary = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(failed)?;
    let canary_port = canary.local_addr().map_err(failed)?.port();
    let touched = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&touched);
    tokio::spawn(async move {
        while canary.accept().await.is_ok() {
            count.fetch_add(1, Ordering::SeqCst);
        }
    });
    Ok(Serving { site, port, touched, canary_port })
}

async fn talk(mut stream: TcpStream, site: &Site) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    while !bytes.windows(4).any(|window| window == b"\r\n\r\n") && bytes.len() < 65_536 {
        match stream.read(&mut buffer).await {
            Ok(read) if read > 0 => bytes.extend_from_slice(&buffer[..read]),
            _ => return,
        }
    }
    let head = String::from_utf8_lossy(&bytes).into_owned();
    site.heads.lock().unwrap_or_else(PoisonError::into_inner).push(head.clone());
    let path = head.split(' ').nth(1).unwrap_or("/");
    let answer = site.answer(path);
    let _ = stream.write_all(answer.as_bytes()).await;
    let _ = stream.shutdown().await;
}

/// Leads the site's names to it and counts every other name.
#[derive(Clone, Default)]
pub(crate) struct Names {
    asked: Arc<Mutex<Vec<String>>>,
}

impl Names {
    /// Names that are none of the site's and were looked up since this was asked last.
    pub(crate) fn strange(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Lookup for Names {
    fn addresses(&self, name: &str) -> Looking {
        if !HOSTS.contains(&name) {
            self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(name.to_owned());
        }
        Box::pin(async { Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)]) })
    }
}

/// A search engine that names the same pages whatever it is asked, and writes down what it was asked.
pub(crate) struct Engine {
    pub(crate) urls: Vec<String>,
    pub(crate) asked: Mutex<Vec<String>>,
}

impl Provider for Engine {
    fn name(&self) -> &'static str {
        "loopback"
    }

    fn find<'a>(
        &'a self,
        query: &'a WebQuery,
    ) -> PortFuture<'a, Result<Vec<WebResult>, ProviderFailure>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(query.text.clone());
        let results = self.urls.iter().filter_map(|url| {
            Some(WebResult {
                url: Vouched::new(url, Voucher::Provider("loopback".to_owned())).ok()?,
                title: "River lengths".to_owned(),
                snippet: String::new(),
                author: None,
                published: None,
                given: None,
            })
        });
        let results: Vec<WebResult> = results.collect();
        Box::pin(async move { Ok(results) })
    }
}
