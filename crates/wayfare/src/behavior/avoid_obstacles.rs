//! Avoid obstacles: a push sideways from what a probe ahead meets. Reynolds, GDC 1999, "Obstacle avoidance", in the version of the
//! tutorials ("Collision Avoidance", 2013) with both of its corrections: the probe is as long as the speed allows, and who is
//! already inside is pushed out.
//!
//! Departures: shapes other than circles, which the tutorial does not know, push along their normal and along their face; and
//! a push straight back, which would brake the host into a jam, becomes one to the left.

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::obstacle::{Meeting, Obstacle, Shape};
use crate::parameter::{Kind, Range, Unit, parameters, words};
use crate::surroundings::Surroundings;
use crate::vector::Vector;

words! {
    /// How the way ahead is probed.
    pub enum Probe {
        /// The tutorial's: three points against circles, the line from the host to the far point against other shapes.
        Points = "points",
        /// Reynolds': the whole corridor of the body's width, against every shape.
        Cylinder = "cylinder",
    }
}

words! {
    /// What must stay clear of the obstacles.
    pub enum Clearance {
        /// The host's center; obstacles are taken as they are.
        Center = "center",
        /// The host's body; obstacles are grown by its radius.
        Body = "body",
    }
}

parameters! {
    /// A push sideways from the most threatening obstacle ahead: unit(far - center) * max_avoid_force for circles,
    /// unit(normal + along) * max_avoid_force for other shapes.
    ///
    /// It does not solve L and T shapes: it knows no way round, only a push.
    "avoid_obstacles" = pub struct AvoidObstacles {
        /// How far ahead the probe reaches at full speed; it shortens with the speed.
        see_ahead: f32 = required, Kind::Number(Range::from_zero(Unit::Length));
        /// The strength of the push.
        max_avoid_force: f32 = required, Kind::Number(Range::from_zero(Unit::Speed));
        /// `"points"`, the tutorial's probe, or `"cylinder"`, Reynolds' swept test of the corridor of the body's width.
        probe: Probe = (Probe::Points), Kind::Word(Probe::WORDS);
        /// `"center"` takes obstacles as they are, `"body"` grows them by the host's radius.
        clearance: Clearance = (Clearance::Center), Kind::Word(Clearance::WORDS);
    }
}

/// What the probe found: the obstacle's place in the list, and where a shape other than a circle is met.
struct Threat<V> {
    distance: f32,
    found: Found<V>,
}

enum Found<V> {
    Circle(V),
    Surface(Meeting<V>),
    Inside(V),
}

/// The push away from the most threatening obstacle (length / time); zero where the way is clear.
///
/// The most threatening is the one whose surface is nearest to the host, the first in the list in a tie. A host at rest has a
/// probe of length zero and is only pushed out of what it is inside of.
pub fn avoid_obstacles<'a, V: Vector>(host: &impl Host<V>, obstacles: impl IntoIterator<Item = &'a Obstacle<V>>, parameters: &AvoidObstacles) -> V {
    let (p, heading) = (host.position(), host.heading());
    let far = p + heading * (parameters.see_ahead * (host.velocity().length() / host.max_speed()).min(1.0));
    let swept = parameters.probe == Probe::Cylinder;
    let growth = if swept || parameters.clearance == Clearance::Body { host.radius() } else { 0.0 };
    let mut worst: Option<Threat<V>> = None;
    for obstacle in obstacles {
        let distance = obstacle.distance(p) - growth;
        if worst.as_ref().is_some_and(|w| w.distance <= distance) {
            continue;
        }
        if let Some(found) = threatening(obstacle, p, far, growth, distance, swept) {
            worst = Some(Threat { distance, found });
        }
    }
    let Some(worst) = worst else { return V::ZERO };
    let push = match worst.found {
        Found::Circle(center) => {
            let push = (far - center).unit();
            let along = push.dot(heading);
            if push == V::ZERO || (along < 0.0 && (push - heading * along).length() < 0.001) { heading.left() } else { push }
        }
        Found::Surface(meeting) => {
            let along = heading - meeting.normal * heading.dot(meeting.normal);
            // Below this the part along the face is what rounding left of nothing.
            let along = if along.length() < 1e-5 { heading.left() } else { along.unit() };
            (meeting.normal + along).unit()
        }
        Found::Inside(way_out) => way_out,
    };
    push * parameters.max_avoid_force
}

fn threatening<V: Vector>(obstacle: &Obstacle<V>, p: V, far: V, growth: f32, distance: f32, swept: bool) -> Option<Found<V>> {
    if let Shape::Circle { center, radius } = *obstacle.shape() {
        let reach = (radius + growth) * (radius + growth);
        let near = |point: V| (point - center).length_squared() <= reach;
        let met = near(far) || near(p) || if swept { obstacle.first_meeting(p, far, growth).is_some() } else { near((p + far) * 0.5) };
        return met.then_some(Found::Circle(center));
    }
    if distance <= 0.0 {
        return Some(Found::Inside(obstacle.way_out(p)));
    }
    obstacle.first_meeting(p, far, growth).map(Found::Surface)
}

impl<V: Vector> Steer<V> for AvoidObstacles {
    fn force(&self, host: &Agent<V>, _: &mut Memory<V>, around: &mut Surroundings<'_, V>) -> V {
        avoid_obstacles(host, around.obstacles, self)
    }
}
