//! A PDF as it came, before its reader is given it: the reader unpacks what it meets without a bound, and reserves what a number asks for.

use super::limits::Room;
use super::{damaged, unpack, walk};
use crate::ingest::format::ExtractError;
use pdf_extract::xref::XrefEntry;
use pdf_extract::{Dictionary, Document, Object, Reader, Stream};
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// Most bytes of a row of a table in a stream, as its parameters say.
const MOST_ROW: u64 = 16 << 20;
/// Largest value of one parameter of rows, and widest column of a table of objects.
const MOST_NUMBER: u64 = 1 << 20;
/// The number of an object that is looked at.
const NUMBER: &[u8] = b"1 0 ";
/// What no filter of the reader unpacks: neither a head of zlib nor a block of deflate, no letter of ASCII 85, the end of LZW.
const NOTHING: [u8; 3] = [0x80, 0x80, 0xFF];
/// The filters, and what they are called while an encrypted file is loaded.
const HIDDEN: [(&[u8], &[u8]); 3] = [
    (b"FlateDecode", b"FlateDecodX"),
    (b"LZWDecode", b"LZWDecodX"),
    (b"ASCII85Decode", b"ASCII85DecodX"),
];

/// Refuses a file that would take too much, and gives back the others with what is of no use for text made unreadable. Of an encrypted
/// file only the key shows what its streams unpack to: their filters get other names, so that nothing is unpacked while it is loaded.
pub(super) fn checked(mut bytes: Vec<u8>, room: &mut Room) -> Result<Vec<u8>, ExtractError> {
    let locked = numbers(&bytes)?;
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| position(rest, b"trailer")) {
        at += found + b"trailer".len();
        let extent = walk::object(&bytes, at);
        room.take_object(extent.end - at, extent.parts)?;
    }
    // An object is read at whatever place a table names, so whatever looks like the head of one counts, also within other bytes.
    let (mut at, mut copied, most_copied) = (NUMBER.len(), 0_usize, room.walk);
    while let Some(found) = bytes.get(at..).and_then(|rest| position(rest, b"obj")) {
        let head = at + found;
        at = head + 3;
        let before = bytes[head - 1];
        if !before.is_ascii_digit() && !walk::is_space(before) {
            continue;
        }
        if locked {
            // Of an encrypted file each object is copied whole before it is read.
            let rest = &bytes[at..];
            copied = copied.saturating_add(position(rest, b"endobj").unwrap_or(rest.len()));
            if copied > most_copied {
                return Err(damaged("its objects lie within one another"));
            }
        }
        let begin = walk::space(&bytes, at);
        let extent = walk::object(&bytes, begin);
        room.take_object(extent.end - begin, extent.parts)?;
        let after = walk::space(&bytes, extent.end);
        if bytes[begin..].starts_with(b"<<") && bytes[after..].starts_with(b"stream") {
            stream(&mut bytes, head, begin..extent.end, locked, room)?;
        }
    }
    Ok(bytes)
}

/// One stream: its object begins with the word at `head`, its dictionary is the range `dict`.
fn stream(
    bytes: &mut [u8],
    head: usize,
    dict: Range<usize>,
    locked: bool,
    room: &mut Room,
) -> Result<(), ExtractError> {
    let Some(stream) = parsed(bytes, head) else { return Ok(()) };
    if is_idle(&stream.dict) && !locked {
        let begin = data(bytes, dict.end);
        if let Some(first) = bytes.get_mut(begin..begin + NOTHING.len()) {
            first.copy_from_slice(&NOTHING);
        }
        return Ok(());
    }
    // A length that another object gives is not known yet; what is packed may then reach to the end.
    let packed = match stream.start_position {
        Some(start) => bytes.get(start..).unwrap_or_default(),
        None => stream.content.as_slice(),
    };
    room.take_bytes(unpack::weight(&stream, packed, room.bytes_left()))?;
    if stream.dict.has(b"First") {
        index(&unpack::bytes(&stream, packed), &stream.dict, room)?;
    }
    if locked && !stream.dict.has_type(b"XRef") && unpack::is_packed(&stream) {
        hide(&mut bytes[dict]);
        if parsed(bytes, head).is_some_and(|stream| unpack::is_packed(&stream)) {
            return Err(damaged("it writes the names of filters in a roundabout way"));
        }
    }
    Ok(())
}

/// The stream whose object begins with the word at `head`, by the reader's own parser, without unpacking it.
fn parsed(bytes: &mut [u8], head: usize) -> Option<Stream> {
    let begin = head.checked_sub(NUMBER.len())?;
    let offset = u32::try_from(begin).ok()?;
    let mut document = Document::new();
    document.reference_table.insert(1, XrefEntry::Normal { offset, generation: 0 });
    // Numbers may be parted by comments, so it gets a number of ours in their place for as long as it is looked at.
    let kept: Vec<u8> = bytes[begin..head].to_vec();
    bytes[begin..head].copy_from_slice(NUMBER);
    let object = {
        let reader = Reader {
            buffer: &*bytes,
            document,
            encryption_state: None,
            raw_objects: BTreeMap::new(),
            password: None,
            strict: false,
        };
        reader.get_object((1, 0), &mut HashSet::new())
    };
    bytes[begin..head].copy_from_slice(&kept);
    match object {
        Ok(Object::Stream(stream)) => Some(stream),
        _ => None,
    }
}

/// Where the data of a stream begin, given the end of its dictionary.
fn data(bytes: &[u8], dict_end: usize) -> usize {
    let mut at = walk::space(bytes, dict_end) + b"stream".len();
    while matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    for end_of_line in *b"\r\n" {
        if bytes.get(at) == Some(&end_of_line) {
            at += 1;
        }
    }
    at
}

