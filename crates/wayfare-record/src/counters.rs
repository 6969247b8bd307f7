//! Counters of a run: arrivals, states entered, overlaps.

use std::collections::{HashMap, HashSet};

use wayfare::behavior::AtEnd;
use wayfare::crowd::{Event, ExitAction, Setup};
use wayfare::parameter::{Roles, Target};
use wayfare::registry::Behavior;
use wayfare::spatial::space::Bounds;
use wayfare::{AgentId, Crowd, GroupId, Order, Vector};

use crate::Overlaps;

/// Overlaps are counted in about this many ticks of a run.
const OVERLAP_SAMPLES: u64 = 100;

/// The counters of a state of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateCounters {
    /// Its name.
    pub name: String,
    /// The number of times that a member entered the state; beginning in it does not count.
    pub entered: u64,
    /// The number of members in the state at the end.
    pub inside: usize,
}

/// The counters of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupCounters {
    /// Its name.
    pub name: String,
    /// The number of members at the start of the run.
    pub start: usize,
    /// The number of members at the end of the run.
    pub end: usize,
    /// The number of times that a transition removed or respawned a member.
    pub gone: u64,
    /// Its states, in the order of the setup.
    pub states: Vec<StateCounters>,
}

/// The overlaps over a run, from a sample of its ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OverlapStatistics {
    /// The number of ticks in the sample.
    pub ticks: u64,
    /// The mean number of overlapping pairs per tick.
    pub mean_pairs: f64,
    /// The largest number of overlapping pairs in a tick.
    pub most_pairs: u64,
    /// The deepest overlap of all (length).
    pub deepest: f32,
}

/// The deepest overlaps of solid bodies after each tick, as parts of the smaller radius.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolidStatistics {
    /// The number of ticks.
    pub ticks: u64,
    /// The number of ticks with an overlap deeper than 5 %.
    pub above_5_percent: u64,
    /// The deepest overlap of all ticks.
    pub deepest: f32,
    /// The deepest overlap of a body in its first tick, which is not among the others.
    pub entering: f32,
}

impl SolidStatistics {
    /// The bound that tests hold: once bodies that start packed have moved apart, an overlap in a
    /// tick is at most this part of the smaller radius. They hold it with `pedestrian` and `orca`,
    /// and where up to 200 agents press to one point; docs/world.md says what exceeds it.
    pub const BOUND: f32 = 0.2;
}

/// Counts the events of a run, of which a crowd keeps only those of the last tick.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare_record::RunCounters;
/// let guest = Group::new("guest", 1, Spawn::point(vec2(0.0, 0.0)), 2.0)
///     .steer(Arrive::new(vec2(9.0, 0.0)));
/// let setup = Setup::new(1.0).group(guest);
/// let mut counters = RunCounters::new(&setup);
/// let mut crowd = setup.crowd()?;
/// counters.begin(&crowd, None);
/// for _ in 0..60 {
///     crowd.step();
///     counters.record(&crowd);
/// }
/// assert!(counters.can_arrive());
/// assert_eq!((counters.arrived(), counters.arrivals()), (1, 1));
/// # Ok::<(), SetupError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RunCounters<V: Vector> {
    groups: Vec<GroupCounters>,
    bounds: Option<Bounds<V>>,
    can_arrive: bool,
    arrivals: u64,
    /// The ids of agents in the crowd that have arrived, and the number of agents that had arrived
    /// and left. Agents that left are not kept, so that an endless run takes bounded memory.
    arrived: HashSet<AgentId>,
    arrived_and_left: usize,
    /// The number of searches that found no route.
    unreachable: u64,
    /// The group of each agent in the crowd, and of some that left, where any group has states.
    group_of: HashMap<AgentId, GroupId>,
    /// Overlaps are counted in the ticks that this divides; none to count none.
    stride: Option<u64>,
    overlaps: OverlapStatistics,
    solid: SolidStatistics,
}

impl<V: Vector> RunCounters<V> {
    /// The counters of a crowd of `setup`, all zero.
    pub fn new(setup: &Setup<V>) -> Self {
        let state = |name: &String| StateCounters { name: name.clone(), entered: 0, inside: 0 };
        let groups = setup.groups.iter().map(|group| GroupCounters {
            name: group.name.clone(),
            start: group.count,
            end: group.count,
            gone: 0,
            states: group.states.iter().map(|s| state(&s.name)).collect(),
        });
        let arrives = |behavior: &Behavior<V>| match behavior {
            Behavior::Arrive(arrive) => !matches!(arrive.target, Target::Group(_)),
            Behavior::FollowPath(follow) => setup
                .paths
                .get(follow.path.0)
                .is_some_and(|(_, path)| matches!(follow.end(path), AtEnd::Seek | AtEnd::Arrive)),
            other => other.roles().has(Roles::ARRIVES),
        };
        Self {
            groups: groups.collect(),
            bounds: setup.bounds,
            can_arrive: setup
                .groups
                .iter()
                .flat_map(|group| group.lists())
                .any(|list| list.behaviors().any(arrives)),
            arrivals: 0,
            arrived: HashSet::new(),
            arrived_and_left: 0,
            unreachable: 0,
            group_of: HashMap::new(),
            stride: None,
            overlaps: OverlapStatistics::default(),
            solid: SolidStatistics::default(),
        }
    }

