//! A world small enough to be known whole: documents, a scripted model, a word-overlap retriever, a hash embedder.

use super::script;
use crate::bank::Lesson;
use crate::evidence::{Passage, ReadPassage, Source, Span, Vintage};
use crate::graph::RecalledMemo;
use crate::id::{PassageId, SourceId, Timestamp, hex, short_hash};
use crate::inquiry::Recollection;
use crate::pack::theology::{OsisRef, references, verse_of};
use crate::port::{
    Answered, Checked, Clock, Contradiction, CorpusOverview, EmbedFailure, Embedder, Hit, Model,
    ModelFailure, ModelRole, Pair, PortFuture, RetrieveFailure, Retriever, Said, SearchReply,
    SearchRequest, TermCount, Usage, Verifier, VerifyFailure,
};
use crate::prompt::{ModelCall, ModelReply};
use crate::synthesis::insight::{Meetings, Subject};
use crate::text::{content_set, content_stems, cosine, is_stop_word, overlap, stem, words};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Length of the hash embedder's vectors.
const DIMENSIONS: usize = 64;

type Scripted = dyn Fn(&ModelCall) -> Option<Result<ModelReply, ModelFailure>> + Send + Sync;

/// A world. Implements [`Model`], [`Retriever`] and [`Embedder`]; every future is ready at once.
pub struct World {
    name: String,
    passages: Vec<ReadPassage>,
    documents: u32,
    /// Nothing is ever found, whatever there is.
    blind: bool,
    scripted: Vec<Box<Scripted>>,
    /// Whether runs over it verify their statements.
    judged: bool,
    /// What runs over it are told that earlier runs learned.
    recalled: Recollection,
    /// What was performed, and how often.
    performed: Mutex<BTreeMap<String, u32>>,
}

