//! Several behaviors become one force: weighted sum, priority, budget, dither (Reynolds, GDC 1999,
//! "Combining behaviors"), and context maps (A. Fray, "Context Steering", 2013; in `context.rs`).
//!
//! A list may stand inside a list, combined by its own rule. Its result is weighted like any other
//! force, and not truncated.

use crate::agent::{Agent, Memory};
use crate::annotation::DebugDraw;
use crate::behavior::{Explore, Steer};
use crate::context::SteerContext;
use crate::registry::Behavior;
use crate::vector::Vector;

mod context;

/// How the forces of a list become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Combine {
    /// The weighted forces are added: the tutorials' way.
    #[default]
    Sum,
    /// The first weighted force longer than the list's epsilon is the result; later ones are not
    /// asked.
    Priority,
    /// In order, each weighted force takes what is left of max_force, until nothing is: Reynolds'
    /// allocation.
    Budget,
    /// In order, each is drawn with its chance; the first that is drawn and longer than epsilon is
    /// the result, divided by its chance so that the mean stays. Reynolds' prioritized
    /// dithering.
    Dither,
    /// Of the directions in which no danger lies, the one of the most interest: A. Fray's context
    /// maps. Places marked as [`danger`](Slot::danger) say where danger lies, the others are
    /// the interests.
    Context,
}

impl Combine {
    /// The words of the scene format, in the order of the variants.
    pub const WORDS: &'static [&'static str] = &["sum", "priority", "budget", "dither", "context"];
}

/// The force (length / time) up to which [`Combine::Priority`] and [`Combine::Dither`] take a force
/// for none: what rounding leaves.
pub const EPSILON: f32 = 1e-6;

/// How many [dangers](Slot::danger) of context lists may be nested in one another. Each level
/// multiplies the cost by about 18, the number of directions.
pub const MOST_DANGER_LEVELS: usize = 2;

/// The bit that parts the draws of [`Combine::Dither`] from those of the behaviors drawn.
const DITHER: u32 = 1 << 31;

/// The memory of a place that has none.
const NO_MEMORY: usize = usize::MAX;

/// What stands at one place of a list.
#[derive(Clone, Debug)]
pub enum Entry<V: Vector> {
    /// A behavior.
    Behavior(Behavior<V>),
    /// A list with its own rule.
    List(List<V>),
}

/// One place of a list: what it steers by, and how much it counts.
#[derive(Clone, Debug)]
pub struct Slot<V: Vector> {
    /// What steers.
    pub entry: Entry<V>,
    /// What its force is multiplied by.
    pub weight: f32,
    /// With [`Combine::Dither`], how likely it is drawn (above 0, up to 1).
    pub chance: f32,
    /// With [`Combine::Context`], whether it says where danger lies: in every direction in which
    /// it would push back.
    pub danger: bool,
    /// Whether it is switched off: it is kept, with all it says, and steers nobody.
    pub off: bool,
    /// The stream of random numbers of this place.
    stream: u32,
    /// Where the agent keeps what this place remembers.
    memory: usize,
}

/// What a scene says of a [`Slot`], without the numbers that the list gives it.
pub(crate) struct SlotSettings<'a, V: Vector> {
    pub(crate) entry: &'a Entry<V>,
    pub(crate) weight: f32,
    pub(crate) chance: f32,
    pub(crate) danger: bool,
    pub(crate) off: bool,
}

