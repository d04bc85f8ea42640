//! Requests in, answers out, and what goes wrong on the way.

use super::{Fault, Refusal, State};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A request.
pub(super) struct Asked {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: String,
    pub(super) key: Option<String>,
    content_type: Option<String>,
    body: Vec<u8>,
}

impl Asked {
    /// The body as a document of a kind; what the kind does not know is an error.
    pub(super) fn json<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        if self.content_type.as_deref() != Some("application/json") {
            return Err((400, "Content type error".to_owned()));
        }
        serde_json::from_slice(&self.body)
            .map_err(|error| (400, format!("Format error in JSON body: {error}")))
    }
}

/// An answer.
pub(super) struct Reply {
    status: u16,
    headers: String,
    body: Vec<u8>,
}

impl Reply {
    pub(super) fn json(status: u16, value: &Value) -> Self {
        let headers = "content-type: application/json\r\n".to_owned();
        Self { status, headers, body: value.to_string().into_bytes() }
    }

    pub(super) fn error(status: u16, message: &str) -> Self {
        Self::json(status, &json!({ "status": { "error": message }, "time": 0.000_1 }))
    }

    pub(super) fn text(status: u16, text: &str) -> Self {
        let headers = "content-type: text/plain; charset=utf-8\r\n".to_owned();
        Self { status, headers, body: text.as_bytes().to_vec() }
    }
}

/// Serves one connection until it ends.
pub(super) fn serve(
    stream: &TcpStream,
    state: &Mutex<State>,
    stopped: &AtomicBool,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    let mut reader = BufReader::new(stream);
    let mut out = stream;
    while let Some(asked) = read(&mut reader)? {
        if stopped.load(Ordering::Relaxed) {
            return Ok(());
        }
        let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
        let fault = {
            let mut state = lock();
            let target = if asked.query.is_empty() {
                asked.path.clone()
            } else {
                format!("{}?{}", asked.path, asked.query)
            };
            state.asked.push(format!("{} {target}", asked.method));
            state.keys.push(asked.key.clone());
            state.fault()
        };
        match fault {
            None => {
                let reply = lock().answer(&asked);
                write(&mut out, &reply)?;
            }
            Some(Fault::Slow(wait)) => {
                std::thread::sleep(wait);
                let reply = lock().answer(&asked);
                write(&mut out, &reply)?;
            }
            Some(Fault::Status(status, wait)) => {
                let mut reply =
                    Reply::error(status, "Service internal error: the test wants it so");
                if let Some(wait) = wait {
                    reply.headers = format!("{}retry-after: {wait}\r\n", reply.headers);
                }
                write(&mut out, &reply)?;
            }
            Some(Fault::Cut) => {
                let reply = lock().answer(&asked);
                let bytes = bytes(&reply);
                out.write_all(&bytes[..bytes.len() - reply.body.len().div_ceil(2)])?;
                return out.flush();
            }
            Some(Fault::Hangup) => return Ok(()),
            Some(Fault::Says(text)) => {
                let mut reply = Reply::text(200, &text);
                "content-type: application/json\r\n".clone_into(&mut reply.headers);
                write(&mut out, &reply)?;
            }
            Some(Fault::Redirect(to)) => {
                let mut reply = Reply::text(307, "");
                reply.headers = format!("{}location: {to}\r\n", reply.headers);
                write(&mut out, &reply)?;
            }
            Some(Fault::Foreign) => {
                let mut reply = lock().answer(&asked);
                let text = String::from_utf8_lossy(&reply.body).into_owned();
                reply.body = text.replace("\"tenant\":\"", "\"tenant\":\"not ").into_bytes();
                write(&mut out, &reply)?;
            }
        }
    }
    Ok(())
}

fn bytes(reply: &Reply) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {} Peer\r\n{}content-length: {}\r\n\r\n",
        reply.status,
        reply.headers,
        reply.body.len()
    );
    [head.as_bytes(), &reply.body].concat()
}

fn write(out: &mut &TcpStream, reply: &Reply) -> io::Result<()> {
    out.write_all(&bytes(reply))?;
    out.flush()
}

/// The next request; `None` when the client has gone.
fn read(reader: &mut BufReader<&TcpStream>) -> io::Result<Option<Asked>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut asked = Asked {
        method: method.to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        key: None,
        content_type: None,
        body: Vec::new(),
    };
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        let value = value.trim().to_owned();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap_or(0),
            "content-type" => asked.content_type = Some(value),
            "api-key" => asked.key = Some(value),
            _ => {}
        }
    }
    // What the original takes by default.
    if length > 32 << 20 {
        return Ok(None);
    }
    asked.body = vec![0; length];
    reader.read_exact(&mut asked.body)?;
    Ok(Some(asked))
}
