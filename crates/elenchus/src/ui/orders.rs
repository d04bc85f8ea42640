//! Orders that a person is told to type.

use crate::store_place::is_server;
use std::path::Path;

/// How orders begin that look into a store.
const LOOK_INTO_A_STORE: [&str; 4] =
    ["elenchus runs", "elenchus audit", "elenchus memory", "elenchus doctor"];

/// A store that a flag named, as it is typed once more. `None` for a server: its address may hold a password.
pub(crate) fn as_typed(store: &Path) -> Option<String> {
    let text = store.to_str().filter(|text| !text.is_empty() && !is_server(text))?;
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:@,%".contains(c);
    Some(if text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    })
}

/// A text whose orders, which stand between backticks, name the store that a flag named: as they stand they would look
/// into the usual one, where the run is not.
pub(crate) fn at_store(text: &str, store: Option<&str>) -> String {
    let Some(store) = store else { return text.to_owned() };
    let parts: Vec<&str> = text.split('`').collect();
    let last = parts.len() - 1;
    let mut out = String::with_capacity(text.len());
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.push('`');
        }
        out.push_str(part);
        let is_order = at % 2 == 1
            && at < last
            && LOOK_INTO_A_STORE.iter().any(|order| part.starts_with(order))
            && !part.contains("--store");
        if is_order {
            out.push_str(" --store ");
            out.push_str(store);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_name_the_store_that_a_flag_named() {
        let text = "`elenchus runs resume run_1` goes on; `elenchus ask` keeps nothing with \
                    --ephemeral; `elenchus doctor` checks the store";
        assert_eq!(
            at_store(text, Some("a.db")),
            "`elenchus runs resume run_1 --store a.db` goes on; `elenchus ask` keeps nothing with \
             --ephemeral; `elenchus doctor --store a.db` checks the store"
        );
        assert_eq!(at_store(text, None), text);
        for other in ["`elenchus runs list --store b.db`", "a ` elenchus runs", "`elenchus runs"] {
            assert_eq!(at_store(other, Some("a.db")), other);
        }
    }

    #[test]
    fn a_store_is_written_as_a_shell_takes_it() {
        let typed = |store: &str| as_typed(Path::new(store));
        assert_eq!(typed("runs/a-1.db").as_deref(), Some("runs/a-1.db"));
        assert_eq!(typed("my runs/it's.db").as_deref(), Some("'my runs/it'\\''s.db'"));
        assert_eq!(typed("postgres://me:secret@host/db"), None);
        assert_eq!(typed(""), None);
    }
}
