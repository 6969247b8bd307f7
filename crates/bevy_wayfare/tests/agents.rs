//! Entities are agents of the crowd: components, changes of them, and events.

use std::time::Duration;

use bevy_app::{App, Update};
use bevy_ecs::prelude::*;
use bevy_math::{Vec2, Vec3, vec2, vec3};
use bevy_time::{Fixed, Time, TimeUpdateStrategy, Virtual};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;
use bevy_wayfare::{Arrived, Refused, Stuck, TargetLost, wayfare};
use wayfare::crowd::Spawn;
use wayfare::geometry::obstacle::Shape;
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::{AgentId, Crowd, Order};

/// An app with a tick of one second in each update, so that speeds are lengths per tick.
fn app(plugin: WayfarePlugin) -> App {
    let mut app = App::new();
    let tick = Duration::from_secs(1);
    app.insert_resource(Time::<Fixed>::from_duration(tick));
    app.add_plugins(plugin);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(tick));
    // Bevy's own limit is a quarter of a second.
    app.world_mut().resource_mut::<Time<Virtual>>().set_max_delta(tick);
    app.update(); // The first update has no time in it.
    app
}

fn arriving() -> Steer2d {
    Steer2d::new("guards", 2.0, List::default().with(Arrive::new(Target::Order)))
}

fn at(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<Transform>(entity).map_or(Vec3::NAN, |transform| transform.translation)
}

fn state(app: &App, entity: Entity) -> SteerState {
    *app.world().get::<SteerState>(entity).expect("it has a state")
}

fn run(app: &mut App, ticks: usize) {
    (0..ticks).for_each(|_| app.update());
}

/// The entities of all events of one kind.
#[derive(Resource)]
struct Heard<E>(Vec<E>);

fn listen<E: EntityEvent + Clone>(app: &mut App)
where
    for<'a> E::Trigger<'a>: Default,
{
    app.insert_resource(Heard::<E>(Vec::new()));
    app.add_observer(|event: On<'_, '_, E>, mut heard: ResMut<'_, Heard<E>>| {
        heard.0.push(event.event().clone());
    });
}

fn heard<E: EntityEvent + Clone>(app: &App) -> Vec<E> {
    app.world().resource::<Heard<E>>().0.clone()
}

#[test]
fn an_agent_walks_to_its_target_and_arrives_once() {
    let mut app = app(WayfarePlugin::plane().without_interpolation());
    listen::<Arrived>(&mut app);
    let target = SteerTarget::Point(vec3(10.0, 0.0, 0.0));
    let guard =
        app.world_mut().spawn((arriving(), target, Transform::from_xyz(0.0, 0.0, 7.0))).id();
    assert_eq!(state(&app, guard), SteerState::Idle);
    run(&mut app, 2);
    assert!(at(&app, guard).x > 0.0 && state(&app, guard) == SteerState::Moving);
    run(&mut app, 100);
    assert!(at(&app, guard).abs_diff_eq(vec3(10.0, 0.0, 7.0), 0.1), "z stays as it is");
    assert_eq!(state(&app, guard), SteerState::Arrived);
    assert_eq!(heard::<Arrived>(&app), [Arrived { entity: guard }]);
    app.world_mut().entity_mut(guard).remove::<SteerTarget>();
    run(&mut app, 3);
    assert_eq!(state(&app, guard), SteerState::Idle);
}

#[test]
fn the_ground_is_x_and_z_with_models_that_look_along_minus_z() {
    let mut app = app(WayfarePlugin::ground().without_interpolation());
    let target = SteerTarget::Point(vec3(0.0, 0.0, -9.0));
    let guard =
        app.world_mut().spawn((arriving(), target, Transform::from_xyz(0.0, 3.0, 0.0))).id();
    run(&mut app, 3);
    let transform = *app.world().get::<Transform>(guard).expect("it has a transform");
    assert!(transform.translation.z < -1.0 && transform.translation.y == 3.0);
    assert!(transform.forward().abs_diff_eq(Vec3::NEG_Z, 1e-5));
    app.world_mut().entity_mut(guard).insert(SteerTarget::Point(vec3(50.0, 0.0, 0.0)));
    run(&mut app, 12);
    let transform = *app.world().get::<Transform>(guard).expect("it has a transform");
    assert!(transform.forward().dot(Vec3::X) > 0.9, "{:?}", transform.forward());
}

