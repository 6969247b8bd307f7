//! A flock in space with a behavior of the game's own: starlings circle above their roost in an
//! updraft, and flock. The behavior has described parameters, so that a scene file can name it too.
//!
//! Run it: `cargo run --release -p wayfare --features space --example starlings`

#![allow(clippy::print_stdout)] // It is a program that tells what happens.

use wayfare::annotation::DebugDraw;
use wayfare::parameter::{Kind, Range, Unit, Value};
use wayfare::prelude::*;
use wayfare::{Registry, parameters};

parameters! {
    /// Circle around the vertical line through a point, and stay at a height above it.
    "circle" = pub struct Circle<V> {
        /// The point, such as a roost.
        around: Target<V> = required, Kind::Target;
        /// The radius of the circle.
        radius: f32 = required, Kind::Number(Range::above_zero(Unit::Length));
        /// The height of the circle above the point.
        height: f32 = 30.0, Kind::Number(Range::from_zero(Unit::Length));
    }
}

impl Steer<Vec3> for Circle<Vec3> {
    /// Full speed along the circle, corrected by the part of the radius and of the height that the
    /// host is away: `desired velocity - velocity`.
    fn force(
        &self,
        host: &Agent<Vec3>,
        _: &mut Memory<Vec3>,
        context: &mut SteerContext<'_, Vec3>,
        debug: DebugDraw<'_, Vec3>,
    ) -> Vec3 {
        let Some(around) = context.target(host, &self.around, f32::INFINITY) else {
            return Vec3::ZERO;
        };
        let axis = around + Vec3::Z * self.height;
        debug.circle("circle", || (axis, self.radius));
        let offset = host.position - axis;
        let out = vec3(offset.x, offset.y, 0.0).normalize_or(Vec3::X);
        let away = offset - out * self.radius;
        let desired = Vec3::Z.cross(out) - away / self.radius;
        desired.normalize_or_zero() * host.max_speed - host.velocity
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let roost = vec3(0.0, 0.0, 5.0);
    let sky = Shape::box_between(vec3(-60.0, -60.0, 5.0), vec3(60.0, 60.0, 60.0));
    let starlings = Group::new("starlings", 600, Spawn::inside(sky), 12.0)
        .velocity(StartVelocity::Random)
        .mass(0.4..=0.6)
        .max_force(30.0)
        .steer(Flock::default().radius(8.0).cohesion(0.5))
        .steer(Behavior::described(Circle::new(roost, 40.0)));
    let mut crowd = Setup::new(1.0 / 60.0).seed(7).group(starlings).crowd()?;
    // The mean distance from the circle, and the mean speed around it.
    let state = |crowd: &Crowd<Vec3>| {
        let count = crowd.len() as f32;
        let of = |bird: Agent<Vec3>| {
            let offset = bird.position - (roost + Vec3::Z * 30.0);
            let flat = vec3(offset.x, offset.y, 0.0);
            let along = Vec3::Z.cross(flat.normalize_or(Vec3::X));
            ((offset - flat.normalize_or(Vec3::X) * 40.0).length(), bird.velocity.dot(along))
        };
        crowd.agents().map(|(_, bird)| of(bird)).fold((0.0, 0.0), |(distance, speed), bird| {
            (distance + bird.0 / count, speed + bird.1 / count)
        })
    };
    let before = state(&crowd);
    for second in 0..=30 {
        let (distance, speed) = state(&crowd);
        if second % 10 == 0 {
            println!("{second:2} s: {distance:4.1} m from the circle, {speed:4.1} m/s around it");
        }
        (0..60).for_each(|_| crowd.step());
    }
    let after = state(&crowd);
    assert!(after.0 < 0.7 * before.0 && after.1 > 8.0, "{before:?} {after:?}");
    // Registered, the behavior has a name: scene files, editors and the viewer find it.
    let mut registry = Registry::default();
    registry.register::<Vec3, Circle<Vec3>>()?;
    let mut named = registry.from_name::<Vec3>("circle").ok_or("it is registered")?;
    assert!(named.set("radius", Value::Number(25.0)));
    for parameter in named.parameters() {
        println!("circle.{}: {}", parameter.name, parameter.kind);
    }
    Ok(())
}
