//! The scenes `flow-trap` and `rooms`: paths along a flow field are nearly shortest paths, and
//! 100,000 agents leave a building.

use std::f32::consts::{FRAC_PI_2, PI, SQRT_2};

use wayfare::crowd::{Command, Group, Setup, Spawn};
use wayfare::geometry::flow_field::{FieldPlan, FlowField};
use wayfare::geometry::obstacle::{Obstacle, Obstacles, Shape};
use wayfare::glam::{Vec2, vec2};
use wayfare::parameter::FieldId;
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::{Crowd, List, ObstacleId, behavior::FollowFlow};

use super::{crowd, members, setup};

fn positions(crowd: &Crowd<Vec2>, group: &str) -> Vec<Vec2> {
    members(crowd, group).map(|agent| agent.position).collect()
}

#[test]
fn agents_with_a_flow_field_leave_the_trap_and_agents_that_only_avoid_obstacles_do_not() {
    let mut crowd = crowd("flow-trap");
    let is_inside = |p: &Vec2| (260.0..420.0).contains(&p.x) && (110.0..370.0).contains(&p.y);
    let (mut trapped, mut clearance) = (0, f32::INFINITY);
    for tick in 0..1_500 {
        crowd.step();
        if tick > 300 {
            trapped += usize::from(positions(&crowd, "seekers").iter().all(is_inside));
        }
        clearance = positions(&crowd, "followers")
            .iter()
            .map(|p| crowd.obstacles()[0].distance(*p))
            .fold(clearance, f32::min);
    }
    let farthest = positions(&crowd, "followers")
        .iter()
        .map(|p| p.distance(vec2(570.0, 240.0)))
        .fold(0.0, f32::max);
    println!(
        "followers: smallest distance to the wall {clearance}, farthest from the goal {farthest}"
    );
    assert_eq!(trapped, 1_199);
    assert!(farthest < 50.0 && clearance > 4.0, "{farthest} {clearance}");
}

/// The length of the path that one host takes along a field until it is at the goal. Its mass is
/// small, so that it has hardly any reaction time.
fn walked_length(
    obstacles: &[Shape<Vec2>],
    goal: &Shape<Vec2>,
    start: Vec2,
    cell: f32,
    clearance: f32,
) -> f32 {
    let bounds = Some(Bounds { min: Vec2::ZERO, max: vec2(640.0, 480.0), edge: Edge::Open });
    let mut host = Group::new("host", 1, Spawn::Points(vec![start]), 1.0);
    host.steer =
        List::default().with(FollowFlow { field: FieldId(0), lookahead: 0.0, slowing_radius: 0.0 });
    let plan = FieldPlan::Toward { goals: vec![goal.clone()], cell, clearance, area: None };
    let fields = vec![("way".to_string(), plan)];
    let mut crowd = Crowd::new(Setup {
        bounds,
        obstacles: obstacles.to_vec(),
        fields,
        groups: vec![host],
        ..Setup::default()
    })
    .unwrap();
    let (goal, mut length, mut before) = (Obstacle::from(goal.clone()), 0.0, start);
    for _ in 0..5_000 {
        crowd.step();
        let now = crowd.get(0).unwrap().agent.position;
        length += now.distance(before);
        before = now;
        if goal.distance(now) <= 0.0 {
            return length;
        }
        assert!(
            crowd.obstacles().iter().all(|wall| wall.distance(now) > 0.0),
            "{now} is in a wall"
        );
    }
    panic!("it is at {before} after 5,000 ticks");
}

/// The length of the tangent from `p` to the circle.
fn tangent_length(p: Vec2, center: Vec2, radius: f32) -> f32 {
    (p.distance_squared(center) - radius * radius).sqrt()
}

/// The angle at `center` between `p` and the point at which the tangent from `p` touches the
/// circle.
fn tangent_angle(p: Vec2, center: Vec2, radius: f32) -> f32 {
    (radius / p.distance(center)).acos()
}

#[test]
fn the_path_out_of_the_trap_is_within_five_percent_of_the_shortest() {
    let scene = setup("flow-trap");
    let FieldPlan::Toward { goals, cell, clearance, .. } = &scene.fields[0].1 else {
        panic!("the field has a goal")
    };
    let (start, goal) = (vec2(380.0, 200.0), vec2(570.0, 240.0));
    let corners = [vec2(260.0, 126.0), vec2(260.0, 110.0), vec2(420.0, 110.0)];
    let radius = *clearance;
    // The shortest path goes from the bottom of the trap round the three corners of its upper arm:
    // straight lines between arcs of the clearance about the corners.
    let angle = |center: Vec2, p: Vec2| (p - center).to_angle();
    // The first arc ends on the left of the first corner, where the line to the second begins.
    let first = (PI - (angle(corners[0], start) + tangent_angle(start, corners[0], radius))).abs();
    let third = FRAC_PI_2 + angle(corners[2], goal) - tangent_angle(goal, corners[2], radius);
    let arcs = radius * (first + FRAC_PI_2 + third);
    let lines = tangent_length(start, corners[0], radius)
        + corners[0].distance(corners[1])
        + corners[1].distance(corners[2])
        + tangent_length(goal, corners[2], radius);
    // The goal is a circle of radius 30, so the last line is shorter by that.
    let shortest = lines - 30.0 + arcs;
    let found = walked_length(&scene.obstacles, &goals[0], start, *cell, *clearance);
    let excess = found / shortest - 1.0;
    println!("out of the trap: {found}, the shortest {shortest}, {:+.2} %", excess * 100.0);
    assert!(excess.abs() < 0.05, "{found} of {shortest}");
}

