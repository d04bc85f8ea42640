//! A wiki on the loopback interface for tests: MediaWiki's `api.php` as far as it is asked here, pages, robots.txt.
//!
//! origin: documented. The shapes follow the public documentation of MediaWiki's action API.

use reqwest::Url;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// An article of a [`LoopbackWiki`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Article {
    /// Its title; the address is made of it.
    pub title: String,
    /// Paragraphs, one a line. A line `== Heading ==` is a heading, one that begins with `* ` an item of a list.
    pub text: String,
}

impl Article {
    /// An article.
    pub fn new(title: &str, text: &str) -> Self {
        Self { title: title.to_owned(), text: text.to_owned() }
    }
}

/// A wiki that runs until it is dropped. What it was asked is kept.
#[derive(Debug)]
pub struct LoopbackWiki {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    stopped: Arc<AtomicBool>,
}

impl LoopbackWiki {
    /// Serves these articles at a free port of 127.0.0.1. Pages below `/wiki/Special:` are closed by robots.txt.
    ///
    /// # Errors
    /// When no port can be had.
    pub fn start(articles: Vec<Article>) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let stopped = Arc::new(AtomicBool::new(false));
        let wiki = Arc::new(Wiki { base: format!("http://{address}"), articles });
        let (log, stop) = (Arc::clone(&asked), Arc::clone(&stopped));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let (wiki, log) = (Arc::clone(&wiki), Arc::clone(&log));
                // A client that went away is no failure of the wiki.
                std::thread::spawn(move || wiki.serve(&stream, &log).ok());
            }
        });
        Ok(Self { address, asked, stopped })
    }

    /// `http://127.0.0.1:PORT`
    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The name of the provider that asks this wiki: `mediawiki:http://127.0.0.1:PORT/w/api.php`.
    pub fn provider(&self) -> String {
        format!("mediawiki:{}/w/api.php", self.base())
    }

    /// Paths and queries that were asked for, in order.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for LoopbackWiki {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        // Wakes the listener, which then sees that it is to stop.
        drop(TcpStream::connect_timeout(&self.address, Duration::from_secs(1)));
    }
}

struct Wiki {
    base: String,
    articles: Vec<Article>,
}

impl Wiki {
    fn serve(&self, stream: &TcpStream, log: &Mutex<Vec<String>>) -> io::Result<()> {
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        let mut lines = BufReader::new(stream.take(64 << 10)).lines();
        let first = lines.next().transpose()?.unwrap_or_default();
        while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
        let target = first.split(' ').nth(1).unwrap_or("/").to_owned();
        log.lock().unwrap_or_else(PoisonError::into_inner).push(target.clone());
        let (status, kind, body) = self.answer(&target);
        let mut out = stream;
        write!(
            out,
            "HTTP/1.1 {status} Wiki\r\nconnection: close\r\ncontent-type: {kind}; charset=utf-8\r\ncontent-length: {}\r\n\r\n",
            body.len()
        )?;
        if !first.starts_with("HEAD ") {
            out.write_all(body.as_bytes())?;
        }
        out.flush()
    }

    fn answer(&self, target: &str) -> (u16, &'static str, String) {
        let Ok(url) = Url::parse(&self.base).and_then(|base| base.join(target)) else {
            return (400, "text/plain", String::new());
        };
        let path =
            percent_encoding::percent_decode_str(url.path()).decode_utf8_lossy().into_owned();
        match path.as_str() {
            "/robots.txt" => {
                (200, "text/plain", "User-agent: *\nDisallow: /wiki/Special:\n".to_owned())
            }
            "/w/api.php" => {
                let asked = url.query_pairs().into_owned().collect();
                (200, "application/json", self.api(&asked).to_string())
            }
            path => {
                let title = path.strip_prefix("/wiki/").map(|title| title.replace('_', " "));
                let article =
                    self.articles.iter().find(|article| Some(&article.title) == title.as_ref());
                match article {
                    Some(article) => (200, "text/html", page(article)),
                    None => {
                        (404, "text/html", "<!DOCTYPE html><title>No such page</title>".to_owned())
                    }
                }
            }
        }
    }

