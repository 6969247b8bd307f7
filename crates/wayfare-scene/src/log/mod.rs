//! Command logs: what was done to a run, tick by tick. A run is a scene and a log; replayed, it
//! gives the same digest.
//!
//! One JSON object a line: `{"tick": 30, "pointer": [320, 200]}` puts the pointer there, `{"tick":
//! 90, "pointer": null}` gives it back to its track. Ticks never decrease; a command of tick t
//! takes effect before the step from t to t + 1.
//!
//! ```
//! # use wayfare::{crowd::{Command, Group, Setup, Spawn}, glam::vec2, Crowd};
//! # use wayfare_scene::{Log, Source};
//! # let crowd = || Crowd::new(Setup { groups: vec![Group::new("a", 0, Spawn::Points(vec![vec2(0.0, 0.0)]), 1.0)], ..Setup::default() });
//! let (mut live, mut log) = (crowd()?, Log::default());
//! live.step();
//! log.record(&mut live, Command::Move { id: 0, position: vec2(5.0, 0.0), velocity: None })?;
//! live.step();
//! assert_eq!(log.text(), "{\"tick\": 1, \"move\": 0, \"position\": [5.0, 0.0]}\n");
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

use wayfare::crowd::{Command, ValidationError};
use wayfare::{Crowd, Vector};

use crate::decode::locate;
use crate::diagnostic::{Problem, Source};
use crate::document::{Format, parse};
use crate::notation::in_json;

mod reading;
mod writing;

pub use writing::json_text;

/// Commands in the order of their ticks.
#[derive(Clone, Debug, PartialEq)]
pub struct Log<V> {
    entries: Vec<Entry<V>>,
    next: usize,
}

#[derive(Clone, Debug, PartialEq)]
struct Entry<V> {
    tick: u64,
    command: Command<V>,
    /// Its line in the text that was read (bytes); nothing if it was recorded.
    line: Range<usize>,
}

impl<V> Default for Log<V> {
    fn default() -> Self {
        Self { entries: Vec::new(), next: 0 }
    }
}

/// A command of a log that the crowd did not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its line in the text that was read (bytes).
    pub line: Range<usize>,
    /// Why.
    pub fault: ValidationError,
}

impl Refused {
    /// What to tell whoever wrote `source`, which is what the log was read from.
    pub fn problem(self, source: &Source) -> Problem {
        let text = source.text.get(self.line.clone()).unwrap_or_default();
        let span = match parse(text, Format::Json).map(|root| locate(&root, &self.fault.key_path)) {
            Ok(span) if !span.is_empty() => {
                span.start + self.line.start..span.end + self.line.start
            }
            // A place in the setup, which `set` names.
            _ => self.line,
        };
        Problem::new(span, self.fault.message, self.fault.allowed)
    }
}

impl<V: Vector> Log<V> {
    /// Reads a log.
    ///
    /// # Errors
    /// Every line that is no command, with its place and what is allowed.
    pub fn read(source: &Source) -> Result<Self, Vec<Problem>> {
        let (mut entries, mut problems) = (Vec::<Entry<V>>::new(), Vec::new());
        let mut start = 0;
        for line in source.text.split_inclusive('\n') {
            let text = line.trim_end();
            if !text.is_empty() {
                match reading::command(text, entries.last().map(|entry| entry.tick)) {
                    Ok((tick, command)) => {
                        entries.push(Entry { tick, command, line: start..start + text.len() })
                    }
                    Err(problem) => {
                        let mut problem = in_json(problem);
                        let of_the_file = |span: Range<usize>| span.start + start..span.end + start;
                        problem.span = of_the_file(problem.span);
                        problem.also = problem.also.map(|(span, what)| (of_the_file(span), what));
                        problems.push(problem);
                    }
                }
            }
            start += line.len();
        }
        if problems.is_empty() { Ok(Self { entries, next: 0 }) } else { Err(problems) }
    }

    /// A log of these commands, each with its tick; they are done in the order in which they are
    /// given.
    pub fn of(commands: impl IntoIterator<Item = (u64, Command<V>)>) -> Self {
        Self {
            entries: commands
                .into_iter()
                .map(|(tick, command)| Entry { tick, command, line: 0..0 })
                .collect(),
            next: 0,
        }
    }

    /// The log as a file: a line a command, which [`read`](Self::read) takes back to the same
    /// commands.
    pub fn text(&self) -> String {
        self.entries.iter().map(|entry| writing::line(entry.tick, &entry.command)).collect()
    }

    /// The commands with their ticks.
    pub fn commands(&self) -> impl Iterator<Item = (u64, &Command<V>)> {
        self.entries.iter().map(|entry| (entry.tick, &entry.command))
    }

    /// How many commands are still to be done.
    pub fn remaining(&self) -> usize {
        self.entries.len() - self.next
    }

    /// Goes to `tick`, forwards or back: the commands of earlier ticks count as done, the others
    /// are still to be done. For a crowd that was restored as it was at the beginning of that
    /// tick.
    pub fn go_to(&mut self, tick: u64) {
        self.next = self.entries.partition_point(|entry| entry.tick < tick);
    }

    /// Forgets the commands that are still to be done: from here on the run goes another way.
    pub fn cut(&mut self) {
        self.entries.truncate(self.next);
    }

    /// Does to `crowd` what the log says for its present tick, and for earlier ones that are still
    /// to be done.
    ///
    /// # Errors
    /// The first command that the crowd refuses; it and those after it are still to be done.
    pub fn apply(&mut self, crowd: &mut Crowd<V>) -> Result<(), Refused> {
        while let Some(entry) = self.entries.get(self.next)
            && entry.tick <= crowd.tick()
        {
            crowd
                .apply(&entry.command)
                .map_err(|fault| Refused { line: entry.line.clone(), fault })?;
            self.next += 1;
        }
        Ok(())
    }

    /// Does `command` to `crowd` now, and notes it at the crowd's tick; gives back the id of who
    /// was added, if somebody was.
    ///
    /// Commands that were still to be done are dropped: from here on the run goes another way.
    ///
    /// # Errors
    /// Why the crowd refuses it; it is not noted then.
    pub fn record(
        &mut self,
        crowd: &mut Crowd<V>,
        command: Command<V>,
    ) -> Result<Option<u32>, ValidationError> {
        let added = crowd.apply(&command)?;
        self.cut();
        self.entries.push(Entry { tick: crowd.tick(), command, line: 0..0 });
        self.next = self.entries.len();
        Ok(added)
    }
}
