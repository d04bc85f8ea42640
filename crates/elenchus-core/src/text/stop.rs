//! English words that carry no topic: function words, question words and what people wrap a question in.

const STOP: &[&str] = &[
    "a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "before", "being", "below", "between", "both", "but", "by", "can", "could", "currently",
    "did", "do", "does", "doing", "down", "during", "each", "either", "else", "ever", "exactly", "few", "for",
    "from", "further", "get", "gets", "give", "given", "gives", "got", "had", "has", "have", "having", "he", "her",
    "here", "hers", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "itself", "just", "kind", "let",
    "like", "make", "makes", "many", "may", "me", "might", "more", "most", "much", "must", "my", "need", "no",
    "nor", "not", "now", "of", "off", "on", "once", "one", "only", "or", "other", "our", "ours", "out", "over", "own",
    "per", "please", "really", "same", "shall", "she", "should", "so", "some", "sort", "still", "such", "tell",
    "than", "that", "the", "their", "theirs", "them", "then", "there", "these", "they", "thing", "this", "those",
    "through", "to", "too", "under", "until", "up", "upon", "us", "very", "was", "we", "were", "what", "when",
    "where", "whether", "which", "while", "who", "whom", "whose", "why", "will", "with", "within", "would", "yes",
    "you", "your", "yours", "s", "t", "according", "documents", "document", "corpus",
];

/// Whether a lower-case word carries no topic.
pub fn is_stop_word(word: &str) -> bool {
    STOP.contains(&word)
}

#[cfg(test)]
mod tests {
    #[test]
    fn knows_function_words() {
        assert!(super::is_stop_word("the") && super::is_stop_word("what"));
        assert!(!super::is_stop_word("revenue"));
    }
}
