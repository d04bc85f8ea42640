//! The journal folded into spans.

use super::naming::{error_type, extent, model_of};
use super::record::Attributes;
use super::{Content, Span, SpanEvent, SpanId, SpanKind, TraceId, Value};
use crate::id::{EffectId, GapId, RunId, Timestamp};
use crate::inquiry::{Control, Effect, Input, Opened, Outcome, Run, Step};
use crate::journal::{Entry, JournalRecord};
use crate::port::{ModelRole, Usage};
use crate::trace::{Envelope, TraceEvent};
use std::collections::BTreeMap;

/// All spans of a journal, each as soon as it ends and the run's own last. What had not ended ends with the last record.
pub fn spans_of(journal: &[JournalRecord], content: Content) -> Vec<Span> {
    let mut fold = SpanFold::new(content);
    let mut spans: Vec<Span> = journal.iter().flat_map(|record| fold.feed(record)).collect();
    spans.extend(fold.cut());
    spans
}

/// The spans of one run, taken from its journal record by record.
pub struct SpanFold {
    content: Content,
    going: Option<Going>,
}

/// A run that has begun.
struct Going {
    run: Run,
    /// The name of what thinks, as the run notes it.
    noted: String,
    /// The number of the last record.
    seq: u64,
    /// The time of the last record.
    at: Timestamp,
    root: Span,
    usage: Usage,
    round: Option<Span>,
    effects: BTreeMap<EffectId, Span>,
    /// The gaps that an effect names in its parameters.
    gaps: BTreeMap<EffectId, Vec<String>>,
    over: bool,
}

impl SpanFold {
    /// Before the first record.
    pub fn new(content: Content) -> Self {
        Self { content, going: None }
    }

    /// The number of the last record that was taken; 0 before the first.
    pub fn seq(&self) -> u64 {
        self.going.as_ref().map_or(0, |going| going.seq)
    }

    /// Whether the run has ended; nothing more comes then.
    pub fn is_over(&self) -> bool {
        self.going.as_ref().is_some_and(|going| going.over)
    }

    /// Takes the next record; gives the spans that end with it. A record that was taken already, or that begins in the middle
    /// of a run, changes nothing.
    pub fn feed(&mut self, record: &JournalRecord) -> Vec<Span> {
        let content = self.content;
        match (&mut self.going, &record.entry) {
            (None, Entry::Input(input)) => {
                if let Input::Opened(opened) = input.as_ref() {
                    let (run, events) = Run::new(opened.clone(), record.at);
                    let mut going = Going::new(opened, run, record, content);
                    let mut ended = Vec::new();
                    going.told(&events, &mut ended);
                    going.begin_new(content);
                    going.end(content, &mut ended);
                    self.going = Some(going);
                    return ended;
                }
                Vec::new()
            }
            (Some(going), entry) if !going.over && record.seq > going.seq => {
                going.take(record, entry, content)
            }
            _ => Vec::new(),
        }
    }

    /// Ends what has not ended, with the time of the last record, the run included.
    pub fn cut(&mut self) -> Vec<Span> {
        match self.going.take() {
            Some(going) if !going.over => going.cut(self.content),
            _ => Vec::new(),
        }
    }
}

/// A span that begins.
fn begun(
    run: &RunId,
    span_id: SpanId,
    parent: Option<SpanId>,
    name: String,
    at: Timestamp,
) -> Span {
    Span {
        trace_id: TraceId::of(run),
        span_id,
        parent,
        link: None,
        name,
        kind: SpanKind::Internal,
        start: at,
        end: at,
        attributes: vec![("elenchus.run.id", run.as_str().into())],
        events: Vec::new(),
        error: None,
        message: None,
    }
}

