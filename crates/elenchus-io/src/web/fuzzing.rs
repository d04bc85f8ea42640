//! What must hold of what sites and search services send, whatever it is: for the property tests and the fuzz targets.

/// Reads any bytes as a robots.txt and asks whether a path may be read.
pub fn robots(file: &[u8], path: &str) {
    super::robots::check(file, path);
}

/// Reads any text as the reply of each kind of search service.
pub fn provider_reply(text: &str) {
    super::provider::check(text);
}