impl<V: Vector> Slot<V> {
    /// What a scene says of it; a new field does not compile until it is listed here.
    pub(crate) fn settings(&self) -> SlotSettings<'_, V> {
        let Self { entry, weight, chance, danger, off, stream: _, memory: _ } = self;
        SlotSettings { entry, weight: *weight, chance: *chance, danger: *danger, off: *off }
    }

    /// A place for `entry`, with weight 1 and chance 1, switched on.
    pub fn new(entry: Entry<V>) -> Self {
        Self { entry, weight: 1.0, chance: 1.0, danger: false, off: false, stream: 0, memory: 0 }
    }

    /// The weighted force of what stands here.
    ///
    /// `nothing` is the memory of all places that remember nothing.
    #[inline(always)]
    fn force(
        &self,
        host: &Agent<V>,
        memories: &mut [Memory<V>],
        nothing: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        self.force_of(self.weight, host, memories, nothing, context, debug)
    }

    /// The force, with another weight.
    #[inline(always)]
    fn force_of(
        &self,
        weight: f32,
        host: &Agent<V>,
        memories: &mut [Memory<V>],
        nothing: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        context.stream = self.stream;
        match &self.entry {
            Entry::Behavior(behavior) => {
                let memory = |remembers: bool| match memories.get_mut(self.memory) {
                    Some(memory) if remembers => memory,
                    None if remembers => {
                        *nothing = Memory::default();
                        nothing
                    }
                    _ => nothing,
                };
                debug.set_source(behavior.name(), self.stream);
                let force = behavior.force_with(host, memory, context, debug) * weight;
                debug.contribution(force);
                force
            }
            Entry::List(list) => list.force(host, memories, context, debug) * weight,
        }
    }
}

/// Behaviors in their order, and the rule that makes one force of theirs.
#[derive(Clone, Debug)]
pub struct List<V: Vector> {
    /// The rule.
    pub combine: Combine,
    /// The force (length / time) up to which priority and dither take a force for none.
    pub epsilon: f32,
    /// The places in their order.
    pub slots: Vec<Slot<V>>,
}

impl<V: Vector> Default for List<V> {
    fn default() -> Self {
        Self { combine: Combine::Sum, epsilon: EPSILON, slots: Vec::new() }
    }
}

impl<V: Vector> List<V> {
    /// An empty list with this rule.
    pub fn new(combine: Combine) -> Self {
        Self { combine, ..Self::default() }
    }

    /// The list with one more behavior, of weight 1.
    #[must_use]
    pub fn with(self, behavior: impl Into<Behavior<V>>) -> Self {
        self.weighted(1.0, behavior)
    }

    /// The list with one more behavior, whose force is multiplied by `weight`.
    #[must_use]
    pub fn weighted(mut self, weight: f32, behavior: impl Into<Behavior<V>>) -> Self {
        self.slots.push(Slot { weight, ..Slot::new(Entry::Behavior(behavior.into())) });
        self
    }

    /// The list with another list inside, whose force is multiplied by `weight`.
    #[must_use]
    pub fn nested(mut self, weight: f32, list: List<V>) -> Self {
        self.slots.push(Slot { weight, ..Slot::new(Entry::List(list)) });
        self
    }

