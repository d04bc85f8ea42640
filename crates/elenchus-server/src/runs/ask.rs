//! What a client may ask for.

use crate::mcp::ports::Refusal;
use elenchus_core::inquiry::{Asking, Effort, Sources};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest item of a list, in characters.
pub(super) const LONGEST_ITEM: usize = 2_000;

/// The way in which prompts are put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModeWord {
    /// Follows the evidence; the usual one.
    Detective,
    /// Looks for what is wrong.
    Critic,
    /// Defends.
    Apologist,
    /// Brings together.
    Synthesizer,
}

impl ModeWord {
    /// The word used in data.
    pub fn name(self) -> &'static str {
        match self {
            Self::Detective => "detective",
            Self::Critic => "critic",
            Self::Apologist => "apologist",
            Self::Synthesizer => "synthesizer",
        }
    }
}

/// The web, where a run may use it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WebAsk {
    /// Search providers by name; those that are set up when the list is empty and no pages are named.
    #[serde(default)]
    #[schemars(length(max = 20))]
    pub providers: Vec<String>,
    /// Pages to read.
    #[serde(default)]
    #[schemars(length(max = 50))]
    pub urls: Vec<String>,
    /// Whether documents, the web or both are searched.
    #[serde(default)]
    pub sources: Option<Sources>,
    /// Only these domains.
    #[serde(default)]
    #[schemars(length(max = 50))]
    pub domains: Vec<String>,
    /// Nothing older: `2025`, `2025-06` or `2025-06-30`.
    #[serde(default)]
    #[schemars(regex(pattern = r"^\d{4}(-\d{2}(-\d{2})?)?$"))]
    pub since: Option<String>,
}

/// What a run may spend. What is left out is as the effort has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BudgetAsk {
    /// Rounds of search.
    #[serde(default)]
    #[schemars(range(min = 1, max = 10))]
    pub rounds: Option<u64>,
    /// Passages read.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100_000))]
    pub passages: Option<u64>,
    /// Model calls.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub model_calls: Option<u64>,
    /// Tokens in and out.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub tokens: Option<u64>,
    /// US dollars.
    #[serde(default)]
    #[schemars(range(min = 0.000_001, max = 100_000.0))]
    pub usd: Option<f64>,
    /// Seconds from the start, pauses included.
    #[serde(default)]
    #[schemars(range(min = 1.0, max = 604_800.0))]
    pub seconds: Option<f64>,
}

/// A question to be researched, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// In words, not empty.
    #[schemars(length(min = 1, max = 8_000))]
    pub question: String,
    /// How hard to try; the settings decide without one.
    #[serde(default)]
    pub effort: Option<Effort>,
    /// Whether more than one round is allowed without asking; it is not, without a word.
    #[serde(default)]
    pub autonomous: Option<bool>,
    /// The folder of documents, one of those that the operator allows; the configured one without it.
    #[serde(default)]
    #[schemars(length(min = 1, max = 4_096))]
    pub corpus: Option<String>,
    /// The web; the settings of the server decide without a word.
    #[serde(default)]
    pub web: Option<WebAsk>,
    /// Lenses to look through, by id; `["pack"]` for those of the field. Needs a language model.
    #[serde(default)]
    #[schemars(length(max = 20))]
    pub lenses: Vec<String>,
    /// The field: `auto`, `general` or `theology`.
    #[serde(default)]
    #[schemars(regex(pattern = r"^(auto|general|theology)$"))]
    pub pack: Option<String>,
    /// How prompts are put.
    #[serde(default)]
    pub mode: Option<ModeWord>,
    /// Explanations to hold against the evidence, in words. They are tested beside those that a model proposes.
    #[serde(default)]
    #[schemars(length(max = 4))]
    pub test: Vec<String>,
    /// Questions to answer in place of a plan that a model or code would make.
    #[serde(default)]
    #[schemars(length(max = 12))]
    pub plan: Vec<String>,
    /// Whether the run waits when its plan is made, until somebody edits the plan or lets it go on.
    #[serde(default)]
    pub review_plan: bool,
    /// Whether explanations that compete are proposed and tested; when a language model is there, without a word.
    #[serde(default)]
    pub hypotheses: Option<bool>,
    /// Whether the answer is criticised, without a word always: by a language model, which may revise it, or by what the program
    /// measured where there is none.
    #[serde(default)]
    pub critique: Option<bool>,
    /// Whether what stands out is looked for.
    #[serde(default)]
    pub insights: bool,
    /// What it may spend.
    #[serde(default)]
    pub budget: BudgetAsk,
    /// Whether a vague question is answered with questions first; `never` without a word.
    #[serde(default)]
    pub clarify: Option<Asking>,
    /// Path parts that no search may return.
    #[serde(default)]
    #[schemars(length(max = 200))]
    pub exclude: Vec<String>,
    /// Whether what earlier runs learned is used; it is, without a word.
    #[serde(default)]
    pub memory: Option<bool>,
    /// Whether a person wrote it into the form of the pages. Then addresses in the question are that person's own, and the search
    /// services are those of the form: none where it names none. No request over the interfaces can say so.
    #[serde(skip)]
    pub by_hand: bool,
}

impl Ask {
    /// Refuses what the schema does not allow.
    ///
    /// # Errors
    /// When a list or a text is too long or a number out of its range.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let wrong = |what: &str, way_out: String| {
            Err(Refusal::new("could not start a run", format!("`{what}` is wrong"), way_out))
        };
        let web = self.web.clone().unwrap_or_default();
        for (name, list, most) in [
            ("lenses", &self.lenses, 20),
            ("plan", &self.plan, 12),
            ("test", &self.test, 4),
            ("exclude", &self.exclude, 200),
            ("web.providers", &web.providers, 20),
            ("web.urls", &web.urls, 50),
            ("web.domains", &web.domains, 50),
        ] {
            if list.len() > most || list.iter().any(|one| one.chars().count() > LONGEST_ITEM) {
                let way_out =
                    format!("give at most {most} texts of at most {LONGEST_ITEM} characters");
                return wrong(name, way_out);
            }
            if list.iter().any(|one| !one.chars().any(char::is_alphanumeric)) {
                return wrong(name, "leave out what has no words".to_owned());
            }
        }
        let BudgetAsk { rounds, passages, model_calls, tokens, usd, seconds } = self.budget;
        for (name, value, most) in [
            ("budget.rounds", rounds, 10),
            ("budget.passages", passages, 100_000),
            ("budget.model_calls", model_calls, 1_000_000),
            ("budget.tokens", tokens, 1_000_000_000),
        ] {
            if value.is_some_and(|value| value == 0 || value > most) {
                return wrong(name, format!("give a whole number from 1 to {most}"));
            }
        }
        for (name, value, least, most) in
            [("budget.usd", usd, 0.000_001, 1e5), ("budget.seconds", seconds, 1.0, 604_800.0)]
        {
            if value.is_some_and(|value| !(least..=most).contains(&value)) {
                return wrong(name, format!("give a number from {least} to {most}"));
            }
        }
        if self.pack.as_deref().is_some_and(|pack| !["auto", "general", "theology"].contains(&pack))
        {
            return wrong("pack", "write auto, general or theology".to_owned());
        }
        Ok(())
    }
}