#[test]
fn an_agent_in_space_flies_to_its_target() {
    let mut world = World::new();
    let plugin = WayfarePlugin::space();
    bevy_wayfare::init(&mut world, &plugin).expect("the setup is valid");
    let list = List::default().with(Arrive::new(Target::Order));
    let bird = Steer3d::new("birds", 2.0, list);
    let bird = world.spawn((bird, SteerTarget::Point(vec3(0.0, 9.0, -9.0)))).id();
    (0..100).for_each(|_| bevy_wayfare::step::<Vec3>(&mut world));
    let at = world.get::<Transform>(bird).expect("it has a transform").translation;
    assert!(at.abs_diff_eq(vec3(0.0, 9.0, -9.0), 0.1), "{at}");
}

#[test]
fn limits_and_frozen_follow_their_components() {
    let mut app = app(WayfarePlugin::plane().without_interpolation());
    let far = SteerTarget::Point(vec3(1e6, 0.0, 0.0));
    let guard = app.world_mut().spawn((arriving(), far)).id();
    let speed = |app: &App| app.world().get::<Velocity>(guard).expect("it has one").0.length();
    run(&mut app, 5);
    assert!((speed(&app) - 2.0).abs() < 1e-6);
    let faster = Limits { max_speed: Some(3.5), ..Limits::default() };
    app.world_mut().entity_mut(guard).insert(faster);
    run(&mut app, 5);
    assert!((speed(&app) - 3.5).abs() < 1e-6);
    app.world_mut().entity_mut(guard).remove::<Limits>().insert(Frozen);
    run(&mut app, 1);
    assert_eq!(speed(&app), 0.0);
    app.world_mut().entity_mut(guard).remove::<Frozen>();
    run(&mut app, 5);
    assert!((speed(&app) - 2.0).abs() < 1e-6);
}

#[test]
fn what_the_crowd_refuses_is_told_with_what_is_allowed() {
    let mut app = app(WayfarePlugin::plane());
    listen::<Refused>(&mut app);
    let guard = arriving();
    let slow = Limits { max_speed: Some(-1.0), ..Limits::default() };
    let wrong = app.world_mut().spawn((guard.clone(), slow)).id();
    run(&mut app, 3);
    let told = heard::<Refused>(&app);
    assert_eq!((told.len(), told[0].entity), (1, wrong));
    assert!(
        told[0].reason.contains("-1") && told[0].reason.contains("allowed"),
        "{}",
        told[0].reason
    );
    let other = Steer2d::new("guards", 9.0, List::default());
    let second = app.world_mut().spawn(other).id();
    let unknown = app.world_mut().spawn(Steer2d::named("gards")).id();
    run(&mut app, 1);
    let told = heard::<Refused>(&app);
    assert_eq!(
        told[1..].iter().map(|refused| refused.entity).collect::<Vec<_>>(),
        [second, unknown]
    );
    assert!(told[1].reason.contains("other settings"), "{}", told[1].reason);
    assert!(told[2].reason.contains("allowed: `guards`"), "{}", told[2].reason);
    // The same settings, made twice, are one group.
    app.world_mut().spawn(arriving());
    run(&mut app, 1);
    assert_eq!(app.world().resource::<WayfareCrowd>().crowd().members(GroupId(0)).len(), 2);
}

#[test]
fn a_target_may_be_an_agent_or_anything_with_a_transform() {
    let mut app = app(WayfarePlugin::plane().without_interpolation());
    listen::<TargetLost>(&mut app);
    let player = app.world_mut().spawn(Transform::from_xyz(20.0, 0.0, 0.0)).id();
    let list = List::default().with(Pursue::new(GroupId::ORDER));
    let hunter =
        app.world_mut().spawn((Steer2d::new("dogs", 3.0, list), SteerTarget::Entity(player))).id();
    let after = app.world_mut().spawn((arriving(), SteerTarget::Entity(hunter))).id();
    run(&mut app, 20);
    assert!(at(&app, hunter).distance(vec3(20.0, 0.0, 0.0)) < 4.0);
    app.world_mut().get_mut::<Transform>(player).expect("it has one").translation.y = 60.0;
    run(&mut app, 40);
    assert!(at(&app, hunter).distance(vec3(20.0, 60.0, 0.0)) < 4.0);
    app.world_mut().despawn(player);
    app.world_mut().despawn(hunter);
    run(&mut app, 1);
    assert_eq!(heard::<TargetLost>(&app), [TargetLost { entity: after }]);
}

