//! What must hold of what a client sends, whatever it is: for the fuzz target.

/// Reads any bytes as a line of the protocol.
pub fn line(bytes: &[u8]) {
    super::lines::check(bytes);
}
