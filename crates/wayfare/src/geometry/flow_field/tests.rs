use super::*;
use crate::random::Random;
use glam::{Vec2, Vec3, vec2, vec3};

fn obstacles_of<V: Vector>(shapes: &[Shape<V>]) -> Vec<Obstacle<V>> {
    shapes.iter().cloned().map(Obstacle::from).collect()
}

fn toward(
    goal: Shape<Vec2>,
    walls: &[Obstacle<Vec2>],
    cell: f32,
    clearance: f32,
) -> FlowField<Vec2> {
    FlowField::toward(
        &[goal],
        Obstacles::from(walls),
        Vec2::ZERO,
        vec2(100.0, 100.0),
        cell,
        clearance,
    )
    .unwrap()
}

fn disc(x: f32, y: f32) -> Shape<Vec2> {
    Shape::Circle { center: vec2(x, y), radius: 0.0 }
}

#[test]
fn without_obstacles_distances_are_euclidean_in_every_direction() {
    let field = toward(disc(50.0, 50.0), &[], 1.0, 0.0);
    let (mut farthest, mut aside) = (0.0_f32, 0.0_f32);
    for turn in 0..64 {
        let outward = Vec2::from_angle(turn as f32 * 0.1);
        let p = vec2(50.0, 50.0) + outward * 45.0;
        farthest = farthest.max((field.distance(p).unwrap() - 45.0).abs());
        aside = aside.max((field.direction(p, Obstacles::NONE).unwrap() + outward).length());
    }
    println!("off by at most {farthest} of 45, aside by {aside}");
    // Routes along eight directions would be up to 3.7 longer. The directions are right to 1.5
    // degrees.
    assert!(farthest < 0.9 && aside < 0.026, "{farthest} {aside}");
    let ball = Shape::Circle { center: Vec3::ZERO, radius: 2.0 };
    let field = FlowField::toward(
        &[ball],
        Obstacles::NONE,
        vec3(-20.0, -20.0, -20.0),
        vec3(20.0, 20.0, 20.0),
        1.0,
        0.0,
    )
    .unwrap();
    for p in [vec3(15.0, 0.0, 0.0), vec3(10.0, -10.0, 0.0), vec3(8.0, 8.0, -8.0)] {
        assert!(
            (field.distance(p).unwrap() - (p.length() - 2.0)).abs() < 0.5,
            "{p} {:?}",
            field.distance(p)
        );
        assert!((field.direction(p, Obstacles::NONE).unwrap() + p.normalize()).length() < 0.05);
    }
}

#[test]
fn around_a_corner_the_distance_is_the_length_of_the_shortest_route() {
    // From (20, 50) to (80, 50) around the upper end of a wall at (50, 80), at a clearance of 2: a
    // line, an arc about the end, a line.
    for (clearance, thin) in [(0.0, true), (0.0, false), (2.0, true)] {
        let wall = if thin {
            Shape::Segment { from: vec2(50.0, -10.0), to: vec2(50.0, 80.0), thickness: 0.0 }
        } else {
            Shape::box_between(vec2(49.9, -10.0), vec2(50.1, 80.0))
        };
        let field = toward(disc(80.0, 50.0), &obstacles_of(&[wall]), 1.0, clearance);
        let apart = 30.0_f32.hypot(30.0);
        let straight = (apart * apart - clearance * clearance).sqrt();
        let arc = 2.0
            * clearance
            * (core::f32::consts::FRAC_PI_4 - (clearance / apart).acos()
                + core::f32::consts::FRAC_PI_2)
                .abs();
        let found = field.distance(vec2(20.0, 50.0)).unwrap();
        println!("clearance {clearance}: {found} of {}", 2.0 * straight + arc);
        // At the end of a wall directions spread as from a goal, with the scheme's error of the
        // first cells.
        assert!((found / (2.0 * straight + arc) - 1.0).abs() < 0.04, "{found}");
    }
}

#[test]
fn a_wall_thinner_than_a_cell_blocks_routes() {
    // Oblique, so that it lies between the middles of cells everywhere.
    let wall = obstacles_of(&[Shape::Segment {
        from: vec2(-10.0, 33.3),
        to: vec2(120.0, 61.7),
        thickness: 0.0,
    }]);
    let field = toward(disc(50.0, 80.0), &wall, 2.0, 0.0);
    let mut random = Random::new(1, 0, 0, 0);
    for _ in 0..2_000 {
        let p = vec2(random.between(0.0, 100.0), random.between(0.0, 100.0));
        let beyond = p.y - (33.3 + (p.x + 10.0) * 28.4 / 130.0);
        // A point nearer to the wall than the middle of its cell may count as on the other side;
        // a clearance prevents that.
        if beyond.abs() < 2.0 {
            continue;
        }
        let above = beyond > 0.0;
        assert_eq!(
            (field.direction(p, Obstacles::from(&wall)).is_some(), field.distance(p).is_some()),
            (above, above),
            "{p}"
        );
    }
}

