//! Claims out of any text.
