//! [`List`]: behaviors in order, with the rule that combines their forces.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::one_pass::OnePass;
use super::{Combine, EPSILON};
use crate::agent::{Agent, Memory};
use crate::annotation::DebugDraw;
use crate::behavior::{Explore, Rule, Steer};
use crate::context::SteerContext;
use crate::parameter::{Needs, Scale};
use crate::registry::Behavior;
use crate::solve::{Solution, Solve, Solver};
use crate::vector::Vector;

/// The bit that separates the stream of [`Combine::Dither`] from the streams of the drawn
/// behaviors.
const DITHER: u32 = 1 << 31;

/// The memory index of a slot without memory.
const NO_MEMORY: usize = usize::MAX;

/// The content of a slot.
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Entry<V: Vector> {
    /// A behavior.
    Behavior(Behavior<V>),
    /// A list with its own rule.
    List(List<V>),
}

impl<V: Vector> Entry<V> {
    /// The number of lists with [`Combine::Context`] in it, itself included.
    pub(crate) fn context_lists(&self) -> usize {
        match self {
            Entry::Behavior(_) => 0,
            Entry::List(list) => {
                let inner = list.slots.iter().map(|slot| slot.entry.context_lists());
                usize::from(list.combine == Combine::Context) + inner.sum::<usize>()
            }
        }
    }
}

/// One slot of a list: a behavior or an inner list, and its weight.
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Slot<V: Vector> {
    /// The behavior or inner list.
    pub entry: Entry<V>,
    /// The factor of the entry's force; default 1.
    pub weight: f32,
    /// With [`Combine::Dither`] the probability that the slot is drawn (above 0, at most 1);
    /// default 1.
    pub chance: f32,
    /// With [`Combine::Context`] whether the slot is a danger: the list avoids directions in which
    /// the slot pushes back.
    pub danger: bool,
    /// Whether the slot is switched off: it stays in the list without effect.
    pub off: bool,
    /// The stream of random numbers of this slot.
    #[cfg_attr(feature = "serde", serde(skip))]
    stream: u32,
    /// The index of this slot's memory among the agent's memories.
    #[cfg_attr(feature = "serde", serde(skip))]
    memory: usize,
    /// In the first slot of a compiled list, if several of its slots sum over neighbors in one
    /// pass.
    #[cfg_attr(feature = "serde", serde(skip))]
    one_pass: Option<Box<OnePass>>,
}

/// The settings of a [`Slot`] in a scene, without the indices that the list assigns.
pub(crate) struct SlotSettings<'a, V: Vector> {
    pub(crate) entry: &'a Entry<V>,
    pub(crate) weight: f32,
    pub(crate) chance: f32,
    pub(crate) danger: bool,
    pub(crate) off: bool,
}

impl<V: Vector> Slot<V> {
    /// A slot for `entry`, with weight 1 and chance 1, switched on.
    pub fn new(entry: Entry<V>) -> Self {
        let (stream, memory, one_pass) = (0, 0, None);
        Self {
            entry,
            weight: 1.0,
            chance: 1.0,
            danger: false,
            off: false,
            stream,
            memory,
            one_pass,
        }
    }