/// Fails unless the field equals a newly built one.
fn assert_equals_new<V: Vector>(field: &FlowField<V>, plan: &FieldPlan<V>, walls: &[Obstacle<V>]) {
    let fresh = FlowField::new(plan, Obstacles::from(walls), None).unwrap();
    let (a, b) = (field.map.as_ref().unwrap(), fresh.map.as_ref().unwrap());
    assert!(a.flags == b.flags, "other cells are blocked");
    assert!(
        a.distances.iter().zip(&b.distances).all(|(a, b)| a.to_bits() == b.to_bits()),
        "other distances"
    );
    assert!(field.directions == fresh.directions, "other directions");
}

fn random_shape<V: Vector>(random: &mut Random) -> Shape<V> {
    let point = |random: &mut Random| V::from_fn(|_| random.between(-2.0, 42.0));
    match (random.unit() * 4.0) as u32 {
        0 => Shape::Circle { center: point(random), radius: random.between(0.0, 8.0) },
        1 => Shape::Segment {
            from: point(random),
            to: point(random),
            thickness: random.between(0.0, 2.0),
        },
        2 => Shape::Box {
            center: point(random),
            half: V::from_fn(|_| random.between(0.1, 8.0)),
            angle: random.between(-3.0, 3.0),
        },
        _ => {
            let at: V = point(random);
            let corners = [(0.0, 0.0), (9.0, 1.0), (3.0, 3.0), (2.0, 11.0)];
            Shape::Polygon { points: corners.map(|(x, y)| at.flat() + vec2(x, y)).to_vec() }
        }
    }
}

fn assert_repairs_equal_new_fields<V: Vector>(rounds: u64, cell: f32) {
    for round in 0..rounds {
        let mut random = Random::new(round, 0, 0, 0);
        let goals = (0..1 + round % 3).map(|_| random_shape(&mut random)).collect();
        let area = Some((V::ZERO, V::from_fn(|i| 40.0 - i as f32)));
        let clearance = if round % 2 == 0 { 0.0 } else { random.between(0.0, 3.0) };
        let plan = FieldPlan::Toward { goals, cell, clearance, area };
        let mut walls: Vec<Obstacle<V>> =
            (0..6).map(|_| random_shape(&mut random).into()).collect();
        let mut field = FlowField::new(&plan, Obstacles::from(&walls), None).unwrap();
        for _ in 0..8 {
            let i = (random.unit() * walls.len() as f32) as usize;
            let mut changed = Vec::new();
            match (random.unit() * 3.0) as u32 {
                0 => walls.push(random_shape(&mut random).into()),
                1 if !walls.is_empty() => changed.push(walls.remove(i).aabb()),
                _ if !walls.is_empty() => changed.push(
                    core::mem::replace(&mut walls[i], random_shape(&mut random).into()).aabb(),
                ),
                _ => {}
            }
            changed.extend(walls.get(i).into_iter().chain(walls.last()).map(Obstacle::aabb));
            field.repair(Obstacles::from(&walls), &changed);
            assert_equals_new(&field, &plan, &walls);
        }
    }
}

#[test]
fn a_repaired_field_equals_a_newly_built_one_to_the_bit() {
    assert_repairs_equal_new_fields::<Vec2>(25, 0.9);
    assert_repairs_equal_new_fields::<Vec3>(6, 2.1);
}

#[test]
fn a_repair_visits_only_cells_that_change() {
    let goal = Shape::Circle { center: vec2(5.0, 50.0), radius: 3.0 };
    let plan = FieldPlan::Toward {
        goals: vec![goal],
        cell: 0.5,
        clearance: 1.0,
        area: Some((Vec2::ZERO, vec2(100.0, 100.0))),
    };
    let mut walls = obstacles_of(&[Shape::box_between(vec2(40.0, 30.0), vec2(45.0, 70.0))]);
    let mut field = FlowField::new(&plan, Obstacles::from(&walls), None).unwrap();
    let mut put = |field: &mut FlowField<Vec2>, at: Vec2| {
        walls.push(Obstacle::from(Shape::Circle { center: at, radius: 3.0 }));
        let cells = field.repair(Obstacles::from(&walls), &[walls[1].aabb()]);
        assert_equals_new(field, &plan, &walls);
        let gone = walls.remove(1).aabb();
        let back = field.repair(Obstacles::from(&walls), &[gone]);
        assert_equals_new(field, &plan, &walls);
        (cells, back)
    };
    // A pillar far from the goal changes few cells behind it; near the goal it changes all routes
    // that pass it. Of 40,000 cells:
    let (far, back) = put(&mut field, vec2(90.0, 50.0));
    let (near, nearly_back) = put(&mut field, vec2(25.0, 50.0));
    println!("cells worked on: {far} and {back}, {near} and {nearly_back}");
    assert!(
        (100..2_000).contains(&far) && back < 2_000 && near < 24_000 && nearly_back < 24_000,
        "{far} {back} {near} {nearly_back}"
    );
    // A change without effect visits no cell.
    let outside = Obstacle::from(Shape::Circle { center: vec2(300.0, 300.0), radius: 5.0 }).aabb();
    assert_eq!(field.repair(Obstacles::from(&walls), &[outside, walls[0].aabb()]), 0);
}