#[test]
fn an_agent_follows_the_path_of_an_entity() {
    let mut app = app(WayfarePlugin::plane().without_interpolation());
    listen::<Arrived>(&mut app);
    let points = vec![vec3(0.0, 0.0, 0.0), vec3(20.0, 0.0, 0.0), vec3(20.0, 20.0, 0.0)];
    let path = app.world_mut().spawn(SteerPath { points, radius: 1.0, closed: false }).id();
    let mut follow = FollowPath::new(wayfare::PathId::ORDER);
    follow.at_end = Some(AtEnd::Arrive);
    let list = List::default().with(follow);
    let guard =
        app.world_mut().spawn((Steer2d::new("guards", 2.0, list), SteerTarget::Path(path))).id();
    run(&mut app, 60);
    assert!(at(&app, guard).distance(vec3(20.0, 20.0, 0.0)) < 1.5, "{}", at(&app, guard));
    assert_eq!(heard::<Arrived>(&app), [Arrived { entity: guard }]);
}

#[test]
fn obstacles_follow_their_components_and_transforms() {
    let mut app = app(WayfarePlugin::plane());
    let shape = |app: &App| {
        let crowd = app.world().resource::<WayfareCrowd>().crowd();
        crowd.obstacles().iter().map(|obstacle| obstacle.shape().clone()).collect::<Vec<_>>()
    };
    let circle = |x: f32, radius: f32| Shape::Circle { center: vec2(x, 0.0), radius };
    let tree = (Obstacle::Circle { radius: 2.0 }, Transform::from_xyz(5.0, 0.0, 0.0));
    let tree = app.world_mut().spawn(tree).id();
    run(&mut app, 1);
    assert_eq!(shape(&app), [circle(5.0, 2.0)]);
    app.world_mut().get_mut::<Transform>(tree).expect("it has one").translation.x = 8.0;
    run(&mut app, 1);
    assert_eq!(shape(&app), [circle(8.0, 2.0)]);
    app.world_mut().entity_mut(tree).insert(Obstacle::Circle { radius: 3.0 });
    run(&mut app, 1);
    assert_eq!(shape(&app), [circle(8.0, 3.0)]);
    app.world_mut().despawn(tree);
    run(&mut app, 1);
    assert_eq!(shape(&app), []);
}

#[test]
fn an_agent_that_cannot_go_on_is_stuck() {
    let mut app = app(WayfarePlugin::plane());
    listen::<Stuck>(&mut app);
    app.world_mut()
        .spawn((Obstacle::Box { size: vec3(2.0, 60.0, 1.0) }, Transform::from_xyz(6.0, 0.0, 0.0)));
    let far = SteerTarget::Point(vec3(20.0, 0.0, 0.0));
    let guard = app.world_mut().spawn((arriving().with_radius(1.0), far)).id();
    app.world_mut().entity_mut(guard).insert(Frozen);
    run(&mut app, 5);
    assert_eq!(state(&app, guard), SteerState::Stuck);
    assert_eq!(heard::<Stuck>(&app), [Stuck { entity: guard }]);
}

#[test]
fn a_transform_that_another_system_has_moved_is_a_teleport_and_interpolation_is_none() {
    let mut app = App::new();
    app.insert_resource(Time::<Fixed>::from_duration(Duration::from_secs(1)));
    app.add_plugins(WayfarePlugin::plane());
    // Four updates for each tick.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(250)));
    let far = SteerTarget::Point(vec3(1e6, 0.0, 0.0));
    let guard = app.world_mut().spawn((arriving(), far)).id();
    run(&mut app, 41);
    let crowd = |app: &App| app.world().resource::<WayfareCrowd>().crowd().positions(0)[0];
    let (shown, inner) = (at(&app, guard).x, crowd(&app));
    run(&mut app, 1);
    let next = at(&app, guard).x;
    assert!((next - shown - 0.5).abs() < 1e-3, "a quarter of a tick at 2: {shown} to {next}");
    run(&mut app, 3);
    assert_eq!(crowd(&app), inner + 2.0, "what is shown does not move the agent");
    app.world_mut().get_mut::<Transform>(guard).expect("it has one").translation.x = -50.0;
    run(&mut app, 4);
    assert_eq!(crowd(&app), -48.0);
}

