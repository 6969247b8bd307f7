//! What scenes with fields promise: ways out of a trap that are nearly the shortest, and a building
//! that a hundred thousand leave.

use wayfare::crowd::{Group, Setup, Spawn};
use wayfare::geometry::flow_field::{FieldPlan, FlowField};
use wayfare::geometry::obstacle::{Obstacle, Obstacles, Shape};
use wayfare::glam::{Vec2, vec2};
use wayfare::parameter::FieldId;
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::{Crowd, List, behavior::FollowFlow};

use super::{members, setup};

fn positions(crowd: &Crowd<Vec2>, group: &str) -> Vec<Vec2> {
    members(crowd, group).map(|agent| agent.position).collect()
}

#[test]
fn who_follows_the_field_leaves_the_trap_in_which_avoiding_obstacles_stays() {
    let mut crowd = Crowd::new(setup("flow-trap")).unwrap();
    let inside = |p: &Vec2| (260.0..420.0).contains(&p.x) && (110.0..370.0).contains(&p.y);
    let (mut trapped, mut near) = (0, f32::INFINITY);
    for tick in 0..1_500 {
        crowd.step();
        if tick > 300 {
            trapped += usize::from(positions(&crowd, "seekers").iter().all(inside));
        }
        near = positions(&crowd, "followers")
            .iter()
            .map(|p| crowd.obstacles()[0].distance(*p))
            .fold(near, f32::min);
    }
    let far = positions(&crowd, "followers")
        .iter()
        .map(|p| p.distance(vec2(570.0, 240.0)))
        .fold(0.0, f32::max);
    println!("followers came within {near} of the wall, and are within {far} of the goal");
    assert_eq!(trapped, 1_199);
    assert!(far < 50.0 && near > 4.0, "{far} {near}");
}

