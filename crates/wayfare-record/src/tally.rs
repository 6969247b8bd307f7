//! What happened over a run: arrivals, states entered, overlaps.

use std::collections::{HashMap, HashSet};

use wayfare::behavior::AtEnd;
use wayfare::crowd::{Event, ExitAction, Setup};
use wayfare::parameter::Target;
use wayfare::registry::Behavior;
use wayfare::spatial::space::Bounds;
use wayfare::{Crowd, Vector};

use crate::Overlaps;

/// About how many ticks of a run are looked at for overlaps.
const LOOKS: u64 = 100;

/// A state of a group, and how it fared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateTally {
    /// Its name.
    pub name: String,
    /// How often a member came into it; that somebody began in it does not count.
    pub entered: u64,
    /// How many members are in it now.
    pub inside: usize,
}

/// A group, and how it fared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupTally {
    /// Its name.
    pub name: String,
    /// How many members it had when the count began.
    pub before: usize,
    /// How many members it has now.
    pub now: usize,
    /// How many members a way out of their state led out of the crowd, or to where they begin
    /// anew.
    pub gone: u64,
    /// Its states, in the order of the setup.
    pub states: Vec<StateTally>,
}

/// The overlaps of the ticks that were looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Looked {
    /// How many ticks were looked at.
    pub ticks: u64,
    /// How many pairs overlapped in one of them on the mean.
    pub mean_pairs: f64,
    /// The most pairs in one of them.
    pub most_pairs: u64,
    /// The deepest of all (length).
    pub deepest: f32,
}

/// Counts over a run what a crowd itself forgets after each tick.
///
/// ```
/// use wayfare::{behavior::Arrive, crowd::{Group, Setup, Spawn}, glam::vec2, parameter::Target, Crowd, List};
/// use wayfare_record::Tally;
/// let mut guest = Group::new("guest", 1, Spawn::Points(vec![vec2(0.0, 0.0)]), 2.0);
/// guest.steer = List::default().with(Arrive { target: Target::Point(vec2(9.0, 0.0)), ..Arrive::default() });
/// let setup = Setup { groups: vec![guest], ..Setup::default() };
/// let mut tally = Tally::new(&setup);
/// let mut crowd = Crowd::new(setup)?;
/// tally.begin(&crowd, None);
/// for _ in 0..60 {
///     crowd.step();
///     tally.record(&crowd);
/// }
/// assert!(tally.can_arrive());
/// assert_eq!((tally.arrived(), tally.arrivals()), (1, 1));
/// # Ok::<(), wayfare::crowd::SetupError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tally<V: Vector> {
    groups: Vec<GroupTally>,
    bounds: Option<Bounds<V>>,
    can_arrive: bool,
    arrivals: u64,
    /// Who has arrived and is there, and how many have arrived and are there no longer: a run that
    /// goes on for ever takes no more memory.
    arrived: HashSet<u32>,
    arrived_and_left: usize,
    /// The group of each agent that is there, and of some that are not, where any group has
    /// states.
    group_of: HashMap<u32, usize>,
    /// Which exits remove.
    removes: Vec<bool>,
    /// How many ticks there are to a look at overlaps, if there are to be any.
    stride: Option<u64>,
    looked: Looked,
}

impl<V: Vector> Tally<V> {
    /// A tally for a crowd of `setup`, with nothing counted.
    pub fn new(setup: &Setup<V>) -> Self {
        let state = |name: &String| StateTally { name: name.clone(), entered: 0, inside: 0 };
        let groups = setup.groups.iter().map(|group| GroupTally {
            name: group.name.clone(),
            before: group.count,
            now: group.count,
            gone: 0,
            states: group.states.iter().map(|s| state(&s.name)).collect(),
        });
        let arrives = |behavior: &Behavior<V>| match behavior {
            Behavior::Arrive(arrive) => !matches!(arrive.target, Target::Group(_)),
            Behavior::FollowPath(follow) => setup
                .paths
                .get(follow.path.0)
                .is_some_and(|(_, path)| matches!(follow.end(path), AtEnd::Seek | AtEnd::Arrive)),
            _ => false,
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
            group_of: HashMap::new(),
            removes: setup.exits.iter().map(|exit| exit.then == ExitAction::Remove).collect(),
            stride: None,
            looked: Looked::default(),
        }
    }