impl Going {
    fn new(opened: &Opened, run: Run, record: &JournalRecord, content: Content) -> Self {
        let id = &opened.run_id;
        let named = model_of(&opened.model, ModelRole::Strong);
        let name = "invoke_agent elenchus".to_owned();
        let mut root = begun(id, SpanId::of_run(id), None, name, record.at);
        root.attributes.extend([
            ("gen_ai.operation.name", "invoke_agent".into()),
            ("gen_ai.agent.name", "elenchus".into()),
            ("gen_ai.conversation.id", Value::from(id.as_str())),
            ("gen_ai.provider.name", named.provider.into()),
            ("gen_ai.request.model", named.model.into()),
            ("elenchus.corpus.documents", opened.corpus.documents.into()),
            ("elenchus.corpus.passages", opened.corpus.passages.into()),
            ("elenchus.web", opened.options.web.is_some().into()),
        ]);
        let forked = opened.forked.as_ref().map(|forked| &forked.parent);
        let contested = opened.contest.as_ref().map(|contest| &contest.parent);
        let tested = opened.options.tested.as_ref().map(|tested| &tested.parent);
        let reopened = opened.options.reopened.as_ref().map(|reopened| &reopened.parent);
        if let Some(parent) = forked.or(contested).or(tested).or(reopened) {
            root.link = Some((TraceId::of(parent), SpanId::of_run(parent)));
            root.attributes.push(("elenchus.parent.run.id", parent.as_str().into()));
        }
        let asked = content.message("user", || opened.question.clone());
        root.attributes.extend(asked.map(|asked| ("gen_ai.input.messages", asked)));
        Self {
            run,
            noted: opened.model.clone(),
            seq: record.seq,
            at: record.at,
            root,
            usage: Usage::default(),
            round: None,
            effects: BTreeMap::new(),
            gaps: BTreeMap::new(),
            over: false,
        }
    }

    fn take(&mut self, record: &JournalRecord, entry: &Entry, content: Content) -> Vec<Span> {
        self.seq = record.seq;
        // A clock that was set back ends nothing before its beginning.
        self.at = self.at.max(record.at);
        let mut ended = Vec::new();
        match entry {
            // What was asked for is begun now.
            Entry::Intent(intents) => {
                for intent in intents {
                    if let Some(span) = self.effects.get_mut(&intent.effect_id) {
                        (span.start, span.end) = (self.at, self.at);
                    }
                }
            }
            Entry::Input(input) => {
                match input.as_ref() {
                    Input::Outcome { id, result } => {
                        ended.extend(self.settle(*id, result, content));
                    }
                    Input::Control(control) => {
                        let kind = ("elenchus.control.kind", word(control).into());
                        self.happened("elenchus.control", vec![kind]);
                    }
                    Input::GivenUp { calls, .. } => {
                        // What has come back was counted when it did.
                        for call in calls.iter().filter(|call| self.effects.contains_key(&call.id))
                        {
                            self.usage.count(call.usage);
                        }
                    }
                    Input::Opened(_) => {}
                }
                let events = self.run.feed(input.as_ref().clone(), record.at);
                let controlled = matches!(input.as_ref(), Input::Control(_));
                if controlled {
                    self.drop_unwanted(&mut ended);
                }
                let asked = self.told(&events, &mut ended);
                // What was asked for in a pause is begun when that is over.
                if asked || controlled {
                    self.begin_new(content);
                }
                self.end(content, &mut ended);
            }
        }
        ended
    }

    fn happened(&mut self, name: &'static str, attributes: Attributes) {
        self.root.events.push(SpanEvent { at: self.at, name, attributes });
    }

    /// Begins the spans of what the run now asks for. That it is done is said by an intent, where there are any.
    fn begin_new(&mut self, content: Content) {
        if let Step::Perform(effects) = self.run.step() {
            for (id, effect) in effects {
                if !self.effects.contains_key(&id) {
                    self.begin(id, &effect, content);
                }
            }
        }
    }

