use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec2};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;
use bevy_wayfare::wayfare::crowd::{Spawn, StartVelocity};
use bevy_wayfare::wayfare::geometry::obstacle::Shape;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let area = Shape::Circle { center: vec2(320.0, 240.0), radius: 100.0 };
    let mut fish = Group::new("fish", 3, Spawn::Inside(area), 2.0);
    fish.velocity = StartVelocity::Random;
    fish.mass = 10.0.into();
    fish.steer = List::default()
        .with(Wander::default().circle_distance(6.0).circle_radius(8.0).angle_change(0.5))
        .with(Separation::default().radius(60.0).max_force(2.0));
    // The members of a setup become entities at the first tick.
    let setup = Setup { seed: 9, groups: vec![fish], ..Setup::default() };

    // An app adds this plugin, and steps in `FixedUpdate`.
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane().with_setup(setup))?;
    (0..50).for_each(|_| bevy_wayfare::step::<Vec2>(&mut world));
    let saved = bevy_wayfare::save::<Vec2>(&world).ok_or("there is no crowd")?;
    (0..50).for_each(|_| bevy_wayfare::step::<Vec2>(&mut world));
    let digest = world.resource::<WayfareCrowd>().digest();

    // Back to tick 50, and on from there again.
    bevy_wayfare::restore::<Vec2>(&mut world, &saved)?;
    (0..50).for_each(|_| bevy_wayfare::step::<Vec2>(&mut world));
    if world.resource::<WayfareCrowd>().digest() != digest {
        return Err("the second run is another one".into());
    }

    let mut fish = world.query_filtered::<(&SteeringId, &Transform), With<Steer2d>>();
    let mut lines: Vec<_> = fish.iter(&world).map(|(id, at)| (id.get(), at.translation)).collect();
    lines.sort_by_key(|(id, _)| *id);
    for (_, at) in lines {
        println!("{:.3} {:.3}", at.x, at.y);
    }
    Ok(())
}
