//! Settle: arrive among others who share the target, and stay. Nobody shoves, and who has arrived
//! gives way.
//!
//! `arrive` alone has everybody press on the one point for ever. Here a place is good enough where
//! those who are nearer to the target fill the disc up to it: who stands in such a place wants
//! nothing any more, but to make room. The room that bodies leave each other is that of a
//! velocity obstacle (P. Fiorini, Z. Shiller, "Motion Planning in Dynamic Environments Using
//! Velocity Obstacles", 1998), taken linear: nobody comes nearer to a body than the gap between
//! them allows.

use super::{SlowingRadius, Steer};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::{Groups, Kind, Range, Target, Unit, parameters};
use crate::spatial::neighbors::{Neighbor, Neighbors, Sight};
use crate::vector::Vector;

parameters! {
    /// Arrive at a target that others share, and stay: as near as the bodies of those leave room who are nearer, and out of the way of who comes.
    "settle" = pub struct Settle<V> {
        /// Where to go.
        target: Target<V> = required, Kind::Target;
        /// How far a neighbor may be to count: as far as from one side of the settled crowd to the other.
        radius: f32 = required, Kind::Number(Range::from_zero(Unit::Length));
        /// The distance at which slowing begins; `"auto"` takes the larger of mass * max_speed^2 / (2 max_force) and 4 * mass * max_speed.
        slowing_radius: SlowingRadius = (SlowingRadius::Auto), Kind::NumberOr(Range::from_zero(Unit::Length), &["auto"]);
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// The full angle around the heading in which neighbors count.
        field_of_view: f32 = 360.0, Kind::Number(Range::new(0.0, 360.0, Unit::Degrees));
        /// How far away the target may be; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

/// The force that settles at `target` (length / time): `desired - v`.
///
/// Desired is `unit(target - p) * max_speed * min(1, (d - full) / slowing_radius)`, zero where `d =
/// |target - p|` is at most `full`, the radius that the bodies of those nearer to the target fill:
/// `1.05 sqrt(sum of their radii squared) + 0.95` of the host's own radius, and zero where
/// nobody is nearer. So who is alone stops on the target, as by [`arrive`](super::arrive()). What
/// is desired is then taken back so far that no body is come nearer than the gap to it, or than it
/// goes away, in the time `4 m`; who overlaps with another backs away likewise. Those who are
/// not there yet press on by up to a tenth of the two radii: to this who has arrived gives way.
///
/// Lengths of `slowing_radius`; a host on the target gets `-v`, and two on the same point part in
/// opposite directions.
pub fn settle<V: Vector>(
    host: &impl Host<V>,
    target: V,
    neighbors: &Neighbors<V>,
    parameters: &Settle<V>,
) -> V {
    settle_at(host, target, neighbors, parameters, DebugDraw::OFF)
}

/// How wide a crowd of bodies is where it is full, beside the smallest disc that would hold their
/// area: with room to move past one another.
const LOOSE: f32 = 1.05;
/// How much of the own body is inside the disc: with [`LOOSE`] the second of two stands where it
/// touches the first.
const OWN: f32 = 0.95;
/// How far who is not there yet presses on, in the sum of the two radii.
const PRESS: f32 = 0.1;
/// The time in which a gap may be closed, in reaction times: so many that who closes it does not
/// overshoot.
const CLOSING: f32 = 4.0;
/// So many of the nearest bodies are reckoned with; more than six equal ones touch nobody.
const MOST_CONTACTS: usize = 8;
/// How often what is desired is held against them: then it has come to rest, or nearly.
const SWEEPS: usize = 8;
/// The fixed point in which areas are added, so that their order cannot matter.
const AREA: f64 = (1_u64 << 40) as f64;

/// A body that is near.
#[derive(Clone, Copy, Debug)]
struct Contact<V> {
    /// From surface to surface, negative where they overlap (length).
    gap: f32,
    id: u32,
    /// The unit vector towards it.
    towards: V,
    /// How fast it may be come towards (length / time).
    fastest: f32,
}

fn settle_at<V: Vector>(
    host: &impl Host<V>,
    target: V,
    neighbors: &Neighbors<V>,
    parameters: &Settle<V>,
    debug: DebugDraw<'_, V>,
) -> V {
    let sight = Sight {
        radius: parameters.radius,
        of: &parameters.of,
        field_of_view: parameters.field_of_view,
    };
    let way = target - host.position();
    let distance = way.length();
    let mut area = 0_u64;
    let mut nobody_nearer = true;
    for neighbor in neighbors.within(sight, host.heading()) {
        let theirs = (way - neighbor.offset).length();
        if theirs < distance || (theirs == distance && neighbors.host_id() > neighbor.id) {
            nobody_nearer = false;
            let part = f64::from(neighbor.radius / parameters.radius);
            area = area.saturating_add((part * part * AREA) as u64);
        }
    }
    let own = if nobody_nearer { 0.0 } else { OWN * host.radius() };
    let full = LOOSE * parameters.radius * ((area as f64 / AREA).sqrt() as f32) + own;
    debug.circle("full", || (target, full));
    let missing = (distance - full).max(0.0);
    let slowing_radius = parameters.slowing_radius.of(host);
    let ramp = if missing < slowing_radius { missing / slowing_radius } else { 1.0 };
    let mut desired = way.unit() * (host.max_speed() * ramp);
    // Who is there presses on nobody.
    let press = if missing < host.radius() { PRESS * missing / host.radius() } else { PRESS };
    let (contacts, count) = contacts(host, neighbors, sight, press);
    // The nearest has the last word: where not all can have room, they have it.
    for contact in contacts[..count].iter().rev().cycle().take(count * SWEEPS) {
        let excess = desired.dot(contact.towards) - contact.fastest;
        if excess > 0.0 {
            desired -= contact.towards * excess;
        }
    }
    desired.truncate(host.max_speed()) - host.velocity()
}

/// The nearest bodies, the nearest first, and how many there are.
fn contacts<V: Vector>(
    host: &impl Host<V>,
    neighbors: &Neighbors<V>,
    sight: Sight<'_>,
    press: f32,
) -> ([Contact<V>; MOST_CONTACTS], usize) {
    let mut nearest = [Contact { gap: f32::INFINITY, id: u32::MAX, towards: V::ZERO, fastest: 0.0 };
        MOST_CONTACTS];
    let mut count = 0;
    let time = CLOSING * host.mass();
    let closes = |neighbor: &Neighbor<V>, gap: f32, towards: V| {
        let room = gap + press * (host.radius() + neighbor.radius);
        neighbor.velocity.dot(towards).max(0.0) + room / time
    };
    for neighbor in neighbors.within(sight, host.heading()) {
        let gap = neighbor.distance_squared.sqrt() - host.radius() - neighbor.radius;
        let place =
            nearest[..count].partition_point(|other| (other.gap, other.id) < (gap, neighbor.id));
        if place < MOST_CONTACTS {
            count = (count + 1).min(MOST_CONTACTS);
            nearest[place..count].rotate_right(1);
            let towards = -neighbors.away(&neighbor);
            nearest[place] =
                Contact { gap, id: neighbor.id, towards, fastest: closes(&neighbor, gap, towards) };
        }
    }
    (nearest, count)
}

impl<V: Vector> Steer<V> for Settle<V> {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let Some(target) = context.target(host, &self.target, self.within) else { return V::ZERO };
        debug.point("target", || target);
        settle_at(host, target, context.neighbors, self, debug)
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some(self.radius)
    }
    fn reads_bodies(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::arrive;
    use crate::behavior::testing::{assert_near, bodies};
    use glam::{Vec2, Vec3, vec2, vec3};

    fn parameters<V: Vector>() -> Settle<V> {
        Settle { radius: 50.0, slowing_radius: SlowingRadius::Fixed(20.0), ..Settle::default() }
    }

    fn host() -> Agent<Vec2> {
        Agent { mass: 2.0, radius: 1.0, ..Agent::new(vec2(7.0, 7.0), 4.0).moving(vec2(0.0, 1.0)) }
    }

    #[test]
    fn who_is_alone_arrives() {
        for target in [vec2(17.0, 7.0), vec2(7.0, 60.0), vec2(7.0, 7.0)] {
            assert_eq!(
                settle(&host(), target, &Neighbors::none(), &parameters()),
                arrive(&host(), target, 20.0)
            );
        }
        let host = Agent { radius: 1.0, ..Agent::new(Vec3::ZERO, 4.0).moving(vec3(0.0, 0.0, 1.0)) };
        assert_eq!(
            settle(&host, vec3(0.0, 0.0, 9.0), &Neighbors::none(), &parameters()),
            arrive(&host, vec3(0.0, 0.0, 9.0), 20.0)
        );
    }

    #[test]
    fn a_place_is_good_enough_where_those_who_are_nearer_fill_the_disc() {
        // Three bodies of radius 2 on the far side fill 1.05 sqrt(12) + 0.95 = 4.587: at 4.5 from
        // the target the host stays, at 8 it goes on, at a speed of 4 (8 - 4.587307) / 20.
        let others = |x: f32| {
            bodies(&[
                (vec2(x + 2.0, 3.0), Vec2::ZERO, 2.0),
                (vec2(x + 2.0, -3.0), Vec2::ZERO, 2.0),
                (vec2(x + 4.0, 0.0), Vec2::ZERO, 2.0),
            ])
        };
        let force = |d: f32| settle(&host(), vec2(7.0 + d, 7.0), &others(d), &parameters());
        assert_near(force(4.5), vec2(0.0, -1.0));
        assert_near(force(8.0), vec2(0.682_538_7, -1.0));
        // Who is farther away fills nothing.
        let far = bodies(&[(vec2(-30.0, 0.0), Vec2::ZERO, 2.0)]);
        assert_near(settle(&host(), vec2(11.0, 7.0), &far, &parameters()), vec2(0.8, -1.0));
    }

    #[test]
    fn nobody_is_come_nearer_than_the_gap_allows_and_the_way_leads_round() {
        // A gap of 1 and a tenth of the radii, 0.2, in a time of 8: 0.15 towards the body; what
        // leads past it stays.
        let ahead = bodies(&[(vec2(3.0, 0.0), Vec2::ZERO, 1.0)]);
        assert_near(settle(&host(), vec2(57.0, 7.0), &ahead, &parameters()), vec2(0.15, -1.0));
        assert_near(
            settle(&host(), vec2(7.0 + 30.0, 7.0 + 40.0), &ahead, &parameters()),
            vec2(0.15, 3.2 - 1.0),
        );
        // One that goes on as fast as the host wants to go is followed.
        let going = bodies(&[(vec2(3.0, 0.0), vec2(4.0, 0.0), 1.0)]);
        assert_near(settle(&host(), vec2(57.0, 7.0), &going, &parameters()), vec2(4.0, -1.0));
    }

    #[test]
    fn who_has_arrived_gives_way_and_two_on_one_point_part() {
        // On the target, overlapping by 0.8: away at 0.8 / 8.
        let pressed = settle(
            &host(),
            vec2(7.0, 7.0),
            &bodies(&[(vec2(1.2, 0.0), Vec2::ZERO, 1.0)]),
            &parameters(),
        );
        assert_near(pressed, vec2(-0.1, -1.0));
        let part = |host: u32, other: u32| {
            let mut here = Neighbors::none();
            here.push(Neighbor {
                id: other,
                group: 0,
                offset: Vec2::ZERO,
                distance_squared: 0.0,
                velocity: Vec2::ZERO,
                radius: 1.0,
            });
            here.aim(host, Vec2::ZERO, 0);
            settle(
                &Agent { velocity: Vec2::ZERO, ..self::host() },
                vec2(7.0, 7.0),
                &here,
                &parameters(),
            )
        };
        assert_near(part(4, 9), -part(9, 4));
        assert!((part(4, 9).length() - 0.25).abs() < 1e-5);
    }
}
