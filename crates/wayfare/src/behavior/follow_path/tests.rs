//! Following a path from node to node and within its corridor.

use super::*;
use crate::behavior::testing::assert_near;
use glam::{Vec2, Vec3, vec2, vec3};

fn at_end(at_end: AtEnd) -> FollowPath {
    FollowPath { at_end: Some(at_end), ..FollowPath::new(PathId(0)) }
}

fn corridor() -> FollowPath {
    FollowPath { tracking: Tracking::Corridor, ..FollowPath::new(PathId(0)) }
}

fn corner() -> Path<Vec2> {
    Path::new(vec![vec2(0.0, 0.0), vec2(100.0, 0.0), vec2(100.0, 100.0)], 10.0, false)
}

fn closed_corner() -> Path<Vec2> {
    Path::new(corner().points().to_vec(), corner().radius, true)
}

/// A host at rest at `p`, with max_speed 5 and mass 4.
fn at_rest(p: Vec2) -> Agent<Vec2> {
    Agent { mass: 4.0, ..Agent::new(p, 5.0) }
}

/// The target node of each tick, for a host that is moved onto its target node before each
/// tick.
fn nodes(path: &Path<Vec2>, parameters: &FollowPath) -> (Vec<u32>, Progress) {
    let mut progress = Progress::default();
    let mut visit = || {
        let host = at_rest(path.points()[progress.node as usize]);
        let _ = follow_path(&host, path, parameters, &mut progress);
        progress.node
    };
    let nodes = (0..8).map(|_| visit()).collect();
    (nodes, progress)
}

#[test]
fn the_host_seeks_one_node_after_another_and_reaches_at_most_one_per_tick() {
    let mut progress = Progress::default();
    // All three nodes are within the radius of the host, which is at (0, 6).
    let path = Path::new(vec![vec2(0.0, 0.0), vec2(8.0, 0.0), vec2(0.0, 9.0)], 10.0, false);
    assert_near(
        follow_path(&at_rest(vec2(0.0, 6.0)), &path, &at_end(AtEnd::Seek), &mut progress),
        vec2(4.0, -3.0),
    );
    assert_eq!(progress.node, 1);
    assert_near(
        follow_path(&at_rest(vec2(0.0, 6.0)), &path, &at_end(AtEnd::Seek), &mut progress),
        vec2(0.0, 5.0),
    );
    assert_eq!((progress.node, progress.done), (2, false));
    // Only within the radius, in 3D too: at (30, 40, 0) from node 0 the host still seeks it.
    let mut progress = Progress::default();
    let path = Path::new(vec![vec3(30.0, 40.0, 0.0), vec3(0.0, 0.0, 9.0)], 49.9, false);
    let host = Agent::new(Vec3::ZERO, 5.0).moving(Vec3::Z);
    assert_near(
        follow_path(&host, &path, &at_end(AtEnd::Seek), &mut progress),
        vec3(3.0, 4.0, -1.0),
    );
    let path = Path::new(path.points().to_vec(), 50.0, false);
    assert_near(
        follow_path(&host, &path, &at_end(AtEnd::Seek), &mut progress),
        vec3(0.0, 0.0, 4.0),
    );
}

#[test]
fn at_the_end_the_host_stays_or_reverses_or_starts_again() {
    let run = |end| {
        let (nodes, progress) = nodes(&corner(), &at_end(end));
        (nodes, progress.done)
    };
    assert_eq!(run(AtEnd::Seek), (vec![1, 2, 2, 2, 2, 2, 2, 2], true));
    assert_eq!(run(AtEnd::Arrive), (vec![1, 2, 2, 2, 2, 2, 2, 2], true));
    // The end node twice, then the node before it; the same at the other end.
    assert_eq!(run(AtEnd::Patrol).0, [1, 2, 2, 1, 0, 0, 1, 2]);
    assert_eq!(run(AtEnd::Loop).0, [1, 2, 0, 1, 2, 0, 1, 2]);
    // The default depends on whether the path is closed.
    let default = FollowPath::new(PathId(0));
    assert_eq!(nodes(&closed_corner(), &default).0, [1, 2, 0, 1, 2, 0, 1, 2]);
    assert_eq!(default.end(&corner()), AtEnd::Arrive);
}

