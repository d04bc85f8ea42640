//! Small PDF files, whole and hostile.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;

/// The only page of the file below.
pub(crate) const PAGE: &str =
    "<</Type/Page/MediaBox[0 0 9 9]/Resources 5 0 R/Parent 2 0 R/Contents 4 0 R>>";

/// A PDF of one page: object 3 is the page, as a rule with 4 for its contents and 5 for its resources.
pub(crate) fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.5\n".to_vec();
    let first = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>"];
    let mut offsets = Vec::new();
    for object in first.iter().map(|text| text.as_bytes()).chain(objects.iter().map(Vec::as_slice))
    {
        offsets.push(file.len());
        let head = format!("{} 0 obj\n", offsets.len());
        file.extend([head.as_bytes(), object, b"\nendobj\n"].concat());
    }
    table(file, &offsets)
}

/// The file with its table of objects, which begin at `offsets`.
pub(crate) fn table(mut file: Vec<u8>, offsets: &[usize]) -> Vec<u8> {
    let start = file.len();
    let size = offsets.len() + 1;
    file.extend(format!("xref\n0 {size}\n0000000000 65535 f \n").into_bytes());
    for offset in offsets {
        file.extend(format!("{offset:010} 00000 n \n").into_bytes());
    }
    let trailer = format!("trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n");
    file.extend(trailer.into_bytes());
    file
}

/// A stream with its length.
pub(crate) fn stream(dict: &str, data: &[u8]) -> Vec<u8> {
    let head = format!("<<{dict}/Length {}>>\nstream\n", data.len());
    [head.as_bytes(), data, b"\nendstream"].concat()
}

/// As `FlateDecode` has it.
pub(crate) fn packed(data: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
    packer.write_all(data).unwrap();
    packer.finish().unwrap()
}

/// A page that draws with `operators` and these resources; `more` are objects from number 6 on.
pub(crate) fn drawn(operators: &str, resources: &str, more: &[Vec<u8>]) -> Vec<u8> {
    let own = [PAGE.into(), stream("", operators.as_bytes()), resources.into()];
    pdf(&[&own[..], more].concat())
}
