//! Avoid agents: dodge predicted collisions with other agents. Reynolds, GDC 1999, "Unaligned
//! collision avoidance".
//!
//! Reynolds leaves open what two agents do on an exact collision course. Here each turns to its own
//! left, so that they pass; an agent about to be hit from straight behind turns to its right, as
//! the other one turns left.

use super::Steer;
use crate::agent::{Agent, Host, Memory, strength};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::{Auto, Formula, Groups, Kind, Range, Scale, Unit, parameters};
use crate::simd::{Simd, SimdVector};
use crate::spatial::neighbors::{Neighbor, NeighborFilter, Neighbors, PairVisitor, Pairs};
use crate::vector::{Up, Vector, ZERO_LENGTH_SQUARED};

parameters! {
    /// Dodge the first predicted collision, with all velocities kept: away from the other agent's
    /// position at the nearest approach, with max_force (max_speed if that is unlimited).
    #[doc(alias = "unaligned collision avoidance")]
    "avoid_agents" needs(BODIES) = pub struct AvoidAgents {
        /// How far ahead in time collisions are predicted; `"auto"` takes 3 reaction.
        horizon: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Time), Formula::by_group(horizon));
        /// The distance up to which a neighbor counts; `"auto"` takes 2 radius + 6 max_speed *
        /// reaction, which two agents that meet cover in the horizon.
        radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_group(radius));
        /// The distance to keep between the bodies.
        margin: f32 = 0.0, Kind::Number(Range::from_zero(Unit::Length));
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// The full angle around the heading in which neighbors count.
        field_of_view: f32 = 360.0, Kind::Number(Range::new(0.0, 360.0, Unit::Degrees));
    }
}

/// How far ahead collisions are predicted (time).
fn horizon(scale: &Scale) -> f32 {
    3.0 * scale.reaction()
}

/// The way of two agents that meet in the horizon, from body to body (length).
fn radius(scale: &Scale) -> f32 {
    2.0 * (scale.radius + scale.max_speed * horizon(scale))
}

/// A predicted collision.
struct Threat<V> {
    neighbor: Neighbor<V>,
    /// The time until the nearest approach (time).
    time: f32,
    /// The offset from the host to the other agent at that time (length).
    offset: V,
}

/// The force that dodges the first threat (length / time): `-unit(x + w t) * max_force` with its
/// position `x` and velocity `w` relative to the host, and the time of nearest approach
/// `t = -x.w / w.w`, clamped to 0 and the horizon; zero without a threat.
///
/// A threat is a neighbor with `|x + w t|` below the sum of the two radii and the margin; the
/// earliest counts, in a tie the one with the smaller gap, then the one with the lower id. If
/// `x + w t` is parallel to the heading the host turns left, or right if the other agent is behind
/// it. Two agents at the same position move in opposite directions that depend only on their ids. A
/// host at rest dodges too.
pub fn avoid_agents<V: Vector>(
    host: &impl Host<V>,
    neighbors: &Neighbors<V>,
    parameters: &AvoidAgents,
) -> V {
    avoid_agents_annotated(host, neighbors, parameters, Up::Z, DebugDraw::OFF)
}

/// The first threat to `host`.
fn threat<V: Vector>(
    host: &impl Host<V>,
    neighbors: &Neighbors<V>,
    parameters: &AvoidAgents,
) -> Option<Threat<V>> {
    let filter = NeighborFilter {
        radius: parameters.radius.of(host, radius),
        of: &parameters.of,
        field_of_view: parameters.field_of_view,
    };
    let (velocity, body) = (host.velocity(), host.radius());
    let (horizon, margin) = (parameters.horizon.of(host, horizon), parameters.margin);
    let mut search =
        Search { velocity, radius: body, horizon, margin, first: None, gap: f32::INFINITY };
    neighbors.visit(filter, host.heading(), &mut search);
    search.first
}

/// The search for the first threat to a host with this velocity and body radius.
struct Search<V> {
    velocity: V,
    radius: f32,
    horizon: f32,
    margin: f32,
    first: Option<Threat<V>>,
    /// The gap at the nearest approach of the first one (length).
    gap: f32,
}

/// The part by which the lanes of the search let larger gaps pass: more than they round.
const ROOM: f32 = 1.0 + 1e-3;

impl<V: Vector> PairVisitor<V> for Search<V> {
    #[inline(always)]
    fn test<L: Simd>(&self, pairs: &Pairs<L>) -> u32 {
        let (x, w) = (pairs.offset, pairs.velocity - SimdVector::splat(self.velocity));
        let speed_squared = w.length_squared::<V>();
        // With a relative velocity of zero the time is lost: then the nearest approach is now.
        let moves = L::splat(ZERO_LENGTH_SQUARED).le(speed_squared);
        let time = (-(x.dot::<V>(w)) / speed_squared).max(L::splat(0.0));
        let time = time.min(L::splat(self.horizon)).or_zero(moves);
        let gap_squared = (x + w * time).length_squared::<V>();
        let reach = (L::splat(self.radius) + pairs.radius + L::splat(self.margin)) * L::splat(ROOM);
        L::to_bits(gap_squared.le(reach * reach))
    }

