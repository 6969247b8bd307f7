use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // An app adds `WayfarePlugin::plane()`, and steps in `FixedUpdate`.
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane().with_seed(5))?;
    // The distance of the circle, its radius, and how much the angle changes.
    let list = List::default()
        .with(Wander::default().circle_distance(6.0).circle_radius(8.0).angle_change(0.5));
    let fish = Steer2d::new("fish", 2.0, list).with_mass(20.0);
    let start = Transform::from_xyz(320.0, 240.0, 0.0);
    let fish = world.spawn((fish, start, Velocity(vec3(2.0, 0.0, 0.0)))).id();

    for _ in 0..100 {
        bevy_wayfare::step::<Vec2>(&mut world);
    }
    if let Some(transform) = world.get::<Transform>(fish) {
        println!("{:.3} {:.3}", transform.translation.x, transform.translation.y);
    }
    Ok(())
}
