//! What people say of runs, kept beside them: one rule for pages, HTTP, the terminal and commands.

use elenchus_core::answer::Answer;
use elenchus_core::graph::leads;
use elenchus_core::id::ClaimId;
use elenchus_core::port::{Basis, Matter, Remark, Store, StoreFailure};

/// Keeps a remark on a run whose answer is `answer`. A word on a statement is kept with the figure that later ones learn
/// from, where it has one; what takes a word back rests on nothing. The remark as it is kept, for [`crate::keep_note`].
///
/// # Errors
/// When the journal cannot be read or the remark not be kept.
pub async fn keep_remark(
    store: &dyn Store,
    remark: Remark,
    answer: Option<&Answer>,
) -> Result<Remark, StoreFailure> {
    let basis = match (remark.about, &remark.said, answer) {
        (Matter::Claim, Some(_), Some(answer)) => {
            let claim = ClaimId::from(remark.target.as_str());
            Basis::of(&store.journal(&remark.run_id).await?, answer, &claim)
        }
        _ => None,
    };
    let remark = remark.resting_on(basis.as_ref());
    store.remark(&remark).await?;
    Ok(remark)
}

/// What whoever said it is told where [`crate::keep_note`] failed; the cause follows it. The word itself is in the store and
/// holds.
pub fn unled(remark: &Remark) -> &'static str {
    if leads(remark) {
        "your word is kept, but later runs are not told of it"
    } else {
        "your word is kept, but a note that you left there before may still lead later runs"
    }
}
