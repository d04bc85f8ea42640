//! Which namespaces somebody reaches, where several projects share a tenant.

use super::lead::scope_namespace;
use crate::bank::Caller;
use serde::{Deserialize, Serialize};

/// First names of namespaces that belong to somebody: the name behind says to whom.
const OWNED: [&str; 3] = ["project", "team", "org"];

/// The namespaces that a caller reaches who shares a tenant with other projects: those of the own project, team and
/// organisation, and what lies below them. Namespaces that belong to nobody are those of the server's own project; what another
/// project calls so lies below its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Walls {
    project: String,
    team: String,
    org: String,
    is_home: bool,
}

impl Walls {
    /// The walls of a caller of a server that is `home`'s.
    pub fn of(caller: &Caller, home: &Caller) -> Self {
        let named = |kind: &str, name: Option<&str>| {
            name.map(|name| scope_namespace(kind, name)).unwrap_or_default()
        };
        Self {
            project: scope_namespace("project", &caller.project),
            team: named("team", caller.team.as_deref()),
            org: named("org", caller.org.as_deref()),
            is_home: caller.shares_project(home),
        }
    }

    /// The namespaces of project, team and organisation; an empty one where the caller is of none.
    pub fn roots(&self) -> [&str; 3] {
        [&self.project, &self.team, &self.org]
    }

    /// Whether namespaces that belong to nobody are reached.
    pub fn is_home(&self) -> bool {
        self.is_home
    }

    /// Where what a caller calls a namespace lies.
    pub fn place(&self, namespace: &str) -> String {
        if self.is_home || is_owned(namespace) {
            namespace.to_owned()
        } else {
            format!("{}/{namespace}", self.project)
        }
    }

    /// What a caller calls the namespace that lies there: the way back of [`Self::place`].
    pub fn name<'n>(&self, place: &'n str) -> &'n str {
        if self.is_home {
            return place;
        }
        let below = place.strip_prefix(self.project.as_str());
        let name = below.and_then(|rest| rest.strip_prefix('/'));
        name.filter(|name| !is_owned(name)).unwrap_or(place)
    }

    /// Whether the caller reaches what lies in a namespace.
    pub fn reaches(&self, namespace: &str) -> bool {
        self.roots().into_iter().any(|root| lies_in(namespace, root))
            || (self.is_home && !is_owned(namespace))
    }
}

fn is_owned(namespace: &str) -> bool {
    namespace.split('/').next().is_some_and(|first| OWNED.contains(&first))
}

fn lies_in(namespace: &str, root: &str) -> bool {
    let below = (!root.is_empty()).then(|| namespace.strip_prefix(root)).flatten();
    below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(project: &str, team: Option<&str>) -> Caller {
        Caller { team: team.map(str::to_owned), ..Caller::local(project) }
    }

    #[test]
    fn a_member_of_another_project_reaches_its_own_alone() {
        let home = caller("harbour", Some("docks"));
        let walls = Walls::of(&caller("quay", Some("cranes")), &home);
        for own in ["project/quay", "project/quay/default", "team/cranes", "team/cranes/x"] {
            assert!(walls.reaches(own), "{own}");
            assert_eq!(walls.place(own), own);
        }
        let foreign = [
            "project/harbour",
            "project/quayside",
            "project/quay2/x",
            "project",
            "team/docks",
            "team",
            "org/port",
            "default",
            "Project/quay",
            "",
        ];
        for foreign in foreign {
            assert!(!walls.reaches(foreign), "{foreign}");
        }
        // What belongs to nobody lies below its own project.
        assert_eq!(walls.place("default"), "project/quay/default");
        assert_eq!(walls.place("projects/x"), "project/quay/projects/x");
        assert_eq!(walls.place("project/harbour"), "project/harbour", "which is not reached");
        // And is called so again; what would mean another place keeps its whole name.
        for (place, name) in [
            ("project/quay/default", "default"),
            ("project/quay/a/b", "a/b"),
            ("project/quay", "project/quay"),
            ("project/quay/team/x", "project/quay/team/x"),
            ("project/quayside/a", "project/quayside/a"),
            ("team/cranes/x", "team/cranes/x"),
        ] {
            assert_eq!(walls.name(place), name);
            assert_eq!(walls.place(name), place);
        }
    }

    #[test]
    fn the_servers_own_project_reaches_what_belongs_to_nobody() {
        let home = caller("harbour", None);
        let walls = Walls::of(&home, &home);
        for own in ["default", "a/b", "projects/x", "project/harbour/x"] {
            assert!(walls.reaches(own), "{own}");
            assert_eq!((walls.place(own).as_str(), walls.name(own)), (own, own));
        }
        for foreign in ["project/quay", "team/docks", "org/port", "project", "team"] {
            assert!(!walls.reaches(foreign), "{foreign}");
        }
        // The same project of another tenant is another project.
        let far = Caller { tenant: "north".to_owned(), ..home.clone() };
        assert!(!Walls::of(&far, &home).is_home());
    }
}
