//! Behaviors of users, whose formulas the library does not know.

use glam::{Vec2, vec2};

use crate::agent::{Agent, Memory};
use crate::annotation::DebugDraw;
use crate::behavior::Steer;
use crate::context::SteerContext;
use crate::crowd::{Distribution, Group, Setup, Spawn};
use crate::spatial::space::{Bounds, Edge};
use crate::{Behavior, Crowd};

/// Adds up numbers of neighbors one by one: a sum of floats depends on its order.
#[derive(Debug)]
struct AddsUp(Option<f32>);

impl Steer<Vec2> for AddsUp {
    fn force(
        &self,
        host: &Agent<Vec2>,
        memory: &mut Memory<Vec2>,
        context: &mut SteerContext<'_, Vec2>,
        _: DebugDraw<'_, Vec2>,
    ) -> Vec2 {
        let mut sum = Vec2::ZERO;
        for neighbor in context.neighbors.iter() {
            sum += neighbor.offset / (0.1 + neighbor.distance_squared) + neighbor.velocity * 0.3
                - Vec2::splat(neighbor.radius);
        }
        memory.own[0] += 1.0;
        sum * 0.1 - host.velocity * 0.01 * memory.own[0]
    }
    fn neighbor_radius(&self) -> Option<f32> {
        self.0
    }
}

fn crowd_of(radius: Option<f32>, edge: Edge) -> Crowd<Vec2> {
    let place =
        Spawn::inside(crate::geometry::obstacle::Shape::box_between(Vec2::ZERO, vec2(40.0, 40.0)));
    let mut group = Group::new("birds", 600, place, 2.0);
    group.radius = Distribution::Same(0.2);
    group.steer = group.steer.with(Behavior::own("adds_up", AddsUp(radius)));
    let bounds = Bounds { min: Vec2::ZERO, max: vec2(40.0, 40.0), edge };
    Crowd::new(Setup { dt: 0.1, bounds: Some(bounds), groups: vec![group], ..Setup::default() })
        .unwrap()
}

#[test]
fn a_users_sum_over_neighbors_has_the_same_bits_after_a_snapshot_and_in_any_order_of_rows() {
    for edge in [Edge::Open, Edge::Wrap] {
        let mut crowd = crowd_of(Some(4.0), edge);
        (0..37).for_each(|_| crowd.step());
        let (mut cloned, mut permuted) = (crowd.clone(), crowd.clone());
        let mut restored = crowd_of(Some(4.0), edge);
        restored.restore(&crowd.snapshot()).unwrap();
        permuted.permute(&(0..600).rev().collect::<Vec<_>>());
        for tick in 0..40 {
            let mut digest = |crowd: &mut Crowd<Vec2>| {
                crowd.step();
                crowd.digest()
            };
            let expected = digest(&mut crowd);
            let found = [&mut cloned, &mut restored, &mut permuted].map(&mut digest);
            assert_eq!(found, [expected; 3], "{edge:?}, {tick} ticks later");
        }
    }
}

#[test]
fn a_users_behavior_has_a_memory_and_the_bodies_of_its_neighbors_without_asking() {
    let mut crowd = crowd_of(Some(4.0), Edge::Open);
    (0..3).for_each(|_| crowd.step());
    assert!((0..600).all(|row| crowd.population.now.memory(row)[0].own[0] == 3.0));
    let neighbors = |crowd: &Crowd<Vec2>| crowd.world.groups[0].reads_bodies;
    assert!(neighbors(&crowd));
}

#[test]
#[cfg(debug_assertions)]
#[should_panic = "no `neighbor_radius` of its group says how far"]
fn a_users_behavior_that_reads_neighbors_and_does_not_say_how_far_is_told_so() {
    crowd_of(None, Edge::Open).step();
}
