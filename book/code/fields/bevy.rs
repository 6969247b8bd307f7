use bevy_ecs::prelude::*;
use bevy_math::{Vec2, Vec3, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::WayfareCrowd;
use bevy_wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // An app adds `WayfarePlugin::plane()`, and steps in `FixedUpdate`.
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane())?;
    let wall = Obstacle::Box { size: vec3(20.0, 240.0, 1.0) };
    world.spawn((wall, Transform::from_xyz(300.0, 200.0, 0.0)));
    // Ways keep 15 from the wall.
    let goal = FlowGoal {
        name: "way".to_string(),
        size: vec3(40.0, 40.0, 1.0),
        cell: 10.0,
        clearance: 15.0,
        area: Some((Vec3::ZERO, vec3(640.0, 400.0, 0.0))),
    };
    world.spawn((goal, Transform::from_xyz(580.0, 200.0, 0.0)));
    // The goal has a field once the crowd has seen it.
    bevy_wayfare::step::<Vec2>(&mut world);

    let way = world.resource::<WayfareCrowd>().field("way").ok_or("the goal has no field")?;
    let list = List::default().with(FollowFlow::new(way));
    let walker = Steer2d::new("walkers", 2.0, list).with_mass(5.0);
    let walkers = [180.0, 230.0]
        .map(|y| world.spawn((walker.clone(), Transform::from_xyz(200.0, y, 0.0))).id());

    for _ in 0..100 {
        bevy_wayfare::step::<Vec2>(&mut world);
    }
    for entity in walkers {
        if let Some(transform) = world.get::<Transform>(entity) {
            println!("{:.3} {:.3}", transform.translation.x, transform.translation.y);
        }
    }
    Ok(())
}
