//! On whose behalf the bank is used.

use serde::{Deserialize, Serialize};

/// Who asks. It comes from a token or from the project's file, never from the text of a call: a caller cannot name
/// its own tenant, project or actor.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Caller {
    /// What shares nothing with any other: no row, id, count or score crosses it.
    pub tenant: String,
    /// The project; strategies of the scope `project` are seen within it alone.
    pub project: String,
    /// The team whose strategies the project also sees, if it belongs to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// The organisation whose strategies the project also sees, if it belongs to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org: Option<String>,
    /// Who acts: one person, agent or token. One actor moves a strategy by at most one weight.
    pub actor: String,
}

impl Caller {
    /// The one user of a machine, in a project.
    pub fn local(project: impl Into<String>) -> Self {
        Self {
            tenant: "local".to_owned(),
            project: project.into(),
            team: None,
            org: None,
            actor: "local".to_owned(),
        }
    }
}
