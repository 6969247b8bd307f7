//! The last positions of agents, by ids.

use std::collections::VecDeque;

use wayfare::glam::Vec2;
use wayfare::{AgentId, GroupId};

/// Number of ticks kept.
pub(crate) const LENGTH: usize = 240;
/// Crowds with more agents have no trails: they would hide one another.
const MOST_AGENTS: usize = 300;
/// Largest number of segments drawn; with more agents only every second sample is drawn, every
/// third, and so on.
const MOST_SEGMENTS: usize = 6_000;

/// An agent's position at one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TrailPoint {
    pub(crate) id: AgentId,
    pub(crate) group: GroupId,
    pub(crate) position: Vec2,
}

/// The last positions of the agents of a small crowd.
#[derive(Clone, Debug)]
pub(crate) struct Trails {
    /// One sample per tick, each sorted by id.
    samples: VecDeque<Vec<TrailPoint>>,
    /// Number of samples dropped from the front.
    dropped: usize,
    /// A longer step (length) is a jump across the edge of a wrapped world and breaks the line.
    pub(crate) longest_step: f32,
}

impl Default for Trails {
    fn default() -> Self {
        Self { samples: VecDeque::new(), dropped: 0, longest_step: f32::INFINITY }
    }
}

impl Trails {
    pub(crate) fn clear(&mut self) {
        self.samples.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.samples.len()
    }

    /// Removes the last `ticks` samples.
    pub(crate) fn rewind(&mut self, ticks: usize) {
        self.samples.truncate(self.samples.len().saturating_sub(ticks));
    }

    /// Adds a sample; the points have rising ids.
    pub(crate) fn add(&mut self, points: impl Iterator<Item = TrailPoint>) {
        let full = self.samples.len() == LENGTH;
        self.dropped += usize::from(full);
        let mut sample =
            if full { self.samples.pop_front().unwrap_or_default() } else { Vec::new() };
        sample.clear();
        sample.extend(points.take(MOST_AGENTS + 1));
        if sample.len() > MOST_AGENTS {
            sample.clear();
        }
        self.samples.push_back(sample);
    }

    /// The samples that are drawn, with their index: every `stride`th counted from the start, so
    /// that the choice does not change while time passes, and the last one.
    pub(crate) fn drawn(&self) -> impl Iterator<Item = (usize, &[TrailPoint])> {
        let most = self.samples.iter().map(Vec::len).max().unwrap_or(0);
        let stride = (most * LENGTH).div_ceil(MOST_SEGMENTS).max(1);
        let last = self.samples.len().saturating_sub(1);
        self.samples
            .iter()
            .enumerate()
            .filter(move |(i, _)| (self.dropped + i).is_multiple_of(stride) || *i == last)
            .map(|(i, sample)| (i, sample.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trails_of_many_agents_are_as_long_with_fewer_segments_and_end_at_the_last_position() {
        for agents in [20, 300] {
            let mut trails = Trails::default();
            let xs = |trails: &Trails| {
                trails.drawn().map(|(_, sample)| sample[0].position.x).collect::<Vec<_>>()
            };
            for tick in 0..LENGTH + 7 {
                let position = Vec2::new(tick as f32, 0.0);
                trails.add((0..agents).map(|id| TrailPoint {
                    id: AgentId(id),
                    group: GroupId(0),
                    position,
                }));
                let drawn = xs(&trails);
                assert_eq!(drawn.last(), Some(&(tick as f32)));
                let segments = drawn.len() * agents as usize;
                assert!(
                    drawn.len() <= LENGTH && segments <= MOST_SEGMENTS + 2 * agents as usize,
                    "{}",
                    drawn.len()
                );
            }
            let drawn = xs(&trails);
            assert!(drawn[0] < 30.0, "the oldest sample is drawn");
            let stride = drawn[1] - drawn[0];
            assert!(
                drawn.iter().rev().skip(1).all(|x| x % stride == 0.0),
                "the choice of samples is stable: {drawn:?}"
            );
        }
    }

    #[test]
    fn a_large_crowd_has_no_trails() {
        let mut trails = Trails::default();
        let count = MOST_AGENTS as u32 + 1;
        trails.add((0..count).map(|id| TrailPoint {
            id: AgentId(id),
            group: GroupId(0),
            position: Vec2::ZERO,
        }));
        assert!(trails.drawn().all(|(_, sample)| sample.is_empty()));
    }
}
