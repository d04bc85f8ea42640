//! Who says what in the text of a mail: its sender, or the sender of an earlier mail that is quoted in it.

use super::turn::{introduced as unmarked, turn};
use super::wrote::introduced;
use crate::ingest::mails::Head;

/// Most marks of quoting before a line that are told apart.
const DEEPEST: usize = 20;
/// Most changes of who speaks in one text; beyond them the last one goes on.
const MOST_SECTIONS: usize = 10_000;

/// Who says a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Speaker {
    /// Whoever sent the mail.
    Own,
    /// Whoever sent a mail that is quoted.
    Quoted(Head),
    /// Somebody who is quoted and not named.
    Unnamed,
}

/// What one speaker says at one place, without marks of quoting.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) speaker: Speaker,
    pub(super) text: String,
}

/// The text of a mail by who says it, in order. Every word of it stands in one section.
pub(super) fn cut(text: &str) -> Vec<Section> {
    let mut cutter = Cutter { speakers: vec![Speaker::Own], sections: Vec::new() };
    let mut named: Option<(Head, Vec<&str>)> = None;
    let mut runs = runs(text).into_iter().peekable();
    while let Some((depth, mut lines)) = runs.next() {
        let begins = named.take();
        if runs.peek().is_some_and(|next| next.0 > depth)
            && let Some((head, at)) = introduced(&lines)
        {
            named = Some((head, lines.split_off(at)));
        }
        if let Some((head, line)) = begins {
            cutter.speaks(depth, Speaker::Quoted(head));
            cutter.add(depth, line.join("\n").trim_end());
        }
        cutter.run(depth, &lines);
    }
    cutter.sections
}

/// Lines that follow each other with equally many marks of quoting, without the marks. An empty line belongs to what it follows.
fn runs(text: &str) -> Vec<(usize, Vec<&str>)> {
    let mut runs: Vec<(usize, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        let (depth, bare) = marks(line);
        match runs.last_mut() {
            Some((last, lines)) if *last == depth || line.trim().is_empty() => lines.push(bare),
            _ => runs.push((depth, vec![bare])),
        }
    }
    runs
}

/// How often a line is quoted, and the line.
fn marks(line: &str) -> (usize, &str) {
    let (mut depth, mut rest) = (0, line);
    while depth < DEEPEST {
        let bare = if depth > 0 { rest.strip_prefix(' ').unwrap_or(rest) } else { rest };
        let Some(after) = bare.strip_prefix('>') else { break };
        rest = after;
        depth += 1;
    }
    let bare = if depth > 0 { rest.strip_prefix(' ').unwrap_or(rest) } else { rest };
    (depth, bare)
}

struct Cutter {
    /// Who speaks behind so many marks, as far as it was said.
    speakers: Vec<Speaker>,
    sections: Vec<Section>,
}

impl Cutter {
    /// What is quoted so often from here on is this mail. What it quotes itself is not known yet.
    fn speaks(&mut self, depth: usize, speaker: Speaker) {
        self.speakers.resize(depth, Speaker::Unnamed);
        self.speakers.push(speaker);
    }

    /// Lines with equally many marks, in which another mail may begin.
    fn run(&mut self, depth: usize, lines: &[&str]) {
        let mut paragraphs = lines
            .split(|line| line.trim().is_empty())
            .filter(|paragraph| !paragraph.is_empty())
            .peekable();
        while let Some(paragraph) = paragraphs.next() {
            let next = paragraphs.peek().and_then(|next| next.first()).copied();
            if let Some(head) = wrapped(paragraph) {
                self.speaks(depth, Speaker::Quoted(head));
                self.add(depth, &paragraph.join("\n"));
                continue;
            }
            let (mut begun, mut at) = (0, 0);
            while at < paragraph.len() {
                let is_reply = at > 0 || !self.sections.is_empty();
                match turn(&paragraph[at..], next, at == 0, is_reply) {
                    Some((speaker, taken)) => {
                        self.add(depth, &paragraph[begun..at].join("\n"));
                        self.speaks(depth, speaker);
                        (begun, at) = (at, at + taken);
                    }
                    None => at += 1,
                }
            }
            self.add(depth, &paragraph[begun..].join("\n"));
        }
    }

    fn add(&mut self, depth: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        while self.speakers.len() <= depth {
            self.speakers.push(Speaker::Unnamed);
        }
        let speaker = &self.speakers[depth];
        let is_full = self.sections.len() >= MOST_SECTIONS;
        match self.sections.last_mut() {
            Some(last) if is_full || last.speaker == *speaker => {
                last.text.push_str("\n\n");
                last.text.push_str(text);
            }
            _ => {
                let section = Section { speaker: speaker.clone(), text: text.to_owned() };
                self.sections.push(section);
            }
        }
    }
}

