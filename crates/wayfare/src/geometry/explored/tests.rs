//! Cells, visits and targets of an explored grid.

use super::*;
use crate::random::Random;
use crate::spatial::space::{Bounds, Edge};
use glam::{Vec3, vec2, vec3};

fn grid(area: Shape<Vec2>, cell: f32) -> Explored<Vec2> {
    Explored::new(&area, cell)
}

#[test]
fn an_area_is_divided_into_the_fewest_equal_cells_not_wider_than_requested() {
    let middles =
        |explored: &Explored<Vec2>| explored.cells().map(|(middle, _)| middle).collect::<Vec<_>>();
    let pair = grid(Shape::box_between(vec2(0.0, 10.0), vec2(20.0, 15.0)), 12.0);
    // As wide as it is, and 12 high.
    assert_eq!(middles(&pair), [vec2(5.0, 12.5), vec2(15.0, 12.5)]);
    // Turned by a quarter, x becomes y.
    let turned = grid(
        Shape::Box {
            center: vec2(1.0, 2.0),
            half: vec2(10.0, 0.0),
            angle: core::f32::consts::FRAC_PI_2,
        },
        10.0,
    );
    let found = middles(&turned);
    assert!(
        (found[0] - vec2(1.0, -3.0)).length() < 1e-5 && (found[1] - vec2(1.0, 7.0)).length() < 1e-5,
        "{found:?}"
    );
    // Of 25 squares of 4 the corners' middles are 11.3 from the middle of the circle.
    let round = |cell| grid(Shape::Circle { center: Vec2::ZERO, radius: 10.0 }, cell);
    assert_eq!(
        (round(4.0).len(), round(4.0).cells().count(), round(10.0).cells().count()),
        (25, 21, 4)
    );
    assert_eq!(middles(&grid(Shape::Circle { center: Vec2::ONE, radius: 0.0 }, 3.0)), [Vec2::ONE]);
    let ball = Explored::new(&Shape::Circle { center: Vec3::ZERO, radius: 10.0 }, 10.0);
    assert_eq!((ball.len(), ball.cells().count()), (8, 8));
    assert_eq!(cells_of(&Shape::Circle { center: Vec3::ZERO, radius: 10.0 }, 0.1), 8e6);
    assert!(
        Explored::new(&Shape::Circle { center: Vec3::ZERO, radius: 10.0 }, 0.1).len() <= MOST_CELLS
    );
}

#[test]
fn a_visit_is_recorded_in_the_cell_of_its_position_and_outside_in_none() {
    let mut explored = grid(Shape::box_between(vec2(0.0, 0.0), vec2(30.0, 10.0)), 10.0);
    for (x, tick) in [(10.0, 4), (29.9, 2), (30.0, 7), (-0.1, 9), (31.0, 9)] {
        explored.visit(&Space::OPEN, vec2(x, 5.0), tick);
    }
    explored.visit(&Space::OPEN, vec2(5.0, 10.1), 9);
    assert_eq!(
        explored.cells().map(|(_, tick)| tick).collect::<Vec<_>>(),
        [None, Some(4), Some(7)]
    );
    // A flat area in space is as high as its cells are wide.
    let mut flat = Explored::new(&Shape::box_between(Vec3::ZERO, vec3(30.0, 10.0, 0.0)), 10.0);
    flat.visit(&Space::OPEN, vec3(5.0, 5.0, -4.9), 3);
    flat.visit(&Space::OPEN, vec3(15.0, 5.0, 5.1), 3);
    assert_eq!(flat.cells().map(|(_, tick)| tick).collect::<Vec<_>>(), [Some(3), None, None]);
}