    /// All behaviors in it, those of nested lists included.
    pub fn behaviors(&self) -> Box<dyn Iterator<Item = &Behavior<V>> + '_> {
        Box::new(self.slots.iter().flat_map(|slot| match &slot.entry {
            Entry::Behavior(behavior) => Box::new(core::iter::once(behavior)),
            Entry::List(list) => list.behaviors(),
        }))
    }

    /// How far its behaviors look for neighbors (length); `None` where none does.
    pub fn neighbor_radius(&self) -> Option<f32> {
        self.behaviors().filter_map(Steer::neighbor_radius).reduce(f32::max)
    }

    /// Gives each place its stream of random numbers, and a memory to each that remembers; counts
    /// on from what is there.
    ///
    /// Returns how many memories [`force`](Self::force) takes.
    pub fn number(&mut self, streams: &mut u32, memories: &mut usize) {
        for slot in &mut self.slots {
            slot.stream = *streams;
            slot.memory = NO_MEMORY;
            *streams += 1;
            match &mut slot.entry {
                Entry::Behavior(behavior) if behavior.remembers() => {
                    slot.memory = *memories;
                    *memories += 1;
                }
                Entry::Behavior(_) => {}
                Entry::List(list) => list.number(streams, memories),
            }
        }
    }

    /// The list without the places that are switched off; those that stay keep their numbers.
    pub(crate) fn switched_on(mut self) -> Self {
        self.slots.retain(|slot| !slot.off);
        for slot in &mut self.slots {
            if let Entry::List(list) = &mut slot.entry {
                *list = core::mem::take(list).switched_on();
            }
        }
        self
    }

    /// The behaviors that can contribute a force, those of nested lists included: each with its
    /// stream, and whether the slots before it can keep it from being evaluated. Slots of weight 0
    /// and dangers contribute none.
    pub(crate) fn contributing(&self) -> Vec<(u32, &Behavior<V>, bool)> {
        let hides = matches!(self.combine, Combine::Priority | Combine::Budget);
        let mut found = Vec::new();
        for (i, slot) in self.slots.iter().enumerate() {
            if slot.weight == 0.0 || slot.danger {
                continue;
            }
            let hidden = hides && i > 0;
            match &slot.entry {
                Entry::Behavior(behavior) => found.push((slot.stream, behavior, hidden)),
                Entry::List(list) => found.extend(
                    list.contributing()
                        .into_iter()
                        .map(|(stream, behavior, inner)| (stream, behavior, inner || hidden)),
                ),
            }
        }
        found
    }

    /// The places that remember: their memories and behaviors, those of nested lists included.
    pub(crate) fn remembering(&self) -> Vec<(usize, &Behavior<V>)> {
        let mut found = Vec::new();
        for slot in &self.slots {
            match &slot.entry {
                Entry::Behavior(behavior) if slot.memory != NO_MEMORY => {
                    found.push((slot.memory, behavior))
                }
                Entry::Behavior(_) => {}
                Entry::List(list) => found.extend(list.remembering()),
            }
        }
        found
    }

    /// The places that hold an `explore`, those of nested lists included: their streams, and what
    /// they explore.
    pub(crate) fn exploring(&self) -> Vec<(u32, &Explore<V>)> {
        let mut found = Vec::new();
        for slot in &self.slots {
            match &slot.entry {
                Entry::Behavior(Behavior::Explore(explore)) => found.push((slot.stream, explore)),
                Entry::Behavior(_) => {}
                Entry::List(list) => found.extend(list.exploring()),
            }
        }
        found
    }

    /// The memories of the places that hold a `follow_path`.
    pub(crate) fn path_memories(&self) -> Vec<usize> {
        self.remembering()
            .iter()
            .filter(|(_, behavior)| matches!(behavior, Behavior::FollowPath(_)))
            .map(|(memory, _)| *memory)
            .collect()
    }

    /// The combined force (length / time), not yet truncated to max_force.
    ///
    /// `memories` holds as many as [`number`](Self::number) counted; a place without one gets a
    /// fresh one each time. Each behavior reports its force and figures to `debug`.
    pub fn force(
        &self,
        host: &Agent<V>,
        memories: &mut [Memory<V>],
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        self.combined(
            self.slots.iter().filter(|slot| !slot.off),
            host,
            memories,
            &mut Memory::default(),
            context,
            debug,
        )
    }

    /// The same of a list in which nothing is switched off, to be compiled where it is called;
    /// `nothing` is the memory of all places that remember nothing.
    #[inline(always)]
    pub(crate) fn running(
        &self,
        host: &Agent<V>,
        memories: &mut [Memory<V>],
        nothing: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
    ) -> V {
        self.combined(self.slots.iter(), host, memories, nothing, context, DebugDraw::OFF)
    }

    #[inline(always)]
    fn combined<'a>(
        &'a self,
        slots: impl Iterator<Item = &'a Slot<V>>,
        host: &Agent<V>,
        memories: &mut [Memory<V>],
        nothing: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        if self.combine != Combine::Sum {
            return self.chosen(host, memories, nothing, context, debug);
        }
        let outer = core::mem::replace(&mut context.sum, V::ZERO);
        for slot in slots {
            let force = slot.force(host, memories, nothing, context, debug);
            context.sum += force;
        }
        // Weights and forces of a scene are far from where numbers end: holding the sum once is
        // enough.
        core::mem::replace(&mut context.sum, outer).held()
    }

    /// The combined force by the rules that do not ask every place.
    #[inline(never)]
    fn chosen(
        &self,
        host: &Agent<V>,
        memories: &mut [Memory<V>],
        nothing: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        if self.combine == Combine::Context {
            return self.by_context(host, memories, nothing, context, debug);
        }
        let outer = context.sum;
        let mut sum = V::ZERO;
        let mut left = host.max_force;
        for slot in self.slots.iter().filter(|slot| !slot.off) {
            if self.combine == Combine::Dither {
                // A stream of its own: the numbers that the behavior draws must not follow from its
                // having been drawn.
                let drawn = context.rng_key.random(context.id, slot.stream ^ DITHER).unit();
                if drawn >= slot.chance {
                    continue;
                }
            }
            context.sum = sum;
            let force = slot.force(host, memories, nothing, context, debug);
            match self.combine {
                Combine::Sum | Combine::Context => sum += force,
                Combine::Priority | Combine::Dither if force.length() > self.epsilon => {
                    sum = if self.combine == Combine::Dither {
                        force * (1.0 / slot.chance)
                    } else {
                        force
                    };
                    break;
                }
                Combine::Priority | Combine::Dither => {}
                Combine::Budget => {
                    let taken = force.truncate(left);
                    sum += taken;
                    left -= taken.length();
                    if left <= 0.0 {
                        break;
                    }
                }
            }
        }
        context.sum = outer;
        sum.held()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::Wander;
    use crate::behavior::testing::{assert_near, company};
    use crate::parameter::Parameters;
    use crate::random::RngKey;
    use crate::solve::Queue;
    use glam::{Vec2, vec2};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Always the same force; counts how often it was asked.
    #[derive(Debug)]
    struct Push(Vec2, AtomicUsize);

    impl Steer<Vec2> for Push {
        fn force(
            &self,
            _: &Agent<Vec2>,
            _: &mut Memory<Vec2>,
            _: &mut SteerContext<'_, Vec2>,
            _: DebugDraw<'_, Vec2>,
        ) -> Vec2 {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0
        }
    }

    fn push(x: f32, y: f32) -> Behavior<Vec2> {
        Behavior::Own("push", Arc::new(Push(vec2(x, y), AtomicUsize::new(0))))
    }

    fn limited(max_force: f32) -> Agent<Vec2> {
        Agent { max_force, ..Agent::new(Vec2::ZERO, 5.0) }
    }

    fn force(list: &List<Vec2>, max_force: f32) -> Vec2 {
        list.force(&limited(max_force), &mut [], &mut SteerContext::empty(1.0), DebugDraw::OFF)
    }

    #[test]
    fn a_sum_is_weighted_and_not_truncated() {
        let list = List::default()
            .weighted(2.0, push(1.0, 2.0))
            .weighted(-1.0, push(0.0, -3.0))
            .with(push(0.5, 0.0));
        assert_eq!(force(&list, 0.1), vec2(2.5, 7.0));
        assert_eq!(force(&List::default(), 1.0), Vec2::ZERO);
    }

    #[test]
    fn priority_takes_the_first_force_longer_than_epsilon_and_asks_no_other() {
        let last = Arc::new(Push(vec2(7.0, 0.0), AtomicUsize::new(0)));
        // Not longer than 1: nothing, (2, 0) at weight 0.5, exactly 1; at weight -1 it is.
        let list = List { epsilon: 1.0, ..List::new(Combine::Priority) }
            .with(push(0.0, 0.0))
            .weighted(0.5, push(2.0, 0.0))
            .with(push(0.0, 1.0))
            .weighted(-1.0, push(0.0, 2.0))
            .with(Behavior::Own("last", last.clone()));
        assert_eq!(force(&list, f32::INFINITY), vec2(0.0, -2.0));
        assert_eq!(last.1.load(Ordering::Relaxed), 0);
        assert_eq!(force(&List { epsilon: 2.0, ..list.clone() }, f32::INFINITY), vec2(7.0, 0.0));
        assert_eq!(force(&List { epsilon: 7.0, ..list }, f32::INFINITY), Vec2::ZERO);
        // What rounding leaves counts as nothing unless told otherwise.
        assert_eq!(
            force(&List::new(Combine::Priority).with(push(9e-7, 0.0)).with(push(0.0, 2e-6)), 1.0),
            vec2(0.0, 2e-6)
        );
    }

    #[test]
    fn a_budget_is_spent_in_order_until_it_runs_out() {
        let last = Arc::new(Push(vec2(5.0, 5.0), AtomicUsize::new(0)));
        let list = List::new(Combine::Budget)
            .with(push(6.0, 0.0))
            .weighted(2.0, push(0.0, 4.0))
            .with(Behavior::Own("last", last.clone()));
        // 10 are there: 6, then 4 of 8, then nothing.
        assert_eq!(force(&list, 10.0), vec2(6.0, 4.0));
        assert_eq!(last.1.load(Ordering::Relaxed), 0);
        // Of 15, one is left for (5, 5); opposite forces use it up as well.
        assert_near(
            force(&list, 15.0),
            vec2(6.0, 8.0) + Vec2::splat(core::f32::consts::FRAC_1_SQRT_2),
        );
        assert_eq!(
            force(&List::new(Combine::Budget).with(push(6.0, 0.0)).with(push(-6.0, 0.0)), 10.0),
            vec2(2.0, 0.0)
        );
        assert_eq!(force(&list, f32::INFINITY), vec2(11.0, 13.0));
        assert_eq!(force(&list, 0.0), Vec2::ZERO);
    }

    #[test]
    fn what_is_switched_off_steers_nobody_by_any_rule() {
        for rule in [Combine::Sum, Combine::Priority, Combine::Budget, Combine::Dither] {
            let inner = List::new(rule).with(push(9.0, 0.0)).with(push(0.0, 2.0));
            let mut list = List::new(rule).with(push(7.0, 7.0)).nested(1.0, inner);
            list.slots[0].off = true;
            let Entry::List(inner) = &mut list.slots[1].entry else { panic!("it is one") };
            inner.slots[0].off = true;
            assert_eq!(force(&list, f32::INFINITY), vec2(0.0, 2.0), "{rule:?}");
            assert_eq!(
                force(&list.clone().switched_on(), f32::INFINITY),
                vec2(0.0, 2.0),
                "{rule:?}"
            );
            assert_eq!(list.switched_on().behaviors().count(), 1);
        }
    }

    #[test]
    fn dither_keeps_the_mean_of_what_it_draws() {
        let mut list = List::new(Combine::Dither)
            .with(push(0.0, 0.0))
            .with(push(3.0, 0.0))
            .weighted(2.0, push(0.0, 1.0));
        (list.slots[1].chance, list.slots[2].chance) = (0.25, 0.5);
        list.number(&mut 0, &mut 0);
        let (mut mean, mut first) = (Vec2::ZERO, 0);
        for tick in 0..10_000 {
            let force = list.force(
                &limited(1.0),
                &mut [],
                &mut SteerContext { rng_key: RngKey::new(0, tick), ..SteerContext::empty(1.0) },
                DebugDraw::OFF,
            );
            assert!([vec2(12.0, 0.0), vec2(0.0, 4.0), Vec2::ZERO].contains(&force), "{force}");
            first += i32::from(force.x > 0.0);
            mean += force * 1e-4;
        }
        // The first is drawn in a quarter of the ticks, four times as strong: its mean is its
        // force. The second comes to its turn in three quarters. The standard deviations
        // are 43 ticks, 0.052 and 0.019.
        assert!((first - 2_500).abs() < 215, "{first}");
        assert!((mean.x - 3.0).abs() < 0.26 && (mean.y - 1.5).abs() < 0.1, "{mean}");
    }

    #[test]
    fn what_is_drawn_by_dither_draws_numbers_of_its_own() {
        // Were the number that chose wander its first step as well, it would only ever turn to one
        // side.
        let wander = Wander { circle_distance: 0.0, circle_radius: 1.0, angle_change: 1.0 };
        let mut list = List::new(Combine::Dither).with(wander);
        list.slots[0].chance = 0.25;
        list.number(&mut 0, &mut 0);
        let (mut drawn, mut left) = (0_i32, 0_i32);
        for id in 0..4_000 {
            let mut memory = [Memory { wander: Some(0.0), ..Memory::default() }];
            let force = list.force(
                &limited(1.0),
                &mut memory,
                &mut SteerContext { id, ..SteerContext::empty(1.0) },
                DebugDraw::OFF,
            );
            if force != Vec2::ZERO {
                drawn += 1;
                left += i32::from(memory[0].wander.unwrap() > 0.0);
            }
        }
        // 1,000 and 500, with standard deviations of 27 and 16.
        assert!((drawn - 1_000).abs() < 135 && (left - 500).abs() < 80, "{drawn} {left}");
    }

    #[test]
    fn a_list_inside_a_list_has_its_own_rule_and_is_weighted_as_one() {
        let inner = List::new(Combine::Priority)
            .with(push(0.0, 0.0))
            .with(push(0.0, 3.0))
            .with(push(9.0, 9.0));
        let list =
            List::default().with(push(1.0, 0.0)).nested(2.0, inner.clone()).with(push(0.0, 0.5));
        assert_eq!(force(&list, 1.0), vec2(1.0, 6.5));
        assert_eq!(
            force(
                &List::new(Combine::Priority).nested(1.0, List::default()).nested(-1.0, inner),
                1.0
            ),
            vec2(0.0, -3.0)
        );
    }

    #[test]
    fn queue_brakes_the_sum_before_it_in_its_own_list() {
        let parameters =
            Queue { ahead: 3.0, radius: 2.0, ..<Queue as Parameters<Vec2>>::defaults() };
        let neighbors = company(&[(vec2(3.0, 0.0), Vec2::X, 0)]);
        let force = |list: &List<Vec2>| {
            let mut context = SteerContext {
                neighbors: &neighbors,
                sum: vec2(100.0, 100.0),
                ..SteerContext::empty(1.0)
            };
            let force = list.force(&limited(1.0), &mut [], &mut context, DebugDraw::OFF);
            (force, context.sum)
        };
        // The host stands: -0.8 * (2 (1, 2) + (3, 0)) and what it brakes; the sum of whoever called
        // is left as it was.
        let list =
            List::default().weighted(2.0, push(1.0, 2.0)).with(push(3.0, 0.0)).with(parameters);
        let (braked, outer) = force(&list);
        assert_near(braked, vec2(5.0, 4.0) * 0.2);
        assert_eq!(outer, vec2(100.0, 100.0));
        assert_near(
            force(&List::default().with(push(10.0, 0.0)).nested(1.0, list)).0,
            vec2(11.0, 0.8),
        );
    }

    /// Adds up how often it was called in its memory.
    #[derive(Debug)]
    struct Count(bool);

    impl Steer<Vec2> for Count {
        fn force(
            &self,
            _: &Agent<Vec2>,
            memory: &mut Memory<Vec2>,
            _: &mut SteerContext<'_, Vec2>,
            _: DebugDraw<'_, Vec2>,
        ) -> Vec2 {
            memory.own[0] += 1.0;
            vec2(memory.own[0], 0.0)
        }
        fn remembers(&self) -> bool {
            self.0
        }
    }

    #[test]
    fn each_place_that_remembers_has_a_memory_of_its_own_and_the_others_have_none() {
        let count = |remembers| Behavior::Own("count", Arc::new(Count(remembers)));
        let inner = List::default().weighted(100.0, count(true)).weighted(1_000.0, count(false));
        let mut list =
            List::default().with(count(true)).nested(1.0, inner).weighted(10.0, count(true));
        let (mut streams, mut memories) = (5, 1);
        list.number(&mut streams, &mut memories);
        assert_eq!((streams, memories), (10, 4));
        let mut memory = [Memory::default(); 4];
        let mut force = || {
            list.force(&limited(1.0), &mut memory, &mut SteerContext::empty(1.0), DebugDraw::OFF).x
        };
        assert_eq!([force(), force(), force()], [1_111.0, 1_222.0, 1_333.0]);
        assert_eq!(memory.map(|m| m.own[0]), [0.0, 3.0, 3.0, 3.0]);
    }

    #[test]
    fn a_list_looks_for_neighbors_as_far_as_the_farthest_of_its_behaviors() {
        let queue = |ahead| Queue { ahead, radius: 2.0, ..<Queue as Parameters<Vec2>>::defaults() };
        let list = List::default()
            .nested(1.0, List::default().with(queue(7.0)))
            .with(queue(3.0))
            .with(push(0.0, 0.0));
        assert_eq!((list.neighbor_radius(), list.behaviors().count()), (Some(9.0), 3));
        assert_eq!(List::default().with(push(0.0, 0.0)).neighbor_radius(), None);
    }
}
