use crate::behavior::{Seek, Wander};
use crate::crowd::{Bodies, Distribution, Ghost, Group, Setup, Spawn, StartVelocity};
use crate::geometry::obstacle::{Obstacle, Shape};
use crate::random::Random;
use crate::solve::Pedestrian;
use crate::spatial::space::{Bounds, Edge};
use crate::vector::Vector;
use crate::{Agent, AgentId, Crowd, GroupId, List};
use glam::{Vec2, Vec3, vec2, vec3};

const SOLID: Bodies = Bodies { solid: true, iterations: 6, relaxation: 1.5 };

/// Bodies of radius 1 at these points, at rest.
fn at<V: Vector>(points: &[V]) -> Group<V> {
    let mut group = Group::new("bodies", 0, Spawn::Points(points.to_vec()), 1e3);
    group.radius = Distribution::Same(1.0);
    group
}

fn crowd<V: Vector>(groups: Vec<Group<V>>) -> Crowd<V> {
    Crowd::new(Setup { bodies: SOLID, groups, ..Setup::default() }).unwrap()
}

fn position<V: Vector>(crowd: &Crowd<V>, id: u32) -> V {
    crowd.get(id).unwrap().agent.position
}

fn velocity<V: Vector>(crowd: &Crowd<V>, id: u32) -> V {
    crowd.get(id).unwrap().agent.velocity
}

#[test]
fn overlapping_bodies_move_apart_by_equal_parts() {
    let mut pair = crowd(vec![at(&[vec2(0.0, 0.0), vec2(1.0, 0.0)])]);
    pair.step();
    assert_eq!(position(&pair, 0), -position(&pair, 1) + Vec2::X);
    assert!(position(&pair, 1).x - position(&pair, 0).x >= 1.98);
    assert!(pair.deepest_overlap().unwrap() <= 0.02);
    let mut pair = crowd(vec![at(&[vec3(0.0, 0.0, 1.0), vec3(0.0, 0.0, 0.0)])]);
    pair.step();
    assert!(position(&pair, 0).z - position(&pair, 1).z >= 1.98);
}

#[test]
fn bodies_at_one_place_separate_in_opposite_directions() {
    let mut pair = crowd(vec![at(&[vec2(5.0, 5.0), vec2(5.0, 5.0)])]);
    (0..3).for_each(|_| pair.step());
    assert!((position(&pair, 0) - position(&pair, 1)).length() >= 1.98);
    assert_eq!(position(&pair, 0) + position(&pair, 1), vec2(10.0, 10.0));
}

#[test]
fn the_heavier_body_moves_less_and_a_frozen_one_not_at_all() {
    let mut heavy = at(&[vec2(1.75, 0.0)]);
    heavy.inertia = 3.0;
    let mut pair = crowd(vec![at(&[vec2(0.0, 0.0)]), Group { name: "heavy".into(), ..heavy }]);
    let mut frozen = pair.clone();
    pair.step();
    let (light, heavy) = (-position(&pair, 0).x, position(&pair, 1).x - 1.75);
    assert!((light / heavy - 3.0).abs() < 1e-3, "{light} {heavy}");
    frozen.set_frozen(1, true).unwrap();
    frozen.step();
    assert_eq!(position(&frozen, 1), vec2(1.75, 0.0));
    assert!(position(&frozen, 0).x <= -0.23);
}

#[test]
fn a_group_that_opts_out_neither_pushes_nor_is_pushed_and_walls_hold_it() {
    let mut ghosts = at(&[vec2(0.5, 0.0)]);
    (ghosts.name, ghosts.solid) = ("ghosts".into(), false);
    let groups = vec![at(&[vec2(0.0, 0.0)]), ghosts];
    let obstacles = vec![Shape::Circle { center: vec2(0.5, 1.5), radius: 1.0 }];
    let mut crowd =
        Crowd::new(Setup { bodies: SOLID, groups, obstacles, ..Setup::default() }).unwrap();
    crowd.step();
    assert!((position(&crowd, 1) - vec2(0.5, -0.5)).length() < 1e-5);
    assert!((position(&crowd, 0) - vec2(0.5, 1.5)).length() >= 2.0 - 1e-5);
}

