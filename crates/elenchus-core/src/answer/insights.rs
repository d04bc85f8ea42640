//! The section of a report about what stands out.

use super::display::display_quote;
use crate::synthesis::insight::{Insight, WordedBy};
use std::fmt::Write;

/// Quotes shown an insight.
const SHOWN: usize = 4;

/// The section, from its heading on; empty without insights.
pub(super) fn section(insights: &[Insight]) -> String {
    let mut out = String::new();
    if insights.is_empty() {
        return out;
    }
    out.push_str(
        "## What stands out\n\nEach rests on the quotes below it. Novelty says how rarely the documents and past runs bring \
         these sources together, from 0 to 1; it does not say that the connection is right.\n",
    );
    for insight in insights {
        write(&mut out, insight).expect("writing to a String cannot fail");
    }
    out
}

fn write(out: &mut String, insight: &Insight) -> std::fmt::Result {
    let words = match insight.worded_by {
        WordedBy::Model => "in the model's words",
        WordedBy::Program => "found by counting",
    };
    writeln!(
        out,
        "\n- **{}** {} ({words}): {}\n    - Novelty {:.2}: {}.",
        insight.id,
        insight.kind.title(),
        display_quote(&insight.description, &[]),
        insight.novelty,
        display_quote(&insight.rule, &[]),
    )?;
    for support in insight.supporting.iter().take(SHOWN) {
        writeln!(
            out,
            "    - {}: \u{201C}{}\u{201D}",
            display_quote(&support.location, &[]),
            display_quote(&support.quote, &[])
        )?;
    }
    if insight.supporting.len() > SHOWN {
        writeln!(out, "    - {} more in the JSON form", insight.supporting.len() - SHOWN)?;
    }
    Ok(())
}
