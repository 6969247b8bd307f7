//! Hints at bodies, spawns and ways that do not fit the world.

use super::*;
use crate::behavior::{AtEnd, AvoidObstacles, FollowFlow, Tracking};
use crate::geometry::flow_field::FieldPlan;
use crate::geometry::path::Path;
use crate::id::FieldId;
use crate::solve::Orca;

/// The positions of the hints for a world of solid bodies with one group of this radius and spawn.
fn hinted(radius: f32, spawn: Spawn<Vec2>, change: impl FnOnce(&mut Setup<Vec2>)) -> Vec<String> {
    let mut guests = Group::new("guests", 1, spawn, 2.0);
    guests.mass = Distribution::Same(4.0);
    guests.radius = Distribution::Same(radius);
    let bodies = Bodies { solid: true, ..Bodies::default() };
    let mut setup = Setup { groups: vec![guests], bodies, ..Setup::default() };
    change(&mut setup);
    assert_eq!(setup.validate(), Ok(()));
    setup.hints().iter().map(|hint| hint.key_path.in_rust()).collect()
}

fn at(x: f32, y: f32) -> Spawn<Vec2> {
    Spawn::Points(vec![vec2(x, y)])
}

fn wall(x: f32, from: f32, to: f32) -> Shape<Vec2> {
    Shape::Segment { from: vec2(x, from), to: vec2(x, to), thickness: 0.2 }
}

const NONE: [&str; 0] = [];

#[test]
fn bodies_that_cannot_lie_in_their_spawn_without_overlaps_are_hinted_at() {
    // 100 / (sqrt(3) / 2) + 40 / 2 + 1 = 136.47 points at most are 1 apart in a box of 10 by 10.
    let area = Shape::box_between(Vec2::ZERO, vec2(10.0, 10.0));
    let count = |count| move |setup: &mut Setup<Vec2>| setup.groups[0].count = count;
    assert_eq!(hinted(0.5, Spawn::Inside(area.clone()), count(136)), NONE);
    assert_eq!(hinted(0.5, Spawn::Inside(area), count(137)), ["groups[0].spawn"]);
    let grid = |spacing| Spawn::Grid { origin: Vec2::ZERO, spacing, columns: 5, rows: 1 };
    assert_eq!(hinted(0.5, grid(1.0), count(9)), NONE);
    assert_eq!(hinted(0.5, grid(0.9), count(9)), ["groups[0].spawn.grid.spacing"]);
    // The side of a hexagon is its radius.
    let ring = |radius| Spawn::Ring { center: Vec2::ZERO, radius, turn: 0.0 };
    assert_eq!(hinted(0.5, ring(1.0), count(6)), NONE);
    assert_eq!(hinted(0.5, ring(1.0), count(7)), ["groups[0].spawn.ring.radius"]);
    let points = |x| Spawn::Points(vec![vec2(-3.0, 0.0), vec2(0.0, 3.0), vec2(x, 3.0)]);
    assert_eq!(hinted(0.5, points(1.0), |_| {}), NONE);
    assert_eq!(hinted(0.5, points(0.9), |_| {}), ["groups[0].spawn.points[2]"]);
    let along = |count| {
        hinted(0.5, Spawn::Along(PathId(0)), |setup| {
            setup.groups[0].count = count;
            let path = Path::new(vec![Vec2::ZERO, vec2(9.0, 0.0)], 1.0, false);
            setup.paths.push(("way".to_string(), path));
        })
    };
    assert_eq!(along(10), NONE);
    assert_eq!(along(11), ["groups[0].spawn.along"]);
    assert_eq!(along(0), ["groups[0].count"]);
}

#[test]
fn a_body_wider_than_the_walls_of_the_world_is_hinted_at() {
    let bounds = |radius, edge| {
        hinted(radius, at(5.0, 1.0), |setup| {
            setup.bounds = Some(Bounds { min: Vec2::ZERO, max: vec2(10.0, 2.0), edge });
        })
    };
    assert_eq!(bounds(1.0, Edge::Wall), NONE);
    assert_eq!(bounds(1.1, Edge::Wall), ["groups[0].radius"]);
    assert_eq!(bounds(1.1, Edge::Open), NONE);
}

