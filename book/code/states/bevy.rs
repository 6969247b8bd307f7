use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;
use bevy_wayfare::wayfare::crowd::{Condition, Spawn, Stat, State};

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // An app adds `WayfarePlugin::plane()`, and steps in `FixedUpdate`.
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane())?;
    let thief = Steer2d::new("thief", 2.0, List::default());
    let start = Transform::from_xyz(100.0, 40.0, 0.0);
    let thief = world.spawn((thief, start, Velocity(vec3(2.0, 0.0, 0.0)))).id();

    let near = Condition::Near(Target::Order, 120.0, None);
    // From 30 on, so that the guard does not start again with no breath.
    let fit = Condition::All(vec![near, Condition::stat("stamina").at_least(30.0)]);
    let spent = Condition::stat("stamina").at_most(0.0);
    let wait = State::new("wait").rate("stamina", 1.0).steer(Stop {}).leave("hunt", fit);
    let hunt = State::new("hunt")
        .rate("stamina", -1.0)
        .steer(Pursue::new(GroupId::ORDER))
        .leave("wait", spent);
    let guard = Group::new("guard", 0, Spawn::points([]), 3.0)
        .mass(8.0)
        .stat(Stat::new("stamina", 40.0).min(0.0).max(40.0))
        .state(wait)
        .state(hunt);
    let start = Transform::from_xyz(200.0, 140.0, 0.0);
    let guard = world.spawn((Steer2d::from_group(guard), start, SteerTarget::Entity(thief))).id();

    for _ in 0..100 {
        bevy_wayfare::step::<Vec2>(&mut world);
    }
    for entity in [thief, guard] {
        if let Some(transform) = world.get::<Transform>(entity) {
            println!("{:.3} {:.3}", transform.translation.x, transform.translation.y);
        }
    }
    Ok(())
}
