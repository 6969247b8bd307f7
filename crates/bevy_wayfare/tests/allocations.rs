//! In steady state a tick of the plugin allocates nothing.

use bevy_ecs::world::World;
use bevy_math::{Vec2, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;

#[test]
fn a_tick_of_a_thousand_entities_allocates_nothing() {
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane()).expect("the setup is valid");
    let list = List::default()
        .with(Arrive::new(Target::Order))
        .with(Separation::default().radius(3.0).max_force(1.0));
    let guards = Steer2d::new("guards", 0.5, list);
    for k in 0..1_000_u16 {
        let (x, y) = (f32::from(k % 32) * 4.0, f32::from(k / 32) * 4.0);
        let target = SteerTarget::Point(vec3(x + 5_000.0, y, 0.0));
        world.spawn((guards.clone(), target, Transform::from_xyz(x, y, 0.0)));
    }
    let tick = |world: &mut World| bevy_wayfare::step::<Vec2>(world);
    (0..50).for_each(|_| tick(&mut world));
    let measured = allocation_counter::measure(|| (0..100).for_each(|_| tick(&mut world)));
    assert_eq!(measured.count_total, 0, "{measured:?}");
}
