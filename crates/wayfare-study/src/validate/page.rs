//! The page of a report: the suite's text with the table and the pictures in it.

use super::plot;
use super::report::{Report, Row, Verdict};
use super::suite::Suite;

/// A file of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageFile {
    /// The suffix of the page's name: empty for the page, `-NAME.svg` for a picture.
    pub ending: String,
    /// Its content.
    pub text: String,
}

/// The page of this name, such as `validation`, in Markdown, and its pictures beside it.
pub fn page(suite: &Suite, report: &Report, name: &str) -> Vec<PageFile> {
    let mut text = suite.page.replace("{table}", table(report).trim_end());
    let mut files = Vec::new();
    for chart in &report.charts {
        let ending = format!("-{}.svg", chart.plot.name);
        let image = format!("![{}]({name}{ending})", chart.plot.title);
        text = text.replace(&format!("{{plot {}}}", chart.plot.name), &image);
        files.push(PageFile { ending, text: plot::svg(chart) });
    }
    files.insert(0, PageFile { ending: String::new(), text });
    files
}

/// The table in Markdown, and a sentence about its runs.
fn table(report: &Report) -> String {
    let mut text = String::from("| test | source | expected | reached | spread | verdict |\n");
    text.push_str("|---|---|---|---|---|---|\n");
    for row in &report.rows {
        let with_unit = |text: String| {
            if text.is_empty() || row.unit.is_empty() {
                text
            } else {
                format!("{text} {}", row.unit)
            }
        };
        let verdict = match (row.verdict, &row.known) {
            (Verdict::KnownMiss, Some(why)) => format!("**known miss**: {why}"),
            (Verdict::Pass | Verdict::Value, _) => row.verdict.name().to_string(),
            _ => format!("**{}**", row.verdict.name()),
        };
        let cells = [
            row.name.clone(),
            row.source.clone(),
            with_unit(row.expected.clone()),
            with_unit(number(row.mean())),
            spread(row),
            verdict,
        ];
        text.push_str(&format!("| {} |\n", cells.join(" | ").replace("|  |", "| |")));
    }
    text.push_str(&format!("\n{}\n", report.counts()));
    text
}

/// The standard deviation of a row, if it has several values that differ.
pub(super) fn spread(row: &Row) -> String {
    if row.values.len() < 2 { String::new() } else { number(row.deviation()) }
}

/// A number with three digits, or all digits before its point; "none" for one that is missing.
pub(super) fn number(x: f64) -> String {
    if x.is_nan() {
        return "none".to_string();
    }
    if x == x.trunc() {
        return format!("{x}");
    }
    let digits = (2 - x.abs().log10().floor() as i32).clamp(0, 4) as usize;
    format!("{x:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        for (x, text) in [
            (0.0, "0"),
            (20.0, "20"),
            (1.84567, "1.85"),
            (0.03159, "0.0316"),
            (146.13, "146"),
            (30.2, "30.2"),
            (f64::NAN, "none"),
        ] {
            assert_eq!(number(x), text);
        }
    }
}
