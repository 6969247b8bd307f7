//! Sweep files: a scene, the values and seeds to run it with, and the measures to keep.

use std::ops::Range;

use crate::decode::{Decoder, TableNode};
use crate::diagnostic::{Problem, Source};
use crate::document::{Content, Entry, Format, Node, parse};
use crate::edit::Value;
use crate::format::{MOST_RUNS, OVER, STEPS, SWEEP};
use crate::notation;

/// A text of a file, and its position there (bytes).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned {
    /// The text.
    pub text: String,
    /// Its position.
    pub span: Range<usize>,
}

/// A part of the scene that a sweep varies: one path, or several that change together.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The paths, as [`Draft::path`](crate::edit::Draft::path) reads them.
    pub paths: Vec<Spanned>,
    /// The steps, each with a value for each path.
    pub steps: Vec<Vec<Value>>,
}

/// The content of a sweep file.
///
/// ```
/// use wayfare_scene::{Format, Source, SweepFile};
/// let text = r#"
/// scene = "doorway-150"
/// seeds = 3
/// [over]
/// "group.people.count" = [50, 100]
/// "group.people.max_speed" = { from = 1, to = 2, count = 5 }
/// "#;
/// let source = Source { name: "sweep.toml".to_string(), text: text.to_string() };
/// let file = SweepFile::read(&source, Format::Toml).expect("it is a sweep");
/// assert_eq!((file.over.len(), file.over[1].steps.len()), (2, 5));
/// assert_eq!(file.seeds, [0, 1, 2]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SweepFile {
    /// The scene: a file, or the name of a bundled scene.
    pub scene: Spanned,
    /// The varied keys and their values. All combinations are run; the last one changes fastest.
    pub over: Vec<Axis>,
    /// The seeds of each combination; empty for the seed of the scene.
    pub seeds: Vec<u64>,
    /// The number of ticks of each run; by default the scene's duration.
    pub ticks: Option<u64>,
    /// The time of each run (time), in place of a number of ticks.
    pub time: Option<f64>,
    /// The measures of the table; empty for all.
    pub measures: Vec<Spanned>,
}

impl SweepFile {
    /// Reads a sweep file.
    ///
    /// # Errors
    /// Every mistake in it, each with its position, its value and what is allowed. The paths and
    /// values are not yet compared with the scene.
    pub fn read(source: &Source, format: Format) -> Result<Self, Vec<Problem>> {
        let root = parse(&source.text, format)?;
        let mut decoder = Decoder::default();
        let file = decoder.sweep(&root);
        match file {
            Some(file) if decoder.problems.is_empty() => Ok(file),
            _ if format == Format::Json => {
                Err(decoder.problems.into_iter().map(notation::in_json).collect())
            }
            _ => Err(decoder.problems),
        }
    }
}

impl Decoder {
    fn sweep(&mut self, root: &Node) -> Option<SweepFile> {
        let keys = self.described_table("sweep", root, &SWEEP)?;
        let scene = keys.text(self, "scene");
        let over = keys.get("over").map(|node| self.over(node)).unwrap_or_default();
        let seeds = keys.get("seeds").map(|node| self.seeds(keys, node)).unwrap_or_default();
        let ticks = keys.integer(self, "ticks").map(|ticks| ticks as u64);
        let time = keys.number(self, "time");
        if let (Some(_), Some(entry)) = (keys.get("ticks"), keys.entry("time")) {
            self.problem(entry.span.clone(), "`time` stands beside `ticks`", "one of them");
        }
        let measures = keys.get("measures").map(|node| self.measure_names(node));
        let span = keys.get("scene")?.span.clone();
        let measures = measures.unwrap_or_default();
        let scene = Spanned { text: scene?, span };
        Some(SweepFile { scene, over, seeds, ticks, time, measures })
    }

    /// A number of seeds, or a list of them.
    fn seeds(&mut self, keys: TableNode<'_>, node: &Node) -> Vec<u64> {
        let Some(items) = node.list() else {
            if !node.is_number() {
                self.wrong("seeds", node, "a number of seeds such as 20, or a list of seeds");
                return Vec::new();
            }
            return (0..keys.integer(self, "seeds").unwrap_or(0) as u64).collect();
        };
        if items.is_empty() {
            self.wrong("seeds", node, "at least one seed");
        }
        let seed = |item: &Node| Some(self.integer("seeds", item, 0, u64::MAX)? as u64);
        items.iter().filter_map(seed).collect()
    }

