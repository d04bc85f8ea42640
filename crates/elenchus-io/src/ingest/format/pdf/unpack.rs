//! How large a stream becomes, found out without keeping what comes out.

use flate2::read::{DeflateDecoder, ZlibDecoder};
use pdf_extract::{Dictionary, Object, Stream};
use std::borrow::Cow;
use std::io::Read;

/// Most filters on one stream: honest ones have two.
const MOST_FILTERS: usize = 4;
/// The filters that the reader of PDFs undoes; what has another one is taken as it stands.
const UNDONE: [&[u8]; 3] = [b"FlateDecode", b"LZWDecode", b"ASCII85Decode"];

/// Whether the reader would undo a filter of this stream.
pub(super) fn is_packed(stream: &Stream) -> bool {
    stream.filters().is_ok_and(|filters| filters.iter().any(|filter| UNDONE.contains(filter)))
}

/// How many bytes come out of `packed` by the filters of `stream`, those of each filter counted; `None` when they are more than `most`.
pub(super) fn weight(stream: &Stream, packed: &[u8], most: usize) -> Option<usize> {
    let filters = stream.filters().unwrap_or_default();
    if filters.len() > MOST_FILTERS {
        return None;
    }
    let mut sum = 0;
    let mut input = Cow::Borrowed(packed);
    for (at, filter) in filters.iter().enumerate() {
        let keep = at + 1 < filters.len();
        let room = most.checked_sub(sum)?;
        let (length, output) = match *filter {
            b"FlateDecode" => flate(&input, room, keep)?,
            // What comes out is only counted: nothing honest packs it once more.
            b"LZWDecode" if keep => return None,
            b"LZWDecode" => (lzw(&input, changes_early(&stream.dict), room)?, Vec::new()),
            b"ASCII85Decode" => {
                let filter = Object::Name(filter.to_vec());
                let alone =
                    Stream::new(Dictionary::from_iter([("Filter", filter)]), input.into_owned());
                // Four bytes of five letters, or of a single one: never much.
                let output = alone.decompressed_content().unwrap_or_default();
                (output.len(), output)
            }
            _ => break,
        };
        sum += length;
        input = Cow::Owned(output);
    }
    (sum <= most).then_some(sum)
}

/// What comes out of `packed` by the filters of `stream`, whose weight is known; nothing where they fail.
pub(super) fn bytes(stream: &Stream, packed: &[u8]) -> Vec<u8> {
    let is_plain_flate = stream.filters().is_ok_and(|filters| filters == [b"FlateDecode"])
        && !stream.dict.has(b"DecodeParms");
    // Without a copy of what is packed, which may be all that follows.
    if is_plain_flate {
        return flate(packed, usize::MAX, true).map(|(_, output)| output).unwrap_or_default();
    }
    let whole = Stream::new(stream.dict.clone(), packed.to_vec());
    whole.decompressed_content().unwrap_or_default()
}

/// Zlib, or without its head and sum where it is damaged, as the reader has it.
fn flate(packed: &[u8], most: usize, keep: bool) -> Option<(usize, Vec<u8>)> {
    let (length, output) = drained(ZlibDecoder::new(packed), most, keep)?;
    match packed.get(2..) {
        Some(bare) if length == 0 => drained(DeflateDecoder::new(bare), most, keep),
        _ => Some((length, output)),
    }
}

/// What comes before the end or a fault; `None` when it is more than `most` bytes.
fn drained(mut reader: impl Read, most: usize, keep: bool) -> Option<(usize, Vec<u8>)> {
    let mut buffer = [0; 8 << 10];
    let (mut length, mut output) = (0, Vec::new());
    while let Ok(read @ 1..) = reader.read(&mut buffer) {
        length += read;
        if length > most {
            return None;
        }
        if keep {
            output.extend_from_slice(&buffer[..read]);
        }
    }
    Some((length, output))
}

fn changes_early(dict: &Dictionary) -> bool {
    let parameters = dict.get(b"DecodeParms").and_then(Object::as_dict);
    !parameters
        .and_then(|parameters| parameters.get(b"EarlyChange"))
        .and_then(Object::as_i64)
        .is_ok_and(|change| change == 0)
}