#[test]
fn members_that_start_in_obstacles_or_outside_walls_are_hinted_at() {
    let rock = Shape::Circle { center: vec2(5.0, 5.0), radius: 1.0 };
    let walls = Bounds { min: Vec2::ZERO, max: vec2(10.0, 10.0), edge: Edge::Wall };
    let start = |spawn, change: fn(&mut Setup<Vec2>)| {
        hinted(0.1, spawn, |setup| {
            setup.bounds = Some(walls);
            setup.obstacles = vec![rock.clone()];
            change(setup);
        })
    };
    assert_eq!(start(at(5.5, 5.0), |_| {}), ["groups[0].spawn.points[0]"]);
    assert_eq!(start(at(5.5, 6.5), |_| {}), NONE);
    assert_eq!(start(at(5.5, 10.5), |_| {}), ["groups[0].spawn.points[0]"]);
    // Without walls and solid bodies, a group that does not steer round obstacles passes them.
    let pass = |setup: &mut Setup<Vec2>| setup.bodies.solid = false;
    assert_eq!(start(at(5.5, 5.0), pass), NONE);
    // Of an area a tenth has to be covered.
    let area =
        |width: f32| Spawn::Inside(Shape::box_between(vec2(4.0, 4.0), vec2(4.0 + width, 6.0)));
    assert_eq!(start(area(2.0), |setup| setup.groups[0].count = 20), ["groups[0].spawn"]);
    let wide = Spawn::Inside(Shape::box_between(Vec2::ZERO, vec2(10.0, 10.0)));
    assert_eq!(start(wide, |setup| setup.groups[0].count = 200), NONE);
    let source = |setup: &mut Setup<Vec2>| {
        let area = Shape::box_between(vec2(8.0, 0.0), vec2(12.0, 10.0));
        let arrivals = Arrivals::Schedule(vec![(1.0, 1)]);
        setup.sources.push(Source::new(area, GroupId(0), arrivals).most(10));
    };
    assert_eq!(start(at(1.0, 1.0), source), ["sources[0].box"]);
}

/// The hints for a group that follows a path from the left to the right.
fn on_path(radius: f32, end: Vec2, change: impl FnOnce(&mut Setup<Vec2>)) -> Vec<String> {
    hinted(0.5, at(0.0, 0.0), |setup| {
        setup.paths.push(("way".to_string(), Path::new(vec![Vec2::ZERO, end], radius, false)));
        let follow = FollowPath { tracking: Tracking::Corridor, ..FollowPath::new(PathId(0)) };
        setup.groups[0].steer = List::default().with(follow);
        change(setup);
    })
}

#[test]
fn a_path_that_its_followers_do_not_fit_is_hinted_at() {
    let end = vec2(20.0, 0.0);
    assert_eq!(on_path(1.0, end, |_| {}), NONE);
    assert_eq!(on_path(0.4, end, |_| {}), ["paths[\"way\"].radius"]);
    let rock = |y| Shape::Circle { center: vec2(10.0, y), radius: 1.0 };
    assert_eq!(on_path(1.0, end, |setup| setup.obstacles.push(rock(1.6))), NONE);
    let near = |setup: &mut Setup<Vec2>| setup.obstacles.push(rock(1.4));
    assert_eq!(on_path(1.0, end, near), ["paths[\"way\"].points"]);
    // Members that steer round obstacles leave the path and come back.
    let avoiding = |setup: &mut Setup<Vec2>| {
        near(setup);
        let avoid = AvoidObstacles::default().see_ahead(5.0).max_avoid_force(1.0);
        setup.groups[0].steer = setup.groups[0].steer.clone().with(avoid);
    };
    assert_eq!(on_path(1.0, end, avoiding), NONE);
    // They do not reach a point in the rock, unless the path's radius reaches out of it.
    let inside = vec2(9.5, 0.0);
    let avoiding_at = |radius| {
        on_path(radius, inside, |setup| {
            avoiding(setup);
            setup.obstacles = vec![rock(0.0)];
        })
    };
    assert_eq!(avoiding_at(0.9), ["paths[\"way\"].points"]);
    assert_eq!(avoiding_at(1.1), NONE);
}

