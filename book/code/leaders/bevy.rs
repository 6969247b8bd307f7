use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // An app adds `WayfarePlugin::plane()`, and steps in `FixedUpdate`.
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane())?;
    // Without behaviors it keeps its velocity.
    let captain = Steer2d::new("captain", 2.0, List::default());
    let start = Transform::from_xyz(120.0, 200.0, 0.0);
    let captain = world.spawn((captain, start, Velocity(vec3(2.0, 0.0, 0.0)))).id();

    // The leader is the agent of the order, so another squad can use the same list.
    let apart = Separation::default().radius(26.0).max_force(3.0).falloff(Falloff::Inverse);
    let follow = FollowLeader::new(GroupId::ORDER)
        .behind(40.0)
        .sight_radius(30.0)
        .slowing_radius(72.0)
        .separation(apart);
    let list = List::default().with(follow);
    let soldier = Steer2d::new("soldiers", 3.0, list).with_mass(6.0);
    let mut entities = vec![captain];
    // The third one stands in the captain's way.
    for [x, y] in [[60.0, 120.0], [60.0, 210.0], [200.0, 190.0]] {
        let start = Transform::from_xyz(x, y, 0.0);
        let target = SteerTarget::Entity(captain);
        entities.push(world.spawn((soldier.clone(), start, target)).id());
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
