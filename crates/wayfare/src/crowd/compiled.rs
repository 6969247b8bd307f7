//! Groups ready to run: what follows from their setup, once.

use super::Crowd;
use super::nearest_member;
use super::pipeline::assign::{self, Formed};
use super::pipeline::index::{cell_width, power_of_two_from};
use super::pipeline::perceive;
use super::population::{explore, spawn};
use super::setup::{Group, Perception, Setup, State, Transition};
use crate::behavior::Steer;
use crate::combine::List;
use crate::geometry::explored::Explored;
use crate::geometry::visibility::ViewCone;
use crate::registry::Behavior;
use crate::spatial::bvh::Bvh;
use crate::vector::Vector;

/// One state of a group, ready to run; a group without states has one that is never left.
#[derive(Debug)]
pub(super) struct CompiledState<V: Vector> {
    pub(super) list: List<V>,
    pub(super) rates: Vec<(usize, f32)>,
    pub(super) leave: Vec<Transition<V>>,
    /// The memories of the paths that the list follows.
    pub(super) paths: Vec<usize>,
}

/// A group, ready to run.
#[derive(Debug)]
pub(super) struct CompiledGroup<V: Vector> {
    pub(super) name: String,
    /// The id of its first member at the start.
    pub(super) first: u32,
    pub(super) has_goal: bool,
    /// Whether its members do the same at every tick: no states to leave, no stats that change,
    /// nobody who thinks by turns.
    pub(super) steady: bool,
    /// How fast its members turn where they look (radians / time); `None` where they look along
    /// their heading.
    pub(super) turn_rate: Option<f32>,
    /// The radius of the smallest circle that they turn on (length), if they roll on wheels.
    pub(super) turning_radius: Option<f32>,
    /// Its members steer anew at every so many ticks.
    pub(super) think_every: u32,
    /// (1 - drag)^dt.
    pub(super) keep: f32,
    /// (least, most) of each stat.
    pub(super) stats: Vec<(f32, f32)>,
    pub(super) states: Vec<String>,
    pub(super) plans: Vec<CompiledState<V>>,
    /// Whom its members look out for, with what eyes, and how near to a place somebody stuck is: a
    /// mark for each, in this order.
    pub(super) sight: Option<(Perception<V>, ViewCone)>,
    pub(super) stuck: Vec<f32>,
    /// Whether its members share anything that only some groups do.
    pub(super) shares: bool,
    /// The formations that its members keep, and how many members there are at this tick, if they
    /// keep any.
    pub(super) formed: Vec<Formed<V>>,
    /// Whether there are any marks or formations.
    pub(super) keeps: bool,
    pub(super) count: u32,
    /// How far its members look for neighbors; `None` where they never do.
    pub(super) radius: Option<f32>,
    /// Whether its members ask for the bodies of their neighbors.
    pub(super) reads_bodies: bool,
    /// Whether somebody may look for its nearest member.
    pub(super) sought: bool,
    /// Where its members have been, for each place of its lists that explores, with the stream of
    /// that place.
    pub(super) explored: Vec<(u32, Explored<V>)>,
    /// Its members where they are at this tick, if they are sought.
    pub(super) members: Bvh<V>,
}

/// The groups of `setup`, ready to run, and how many memories their members keep.
pub(super) fn compile_groups<V: Vector>(setup: &Setup<V>) -> (Vec<CompiledGroup<V>>, usize) {
    let mut memory_width = 0;
    let mut groups: Vec<_> = setup
        .groups
        .iter()
        .map(|group| CompiledGroup::new(group, setup.dt, &mut memory_width))
        .collect();
    groups
        .iter_mut()
        .zip(nearest_member::sought(&setup.groups))
        .for_each(|(group, sought)| group.sought = sought);
    let mut first = 0;
    for (group, setup) in groups.iter_mut().zip(&setup.groups) {
        group.first = first;
        first += setup.count as u32;
    }
    (groups, memory_width)
}

impl<V: Vector> CompiledGroup<V> {
    fn new(group: &Group<V>, dt: f64, memory_width: &mut usize) -> Self {
        let (mut streams, mut memories) = (0, 0);
        let mut own = group.steer.clone();
        own.number(&mut streams, &mut memories);
        let mut explored = explore::grids(&own);
        let lone = [State {
            name: String::new(),
            rates: Vec::new(),
            steer: List::default(),
            leave: Vec::new(),
        }];
        let states = if group.states.is_empty() { &lone[..] } else { &group.states };
        let plans: Vec<CompiledState<V>> = states
            .iter()
            .map(|state| {
                let mut list = own.clone();
                let mut steer = state.steer.clone();
                steer.number(&mut streams, &mut memories);
                explored.extend(explore::grids(&steer));
                list.slots.extend(steer.slots);
                // Numbered before: who is switched off and on again finds what it remembered, and
                // nobody else draws other numbers.
                let list = list.switched_on();
                CompiledState {
                    rates: state.rates.clone(),
                    leave: state.leave.clone(),
                    paths: list.path_memories(),
                    list,
                }
            })
            .collect();
        *memory_width = memories.max(*memory_width);
        let (stuck, formed) = (perceive::stuck(&plans), assign::formations(&plans));
        Self {
            name: group.name.clone(),
            first: 0,
            has_goal: group.goal.is_some(),
            steady: group.think_every == 1
                && group.sight.is_none()
                && formed.is_empty()
                && plans.len() == 1
                && plans[0].leave.is_empty()
                && plans[0].rates.is_empty(),
            turn_rate: group.turns().then_some(group.turn_rate.to_radians()),
            turning_radius: group.turning_radius,
            think_every: group.think_every,
            keep: if group.drag == 0.0 {
                1.0
            } else {
                libm::pow(1.0 - f64::from(group.drag), dt) as f32
            },
            sight: group
                .sight
                .map(|sight| (sight, ViewCone::new(sight.within, sight.field_of_view))),
            keeps: group.sight.is_some() || !stuck.is_empty() || !formed.is_empty(),
            // Nobody knows what a behavior of one's own reads.
            shares: group.sight.is_some()
                || plans.iter().flat_map(|plan| plan.list.behaviors()).any(|behavior| {
                    matches!(
                        behavior,
                        Behavior::FollowFlow(_)
                            | Behavior::Explore(_)
                            | Behavior::Formation(_)
                            | Behavior::Own(..)
                    )
                }),
            stuck,
            formed,
            count: 0,
            stats: group.stats.iter().map(|stat| (stat.min, stat.max)).collect(),
            states: group.states.iter().map(|state| state.name.clone()).collect(),
            radius: plans.iter().filter_map(|plan| plan.list.neighbor_radius()).reduce(f32::max),
            reads_bodies: plans.iter().any(|plan| plan.list.behaviors().any(Steer::reads_bodies)),
            plans,
            sought: false,
            explored,
            members: Bvh::default(),
        }
    }
}

impl<V: Vector> Crowd<V> {
    /// Makes everything anew that follows from the groups of the setup.
    pub(super) fn rebuild(&mut self) {
        let before = core::mem::replace(&mut self.groups, compile_groups(&self.setup).0);
        self.go_on_exploring(before);
        self.cell_width = cell_width(&self.setup.groups, &self.groups);
        self.fastest = spawn::fastest(&self.setup.groups);
        self.speed = power_of_two_from(self.fastest);
        self.watch.prepare(&self.groups, &self.paths);
        self.disordered();
    }
}