    /// The settings of this slot; a new field does not compile until it is listed here.
    pub(crate) fn settings(&self) -> SlotSettings<'_, V> {
        let Self { entry, weight, chance, danger, off, stream: _, memory: _, one_pass: _ } = self;
        SlotSettings { entry, weight: *weight, chance: *chance, danger: *danger, off: *off }
    }

    /// The solver that it holds.
    #[inline(always)]
    pub(crate) fn solver(&self) -> Option<&Solver<V>> {
        match &self.entry {
            Entry::Behavior(Behavior::Solver(solver)) => Some(solver),
            _ => None,
        }
    }

    /// Its behavior as a rule that can be added in one pass with others.
    pub(super) fn rule(&self) -> Option<Rule<'_>> {
        match &self.entry {
            Entry::Behavior(behavior) => behavior.rule(),
            Entry::List(_) => None,
        }
    }

    /// Whether it holds a solver that alone decides the velocity.
    pub(crate) fn decides_velocity(&self) -> bool {
        self.solver().is_some_and(Solve::decides_velocity)
    }

    /// Whether it holds a solver whose velocity stays as it is in contacts.
    pub(crate) fn plans_contacts(&self) -> bool {
        self.solver().is_some_and(Solve::plans_contacts)
    }

    /// The solution of a slot that decides the velocity, for the combined force `sum` of its list
    /// (length / time); its contribution is what it changes.
    pub(crate) fn solve(
        &self,
        host: &Agent<V>,
        sum: V,
        context: &SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> Solution<V> {
        let Some(solver) = self.solver() else {
            return Solution { force: V::ZERO, start: host.velocity };
        };
        debug.set_source(|| solver.name(), self.stream);
        let solution = solver.solve(host, sum, context, debug);
        debug.contribution(solution.force + (solution.start - host.velocity));
        solution
    }

    /// The weighted force of the entry.
    ///
    /// `unused` is passed to entries without memory.
    #[inline(always)]
    fn force(
        &self,
        host: &Agent<V>,
        memories: &mut [Memory<V>],
        unused: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        self.force_of(&self.weight, host, memories, unused, context, debug)
    }

    /// The force, with the given weight; by reference, so that it is read after the evaluation.
    #[inline(always)]
    pub(super) fn force_of(
        &self,
        weight: &f32,
        host: &Agent<V>,
        memories: &mut [Memory<V>],
        unused: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        context.stream = self.stream;
        match &self.entry {
            Entry::Behavior(behavior) => {
                let memory = |remembers: bool| match memories.get_mut(self.memory) {
                    Some(memory) if remembers => memory,
                    None if remembers => {
                        *unused = Memory::default();
                        unused
                    }
                    _ => unused,
                };
                debug.set_source(|| behavior.name(), self.stream);
                let force = behavior.force_with(host, memory, context, debug) * *weight;
                debug.contribution(force);
                force
            }
            Entry::List(list) => list.force(host, memories, context, debug) * *weight,
        }
    }
}

/// A behavior that can contribute a force.
#[derive(Debug)]
pub(crate) struct Contributing<'a, V: Vector> {
    /// The stream of its slot.
    pub(crate) stream: u32,
    /// The index of its memory, if it has one.
    pub(crate) memory: usize,
    pub(crate) behavior: &'a Behavior<V>,
    /// Whether earlier slots can prevent its evaluation.
    pub(crate) can_be_hidden: bool,
}

/// Behaviors in order, and the rule that combines their forces.
///
/// ```
/// use wayfare::prelude::*;
/// // Flees a fire within 40, otherwise seeks and wanders a little.
/// let fire = Flee::new(vec2(0.0, 20.0)).panic_radius(40.0);
/// let otherwise =
///     List::default().with(Seek::new(vec2(90.0, 0.0))).weighted(0.2, Wander::default()
///         .circle_distance(1.0).circle_radius(1.0).angle_change(0.5));
/// let mut guests =
///     Group::new("guests", 2, Spawn::points([vec2(0.0, 0.0), vec2(0.0, -90.0)]), 3.0);
/// guests.steer = List::new(Combine::Priority).with(fire).nested(1.0, otherwise);
/// let mut crowd = Setup::new(1.0).group(guests).crowd()?;
/// crowd.step();
/// let velocity = |id: u32| crowd.get(id).unwrap().agent.velocity;
/// assert_eq!(velocity(0), vec2(0.0, -3.0));
/// assert!(velocity(1).x > 0.0 && velocity(1).y > 0.0);
/// # Ok::<(), SetupError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct List<V: Vector> {
    /// The rule.
    pub combine: Combine,
    /// The length up to which priority and dither treat a force as zero (length / time).
    pub epsilon: f32,
    /// The preference of a [context](Combine::Context) list for standing still: the score of no
    /// velocity, as a part of the strongest interest's strength. Where no direction without danger
    /// has a higher score, the host stands. With 0 standing is no candidate.
    #[cfg_attr(feature = "serde", serde(default))]
    pub standing: f32,
    /// The slots in order.
    pub slots: Vec<Slot<V>>,
}

impl<V: Vector> Default for List<V> {
    fn default() -> Self {
        Self { combine: Combine::Sum, epsilon: EPSILON, standing: 0.0, slots: Vec::new() }
    }
}

