use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec2, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;
use bevy_wayfare::wayfare::crowd::Bodies;
use bevy_wayfare::wayfare::solve::Pedestrian;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // An app adds `WayfarePlugin::plane()`, and steps in `FixedUpdate`.
    let mut world = World::new();
    let bodies = Bodies { solid: true, ..Bodies::default() };
    let setup = Setup { dt: 0.05, bodies, ..Setup::default() };
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane().with_setup(setup))?;

    // Where to go comes first, the solver is the last of its list.
    let people = |name, x| {
        let list = List::default().with(Seek::new(vec2(x, 0.0))).with(Pedestrian::default());
        Steer2d::new(name, 1.34, list).with_radius(0.1756)
    };
    let west = (people("westbound", -100.0), Velocity(vec3(-1.34, 0.0, 0.0)));
    let east = (people("eastbound", 100.0), Velocity(vec3(1.34, 0.0, 0.0)));
    let starts = [
        (&west, Transform::from_xyz(5.0, 0.0, 0.0)),
        (&west, Transform::from_xyz(5.6, 0.3, 0.0)),
        (&west, Transform::from_xyz(5.6, -0.3, 0.0)),
        (&east, Transform::from_xyz(0.0, 0.0, 0.0)),
        (&east, Transform::from_xyz(-0.6, 0.3, 0.0)),
        (&east, Transform::from_xyz(-0.6, -0.3, 0.0)),
    ];
    let people = starts.map(|(person, start)| world.spawn((person.clone(), start)).id());

    for _ in 0..100 {
        bevy_wayfare::step::<Vec2>(&mut world);
    }
    for entity in people {
        if let Some(transform) = world.get::<Transform>(entity) {
            println!("{:.3} {:.3}", transform.translation.x, transform.translation.y);
        }
    }
    Ok(())
}