    /// Begins to count at the present tick of `crowd`. With the length of the run in `ticks`,
    /// overlaps are counted as well, in about 100 ticks.
    pub fn begin(&mut self, crowd: &Crowd<V>, ticks: Option<u64>) {
        self.count_members(crowd);
        for group in &mut self.groups {
            group.start = group.end;
        }
        self.stride = ticks.map(|ticks| ticks.div_ceil(OVERLAP_SAMPLES).max(1));
        self.count_overlaps(crowd);
    }

    /// Counts the events of the last tick; to be called after each.
    pub fn record(&mut self, crowd: &Crowd<V>) {
        self.add_groups(crowd);
        if let Some(deepest) = crowd.deepest_overlap() {
            self.solid.ticks += 1;
            self.solid.above_5_percent += u64::from(deepest > 0.05);
            self.solid.deepest = self.solid.deepest.max(deepest);
            self.solid.entering = self.solid.entering.max(crowd.deepest_entry().unwrap_or(0.0));
        }
        let events = crowd.events();
        for (i, event) in events.iter().enumerate() {
            match *event {
                Event::Arrived { id } => {
                    self.arrivals += 1;
                    self.arrived.insert(id);
                }
                Event::Unreachable { .. } => self.unreachable += 1,
                Event::StateChanged { id, to, .. } => {
                    // An agent that left in the same tick is no longer in the crowd, but the event
                    // of its leaving has its group.
                    let left =
                        events[i..].iter().take_while(|event| event.id() == id).find_map(|event| {
                            match *event {
                                Event::Left { group, .. } | Event::Gone { group, .. } => {
                                    Some(group)
                                }
                                _ => None,
                            }
                        });
                    let group = left.or_else(|| self.group_of(id, crowd));
                    if let Some(state) = group
                        .and_then(|group| self.groups.get_mut(group.0))
                        .and_then(|group| group.states.get_mut(to.0))
                    {
                        state.entered += 1;
                    }
                }
                Event::Left { id, exit, .. }
                    if crowd
                        .exit(exit)
                        .is_some_and(|exit| exit.exit.then == ExitAction::Remove) =>
                {
                    self.forget(id);
                }
                Event::Gone { id, group, .. } => {
                    if let Some(group) = self.groups.get_mut(group.0) {
                        group.gone += 1;
                    }
                    if crowd.get(id).is_none() {
                        self.forget(id);
                    }
                }
                _ => {}
            }
        }
        if self.stride.is_some_and(|stride| crowd.tick().is_multiple_of(stride)) {
            self.count_overlaps(crowd);
        }
    }

    /// Counts the present members of each group and state.
    pub fn count_members(&mut self, crowd: &Crowd<V>) {
        self.add_groups(crowd);
        for group in &mut self.groups {
            group.end = 0;
            group.states.iter_mut().for_each(|state| state.inside = 0);
        }
        for row in 0..crowd.len() as u32 {
            let Some(member) = crowd.agent_at_row(row) else { continue };
            let Some(group) = self.groups.get_mut(member.group.0) else { continue };
            group.end += 1;
            if let Some(state) = member
                .state
                .and_then(|name| group.states.iter_mut().find(|state| state.name == name))
            {
                state.inside += 1;
            }
        }
    }

    /// Counts the groups, too, that were added since the last call.
    fn add_groups(&mut self, crowd: &Crowd<V>) {
        let known = self.groups.len();
        self.groups.extend(crowd.group_names().enumerate().skip(known).map(|(index, name)| {
            let states = crowd.state_names(index);
            let state =
                |name: &str| StateCounters { name: name.to_string(), entered: 0, inside: 0 };
            GroupCounters {
                name: name.to_string(),
                start: 0,
                end: 0,
                gone: 0,
                states: states.map(state).collect(),
            }
        }));
    }

    /// The counters of the groups, in the order of their indices; the members at the end are those
    /// of the last [`count_members`](Self::count_members).
    pub fn groups(&self) -> &[GroupCounters] {
        &self.groups
    }

    /// Whether agents can arrive by the setup, or any agent did.
    pub fn can_arrive(&self) -> bool {
        self.can_arrive || self.arrivals > 0
    }

