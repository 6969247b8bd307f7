//! Navigate: by the shortest route round all obstacles to a target.
//!
//! The crowd plans the routes with [`geometry::navmesh`](crate::geometry::navmesh) after each step,
//! and the behavior steers for the next point of the route of its host. So a target that is set in
//! one tick has a route in the next; while the search waits for its turn, the host follows its
//! former route, or a coarse one by rooms.
//!
//! The choice among several targets is that of H. Ehtamo, S. Heliövaara, T. Korhonen and S.
//! Hostikka, "Game theoretic best-response dynamics for evacuees' exit selection", Advances in
//! Complex Systems 13, 2010, with lengths in place of times.

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::{
    Auto, Field, Formula, Kind, Range, Scale, Target, Unit, Value, parameters, words,
};
use crate::route::Aim;
use crate::vector::Vector;
use alloc::vec::Vec;
#[cfg(any(test, feature = "navigation"))]
use glam::Vec2;

/// The force that follows a route (length / time): `unit(point - p) * max_speed * min(1, left /
/// slowing_radius) - v`.
///
/// `point` is the next point of the route, and `left` the length of the route that is left
/// (lengths): the host slows down within `slowing_radius` (length) of the end of its route, not of
/// its corners. On a route without corners it is [`arrive`](super::arrive()).
///
/// ```
/// use wayfare::{Agent, behavior::navigate, glam::vec2};
/// let guard = Agent::new(vec2(0.0, 0.0), 3.0);
/// // Past a corner close by, with 60 to go, and with 10 to go.
/// assert_eq!(navigate(&guard, vec2(0.0, 2.0), 60.0, 20.0), vec2(0.0, 3.0));
/// assert_eq!(navigate(&guard, vec2(0.0, 2.0), 10.0, 20.0), vec2(0.0, 1.5));
/// ```
#[doc(alias = "pathfinding")]
pub fn navigate<V: Vector>(host: &impl Host<V>, point: V, left: f32, slowing_radius: f32) -> V {
    let ramp = if left < slowing_radius { left / slowing_radius } else { 1.0 };
    (point - host.position()).unit() * (host.max_speed() * ramp) - host.velocity()
}

/// The distance that routes keep from obstacles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RouteClearance {
    /// A fixed distance (length); a larger body keeps its radius.
    Fixed(f32),
    /// The largest body radius of the group.
    Auto,
}

impl<V: Vector> Field<V> for RouteClearance {
    fn placeholder() -> Self {
        Self::Auto
    }
    fn read(value: Value<V>) -> Option<Self> {
        match value {
            Value::Number(clearance) => Some(Self::Fixed(clearance)),
            Value::Word("auto") => Some(Self::Auto),
            _ => None,
        }
    }
    fn write(&self) -> Option<Value<V>> {
        Some(match *self {
            Self::Fixed(clearance) => Value::Number(clearance),
            Self::Auto => Value::Word("auto"),
        })
    }
}

/// The length that an agent of the queue before a target adds to the length of the route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum QueueLength {
    /// A fixed distance (length).
    Fixed(f32),
    /// Four times the largest body radius of the group.
    Auto,
}

impl<V: Vector> Field<V> for QueueLength {
    fn placeholder() -> Self {
        Self::Auto
    }
    fn read(value: Value<V>) -> Option<Self> {
        match value {
            Value::Number(length) => Some(Self::Fixed(length)),
            Value::Word("auto") => Some(Self::Auto),
            _ => None,
        }
    }
    fn write(&self) -> Option<Value<V>> {
        Some(match *self {
            Self::Fixed(length) => Value::Number(length),
            Self::Auto => Value::Word("auto"),
        })
    }
}

words! {
    /// Which of several targets an agent takes.
    pub enum Choose {
        /// The one with the shortest route.
        Nearest = "nearest",
        /// The one with the shortest route plus the queue before it.
        ShortestWait = "shortest_wait",
    }
}

