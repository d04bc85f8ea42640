//! Connections, made when they are needed and made again when they are lost.

use super::cause::{is_away, of_config, plain_cause};
use crate::tls::trust;
use futures_util::StreamExt;
use futures_util::stream::{BoxStream, poll_fn};
use std::net::IpAddr;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Mutex;
use tokio::time::Instant;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{AsyncMessage, Client, Config, Connection, NoTls, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

/// The schema of the relations, where the URL names none.
pub(super) const SCHEMA: &str = "elenchus";
/// How long a server may take to take a connection, unless the URL says so.
const PATIENCE: Duration = Duration::from_secs(10);
/// Addresses of one host that are allowed for.
const ADDRESSES: u32 = 3;
/// What a connection is told first: no statement and no lock is waited for without end.
const MANNERS: &str = "SET statement_timeout = '60s'; SET lock_timeout = '20s'; \
     SET idle_in_transaction_session_timeout = '60s'; SET client_min_messages = warning";

/// Reads a URL such as `postgres://user@host/database`.
///
/// # Errors
/// In words, without the password.
pub(crate) fn config(url: &str) -> Result<Config, String> {
    let mut config: Config = url.parse().map_err(|error| of_config(&error))?;
    if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
        return Err("it names no host; write postgres://user@host/database".to_owned());
    }
    // A database may be shared with other programs: what is ours lies apart, unless the URL says where.
    let options = config.get_options().unwrap_or_default().to_owned();
    if !options.contains("search_path") {
        config.options(format!("{options} -csearch_path={SCHEMA}").trim());
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(PATIENCE);
    }
    if config.get_application_name().is_none() {
        config.application_name("elenchus");
    }
    // A server that went away without a word is noticed within minutes.
    config.keepalives_idle(Duration::from_secs(30));
    config.keepalives_interval(Duration::from_secs(10));
    config.keepalives_retries(3);
    config.tcp_user_timeout(Duration::from_mins(1));
    Ok(config)
}

/// How long a connection may take in all. Taking one is bounded for each address by itself; what a server says then is not, and one
/// that takes connections and says nothing would be waited for without end.
fn patience(config: &Config) -> Duration {
    let each = config.get_connect_timeout().copied().unwrap_or(PATIENCE);
    let most = if config.get_hostaddrs().is_empty() {
        config.get_hosts().iter().map(addresses).fold(0, u32::saturating_add)
    } else {
        u32::try_from(config.get_hostaddrs().len()).unwrap_or(u32::MAX)
    };
    each.saturating_mul(most.saturating_add(1))
}

/// How many addresses of a host may be tried: those of a name are only known once they are.
fn addresses(host: &Host) -> u32 {
    let is_name = matches!(host, Host::Tcp(name) if name.parse::<IpAddr>().is_err());
    if is_name { ADDRESSES } else { 1 }
}

/// Gives up on what takes longer.
async fn within<T>(
    patience: Duration,
    work: impl Future<Output = Result<T, Unjoined>>,
) -> Result<T, Unjoined> {
    tokio::time::timeout(patience, work).await.unwrap_or_else(|_| {
        let cause = format!(
            "the server said nothing for {} s; check that it runs, and that DATABASE_URL names a PostgreSQL server",
            patience.as_secs()
        );
        Err(Unjoined { cause, is_away: true })
    })
}

/// Why there is no connection.
#[derive(Debug)]
pub(crate) struct Unjoined {
    /// Cause and way out, in words.
    pub(crate) cause: String,
    /// Whether there may be one in a moment.
    pub(crate) is_away: bool,
}

impl From<tokio_postgres::Error> for Unjoined {
    fn from(error: tokio_postgres::Error) -> Self {
        Self { cause: plain_cause(&error), is_away: is_away(&error) }
    }
}

impl From<Unjoined> for String {
    fn from(unjoined: Unjoined) -> Self {
        unjoined.cause
    }
}

/// One connection, as somebody beside Elenchus would have it. A task reads from it until the client is dropped.
///
/// # Errors
/// Cause and way out, in words.
#[cfg(any(test, feature = "testkit"))]
pub(crate) async fn connect(url: &str) -> Result<Client, String> {
    Ok(open(&config(url)?, "").await?)
}

/// What the server says without being asked; it has to be read for a connection to go on.
type Messages = BoxStream<'static, Result<AsyncMessage, tokio_postgres::Error>>;