#[test]
fn a_closed_door_leads_routes_to_the_other_one_and_a_locked_room_has_none() {
    // A room below y = 40 with two doors, at x = 20..26 and 80..86.
    let walls = |doors: &[(f32, f32)]| {
        let mut walls = vec![(-5.0, 20.0), (26.0, 80.0), (86.0, 105.0)];
        walls.extend(doors);
        obstacles_of(
            &walls
                .iter()
                .map(|&(from, to)| Shape::box_between(vec2(from, 38.0), vec2(to, 42.0)))
                .collect::<Vec<_>>(),
        )
    };
    let (left, right) = ((20.0, 26.0), (80.0, 86.0));
    let mut field = toward(disc(23.0, 90.0), &walls(&[]), 1.0, 1.0);
    let from = vec2(23.0, 10.0);
    let open = field.distance(from).unwrap();
    assert!((open - 80.0).abs() < 1.0, "{open}");
    let door =
        [Obstacle::from(Shape::<Vec2>::box_between(vec2(20.0, 38.0), vec2(26.0, 42.0))).aabb()];
    field.repair(Obstacles::from(&walls(&[left])), &door);
    let round = field.distance(from).unwrap();
    assert!(round > 140.0 && round < 150.0, "{round}");
    let both = [
        door[0],
        Obstacle::from(Shape::<Vec2>::box_between(vec2(80.0, 38.0), vec2(86.0, 42.0))).aabb(),
    ];
    field.repair(Obstacles::from(&walls(&[left, right])), &both);
    assert_eq!((field.distance(from), field.direction(from, Obstacles::NONE)), (None, None));
    field.repair(Obstacles::from(&walls(&[])), &both);
    assert_eq!(field.distance(from), Some(open));
}

#[test]
fn a_goal_behind_a_wall_gives_no_source_cells_in_front_of_it() {
    // The goal is a hand's breadth behind a wall that is open 40 farther on.
    let wall = obstacles_of(&[Shape::box_between(vec2(-5.0, 49.0), vec2(60.0, 49.5))]);
    let field = toward(disc(20.0, 50.0), &wall, 1.0, 0.0);
    let found = field.distance(vec2(20.0, 48.0)).unwrap();
    assert!(found > 80.5 && found < 84.0, "{found}");
    // Without a free cell at the goal there is no route.
    let covered = obstacles_of(&[Shape::Circle { center: vec2(20.0, 50.0), radius: 10.0 }]);
    let field = toward(disc(20.0, 50.0), &covered, 1.0, 0.0);
    assert_eq!((field.distance(vec2(80.0, 50.0)), field.cells().count()), (None, 0));
}

#[test]
fn an_invalid_plan_is_refused_with_the_key_of_its_error() {
    let bounds = Some((Vec2::ZERO, vec2(100.0, 100.0)));
    let map = |goals: &[Shape<Vec2>], cell, clearance, area| {
        FieldPlan::Toward { goals: goals.to_vec(), cell, clearance, area }
            .check(None)
            .unwrap_err()
            .to_string()
    };
    let data = |cell, columns, vectors: Vec<Vec2>| {
        FieldPlan::Vectors { origin: Vec2::ZERO, cell, columns, rows: None, vectors }
            .check(None)
            .unwrap_err()
            .to_string()
    };
    let goal = [disc(1.0, 1.0)];
    assert_eq!(
        map(&goal, 0.0, 0.0, bounds),
        "cell: `cell` is 0; allowed: a length above 0, up to 1e9"
    );
    assert_eq!(
        map(&goal, 1.0, -1.0, bounds),
        "clearance: `clearance` is -1; allowed: a length from 0 to 1e9"
    );
    assert_eq!(
        map(&goal, 0.01, 0.0, bounds),
        "cell: `cell` is 0.01, which makes 100020001 cells; allowed: a `cell` so wide that there \
         are at most 4000000"
    );
    assert!(map(&[], 1.0, 0.0, bounds).starts_with("goal: `goal` is empty"));
    assert!(
        map(&goal, 1.0, 0.0, None)
            .starts_with("area: there is no `area`, and there are no `bounds`")
    );
    assert!(
        map(&goal, 1.0, 0.0, Some((Vec2::ONE, vec2(1.0, 5.0))))
            .starts_with("area: `area` has no inside")
    );
    assert!(
        map(&goal, 1.0, 0.0, Some((Vec2::ZERO, vec2(f32::NAN, 5.0))))
            .starts_with("area: `area` has no inside")
    );
    assert!(data(f32::NAN, 1, vec![Vec2::X]).starts_with("cell: `cell` is NaN"));
    assert!(data(1.0, 0, vec![Vec2::X]).starts_with("columns: `columns` is 0"));
    assert_eq!(
        data(1.0, 2, vec![Vec2::X; 3]),
        "vectors: there are 3 vectors; allowed: whole rows of `columns`: parts of 2"
    );
    assert!(data(1.0, 1, vec![vec2(f32::INFINITY, 0.0)]).starts_with("vectors: a vector is"));
}