/// Whether text never needs this stream: pictures, programs of fonts that are only drawn with, metadata, files within.
pub(super) fn is_idle(dict: &Dictionary) -> bool {
    let name = |key: &[u8]| dict.get(key).and_then(Object::as_name).unwrap_or_default();
    let drawn = dict.has(b"Length1") && !dict.has(b"Length2") && !dict.has(b"Subtype");
    drawn
        || matches!(name(b"Subtype"), b"Image" | b"CIDFontType0C" | b"OpenType")
        || matches!(name(b"Type"), b"Metadata" | b"EmbeddedFile")
}

/// Checks that the objects within a stream of objects lie one behind the other: the reader builds each for itself.
pub(super) fn index(
    unpacked: &[u8],
    dict: &Dictionary,
    room: &mut Room,
) -> Result<(), ExtractError> {
    let first = dict.get(b"First").and_then(Object::as_i64).unwrap_or_default();
    let head = usize::try_from(first).ok().and_then(|first| unpacked.get(..first));
    let Some(head) = head.and_then(|head| std::str::from_utf8(head).ok()) else { return Ok(()) };
    let numbers: Vec<Option<u32>> =
        head.split_whitespace().map(|number| number.parse().ok()).collect();
    room.walk = room.walk.saturating_add(unpacked.len());
    for pair in numbers.chunks_exact(2) {
        let Some(offset) = pair[1] else { continue };
        let begin = head.len() + offset as usize;
        if begin < unpacked.len() {
            let extent = walk::object(unpacked, begin);
            room.take_object(extent.end - begin, extent.parts)?;
        }
    }
    Ok(())
}

/// Gives the filters in a dictionary names that nobody undoes, of the same length.
fn hide(dict: &mut [u8]) {
    for (shown, hidden) in HIDDEN {
        let mut at = 0;
        while let Some(found) = dict.get(at..).and_then(|rest| position(rest, shown)) {
            let end = at + found + shown.len();
            dict[at + found..end].copy_from_slice(hidden);
            at = end;
        }
    }
}

/// Gives the filters of a stream their names again.
pub(super) fn unhide(dict: &mut Dictionary) {
    let shown = |name: &mut Object| {
        if let Object::Name(name) = name
            && let Some((shown, _)) = HIDDEN.iter().find(|(_, hidden)| **hidden == name[..])
        {
            *name = shown.to_vec();
        }
    };
    match dict.get_mut(b"Filter") {
        Ok(Object::Array(names)) => names.iter_mut().for_each(shown),
        Ok(name) => shown(name),
        Err(_) => {}
    }
}

/// Refuses numbers that make the reader reserve memory, and tells whether the file may be encrypted. Names are compared as the
/// reader has them, with their escapes undone.
fn numbers(bytes: &[u8]) -> Result<bool, ExtractError> {
    let mut locked = false;
    let (mut columns, mut colours, mut bits) = (1, 1, 8);
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| position(rest, b"/")) {
        at += found + 1;
        let (name, end) = named(bytes, at);
        match name.as_slice() {
            b"Encrypt" => locked = true,
            b"Columns" => columns = columns.max(number(bytes, end).map_or(1, |found| found.0)),
            b"Colors" => colours = colours.max(number(bytes, end).map_or(1, |found| found.0)),
            b"BitsPerComponent" => bits = bits.max(number(bytes, end).map_or(8, |found| found.0)),
            b"W" => widths(bytes, end)?,
            _ => {}
        }
    }
    let largest = columns.max(colours).max(bits);
    if largest > MOST_NUMBER || columns.saturating_mul(colours).saturating_mul(bits) / 8 > MOST_ROW
    {
        return Err(damaged("a row of one of its streams is said to be larger than any"));
    }
    Ok(locked)
}

/// The columns of a table of objects: each is reserved at once, and a row of no bytes repeats for ever. Widths of characters, which have
/// the same name, are small numbers.
fn widths(bytes: &[u8], at: usize) -> Result<(), ExtractError> {
    let at = walk::space(bytes, at);
    if bytes.get(at) != Some(&b'[') {
        return Ok(());
    }
    let (mut at, mut sum) = (at + 1, 0_u64);
    for _ in 0..3 {
        let Some((width, end)) = number(bytes, at) else { return Ok(()) };
        sum = sum.saturating_add(width);
        at = end;
    }
    if (2..=MOST_NUMBER).contains(&sum) {
        Ok(())
    } else {
        Err(damaged("its table of objects has columns of no width, or of any"))
    }
}

/// The number after white space at `at`, without its sign, and where it ends.
fn number(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let mut at = walk::space(bytes, at);
    if matches!(bytes.get(at), Some(b'+' | b'-')) {
        at += 1;
    }
    let digits = bytes.get(at..)?;
    let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = digits[..length]
        .iter()
        .fold(0_u64, |value, digit| value.saturating_mul(10).saturating_add((digit - b'0').into()));
    (length > 0).then_some((value, at + length))
}

/// The name whose letters begin at `at`, and where it ends.
fn named(bytes: &[u8], mut at: usize) -> (Vec<u8>, usize) {
    /// No name that is looked for is longer.
    const LONGEST: usize = 20;
    let digit = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let mut name = Vec::new();
    while let Some(byte) = bytes.get(at) {
        if let (b'#', Some(high), Some(low)) = (byte, digit(at + 1), digit(at + 2)) {
            name.push((high * 16 + low) as u8);
            at += 3;
        } else if walk::is_regular(*byte) {
            name.push(*byte);
            at += 1;
        } else {
            break;
        }
        if name.len() > LONGEST {
            break;
        }
    }
    (name, at)
}

fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