    fn begin(&mut self, id: EffectId, effect: &Effect, content: Content) {
        let run = self.run.id().clone();
        let parent = self.round.as_ref().unwrap_or(&self.root).span_id;
        let view = self.run.view();
        let at = self.at;
        let mut span = match effect {
            Effect::Model { role, call } => {
                let named = model_of(&self.noted, *role);
                let name = format!("chat {}", named.model);
                let mut span = begun(&run, SpanId::of_effect(&run, id), Some(parent), name, at);
                span.kind = named.kind();
                span.attributes.extend([
                    ("gen_ai.operation.name", "chat".into()),
                    ("gen_ai.provider.name", named.provider.into()),
                    ("gen_ai.request.model", Value::from(named.model)),
                    ("elenchus.prompt", call.prompt().into()),
                ]);
                let asked = content.json(call).and_then(|call| content.message("user", || call));
                span.attributes.extend(asked.map(|asked| ("gen_ai.input.messages", asked)));
                span
            }
            Effect::Embed { .. } => {
                let name = "embeddings".to_owned();
                let mut span = begun(&run, SpanId::of_effect(&run, id), Some(parent), name, at);
                span.attributes.push(("gen_ai.operation.name", "embeddings".into()));
                span
            }
            tool => {
                let tool_name = tool.tool();
                let name = format!("execute_tool {tool_name}");
                let mut span = begun(&run, SpanId::of_effect(&run, id), Some(parent), name, at);
                let kind = match tool {
                    Effect::Search(_) | Effect::Read { .. } => "datastore",
                    _ => "function",
                };
                span.attributes.extend([
                    ("gen_ai.operation.name", "execute_tool".into()),
                    ("gen_ai.tool.name", Value::from(tool_name)),
                    ("gen_ai.tool.type", kind.into()),
                    ("gen_ai.tool.call.id", id.to_string().into()),
                ]);
                if let Effect::Search(request) = tool {
                    let asked = content.text(|| request.query.clone());
                    let asked =
                        asked.map(|query| serde_json::json!({ "query": query }).to_string());
                    span.attributes
                        .extend(asked.map(|asked| ("gen_ai.tool.call.arguments", asked.into())));
                }
                span
            }
        };
        span.attributes.extend([
            ("elenchus.effect.id", Value::from(id.to_string())),
            ("elenchus.phase", view.progress().phase.name().into()),
            ("elenchus.round", Value::Whole(view.progress().round.into())),
        ]);
        span.attributes.extend(extent(effect));
        let gaps = match effect {
            Effect::Search(request) => view
                .gaps()
                .gaps()
                .iter()
                .filter(|gap| gap.previous_queries.iter().any(|tried| tried.query == request.query))
                .map(|gap| gap.id.to_string())
                .collect(),
            _ => self.gaps.get(&id).cloned().unwrap_or_default(),
        };
        span.attributes.extend(of_gaps(gaps));
        self.effects.insert(id, span);
    }

    /// The outcome of an effect ends its span.
    fn settle(&mut self, id: EffectId, outcome: &Outcome, content: Content) -> Option<Span> {
        let mut span = self.effects.remove(&id)?;
        span.end = self.at;
        let attributes = &mut span.attributes;
        match outcome {
            Outcome::Replied { reply, usage, repairs, model } => {
                // Where nothing is said, as in earlier journals, only a model that is alone is known to have answered.
                let alone = (!self.noted.contains(" and ")).then_some(&self.noted);
                let answered =
                    model.as_ref().or(alone).map(|name| model_of(name, ModelRole::Strong));
                attributes
                    .extend(answered.map(|named| ("gen_ai.response.model", named.model.into())));
                attributes.extend(spent(*usage));
                attributes.push(("elenchus.reply.repairs", repairs.len().into()));
                self.usage.count(*usage);
                let said =
                    content.json(reply).and_then(|said| content.message("assistant", || said));
                attributes.extend(said.map(|said| ("gen_ai.output.messages", said)));
            }
            Outcome::Found(reply) => {
                attributes.push(("elenchus.search.hits", reply.hits.len().into()));
            }
            Outcome::Contradicting { found } => {
                attributes.push(("elenchus.contradict.found", found.len().into()));
            }
            Outcome::Failed { kind, error, usage } => {
                if !usage.is_nothing() {
                    attributes.extend(spent(*usage));
                    self.usage.count(*usage);
                }
                span.error = Some(error_type(*kind));
                attributes.push(("error.type", error_type(*kind).into()));
                span.message = content.text(|| error.clone());
            }
            Outcome::Verified { usage, .. } if !usage.is_nothing() => {
                attributes.extend(spent(*usage));
                self.usage.count(*usage);
            }
            Outcome::Embedded { .. }
            | Outcome::Passages { .. }
            | Outcome::Verified { .. }
            | Outcome::Met { .. } => {}
        }
        Some(span)
    }