parameters! {
    /// To the target by the shortest route round all obstacles, slowing down to stop on it:
    /// unit(point - p) * max_speed * min(1, left / slowing_radius) - v.
    ///
    /// The crowd plans the routes, a stated number per tick. A host whose target cannot be reached
    /// brakes. In the plane, without a wrapped edge; one in each list.
    ///
    /// With `alternatives` a host takes one of several targets whenever its route is planned: when
    /// it begins, when obstacles change, when it was pushed off its route, and every `rechoose`. It
    /// leaves a target for another one only for a gain of more than a tenth.
    #[doc(alias = "pathfinding")]
    #[doc(alias = "exit choice")]
    "navigate" needs(MEMORY ROUTE) is(ROUTES FINDS_WAY AVOIDS ARRIVES) = pub struct Navigate<V> {
        /// The point to stop on. If it is in an obstacle, the nearest free point takes its place.
        target: Target<V> = required, Kind::Target;
        /// Other points, of which a host may take one in place of `target`, which is a point too.
        alternatives: Vec<V> = (Vec::new()), Kind::Points;
        /// Which one a host takes: `"nearest"` the one with the shortest route, `"shortest_wait"`
        /// the one with the least length of the route + queue_length * queue. The queue is the
        /// number of agents of all groups whose routes lead to the same point and are shorter.
        choose: Choose = (Choose::Nearest), Kind::Word(Choose::WORDS);
        /// What an agent of the queue counts: the speed of a host divided by the number of agents
        /// that pass the target in a unit of time. `"auto"` takes four times the largest body
        /// radius of the group, which suits people before a door 1 m wide.
        queue_length: QueueLength = (QueueLength::Auto),
            Kind::NumberOr(Range::above_zero(Unit::Length), &["auto"]);
        /// The time after which a host chooses again, as queues change; `inf` for never, which
        /// saves the searches.
        rechoose: f32 = (f32::INFINITY), Kind::Number(Range::above_zero(Unit::Time).or_infinite());
        /// The distance that routes keep from obstacles, at least that of the body; `"auto"` takes
        /// the largest body radius of the group. A gap narrower than twice this is closed.
        clearance: RouteClearance = (RouteClearance::Auto),
            Kind::NumberOr(Range::above_zero(Unit::Length), &["auto"]);
        /// The length of the remaining route at which slowing begins; `"auto"` takes the larger of
        /// mass * max_speed^2 / (2 max_force) and 4 * mass * max_speed.
        slowing_radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_host(Scale::slowing_radius));
    }
}

impl<V: Vector> Navigate<V> {
    /// The distance that routes keep from obstacles where the largest body has `radius` (lengths).
    pub(crate) fn clearance_for(&self, radius: f32) -> f32 {
        match self.clearance {
            RouteClearance::Auto => radius,
            RouteClearance::Fixed(clearance) => clearance.max(radius),
        }
    }

    /// What an agent in a queue counts where the largest body has `radius` (lengths).
    pub(crate) fn queue_length_for(&self, radius: f32) -> f32 {
        match (self.choose, self.queue_length) {
            (Choose::Nearest, _) => 0.0,
            (Choose::ShortestWait, QueueLength::Fixed(length)) => length,
            (Choose::ShortestWait, QueueLength::Auto) => 4.0 * radius,
        }
    }

    /// The target that a host with this memory had in the last tick (length).
    #[cfg(any(test, feature = "navigation"))]
    pub(crate) fn last_target(memory: &Memory<V>) -> Option<Vec2> {
        let [is_given, x, y, _] = memory.own;
        (is_given != 0.0).then_some(Vec2::new(x, y))
    }
}

