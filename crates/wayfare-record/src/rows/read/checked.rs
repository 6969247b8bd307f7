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
    /// The tick of the latest row of each agent: rows are in the order of ticks, or of agents and
    /// the ticks of each.
    latest: HashMap<u32, u64>,
    before: Option<(u64, f64)>,
}

impl<R: ReadRows> Checked<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, latest: HashMap::new(), before: None }
    }

    fn check(&mut self, row: &Row) -> Result<(), ReadError> {
        let refused = |problem: String, allowed: &str| {
            Err(ReadError::content(self.reader.place(), problem, allowed))
        };
        if row.radius < 0.0 {
            return refused(format!("the radius is {}", row.radius), "a length from 0");
        }
        if self.latest.insert(row.id, row.tick) == Some(row.tick) {
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
