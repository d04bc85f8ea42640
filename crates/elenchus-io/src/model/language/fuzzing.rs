//! What must hold of the stream of a model server, whatever it sends: for the property tests and the fuzz target.

use super::name::Provider;
use super::request::Stop;
use super::wire::{Fault, Reading, Step};

/// More than any stream here has.
const MOST: usize = 1 << 28;

/// A reply, as far as it tells something.
#[derive(Debug, PartialEq)]
struct Heard {
    text: String,
    thinking: String,
    stop: Option<Stop>,
    tokens: (Option<u64>, Option<u64>),
}

/// Reads any bytes as the stream of each kind of server: where the network cut them, and whether lines end in one
/// character or two, must change nothing.
pub fn stream(bytes: &[u8], piece: usize) {
    for provider in Provider::ALL {
        let whole = heard(provider, std::iter::once(bytes));
        let cut = heard(provider, bytes.chunks(piece.max(1)));
        assert!(same(&whole, &cut), "{provider} in pieces of {piece}: {whole:?} is now {cut:?}");
        if !bytes.contains(&b'\r') {
            let other: Vec<u8> = bytes
                .iter()
                .flat_map(|byte| {
                    let end: &[u8] =
                        if *byte == b'\n' { b"\r\n" } else { std::slice::from_ref(byte) };
                    end.iter().copied()
                })
                .collect();
            let other = heard(provider, other.chunks(piece.max(1)));
            assert!(
                same(&whole, &other),
                "{provider}, other line ends: {whole:?} is now {other:?}"
            );
        }
    }
}

fn heard<'b>(provider: Provider, parts: impl Iterator<Item = &'b [u8]>) -> Result<Heard, Fault> {
    let mut shown = String::new();
    let mut reading = Reading::new(provider, MOST);
    for part in parts {
        if reading.feed(part, &mut |text| shown.push_str(text))? == Step::Done {
            break;
        }
    }
    let gathered = reading.finish(&mut |text| shown.push_str(text))?;
    assert_eq!(shown, gathered.text, "what was shown is not the text");
    let tokens = (gathered.input_tokens, gathered.output_tokens);
    let (text, thinking, stop) = (gathered.text, gathered.thinking, gathered.stop);
    Ok(Heard { text, thinking, stop, tokens })
}

/// Whether both are the same reply, or no reply for the same kind of reason.
fn same(one: &Result<Heard, Fault>, other: &Result<Heard, Fault>) -> bool {
    match (one, other) {
        (Ok(one), Ok(other)) => one == other,
        (Err(one), Err(other)) => std::mem::discriminant(one) == std::mem::discriminant(other),
        _ => false,
    }
}