#[test]
fn a_door_narrower_than_the_body_on_the_way_to_a_target_is_hinted_at() {
    // Between the round ends of two walls, less than their distance by the thickness.
    let door = |width: f32, length: f32, target: Vec2, solver: bool| {
        hinted(0.5, at(0.0, 0.0), |setup| {
            let half = (width + 0.2) / 2.0;
            setup.obstacles = vec![wall(10.0, half, length), wall(10.0, -half, -length)];
            let mut list = List::default().with(Seek::new(target));
            if solver {
                list = list.with(Orca::default());
            }
            setup.groups[0].steer = list;
        })
    };
    let beyond = vec2(20.0, 0.0);
    assert_eq!(door(0.9, 9.0, beyond, false), ["groups[0].radius"]);
    assert_eq!(door(1.1, 9.0, beyond, false), NONE);
    // A target before the door, and one beside the walls.
    assert_eq!(door(0.9, 9.0, vec2(5.0, 0.0), false), NONE);
    assert_eq!(door(0.9, 9.0, vec2(20.0, 40.0), false), NONE);
    // Members that steer round obstacles pass beside pillars, but not beside long walls.
    assert_eq!(door(0.9, 9.0, beyond, true), ["groups[0].radius"]);
    assert_eq!(door(0.9, 2.0, beyond, true), NONE);
    // A wall behind the gap: the way does not lead through.
    let closed = hinted(0.5, at(0.0, 0.0), |setup| {
        setup.obstacles = vec![wall(10.0, 0.5, 9.0), wall(10.0, -0.5, -9.0), wall(10.5, -9.0, 9.0)];
        setup.groups[0].steer = List::default().with(Seek::new(beyond));
    });
    assert_eq!(closed, NONE);
    // The door of a path, for members that steer round obstacles.
    let path = on_path(2.0, beyond, |setup| {
        setup.obstacles = vec![wall(10.0, 0.5, 9.0), wall(10.0, -0.5, -9.0)];
        setup.groups[0].steer = setup.groups[0].steer.clone().with(Orca::default());
    });
    assert_eq!(path, ["paths[\"way\"].points"]);
}

#[test]
fn a_field_that_leads_through_gaps_narrower_than_its_followers_or_nowhere_is_hinted_at() {
    let field = |width: f32, clearance: f32, more: Option<Shape<Vec2>>| {
        hinted(0.5, at(0.0, 0.0), |setup| {
            let half = (width + 0.2) / 2.0;
            setup.obstacles = vec![wall(10.0, half, 9.0), wall(10.0, -half, -9.0)];
            setup.obstacles.extend(more);
            let plan = FieldPlan::Toward {
                goals: vec![Shape::Circle { center: vec2(15.0, 0.0), radius: 1.0 }],
                cell: 0.25,
                clearance,
                area: Some((vec2(-5.0, -9.0), vec2(20.0, 9.0))),
            };
            setup.fields.push(("way".to_string(), plan));
            setup.groups[0].steer = List::default().with(FollowFlow::new(FieldId(0)));
        })
    };
    assert_eq!(field(0.9, 0.2, None), ["fields[\"way\"].clearance"]);
    // Wide enough, closed to the field, and closed by another wall.
    assert_eq!(field(1.1, 0.2, None), NONE);
    assert_eq!(field(0.9, 0.5, None), ["fields[\"way\"].goal"]);
    assert_eq!(field(0.9, 0.2, Some(wall(10.5, -9.0, 9.0))), ["fields[\"way\"].goal"]);
}

