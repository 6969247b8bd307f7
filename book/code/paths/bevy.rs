use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;
use bevy_wayfare::wayfare::PathId;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // An app adds `WayfarePlugin::plane()`, and steps in `FixedUpdate`.
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane())?;
    let points = [[60.0, 240.0], [200.0, 240.0], [260.0, 120.0], [430.0, 100.0]];
    let points = points.map(|[x, y]| vec3(x, y, 0.0)).to_vec();
    let beat = world.spawn(SteerPath { points, radius: 20.0, closed: false }).id();

    // The path of its own order: each guard of this list may have another beat.
    let follow = FollowPath { at_end: Some(AtEnd::Patrol), ..FollowPath::new(PathId::ORDER) };
    let guard = Steer2d::new("guards", 3.0, List::default().with(follow)).with_mass(8.0);
    let start = Transform::from_xyz(40.0, 200.0, 0.0);
    let guard = world.spawn((guard, start, SteerTarget::Path(beat))).id();

    for _ in 0..100 {
        bevy_wayfare::step::<Vec2>(&mut world);
    }
    if let Some(transform) = world.get::<Transform>(guard) {
        println!("{:.3} {:.3}", transform.translation.x, transform.translation.y);
    }
    Ok(())
}
