//! Where unpacked bytes go, and when they are too many.

use crate::web::settings::FetchSettings;
use std::io::{self, Write};

/// How much of a body is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) most_bytes: usize,
    pub(crate) most_ratio: u32,
    pub(crate) ratio_after: usize,
    /// A longer body is cut there, instead of refused.
    pub(crate) cut: bool,
}

impl Limits {
    pub(crate) fn of(settings: &FetchSettings) -> Self {
        Self {
            most_bytes: settings.most_bytes,
            most_ratio: settings.most_ratio,
            ratio_after: settings.ratio_after,
            cut: false,
        }
    }
}

/// Why a body is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BodyFault {
    /// Which limit was passed.
    TooLarge(String),
    /// The cause and the way out.
    Encoding(String),
    /// It ended too early, after that many unpacked bytes.
    Cut(usize),
}

/// Where unpacked bytes go, as long as there is room.
pub(super) struct Sink {
    pub(super) body: Vec<u8>,
    /// Bytes that came on the wire for them.
    pub(super) wire: usize,
    pub(super) limits: Limits,
    pub(super) stop: Option<Stop>,
}

/// Why a sink takes no more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    Full,
    Ratio,
}

impl Sink {
    pub(super) fn new(limits: Limits) -> Self {
        Self { body: Vec::new(), wire: 0, limits, stop: None }
    }

    /// Takes bytes; false when it is to stop.
    pub(super) fn push(&mut self, bytes: &[u8]) -> bool {
        let length = self.body.len() + bytes.len();
        let packed = self.wire.saturating_mul(self.limits.most_ratio as usize);
        if length > self.limits.most_bytes {
            let room = self.limits.most_bytes.saturating_sub(self.body.len());
            self.body.extend_from_slice(&bytes[..room]);
            self.stop = Some(Stop::Full);
        } else if length > self.limits.ratio_after && length > packed {
            self.stop = Some(Stop::Ratio);
        } else {
            self.body.extend_from_slice(bytes);
        }
        self.stop.is_none()
    }

    /// Whether it was cut where it may be.
    pub(super) fn is_cut(&self) -> bool {
        self.stop.is_some() && self.limits.cut
    }

    /// What a stop means: the end of a body that may be cut, else a fault.
    pub(super) fn stopped(&self) -> Result<(), BodyFault> {
        match self.stop {
            None => Ok(()),
            Some(Stop::Full) if self.limits.cut => Ok(()),
            Some(Stop::Full) => Err(too_large(self.limits.most_bytes)),
            Some(Stop::Ratio) => Err(BodyFault::TooLarge(format!(
                "it unpacks to more than {} times what was sent, as a decompression bomb does",
                self.limits.most_ratio
            ))),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.push(bytes) {
            Ok(bytes.len())
        } else {
            Err(io::Error::other("the body has reached a limit"))
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) fn too_large(most_bytes: usize) -> BodyFault {
    BodyFault::TooLarge(format!(
        "it is larger than {most_bytes} bytes, which is as much as is read of one page"
    ))
}
