//! No measure depends on threads or on the order of agents in memory.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use wayfare::behavior::{Alignment, Cohesion, Navigate, Separation, Wander};
use wayfare::crowd::{Bodies, Group, Setup, Spawn};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, vec2};
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::{Crowd, GroupId, List};
use wayfare_measure::kind::{
    ClassicDensity, Contacts, Evacuation, Flock, Flow, Lanes, Motion, Route, Smoothness, Travel,
    VoronoiDensity, VoronoiLine,
};
use wayfare_measure::{Kinds, Measure, Measures};

const SIZE: f32 = 60.0;

/// Two groups of 60 birds with bodies, in a world with a pillar.
fn setup(edge: Edge) -> Setup<Vec2> {
    let sky = Shape::box_between(vec2(0.0, 0.0), vec2(SIZE, SIZE));
    let birds = |name: &str| {
        let mut group = Group::new(name, 60, Spawn::Inside(sky.clone()), 2.0);
        group.radius = 1.0.into();
        group.steer = List::default()
            .with(Separation::default().radius(6.0).max_force(1.0))
            .with(Alignment::default().radius(10.0))
            .with(Cohesion::default().radius(10.0))
            .with(Wander::default().circle_distance(1.0).circle_radius(1.0).angle_change(0.5));
        // No way crosses the edge of a wrapped world.
        if edge != Edge::Wrap {
            group.steer = group.steer.with(Navigate::new(vec2(50.0, 30.0)));
        }
        group
    };
    Setup {
        bounds: Some(Bounds { min: vec2(0.0, 0.0), max: vec2(SIZE, SIZE), edge }),
        bodies: Bodies { solid: true, ..Bodies::default() },
        obstacles: vec![Shape::Circle { center: vec2(30.0, 30.0), radius: 5.0 }],
        groups: vec![birds("red"), birds("blue")],
        ..Setup::default()
    }
}

/// A measure of each kind.
fn measures() -> Vec<Measure<Vec2>> {
    let area = Shape::box_between(vec2(10.0, 10.0), vec2(50.0, 50.0));
    let line = vec![vec2(0.0, 20.0), vec2(60.0, 20.0)];
    let kinds: Vec<Kinds<Vec2>> = vec![
        Flow { interval: Some(5.0), ..Flow::new(line.clone()) }.into(),
        ClassicDensity::new(area.clone()).into(),
        VoronoiDensity::new(area.clone()).into(),
        VoronoiLine { cut_off: Some(8.0), ..VoronoiLine::new(line) }.into(),
        Evacuation::default().into(),
        Travel::default().into(),
        Route::default().into(),
        Contacts::default().into(),
        Lanes::new(GroupId(0), GroupId(1), area).into(),
        Smoothness::default().into(),
        Motion::default().into(),
        Flock::new(4.0).into(),
    ];
    assert_eq!(kinds.len(), Kinds::<Vec2>::LIST.len());
    kinds.into_iter().map(|kind| Measure::new(kind.name(), kind)).collect()
}

/// The rows of a run with so many threads; `shuffles` tells whether rows change their order.
fn rows(edge: Edge, threads: usize, shuffles: bool) -> Vec<String> {
    let setup = setup(edge);
    let mut running = Measures::new(&measures(), &setup).unwrap();
    let mut crowd = Crowd::new(setup).unwrap();
    crowd.set_threads(threads).unwrap();
    running.record(&crowd);
    for tick in 0..12 {
        crowd.step();
        if shuffles {
            let count = crowd.len() as u32;
            let rows: Vec<u32> = (0..count).map(|i| (i * 7 + tick) % count).collect();
            crowd.permute(&rows);
        }
        running.record(&crowd);
    }
    running.finish(&crowd);
    let text = |row: &wayfare_measure::Row| {
        let (measure, quantity, bits) = (row.measure, row.quantity.name, row.value.to_bits());
        format!("{measure} {} {quantity} {bits:x} {:?} {:?}", row.tick, row.group, row.agent)
    };
    running.take_rows().iter().map(text).collect()
}

#[test]
fn rows_are_the_same_bits_for_any_threads_and_any_order_in_memory() {
    for edge in [Edge::Wall, Edge::Wrap] {
        let expected = rows(edge, 1, false);
        assert!(expected.len() > 300, "{}", expected.len());
        for (threads, shuffles) in [(2, false), (5, true), (1, true)] {
            assert_eq!(rows(edge, threads, shuffles), expected, "{threads} {shuffles}");
        }
    }
}