#[test]
fn a_body_that_touches_nothing_moves_as_without_solid_bodies() {
    let mut group = at(&(0..100).map(|i| vec2(100.0 * i as f32, 0.0)).collect::<Vec<_>>());
    group.velocity = StartVelocity::Same(vec2(0.3, 20.1));
    group.steer = List::default()
        .with(Wander::default().circle_distance(1.0).circle_radius(0.5).angle_change(0.0));
    let groups = vec![group];
    let mut open = Crowd::new(Setup { groups: groups.clone(), ..Setup::default() }).unwrap();
    let mut solid = crowd(groups);
    for _ in 0..5 {
        open.step();
        solid.step();
        assert_eq!(open.digest(), solid.digest());
    }
}

#[test]
fn a_free_body_lands_at_the_end_of_its_step_whatever_small_and_large_ones_collide() {
    let body = |name: &str, x: f32, radius: f32, vx: f32| {
        let mut group = at(&[vec2(x, 0.0)]);
        (group.name, group.radius) = (name.to_string(), Distribution::Same(radius));
        group.velocity = StartVelocity::Same(vec2(vx, 0.0));
        group
    };
    // Substeps of half the smallest radius, shorter than a quarter of the skin.
    let groups = vec![
        body("free", 90.0, 1.0, 3.0),
        body("large", 0.0, 9.0, 3.0),
        body("wall", 17.5, 9.0, -3.0),
    ];
    let mut crowd = crowd(groups);
    for tick in 1..=5 {
        crowd.step();
        assert_eq!(position(&crowd, 0), vec2(90.0 + 3.0 * tick as f32, 0.0));
    }
}

#[test]
fn a_ghost_pushes_bodies_and_is_not_pushed() {
    let mut opted_out = at(&[vec2(0.0, 50.0)]);
    (opted_out.name, opted_out.solid) = ("others".to_string(), false);
    let mut crowd = crowd(vec![at(&[vec2(0.0, 0.0)]), opted_out]);
    let ghost = |id, group, y, vy| Ghost {
        id: AgentId(id),
        group: GroupId(group),
        agent: Agent { radius: 1.0, ..Agent::new(vec2(0.1, y), 1e3).moving(vec2(0.0, vy)) },
    };
    // One that opted out.
    crowd.set_ghosts(&[ghost(900, 1, 0.5, 0.0)]).unwrap();
    crowd.step();
    assert_eq!(position(&crowd, 0), vec2(0.0, 0.0));
    // One that moves through the body within a tick, and shoves it along.
    crowd.set_ghosts(&[ghost(900, 0, -9.0, 20.0)]).unwrap();
    crowd.step();
    assert!(position(&crowd, 0).y > 3.0, "{}", position(&crowd, 0));
    // One that stands on it.
    let at = position(&crowd, 0).y;
    crowd.set_ghosts(&[ghost(900, 0, at, 0.0)]).unwrap();
    crowd.step();
    assert!(position(&crowd, 0).distance(vec2(0.1, at)) >= 1.98);
    assert_eq!(position(&crowd, 1), vec2(0.0, 50.0));
    assert_eq!(crowd.ghosts().next().unwrap().agent.position, vec2(0.1, at));
}

#[test]
fn the_velocity_into_what_is_touched_is_taken_away_and_the_other_part_stays() {
    let mut group = at(&[vec2(0.0, 0.0)]);
    group.velocity = StartVelocity::Same(vec2(0.75, 0.5));
    let obstacles = vec![Shape::box_between(vec2(1.25, -50.0), vec2(2.0, 50.0))];
    let groups = vec![group];
    let mut wall =
        Crowd::new(Setup { bodies: SOLID, groups, obstacles, ..Setup::default() }).unwrap();
    (0..3).for_each(|_| wall.step());
    assert_eq!(velocity(&wall, 0), vec2(0.0, 0.5));
    assert_eq!(position(&wall, 0), vec2(0.25, 1.5));
}

#[test]
fn bounds_with_a_wall_hold_bodies_and_not_only_centers() {
    let mut group = at(&[vec2(3.0, 5.0), vec2(8.0, 5.0)]);
    group.steer = List::default().with(Seek::new(vec2(-9.0, 5.0)));
    let bounds = Some(Bounds { min: vec2(0.0, 0.0), max: vec2(9.0, 9.0), edge: Edge::Wall });
    let mut crowd =
        Crowd::new(Setup { bodies: SOLID, bounds, groups: vec![group], ..Setup::default() })
            .unwrap();
    (0..10).for_each(|_| crowd.step());
    assert_eq!(position(&crowd, 0).x, 1.0);
    assert!(position(&crowd, 1).x >= 2.9);
}

