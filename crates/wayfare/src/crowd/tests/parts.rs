//! Ticks in parts: `step_budgeted`.

use super::*;
use crate::behavior::AvoidObstacles;

/// The drawn positions of all agents between two ticks.
fn drawn(crowd: &Crowd<Vec2>, part: f32) -> Vec<Vec2> {
    let mut order = Vec::new();
    crowd.rows_by_id(&mut order);
    for &row in &order {
        let Pose { id: _, position, facing, radius, group } = crowd.pose(row, part).unwrap();
        let member = crowd.agent_at_row(row).unwrap();
        assert_eq!(
            (Some(position), facing, radius, group),
            (crowd.between(row, part), member.agent.facing, member.agent.radius, member.group)
        );
    }
    order.iter().map(|&row| crowd.between(row, part).unwrap()).collect()
}

fn assert_parts_equal_a_full_tick(edge: Edge, agents: usize, threads: usize) {
    let (mut at_once, mut parts) =
        (Crowd::new(many::<Vec2>(edge)).unwrap(), Crowd::new(many::<Vec2>(edge)).unwrap());
    #[cfg(feature = "parallel")]
    parts.set_threads(threads).unwrap();
    let _ = threads;
    for tick in 0..12 {
        let (digest, mut calls) = (parts.digest(), 1);
        while !parts.step_budgeted(agents) {
            assert_eq!((parts.digest(), parts.tick()), (digest, tick), "in the middle of a tick");
            calls += 1;
        }
        at_once.step();
        assert_eq!((parts.digest(), parts.tick()), (at_once.digest(), at_once.tick()));
        assert!(
            parts.events() == at_once.events()
                && drawn(&parts, 0.3) == drawn(&at_once, 0.3)
                && parts.snapshot() == at_once.snapshot()
        );
        assert!(
            (2..=parts.len().div_ceil(agents.max(1))).contains(&calls),
            "{calls} parts of {agents} agents"
        );
    }
}

#[test]
fn contacts_of_solid_bodies_are_a_part_of_their_own() {
    let solid = || {
        let mut setup = many::<Vec2>(Edge::Wall);
        setup.bodies.solid = true;
        Crowd::new(setup).unwrap()
    };
    let (mut at_once, mut parts) = (solid(), solid());
    let half = parts.len() / 2 + 100;
    for _ in 0..3 {
        at_once.step();
        assert_eq!([half; 3].map(|agents| parts.step_budgeted(agents)), [false, false, true]);
        assert_eq!(parts.snapshot(), at_once.snapshot());
    }
    // A budget for all agents is a full tick.
    let all = parts.len();
    assert!(parts.step_budgeted(all));
}

#[test]
fn a_tick_in_parts_gives_the_same_bits_as_a_full_tick() {
    for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
        assert_parts_equal_a_full_tick(edge, 300, 1);
        assert_parts_equal_a_full_tick(edge, 700, 3);
    }
    assert_parts_equal_a_full_tick(Edge::Open, 0, 1);
    // A setup in which no group reads neighbors, with and without members.
    let walkers = |count| {
        let mut walkers = Group::new(
            "walkers",
            count,
            Spawn::Inside(Shape::box_between(Vec2::ZERO, vec2(9.0, 9.0))),
            2.0,
        );
        walkers.steer = List::default().with(wander());
        crowd(vec![walkers])
    };
    let (mut at_once, mut parts) = (walkers(10), walkers(10));
    at_once.step();
    assert_eq!([4, 4, 4].map(|agents| parts.step_budgeted(agents)), [false, false, true]);
    assert_eq!(parts.digest(), at_once.digest());
    assert!(walkers(0).step_budgeted(1));
}

#[test]
fn until_a_tick_ends_the_crowd_shows_the_positions_of_the_last_tick() {
    let mut crowd = Crowd::new(many::<Vec2>(Edge::Wrap)).unwrap();
    (0..3).for_each(|_| crowd.step());
    let (now, why) = (drawn(&crowd, 1.0), crowd.explain(7).unwrap());
    let mut alone = Crowd::new(many::<Vec2>(Edge::Wrap)).unwrap();
    (0..4).for_each(|_| alone.step());
    assert!(!crowd.step_budgeted(500));
    // During a tick no position is interpolated: the tick overwrites the previous generation.
    assert!(drawn(&crowd, 0.3) == now && drawn(&crowd, 1.0) == now);
    assert_eq!(crowd.explain(7).unwrap().sum, why.sum);
    let saved = crowd.snapshot();
    crowd.step();
    assert_eq!(crowd.digest(), alone.digest());
    crowd.restore(&saved).unwrap();
    crowd.step();
    assert_eq!(crowd.digest(), alone.digest());
}

#[test]
fn a_change_during_a_tick_restarts_the_tick() {
    let run = |change: &dyn Fn(&mut Crowd<Vec2>), parts: usize| {
        let mut setup = many::<Vec2>(Edge::Wall);
        setup.pointer = Some(Track::fixed(vec2(90.0, 90.0)));
        setup.groups[3].states[0].steer = List::default()
            .with(Seek { target: Target::Pointer, within: f32::INFINITY })
            .with(AvoidObstacles::default().see_ahead(30.0).max_avoid_force(3.0));
        let mut crowd = Crowd::new(setup).unwrap();
        (0..3).for_each(|_| crowd.step());
        (0..parts).for_each(|_| assert!(!crowd.step_budgeted(150)));
        change(&mut crowd);
        crowd.step();
        crowd.digest()
    };
    type Change<'a> = &'a dyn Fn(&mut Crowd<Vec2>);
    let changes: [Change<'_>; 5] = [
        &|crowd| crowd.set_pointer(Some(vec2(50.0, 20.0))),
        &|crowd| crowd.put(2, vec2(1.0, 2.0), None).unwrap(),
        &|crowd| _ = crowd.add(0, vec2(50.0, 50.0), None).unwrap(),
        &|crowd| assert!(crowd.remove(5)),
        &|crowd| {
            _ = crowd
                .apply(&Command::AddObstacle(Shape::Circle {
                    center: vec2(50.0, 50.0),
                    radius: 5.0,
                }))
                .unwrap()
        },
    ];
    let untouched = run(&|_| (), 6);
    for (i, change) in changes.iter().enumerate() {
        assert_eq!(run(change, 0), run(change, 6), "change {i}");
        assert!(run(change, 0) != untouched, "change {i} changes nothing");
    }
}
