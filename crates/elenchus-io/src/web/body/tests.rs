use super::*;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use proptest::prelude::*;

fn limits() -> Limits {
    Limits { most_bytes: 1 << 20, most_ratio: 100, ratio_after: 64 << 10, cut: false }
}

fn read(encoding: &[&[u8]], pieces: &[&[u8]], limits: Limits) -> Result<Vec<u8>, BodyFault> {
    let mut body = Body::new(encoding.iter().copied(), limits)?;
    for piece in pieces {
        if !body.take(piece)? {
            break;
        }
        assert!(body.received() <= limits.most_bytes);
    }
    body.finish()
}

/// The three ways to pack, by the name that a server gives them.
fn packed(bytes: &[u8]) -> [(&'static [u8], Vec<u8>); 4] {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
    let mut bare = DeflateEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(bytes).unwrap();
    zlib.write_all(bytes).unwrap();
    bare.write_all(bytes).unwrap();
    [
        (b"GZip".as_slice(), gzip.finish().unwrap()),
        (b"deflate".as_slice(), zlib.finish().unwrap()),
        (b"deflate".as_slice(), bare.finish().unwrap()),
        (b"identity".as_slice(), bytes.to_vec()),
    ]
}

#[test]
fn members_follow_one_another() {
    let [(_, first), ..] = packed(b"one ");
    let [(_, second), ..] = packed(b"two");
    let both = [first.as_slice(), &second].concat();
    assert_eq!(read(&[b"gzip"], &[&both], limits()).unwrap(), b"one two");
    assert_eq!(read(&[b"gzip"], &[&first, &second], limits()).unwrap(), b"one two");
    let pieces: Vec<&[u8]> = both.chunks(1).collect();
    assert_eq!(read(&[b"gzip"], &pieces, limits()).unwrap(), b"one two");
    assert!(matches!(
        read(&[b"gzip"], &[&both[..both.len() - 1]], limits()),
        Err(BodyFault::Cut(_))
    ));
}

#[test]
fn nothing_is_an_empty_body() {
    for encoding in [b"gzip".as_slice(), b"deflate", b"", b"identity"] {
        assert_eq!(read(&[encoding], &[], limits()).unwrap(), b"");
    }
}

#[test]
fn a_body_that_may_be_cut_is_cut_and_no_other() {
    let cut = Limits { most_bytes: 1_000, cut: true, ..limits() };
    let prose: Vec<u8> = (0..5_000_u32).flat_map(u32::to_be_bytes).collect();
    for (encoding, bytes) in packed(&prose) {
        assert_eq!(read(&[encoding], &[&bytes], cut).unwrap(), &prose[..1_000]);
        let refused = read(&[encoding], &[&bytes], Limits { cut: false, ..cut });
        assert!(matches!(refused, Err(BodyFault::TooLarge(_))));
    }
}

#[test]
fn an_announced_length_is_believed_when_it_is_too_much() {
    let body = Body::new([].into_iter(), limits()).unwrap();
    assert!(body.announced(Some(1 << 20)).is_ok() && body.announced(None).is_ok());
    assert!(matches!(body.announced(Some((1 << 20) + 1)), Err(BodyFault::TooLarge(_))));
}

proptest! {
    #[test]
    fn what_was_packed_comes_out_however_it_is_cut(bytes in proptest::collection::vec(any::<u8>(), 0..4_000), size in 1_usize..700) {
        for (encoding, packed) in packed(&bytes) {
            let pieces: Vec<&[u8]> = packed.chunks(size).collect();
            prop_assert_eq!(read(&[encoding], &pieces, limits()).unwrap(), bytes.clone());
        }
    }

    #[test]
    fn what_was_cut_is_never_whole(bytes in proptest::collection::vec(any::<u8>(), 1..2_000), at in 0.0..1.0_f64) {
        for (encoding, packed) in packed(&bytes).into_iter().take(3) {
            let cut = &packed[..(packed.len() as f64 * at) as usize];
            let outcome = read(&[encoding], &[cut], limits());
            prop_assert!(cut.is_empty() || matches!(outcome, Err(BodyFault::Cut(_))), "{:?}", outcome);
        }
    }

    #[test]
    fn no_body_panics_or_grows_beyond_its_limit(pieces: Vec<Vec<u8>>, head in 0_usize..4) {
        let heads: [&[u8]; 4] = [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3], &[0x78, 0x9c], &[], &[0x1f, 0x8b, 8, 31]];
        let pieces: Vec<&[u8]> = std::iter::once(heads[head]).chain(pieces.iter().map(Vec::as_slice)).collect();
        for encoding in [b"gzip".as_slice(), b"deflate", b""] {
            if let Ok(body) = read(&[encoding], &pieces, Limits { most_bytes: 300, ..limits() }) {
                prop_assert!(body.len() <= 300);
            }
        }
    }
}
