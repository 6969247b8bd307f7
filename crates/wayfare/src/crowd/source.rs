//! Sources: agents enter a running crowd, by a rate or a schedule.
//!
//! The number of arrivals in a tick follows from the tick alone, so only counts are stored. With
//! exits a crowd can run forever in bounded RAM: new agents reuse the rows of those that left.

use super::population::push_row;
use super::setup::{Arrivals, Rhythm, Source};
use super::{Crowd, Event, spawn};
use crate::agent::Agent;
use crate::crowd::change::Change;
use crate::id::{AgentId, GroupId, SourceId};
use crate::order::Order;
use crate::random::Random;
use crate::vector::Vector;

/// A source, and the counts of its arrivals since the start.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceCount<V> {
    /// The id of the source.
    pub id: SourceId,
    /// The source.
    pub source: Source<V>,
    /// The number of agents that have entered by this source.
    pub entered: u64,
    /// The number of arrivals that were rejected because the group had `most` members.
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

impl<V: Vector> Crowd<V> {
    /// The sources in the order of their ids, with the counts of their arrivals.
    ///
    /// ```
    /// use wayfare::{
    ///     Crowd, GroupId,
    ///     crowd::{Arrivals, Group, Rhythm, Setup, Source, Spawn},
    ///     geometry::obstacle::Shape,
    ///     glam::vec2,
    /// };
    /// let walkers = Group::new("walkers", 0, Spawn::Points(vec![]), 2.0);
    /// let arrivals =
    ///     Arrivals::Rate { rate: 0.5, from: 0.0, until: f64::INFINITY, rhythm: Rhythm::Regular };
    /// let source = Source {
    ///     area: Shape::box_between(vec2(0.0, 0.0), vec2(2.0, 9.0)),
    ///     group: GroupId(0),
    ///     arrivals,
    ///     most: 3,
    ///     to: Vec::new(),
    /// };
    /// let mut crowd =
    ///     Crowd::new(Setup { groups: vec![walkers], sources: vec![source], ..Setup::default() })?;
    /// (0..10).for_each(|_| crowd.step());
    /// let count = &crowd.sources()[0];
    /// assert_eq!((crowd.len(), count.entered, count.turned_away), (3, 3, 2));
    /// # Ok::<(), wayfare::crowd::SetupError>(())
    /// ```
    pub fn sources(&self) -> &[SourceCount<V>] {
        &self.world.sources
    }

    /// The population phase: adds the agents that arrive in the last tick.
    pub(super) fn run_sources(&mut self) {
        let Some(tick) = self.tick.number.checked_sub(1) else { return };
        if !self.runs_sources() {
            return;
        }
        for s in 0..self.world.sources.len() {
            let source = &self.world.sources[s].source;
            let due = source.arrivals.due(
                tick,
                self.tick.dt,
                &mut Random::new(self.tick.seed, self.world.sources[s].id.0, tick, spawn::ARRIVALS),
            );
            if due == 0 {
                continue;
            }
            let (group, most) = (source.group, source.most);
            let free = self.room_for_arrivals(group, most);
            let entering = due.min(free as u64);
            for _ in 0..entering {
                self.enter_by(s, group);
            }
            let count = &mut self.world.sources[s];
            count.entered += entering;
            count.turned_away = count.turned_away.saturating_add(due - entering);
        }
    }

    /// Adds a member of `group` by the source `s`; the caller has checked that it may enter.
    fn enter_by(&mut self, s: usize, group: GroupId) {
        let (id, of) = (self.unused_id(), &self.origin.setup.groups[group.0]);
        let position = spawn::inside(
            self.tick.seed,
            id,
            &self.world.sources[s].source.area,
            self.world.space.up(),
        );
        let agent = spawn::newcomer(
            self.tick.seed,
            id,
            of,
            self.stored_position(position),
            self.world.space.up(),
        );
        let agent = Agent { velocity: agent.velocity.truncate(agent.max_speed), ..agent };
        let (start, agent) = spawn::entering(self.entry(id, group), of, &agent);
        push_row(
            &mut self.population.now,
            &mut self.population.next,
            &mut self.population.row_index,
            (id, group.0 as u32),
            start,
            &agent,
        );
        let random = Random::new(self.tick.seed, id, 0, spawn::DESTINATION);
        if let Some(point) = self.world.sources[s].source.destination(random) {
            let row = self.len() - 1;
            self.own_settings(row).order = Some(Order::Point(point));
        }
        self.population.next_id = id + 1;
        // The new id is the highest so far, so the events stay in order.
        let source = self.world.sources[s].id;
        self.world.tracker.events.push(Event::Entered { id: AgentId(id), group, source });
        self.changed(Change::Agents);
    }
}
