//! Context steering: the direction with the highest interest among those without danger. A. Fray,
//! "Context Steering: Behavior-Driven Steering at the Macro Scale", Game AI Pro 2, 2015 (first
//! published in 2013).
//!
//! When forces are added, attraction and repulsion can cancel out in front of a wall; maps over
//! directions keep the two apart. In Fray's method each behavior writes its own maps. Here every
//! behavior with a force can be used, including user-defined ones: an interest by its desired
//! velocity, a danger by the force with which it would push back if the host moved in a direction.
//! The candidates are the fixed directions and the directions of the interests, so that a host
//! without dangers is not deflected to a fixed direction.
//!
//! A context list inside of a danger chooses a velocity once, for the host as it moves, and pushes
//! a host that moves otherwise towards that velocity. If it chose anew for every direction of the
//! list around it, each level would multiply the cost by the number of directions. Without an
//! interest it would choose the velocity of the host, whatever that is, unless it is dangerous:
//! then it pushes as its strongest danger does.

use super::{Combine, Entry, List, MAX_NESTED_CHOICES, Slot};
use crate::agent::{Agent, Memory, strength};
use crate::annotation::DebugDraw;
use crate::behavior::{HostMotion, Steer};
use crate::context::{ListChoice, Shared, SteerContext};
use crate::simd::{Four as Lanes, Simd, SimdMemory, SimdVector};
use crate::vector::{Up, Vector};

/// The largest number of interests; beyond it the strongest are used.
const MAX_INTERESTS: usize = 16;
/// The number of dangers whose push on the host at rest is cached; further dangers repeat it for
/// each direction.
const MAX_CACHED: usize = 8;
/// Capacity for the directions of either dimension, those of the interests, and standing still.
const MAX_CANDIDATES: usize = 48 + MAX_INTERESTS + 1;
/// That capacity in whole blocks of lanes.
const ROOM: usize = MAX_CANDIDATES.next_multiple_of(Lanes::COUNT);

/// The score of a candidate that was taken: less than any.
const TAKEN: f32 = f32::NEG_INFINITY;

/// Dangers that differ by less than this are equal, and a danger below it is zero.
const DANGER_TOLERANCE: f32 = 1e-3;

/// The bonus for the host's current heading: it avoids oscillation between similar interests.
const HEADING_BONUS: f32 = 0.01;

/// An interest: a desired velocity.
#[derive(Clone, Copy, Debug)]
struct Interest<V> {
    /// The unit vector of the desired velocity.
    unit: V,
    /// The desired speed (length / time).
    speed: f32,
    /// The strength: the weight of the slot times the desired speed as a fraction of max_speed.
    strength: f32,
}

/// The strongest interests of a list.
struct Interests<V> {
    strongest: [Interest<V>; MAX_INTERESTS],
    count: usize,
    /// Whether any slot asks for another velocity than the host's own.
    any: bool,
}

/// The choices of the context lists in a list's dangers, inner lists before those around them.
struct Choices<V> {
    made: [ListChoice<V>; MAX_NESTED_CHOICES],
    count: usize,
}

impl<V: Vector> Choices<V> {
    /// The part of the context that only some groups need, with these choices.
    fn shared<'a>(&'a self, context: &SteerContext<'a, V>) -> Shared<'a, V> {
        let shared = context.shared.map_or(Shared::nothing(), |shared| *shared);
        Shared { choices: &self.made[..self.count], ..shared }
    }
}

/// Candidate directions, number by number: the scores of several are computed at once.
struct Candidates {
    /// The unit vectors, axis by axis.
    units: [[f32; ROOM]; 3],
    scores: [f32; ROOM],
    count: usize,
}

impl Candidates {
    const NONE: Self = Self { units: [[0.0; ROOM]; 3], scores: [0.0; ROOM], count: 0 };

    /// Scores the directions by the interests, of which each counts for those near its own.
    fn score<V: Vector>(&mut self, interests: &[Interest<V>], heading: V) {
        let (half, bonus) = (Lanes::splat(0.5), Lanes::splat(HEADING_BONUS));
        for at in (0..self.count).step_by(Lanes::COUNT) {
            let [x, y, z] = &self.units;
            let unit = SimdVector([Lanes::load(x, at), Lanes::load(y, at), Lanes::load(z, at)]);
            let mut score = Lanes::splat(-1.0);
            for interest in interests {
                let cosine = SimdVector::splat(interest.unit).dot::<V>(unit);
                let own = Lanes::splat(interest.strength) * (half + half * cosine);
                score = own.max(score);
            }
            let ahead = SimdVector::splat(heading).dot::<V>(unit);
            (score + bonus * score * ahead).store(&mut self.scores, at);
        }
    }