#[test]
fn fast_bodies_do_not_pass_through_one_another() {
    let lane = |name: &str, x: f32, speed: f32| {
        let mut group = at(&[vec2(x, 0.0)]);
        group.name = name.to_string();
        group.velocity = StartVelocity::Same(vec2(speed, 0.0));
        group
    };
    for speed in [0.4, 3.0, 29.0, 900.0] {
        let mut crowd = crowd(vec![lane("left", -10.0, speed), lane("right", 10.0, -speed)]);
        for _ in 0..60 {
            crowd.step();
            let (left, right) = (position(&crowd, 0).x, position(&crowd, 1).x);
            assert!(right - left > 1.9, "at {speed}: {left} {right}");
        }
    }
}

/// Seekers of a moving point among obstacles, fast and slow ones, in a world with these bounds.
fn among_walls<V: Vector>(seed: u64, edge: Edge, obstacles: Vec<Shape<V>>) -> Crowd<V> {
    let corner = |x: f32| V::from_fn(|_| x);
    let (low, high) = (corner(0.0), corner(60.0));
    let group = |name: &str, speed: f32, target: V| {
        let mut group = Group::new(name, 40, Spawn::Inside(Shape::box_between(low, high)), speed);
        group.radius = Distribution::Uniform(0.5, 1.5);
        group.velocity = StartVelocity::Random;
        group.steer = List::default()
            .with(Seek::new(target))
            .with(Wander::default().circle_distance(1.0).circle_radius(2.0).angle_change(1.0));
        group
    };
    let groups = vec![
        group("slow", 0.7, corner(31.0)),
        group("fast", 40.0, V::from_fn(|i| 70.0 * i as f32)),
    ];
    let bounds = Some(Bounds { min: low, max: high, edge });
    Crowd::new(Setup { seed, bodies: SOLID, bounds, obstacles, groups, ..Setup::default() })
        .unwrap()
}

/// Steps a crowd and `eager`, which searches bodies in each tick, checks that their digests are
/// equal, and returns whether the crowd has searched.
fn searches_as_eager(crowd: &mut Crowd<Vec2>, eager: &mut Crowd<Vec2>) -> bool {
    eager.tick.solid.as_mut().unwrap().search.outdate();
    let searched = |crowd: &Crowd<Vec2>| {
        crowd.tick.solid.as_ref().unwrap().search.positions().axis(0).to_vec()
    };
    let before = searched(crowd);
    crowd.step();
    eager.step();
    assert_eq!(crowd.digest(), eager.digest(), "tick {}", crowd.tick());
    searched(crowd) != before
}

/// Checks that a search of the bodies that may touch is done again in time, whatever changes: a
/// crowd that searches in each tick has the same digests.
fn assert_searches_are_due_in_time(edge: Edge) {
    let obstacles = vec![Shape::box_between(vec2(20.0, 20.0), vec2(24.0, 26.0))];
    let mut crowd = among_walls(edge as u64, edge, obstacles);
    crowd.tick.dt = 0.02;
    let mut eager = crowd.clone();
    let box_at = |x: f32| Shape::box_between(vec2(x, 30.0), vec2(x + 5.0, 37.0));
    let mut kept = 0;
    for tick in 0..120_u32 {
        let change = |crowd: &mut Crowd<Vec2>| match tick % 12 {
            2 => assert!(crowd.put(tick / 2, vec2(31.0, 33.0), None).is_ok()),
            4 => assert!(crowd.remove(tick / 3)),
            5 => assert!(crowd.add(0, vec2(30.0, 31.0), None).is_ok()),
            7 => assert!(crowd.set_obstacle(0, box_at(20.0 + tick as f32 * 0.1)).is_ok()),
            8 => assert!(crowd.set_frozen(79, tick % 24 == 8).is_ok()),
            10 => assert!(crowd.set_radius(78, Some(0.5 + tick as f32 * 0.01)).is_ok()),
            _ => {}
        };
        change(&mut crowd);
        change(&mut eager);
        kept += u32::from(!searches_as_eager(&mut crowd, &mut eager));
    }
    assert!(kept > 10, "{kept} ticks kept a search");
}

