//! Settle: arrive at a target that other agents share, and stay. Agents do not push each other, and
//! agents that have arrived give way.
//!
//! With `arrive` alone all agents press towards the same point forever. Here an agent counts as
//! arrived if the bodies nearer to the target fill the disc up to its position, and also if it
//! rests against others near that place: a crowd that came from one side is no disc. From then on
//! it only gives way. Bodies are kept apart by velocity obstacles (P. Fiorini, Z. Shiller, "Motion
//! Planning in Dynamic Environments Using Velocity Obstacles", 1998), linearized: the approach
//! speed towards a body is limited by the gap to it.

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::id::AgentId;
use crate::parameter::{Auto, Formula, Groups, Kind, Range, Scale, Target, Unit, parameters};
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::simd::{Simd, SimdVector};
use crate::spatial::neighbors::{Neighbor, NeighborFilter, Neighbors, PairVisitor, Pairs};
use crate::vector::Vector;
use arrayvec::ArrayVec;
use core::array::from_fn;

parameters! {
    /// Arrive at a target that others share, and stay: as near as the bodies nearer to it leave
    /// room, and out of the path of arriving agents.
    "settle" needs(MEMORY BODIES) is(ROUTES HEADS_FOR_TARGET ARRIVES) = pub struct Settle<V> {
        /// The point to settle at.
        target: Target<V> = required, Kind::Target;
        /// The distance up to which neighbors count; should be the diameter of the settled crowd.
        /// `"auto"` takes 8 spacing.
        radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_group(Scale::sight));
        /// The distance at which slowing begins; `"auto"` takes the larger of mass * max_speed^2 /
        /// (2 max_force) and 4 * mass * max_speed.
        slowing_radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_host(Scale::slowing_radius));
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
/// How far beyond the full radius an agent has arrived where others leave it no way on, as a part
/// of that radius.
const HEAP: f32 = 0.75;
/// Up to this part of its top speed an agent rests.
const REST: f32 = 0.05;
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
struct Contact {
    /// The gap from surface to surface, negative if they overlap (length).
    gap: f32,
    id: AgentId,
    /// Its place among the bodies.
    place: usize,
}

fn settle_annotated<V: Vector>(
    host: &impl Host<V>,
    target: V,
    neighbors: &Neighbors<V>,
    parameters: &Settle<V>,
    arrived: &mut bool,
    debug: DebugDraw<'_, V>,
) -> V {
    let radius = parameters.radius.of(host, Scale::sight);
    let filter =
        NeighborFilter { radius, of: &parameters.of, field_of_view: parameters.field_of_view };
    let offset = target - host.position();
    let distance = offset.length();
    let mut around = Surroundings::new(host, offset, radius, neighbors);
    neighbors.visit(filter, host.heading(), &mut around);
    let Surroundings { area, is_nearest, contacts, bodies, .. } = around;
    let own = if is_nearest { 0.0 } else { OWN_RADIUS * host.radius() };
    let full = PACKING * radius * ((area as f64 / AREA).sqrt() as f32) + own;
    debug.circle("full", || (target, full));
    let missing = (distance - full).max(0.0);
    let slowing_radius = parameters.slowing_radius.of(host, Scale::slowing_radius);
    let near = host.radius().max(slowing_radius * 0.01);
    *arrived = missing <= near;
    let ramp = if missing < slowing_radius { missing / slowing_radius } else { 1.0 };
    let mut desired = offset.unit() * (host.max_speed() * ramp);
    // An agent that has arrived accepts no overlap.
    let overlap =
        if missing < host.radius() { MAX_OVERLAP * missing / host.radius() } else { MAX_OVERLAP };
    let time = CLOSING_TIME * host.mass();
    // The unit vectors towards the bodies, and the largest allowed approach speeds (length / time).
    let limits: ArrayVec<(V, f32), MAX_CONTACTS> = { contacts.iter() }
        .map(|Contact { gap, id, place }| {
            let body = &bodies[*place];
            let towards = -neighbors.away_from(*id, body.offset);
            let space = gap + overlap * (host.radius() + body.radius);
            (towards, body.velocity.dot(towards).max(0.0) + space / time)
        })
        .collect();
    for _ in 0..SWEEPS {
        let mut is_reduced = false;
        // The nearest body is checked last, so that its limit holds if not all can.
        for (towards, max_approach) in limits.iter().rev() {
            let excess = desired.dot(*towards) - max_approach;
            if excess > 0.0 {
                desired -= *towards * excess;
                is_reduced = true;
            }
        }
        if !is_reduced {
            break;
        }
    }
    let desired = desired.truncate(host.max_speed());
    let rest = REST * host.max_speed();
    let rests = desired.length() <= rest && host.velocity().length() <= rest;
    *arrived |= rests && !limits.is_empty() && missing <= HEAP * full;
    desired - host.velocity()
}

/// A contact without its gap: the offset to the body (length), its velocity (length / time) and its
/// radius (length).
#[derive(Clone, Copy, Debug)]
struct Body<V> {
    offset: V,
    velocity: V,
    radius: f32,
}

/// A host and the summary of its neighbors.
struct Surroundings<V> {
    host: AgentId,
    /// The radius of the host's body (length).
    body: f32,
    /// The offset from the host to the target, and its length (lengths).
    offset: V,
    distance: f32,
    /// The unit of the area (length).
    radius: f32,
    /// The sum of the squared radii of the bodies nearer to the target, in fixed point.
    area: u64,
    is_nearest: bool,
    /// The bodies nearest to the host, in order, and apart from them what is known of them: less is
    /// moved.
    contacts: ArrayVec<Contact, MAX_CONTACTS>,
    bodies: [Body<V>; MAX_CONTACTS],
}

