//! Debug drawing: what is drawn of agents, obstacles, paths and fields.
#![cfg(feature = "gizmos")]

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::*;
use bevy_gizmos::config::DefaultGizmoConfigGroup;
use bevy_gizmos::gizmos::GizmoBuffer;
use bevy_gizmos::{GizmoAsset, GizmoPlugin};
use bevy_math::{Vec2, Vec3, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::draw_agent;
use bevy_wayfare::prelude::*;

fn guard() -> (Steer2d, SteerTarget, Velocity) {
    let list = List::default().with(Arrive::new(Target::Order));
    let guard = Steer2d::new("guards", 2.0, list).with_radius(0.5);
    (guard, SteerTarget::Point(vec3(9.0, 0.0, 0.0)), Velocity(vec3(0.0, 1.0, 0.0)))
}

#[test]
fn an_agent_draws_its_body_its_velocity_the_force_and_the_figures_of_its_behaviors() {
    let mut world = World::new();
    let ground = WayfarePlugin::ground();
    bevy_wayfare::init(&mut world, &ground).expect("the setup is valid");
    let guard = world.spawn((guard(), Transform::from_xyz(1.0, 7.0, -2.0))).id();
    bevy_wayfare::step::<Vec2>(&mut world);
    let at = world.get::<Transform>(guard).expect("it is there").translation;
    let velocity = world.get::<Velocity>(guard).expect("it is there").0;
    let id = *world.get::<SteeringId>(guard).expect("it is there");
    let mut crowd = world.resource_mut::<WayfareCrowd>();
    let mut drawn = |body, force, figures| {
        let mut gizmos = GizmoBuffer::<DefaultGizmoConfigGroup, ()>::new();
        draw_agent(&mut crowd, id, ShowSteering { body, force, figures }, at, &mut gizmos);
        gizmos
    };
    let body = drawn(true, false, false);
    // The circle lies on the ground around the agent.
    let circle = body.strip_positions.iter().filter(|point| point.is_finite());
    let distances: Vec<f32> = circle.map(|point| point.distance(at)).collect();
    assert!(distances.iter().any(|distance| (distance - 0.5).abs() < 1e-4), "{distances:?}");
    let ends = body.list_positions.iter().chain(&body.strip_positions);
    assert!(ends.clone().any(|point| point.distance(at + velocity) < 1e-4));
    assert!(ends.filter(|point| point.is_finite()).all(|point| (point.y - 7.0).abs() < 0.5));
    let count = |drawn: GizmoBuffer<DefaultGizmoConfigGroup, ()>| {
        drawn.list_positions.len() + drawn.strip_positions.len()
    };
    let figures = drawn(false, false, true);
    // The slowing radius around the point that it is ordered to.
    let circle = figures.strip_positions.iter().filter(|point| point.is_finite());
    let radii: Vec<f32> = circle.map(|point| point.distance(vec3(9.0, 7.0, 0.0))).collect();
    assert!(radii.len() > 8 && radii.iter().all(|r| (r - radii[0]).abs() < 1e-3), "{radii:?}");
    assert!(count(drawn(false, true, false)) > 0);
    assert_eq!(count(drawn(false, false, false)), 0);
}

#[test]
fn entities_with_show_steering_are_drawn_in_every_frame_of_an_app() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default(), GizmoPlugin));
    app.add_plugins(WayfarePlugin::plane().without_interpolation());
    let drawn = |app: &mut App| -> usize {
        app.update();
        let assets = app.world().resource::<Assets<GizmoAsset>>();
        let buffers = assets.iter().map(|(_, asset)| asset.buffer());
        buffers.map(|buffer| buffer.list_positions.len() + buffer.strip_positions.len()).sum()
    };
    let bounds = (Vec3::splat(-9.0), Vec3::splat(9.0));
    let goal = FlowGoal {
        name: "exit".to_string(),
        size: Vec3::ONE,
        cell: 2.0,
        clearance: 0.0,
        area: Some(bounds),
    };
    let path = SteerPath { points: vec![Vec3::ZERO, Vec3::X], radius: 0.5, closed: false };
    let world = app.world_mut();
    let entities = [
        world.spawn(guard()).id(),
        world.spawn(Obstacle::Circle { radius: 1.0 }).id(),
        world.spawn(Obstacle::Box { size: Vec3::ONE }).id(),
        world.spawn(Obstacle::Segment { from: Vec3::ZERO, to: Vec3::X, thickness: 0.1 }).id(),
        world.spawn(Obstacle::Polygon { points: vec![Vec3::ZERO, Vec3::X, Vec3::Y] }).id(),
        world.spawn(path).id(),
        world.spawn((goal, Transform::from_xyz(6.0, 6.0, 0.0))).id(),
    ];
    // A fixed tick, so that the crowd knows them.
    app.world_mut().run_schedule(bevy_app::FixedUpdate);
    assert_eq!(drawn(&mut app), 0);
    let mut before = 0;
    for entity in entities {
        app.world_mut().entity_mut(entity).insert(ShowSteering::default());
        let now = drawn(&mut app);
        assert!(now > before, "{entity} adds nothing to {before}");
        before = now;
    }
    for entity in entities {
        app.world_mut().entity_mut(entity).remove::<ShowSteering>();
    }
    // The last drawing is dropped in the frames after that.
    (0..3).for_each(|_| app.update());
    assert_eq!(drawn(&mut app), 0);
}
