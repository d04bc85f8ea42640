//! How many codes the tables of a font name: a range of four billion is written in thirty bytes.

use super::walk;

/// The codes that the ranges of `bytes` give characters to. What is no table of codes has none; what cannot be told counts as too many.
pub(super) fn codes(bytes: &[u8]) -> usize {
    const BEGIN: &[u8] = b"beginbfrange";
    let (mut rest, mut sum) = (bytes, 0_usize);
    while let Some(begin) = rest.windows(BEGIN.len()).position(|window| window == BEGIN) {
        rest = &rest[begin + BEGIN.len()..];
        let mut at = 0;
        loop {
            at = walk::space(rest, at);
            if rest.get(at) == Some(&b'(') {
                return usize::MAX;
            }
            let Some((low, end)) = code(rest, at) else { break };
            at = walk::space(rest, end);
            if rest.get(at) == Some(&b'(') {
                return usize::MAX;
            }
            let Some((high, end)) = code(rest, at) else { break };
            let range = high.checked_sub(low).map_or(0, |more| more as usize + 1);
            sum = sum.saturating_add(range);
            at = walk::object(rest, end).end;
        }
        rest = &rest[at.min(rest.len())..];
    }
    sum
}

/// The number that `<...>` at `at` writes, its last four bytes as the reader has it, and where it ends.
fn code(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    let digits = bytes.get(at..)?.strip_prefix(b"<")?;
    let length = digits.iter().position(|byte| *byte == b'>')?;
    let value = digits[..length]
        .iter()
        .filter_map(|byte| char::from(*byte).to_digit(16))
        .fold(0_u32, |value, digit| (value << 4) | digit);
    Some((value, at + length + 2))
}

#[cfg(test)]
mod tests {
    use super::codes;

    #[test]
    fn ranges_are_added_up() {
        let honest =
            b"2 beginbfrange <0003> <0005> <0041>\n<0010><0011>[<0042> <0043>] endbfrange\n\
            1 beginbfchar <01> <0041> endbfchar 1 beginbfrange <00 20> <0020> <0020> endbfrange";
        assert_eq!(codes(honest), 6);
        assert_eq!(codes(b"1 beginbfrange <00000000> <ffffffff> <0000> endbfrange"), 1 << 32);
        assert_eq!(codes(b"1 beginbfrange (\\0\\0) <ffffffff> <0000>"), usize::MAX);
        assert_eq!(codes(b"1 beginbfrange <05> <03> <0041> <"), 0);
        assert_eq!(codes(b"BT (beginbfchar) Tj ET"), 0);
    }
}