#[test]
fn numbers_at_the_ends_of_their_ranges_give_no_nan() {
    let goal = |x: f32| vec![Shape::Circle { center: vec2(x, -x), radius: 1.0 }];
    let mut random = Random::new(5, 0, 0, 0);
    for (low, high, cell, clearance) in [
        (vec2(-1e9, -1e9), vec2(1e9, 1e9), 1e6, 1e9),
        (vec2(-1e9, -1e9), vec2(1e9, 1e9), 1e9, 0.0),
        (vec2(1e9 - 64.0, 0.0), vec2(1e9, 1e-3), 1e-3, 0.0),
        (vec2(0.0, 0.0), vec2(1e-30, 1e-30), 1e-31, 1e-31),
    ] {
        let walls = obstacles_of(&[
            Shape::box_between(low, (low + high) * 0.5),
            Shape::Segment { from: low, to: high, thickness: 0.0 },
        ]);
        let Ok(field) =
            FlowField::toward(&goal(high.x), Obstacles::from(&walls), low, high, cell, clearance)
        else {
            continue;
        };
        for _ in 0..200 {
            let p = vec2(random.between(-1.0, 1.0), random.between(-1.0, 1.0))
                * 10_f32.powf(random.between(-30.0, 18.0));
            for p in [p, low + p, high + p] {
                let direction = field.direction(p, Obstacles::from(&walls)).unwrap_or_default();
                assert!(
                    direction.is_finite()
                        && direction.length() < 1.001
                        && field.distance(p).is_none_or(f32::is_finite),
                    "{p} {direction}"
                );
            }
        }
    }
}

#[test]
fn the_bound_on_the_memory_of_a_field_does_not_build_it() {
    let plan = |cell| FieldPlan::Toward {
        goals: vec![disc(50.0, 50.0)],
        cell,
        clearance: 0.0,
        area: Some((Vec2::ZERO, vec2(100.0, 100.0))),
    };
    let rest = plan(1.0).bytes(None) - 10_000 * 29;
    assert!(rest < 4_096, "{rest}");
    assert_eq!(plan(0.5).bytes(None), 40_000 * 29 + rest);
    // Also of a plan that is refused: no overflow.
    assert!(plan(1e-30).bytes(None) > 1 << 60);
    let vectors = FieldPlan::Vectors {
        origin: Vec3::ZERO,
        cell: 1.0,
        columns: 2,
        rows: None,
        vectors: vec![Vec3::X; 6],
    };
    assert_eq!(vectors.bytes(None), 6 * 12 + 1_024);
}

#[test]
fn a_free_goal_is_found_without_building_the_field() {
    let free = |goal: Shape<Vec2>, walls: &[Obstacle<Vec2>], cell| {
        let area = Some((Vec2::ZERO, vec2(100.0, 100.0)));
        FieldPlan::Toward { goals: vec![goal], cell, clearance: 1.0, area }.has_free_goal(
            walls,
            None,
            Up::Z,
        )
    };
    let wall = obstacles_of(&[Shape::box_between(vec2(-50.0, -50.0), vec2(80.0, 150.0))]);
    assert!(free(disc(50.0, 50.0), &[], 1.0) && free(disc(90.0, 50.0), &wall, 1.0));
    // Inside an obstacle, within its clearance, and outside the area.
    assert!(!free(disc(50.0, 50.0), &wall, 1.0) && !free(disc(80.5, 50.0), &wall, 0.1));
    assert!(!free(disc(150.0, 50.0), &[], 1.0));
    // A goal of more cells than are tested counts as free.
    let hall = Shape::box_between(vec2(1.0, 1.0), vec2(70.0, 99.0));
    assert!(!free(hall.clone(), &wall, 1.0) && free(hall, &wall, 0.1));
}
