//! Words for an office that is given up, for all who read who holds one.

/// Whether a verb, with the word behind it, says that somebody gives up what he holds: "resigned", "stood down".
pub(crate) fn gives_up(verb: &str, next: &str) -> bool {
    match verb {
        "resigned" | "resigns" | "retired" | "retires" | "quit" | "quits" => true,
        "stood" | "stands" | "standing" | "stepped" | "steps" | "stepping" => {
            matches!(next, "down" | "back" | "aside")
        }
        "gave" | "gives" => next == "up",
        "handed" | "hands" => next == "over",
        _ => false,
    }
}

/// Whether a verb says that an office was taken from who held it.
pub(crate) fn is_removed(verb: &str) -> bool {
    matches!(verb, "dismissed" | "removed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verb_alone_may_leave_it_open() {
        assert!(gives_up("resigned", "as") && gives_up("stood", "down") && gives_up("gave", "up"));
        assert!(!gives_up("stood", "for") && !gives_up("gave", "thanks") && !gives_up("was", ""));
        assert!(is_removed("dismissed") && !is_removed("replaced"));
    }
}