impl<V: Vector> Steer<V> for Navigate<V> {
    fn force(
        &self,
        host: &Agent<V>,
        memory: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let Some(target) = context.target(host, &self.target, f32::INFINITY) else {
            (memory.own, memory.arrived) = ([0.0; 4], false);
            return V::ZERO;
        };
        let up = context.space.up();
        let ground = up.ground(target);
        memory.own = [1.0, ground.x, ground.y, 0.0];
        let in_world = |p| up.at_height_of(p, host.position);
        let route = context.route();
        let points = route.map_or(&[][..], |route| route.points);
        let (point, left, is_target) = match route.map(|route| route.aim) {
            Some(Some(Aim { point, left, is_target })) => (in_world(point), left, is_target),
            Some(None) => {
                memory.arrived = false;
                return -host.velocity;
            }
            None => (target, (target - host.position).length(), true),
        };
        let slowing_radius = self.slowing_radius.of(host, Scale::slowing_radius);
        for (i, to) in points.iter().enumerate() {
            let from = if i == 0 { host.position } else { in_world(points[i - 1]) };
            debug.segment("route", || (from, in_world(*to)));
        }
        debug.point("aim", || point);
        // As with `arrive`: near the target at first, and inside the slowing radius from then on.
        let near = host.radius.max(slowing_radius * 0.01);
        let close = if memory.arrived { near.max(slowing_radius) } else { near };
        memory.arrived = is_target && left <= close;
        navigate(host, point, left, slowing_radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::arrive;
    use crate::context::Shared;
    use crate::route::{CurrentRoute, RouteState};
    use glam::vec2;

    fn force(route: Option<CurrentRoute<'_>>, memory: &mut Memory<Vec2>) -> Vec2 {
        let host = Agent { radius: 0.5, ..Agent::new(vec2(1.0, 1.0), 2.0) };
        let host = host.moving(vec2(0.5, 0.0));
        let shared = Shared { route, ..Shared::nothing() };
        let mut context = SteerContext { shared: Some(&shared), ..SteerContext::empty(1.0) };
        let navigate = Navigate {
            slowing_radius: Auto::Fixed(10.0),
            ..Navigate::new(Target::Point(vec2(9.0, 1.0)))
        };
        navigate.force(&host, memory, &mut context, DebugDraw::OFF)
    }

    #[test]
    fn a_host_steers_for_the_next_corner_and_slows_down_by_the_length_of_its_way() {
        let mut memory = Memory::default();
        let points = [vec2(1.0, 4.0), vec2(9.0, 1.0)];
        let aim = Aim { point: points[0], is_target: false, left: 20.0 };
        let route = |left| CurrentRoute {
            state: RouteState::Known,
            aim: Some(Aim { left, ..aim }),
            points: &points,
        };
        assert_eq!(force(Some(route(20.0)), &mut memory), vec2(-0.5, 2.0));
        assert_eq!(force(Some(route(5.0)), &mut memory), vec2(-0.5, 1.0));
        // A corner close by is no arrival.
        assert_eq!(force(Some(route(0.1)), &mut memory), vec2(-0.5, 0.02));
        assert!(!memory.arrived);
        assert_eq!(Navigate::last_target(&memory), Some(vec2(9.0, 1.0)));
    }

    #[test]
    fn a_host_goes_straight_before_the_search_brakes_if_there_is_no_way_and_arrives_once() {
        let mut memory = Memory::default();
        let host = Agent::new(vec2(1.0, 1.0), 2.0).moving(vec2(0.5, 0.0));
        assert_eq!(force(None, &mut memory), arrive(&host, vec2(9.0, 1.0), 10.0));
        let blocked = CurrentRoute { state: RouteState::Unreachable, aim: None, points: &[] };
        assert_eq!(force(Some(blocked), &mut memory), vec2(-0.5, 0.0));
        let at = |left| CurrentRoute {
            state: RouteState::Known,
            aim: Some(Aim { point: vec2(9.0, 1.0), is_target: true, left }),
            points: &[],
        };
        for (left, arrived) in [(0.6, false), (0.5, true), (9.0, true), (11.0, false)] {
            force(Some(at(left)), &mut memory);
            assert_eq!(memory.arrived, arrived, "{left}");
        }
    }
}
