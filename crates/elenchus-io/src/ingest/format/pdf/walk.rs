//! The syntax of a PDF as far as sizes go: where an object ends and of how many parts it is, without building it.

/// What one object takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    /// One past its last byte.
    pub(super) end: usize,
    /// Its numbers, names, strings and brackets. A parser spends more than a hundred bytes on each.
    pub(super) parts: usize,
}

/// The object at `at`, white space before it included. One whose brackets never close ends with the bytes.
pub(super) fn object(bytes: &[u8], at: usize) -> Extent {
    let mut at = space(bytes, at);
    let (mut parts, mut open) = (0, 0_usize);
    while at < bytes.len() {
        let double = bytes.get(at + 1) == Some(&bytes[at]);
        parts += 1;
        match bytes[at] {
            b'[' => open += 1,
            b'<' if double => open += 1,
            b']' => open = open.saturating_sub(1),
            b'>' if double => open = open.saturating_sub(1),
            _ => {}
        }
        at = token(bytes, at);
        if open == 0 {
            break;
        }
        at = space(bytes, at);
    }
    Extent { end: at.min(bytes.len()), parts }
}

/// How many parts all of `bytes` are, as operands and operators of a page are.
pub(super) fn parts(bytes: &[u8]) -> usize {
    let (mut at, mut parts) = (space(bytes, 0), 0);
    while at < bytes.len() {
        parts += 1;
        at = space(bytes, token(bytes, at));
    }
    parts
}

/// Most brackets open at once, of whatever kind. In bytes that are no text it stays in the hundreds.
pub(super) fn depth(bytes: &[u8]) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for byte in bytes {
        match byte {
            b'(' | b'[' | b'{' | b'<' => open += 1,
            b')' | b']' | b'}' | b'>' => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

/// The first byte from `at` on that is neither white space nor of a comment.
pub(super) fn space(bytes: &[u8], mut at: usize) -> usize {
    let mut comment = false;
    while let Some(byte) = bytes.get(at) {
        comment = match byte {
            b'\r' | b'\n' => false,
            b'%' => true,
            _ => comment,
        };
        if !comment && !is_space(*byte) {
            break;
        }
        at += 1;
    }
    at
}

/// One past the token that begins at `at`, which is in range.
fn token(bytes: &[u8], at: usize) -> usize {
    let double = bytes.get(at + 1) == Some(&bytes[at]);
    match bytes[at] {
        b'(' => literal(bytes, at),
        b'<' | b'>' if double => at + 2,
        b'<' => run(bytes, at + 1, |byte| byte != b'>') + 1,
        b'/' => run(bytes, at + 1, is_regular),
        byte if is_regular(byte) => run(bytes, at, is_regular),
        _ => at + 1,
    }
}

/// One past the string that begins with the parenthesis at `at`.
fn literal(bytes: &[u8], mut at: usize) -> usize {
    let mut open = 0_usize;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        at += 1;
        if open == 0 {
            break;
        }
    }
    at
}

fn run(bytes: &[u8], at: usize, holds: impl Fn(u8) -> bool) -> usize {
    at + bytes.get(at..).unwrap_or_default().iter().take_while(|byte| holds(**byte)).count()
}

pub(super) fn is_space(byte: u8) -> bool {
    b" \t\n\r\0\x0C".contains(&byte)
}

pub(super) fn is_regular(byte: u8) -> bool {
    !is_space(byte) && !b"()<>[]{}/%".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_ends_with_its_bracket() {
        for (text, end, parts) in [
            ("<</A[1 (a]\\)(b)) <5d>]/B<<>>>> stream", 30, 11),
            (" 12 0 R", 3, 1),
            ("% ]\n[ % ]\n1]", 12, 3),
            ("/Name/Other", 5, 1),
            ("[[[ 1 ]", 7, 5),
            ("(never closed", 13, 1),
            ("", 0, 0),
        ] {
            assert_eq!(object(text.as_bytes(), 0), Extent { end, parts }, "{text}");
        }
    }

    #[test]
    fn parts_and_depth_are_counted() {
        assert_eq!(parts(b"q 1 0 0 1 (a b c) Tj[2]TJ % no part\nQ"), 12);
        assert_eq!(depth(b"((<<]]>"), 4);
        assert_eq!((parts(b" "), depth(b"a)]")), (0, 0));
    }
}
