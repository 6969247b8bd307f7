use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec2};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;
use bevy_wayfare::wayfare::crowd::{Spawn, StartVelocity};
use bevy_wayfare::wayfare::geometry::obstacle::Shape;
use bevy_wayfare::wayfare::spatial::space::{Bounds, Edge};

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let (min, max) = (Vec2::ZERO, vec2(850.0, 640.0));
    let mut birds = Group::new("birds", 1000, Spawn::Inside(Shape::box_between(min, max)), 3.0);
    birds.velocity = StartVelocity::Random;
    birds.mass = 8.0.into();
    birds.think_every = 2; // Each bird steers at every second tick.
    birds.steer = List::default().with(Flock::default().radius(40.0));

    // The members of a setup become entities at the first tick.
    let bounds = Some(Bounds { min, max, edge: Edge::Wrap });
    let setup = Setup { seed: 1, bounds, groups: vec![birds], ..Setup::default() };

    // An app adds this plugin, and steps in `FixedUpdate`. The result does not depend on threads.
    let mut world = World::new();
    let plugin = WayfarePlugin::plane().with_setup(setup).with_threads(2);
    bevy_wayfare::init(&mut world, &plugin)?;
    for _ in 0..100 {
        bevy_wayfare::step::<Vec2>(&mut world);
    }

    let mut birds = world.query_filtered::<(&SteeringId, &Transform), With<Steer2d>>();
    let mut lines: Vec<_> = birds.iter(&world).map(|(id, at)| (id.get(), at.translation)).collect();
    lines.sort_by_key(|(id, _)| *id);
    for (_, at) in lines {
        println!("{:.3} {:.3}", at.x, at.y);
    }
    Ok(())
}
