//! Context steering: of the directions in which no danger lies, the one of the most interest. A.
//! Fray, "Context Steering: Behavior-Driven Steering at the Macro Scale", Game AI Pro 2, 2015
//! (first told in 2013).
//!
//! Where forces are added, one that pulls and one that pushes can cancel out before a wall; maps of
//! directions keep the two apart. Fray has each behavior write its own maps. Here every behavior
//! that gives a force can stand in them, your own as well: an interest by the velocity that it asks
//! for, a danger by whether it would push back if the host went that way. Beside the fixed
//! directions those are tried that the interests ask for themselves, so that nobody who is free is
//! put off its way by the grid of directions.

use super::{List, Slot};
use crate::agent::{Agent, Memory, strength};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::vector::Vector;

/// So many interests are reckoned with; of more the strongest.
const MOST_INTERESTS: usize = 16;
/// For so many dangers it is kept whether the host is inside of them; of more it is asked for each
/// direction.
const MOST_KEPT: usize = 8;
/// Room for the directions of either dimension and those of the interests.
const MOST_WAYS: usize = 64;

/// Dangers that differ by less are the same, and such a danger is none.
const SAME: f32 = 1e-3;

/// How much more speaks for a direction that is the host's own: between interests that are alike
/// nobody wavers.
const KEEP: f32 = 0.01;

/// What an interest asks for.
#[derive(Clone, Copy, Debug)]
struct Interest<V> {
    /// Where to.
    unit: V,
    /// How fast (length / time).
    speed: f32,
    /// How much it counts: its weight by the part of max_speed that it asks for.
    strength: f32,
}

/// A direction that can be taken.
#[derive(Clone, Copy, Debug)]
struct Way<V> {
    unit: V,
    /// How fast the interest asks for that speaks for it the most (length / time).
    speed: f32,
    score: f32,
}

impl<V: Vector> List<V> {
    /// The force towards the best velocity: `desired - v`.
    ///
    /// An interest that asks for a velocity `d = v + force` has the strength `weight * |d| /
    /// max_speed`, and speaks for a direction with as much of it as `(1 + cos) / 2` of the
    /// angle between the two, and a hundredth more or less for the host's own heading. The
    /// directions are tried in the order of what speaks the most for each; the first
    /// is taken in which no danger lies, or else that of the least, slowed down by it. The danger
    /// of a direction is how strongly the places marked so would push back a host that went
    /// there at the speed asked for: a push counts in parts of the host's own strength, with its
    /// weight, and for a host that would be pushed standing still with `(1 - cos) / 2` of its
    /// angle to the direction, so that the way out of a danger is none; pushes up to epsilon
    /// are none either. Without an interest that says anything the host's own velocity is the
    /// interest.
    #[inline(never)]
    pub(super) fn by_context(
        &self,
        host: &Agent<V>,
        memories: &mut [Memory<V>],
        nothing: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let outer = core::mem::replace(&mut context.sum, V::ZERO);
        let mut interests = [Interest { unit: V::ZERO, speed: 0.0, strength: 0.0 }; MOST_INTERESTS];
        let (mut count, mut said) = (0, false);
        for slot in self.slots.iter().filter(|slot| !slot.off && !slot.danger) {
            let force = slot.force_of(1.0, host, memories, nothing, context, debug);
            said |= force != V::ZERO;
            let desired = (host.velocity + force).held().truncate(host.max_speed);
            let speed = desired.length();
            let interest = Interest {
                unit: desired.unit(),
                speed,
                strength: slot.weight * speed / host.max_speed,
            };
            if force != V::ZERO && interest.strength > 0.0 {
                count = insert(&mut interests, count, interest, |a, b| a.strength > b.strength);
            }
        }
        context.sum = outer;
        if !said && host.velocity.unit() != V::ZERO {
            interests[0] = Interest {
                unit: host.velocity.unit(),
                speed: host.velocity.length(),
                strength: 1.0,
            };
            count = 1;
        }
        let desired = self.best(host, &interests[..count], context, debug);
        if said || count > 0 { (desired - host.velocity).held() } else { V::ZERO }
    }

