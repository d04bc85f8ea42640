//! What every search looks at, kept in memory.

use super::index::{from_json, generation, meta};
use super::subjects::Names;
use super::verses::Verses;
use elenchus_core::evidence::{DatePrecision, PartialDate, Source, Vintage};
use elenchus_core::id::short_hash;
use elenchus_core::port::{CorpusOverview, SkippedFile};
use rusqlite::Connection;
use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

/// One state of the index.
pub(super) struct Resident {
    /// Of the index when this was read.
    pub(super) generation: i64,
    /// Sorted by path.
    pub(super) sources: Vec<Source>,
    /// Lower-case paths, for filters.
    pub(super) paths: Vec<String>,
    /// Number of each source's author; sources without one have a number of their own.
    pub(super) authors: Vec<u32>,
    /// Row numbers of passages, ascending. Everything below is parallel to it.
    pub(super) rows: Vec<i64>,
    /// Index into `sources`.
    pub(super) owner: Vec<u32>,
    /// Place in the document, from 0.
    pub(super) ordinal: Vec<u32>,
    /// Equal for passages of one record (or of one document without records).
    pub(super) record: Vec<u32>,
    /// Passages that are verses of the Bible, or name them.
    pub(super) verses: Verses,
    /// Hash of the text's words.
    pub(super) print: Vec<i64>,
    /// Quantised vectors, `dimensions` numbers each.
    pub(super) matrix: Vec<i8>,
    /// What one step of each vector is worth.
    pub(super) steps: Vec<f32>,
    /// Numbers per vector.
    pub(super) dimensions: usize,
    /// Passages that hold each word piece.
    pub(super) pieces: HashMap<String, u32>,
    /// Passages the pieces were counted over.
    pub(super) counted: u32,
    /// As shown to a run.
    pub(super) overview: CorpusOverview,
    /// Words of the corpus with their vectors, made when a search first expands its query.
    pub(super) vocabulary: OnceLock<Vocabulary>,
}

/// Words with quantised vectors.
#[derive(Default)]
pub(super) struct Vocabulary {
    /// The most frequent first.
    pub(super) words: Vec<String>,
    pub(super) matrix: Vec<i8>,
    pub(super) steps: Vec<f32>,
}