impl<V: Vector> List<V> {
    /// An empty list with this rule.
    pub fn new(combine: Combine) -> Self {
        Self { combine, ..Self::default() }
    }

    /// The list with one more behavior, of weight 1. One of your own is put in by
    /// [`Behavior::own`].
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

    /// All behaviors in the list, including those of nested lists.
    pub fn behaviors(&self) -> Box<dyn Iterator<Item = &Behavior<V>> + '_> {
        Box::new(self.slots.iter().flat_map(|slot| match &slot.entry {
            Entry::Behavior(behavior) => Box::new(core::iter::once(behavior)),
            Entry::List(list) => list.behaviors(),
        }))
    }

    /// The largest neighbor radius of the behaviors (length); `None` if none reads neighbors.
    pub fn neighbor_radius(&self) -> Option<f32> {
        self.behaviors().filter_map(Steer::neighbor_radius).reduce(f32::max)
    }

    /// Gives the parameters that are `"auto"` the numbers of their formulas, except those that are
    /// [by host](crate::parameter::Formula::by_host).
    pub(crate) fn resolve(&mut self, scale: &Scale) {
        for slot in &mut self.slots {
            match &mut slot.entry {
                Entry::Behavior(behavior) => behavior.resolve(scale),
                Entry::List(list) => list.resolve(scale),
            }
        }
    }

    /// Assigns each slot its stream of random numbers, and a memory index to each slot that needs a
    /// memory; continues the given counts.
    ///
    /// Afterwards `memories` is the number of memories that [`force`](Self::force) takes.
    pub fn number(&mut self, streams: &mut u32, memories: &mut usize) {
        for slot in &mut self.slots {
            slot.stream = *streams;
            slot.memory = NO_MEMORY;
            *streams += 1;
            match &mut slot.entry {
                Entry::Behavior(behavior) if behavior.needs().has(Needs::MEMORY) => {
                    slot.memory = *memories;
                    *memories += 1;
                }
                Entry::Behavior(_) => {}
                Entry::List(list) => list.number(streams, memories),
            }
        }
    }

    /// The list without the slots that are switched off, for [`running`](Self::running); the others
    /// keep their streams and memories.
    pub(crate) fn switched_on(mut self) -> Self {
        self.slots.retain(|slot| !slot.off);
        let one_pass = OnePass::of(&self.slots).map(Box::new);
        if let Some(first) = self.slots.first_mut() {
            first.one_pass = one_pass;
        }
        for slot in &mut self.slots {
            if let Entry::List(list) = &mut slot.entry {
                *list = core::mem::take(list).switched_on();
            }
        }
        self
    }

    /// The memory indices and behaviors of the slots with a memory, including those of nested
    /// lists.
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

    /// The streams and behaviors of the slots that hold an `explore`, including those of nested
    /// lists.
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

    /// The behaviors that can contribute a force, including those of nested lists. Slots of weight
    /// 0 and dangers contribute no force.
    pub(crate) fn contributing(&self) -> Vec<Contributing<'_, V>> {
        let hides = matches!(self.combine, Combine::Priority | Combine::Budget);
        let mut found = Vec::new();
        for (i, slot) in self.slots.iter().enumerate() {
            if slot.weight == 0.0 || slot.danger {
                continue;
            }
            let hidden = hides && i > 0;
            match &slot.entry {
                Entry::Behavior(behavior) => found.push(Contributing {
                    stream: slot.stream,
                    memory: slot.memory,
                    behavior,
                    can_be_hidden: hidden,
                }),
                Entry::List(list) => found.extend(list.contributing().into_iter().map(|inner| {
                    let can_be_hidden = inner.can_be_hidden || hidden;
                    Contributing { can_be_hidden, ..inner }
                })),
            }
        }
        found
    }

    /// The memory indices of the slots that hold a `follow_path`.
    pub(crate) fn path_memories(&self) -> Vec<usize> {
        self.remembering()
            .iter()
            .filter(|(_, behavior)| matches!(behavior, Behavior::FollowPath(_)))
            .map(|(memory, _)| *memory)
            .collect()
    }

    /// Removes the slot that decides the velocity, if the last one does.
    pub(crate) fn take_decider(&mut self) -> Option<Slot<V>> {
        self.slots.pop_if(|slot| slot.decides_velocity())
    }

    /// The combined force (length / time), not yet truncated to max_force.
    ///
    /// `memories` holds as many as [`number`](Self::number) counted; a slot without one gets a
    /// default each time. Each behavior reports its force and figures to `debug`. A solver that
    /// [decides the velocity](crate::solve::Solve::decides_velocity) sets the start of the step in
    /// `context`.
    pub fn force(
        &self,
        host: &Agent<V>,
        memories: &mut [Memory<V>],
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let slots = self.slots.iter().filter(|slot| !slot.off && !slot.decides_velocity());
        let sum = self.combined(slots, host, memories, &mut Memory::default(), context, debug);
        let Some(decider) = self.slots.last().filter(|slot| !slot.off && slot.decides_velocity())
        else {
            return sum;
        };
        let solution = decider.solve(host, sum, context, debug);
        context.start = Some(solution.start);
        sum + solution.force
    }

    /// [`force`](Self::force) for a list without slots that are switched off or decide the
    /// velocity, inlined into the caller; `unused` is passed to entries without memory. The sum of
    /// the context must be zero, and is not zero afterwards.
    #[inline(always)]
    pub(crate) fn running(
        &self,
        host: &Agent<V>,
        memories: &mut [Memory<V>],
        unused: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
    ) -> V {
        if self.combine != Combine::Sum {
            return self.selected(host, memories, unused, context, DebugDraw::OFF);
        }
        debug_assert!(context.sum == V::ZERO);
        let mut slots = &self.slots[..];
        let mut one_pass = slots.first().and_then(|slot| slot.one_pass.as_deref());
        if cfg!(target_family = "wasm") {
            // On a page bytes count more.
            one_pass = None;
        }
        loop {
            let (alone, rest) = slots.split_at(one_pass.map_or(slots.len(), |pass| pass.first));
            Self::add_up(alone.iter(), host, memories, unused, context, DebugDraw::OFF);
            let Some(pass) = one_pass.take() else { break };
            slots = pass.add(rest, host, context);
        }
        context.sum.clamped()
    }

    #[inline(always)]
    fn combined<'a>(
        &'a self,
        slots: impl Iterator<Item = &'a Slot<V>>,
        host: &Agent<V>,
        memories: &mut [Memory<V>],
        unused: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        if self.combine != Combine::Sum {
            return self.selected(host, memories, unused, context, debug);
        }
        let outer = core::mem::replace(&mut context.sum, V::ZERO);
        Self::add_up(slots, host, memories, unused, context, debug);
        // Weights and forces of a scene are far below the largest number: clamping the sum once is
        // enough.
        core::mem::replace(&mut context.sum, outer).clamped()
    }

    /// Adds the forces of `slots` to the sum of the context.
    #[inline(always)]
    fn add_up<'a>(
        slots: impl Iterator<Item = &'a Slot<V>>,
        host: &Agent<V>,
        memories: &mut [Memory<V>],
        unused: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) where
        V: 'a,
    {
        for slot in slots {
            let force = slot.force(host, memories, unused, context, debug);
            context.sum += force;
        }
    }

    /// The combined force for the rules other than the sum.
    #[inline(never)]
    fn selected(
        &self,
        host: &Agent<V>,
        memories: &mut [Memory<V>],
        unused: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        if self.combine == Combine::Context {
            return self.by_context(host, memories, unused, context, debug);
        }
        let outer = context.sum;
        let mut sum = V::ZERO;
        let mut budget = host.max_force;
        for slot in self.slots.iter().filter(|slot| !slot.off && !slot.decides_velocity()) {
            if self.combine == Combine::Dither {
                // A separate stream: the behavior's own random numbers must not depend on the draw
                // that selected the slot.
                let drawn = context.rng_key.random(context.id.0, slot.stream ^ DITHER).unit();
                if drawn >= slot.chance {
                    continue;
                }
            }
            context.sum = sum;
            let force = slot.force(host, memories, unused, context, debug);
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
                    let share = force.truncate(budget);
                    sum += share;
                    budget -= share.length();
                    if budget <= 0.0 {
                        break;
                    }
                }
            }
        }
        context.sum = outer;
        sum.clamped()
    }
}
