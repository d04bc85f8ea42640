//! The dialogue before a vague question is planned: the run's questions, the user's answers, a line each.

use super::terminal::Terminal;
use elenchus_core::inquiry::{Asking, ClarifyingAnswer, Control};
use elenchus_core::prompt::ClarifyingQuestion;
use elenchus_core::text::squeeze;
use std::io::{BufRead, IsTerminal};
use tokio::sync::mpsc;

/// Lines that somebody types. Read on a thread of its own, which nobody waits for at the end.
pub(crate) struct Typed(mpsc::UnboundedReceiver<String>);

impl Typed {
    /// Reads standard input from now on.
    pub(crate) fn read() -> Self {
        let (typed, heard) = mpsc::unbounded_channel();
        // When no thread is to be had, nothing is heard: that counts as the end of the input.
        let _ = std::thread::Builder::new().name("answers".to_owned()).spawn(move || {
            for line in std::io::stdin().lock().lines() {
                let Ok(line) = line else { break };
                if typed.send(line).is_err() {
                    break;
                }
            }
        });
        Self(heard)
    }

    /// The next line; `None` at the end of the input.
    pub(crate) async fn next(&mut self) -> Option<String> {
        self.0.recv().await
    }
}

/// Whether somebody is there to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Presence {
    /// Both standard input and standard error are a terminal.
    terminal: bool,
    /// Answers come through a pipe, which the user has said.
    piped: bool,
    /// Others may answer: nothing is said in their place.
    others: bool,
}

impl Presence {
    /// `reads_data` is whether standard input holds the question, or standard output is a stream for a program.
    pub(crate) fn find(terminal: &Terminal, piped: bool, reads_data: bool) -> Self {
        let both = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        let terminal = both && !terminal.quiet && !reads_data;
        Self { terminal, piped: piped && !reads_data, others: false }
    }

    /// The same where the run was begun elsewhere, and may be answered there.
    pub(crate) fn beside_others(self) -> Self {
        Self { others: true, ..self }
    }

    /// Nobody, whatever there is.
    pub(crate) fn nobody() -> Self {
        Self { terminal: false, piped: false, others: false }
    }

    /// Somebody who looks at the terminal.
    pub(crate) fn somebody() -> Self {
        Self { terminal: true, piped: false, others: false }
    }

    pub(crate) fn is_there(self) -> bool {
        self.terminal || self.piped
    }

    /// What a run may ask back, given the setting; `speaks` is whether a language model thinks.
    pub(crate) fn asking(self, setting: Option<&str>, speaks: bool) -> Asking {
        match setting {
            _ if !speaks || !self.is_there() => Asking::Never,
            Some("always") => Asking::Always,
            Some("never") => Asking::Never,
            _ => Asking::Auto,
        }
    }
}

/// Questions of a run, and what has been said to them so far. Any surface asks with it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asked {
    questions: Vec<ClarifyingQuestion>,
    /// The question that the next line answers.
    at: usize,
    answers: Vec<ClarifyingAnswer>,
}

/// What became of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Taken {
    /// It is no answer; why.
    Again(String),
    /// The next question is asked.
    Next,
    /// That is all: what to tell the run.
    Done(Control),
}

impl Asked {
    pub(crate) fn new(questions: Vec<ClarifyingQuestion>) -> Self {
        Self { questions, at: 0, answers: Vec::new() }
    }

    /// The question that is next, with its number from 1 and how many there are.
    pub(crate) fn next(&self) -> Option<(usize, usize, &ClarifyingQuestion)> {
        Some((self.at + 1, self.questions.len(), self.questions.get(self.at)?))
    }

    /// Takes a line; `None` stands for the end of the input.
    pub(crate) fn take(&mut self, line: Option<&str>) -> Taken {
        let Some(question) = self.questions.get(self.at) else { return self.done() };
        let number = u32::try_from(self.at + 1).unwrap_or(u32::MAX);
        let line = line.map(squeeze);
        let rest = match line.as_deref() {
            None | Some("s" | "S") => true,
            Some("") => false,
            Some(said) => {
                let (choice, text) = match said.parse::<usize>() {
                    Ok(n) if (1..=question.choices.len()).contains(&n) => {
                        (u32::try_from(n).ok(), None)
                    }
                    Ok(n) if !question.choices.is_empty() => {
                        let most = question.choices.len();
                        return Taken::Again(format!(
                            "there is no choice {n}: 1 to {most}, words of your own, Enter or s"
                        ));
                    }
                    _ => (None, Some(said.to_owned())),
                };
                self.answers.push(ClarifyingAnswer { question: number, choice, text });
                false
            }
        };
        self.at += 1;
        if !rest && self.at < self.questions.len() { Taken::Next } else { self.done() }
    }

    fn done(&mut self) -> Taken {
        let answers = std::mem::take(&mut self.answers);
        Taken::Done(if answers.is_empty() {
            Control::SkipClarification
        } else {
            Control::Clarified { answers }
        })
    }
}

/// The dialogue of one run.
pub(crate) struct Dialogue {
    terminal: Terminal,
    presence: Presence,
    typed: Option<Typed>,
    /// What is asked, while it is.
    open: Option<Asked>,
}

impl Dialogue {
    pub(crate) fn new(terminal: Terminal, presence: Presence) -> Self {
        Self { terminal, presence, typed: None, open: None }
    }