#[test]
fn the_path_through_a_slalom_is_within_five_percent_of_the_shortest_for_any_cell_width() {
    // Walls of thickness 0 from above and from below by turns: the shortest path is the polyline
    // through their ends.
    let ends = [vec2(120.0, 300.0), vec2(240.0, 180.0), vec2(360.0, 320.0), vec2(480.0, 150.0)];
    let wall = |(i, end): (usize, &Vec2)| Shape::Segment {
        from: *end,
        to: vec2(end.x, if i % 2 == 0 { -50.0 } else { 530.0 }),
        thickness: 0.0,
    };
    let walls: Vec<Shape<Vec2>> = ends.iter().enumerate().map(wall).collect();
    let (start, goal) = (vec2(30.0, 60.0), vec2(600.0, 400.0));
    let corners: Vec<Vec2> = std::iter::once(start).chain(ends).chain([goal]).collect();
    let shortest: f32 = corners.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    for cell in [2.0, 4.0, 8.0] {
        let goal = Shape::Circle { center: goal, radius: 1.0 };
        let found = walked_length(&walls, &goal, start, cell, 0.0);
        println!(
            "slalom in cells of {cell}: {found}, the shortest {shortest}, {:+.2} %",
            (found / shortest - 1.0) * 100.0
        );
        assert!(found > 0.99 * shortest && found < 1.05 * shortest, "{found} of {shortest}");
        // A path that is limited to eight directions is at least this long, for any cell width.
        let eight: f32 = corners
            .windows(2)
            .map(|pair| (pair[1] - pair[0]).abs())
            .map(|d| d.max_element() + (SQRT_2 - 1.0) * d.min_element())
            .sum();
        assert!(found < eight, "{found}, and {eight} in eight directions");
    }
}

#[test]
fn a_hundred_thousand_agents_leave_a_building_of_twenty_rooms() {
    let mut setup = setup("rooms");
    // The rooms have no room for so many bodies.
    setup.bodies.solid = false;
    for group in &mut setup.groups {
        group.count = 25_000;
        let Spawn::Apart(room) = group.spawn.clone() else { panic!("{:?}", group.spawn) };
        group.spawn = Spawn::Inside(room);
    }
    let mut crowd = Crowd::new(setup).unwrap();
    assert_eq!(crowd.len(), 100_000);
    let begin = std::time::Instant::now();
    let mut half = 0;
    while !crowd.is_empty() && crowd.tick() < 3_000 {
        crowd.step();
        if half == 0 && crowd.len() <= 50_000 {
            half = crowd.tick();
        }
    }
    println!(
        "half have left at tick {half}, all at tick {} after {:.1} s",
        crowd.tick(),
        begin.elapsed().as_secs_f32()
    );
    let left: Vec<u64> = crowd.exits().iter().map(|exit| exit.left).collect();
    assert_eq!((crowd.len(), left.iter().sum::<u64>()), (0, 100_000));
    assert!(left.iter().all(|left| *left > 20_000), "{left:?}");
}

#[test]
fn a_moved_wall_changes_the_field_as_if_it_were_made_anew_and_the_run_replays_to_the_bit() {
    let run = |restored: bool| {
        let mut crowd = crowd("flow-trap");
        (0..20).for_each(|_| crowd.step());
        // The upper side is closed as far as the rim: all agents pass below the trap.
        for command in [
            Command::AddObstacle(Shape::box_between(vec2(340.0, -40.0), vec2(356.0, 120.0))),
            Command::SetObstacle(
                ObstacleId(0),
                Shape::box_between(vec2(300.0, 100.0), vec2(420.0, 360.0)),
            ),
        ] {
            crowd.apply(&command).unwrap();
        }
        if restored {
            let snapshot = crowd.snapshot();
            crowd = super::crowd("flow-trap");
            crowd.restore(&snapshot).unwrap();
        }
        let setup = setup("flow-trap");
        let fresh = FlowField::new(
            &setup.fields[0].1,
            Obstacles::from(&crowd.obstacles().to_vec()),
            setup.bounds.as_ref(),
        )
        .unwrap();
        assert!(crowd.fields()[0].cells().eq(fresh.cells()));
        (0..480).for_each(|_| crowd.step());
        crowd
    };
    let crowd = run(false);
    let followers = positions(&crowd, "followers");
    assert!(followers.iter().all(|p| p.distance(vec2(570.0, 240.0)) < 60.0), "{followers:?}");
    assert_eq!(crowd.digest(), run(true).digest());
}