/// The length of what LZW codes stand for: of each entry of the table only its length is kept.
fn lzw(packed: &[u8], early: bool, most: usize) -> Option<usize> {
    const CLEAR: usize = 256;
    const END: usize = 257;
    let mut lengths = vec![1_usize; 4_096];
    let (mut next, mut width, mut before, mut sum) = (END + 1, 9_u32, 0_usize, 0_usize);
    let (mut held, mut bits) = (0_u32, 0_u32);
    for byte in packed {
        held = (held << 8) | u32::from(*byte);
        bits += 8;
        if bits < width {
            continue;
        }
        bits -= width;
        let code = (held >> bits) as usize;
        held &= (1 << bits) - 1;
        let length = match code {
            CLEAR => {
                (next, width, before) = (END + 1, 9, 0);
                continue;
            }
            END => break,
            code if code < next => lengths[code],
            _ if before > 0 => before + 1,
            _ => break,
        };
        sum += length;
        if sum > most {
            return None;
        }
        if before > 0 && next < lengths.len() {
            lengths[next] = before + 1;
            next += 1;
            if width < 12 && next + usize::from(early) >= 1 << width {
                width += 1;
            }
        }
        before = length;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::ZlibEncoder;
    use std::fmt::Write as _;
    use std::io::Write as _;

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    }

    fn stream(filters: &[&str], packed: &[u8]) -> Stream {
        let filters = filters.iter().map(|name| Object::Name(name.as_bytes().to_vec())).collect();
        Stream::new(Dictionary::from_iter([("Filter", Object::Array(filters))]), packed.to_vec())
    }

    #[test]
    fn what_comes_out_is_measured_before_it_does() {
        let zeros = vec![0; 100_000];
        let once = zlib(&zeros);
        let weight =
            |filters: &[&str], packed: &[u8], most| weight(&stream(filters, packed), packed, most);
        assert_eq!(weight(&["FlateDecode"], &once, 100_000), Some(100_000));
        assert_eq!(weight(&["FlateDecode"], &once, 99_999), None);
        let twice = zlib(&once);
        let both = once.len() + zeros.len();
        assert_eq!(weight(&["FlateDecode", "FlateDecode"], &twice, both), Some(both));
        assert_eq!(weight(&["FlateDecode", "FlateDecode"], &twice, both - 1), None);
        // Without the head that says how it is packed.
        let damaged = [&[0, 0][..], &once[2..]].concat();
        assert_eq!(weight(&["FlateDecode"], &damaged, 99_999), None);
        assert_eq!(weight(&["ASCII85Decode"], b"zz~>", 8), Some(8));
        assert_eq!(weight(&["DCTDecode"], &once, 1), Some(0));
        assert_eq!(weight(&["FlateDecode"; 5], &once, 100_000), None);
        assert_eq!(weight(&["LZWDecode", "FlateDecode"], b"\x80", 100), None);
    }

    #[test]
    fn lzw_is_counted_as_it_is_unpacked() {
        // The example of the standard, with its codes of nine bits.
        let packed = [0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01];
        let stream = stream(&["LZWDecode"], &packed);
        assert_eq!(stream.decompressed_content().unwrap().len(), 10);
        assert_eq!(weight(&stream, &packed, 10), Some(10));
        assert_eq!(weight(&stream, &packed, 9), None);
        // A run of one byte makes the longest entries: each code stands for one byte more than the last.
        let mut bits = "100000000001100001".to_owned();
        for next in 258_usize..=2_000 {
            let width = (next + 1).ilog2() as usize + 1;
            let code = if next < 2_000 { next } else { 257 };
            write!(bits, "{code:0width$b}").unwrap();
        }
        let packed: Vec<u8> = bits
            .as_bytes()
            .chunks(8)
            .map(|bits| {
                bits.iter().enumerate().map(|(at, bit)| (bit - b'0') << (7 - at)).sum::<u8>()
            })
            .collect();
        let real = self::stream(&["LZWDecode"], &packed).decompressed_content().unwrap().len();
        assert!(real > 100 * packed.len(), "{real}");
        assert_eq!(lzw(&packed, true, usize::MAX), Some(real));
    }
}