    #[inline]
    fn push<V: Vector>(&mut self, unit: V, score: f32) {
        for axis in 0..V::DIMENSION {
            self.units[axis][self.count] = unit.axis(axis);
        }
        self.scores[self.count] = score;
        self.count += 1;
    }

    /// Adds the directions around a heading, given in the world with z up.
    fn push_around<V: Vector>(&mut self, heading: V, up: Up) {
        let [x, y, z] = &mut self.units;
        let first = self.count;
        heading.fan_into([&mut x[first..], &mut y[first..], &mut z[first..]]);
        self.count += V::FAN;
        for k in first..self.count {
            let unit = up.from_z_up(self.unit::<V>(k));
            for axis in 0..V::DIMENSION {
                self.units[axis][k] = unit.axis(axis);
            }
        }
    }

    #[inline]
    fn unit<V: Vector>(&self, i: usize) -> V {
        V::from_fn(|axis| self.units[axis][i])
    }

    /// Takes the candidate with the highest score, the first of equal ones; `None` if all are
    /// taken. Few are tried before one is free of danger: that costs less than to sort all.
    fn take_best<V: Vector>(&mut self) -> Option<V> {
        let scores = &mut self.scores[..self.count];
        let best = scores
            .iter()
            .copied()
            .fold(TAKEN, |best, score| if score > best { score } else { best });
        let i = scores.iter().position(|score| *score == best)?;
        scores[i] = TAKEN;
        (best > TAKEN).then(|| self.unit(i))
    }
}

impl<V: Vector> List<V> {
    /// The force towards the best velocity: `desired - v`.
    ///
    /// An interest with the desired velocity `d = v + force` has the strength
    /// `weight * |d| / max_speed`. Its score for a direction is the strength times `(1 + cos) / 2`
    /// of the angle between the two, and up to a hundredth more or less by its angle to the host's
    /// heading. The directions are tried in order of their highest score. The first direction
    /// without danger is selected; if there is none, the direction with the smallest danger is, at
    /// a speed reduced by the danger. The danger of a direction is the force of the danger slots on
    /// a host that moves in that direction at the desired speed, as a fraction of the host's
    /// strength, times the weight. A danger that pushes a host at rest contains the host: its push
    /// counts with `(1 - cos) / 2` of its angle to the direction, so that the direction out of the
    /// danger is free. Pushes up to epsilon do not count. If all interests are zero the host's own
    /// velocity is the interest.
    ///
    /// With [`standing`](List::standing) above 0 no velocity is a candidate, too: its score is that
    /// part of the strongest interest's strength, so that a host before a closed door waits where
    /// it otherwise would circle.
    #[inline(never)]
    pub(super) fn by_context(
        &self,
        host: &Agent<V>,
        memories: &mut [Memory<V>],
        unused: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        if let Some(choice) = self.choice_in(context) {
            let push = || self.strongest_push(host, context);
            return choice.desired.map_or_else(push, |desired| (desired - host.velocity).clamped());
        }
        let mut found = self.interests(host, memories, unused, context, debug);
        if !found.any && host.velocity.unit() != V::ZERO {
            found.strongest[0] = Interest {
                unit: host.velocity.unit(),
                speed: host.velocity.length(),
                strength: 1.0,
            };
            found.count = 1;
        }
        let interests = &found.strongest[..found.count];
        let desired = if self.dangers().any(|slot| slot.entry.context_lists() > 0) {
            self.best_with_choices(host, interests, context, debug)
        } else {
            self.best(host, interests, context, debug)
        };
        if found.any || found.count > 0 { (desired - host.velocity).clamped() } else { V::ZERO }
    }

