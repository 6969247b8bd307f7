//! What rows of every format must keep to: one row for an agent at a tick, times in the order of
//! ticks, radii from 0.

use std::collections::HashMap;

use super::{ReadError, ReadRows};
use crate::rows::{Header, Names, Row};

/// Two times of one tick may differ by this part of them: files round.
const ROUNDING: f64 = 1e-6;

/// The rows of a reader, each of which is checked against those before it.
pub(super) struct Checked<R> {
    reader: R,
    /// The ticks of each agent so far.
    seen: HashMap<u32, Vec<Run>>,
    before: Option<(u64, f64)>,
}

/// Ticks `first`, `first + step`, … up to `last`: an agent whose rows are in the order of ticks has
/// one run, or one for each gap.
struct Run {
    first: u64,
    last: u64,
    step: u64,
}

/// Adds a tick to those of an agent; whether it was none of them.
fn is_new(runs: &mut Vec<Run>, tick: u64) -> bool {
    let has = |run: &Run| {
        (run.first..=run.last).contains(&tick) && (tick - run.first).is_multiple_of(run.step)
    };
    if let Some(run) = runs.last_mut()
        && tick > run.last
        && (run.first == run.last || tick - run.last == run.step)
    {
        let had = runs[..runs.len() - 1].iter().any(has);
        if let Some(run) = runs.last_mut() {
            (run.step, run.last) = (tick - run.last, tick);
        }
        return !had;
    }
    let had = runs.iter().any(has);
    runs.push(Run { first: tick, last: tick, step: 1 });
    !had
}

impl<R: ReadRows> Checked<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, seen: HashMap::new(), before: None }
    }

    fn check(&mut self, row: &Row) -> Result<(), ReadError> {
        let refused = |problem: String, allowed: &str| {
            Err(ReadError::content(self.reader.place(), problem, allowed))
        };
        if row.radius < 0.0 {
            return refused(format!("the radius is {}", row.radius), "a length from 0");
        }
        if !is_new(self.seen.entry(row.id).or_default(), row.tick) {
            let problem = format!("agent {} has a second row at tick {}", row.id, row.tick);
            return refused(problem, "one row for an agent at a tick");
        }
        if let Some((tick, time)) = self.before.replace((row.tick, row.time)) {
            let same = (row.time - time).abs() <= ROUNDING * row.time.abs().max(time.abs());
            if !same && row.tick.cmp(&tick) != row.time.total_cmp(&time) {
                let (now, at) = (row.time, row.tick);
                let problem = format!(
                    "the time is {now} at tick {at}, and {time} at tick {tick} in the row before"
                );
                return refused(problem, "times in the order of ticks, and one for each tick");
            }
        }
        Ok(())
    }
}

impl<R: ReadRows> ReadRows for Checked<R> {
    fn header(&self) -> &Header {
        self.reader.header()
    }

    fn names(&self) -> &Names {
        self.reader.names()
    }

    fn origin(&self) -> &[(String, String)] {
        self.reader.origin()
    }

    fn place(&self) -> String {
        self.reader.place()
    }

    fn next_row(&mut self) -> Result<Option<Row>, ReadError> {
        let row = self.reader.next_row()?;
        if let Some(row) = &row {
            self.check(row)?;
        }
        Ok(row)
    }
}
