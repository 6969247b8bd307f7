//! Groups that explore: one grid per `explore`, updated once per tick.

use glam::{Vec2, Vec3, vec2};

use super::*;
use crate::behavior::Explore;

fn square<V: Vector>() -> Shape<V> {
    Shape::box_between(V::ZERO, V::from_fn(|_| 100.0))
}

fn explore<V: Vector>(cell: f32) -> Explore<V> {
    Explore { area: square(), cell: Auto::Fixed(cell) }
}

fn scouts<V: Vector>(points: &[V], cell: f32) -> Group<V> {
    Group { steer: List::default().with(explore(cell)), ..group("scouts", points) }
}

fn ticks<V: Vector>(crowd: &Crowd<V>) -> Vec<Option<u64>> {
    crowd.explored(0).next().unwrap().cells().map(|(_, tick)| tick).collect()
}

#[test]
fn visits_are_recorded_from_the_start_and_each_member_seeks_the_nearest_unvisited_cell() {
    // Four cells of 50; members of another group do not count.
    let idle = group("idle", &[vec2(75.0, 75.0)]);
    let mut crowd = crowd(vec![scouts(&[vec2(10.0, 20.0), vec2(75.0, 25.0)], 50.0), idle]);
    assert_eq!(ticks(&crowd), [Some(0), Some(0), None, None]);
    // The first agent moves to (25, 75), at the offset (15, 55), the second to (75, 75); the mass
    // is 1, so the step has the length of the force.
    crowd.step();
    let moved = agents(&crowd);
    assert_near(moved[0].position, vec2(10.0, 20.0) + vec2(15.0, 55.0).normalize() * 5.0);
    assert_near(moved[1].position, vec2(75.0, 30.0));
    assert_eq!(ticks(&crowd), [Some(1), Some(1), None, None]);
    // The first agent is above 50 at its seventh step; the second is at its fifth, and then seeks
    // the last cell, too.
    (0..6).for_each(|_| crowd.step());
    assert_eq!(ticks(&crowd), [Some(6), Some(4), Some(7), Some(7)]);
    // The next target is the cell that was left first.
    let why = crowd.explain(0).unwrap();
    assert_eq!((why.contributions[0].behavior, why.annotations[0].label), ("explore", "cell"));
    assert_eq!(why.annotations[0].figure, crate::annotation::Figure::Point(vec2(75.0, 25.0)));
}

#[test]
fn every_cell_is_visited_repeatedly() {
    fn check<V: Vector>(cell: f32, most: u64) {
        let mut crowd = crowd(vec![scouts(
            &[V::from_fn(|_| 5.0), V::from_fn(|i| 90.0 - 40.0 * i as f32)],
            cell,
        )]);
        while ticks(&crowd).contains(&None) {
            crowd.step();
            assert!(crowd.tick() <= most, "{:?}", ticks(&crowd));
        }
        println!("all {} cells after {} ticks", ticks(&crowd).len(), crowd.tick());
    }
    check::<Vec2>(20.0, 120);
    check::<Vec3>(30.0, 300);
}

#[test]
fn cells_inside_obstacles_and_beyond_walls_are_excluded() {
    let bounds = Some(Bounds { min: vec2(0.0, 0.0), max: vec2(70.0, 100.0), edge: Edge::Wall });
    let setup =
        Setup { bounds, groups: vec![scouts(&[vec2(10.0, 10.0)], 20.0)], ..Setup::default() };
    let mut crowd = Crowd::new(setup).unwrap();
    // Of five columns the centers of the last are at 90; those of the fourth, at 70, are on the
    // wall.
    assert_eq!(ticks(&crowd).len(), 20);
    let pillar = Shape::Circle { center: vec2(30.0, 30.0), radius: 3.0 };
    crowd.apply(&Command::AddObstacle(pillar)).unwrap();
    assert_eq!(ticks(&crowd).len(), 19);
    crowd.apply(&Command::RemoveObstacle(ObstacleId(0))).unwrap();
    assert_eq!(ticks(&crowd).len(), 20);
    // A wrapped world narrower than the area: cells farther than half a world from the center are
    // images of other cells.
    let bounds = Some(Bounds { min: vec2(0.0, 0.0), max: vec2(60.0, 100.0), edge: Edge::Wrap });
    let mut crowd = Crowd::new(Setup {
        bounds,
        groups: vec![scouts(&[vec2(10.0, 10.0)], 20.0)],
        ..Setup::default()
    })
    .unwrap();
    assert_eq!(ticks(&crowd).len(), 15);
    (0..200).for_each(|_| crowd.step());
    assert!(!ticks(&crowd).contains(&None));
}

