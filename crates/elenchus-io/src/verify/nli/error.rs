//! Why a model folder cannot be used.

/// What is wrong with a folder that should hold an entailment model.
///
/// Every message reads "could not ATTEMPT: CAUSE; WAY OUT".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NliError {
    /// A file is missing, cannot be read or is no such file.
    #[error("could not load the entailment model in {folder}: {file}: {cause}; {way_out}")]
    File {
        /// The folder that was given.
        folder: String,
        /// The file's name.
        file: String,
        /// What the system or the parser said.
        cause: String,
        /// What to do about it.
        way_out: String,
    },
    /// The labels in config.json are not those of an entailment model.
    #[error(
        "could not tell the labels of the entailment model in {folder} apart: {cause}; {way_out}",
        way_out = LABELS
    )]
    Labels {
        /// The folder that was given.
        folder: String,
        /// What stands there.
        cause: String,
    },
    /// The model wants or gives other things than an entailment model does.
    #[error(
        "could not use the entailment model in {folder}: {cause}; take an export of a sequence classifier with the \
         inputs input_ids and attention_mask (token_type_ids if it likes) and one row of logits a pair"
    )]
    Shape {
        /// The folder that was given.
        folder: String,
        /// What is missing or different.
        cause: String,
    },
    /// The folder was pulled, and its files are no longer those that were.
    #[error(
        "could not trust the model in {folder}: {cause}; pull it again with `elenchus models pull NAME --from DIR`"
    )]
    Changed {
        /// The folder.
        folder: String,
        /// Which files, and what is wrong with them.
        cause: String,
    },
    /// A model could not be put into the models folder.
    #[error("could not keep the model {name}: {cause}; {way_out}")]
    Keep {
        /// Its name.
        name: String,
        /// What went wrong.
        cause: String,
        /// What to do about it.
        way_out: String,
    },
}

const LABELS: &str = "write its id2label as the model's card has it, with `entailment`, `neutral` and `contradiction` \
    (or `supports`, `not_enough_info` and `refutes`), or with `entailment` and `not_entailment`";
