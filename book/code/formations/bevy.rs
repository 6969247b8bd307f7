use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // An app adds `WayfarePlugin::plane()`, and steps in `FixedUpdate`.
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane())?;
    // Without behaviors it keeps its velocity.
    let leader = Steer2d::new("leaders", 1.5, List::default());
    let start = Transform::from_xyz(200.0, 240.0, 0.0);
    let mut entities = vec![world.spawn((leader, start, Velocity(vec3(1.5, 0.0, 0.0)))).id()];

    // Behind the first group, at a spacing of 30.
    let around = Target::Group(GroupId(0));
    let list = List::default().with(Formation::new(around, FormationShape::Wedge).spacing(30.0));
    let wing = Steer2d::new("wing", 3.0, list).with_mass(5.0);
    for (x, y) in [(60.0, 200.0), (40.0, 240.0), (60.0, 280.0), (90.0, 300.0)] {
        let start = Transform::from_xyz(x, y, 0.0);
        entities.push(world.spawn((wing.clone(), start)).id());
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