#[test]
fn a_push_to_a_wall_does_not_depend_on_when_bodies_were_searched() {
    let mut group = at(&[vec2(0.0, 0.0), vec2(-0.829, -1.976), vec2(0.3, 2.01)]);
    group.max_speed = Distribution::Same(1.0);
    let obstacles = vec![Shape::box_between(vec2(1.3126, -50.0), vec2(5.0, 50.0))];
    let mut crowd =
        Crowd::new(Setup { bodies: SOLID, groups: vec![group], obstacles, ..Setup::default() })
            .unwrap();
    crowd.put(0, vec2(0.0, 0.0), Some(vec2(0.0624, 0.0))).unwrap();
    crowd.put(1, vec2(-0.829, -1.976), Some(vec2(0.0312, 0.05404))).unwrap();
    let mut eager = crowd.clone();
    for _ in 0..12 {
        searches_as_eager(&mut crowd, &mut eager);
    }
}

/// Checks that a crowd of these groups, each of which walks to a point far away, has the digests of
/// one that searches in each tick. Returns the number of searches.
fn searches_of_walkers(groups: Vec<(Group<Vec2>, Vec2)>, ticks: u32) -> usize {
    let walks = |(number, (group, target)): (usize, (Group<Vec2>, Vec2))| Group {
        name: format!("{number}"),
        steer: List::default().with(Seek::new(target)),
        ..group
    };
    let groups = groups.into_iter().enumerate().map(walks).collect();
    let mut crowd =
        Crowd::new(Setup { bodies: SOLID, dt: 0.2, groups, ..Setup::default() }).unwrap();
    let mut eager = crowd.clone();
    (0..ticks).filter(|_| searches_as_eager(&mut crowd, &mut eager)).count()
}

/// Bodies of a radius, on a lattice of this spacing from `corner` on, in rows of 10 (lengths).
fn lattice(count: usize, corner: Vec2, spacing: f32, radius: f32, max_speed: f32) -> Group<Vec2> {
    let point = |i: usize| corner + vec2((i % 10) as f32, (i / 10) as f32) * spacing;
    let mut group = at(&(0..count).map(point).collect::<Vec<_>>());
    group.radius = Distribution::Same(radius);
    group.max_speed = Distribution::Same(max_speed);
    group
}

const EAST: Vec2 = vec2(1e4, 0.0);

#[test]
fn bodies_that_walk_together_are_hardly_ever_searched() {
    let searches = searches_of_walkers(vec![(lattice(100, Vec2::ZERO, 2.2, 1.0, 1.0), EAST)], 200);
    // Each has walked 40 times its radius.
    assert!((1..20).contains(&searches), "{searches} searches");
}

#[test]
fn bodies_that_walk_into_each_other_are_searched_in_time() {
    let west = lattice(60, vec2(0.0, 0.0), 2.5, 1.0, 1.0);
    let east = lattice(60, vec2(30.0, 0.7), 2.5, 1.0, 1.0);
    let searches = searches_of_walkers(vec![(west, EAST), (east, -EAST)], 150);
    assert!(searches < 140, "{searches} searches");
}

#[test]
fn bodies_that_are_found_by_place_are_searched_also_where_they_walk_together() {
    // The skin follows the largest body: all small ones are candidates of each other, too many for
    // lists. They walk so close that they push.
    let small = lattice(60, Vec2::ZERO, 1.001, 0.5, 10.0);
    let large = lattice(1, vec2(0.0, -300.0), 1.0, 100.0, 10.0);
    let searches = searches_of_walkers(vec![(small, EAST * 0.05), (large, EAST)], 100);
    assert!(searches > 3, "{searches} searches");
}

#[test]
fn bodies_that_may_touch_are_searched_again_whenever_it_is_due() {
    [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce]
        .into_iter()
        .for_each(assert_searches_are_due_in_time);
}

/// Checks that no center enters an obstacle.
fn assert_walls_hold<V: Vector>(mut crowd: Crowd<V>) {
    let walls: Vec<Obstacle<V>> = crowd.obstacles().to_vec();
    let space = crowd.world.space;
    let inside = |crowd: &Crowd<V>, id: u32| {
        let p = position(crowd, id);
        walls.iter().any(|wall| wall.distance(space.image(wall.middle(), p)) < 0.0)
    };
    // The first ticks put out those that begin inside an obstacle.
    (0..3).for_each(|_| crowd.step());
    for _ in 0..60 {
        let before: Vec<bool> = (0..80).map(|id| inside(&crowd, id)).collect();
        crowd.step();
        for (id, before) in (0..).zip(before) {
            assert!(before || !inside(&crowd, id), "{id} at {:?}", position(&crowd, id));
        }
    }
}

