//! Command logs: the commands of a run, tick by tick. A run is a scene and a log; replayed, it has
//! the same digest.
//!
//! One JSON object per line. The first line has the number of the format, `{"format": 1}`; logs
//! without it, of older versions, are of format 1. `{"tick": 30, "pointer": [320, 200]}` moves the
//! pointer, `{"tick": 90, "pointer": null}` returns it to its track. Ticks never decrease; a
//! command of tick t takes effect before the step from t to t + 1.
//!
//! ```
//! # use wayfare::{crowd::{Command, Group, Setup, Spawn}, glam::vec2, AgentId, Crowd};
//! # use wayfare_scene::{Log, Source};
//! # let group = || Group::new("a", 1, Spawn::Points(vec![vec2(0.0, 0.0)]), 1.0);
//! # let crowd = || Crowd::new(Setup { groups: vec![group()], ..Setup::default() });
//! let (mut live, mut log) = (crowd()?, Log::default());
//! live.step();
//! let id = AgentId(0);
//! log.record(&mut live, Command::Move { id, position: vec2(5.0, 0.0), velocity: None })?;
//! live.step();
//! let command = r#"{"tick": 1, "move": 0, "position": [5.0, 0.0]}"#;
//! assert_eq!(log.text(), format!("{{\"format\": 1}}\n{command}\n"));
//!
//! let source = Source { name: "log".to_string(), text: log.text() };
//! let (mut again, mut log) = (crowd()?, Log::read(&source).expect("it was written by us"));
//! for _ in 0..2 {
//!     log.apply(&mut again).expect("it was done before");
//!     again.step();
//! }
//! assert_eq!(live.digest(), again.digest());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::ops::Range;

use wayfare::crowd::{Added, Command, KeyPath, ValidationError};
use wayfare::{Crowd, Vector};

use crate::decode::locate;
use crate::diagnostic::{Problem, Source};
use crate::document::{Format, parse};
use crate::notation::in_json;

mod reading;
mod writing;

use reading::Line;
pub use writing::json_text;

/// The number of the format that [`Log::text`] writes. Logs without a number are of format 1.
const FORMAT: u32 = 1;

/// Commands in the order of their ticks.
#[derive(Clone, Debug, PartialEq)]
pub struct Log<V: Vector> {
    entries: Vec<Entry<V>>,
    /// The number of entries that have been applied.
    next: usize,
}

#[derive(Clone, Debug, PartialEq)]
struct Entry<V: Vector> {
    tick: u64,
    command: Command<V>,
    /// Its line in the text that was read (bytes); empty if it was recorded.
    line: Range<usize>,
}

impl<V: Vector> Default for Log<V> {
    fn default() -> Self {
        Self { entries: Vec::new(), next: 0 }
    }
}

/// A command of a log that the crowd refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its line in the text that was read (bytes).
    pub line: Range<usize>,
    /// The reason.
    pub error: ValidationError,
}

impl Refused {
    /// The problem in `source`, which the log was read from.
    pub fn problem(self, source: &Source) -> Problem {
        let text = source.text.get(self.line.clone()).unwrap_or_default();
        let span = match parse(text, Format::Json).map(|root| locate(&root, &self.error.key_path)) {
            Ok(span) if !span.is_empty() => {
                span.start + self.line.start..span.end + self.line.start
            }
            // A key path of the setup, which `set` names.
            _ => self.line,
        };
        Problem::new(span, self.error.message, self.error.allowed)
    }
}

/// The keys of each command of a log besides its tick, the command first; optional keys included.
pub fn commands() -> impl Iterator<Item = Vec<&'static str>> {
    reading::COMMANDS.iter().map(|keys| keys.iter().map(|(key, _)| *key).collect())
}

