//! Brings the index up to the folder.

use super::CorpusError;
use super::cluster::{body, clusters, signature};
use super::corpus::Corpus;
use super::embedding::{embed, in_batches};
use super::index::{Stamp, bump, from_json, meta, put_source, remove_source, set_meta, to_json};
use super::kept_vectors;
use super::subjects::NameCount;
use super::vectors::recipe;
use crate::ingest::{Found, FoundFile, LeftOut, Secrets, content_hash, ingest_with, secrets, walk};
use elenchus_core::evidence::Source;
use elenchus_core::id::SourceId;
use elenchus_core::port::SkippedFile;
use elenchus_core::text::squeeze;
use rayon::prelude::*;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

/// Documents written in one transaction.
const BATCH_DOCUMENTS: usize = 500;
/// Bytes of text written in one transaction, so that few large documents do not wait for many.
const BATCH_BYTES: usize = 32 << 20;
/// Files that are read while those before are written.
const AHEAD_FILES: usize = 64;
/// Bytes of files that are read while those before are written: texts of both are held at once.
const AHEAD_BYTES: u64 = 16 << 20;
/// Documents whose names are counted at a time.
const NAMED_DOCUMENTS: usize = 64;

/// New documents whose first words are told.
const MOST_HEADS: usize = 64;
/// Characters of a document that are told.
const HEAD: usize = 1_000;

/// Why a file is left out whose name holds a secret.
const NAMED_BY_A_SECRET: &str = "its name, or that of a folder above it, holds what seems to be a secret; rename it, or say that \
                                 secrets are kept with the setting `ingest.keep_secrets` (--keep-secrets)";

/// What a sync did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IngestReport {
    /// Title and first words of the first files that are new, for a run that may have missed them.
    pub heads: Vec<String>,
    /// Files that are new.
    pub added: u32,
    /// Files whose bytes changed.
    pub changed: u32,
    /// Documents whose files are gone.
    pub removed: u32,
    /// Files that were up to date.
    pub unchanged: u32,
    /// Files that gave no text, with the reason.
    pub skipped: Vec<SkippedFile>,
    /// Files read with losses (replaced bytes, bad lines), with what was lost.
    pub notes: Vec<SkippedFile>,
    /// Files of the index in which secrets stand that were left out of it.
    pub secrets: Vec<FileSecrets>,
    /// Passages in the index afterwards.
    pub passages: u32,
    /// Bytes read from files.
    pub bytes: u64,
    /// Duration in milliseconds.
    pub millis: u64,
}

/// The secrets that were left out of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileSecrets {
    /// Relative to the corpus.
    pub path: String,
    /// How many, and what kinds they were.
    #[serde(flatten)]
    pub left_out: LeftOut,
}

/// How far a sync is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress<'a> {
    /// About to read a file.
    Reading {
        /// Relative to the corpus.
        path: &'a str,
        /// Files done.
        done: usize,
        /// Files in all.
        total: usize,
    },
    /// Embedding new passages.
    Embedding {
        /// Passages done.
        done: usize,
        /// Passages in all.
        total: usize,
    },
}

/// Which source a document counts as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The first document of its cluster.
    pub leader: SourceId,
    /// Why it is in one with others, where it is.
    pub why: Vec<String>,
}

/// What the index knows of a file.
pub(super) struct Known {
    pub(super) stamp: Stamp,
    pub(super) hash: String,
}