    fn visit(&mut self, neighbor: &Neighbor<V>) {
        let (x, w) = (neighbor.offset, neighbor.velocity - self.velocity);
        let speed_squared = w.length_squared();
        let time = if speed_squared < ZERO_LENGTH_SQUARED {
            0.0
        } else {
            (-x.dot(w) / speed_squared).clamp(0.0, self.horizon)
        };
        let offset = x + w * time;
        let gap = offset.length();
        let earlier = |found: &Threat<V>| {
            (time, gap, neighbor.id) < (found.time, self.gap, found.neighbor.id)
        };
        if gap < self.radius + neighbor.radius + self.margin
            && self.first.as_ref().is_none_or(earlier)
        {
            (self.first, self.gap) = (Some(Threat { neighbor: *neighbor, time, offset }), gap);
        }
    }
}

/// [`avoid_agents()`] with debug annotations.
fn avoid_agents_annotated<V: Vector>(
    host: &impl Host<V>,
    neighbors: &Neighbors<V>,
    parameters: &AvoidAgents,
    up: Up,
    debug: DebugDraw<'_, V>,
) -> V {
    let Some(Threat { neighbor, time, offset }) = threat(host, neighbors, parameters) else {
        return V::ZERO;
    };
    let heading = host.heading();
    let position = host.position() + host.velocity() * time;
    let reach = host.radius() + neighbor.radius + parameters.margin;
    debug.segment("nearest approach", || (host.position(), position));
    debug.circle("threat", || (position + offset, reach));
    let sideways = offset - heading * offset.dot(heading);
    let away = if neighbor.distance_squared < ZERO_LENGTH_SQUARED {
        neighbors.away(&neighbor)
    } else if sideways.length() > MIN_SIDEWAYS * reach {
        -offset.unit()
    } else if neighbor.offset.dot(heading) < 0.0 {
        -up.left(heading)
    } else {
        up.left(heading)
    };
    away * strength(host)
}

/// Below this fraction of the sum of radii and margin, a sideways offset counts as straight ahead
/// or straight behind.
const MIN_SIDEWAYS: f32 = 1e-2;