    fn api(&self, asked: &BTreeMap<String, String>) -> Value {
        let one = |name: &str| asked.get(name).map_or("", String::as_str);
        if one("action") != "query" || one("format") != "json" {
            return json!({"error": {"code": "badvalue", "info": "Unrecognized value for a parameter."}});
        }
        let number = |name: &str, usual: usize| one(name).parse().unwrap_or(usual);
        if one("list") == "search" {
            let found = self.found(one("srsearch"));
            let hits: Vec<Value> = found
                .iter()
                .skip(number("sroffset", 0))
                .take(number("srlimit", 10))
                .map(|(at, article)| {
                    let snippet: String = escaped(&article.text).chars().take(200).collect();
                    json!({"ns": 0, "title": article.title, "pageid": at + 1, "snippet": snippet})
                })
                .collect();
            return json!({"batchcomplete": "", "query": {"searchinfo": {"totalhits": found.len()}, "search": hits}});
        }
        let found = self.found(one("gsrsearch"));
        let mut pages: Vec<(usize, Value)> = found
            .iter()
            .take(number("gsrlimit", 10))
            .enumerate()
            .map(|(rank, (at, article))| {
                let address = self.address(article);
                let extract = article.text.trim().lines().next().unwrap_or_default();
                let page = json!({
                    "pageid": at + 1, "ns": 0, "title": article.title, "index": rank + 1, "extract": extract,
                    "fullurl": address, "canonicalurl": address,
                });
                (*at, page)
            })
            .collect();
        // By page and not by rank, as the real one does.
        pages.sort_by_key(|(at, _)| *at);
        let pages: Vec<Value> = pages.into_iter().map(|(_, page)| page).collect();
        if pages.is_empty() {
            return json!({"batchcomplete": true});
        }
        json!({"batchcomplete": true, "query": {"pages": pages}})
    }

    /// Articles with words of the query, those with most of them first, with their places.
    fn found(&self, query: &str) -> Vec<(usize, &Article)> {
        let wanted: Vec<String> = words(query).filter(|word| word.chars().count() > 3).collect();
        let mut found: Vec<(usize, usize, &Article)> = Vec::new();
        for (at, article) in self.articles.iter().enumerate() {
            let title: Vec<String> = words(&article.title).collect();
            let text: Vec<String> = words(&article.text).collect();
            let score = |word: &String| {
                2 * usize::from(title.contains(word)) + usize::from(text.contains(word))
            };
            let sum: usize = wanted.iter().map(score).sum();
            if sum > 0 {
                found.push((sum, at, article));
            }
        }
        found.sort_by_key(|(sum, at, _)| (std::cmp::Reverse(*sum), *at));
        found.into_iter().map(|(_, at, article)| (at, article)).collect()
    }

    fn address(&self, article: &Article) -> String {
        format!("{}/wiki/{}", self.base, article.title.replace(' ', "_"))
    }
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// An article as MediaWiki shows it, navigation included.
fn page(article: &Article) -> String {
    let title = escaped(&article.title);
    let mut body = String::new();
    let mut in_list = false;
    for line in article.text.trim().lines().map(str::trim) {
        let item = line.strip_prefix("* ");
        if item.is_some() != in_list {
            body.push_str(if in_list { "</ul>\n" } else { "<ul>\n" });
            in_list = !in_list;
        }
        let heading = line.strip_prefix("== ").and_then(|line| line.strip_suffix(" =="));
        let (tag, words) = match (item, heading) {
            (Some(item), _) => ("li", item),
            (None, Some(heading)) => ("h2", heading),
            (None, None) => ("p", line),
        };
        // Writing to a text cannot fail.
        let _ = writeln!(body, "<{tag}>{}</{tag}>", escaped(words));
    }
    if in_list {
        body.push_str("</ul>\n");
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title} - Loopback wiki</title>\
         <meta name=\"generator\" content=\"MediaWiki 1.43.0\"></head><body><div id=\"mw-navigation\"><ul><li><a \
         href=\"/wiki/Special:Random\">Random page</a></li></ul></div><div id=\"content\" class=\"mw-body\"><h1 \
         id=\"firstHeading\">{title}</h1><div class=\"mw-parser-output\">\n{body}</div></div></body></html>\n"
    )
}