impl World {
    /// A world without documents.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            passages: Vec::new(),
            documents: 0,
            blind: false,
            scripted: Vec::new(),
            judged: false,
            recalled: Recollection::default(),
            performed: Mutex::default(),
        }
    }

    /// A world that holds documents, none of which any search finds.
    pub fn nothing_ever() -> Self {
        let mut world = Self::new("nothing")
            .document("silence.md", "Nothing that anybody asks for stands here.");
        world.blind = true;
        world
    }

    /// Has runs verify their statements with the [`OverlapVerifier`](super::OverlapVerifier).
    #[must_use]
    pub fn judged(mut self) -> Self {
        self.judged = true;
        self
    }

    /// Has runs be told what earlier runs learned.
    #[must_use]
    pub fn taught(mut self, lesson: Lesson) -> Self {
        self.recalled.lessons.push(lesson);
        self
    }

    /// Has runs be told of a memo of an earlier run.
    #[must_use]
    pub fn recalling(mut self, memo: RecalledMemo) -> Self {
        self.recalled.memos.push(memo);
        self
    }

    /// What runs over it are told that earlier runs learned.
    pub fn recalled(&self) -> Recollection {
        self.recalled.clone()
    }

    /// What runs over it make figures with.
    pub fn judging(&self) -> Option<crate::belief::Judging> {
        self.judged.then(super::judging)
    }

    /// Adds a document: a first line `# Title`, `by: NAME` lines for the author, paragraphs as passages.
    #[must_use]
    pub fn document(mut self, path: &str, text: &str) -> Self {
        self.documents += 1;
        let id = SourceId::from_path(path);
        let find = |mark: &str| {
            text.lines().find_map(|line| line.strip_prefix(mark)).map(|rest| rest.trim().to_owned())
        };
        let title = find("# ").unwrap_or_else(|| path.to_owned());
        let source = Source {
            id: id.clone(),
            path: path.to_owned(),
            title: title.clone(),
            author: find("by: "),
            date: None,
            vintage: Vintage::Current,
            content_hash: hex(&Sha256::digest(text.as_bytes())),
            family: title.to_lowercase(),
            cluster: id.clone(),
            web: None,
        };
        let mut at = 0;
        let mut ordinal = 0;
        for block in text.split("\n\n") {
            let length = block.chars().count();
            let (start, end) = (at, at + length);
            at = end + 2;
            if block.trim().is_empty() || block.starts_with("# ") || block.starts_with("by: ") {
                continue;
            }
            let passage = Passage {
                id: PassageId::new(&id, ordinal),
                source_id: id.clone(),
                text: block.to_owned(),
                span: Span { start, end },
                heading_path: vec![title.clone()],
                page: None,
                table_header: vec![],
                lead_in: None,
                record: None,
            };
            self.passages.push(ReadPassage { source: source.clone(), passage });
            ordinal += 1;
        }
        self
    }

    /// Adds a table of records, a line each: a name, a tab, the text. References to the Bible in a query look them up.
    #[must_use]
    pub fn records(mut self, path: &str, lines: &str) -> Self {
        self = self.document(path, lines);
        let Some(template) = self.passages.pop() else { return self };
        let ordinals = 0_u32..;
        let mut at = 0;
        for (line, ordinal) in lines.lines().zip(ordinals) {
            let (name, text) = line.split_once('\t').unwrap_or(("", line));
            let start = at + line.chars().count() - text.chars().count();
            at += line.chars().count() + 1;
            let mut read = template.clone();
            read.passage.id = PassageId::new(&read.source.id, ordinal);
            text.clone_into(&mut read.passage.text);
            read.passage.span = Span { start, end: start + text.chars().count() };
            read.passage.record = (!name.is_empty()).then(|| name.to_owned());
            read.passage.heading_path = vec![];
            self.passages.push(read);
        }
        self
    }

    /// Answers calls of one prompt about one question (see [`super::question_of`]) with this reply.
    #[must_use]
    pub fn reply(self, prompt: &'static str, question: &str, reply: ModelReply) -> Self {
        let question = question.to_owned();
        self.script(move |call| {
            (call.prompt() == prompt && script::question_of(call) == question)
                .then(|| Ok(reply.clone()))
        })
    }

    /// Answers calls with what the closure gives; `None` leaves a call to earlier scripts and then to the defaults.
    #[must_use]
    pub fn script(
        mut self,
        reply: impl Fn(&ModelCall) -> Option<Result<ModelReply, ModelFailure>> + Send + Sync + 'static,
    ) -> Self {
        self.scripted.push(Box::new(reply));
        self
    }

    /// Every passage.
    pub fn passages(&self) -> &[ReadPassage] {
        &self.passages
    }

    /// What was performed so far, and how often: one key an effect's content.
    pub fn performed(&self) -> BTreeMap<String, u32> {
        self.performed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, key: String) {
        *self.performed.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(0) += 1;
    }

    /// The reply to a call.
    pub fn answer(&self, call: &ModelCall) -> Result<ModelReply, ModelFailure> {
        self.scripted
            .iter()
            .rev()
            .find_map(|scripted| scripted(call))
            .unwrap_or_else(|| Ok(script::default(call)))
    }

    /// What a search finds: passages that share words with the query, most first.
    pub fn find(&self, request: &SearchRequest) -> SearchReply {
        let wanted = content_set(&request.query);
        let vector = embed(&request.query);
        let named: Vec<OsisRef> =
            references(&request.query).into_iter().map(|found| found.reference).collect();
        let looked_up = |read: &ReadPassage| {
            let verse = verse_of(read)?;
            named.iter().position(|reference| reference.contains(verse))
        };
        let mut hits: Vec<Hit> = self
            .passages
            .iter()
            .filter(|_| !self.blind)
            .filter(|read| {
                let path = read.source.path.to_lowercase();
                let named =
                    |parts: &[String]| parts.iter().any(|part| path.contains(&part.to_lowercase()));
                !named(&request.filter.exclude)
                    && (request.filter.only.is_empty() || named(&request.filter.only))
            })
            .filter_map(|read| {
                let text = content_set(&read.passage.text);
                let shared = wanted.intersection(&text).count();
                let place = looked_up(read);
                (shared > 0 || place.is_some()).then(|| {
                    let score = match place {
                        Some(place) => 1.0 + 1.0 / (place + 1) as f32,
                        None => shared as f32 / wanted.len() as f32,
                    };
                    Hit {
                        passage_id: read.passage.id.clone(),
                        source_id: read.source.id.clone(),
                        path: read.source.path.clone(),
                        title: read.source.title.clone(),
                        score,
                        lexical: score,
                        dense: cosine(&vector, &embed(&read.passage.text)) as f32,
                    }
                })
            })
            .collect();
        hits.sort_by(|a, b| {
            b.score.total_cmp(&a.score).then_with(|| a.passage_id.cmp(&b.passage_id))
        });
        let mut by_source: BTreeMap<SourceId, u16> = BTreeMap::new();
        hits.retain(|hit| {
            let taken = by_source.entry(hit.source_id.clone()).or_insert(0);
            *taken += 1;
            request.per_source == 0 || *taken <= request.per_source
        });
        hits.truncate(usize::from(request.limit));
        SearchReply { hits, terms: self.terms(&request.query), ..SearchReply::default() }
    }

    fn terms(&self, query: &str) -> Vec<TermCount> {
        words(query)
            .into_iter()
            .filter(|word| !is_stop_word(word))
            .map(|term| {
                let stemmed = stem(&term);
                let holds = |read: &&ReadPassage| {
                    !self.blind && content_set(&read.passage.text).contains(&stemmed)
                };
                let passages = self.passages.iter().filter(holds).count() as u32;
                TermCount { term, passages }
            })
            .collect()
    }
}

/// A unit vector from the hashes of a text's stems; related words stay apart, shared ones meet.
fn embed(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0f32; DIMENSIONS];
    for word in content_stems(text) {
        let hash = Sha256::digest(word.as_bytes());
        let sign = if hash[1] % 2 == 0 { 1.0 } else { -1.0 };
        vector[usize::from(hash[0]) % DIMENSIONS] += sign;
    }
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        for x in &mut vector {
            *x /= length;
        }
    }
    vector
}

