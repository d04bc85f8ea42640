//! What a person says of statements and insights. It is kept in the store beside the run, as what is said on the pages and by
//! commands, and is the same word there.

use super::app::{App, Command, Judgement, Purpose, Tab};
use super::input::Input;
use elenchus_core::port::{LOCAL, Matter, RIGHT, Remark, WRONG};
use elenchus_core::synthesis::insight::InsightFeedback;

impl App {
    /// What people say of something of the run that is shown.
    pub(super) fn said_of<'a>(
        &'a self,
        about: Matter,
        target: &'a str,
    ) -> impl Iterator<Item = &'a Remark> {
        let all = self.remarks.iter().flatten();
        all.filter(move |one| one.about == about && one.target == target)
    }

    /// The last word on it, for people; empty where nobody says anything.
    pub(super) fn word_on(&self, about: Matter, target: &str) -> String {
        let last = self.said_of(about, target).filter_map(|one| one.said.as_deref()).last();
        last.unwrap_or_default().replace('-', " ")
    }

    /// What is selected, where it can be judged.
    fn judged(&self) -> Option<(Matter, String)> {
        let (run, row) = (self.run.as_ref()?, self.selected());
        match self.tab {
            Tab::Claims => {
                let claim = run.answer.as_ref()?.claims.get(row)?;
                Some((Matter::Claim, claim.id.to_string()))
            }
            Tab::Insights => Some((Matter::Insight, run.insights.get(row)?.id.to_string())),
            _ => None,
        }
    }

    /// What the person at this terminal says of it: the word and the note.
    fn own_word(&self, about: Matter, target: &str) -> (Option<String>, String) {
        let own = self.said_of(about, target).find(|one| one.actor == LOCAL);
        let note = own.and_then(|one| one.note.clone()).unwrap_or_default();
        (own.and_then(|one| one.said.clone()), note)
    }

    /// A key that judges what is selected.
    pub(super) fn judge(&mut self, key: char) -> Option<Command> {
        let (about, target) = self.judged()?;
        // A word without the note that stands beside it would take the note out.
        if self.remarks.is_none() {
            self.complain("what was said of this run is still being read; try again".to_owned());
            return None;
        }
        let (own, note) = self.own_word(about, &target);
        let word = match (key, about) {
            ('m', Matter::Claim) if own.is_none() => {
                self.complain(format!("say first whether {target} is right (+) or wrong (-)"));
                return None;
            }
            ('m', _) => {
                let purpose = Purpose::Note { about, target };
                self.typing = Some((purpose, Input::new(&note)));
                return None;
            }
            ('u', _) if own.is_none() => {
                self.complain(format!("you have said nothing of {target}"));
                return None;
            }
            ('u', _) => None,
            ('s', Matter::Insight) => Some(InsightFeedback::Saved.name()),
            ('s', _) => return None,
            ('-', Matter::Insight) => Some(InsightFeedback::NotUseful.name()),
            ('-', _) => Some(WRONG),
            (_, Matter::Insight) => Some(InsightFeedback::Useful.name()),
            (_, _) => Some(RIGHT),
        };
        let note = if word.is_some() { note } else { String::new() };
        self.tell(about, target, word.map(str::to_owned), note)
    }

    /// A note that was typed goes with the word that was said; an insight without one is saved to the notes.
    pub(super) fn noted(&mut self, about: Matter, target: String, note: String) -> Option<Command> {
        let (own, _) = self.own_word(about, &target);
        let saved = (about == Matter::Insight).then(|| InsightFeedback::Saved.name().to_owned());
        let word = own.or(saved)?;
        self.tell(about, target, Some(word), note)
    }

    fn tell(
        &mut self,
        about: Matter,
        target: String,
        said: Option<String>,
        note: String,
    ) -> Option<Command> {
        let run = self.run.as_ref()?.run_id.clone();
        self.say(match &said {
            Some(word) => {
                format!("{target} is {}: u takes it back, m adds a note", word.replace('-', " "))
            }
            None => format!("what you said of {target} is taken back"),
        });
        Some(Command::Judge(Judgement { run, about, target, said, note }))
    }
}
