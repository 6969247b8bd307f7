use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // An app adds `WayfarePlugin::plane()`, and steps in `FixedUpdate`.
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane())?;
    // Without behaviors it keeps its velocity.
    let ship = Steer2d::new("ships", 2.0, List::default());
    let start = Transform::from_xyz(400.0, 20.0, 0.0);
    let ship = world.spawn((ship, start, Velocity(vec3(0.0, 2.0, 0.0)))).id();

    // The agent of its own target, whichever that is.
    let list = List::default().with(Pursue::new(GroupId::ORDER));
    let pirate = Steer2d::new("pirates", 3.0, list).with_mass(10.0);
    let start = Transform::from_xyz(60.0, 240.0, 0.0);
    let pirate = world.spawn((pirate, start, SteerTarget::Entity(ship))).id();

    for _ in 0..100 {
        bevy_wayfare::step::<Vec2>(&mut world);
    }
    for entity in [ship, pirate] {
        if let Some(transform) = world.get::<Transform>(entity) {
            println!("{:.3} {:.3}", transform.translation.x, transform.translation.y);
        }
    }
    Ok(())
}
