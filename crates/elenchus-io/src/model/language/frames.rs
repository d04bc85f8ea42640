//! Bytes of a stream to its messages: lines of JSON, or server-sent events.
//!
//! Both are cut out of bytes, and text is made of whole lines only, so that it does not matter where the network
//! cut a character or a JSON document.

/// How messages follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// One JSON document a line.
    Lines,
    /// Server-sent events; the message is the joined data of one event.
    Events,
}

/// A line is not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotText;

/// Cuts messages out of bytes.
#[derive(Debug)]
pub(crate) struct Frames {
    framing: Framing,
    line: Vec<u8>,
    /// The last byte was a carriage return: a line feed that follows belongs to it.
    after_return: bool,
    first_line: bool,
    data: Option<String>,
}

impl Frames {
    pub(crate) fn new(framing: Framing) -> Self {
        Self { framing, line: Vec::new(), after_return: false, first_line: true, data: None }
    }

    /// Passes every message that these bytes complete to `each`, until it says that it wants no more.
    ///
    /// The time is linear in the number of bytes. What is held is at most what was fed since the last message.
    pub(crate) fn feed<E: From<NotText>>(
        &mut self,
        bytes: &[u8],
        each: &mut dyn FnMut(&str) -> Result<bool, E>,
    ) -> Result<(), E> {
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            if self.after_return {
                self.after_return = false;
                if first == b'\n' {
                    rest = &rest[1..];
                    continue;
                }
            }
            let events = self.framing == Framing::Events;
            let end = rest.iter().position(|b| *b == b'\n' || (events && *b == b'\r'));
            let Some(end) = end else {
                self.line.extend_from_slice(rest);
                return Ok(());
            };
            self.line.extend_from_slice(&rest[..end]);
            self.after_return = rest[end] == b'\r';
            rest = &rest[end + 1..];
            if !self.end_line(each)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The stream has ended: a last line of JSON needs no line feed. An event without its blank line does not count.
    pub(crate) fn finish<E: From<NotText>>(
        &mut self,
        each: &mut dyn FnMut(&str) -> Result<bool, E>,
    ) -> Result<(), E> {
        if self.framing == Framing::Lines && !self.line.is_empty() {
            self.end_line(each)?;
        }
        Ok(())
    }

    /// One line is whole. Tells whether more is wanted.
    fn end_line<E: From<NotText>>(
        &mut self,
        each: &mut dyn FnMut(&str) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let bytes = std::mem::take(&mut self.line);
        let mut line = std::str::from_utf8(&bytes).map_err(|_| NotText)?;
        if std::mem::take(&mut self.first_line) {
            line = line.strip_prefix('\u{feff}').unwrap_or(line);
        }
        if self.framing == Framing::Lines {
            let line = line.trim();
            return if line.is_empty() { Ok(true) } else { each(line) };
        }
        if line.is_empty() {
            return match self.data.take() {
                Some(data) if !data.trim().is_empty() => each(&data),
                _ => Ok(true),
            };
        }
        // Comments, names of events, ids and retry times say nothing that the data does not.
        let Some(value) = line.strip_prefix("data") else { return Ok(true) };
        let value = match value.strip_prefix(':') {
            Some(value) => value.strip_prefix(' ').unwrap_or(value),
            None if value.is_empty() => "",
            None => return Ok(true),
        };
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
            None => self.data = Some(value.to_owned()),
        }
        Ok(true)
    }
}