    fn interests(
        &self,
        host: &Agent<V>,
        memories: &mut [Memory<V>],
        unused: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> Interests<V> {
        let outer = core::mem::replace(&mut context.sum, V::ZERO);
        let none = Interest { unit: V::ZERO, speed: 0.0, strength: 0.0 };
        let mut found = Interests { strongest: [none; MAX_INTERESTS], count: 0, any: false };
        let interests = |slot: &&Slot<V>| !slot.off && !slot.danger && !slot.decides_velocity();
        for slot in self.slots.iter().filter(interests) {
            let force = slot.force_of(&1.0, host, memories, unused, context, debug);
            found.any |= force != V::ZERO;
            let desired = (host.velocity + force).clamped().truncate(host.max_speed);
            let speed = desired.length();
            let interest = Interest {
                unit: desired.unit(),
                speed,
                strength: slot.weight * speed / host.max_speed,
            };
            if force != V::ZERO && interest.strength > 0.0 {
                let stronger = |a: &Interest<V>, b: &Interest<V>| a.strength > b.strength;
                found.count = insert(&mut found.strongest, found.count, interest, stronger);
            }
        }
        context.sum = outer;
        found
    }

    fn dangers(&self) -> impl Iterator<Item = &Slot<V>> {
        self.slots.iter().filter(|slot| !slot.off && slot.danger && !slot.decides_velocity())
    }

    /// The best velocity of a list with context lists in its dangers (length / time): these choose
    /// first, once for all directions.
    #[inline(never)]
    fn best_with_choices(
        &self,
        host: &Agent<V>,
        interests: &[Interest<V>],
        context: &SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let none = ListChoice { list: 0, desired: None };
        let mut choices = Choices { made: [none; MAX_NESTED_CHOICES], count: 0 };
        for slot in self.dangers() {
            if let Entry::List(list) = &slot.entry {
                list.choose(host, context, &mut choices);
            }
        }
        let shared = choices.shared(context);
        self.best(host, interests, &SteerContext { shared: Some(&shared), ..*context }, debug)
    }

    /// Adds the choices of this list and of those inside of it, as far as there is room.
    fn choose(&self, host: &Agent<V>, context: &SteerContext<'_, V>, choices: &mut Choices<V>) {
        for slot in self.slots.iter().filter(|slot| !slot.off) {
            if let Entry::List(list) = &slot.entry {
                list.choose(host, context, choices);
            }
        }
        if self.combine != Combine::Context || choices.count == MAX_NESTED_CHOICES {
            return;
        }
        let shared = choices.shared(context);
        let mut there = SteerContext { shared: Some(&shared), ..*context };
        let (debug, unused) = (DebugDraw::OFF, &mut Memory::default());
        let found = self.interests(host, &mut [], unused, &mut there, debug);
        let best = || self.best(host, &found.strongest[..found.count], &there, debug);
        let desired = found.any.then(best);
        choices.made[choices.count] = ListChoice { list: self.address(), desired };
        choices.count += 1;
    }

    /// The choice of this list, if it is inside of a danger that is being evaluated.
    fn choice_in<'a>(&self, context: &SteerContext<'a, V>) -> Option<&'a ListChoice<V>> {
        context.shared?.choices.iter().find(|choice| choice.list == self.address())
    }

    fn address(&self) -> usize {
        core::ptr::from_ref(self).addr()
    }

    /// The weighted push of the strongest danger.
    fn strongest_push(&self, host: &Agent<V>, context: &SteerContext<'_, V>) -> V {
        let mut strongest = V::ZERO;
        for slot in self.dangers() {
            let force = slot.hypothetical(host, context);
            let push = force * slot.weight.max(0.0);
            if force.length() > self.epsilon && push.length() > strongest.length() {
                strongest = push;
            }
        }
        strongest.clamped()
    }

    /// The best velocity (length / time); zero without an interest.
    fn best(
        &self,
        host: &Agent<V>,
        interests: &[Interest<V>],
        context: &SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        if interests.is_empty() {
            return V::ZERO;
        }
        let up = context.space.up();
        let heading = up.to_z_up(host.heading);
        let mut candidates = Candidates::NONE;
        for interest in interests {
            candidates.push(interest.unit, 0.0);
        }
        candidates.push_around(heading, up);
        candidates.score(interests, host.heading);
        if self.standing > 0.0 {
            let strongest = interests.iter().map(|interest| interest.strength).fold(0.0, f32::max);
            candidates.push(V::ZERO, self.standing * strongest);
        }
        let mut best: Option<(f32, V, f32)> = None;
        let mut at_rest = [None; MAX_CACHED];
        while let Some(unit) = candidates.take_best::<V>() {
            let speed = speed_towards(unit, interests);
            let danger = self.danger(host, unit * speed, context, &mut at_rest);
            let length = 3.0 * host.radius.max(host.max_speed);
            debug.set_source(|| "context", u32::MAX);
            debug.segment(if danger >= DANGER_TOLERANCE { "danger" } else { "interest" }, || {
                (host.position, host.position + unit * length)
            });
            if best.is_none_or(|(smallest, ..)| danger < smallest - DANGER_TOLERANCE) {
                best = Some((danger, unit, speed));
            }
            if danger < DANGER_TOLERANCE {
                break;
            }
        }
        best.map_or(V::ZERO, |(danger, unit, speed)| unit * (speed * (1.0 - danger.min(1.0))))
    }

    /// The largest push of the danger slots against a host that moves with `velocity` (length /
    /// time), as a fraction of the host's strength. `at_rest` caches the pushes of the first
    /// dangers on the host at rest, which do not depend on the direction.
    fn danger(
        &self,
        host: &Agent<V>,
        velocity: V,
        context: &SteerContext<'_, V>,
        at_rest: &mut [Option<V>; MAX_CACHED],
    ) -> f32 {
        let (unit, own) = (velocity.unit(), strength(host).max(f32::MIN_POSITIVE));
        let moving =
            Agent { velocity, heading: if unit == V::ZERO { host.heading } else { unit }, ..*host };
        let mut most = 0.0_f32;
        for (k, slot) in self.dangers().enumerate() {
            let cached = &mut at_rest.get_mut(k);
            let mut at_rest = || {
                let push = || slot.hypothetical(&Agent { velocity: V::ZERO, ..*host }, context);
                cached.as_mut().map_or_else(push, |cached| *cached.get_or_insert_with(push))
            };
            let force = match slot.motion_of_host() {
                HostMotion::Ignored => at_rest(),
                HostMotion::Subtracted if at_rest() != V::ZERO => at_rest() - velocity,
                _ => slot.hypothetical(&moving, context),
            };
            if force.length() <= self.epsilon {
                continue;
            }
            // A danger that pushes a host at rest contains it, and the direction of the push leads
            // out.
            let inside = at_rest().length() > self.epsilon;
            let against = if inside { 0.5 - 0.5 * force.unit().dot(unit) } else { 1.0 };
            most = most.max(slot.weight * against * force.length() / own);
        }
        most
    }
}