impl Resident {
    /// Vectors count only when they were made by `recipe`; otherwise the search is lexical until the next
    /// sync.
    pub(super) fn load(
        db: &Connection,
        name: &str,
        recipe: &str,
        dimensions: usize,
    ) -> rusqlite::Result<Self> {
        let dimensions =
            if meta(db, "vectors")?.as_deref() == Some(recipe) { dimensions } else { 0 };
        let mut resident = Self {
            generation: generation(db)?,
            sources: Vec::new(),
            paths: Vec::new(),
            authors: Vec::new(),
            rows: Vec::new(),
            owner: Vec::new(),
            ordinal: Vec::new(),
            record: Vec::new(),
            verses: Verses::default(),
            print: Vec::new(),
            matrix: Vec::new(),
            steps: Vec::new(),
            dimensions,
            pieces: HashMap::new(),
            counted: meta(db, "counted")?.and_then(|value| value.parse().ok()).unwrap_or(0),
            overview: CorpusOverview { name: name.to_owned(), ..CorpusOverview::default() },
            vocabulary: OnceLock::new(),
        };
        let places = resident.load_sources(db)?;
        resident.load_passages(db, &places)?;
        let mut pieces = db.prepare("SELECT piece, passages FROM pieces")?;
        for row in pieces.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))? {
            let (piece, passages) = row?;
            resident.pieces.insert(piece, passages);
        }
        resident.describe(db)?;
        Ok(resident)
    }

    fn load_sources(&mut self, db: &Connection) -> rusqlite::Result<HashMap<i64, u32>> {
        let mut places = HashMap::new();
        let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
        let mut statement = db.prepare("SELECT n, source FROM sources ORDER BY path")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let source: Source = from_json(row.get_ref(1)?.as_str()?)?;
            places.insert(row.get(0)?, self.sources.len() as u32);
            self.paths.push(source.path.to_lowercase());
            let next = numbers.len() as u32;
            let key =
                source.author.as_deref().map_or_else(|| source.path.clone(), str::to_lowercase);
            self.authors.push(*numbers.entry(key).or_insert(next));
            self.sources.push(source);
        }
        Ok(places)
    }

    fn load_passages(
        &mut self,
        db: &Connection,
        places: &HashMap<i64, u32>,
    ) -> rusqlite::Result<()> {
        let mut statement = db.prepare(
            "SELECT p.n, p.source_n, p.ordinal, p.record, p.print, v.step, v.bytes
             FROM passages p LEFT JOIN vectors v ON v.passage_n = p.n ORDER BY p.n",
        )?;
        let mut rows = statement.query([])?;
        let mut last: Option<(u32, Option<String>)> = None;
        let mut record = 0;
        while let Some(row) = rows.next()? {
            let Some(&owner) = places.get(&row.get(1)?) else { continue };
            let named: Option<&str> = row.get_ref(3)?.as_str_or_null()?;
            let same =
                last.as_ref().is_some_and(|last| last.0 == owner && last.1.as_deref() == named);
            if !same {
                record += u32::from(last.is_some());
                last = Some((owner, named.map(str::to_owned)));
            }
            if let Some(name) = named {
                self.verses.add(name, self.rows.len() as u32);
            }
            self.rows.push(row.get(0)?);
            self.owner.push(owner);
            self.ordinal.push(row.get(2)?);
            self.record.push(record);
            self.print.push(row.get(4)?);
            let bytes = row.get_ref(6)?.as_blob_or_null()?.unwrap_or_default();
            let fits = self.dimensions > 0 && bytes.len() == self.dimensions;
            self.steps.push(if fits { row.get::<_, f64>(5)? as f32 } else { 0.0 });
            if fits {
                self.matrix.extend(bytes.iter().map(|byte| byte.cast_signed()));
            } else {
                self.matrix.resize(self.matrix.len() + self.dimensions, 0);
            }
        }
        Ok(())
    }

    fn describe(&mut self, db: &Connection) -> rusqlite::Result<()> {
        let mut state = String::new();
        let mut newest: Option<PartialDate> = None;
        for source in &self.sources {
            state.push_str(&source.path);
            state.push('\u{0}');
            state.push_str(&source.content_hash);
            state.push('\n');
            if source.vintage == Vintage::Current
                && let Some(date) = &source.date
                && newest.is_none_or(|found| recency(date.value) > recency(found))
            {
                newest = Some(date.value);
            }
        }
        let mut statement = db.prepare("SELECT path, reason FROM unreadable ORDER BY path")?;
        let skipped = statement
            .query_map([], |row| Ok(SkippedFile { path: row.get(0)?, reason: row.get(1)? }))?
            .collect::<rusqlite::Result<_>>()?;
        let names: Names = meta(db, "names")?
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default();
        self.overview = CorpusOverview {
            name: std::mem::take(&mut self.overview.name),
            documents: self.sources.len() as u32,
            passages: self.rows.len() as u32,
            fingerprint: short_hash(state.as_bytes(), 16),
            newest,
            subjects: names.0,
            verses: self.verses.count(),
            skipped,
        };
        Ok(())
    }

    /// The place of a row; `None` when it was written after this state was read.
    pub(super) fn place(&self, row: i64) -> Option<usize> {
        self.rows.binary_search(&row).ok()
    }

    /// The vector of the passage at `place`.
    pub(super) fn vector(&self, place: usize) -> &[i8] {
        &self.matrix[place * self.dimensions..(place + 1) * self.dimensions]
    }

    /// How much a word piece tells: its inverse document frequency over passages.
    pub(super) fn weight(&self, piece: &str) -> f32 {
        idf(self.counted, self.pieces.get(piece).copied().unwrap_or(0))
    }
}

/// "2026" ends after "May 2026", but whoever wrote only the year did not say that it was written then.
fn recency(date: PartialDate) -> (i32, bool, i64) {
    (date.year, date.precision > DatePrecision::Year, date.order_key())
}

/// `ln(1 + (n - df + 0.5) / (df + 0.5))`, as BM25 has it: never negative.
pub(super) fn idf(passages: u32, holding: u32) -> f32 {
    let (n, df) = (passages as f32, holding.min(passages) as f32);
    (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
}