#[test]
fn no_body_leaves_a_closed_room_however_thin_its_walls_and_however_fast() {
    let corners = [vec2(10.0, 10.0), vec2(50.0, 12.0), vec2(48.0, 45.0), vec2(11.0, 50.0)];
    let walls = (0..4).map(|i| Shape::Segment {
        from: corners[i],
        to: corners[(i + 1) % 4],
        thickness: 0.0,
    });
    let room = Obstacle::from(Shape::Polygon { points: corners.to_vec() });
    let mut crowd = among_walls(7, Edge::Open, walls.collect());
    let inside = |crowd: &Crowd<Vec2>| -> Vec<bool> {
        (0..80).map(|id| room.contains(position(crowd, id))).collect()
    };
    let before = inside(&crowd);
    assert!(before.contains(&true) && before.contains(&false));
    for _ in 0..100 {
        crowd.step();
        assert_eq!(inside(&crowd), before);
    }
}

#[test]
fn walls_always_hold() {
    let plane = || {
        vec![
            Shape::Circle { center: vec2(15.0, 15.0), radius: 6.0 },
            Shape::Box { center: vec2(40.0, 18.0), half: vec2(8.0, 2.0), angle: 0.5 },
            Shape::Segment { from: vec2(5.0, 40.0), to: vec2(55.0, 35.0), thickness: 0.0 },
            Shape::Segment { from: vec2(30.0, 36.0), to: vec2(30.0, 57.0), thickness: 0.1 },
            // A slot that is narrower than the bodies.
            Shape::Segment { from: vec2(31.0, 30.0), to: vec2(45.0, 30.0), thickness: 0.2 },
            Shape::Segment { from: vec2(31.0, 29.0), to: vec2(45.0, 29.0), thickness: 0.2 },
            Shape::Polygon {
                points: vec![
                    vec2(45.0, 45.0),
                    vec2(55.0, 50.0),
                    vec2(45.0, 55.0),
                    vec2(48.0, 50.0),
                ],
            },
        ]
    };
    for (seed, edge) in [(1, Edge::Open), (2, Edge::Wall), (3, Edge::Wrap), (4, Edge::Bounce)] {
        assert_walls_hold(among_walls(seed, edge, plane()));
    }
    let space = || {
        vec![
            Shape::Circle { center: vec3(15.0, 15.0, 20.0), radius: 9.0 },
            Shape::Box { center: vec3(40.0, 18.0, 30.0), half: vec3(8.0, 2.0, 20.0), angle: 0.5 },
            Shape::Segment { from: Vec3::splat(30.0), to: Vec3::splat(50.0), thickness: 2.0 },
        ]
    };
    for (seed, edge) in [(5, Edge::Wall), (6, Edge::Wrap), (7, Edge::Bounce)] {
        assert_walls_hold(among_walls(seed, edge, space()));
    }
}

/// The positions after five ticks of `count` bodies that begin close together, beside a disc; all
/// points are moved by `change`.
fn beside_a_disc<V: Vector>(count: usize, seed: u64, change: impl Fn(V) -> V) -> Vec<V> {
    let mut random = Random::new(seed, 0, 0, 0);
    // Multiples of 2^-8: they are moved without rounding.
    let mut point = || V::from_fn(|_| (random.bits() % 4_609) as f32 / 256.0 - 9.0);
    let points: Vec<V> = (0..count).map(|_| change(point())).collect();
    let center = change(V::from_fn(|axis| if axis == 0 { 4.0 } else { 0.0 }));
    let mut crowd = Crowd::new(Setup {
        bodies: SOLID,
        groups: vec![at(&points)],
        obstacles: vec![Shape::Circle { center, radius: 2.0 }],
        ..Setup::default()
    })
    .unwrap();
    (0..5).for_each(|_| crowd.step());
    (0..count as u32).map(|id| position(&crowd, id)).collect()
}