pub(super) fn sync(
    corpus: &Corpus,
    db: &mut Connection,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<IngestReport, CorpusError> {
    let start = Instant::now();
    let fault = |error: rusqlite::Error| corpus.fault("bring the index up to date", &error);
    if let Err(error) = std::fs::read_dir(corpus.root()) {
        return Err(CorpusError::Folder {
            path: corpus.root().to_owned(),
            cause: error.to_string(),
        });
    }
    may_embed(corpus, db)?;
    let found = files(corpus);
    let mut report = IngestReport { skipped: found.skipped, ..IngestReport::default() };

    let known = known(db).map_err(fault)?;
    let unreadable = unreadable(db).map_err(fault)?;
    let siblings = siblings(&found.files);
    let secrets = corpus.secrets();
    let mut batch = Batch::new(db);
    let total = found.files.len();
    let mut waiting: Vec<Waiting<'_>> = Vec::new();
    for (done, file) in found.files.iter().enumerate() {
        let stamp = Stamp { size: file.size.cast_signed(), changed: file.changed };
        // A time of 0 means that the file system does not tell.
        let same = |old: Stamp| old == stamp && stamp.changed != 0;
        let known = known.get(&file.path);
        if known.is_some_and(|old| same(old.stamp)) {
            report.unchanged += 1;
            continue;
        }
        if let Some((old, reason)) = unreadable.get(&file.path)
            && same(*old)
        {
            report.skipped.push(SkippedFile { path: file.path.clone(), reason: reason.clone() });
            continue;
        }
        waiting.push(Waiting { file, stamp, known, done });
    }
    let mut lots = lots(&waiting).into_iter();
    let read_lot = |lot: Option<&[Waiting<'_>]>| -> Vec<Result<Read, String>> {
        let read = |one: &Waiting<'_>| read(one.file, one.known, &siblings, secrets);
        lot.unwrap_or_default().par_iter().map(read).collect()
    };
    let mut tell = |lot: &[Waiting<'_>]| {
        for one in lot {
            progress(Progress::Reading { path: &one.file.path, done: one.done, total });
        }
    };
    let mut lot = lots.next();
    tell(lot.unwrap_or_default());
    let mut texts = read_lot(lot);
    // One lot is written by this thread while the others read the next.
    while let Some(written) = lot {
        lot = lots.next();
        tell(lot.unwrap_or_default());
        let mut next = Vec::new();
        let wrote = rayon::in_place_scope(|scope| {
            scope.spawn(|_| next = read_lot(lot));
            written
                .iter()
                .zip(std::mem::take(&mut texts))
                .try_for_each(|(one, text)| batch.push(report.take(one, text)))
        });
        wrote.map_err(fault)?;
        texts = next;
    }
    let here: std::collections::BTreeSet<&str> =
        found.files.iter().map(|file| file.path.as_str()).collect();
    for path in known.keys().filter(|path| !here.contains(path.as_str())) {
        report.removed += 1;
        batch.push(Change::Remove { path: path.clone() }).map_err(fault)?;
    }
    for path in unreadable.keys().filter(|path| !here.contains(path.as_str())) {
        batch.push(Change::Remove { path: path.clone() }).map_err(fault)?;
    }
    batch.write().map_err(fault)?;
    settle(corpus, db, &report.skipped, progress).map_err(fault)?;
    report.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    report.notes = notes(db).map_err(fault)?;
    report.secrets = left_out(db).map_err(fault)?;
    report.passages =
        db.query_row("SELECT count(*) FROM passages", [], |row| row.get(0)).map_err(fault)?;
    report.millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(report)
}

/// What the folder holds, without the files of the index itself, and without those whose names hold secrets: a file is known by its
/// name wherever it is told of.
pub(super) fn files(corpus: &Corpus) -> Found {
    let mut found = walk(corpus.root(), corpus.file_limit());
    let own = corpus.own_files();
    found.files.retain(|file| !own.contains(&file.location));
    found.skipped.retain(|file| !own.contains(&corpus.root().join(&file.path)));
    let listed = found.files.iter().map(|file| &file.path);
    let all = listed.chain(found.skipped.iter().map(|file| &file.path)).map(String::as_str);
    if corpus.secrets() == Secrets::Kept || !secrets::any_in(all) {
        return found;
    }
    for file in &mut found.skipped {
        file.path = secrets::shown(&file.path);
    }
    let named = |file: &FoundFile| {
        let path = secrets::shown(&file.path);
        (path != file.path).then(|| SkippedFile { path, reason: NAMED_BY_A_SECRET.to_owned() })
    };
    found.skipped.extend(found.files.iter().filter_map(named));
    found.files.retain(|file| named(file).is_none());
    found
}

/// Refuses an index whose vectors are another embedder's, unless that one is built in or it was said that all may be
/// embedded again. Before anything is written, so that the index stays as it is.
fn may_embed(corpus: &Corpus, db: &Connection) -> Result<(), CorpusError> {
    let Some(vectors) = corpus.vectors().filter(|vectors| !vectors.is_builtin()) else {
        return Ok(());
    };
    let wanted = recipe(Some(vectors.as_ref()));
    let fault = |error: rusqlite::Error| corpus.fault("read the index", &error);
    let found = meta(db, "vectors").map_err(fault)?;
    let Some(found) = found.filter(|found| *found != wanted && !corpus.re_embeds()) else {
        return Ok(());
    };
    let passages: u32 =
        db.query_row("SELECT count(*) FROM vectors", [], |row| row.get(0)).map_err(fault)?;
    if passages == 0 {
        return Ok(());
    }
    Err(CorpusError::OtherVectors { path: corpus.path().to_owned(), found, wanted, passages })
}

/// Puts documents that are no files into the index; one with the path of a known document takes its place.
pub(super) fn add(
    corpus: &Corpus,
    db: &mut Connection,
    documents: Vec<crate::ingest::Ingested>,
) -> Result<(), CorpusError> {
    let fault = |error: rusqlite::Error| corpus.fault("add documents to the index", &error);
    may_embed(corpus, db)?;
    let mut batch = Batch::new(db);
    for document in documents {
        let stamp = Stamp { size: document.text.len().cast_signed() as i64, changed: 0 };
        let signature = signature(body(&document.text, &document.source.title));
        batch
            .push(Change::Put { signature, document: Box::new(document), stamp })
            .map_err(fault)?;
    }
    batch.write().map_err(fault)?;
    settle(corpus, db, &[], &mut |_| ()).map_err(fault)
}

/// Sets the clusters of documents.
pub(super) fn regroup(
    corpus: &Corpus,
    db: &mut Connection,
    groups: &BTreeMap<SourceId, Group>,
) -> Result<(), CorpusError> {
    let fault = |error: rusqlite::Error| corpus.fault("group the documents of the index", &error);
    let mut write = || {
        let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let sources: Vec<(i64, Source)> = change
            .prepare("SELECT n, source FROM sources ORDER BY path")?
            .query_map([], |row| Ok((row.get(0)?, from_json(row.get_ref(1)?.as_str()?)?)))?
            .collect::<rusqlite::Result<_>>()?;
        for (n, mut source) in sources {
            let Some(group) = groups.get(&source.id) else { continue };
            source.cluster = group.leader.clone();
            if let Some(page) = &mut source.web {
                page.one_with.clone_from(&group.why);
            }
            change
                .prepare_cached("UPDATE sources SET source = ?2 WHERE n = ?1")?
                .execute(params![n, to_json(&source)?])?;
        }
        bump(&change)?;
        change.commit()
    };
    write().map_err(fault)
}

pub(super) fn known(db: &Connection) -> rusqlite::Result<BTreeMap<String, Known>> {
    let mut statement = db.prepare("SELECT path, size, changed, hash FROM sources")?;
    statement
        .query_map([], |row| {
            let stamp = Stamp { size: row.get(1)?, changed: row.get(2)? };
            Ok((row.get(0)?, Known { stamp, hash: row.get(3)? }))
        })?
        .collect()
}

pub(super) fn unreadable(db: &Connection) -> rusqlite::Result<BTreeMap<String, (Stamp, String)>> {
    let mut statement =
        db.prepare("SELECT path, size, changed, reason FROM unreadable WHERE changed <> 0")?;
    statement
        .query_map([], |row| {
            Ok((row.get(0)?, (Stamp { size: row.get(1)?, changed: row.get(2)? }, row.get(3)?)))
        })?
        .collect()
}

fn notes(db: &Connection) -> rusqlite::Result<Vec<SkippedFile>> {
    let mut statement =
        db.prepare("SELECT path, notes FROM sources WHERE notes <> '' ORDER BY path")?;
    statement
        .query_map([], |row| Ok(SkippedFile { path: row.get(0)?, reason: row.get(1)? }))?
        .collect()
}

fn left_out(db: &Connection) -> rusqlite::Result<Vec<FileSecrets>> {
    let mut statement =
        db.prepare("SELECT path, secrets FROM sources WHERE secrets <> '' ORDER BY path")?;
    statement
        .query_map([], |row| {
            let left_out = from_json(row.get_ref(1)?.as_str()?)?;
            Ok(FileSecrets { path: row.get(0)?, left_out })
        })?
        .collect()
}

/// The stems of each folder's files.
fn siblings(files: &[FoundFile]) -> HashMap<String, Vec<String>> {
    let mut folders: HashMap<String, Vec<String>> = HashMap::new();
    for file in files {
        let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        let stem = name.rsplit_once('.').map_or(name, |parts| parts.0);
        folders.entry(folder.to_owned()).or_default().push(stem.to_owned());
    }
    folders
}

/// A file that has to be opened.
struct Waiting<'f> {
    file: &'f FoundFile,
    stamp: Stamp,
    known: Option<&'f Known>,
    /// Files before it.
    done: usize,
}

