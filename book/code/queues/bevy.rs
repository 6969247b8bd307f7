use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec2};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;
use bevy_wayfare::wayfare::solve::Queue;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // An app adds `WayfarePlugin::plane()`, and steps in `FixedUpdate`.
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane())?;
    let to_the_door = Seek::new(vec2(430.0, 200.0));
    let slow = Steer2d::new("slow", 1.0, List::default().with(to_the_door)).with_mass(20.0);
    let slow = world.spawn((slow, Transform::from_xyz(150.0, 200.0, 0.0))).id();

    // It brakes the forces before it, so it is the last of its list.
    let list = List::default().with(to_the_door).with(Queue::default().ahead(16.0).radius(14.0));
    let fast = Steer2d::new("fast", 3.0, list).with_mass(20.0);
    let mut entities = vec![slow];
    for [x, y] in [[90.0, 195.0], [60.0, 205.0]] {
        entities.push(world.spawn((fast.clone(), Transform::from_xyz(x, y, 0.0))).id());
    }

    for _ in 0..100 {
        bevy_wayfare::step::<Vec2>(&mut world);
    }
    for entity in entities {
        if let Some(transform) = world.get::<Transform>(entity) {
            println!("{:.3} {:.3}", transform.translation.x, transform.translation.y);
        }
    }
    Ok(())
}