#[test]
fn each_explore_has_its_own_grid_which_only_commands_on_it_reset() {
    let mut group = scouts(&[vec2(10.0, 10.0)], 50.0);
    group.steer = group
        .steer
        .with(Explore {
            area: Shape::Circle { center: vec2(50.0, 50.0), radius: 50.0 },
            cell: Auto::Fixed(25.0),
        })
        .with(wander());
    let mut crowd = crowd(vec![group]);
    (0..20).for_each(|_| crowd.step());
    let times = |crowd: &Crowd<Vec2>| {
        crowd.explored(0).map(|explored| explored.times().to_vec()).collect::<Vec<_>>()
    };
    let before = times(&crowd);
    let set = |key_path: &str, value| Command::Set { key_path: key_path.to_string(), value };
    crowd.apply(&set("group[0].steer[2].wander.circle_radius", Setting::Number(1.0))).unwrap();
    crowd.apply(&set("group[0].steer[0].off", Setting::Flag(true))).unwrap();
    assert_eq!(times(&crowd), before);
    crowd.apply(&set("group[0].steer[1].explore.cell", Setting::Number(20.0))).unwrap();
    let after = times(&crowd);
    assert_eq!(
        (
            &after[0],
            after[1].iter().filter(|time| **time == 21).count(),
            after[1].iter().sum::<u64>(),
            after[1].len()
        ),
        (&before[0], 1, 21, 25)
    );
    let refused = crowd
        .apply(&set("group[0].steer[1].explore.cell", Setting::Number(0.01)))
        .unwrap_err()
        .to_string();
    assert!(
        refused.starts_with(
            "group[0].steer[1].explore.cell: `cell` is 0.01, and the area has 1e8 such cells"
        ),
        "{refused}"
    );
    assert_eq!(times(&crowd), after);
    assert!(crowd.explored(7).next().is_none());
}

#[test]
fn the_digest_and_snapshots_include_the_explored_cells() {
    let mut first = crowd(vec![scouts(&[vec2(10.0, 10.0)], 20.0)]);
    let mut second = crowd(vec![scouts(&[vec2(10.0, 10.0)], 20.0)]);
    assert_eq!(first.digest(), second.digest());
    (0..30).for_each(|_| first.step());
    let snapshot = first.snapshot();
    second.restore(&snapshot).unwrap();
    assert_eq!((first.digest(), ticks(&first)), (second.digest(), ticks(&second)));
    for _ in 0..40 {
        first.step();
        second.step();
        assert_eq!(first.digest(), second.digest());
    }
    // The times precede the ways, of which there are none, and the agents: a flag and 18 numbers
    // for the agent. The last time is that of the last cell.
    let agents = 8 + 1 + 20 + 24 + 16 + 8 + 4;
    let last = snapshot.len() - 8 - agents - 8;
    let mut other = snapshot.clone();
    other[last] = 3;
    crate::crowd::snapshot::seal(&mut other);
    second.restore(&other).unwrap();
    assert!(
        second.digest() != {
            first.restore(&snapshot).unwrap();
            first.digest()
        }
    );
    other[last] = 99;
    crate::crowd::snapshot::seal(&mut other);
    assert!(
        second
            .restore(&other)
            .unwrap_err()
            .to_string()
            .contains("a cell was visited at tick 98; allowed: up to 30")
    );
}