/// Files in lots that are read at once.
fn lots<'w, 'f>(waiting: &'w [Waiting<'f>]) -> Vec<&'w [Waiting<'f>]> {
    let mut lots = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (at, one) in waiting.iter().enumerate() {
        if at > start && (at - start >= AHEAD_FILES || bytes + one.file.size > AHEAD_BYTES) {
            lots.push(&waiting[start..at]);
            (start, bytes) = (at, 0);
        }
        bytes += one.file.size;
    }
    if start < waiting.len() {
        lots.push(&waiting[start..]);
    }
    lots
}

enum Read {
    /// The bytes are those of the index.
    Same,
    New {
        document: Box<crate::ingest::Ingested>,
        signature: Vec<u8>,
    },
}

impl IngestReport {
    /// Counts a file that was opened; gives what is to be written of it.
    fn take(&mut self, one: &Waiting<'_>, read: Result<Read, String>) -> Change {
        let Waiting { file, stamp, known, .. } = *one;
        let path = file.path.clone();
        match read {
            Ok(Read::Same) => {
                self.unchanged += 1;
                Change::Touch { path, stamp }
            }
            Ok(Read::New { document, signature }) => {
                self.bytes += file.size;
                if known.is_none() && self.heads.len() < MOST_HEADS {
                    let first: String = document.text.chars().take(HEAD).collect();
                    self.heads.push(squeeze(&format!("{}: {first}", document.source.title)));
                }
                *(if known.is_some() { &mut self.changed } else { &mut self.added }) += 1;
                Change::Put { document, stamp, signature }
            }
            Err(reason) => {
                self.bytes += file.size;
                self.removed += u32::from(known.is_some());
                self.skipped.push(SkippedFile { path: path.clone(), reason: reason.clone() });
                Change::Unreadable { path, stamp, reason }
            }
        }
    }
}

