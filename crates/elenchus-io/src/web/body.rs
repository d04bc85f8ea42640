//! Bodies, unpacked while they come and measured while they are unpacked.

mod sink;

use flate2::write::GzDecoder;
use flate2::{Decompress, FlushDecompress, Status};
use sink::{Sink, too_large};
use std::io::Write;

pub(crate) use sink::{BodyFault, Limits};

/// The most gzip members in one body: each costs a decoder, and honest bodies have one.
const MOST_MEMBERS: u32 = 64;

/// A body that is being taken in.
pub(crate) struct Body {
    packing: Packing,
    limits: Limits,
    /// Bytes as they came.
    wire: usize,
}

/// How a body is packed.
enum Packing {
    Plain(Sink),
    Gzip {
        decoder: Box<GzDecoder<Sink>>,
        members: u32,
        padding: bool,
    },
    /// Zlib or bare, which only the first two bytes tell.
    Deflate {
        first: Vec<u8>,
        stream: Option<Box<Decompress>>,
        sink: Sink,
        ended: bool,
    },
}

impl Body {
    /// A body with these values of `Content-Encoding`, in order.
    pub(crate) fn new<'a>(
        encodings: impl Iterator<Item = &'a [u8]>,
        limits: Limits,
    ) -> Result<Self, BodyFault> {
        let mut named = Vec::new();
        for value in encodings {
            let value = String::from_utf8_lossy(value).to_ascii_lowercase();
            let parts =
                value.split(',').map(str::trim).filter(|part| !matches!(*part, "" | "identity"));
            named.extend(parts.map(str::to_owned));
        }
        let sink = Sink::new(limits);
        let packing = match named.as_slice() {
            [] => Packing::Plain(sink),
            [one] => match one.as_str() {
                "gzip" | "x-gzip" => Packing::Gzip {
                    decoder: Box::new(GzDecoder::new(sink)),
                    members: 1,
                    padding: false,
                },
                "deflate" => {
                    Packing::Deflate { first: Vec::new(), stream: None, sink, ended: false }
                }
                other => {
                    let other: String = other.chars().take(30).collect();
                    return Err(BodyFault::Encoding(format!(
                        "it is packed as {other:?}, though only gzip was asked for; the server is at fault"
                    )));
                }
            },
            several => {
                return Err(BodyFault::Encoding(format!(
                    "it is packed {} times over, though gzip alone was asked for; the server is at fault",
                    several.len()
                )));
            }
        };
        Ok(Self { packing, limits, wire: 0 })
    }

    /// Refuses a body whose announced length is too large, before any of it has come.
    pub(crate) fn announced(&self, length: Option<u64>) -> Result<(), BodyFault> {
        let most = u64::try_from(self.limits.most_bytes).unwrap_or(u64::MAX);
        match length {
            Some(length) if length > most && !self.limits.cut => {
                Err(too_large(self.limits.most_bytes))
            }
            _ => Ok(()),
        }
    }

    /// Takes bytes as they came; false when the rest of the body is not wanted.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<bool, BodyFault> {
        self.wire += bytes.len();
        if self.wire > self.limits.most_bytes && !self.limits.cut {
            return Err(too_large(self.limits.most_bytes));
        }
        match &mut self.packing {
            Packing::Plain(sink) => {
                sink.wire = self.wire;
                sink.push(bytes);
                sink.stopped()?;
                Ok(sink.stop.is_none())
            }
            Packing::Gzip { decoder, members, padding } => {
                decoder.get_mut().wire = self.wire;
                gunzip(decoder, members, padding, bytes)?;
                Ok(decoder.get_ref().stop.is_none() && self.wire <= self.limits.most_bytes)
            }
            Packing::Deflate { first, stream, sink, ended } => {
                sink.wire = self.wire;
                if let Some(stream) = stream {
                    inflate(stream, sink, ended, bytes)?;
                } else {
                    first.extend_from_slice(bytes);
                    if let [low, high, ..] = first.as_slice() {
                        let zlib =
                            low & 0x0f == 8 && u16::from_be_bytes([*low, *high]).is_multiple_of(31);
                        let begun = stream.insert(Box::new(Decompress::new(zlib)));
                        inflate(begun, sink, ended, &std::mem::take(first))?;
                    }
                }
                Ok(sink.stop.is_none() && self.wire <= self.limits.most_bytes)
            }
        }
    }

    /// The body, after its last byte.
    pub(crate) fn finish(self) -> Result<Vec<u8>, BodyFault> {
        let mut body = match self.packing {
            Packing::Plain(sink) => sink.body,
            // Nothing at all is how servers write an empty body.
            _ if self.wire == 0 => Vec::new(),
            Packing::Gzip { mut decoder, padding, .. } => {
                let cut = decoder.get_ref().is_cut();
                if !padding && !cut {
                    // A member that has ended takes no further byte; one that takes it had not ended.
                    let ended = matches!(decoder.write(&[0]), Ok(0));
                    decoder.get_ref().stopped()?;
                    if !ended && decoder.get_ref().stop.is_none() {
                        return Err(BodyFault::Cut(decoder.get_ref().body.len()));
                    }
                    end_member(&mut decoder)?;
                }
                std::mem::take(&mut decoder.get_mut().body)
            }
            Packing::Deflate { sink, ended, .. } => {
                if !ended && !sink.is_cut() {
                    return Err(BodyFault::Cut(sink.body.len()));
                }
                sink.body
            }
        };
        body.shrink_to_fit();
        Ok(body)
    }

    /// Unpacked bytes so far.
    pub(crate) fn received(&self) -> usize {
        match &self.packing {
            Packing::Plain(sink) | Packing::Deflate { sink, .. } => sink.body.len(),
            Packing::Gzip { decoder, .. } => decoder.get_ref().body.len(),
        }
    }
}

