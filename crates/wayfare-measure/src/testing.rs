//! Measures of agents whose positions a test writes down.

use std::sync::Arc;

use wayfare::Vector;
use wayfare::crowd::Setup;
use wayfare::glam::Vec2;

use crate::frame::{Body, Frame};
use crate::measure::Kinds;
use crate::row::{Moment, Row, Sink};
use crate::world::MeasuredWorld;

/// The position of an agent at each tick; `None` while it is not in the crowd.
pub(crate) type Track = Vec<Option<[f64; 2]>>;

/// The rows of a measure of agents that move along `tracks`, all in the group 0 of an open world.
pub(crate) fn measured(kind: impl Into<Kinds<Vec2>>, dt: f64, tracks: &[Track]) -> Vec<Row> {
    let world = MeasuredWorld::of(&Setup::<Vec2> { dt, ..Setup::default() });
    measured_in(world, kind, &frames(tracks, |_, body| body))
}

/// The bodies of each tick: of the radius 0.5, with velocities 0 and a top speed of 1, changed by
/// `change`, which also gets the index of the track.
pub(crate) fn frames(tracks: &[Track], change: impl Fn(usize, Body) -> Body) -> Vec<Vec<Body>> {
    let ticks = tracks.iter().map(Vec::len).max().unwrap_or(0);
    let body = |i: usize, position: [f64; 2]| Body {
        id: i as u32,
        episode: 0,
        group: 0,
        position: [position[0], position[1], 0.0],
        velocity: [0.0; 3],
        radius: 0.5,
        max_speed: 1.0,
        arrived: false,
        route: None,
    };
    let at = |tick: usize| {
        let positions = tracks.iter().map(move |track| track.get(tick).copied().flatten());
        let bodies = positions.enumerate().filter_map(|(i, position)| Some(body(i, position?)));
        bodies.map(|b| change(b.id as usize, b)).collect()
    };
    (0..ticks).map(at).collect()
}

/// The rows of a measure of these bodies.
pub(crate) fn measured_in<V: Vector>(
    world: MeasuredWorld,
    kind: impl Into<Kinds<V>>,
    bodies: &[Vec<Body>],
) -> Vec<Row> {
    let mut recorder = kind.into().begin(&world).map_err(|fault| fault.1).unwrap();
    let world = Arc::new(world);
    let mut rows = Vec::new();
    let mut sink = Sink { measure: 0, rows: &mut rows };
    for (tick, bodies) in (0..).zip(bodies) {
        let at = Moment { tick, time: tick as f64 * world.dt };
        let frame = Frame { at, bodies: bodies.clone(), world: world.clone() };
        recorder.record(&Arc::new(frame), &mut sink);
    }
    recorder.finish(&mut sink);
    rows
}

/// The ticks and values of a quantity.
pub(crate) fn values(rows: &[Row], quantity: &str) -> Vec<(u64, f64)> {
    let rows = rows.iter().filter(|row| row.quantity.name == quantity);
    rows.map(|row| (row.tick, row.value)).collect()
}