#[test]
fn a_turning_circle_too_wide_for_the_corners_of_a_path_is_hinted_at() {
    let corner = |circle, tracking, leg| {
        hinted(0.5, at(0.0, 0.0), |setup| {
            let points = vec![Vec2::ZERO, vec2(20.0, 0.0), vec2(20.0, leg)];
            setup.paths.push(("way".to_string(), Path::new(points, 2.0, false)));
            setup.groups[0].turning_radius = Some(circle);
            let follow = FollowPath { tracking, ..FollowPath::new(PathId(0)) };
            setup.groups[0].steer = List::default().with(follow);
        })
    };
    // The arc cuts a right angle by 0.414 of its radius: 2 at 4.83.
    assert_eq!(corner(4.8, Tracking::Corridor, 20.0), NONE);
    assert_eq!(corner(4.9, Tracking::Corridor, 20.0), ["groups[0].turning_radius"]);
    // The next node is the center of the circle of radius 5, and far outside of it.
    assert_eq!(corner(5.0, Tracking::Nodes, 5.0), ["groups[0].turning_radius"]);
    assert_eq!(corner(5.0, Tracking::Nodes, 20.0), NONE);
    assert_eq!(corner(1.9, Tracking::Nodes, 1.9), NONE);
}

#[test]
fn keys_without_effect_in_this_world_are_hinted_at() {
    let walls = |edge: Option<Edge>| {
        hinted(0.5, at(1.0, 1.0), |setup| {
            let bounds = |edge| Bounds { min: Vec2::ZERO, max: vec2(9.0, 9.0), edge };
            setup.bounds = edge.map(bounds);
            let avoid = AvoidObstacles {
                bounds: true,
                ..AvoidObstacles::default().see_ahead(5.0).max_avoid_force(1.0)
            };
            setup.groups[0].steer = List::default().with(avoid);
        })
    };
    assert_eq!(walls(None), ["groups[0].steer[0]: AvoidObstacles::bounds"]);
    assert_eq!(walls(Some(Edge::Open)), ["groups[0].steer[0]: AvoidObstacles::bounds"]);
    assert_eq!(walls(Some(Edge::Wall)), NONE);
    let unread = on_path(1.0, vec2(20.0, 0.0), |setup| {
        let path = FollowPath { lookahead: Some(1.0), drive: true, ..FollowPath::new(PathId(0)) };
        let looped = FollowPath { at_end: Some(AtEnd::Loop), slowing_radius: Some(99.0), ..path };
        setup.groups[0].steer = List::default().with(looped);
    });
    let name = |key| format!("groups[0].steer[0]: FollowPath::{key}");
    assert_eq!(unread, ["lookahead", "drive", "slowing_radius"].map(name));
    let bodies = hinted(0.5, at(1.0, 1.0), |setup| {
        setup.bodies = Bodies { solid: false, iterations: 9, ..Bodies::default() };
        setup.groups[0].inertia = 2.0;
    });
    assert_eq!(bodies, ["bodies.iterations", "groups[0].inertia"]);
}

#[cfg(feature = "navigation")]
#[test]
fn a_clearance_that_closes_the_only_door_is_hinted_at() {
    use crate::behavior::{Navigate, RouteClearance};
    let through = |clearance: f32, target: Vec2, ends: f32| {
        hinted(0.2, at(2.0, 5.0), |setup| {
            let (min, max) = (Vec2::ZERO, vec2(20.0, 10.0));
            setup.bounds = Some(Bounds { min, max, edge: Edge::Wall });
            setup.obstacles = vec![wall(10.0, 0.0, 4.5), wall(10.0, 5.5, ends)];
            let mut navigate = Navigate::new(target);
            navigate.clearance = RouteClearance::Fixed(clearance);
            setup.groups[0].steer = List::default().with(navigate);
        })
    };
    let beyond = vec2(18.0, 5.0);
    assert_eq!(through(0.5, beyond, 10.0), ["groups[0].steer"]);
    assert_eq!(through(0.3, beyond, 10.0), NONE);
    // A target before the wall, and a way round its end.
    assert_eq!(through(0.5, vec2(5.0, 8.0), 10.0), NONE);
    assert_eq!(through(0.5, beyond, 7.0), NONE);
}
