use super::*;

fn of(path: &str, text: &str) -> Metadata {
    let format = Format::of(path).unwrap();
    let doc = super::super::format::extract(format, path, text.as_bytes().to_vec()).unwrap();
    metadata(&doc, format, path, &[])
}

#[test]
fn titles_dates_and_authors_of_reports() {
    let report = of(
        "ops/q1_2026_report.md",
        "# Q1 2026 Operations Report - Orlo\n\n**Internal | Prepared by: COO office, April 14, 2026**\n\nBody.",
    );
    assert_eq!(report.title, "Q1 2026 Operations Report - Orlo");
    assert_eq!(report.author.as_deref(), Some("COO office"));
    assert_eq!(report.date.as_ref().unwrap().value, PartialDate::day(2026, 4, 14));
    assert_eq!(report.date.as_ref().unwrap().stated, "Prepared by: COO office, April 14, 2026");
    let older = of("ops/archive/q1_2025.md", "# Q1 2025 Operations Report - Orlo\n\nText.");
    assert_eq!(older.date.unwrap().value, PartialDate::quarter(2025, 1));
    assert_eq!(older.vintage, Vintage::Superseded);
    assert_eq!(older.family, report.family);
}

#[test]
fn an_author_ends_where_the_line_says_something_else() {
    let author = |line: &str| of("a.md", &format!("# Report\n\n{line}\n\nText.")).author;
    for (line, name) in [
        (
            "Author: Winifred Adeane, stores manager. Date: 4 July 2025.",
            "Winifred Adeane, stores manager",
        ),
        ("Author: Winifred Adeane. Last updated: July 2025", "Winifred Adeane"),
        ("Author: Winifred Adeane, date: unknown", "Winifred Adeane"),
        ("Prepared by: COO office, April 14, 2026", "COO office"),
        ("Author: Max Holdate", "Max Holdate"),
        ("Author: J. Doe Jr.", "J. Doe Jr."),
    ] {
        assert_eq!(author(line).as_deref(), Some(name), "{line}");
    }
    let dated = of("a.md", "# Report\n\nAuthor: Ann Lee, clerk. Date: 4 July 2025.\n\nText.");
    assert_eq!(dated.date.map(|date| date.value), Some(PartialDate::day(2025, 7, 4)));
}

#[test]
fn the_day_of_a_version_that_is_replaced_is_not_the_documents_own() {
    let date = |line: &str| of("a.md", &format!("# Moorings\n\n{line}\n\nText.")).date;
    let day = |line: &str| date(line).map(|date| date.value);
    assert_eq!(day("Version 2, which replaces version 1 of 20 January 2026"), None);
    assert_eq!(day("Version 1, superseded by version 2 of 8 April 2026"), None);
    let own = Some(PartialDate::day(2026, 4, 8));
    assert_eq!(day("Version 2 of 8 April 2026, which replaces that of 20 January 2026"), own);
    assert_eq!(day("Version 2 replaces version 1. Dated 8 April 2026"), own);
}

#[test]
fn stated_dates_win_over_titles_and_titles_over_file_names() {
    let stated = |path, text| of(path, text).date.map(|date| date.value);
    let month = |y, m| Some(PartialDate::month(y, m));
    assert_eq!(
        stated("a_2020.md", "# Overview 2021\n\n**Last updated: May 2026 | Internal**\n\nx"),
        month(2026, 5)
    );
    assert_eq!(
        stated("a.md", "# Policy\n\n**HR - effective January 2026**\n\nIt was 2019."),
        month(2026, 1)
    );
    assert_eq!(
        stated("a.md", "# Review - Q1 2026\n\nCompleted February 2026. 4 seen."),
        Some(PartialDate::quarter(2026, 1))
    );
    assert_eq!(stated("bulletin_march2026.md", "# Bulletin\n\nIn 1999 it rained."), month(2026, 3));
    assert_eq!(stated("plain.md", "# Plain\n\nFounded in 2019."), None);
    assert_eq!(
        stated("f.md", "---\ndate: 2026-02-01\n---\n# Plan 2025\n\nx"),
        Some(PartialDate::day(2026, 2, 1))
    );
}