#[test]
fn a_mirrored_or_turned_world_has_the_mirrored_or_turned_result() {
    let flips = [vec2(-1.0, 1.0), vec2(1.0, -1.0)].map(|sign| move |p: Vec2| p * sign);
    let turn = |p: Vec2| vec2(-p.y, p.x);
    for seed in 0..4 {
        let expected = beside_a_disc(200, seed, |p: Vec2| p);
        for flip in flips {
            assert!(
                beside_a_disc(200, seed, flip).into_iter().eq(expected.iter().copied().map(flip))
            );
        }
        assert!(beside_a_disc(200, seed, turn).into_iter().eq(expected.into_iter().map(turn)));
        let expected = beside_a_disc(200, seed, |p: Vec3| p);
        for sign in [vec3(-1.0, 1.0, 1.0), vec3(1.0, -1.0, 1.0), vec3(1.0, 1.0, -1.0)] {
            let flip = |p: Vec3| p * sign;
            assert!(
                beside_a_disc(200, seed, flip).into_iter().eq(expected.iter().copied().map(flip))
            );
        }
    }
}

fn assert_moves_with_its_world<V: Vector>(seed: u64, by: V) {
    let moved = beside_a_disc(50, seed, |p: V| p + by);
    for (p, expected) in moved.into_iter().zip(beside_a_disc(50, seed, |p: V| p)) {
        // Up to 32 iterations in each tick let rounding grow.
        assert!((p - by - expected).length() < 1e-3, "seed {seed}: {p:?} {expected:?}");
    }
}

#[test]
fn a_moved_world_has_the_moved_result() {
    for seed in 0..4 {
        assert_moves_with_its_world(seed, vec2(96.0, -160.0));
        assert_moves_with_its_world(seed, vec3(96.0, -160.0, 64.0));
    }
}

#[test]
fn no_number_of_threads_changes_the_result_at_any_density() {
    // At one point there are too many pairs for lists.
    for spacing in [0.0, 0.02, 1.3] {
        let spawn = Spawn::Grid { origin: vec2(0.0, 0.0), spacing, columns: 30, rows: 1 };
        let mut group = Group::new("bodies", 600, spawn, 2.0);
        group.radius = Distribution::Uniform(0.3, 1.0);
        group.steer = List::default().with(Seek::new(vec2(10.0, 10.0)));
        let mut one = crowd(vec![group]);
        let mut other = one.clone();
        #[cfg(feature = "parallel")]
        other.set_threads(3).unwrap();
        for _ in 0..2 {
            one.step();
            other.step_budgeted(100);
            other.step();
            assert_eq!(one.digest(), other.digest());
        }
    }
}

#[test]
fn two_hundred_seekers_of_one_point_overlap_by_less_than_a_fifth_of_a_radius() {
    let mut group = Group::new(
        "seekers",
        200,
        Spawn::Ring { center: Vec2::ZERO, radius: 80.0, turn: 0.0 },
        2.0,
    );
    group.radius = Distribution::Same(2.0);
    group.mass = Distribution::Same(5.0);
    group.steer = List::default().with(Seek::new(Vec2::ZERO));
    let mut crowd = crowd(vec![group]);
    let mut deepest = 0.0_f32;
    for tick in 0..600 {
        crowd.step();
        if tick >= 100 {
            deepest = deepest.max(crowd.deepest_overlap().unwrap());
        }
    }
    // 0.175 was measured.
    assert!(deepest < 0.2, "{deepest}");
}

#[test]
fn a_contact_leaves_a_velocity_that_a_solver_has_decided() {
    let mut walkers = at(&[vec2(0.0, 0.0), vec2(0.5, 0.0)]);
    walkers.max_speed = Distribution::Same(1.3);
    walkers.steer = List::default().with(Seek::new(vec2(-50.0, 0.0))).with(Pedestrian::default());
    let groups = vec![walkers];
    let mut solid =
        Crowd::new(Setup { dt: 0.1, bodies: SOLID, groups: groups.clone(), ..Setup::default() })
            .unwrap();
    let mut open = Crowd::new(Setup { dt: 0.1, groups, ..Setup::default() }).unwrap();
    solid.step();
    open.step();
    for id in 0..2 {
        assert_eq!(velocity(&solid, id), velocity(&open, id));
        assert_ne!(position(&solid, id), position(&open, id));
    }
}

