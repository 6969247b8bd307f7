//! Wrapped worlds: a shape, path or field shifted by multiples of the world's extent has the same
//! effect.

use crate::Crowd;
use crate::behavior::{AvoidObstacles, Contain, FollowFlow, FollowPath, FollowWall, Tracking};
use crate::combine::List;
use crate::crowd::{Group, Setup, Spawn, StartVelocity};
use crate::geometry::flow_field::FieldPlan;
use crate::geometry::obstacle::Shape;
use crate::geometry::path::Path;
use crate::parameter::{Auto, FieldId, PathId};
use crate::registry::Behavior;
use crate::spatial::space::{Bounds, Edge};
use crate::vector::Up;
use glam::{Vec2, vec2};

/// The positions of six agents after each of 200 ticks in the world from `[0, 0]` to `[128, 64]`.
fn tracks(behavior: impl Into<Behavior<Vec2>>, change: impl Fn(&mut Setup<Vec2>)) -> Vec<Vec2> {
    let points = (0..6_u8).map(|i| vec2(20.0 * f32::from(i), 10.0 * f32::from(i))).collect();
    let mut group = Group::new("walkers", 6, Spawn::Points(points), 2.0);
    group.velocity = StartVelocity::Random;
    group.steer = List::default().with(behavior.into());
    let bounds = Some(Bounds { min: Vec2::ZERO, max: vec2(128.0, 64.0), edge: Edge::Wrap });
    let mut setup = Setup { bounds, groups: vec![group], ..Setup::default() };
    change(&mut setup);
    let mut crowd = Crowd::new(setup).unwrap();
    let mut tracks = Vec::new();
    for _ in 0..200 {
        crowd.step();
        tracks.extend(crowd.agents().map(|(_, agent)| agent.position));
    }
    tracks
}

/// Offsets by multiples of the world's extent.
const WORLD_OFFSETS: [Vec2; 3] = [vec2(128.0, 0.0), vec2(-256.0, 64.0), vec2(0.0, -128.0)];

#[test]
fn a_region_shifted_by_a_world_contains_the_same_points() {
    let region = |center| Some(Shape::Circle { center, radius: 15.0 });
    let contain = |center| Contain { region: region(center), ..Contain::default().lookahead(3.0) };
    let expected = tracks(contain(vec2(120.0, 60.0)), |_| ());
    for world_offset in WORLD_OFFSETS {
        assert_eq!(
            tracks(contain(vec2(120.0, 60.0) + world_offset), |_| ()),
            expected,
            "{world_offset}"
        );
    }
}

#[test]
fn an_obstacle_shifted_by_a_world_is_avoided_and_followed_alike() {
    let wall = |world_offset| {
        let shape = Shape::Box { center: vec2(125.0, 30.0), half: vec2(8.0, 6.0), angle: 0.5 };
        move |setup: &mut Setup<Vec2>| setup.obstacles = vec![shape.shifted(world_offset, Up::Z)]
    };
    let avoid = AvoidObstacles::default().see_ahead(12.0).max_avoid_force(1.0);
    let follow = FollowWall {
        distance: Auto::Fixed(3.0),
        lookahead: Auto::Fixed(2.0),
        within: f32::INFINITY,
    };
    for world_offset in WORLD_OFFSETS {
        assert_eq!(
            tracks(avoid, wall(world_offset)),
            tracks(avoid, wall(Vec2::ZERO)),
            "{world_offset}"
        );
        assert_eq!(
            tracks(follow, wall(world_offset)),
            tracks(follow, wall(Vec2::ZERO)),
            "{world_offset}"
        );
    }
}

/// Fails unless the positions are equal up to rounding, which depends on the offset.
fn assert_near(found: &[Vec2], expected: &[Vec2]) {
    let size = vec2(128.0, 64.0);
    for (a, b) in found.iter().zip(expected) {
        let offset = (*a - *b).abs();
        let offset = offset.min(size - offset);
        assert!(offset.abs().max_element() < 0.05, "{a} {b}");
    }
}

#[test]
fn a_corridor_continues_across_the_edge_and_applies_in_all_images_of_its_path() {
    let corridor = FollowPath { tracking: Tracking::Corridor, ..FollowPath::new(PathId(0)) };
    let path = |world_offset: Vec2| {
        let points = [vec2(90.0, 20.0), vec2(150.0, 40.0)].map(|p| p + world_offset).to_vec();
        move |setup: &mut Setup<Vec2>| {
            setup.paths = vec![("road".to_string(), Path::new(points.clone(), 2.0, false))];
        }
    };
    let expected = tracks(corridor, path(Vec2::ZERO));
    for world_offset in WORLD_OFFSETS {
        assert_near(&tracks(corridor, path(world_offset)), &expected);
    }
    // Both ends of the road are reached: the agents end at its end, (22, 40).
    assert!(
        (expected[expected.len() - 1] - vec2(22.0, 40.0)).length() < 4.0,
        "{:?}",
        expected.last()
    );
}

#[test]
fn given_vectors_apply_in_all_images_of_their_cells() {
    let follow = FollowFlow::new(FieldId(0));
    let field = |world_offset: Vec2| {
        move |setup: &mut Setup<Vec2>| {
            let plan = FieldPlan::Vectors {
                origin: vec2(100.0, 0.0) + world_offset,
                cell: 20.0,
                columns: 3,
                rows: Some(3),
                vectors: (0..9_u8).map(|i| Vec2::from_angle(f32::from(i))).collect(),
            };
            setup.fields = vec![("wind".to_string(), plan)];
        }
    };
    let expected = tracks(follow, field(Vec2::ZERO));
    for world_offset in WORLD_OFFSETS {
        assert_near(&tracks(follow, field(world_offset)), &expected);
    }
    // The agent at (0, 0) is in the cell from (120, 0) to (140, 20).
    assert_ne!(
        expected[0],
        tracks(follow, |setup| {
            field(Vec2::ZERO)(setup);
            if let (_, FieldPlan::Vectors { vectors, .. }) = &mut setup.fields[0] {
                vectors[1] = Vec2::ZERO;
            }
        })[0]
    );
}
