//! What a run takes of a language model, reckoned from its rounds and its prompts before anything is sent.

use super::step::search::GAPS_A_ROUND;
use crate::prompt::PromptBook;

/// How long a reply is reckoned to take, in milliseconds. A choice: what a server takes is known once it was asked.
pub const REPLY_MS: u64 = 5_000;

/// What a run takes at most, where nothing is asked back, no lens is looked through and no reply has to be asked for again. Most
/// runs take less: a prompt is rarely full, and rounds end when nothing is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forecast {
    /// Calls of the model.
    pub calls: u32,
    /// Of those, how many have to wait for the one before.
    pub in_turn: u32,
    /// Tokens sent, at four characters each.
    pub input_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
}

impl Forecast {
    /// Of a run of so many rounds with the prompts of the program.
    pub fn of(rounds: u8) -> Self {
        let book = PromptBook::builtin();
        let rounds = u32::from(rounds.max(1));
        let between = rounds - 1;
        let sent = [
            ("plan", 1),
            ("hypothesize", 1),
            ("reflect", rounds),
            ("extract_facts", rounds),
            ("analyze_gaps", rounds),
            ("follow_up", between * GAPS_A_ROUND as u32),
            ("draft", 1),
            ("fallacies", 1),
            ("critique", 1),
            ("revise", 1),
        ];
        // Of a round the reflection is first, then gaps and facts beside each other, then what to search for next.
        let mut all = Self { in_turn: 6 + 2 * rounds + between, ..Self::default() };
        for (prompt, times) in sent {
            let (input, output) = book.most_tokens(prompt).unwrap_or_default();
            all.calls += times;
            all.input_tokens += input * u64::from(times);
            all.output_tokens += output * u64::from(times);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_is_reckoned() {
        let (one, five) = (Forecast::of(1), Forecast::of(5));
        assert_eq!((one.calls, one.in_turn), (9, 8));
        assert_eq!((five.calls, five.in_turn), (9 + 4 * 3 + 4 * 3, 8 + 4 * 3));
        assert_eq!(Forecast::of(0), one);
        // Each prompt that is reckoned with is one of the book.
        let book = PromptBook::builtin();
        let most = |id: &str| book.most_tokens(id).unwrap();
        let round = most("reflect").1 + most("extract_facts").1 + most("analyze_gaps").1;
        let more = 4 * (round + 3 * most("follow_up").1);
        assert_eq!(five.output_tokens - one.output_tokens, more);
        assert!(one.input_tokens > 8 * 2_000 && five.input_tokens > one.input_tokens);
        assert_eq!(book.most_tokens("no such prompt"), None);
    }
}