/// How long the way is that one host takes by a field, with hardly any reaction time, until it is
/// at the goal.
fn walked(
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

/// The straight line from `p` to where it touches the circle of this radius about `center`.
fn tangent(p: Vec2, center: Vec2, radius: f32) -> f32 {
    (p.distance_squared(center) - radius * radius).sqrt()
}

/// The angle at `center` between `p` and where the straight line from `p` touches the circle.
fn turn(p: Vec2, center: Vec2, radius: f32) -> f32 {
    (radius / p.distance(center)).acos()
}

#[test]
fn the_way_out_of_the_trap_is_within_five_percent_of_the_shortest() {
    let scene = setup("flow-trap");
    let FieldPlan::Toward { goals, cell, clearance, .. } = &scene.fields[0].1 else {
        panic!("it has a goal")
    };
    let (from, goal, one, two) =
        (vec2(380.0, 200.0), vec2(570.0, 240.0), vec2(260.0, 126.0), vec2(260.0, 110.0));
    let (last, r) = (vec2(420.0, 110.0), *clearance);
    // From the bottom of the trap round the three corners of its upper arm, 10 clear of each:
    // straight lines between arcs about the corners.
    let up = std::f32::consts::PI;
    let angle = |center: Vec2, p: Vec2| (p - center).to_angle();
    // About the first corner from the tangent of the start round to the left, where the line up to
    // the second corner begins.
    let first = (up - (angle(one, from) + turn(from, one, r))).abs();
    let third = std::f32::consts::FRAC_PI_2 + angle(last, goal) - turn(goal, last, r);
    let arcs = r * (first + std::f32::consts::FRAC_PI_2 + third);
    // The goal is a circle of radius 30: a straight line to it ends that much earlier.
    let exact =
        tangent(from, one, r) + one.distance(two) + two.distance(last) + tangent(goal, last, r)
            - 30.0
            + arcs;
    let found = walked(&scene.obstacles, &goals[0], from, *cell, *clearance);
    println!(
        "out of the trap: {found}, the shortest {exact}, {:+.2} %",
        (found / exact - 1.0) * 100.0
    );
    assert!((found / exact - 1.0).abs() < 0.05, "{found} of {exact}");
}

#[test]
fn the_way_through_a_slalom_is_within_five_percent_of_the_shortest_in_cells_of_any_width() {
    // Walls from above and from below by turns, without thickness: the shortest way is the line
    // through their ends.
    let ends = [vec2(120.0, 300.0), vec2(240.0, 180.0), vec2(360.0, 320.0), vec2(480.0, 150.0)];
    let wall = |(i, end): (usize, &Vec2)| Shape::Segment {
        from: *end,
        to: vec2(end.x, if i % 2 == 0 { -50.0 } else { 530.0 }),
        thickness: 0.0,
    };
    let walls: Vec<Shape<Vec2>> = ends.iter().enumerate().map(wall).collect();
    let (from, goal) = (vec2(30.0, 60.0), vec2(600.0, 400.0));
    let corners: Vec<Vec2> = std::iter::once(from).chain(ends).chain([goal]).collect();
    let exact: f32 = corners.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    for cell in [2.0, 4.0, 8.0] {
        let found = walked(&walls, &Shape::Circle { center: goal, radius: 1.0 }, from, cell, 0.0);
        println!(
            "slalom in cells of {cell}: {found}, the shortest {exact}, {:+.2} %",
            (found / exact - 1.0) * 100.0
        );
        assert!(found > 0.99 * exact && found < 1.05 * exact, "{found} of {exact}");
        // Along eight directions it could not be shorter than this, however small the cells.
        let eight: f32 = corners
            .windows(2)
            .map(|pair| (pair[1] - pair[0]).abs())
            .map(|d| d.max_element() + (std::f32::consts::SQRT_2 - 1.0) * d.min_element())
            .sum();
        assert!(found < eight, "{found}, and {eight} in eight directions");
    }
}

#[test]
fn a_hundred_thousand_leave_a_building_of_twenty_rooms() {
    let mut scene = setup("rooms");
    scene.groups.iter_mut().for_each(|group| group.count = 25_000);
    let mut crowd = Crowd::new(scene).unwrap();
    assert_eq!(crowd.len(), 100_000);
    let begun = std::time::Instant::now();
    let mut half = 0;
    while !crowd.is_empty() && crowd.tick() < 3_000 {
        crowd.step();
        if half == 0 && crowd.len() <= 50_000 {
            half = crowd.tick();
        }
    }
    println!(
        "half have left at {half}, all at {} after {:.1} s",
        crowd.tick(),
        begun.elapsed().as_secs_f32()
    );
    assert_eq!(
        (crowd.len(), crowd.exits().iter().map(|exit| exit.left).sum::<u64>()),
        (0, 100_000)
    );
    assert!(
        crowd.exits().iter().all(|exit| exit.left > 20_000),
        "{:?}",
        crowd.exits().iter().map(|exit| exit.left).collect::<Vec<_>>()
    );
}

#[test]
fn a_wall_that_is_moved_while_it_runs_leads_everybody_another_way_and_replays_to_the_bit() {
    use wayfare::crowd::Command;
    let run = |restored: bool| {
        let mut crowd = Crowd::new(setup("flow-trap")).unwrap();
        (0..20).for_each(|_| crowd.step());
        // The trap is closed on top as far as the rim: everybody goes below it.
        crowd
            .apply(&Command::AddObstacle(Shape::box_between(
                vec2(340.0, -40.0),
                vec2(356.0, 120.0),
            )))
            .unwrap();
        crowd
            .apply(&Command::SetObstacle(
                0,
                Shape::box_between(vec2(300.0, 100.0), vec2(420.0, 360.0)),
            ))
            .unwrap();
        if restored {
            let snapshot = crowd.snapshot();
            crowd = Crowd::new(setup("flow-trap")).unwrap();
            crowd.restore(&snapshot).unwrap();
        }
        let standing: Vec<_> = crowd.obstacles().to_vec();
        let fresh = FlowField::new(
            &setup("flow-trap").fields[0].1,
            Obstacles::from(&standing),
            setup("flow-trap").bounds.as_ref(),
        )
        .unwrap();
        assert!(crowd.fields()[0].cells().eq(fresh.cells()));
        (0..480).for_each(|_| crowd.step());
        crowd
    };
    let crowd = run(false);
    assert!(
        positions(&crowd, "followers").iter().all(|p| p.distance(vec2(570.0, 240.0)) < 60.0),
        "{:?}",
        positions(&crowd, "followers")
    );
    assert_eq!(crowd.digest(), run(true).digest());
}
