//! What passing tests said under nextest, which shows only what failing ones say: its report in the form of `JUnit` holds all.

use std::path::{Path, PathBuf};

use crate::step;

/// The report that `.config/nextest.toml` asks for: below the root, or below where cargo builds.
fn places(root: &Path) -> [PathBuf; 2] {
    let report = "nextest/default/junit.xml";
    [root.join("target").join(report), step::target(root).join(report)]
}

/// Removes the report of an earlier run, which would be taken for this one's where none is written.
pub(crate) fn forget(root: &Path) {
    for place in places(root) {
        let _ = std::fs::remove_file(place);
    }
}

/// What the tests of the last run said that they left out, each reason once; `None` where there is no report.
pub(crate) fn skips(root: &Path) -> Option<Vec<String>> {
    let report = places(root).iter().find_map(|place| std::fs::read_to_string(place).ok())?;
    Some(told(&report))
}

fn told(report: &str) -> Vec<String> {
    let mut reasons = Vec::new();
    for line in report.lines() {
        // The first line of an output stands behind the mark that begins it, the last before the one that ends it.
        let line = line.rsplit_once("<system-out>").map_or(line, |(_, said)| said);
        let line = line.rsplit_once("<system-err>").map_or(line, |(_, said)| said);
        let line = line.split('<').next().unwrap_or_default();
        if let Some(reason) = step::skip(&unescaped(line))
            && !reasons.contains(&reason)
        {
            reasons.push(reason);
        }
    }
    reasons
}

fn unescaped(text: &str) -> String {
    let mut plain = text.to_owned();
    // What stands for the ampersand comes last: it may be a part of what is no mark.
    for (mark, sign) in
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
    {
        plain = plain.replace(mark, sign);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skips_of_passing_tests_are_read_from_the_report() {
        let report = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nextest-run" tests="3">
    <testsuite name="a" tests="3">
        <testcase name="one" classname="a">
            <system-out>
running 1 test
skip: the first: A &amp; B are &lt;not&gt; set
test one ... ok
</system-out>
            <system-err></system-err>
        </testcase>
        <testcase name="two" classname="a">
            <system-out>skip: the second</system-out>
            <system-err>skip: the third
skip: the second
</system-err>
        </testcase>
        <testcase name="skip: no reason" classname="a"/>
    </testsuite>
</testsuites>
"#;
        assert_eq!(told(report), ["the first: A & B are <not> set", "the second", "the third"]);
        assert_eq!(told(""), Vec::<String>::new());
    }

    #[test]
    fn nextest_is_asked_for_the_report() {
        let settings = crate::root().join(".config/nextest.toml");
        let settings = std::fs::read_to_string(settings).unwrap();
        for line in
            ["[profile.default.junit]", "path = \"junit.xml\"", "store-success-output = true"]
        {
            assert!(settings.lines().any(|there| there == line), "{line}");
        }
    }
}