fn read(
    file: &FoundFile,
    known: Option<&Known>,
    siblings: &HashMap<String, Vec<String>>,
    secrets: Secrets,
) -> Result<Read, String> {
    let bytes = std::fs::read(&file.location)
        .map_err(|error| format!("could not open the file: {error}; check that it may be read"))?;
    if known.is_some_and(|known| known.hash == content_hash(&bytes)) {
        return Ok(Read::Same);
    }
    let folder = file.path.rsplit_once('/').map_or("", |parts| parts.0);
    let stems = siblings.get(folder).map_or(&[] as &[String], Vec::as_slice);
    ingest_with(file.format, &file.path, bytes, stems, secrets)
        .map(|document| Read::New {
            signature: signature(body(&document.text, &document.source.title)),
            document: Box::new(document),
        })
        .map_err(|error| error.to_string())
}

enum Change {
    Put { document: Box<crate::ingest::Ingested>, stamp: Stamp, signature: Vec<u8> },
    Touch { path: String, stamp: Stamp },
    Unreadable { path: String, stamp: Stamp, reason: String },
    Remove { path: String },
}

/// Changes that go into one transaction, so that an interrupted sync leaves whole documents.
struct Batch<'a> {
    db: &'a mut Connection,
    changes: Vec<Change>,
    bytes: usize,
}

impl<'a> Batch<'a> {
    fn new(db: &'a mut Connection) -> Self {
        Self { db, changes: Vec::new(), bytes: 0 }
    }

    fn push(&mut self, change: Change) -> rusqlite::Result<()> {
        if let Change::Put { document, .. } = &change {
            self.bytes += document.text.len();
        }
        self.changes.push(change);
        if self.changes.len() >= BATCH_DOCUMENTS || self.bytes >= BATCH_BYTES {
            self.write()?;
        }
        Ok(())
    }

    fn write(&mut self) -> rusqlite::Result<()> {
        self.bytes = 0;
        if self.changes.is_empty() {
            return Ok(());
        }
        let transaction = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for change in self.changes.drain(..) {
            apply(&transaction, change)?;
        }
        set_meta(&transaction, "settled", "no")?;
        bump(&transaction)?;
        transaction.commit()
    }
}

