//! A checked PDF as a document whose streams are unpacked and can be read without surprises.

use super::limits::{Clock, Room};
use super::{cmap, damaged, raw, unpack, walk};
use crate::ingest::format::ExtractError;
use pdf_extract::xref::XrefEntry;
use pdf_extract::{Dictionary, Document, LoadOptions, Object, ObjectId, ObjectStream};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Most parts of one stream: operands and operators of a page, or what stands in a table of a font.
pub(super) const MOST_PARTS: usize = 500_000;
/// Most brackets open at once in one stream: readers of fonts go down with each.
const DEEPEST: usize = 5_000;
/// Most codes that one table of a font may name: all of two bytes, and some twice.
const MOST_CODES: usize = 70_000;
/// Roughly what an object costs beside what it holds, in bytes.
const OBJECT: usize = 160;
/// What neither a page nor a font can be read from: a page that needs it is one that could not be decoded.
const UNREADABLE: &[u8] = &[b'['; 200];

thread_local! {
    /// Bytes of objects that the load under way may still keep, and until when. The reader takes a bare function, which can be told
    /// nothing; it reads on the thread that asked it to.
    static LEFT: Cell<(usize, Option<Clock>)> = const { Cell::new((0, None)) };
}

/// Loads a checked file, given what the check has taken.
pub(super) fn load(bytes: &[u8], room: &Room, clock: Clock) -> Result<Document, ExtractError> {
    // A table of objects may name one object a million times, and each is kept until all are there.
    let objects = bytes.len().saturating_add(room.worth(OBJECT));
    let keep = objects.saturating_mul(2).saturating_add(1 << 20);
    LEFT.set((keep, Some(clock)));
    let options = LoadOptions::with_filter(kept);
    let loaded = catch_unwind(AssertUnwindSafe(|| Document::load_mem_with_options(bytes, options)));
    let (left, _) = LEFT.replace((0, None));
    let mut document = match loaded {
        Ok(loaded) => loaded.map_err(|error| damaged(&error.to_string()))?,
        Err(_) if clock.has_run_out() => return Err(clock.too_slow()),
        Err(_) if left == 0 => return Err(room.exceeded()),
        Err(_) => return Err(damaged("its structure is not what a PDF may contain")),
    };
    unpack_all(&mut document, room)?;
    Ok(document)
}

/// Called with each object that was read, before streams of objects are unpacked. Reading ends with the last byte that may be kept.
#[expect(clippy::unnecessary_wraps, reason = "the shape that the reader asks for")]
fn kept(id: ObjectId, object: &mut Object) -> Option<(ObjectId, Object)> {
    let (left, clock) = LEFT.get();
    let size = match &mut *object {
        Object::Stream(stream) => {
            raw::unhide(&mut stream.dict);
            // What has no length yet is copied later; it cannot be longer than what a file may hold altogether.
            let later = if stream.start_position.is_some() { left / 64 } else { 0 };
            OBJECT + stream.content.len() + later
        }
        other => size(other),
    };
    let left = left.saturating_sub(size);
    LEFT.set((left, clock));
    if left == 0 || clock.is_none_or(Clock::has_run_out) {
        resume_unwind(Box::new("the PDF takes too much"));
    }
    // Of a stream only whether it is kept counts; what came out of a stream of objects is taken from here.
    Some((id, if object.as_stream().is_ok() { Object::Null } else { object.clone() }))
}

/// Roughly what an object takes, in bytes. The reader lets none be nested deeper than a hundred.
fn size(object: &Object) -> usize {
    let within: usize = match object {
        Object::Array(items) => items.iter().map(size).sum(),
        Object::Dictionary(dict) => dict.iter().map(|(key, value)| key.len() + size(value)).sum(),
        Object::Name(bytes) | Object::String(bytes, _) => bytes.len(),
        _ => 0,
    };
    OBJECT + within
}

/// Unpacks all streams, within what is left for the file. What is of no use for text is emptied, what could not be read safely made unreadable.
fn unpack_all(document: &mut Document, room: &Room) -> Result<(), ExtractError> {
    let coloured = colours(document);
    // The raw file was weighed already, but not what an encrypted one holds.
    let mut fresh = room.afresh();
    let Document { objects, reference_table, .. } = document;
    let mut inner: Vec<(ObjectId, Object)> = Vec::new();
    for (id, object) in objects.iter_mut() {
        let Object::Stream(stream) = object else { continue };
        raw::unhide(&mut stream.dict);
        if raw::is_idle(&stream.dict) || coloured.contains(id) {
            stream.set_plain_content(Vec::new());
            continue;
        }
        fresh.take_bytes(unpack::weight(stream, &stream.content, fresh.bytes_left()))?;
        let was_packed = unpack::is_packed(stream);
        if was_packed && let Ok(unpacked) = stream.decompressed_content() {
            stream.set_plain_content(unpacked);
        }
        if was_packed && stream.dict.has(b"First") {
            raw::index(&stream.content, &stream.dict, &mut fresh)?;
            let held = |number: u32| match reference_table.get(number) {
                Some(XrefEntry::Compressed { container, .. }) => *container == id.0,
                _ => false,
            };
            if let Ok(held_here) = ObjectStream::new(stream) {
                inner
                    .extend(held_here.objects.into_iter().filter(|((number, _), _)| held(*number)));
            }
        } else if walk::parts(&stream.content) > MOST_PARTS
            || walk::depth(&stream.content) > DEEPEST
            || cmap::codes(&stream.content) > MOST_CODES
        {
            stream.set_plain_content(UNREADABLE.to_vec());
        }
    }
    for (id, object) in inner {
        objects.entry(id).or_insert(object);
    }
    Ok(())
}

/// The streams that describe colours. They are copied with every saved state of a page, and none of it is text.
fn colours(document: &Document) -> BTreeSet<ObjectId> {
    fn look(object: &Object, found: &mut BTreeSet<ObjectId>) {
        match object {
            Object::Array(items) => {
                if let [Object::Name(name), Object::Reference(id), ..] = items.as_slice()
                    && name == b"ICCBased"
                {
                    found.insert(*id);
                }
                for item in items {
                    look(item, found);
                }
            }
            Object::Dictionary(dict) => look_into(dict, found),
            Object::Stream(stream) => look_into(&stream.dict, found),
            _ => {}
        }
    }
    fn look_into(dict: &Dictionary, found: &mut BTreeSet<ObjectId>) {
        dict.iter().for_each(|(_, value)| look(value, found));
    }
    let mut found = BTreeSet::new();
    for (id, object) in &document.objects {
        if object.as_stream().is_ok_and(|stream| stream.dict.has(b"FunctionType")) {
            found.insert(*id);
        }
        look(object, &mut found);
    }
    found
}
