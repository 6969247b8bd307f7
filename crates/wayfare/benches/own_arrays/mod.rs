//! The flock of a crowd in an array of a game's own, moved by the public neighbor grid: for
//! comparison with the crowd.

use wayfare::behavior::{Flock, Steer, flock};
use wayfare::spatial::neighbor_grid::NeighborGrid;
use wayfare::spatial::space::{Bounds, Edge, Space};
use wayfare::{Agent, Crowd, Neighbors, Vector};

/// Birds in one array.
pub(crate) struct OwnFlock<V: Vector> {
    birds: Vec<Agent<V>>,
    forces: Vec<V>,
    grid: NeighborGrid<V>,
    neighbors: Neighbors<V>,
    rules: Flock,
    space: Space<V>,
    dt: f32,
}

impl<V: Vector> OwnFlock<V> {
    /// The birds of `crowd`, which flock by `rules` in a wrapped box from zero to `size` (length).
    pub(crate) fn new(crowd: &Crowd<V>, rules: Flock, size: V, dt: f32) -> Self {
        let mut birds: Vec<_> = crowd.agents().collect();
        birds.sort_unstable_by_key(|(id, _)| *id);
        let birds: Vec<_> = birds.into_iter().map(|(_, bird)| bird).collect();
        let space = Space::new(Some(Bounds { min: V::ZERO, max: size, edge: Edge::Wrap }));
        Self {
            forces: vec![V::ZERO; birds.len()],
            grid: NeighborGrid::new([], radius_of::<V>(&rules), space),
            neighbors: Neighbors::none(),
            rules,
            space,
            dt,
            birds,
        }
    }

    /// One tick, as a game would write it.
    pub(crate) fn step(&mut self) {
        let Self { birds, forces, grid, neighbors, rules, space, dt } = self;
        grid.rebuild(birds.iter().map(|bird| bird.position));
        grid.set_velocities(birds.iter().map(|bird| bird.velocity), birds[0].max_speed);
        grid.for_each_host(radius_of::<V>(rules), neighbors, |i, neighbors| {
            forces[i] = flock(&birds[i], neighbors, rules);
        });
        for (bird, force) in birds.iter_mut().zip(forces) {
            let force = force.truncate(bird.max_force);
            let velocity = bird.velocity + force * (1.0 / bird.mass) * *dt;
            let velocity = velocity.truncate(bird.max_speed);
            let (position, velocity) = space.constrain(bird.position + velocity * *dt, velocity);
            *bird = Agent { position, ..bird.moving(velocity) };
        }
    }
}

/// The radius of the flock, which is given (length).
fn radius_of<V: Vector>(rules: &Flock) -> f32 {
    Steer::<V>::neighbor_radius(rules).expect("a flock reads neighbors")
}