/// How much of a question's words a text holds, 0 to 1.
pub(super) fn coverage(question: &str, text: &str) -> f64 {
    let wanted = content_set(question);
    let words = content_set(text);
    if wanted.is_empty() || words.is_empty() {
        return 0.0;
    }
    if wanted.len() <= words.len() {
        overlap(&wanted, &words)
    } else {
        wanted.intersection(&words).count() as f64 / wanted.len() as f64
    }
}

impl Model for World {
    fn name(&self) -> &'static str {
        "scripted:world"
    }

    fn call<'a>(
        &'a self,
        _role: ModelRole,
        call: &'a ModelCall,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>> {
        Box::pin(async move {
            let json = serde_json::to_string(call).unwrap_or_default();
            self.note(format!("model {} {}", call.prompt(), short_hash(json.as_bytes(), 12)));
            let usage = Usage { input_tokens: 100, output_tokens: 20, cost_micro_usd: 7 };
            self.answer(call).map(|reply| Answered::plainly(reply, usage))
        })
    }
}

impl Retriever for World {
    fn search<'a>(
        &'a self,
        request: &'a SearchRequest,
    ) -> PortFuture<'a, Result<SearchReply, RetrieveFailure>> {
        Box::pin(async move {
            self.note(format!("search {}", request.query));
            if words(&request.query).is_empty() {
                return Err(RetrieveFailure::EmptyQuery { query: request.query.clone() });
            }
            Ok(self.find(request))
        })
    }

    fn read<'a>(
        &'a self,
        ids: &'a [PassageId],
    ) -> PortFuture<'a, Result<Vec<ReadPassage>, RetrieveFailure>> {
        Box::pin(async move {
            self.note(format!(
                "read {}",
                ids.iter().map(PassageId::as_str).collect::<Vec<_>>().join(" ")
            ));
            ids.iter()
                .map(|id| {
                    let found = self.passages.iter().find(|read| read.passage.id == *id);
                    found.cloned().ok_or_else(|| RetrieveFailure::UnknownPassage(id.clone()))
                })
                .collect()
        })
    }

    fn meetings<'a>(
        &'a self,
        subjects: &'a [Subject],
    ) -> PortFuture<'a, Result<Meetings, RetrieveFailure>> {
        Box::pin(async move {
            self.note(format!("meetings {}", subjects.len()));
            let mut touched: BTreeMap<SourceId, BTreeSet<usize>> = BTreeMap::new();
            for read in &self.passages {
                let text = words(&read.passage.text);
                let names = |name: &String| {
                    let name = words(name);
                    !name.is_empty() && text.windows(name.len()).any(|window| window == name)
                };
                let document = touched.entry(read.source.cluster.clone()).or_default();
                for (at, subject) in subjects.iter().enumerate() {
                    let own = subject.clusters.contains(&read.source.cluster)
                        || (subject.author.is_some() && subject.author == read.source.author);
                    if own || subject.names.iter().any(names) {
                        document.insert(at);
                    }
                }
            }
            Ok(Meetings::of(subjects.len(), touched.values()))
        })
    }

    fn overview(&self) -> CorpusOverview {
        let text: String = self.passages.iter().map(|read| read.passage.text.as_str()).collect();
        CorpusOverview {
            name: self.name.clone(),
            documents: self.documents,
            passages: self.passages.len() as u32,
            verses: self.passages.iter().filter(|read| verse_of(read).is_some()).count() as u32,
            fingerprint: short_hash(text.as_bytes(), 12),
            ..CorpusOverview::default()
        }
    }
}

impl Embedder for World {
    fn id(&self) -> &'static str {
        "hash-64"
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> PortFuture<'a, Result<Vec<Vec<f32>>, EmbedFailure>> {
        Box::pin(async move {
            self.note(format!("embed {}", texts.join(" | ")));
            Ok(texts.iter().map(|text| embed(text)).collect())
        })
    }
}

impl Verifier for World {
    fn id(&self) -> &'static str {
        "overlap"
    }

    fn verify<'a>(
        &'a self,
        pairs: &'a [Pair],
    ) -> PortFuture<'a, Result<Vec<Checked>, VerifyFailure>> {
        self.note(format!("verify {}", pairs.len()));
        super::OverlapVerifier.verify(pairs)
    }

    fn contradictions<'a>(
        &'a self,
        texts: &'a [Said],
    ) -> PortFuture<'a, Result<Vec<Contradiction>, VerifyFailure>> {
        self.note(format!("contradict {}", texts.len()));
        super::OverlapVerifier.contradictions(texts)
    }
}

/// A clock that a test sets.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// A clock that stands at `now`.
    pub fn new(now: Timestamp) -> Self {
        Self(AtomicI64::new(now.0))
    }

    /// Moves it on.
    pub fn advance(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}