#[test]
fn an_old_vintage_says_so_about_itself() {
    let vintage = |text| of("a.md", text).vintage;
    assert_eq!(vintage("# One-pager (v0.2 - SUPERSEDED)\n\nx"), Vintage::Superseded);
    assert_eq!(
        vintage("# One\n\nNOTE: early figures - superseded by the 2026 brief.\n"),
        Vintage::Superseded
    );
    assert_eq!(
        vintage("# Notes\n\n- Breaking change: the v4 API is deprecated; it ends in 2027.\n"),
        Vintage::Current
    );
    assert_eq!(vintage("# Policy\n\nThis policy replaces the old one.\n"), Vintage::Current);
}

#[test]
fn families_ignore_versions() {
    assert_eq!(family("VLX Brief (Draft v0.9)"), family("VLX Brief (v1.2, March 2026)"));
    assert_eq!(family("SOP 12: Drugs, version 3"), family("SOP 12: Drugs, version 4"));
    assert_eq!(family("House rules (superseded edition)"), family("House rules"));
    assert_ne!(family("SOP 12: Drugs"), family("SOP 13: Drugs"));
    assert_eq!(family("2026"), "2026");
    assert_ne!(family("Against Heresies Book 1"), family("Against Heresies Book 2"));
}

#[test]
fn ancient_authors_are_dated_by_when_they_wrote() {
    let found = of(
        "fathers/Tertullian_Against_Praxeas.txt",
        "Fathers, Vol. III \n\n Against Praxeas 1 \n\n Chapter I.-One. \n\n Text here.",
    );
    assert_eq!(found.title, "Against Praxeas");
    assert_eq!(found.author.as_deref(), Some("Tertullian"));
    assert_eq!(found.date.unwrap().stated, "author: wrote c. 208");
}

#[test]
fn the_lines_below_a_title_tell_the_day_in_the_ways_people_write_it() {
    for (line, day) in [
        ("To the River Fund, 10 February 2023", "10 February 2023"),
        (
            "**Leith, 7 November 2024.** The board approved the results of the year.",
            "7 November 2024",
        ),
        ("*Reed Research, 15 October 2024. Authors: Ann Lund, Tom Poe.*", "15 October 2024"),
        ("*Prepared by Tom Poe, attorney, for Reed Research. 3 June 2024.*", "3 June 2024"),
        ("No. 6, September 2023", "September 2023"),
        ("**To:** desk **From:** Ann Lund **Date:** 5 December 2024", "5 December 2024"),
        ("*From the magazine Wren, May 2023. Translated by the desk.*", "May 2023"),
        ("Leith, 3 December 2024 - corrected version", "3 December 2024"),
        ("Wednesday, 17 January 2024, 14:00-16:10, by telephone", "17 January 2024"),
        ("Symposium on Lakes, Leith, 22-24 May 2024", "24 May 2024"),
        ("Submitted on 16 November 2020", "16 November 2020"),
        ("Issue of 1 March 2021", "1 March 2021"),
        ("Last changed: 8 April 2024 by Ann Lund", "8 April 2024"),
    ] {
        let text = format!("# On the depth of lakes\n\n{line}\n\nThe lake is 12 m deep.\n");
        let found = of("lakes.md", &text).date.map(|date| date.value.to_string());
        assert_eq!(found.as_deref(), Some(day), "{line}");
    }
    for line in [
        "Reporting period: 1 April 2023 to 31 March 2024",
        "The mill burned down on 3 May 2019.",
        "Next meeting, 4 June 2024",
        "Ann Lund, born 4 June 1960",
        "Database lock, 20 September 2024",
    ] {
        let text = format!("# On the depth of lakes\n\n{line}\n\nThe lake is 12 m deep.\n");
        assert_eq!(of("lakes.md", &text).date, None, "{line}");
    }
    let two = of("lakes.md", "# First report (2021 and 2022)\n\nThe lake is deep.\n");
    assert_eq!(two.date.map(|date| date.value.to_string()).as_deref(), Some("2022"));
}