/// Physics that brakes all by half.
fn physics(mut bodies: Query<'_, '_, (&DesiredVelocity, &mut Velocity, &mut Transform)>) {
    for (desired, mut velocity, mut transform) in &mut bodies {
        velocity.0 = desired.0 * 0.5;
        transform.translation += velocity.0;
    }
}

#[test]
fn with_a_desired_velocity_physics_moves_the_agent_and_it_arrives() {
    let mut app = app(WayfarePlugin::plane());
    listen::<Arrived>(&mut app);
    app.add_systems(Update, physics);
    let target = SteerTarget::Point(vec3(10.0, 0.0, 0.0));
    let guard = app.world_mut().spawn((arriving(), target, DesiredVelocity::default())).id();
    run(&mut app, 3);
    let x = at(&app, guard).x;
    assert!(x > 0.0 && x < 4.0, "half as fast: {x}");
    run(&mut app, 200);
    assert!(at(&app, guard).abs_diff_eq(vec3(10.0, 0.0, 0.0), 0.2), "{}", at(&app, guard));
    assert_eq!(heard::<Arrived>(&app).len(), 1);
    assert_eq!(state(&app, guard), SteerState::Arrived);
}

#[test]
fn questions_are_answered_in_the_world_by_team() {
    let mut app = app(WayfarePlugin::ground());
    let wolf = Steer2d::new("wolves", 2.0, List::default());
    let sheep = Steer2d::new("sheep", 1.0, List::default()).with_radius(0.5);
    let wolf = app.world_mut().spawn((wolf, Transform::from_xyz(0.0, 0.0, 3.0))).id();
    let near = app.world_mut().spawn((sheep.clone(), Transform::from_xyz(0.0, 1.0, 6.0))).id();
    let far = app.world_mut().spawn((sheep, Transform::from_xyz(0.0, 0.0, 9.0))).id();
    app.world_mut().spawn((Obstacle::Circle { radius: 0.5 }, Transform::from_xyz(0.0, 0.0, 7.5)));
    run(&mut app, 1);
    let ask = move |crowd: Wayfare<'_>| {
        assert_eq!(crowd.nearest(Vec3::ZERO, Who::All), Some(wolf));
        assert_eq!(crowd.nearest(Vec3::ZERO, Who::Group("sheep")), Some(near));
        assert_eq!(crowd.nearest(Vec3::ZERO, Who::Group("goats")), None);
        assert_eq!(crowd.within(vec3(0.0, 0.0, 6.0), 4.0, Who::All), [wolf, near, far]);
        assert_eq!(crowd.within(vec3(0.0, 0.0, 6.0), 4.0, Who::Group("wolves")), [wolf]);
        let box_ = Shape::box_between(vec2(-1.0, -10.0), vec2(1.0, -5.0));
        assert_eq!(crowd.inside(&box_, Who::All), [near, far]);
        let ray = crowd.ray(vec3(0.0, 0.0, 4.0), Vec3::Z, 20.0);
        assert!(ray.is_some_and(|(hit, length)| hit == near && (length - 1.5).abs() < 1e-5));
        assert_eq!(crowd.ray(vec3(0.0, 0.0, 6.6), Vec3::Z, 20.0), None, "the tree hides it");
        assert!(crowd.line_of_sight(vec3(0.0, 0.0, 4.0), vec3(0.0, 0.0, 6.9)));
        assert!(!crowd.line_of_sight(vec3(0.0, 0.0, 4.0), vec3(0.0, 0.0, 8.5)));
    };
    app.world_mut().run_system_once(ask).expect("the crowd is there");
}

use bevy_ecs::system::RunSystemOnce;

/// Random numbers for the test alone.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
    fn point(&mut self) -> Vec3 {
        vec3(self.below(1_000) as f32 * 0.5, self.below(1_000) as f32 * 0.5, 0.0)
    }
}

#[derive(Component)]
struct Painted;

fn flocking(name: &str, max_speed: f32) -> Group<Vec2> {
    let mut group = Group::new(name, 0, Spawn::Points(Vec::new()), max_speed);
    group.speed_cap = Some(4.0 * max_speed);
    group.steer = List::default()
        .with(Arrive::new(Target::Order))
        .with(Separation::default().radius(6.0).max_force(1.0));
    group
}