    /// The velocity to take (length / time); zero where nothing is of interest.
    fn best(
        &self,
        host: &Agent<V>,
        interests: &[Interest<V>],
        context: &SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let mut ways = [Way { unit: V::ZERO, speed: 0.0, score: -1.0 }; MOST_WAYS];
        let mut count = 0;
        for unit in interests
            .iter()
            .map(|interest| interest.unit)
            .chain((0..V::FAN).map(|k| host.heading.fan(k)))
        {
            let mut way = Way { unit, speed: 0.0, score: -1.0 };
            for interest in interests {
                let score = interest.strength * (0.5 + 0.5 * interest.unit.dot(unit));
                if score > way.score {
                    (way.score, way.speed) = (score, interest.speed);
                }
            }
            way.score += KEEP * way.score * unit.dot(host.heading);
            count = insert(&mut ways, count, way, |a, b| a.score > b.score);
        }
        let mut best: Option<(f32, Way<V>)> = None;
        let mut inside = [None; MOST_KEPT];
        for way in &ways[..count] {
            if interests.is_empty() {
                break;
            }
            let danger = self.danger(host, way.unit * way.speed, context, &mut inside);
            let shown = 3.0 * host.radius.max(host.max_speed);
            debug.set_source("context", u32::MAX);
            debug.segment(if danger >= SAME { "danger" } else { "interest" }, || {
                (host.position, host.position + way.unit * shown)
            });
            if best.is_none_or(|(least, _)| danger < least - SAME) {
                best = Some((danger, *way));
            }
            if danger < SAME {
                break;
            }
        }
        best.map_or(V::ZERO, |(danger, way)| way.unit * (way.speed * (1.0 - danger.min(1.0))))
    }

    /// How strongly the dangers would push back who went with `velocity` (length / time), in parts
    /// of the host's own strength; `inside` keeps for the first of them whether the host is
    /// inside, which is the same for every direction.
    fn danger(
        &self,
        host: &Agent<V>,
        velocity: V,
        context: &SteerContext<'_, V>,
        inside: &mut [Option<bool>; MOST_KEPT],
    ) -> f32 {
        let (unit, own) = (velocity.unit(), strength(host).max(f32::MIN_POSITIVE));
        let going =
            Agent { velocity, heading: if unit == V::ZERO { host.heading } else { unit }, ..*host };
        let mut most = 0.0_f32;
        for (k, slot) in self.slots.iter().filter(|slot| !slot.off && slot.danger).enumerate() {
            let force = slot.asked(&going, context);
            if force.length() <= self.epsilon {
                continue;
            }
            // Who would be pushed standing still is in the danger already, and who goes as it is
            // pushed goes out of it.
            let stands = || {
                slot.asked(&Agent { velocity: V::ZERO, ..*host }, context).length() > self.epsilon
            };
            let inside =
                inside.get_mut(k).map_or_else(stands, |kept| *kept.get_or_insert_with(stands));
            let against = if inside { 0.5 - 0.5 * force.unit().dot(unit) } else { 1.0 };
            most = most.max(slot.weight * against * force.length() / own);
        }
        most
    }
}

impl<V: Vector> Slot<V> {
    /// The force on somebody who is not there: what is remembered is thrown away, and no step is
    /// started.
    fn asked(&self, host: &Agent<V>, context: &SteerContext<'_, V>) -> V {
        let mut there = SteerContext { sum: V::ZERO, ..*context };
        self.force_of(1.0, host, &mut [], &mut Memory::default(), &mut there, DebugDraw::OFF)
    }
}

/// Puts `new` among the first `count` of `sorted`, behind those that it is not `before`; the last
/// goes where there is no room. Says how many there are.
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
mod tests {
    use super::*;
    use crate::behavior::testing::assert_near;
    use crate::behavior::{Arrive, AvoidObstacles, Flee, Probe, Seek, SlowingRadius, Steer};
    use crate::combine::Combine;
    use crate::geometry::obstacle::{Obstacle, Obstacles, Shape};
    use crate::parameter::Target;
    use crate::registry::Behavior;
    use glam::{Vec2, Vec3, vec2, vec3};

    fn seek<V: Vector>(x: f32) -> Seek<V> {
        Seek { target: Target::Point(V::X * x), within: f32::INFINITY }
    }

    fn rock<V: Vector>(x: f32) -> [Obstacle<V>; 1] {
        [Obstacle::from(Shape::Circle { center: V::X * x, radius: 4.0 })]
    }

    fn avoid() -> AvoidObstacles {
        AvoidObstacles {
            see_ahead: 20.0,
            max_avoid_force: 3.0,
            probe: Probe::Cylinder,
            ..AvoidObstacles::default()
        }
    }

    fn list<V: Vector>(wanted: impl Into<Behavior<V>>) -> List<V> {
        let mut list = List::new(Combine::Context).with(wanted).with(avoid());
        list.slots[1].danger = true;
        list
    }

    fn force<V: Vector>(list: &List<V>, host: &Agent<V>, obstacles: &[Obstacle<V>]) -> V {
        list.force(
            host,
            &mut [],
            &mut SteerContext { obstacles: Obstacles::from(obstacles), ..SteerContext::empty(1.0) },
            DebugDraw::OFF,
        )
    }