impl<V: Vector> Surroundings<V> {
    /// Those of a host before its neighbors are visited.
    fn new(host: &impl Host<V>, offset: V, radius: f32, neighbors: &Neighbors<V>) -> Self {
        Self {
            host: neighbors.host_id(),
            body: host.radius(),
            offset,
            distance: offset.length(),
            radius,
            area: 0,
            is_nearest: true,
            contacts: ArrayVec::new(),
            bodies: [Body { offset: V::ZERO, velocity: V::ZERO, radius: 0.0 }; MAX_CONTACTS],
        }
    }
}

/// The part by which lanes let larger distances pass: more than they round.
const ROOM: f32 = 1.0 + 1e-3;

impl<V: Vector> PairVisitor<V> for Surroundings<V> {
    #[inline(always)]
    fn test<L: Simd>(&self, pairs: &Pairs<L>) -> u32 {
        let other = SimdVector::splat(self.offset) - pairs.offset;
        let reach = L::splat(self.distance * ROOM);
        let nearer = other.length_squared::<V>().le(reach * reach);
        let farthest = if self.contacts.is_full() {
            self.contacts[MAX_CONTACTS - 1].gap
        } else {
            f32::INFINITY
        };
        let reach = (L::splat(farthest) + L::splat(self.body) + pairs.radius) * L::splat(ROOM);
        L::to_bits(nearer) | L::to_bits(pairs.distance_squared.le(reach * reach))
    }

    #[inline(always)]
    fn visit(&mut self, neighbor: &Neighbor<V>) {
        let other = (self.offset - neighbor.offset).length();
        // Without a jump, which would be guessed wrong for about every second neighbor.
        let is_nearer =
            (other < self.distance) | ((other == self.distance) & (self.host > neighbor.id));
        self.is_nearest &= !is_nearer;
        let part = f64::from(neighbor.radius / self.radius);
        let area = (part * part * AREA) as u64;
        self.area = self.area.saturating_add(if is_nearer { area } else { 0 });
        let gap = neighbor.distance_squared.sqrt() - self.body - neighbor.radius;
        let is_before =
            |other: &Contact| gap < other.gap || (gap == other.gap && neighbor.id < other.id);
        let mut at = self.contacts.len();
        let mut place = at;
        if at == MAX_CONTACTS {
            at -= 1;
            place = self.contacts[at].place;
            if !is_before(&self.contacts[at]) {
                return;
            }
            self.contacts.pop();
        }
        let contact = Contact { gap, id: neighbor.id, place };
        self.contacts.push(contact);
        while at > 0 && is_before(&self.contacts[at - 1]) {
            self.contacts[at] = self.contacts[at - 1];
            at -= 1;
        }
        self.contacts[at] = contact;
        self.bodies[place] =
            Body { offset: neighbor.offset, velocity: neighbor.velocity, radius: neighbor.radius };
    }
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
        // Once it has arrived, others may push it about: it arrives again where the target has
        // moved.
        let place = V::from_fn(|axis| memory.own[axis]);
        let slowing_radius = self.slowing_radius.of(host, Scale::slowing_radius);
        let moved = context.space.difference(place, target).length();
        memory.arrived &= moved <= slowing_radius.max(host.radius);
        let mut arrives = false;
        let force = settle_annotated(host, target, context.neighbors, self, &mut arrives, debug);
        if arrives && !memory.arrived {
            memory.own = from_fn(|axis| if axis < V::DIMENSION { target.axis(axis) } else { 0.0 });
            memory.arrived = true;
        }
        force
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some(self.radius.known())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::arrive;
    use crate::behavior::testing::{assert_near, bodies};
    use crate::random::Random;
    use glam::{Vec2, Vec3, vec2, vec3};

    fn parameters<V: Vector>() -> Settle<V> {
        Settle { slowing_radius: Auto::Fixed(20.0), ..Settle::new(V::ZERO).radius(50.0) }
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
    fn the_lanes_lose_no_body_that_is_near_the_host_or_nearer_to_the_target() {
        let mut random = Random::new(12, 0, 0, 0);
        for round in 0..300 {
            let scale = [1e-3, 1.0, 1e9][round % 3];
            let mut number = |most: f32| random.between(0.0, most) * scale;
            let others: Vec<_> = (0..40)
                .map(|_| (vec2(number(9.0), number(9.0)), Vec2::ZERO, number(2.0)))
                .collect();
            let host = Agent { radius: scale, ..Agent::new(Vec2::ZERO, 4.0) };
            let (neighbors, offset) = (bodies(&others), vec2(5.0, 3.0) * scale);
            let around = || Surroundings::new(&host, offset, 9.0 * scale, &neighbors);
            let filter =
                NeighborFilter { radius: 9.0 * scale, of: &Groups::All, field_of_view: 360.0 };
            let (mut found, mut all) = (around(), around());
            neighbors.visit(filter, host.heading(), &mut found);
            neighbors.within(filter, host.heading()).for_each(|neighbor| all.visit(&neighbor));
            let ids = |around: &Surroundings<Vec2>| -> Vec<_> {
                around.contacts.iter().map(|contact| contact.id).collect()
            };
            assert_eq!((found.area, ids(&found)), (all.area, ids(&all)), "{round}");
            let mut gaps: Vec<_> = neighbors
                .within(filter, host.heading())
                .map(|n| (n.distance_squared.sqrt() - scale - n.radius, n.id))
                .collect();
            gaps.sort_by(|a, b| a.partial_cmp(b).unwrap());
            assert!(ids(&all).into_iter().eq(gaps.into_iter().take(8).map(|(_, id)| id)));
        }
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
                radius: 1.0,
                ..Neighbor::new(AgentId(other), Vec2::ZERO, Vec2::ZERO)
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
