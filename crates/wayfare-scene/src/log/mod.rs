//! Command logs: what was done to a run, tick by tick. A run is a scene and a log; replayed, it gives the same digest.
//!
//! One JSON object a line: `{"tick": 30, "pointer": [320, 200]}` puts the pointer there, `{"tick": 90, "pointer": null}` gives it
//! back to its track. Ticks never decrease; a command of tick t takes effect before the step from t to t + 1.

use std::ops::Range;

use wayfare::{Crowd, Vector};

use crate::diagnostic::{Problem, Source};
use crate::tree::{Format, Node, Tree, read};

/// Something done to a running crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command<V> {
    /// The pointer moves there, or back to its track.
    Pointer(Option<V>),
}

/// Commands in the order of their ticks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log<V> {
    commands: Vec<(u64, Command<V>)>,
    next: usize,
}

impl<V: Vector> Log<V> {
    /// Reads a log.
    ///
    /// # Errors
    /// Every line that is no command, with its place and what is allowed.
    pub fn read(source: &Source) -> Result<Self, Vec<Problem>> {
        let (mut commands, mut problems) = (Vec::new(), Vec::new());
        let mut start = 0;
        for line in source.text.split_inclusive('\n') {
            if !line.trim().is_empty() {
                match command(line.trim_end(), commands.last().map(|(tick, _)| *tick)) {
                    Ok(command) => commands.push(command),
                    Err(mut problem) => {
                        let of_the_file = |span: Range<usize>| span.start + start..span.end + start;
                        problem.span = of_the_file(problem.span);
                        problem.also = problem.also.map(|(span, what)| (of_the_file(span), what));
                        problems.push(problem);
                    }
                }
            }
            start += line.len();
        }
        if problems.is_empty() { Ok(Self { commands, next: 0 }) } else { Err(problems) }
    }

    /// How many commands are still to be done.
    pub fn left(&self) -> usize {
        self.commands.len() - self.next
    }

    /// Does to `crowd` what the log says for its present tick, and for earlier ones that are still to be done.
    pub fn apply(&mut self, crowd: &mut Crowd<V>) {
        while let Some((tick, command)) = self.commands.get(self.next)
            && *tick <= crowd.tick()
        {
            match *command {
                Command::Pointer(point) => crowd.set_pointer(point),
            }
            self.next += 1;
        }
    }
}

/// The command of a line; `before` is the tick of the one before it.
fn command<V: Vector>(line: &str, before: Option<u64>) -> Result<(u64, Command<V>), Problem> {
    let example = if V::DIMENSION == 2 { r#"{"tick": 30, "pointer": [320, 200]}"# } else { r#"{"tick": 30, "pointer": [320, 200, 50]}"# };
    let wrong = |node: &Node, message: String, allowed: String| Problem::new(node.span.clone(), message, allowed);
    // Each line is read by itself: nothing waits for this one to be mended.
    let root = read(line, Format::Json).map_err(|mut problems| Problem { help: None, ..problems.remove(0) })?;
    let entries = root.table().unwrap_or_default();
    if let Some(stray) = entries.iter().find(|e| e.key != "tick" && e.key != "pointer") {
        return Err(Problem::new(stray.span.clone(), format!("`{}` is no command", stray.key), format!("a line such as {example}")));
    }
    let (Some(tick), Some(pointer)) = (root.get("tick"), root.get("pointer")) else {
        return Err(wrong(&root, "a command needs `tick` and `pointer`".to_string(), format!("a line such as {example}")));
    };
    let at = match tick.tree {
        Tree::Integer(t) if u64::try_from(t).is_ok_and(|t| t >= before.unwrap_or(0)) => t as u64,
        _ => {
            let allowed =
                before.map_or_else(|| "a whole number from 0".to_string(), |before| format!("a whole number from {before}, the tick of the line before"));
            return Err(wrong(tick, format!("`tick` is {}", tick.what()), allowed));
        }
    };
    if pointer.tree == Tree::Other("null") {
        return Ok((at, Command::Pointer(None)));
    }
    let axes: Vec<f64> = pointer
        .list()
        .unwrap_or_default()
        .iter()
        .filter_map(|n| match n.tree {
            Tree::Integer(x) => Some(x as f64),
            Tree::Number(x) => Some(x),
            _ => None,
        })
        .filter(|x| x.abs() <= f64::from(wayfare::parameter::LARGEST))
        .collect();
    if axes.len() != V::DIMENSION || pointer.list().is_some_and(|items| items.len() != V::DIMENSION) {
        return Err(wrong(pointer, format!("`pointer` is {}", pointer.what()), format!("a point with coordinates up to 1e9, or null: {example}")));
    }
    Ok((at, Command::Pointer(Some(V::from_fn(|i| axes[i] as f32)))))
}
