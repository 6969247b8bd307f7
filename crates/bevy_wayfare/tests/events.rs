//! The events of agents reach observers of all entities and of one entity.
#![cfg(feature = "scenes")] // With `navigate`.

use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec2, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;
use bevy_wayfare::{Crossed, Left, StateChanged, Touched, Unreachable, wayfare};
use wayfare::crowd::{Condition, Exit, Line, Spawn, State, Transition};
use wayfare::geometry::obstacle::Shape;
use wayfare::{LineId, StateId};

/// The events that observers have received, in order.
#[derive(Default, Resource)]
struct Heard(Vec<String>);

/// A world with a line and an exit, that hears all events.
fn world() -> World {
    let line = Line::new("line", vec2(2.5, -1.0), vec2(2.5, 1.0));
    let exit = Exit::new(Shape::Circle { center: vec2(9.0, 0.0), radius: 0.6 });
    let setup = Setup { lines: vec![line], exits: vec![exit], ..Setup::default() };
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane().with_setup(setup))
        .expect("the setup is valid");
    world.init_resource::<Heard>();
    hear::<Crossed>(&mut world);
    hear::<Left>(&mut world);
    hear::<StateChanged>(&mut world);
    hear::<Touched>(&mut world);
    hear::<Unreachable>(&mut world);
    world
}

fn hear<E: EntityEvent + std::fmt::Debug>(world: &mut World)
where
    for<'a> E::Trigger<'a>: Default,
{
    world.add_observer(|event: On<'_, '_, E>, mut heard: ResMut<'_, Heard>| {
        heard.0.push(format!("{:?}", event.event()));
    });
}

/// Agents without behaviors, which keep their velocity, with a second state from x = 4 on.
fn walkers() -> Steer2d {
    let mut group = Group::new("walkers", 0, Spawn::Points(Vec::new()), 1.0);
    group.radius = Distribution::Same(0.3);
    group.contacts = true;
    let near = Condition::Near(Target::Point(vec2(4.0, 0.0)), 0.1, None);
    group.states = vec![
        State { leave: vec![Transition { to: 1.into(), when: near }], ..State::new("setting out") },
        State::new("on the way"),
    ];
    Steer2d::from_group(group)
}

#[test]
fn an_agent_crosses_a_line_changes_its_state_touches_another_and_leaves_by_an_exit() {
    let mut world = world();
    let walker = world.spawn((walkers(), Velocity(vec3(1.0, 0.0, 0.0)))).id();
    let post = (walkers(), Frozen, Transform::from_xyz(6.5, 0.2, 0.0));
    let post = world.spawn(post).id();
    let mine = world.spawn_empty().id();
    world.entity_mut(walker).observe(
        move |left: On<'_, '_, Left>, mut commands: Commands<'_, '_>| {
            assert_eq!(left.entity, walker);
            commands.entity(mine).insert(Frozen);
        },
    );
    (0..12).for_each(|_| bevy_wayfare::step::<Vec2>(&mut world));
    let told = [
        format!("{:?}", Crossed { entity: walker, line: LineId(0), to_left: false }),
        format!("{:?}", StateChanged { entity: walker, from: StateId(0), to: StateId(1) }),
        format!("{:?}", Touched { entity: walker, other: post }),
        format!("{:?}", Left { entity: walker }),
    ];
    assert_eq!(world.resource::<Heard>().0, told);
    assert!(world.entity(mine).contains::<Frozen>(), "its own observer has heard it");
    assert!(!world.entity(walker).contains::<Steer2d>());
    assert_eq!(world.resource::<WayfareCrowd>().crowd().len(), 1);
}

#[test]
fn an_agent_without_a_way_to_its_target_tells_it() {
    let mut world = world();
    for (x, y, width, height) in [
        (0.0, 25.0, 9.0, 1.0),
        (0.0, 15.0, 9.0, 1.0),
        (4.0, 20.0, 1.0, 11.0),
        (-4.0, 20.0, 1.0, 11.0),
    ] {
        let wall = Obstacle::Box { size: vec3(width, height, 1.0) };
        world.spawn((wall, Transform::from_xyz(x, y, 0.0)));
    }
    let list = List::default().with(Navigate::new(Target::Order));
    let caught = Steer2d::new("caught", 1.0, list).with_radius(0.3);
    let target = SteerTarget::Point(vec3(30.0, 20.0, 0.0));
    let caught = world.spawn((caught, target, Transform::from_xyz(0.0, 20.0, 0.0))).id();
    (0..5).for_each(|_| bevy_wayfare::step::<Vec2>(&mut world));
    assert_eq!(world.resource::<Heard>().0, [format!("{:?}", Unreachable { entity: caught })]);
}