    /// The number of agents that arrived at least once.
    pub fn arrived(&self) -> usize {
        self.arrived.len() + self.arrived_and_left
    }

    /// The number of agents that are ordered to a point with others, are in the heap round it, and
    /// have not arrived: their lists do not end there, as one with `settle` does.
    pub fn crowded_out(&self, crowd: &Crowd<V>) -> usize {
        let mut rows = Vec::new();
        crowd.rows_by_id(&mut rows);
        let mut ordered: HashMap<[u32; 3], Vec<(AgentId, f32, f32)>> = HashMap::new();
        for member in rows.iter().filter_map(|&row| crowd.agent_at_row(row)) {
            if let Some(Order::Point(point)) = member.order {
                let key = |i| if i < V::DIMENSION { point.axis(i).to_bits() } else { 0 };
                let distance = (member.agent.position - point).length();
                let same = ordered.entry(std::array::from_fn(key)).or_default();
                same.push((member.id, distance, member.agent.radius));
            }
        }
        let left_out = |units: &Vec<(AgentId, f32, f32)>| {
            let heap = 2.0 * units.iter().map(|unit| unit.2 * unit.2).sum::<f32>().sqrt();
            let is_left = |unit: &&(AgentId, f32, f32)| {
                units.len() > 1 && unit.1 <= heap && !self.arrived.contains(&unit.0)
            };
            units.iter().filter(is_left).count()
        };
        ordered.values().map(left_out).sum()
    }

    /// The number of arrivals of all agents.
    pub fn arrivals(&self) -> u64 {
        self.arrivals
    }

    /// The number of searches that found no route to the target of a `navigate`.
    pub fn unreachable(&self) -> u64 {
        self.unreachable
    }

    /// The overlaps over the run; `None` if they were not counted.
    pub fn overlap_statistics(&self) -> Option<OverlapStatistics> {
        (self.overlaps.ticks > 0).then_some(self.overlaps)
    }

    /// The overlaps of solid bodies over the run; `None` if bodies are not solid.
    pub fn solid_statistics(&self) -> Option<SolidStatistics> {
        (self.solid.ticks > 0).then_some(self.solid)
    }

    fn count_overlaps(&mut self, crowd: &Crowd<V>) {
        if self.stride.is_none() {
            return;
        }
        let Some(found) = Overlaps::of(crowd, self.bounds) else {
            // Once there are too many, they are not counted again.
            self.stride = None;
            self.overlaps = OverlapStatistics::default();
            return;
        };
        let overlaps = &mut self.overlaps;
        overlaps.ticks += 1;
        overlaps.mean_pairs += (found.pairs as f64 - overlaps.mean_pairs) / overlaps.ticks as f64;
        overlaps.most_pairs = overlaps.most_pairs.max(found.pairs);
        overlaps.deepest = overlaps.deepest.max(found.deepest);
    }

    /// Forgets the agent `id`, which left for good.
    fn forget(&mut self, id: AgentId) {
        self.arrived_and_left += usize::from(self.arrived.remove(&id));
        self.group_of.remove(&id);
    }