/// The head that a paragraph gives which is one wrapped line and says who wrote what follows.
fn wrapped(paragraph: &[&str]) -> Option<Head> {
    const LINES: usize = 3;
    if paragraph.len() > LINES {
        return None;
    }
    // What stands before such a line is not of it.
    let begins_later = |at: usize| unmarked(&paragraph[at..].join(" ")).is_some();
    if (1..paragraph.len()).any(begins_later) {
        return None;
    }
    unmarked(&paragraph.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<(String, String)> {
        let speaker = |section: &Section| match &section.speaker {
            Speaker::Own => "own".to_owned(),
            Speaker::Quoted(head) => head.heading(),
            Speaker::Unnamed => "unnamed".to_owned(),
        };
        cut(text).iter().map(|section| (speaker(section), section.text.clone())).collect()
    }

    #[test]
    fn an_answer_between_the_lines_is_told_from_what_it_answers() {
        let text = "Dear Ann,\n\nOn Tue, 3 Jun 2025 at 08:05, Cy Roe\n<cy@mill.example> wrote:\n\n> Is the wheel mended?\n>\n\
                    > On 2 Jun 2025, Di Ash wrote:\n>> It is broken.\n\nIt is.\n\n> And the sluice?\n\nNot yet.\n";
        let roe = "Mail from Cy Roe, 3 June 2025";
        let expected = [
            ("own", "Dear Ann,"),
            (
                roe,
                "On Tue, 3 Jun 2025 at 08:05, Cy Roe\n<cy@mill.example> wrote:\n\nIs the wheel mended?",
            ),
            ("Mail from Di Ash, 2 June 2025", "On 2 Jun 2025, Di Ash wrote:\n\nIt is broken."),
            ("own", "It is."),
            (roe, "And the sluice?"),
            ("own", "Not yet."),
        ];
        let expected: Vec<_> =
            expected.iter().map(|(who, what)| ((*who).to_owned(), (*what).to_owned())).collect();
        assert_eq!(told(text), expected);
    }

    #[test]
    fn what_is_passed_on_below_a_head_is_its_senders() {
        let text = "Please see below.\n\n-----Original Message-----\nFrom: Cy Roe <cy@mill.example>\n\
                    Sent: 3 June 2025 08:05\nTo: Ann Lee\nSubject: Wheel\n\nThe wheel is broken.\n\nCy";
        let found = told(text);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[1].0, "Mail from Cy Roe, 3 June 2025");
        assert!(found[1].1.ends_with("\n\nThe wheel is broken.\n\nCy"), "{found:?}");
        let bare = told("Yes.\n\nOn 3 June 2025 at 08:05, Cy Roe wrote:\n\nIs it mended?");
        assert_eq!(bare.last().map(|last| last.0.as_str()), Some("Mail from Cy Roe, 3 June 2025"));
    }

    #[test]
    fn what_is_quoted_without_marks_is_its_senders_from_its_first_line_on() {
        let who = |text: &str| -> Vec<(String, String)> {
            let last = |(who, what): (String, String)| {
                let last = what.lines().last().unwrap_or_default().to_owned();
                (who, last)
            };
            told(text).into_iter().map(last).collect()
        };
        let expected = |parts: &[(&str, &str)]| -> Vec<(String, String)> {
            parts.iter().map(|(who, what)| ((*who).to_owned(), (*what).to_owned())).collect()
        };
        let roe = "Mail from Cy Roe, 3 June 2025";
        let broken = (roe, "The wheel is broken.");
        let head = "From: Cy Roe\nSent: 3 June 2025 08:05\nTo: Ann Lee\nSubject: Wheel";
        for quoted in [
            format!("-----Original Message-----\n{head}"),
            head.to_owned(),
            "On 3 June 2025 at 08:05, Cy Roe wrote:".to_owned(),
            "On Tue, 3 Jun 2025 at 08:05, Cy Roe\n<cy@mill.example> wrote:".to_owned(),
        ] {
            for gap in ["\n", "\n\n"] {
                let text = format!("I will look.{gap}{quoted}{gap}The wheel is broken.");
                assert_eq!(who(&text), expected(&[("own", "I will look."), broken]), "{text}");
            }
        }
        let by_hand = "I will look.\n\nOn 3 June Cy Roe wrote:\n\nThe wheel is broken.";
        assert_eq!(
            who(by_hand),
            expected(&[("own", "I will look."), ("Mail from Cy Roe", "The wheel is broken.")])
        );
        let nobody = "I will look.\n\n-----Original Message-----\nThe wheel is broken.";
        assert_eq!(
            who(nobody),
            expected(&[("own", "I will look."), ("unnamed", "The wheel is broken.")])
        );
        for own in [
            "On 3 June Cy Roe wrote:\n\nThe wheel is broken.",
            "I know.\n\nOn 3 June Cy Roe wrote:\n\n\"The wheel is broken.\"\n\nIt is not.",
            "The ferry is booked.\nFrom: Leith\nTo: Oban\nDate: 3 June 2025\nBring a coat.",
        ] {
            let found = told(own);
            assert!(found.iter().all(|one| one.0 == "own"), "{found:?}");
        }
    }

    #[test]
    fn a_quote_of_nobody_is_not_its_readers() {
        let found = told("> All wheels turn.\n\nThey do not.");
        let who: Vec<&str> = found.iter().map(|one| one.0.as_str()).collect();
        assert_eq!(who, ["unnamed", "own"]);
    }
}
