//! What sites ask of programs: robots.txt (RFC 9309), one an origin, kept for an hour.

mod rules;

use reqwest::Url;
use rules::Rules;
#[cfg(any(test, feature = "testkit"))]
pub(crate) use rules::check;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The name that sites address us by.
const TOKEN: &str = "elenchus";

/// As much of a robots.txt as is read, in bytes; the standard asks for 500 KiB at least.
pub(crate) const MOST_BYTES: usize = 512 << 10;

/// How long a site's word is kept.
const KEPT: Duration = Duration::from_hours(1);

/// How long it is kept that a site's word could not be had.
const KEPT_TROUBLE: Duration = Duration::from_mins(5);

/// Origins and bytes of robots.txt files that are kept before all are forgotten.
const MOST_ORIGINS: usize = 512;
const MOST_KEPT: usize = 16 << 20;

/// What a site says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Nothing: it has no such file.
    Free,
    /// These rules.
    Rules(Arc<[u8]>),
    /// It could not be had, so nothing is read for now.
    Trouble(String),
}

/// What the word means for one page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Leave {
    /// It may be read, with this pause between two requests where the site asks for one.
    Given(Option<Duration>),
    /// It may not, and why.
    Denied(String),
    /// Nobody could say for now, and why.
    Unknown(String),
}

/// An origin's word and until when it holds; empty before it was asked for. The lock is held while asking, so that an
/// origin is asked once however many pages of it are wanted.
pub(crate) type Slot = Arc<tokio::sync::Mutex<Option<(Word, Instant)>>>;

/// The words of all origins.
#[derive(Debug, Default)]
pub(crate) struct Robots {
    kept: Mutex<(BTreeMap<String, Slot>, usize)>,
}

impl Robots {
    /// The place of a page's origin.
    pub(crate) fn slot(&self, page: &Url) -> Slot {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.0.len() >= MOST_ORIGINS || kept.1 > MOST_KEPT {
            *kept = (BTreeMap::new(), 0);
        }
        Arc::clone(kept.0.entry(page.origin().ascii_serialization()).or_default())
    }

    /// Keeps a word in its place.
    pub(crate) fn keep(&self, place: &mut Option<(Word, Instant)>, word: Word) -> Word {
        let (length, time) = match &word {
            Word::Rules(rules) => (rules.len(), KEPT),
            Word::Free => (0, KEPT),
            Word::Trouble(_) => (0, KEPT_TROUBLE),
        };
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).1 += length;
        *place = Some((word.clone(), Instant::now() + time));
        word
    }
}

/// Where the word of a page's origin stands.
pub(crate) fn address(page: &Url) -> Url {
    let mut address = page.clone();
    address.set_path("/robots.txt");
    address.set_query(None);
    address.set_fragment(None);
    address
}

/// What a word means for a page.
pub(crate) async fn leave(word: Word, page: &Url, longest_delay: Duration) -> Leave {
    let rules = match word {
        Word::Free => return Leave::Given(None),
        Word::Trouble(cause) => {
            return Leave::Unknown(format!(
                "its robots.txt, which says what programs may read, could not be had ({cause}); try again later, or name \
                 the page in your question"
            ));
        }
        Word::Rules(rules) => rules,
    };
    let path = page
        .query()
        .map_or_else(|| page.path().to_owned(), |query| format!("{}?{query}", page.path()));
    // A stranger's long file is read where it keeps nobody else waiting.
    let judged = tokio::task::spawn_blocking(move || {
        let rules = Rules::read(&rules, TOKEN);
        (rules.allow(&path), rules.delay)
    });
    match judged.await {
        Ok((true, delay)) => {
            let delay = delay.filter(|delay| delay.is_finite() && *delay > 0.0);
            let delay = delay.map(|delay| {
                Duration::try_from_secs_f32(delay).unwrap_or(longest_delay).min(longest_delay)
            });
            Leave::Given(delay)
        }
        Ok((false, _)) => Leave::Denied(
            "the site's robots.txt asks programs to leave this page alone; open it yourself, or name it in your question"
                .to_owned(),
        ),
        Err(_) => Leave::Unknown(
            "the site's robots.txt could not be read; name the page in your question to have it read".to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests;
