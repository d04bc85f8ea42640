//! A Restate server of one's own, on loopback, with a folder that goes when it goes.

use elenchus_core::port::PortFuture;
use elenchus_engine::restate::{Ingress, Reply};
use elenchus_io::web::{ApiClient, Chosen, Egress, FetchSettings, Url};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Says where the server's binary is; `cargo xtask test` sets it.
const BINARY: &str = "ELENCHUS_TEST_RESTATE";

/// Where the server's binary is. Tells when there is none.
pub(super) fn binary() -> Option<PathBuf> {
    let found = std::env::var_os(BINARY).map(PathBuf::from);
    if found.is_none() {
        println!("skip: {BINARY} does not name a restate-server");
    }
    found
}

/// Ports that nobody listens on at the moment.
pub(super) fn free_ports<const N: usize>() -> [u16; N] {
    let held: Vec<TcpListener> =
        (0..N).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    std::array::from_fn(|n| held[n].local_addr().unwrap().port())
}

fn client(port: u16) -> ApiClient {
    let settings = FetchSettings {
        deadline: Duration::from_secs(20),
        egress: Egress::PrivateOnly,
        ..FetchSettings::default()
    };
    ApiClient::new(&format!("http://127.0.0.1:{port}/"), Chosen::ByUser, &settings).unwrap()
}

pub(super) struct Restate {
    binary: PathBuf,
    folder: tempfile::TempDir,
    child: Option<Child>,
    pub(super) ingress: ApiClient,
    admin: ApiClient,
}

impl Restate {
    pub(super) async fn start(binary: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [node, ingress, admin] = free_ports();
        let config = format!(
            "node-name = \"test\"\nbase-dir = \"{}\"\nlisten-mode = \"tcp\"\nbind-address = \"127.0.0.1:{node}\"\n\
             advertised-address = \"http://127.0.0.1:{node}/\"\ndefault-num-partitions = 2\n\
             rocksdb-total-memory-size = \"256 MiB\"\ndisable-telemetry = true\n\
             [admin]\nbind-address = \"127.0.0.1:{admin}\"\nadvertised-address = \"http://127.0.0.1:{admin}/\"\n\
             [ingress]\nbind-address = \"127.0.0.1:{ingress}\"\nadvertised-address = \"http://127.0.0.1:{ingress}/\"\n",
            folder.path().join("data").display(),
        );
        std::fs::write(folder.path().join("restate.toml"), config).unwrap();
        let mut restate = Self {
            binary: binary.to_owned(),
            folder,
            child: None,
            ingress: client(ingress),
            admin: client(admin),
        };
        restate.up().await;
        restate
    }

    /// Starts the process, and waits until it answers.
    pub(super) async fn up(&mut self) {
        let log = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder.path().join("log"))
            .unwrap();
        let child = Command::new(&self.binary)
            .args(["--no-logo", "-c"])
            .arg(self.folder.path().join("restate.toml"))
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        self.child = Some(child);
        let begun = Instant::now();
        while !(answers(&self.admin, "health").await
            && answers(&self.ingress, "restate/health").await)
        {
            assert!(begun.elapsed() < Duration::from_mins(1), "{}", self.log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// What the server has said.
    pub(super) fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Ends the process without a word of warning.
    pub(super) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Tells the server where a worker is. Waits for the worker to listen.
    pub(super) async fn register(&self, port: u16) {
        let body = format!("{{\"uri\":\"http://127.0.0.1:{port}\",\"force\":true}}");
        let begun = Instant::now();
        loop {
            let reply = post(&self.admin, "deployments", &body).await;
            match reply {
                Some((200 | 201, _)) => return,
                other => assert!(begun.elapsed() < Duration::from_secs(30), "{other:?}"),
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    pub(super) async fn post(&self, path: &str, body: &str) -> (u16, String) {
        post(&self.ingress, path, body).await.expect("the server answers")
    }

    /// The status is 0 when the server is away.
    pub(super) async fn get(&self, path: &str) -> (u16, String) {
        let url = self.ingress.base().join(path).unwrap();
        match self.ingress.get(&url, &[]).await {
            Ok(reply) => (reply.status, String::from_utf8_lossy(&reply.body).into_owned()),
            Err(error) => (0, error.to_string()),
        }
    }

    /// Asks the server's own tables.
    pub(super) async fn query(&self, sql: &str) -> String {
        let url = self.admin.base().join("query").unwrap();
        let body = serde_json::json!({ "query": sql }).to_string();
        let headers = [("accept", "application/json")];
        let reply = self.admin.post_json(&url, &headers, body.into_bytes()).await.unwrap();
        String::from_utf8_lossy(&reply.body).into_owned()
    }
}

impl Drop for Restate {
    fn drop(&mut self) {
        self.kill();
    }
}

async fn answers(client: &ApiClient, path: &str) -> bool {
    let url: Url = client.base().join(path).unwrap();
    client.get(&url, &[]).await.is_ok_and(|reply| reply.status == 200)
}

async fn post(client: &ApiClient, path: &str, body: &str) -> Option<(u16, String)> {
    let url = client.base().join(path).unwrap();
    let reply = client.post_json(&url, &[], body.as_bytes().to_vec()).await.ok()?;
    Some((reply.status, String::from_utf8_lossy(&reply.body).into_owned()))
}

/// The ingress, as the engine wants it.
pub(super) struct Door(pub(super) ApiClient);

impl Ingress for Door {
    fn post<'a>(&'a self, path: &'a str, body: String) -> PortFuture<'a, Result<Reply, String>> {
        Box::pin(async move {
            let url = self.0.base().join(path).unwrap();
            let reply = self.0.post_json(&url, &[], body.into_bytes()).await;
            let reply = reply.map_err(|error| error.to_string())?;
            Ok(Reply {
                status: reply.status,
                body: String::from_utf8_lossy(&reply.body).into_owned(),
            })
        })
    }

    fn get<'a>(&'a self, path: &'a str) -> PortFuture<'a, Result<Reply, String>> {
        Box::pin(async move {
            let url = self.0.base().join(path).unwrap();
            let reply = self.0.get(&url, &[]).await.map_err(|error| error.to_string())?;
            Ok(Reply {
                status: reply.status,
                body: String::from_utf8_lossy(&reply.body).into_owned(),
            })
        })
    }
}