fn apply(transaction: &Transaction<'_>, change: Change) -> rusqlite::Result<()> {
    match change {
        Change::Put { document, stamp, signature } => {
            put_source(transaction, &document, stamp, &signature)
        }
        Change::Touch { path, stamp } => transaction
            .prepare_cached("UPDATE sources SET size = ?2, changed = ?3 WHERE path = ?1")?
            .execute(params![path, stamp.size, stamp.changed])
            .map(drop),
        Change::Unreadable { path, stamp, reason } => {
            remove_source(transaction, &path)?;
            transaction
                .prepare_cached("INSERT OR REPLACE INTO unreadable(path, size, changed, reason) VALUES(?1, ?2, ?3, ?4)")?
                .execute(params![path, stamp.size, stamp.changed, reason])
                .map(drop)
        }
        Change::Remove { path } => {
            remove_source(transaction, &path)?;
            transaction
                .prepare_cached("DELETE FROM unreadable WHERE path = ?1")?
                .execute([&path])
                .map(drop)
        }
    }
}

/// What depends on the corpus as a whole: clusters, names, weights and vectors, and the list of skipped files.
fn settle(
    corpus: &Corpus,
    db: &mut Connection,
    skipped: &[SkippedFile],
    progress: &mut dyn FnMut(Progress<'_>),
) -> rusqlite::Result<()> {
    let recipe = recipe(corpus.vectors().map(AsRef::as_ref));
    kept_vectors::fill(corpus, db, &recipe, progress)?;
    let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut listing: Vec<&SkippedFile> = skipped.iter().collect();
    listing.sort_by(|a, b| a.path.cmp(&b.path));
    let list = to_json(&listing)?;
    let settled = meta(&change, "settled")?.as_deref() == Some("yes")
        && meta(&change, "vectors")?.as_deref() == Some(recipe.as_str())
        && meta(&change, "skipped")?.as_deref() == Some(list.as_str());
    if settled {
        return Ok(());
    }
    // Files that the walk left out are listed with those that gave no text, but looked at again next time.
    change.execute("DELETE FROM unreadable WHERE changed = 0", [])?;
    for file in skipped {
        change
            .prepare_cached("INSERT OR IGNORE INTO unreadable(path, size, changed, reason) VALUES(?1, 0, 0, ?2)")?
            .execute([&file.path, &file.reason])?;
    }
    recluster(&change)?;
    let mut names = NameCount::default();
    let texts = "SELECT text FROM documents ORDER BY source_n";
    in_batches(&change, texts, NAMED_DOCUMENTS, |texts| {
        let some = texts.par_iter().map(|text| NameCount::of(text));
        names = std::mem::take(&mut names).plus(some.reduce(NameCount::default, NameCount::plus));
        Ok(())
    })?;
    set_meta(&change, "names", &to_json(&names.most_spread())?)?;
    embed(corpus, &change, &recipe, progress)?;
    set_meta(&change, "vectors", &recipe)?;
    set_meta(&change, "skipped", &list)?;
    set_meta(&change, "settled", "yes")?;
    bump(&change)?;
    change.commit()
}

fn recluster(change: &Transaction<'_>) -> rusqlite::Result<()> {
    let mut numbers = Vec::new();
    let mut sources: Vec<Source> = Vec::new();
    let mut signatures = Vec::new();
    {
        let mut statement =
            change.prepare("SELECT n, source, signature FROM sources ORDER BY path")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            numbers.push(row.get::<_, i64>(0)?);
            sources.push(from_json(row.get_ref(1)?.as_str()?)?);
            signatures.push(row.get::<_, Vec<u8>>(2)?);
        }
    }
    let leaders = clusters(&signatures);
    let ids: Vec<SourceId> = sources.iter().map(|source| source.id.clone()).collect();
    for ((n, mut source), leader) in numbers.into_iter().zip(sources).zip(leaders) {
        if source.cluster != ids[leader] {
            source.cluster = ids[leader].clone();
            change
                .prepare_cached("UPDATE sources SET source = ?2 WHERE n = ?1")?
                .execute(params![n, to_json(&source)?])?;
        }
    }
    Ok(())
}
