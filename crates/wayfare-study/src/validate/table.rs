//! The table of a report, for a terminal and for files.

use wayfare_record::table::{Cell, Column, Table};

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

    /// The table for a file: a row per test, with the value of each seed.
    pub fn table(&self) -> Table {
        let text = |of: fn(&Row) -> &str| {
            let of = move |row: &Row| Cell::Text(of(row).to_string());
            self.rows.iter().map(of).collect::<Vec<_>>()
        };
        let numbers = |of: &dyn Fn(&Row) -> f64| {
            self.rows.iter().map(|row| Cell::Number(of(row))).collect::<Vec<_>>()
        };
        let column = |name: &str, cells| Column { name: name.to_string(), cells };
        let mut columns = vec![
            column("test", text(|row| &row.name)),
            column("source", text(|row| &row.source)),
            column("expected", text(|row| &row.expected)),
            column("unit", text(|row| &row.unit)),
            column("reached", numbers(&Row::mean)),
            column("spread", numbers(&Row::deviation)),
            column("verdict", text(|row| row.verdict.name())),
            column("known", text(|row| row.known.as_deref().unwrap_or_default())),
        ];
        columns.extend((0..self.seeds as usize).map(|seed| {
            let of_seed = |row: &Row| row.values.get(seed).copied().unwrap_or(f64::NAN);
            column(&format!("seed {seed}"), numbers(&of_seed))
        }));
        Table { columns }
    }
}
