use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec2, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // An app adds `WayfarePlugin::plane()`, and steps in `FixedUpdate`.
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane())?;
    // An obstacle is where its transform is, and moves with it.
    world.spawn((Obstacle::Circle { radius: 40.0 }, Transform::from_xyz(200.0, 150.0, 0.0)));
    let size = vec3(40.0, 90.0, 1.0);
    world.spawn((Obstacle::Box { size }, Transform::from_xyz(300.0, 60.0, 0.0)));

    // The whole body stays outside, and not only its center.
    let avoid = AvoidObstacles {
        clearance: Clearance::Body,
        ..AvoidObstacles::default().see_ahead(60.0).max_avoid_force(6.0)
    };
    let list = List::default().with(Seek::new(vec2(460.0, 100.0))).with(avoid);
    let walker = Steer2d::new("walkers", 3.0, list);
    let walker = walker.with_mass(8.0).with_max_force(5.0).with_radius(6.0);
    let starts = [140.0, 80.0].map(|y| Transform::from_xyz(40.0, y, 0.0));
    let walkers = starts.map(|start| world.spawn((walker.clone(), start)).id());

    for _ in 0..100 {
        bevy_wayfare::step::<Vec2>(&mut world);
    }
    for walker in walkers {
        if let Some(transform) = world.get::<Transform>(walker) {
            println!("{:.3} {:.3}", transform.translation.x, transform.translation.y);
        }
    }
    Ok(())
}