/// One tick of bodies at rest in an open plane without walls, each against all others, with the
/// iterations of the phase.
fn apart(points: &[Vec2], radii: &[f32]) -> Vec<Vec2> {
    let mut now = points.to_vec();
    for iteration in 0..=32 {
        let mut deepest = 0.0_f32;
        let mut next = now.clone();
        for i in 0..now.len() {
            let (mut sum, mut count) = ([0_i64; 2], 0.0_f32);
            let scale = 16_777_216.0 / crate::quantity::power_of_two_from(radii[i]);
            for j in (0..now.len()).rev().filter(|j| *j != i) {
                let (offset, touching) = (now[j] - now[i], radii[i] + radii[j]);
                let squared = Vector::length_squared(offset);
                if squared < touching * touching {
                    let depth = touching - squared.sqrt();
                    let push = offset * (-1.0 / squared.sqrt()) * (depth * 0.5 * scale);
                    sum = [sum[0] + push.x as i64, sum[1] + push.y as i64];
                    count += 1.0;
                    deepest = deepest.max(depth / radii[i].min(radii[j]));
                }
            }
            if count > 0.0 {
                let factor = 1.5 / count.sqrt() / scale;
                let push = vec2(sum[0] as f32 * factor, sum[1] as f32 * factor);
                next[i] = now[i] + Vector::truncate(push, 0.5 * radii[i]);
            }
        }
        if deepest == 0.0 || iteration == 32 || (iteration >= 6 && deepest <= 0.02) {
            break;
        }
        now = next;
    }
    now
}

#[test]
fn a_search_by_cells_finds_every_body_that_touches() {
    let mut random = Random::new(11, 0, 0, 0);
    for (count, extent) in [(2, 2.0), (40, 6.0), (300, 40.0), (700, 18.0), (300, 3.0)] {
        let points: Vec<Vec2> = (0..count)
            .map(|_| vec2(random.between(0.0, extent), random.between(0.0, extent)))
            .collect();
        let mut crowd =
            crowd(vec![Group { radius: Distribution::Uniform(0.2, 1.5), ..at(&points) }]);
        let radii: Vec<f32> =
            (0..count as u32).map(|id| crowd.get(id).unwrap().agent.radius).collect();
        crowd.step();
        let found: Vec<Vec2> = (0..count as u32).map(|id| position(&crowd, id)).collect();
        assert_eq!(found, apart(&points, &radii), "{count} in {extent}");
    }
}

/// The deepest overlap of two agents of an open world, as a part of the smaller radius, pair by
/// pair.
fn deepest<V: Vector>(crowd: &Crowd<V>) -> f32 {
    let agents: Vec<_> = crowd.agents().map(|(_, agent)| agent).collect();
    let pairs = (0..agents.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let overlap = |(i, j): (usize, usize)| {
        let (a, b) = (&agents[i], &agents[j]);
        let depth = a.radius + b.radius - (a.position - b.position).length_squared().sqrt();
        depth / a.radius.min(b.radius)
    };
    pairs.map(overlap).fold(0.0, f32::max)
}

#[test]
fn the_deepest_overlap_is_that_of_the_positions_after_the_tick() {
    let mut at_walls = 0;
    for seed in 0..60 {
        let mut random = Random::new(seed, 0, 0, 0);
        let mut point = || vec2(random.between(-6.0, 6.0), random.between(-6.0, 6.0));
        let walls = (0..5).map(|_| Shape::Segment { from: point(), to: point(), thickness: 0.0 });
        let obstacles: Vec<_> = walls.collect();
        let points: Vec<Vec2> = (0..14).map(|_| point()).collect();
        let goal = point();
        let mut bodies = at(&points);
        bodies.radius = Distribution::Uniform(0.3, 1.0);
        bodies.max_speed = Distribution::Same(6.0);
        bodies.steer = List::default().with(Seek::new(goal));
        let mut crowd = Crowd::new(Setup {
            dt: 0.1,
            bodies: SOLID,
            groups: vec![bodies],
            obstacles,
            ..Setup::default()
        })
        .unwrap();
        for _ in 0..40 {
            crowd.step();
            let (told, found) = (crowd.deepest_overlap().unwrap(), deepest(&crowd));
            assert!((told - found).abs() < 1e-5, "seed {seed}: {told} is told, {found} found");
            at_walls += usize::from(found > 0.03);
        }
    }
    assert!(at_walls > 20, "{at_walls}");
}
