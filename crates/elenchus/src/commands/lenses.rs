//! `--lenses`: which lenses a run looks through.

use crate::error::{CliError, Result};
use elenchus_core::pack;

/// The ids of the lenses asked for, each once; none without the flag. `speaks` says that a language model is asked.
pub(super) fn chosen(asked: Option<Vec<String>>, speaks: bool) -> Result<Vec<String>> {
    let Some(asked) = asked else { return Ok(vec![]) };
    let named: Vec<&str> = asked.iter().map(|name| name.trim()).filter(|n| !n.is_empty()).collect();
    let attempted = "could not look through lenses";
    let mut chosen: Vec<String> = Vec::new();
    for name in &named {
        let lens = pack::lens(name).ok_or_else(|| {
            CliError::usage(
                attempted,
                format!("there is no lens {name:?}"),
                format!(
                    "choose from {}, or write --lenses without a list, behind the question",
                    pack::names().collect::<Vec<_>>().join(", ")
                ),
            )
        })?;
        if !chosen.iter().any(|known| known == lens.id) {
            chosen.push(lens.id.to_owned());
        }
    }
    if !speaks {
        return Err(CliError::usage(
            attempted,
            "lenses need a language model, and the built-in one only quotes",
            "set one up, such as `--model ollama:llama3.2`, or ask without lenses",
        ));
    }
    if chosen.is_empty() {
        chosen.push(pack::OF_THE_PACK.to_owned());
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str], speaks: bool) -> Result<Vec<String>> {
        chosen(Some(names.iter().map(|name| (*name).to_owned()).collect()), speaks)
    }

    #[test]
    fn a_list_is_checked_and_no_list_means_the_pack() {
        assert_eq!(chosen(None, false).ok(), Some(vec![]));
        let all = of(&[], true).ok().unwrap();
        assert_eq!(all, ["pack"], "the run knows its pack");
        let two = of(&["Neutral ", "apologetic", "neutral", ""], true).ok().unwrap();
        assert_eq!(two, ["neutral", "apologetic"]);
        let error = of(&["sceptical"], true).err().unwrap();
        assert!(error.message().contains("\"sceptical\""), "{}", error.message());
        assert!(
            error.hint.contains("skeptical, charitable, apologetic, neutral"),
            "{}",
            error.hint
        );
        let error = of(&[], false).err().unwrap();
        assert!(error.message().contains("need a language model"), "{}", error.message());
    }
}