impl<V: Vector> Slot<V> {
    /// What the host's velocity and heading mean for the force of the entry.
    fn motion_of_host(&self) -> HostMotion {
        match &self.entry {
            Entry::Behavior(behavior) => behavior.motion_of_host(),
            Entry::List(_) => HostMotion::Read,
        }
    }

    /// The force on a hypothetical host: its memory and the start of its step are discarded.
    fn hypothetical(&self, host: &Agent<V>, context: &SteerContext<'_, V>) -> V {
        let mut context = SteerContext { sum: V::ZERO, ..*context };
        self.force_of(&1.0, host, &mut [], &mut Memory::default(), &mut context, DebugDraw::OFF)
    }
}

/// The desired speed of the interest with the highest score for a direction; standing still is none
/// (length / time).
fn speed_towards<V: Vector>(unit: V, interests: &[Interest<V>]) -> f32 {
    let (mut score, mut speed) = (-1.0, 0.0);
    for interest in interests {
        let own = interest.strength * (0.5 + 0.5 * interest.unit.dot(unit));
        if own > score {
            (score, speed) = (own, interest.speed);
        }
    }
    if unit == V::ZERO { 0.0 } else { speed }
}

/// Inserts `new` into the first `count` items of `sorted`, after every item that `new` does not
/// precede by `before`; at full capacity the last item is dropped. Returns the new count.
fn insert<T: Copy>(
    sorted: &mut [T],
    count: usize,
    new: T,
    before: impl Fn(&T, &T) -> bool,
) -> usize {
    let at = sorted[..count].partition_point(|old| !before(&new, old));
    if at == sorted.len() {
        return count;
    }
    let count = (count + 1).min(sorted.len());
    sorted[at..count].rotate_right(1);
    sorted[at] = new;
    count
}

#[cfg(test)]
mod tests;