    #[test]
    fn without_danger_the_strongest_interest_is_taken_as_it_is() {
        let host = Agent::new(vec2(0.0, 0.0), 3.0).moving(vec2(0.1, 0.7));
        assert_near(force(&list(seek(50.0)), &host, &[]), vec2(3.0, 0.0) - host.velocity);
        let arrive = Arrive {
            target: Target::Point(vec2(3.0, 4.0)),
            slowing_radius: SlowingRadius::Fixed(10.0),
            within: f32::INFINITY,
        };
        assert_near(force(&list(arrive), &host, &[]), vec2(0.9, 1.2) - host.velocity);
        // Twice the weight wins; a force of zero is no interest, and neither is a weight of zero.
        let two = List::new(Combine::Context)
            .with(seek(50.0))
            .weighted(2.0, Seek { target: Target::Point(vec2(0.0, -9.0)), within: f32::INFINITY });
        assert_near(force(&two, &host, &[]), vec2(0.0, -3.0) - host.velocity);
        let far = Flee {
            target: Target::Point(vec2(90.0, 0.0)),
            panic_radius: 9.0,
            within: f32::INFINITY,
        };
        assert_near(
            force(
                &List::new(Combine::Context)
                    .weighted(5.0, far)
                    .with(seek(50.0))
                    .weighted(0.0, seek(-50.0)),
                &host,
                &[],
            ),
            vec2(3.0, 0.0) - host.velocity,
        );
    }

    #[test]
    fn a_wall_in_the_way_is_passed_by_the_next_direction_that_is_free() {
        // A rock of radius 4 at 15 is met up to asin(4 / 15) = 15.5 degrees beside it; 22.5 to the
        // left is free.
        let host = Agent::new(vec2(0.0, 0.0), 3.0).moving(vec2(3.0, 0.0));
        let (sin, cos) = 22.5_f32.to_radians().sin_cos();
        assert_near(
            force(&list(seek(50.0)), &host, &rock(15.0)),
            vec2(3.0 * cos, 3.0 * sin) - host.velocity,
        );
        // In space some direction round the ball, which is no danger, and ahead of the host.
        let host = Agent::new(Vec3::ZERO, 3.0).moving(vec3(3.0, 0.0, 0.0));
        let chosen = force(&list(seek(50.0)), &host, &rock(15.0)) + host.velocity;
        assert!(
            (chosen.length() - 3.0).abs() < 1e-5 && chosen.x > 2.0 && chosen.x < 2.95,
            "{chosen}"
        );
    }

    #[test]
    fn closed_in_on_all_sides_it_takes_the_least_danger_and_slows_down_by_it() {
        // Mud pushes back with 3 of a strength of 6, wherever one goes: half of the speed is left.
        let host =
            Agent { max_force: 6.0, ..Agent::new(vec2(0.0, 0.0), 3.0).moving(vec2(1.0, 0.0)) };
        let mut list = List::new(Combine::Context).with(seek(50.0)).with(Behavior::own("mud", Mud));
        list.slots[1].danger = true;
        assert_near(force(&list, &host, &[]), vec2(1.5, 0.0) - host.velocity);
    }

    /// Pushes back with 3.
    #[derive(Debug)]
    struct Mud;

    impl Steer<Vec2> for Mud {
        fn force(
            &self,
            host: &Agent<Vec2>,
            _: &mut Memory<Vec2>,
            _: &mut SteerContext<'_, Vec2>,
            _: DebugDraw<'_, Vec2>,
        ) -> Vec2 {
            -host.velocity.unit() * 3.0
        }
    }

    #[test]
    fn who_is_inside_of_a_danger_goes_out_by_the_shortest_way() {
        let host = Agent::new(vec2(0.0, 0.0), 3.0).moving(vec2(1.0, 0.0));
        let inside = [Obstacle::from(Shape::Circle { center: vec2(3.0, 0.0), radius: 9.0 })];
        let (avoid, short) = (avoid(), AvoidObstacles { see_ahead: 1.0, ..avoid() });
        let chosen = |rule| {
            let mut list = list(seek(50.0));
            list.slots[1].entry = crate::combine::Entry::Behavior(Behavior::AvoidObstacles(rule));
            force(&list, &host, &inside) + host.velocity
        };
        // Its surface is 6 behind the host; one that looks 20 ahead would be through it.
        assert_near(chosen(short), vec2(-3.0, 0.0));
        assert_near(chosen(avoid), vec2(3.0, 0.0));
    }

    #[test]
    fn who_has_nothing_to_ask_for_goes_on_and_who_has_arrived_stops() {
        let nobody = Flee {
            target: Target::Point(vec2(900.0, 0.0)),
            panic_radius: 9.0,
            within: f32::INFINITY,
        };
        let host = Agent::new(vec2(0.0, 0.0), 3.0).moving(vec2(0.0, 2.0));
        assert_near(force(&list(nobody), &host, &[]), Vec2::ZERO);
        assert_near(
            force(&list(nobody), &Agent { velocity: Vec2::ZERO, ..host }, &rock(5.0)),
            Vec2::ZERO,
        );
        assert_near(force(&list(seek(0.0)), &host, &[]), vec2(0.0, -2.0));
        assert_eq!(force(&List::new(Combine::Context), &host, &[]), Vec2::ZERO);
    }
}
