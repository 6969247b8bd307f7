//! The text of command logs: the commands of a run, tick by tick. A run is a scene and a log;
//! replayed, it has the same digest.
//!
//! One JSON object per line. The first line has the number of the format, `{"format": 1}`; logs
//! without it, of older versions, are of format 1. `{"tick": 30, "pointer": [320, 200]}` moves the
//! pointer, `{"tick": 90, "pointer": null}` returns it to its track. In place of the tick stands a
//! `time`, too. Ticks never decrease; a command of tick t takes effect before the step from t to
//! t + 1.

use std::ops::Range;

use wayfare::crowd::{KeyPath, ValidationError};
use wayfare::log::{Log, Refused};
use wayfare::vector::Vector;

use crate::decode::{locate, node_at};
use crate::diagnostic::{Problem, Source};
use crate::document::{Format, Node, parse};
use crate::notation::in_json;

mod reading;
mod writing;

use reading::{Line, command_entry};
pub(crate) use reading::{Place, command};
pub use writing::json_text;

/// The number of the format that [`log_text`] writes. Logs without a number are of format 1.
const FORMAT: u32 = 1;

/// The keys of each command of a log besides its tick, the command first; optional keys included.
pub fn commands() -> impl Iterator<Item = Vec<&'static str>> {
    reading::COMMANDS.iter().map(|keys| keys.iter().map(|(key, _)| *key).collect())
}

/// The lines of a text that are not empty: where they are (bytes), without the space at the end.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = end;
        end += line.len();
        let length = line.trim_end().len();
        (length > 0).then_some(start..start + length)
    })
}

/// Reads a log from its text, for a crowd whose ticks take `dt` (time).
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare_scene::{Source, log_text, read_log};
/// let ants = Group::new("ants", 1, Spawn::point(vec2(0.0, 0.0)), 1.0);
/// let setup = Setup::new(1.0).group(ants);
/// let (mut crowd, mut log) = (setup.clone().crowd()?, Log::default());
/// crowd.step();
/// let id = AgentId(0);
/// log.record(&mut crowd, Command::Move { id, position: vec2(5.0, 0.0), velocity: None })?;
/// crowd.step();
/// let command = r#"{"tick": 1, "move": 0, "position": [5.0, 0.0]}"#;
/// assert_eq!(log_text(&log), format!("{{\"format\": 1}}\n{command}\n"));
///
/// let source = Source { name: "log".to_string(), text: log_text(&log) };
/// let (mut again, mut log) = (setup.crowd()?, read_log(&source, 1.0).expect("ours"));
/// log.replay(&mut again, 2)?;
/// assert_eq!(again.digest(), crowd.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Every line that is not a command, with its position and what is allowed.
pub fn read_log<V: Vector>(source: &Source, dt: f64) -> Result<Log<V>, Vec<Problem>> {
    let (mut commands, mut problems) = (Vec::new(), Vec::new());
    for line in lines(&source.text) {
        let before = commands.last().map(|(tick, _)| *tick);
        match reading::line(&source.text[line.clone()], before, dt) {
            Ok(Line::Format) => {}
            Ok(Line::Command(tick, command)) => commands.push((tick, command)),
            Err(problem) => {
                let mut problem = in_json(problem);
                let in_file = |span: Range<usize>| span.start + line.start..span.end + line.start;
                problem.span = in_file(problem.span);
                problem.also = problem.also.map(|(span, label)| (in_file(span), label));
                problems.push(problem);
            }
        }
    }
    if problems.is_empty() { Ok(Log::of(commands)) } else { Err(problems) }
}

/// The text of a log, which [`read_log`] reads back to the same commands: a line with the format's
/// number, and a line per command. Empty for a log without commands.
///
/// A group with a behavior without described parameters cannot be written: its line is refused when
/// the log is read, and tells why.
pub fn log_text<V: Vector>(log: &Log<V>) -> String {
    let lines: String =
        log.commands().map(|(tick, command)| writing::line(tick, command)).collect();
    if lines.is_empty() { lines } else { format!("{{\"format\": {FORMAT}}}\n{lines}") }
}

/// The problem in `source`, from which the log was read whose command the crowd refused.
pub fn problem_of(refused: Refused, source: &Source) -> Problem {
    let Refused { index, error, .. } = refused;
    let command = |line: &Range<usize>| !reading::is_format(&source.text[line.clone()]);
    let line = lines(&source.text).filter(command).nth(index).unwrap_or_default();
    let text = &source.text[line.clone()];
    let span = match parse(text, Format::Json).map(|root| locate(&root, &error.key_path)) {
        Ok(span) if !span.is_empty() => span.start + line.start..span.end + line.start,
        // A key path of the setup, which `set` names.
        _ => line,
    };
    Problem::new(span, error.message, error.allowed)
}

/// The problem in a scene whose event the crowd refused: [`Crowd::refused_command`].
///
/// [`Crowd::refused_command`]: wayfare::Crowd::refused_command
pub fn problem_of_event(refused: &Refused, source: &Source, format: Format) -> Problem {
    let Refused { tick, error, .. } = refused;
    let error =
        ValidationError { message: format!("at tick {tick} {}", error.message), ..error.clone() };
    match parse(&source.text, format) {
        Ok(root) => event_problem(&root, error),
        Err(_) => Problem::new(0..0, error.message, error.allowed),
    }
}

/// The problem of a refused event.
pub(crate) fn event_problem(root: &Node, error: ValidationError) -> Problem {
    let (event, key) = error.key_path.0.split_at(error.key_path.0.len().min(2));
    let span = node_at(root, &KeyPath(event.to_vec())).and_then(|event| {
        let span = locate(event, &KeyPath(key.to_vec()));
        // A key path of the setup, which `set` names.
        let command = || command_entry(event).map(|entry| entry.node.span.clone());
        Some(span).filter(|span| !span.is_empty()).or_else(command)
    });
    Problem::new(span.unwrap_or_default(), error.message, error.allowed)
}
