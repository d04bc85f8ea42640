//! A Qdrant server on the loopback interface for tests: the part of its REST interface that is used here, held to the letter.
//!
//! origin: documented. Shapes, statuses and messages follow the OpenAPI description and the source of the server. It is stricter
//! than the original: a field that it does not know, a filter over a field without an index, or a request about points that
//! names no tenant is an error.

mod collection;
mod filter;
mod http;

use collection::Collection;
use http::{Asked, Reply};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What goes wrong with one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An answer with this status and nothing done; seconds to wait, where it says so.
    Status(u16, Option<u64>),
    /// The connection ends in the middle of the answer. What was asked is done.
    Cut,
    /// The connection ends before the answer.
    Hangup,
    /// The answer comes this late.
    Slow(Duration),
    /// An answer with status 200 and this body.
    Says(String),
    /// A redirect to this address.
    Redirect(String),
    /// What was found is said to be of another tenant.
    Foreign,
}

/// A server that runs until it is dropped.
#[derive(Debug)]
pub struct LoopbackQdrant {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    stopped: Arc<AtomicBool>,
}

#[derive(Debug, Default)]
struct State {
    /// With what key everything may be done; anybody may without.
    key: Option<String>,
    /// A key that only reads.
    reading_key: Option<String>,
    collections: BTreeMap<String, Collection>,
    faults: VecDeque<Fault>,
    always: Option<Fault>,
    asked: Vec<String>,
    keys: Vec<Option<String>>,
}

impl LoopbackQdrant {
    /// An empty server at a free port of 127.0.0.1.
    ///
    /// # Errors
    /// When no port can be had.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let (state, stopped) = (Arc::<Mutex<State>>::default(), Arc::<AtomicBool>::default());
        let (shared, stop) = (Arc::clone(&state), Arc::clone(&stopped));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let (shared, stop) = (Arc::clone(&shared), Arc::clone(&stop));
                // A client that went away is no failure of the server.
                std::thread::spawn(move || http::serve(&stream, &shared, &stop).ok());
            }
        });
        Ok(Self { address, state, stopped })
    }

    /// `http://127.0.0.1:PORT`
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// From now on only who has this key may do anything, and who has the other may read.
    pub fn lock(&self, key: &str, reading: &str) {
        let mut state = self.state();
        state.key = Some(key.to_owned());
        state.reading_key = Some(reading.to_owned());
    }

    /// The next requests go wrong, each in one of these ways.
    pub fn fail(&self, faults: impl IntoIterator<Item = Fault>) {
        self.state().faults.extend(faults);
    }

    /// Every request goes wrong in this way; `None` ends that.
    pub fn always(&self, fault: Option<Fault>) {
        self.state().always = fault;
    }

    /// Methods and targets of requests, in order.
    pub fn asked(&self) -> Vec<String> {
        self.state().asked.clone()
    }

    /// The keys that requests had, in order.
    pub fn keys(&self) -> Vec<Option<String>> {
        self.state().keys.clone()
    }

    /// The tenants that have points, each with how many.
    pub fn tenants(&self) -> BTreeMap<String, usize> {
        let state = self.state();
        let mut tenants: BTreeMap<String, usize> = BTreeMap::new();
        for tenant in state.collections.values().flat_map(Collection::tenants) {
            *tenants.entry(tenant).or_default() += 1;
        }
        tenants
    }

    /// Forgets a point of a tenant, as a write that was lost would; gives whether there was one.
    pub fn lose(&self, tenant: &str, id: &str) -> bool {
        self.state().collections.values_mut().any(|collection| collection.lose(tenant, id))
    }

    /// Makes a collection as somebody else might have: with vectors of this length, compared in this way, several to a point
    /// or one.
    pub fn foreign_collection(&self, name: &str, size: usize, distance: &str, several: bool) {
        let collection = Collection::foreign(size, distance, several);
        self.state().collections.insert(name.to_owned(), collection);
    }

    /// Forgets everything.
    pub fn wipe(&self) {
        self.state().collections.clear();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for LoopbackQdrant {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        // Wakes the listener, which then sees that it is to stop.
        drop(TcpStream::connect_timeout(&self.address, Duration::from_secs(1)));
    }
}

/// Why a request is not done: the status and the message.
type Refusal = (u16, String);

impl State {
    /// The fault of this request, if it is to have one.
    fn fault(&mut self) -> Option<Fault> {
        self.faults.pop_front().or_else(|| self.always.clone())
    }

    fn answer(&mut self, asked: &Asked) -> Reply {
        if let Some(key) = &self.key {
            let reads = asked.method == "GET"
                || ["points/query", "points/scroll", "points/count"]
                    .iter()
                    .any(|path| asked.path.ends_with(path));
            // Answers of the door are plain text, unlike all others.
            match &asked.key {
                None => {
                    let text = "Must provide an API key or an Authorization bearer token";
                    return Reply::text(401, text);
                }
                Some(given) if given == key => {}
                Some(given) if Some(given) == self.reading_key.as_ref() && reads => {}
                Some(given) if Some(given) == self.reading_key.as_ref() => {
                    return Reply::error(403, "Forbidden: Global manage access is required");
                }
                Some(_) => return Reply::text(401, "Invalid API key or JWT"),
            }
        }
        match self.done(asked) {
            Ok(Some(result)) => {
                Reply::json(200, &json!({ "result": result, "status": "ok", "time": 0.000_1 }))
            }
            // What the routes do not know is answered without a word.
            Ok(None) => Reply::text(404, ""),
            Err((status, message)) => Reply::error(status, &message),
        }
    }

    fn done(&mut self, asked: &Asked) -> Result<Option<Value>, Refusal> {
        let Some(rest) = asked.path.strip_prefix("/collections/") else { return Ok(None) };
        let (name, action) = rest.split_once('/').unwrap_or((rest, ""));
        let wait = match asked.query.as_str() {
            "" => false,
            "wait=true" => true,
            other => return Err((400, format!("Query deserialize error: {other}"))),
        };
        let absent = || (404, format!("Not found: Collection `{name}` doesn't exist!"));
        if (asked.method.as_str(), action) == ("PUT", "") {
            if self.collections.contains_key(name) {
                let message = format!("Wrong input: Collection `{name}` already exists!");
                return Err((409, message));
            }
            self.collections.insert(name.to_owned(), Collection::made(asked.json()?)?);
            return Ok(Some(Value::Bool(true)));
        }
        let collection = self.collections.get_mut(name).ok_or_else(absent)?;
        let changed = |wait: bool| {
            let status = if wait { "completed" } else { "acknowledged" };
            json!({ "operation_id": 1, "status": status })
        };
        let result = match (asked.method.as_str(), action) {
            ("GET", "") => collection.info(),
            ("PUT", "index") => {
                collection.index(asked.json()?)?;
                changed(wait)
            }
            ("PUT", "points") => {
                collection.upsert(asked.json()?)?;
                changed(wait)
            }
            ("POST", "points/delete") => {
                collection.delete(asked.json()?)?;
                changed(wait)
            }
            ("POST", "points/query") => collection.query(asked.json()?)?,
            ("POST", "points/scroll") => collection.scroll(asked.json()?)?,
            ("POST", "points/count") => collection.count(asked.json()?)?,
            _ => return Ok(None),
        };
        Ok(Some(result))
    }
}
