//! Follow vehicle: along a path behind the vehicle ahead. The Intelligent Driver Model of Treiber,
//! Hennecke and Helbing ("Congested traffic states in empirical observations and microscopic
//! simulations", Physical Review E 62, 2000), steered along the path by pure pursuit (Coulter,
//! "Implementation of the pure pursuit path tracking algorithm", CMU-RI-TR-92-01, 1992).
//!
//! The defaults are the source's values for cars on a motorway. Its acceleration is multiplied by
//! the mass, since the vehicle divides forces by it. Departures: bodies are discs, and a host does
//! not drive backwards.

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::geometry::path::Path;
use crate::id::AgentId;
use crate::parameter::{Groups, Kind, PathId, Range, Unit, parameters};
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::spatial::neighbors::{Neighbor, NeighborFilter, Neighbors};
use crate::spatial::space::Space;
use crate::vector::Vector;

parameters! {
    /// Along a path behind the vehicle ahead, by the Intelligent Driver Model: acceleration * (1 -
    /// (v / max_speed)^4 - (s* / s)^2) with the gap s and the desired gap s* = gap + v * headway +
    /// v * closing / (2 sqrt(acceleration * braking)).
    ///
    /// The vehicle ahead is the next neighbor along the path whose body reaches into the path's
    /// radius. Where two lanes merge, each of two vehicles can be ahead of the other: then the one
    /// that is farther ahead, by their headings, goes first. Lengths are metres and times seconds;
    /// in other units, all parameters with a unit have to be given. `max_force` above 4 times the
    /// mass lets the host brake as hard as the model asks on a road without emergencies. Where a
    /// path crosses itself the host may change to the other branch.
    #[doc(alias = "intelligent driver model")]
    #[doc(alias = "idm")]
    #[doc(alias = "car following")]
    "follow_vehicle" needs(BODIES) is(ROUTES FINDS_WAY) = pub struct FollowVehicle {
        /// The path, by its name, or `"order"` for the path that the host is ordered along.
        path: PathId = required, Kind::Path;
        /// The time T that the host keeps behind the vehicle ahead.
        headway: f32 = 1.6, Kind::Number(Range::from_zero(Unit::Time));
        /// The gap s0 that it keeps to a vehicle at rest.
        gap: f32 = 2.0, Kind::Number(Range::from_zero(Unit::Length));
        /// The acceleration a from rest on a free road.
        acceleration: f32 = 0.73, Kind::Number(Range::above_zero(Unit::Acceleration));
        /// The comfortable braking b. The host brakes harder where it must.
        braking: f32 = 1.67, Kind::Number(Range::above_zero(Unit::Acceleration));
        /// The distance up to which vehicles are seen: more than the host needs to brake.
        radius: f32 = 100.0, Kind::Number(Range::from_zero(Unit::Length));
        /// The time by which the point that the host steers to is ahead on the path; at least the
        /// path's radius ahead.
        lookahead: f32 = 0.8, Kind::Number(Range::from_zero(Unit::Time));
        /// Whether the end of an open path is like a vehicle at rest. If not, the host drives on
        /// straight ahead; a closed path has no end.
        stops_at_end: bool = false, Kind::Flag;
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
    }
}

/// The vehicle or the end ahead on the path: the gap from body to body (length), and the speed
/// along the path (length / time).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ahead<V> {
    gap: f32,
    speed: f32,
    /// The offset from the host, for annotations (length).
    offset: V,
}

/// The part of its top speed that a host keeps when it stops: rounding must not turn it round, and
/// others see its heading by it.
const LEAST_SPEED: f32 = 4e-6;
/// Two vehicles merge if the cosine of the angle between them is above this: up to 120 degrees. Two
/// that meet both stop.
const LEAST_MERGE: f32 = -0.5;

impl FollowVehicle {
    /// The acceleration of the model for a host with this speed and desired speed (length / time)
    /// behind `ahead` (length / time^2); minus infinity where bodies touch.
    fn model<V>(&self, speed: f32, desired: f32, ahead: Option<Ahead<V>>) -> f32 {
        let free = speed / desired;
        let interaction = ahead.map_or(0.0, |ahead| {
            if ahead.gap <= 0.0 {
                return f32::INFINITY;
            }
            let closing = speed * (speed - ahead.speed);
            let dynamic =
                speed * self.headway + closing / (2.0 * (self.acceleration * self.braking).sqrt());
            (self.gap + dynamic.max(0.0)) / ahead.gap
        });
        self.acceleration * (1.0 - free * free * free * free - interaction * interaction)
    }
}