    /// Counts from where `crowd` is now. With `ticks`, which it is to go on for, overlaps are
    /// looked at as well: about a hundred times.
    pub fn begin(&mut self, crowd: &Crowd<V>, ticks: Option<u64>) {
        self.settle(crowd);
        for group in &mut self.groups {
            group.before = group.now;
        }
        self.stride = ticks.map(|ticks| ticks.div_ceil(LOOKS).max(1));
        self.look(crowd);
    }

    /// Counts what the last step did; to be called after each.
    pub fn record(&mut self, crowd: &Crowd<V>) {
        let events = crowd.events();
        for (i, event) in events.iter().enumerate() {
            match *event {
                Event::Arrived { id } => {
                    self.arrivals += 1;
                    self.arrived.insert(id);
                }
                Event::StateChanged { id, to, .. } => {
                    // Who has left in the same tick is in the crowd no longer, but its leaving is
                    // told with its group.
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
                        .and_then(|group| self.groups.get_mut(group))
                        .and_then(|group| group.states.get_mut(to))
                    {
                        state.entered += 1;
                    }
                }
                Event::Left { id, exit, .. } => {
                    if self.removes.get(exit).is_some_and(|removes| *removes) {
                        self.forget(id);
                    }
                }
                Event::Gone { id, group, .. } => {
                    if let Some(group) = self.groups.get_mut(group) {
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
            self.look(crowd);
        }
    }

    /// Counts who is there and in which state, as `crowd` is now.
    pub fn settle(&mut self, crowd: &Crowd<V>) {
        for group in &mut self.groups {
            group.now = 0;
            group.states.iter_mut().for_each(|state| state.inside = 0);
        }
        for place in 0..crowd.len() as u32 {
            let member = crowd.at(place);
            let Some(group) = self.groups.get_mut(member.group) else { continue };
            group.now += 1;
            if let Some(state) = member
                .state
                .and_then(|name| group.states.iter_mut().find(|state| state.name == name))
            {
                state.inside += 1;
            }
        }
    }

    /// The groups as [`settle`](Self::settle) found them, in the order of the setup.
    pub fn groups(&self) -> &[GroupTally] {
        &self.groups
    }

    /// Whether anybody could arrive anywhere, by the setup, or somebody did.
    pub fn can_arrive(&self) -> bool {
        self.can_arrive || self.arrivals > 0
    }

    /// How many agents arrived, be it once or more often.
    pub fn arrived(&self) -> usize {
        self.arrived.len() + self.arrived_and_left
    }

    /// How often somebody arrived.
    pub fn arrivals(&self) -> u64 {
        self.arrivals
    }

    /// The overlaps of the ticks that were looked at; `None` if none was.
    pub fn looked(&self) -> Option<Looked> {
        (self.looked.ticks > 0).then_some(self.looked)
    }

    fn look(&mut self, crowd: &Crowd<V>) {
        if self.stride.is_none() {
            return;
        }
        let Some(found) = Overlaps::of(crowd, self.bounds) else {
            // Too many to count are not counted again and again.
            self.stride = None;
            self.looked = Looked::default();
            return;
        };
        let looked = &mut self.looked;
        looked.ticks += 1;
        looked.mean_pairs += (found.pairs as f64 - looked.mean_pairs) / looked.ticks as f64;
        looked.most_pairs = looked.most_pairs.max(found.pairs);
        looked.deepest = looked.deepest.max(found.deepest);
    }

    /// The agent `id` is in the crowd no longer, nor will ever be.
    fn forget(&mut self, id: u32) {
        self.arrived_and_left += usize::from(self.arrived.remove(&id));
        self.group_of.remove(&id);
    }

    /// The group of the agent `id`, which is in the crowd. Ids are never used again, so what is
    /// known stays true.
    fn group_of(&mut self, id: u32, crowd: &Crowd<V>) -> Option<usize> {
        if !self.group_of.contains_key(&id) {
            // Whom commands have removed goes here.
            self.group_of.clear();
            self.group_of.extend(
                (0..crowd.len() as u32)
                    .map(|place| crowd.at(place))
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
        Arrivals, Condition, Exit, Group, Rhythm, Source, Spawn, StartVelocity, State, Transition,
        TransitionTarget,
    };
    use wayfare::geometry::obstacle::Shape;
    use wayfare::glam::{Vec2, vec2};
    use wayfare::parameter::Groups;

    fn counted(
        setup: Setup<Vec2>,
        ticks: u64,
        mut between: impl FnMut(&mut Crowd<Vec2>),
    ) -> Tally<Vec2> {
        let mut tally = Tally::new(&setup);
        let mut crowd = Crowd::new(setup).unwrap();
        tally.begin(&crowd, Some(ticks));
        for _ in 0..ticks {
            between(&mut crowd);
            crowd.step();
            tally.record(&crowd);
        }
        tally.settle(&crowd);
        tally
    }

    /// A group that goes from one state to the other after 3 units of time, and on to the exit at x
    /// = 10.
    fn walkers(name: &str, points: Vec<Vec2>) -> Group<Vec2> {
        let mut group = Group {
            velocity: StartVelocity::Same(vec2(1.0, 0.0)),
            ..Group::new(name, 0, Spawn::Points(points), 1.0)
        };
        let state = |name: &str, leave| State {
            name: name.to_string(),
            rates: Vec::new(),
            steer: List::default(),
            leave,
        };
        group.states = vec![
            state(
                "first",
                vec![Transition {
                    to: TransitionTarget::State(1),
                    when: Condition::TimeInState(3.0),
                }],
            ),
            state("then", Vec::new()),
        ];
        group
    }

    #[test]
    fn states_are_counted_by_group_also_of_who_leaves_in_the_same_tick_and_of_who_comes_later() {
        let exits = vec![Exit {
            shape: Shape::box_between(vec2(10.0, -9.0), vec2(99.0, 9.0)),
            groups: Groups::All,
            then: ExitAction::Remove,
        }];
        // Two of them stand in the exit at the very tick in which their state changes.
        let groups = vec![
            walkers("a", vec![vec2(-50.0, 0.0)]),
            walkers("b", vec![vec2(6.0, 0.0), vec2(6.0, 1.0), vec2(-50.0, 1.0)]),
        ];
        let tally = counted(Setup { groups, exits, ..Setup::default() }, 9, |crowd| {
            if crowd.tick() == 2 {
                crowd.add(0, vec2(-70.0, 0.0), None).unwrap();
            }
        });
        let [a, b] = tally.groups() else { panic!("two groups") };
        assert_eq!((a.before, a.now, b.before, b.now), (1, 2, 3, 1));
        let entered = |group: &GroupTally| {
            group.states.iter().map(|state| (state.entered, state.inside)).collect::<Vec<_>>()
        };
        assert_eq!((entered(a), entered(b)), (vec![(0, 0), (2, 2)], vec![(0, 0), (3, 1)]));
    }

    #[test]
    fn who_is_gone_is_counted_by_group_and_nobody_who_has_left_is_kept() {
        // Each is gone 3 units of time after it came, and arrived before.
        let mut comers = Group::new("comers", 0, Spawn::Points(Vec::new()), 1.0);
        let steer = List::default()
            .with(Arrive { target: Target::Point(vec2(5.0, 5.0)), ..Arrive::default() });
        let leave = vec![Transition {
            to: TransitionTarget::Out(ExitAction::Remove),
            when: Condition::TimeInState(3.0),
        }];
        comers.states = vec![State { name: "stay".to_string(), rates: Vec::new(), steer, leave }];
        let arrivals =
            Arrivals::Rate { rate: 1.0, from: 0.0, until: f64::INFINITY, rhythm: Rhythm::Regular };
        let area = Shape::Circle { center: vec2(5.0, 5.0), radius: 0.0 };
        let setup = Setup {
            groups: vec![comers],
            sources: vec![Source { area, group: 0, arrivals, most: 99 }],
            ..Setup::default()
        };
        let tally = counted(setup, 100, |_| {});
        // Who came at the end of tick t is in the crowd for four ticks.
        assert_eq!((tally.groups()[0].gone, tally.groups()[0].now), (96, 4));
        assert_eq!((tally.arrived(), tally.arrivals()), (99, 99));
        assert!(tally.arrived.len() <= 4 && tally.group_of.len() <= 8);
    }

    #[test]
    fn overlaps_are_looked_at_over_the_run_and_not_only_at_its_end() {
        // They meet, and go through one another.
        let mut groups =
            vec![walkers("a", vec![vec2(-10.0, 0.0)]), walkers("b", vec![vec2(10.0, 0.0)])];
        groups[1].velocity = StartVelocity::Same(vec2(-1.0, 0.0));
        groups.iter_mut().for_each(|group| group.radius = wayfare::crowd::Distribution::Same(2.5));
        let tally = counted(Setup { groups, ..Setup::default() }, 20, |_| {});
        let looked = tally.looked().unwrap();
        assert_eq!((looked.ticks, looked.most_pairs, looked.deepest), (21, 1, 5.0));
        assert!((looked.mean_pairs - 5.0 / 21.0).abs() < 1e-12, "{looked:?}");
        assert!(!tally.can_arrive());
    }
}
