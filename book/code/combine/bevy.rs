use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec2};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;
use bevy_wayfare::wayfare::Combine;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // An app adds `WayfarePlugin::plane()`, and steps in `FixedUpdate`.
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane())?;
    world.spawn((Obstacle::Circle { radius: 50.0 }, Transform::from_xyz(300.0, 250.0, 0.0)));
    // The most important first.
    let list = List::new(Combine::Priority)
        .with(AvoidObstacles::default().see_ahead(60.0).max_avoid_force(4.0))
        .with(Separation::default().radius(25.0).max_force(2.0))
        .with(Seek::new(vec2(560.0, 240.0)));
    let guard = Steer2d::new("guards", 3.0, list).with_mass(8.0).with_radius(6.0);
    let starts = [240.0, 260.0].map(|y| Transform::from_xyz(60.0, y, 0.0));
    let guards = starts.map(|start| world.spawn((guard.clone(), start)).id());

    for _ in 0..100 {
        bevy_wayfare::step::<Vec2>(&mut world);
    }
    for guard in guards {
        if let Some(transform) = world.get::<Transform>(guard) {
            println!("{:.3} {:.3}", transform.translation.x, transform.translation.y);
        }
    }
    Ok(())
}