fn gunzip(
    decoder: &mut Box<GzDecoder<Sink>>,
    members: &mut u32,
    padding: &mut bool,
    mut bytes: &[u8],
) -> Result<(), BodyFault> {
    while !bytes.is_empty() && !*padding && decoder.get_ref().stop.is_none() {
        match decoder.write(bytes) {
            Ok(0) => {
                end_member(decoder)?;
                let another = bytes[0] == 0x1f && bytes.get(1).is_none_or(|second| *second == 0x8b);
                if !another {
                    *padding = true;
                } else if *members == MOST_MEMBERS {
                    return Err(BodyFault::Encoding(format!(
                        "it has more than {MOST_MEMBERS} gzip members; the server is at fault"
                    )));
                } else {
                    *members += 1;
                    let limits = decoder.get_ref().limits;
                    let sink = std::mem::replace(decoder.get_mut(), Sink::new(limits));
                    **decoder = GzDecoder::new(sink);
                }
            }
            Ok(taken) => bytes = &bytes[taken..],
            Err(error) => {
                decoder.get_ref().stopped()?;
                if decoder.get_ref().stop.is_none() {
                    return Err(broken("gzip", &error));
                }
            }
        }
    }
    // What was unpacked may still stand in the decoder's own buffer, up to 32 KiB of it.
    decoder.get_ref().stopped()
}

/// Checks the length and sum at the end of a gzip member.
fn end_member(decoder: &mut GzDecoder<Sink>) -> Result<(), BodyFault> {
    let ended = decoder.try_finish();
    decoder.get_ref().stopped()?;
    match ended {
        Err(error) if decoder.get_ref().stop.is_none() => Err(broken("gzip", &error)),
        _ => Ok(()),
    }
}

fn inflate(
    stream: &mut Decompress,
    sink: &mut Sink,
    ended: &mut bool,
    mut bytes: &[u8],
) -> Result<(), BodyFault> {
    let mut room = [0_u8; 16 << 10];
    while !*ended && sink.stop.is_none() {
        let (before_in, before_out) = (stream.total_in(), stream.total_out());
        let status = stream
            .decompress(bytes, &mut room, FlushDecompress::None)
            .map_err(|error| broken("deflate", &error))?;
        let taken = (stream.total_in() - before_in) as usize;
        let given = (stream.total_out() - before_out) as usize;
        bytes = &bytes[taken..];
        sink.push(&room[..given]);
        *ended = status == Status::StreamEnd;
        if taken == 0 && given == 0 {
            break;
        }
    }
    sink.stopped()
}

fn broken(how: &str, error: &dyn std::fmt::Display) -> BodyFault {
    BodyFault::Encoding(format!(
        "it says that it is packed as {how}, and cannot be unpacked ({error}); the server is at fault, or what stands \
         between"
    ))
}

#[cfg(test)]
mod tests;
