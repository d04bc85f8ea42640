//! A folder and its index as one thing to search.

use super::behind::behind;
use super::index::{self, discard};
use super::meetings::meetings;
use super::one_mail::as_one_mail;
use super::query::Term;
use super::resident::Resident;
use super::search::{RankedRecord, rank_records, search};
use super::sync::{Group, IngestReport, Progress, add, regroup, sync};
use super::vectors::{TextVectors, embed_fault, recipe};
use super::{CorpusError, index::from_json};
use crate::ingest::mails::as_of_its_mail;
use crate::ingest::{FILE_BYTES, Ingested, Secrets};
use elenchus_core::evidence::ReadPassage;
use elenchus_core::id::{PassageId, SourceId};
use elenchus_core::port::{
    CorpusOverview, PortFuture, RetrieveFailure, Retriever, SearchReply, SearchRequest, TermCount,
};
use elenchus_core::synthesis::insight::{Meetings, Subject};
use rusqlite::{Connection, OptionalExtension};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// A folder of documents with its index.
///
/// Searching takes `&self` and runs on the calling thread for some milliseconds; one corpus serves one
/// search at a time. Several processes may open the same index: one writes, all read.
pub struct Corpus {
    root: PathBuf,
    path: Option<PathBuf>,
    name: String,
    file_limit: u64,
    vectors: Option<Arc<dyn TextVectors>>,
    re_embeds: bool,
    secrets: Secrets,
    db: Mutex<Connection>,
    resident: RwLock<Arc<Resident>>,
    /// Passages that hold a term, for one generation of the index.
    counts: Mutex<(i64, HashMap<String, u32>)>,
}

impl Corpus {
    /// Opens the index at `index_path` for the folder `root`, creating it when it is missing. Nothing is
    /// ingested before [`Corpus::sync`]. Without `vectors` the search is lexical only. Secrets in the documents are left out.
    ///
    /// # Errors
    /// When the index cannot be opened, is damaged, or was made by a newer version.
    pub fn open(
        index_path: &Path,
        root: &Path,
        vectors: Option<Arc<dyn TextVectors>>,
    ) -> Result<Self, CorpusError> {
        Self::with_secrets(Some(index_path), root, vectors, Secrets::LeftOut)
    }

    /// Like [`Corpus::open`], with an index that lives as long as the value.
    ///
    /// # Errors
    /// When SQLite cannot be used at all.
    pub fn in_memory(
        root: &Path,
        vectors: Option<Arc<dyn TextVectors>>,
    ) -> Result<Self, CorpusError> {
        Self::with_secrets(None, root, vectors, Secrets::LeftOut)
    }

    /// Removes an index file, damaged or not, so that [`Corpus::open`] starts from nothing.
    ///
    /// # Errors
    /// When the file exists and cannot be removed.
    pub fn discard(index_path: &Path) -> Result<(), CorpusError> {
        discard(index_path)
    }

    /// Like [`Corpus::open`], or [`Corpus::in_memory`] without a path, with the secrets of documents left out or kept. An index
    /// that was made in the other way is emptied here, and filled by the next [`Corpus::sync`].
    ///
    /// # Errors
    /// As for these.
    pub fn with_secrets(
        index_path: Option<&Path>,
        root: &Path,
        vectors: Option<Arc<dyn TextVectors>>,
        secrets: Secrets,
    ) -> Result<Self, CorpusError> {
        let db = index::open(index_path, secrets)?;
        let full = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let name = full
            .file_name()
            .map_or_else(|| "corpus".to_owned(), |name| name.to_string_lossy().into_owned());
        let dimensions = vectors.as_ref().map_or(0, |vectors| vectors.dimensions());
        let recipe = recipe(vectors.as_deref());
        let resident = Resident::load(&db, &name, &recipe, dimensions).map_err(|error| {
            CorpusError::sqlite(
                "read the index",
                index_path.unwrap_or(Path::new(":memory:")),
                &error,
            )
        })?;
        Ok(Self {
            root: root.to_owned(),
            path: index_path.map(Path::to_owned),
            name,
            file_limit: FILE_BYTES,
            vectors,
            re_embeds: false,
            secrets,
            db: Mutex::new(db),
            resident: RwLock::new(Arc::new(resident)),
            counts: Mutex::default(),
        })
    }

    /// Whether an index has secrets of documents in it, for whoever opens it only to look at it: asked for the other way it would be
    /// emptied. `None` when there is none, or it does not say.
    pub fn made_with(index_path: &Path) -> Option<Secrets> {
        index::made(index_path)
    }

    /// Sets the largest file that is read, in bytes (64 MB otherwise).
    pub fn with_file_limit(mut self, bytes: u64) -> Self {
        self.file_limit = bytes;
        self
    }

    /// Lets the next [`Corpus::sync`] embed all passages again where the vectors of the index are another embedder's. The
    /// built-in embedders do so unasked; others may take long, or be paid for.
    pub fn re_embedding(mut self) -> Self {
        self.re_embeds = true;
        self
    }

