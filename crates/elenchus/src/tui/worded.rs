//! The plan changed by lines, for those who see no screen.

use super::plan::{Draft, Mark};

/// The lines that change a plan.
pub(super) const HELP: &str = "plan (says it), add WORDS, change NUMBER WORDS, remove NUMBER, move NUMBER PLACE, send, discard";

/// What a line wants with the plan. Numbers are those that are said, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit<'a> {
    Say,
    Add(&'a str),
    Change(usize, &'a str),
    Remove(usize),
    Move(usize, usize),
    Send,
    Discard,
}

/// What a line means, given by its first word and the rest; how it is written if it is not written so. `None` for a line about
/// something else.
pub(super) fn meant<'a>(word: &str, rest: &'a str) -> Option<Result<Edit<'a>, &'static str>> {
    let (first, more) = rest.split_once(' ').unwrap_or((rest, ""));
    let number = first.parse::<usize>().ok().filter(|number| *number > 0);
    let more = more.trim();
    Some(match word {
        "plan" => Ok(Edit::Say),
        "add" if !rest.is_empty() => Ok(Edit::Add(rest)),
        "add" => Err("it is written: add WORDS"),
        "change" => match number {
            Some(number) if !more.is_empty() => Ok(Edit::Change(number, more)),
            _ => Err("it is written: change NUMBER WORDS"),
        },
        "remove" => number.map(Edit::Remove).ok_or("it is written: remove NUMBER"),
        "move" => match (number, more.parse::<usize>()) {
            (Some(from), Ok(to)) if to > 0 => Ok(Edit::Move(from, to)),
            _ => Err("it is written: move NUMBER PLACE"),
        },
        "send" => Ok(Edit::Send),
        "discard" => Ok(Edit::Discard),
        _ => return None,
    })
}

/// The place of the question of a number.
fn place(number: usize) -> usize {
    number.saturating_sub(1)
}

impl Draft {
    /// The plan as lines, a question each.
    pub(super) fn said(&self) -> Vec<String> {
        let mut lines: Vec<String> = (0..self.asked().len()).map(|at| self.question(at)).collect();
        if lines.is_empty() {
            lines.push("  it asks nothing yet".to_owned());
        }
        lines.extend(self.left_out().map(|text| format!("  left out: {text}")));
        lines
    }

    fn question(&self, at: usize) -> String {
        let text = self.asked().get(at).map_or("", String::as_str);
        let more = match self.mark(text) {
            Mark::Answered => " (answered, stays)",
            Mark::Planned => "",
            Mark::New => " (new)",
        };
        format!("  {}  {text}{more}", at + 1)
    }

    /// Does what a line wants with the draft; gives what is to be said. Sending and dropping it is for whoever has it.
    pub(super) fn obey(&mut self, edit: Edit<'_>) -> Result<Vec<String>, String> {
        let at = match edit {
            Edit::Say | Edit::Send | Edit::Discard => return Ok(self.said()),
            Edit::Add(text) => self.add(usize::MAX, text)?,
            Edit::Change(number, text) => self.reword(place(number), text)?,
            Edit::Remove(number) => {
                let gone = self.remove(place(number))?;
                let all = self.asked().len();
                return Ok(vec![format!("taken out: {gone} ({all} left; send makes it so)")]);
            }
            Edit::Move(from, to) => self.shift(place(from), place(to))?,
        };
        Ok(vec![self.question(at), "send makes it so".to_owned()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_what_they_want() {
        let of = |line: &'static str| {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            meant(word, rest.trim())
        };
        assert_eq!(of("plan"), Some(Ok(Edit::Say)));
        assert_eq!(of("add How deep is it?"), Some(Ok(Edit::Add("How deep is it?"))));
        assert_eq!(of("change 2 How deep?"), Some(Ok(Edit::Change(2, "How deep?"))));
        assert_eq!(of("remove 3"), Some(Ok(Edit::Remove(3))));
        assert_eq!(of("move 3 1"), Some(Ok(Edit::Move(3, 1))));
        assert_eq!(of("send"), Some(Ok(Edit::Send)));
        assert_eq!(of("discard"), Some(Ok(Edit::Discard)));
        for wrong in ["add", "change 2", "change two x", "remove", "remove 0", "move 1", "move 1 0"]
        {
            assert!(matches!(of(wrong), Some(Err(how)) if how.contains("is written")), "{wrong}");
        }
        for other in ["interrupt", "redirect tides", "r x", "Plan", ""] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