/// Inserts, retargets, moves between archetypes and despawns 2,000 entities at random, and does the
/// same with a plain crowd by its own methods.
fn churned(plugin: WayfarePlugin, painted: bool) -> (u64, u64) {
    let mut app = app(plugin.with_seed(7));
    let kinds = [Steer2d::from_group(flocking("a", 2.0)), Steer2d::from_group(flocking("b", 3.0))];
    let setup = Setup { seed: 7, ..Setup::default() };
    let mut plain = Crowd::new(setup).expect("the setup is valid");
    let mut groups: [Option<GroupId>; 2] = [None; 2];
    let (mut numbers, mut alive) = (Numbers(3), Vec::<(Entity, AgentId)>::new());
    // The update in which the app was made has made no tick.
    for tick in 0..2_000 {
        for _ in 0..2 {
            let (kind, point) = (numbers.below(2) as usize, numbers.point());
            let entity =
                app.world_mut().spawn((kinds[kind].clone(), Transform::from_translation(point)));
            let entity = entity.id();
            let group = *groups[kind].get_or_insert_with(|| {
                let name = ["a", "b"][kind];
                plain.add_group(flocking(name, [2.0, 3.0][kind])).expect("the group is valid")
            });
            alive.push((entity, plain.add(group, point.truncate(), None).expect("it fits")));
        }
        for _ in 0..3.min(alive.len()) {
            let (entity, id) = alive[numbers.below(alive.len() as u64) as usize];
            let point = numbers.point();
            app.world_mut().entity_mut(entity).insert(SteerTarget::Point(point));
            plain.set_order(id, Some(Order::Point(point.truncate()))).expect("the point is finite");
            if painted {
                app.world_mut().entity_mut(entity).insert(Painted);
            }
        }
        // Not the last two: an entity that comes and goes between two ticks never gets an id.
        if numbers.below(3) == 0 && alive.len() > 2 {
            let (entity, id) = alive.remove(numbers.below(alive.len() as u64 - 2) as usize);
            app.world_mut().despawn(entity);
            plain.remove(id);
        }
        if tick % 50 == 49 {
            let (entity, id) = alive[numbers.below(alive.len() as u64) as usize];
            let point = numbers.point();
            app.world_mut().get_mut::<Transform>(entity).expect("it has one").translation = point;
            plain.put(id, point.truncate(), None).expect("the point is finite");
        }
        app.update();
        plain.step();
    }
    assert_eq!(app.world().resource::<WayfareCrowd>().crowd().tick(), plain.tick());
    assert!(alive.len() > 1_500 && plain.len() == alive.len());
    (app.world().resource::<WayfareCrowd>().digest(), plain.digest())
}

#[test]
fn entities_that_come_and_go_give_the_digest_of_the_same_commands_on_a_crowd() {
    let plugin = WayfarePlugin::plane;
    let (ours, plain) = churned(plugin(), false);
    assert_eq!(ours, plain);
    assert_eq!(
        churned(plugin().with_threads(2), true),
        (ours, plain),
        "nor threads and archetypes"
    );
    let three = || bevy_tasks::TaskPoolBuilder::new().num_threads(3).build();
    bevy_tasks::ComputeTaskPool::get_or_init(three);
    let app = app(plugin().with_task_pool());
    assert_eq!(app.world().resource::<WayfareCrowd>().crowd().threads(), 4);
    assert_eq!(churned(plugin().with_task_pool(), false), (ours, plain), "nor Bevy's threads");
}