impl<V: Vector> Log<V> {
    /// Reads a log.
    ///
    /// # Errors
    /// Every line that is not a command, with its position and what is allowed.
    pub fn read(source: &Source) -> Result<Self, Vec<Problem>> {
        let (mut entries, mut problems) = (Vec::<Entry<V>>::new(), Vec::new());
        let mut start = 0;
        for line in source.text.split_inclusive('\n') {
            let text = line.trim_end();
            if !text.is_empty() {
                match reading::line(text, entries.last().map(|entry| entry.tick)) {
                    Ok(Line::Format) => {}
                    Ok(Line::Command(tick, command)) => {
                        entries.push(Entry { tick, command, line: start..start + text.len() })
                    }
                    Err(problem) => {
                        let mut problem = in_json(problem);
                        let in_file = |span: Range<usize>| span.start + start..span.end + start;
                        problem.span = in_file(problem.span);
                        problem.also = problem.also.map(|(span, label)| (in_file(span), label));
                        problems.push(problem);
                    }
                }
            }
            start += line.len();
        }
        if problems.is_empty() { Ok(Self { entries, next: 0 }) } else { Err(problems) }
    }

    /// A log of these commands, each with its tick; they are applied in the given order.
    pub fn of(commands: impl IntoIterator<Item = (u64, Command<V>)>) -> Self {
        Self {
            entries: commands
                .into_iter()
                .map(|(tick, command)| Entry { tick, command, line: 0..0 })
                .collect(),
            next: 0,
        }
    }

    /// The log as a file, which [`read`](Self::read) reads back to the same commands: a line with
    /// the format's number, and a line per command. Empty for a log without commands.
    pub fn text(&self) -> String {
        let lines = self.entries.iter().map(|entry| writing::line(entry.tick, &entry.command));
        let lines: String = lines.collect();
        if lines.is_empty() { lines } else { format!("{{\"format\": {FORMAT}}}\n{lines}") }
    }

    /// The commands with their ticks.
    pub fn commands(&self) -> impl Iterator<Item = (u64, &Command<V>)> {
        self.entries.iter().map(|entry| (entry.tick, &entry.command))
    }

    /// The number of commands that are not applied yet.
    pub fn remaining(&self) -> usize {
        self.entries.len() - self.next
    }

    /// Goes to `tick`, forwards or back: the commands of earlier ticks count as applied, the others
    /// are not applied yet. For a crowd that was restored at the beginning of that tick.
    pub fn go_to(&mut self, tick: u64) {
        self.next = self.entries.partition_point(|entry| entry.tick < tick);
    }

    /// Removes the commands that are not applied yet: from here on the run differs.
    pub fn cut(&mut self) {
        self.entries.truncate(self.next);
    }

    /// Applies the commands of the crowd's present tick to it, and earlier ones that are not
    /// applied yet.
    ///
    /// # Errors
    /// The first command that the crowd refuses; it and those after it stay in the log.
    pub fn apply(&mut self, crowd: &mut Crowd<V>) -> Result<(), Refused> {
        while let Some(entry) = self.entries.get(self.next)
            && entry.tick <= crowd.tick()
        {
            crowd
                .apply(&entry.command)
                .map_err(|error| Refused { line: entry.line.clone(), error })?;
            self.next += 1;
        }
        Ok(())
    }

    /// Applies `command` to `crowd` now and records it at the crowd's tick. Returns what the
    /// command has added, if anything.
    ///
    /// Commands that are not applied yet are removed: from here on the run differs.
    ///
    /// # Errors
    /// Why the crowd refuses it, or that a group has a behavior that no log can write; then it is
    /// neither applied nor recorded.
    pub fn record(
        &mut self,
        crowd: &mut Crowd<V>,
        command: Command<V>,
    ) -> Result<Option<Added>, ValidationError> {
        if let Command::AddGroup(_) = command {
            let key_path = || KeyPath::default().key("add_group");
            writing::encoded(&command).map_err(|error| ValidationError {
                key_path: key_path(),
                message: error.to_string(),
                allowed: "behaviors with described parameters, which a log can write".to_string(),
            })?;
        }
        let added = crowd.apply(&command)?;
        self.cut();
        self.entries.push(Entry { tick: crowd.tick(), command, line: 0..0 });
        self.next = self.entries.len();
        Ok(added)
    }
}
