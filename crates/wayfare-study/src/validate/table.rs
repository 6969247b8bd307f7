//! The table of a report as text, for a terminal, as CSV and as JSON.

use serde_json::{Value, json};

use super::page::{number, spread};
use super::report::{Report, Row};

impl Report {
    /// The table for a terminal, in columns.
    pub fn text(&self) -> String {
        let head = ["test", "source", "expected", "reached", "spread", "verdict"].map(String::from);
        let cells = self.rows.iter().map(|row| {
            let reached = format!("{} {}", number(row.mean()), row.unit).trim_end().to_string();
            let verdict = match &row.known {
                Some(why) => format!("{}: {why}", row.verdict.name()),
                None => row.verdict.name().to_string(),
            };
            let (name, source) = (row.name.clone(), row.source.clone());
            [name, source, row.expected.clone(), reached, spread(row), verdict]
        });
        let lines: Vec<[String; 6]> = std::iter::once(head).chain(cells).collect();
        let width = |column: usize| {
            lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..6).map(width).collect();
        let mut text = String::new();
        for line in &lines {
            let padded = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
            let padded: Vec<String> = padded.collect();
            text.push_str(padded.join("  ").trim_end());
            text.push('\n');
        }
        text.push_str(&format!("\n{}\n", self.counts()));
        text
    }

    /// The table as CSV: a line per test, with the value of each seed.
    pub fn csv(&self) -> String {
        let seeds: String = (1..=self.seeds).map(|seed| format!(",seed_{seed}")).collect();
        let mut text = format!("test,source,expected,unit,reached,spread,verdict,known{seeds}\n");
        let plain = |x: f64| if x.is_finite() { x.to_string() } else { String::new() };
        for row in &self.rows {
            let mut cells = vec![
                field(&row.name),
                field(&row.source),
                field(&row.expected),
                field(&row.unit),
                plain(row.mean()),
                plain(row.deviation()),
                field(row.verdict.name()),
                field(row.known.as_deref().unwrap_or_default()),
            ];
            let of_seed = |seed: u64| row.values.get(seed as usize).copied();
            cells.extend((0..self.seeds).map(|seed| of_seed(seed).map_or_else(String::new, plain)));
            text.push_str(&cells.join(","));
            text.push('\n');
        }
        text
    }

    /// The table as JSON: an object per test.
    pub fn json(&self) -> String {
        let object = |row: &Row| {
            // JSON has no NaN.
            let finite = |x: f64| if x.is_finite() { json!(x) } else { Value::Null };
            json!({
                "test": row.name,
                "source": row.source,
                "expected": row.expected,
                "unit": row.unit,
                "reached": finite(row.mean()),
                "spread": finite(row.deviation()),
                "verdict": row.verdict.name(),
                "known": row.known,
                "values": row.values.iter().map(|x| finite(*x)).collect::<Vec<_>>(),
            })
        };
        let lines: Vec<String> = self.rows.iter().map(|row| object(row).to_string()).collect();
        format!("[\n{}\n]\n", lines.join(",\n"))
    }
}

/// A field of CSV, in quotes where it needs them.
fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}
