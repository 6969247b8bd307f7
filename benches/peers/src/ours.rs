//! Wayfare's crowds for the same densities and radii.

use wayfare::behavior::{Flock, Seek, Separation};
use wayfare::crowd::{Distribution, Group, Setup, Spawn, StartVelocity};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, vec2};
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::{Crowd, List};

use crate::{Engine, near, side};

pub(crate) struct Ours {
    crowd: Crowd<Vec2>,
    radius: f32,
    /// The side of a wrapped world.
    wrapped: Option<f32>,
}

/// krABMaga's birds: 0.7 per tick, the three rules at radius 10, in a wrapped world.
pub(crate) fn flock(count: usize) -> Ours {
    let size = Vec2::splat(side(count, 0.1) as f32);
    let mut birds =
        Group::new("birds", count, Spawn::Inside(Shape::box_between(Vec2::ZERO, size)), 0.7);
    birds.velocity = StartVelocity::Random;
    birds.max_force = Distribution::Same(2.1);
    birds.steer = List::default().with(Flock::default().radius(10.0));
    let bounds = Some(Bounds { min: Vec2::ZERO, max: size, edge: Edge::Wrap });
    Ours {
        crowd: crowd(Setup { bounds, groups: vec![birds], ..Setup::default() }),
        radius: 10.0,
        wrapped: Some(size.x),
    }
}

/// Walkers at half a person per square metre, as in rustsim-crowd; they keep apart.
/// Separation is a root and a division for each neighbor, where the social force is a root, a
/// division and an exponential: alike, not equal. It is weak, so that the crowd does not thin out
/// while it is measured.
pub(crate) fn walkers(count: usize) -> Ours {
    let size = Vec2::splat(side(count, 0.5) as f32);
    let mut people =
        Group::new("people", count, Spawn::Inside(Shape::box_between(Vec2::ZERO, size)), 1.34);
    people.mass = Distribution::Same(0.5);
    people.radius = Distribution::Same(0.25);
    people.max_force = Distribution::Same(10.0);
    people.steer = List::default()
        .with(Seek::new(vec2(1e6, 0.0)))
        .with(Separation::default().radius(1.64).max_force(0.05));
    Ours {
        crowd: crowd(Setup { dt: 0.05, groups: vec![people], ..Setup::default() }),
        radius: 1.64,
        wrapped: None,
    }
}

fn crowd(setup: Setup<Vec2>) -> Crowd<Vec2> {
    Crowd::new(setup).unwrap_or_else(|faults| panic!("{faults}"))
}

impl Engine for Ours {
    fn step(&mut self) {
        self.crowd.step();
    }
    fn mean_neighbors(&self) -> f64 {
        let points: Vec<_> = self
            .crowd
            .agents()
            .map(|(_, agent)| agent.position.to_array().map(f64::from))
            .collect();
        let wrapped = self.wrapped.map(f64::from);
        near(&points, f64::from(self.radius), |d| {
            wrapped.map_or(d, |side| d - side * (d / side).round())
        })
    }
}
