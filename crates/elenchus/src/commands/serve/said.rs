//! What people said of insights on this machine before there was a place for it in the store.

use super::premises::refused;
use crate::opinions;
use elenchus_core::port::Remark;
use elenchus_server::http::Opinions;
use elenchus_server::mcp::ports::Refusal;

/// The file of opinions.
pub(super) struct Sayings;

impl Opinions for Sayings {
    fn before(&self) -> Result<Vec<Remark>, Refusal> {
        opinions::before().map_err(refused)
    }
}