    /// Ends the spans of effects that a control took out of the run.
    fn drop_unwanted(&mut self, ended: &mut Vec<Span>) {
        if self.effects.is_empty() {
            return;
        }
        let wanted = match self.run.step() {
            Step::Perform(effects) => effects.into_iter().map(|(id, _)| id).collect(),
            // What is in flight still comes back.
            Step::Paused => return,
            Step::Clarify(_) | Step::Done => Vec::new(),
        };
        let gone: Vec<EffectId> =
            self.effects.keys().filter(|id| !wanted.contains(id)).copied().collect();
        for id in gone {
            ended.extend(self.effects.remove(&id).map(|span| dropped(span, self.at)));
        }
    }

    /// What the events of a record say of rounds, gaps and figures; whether anything was asked for.
    fn told(&mut self, events: &[Envelope], ended: &mut Vec<Span>) -> bool {
        let mut asked = false;
        for envelope in events {
            match &envelope.event {
                TraceEvent::RoundStarted { round, gaps, queries } => {
                    let run = self.run.id().clone();
                    let mut span = begun(
                        &run,
                        SpanId::of_round(&run, *round),
                        Some(self.root.span_id),
                        format!("round {round}"),
                        self.at,
                    );
                    span.attributes.extend([
                        ("elenchus.round", Value::Whole((*round).into())),
                        ("elenchus.round.queries", queries.len().into()),
                    ]);
                    span.attributes.extend(of_gaps(gaps.iter().map(GapId::to_string).collect()));
                    self.close_round(ended);
                    self.round = Some(span);
                }
                TraceEvent::RoundCompleted { new_passages, open_gaps, .. } => {
                    if let Some(round) = &mut self.round {
                        round.attributes.extend([
                            ("elenchus.round.new_passages", Value::from(*new_passages)),
                            ("elenchus.round.open_gaps", (*open_gaps).into()),
                        ]);
                    }
                    self.close_round(ended);
                }
                TraceEvent::ReasoningAction(action) => {
                    asked = true;
                    let named = &action.parameters;
                    let one = named.get("gap").and_then(|gap| gap.as_str());
                    let many = named.get("gaps").and_then(|gaps| gaps.as_array());
                    let many = many.into_iter().flatten().filter_map(|gap| gap.as_str());
                    let gaps: Vec<String> =
                        one.into_iter().chain(many).map(str::to_owned).collect();
                    if !gaps.is_empty() {
                        self.gaps.insert(action.id, gaps);
                    }
                }
                TraceEvent::GapOpened { gap_id, .. } => {
                    self.happened("elenchus.gap.opened", vec![gap(gap_id)]);
                }
                TraceEvent::GapResolved { gap_id, .. } => {
                    self.happened("elenchus.gap.resolved", vec![gap(gap_id)]);
                }
                TraceEvent::GapReopened { gap_id, .. } => {
                    self.happened("elenchus.gap.reopened", vec![gap(gap_id)]);
                }
                TraceEvent::GapAbandoned { gap_id, reason, attempts, .. } => self.happened(
                    "elenchus.gap.abandoned",
                    vec![
                        gap(gap_id),
                        ("elenchus.gap.reason", reason.name().into()),
                        ("elenchus.gap.attempts", Value::Whole((*attempts).into())),
                    ],
                ),
                TraceEvent::ConfidenceCalculated { overall, level } => self.happened(
                    "gen_ai.evaluation.result",
                    vec![
                        ("gen_ai.evaluation.name", "confidence".into()),
                        ("gen_ai.evaluation.score.value", Value::Real(*overall)),
                        ("gen_ai.evaluation.score.label", level.word().into()),
                    ],
                ),
                _ => {}
            }
        }
        asked
    }

    fn close_round(&mut self, ended: &mut Vec<Span>) {
        if let Some(mut round) = self.round.take() {
            round.end = self.at;
            ended.push(round);
        }
    }

