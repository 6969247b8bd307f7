//! Groups compiled from their setup, as the phases of a tick read them.

use alloc::string::String;
use alloc::vec::Vec;

use super::nearest_member;
use super::population::columns::Widths;
use super::population::spawn;
use super::routes::{self, CompiledNavigate};
use super::setup::{Condition, Group, Perception, Setup, State, Transition};
use super::structure::Structure;
use crate::behavior::Steer;
use crate::combine::{Entry, List, Slot};
use crate::geometry::explored::Explored;
use crate::geometry::visibility::ViewCone;
use crate::id::{PathId, StatId};
use crate::order::WithoutOrder;
use crate::parameter::{Needs, Target, Variants};
use crate::quantity::power_of_two_from;
use crate::registry::Behavior;
use crate::solve::Solver;
use crate::spatial::bvh::Bvh;
use crate::spatial::group_center::GroupCenter;
use crate::vector::{Up, Vector};

mod formations;
mod queue;
mod stuck;

pub(super) use formations::FormationSlots;
use formations::formations;
pub(super) use queue::StateQueue;
use queue::{queue_memories, state_queue};
use stuck::StuckDistances;

/// A state of a group. A group without states has one state without transitions.
#[derive(Clone, Debug)]
pub(super) struct CompiledState<V: Vector> {
    /// The behaviors of the group and of the state, without those that are off and the decider.
    pub(super) list: List<V>,
    /// The solver that decides the velocity, if there is one.
    pub(super) decider: Option<Slot<V>>,
    /// (index of a stat, change per unit of time).
    pub(super) rates: Vec<(StatId, f32)>,
    /// The transitions, in the order in which they are tested.
    pub(super) leave: Vec<Transition<V>>,
    /// The `navigate` of the list.
    pub(super) navigate: Option<CompiledNavigate>,
    /// The `queue_along` of the list.
    pub(super) queue: Option<StateQueue>,
    /// The indices of the memories of the paths that the list follows.
    pub(super) paths: Vec<usize>,
    /// Whether a parameter of a behavior of the list refers to the order of its host.
    pub(super) names_order: bool,
    /// Whether the limits of the members differ between states.
    pub(super) has_limits: bool,
    /// The factor that drag multiplies the start of the step by, where that of the group is 1.
    pub(super) start_drag_factor: f32,
}

impl<V: Vector> CompiledState<V> {
    /// The solver of its decider.
    #[inline(always)]
    pub(super) fn solver(&self) -> Option<&Solver<V>> {
        self.decider.as_ref().and_then(Slot::solver)
    }

    /// The [`paths`](Self::paths) that the state `before` does not follow.
    pub(super) fn paths_after(&self, before: &Self) -> impl Iterator<Item = usize> {
        self.paths.iter().copied().filter(|path| !before.paths.contains(path))
    }

    /// Changes the stats of a member of `group` in this state over the time `dt`.
    #[inline(always)]
    pub(super) fn change_stats(&self, group: &CompiledGroup<V>, stats: &mut [f32], dt: f32) {
        for &(StatId(stat), rate) in &self.rates {
            let (min, max) = group.stats[stat];
            stats[stat] = (stats[stat] + rate * dt).max(min).min(max);
        }
    }
}

/// The rule by which the heading of a group's members follows their motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum HeadingRule {
    /// It is the direction of the velocity.
    Direct,
    /// It turns towards that direction by this part of the angle in a tick.
    Smoothed(f32),
    /// The members are on wheels with this smallest turning radius (length).
    Wheels(f32),
}

impl HeadingRule {
    /// The rule of `group`. The angle of a smoothed heading to the velocity decays exponentially:
    /// in a tick to exp(-dt / heading_time) of what it was, at any dt.
    fn of<V: Vector>(group: &Group<V>, dt: f64) -> Self {
        match group.turning_radius {
            Some(radius) => Self::Wheels(radius),
            None if group.heading_time > 0.0 => {
                Self::Smoothed(-libm::expm1(-dt / f64::from(group.heading_time)) as f32)
            }
            None => Self::Direct,
        }
    }
}

