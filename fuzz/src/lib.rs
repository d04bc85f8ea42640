//! What several targets share.

use elenchus_core::evidence::{Passage, ReadPassage, Source, Span, char_slice};
use elenchus_core::id::{FactId, GapId, PassageId, SourceId};
use elenchus_core::port::CorpusOverview;
use elenchus_core::prompt::{
    ClarifyInput, DraftInput, Fact, FactRole, FactsInput, FollowUpInput, Framing, GapBrief,
    GapInput, HypothesizeInput, ModelCall, PlanInput, PlannedQuestion, ProposedFact, QueryStrategy,
    QuestionKind, ReflectInput, Reflection, Severity,
};
use elenchus_io::ingest::{Format, content_hash, ingest};
use std::io::{Cursor, Write};
use zip::write::{SimpleFileOptions, ZipWriter};

/// Reads a file and checks what every reader promises of its text and passages.
pub fn check_ingest(format: Format, path: &str, bytes: Vec<u8>) {
    let hash = content_hash(&bytes);
    // An error is a fine answer; a panic is none.
    let Ok(read) = ingest(format, path, bytes, &[]) else { return };
    assert_eq!(read.source.content_hash, hash);
    assert!(!read.text.contains('\r'), "a carriage return in the text");
    let control = read.text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
    assert_eq!(control, None, "a control character in the text");
    let mut last = 0;
    for (at, passage) in read.passages.iter().enumerate() {
        assert_eq!(passage.source_id, read.source.id);
        assert_eq!(passage.id, PassageId::new(&read.source.id, at as u32));
        assert!(!passage.text.trim().is_empty(), "{passage:?} is empty");
        assert_eq!(char_slice(&read.text, passage.span), Some(passage.text.as_str()));
        assert!(last <= passage.span.start, "{passage:?} begins before {last}");
        last = passage.span.end;
    }
}

/// A DOCX file whose body is `xml`: the archive itself would stop most mutations at its checksums.
pub fn docx(xml: &[u8]) -> Vec<u8> {
    const HEAD: &[u8] = b"<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>";
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    archive.start_file("word/document.xml", stored).expect("the first file of an archive");
    for part in [HEAD, xml, b"</w:body></w:document>"] {
        archive.write_all(part).expect("memory can be written to");
    }
    archive.finish().expect("memory can be written to").into_inner()
}

/// A PDF file of one page that `content` draws.
pub fn pdf(content: &[u8]) -> Vec<u8> {
    let stream = format!("<< /Length {} >>\nstream\n", content.len()).into_bytes();
    let objects: [&[u8]; 5] = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        &[&stream, content, b"\nendstream"].concat(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ];
    let mut out = b"%PDF-1.4\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (at, object) in objects.iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", out.len()));
        out.extend(format!("{} 0 obj\n", at + 1).bytes());
        out.extend_from_slice(object);
        out.extend_from_slice(b"\nendobj\n");
    }
    let size = objects.len() + 1;
    table.push_str(&format!(
        "trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{}\n%%EOF\n",
        out.len()
    ));
    out.extend(table.bytes());
    out
}

/// A passage that is a whole document, as a read gives it.
pub fn read_passage(path: &str, text: &str, table_header: Vec<String>) -> ReadPassage {
    let id = SourceId::from_path(path);
    let source = Source {
        id: id.clone(),
        path: path.to_owned(),
        title: "A report".to_owned(),
        author: None,
        date: None,
        vintage: Default::default(),
        content_hash: String::new(),
        family: path.to_owned(),
        cluster: id.clone(),
        web: None,
    };
    let passage = Passage {
        id: PassageId::new(&id, 0),
        source_id: id,
        text: text.to_owned(),
        span: Span { start: 0, end: text.chars().count() },
        heading_path: Vec::new(),
        page: None,
        table_header,
        lead_in: None,
        record: None,
    };
    ReadPassage { source, passage }
}

const QUESTION: &str = "What does the ferry cost an adult, and what is its revenue?";
const FARES: &str = "The fares hold from May 2024. An adult pays 62 kroner (\u{2018}full  fare\u{2019}).\n\n- A child pays 31 kroner.\n- The owners do not disclose their revenue.\n";

