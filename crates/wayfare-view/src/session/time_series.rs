//! Measured quantities over the last ticks.

use std::collections::VecDeque;

use crate::session::measures::{Quantity, Subject};
use crate::session::traits::Session;

/// Number of samples kept.
const LENGTH: usize = 1_200;
/// Number of agents up to which every tick is measured; of twice as many every second tick is, of
/// ten times as many every tenth.
const MANY: usize = 1_000;

/// One measured number over time.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) quantity: Quantity,
    pub(crate) name: String,
    /// Ticks and values, by rising ticks.
    pub(crate) points: VecDeque<(u64, f32)>,
}

/// The measured quantities of one subject.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimeSeries {
    subject: Option<Subject>,
    /// The tick and the quantities of the last sample.
    sampled: Option<(u64, Vec<Quantity>)>,
    pub(crate) series: Vec<Series>,
}

/// Number of ticks between two samples of a crowd of this size.
pub(crate) fn sample_interval(agents: usize) -> u64 {
    agents.div_ceil(MANY).max(1) as u64
}

impl TimeSeries {
    pub(crate) fn clear(&mut self) {
        self.series.clear();
        self.sampled = None;
    }

    /// Measures `wanted` at this tick, unless that was done already. Another subject begins new
    /// series.
    pub(crate) fn sample(
        &mut self,
        session: &mut dyn Session,
        subject: Option<Subject>,
        wanted: &[Quantity],
    ) {
        let (tick, every) = (session.tick(), sample_interval(session.len()));
        if subject != self.subject {
            self.clear();
            self.subject = subject;
        }
        let Some(subject) = subject.filter(|_| tick.is_multiple_of(every)) else { return };
        if self.sampled.as_ref().is_some_and(|(at, quantities)| *at == tick && quantities == wanted)
        {
            return;
        }
        self.sampled = Some((tick, wanted.to_vec()));
        // Samples of ticks that were discarded from the history are invalid.
        let (_, last) = session.known_ticks();
        self.series
            .iter_mut()
            .for_each(|series| while series.points.pop_back_if(|(at, _)| *at > last).is_some() {});
        for measure in session.measure(subject, wanted) {
            let known = self.series.iter().position(|series| {
                series.quantity == measure.quantity && series.name == measure.name
            });
            let known = known.unwrap_or_else(|| {
                self.series.push(Series {
                    quantity: measure.quantity,
                    name: measure.name,
                    points: VecDeque::new(),
                });
                self.series.len() - 1
            });
            let points = &mut self.series[known].points;
            let index = points.partition_point(|(before, _)| *before < tick);
            match points.get_mut(index).filter(|(at, _)| *at == tick) {
                Some(point) => point.1 = measure.value,
                None => points.insert(index, (tick, measure.value)),
            }
            let oldest = |first: u64| first + (LENGTH as u64) * every <= last.max(tick);
            while points.pop_front_if(|(first, _)| oldest(*first)).is_some() {}
        }
    }

    /// The first and the last sampled tick.
    pub(crate) fn range(&self) -> Option<(u64, u64)> {
        let ends = self
            .series
            .iter()
            .filter_map(|series| Some((series.points.front()?.0, series.points.back()?.0)));
        ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }
}

#[cfg(test)]
mod tests;