/// A group.
#[derive(Clone, Debug)]
pub(super) struct CompiledGroup<V: Vector> {
    pub(super) name: String,
    /// The id of its first member at the start, or when it was added.
    pub(super) first_id: u32,
    /// Whether every tick of the members has the same steps: no transitions, perception, formation,
    /// queue or rates, and `think_every` is 1.
    pub(super) steady: bool,
    /// The turn rate of the members' facing (radians / time); `None` if members face along their
    /// heading.
    pub(super) turn_rate: Option<f32>,
    /// The rule by which the heading of the members follows their motion.
    pub(super) heading_rule: HeadingRule,
    /// The least speed of the members (length / time).
    pub(super) min_speed: f32,
    /// Whether touching of the members' bodies raises events.
    pub(super) contacts: bool,
    /// Whether the members' bodies push others and are pushed in a world of solid bodies.
    pub(super) solid: bool,
    /// The weight of a body in contacts.
    pub(super) inertia: f32,
    /// The number of ticks from one evaluation of a member's behaviors to the next.
    pub(super) think_every: u32,
    /// The factor that drag multiplies the velocity by in a tick: (1 - drag)^dt. In a group with a
    /// decider, or whose states differ in drag, it is 1, and drag is part of the start of the step.
    pub(super) drag_factor: f32,
    /// (min, max) of each stat.
    pub(super) stats: Vec<(f32, f32)>,
    pub(super) state_names: Vec<String>,
    pub(super) states: Vec<CompiledState<V>>,
    /// The perception of the members, if any. The first remembered position of a member belongs to
    /// the perception, the others to `stuck`.
    pub(super) perception: Option<(Perception<V>, ViewCone)>,
    pub(super) stuck: StuckDistances,
    /// Whether the members have a goal, or may read [`Shared`](crate::context::Shared).
    pub(super) reads_more: bool,
    /// Whether a solver of the lists, or the drag of a state, may replace the velocity that the
    /// step starts from.
    pub(super) replaces_velocity: bool,
    /// Whether a behavior, condition or perception reads the order of its host.
    pub(super) reads_order: bool,
    /// Whether a member may be frozen.
    pub(super) has_frozen: bool,
    /// Whether a member may wait for its start.
    pub(super) has_waiting: bool,
    /// The rule for members without an order.
    pub(super) without_order: WithoutOrder<V>,
    /// The formations of the members.
    pub(super) formations: Vec<FormationSlots<V>>,
    /// The memories of `queue_along` in the lists of the members, with their paths.
    pub(super) queue_memories: Vec<(usize, PathId)>,
    /// The number of members at this tick if the group has a formation, otherwise 0.
    pub(super) formation_size: u32,
    /// Whether a list of the members has `navigate`.
    pub(super) navigates: bool,
    /// Whether the members have remembered positions, formations or queues.
    pub(super) perceives: bool,
    /// The number of members when they were last counted.
    pub(super) member_count: u32,
    /// The unit of speed in sums over the neighbors of the members (length / time).
    pub(super) speed_unit: f32,
    /// The largest neighbor radius of the lists (length); `None` if no list reads neighbors.
    pub(super) radius: Option<f32>,
    /// Whether a behavior of the lists reads the body radii of neighbors.
    pub(super) reads_bodies: bool,
    /// Whether a user's code is in its lists.
    pub(super) users_code: bool,
    /// Whether a behavior, perception or condition may search for its nearest member.
    pub(super) searched: bool,
    /// Whether a behavior may read the center of the members.
    pub(super) centered: bool,
    /// The center of the members at this tick, if it is read.
    pub(super) center: Option<GroupCenter<V>>,
    /// The explored grid of each `explore` of the lists, with its random stream.
    pub(super) explored: Vec<(u32, Explored<V>)>,
    /// A tree over the members' positions at this tick, if the group is searched.
    pub(super) members: Bvh<V>,
}