fn planned(id: u32, text: &str) -> PlannedQuestion {
    PlannedQuestion {
        id,
        text: text.to_owned(),
        rationale: "asked".to_owned(),
        severity: Severity::Critical,
        depends_on: Vec::new(),
        kind: QuestionKind::Lookup,
        expects: Some("money".to_owned()),
        queries: vec![text.to_owned()],
    }
}

/// A call of each prompt function whose reply is read as JSON of a plain shape.
pub fn calls() -> Vec<ModelCall> {
    let questions = vec![
        planned(1, "What does the ferry cost an adult?"),
        planned(2, "What is the revenue of the ferry?"),
    ];
    let passages = vec![
        read_passage("fares.md", FARES, Vec::new()),
        read_passage("fares-2019.md", "An adult paid 45 kroner.", Vec::new()),
    ];
    let corpus = CorpusOverview {
        documents: 2,
        passages: 2,
        subjects: vec!["the ferry".to_owned()],
        ..Default::default()
    };
    let gap = GapBrief {
        id: GapId::from("g1"),
        description: "the revenue of the ferry".to_owned(),
        question_ids: vec![2],
        attempts: 1,
        previous_queries: vec!["ferry revenue".to_owned()],
    };
    let quote = "An adult paid 45 kroner.";
    let fact = Fact {
        id: FactId::from("f1"),
        proposed: ProposedFact {
            question_id: 1,
            passage_id: passages[1].passage.id.clone(),
            span: Span { start: 0, end: quote.chars().count() },
            value: None,
            role: FactRole::Answer,
            polarity: None,
            bearing: None,
            likeness: None,
            unbound: vec![],
            warrant: String::new(),
        },
        quote: quote.to_owned(),
        value_text: None,
        round: 1,
    };
    let question = QUESTION.to_owned();
    vec![
        ModelCall::Clarify(ClarifyInput {
            question: question.clone(),
            corpus: corpus.clone(),
            guarded: false,
        }),
        ModelCall::Plan(PlanInput {
            question: question.clone(),
            corpus,
            guarded: false,
            max_questions: 4,
            framing: Framing::default(),
            said: Vec::new(),
        }),
        ModelCall::Reflect(ReflectInput {
            question: question.clone(),
            open: questions.clone(),
            passages: passages.clone(),
            new_passages: 2,
            terms: Vec::new(),
            corpus_passages: 2,
            subjects: Vec::new(),
            memory: String::new(),
        }),
        ModelCall::ExtractFacts(FactsInput {
            questions: questions.clone(),
            passages: passages.clone(),
            terms: Vec::new(),
            corpus_passages: 2,
            subjects: Vec::new(),
        }),
        ModelCall::AnalyzeGaps(GapInput {
            round: 1,
            gaps: vec![gap.clone()],
            reflection: Reflection::default(),
            questions: questions.clone(),
            passages: passages.clone(),
            terms: Vec::new(),
            corpus_passages: 2,
        }),
        ModelCall::FollowUp(FollowUpInput {
            gap,
            questions: questions.clone(),
            unused_strategies: vec![QueryStrategy::Angle],
            terms: Vec::new(),
            subjects: Vec::new(),
            titles: Vec::new(),
            memory: String::new(),
        }),
        ModelCall::Draft(DraftInput {
            question: question.clone(),
            questions: questions.clone(),
            facts: vec![fact],
            passages: passages.clone(),
            framing: Framing::default(),
            memory: String::new(),
        }),
        ModelCall::Hypothesize(HypothesizeInput {
            question,
            questions,
            passages,
            most: 4,
            framing: Framing::default(),
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wrapped_files_are_read() {
        let xml = b"<w:p><w:r><w:t>The dam opened in 1931.</w:t></w:r></w:p>";
        let read = ingest(Format::Docx, "a.docx", docx(xml), &[]).unwrap();
        assert_eq!(read.passages[0].text, "The dam opened in 1931.");
        let content = b"BT /F1 12 Tf 72 700 Td (The dam opened in 1931.) Tj ET";
        let read = ingest(Format::Pdf, "a.pdf", pdf(content), &[]).unwrap();
        assert_eq!(read.passages[0].text, "The dam opened in 1931.");
    }
}
