use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;
use bevy_wayfare::wayfare::crowd::{Condition, Spawn, Stat, State, Transition};

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // An app adds `WayfarePlugin::plane()`, and steps in `FixedUpdate`.
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane())?;
    let thief = Steer2d::new("thief", 2.0, List::default());
    let start = Transform::from_xyz(100.0, 40.0, 0.0);
    let thief = world.spawn((thief, start, Velocity(vec3(2.0, 0.0, 0.0)))).id();

    let near = Condition::Near(Target::Order, 120.0, None);
    // From 30 on, so that the guard does not start again with no breath.
    let fit = Condition::All(vec![near, Condition::at_least(0, 30.0)]);
    let wait = State {
        rates: vec![(0, 1.0)],
        steer: List::default().with(Stop {}),
        leave: vec![Transition { to: 1.into(), when: fit }],
        ..State::new("wait")
    };
    let hunt = State {
        rates: vec![(0, -1.0)],
        steer: List::default().with(Pursue::new(GroupId::ORDER)),
        leave: vec![Transition { to: 0.into(), when: Condition::at_most(0, 0.0) }],
        ..State::new("hunt")
    };
    let mut guard = Group::new("guard", 0, Spawn::Points(Vec::new()), 3.0);
    guard.mass = Distribution::Same(8.0);
    guard.stats = vec![Stat { min: 0.0, max: 40.0, ..Stat::new("stamina", 40.0) }];
    guard.states = vec![wait, hunt];
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
