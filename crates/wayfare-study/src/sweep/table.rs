//! The table of a sweep: a row per run.

use std::collections::HashMap;

use wayfare_record::table::{Cell, Column, Table};
use wayfare_scene::Format;
use wayfare_scene::edit::Value;

use super::{Journal, Sweep};
use crate::outcome::Outcome;

/// The rows of a table: the index of each run, and its outcome.
type Rows<'a> = [(usize, &'a Outcome)];

impl Sweep {
    /// The table of the outcomes of [`run`](Self::run): the varied values, seed, ticks, agents at
    /// the end, the measures, and the digest. It is the same for every number of threads.
    pub fn table(&self, outcomes: &[Outcome]) -> Table {
        self.table_of(&outcomes.iter().enumerate().collect::<Vec<_>>())
    }

    /// The table of the outcomes, with the duration of each run (`seconds`) as its last column.
    pub fn table_with_times(&self, outcomes: &[Outcome]) -> Table {
        self.timed(&outcomes.iter().enumerate().collect::<Vec<_>>())
    }

    /// The table of the runs that the journal has, in the order of the rows, with the duration of
    /// each run (`seconds`) as its last column.
    pub fn finished(&self, journal: &Journal) -> Table {
        let keys = self.keys();
        let rows = keys.iter().enumerate();
        let rows = rows.filter_map(|(index, key)| journal.get(key).map(|outcome| (index, outcome)));
        self.timed(&rows.collect::<Vec<_>>())
    }

    fn timed(&self, rows: &Rows<'_>) -> Table {
        let mut table = self.table_of(rows);
        let cells = rows.iter().map(|(_, outcome)| Cell::Number(outcome.seconds)).collect();
        table.columns.push(Column { name: "seconds".to_string(), cells });
        table
    }

    fn table_of(&self, rows: &Rows<'_>) -> Table {
        let settings = || rows.iter().map(|&(index, _)| self.at(index));
        let outcomes = || rows.iter().map(|&(_, outcome)| outcome);
        let column = |name: &str, cells| Column { name: name.to_string(), cells };
        let varied = self.paths.iter().enumerate().map(|(i, path)| {
            let values = settings().map(|(combination, _)| cell(&combination.values[i]));
            column(path, values.collect())
        });
        let mut columns: Vec<Column> = varied.collect();
        // A varied seed is the column already.
        if !self.paths.iter().any(|path| path == "seed") {
            columns.push(column("seed", settings().map(|(_, seed)| integer(seed)).collect()));
        }
        columns.push(column("ticks", outcomes().map(|o| integer(o.ticks)).collect()));
        columns.push(column("agents", outcomes().map(|o| integer(o.agents as u64)).collect()));
        columns.extend(self.measured(rows));
        let digest = outcomes().map(|outcome| Cell::Text(format!("{:016x}", outcome.digest)));
        columns.push(column("digest", digest.collect()));
        Table { columns }
    }

    /// A column per value of a measure, in the order of the scene; a quantity that no run has is an
    /// empty column.
    fn measured(&self, rows: &Rows<'_>) -> Vec<Column> {
        let mut columns: Vec<Column> = Vec::new();
        let mut index_of: HashMap<&str, usize> = HashMap::new();
        let empty =
            |name: &str| Column { name: name.to_string(), cells: vec![Cell::Empty; rows.len()] };
        for (row, (_, outcome)) in rows.iter().enumerate() {
            for value in outcome.values.iter().filter(|value| self.shows(&value.name)) {
                let index = *index_of.entry(&value.name).or_insert_with(|| {
                    columns.push(empty(&value.name));
                    columns.len() - 1
                });
                columns[index].cells[row] = Cell::Number(value.value);
            }
        }
        let names = self.quantities.iter().flat_map(|(measure, quantities)| {
            quantities.iter().map(move |quantity| format!("{measure}.{quantity}"))
        });
        let mut ordered = Vec::new();
        for name in names.filter(|name| self.shows(name)) {
            let of_group = format!("{name}.");
            let is_of = |column: &Column| column.name == name || column.name.starts_with(&of_group);
            let (found, rest): (Vec<_>, Vec<_>) = columns.into_iter().partition(is_of);
            ordered.extend(if found.is_empty() { vec![empty(&name)] } else { found });
            columns = rest;
        }
        ordered.extend(columns);
        ordered
    }

    /// Whether the file asks for this value.
    fn shows(&self, name: &str) -> bool {
        self.measures.is_empty()
            || self.measures.iter().any(|(measure, quantity)| {
                let rest = name.strip_prefix(measure.as_str()).and_then(|n| n.strip_prefix('.'));
                rest.is_some_and(|rest| match quantity {
                    Some(quantity) => rest == quantity || rest.starts_with(&format!("{quantity}.")),
                    None => true,
                })
            })
    }
}

fn integer(x: u64) -> Cell {
    Cell::Integer(x.into())
}

fn cell(value: &Value) -> Cell {
    match value {
        Value::Integer(x) => Cell::Integer(*x),
        Value::Number(x) => Cell::Number(*x),
        Value::Flag(x) => Cell::Flag(*x),
        Value::Text(text) => Cell::Text(text.clone()),
        Value::List(_) | Value::Table(_) => Cell::Text(value.write(Format::Toml)),
    }
}