/// The compiled groups of `setup`, and the widths of the columns of their members.
pub(super) fn compile_groups<V: Vector>(
    setup: &Setup<V>,
    structure: &Structure,
) -> (Vec<CompiledGroup<V>>, Widths) {
    let mut memory = 0;
    let mut groups: Vec<_> = setup
        .groups
        .iter()
        .map(|group| CompiledGroup::new(group, setup.dt, setup.up, &mut memory))
        .collect();
    groups
        .iter_mut()
        .zip(nearest_member::searched(&setup.groups))
        .for_each(|(group, searched)| group.searched = searched);
    groups
        .iter_mut()
        .zip(nearest_member::centered(&setup.groups))
        .for_each(|(group, centered)| group.centered = centered);
    for (group, entry) in groups.iter_mut().zip(&structure.groups) {
        group.first_id = entry.first_id;
    }
    let widths = Widths {
        facing: usize::from(setup.groups.iter().any(Group::turns)),
        force: usize::from(setup.groups.iter().any(|group| group.think_every > 1)),
        stats: setup.groups.iter().map(|group| group.stats.len()).max().unwrap_or(0),
        memory,
        remembered: groups.iter().map(CompiledGroup::remembered_count).max().unwrap_or(0),
        limits_change: setup.groups.iter().any(spawn::limits_change),
    };
    (groups, widths)
}

impl<V: Vector> CompiledState<V> {
    /// The behaviors of the list, and the decider.
    pub(super) fn behaviors(&self) -> impl Iterator<Item = &Behavior<V>> {
        let decider = self.decider.iter().filter_map(|slot| match &slot.entry {
            Entry::Behavior(behavior) => Some(behavior),
            Entry::List(_) => None,
        });
        self.list.behaviors().chain(decider)
    }

    /// Whether a behavior of the list or a condition of a transition reads the order of an agent;
    /// a user's code may read anything.
    fn may_read_order(&self) -> bool {
        let mut reads = self.names_order || self.behaviors().any(Behavior::is_users);
        for transition in &self.leave {
            transition.when.visit(&mut |condition| {
                reads |= matches!(condition, Condition::Own(_));
                reads |= condition.parameters().iter().any(|parameter| {
                    condition.get(parameter.name).is_some_and(|value| value.is_order())
                });
            });
        }
        reads
    }
}

/// The factor that this drag (1 / time) multiplies a velocity by in a tick: (1 - drag)^dt.
fn drag_factor(drag: f32, dt: f64) -> f32 {
    if drag == 0.0 { 1.0 } else { libm::pow(1.0 - f64::from(drag), dt) as f32 }
}

impl<V: Vector> CompiledGroup<V> {
    /// Whether every tick of the members has the same steps now: steady, and no member is frozen or
    /// waits for its start.
    #[inline(always)]
    pub(super) fn is_plain(&self) -> bool {
        self.steady && !self.has_frozen && !self.has_waiting
    }

    pub(super) fn is_on_wheels(&self) -> bool {
        matches!(self.heading_rule, HeadingRule::Wheels(_))
    }

    /// Whether the members' steps are more than a force, a drag and limits.
    #[inline(always)]
    pub(super) fn has_own_steps(&self) -> bool {
        self.heading_rule != HeadingRule::Direct || self.min_speed > 0.0
    }

