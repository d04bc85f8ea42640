//! On whose behalf the bank is used.

use serde::{Deserialize, Serialize};

/// How the names of actors begin that are programs. A person's begins with none of them.
const AGENTS: [&str; 2] = ["agent:", "mcp:"];
/// How those of a person begin who comes in over HTTP.
const HTTP: &str = "http:";

/// The name behind an actor: of a person and the agents that act for it one and the same.
pub(super) fn behind(actor: &str) -> &str {
    let mut ways = AGENTS.iter().copied().chain([HTTP]);
    ways.find_map(|way| actor.strip_prefix(way)).unwrap_or(actor)
}

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
    /// Who acts: one person, agent or token. One actor has one vote on a strategy, and all that it reports of it weighs within
    /// a bound.
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

    /// Whether both are of one project of one tenant.
    pub fn shares_project(&self, other: &Self) -> bool {
        self.tenant == other.tenant && self.project == other.project
    }

    /// Whether a person acts, rather than a program: only a person vouches for what nobody vouches for.
    pub fn is_person(&self) -> bool {
        !AGENTS.iter().any(|prefix| self.actor.starts_with(prefix))
    }

    /// The same caller where an agent acts for it: in the place of a person its agent, which has a voice of its own.
    #[must_use]
    pub fn through_agent(mut self) -> Self {
        if self.is_person() {
            // Whichever way it comes in, the agent of one person is one actor.
            self.actor = format!("mcp:{}", behind(&self.actor));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_no_person() {
        let by = |actor: &str| Caller { actor: actor.to_owned(), ..Caller::local("p") };
        for (person, agent) in
            [("local", "mcp:local"), ("http:local", "mcp:local"), ("ann", "mcp:ann")]
        {
            assert!(by(person).is_person());
            assert_eq!(by(person).through_agent(), by(agent));
        }
        for agent in ["mcp:local", "agent:writer"] {
            assert!(!by(agent).is_person());
            assert_eq!(by(agent).through_agent(), by(agent), "an agent keeps its name");
        }
    }
}