#[test]
fn arrive_slows_down_towards_the_last_node_only() {
    let force = |parameters: &FollowPath, node, p| {
        follow_path(
            &at_rest(p),
            &corner(),
            parameters,
            &mut Progress { node, ..Progress::default() },
        )
    };
    // At 40 from the last node: half speed with a slowing radius of 80, full speed with the
    // path's radius of 10; at 5 from the node half speed with that.
    let slowing = FollowPath { slowing_radius: Some(80.0), ..at_end(AtEnd::Arrive) };
    assert_near(force(&slowing, 2, vec2(100.0, 60.0)), vec2(0.0, 2.5));
    assert_near(force(&at_end(AtEnd::Arrive), 2, vec2(100.0, 60.0)), vec2(0.0, 5.0));
    assert_near(force(&at_end(AtEnd::Arrive), 2, vec2(100.0, 95.0)), vec2(0.0, 2.5));
    assert_near(force(&at_end(AtEnd::Seek), 2, vec2(100.0, 95.0)), vec2(0.0, 5.0));
    assert_near(force(&slowing, 1, vec2(60.0, 0.0)), vec2(5.0, 0.0));
    // Exactly on the last node the host only brakes.
    let host = at_rest(vec2(100.0, 100.0)).moving(Vec2::X);
    assert_eq!(
        follow_path(
            &host,
            &corner(),
            &at_end(AtEnd::Arrive),
            &mut Progress { node: 2, ..Progress::default() }
        ),
        vec2(-1.0, 0.0)
    );
}

#[test]
fn a_path_without_points_gives_no_force_and_one_with_a_single_point_is_a_target() {
    for parameters in [corridor(), at_end(AtEnd::Patrol), at_end(AtEnd::Loop)] {
        assert_eq!(
            follow_path(
                &at_rest(Vec2::ONE),
                &Path::new(vec![], 1.0, false),
                &parameters,
                &mut Progress::default()
            ),
            Vec2::ZERO
        );
    }
    for end in [AtEnd::Seek, AtEnd::Arrive, AtEnd::Patrol, AtEnd::Loop] {
        let path = Path::new(vec![vec2(3.0, 4.0)], 1.0, false);
        assert_near(
            follow_path(&at_rest(Vec2::ZERO), &path, &at_end(end), &mut Progress::default()),
            vec2(3.0, 4.0),
        );
    }
}

#[test]
fn inside_the_corridor_a_host_that_moves_forward_gets_no_force() {
    // After its reaction time of 4 the host will be at (62, 9), within 10 of the path; with a
    // look-ahead of 5 it will be at (64, 11), outside.
    let host = at_rest(vec2(54.0, 1.0)).moving(vec2(2.0, 2.0));
    assert_eq!(follow_path(&host, &corner(), &corridor(), &mut Progress::default()), Vec2::ZERO);
    // The host seeks the point 5 * 5 = 25 along the path from its projection (54, 0): the
    // offset is (25, -1).
    let force = follow_path(
        &host,
        &corner(),
        &FollowPath { lookahead: Some(5.0), ..corridor() },
        &mut Progress::default(),
    );
    assert_near(force, vec2(25.0, -1.0) * (5.0 / 626.0_f32.sqrt()) - vec2(2.0, 2.0));
}