/// A connection of which nothing is read yet, encrypted as its URL wants it.
async fn joined(config: &Config) -> Result<(Client, Messages), Unjoined> {
    let untrusted = |error: &str| Unjoined {
        cause: format!(
            "the certificates of this system cannot be used ({error}); install them, or set sslmode=disable"
        ),
        is_away: false,
    };
    let trust = match config.get_ssl_mode() {
        SslMode::Disable => None,
        // Where it is only preferred, a system that has nothing to judge certificates by goes without.
        SslMode::Prefer => trust().ok(),
        _ => Some(trust().map_err(untrusted)?),
    };
    match trust {
        None => {
            let (client, connection) = config.connect(NoTls).await?;
            Ok((client, messages(connection)))
        }
        Some(trust) => {
            let secured = MakeRustlsConnect::new(trust.clone());
            let (client, connection) = config.connect(secured).await?;
            Ok((client, messages(connection)))
        }
    }
}

fn messages<T>(mut connection: Connection<Socket, T>) -> Messages
where
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    poll_fn(move |context| connection.poll_message(context)).boxed()
}

/// A connection that is read from until the client is dropped, after it was told `more` as well.
async fn open(config: &Config, more: &str) -> Result<Client, Unjoined> {
    within(patience(config), opened(config, more)).await
}

async fn opened(config: &Config, more: &str) -> Result<Client, Unjoined> {
    let (client, mut messages) = joined(config).await?;
    // Reading ends with an error when the server goes away; the next statement says so.
    tokio::spawn(async move { while let Some(Ok(_)) = messages.next().await {} });
    let manners = format!("{MANNERS}; {more}");
    client.batch_execute(&manners).await?;
    Ok(client)
}

/// A connection that statements share.
pub(crate) struct Common {
    client: Client,
    answers: Answers,
    is_useless: AtomicBool,
}

impl Common {
    fn new(client: Client) -> Self {
        Self { client, answers: Answers::new(), is_useless: AtomicBool::new(false) }
    }

    /// Waits for an answer, see [`Answers::wait`]. A connection that gives none is not used again.
    pub(crate) async fn answer<T>(
        &self,
        patience: Duration,
        asked: impl Future<Output = T>,
    ) -> Option<T> {
        let answer = self.answers.wait(patience, asked).await;
        if answer.is_none() {
            self.forget();
        }
        answer
    }

    /// Lets go of a connection that leads to a server of no use; the next call that needs one makes another.
    pub(crate) fn forget(&self) {
        self.is_useless.store(true, Ordering::Relaxed);
    }

    fn is_of_use(&self) -> bool {
        !self.client.is_closed() && !self.is_useless.load(Ordering::Relaxed)
    }
}

impl Deref for Common {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

/// When a connection last gave an answer.
struct Answers(std::sync::Mutex<Instant>);

impl Answers {
    fn new() -> Self {
        Self(std::sync::Mutex::new(Instant::now()))
    }

    /// Waits for an answer. They come in the order of what was asked, and each may take its time: `None` when none at all has come
    /// for so long.
    async fn wait<T>(&self, patience: Duration, asked: impl Future<Output = T>) -> Option<T> {
        let mut asked = std::pin::pin!(asked);
        let mut since = Instant::now();
        loop {
            let answer = tokio::time::timeout_at(since + patience, asked.as_mut()).await;
            let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Ok(answer) = answer {
                *last = Instant::now();
                return Some(answer);
            }
            if *last <= since {
                return None;
            }
            since = *last;
        }
    }
}

/// A few connections that statements of many runs share. Every statement is whole by itself, so that several may be under
/// way on one.
pub(crate) struct Connections {
    config: Config,
    /// What each is told beside the usual, in SQL.
    manners: &'static str,
    slots: Vec<Mutex<Option<Arc<Common>>>>,
    next: AtomicUsize,
}

impl Connections {
    /// At most `most` connections, at least one; none is made yet.
    pub(crate) fn new(url: &str, most: usize) -> Result<Self, String> {
        Self::told(url, most, "")
    }

    /// The same; each connection is told `manners` first, which is SQL.
    pub(crate) fn told(url: &str, most: usize, manners: &'static str) -> Result<Self, String> {
        let slots = (0..most.max(1)).map(|_| Mutex::default()).collect();
        Ok(Self { config: config(url)?, manners, slots, next: AtomicUsize::new(0) })
    }