    /// The group of the agent `id`, which is in the crowd. Ids are never reused, so a known group
    /// stays valid.
    fn group_of(&mut self, id: AgentId, crowd: &Crowd<V>) -> Option<GroupId> {
        if !self.group_of.contains_key(&id) {
            // This drops the agents that commands have removed.
            self.group_of.clear();
            self.group_of.extend(
                (0..crowd.len() as u32)
                    .filter_map(|row| crowd.agent_at_row(row))
                    .map(|member| (member.id, member.group)),
            );
        }
        self.group_of.get(&id).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::List;
    use wayfare::behavior::Arrive;
    use wayfare::crowd::{
        Arrivals, Condition, Exit, Group, Source, Spawn, StartVelocity, State, Transition,
        TransitionTarget,
    };
    use wayfare::geometry::obstacle::Shape;
    use wayfare::glam::{Vec2, vec2};
    use wayfare::parameter::Groups;

    fn counted(
        setup: Setup<Vec2>,
        ticks: u64,
        mut between: impl FnMut(&mut Crowd<Vec2>),
    ) -> RunCounters<Vec2> {
        let mut counters = RunCounters::new(&setup);
        let mut crowd = Crowd::new(setup).unwrap();
        counters.begin(&crowd, Some(ticks));
        for _ in 0..ticks {
            between(&mut crowd);
            crowd.step();
            counters.record(&crowd);
        }
        counters.count_members(&crowd);
        counters
    }

    /// A group that moves along x and changes its state after 3 time units.
    fn walkers(name: &str, points: Vec<Vec2>) -> Group<Vec2> {
        let mut group = Group {
            velocity: StartVelocity::Same(vec2(1.0, 0.0)),
            ..Group::new(name, 0, Spawn::Points(points), 1.0)
        };
        let state = |name: &str, leave| State { leave, ..State::new(name) };
        group.states = vec![
            state(
                "first",
                vec![Transition {
                    to: TransitionTarget::from(1),
                    when: Condition::TimeInState(3.0.into()),
                }],
            ),
            state("then", Vec::new()),
        ];
        group
    }

    #[test]
    fn states_are_counted_also_for_agents_that_leave_in_the_same_tick_or_enter_later() {
        let exits = vec![Exit {
            shape: Shape::box_between(vec2(10.0, -9.0), vec2(99.0, 9.0)),
            groups: Groups::All,
            then: ExitAction::Remove,
        }];
        // Two of them are in the exit at the tick in which their state changes.
        let groups = vec![
            walkers("a", vec![vec2(-50.0, 0.0)]),
            walkers("b", vec![vec2(6.0, 0.0), vec2(6.0, 1.0), vec2(-50.0, 1.0)]),
        ];
        let counters = counted(Setup { groups, exits, ..Setup::default() }, 9, |crowd| {
            if crowd.tick() == 2 {
                crowd.add(0, vec2(-70.0, 0.0), None).unwrap();
            }
        });
        let [a, b] = counters.groups() else { panic!("two groups") };
        assert_eq!((a.start, a.end, b.start, b.end), (1, 2, 3, 1));
        let entered = |group: &GroupCounters| {
            group.states.iter().map(|state| (state.entered, state.inside)).collect::<Vec<_>>()
        };
        assert_eq!((entered(a), entered(b)), (vec![(0, 0), (2, 2)], vec![(0, 0), (3, 1)]));
    }

    #[test]
    fn agents_that_left_are_counted_by_group_and_not_kept() {
        // Each agent arrives and leaves 3 time units after it entered.
        let mut comers = Group::new("comers", 0, Spawn::Points(Vec::new()), 1.0);
        let steer = List::default().with(Arrive::new(vec2(5.0, 5.0)));
        let leave = vec![Transition {
            to: TransitionTarget::Out(ExitAction::Remove),
            when: Condition::TimeInState(3.0.into()),
        }];
        comers.states = vec![State { steer, leave, ..State::new("stay") }];
        let area = Shape::Circle { center: vec2(5.0, 5.0), radius: 0.0 };
        let setup = Setup {
            groups: vec![comers],
            sources: vec![Source::new(area, GroupId(0), Arrivals::rate(1.0)).most(99)],
            ..Setup::default()
        };
        let counters = counted(setup, 100, |_| {});
        // An agent that entered at the end of a tick is in the crowd for four ticks.
        assert_eq!((counters.groups()[0].gone, counters.groups()[0].end), (96, 4));
        assert_eq!((counters.arrived(), counters.arrivals()), (99, 99));
        assert!(counters.arrived.len() <= 4 && counters.group_of.len() <= 8);
    }

    #[test]
    fn overlaps_are_counted_over_the_run_and_not_only_at_its_end() {
        // They meet and pass through each other.
        let mut groups =
            vec![walkers("a", vec![vec2(-10.0, 0.0)]), walkers("b", vec![vec2(10.0, 0.0)])];
        groups[1].velocity = StartVelocity::Same(vec2(-1.0, 0.0));
        groups.iter_mut().for_each(|group| group.radius = wayfare::crowd::Distribution::Same(2.5));
        let counters = counted(Setup { groups, ..Setup::default() }, 20, |_| {});
        let overlaps = counters.overlap_statistics().unwrap();
        assert_eq!((overlaps.ticks, overlaps.most_pairs, overlaps.deepest), (21, 1, 5.0));
        assert!((overlaps.mean_pairs - 5.0 / 21.0).abs() < 1e-12, "{overlaps:?}");
        assert!(!counters.can_arrive());
        assert_eq!(counters.solid_statistics(), None);
    }

    #[test]
    fn overlaps_of_solid_bodies_are_counted_in_every_tick_as_parts_of_a_radius() {
        let mut groups =
            vec![walkers("a", vec![vec2(0.0, 0.0)]), walkers("b", vec![vec2(1.0, 0.0)])];
        groups.iter_mut().for_each(|group| {
            group.radius = wayfare::crowd::Distribution::Same(1.0);
            group.velocity = StartVelocity::Same(vec2(0.0, 0.0));
        });
        let bodies = wayfare::crowd::Bodies { solid: true, ..Default::default() };
        let counters = counted(Setup { bodies, groups, ..Setup::default() }, 3, |_| {});
        let solid = counters.solid_statistics().unwrap();
        assert_eq!((solid.ticks, solid.above_5_percent), (3, 0));
        assert!(solid.deepest <= 0.02, "{solid:?}");
    }
}
