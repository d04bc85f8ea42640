//! Messages as lines of JSON over two streams, as standard input and output carry them.
//!
//! The transport of the protocol library passes over a line that is no JSON without a word, and answers JSON that is no
//! message without saying which request it means. JSON-RPC 2.0 has a reply for both, for which a client may wait.

use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;

/// The longest line that is read, in bytes.
const LONGEST: usize = 16 << 20;
/// Characters of a cause that are told.
const LONGEST_CAUSE: usize = 300;
/// A line that is no JSON.
const PARSE_ERROR: i32 = -32_700;
/// JSON that is no message of the protocol.
const INVALID_REQUEST: i32 = -32_600;
/// Some programs begin what they write with it.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A message of a client.
type Heard = RxJsonRpcMessage<RoleServer>;

/// What the next line is.
enum Next {
    Line(Vec<u8>),
    TooLong,
    End,
}

/// A transport that answers every line which asks for an answer.
pub(super) struct Lines<R, W> {
    input: BufReader<R>,
    /// Replies of the server and those to lines that are no messages, a whole line at a time.
    output: Arc<Mutex<W>>,
    /// The line so far.
    line: Vec<u8>,
    is_too_long: bool,
    longest: usize,
}

impl<R: AsyncRead, W> Lines<R, W> {
    pub(super) fn new(input: R, output: W) -> Self {
        Self {
            input: BufReader::new(input),
            output: Arc::new(Mutex::new(output)),
            line: Vec::new(),
            is_too_long: false,
            longest: LONGEST,
        }
    }
}

impl<R: AsyncRead + Unpin, W> Lines<R, W> {
    /// The next line, without more than it needs of one that is too long. A call that is given up loses nothing: the next
    /// one goes on where it stopped.
    async fn read_line(&mut self) -> Next {
        loop {
            // What cannot be read has ended.
            let Ok(read) = self.input.fill_buf().await else { return Next::End };
            let at_the_end = read.is_empty();
            if at_the_end && self.line.is_empty() && !self.is_too_long {
                return Next::End;
            }
            let ends = read.iter().position(|byte| *byte == b'\n');
            let used = ends.map_or(read.len(), |at| at + 1);
            if self.is_too_long || self.line.len() + used > self.longest {
                self.is_too_long = true;
                self.line.clear();
            } else {
                self.line.extend_from_slice(read.get(..used).unwrap_or_default());
            }
            self.input.consume(used);
            if ends.is_some() || at_the_end {
                let line = std::mem::take(&mut self.line);
                let is_too_long = std::mem::take(&mut self.is_too_long);
                return if is_too_long { Next::TooLong } else { Next::Line(line) };
            }
        }
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = Arc::clone(&self.output);
        async move { put(output, serde_json::to_vec(&item)?).await }
    }

