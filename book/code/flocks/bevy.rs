use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // An app adds `WayfarePlugin::plane()`, and steps in `FixedUpdate`.
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane().with_seed(7))?;
    // Neighbors count up to 90, and push each other apart up to 12.
    let flock = Flock { separation_radius: Some(12.0), ..Flock::default().radius(90.0) };
    // Without a push ahead the flock would come to rest.
    let list = List::default()
        .with(flock)
        .with(Wander::default().circle_distance(1.0).circle_radius(0.2).angle_change(0.5));
    let birds = |name| Steer2d::new(name, 2.0, list.clone()).with_mass(8.0).with_max_force(2.0);
    let east = (birds("eastbound"), Velocity(vec3(2.0, 0.0, 0.0)));
    let south = (birds("southbound"), Velocity(vec3(0.0, 2.0, 0.0)));

    let birds = [
        (&east, Transform::from_xyz(100.0, 200.0, 0.0)),
        (&east, Transform::from_xyz(90.0, 212.0, 0.0)),
        (&south, Transform::from_xyz(150.0, 150.0, 0.0)),
        (&south, Transform::from_xyz(162.0, 140.0, 0.0)),
    ];
    let birds = birds.map(|(bird, start)| world.spawn((bird.clone(), start)).id());

    for _ in 0..100 {
        bevy_wayfare::step::<Vec2>(&mut world);
    }
    for entity in birds {
        if let Some(transform) = world.get::<Transform>(entity) {
            println!("{:.3} {:.3}", transform.translation.x, transform.translation.y);
        }
    }
    Ok(())
}