    /// Whether a line is waited for.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Begins to ask. Where nobody can answer, gives what to tell the run instead.
    pub(crate) fn begin(&mut self, questions: Vec<ClarifyingQuestion>) -> Option<Control> {
        if self.presence.others && !self.presence.is_there() {
            self.terminal.say(
                "the run asks back; it waits for an answer from where it was begun, or from a server's pages",
            );
            return None;
        }
        if !self.presence.is_there() || questions.is_empty() {
            self.terminal.say(
                "the run asks back and nobody can answer: the question is planned as it was asked",
            );
            return Some(Control::SkipClarification);
        }
        self.terminal.say(
            "Before this is looked up (a number or words of your own; Enter skips one question, s skips the rest):",
        );
        self.open = Some(Asked::new(questions));
        self.show();
        None
    }

    /// Nothing is waited for any more.
    pub(crate) fn close(&mut self) {
        self.open = None;
    }

    /// The next line; `None` at the end of the input. Waits forever while nothing is asked.
    pub(crate) async fn line(&mut self) -> Option<String> {
        if self.open.is_none() {
            return std::future::pending().await;
        }
        self.typed.get_or_insert_with(Typed::read).next().await
    }

    /// Takes a line. When it was the last one that is needed, gives what to tell the run.
    pub(crate) fn take(&mut self, line: Option<&str>) -> Option<Control> {
        match self.open.as_mut()?.take(line) {
            Taken::Again(why) => self.terminal.say(&format!("  {why}")),
            Taken::Next => self.show(),
            Taken::Done(said) => {
                self.open = None;
                return Some(said);
            }
        }
        None
    }

    /// The question that is next.
    fn show(&self) {
        if let Some(open) = &self.open {
            show(&self.terminal, open);
        }
    }
}

/// Says the question that is next, with its choices.
pub(crate) fn show(terminal: &Terminal, open: &Asked) {
    let Some((number, all, question)) = open.next() else { return };
    let why = squeeze(&question.why);
    let why = if why.is_empty() { why } else { format!(" ({why})") };
    terminal.say(&format!("{number}/{all} {}{why}", terminal.paint("1", &squeeze(&question.text))));
    for (choice, number) in question.choices.iter().zip(1..) {
        terminal.say(&format!("    {number}  {}", squeeze(choice)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(text: &str, choices: &[&str]) -> ClarifyingQuestion {
        ClarifyingQuestion {
            text: text.to_owned(),
            why: String::new(),
            choices: choices.iter().map(|choice| (*choice).to_owned()).collect(),
        }
    }

    fn told(lines: &[Option<&str>]) -> Option<Control> {
        let presence = Presence { terminal: true, piped: false, others: false };
        let mut dialogue = Dialogue::new(Terminal::silent(), presence);
        let asked =
            vec![question("A?", &["x", "y"]), question("B?", &[]), question("C?", &["z", "w"])];
        assert_eq!(dialogue.begin(asked), None);
        let mut said = None;
        for line in lines {
            assert!(said.is_none() && dialogue.is_open(), "it was over before {line:?}");
            said = dialogue.take(*line);
        }
        assert_eq!(said.is_none(), dialogue.is_open());
        said
    }

    fn clarified(answers: &[(u32, Option<u32>, Option<&str>)]) -> Control {
        let answers = answers
            .iter()
            .map(|(question, choice, text)| ClarifyingAnswer {
                question: *question,
                choice: *choice,
                text: text.map(str::to_owned),
            })
            .collect();
        Control::Clarified { answers }
    }

    #[test]
    fn numbers_choose_words_answer_enter_skips_and_s_skips_the_rest() {
        assert_eq!(
            told(&[Some("2"), Some(" in  1962 "), Some("")]),
            Some(clarified(&[(1, Some(2), None), (2, None, Some("in 1962"))]))
        );
        // A number is a choice only where there are choices; one that does not exist is asked for again.
        assert_eq!(
            told(&[Some("7"), Some("0"), Some("1"), Some("3"), Some("s")]),
            Some(clarified(&[(1, Some(1), None), (2, None, Some("3"))]))
        );
        assert_eq!(told(&[Some("s")]), Some(Control::SkipClarification));
        assert_eq!(told(&[Some(""), Some(""), Some("")]), Some(Control::SkipClarification));
        assert_eq!(told(&[Some("1"), None]), Some(clarified(&[(1, Some(1), None)])));
        assert_eq!(told(&[None]), Some(Control::SkipClarification));
        assert_eq!(told(&[Some("1"), Some("")]), None);
    }

    #[test]
    fn nobody_is_asked_who_is_not_there() {
        let absent = Presence { terminal: false, piped: false, others: false };
        let mut dialogue = Dialogue::new(Terminal::silent(), absent);
        assert_eq!(dialogue.begin(vec![question("A?", &[])]), Some(Control::SkipClarification));
        assert!(!dialogue.is_open());
        for setting in [None, Some("auto"), Some("always"), Some("never")] {
            assert_eq!(absent.asking(setting, true), Asking::Never);
        }
        let there = Presence { terminal: true, piped: false, others: false };
        assert_eq!(there.asking(Some("auto"), true), Asking::Auto);
        assert_eq!(there.asking(Some("always"), true), Asking::Always);
        assert_eq!(there.asking(Some("never"), true), Asking::Never);
        assert_eq!(
            there.asking(Some("always"), false),
            Asking::Never,
            "the built-in model asks nothing"
        );
    }
}