#[test]
fn the_target_is_the_nearest_of_the_least_recently_visited_and_the_first_in_a_tie() {
    let mut explored = grid(Shape::box_between(vec2(0.0, 0.0), vec2(30.0, 30.0)), 10.0);
    let target = |explored: &Explored<Vec2>, p| explored.target(&Space::OPEN, p);
    assert_eq!(target(&explored, vec2(14.0, 11.0)), Some(vec2(15.0, 15.0)));
    // On a corner of four cells, and in the middle of all once that is visited.
    assert_eq!(target(&explored, vec2(10.0, 20.0)), Some(vec2(5.0, 15.0)));
    explored.visit(&Space::OPEN, vec2(15.0, 15.0), 0);
    assert_eq!(target(&explored, vec2(15.0, 15.0)), Some(vec2(15.0, 5.0)));
    // All cells are visited one after another, the first one last; then the cell of the oldest
    // visit is the target, from any position.
    for (tick, cell) in (1..).zip([8, 7, 6, 5, 3, 2, 1, 0]) {
        let middle = vec2((cell % 3) as f32, (cell / 3) as f32) * 10.0 + vec2(5.0, 5.0);
        explored.visit(&Space::OPEN, middle, tick);
    }
    assert_eq!(target(&explored, vec2(0.0, 0.0)), Some(vec2(15.0, 15.0)));
    explored.visit(&Space::OPEN, vec2(15.0, 15.0), 9);
    assert_eq!(target(&explored, vec2(0.0, 0.0)), Some(vec2(25.0, 25.0)));
    explored.exclude(|middle| middle == vec2(25.0, 25.0));
    assert_eq!(target(&explored, vec2(0.0, 0.0)), Some(vec2(15.0, 25.0)));
    explored.exclude(|_| true);
    assert_eq!(target(&explored, vec2(0.0, 0.0)), None);
}

#[test]
fn in_a_wrapped_world_distances_across_the_edge_count() {
    let space =
        Space::new(Some(Bounds { min: Vec2::ZERO, max: vec2(100.0, 100.0), edge: Edge::Wrap }));
    let mut explored = grid(Shape::box_between(vec2(0.0, 0.0), vec2(100.0, 100.0)), 20.0);
    explored.visit(&space, vec2(95.0, 50.0), 0);
    // The nearest cell is across the edge: its middle at 10 has an image at 110.
    assert_eq!(explored.target(&space, vec2(99.0, 50.0)), Some(vec2(110.0, 50.0)));
    // An area that extends across the edge is visited on the other side.
    let mut across = grid(Shape::box_between(vec2(90.0, 0.0), vec2(110.0, 10.0)), 10.0);
    across.visit(&space, vec2(4.0, 5.0), 6);
    assert_eq!(across.cells().map(|(_, tick)| tick).collect::<Vec<_>>(), [None, Some(6)]);
    assert_eq!(across.target(&space, vec2(4.0, 5.0)), Some(vec2(-5.0, 5.0)));
}

#[test]
fn the_search_finds_the_cell_that_a_scan_of_all_cells_finds() {
    fn check<V: Vector>(area: Shape<V>, cell: f32, space: Space<V>) {
        let mut explored = Explored::new(&area, cell);
        explored.exclude(|middle| middle.axis(0) > 0.0 && middle.axis(1) > 25.0);
        let mut random = Random::new(1, 0, 0, 0);
        let mut point = || V::from_fn(|_| (random.between(-50.0, 50.0) / 2.5).round() * 2.5);
        for tick in 0..2_000 {
            explored.visit(&space, point(), tick / 3);
            let p = point();
            let least = explored.cells().map(|(_, tick)| tick).min().unwrap();
            let nearest = explored
                .cells()
                .filter(|(_, tick)| *tick == least)
                .map(|(middle, _)| (space.image(p, middle) - p).length());
            let nearest = nearest.fold(f32::INFINITY, f32::min);
            let found = (explored.target(&space, p).unwrap() - p).length();
            assert!((found - nearest).abs() < 1e-4, "{found} {nearest}");
        }
    }
    let wrapped = Space::new(Some(Bounds {
        min: vec2(-50.0, -50.0),
        max: vec2(50.0, 50.0),
        edge: Edge::Wrap,
    }));
    check(Shape::box_between(vec2(-50.0, -50.0), vec2(50.0, 50.0)), 9.0, Space::OPEN);
    check(Shape::box_between(vec2(-50.0, -50.0), vec2(50.0, 50.0)), 9.0, wrapped);
    check(
        Shape::Box { center: vec2(20.0, 9.0), half: vec2(31.0, 17.0), angle: 0.8 },
        8.0,
        Space::OPEN,
    );
    check(Shape::Circle { center: vec3(0.0, 5.0, 9.0), radius: 40.0 }, 13.0, Space::OPEN);
}