#[test]
fn a_restored_crowd_goes_on_with_the_same_bits_and_spawns_what_is_gone() {
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane()).expect("the setup is valid");
    let guards = Steer2d::from_group(flocking("guards", 2.0));
    let mut numbers = Numbers(11);
    let mut spawn = |world: &mut World, guards: &Steer2d| {
        let target = SteerTarget::Point(numbers.point());
        world.spawn((guards.clone(), Transform::from_translation(numbers.point()), target)).id()
    };
    let first: Vec<Entity> = (0..50).map(|_| spawn(&mut world, &guards)).collect();
    let faster = Limits { max_speed: Some(4.0), ..Limits::default() };
    world.entity_mut(first[3]).insert((faster, SteerTarget::Entity(first[4])));
    world.entity_mut(first[5]).insert(Frozen);
    let player = world.spawn(Transform::from_xyz(400.0, 10.0, 0.0)).id();
    world.entity_mut(first[6]).insert(SteerTarget::Entity(player));
    let run = |world: &mut World| (0..60).for_each(|_| bevy_wayfare::step::<Vec2>(world));
    run(&mut world);
    let saved = bevy_wayfare::save::<Vec2>(&world).expect("there is a crowd");
    run(&mut world);
    let digest = world.resource::<WayfareCrowd>().digest();
    // One of another kind, one that goes, and other settings, which are all undone.
    let late = spawn(&mut world, &Steer2d::from_group(flocking("late", 1.0)));
    world.despawn(first[7]);
    world.entity_mut(first[3]).remove::<(Limits, SteerTarget)>();
    world.entity_mut(first[5]).remove::<Frozen>();
    run(&mut world);
    let spawned = bevy_wayfare::restore::<Vec2>(&mut world, &saved).expect("it is its own");
    assert_eq!(spawned.keys().copied().collect::<Vec<_>>(), [first[7]]);
    assert!(!world.entity(late).contains::<Steer2d>());
    assert_eq!(world.get::<Limits>(first[3]), Some(&faster));
    assert_eq!(world.get::<SteerTarget>(first[3]), Some(&SteerTarget::Entity(first[4])));
    assert!(world.entity(first[5]).contains::<Frozen>());
    assert_eq!(world.get::<SteerTarget>(first[6]), Some(&SteerTarget::Entity(player)));
    run(&mut world);
    assert_eq!(world.resource::<WayfareCrowd>().digest(), digest);
    let id = world.get::<SteeringId>(spawned[&first[7]]).and_then(|id| id.get());
    assert_eq!(id, Some(AgentId(7)));
    // Groups of the same name may go on, and damage is told.
    spawn(&mut world, &guards);
    run(&mut world);
    assert_eq!(world.resource::<WayfareCrowd>().crowd().len(), 51);
    let mut damaged = saved.clone();
    damaged.snapshot[40] ^= 1;
    let before = world.resource::<WayfareCrowd>().digest();
    assert!(bevy_wayfare::restore::<Vec2>(&mut world, &damaged).is_err());
    assert_eq!(world.resource::<WayfareCrowd>().digest(), before);
}

#[test]
fn an_agent_that_has_arrived_sets_out_again_when_its_target_moves_and_is_restored_as_arrived() {
    let mut app = app(WayfarePlugin::plane().without_interpolation());
    let runner = app.world_mut().spawn((arriving(), Transform::from_xyz(10.0, 0.0, 0.0))).id();
    let after = app.world_mut().spawn((arriving(), SteerTarget::Entity(runner))).id();
    run(&mut app, 100);
    assert_eq!(state(&app, after), SteerState::Arrived);
    let saved = bevy_wayfare::save::<Vec2>(app.world()).expect("there is a crowd");
    let fast = Limits { max_speed: Some(8.0), ..Limits::default() };
    let away = SteerTarget::Point(vec3(900.0, 0.0, 0.0));
    app.world_mut().entity_mut(runner).insert((fast, away));
    run(&mut app, 60);
    assert_eq!(state(&app, after), SteerState::Moving);
    bevy_wayfare::restore::<Vec2>(app.world_mut(), &saved).expect("it is its own");
    run(&mut app, 5);
    assert_eq!(state(&app, after), SteerState::Arrived);
}

#[test]
fn an_agent_is_shown_on_the_short_way_over_a_wrapped_edge() {
    let mut app = App::new();
    app.insert_resource(Time::<Fixed>::from_duration(Duration::from_secs(1)));
    let (min, max) = (Vec2::ZERO, vec2(50.0, 50.0));
    let bounds = Some(Bounds { min, max, edge: Edge::Wrap });
    app.add_plugins(WayfarePlugin::plane().with_setup(Setup { bounds, ..Setup::default() }));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(250)));
    let ahead = List::default().with(Seek::new(vec2(15.0, 5.0)));
    let at_edge = Transform::from_xyz(45.0, 5.0, 0.0);
    let guard = app.world_mut().spawn((Steer2d::new("guards", 2.0, ahead), at_edge)).id();
    let mut before = at(&app, guard).x;
    for _ in 0..40 {
        app.update();
        let now = at(&app, guard).x;
        let way = (now - before + 25.0).rem_euclid(50.0) - 25.0;
        assert!((-1e-3..=2.1).contains(&way), "{before} to {now}");
        before = now;
    }
    assert!(before < 20.0, "it has crossed the edge: {before}");
}
