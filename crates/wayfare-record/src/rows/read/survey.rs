//! A first pass over a file, which checks all of it and finds what its beginning does not tell.

use super::{ReadError, ReadRows};
use crate::rows::{Header, Row};

/// The properties of all rows of a file together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// The number of rows.
    pub rows: u64,
    /// Whether rows are in the order of ticks, those of a tick in the order of ids.
    pub sorted: bool,
    /// Whether all numbers have single precision.
    pub single: bool,
    /// Whether an agent is in a state.
    pub states: bool,
    /// The greatest common divisor of all ticks; 0 if all are 0.
    pub step: u64,
    /// The first and the last tick; none without rows.
    pub ticks: Option<[u64; 2]>,
    /// The length of a tick that gives the times of the first and the last tick, if both are
    /// multiples of it (time).
    pub dt: Option<f64>,
}

/// Reads all rows.
///
/// # Errors
/// The first malformed row, or the file ends before its end.
pub fn survey(reader: &mut dyn ReadRows) -> Result<Survey, ReadError> {
    let mut found = Survey { sorted: true, single: true, ..Survey::default() };
    let mut before = None;
    // The times of the first tick after 0, and of the last one.
    let mut low: Option<(u64, f64)> = None;
    let mut high = low;
    while let Some(row) = reader.next_row()? {
        found.rows += 1;
        found.states |= row.state.is_some();
        found.single &= is_single(&row);
        found.sorted &= before < Some((row.tick, row.id));
        before = Some((row.tick, row.id));
        found.step = divisor(found.step, row.tick);
        let [first, last] = found.ticks.unwrap_or([row.tick; 2]);
        found.ticks = Some([first.min(row.tick), last.max(row.tick)]);
        if row.tick > 0 && low.is_none_or(|(tick, _)| row.tick < tick) {
            low = Some((row.tick, row.time));
        }
        if row.tick > 0 && high.is_none_or(|(tick, _)| row.tick > tick) {
            high = Some((row.tick, row.time));
        }
    }
    found.dt = low.zip(high).and_then(|(low, high)| length_of_tick(low, high));
    Ok(found)
}

impl Survey {
    /// The header with what the rows have shown.
    pub fn complete(&self, header: &Header) -> Header {
        Header {
            dt: header.dt.or(self.dt),
            every: header.every.or(Some(self.step.max(1))),
            single: header.single && self.single,
            ..header.clone()
        }
    }
}

/// Whether the numbers of a row, besides its time, have single precision.
fn is_single(row: &Row) -> bool {
    let Row { position, velocity, radius, facing, .. } = row;
    let numbers = position.iter().chain(velocity).chain([radius]).chain(facing);
    numbers.into_iter().all(|x| f64::from(*x as f32) == *x)
}

fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// The number that times the ticks gives both times: of the quotients and the numbers beside them
/// the shortest in decimals. If none gives them exactly, the quotient of the last tick.
fn length_of_tick(low: (u64, f64), high: (u64, f64)) -> Option<f64> {
    let gives = |dt: f64, (tick, time): (u64, f64)| tick as f64 * dt == time;
    let quotient = |(tick, time): (u64, f64)| time / tick as f64;
    let beside = |x: f64| [x, x.next_down(), x.next_up()];
    let candidates = beside(quotient(low)).into_iter().chain(beside(quotient(high)));
    candidates
        .filter(|dt| gives(*dt, low) && gives(*dt, high))
        .min_by_key(|dt| dt.to_string().len())
        .or(Some(quotient(high)))
        .filter(|dt| *dt > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_tick_is_found_from_two_times() {
        for dt in [0.1, 1.0 / 3.0, 0.05, 2.0, 1.0 / 30.0, 1e-3] {
            for (low, high) in [(1, 1), (3, 3_000), (7, 91), (10, 1_000_003)] {
                let time = |tick: u64| (tick, tick as f64 * dt);
                let found = length_of_tick(time(low), time(high)).unwrap();
                assert!([low, high].iter().all(|&tick| tick as f64 * found == tick as f64 * dt));
            }
        }
        assert_eq!(length_of_tick((1, 0.0), (2, 0.0)), None);
    }
}
