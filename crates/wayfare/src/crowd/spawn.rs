//! The first generation: where agents start, and the numbers they draw.

use super::columns::Columns;
use super::setup::{Group, Setup, Spawn, Spread, StartVelocity};
use crate::agent::{Memory, heading_after};
use crate::random::Random;
use crate::vector::Vector;

/// The streams of random numbers that spawning draws from; behaviors count up from 0.
mod stream {
    pub(super) const POSITION: u32 = u32::MAX;
    pub(super) const VELOCITY: u32 = u32::MAX - 1;
    pub(super) const MASS: u32 = u32::MAX - 2;
    pub(super) const MAX_SPEED: u32 = u32::MAX - 3;
    pub(super) const MAX_FORCE: u32 = u32::MAX - 4;
    pub(super) const RADIUS: u32 = u32::MAX - 5;
}

pub(crate) fn columns<V: Vector>(setup: &Setup<V>, stats_width: usize, memory_width: usize) -> Columns<V> {
    let mut columns = Columns { stats_width, memory_width, ..Columns::default() };
    let mut id = 0;
    for (g, group) in setup.groups.iter().enumerate() {
        for k in 0..group.count {
            let random = |stream| Random::new(setup.seed, id, 0, stream);
            let max_speed = draw(group.max_speed, random(stream::MAX_SPEED));
            let velocity = match group.velocity {
                StartVelocity::Same(v) => v,
                StartVelocity::Random => V::random_unit(&mut random(stream::VELOCITY)) * max_speed,
            };
            columns.id.push(id);
            columns.group.push(g as u32);
            columns.state.push(group.start as u32);
            columns.entered.push(0);
            columns.position.push(place(group, k, random(stream::POSITION)));
            columns.velocity.push(velocity);
            columns.heading.push(heading_after(V::X, velocity, max_speed));
            columns.mass.push(draw(group.mass, random(stream::MASS)));
            columns.max_speed.push(max_speed);
            columns.max_force.push(draw(group.max_force, random(stream::MAX_FORCE)));
            columns.radius.push(draw(group.radius, random(stream::RADIUS)));
            columns.stats.extend((0..stats_width).map(|s| group.stats.get(s).map_or(0.0, |stat| stat.start)));
            columns.memory.extend((0..memory_width).map(|_| Memory::default()));
            id += 1;
        }
    }
    columns.pad();
    let space = crate::space::Space::new(setup.bounds);
    if space.wraps() {
        // Differences are taken between places inside the bounds.
        columns.position.apply(|position| space.wrapped(position));
    }
    columns
}

fn place<V: Vector>(group: &Group<V>, k: usize, mut random: Random) -> V {
    match &group.spawn {
        Spawn::Inside(shape) => shape.random_point(&mut random),
        Spawn::Grid { origin, spacing, columns, rows } => {
            let (columns, rows) = (*columns as usize, if V::DIMENSION == 3 { *rows as usize } else { usize::MAX });
            let cell = [k % columns, (k / columns) % rows, k / columns / rows];
            *origin + V::from_fn(|i| cell[i] as f32 * spacing)
        }
        Spawn::Points(points) => points[k],
    }
}

fn draw(spread: Spread, mut random: Random) -> f32 {
    match spread {
        Spread::Same(x) => x,
        Spread::Uniform(low, high) => random.between(low, high),
    }
}
