//! Trails: positions of all agents, sampled over a run, in bounded memory.

use std::sync::Arc;

use wayfare::{AgentId, Crowd, Vector};

/// The most positions that are kept: 4 million, which is 48 MB in the plane and 64 MB in space.
pub const MOST_POINTS: usize = 4_000_000;

/// The constant data of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AgentIdentity {
    pub(crate) id: AgentId,
    /// The index of its group.
    pub(crate) group: u32,
    /// Its top speed (length / time). A longer displacement between two samples is a jump.
    pub(crate) max_speed: f32,
}

/// The positions of all agents at one tick.
#[derive(Clone, Debug)]
pub(crate) struct PositionSample<V> {
    pub(crate) tick: u64,
    /// The simulated time (time).
    pub(crate) time: f64,
    /// The agents, in the order of ids; shared between samples with the same agents.
    pub(crate) agents: Arc<[AgentIdentity]>,
    /// Their positions (length), in the same order.
    pub(crate) positions: Vec<V>,
}

impl<V: Vector> PositionSample<V> {
    pub(crate) fn of(crowd: &Crowd<V>, before: Option<&PositionSample<V>>) -> Self {
        let mut order = Vec::new();
        crowd.rows_by_id(&mut order);
        let members = || order.iter().filter_map(|&row| crowd.agent_at_row(row));
        let agents = || {
            members().map(|member| AgentIdentity {
                id: member.id,
                group: member.group.0 as u32,
                max_speed: member.agent.max_speed,
            })
        };
        let same = before.filter(|before| {
            before.agents.len() == order.len() && agents().eq(before.agents.iter().copied())
        });
        Self {
            tick: crowd.tick(),
            time: crowd.time(),
            agents: same.map_or_else(|| agents().collect(), |before| before.agents.clone()),
            positions: members().map(|member| member.agent.position).collect(),
        }
    }
}

/// The trail of every agent, for a [`Picture`](crate::Picture).
///
/// At most [`MOST_POINTS`] positions are kept. Beyond that, every second sample is dropped, and
/// from then on only every second call of [`record`](Self::record) is sampled: the samples stay
/// evenly spread over the run.
#[derive(Clone, Debug)]
pub struct Trails<V> {
    samples: Vec<PositionSample<V>>,
    /// The most positions that are kept.
    most: usize,
    points: usize,
    /// Every `stride`-th call of `record` is sampled.
    stride: u64,
    calls: u64,
}

impl<V: Vector> Trails<V> {
    /// Trails that begin with the present positions of `crowd`.
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

    /// Adds the present positions. Call it once per tick, or less often for coarser trails.
    pub fn record(&mut self, crowd: &Crowd<V>) {
        self.calls += 1;
        if self.calls.is_multiple_of(self.stride) {
            self.add(crowd);
        }
    }

    fn add(&mut self, crowd: &Crowd<V>) {
        while self.points + crowd.len() > self.most && !self.samples.is_empty() {
            let mut kept = 0;
            // A single sample above the bound is dropped, too.
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
        let sample = PositionSample::of(crowd, self.samples.last());
        self.points += sample.positions.len();
        self.samples.push(sample);
    }

    /// The number of positions that are kept.
    pub fn points(&self) -> usize {
        self.points
    }

    /// Every `stride`-th call of [`record`](Self::record) is sampled: 1 until the bound is reached.
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// The samples, the oldest first.
    pub(crate) fn samples(&self) -> &[PositionSample<V>] {
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
    fn every_call_is_sampled_below_the_bound() {
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
        assert!(Arc::ptr_eq(&trails.samples()[0].agents, &trails.samples()[4].agents));
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
    fn a_crowd_above_the_bound_has_no_trails() {
        let mut crowd = crowd(10);
        let mut trails = Trails::with_most(&crowd, 9);
        for _ in 0..100 {
            crowd.step();
            trails.record(&crowd);
        }
        assert_eq!(trails.points(), 0);
    }
}