    /// The next one in turn, made anew where it was lost.
    pub(crate) async fn client(&self) -> Result<Arc<Common>, Unjoined> {
        let at = self.next.fetch_add(1, Ordering::Relaxed) % self.slots.len();
        let mut slot = self.slots[at].lock().await;
        if let Some(client) = slot.as_ref().filter(|client| client.is_of_use()) {
            return Ok(Arc::clone(client));
        }
        let client = Arc::new(Common::new(open(&self.config, self.manners).await?));
        *slot = Some(Arc::clone(&client));
        Ok(client)
    }

    /// A connection that nobody shares.
    pub(crate) async fn own(&self) -> Result<Client, String> {
        Ok(open(&self.config, self.manners).await?)
    }

    /// The server, for messages: hosts, port and database, never the password.
    pub(crate) fn place(&self) -> String {
        let hosts: Vec<String> = self
            .config
            .get_hosts()
            .iter()
            .map(|host| match host {
                Host::Tcp(name) => name.clone(),
                #[cfg(unix)]
                Host::Unix(path) => path.display().to_string(),
            })
            .collect();
        let port = self.config.get_ports().first().copied().unwrap_or(5432);
        let database = self.config.get_dbname().or(self.config.get_user()).unwrap_or_default();
        format!("postgres://{}:{port}/{database}", hosts.join(","))
    }
}

/// Listens on a channel: `say` is told that it begins (with nothing) and then of every message. Ends when the connection is
/// lost or `is_enough` says so, which is asked every few seconds.
pub(crate) async fn listen(
    connections: &Connections,
    channel: &str,
    say: impl Fn(String),
    is_enough: impl Fn() -> bool,
) {
    let config = &connections.config;
    // Calls that need an answer say why there is no connection.
    let Ok((client, mut messages)) = within(patience(config), joined(config)).await else { return };
    let begin = format!("LISTEN {channel}");
    let mut began = std::pin::pin!(client.batch_execute(&begin));
    let mut mute = std::pin::pin!(tokio::time::sleep(patience(config)));
    let mut listening = false;
    let mut look = tokio::time::interval(Duration::from_secs(5));
    loop {
        tokio::select! {
            done = &mut began, if !listening => {
                listening = true;
                match done {
                    Ok(()) => say(String::new()),
                    Err(_) => return,
                }
            }
            () = &mut mute, if !listening => return,
            message = messages.next() => match message {
                Some(Ok(AsyncMessage::Notification(news))) => say(news.payload().to_owned()),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return,
            },
            _ = look.tick() => if is_enough() { return },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Answers, Connections, config, listen, patience};
    use std::time::Duration;
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;

    /// A server that takes connections and what is said to it, and says nothing.
    async fn mute() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((mut taken, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let mut heard = [0; 64];
                    while taken.read(&mut heard).await.is_ok_and(|read| read > 0) {}
                });
            }
        });
        format!("postgres://somebody@127.0.0.1:{port}/runs?sslmode=disable&connect_timeout=1")
    }

    #[tokio::test]
    async fn a_server_that_takes_connections_and_says_nothing_is_away() {
        let connections = Connections::new(&mute().await, 1).unwrap();
        let long = Duration::from_secs(20);
        let joined = tokio::time::timeout(long, connections.client()).await.expect("it gives up");
        let unjoined = joined.map(|_| ()).expect_err("nobody answers");
        assert!(unjoined.is_away && unjoined.cause.contains("said nothing"), "{unjoined:?}");
        let listening = listen(&connections, "elenchus_runs", drop, || false);
        tokio::time::timeout(long, listening).await.expect("so does listening");
    }

    #[tokio::test]
    async fn what_was_asked_later_has_its_time_after_what_was_asked_before() {
        let (answers, second) = (Answers::new(), Duration::from_secs(1));
        let (first, next, never) = tokio::join!(
            answers.wait(second, tokio::time::sleep(Duration::from_millis(700))),
            answers.wait(second, tokio::time::sleep(Duration::from_millis(1_400))),
            answers.wait(second, std::future::pending::<()>()),
        );
        assert_eq!((first, next, never), (Some(()), Some(()), None));
    }

    #[test]
    fn each_address_has_its_time() {
        let all = |url: &str| patience(&config(url).unwrap()).as_secs();
        assert_eq!(all("postgres://u@127.0.0.1/db"), 20);
        assert_eq!(all("postgres://u@a/db"), 40);
        assert_eq!(all("postgres://u@a/db?hostaddr=127.0.0.1"), 20);
        assert_eq!(all("postgres://u@a,b,c/db?connect_timeout=4"), 40);
    }
}