/// The force along `path` behind the next vehicle on it (length / time): with the model's
/// acceleration A, the speed v and the unit vector d to the point ahead on the path, `v d -
/// velocity + mass * A * d`. Where A brakes, the turn `v d - velocity` is slowed down with the
/// rest: `(v d - velocity) * (1 + A dt / v) + mass * A * velocity / v`.
///
/// A is at least `-v / dt`, and 4 millionths of max_speed are left: the host stops, heads as it
/// did, and does not drive backwards; of one that rolls back the speed v is 0. `dt` is the length
/// of the tick (time); above zero. Zero for a path without points.
///
/// A neighbor counts if it is at most `radius` away and at most as far along the path, and its body
/// reaches into the path's radius. Of two vehicles at the same place of the path the one with the
/// lower id goes first; of two that are ahead of each other, at up to 120 degrees, the one that is
/// farther ahead.
///
/// ```
/// use wayfare::behavior::{FollowVehicle, follow_vehicle};
/// use wayfare::{Agent, Neighbors, geometry::path::Path, glam::vec2, parameter::PathId};
/// let road = Path::new(vec![vec2(0.0, 0.0), vec2(900.0, 0.0)], 2.0, false);
/// let car = Agent { mass: 0.5, radius: 2.0, ..Agent::new(vec2(10.0, 0.0), 30.0) };
/// let driver = FollowVehicle::new(PathId(0));
/// // From rest on a free road: 0.73 m/s2 times the mass.
/// let free = follow_vehicle(&car, &Neighbors::of(&car, []), &road, &driver, 0.1);
/// assert_eq!(free, vec2(0.365, 0.0));
/// // Another one at rest, 2 m ahead of its body: it stays.
/// let other = Neighbors::of(&car, [(vec2(14.0, 0.0), vec2(0.0, 0.0))]);
/// assert_eq!(follow_vehicle(&car, &other, &road, &driver, 0.1), vec2(0.0, 0.0));
/// ```
pub fn follow_vehicle<V: Vector>(
    host: &impl Host<V>,
    neighbors: &Neighbors<V>,
    path: &Path<V>,
    parameters: &FollowVehicle,
    dt: f32,
) -> V {
    let space = &Space::default();
    follow_vehicle_in(space, host, neighbors, path, parameters, (dt, false), DebugDraw::OFF)
}

/// [`follow_vehicle()`] in a world that may be wrapped, with debug annotations, also of a host on
/// wheels: there a force against the velocity turns it round, so a brake is at most the velocity.
fn follow_vehicle_in<V: Vector>(
    space: &Space<V>,
    host: &impl Host<V>,
    neighbors: &Neighbors<V>,
    path: &Path<V>,
    parameters: &FollowVehicle,
    (dt, on_wheels): (f32, bool),
    debug: DebugDraw<'_, V>,
) -> V {
    let Some(&end) = path.points().last() else { return V::ZERO };
    let (p, velocity) = (path.nearest_image(space, host.position()), host.velocity());
    let (speed, length) = (velocity.length(), path.length());
    let (_, along) = path.project(p);
    let mut ahead = vehicle_ahead(host, p, along, length, neighbors, path, parameters);
    if parameters.stops_at_end && !path.is_closed() {
        let gap = length - along - host.radius();
        if ahead.is_none_or(|ahead| gap < ahead.gap) {
            ahead = Some(Ahead { gap, speed: 0.0, offset: end - p });
        }
    }
    if let Some(ahead) = ahead {
        debug.segment("vehicle ahead", || (host.position(), host.position() + ahead.offset));
    }

    let stride = (speed * parameters.lookahead).max(path.radius);
    let beyond = along + stride - length;
    let target = if path.is_closed() || beyond <= 0.0 {
        path.point_at(along + stride)
    } else {
        // Straight on after the end.
        let direction = path.direction_at(length);
        let passed = (p - end).dot(direction).max(0.0);
        end + direction * (beyond + passed)
    };
    debug.point("target", || target + (host.position() - p));
    let direction = (target - p).unit();
    // One that rolls back has no speed along the path, or braking would make it faster.
    let speed = if velocity.dot(direction) < 0.0 { 0.0 } else { speed };
    let acceleration = parameters.model(speed, host.max_speed(), ahead);
    let turn = direction * speed - velocity;
    let least = host.max_speed() * LEAST_SPEED;
    if acceleration < 0.0 && speed > least {
        // Braking slows the turn down as well: else a host that stops would keep what the turn adds
        // across its direction, and head there.
        let rest = (1.0 + acceleration * dt / speed).max(least / speed);
        let brake = (rest - 1.0) * host.mass() / dt;
        let most = if on_wheels { least / speed - 1.0 } else { f32::NEG_INFINITY };
        turn * rest + velocity * brake.max(most)
    } else {
        turn + direction * (acceleration.max(0.0) * host.mass())
    }
}

