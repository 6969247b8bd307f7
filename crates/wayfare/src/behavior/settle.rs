//! Settle: arrive at a target that other agents share, and stay. Agents do not push each other, and
//! agents that have arrived give way.
//!
//! With `arrive` alone all agents press towards the same point forever. Here an agent counts as
//! arrived if the bodies nearer to the target fill the disc up to its position; from then on it
//! only gives way. Bodies are kept apart by velocity obstacles (P. Fiorini, Z. Shiller, "Motion
//! Planning in Dynamic Environments Using Velocity Obstacles", 1998), linearized: the approach
//! speed towards a body is limited by the gap to it.

use super::{SlowingRadius, Steer};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::id::AgentId;
use crate::parameter::{Groups, Kind, Range, Target, Unit, parameters};
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::spatial::neighbors::{Neighbor, NeighborFilter, Neighbors};
use crate::vector::Vector;

parameters! {
    /// Arrive at a target that others share, and stay: as near as the bodies nearer to it leave
    /// room, and out of the path of arriving agents.
    "settle" = pub struct Settle<V> {
        /// The point to settle at.
        target: Target<V> = required, Kind::Target;
        /// The distance up to which neighbors count; should be the diameter of the settled crowd.
        radius: f32 = required, Kind::Number(Range::from_zero(Unit::Length));
        /// The distance at which slowing begins; `"auto"` takes the larger of mass * max_speed^2 /
        /// (2 max_force) and 4 * mass * max_speed.
        slowing_radius: SlowingRadius = (SlowingRadius::Auto),
            Kind::NumberOr(Range::from_zero(Unit::Length), &["auto"]);
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// The full angle around the heading in which neighbors count.
        field_of_view: f32 = 360.0, Kind::Number(Range::new(0.0, 360.0, Unit::Degrees));
        /// The distance up to which the target counts; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

/// The force that settles at `target` (length / time): `desired - v`.
///
/// Desired is `unit(target - p) * max_speed * min(1, (d - full) / slowing_radius)`, zero if
/// `d = |target - p|` is at most `full`, the radius that the bodies nearer to the target fill:
/// `1.05 sqrt(sum of their radii squared) + 0.95` of the host's own radius, and zero if no body is
/// nearer. So a host without neighbors stops on the target, as with [`arrive`](super::arrive()).
/// The desired velocity is then reduced so that within the time `4 m` the host approaches no body
/// by more than the gap to it plus the distance it moves away; overlapping bodies back away
/// likewise. An agent that has not arrived may overlap others by up to a tenth of the two radii;
/// agents that have arrived give way.
///
/// Exactly on the target, without contacts, the force is `-v`; two agents at the same position move
/// in opposite directions. The target and `within` of the parameters are not read.
pub fn settle<V: Vector>(
    host: &impl Host<V>,
    target: V,
    neighbors: &Neighbors<V>,
    parameters: &Settle<V>,
) -> V {
    settle_annotated(host, target, neighbors, parameters, &mut false, DebugDraw::OFF)
}

/// The radius of a settled crowd relative to the disc of its total body area: above 1, so that
/// bodies can pass one another.
const PACKING: f32 = 1.05;
/// The fraction of the host's own radius that is added to the full radius: with [`PACKING`] the
/// second of two bodies stops where it touches the first.
const OWN_RADIUS: f32 = 0.95;
/// The overlap that an agent that has not arrived accepts, as a fraction of the sum of the two
/// radii.
const MAX_OVERLAP: f32 = 0.1;
/// The shortest time in which a gap may be closed, in reaction times: long enough not to overshoot.
const CLOSING_TIME: f32 = 4.0;
/// The number of nearest bodies that count; in 2D at most six equal bodies can touch one.
const MAX_CONTACTS: usize = 8;
/// The number of passes that check the desired velocity against all contacts; it has nearly
/// converged after these.
const SWEEPS: usize = 8;
/// The fixed-point scale of areas: integer addition makes the sum independent of the order.
const AREA: f64 = (1_u64 << 40) as f64;

/// A body close to the host.
#[derive(Clone, Copy, Debug)]
struct Contact<V> {
    /// The gap from surface to surface, negative if they overlap (length).
    gap: f32,
    id: AgentId,
    /// The unit vector towards the body.
    towards: V,
    /// The largest allowed approach speed (length / time).
    max_approach: f32,
}

fn settle_annotated<V: Vector>(
    host: &impl Host<V>,
    target: V,
    neighbors: &Neighbors<V>,
    parameters: &Settle<V>,
    arrived: &mut bool,
    debug: DebugDraw<'_, V>,
) -> V {
    let filter = NeighborFilter {
        radius: parameters.radius,
        of: &parameters.of,
        field_of_view: parameters.field_of_view,
    };
    let offset = target - host.position();
    let distance = offset.length();
    let mut area = 0_u64;
    let mut is_nearest = true;
    for neighbor in neighbors.within(filter, host.heading()) {
        let other = (offset - neighbor.offset).length();
        if other < distance || (other == distance && neighbors.host_id() > neighbor.id) {
            is_nearest = false;
            let part = f64::from(neighbor.radius / parameters.radius);
            area = area.saturating_add((part * part * AREA) as u64);
        }
    }
    let own = if is_nearest { 0.0 } else { OWN_RADIUS * host.radius() };
    let full = PACKING * parameters.radius * ((area as f64 / AREA).sqrt() as f32) + own;
    debug.circle("full", || (target, full));
    let missing = (distance - full).max(0.0);
    let slowing_radius = parameters.slowing_radius.of(host);
    // As with `arrive`: near the place at first, and inside the slowing radius from then on.
    let near = host.radius().max(slowing_radius * 0.01);
    *arrived = missing <= if *arrived { near.max(slowing_radius) } else { near };
    let ramp = if missing < slowing_radius { missing / slowing_radius } else { 1.0 };
    let mut desired = offset.unit() * (host.max_speed() * ramp);
    // An agent that has arrived accepts no overlap.
    let overlap =
        if missing < host.radius() { MAX_OVERLAP * missing / host.radius() } else { MAX_OVERLAP };
    let (contacts, count) = contacts(host, neighbors, filter, overlap);
    // The nearest body is checked last, so that its limit holds if not all can.
    for contact in contacts[..count].iter().rev().cycle().take(count * SWEEPS) {
        let excess = desired.dot(contact.towards) - contact.max_approach;
        if excess > 0.0 {
            desired -= contact.towards * excess;
        }
    }
    desired.truncate(host.max_speed()) - host.velocity()
}

/// The nearest bodies in order of distance, and their count.
fn contacts<V: Vector>(
    host: &impl Host<V>,
    neighbors: &Neighbors<V>,
    filter: NeighborFilter<'_>,
    overlap: f32,
) -> ([Contact<V>; MAX_CONTACTS], usize) {
    let mut nearest =
        [Contact { gap: f32::INFINITY, id: AgentId::NONE, towards: V::ZERO, max_approach: 0.0 };
            MAX_CONTACTS];
    let mut count = 0;
    let time = CLOSING_TIME * host.mass();
    let approach_speed = |neighbor: &Neighbor<V>, gap: f32, towards: V| {
        let space = gap + overlap * (host.radius() + neighbor.radius);
        neighbor.velocity.dot(towards).max(0.0) + space / time
    };
    for neighbor in neighbors.within(filter, host.heading()) {
        let gap = neighbor.distance_squared.sqrt() - host.radius() - neighbor.radius;
        let index =
            nearest[..count].partition_point(|other| (other.gap, other.id) < (gap, neighbor.id));
        if index < MAX_CONTACTS {
            count = (count + 1).min(MAX_CONTACTS);
            nearest[index..count].rotate_right(1);
            let towards = -neighbors.away(&neighbor);
            nearest[index] = Contact {
                gap,
                id: neighbor.id,
                towards,
                max_approach: approach_speed(&neighbor, gap, towards),
            };
        }
    }
    (nearest, count)
}

impl<V: Vector> Steer<V> for Settle<V> {
    fn force(
        &self,
        host: &Agent<V>,
        memory: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let Some(target) = context.target(host, &self.target, self.within) else {
            memory.arrived = false;
            return V::ZERO;
        };
        debug.point("target", || target);
        settle_annotated(host, target, context.neighbors, self, &mut memory.arrived, debug)
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some(self.radius)
    }
    fn reads_bodies(&self) -> bool {
        true
    }
    fn remembers(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::arrive;
    use crate::behavior::testing::{assert_near, bodies};
    use crate::id::GroupId;
    use glam::{Vec2, Vec3, vec2, vec3};

    fn parameters<V: Vector>() -> Settle<V> {
        Settle { slowing_radius: SlowingRadius::Fixed(20.0), ..Settle::new(V::ZERO, 50.0) }
    }

    fn host() -> Agent<Vec2> {
        Agent { mass: 2.0, radius: 1.0, ..Agent::new(vec2(7.0, 7.0), 4.0).moving(vec2(0.0, 1.0)) }
    }

    #[test]
    fn a_lone_host_arrives() {
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
    fn a_host_has_arrived_where_nearer_bodies_fill_the_disc() {
        // Three bodies of radius 2 on the far side fill 1.05 sqrt(12) + 0.95 = 4.587: at 4.5 from
        // the target the host stays, at 8 it moves on at a speed of 4 (8 - 4.587307) / 20.
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
        // A body farther from the target does not count.
        let far = bodies(&[(vec2(-30.0, 0.0), Vec2::ZERO, 2.0)]);
        assert_near(settle(&host(), vec2(11.0, 7.0), &far, &parameters()), vec2(0.8, -1.0));
    }

    #[test]
    fn the_gap_limits_the_approach_and_the_path_leads_around_the_body() {
        // A gap of 1 and a tenth of the radii, 0.2, in a time of 8: the speed towards the body is
        // limited to 0.15; the part past the body is unchanged.
        let ahead = bodies(&[(vec2(3.0, 0.0), Vec2::ZERO, 1.0)]);
        assert_near(settle(&host(), vec2(57.0, 7.0), &ahead, &parameters()), vec2(0.15, -1.0));
        assert_near(
            settle(&host(), vec2(7.0 + 30.0, 7.0 + 40.0), &ahead, &parameters()),
            vec2(0.15, 3.2 - 1.0),
        );
        // A body ahead that moves at the host's desired speed does not slow the host.
        let going = bodies(&[(vec2(3.0, 0.0), vec2(4.0, 0.0), 1.0)]);
        assert_near(settle(&host(), vec2(57.0, 7.0), &going, &parameters()), vec2(4.0, -1.0));
    }

    #[test]
    fn agents_that_have_arrived_give_way_and_two_at_one_position_separate() {
        // On the target, overlapping by 0.8: away at 0.8 / 8.
        let pressed = settle(
            &host(),
            vec2(7.0, 7.0),
            &bodies(&[(vec2(1.2, 0.0), Vec2::ZERO, 1.0)]),
            &parameters(),
        );
        assert_near(pressed, vec2(-0.1, -1.0));
        let part = |host: u32, other: u32| {
            let mut neighbors = Neighbors::none();
            neighbors.push(Neighbor {
                id: AgentId(other),
                group: GroupId(0),
                offset: Vec2::ZERO,
                distance_squared: 0.0,
                velocity: Vec2::ZERO,
                radius: 1.0,
                max_speed: 0.0,
            });
            neighbors.set_host(AgentId(host), Vec2::ZERO, 0, 1.0);
            settle(
                &Agent { velocity: Vec2::ZERO, ..self::host() },
                vec2(7.0, 7.0),
                &neighbors,
                &parameters(),
            )
        };
        assert_near(part(4, 9), -part(9, 4));
        assert!((part(4, 9).length() - 0.25).abs() < 1e-5);
    }
}