impl<V: Vector> Steer<V> for AvoidAgents {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        debug.circle("radius", || (host.position, self.radius.of(host, radius)));
        avoid_agents_annotated(host, context.neighbors, self, context.space.up(), debug)
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some(self.radius.known())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, bodies};
    use crate::id::AgentId;
    use crate::random::Random;
    use glam::{Vec2, Vec3, vec2, vec3};

    fn parameters() -> AvoidAgents {
        AvoidAgents::default().horizon(10.0).radius(100.0)
    }

    fn host() -> Agent<Vec2> {
        Agent {
            max_force: 2.0,
            radius: 1.0,
            ..Agent::new(vec2(7.0, 7.0), 3.0).moving(vec2(1.0, 0.0))
        }
    }

    #[test]
    fn the_threat_at_the_nearest_approach_is_dodged_and_a_miss_is_not() {
        // Relative to the host, (10, 6) moves with (-2, -1): t = 26 / 5 = 5.2, and the offset then
        // is (-0.4, 0.8), its length sqrt(0.8).
        let others = bodies(&[(vec2(10.0, 6.0), vec2(-1.0, -1.0), 0.5)]);
        assert_near(
            avoid_agents(&host(), &others, &parameters()),
            vec2(0.4, -0.8).normalize() * 2.0,
        );
        // sqrt(0.8) = 0.894: bodies of 0.5 and 0.39 miss each other, with a margin of 0.01 they do
        // not.
        let small = |margin| {
            let (host, others) = (
                Agent { radius: 0.5, ..host() },
                bodies(&[(vec2(10.0, 6.0), vec2(-1.0, -1.0), 0.39)]),
            );
            avoid_agents(&host, &others, &AvoidAgents { margin, ..parameters() })
        };
        assert_eq!(small(0.0), Vec2::ZERO);
        assert_near(small(0.01), vec2(0.4, -0.8).normalize() * 2.0);
        // At the horizon of 4 the offset is still (2, 2).
        assert_eq!(
            avoid_agents(
                &host(),
                &others,
                &AvoidAgents { horizon: Auto::Fixed(4.0), ..parameters() }
            ),
            Vec2::ZERO
        );
        // In 3D: an agent at (0, 1, 5) moves with (0, 0, -1), and passes 1 above.
        let host = Agent { radius: 1.0, ..Agent::new(Vec3::ZERO, 3.0).moving(vec3(0.0, 0.0, 1.0)) };
        let others = bodies(&[(vec3(0.0, 1.0, 6.0), vec3(0.0, 0.0, -2.0), 0.5)]);
        assert_near(avoid_agents(&host, &others, &parameters()), vec3(0.0, -3.0, 0.0));
    }

    #[test]
    fn the_lanes_of_the_search_lose_no_threat() {
        let mut random = Random::new(11, 0, 0, 0);
        let mut threats = 0;
        for round in 0..400 {
            let scale = [1e-3, 1.0, 1e9][round % 3];
            let mut at =
                |most: f32| vec2(random.between(-most, most), random.between(-most, most)) * scale;
            // Half of them with the velocity of the host: no time of nearest approach.
            let others: Vec<_> = (0..40)
                .map(|i| (at(5.0), if i % 2 == 0 { at(2.0) } else { vec2(scale, 0.0) }, scale))
                .collect();
            let host = Agent { radius: scale, ..Agent::new(Vec2::ZERO, 3.0) };
            let host = host.moving(vec2(scale, 0.0));
            let (neighbors, rules) =
                (bodies(&others), AvoidAgents::default().horizon(2.0).radius(4.5 * scale));
            let (velocity, radius) = (host.velocity, host.radius);
            let mut all = Search {
                velocity,
                radius,
                horizon: 2.0,
                margin: 0.0,
                first: None,
                gap: f32::INFINITY,
            };
            let filter =
                NeighborFilter { radius: 4.5 * scale, of: &Groups::All, field_of_view: 360.0 };
            neighbors.within(filter, host.heading()).for_each(|neighbor| all.visit(&neighbor));
            let found = |threat: Option<Threat<Vec2>>| threat.map(|threat| threat.neighbor.id);
            threats += usize::from(all.first.is_some());
            assert_eq!(found(threat(&host, &neighbors, &rules)), found(all.first), "{round}");
        }
        assert!(threats > 200);
    }

    #[test]
    fn the_earliest_threat_counts_and_in_a_tie_the_nearest() {
        let later = (vec2(10.0, 0.5), vec2(-1.0, 0.0), 1.0);
        let sooner = (vec2(6.0, -0.5), vec2(-1.0, 0.0), 1.0);
        let aside = (vec2(6.0, -0.2), vec2(-1.0, 0.0), 1.0);
        assert_near(
            avoid_agents(&host(), &bodies(&[later, sooner]), &parameters()),
            vec2(0.0, 2.0),
        );
        assert_near(
            avoid_agents(&host(), &bodies(&[sooner, later]), &parameters()),
            vec2(0.0, 2.0),
        );
        assert_near(
            avoid_agents(
                &host(),
                &bodies(&[(vec2(6.0, 0.5), vec2(-1.0, 0.0), 1.0), aside]),
                &parameters(),
            ),
            vec2(0.0, 2.0),
        );
        assert_eq!(
            avoid_agents(
                &host(),
                &bodies(&[later]),
                &AvoidAgents { field_of_view: 0.0, ..parameters() }
            ),
            Vec2::ZERO
        );
        assert_eq!(
            avoid_agents(
                &host(),
                &bodies(&[later]),
                &AvoidAgents { of: Groups::only([1]), ..parameters() }
            ),
            Vec2::ZERO
        );
        assert_eq!(avoid_agents(&host(), &Neighbors::none(), &parameters()), Vec2::ZERO);
    }

    #[test]
    fn head_on_each_turns_left_and_an_overtaken_agent_turns_right() {
        let ahead = bodies(&[(vec2(8.0, 0.0), vec2(-1.0, 0.0), 1.0)]);
        assert_near(avoid_agents(&host(), &ahead, &parameters()), vec2(0.0, 2.0));
        let slower = bodies(&[(vec2(8.0, 0.0), vec2(0.5, 0.0), 1.0)]);
        let far = AvoidAgents { horizon: Auto::Fixed(20.0), ..parameters() };
        assert_near(avoid_agents(&host(), &slower, &far), vec2(0.0, 2.0));
        let faster = bodies(&[(vec2(-8.0, 0.0), vec2(2.0, 0.0), 1.0)]);
        assert_near(avoid_agents(&host(), &faster, &far), vec2(0.0, -2.0));
        // Without a limit of force the strength is max_speed; a host at rest that is about to be
        // hit dodges too.
        let free = Agent { max_force: f32::INFINITY, velocity: Vec2::ZERO, ..host() };
        assert_near(avoid_agents(&free, &ahead, &parameters()), vec2(0.0, 3.0));
    }

    #[test]
    fn two_agents_at_one_position_move_in_opposite_directions() {
        let push = |host: u32, other: u32| {
            let mut neighbors = Neighbors::none();
            neighbors.push(Neighbor {
                radius: 1.0,
                ..Neighbor::new(AgentId(other), Vec2::ZERO, vec2(1.0, 0.0))
            });
            neighbors.set_host(AgentId(host), Vec2::ZERO, 0, 1.0);
            avoid_agents(&self::host(), &neighbors, &parameters())
        };
        assert!((push(4, 9).length() - 2.0).abs() < 1e-5);
        assert_near(push(9, 4), -push(4, 9));
    }
}