    fn measure_names(&mut self, node: &Node) -> Vec<Spanned> {
        let allowed = "a list of names such as [\"door\", \"crowd.density\"]";
        let items = self.list("measures", node, allowed).unwrap_or_default();
        let name = |item: &Node| {
            let text = self.text("measures", item)?;
            Some(Spanned { text, span: item.span.clone() })
        };
        items.iter().filter_map(name).collect()
    }

    /// A table whose paths are combined, or a list of tables whose paths change together.
    fn over(&mut self, node: &Node) -> Vec<Axis> {
        if let Some(items) = node.list() {
            return items.iter().filter_map(|item| self.together(item)).collect();
        }
        let axis = |(path, values): (Spanned, Vec<Value>)| Axis {
            paths: vec![path],
            steps: values.into_iter().map(|value| vec![value]).collect(),
        };
        self.varied(node).into_iter().map(axis).collect()
    }

    fn together(&mut self, node: &Node) -> Option<Axis> {
        let varied = self.varied(node);
        let count = varied.first()?.1.len();
        if let Some((path, values)) = varied.iter().find(|(_, values)| values.len() != count) {
            let message = format!(
                "`{}` has {} values, and `{}` beside it has {count}",
                path.text,
                values.len(),
                varied[0].0.text
            );
            self.problem(path.span.clone(), message, "as many values for each path of a table");
            return None;
        }
        let step = |i: usize| varied.iter().map(|(_, values)| values[i].clone()).collect();
        let steps = (0..count).map(step).collect();
        Some(Axis { paths: varied.into_iter().map(|(path, _)| path).collect(), steps })
    }

    /// The paths of a table and their values. A key without quotes is a table for each point in it.
    fn varied(&mut self, node: &Node) -> Vec<(Spanned, Vec<Value>)> {
        let mut found = Vec::new();
        let Some(entries) = node.table() else {
            self.wrong("over", node, format!("a table such as {}", OVER.example));
            return found;
        };
        self.collect_varied("", entries, &mut found);
        found
    }

    fn collect_varied(
        &mut self,
        before: &str,
        entries: &[Entry],
        found: &mut Vec<(Spanned, Vec<Value>)>,
    ) {
        for entry in entries {
            let point = if before.is_empty() { "" } else { "." };
            let path = format!("{before}{point}{}", entry.key);
            // `from` and `to` are also keys of lines, which have lists here.
            let is_end = |e: &Entry| ["from", "to"].contains(&&*e.key) && e.node.list().is_none();
            let is_steps = |inner: &[Entry]| inner.iter().any(is_end);
            let values = match &entry.node.content {
                Content::Table(inner) if !is_steps(inner) && !inner.is_empty() => {
                    self.collect_varied(&path, inner, found);
                    continue;
                }
                Content::Table(_) => self.steps(&path, &entry.node),
                Content::List(items) if !items.is_empty() => self.values(&path, items),
                _ => {
                    let allowed = format!("a list of values, or {}", STEPS.example);
                    self.wrong(&path, &entry.node, allowed);
                    continue;
                }
            };
            let text = Spanned { text: path, span: entry.span.clone() };
            found.extend(values.map(|values| (text, values)));
        }
    }

    fn values(&mut self, path: &str, items: &[Node]) -> Option<Vec<Value>> {
        let mut values = Vec::new();
        for item in items {
            let value = Value::of(item);
            if value.is_none() {
                self.wrong(path, item, "a value that a scene can have");
            }
            values.push(value?);
        }
        Some(values)
    }

    fn steps(&mut self, path: &str, node: &Node) -> Option<Vec<Value>> {
        let keys = self.described_table(path, node, &STEPS)?;
        let (from, to) = (keys.number(self, "from"), keys.number(self, "to"));
        let last = keys.integer(self, "count")? - 1;
        let (from, to) = (from?, to?);
        let is_whole = |x: &f64| x.fract() == 0.0 && x.abs() < 1e15;
        let at = |i: usize| from + (to - from) * (i as f64 / last as f64);
        let all: Vec<f64> = (0..=last).map(at).collect();
        // Whole numbers stay whole: a count of agents is no number with a point.
        let whole = all.iter().all(is_whole);
        let value = |x: f64| if whole { Value::Integer(x as i128) } else { Value::from(x) };
        Some(all.into_iter().map(value).collect())
    }
}

/// The most runs of a sweep.
pub const MOST_RUNS_OF_SWEEP: u64 = MOST_RUNS;
