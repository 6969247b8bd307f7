//! Sources: agents enter a running crowd, by a rate or a schedule.
//!
//! The number of arrivals in a tick follows from the tick alone, so only counts are stored. With
//! exits a crowd can run forever in bounded RAM: new agents reuse the rows of those that left.

use super::setup::{Arrivals, Rhythm, Source};
use crate::id::SourceId;
use crate::random::Random;

/// A source, and the counts of its arrivals since the start.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceCount<V> {
    /// The id of the source.
    pub id: SourceId,
    /// The source.
    pub source: Source<V>,
    /// The number of agents that have entered by this source.
    pub entered: u64,
    /// The number of arrivals that were rejected because the group had `most` members; with
    /// [`apart`](Source::apart) the number of those that wait.
    pub turned_away: u64,
}

impl<V> SourceCount<V> {
    pub(super) fn new(id: SourceId, source: Source<V>) -> Self {
        Self { id, source, entered: 0, turned_away: 0 }
    }
}

impl Arrivals {
    /// The number of arrivals in `tick`, whose length is `dt` (time): after the start of the tick,
    /// up to and including its end.
    ///
    /// Random arrivals draw from `random`.
    pub fn due(&self, tick: u64, dt: f64, random: &mut Random) -> u64 {
        let (begin, end) = (tick as f64 * dt, (tick + 1) as f64 * dt);
        match self {
            Arrivals::Rate { rate, from, until, rhythm } => {
                let since = |time: f64| (time.min(*until) - from).max(0.0) * rate;
                match rhythm {
                    // The difference of two integers: errors do not accumulate.
                    Rhythm::Regular => (libm::floor(since(end)) - libm::floor(since(begin))) as u64,
                    Rhythm::Random => poisson(since(end) - since(begin), random),
                }
            }
            Arrivals::Schedule(list) => {
                let first = list.partition_point(|(time, _)| *time <= begin);
                list[first..]
                    .iter()
                    .take_while(|(time, _)| *time <= end)
                    .map(|(_, count)| *count as u64)
                    .sum()
            }
        }
    }
}

/// A number from the Poisson distribution with this mean: the number of uniform numbers whose
/// product stays above e^-mean (D. Knuth, "The Art of Computer Programming", volume 2, 3.4.1). The
/// mean is split into parts that are small enough for the exponential.
fn poisson(mean: f64, random: &mut Random) -> u64 {
    let (mut remaining, mut count) = (mean, 0);
    while remaining > 0.0 {
        let part = remaining.min(16.0);
        let threshold = libm::exp(-part);
        let mut product = 1.0;
        loop {
            product *= (random.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64);
            if product <= threshold {
                break;
            }
            count += 1;
        }
        remaining -= part;
    }
    count
}
