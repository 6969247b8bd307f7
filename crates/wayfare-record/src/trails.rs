//! Where everybody went: positions sampled over a run, in bounded memory.

use std::sync::Arc;

use wayfare::{Crowd, Vector};

/// The most positions that are kept: 4 million, which is 48 MB in the plane and 64 MB in space.
pub const MOST_POINTS: usize = 4_000_000;

/// Who somebody is, beyond where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Who {
    pub(crate) id: u32,
    /// The index of its group.
    pub(crate) group: u32,
    /// Its top speed (length / time): who came farther than that did not walk there.
    pub(crate) max_speed: f32,
}

/// All positions at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Sample<V> {
    pub(crate) tick: u64,
    /// The simulated time (time).
    pub(crate) time: f64,
    /// Who was there, in the order of ids; shared between samples with the same.
    pub(crate) who: Arc<[Who]>,
    /// Where they were (length), in the same order.
    pub(crate) positions: Vec<V>,
}

impl<V: Vector> Sample<V> {
    pub(crate) fn of(crowd: &Crowd<V>, before: Option<&Sample<V>>) -> Self {
        let mut order = Vec::new();
        crowd.rows_by_id(&mut order);
        let members = || order.iter().map(|&place| crowd.at(place));
        let who = || {
            members().map(|member| Who {
                id: member.id,
                group: member.group as u32,
                max_speed: member.agent.max_speed,
            })
        };
        let same = before.filter(|before| {
            before.who.len() == order.len() && who().eq(before.who.iter().copied())
        });
        Self {
            tick: crowd.tick(),
            time: crowd.time(),
            who: same.map_or_else(|| who().collect(), |before| before.who.clone()),
            positions: members().map(|member| member.agent.position).collect(),
        }
    }
}

/// The way that every agent took, for a [`Picture`](crate::Picture).
///
/// At most [`MOST_POINTS`] positions are kept. When there would be more, every second sample is
/// dropped and from then on only every second call of [`record`](Self::record) is sampled, so that
/// the samples stay evenly spread over the run.
#[derive(Clone, Debug)]
pub struct Trails<V> {
    samples: Vec<Sample<V>>,
    /// How many positions there may be.
    most: usize,
    points: usize,
    /// How many calls of `record` there are to a sample.
    stride: u64,
    calls: u64,
}

impl<V: Vector> Trails<V> {
    /// Trails that begin where `crowd` is now.
    pub fn new(crowd: &Crowd<V>) -> Self {
        Self::with_most(crowd, MOST_POINTS)
    }

    /// Trails without a sample.
    pub(crate) fn empty() -> Self {
        Self { samples: Vec::new(), most: MOST_POINTS, points: 0, stride: 1, calls: 0 }
    }

    fn with_most(crowd: &Crowd<V>, most: usize) -> Self {
        let mut trails = Self { most, ..Self::empty() };
        trails.add(crowd);
        trails
    }

    /// Adds where everybody is now; to be called once per tick, or as often as the trails are to be
    /// fine.
    pub fn record(&mut self, crowd: &Crowd<V>) {
        self.calls += 1;
        if self.calls.is_multiple_of(self.stride) {
            self.add(crowd);
        }
    }

    fn add(&mut self, crowd: &Crowd<V>) {
        while self.points + crowd.len() > self.most && !self.samples.is_empty() {
            let mut kept = 0;
            // One sample that is too much by itself goes too.
            let drop_all = self.samples.len() == 1;
            self.samples.retain(|_| {
                kept += 1;
                kept % 2 == 1 && !drop_all
            });
            self.points = self.samples.iter().map(|sample| sample.positions.len()).sum();
            self.stride = self.stride.saturating_mul(2);
        }
        if self.points + crowd.len() > self.most || !self.calls.is_multiple_of(self.stride) {
            return;
        }
        let sample = Sample::of(crowd, self.samples.last());
        self.points += sample.positions.len();
        self.samples.push(sample);
    }

    /// How many positions are kept.
    pub fn points(&self) -> usize {
        self.points
    }

    /// How many calls of [`record`](Self::record) there are to a sample: 1 until the memory bound
    /// is met.
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// The samples, the oldest first.
    pub(crate) fn samples(&self) -> &[Sample<V>] {
        &self.samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::crowd::{Group, Setup, Spawn, StartVelocity};
    use wayfare::glam::{Vec2, vec2};

    fn crowd(agents: usize) -> Crowd<Vec2> {
        let spawn = Spawn::Grid { origin: Vec2::ZERO, spacing: 1.0, columns: 10, rows: 1 };
        let group = Group {
            velocity: StartVelocity::Same(vec2(1.0, 0.0)),
            ..Group::new("a", agents, spawn, 1.0)
        };
        Crowd::new(Setup { groups: vec![group], ..Setup::default() }).unwrap()
    }

    fn ticks(trails: &Trails<Vec2>) -> Vec<u64> {
        trails.samples().iter().map(|sample| sample.tick).collect()
    }

    #[test]
    fn every_call_is_kept_while_there_is_room() {
        let mut crowd = crowd(3);
        let mut trails = Trails::new(&crowd);
        for _ in 0..4 {
            crowd.step();
            trails.record(&crowd);
        }
        assert_eq!(
            (ticks(&trails), trails.points(), trails.stride()),
            (vec![0, 1, 2, 3, 4], 15, 1)
        );
        assert_eq!(trails.samples()[4].positions[2], vec2(6.0, 0.0));
        assert!(Arc::ptr_eq(&trails.samples()[0].who, &trails.samples()[4].who));
    }

    #[test]
    fn the_bound_holds_and_the_samples_stay_evenly_spread() {
        let mut crowd = crowd(10);
        let mut trails = Trails::with_most(&crowd, 45);
        let mut seen = Vec::new();
        for _ in 0..40 {
            crowd.step();
            trails.record(&crowd);
            assert!(trails.points() <= 45);
            seen.push(ticks(&trails));
        }
        assert_eq!(seen[3], [0, 2, 4]);
        assert_eq!(seen[39], [0, 16, 32]);
        assert_eq!(trails.stride(), 16);
        assert!(
            seen.iter().all(|ticks| ticks.windows(3).all(|t| t[1] - t[0] == t[2] - t[1])),
            "{seen:?}"
        );
    }

    #[test]
    fn a_crowd_beyond_the_bound_has_no_trails_and_no_harm_is_done() {
        let mut crowd = crowd(10);
        let mut trails = Trails::with_most(&crowd, 9);
        for _ in 0..100 {
            crowd.step();
            trails.record(&crowd);
        }
        assert_eq!(trails.points(), 0);
    }
}