    /// Brings the index up to the folder: new and changed files are read, deleted ones removed. Files whose
    /// size and time of change are as before are not opened. May be interrupted at any point; the next sync
    /// goes on from there.
    ///
    /// # Errors
    /// When the folder cannot be listed or the index cannot be written, and when its vectors are those of another embedder
    /// ([`CorpusError::OtherVectors`]). Files that cannot be read are no error: the report lists them.
    pub fn sync(
        &mut self,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<IngestReport, CorpusError> {
        let mut db = self.db();
        let report = sync(self, &mut db, progress)?;
        self.reload(&db).map_err(|error| self.fault("read the index", &error))?;
        Ok(report)
    }

    /// How many files of the folder are not as the index has them: new, changed, or gone. Nothing is written, and no
    /// document is read anew.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn behind(&self) -> Result<usize, CorpusError> {
        behind(self, &self.db())
    }

    /// Puts documents that are no files into the index, such as pages of the web. One with the path of a known document
    /// takes its place. A later [`Corpus::sync`] would remove them, so a corpus has either files or these.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn add(&self, documents: Vec<Ingested>) -> Result<(), CorpusError> {
        let mut db = self.db();
        add(self, &mut db, documents)?;
        self.reload(&db).map(drop).map_err(|error| self.fault("read the index", &error))
    }

    /// Says which documents are one source. What is not named stays as it is.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn regroup(&self, groups: &BTreeMap<SourceId, Group>) -> Result<(), CorpusError> {
        let mut db = self.db();
        regroup(self, &mut db, groups)?;
        self.reload(&db).map(drop).map_err(|error| self.fault("read the index", &error))
    }

    /// Records (or documents without records) by falling score, at most `limit`, for judging retrieval:
    /// the same scoring as a search, without caps, thinning and filters.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn rank_records(
        &self,
        query: &str,
        limit: usize,
    ) -> Result<Vec<RankedRecord>, CorpusError> {
        self.rank(query, limit, false)
    }

    /// Like [`Corpus::rank_records`], by BM25 alone: the baseline.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn rank_records_lexical(
        &self,
        query: &str,
        limit: usize,
    ) -> Result<Vec<RankedRecord>, CorpusError> {
        self.rank(query, limit, true)
    }

    fn rank(
        &self,
        query: &str,
        limit: usize,
        lexical: bool,
    ) -> Result<Vec<RankedRecord>, CorpusError> {
        let db = self.db();
        let rank = || {
            let resident = self.current(&db)?;
            rank_records(self, &db, &resident, query, limit, lexical)
        };
        rank().map_err(|error| self.fault("search the index", &error))
    }

    /// The extracted text of a document, which the spans of its passages count in. `None` when the index
    /// does not hold it.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn document_text(&self, id: &SourceId) -> Result<Option<String>, CorpusError> {
        let db = self.db();
        let read = || {
            let resident = self.current(&db)?;
            let Some(source) = resident.sources.iter().find(|source| source.id == *id) else {
                return Ok(None);
            };
            db.prepare_cached(
                "SELECT d.text FROM documents d JOIN sources s ON s.n = d.source_n WHERE s.path = ?1",
            )?
            .query_row([&source.path], |row| row.get(0))
            .optional()
        };
        read().map_err(|error| self.fault("read the index", &error))
    }

    /// Reads from the index in its current state.
    pub(super) fn with_index<T>(
        &self,
        attempted: &'static str,
        read: impl FnOnce(&Connection, &Resident) -> rusqlite::Result<T>,
    ) -> Result<T, CorpusError> {
        let db = self.db();
        let reading = || read(&db, self.current(&db)?.as_ref());
        reading().map_err(|error| self.fault(attempted, &error))
    }

    /// All documents, by path.
    pub fn sources(&self) -> Vec<elenchus_core::evidence::Source> {
        self.snapshot().sources.clone()
    }

    /// All passages, in the order of documents and within them.
    pub fn passage_ids(&self) -> Vec<PassageId> {
        let resident = self.snapshot();
        let mut at: Vec<(u32, u32)> =
            resident.owner.iter().copied().zip(resident.ordinal.iter().copied()).collect();
        at.sort_unstable();
        at.into_iter()
            .filter_map(|(owner, ordinal)| {
                let source = resident.sources.get(owner as usize)?;
                Some(PassageId::new(&source.id, ordinal))
            })
            .collect()
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn file_limit(&self) -> u64 {
        self.file_limit
    }

    pub(super) fn vectors(&self) -> Option<&Arc<dyn TextVectors>> {
        self.vectors.as_ref()
    }

    pub(super) fn path(&self) -> &Path {
        self.path.as_deref().unwrap_or(Path::new(":memory:"))
    }

    pub(super) fn secrets(&self) -> Secrets {
        self.secrets
    }

    pub(super) fn re_embeds(&self) -> bool {
        self.re_embeds
    }

    /// The index's own files, should they lie inside the folder.
    pub(super) fn own_files(&self) -> Vec<PathBuf> {
        let Some(path) = &self.path else { return Vec::new() };
        ["", "-wal", "-shm"]
            .iter()
            .map(|suffix| {
                let mut name = path.as_os_str().to_owned();
                name.push(suffix);
                PathBuf::from(name)
            })
            .collect()
    }

    pub(super) fn fault(&self, attempted: &'static str, error: &rusqlite::Error) -> CorpusError {
        CorpusError::sqlite(attempted, self.path(), error)
    }

    /// `None` without an embedder.
    pub(super) fn embed_query(
        &self,
        query: &str,
        weight: &(dyn Fn(&str) -> f32 + Sync),
    ) -> rusqlite::Result<Option<Vec<f32>>> {
        let Some(vectors) = &self.vectors else { return Ok(None) };
        Ok(vectors.embed(&[query], weight).map_err(embed_fault)?.pop())
    }

    /// Passages that hold a term or another inflection of it.
    pub(super) fn count(
        &self,
        db: &Connection,
        resident: &Resident,
        term: &Term,
    ) -> rusqlite::Result<TermCount> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.0 != resident.generation {
            *counts = (resident.generation, HashMap::new());
        }
        if let Some(passages) = counts.1.get(&term.text) {
            return Ok(TermCount { term: term.text.clone(), passages: *passages });
        }
        let passages = db
            .prepare_cached("SELECT count(*) FROM passages_fts WHERE passages_fts MATCH ?1")?
            .query_row([term.quoted()], |row| row.get(0))?;
        counts.1.insert(term.text.clone(), passages);
        Ok(TermCount { term: term.text.clone(), passages })
    }

    pub(super) fn db(&self) -> MutexGuard<'_, Connection> {
        // A panic between statements leaves no half-written state: transactions roll back.
        self.db.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn snapshot(&self) -> Arc<Resident> {
        Arc::clone(&self.resident.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The resident state, read again when another process has changed the index.
    fn current(&self, db: &Connection) -> rusqlite::Result<Arc<Resident>> {
        let resident = self.snapshot();
        if index::generation(db)? == resident.generation { Ok(resident) } else { self.reload(db) }
    }

    fn reload(&self, db: &Connection) -> rusqlite::Result<Arc<Resident>> {
        let dimensions = self.vectors.as_ref().map_or(0, |vectors| vectors.dimensions());
        // One transaction, so that all tables are read in the same state.
        let read = db.unchecked_transaction()?;
        let recipe = recipe(self.vectors.as_deref());
        let resident = Arc::new(Resident::load(&read, &self.name, &recipe, dimensions)?);
        drop(read);
        *self.resident.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&resident);
        Ok(resident)
    }

    fn search_now(&self, request: &SearchRequest) -> Result<SearchReply, RetrieveFailure> {
        let db = self.db();
        let fault = |error: rusqlite::Error| -> RetrieveFailure {
            self.fault("search the index", &error).into()
        };
        let resident = self.current(&db).map_err(fault)?;
        search(self, &db, &resident, request)
    }

    fn read_now(&self, ids: &[PassageId]) -> Result<Vec<ReadPassage>, RetrieveFailure> {
        let db = self.db();
        let fault = |error: rusqlite::Error| -> RetrieveFailure {
            self.fault("read the index", &error).into()
        };
        let resident = self.current(&db).map_err(fault)?;
        let mut statement = db
            .prepare_cached(
                "SELECT p.passage FROM passages p JOIN sources s ON s.n = p.source_n WHERE s.path = ?1 AND p.ordinal = ?2",
            )
            .map_err(fault)?;
        ids.iter()
            .map(|id| {
                let unknown = || RetrieveFailure::UnknownPassage(id.clone());
                let (source, ordinal) = id.as_str().rsplit_once('#').ok_or_else(unknown)?;
                let ordinal: u32 = ordinal.parse().map_err(|_| unknown())?;
                let source = resident
                    .sources
                    .iter()
                    .find(|known| known.id.as_str() == source)
                    .ok_or_else(unknown)?;
                let passage = statement
                    .query_row(rusqlite::params![source.path, ordinal], |row| {
                        from_json(row.get_ref(0)?.as_str()?)
                    })
                    .optional()
                    .map_err(fault)?
                    .ok_or_else(unknown)?;
                let read = as_of_its_mail(ReadPassage { source: source.clone(), passage });
                Ok(as_one_mail(read, &resident.sources))
            })
            .collect()
    }
}

impl Retriever for Corpus {
    fn search<'a>(
        &'a self,
        request: &'a SearchRequest,
    ) -> PortFuture<'a, Result<SearchReply, RetrieveFailure>> {
        Box::pin(async move { self.search_now(request) })
    }

    fn read<'a>(
        &'a self,
        ids: &'a [PassageId],
    ) -> PortFuture<'a, Result<Vec<ReadPassage>, RetrieveFailure>> {
        Box::pin(async move { self.read_now(ids) })
    }

    fn meetings<'a>(
        &'a self,
        subjects: &'a [Subject],
    ) -> PortFuture<'a, Result<Meetings, RetrieveFailure>> {
        Box::pin(async move {
            let db = self.db();
            let count = || meetings(&db, &*self.current(&db)?, subjects);
            count().map_err(|error| self.fault("count where sources meet", &error).into())
        })
    }

    fn overview(&self) -> CorpusOverview {
        self.snapshot().overview.clone()
    }
}
