//! The two ways in which mail writes bytes as letters. What is wrongly written is read as far as it goes: half a letter is more than none.

/// Letters of base64 as bytes; whatever is none of them is passed over.
pub(super) fn base64(letters: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(letters.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for &letter in letters {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            // Padding ends a run; another one may follow.
            b'=' => {
                count = 0;
                continue;
            }
            _ => continue,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

/// Quoted-printable as bytes; a mark that is followed by no number stands for itself.
pub(super) fn quoted_printable(letters: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(letters.len());
    for line in letters.split_inclusive(|letter| *letter == b'\n') {
        // Blanks at the end of a line were put there on the way.
        let bare = line.trim_ascii_end();
        let (bare, goes_on) = match bare.strip_suffix(b"=") {
            Some(bare) => (bare, true),
            None => (bare, false),
        };
        let digit = |at: usize| bare.get(at).and_then(|letter| char::from(*letter).to_digit(16));
        let mut at = 0;
        while let Some(&letter) = bare.get(at) {
            match (letter, digit(at + 1), digit(at + 2)) {
                (b'=', Some(high), Some(low)) => {
                    bytes.push((high * 16 + low) as u8);
                    at += 3;
                }
                _ => {
                    bytes.push(letter);
                    at += 1;
                }
            }
        }
        if !goes_on && line.ends_with(b"\n") {
            bytes.push(b'\n');
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_become_bytes_and_faults_are_passed_over() {
        assert_eq!(base64(b"VGhl\r\nIGdlZXNl"), b"The geese");
        assert_eq!(base64(b"VGhl!IGdlZXNlLg=="), b"The geese.");
        assert_eq!(base64(b"QQ==QQ=="), b"AA");
        assert_eq!(
            quoted_printable(b"caf=C3=A9 is=\r\n open \r\n2 = two=3D\n"),
            "café is open\n2 = two=\n".as_bytes()
        );
        assert_eq!(quoted_printable(b"a=\n"), b"a");
        assert_eq!(quoted_printable(b"=4"), b"=4");
    }
}
