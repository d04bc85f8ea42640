//! The documents of `examples/harbor`, which are in the program so that there is something to try wherever it is.

/// A document of the sample, from here.
macro_rules! document {
    ($name:literal) => {
        ($name, include_bytes!(concat!("../../../../../examples/harbor/", $name)).as_slice())
    };
}

/// Every document: its path in the folder, and its bytes.
pub(super) const FILES: [(&str, &[u8]); 14] = [
    document!("community/annual-meeting-2026.md"),
    document!("community/fishing-agreement.md"),
    document!("incidents/grid-company-note.txt"),
    document!("incidents/outage-2026-02-11-report.html"),
    document!("operations/blade-coating-trial.md"),
    document!("operations/isolation-procedure.md"),
    document!("operations/maintenance-log.jsonl"),
    document!("operations/turbines.csv"),
    document!("overview.md"),
    document!("people.md"),
    document!("reports/quarterly-report-q1-2026.md"),
    document!("reports/quarterly-report-q3-2025.md"),
    document!("surveys/porpoise-boat-survey-2025.md"),
    document!("surveys/porpoise-hydrophone-study-2025.md"),
];
