//! Who else is let in over HTTP: further tokens, whose bearers act for themselves, with the memories of their project.

use super::token::{self, is_token, own_text};
use crate::error::{CliError, Result};
use crate::ui::terminal::Terminal;
use elenchus_core::answer::Answer;
use elenchus_core::bank::Caller;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::NewLimits;
use elenchus_server::door::Pass;
use elenchus_server::mcp::ports::{Inquiry, Progress, Refusal, Researcher, Told};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// The longest file that is read, in bytes.
const LONGEST: u64 = 1 << 20;
/// The longest name, in characters.
const LONGEST_NAME: usize = 100;
/// What a line says.
const FORM: &str = "write a line for each: TOKEN NAME, and where it is not the server's project also \
                    project=NAME, team=NAME, org=NAME or tenant=NAME";

/// Who is let in over HTTP: the bearer of the server's own token, first, then the members that a file names.
pub(crate) fn let_in(
    token_file: Option<&Path>,
    members_file: Option<&Path>,
    server: &Caller,
    terminal: &Terminal,
) -> Result<Vec<Pass>> {
    let mut passes = vec![token::pass(token_file, server, terminal)?];
    if let Some(file) = members_file {
        let others = members(file, server, &passes)?;
        passes.extend(others);
    }
    Ok(passes)
}

/// The members that a file names, a line each. Its first word is the token, its second who bears it. `own` are let in anyway.
fn members(file: &Path, server: &Caller, own: &[Pass]) -> Result<Vec<Pass>> {
    let wrong = |cause: String| {
        CliError::usage(format!("could not take the members in {}", file.display()), cause, FORM)
    };
    let open = File::open(file).map_err(|error| wrong(error.to_string()))?;
    let text = own_text(file, &open, LONGEST)?;
    let mut passes: Vec<Pass> = Vec::new();
    for (at, line) in text.lines().map(str::trim).enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let pass =
            member(line, server).map_err(|cause| wrong(format!("line {}: {cause}", at + 1)))?;
        // One actor has one vote: two members of one name would be one, and one token cannot be two members.
        let is_known = |known: &Pass| {
            known.token == pass.token
                || (known.caller.actor == pass.caller.actor
                    && known.caller.tenant == pass.caller.tenant)
        };
        if own.iter().any(is_known) {
            let cause = "its token or its name is that of the server itself";
            return Err(wrong(format!("line {}: {cause}", at + 1)));
        }
        if passes.iter().any(is_known) {
            return Err(wrong(format!("line {}: its token or its name stands above", at + 1)));
        }
        passes.push(pass);
    }
    if passes.is_empty() {
        return Err(wrong("it names nobody".to_owned()));
    }
    Ok(passes)
}

/// A member as a line says; else what is wrong with it. The token is never told.
fn member(line: &str, server: &Caller) -> std::result::Result<Pass, String> {
    let mut words = line.split_whitespace();
    let token = words.next().filter(|token| is_token(token));
    let token =
        token.ok_or("its first word is no token: one has at least 16 visible characters")?;
    let name = words.next().filter(|name| is_name(name));
    let name = name.ok_or("its second word is no name: letters, digits and -_.@ of the bearer")?;
    let mut told: BTreeMap<&str, String> = BTreeMap::new();
    for word in words {
        let known = word.split_once('=').filter(|(key, value)| {
            ["tenant", "project", "team", "org"].contains(key) && is_name(value)
        });
        let (key, value) = known.ok_or_else(|| {
            format!("{word:?} is none of project=NAME, team=NAME, org=NAME and tenant=NAME")
        })?;
        if told.insert(key, value.to_owned()).is_some() {
            return Err(format!("it names its {key} twice"));
        }
    }
    if told.contains_key("tenant") && !told.contains_key("project") {
        return Err("it names a tenant and no project of it".to_owned());
    }
    // A member comes in by the way of the server itself, as a program or as a person.
    let way = server.actor.split_once(':').map_or("mcp", |(way, _)| way);
    let mut caller = Caller { actor: format!("{way}:{name}"), ..server.clone() };
    if let Some(project) = told.remove("project") {
        // Another project sees of teams and organisations only what is said of it.
        (caller.project, caller.team, caller.org) = (project, None, None);
    }
    if let Some(tenant) = told.remove("tenant") {
        caller.tenant = tenant;
    }
    caller.team = told.remove("team").or(caller.team);
    caller.org = told.remove("org").or(caller.org);
    Ok(Pass { token: token.to_owned(), caller })
}

fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.chars().count())
        && name.chars().all(|c| c.is_alphanumeric() || "-_.@".contains(c))
}

/// Runs for those alone for whose project they are: they recall its memories, and leave it theirs.
pub(crate) struct OwnRuns {
    pub(crate) runs: Arc<dyn Researcher>,
    pub(crate) server: Caller,
}

impl OwnRuns {
    fn of(&self, caller: &Caller) -> std::result::Result<&dyn Researcher, Refusal> {
        if caller.shares_project(&self.server) {
            return Ok(&*self.runs);
        }
        Err(Refusal::new(
            "could not reach the runs of this server",
            "they are those of another project than the token's",
            "use the tools of the memory here, and a server of the project for its research",
        ))
    }
}

