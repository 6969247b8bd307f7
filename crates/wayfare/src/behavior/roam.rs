//! Roam: move to one random point after another. The tutorials' first attempt at wandering
//! ("Wander", 2012), and their monsters.

use super::{Steer, arrive};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::geometry::obstacle::Shape;
use crate::id::AgentId;
use crate::parameter::{Auto, Formula, Kind, Range, Scale, Unit, parameters};
use crate::random::Random;
use crate::vector::{Up, Vector};

parameters! {
    /// To a new random point of an area at regular intervals: seek it, or arrive at it with a
    /// slowing radius.
    ///
    /// The turns are sudden and the path between them is straight; `wander` turns a little at every
    /// tick and looks more natural. Roam keeps its agents in the area, though.
    "roam" is(ROUTES) = pub struct Roam<V> {
        /// The area in which points are drawn.
        area: Shape<V> = required, Kind::Area;
        /// The time between two points; `"auto"` takes 20 reaction.
        every: Auto = (Auto::Auto),
            Kind::Auto(Range::above_zero(Unit::Time), Formula::by_group(every));
        /// The distance at which slowing begins; 0 keeps full speed.
        slowing_radius: f32 = 0.0, Kind::Number(Range::from_zero(Unit::Length));
    }
}

/// The time between two points (time).
fn every(scale: &Scale) -> f32 {
    20.0 * scale.reaction()
}

/// The point of `area` that agent `id` steers towards at `time`: a new one every `every` (time), a
/// pure function without memory. Where `every` is [`Auto`] it is the first one; [`roam()`] derives
/// the time from its host. In 3D with z up, which matters to the angle of a box.
pub fn roam_target<V: Vector>(
    parameters: &Roam<V>,
    seed: u64,
    id: impl Into<AgentId>,
    stream: u32,
    time: f64,
) -> V {
    roam_target_in(parameters, parameters.every.known(), (seed, id.into(), stream), time, Up::Z)
}

/// [`roam_target`] in a world with this up axis.
fn roam_target_in<V: Vector>(
    parameters: &Roam<V>,
    every: f32,
    (seed, id, stream): (u64, AgentId, u32),
    time: f64,
    up: Up,
) -> V {
    let interval = libm::floor(time / f64::from(every));
    parameters.area.random_point(&mut Random::new(seed, id.0, interval as u64, stream), up)
}

/// The force towards [`roam_target`] (length / time); exactly on the point it is `-v`.
pub fn roam<V: Vector>(
    host: &impl Host<V>,
    parameters: &Roam<V>,
    seed: u64,
    id: impl Into<AgentId>,
    stream: u32,
    time: f64,
) -> V {
    let (every, key) = (parameters.every.of(host, every), (seed, id.into(), stream));
    let target = roam_target_in(parameters, every, key, time, Up::Z);
    arrive(host, target, parameters.slowing_radius)
}

impl<V: Vector> Steer<V> for Roam<V> {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let target = roam_target_in(
            self,
            self.every.of(host, every),
            (context.rng_key.seed(), context.id, context.stream),
            context.time,
            context.space.up(),
        );
        let target = context.space.image(host.position, target);
        debug.circle("slowing_radius", || (target, self.slowing_radius));
        arrive(host, target, self.slowing_radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, force_alone};
    use glam::{Vec2, Vec3, vec2, vec3};

    #[test]
    fn the_point_is_kept_for_the_given_time_and_then_changes() {
        let roam = Roam {
            area: Shape::box_between(vec2(10.0, -5.0), vec2(30.0, 5.0)),
            every: Auto::Fixed(2.5),
            slowing_radius: 0.0,
        };
        let target = |id: u32, time| roam_target(&roam, 3, id, 1, time);
        assert_eq!(target(0, 0.0), target(0, 2.4));
        assert_ne!(target(0, 2.4), target(0, 2.5));
        assert_eq!(target(0, 2.5), target(0, 4.9));
        assert_ne!(target(0, 0.0), target(1, 0.0));
    }

    #[test]
    fn the_points_are_spread_over_the_area() {
        // Rotated by a right angle, the box extends from (-2, -1) to (2, 9).
        let rotated = Shape::Box {
            center: vec2(0.0, 4.0),
            half: vec2(5.0, 2.0),
            angle: core::f32::consts::FRAC_PI_2,
        };
        let (mut left, mut low) = (0, 0);
        for interval in 0..1_000 {
            let roam = Roam { area: rotated.clone(), every: Auto::Fixed(1.0), slowing_radius: 0.0 };
            let p = roam_target(&roam, 3, 0, 0, f64::from(interval));
            assert!(p.x.abs() <= 2.001 && (p.y - 4.0).abs() <= 5.001, "{p}");
            (left, low) = (left + i32::from(p.x < 0.0), low + i32::from(p.y < 1.5));
            let roam = Roam {
                area: Shape::Circle { center: Vec3::ONE, radius: 3.0 },
                every: Auto::Fixed(1.0),
                slowing_radius: 0.0,
            };
            assert!(
                (roam_target(&roam, 3, 0, 0, f64::from(interval)) - Vec3::ONE).length() <= 3.001
            );
        }
        // Half and a quarter of the points, with standard deviations of 16 and 14.
        assert!((left - 500).abs() < 80 && (low - 250).abs() < 70, "{left} {low}");
    }

    #[test]
    fn the_host_seeks_the_point_or_arrives_at_it_with_a_slowing_radius() {
        // An area without extent is a point: the offset is (2, -4, 4), its length 6.
        let area = Shape::Circle { center: vec3(3.0, -3.0, 5.0), radius: 0.0 };
        let host = Agent::new(vec3(1.0, 1.0, 1.0), 4.5).moving(vec3(1.0, 0.0, -1.0));
        let force = |slowing_radius| {
            force_alone(
                &Roam { area: area.clone(), every: Auto::Fixed(1.0), slowing_radius },
                &host,
            )
        };
        assert_near(force(0.0), vec3(0.5, -3.0, 4.0));
        assert_near(force(24.0), vec3(-0.625, -0.75, 1.75));
        // On the point the host only brakes.
        let area = Shape::Circle { center: Vec2::ONE, radius: 0.0 };
        let host = Agent::new(Vec2::ONE, 4.5).moving(vec2(1.0, -2.0));
        assert_eq!(
            force_alone(&Roam { area, every: Auto::Fixed(1.0), slowing_radius: 5.0 }, &host),
            vec2(-1.0, 2.0)
        );
    }
}