/// Whether the host goes before a neighbor from another lane, where each of the two is ahead of the
/// other: the one that is farther ahead goes first, of two alike the one with the lower id. Both
/// find the same, as both read velocities, and the offset of one is the opposite of the other's. Of
/// a neighbor that has not moved yet the heading is not known: it is an obstacle.
fn goes_first<V: Vector>(host: &impl Host<V>, id: AgentId, other: &Neighbor<V>) -> bool {
    let (own, its) = (host.velocity().unit(), other.velocity.unit());
    let heading = if own == V::ZERO { host.heading() } else { own };
    // The neighbor ahead of the host, and the host ahead of the neighbor.
    let (ahead, behind) = (other.offset.dot(heading), -other.offset.dot(its));
    let merges = behind > 0.0 && its.dot(heading) > LEAST_MERGE;
    merges && (ahead < behind || (ahead == behind && id < other.id))
}

/// The next vehicle on the path before a host at `p`, which is at `along` of the path's `length`.
fn vehicle_ahead<V: Vector>(
    host: &impl Host<V>,
    p: V,
    along: f32,
    length: f32,
    neighbors: &Neighbors<V>,
    path: &Path<V>,
    parameters: &FollowVehicle,
) -> Option<Ahead<V>> {
    let filter =
        NeighborFilter { radius: parameters.radius, of: &parameters.of, field_of_view: 360.0 };
    let mut first = None;
    for n in neighbors.within(filter, host.heading()) {
        let q = p + n.offset;
        let (nearest, its_along) = path.project(q);
        let mut distance = its_along - along;
        if path.is_closed() && distance < 0.0 {
            distance += length;
        }
        let is_ahead = distance > 0.0 || (distance == 0.0 && n.id < neighbors.host_id());
        if !is_ahead
            || distance > parameters.radius
            || (q - nearest).length() > path.radius + n.radius
            || goes_first(host, neighbors.host_id(), &n)
        {
            continue;
        }
        let gap = distance - host.radius() - n.radius;
        if first.is_none_or(|(best, id, _)| (gap, n.id) < (best, id)) {
            let speed = n.velocity.dot(path.direction_at(its_along));
            first = Some((gap, n.id, Ahead { gap, speed, offset: n.offset }));
        }
    }
    first.map(|(.., ahead)| ahead)
}