impl Researcher for OwnRuns {
    fn start<'a>(&'a self, caller: &'a Caller, inquiry: &'a Inquiry) -> Told<'a, Progress> {
        Box::pin(async move { self.of(caller)?.start(caller, inquiry).await })
    }

    fn resume<'a>(
        &'a self,
        caller: &'a Caller,
        run: &'a RunId,
        limits: &'a NewLimits,
    ) -> Told<'a, Progress> {
        Box::pin(async move { self.of(caller)?.resume(caller, run, limits).await })
    }

    fn status<'a>(&'a self, caller: &'a Caller, run: &'a RunId) -> Told<'a, Progress> {
        Box::pin(async move { self.of(caller)?.status(caller, run).await })
    }

    fn answer<'a>(&'a self, caller: &'a Caller, run: &'a RunId) -> Told<'a, Answer> {
        Box::pin(async move { self.of(caller)?.answer(caller, run).await })
    }

    fn cancel<'a>(&'a self, caller: &'a Caller, run: &'a RunId) -> Told<'a, Progress> {
        Box::pin(async move { self.of(caller)?.cancel(caller, run).await })
    }

    fn runs<'a>(&'a self, caller: &'a Caller) -> Told<'a, Vec<Progress>> {
        Box::pin(async move {
            if !caller.shares_project(&self.server) {
                return Ok(Vec::new());
            }
            self.runs.runs(caller).await
        })
    }

    fn trace<'a>(&'a self, caller: &'a Caller, run: &'a RunId) -> Told<'a, String> {
        Box::pin(async move { self.of(caller)?.trace(caller, run).await })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0123456789abcdef";

    fn server() -> Caller {
        Caller { team: Some("docks".to_owned()), ..Caller::local("here") }
    }

    #[test]
    fn a_member_sees_of_others_what_its_line_says() {
        let of = |more: &str| member(&format!("{TOKEN} ann {more}"), &server()).unwrap().caller;
        let same = of("");
        assert_eq!(same, Caller { actor: "mcp:ann".to_owned(), ..server() });
        let pages = Caller { actor: "http:local".to_owned(), ..server() };
        let person = member(&format!("{TOKEN} ann"), &pages).unwrap().caller;
        assert_eq!(person, Caller { actor: "http:ann".to_owned(), ..server() });
        assert!(person.is_person() && !same.is_person(), "as the server itself");
        assert_eq!(of("project=here").project, "here");
        let other = of("tenant=north project=crane");
        assert_eq!((other.tenant.as_str(), other.project.as_str()), ("north", "crane"));
        assert_eq!((other.team, other.org), (None, None), "nothing is inherited");
        let near = of("project=crane team=lifts");
        assert_eq!((near.tenant.as_str(), near.project.as_str()), ("local", "crane"));
        assert_eq!((near.team.as_deref(), near.org), (Some("lifts"), None), "nor is a team");
        let far = of("tenant=north project=crane org=port");
        assert_eq!((far.tenant.as_str(), far.org.as_deref()), ("north", Some("port")));
    }

    #[test]
    fn what_is_no_member_is_told_without_its_token() {
        for (line, cause) in [
            ("short ann", "no token"),
            (TOKEN, "no name"),
            ("0123456789abcdef a/b", "no name"),
            ("0123456789abcdef ann crane", "\"crane\" is none of"),
            ("0123456789abcdef ann actor=bob", "is none of"),
            ("0123456789abcdef ann project=", "is none of"),
            ("0123456789abcdef ann team=a team=b", "twice"),
            ("0123456789abcdef ann tenant=north", "no project"),
        ] {
            let told = member(line, &server()).map(|pass| pass.caller).unwrap_err();
            assert!(told.contains(cause) && !told.contains(TOKEN), "{line}: {told}");
        }
    }

    #[test]
    fn a_file_is_its_users_own_and_names_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("members");
        let written = |text: &str| {
            std::fs::write(&file, text).unwrap();
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
            }
            let server = Caller { actor: "mcp:local".to_owned(), ..server() };
            let own = Pass { token: "the-token-of-the-server".to_owned(), caller: server.clone() };
            members(&file, &server, &[own]).map(|passes| passes.len())
        };
        assert_eq!(written("# ours\n\n0123456789abcdef ann\nfedcba9876543210 bob\n").unwrap(), 2);
        for (text, cause) in [
            ("# nobody\n", "names nobody"),
            ("0123456789abcdef ann\n0123456789abcdef bob\n", "line 2"),
            ("0123456789abcdef ann\nfedcba9876543210 ann\n", "line 2"),
            ("0123456789abcdef local\n", "of the server itself"),
            ("the-token-of-the-server ann\n", "of the server itself"),
        ] {
            assert!(written(text).unwrap_err().cause.contains(cause), "{text}");
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
            assert!(members(&file, &server(), &[]).map(|_| ()).unwrap_err().cause.contains("644"));
        }
        let nowhere = members(&folder.path().join("none"), &server(), &[]);
        let nowhere = nowhere.map(|_| ()).unwrap_err();
        assert!(nowhere.hint.contains("TOKEN NAME"), "{nowhere:?}");
    }
}