    fn new(group: &Group<V>, dt: f64, up: Up, memory_width: &mut usize) -> Self {
        let (mut streams, mut memories) = (0, 0);
        let mut own = group.steer.clone();
        own.number(&mut streams, &mut memories);
        let mut explored = explored_grids(&own, up);
        let lone = [State::new("")];
        let has_limits = spawn::limits_change(group);
        let states = if group.states.is_empty() { &lone[..] } else { &group.states };
        let mut states: Vec<CompiledState<V>> = states
            .iter()
            .map(|state| {
                let mut list = List { combine: group.rule(state), ..own.clone() };
                let mut steer = state.steer.clone();
                steer.number(&mut streams, &mut memories);
                explored.extend(explored_grids(&steer, up));
                list.slots.extend(steer.slots);
                list.resolve(&group.scale(state, dt as f32));
                // The slots are numbered before this filter, so that switching a behavior off and
                // on changes neither its memory nor the random numbers of other behaviors.
                let mut list = list.switched_on();
                let names_order = list.behaviors().any(Behavior::names_order);
                let decider = list.take_decider();
                CompiledState {
                    rates: group.rates(state),
                    leave: group.transitions(state),
                    navigate: routes::compiled_navigate(&list, group, dt),
                    queue: state_queue(&list),
                    paths: list.path_memories(),
                    names_order,
                    has_limits,
                    start_drag_factor: drag_factor(state.drag.unwrap_or(group.drag), dt),
                    list,
                    decider,
                }
            })
            .collect();
        *memory_width = memories.max(*memory_width);
        let may_replace_velocity =
            |behavior: &Behavior<V>| matches!(behavior, Behavior::Solver(_)) || behavior.is_users();
        let replaces_velocity = states
            .iter()
            .any(|state: &CompiledState<V>| state.behaviors().any(may_replace_velocity));
        let first_drag_factor = states[0].start_drag_factor;
        let drags_at_start = states
            .iter()
            .any(|state| state.decider.is_some() || state.start_drag_factor != first_drag_factor);
        if !drags_at_start {
            states.iter_mut().for_each(|state| state.start_drag_factor = 1.0);
        }
        let stuck = StuckDistances::new(states.iter().flat_map(|state| &state.leave));
        let reads_order = states.iter().any(CompiledState::may_read_order)
            || group.sight.is_some_and(|sight| sight.of == Target::Order);
        let lists: Vec<_> = states.iter().map(|state| &state.list).collect();
        let formations = formations(&lists);
        let queue_memories = queue_memories(states.iter().filter_map(|state| state.queue));
        let navigates = states.iter().any(|state| state.navigate.is_some());
        let behaviors = || states.iter().flat_map(CompiledState::behaviors);
        let radius = behaviors().filter_map(Steer::neighbor_radius).reduce(f32::max);
        let users_code = behaviors().any(Behavior::is_users);
        let reads_shared = users_code || behaviors().any(|b| b.needs().has(Needs::SHARED));
        let reads_bodies = behaviors().any(|behavior| behavior.needs().has(Needs::BODIES));
        Self {
            name: group.name.clone(),
            first_id: 0,
            steady: group.think_every == 1
                && group.sight.is_none()
                && formations.is_empty()
                && queue_memories.is_empty()
                && states.len() == 1
                && states[0].leave.is_empty()
                && states[0].rates.is_empty(),
            turn_rate: group.turns().then_some(group.turn_rate.to_radians()),
            heading_rule: HeadingRule::of(group, dt),
            min_speed: group.min_speed,
            contacts: group.contacts,
            solid: group.solid,
            inertia: group.inertia,
            think_every: group.think_every,
            drag_factor: if drags_at_start { 1.0 } else { first_drag_factor },
            perception: group
                .sight
                .map(|sight| (sight, ViewCone::new(sight.within, sight.field_of_view))),
            perceives: group.sight.is_some()
                || !stuck.distances.is_empty()
                || !formations.is_empty()
                || !queue_memories.is_empty(),
            replaces_velocity: replaces_velocity || drags_at_start,
            // A user's behavior may read any part of the context.
            reads_order,
            has_frozen: false,
            has_waiting: group.start_after.waits(),
            without_order: group.without_order,
            navigates,
            reads_more: reads_order
                || group.goal.is_some()
                || group.sight.is_some()
                || reads_shared,
            stuck,
            formations,
            queue_memories,
            formation_size: 0,
            member_count: 0,
            stats: group.stats.iter().map(|stat| (stat.min, stat.max)).collect(),
            state_names: group.states.iter().map(|state| state.name.clone()).collect(),
            speed_unit: power_of_two_from(spawn::max_speed(core::slice::from_ref(group))),
            radius,
            reads_bodies,
            users_code,
            states,
            searched: false,
            centered: false,
            center: None,
            explored,
            members: Bvh::default(),
        }
    }
}

/// A grid for each `explore` of a numbered list, with its random stream.
fn explored_grids<V: Vector>(list: &List<V>, up: Up) -> Vec<(u32, Explored<V>)> {
    list.exploring()
        .into_iter()
        .map(|(stream, explore)| {
            (stream, Explored::with_up(&explore.area, explore.cell_width(), up))
        })
        .collect()
}

/// The best cell width (length): the neighbor radius of the largest group that has one, unless
/// other groups have a much larger radius. `None` if no group reads neighbors.
pub(in crate::crowd) fn cell_width<V: Vector>(
    setup: &[Group<V>],
    groups: &[CompiledGroup<V>],
) -> Option<f32> {
    let widest = groups.iter().filter_map(|group| group.radius).reduce(f32::max)?;
    let looking =
        setup.iter().zip(groups).filter_map(|(setup, group)| Some((setup.count, group.radius?)));
    let usual = looking.max_by_key(|(count, _)| *count)?.1;
    Some(usual.max(widest / 8.0))
}