    async fn receive(&mut self) -> Option<Heard> {
        loop {
            let answer = match self.read_line().await {
                Next::End => return None,
                Next::TooLong => too_long(self.longest),
                Next::Line(line) => match heard(&line) {
                    Ok(Some(message)) => return Some(message),
                    Ok(None) => continue,
                    Err(answer) => answer,
                },
            };
            let output = Arc::clone(&self.output);
            // Nobody listens any more, so nobody has anything to say.
            put(output, answer.to_string().into_bytes()).await.ok()?;
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.lock().await.shutdown().await
    }
}

/// Writes a line to its end, even where its caller gives up: half a line would spoil the next one.
async fn put<W>(output: Arc<Mutex<W>>, mut line: Vec<u8>) -> io::Result<()>
where
    W: AsyncWrite + Send + Unpin + 'static,
{
    line.push(b'\n');
    let written = tokio::spawn(async move {
        let mut output = output.lock().await;
        output.write_all(&line).await?;
        output.flush().await
    });
    written.await.unwrap_or_else(|error| Err(io::Error::other(error)))
}

fn answer(code: i32, id: &Value, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

fn too_long(longest: usize) -> Value {
    let message = format!(
        "could not read a line: it is longer than {longest} bytes; send a shorter message, with long texts in parts"
    );
    answer(INVALID_REQUEST, &Value::Null, &message)
}

/// The message of a line; nothing where there is none and nobody waits for a reply. The error is the answer to the line.
fn heard(line: &[u8]) -> Result<Option<Heard>, Value> {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let why = match serde_json::from_slice::<Heard>(line) {
        Ok(message) => return Ok(Some(message)),
        Err(why) => why,
    };
    let given: Value = match serde_json::from_slice(line) {
        Ok(given) => given,
        Err(error) => return Err(no_json(&error, &id_of(line))),
    };
    let id = given.get("id");
    // A notification is never answered, whatever is wrong with it.
    if id.is_none() && given.get("method").is_some_and(Value::is_string) {
        return Ok(None);
    }
    let id = id.filter(|id| id.is_string() || id.is_i64() || id.is_u64());
    // What the reader of messages says may repeat what was sent.
    let why: String = why.to_string().chars().take(LONGEST_CAUSE).collect();
    let message = format!(
        "could not read a line: it is JSON and no message ({why}); send an object of JSON-RPC 2.0 with `jsonrpc`, `id`, \
         `method` and `params`"
    );
    Err(answer(INVALID_REQUEST, id.unwrap_or(&Value::Null), &message))
}

/// The id of a line that no text can be read from, where the line is JSON in its build: such as one with half of a surrogate
/// pair. Nothing where it cannot be told.
fn id_of(line: &[u8]) -> Value {
    // What is passed over is read for its build alone.
    #[derive(Deserialize)]
    struct Named {
        id: Option<Value>,
    }
    let id = serde_json::from_slice::<Named>(line).ok().and_then(|named| named.id);
    id.filter(|id| id.is_string() || id.is_i64() || id.is_u64()).unwrap_or_default()
}

fn no_json(error: &serde_json::Error, id: &Value) -> Value {
    let message = format!(
        "could not read a line: it is no JSON ({error}); send each message of JSON-RPC 2.0 as one line of JSON in UTF-8"
    );
    answer(PARSE_ERROR, id, &message)
}

/// Reads any bytes as a line. What is answered by the transport itself is a reply of JSON-RPC 2.0 to the request that was
/// meant, short, with the cause and the way out; a carriage return at the end and a byte order mark change nothing.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn check(line: &[u8]) {
    let said = heard(line);
    let told = |other: &[u8]| match heard(other) {
        Ok(message) => Ok(message.is_some()),
        Err(answer) => Err(answer),
    };
    let meant = match &said {
        Ok(message) => Ok(message.is_some()),
        Err(answer) => Err(answer.clone()),
    };
    assert_eq!(told(&[line, b"\r".as_slice()].concat()), meant, "a carriage return");
    if !line.starts_with(BYTE_ORDER_MARK) {
        assert_eq!(told(&[BYTE_ORDER_MARK, line].concat()), meant, "a byte order mark");
    }
    let Err(answer) = said else { return };
    assert_eq!(answer["jsonrpc"], "2.0");
    let code = &answer["error"]["code"];
    assert!(*code == PARSE_ERROR || *code == INVALID_REQUEST, "{answer}");
    let words = answer["error"]["message"].as_str().unwrap_or_default();
    assert!(words.starts_with("could not read a line: ") && words.contains("; send "), "{words}");
    assert!(words.chars().count() <= LONGEST_CAUSE + 300, "{words}");
    let id = answer.get("id");
    let given: Option<Value> = serde_json::from_slice(line.trim_ascii()).ok();
    let asked = given.as_ref().and_then(|given| given.get("id"));
    assert!(id.is_some_and(Value::is_null) || given.is_none() || id == asked, "{answer}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, DuplexStream, duplex};

    fn of_text(text: &[u8], output: DuplexStream) -> Lines<&[u8], DuplexStream> {
        Lines { longest: 100, ..Lines::new(text, output) }
    }

    /// What is let through of a text, and what is answered by itself.
    async fn heard_of(text: &[u8]) -> (Vec<Value>, Vec<Value>) {
        let (near, mut far) = duplex(1 << 20);
        let mut lines = of_text(text, near);
        let mut through = Vec::new();
        while let Some(message) = lines.receive().await {
            through.push(serde_json::to_value(&message).unwrap());
        }
        lines.close().await.unwrap();
        let mut answers = String::new();
        far.read_to_string(&mut answers).await.unwrap();
        let answers = answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        (through, answers)
    }

    const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#;

    #[tokio::test]
    async fn what_is_no_message_is_answered_and_the_next_line_is_read() {
        let long = "x".repeat(101);
        for (line, code, id) in [
            ("no json", PARSE_ERROR, Value::Null),
            ("{\"jsonrpc\": \"2.0\", \"id\": 1", PARSE_ERROR, Value::Null),
            // Half of a surrogate pair is no text; where it stands, the id can be read all the same.
            (
                r#"{"jsonrpc":"2.0","id":"b","method":"x","params":{"t":"\ud83d"}}"#,
                PARSE_ERROR,
                json!("b"),
            ),
            (r#"{"id":"\ud83d","method":"x"}"#, PARSE_ERROR, Value::Null),
            ("{\"no\": \"request\"}", INVALID_REQUEST, Value::Null),
            ("[1, 2]", INVALID_REQUEST, Value::Null),
            ("7", INVALID_REQUEST, Value::Null),
            ("{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": 5}", INVALID_REQUEST, json!(7)),
            (
                "{\"jsonrpc\": \"1.0\", \"id\": \"a\", \"method\": \"x\"}",
                INVALID_REQUEST,
                json!("a"),
            ),
            (&*long, INVALID_REQUEST, Value::Null),
        ] {
            let (through, answers) = heard_of(format!("{line}\n{LIST}\n").as_bytes()).await;
            assert_eq!(answers.len(), 1, "{line}: {answers:?}");
            assert_eq!(answers[0]["jsonrpc"], "2.0", "{line}");
            assert_eq!(answers[0]["error"]["code"], code, "{line}: {answers:?}");
            assert_eq!(answers[0].get("id"), Some(&id), "{line}: {answers:?}");
            let said = answers[0]["error"]["message"].as_str().unwrap();
            assert!(
                said.starts_with("could not read a line: ") && said.contains("; send "),
                "{said}"
            );
            assert_eq!(through.len(), 1, "{line}: {through:?}");
            assert_eq!(through[0]["id"], 1, "{line}");
        }
    }

    /// Lines with one fault each: cut, a byte changed, something put in, a part that stands twice.
    #[test]
    fn any_line_is_heard_or_answered() {
        let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
        let wide = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"{}\":1}}", "x".repeat(5_000));
        let method =
            format!("{{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"{}\"}}", "é".repeat(5_000));
        for line in [
            "",
            "\u{feff}",
            "\u{feff}\u{feff}{}",
            "\u{0}",
            "nul",
            "\"\\ud800\"",
            "{\"id\":1e999}",
            "{\"id\":-1,\"id\":\"a\"}",
            "{\"id\":18446744073709551615,\"method\":7}",
            "{\"id\":{},\"method\":\"x\"}",
            "{\"id\":null,\"method\":\"\u{202e}\"}",
            "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]",
            &deep,
            &wide,
            &method,
        ] {
            check(line.as_bytes());
        }
        let whole = LIST.as_bytes();
        for at in 0..=whole.len() {
            let (before, after) = whole.split_at(at);
            check(before);
            check(&[before, whole].concat());
            for put in [
                b"\0".as_slice(),
                b"\"",
                b"\\",
                b"{",
                b"}",
                b"[",
                b",",
                b":",
                b"9",
                b" ",
                b"\xff",
                b"\xe2\x80\xae",
                b"null",
            ] {
                check(&[before, put, after].concat());
                check(&[before, put, after.get(1..).unwrap_or_default()].concat());
            }
        }
    }

    #[tokio::test]
    async fn what_asks_for_no_answer_gets_none() {
        // What a server says comes back from some clients; an answer to it would come back as well.
        let (_, echoed) =
            heard_of(answer(PARSE_ERROR, &Value::Null, "x").to_string().as_bytes()).await;
        assert!(echoed.is_empty(), "{echoed:?}");
        for quiet in ["", "  ", "\r", "{\"method\": \"$/progress\", \"params\": 5}"] {
            let (through, answers) = heard_of(format!("{quiet}\n{LIST}").as_bytes()).await;
            assert!(answers.is_empty(), "{quiet:?}: {answers:?}");
            assert_eq!(through.last().unwrap()["id"], 1, "{quiet:?}: the last line needs no end");
        }
        let (through, answers) = heard_of(&[BYTE_ORDER_MARK, LIST.as_bytes()].concat()).await;
        assert_eq!((through.len(), answers.len()), (1, 0));
        let (_, answers) = heard_of(b"\xff\xfe\n").await;
        assert_eq!(answers[0]["error"]["code"], PARSE_ERROR, "it is no UTF-8");
    }

    #[tokio::test]
    async fn lines_never_run_into_each_other() {
        // The pipe takes a few bytes at a time.
        let (near, mut far) = duplex(7);
        let mut lines = of_text(b"no json\nno json\nno json\n", near);
        let output = Arc::clone(&lines.output);
        let sending = async {
            for at in 0..3 {
                put(
                    Arc::clone(&output),
                    json!({ "at": at, "x": "y".repeat(50) }).to_string().into(),
                )
                .await
                .unwrap();
            }
        };
        let reading = async {
            let mut all = String::new();
            while all.lines().count() < 6 || !all.ends_with('\n') {
                let mut some = [0; 16];
                let count = far.read(&mut some).await.unwrap();
                all.push_str(std::str::from_utf8(&some[..count]).unwrap());
            }
            all
        };
        let ((), ended, all) = tokio::join!(sending, lines.receive(), reading);
        assert!(ended.is_none());
        for line in all.lines() {
            assert!(serde_json::from_str::<Value>(line).is_ok(), "{line}");
        }
    }
}
