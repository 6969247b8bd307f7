//! A squad in a window: a click orders it to a line there, round houses and trees. One soldier
//! shows what it steers by.
//!
//! Run it in this folder: `cargo run`, with a compiler older than Rust 1.97
//! `cargo run --ignore-rust-version`. `cargo run -- FILE.png` writes a picture after four seconds,
//! and ends.

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, save_to_disk};
use bevy_wayfare::wayfare::List;
use bevy_wayfare::wayfare::behavior::{
    Arrive, AvoidObstacles, FollowPath, FormationShape, Separation, formation_slot,
};
use bevy_wayfare::wayfare::parameter::{PathId, Target};
use bevy_wayfare::{Obstacle, ShowSteering, Steer2d, SteerPath, SteerTarget, WayfarePlugin};

/// The distance between the slots of a line (length).
const SPACING: f32 = 26.0;

#[derive(Component)]
struct Soldier;

fn main() {
    let window = Window {
        title: "Wayfare: click to order the squad".into(),
        resolution: (960, 600).into(),
        ..default()
    };
    let mut app = App::new();
    app.add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }))
        .add_plugins(WayfarePlugin::plane().with_seed(4))
        .insert_resource(ClearColor(Color::srgb(0.09, 0.11, 0.13)))
        .add_systems(Startup, (spawn_world, spawn_agents))
        .add_systems(Update, click);
    if let Some(file) = std::env::args().nth(1) {
        app.add_systems(
            Update,
            move |mut commands: Commands, time: Res<Time>, mut step: Local<u8>| {
                let after = [4.0, 5.0].get(usize::from(*step)).copied().unwrap_or(f32::INFINITY);
                if time.elapsed_secs() < after {
                    return;
                }
                if *step == 0 {
                    commands
                        .spawn(Screenshot::primary_window())
                        .observe(save_to_disk(file.clone()));
                } else {
                    commands.write_message(AppExit::Success);
                }
                *step += 1;
            },
        );
    }
    app.run();
}

fn spawn_world(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    commands.spawn(Camera2d);
    let stone = materials.add(Color::srgb(0.25, 0.28, 0.32));
    for (x, y, width, height, turn) in
        [(-60.0, 60.0, 180.0, 90.0, 0.3), (120.0, -120.0, 120.0, 60.0, -0.2)]
    {
        let at = Transform::from_xyz(x, y, 0.0).with_rotation(Quat::from_rotation_z(turn));
        let size = Vec3::new(width, height, 1.0);
        let mesh = Mesh2d(meshes.add(Rectangle::new(width, height)));
        commands.spawn((Obstacle::Box { size }, at, mesh, MeshMaterial2d(stone.clone())));
    }
    for (x, y, radius) in [(200.0, 90.0, 34.0), (-220.0, -90.0, 42.0), (-40.0, -190.0, 26.0)] {
        let mesh = Mesh2d(meshes.add(Circle::new(radius)));
        let at = Transform::from_xyz(x, y, 0.0);
        commands.spawn((Obstacle::Circle { radius }, at, mesh, MeshMaterial2d(stone.clone())));
    }
}

fn spawn_agents(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let body = meshes.add(Triangle2d::new(
        Vec2::new(11.0, 0.0),
        Vec2::new(-8.0, 8.0),
        Vec2::new(-8.0, -8.0),
    ));
    let red = MeshMaterial2d(materials.add(Color::srgb(0.92, 0.38, 0.32)));
    let list = List::default()
        .with(AvoidObstacles::default().see_ahead(60.0).max_avoid_force(300.0))
        .with(Arrive::new(Target::Order))
        .with(Separation::default().radius(24.0).max_force(60.0));
    let soldiers = Steer2d::new("soldiers", 120.0, list).with_mass(0.2).with_radius(9.0);
    for k in 0..8_u8 {
        let at = Transform::from_xyz(-400.0, -100.0 + 30.0 * f32::from(k), 1.0);
        let shape = (Mesh2d(body.clone()), red.clone());
        let show = ShowSteering { figures: k == 0, force: k == 0, body: true };
        commands.spawn((Soldier, soldiers.clone(), at, shape, show));
    }

    // A patrol that walks a closed path.
    let points = [(-400.0, 230.0), (380.0, 230.0), (380.0, -230.0), (-400.0, -230.0)];
    let points = points.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec();
    let path = SteerPath { points, radius: 20.0, closed: true };
    let path = commands.spawn((path, ShowSteering::default())).id();
    let green = MeshMaterial2d(materials.add(Color::srgb(0.45, 0.78, 0.45)));
    let list = List::default()
        .with(AvoidObstacles::default().see_ahead(60.0).max_avoid_force(300.0))
        .with(FollowPath::new(PathId::ORDER))
        .with(Separation::default().radius(40.0).max_force(40.0));
    let patrol = Steer2d::new("patrol", 90.0, list).with_mass(0.2).with_radius(9.0);
    for k in 0..4_u8 {
        let at = Transform::from_xyz(-380.0 + 45.0 * f32::from(k), 225.0, 1.0);
        let shape = (Mesh2d(body.clone()), green.clone());
        commands.spawn((patrol.clone(), SteerTarget::Path(path), at, shape));
    }
}

/// The slots of a line at a place, which faces along `heading`.
fn order(place: Vec3, heading: Vec2, count: u32) -> impl Iterator<Item = Vec3> {
    (0..count).map(move |k| {
        let (ahead, beside) = formation_slot(FormationShape::Line, k, count, SPACING);
        place + (heading * ahead + heading.perp() * beside).extend(0.0)
    })
}

/// Orders the soldiers to a line at the click, which faces away from where they are.
fn click(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    soldiers: Query<(Entity, &Transform), With<Soldier>>,
    mut commands: Commands,
    mut has_begun: Local<bool>,
) {
    let (camera, view) = *camera;
    let clicked = buttons.just_pressed(MouseButton::Left).then(|| window.cursor_position());
    let place = match clicked.flatten() {
        Some(cursor) => camera.viewport_to_world_2d(view, cursor).ok(),
        // The first order.
        None => (!*has_begun).then_some(Vec2::new(280.0, -20.0)),
    };
    let Some(place) = place else { return };
    *has_begun = true;
    let count = soldiers.iter().len() as u32;
    let middle: Vec2 = soldiers.iter().map(|(_, at)| at.translation.truncate()).sum();
    let heading = (place - middle / count.max(1) as f32).normalize_or(Vec2::X);
    for ((soldier, _), slot) in soldiers.iter().zip(order(place.extend(0.0), heading, count)) {
        commands.entity(soldier).insert(SteerTarget::Point(slot));
    }
}