    /// Ends everything when the run is over.
    fn end(&mut self, content: Content, ended: &mut Vec<Span>) {
        if self.run.step() == Step::Done {
            self.over = true;
            ended.extend(
                std::mem::take(&mut self.effects).into_values().map(|span| dropped(span, self.at)),
            );
            self.close_round(ended);
            let root = self.closed(true, content);
            ended.push(root);
        }
    }

    fn cut(mut self, content: Content) -> Vec<Span> {
        let mut ended: Vec<Span> = std::mem::take(&mut self.effects)
            .into_values()
            .map(|span| dropped(span, self.at))
            .collect();
        self.close_round(&mut ended);
        let root = self.closed(false, content);
        ended.push(root);
        ended
    }

    /// The span of the run, with what the run came to.
    fn closed(&self, over: bool, content: Content) -> Span {
        let view = self.run.view();
        let spent = view.spent();
        let progress = view.progress();
        let mut root = self.root.clone();
        root.end = self.at;
        root.attributes.extend([
            ("gen_ai.usage.input_tokens", Value::from(self.usage.input_tokens)),
            ("gen_ai.usage.output_tokens", self.usage.output_tokens.into()),
            ("elenchus.usage.cost_micro_usd", self.usage.cost_micro_usd.into()),
            ("elenchus.usage.model_calls", spent.model_calls.into()),
            ("elenchus.rounds", Value::Whole(progress.round.into())),
            ("elenchus.passages", progress.passages.into()),
            ("elenchus.sources", progress.sources.into()),
            ("elenchus.run.over", over.into()),
        ]);
        if let Some(reason) = view.stop_reason() {
            root.attributes.push(("elenchus.stop_reason", reason.name().into()));
        }
        if let Some(error) = view.error() {
            root.error = Some("failed");
            root.attributes.push(("error.type", "failed".into()));
            root.message = content.text(|| error.to_owned());
        }
        if let Some(answer) = view.answer() {
            root.attributes.push(("elenchus.claims", answer.claims.len().into()));
            let unknown = answer.could_not_establish.len();
            root.attributes.push(("elenchus.could_not_establish", unknown.into()));
            let said = content.message("assistant", || answer.conclusion.clone());
            root.attributes.extend(said.map(|said| ("gen_ai.output.messages", said)));
        }
        root
    }
}

fn dropped(mut span: Span, at: Timestamp) -> Span {
    span.end = at;
    span.attributes.push(("elenchus.effect.dropped", true.into()));
    span
}

fn gap(id: &GapId) -> (&'static str, Value) {
    ("elenchus.gap.id", id.as_str().into())
}

/// What asking a language model cost.
fn spent(usage: Usage) -> [(&'static str, Value); 3] {
    [
        ("gen_ai.usage.input_tokens", usage.input_tokens.into()),
        ("gen_ai.usage.output_tokens", usage.output_tokens.into()),
        ("elenchus.usage.cost_micro_usd", usage.cost_micro_usd.into()),
    ]
}

/// One gap as a text and several as texts.
fn of_gaps(mut gaps: Vec<String>) -> Option<(&'static str, Value)> {
    match gaps.len() {
        0 => None,
        1 => gaps.pop().map(|gap| ("elenchus.gap.id", gap.into())),
        _ => Some(("elenchus.gap.ids", Value::Texts(gaps))),
    }
}

fn word(control: &Control) -> &'static str {
    match control {
        Control::Interrupt => "interrupt",
        Control::FinishNow => "finish_now",
        Control::Pause => "pause",
        Control::Resume => "resume",
        Control::Redirect { .. } => "redirect",
        Control::AddSources(_) => "add_sources",
        Control::SetBudget(_) => "set_budget",
        Control::DropHypothesis { .. } => "drop_hypothesis",
        Control::EditPlan { .. } => "edit_plan",
        Control::Challenge { .. } => "challenge",
        Control::Clarified { .. } => "clarified",
        Control::SkipClarification => "skip_clarification",
        Control::DocumentsAdded { .. } => "documents_added",
    }
}
