//! Agents that no crowd holds: the public neighbor grid gives behaviors what the crowd gives them.

use glam::{Vec2, Vec3};

use super::*;
use crate::agent::{Agent, Memory, Steerable};
use crate::annotation::DebugDraw;
use crate::behavior::{AvoidAgents, Flock, Steer};
use crate::context::SteerContext;
use crate::parameter::Groups;
use crate::spatial::neighbor_grid::NeighborGrid;
use crate::spatial::neighbors::Neighbors;
use crate::spatial::space::Space;

/// A flock of two groups in arrays of its own moves like the crowd that it was copied from.
fn assert_it_moves_like_the_crowd<V: Vector>(edge: Edge) {
    let (min, max) = (V::ZERO, V::from_fn(|_| 60.0));
    let bounds = Bounds { min, max, edge };
    let mut birds = Group::new("birds", 150, Spawn::Inside(Shape::box_between(min, max)), 9.0);
    birds.velocity = StartVelocity::Random;
    birds.max_force = Distribution::Same(27.0);
    birds.radius = Distribution::Same(0.5);
    let flock_of_one = Flock { of: Groups::only([1]), ..Flock::default().radius(10.0) };
    let avoid = AvoidAgents::default().horizon(2.0).radius(3.0);
    birds.steer = List::default().with(flock_of_one.clone()).with(avoid.clone());
    let others = Group { name: "others".to_string(), ..birds.clone() };
    let setup = Setup {
        dt: 1.0 / 60.0,
        bounds: Some(bounds),
        groups: vec![birds, others],
        ..Setup::default()
    };
    let mut crowd = Crowd::new(setup).unwrap();
    let space = Space::new(Some(bounds));
    let mut birds: Vec<Agent<V>> = (0..300).map(|i| crowd.get(i).unwrap().agent).collect();
    let mut grid = NeighborGrid::new([], 10.0, space);
    grid.set_groups((0..300).map(|i| GroupId(i / 150)));
    grid.set_radii([0.5; 300]);
    let (mut neighbors, mut one) = (Neighbors::none(), Neighbors::none());
    for tick in 0..40 {
        grid.rebuild(birds.iter().map(|bird| bird.position));
        grid.set_velocities(birds.iter().map(|bird| bird.velocity), 9.0);
        let mut forces = vec![None; 300];
        grid.for_each_host(10.0, &mut neighbors, |i, neighbors| {
            let force = |neighbors: &Neighbors<V>| {
                let mut context =
                    SteerContext { neighbors, space, ..SteerContext::empty(1.0 / 60.0) };
                let memory = &mut Memory::default();
                flock_of_one.force(&birds[i], memory, &mut context, DebugDraw::OFF)
                    + avoid.force(&birds[i], memory, &mut context, DebugDraw::OFF)
            };
            grid.gather(i, 10.0, &mut one);
            assert_eq!(force(neighbors), force(&one), "tick {tick}, bird {i}");
            assert_eq!(forces[i].replace(force(neighbors)), None);
        });
        for (bird, force) in birds.iter_mut().zip(forces) {
            let (position, velocity) = bird.step(force.unwrap(), bird.velocity, 1.0, 1.0 / 60.0);
            let (position, velocity) = space.constrain(position, velocity);
            bird.set_motion(position, velocity);
        }
        crowd.step();
        for (i, bird) in (0..).zip(&birds) {
            assert_eq!(crowd.get(i).unwrap().agent, *bird, "tick {tick}, bird {i}");
        }
    }
}

#[test]
fn agents_in_arrays_of_a_user_move_like_those_of_a_crowd() {
    for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
        assert_it_moves_like_the_crowd::<Vec2>(edge);
        assert_it_moves_like_the_crowd::<Vec3>(edge);
    }
}