#[test]
fn outside_the_corridor_at_rest_or_backwards_the_host_seeks_a_point_ahead() {
    // The projection is (40, 0), the point 5 * 4 = 20 ahead of it (60, 0).
    let force = |p: Vec2, v| {
        follow_path(&at_rest(p).moving(v), &corner(), &corridor(), &mut Progress::default())
    };
    assert_near(force(vec2(40.0, 15.0), Vec2::ZERO), vec2(4.0, -3.0));
    assert_near(force(vec2(40.0, 0.0), Vec2::ZERO), vec2(5.0, 0.0));
    assert_near(force(vec2(40.0, 0.0), vec2(-2.0, 0.0)), vec2(7.0, 0.0));
    // A closed path continues across its first point: for a host at (0, 5) that moves back to
    // (0, 0), the point 20 ahead is (15, 0).
    let ring = Path::new(
        vec![vec2(0.0, 0.0), vec2(30.0, 0.0), vec2(30.0, 40.0), vec2(0.0, 40.0)],
        2.0,
        true,
    );
    let at_the_start = |v| {
        follow_path(
            &at_rest(vec2(0.0, 5.0)).moving(v),
            &ring,
            &corridor(),
            &mut Progress::default(),
        )
    };
    assert_near(at_the_start(Vec2::ZERO), vec2(15.0, -5.0) * (5.0 / 250.0_f32.sqrt()));
    assert_eq!(at_the_start(vec2(0.0, -1.5)), Vec2::ZERO);
    // The same in 3D: the projection is (0, 0, 40), the point 20 ahead (0, 0, 60).
    let line = Path::new(vec![Vec3::ZERO, vec3(0.0, 0.0, 100.0)], 10.0, false);
    let host = Agent { mass: 4.0, ..Agent::new(vec3(0.0, 15.0, 40.0), 5.0) };
    assert_near(
        follow_path(&host, &line, &corridor(), &mut Progress::default()),
        vec3(0.0, -3.0, 4.0),
    );
}

#[test]
fn a_prediction_across_the_first_point_of_a_closed_path_is_a_small_gain_in_both_directions() {
    // A square of 4 * 20 that begins at the origin; the host is 2 before the first point or 2
    // past it, and moves by 3 in the look-ahead.
    let square = Path::new(
        vec![vec2(0.0, 0.0), vec2(20.0, 0.0), vec2(20.0, 20.0), vec2(0.0, 20.0)],
        1.0,
        true,
    );
    let parameters = FollowPath { lookahead: Some(1.0), ..corridor() };
    let force = |at: Vec2, velocity: Vec2, backwards| {
        follow_path(
            &at_rest(at).moving(velocity),
            &square,
            &parameters,
            &mut Progress { backwards, ..Progress::default() },
        )
    };
    let (before, past) = (vec2(0.0, 2.0), vec2(2.0, 0.0));
    assert_eq!(force(before, vec2(0.0, -3.0), false), Vec2::ZERO);
    assert_eq!(force(past, vec2(-3.0, 0.0), true), Vec2::ZERO);
    // A host that moves backwards across the first point is steered forward.
    assert_ne!(force(past, vec2(-3.0, 0.0), false), Vec2::ZERO);
    assert_ne!(force(before, vec2(0.0, -3.0), true), Vec2::ZERO);
}

#[test]
fn a_corridor_supports_the_same_four_ends() {
    let near_the_end = at_rest(vec2(100.0, 96.0));
    let force = |end, progress: &mut Progress, host: &Agent<Vec2>| {
        follow_path(host, &corner(), &FollowPath { at_end: Some(end), ..corridor() }, progress)
    };
    let mut progress = Progress::default();
    assert_near(force(AtEnd::Arrive, &mut progress, &near_the_end), vec2(0.0, 2.0));
    assert!(progress.done);
    let mut progress = Progress::default();
    assert_near(force(AtEnd::Seek, &mut progress, &near_the_end), vec2(0.0, 5.0));
    assert_near(force(AtEnd::Seek, &mut progress, &at_rest(vec2(100.0, 196.0))), vec2(0.0, -5.0));
    // The host reverses, and seeks the point 20 back.
    let mut progress = Progress::default();
    assert_near(force(AtEnd::Patrol, &mut progress, &near_the_end), vec2(0.0, -5.0));
    assert!(progress.backwards);
    assert_near(force(AtEnd::Patrol, &mut progress, &at_rest(vec2(4.0, 0.0))), vec2(5.0, 0.0));
    assert!(!progress.backwards);
    // The host seeks the first point until it is within the radius.
    let mut progress = Progress::default();
    assert_near(
        force(AtEnd::Loop, &mut progress, &at_rest(vec2(97.0, 96.0))),
        vec2(-97.0, -96.0) * (5.0 / 18_625.0_f32.sqrt()),
    );
    assert_near(force(AtEnd::Loop, &mut progress, &at_rest(vec2(30.0, 40.0))), vec2(-3.0, -4.0));
    let _ = force(AtEnd::Loop, &mut progress, &at_rest(vec2(6.0, 8.0)));
    assert_near(force(AtEnd::Loop, &mut progress, &at_rest(vec2(40.0, 0.0))), vec2(5.0, 0.0));
}

