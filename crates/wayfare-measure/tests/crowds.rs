//! Measures of running crowds: in space with y up, across the edge of a wrapped world, of agents
//! that are respawned, and among obstacles that change.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use wayfare::crowd::{Command, Exit, ExitAction, Group, Setup, Spawn, StartVelocity};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, Vec3, vec2, vec3};
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::vector::{Up, Vector};
use wayfare::{Crowd, ObstacleId};
use wayfare_measure::kind::{Flow, FlowCount, FlowDirection, Travel, VoronoiDensity};
use wayfare_measure::{Kinds, Measure, Measures};

/// A walker with a speed of 1.
fn walker<V: Vector>(at: V, velocity: V) -> Group<V> {
    let velocity = StartVelocity::Same(velocity);
    Group { velocity, ..Group::new("walkers", 1, Spawn::Points(vec![at]), 1.0) }
}

/// The ticks and values of a quantity of a run of 10 ticks; `change` acts before each tick.
fn measured<V: Vector>(
    setup: Setup<V>,
    kind: impl Into<Kinds<V>>,
    quantity: &str,
    mut change: impl FnMut(&mut Crowd<V>),
) -> Vec<(u64, f64)> {
    let mut measures = Measures::new(&[Measure::new("it", kind)], &setup).unwrap();
    let mut crowd = Crowd::new(setup).unwrap();
    measures.record(&crowd);
    for _ in 0..10 {
        change(&mut crowd);
        crowd.step();
        measures.record(&crowd);
    }
    measures.finish(&crowd);
    let rows = measures.take_rows();
    let rows = rows.iter().filter(|row| row.quantity.name == quantity);
    rows.map(|row| (row.tick, row.value)).collect()
}

#[test]
fn with_y_up_a_line_is_crossed_on_the_ground_and_minus_z_is_to_the_left_of_x() {
    let groups = vec![walker(vec3(0.0, 7.0, 0.0), vec3(0.0, 0.0, -1.0))];
    let setup = Setup { up: Up::Y, groups, ..Setup::default() };
    let line = Flow::new(vec![vec3(-1.0, 0.0, -1.5), vec3(1.0, 3.0, -1.5)]);
    let crossed = |direction| {
        let flow = Flow { direction, ..line.clone() };
        measured(setup.clone(), flow, "crossing_speed", |_| {})
    };
    assert_eq!(crossed(FlowDirection::Left), [(2, 1.0)]);
    assert_eq!(crossed(FlowDirection::Right), []);
}

#[test]
fn a_line_is_crossed_across_the_edge_of_a_wrapped_world_in_every_lap() {
    let bounds = Bounds { min: vec2(0.0, 0.0), max: vec2(4.0, 4.0), edge: Edge::Wrap };
    let groups = vec![walker(vec2(3.5, 2.0), vec2(1.0, 0.0))];
    let setup = Setup { bounds: Some(bounds), groups, ..Setup::default() };
    let line = Flow::new(vec![vec2(0.25, 1.0), vec2(0.25, 3.0)]);
    let every = Flow { count: FlowCount::Every, ..line.clone() };
    let crossed = |flow| measured(setup.clone(), flow, "crossing_speed", |_| {});
    assert_eq!(crossed(every), [(1, 1.0), (5, 1.0), (9, 1.0)]);
    assert_eq!(crossed(line), [(1, 1.0)]);
    // Its cell is the whole world, wherever the walker is.
    let area = Shape::box_between(vec2(0.0, 0.0), vec2(4.0, 4.0));
    let density = measured(setup, VoronoiDensity::new(area), "density", |_| {});
    assert!(density.iter().all(|(_, x)| (x - 1.0 / 16.0).abs() < 1e-9), "{density:?}");
}

#[test]
fn a_respawned_agent_begins_another_journey_and_its_jump_crosses_nothing() {
    let start = Shape::Circle { center: vec2(0.0, 0.0), radius: 0.0 };
    let exits = vec![
        Exit::new(Shape::box_between(vec2(3.5, -1.0), vec2(9.0, 1.0)))
            .then(ExitAction::Respawn(start)),
    ];
    let groups = vec![walker(vec2(0.0, 0.0), vec2(1.0, 0.0))];
    let setup = Setup { exits, groups, ..Setup::default() };
    // From 0 to 3 in three ticks; by the fourth it is in the exit and put back.
    let lengths = measured(setup.clone(), Travel::default(), "path_length", |_| {});
    assert_eq!(lengths[0], (3, 3.0));
    let line = Flow::new(vec![vec2(2.5, -1.0), vec2(2.5, 1.0)]);
    let every = Flow { count: FlowCount::Every, ..line };
    let crossed = measured(setup, every, "crossing_speed", |_| {});
    assert_eq!(crossed.len(), lengths.len(), "{crossed:?} {lengths:?}");
}

#[test]
fn cells_follow_obstacles_that_commands_add_and_remove() {
    let bounds = Bounds { min: vec2(0.0, 0.0), max: vec2(4.0, 2.0), edge: Edge::Wall };
    let groups = vec![walker(vec2(1.0, 1.0), Vec2::ZERO)];
    let setup = Setup { bounds: Some(bounds), groups, ..Setup::default() };
    let area = Shape::box_between(vec2(0.0, 0.0), vec2(2.0, 2.0));
    let wall = Shape::box_between(vec2(2.0, -1.0), vec2(4.0, 3.0));
    let density = measured(setup, VoronoiDensity::new(area), "density", |crowd| {
        let command = match crowd.tick() {
            3 => Command::AddObstacle(wall.clone()),
            6 => Command::RemoveObstacle(ObstacleId(0)),
            _ => return,
        };
        crowd.apply(&command).unwrap();
    });
    let expected = |tick| if (4..7).contains(&tick) { 0.25 } else { 0.125 };
    assert!(density.iter().all(|(tick, x)| (x - expected(*tick)).abs() < 1e-9), "{density:?}");
}

#[test]
fn a_path_in_space_has_all_three_coordinates() {
    let climbs = vec3(2.0, 3.0, 6.0) / 7.0;
    let setup = Setup { groups: vec![walker(Vec3::ZERO, climbs)], ..Setup::default() };
    let remove = |crowd: &mut Crowd<Vec3>| {
        if crowd.tick() == 7 {
            crowd.remove(0);
        }
    };
    let lengths = measured(setup, Travel::default(), "path_length", remove);
    assert!(lengths.len() == 1 && (lengths[0].1 - 7.0).abs() < 1e-5, "{lengths:?}");
}
