//! Binding checks: whether the numbers, names, dates and polarity of a claim are those of its evidence.