#[test]
fn in_a_wrapped_world_a_node_is_sought_across_the_edge() {
    let bounds = crate::spatial::space::Bounds {
        min: Vec2::ZERO,
        max: vec2(100.0, 100.0),
        edge: crate::spatial::space::Edge::Wrap,
    };
    let paths = [Path::new(vec![vec2(5.0, 50.0)], 1.0, false)];
    let host = Agent::new(vec2(90.0, 50.0), 2.0);
    let force = |space| {
        at_end(AtEnd::Seek).force(
            &host,
            &mut Memory::default(),
            &mut SteerContext { space, paths: &paths, ..SteerContext::empty(1.0) },
            DebugDraw::OFF,
        )
    };
    assert_near(force(Space::new(Some(bounds))), vec2(2.0, 0.0));
    assert_near(force(Space::default()), vec2(-2.0, 0.0));
}

#[test]
fn a_host_that_starts_at_the_nearest_point_seeks_the_node_after_it() {
    let parameters = FollowPath { start: PathStart::Nearest, ..at_end(AtEnd::Seek) };
    let first =
        |p, progress: &mut Progress| follow_path(&at_rest(p), &corner(), &parameters, progress);
    // Beside the middle of the second segment, the offset to its end is (-30, 40).
    let mut progress = Progress::default();
    assert_near(first(vec2(130.0, 60.0), &mut progress), vec2(-3.0, 4.0));
    assert_eq!((progress.node, progress.begun), (2, true));
    // From then on the nearest point has no effect.
    assert_near(first(vec2(100.0, 0.0), &mut progress), vec2(0.0, 5.0));
    let mut at_the_start = Progress::default();
    assert_near(first(vec2(-30.0, -40.0), &mut at_the_start), vec2(3.0, 4.0));
    assert_eq!(at_the_start.node, 0);
    // In a wrapped world the nearest image of the path counts.
    let space = Space::new(Some(crate::spatial::space::Bounds {
        min: vec2(0.0, 0.0),
        max: vec2(400.0, 400.0),
        edge: crate::spatial::space::Edge::Wrap,
    }));
    let (mut across, host) = (Progress::default(), at_rest(vec2(50.0, 390.0)));
    let force = follow_in(&space, &host, &corner(), &parameters, &mut across, DebugDraw::OFF);
    assert_eq!(across.node, 1);
    assert_near(force, vec2(50.0, 10.0).normalize() * 5.0);
}

#[test]
fn a_driven_host_moves_along_the_path_beside_its_middle_inside_the_corridor() {
    let driven = FollowPath { drive: true, ..corridor() };
    let force = |p: Vec2, v, progress: &mut Progress| {
        follow_path(&at_rest(p).moving(v), &corner(), &driven, progress)
    };
    // From the projection (40, 0) to the point 20 ahead, not from the host.
    let mut progress = Progress::default();
    assert_near(force(vec2(40.0, 6.0), vec2(1.0, 0.5), &mut progress), vec2(4.0, -0.5));
    // Outside the corridor the host seeks the point ahead, as without it.
    assert_near(force(vec2(40.0, 15.0), Vec2::ZERO, &mut progress), vec2(4.0, -3.0));
    let mut back = Progress { backwards: true, ..Progress::default() };
    assert_near(force(vec2(40.0, 6.0), vec2(-1.0, 0.5), &mut back), vec2(-4.0, -0.5));
}