impl<V: Vector> Steer<V> for FollowVehicle {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let Some(path) = context.path(self.path) else { return V::ZERO };
        let SteerContext { space, neighbors, .. } = *context;
        let step = (context.dt, context.on_wheels);
        follow_vehicle_in(&space, host, neighbors, path, self, step, debug)
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some(self.radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::assert_near;
    use glam::{Vec2, Vec3, vec2, vec3};

    const DT: f32 = 0.05;

    fn road() -> Path<Vec2> {
        Path::new(vec![vec2(0.0, 0.0), vec2(1_000.0, 0.0)], 2.0, false)
    }

    fn car(x: f32, speed: f32) -> Agent<Vec2> {
        let agent = Agent { mass: 0.5, ..Agent::new(vec2(x, 0.0), 30.0) };
        agent.moving(vec2(speed, 0.0))
    }

    fn driver() -> FollowVehicle {
        FollowVehicle::new(PathId(0))
    }

    /// The acceleration of a car at 0 with this speed behind the others, each with a speed.
    fn acceleration(speed: f32, others: &[(f32, f32, f32)], driver: &FollowVehicle) -> f32 {
        let host = car(0.0, speed);
        let others = others.iter().map(|&(x, y, v)| (vec2(x, y), vec2(v, 0.0)));
        let neighbors = Neighbors::of(&host, others);
        follow_vehicle(&host, &neighbors, &road(), driver, DT).x / host.mass
    }

    #[test]
    fn a_car_that_rolls_back_before_an_obstacle_stops() {
        // Nearer than its gap, with a rounding error of a velocity, and with a real one.
        for rolls in [-1e-6, -2.0] {
            let mut car = car(0.0, rolls);
            let block = Neighbors::of(&car, [(vec2(1.0, 0.0), vec2(0.0, 0.0))]);
            for _ in 0..100 {
                let force = follow_vehicle(&car, &block, &road(), &driver(), DT);
                car.velocity += force * (DT / car.mass);
            }
            assert!(car.velocity.length() < 1e-4, "{rolls}: {}", car.velocity);
        }
    }

    #[test]
    fn the_acceleration_is_that_of_the_source() {
        assert_near(vec2(acceleration(15.0, &[], &driver()), 0.0), vec2(0.73 * 15.0 / 16.0, 0.0));
        assert_near(vec2(acceleration(30.0, &[], &driver()), 0.0), Vec2::ZERO);
        // v = 20, 5 faster than the vehicle 60 ahead: s* = 2 + 20 * 1.6 + 20 * 5 / 2.2082.
        let wanted = 2.0 + 32.0 + 100.0 / (2.0 * (0.73_f32 * 1.67).sqrt());
        let expected = 0.73 * (1.0 - (2.0_f32 / 3.0).powi(4) - (wanted / 60.0).powi(2));
        let found = acceleration(20.0, &[(60.0, 0.0, 15.0)], &driver());
        assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        // One that drives away is not attractive: s* is never below the gap.
        let found = acceleration(10.0, &[(40.0, 0.0, 60.0)], &driver());
        assert!((found - 0.73 * (1.0 - 1.0 / 81.0 - 1.0 / 400.0)).abs() < 1e-5, "{found}");
    }

    #[test]
    fn only_the_next_vehicle_ahead_on_the_lane_counts() {
        let alone = acceleration(20.0, &[], &driver());
        for ignored in [(-5.0, 0.0, 20.0), (30.0, 3.0, 0.0), (101.0, 0.0, 0.0)] {
            assert_eq!(acceleration(20.0, &[ignored], &driver()), alone, "{ignored:?}");
        }
        let (near, far) = ((40.0, 0.0, 20.0), (90.0, 0.0, 0.0));
        let behind = acceleration(20.0, &[near], &driver());
        assert!(behind < alone);
        assert_eq!(acceleration(20.0, &[far, near], &driver()), behind);
        assert_eq!(acceleration(20.0, &[near, far], &driver()), behind);
    }

    #[test]
    fn a_car_stops_behind_one_at_rest_without_hard_braking_and_does_not_back_up() {
        let driver = driver();
        let mut host = Agent { radius: 2.0, ..car(0.0, 14.0) };
        let mut hardest = 0.0_f32;
        for _ in 0..2_000 {
            let neighbors = Neighbors::of(&host, [(vec2(200.0, 0.0), Vec2::ZERO)]);
            let force = follow_vehicle(&host, &neighbors, &road(), &driver, DT);
            let (position, velocity) = host.step(force, host.velocity, 1.0, DT);
            assert!(velocity.x >= 0.0);
            hardest = hardest.max((host.velocity.x - velocity.x) / DT);
            host = Agent { position, ..host }.moving(velocity);
        }
        assert!((196.0..198.5).contains(&(host.position.x + 2.0)), "{}", host.position.x);
        assert!(host.velocity.x < 0.1 && hardest < 4.0, "{hardest}");
        // Too near: it waits.
        let close = Agent { radius: 2.0, ..car(0.0, 0.0) };
        let neighbors = Neighbors::of(&close, [(vec2(1.0, 0.0), Vec2::ZERO)]);
        assert_eq!(follow_vehicle(&close, &neighbors, &road(), &driver, DT), Vec2::ZERO);
    }

    #[test]
    fn a_car_that_stops_while_it_turns_keeps_its_heading() {
        // At 1 m/s beside the middle of the lane, 4 m before the other, and where bodies touch.
        for (x, mass) in [(190.0, 0.5), (190.0, 2.0), (194.5, 0.5)] {
            let mut host = Agent { radius: 2.0, mass, ..car(x, 1.0) };
            host.position.y = 0.5;
            for _ in 0..1_000 {
                let other = Neighbors::of(&host, [(vec2(196.0, 0.0), Vec2::ZERO)]);
                let force = follow_vehicle(&host, &other, &road(), &driver(), DT);
                let (position, velocity) = host.step(force, host.velocity, 1.0, DT);
                host = Agent { position, ..host }.moving(velocity);
                assert!(host.heading.x > 0.9, "{host:?}");
            }
            assert!(host.velocity.length() < 0.05, "{host:?}");
        }
    }

    #[test]
    fn it_drives_on_after_the_end_or_stops_there() {
        let drive = |stops_at_end| {
            let driver = FollowVehicle { stops_at_end, ..driver() };
            let mut host = car(900.0, 14.0);
            for _ in 0..2_000 {
                let none = Neighbors::of(&host, []);
                let force = follow_vehicle(&host, &none, &road(), &driver, DT);
                let (position, velocity) = host.step(force, host.velocity, 1.0, DT);
                host = Agent { position, ..host }.moving(velocity);
            }
            host
        };
        assert!(drive(false).position.x > 2_000.0 && drive(false).position.y == 0.0);
        assert!((996.0..999.0).contains(&drive(true).position.x), "{:?}", drive(true).position);
    }

    #[test]
    fn on_a_closed_road_the_vehicle_beyond_the_first_point_is_ahead() {
        let corners = [(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)];
        let ring = Path::new(corners.map(|(x, y)| vec3(x, y, 5.0)).to_vec(), 2.0, true);
        let host = Agent { mass: 0.5, ..Agent::new(vec3(0.0, 20.0, 5.0), 30.0) };
        let host = host.moving(vec3(0.0, -10.0, 0.0));
        let force = |others: &[(Vec3, Vec3)]| {
            let neighbors = Neighbors::of(&host, others.iter().copied());
            follow_vehicle(&host, &neighbors, &ring, &driver(), DT)
        };
        assert!(force(&[]).y < 0.0);
        assert!(force(&[(vec3(10.0, 0.0, 5.0), Vec3::ZERO)]).y > 1.0);
        assert_eq!(force(&[(vec3(0.0, 40.0, 5.0), Vec3::ZERO)]), force(&[]));
    }

    #[test]
    fn a_host_beside_the_road_returns_to_it() {
        let mut host = Agent { position: vec2(0.0, 1.5), ..car(0.0, 10.0) };
        for _ in 0..200 {
            let none = Neighbors::of(&host, []);
            let force = follow_vehicle(&host, &none, &road(), &driver(), DT);
            let (position, velocity) = host.step(force, host.velocity, 1.0, DT);
            host = Agent { position, ..host }.moving(velocity);
        }
        assert!(host.position.y.abs() < 0.01 && host.position.x > 90.0, "{:?}", host.position);
    }

    #[test]
    fn of_two_vehicles_from_two_lanes_the_one_that_is_ahead_goes_first() {
        // Each is ahead of the other, in their headings; then a car ahead on the same lane, and one
        // that comes towards the host.
        let host = car(0.0, 10.0);
        let other = |offset: Vec2, velocity: Vec2| Neighbor {
            radius: 1.0,
            ..Neighbor::new(AgentId(7), offset, velocity)
        };
        let (near, far) = (vec2(3.0, -8.0), vec2(8.0, -3.0));
        let crossing = vec2(0.0, 9.0);
        assert!(goes_first(&host, AgentId(0), &other(near, crossing)));
        assert!(!goes_first(&host, AgentId(0), &other(far, crossing)));
        // The other one finds the opposite.
        let turned = Agent { heading: Vec2::Y, ..host }.moving(crossing);
        assert!(goes_first(&turned, AgentId(7), &other(-far, vec2(10.0, 0.0))));
        assert!(!goes_first(&turned, AgentId(7), &other(-near, vec2(10.0, 0.0))));
        let even = vec2(5.0, -5.0);
        assert!(goes_first(&host, AgentId(0), &other(even, crossing)));
        assert!(!goes_first(&host, AgentId(8), &other(even, crossing)));
        for (offset, velocity) in [(8.0, 9.0), (8.0, -9.0), (8.0, 0.0)] {
            let ahead = other(vec2(offset, 0.0), vec2(velocity, 0.0));
            assert!(!goes_first(&host, AgentId(0), &ahead), "{velocity}");
        }
    }

    #[test]
    fn on_wheels_a_brake_does_not_turn_the_velocity_round_and_a_car_that_heads_back_turns() {
        let force = |host: &Agent<Vec2>, on_wheels| {
            let block = Neighbors::of(host, [(vec2(8.0, 0.0), Vec2::ZERO)]);
            let step = (DT, on_wheels);
            let space = &Space::OPEN;
            follow_vehicle_in(space, host, &block, &road(), &driver(), step, DebugDraw::OFF)
        };
        let fast = Agent { radius: 2.0, ..car(0.0, 20.0) };
        assert!(force(&fast, false).x < -100.0);
        assert_near(force(&fast, true), vec2(30.0 * LEAST_SPEED - 20.0, 0.0));
        for back in [car(50.0, -5.0), Agent { heading: -Vec2::X, ..car(50.0, 0.0) }] {
            assert_eq!(force(&back, true), force(&back, false));
        }
    }
}
