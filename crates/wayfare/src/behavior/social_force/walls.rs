//! The accelerations that walls cause: surfaces of obstacles, and walls of the bounds.

use super::Numbers;
use super::pair::{REACH, exponential};
use crate::agent::Agent;
use crate::geometry::obstacle::Obstacles;
use crate::simd::{One, Simd};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The sum over the walls in reach (length / time^2), in the order of the obstacles, a polygon's
/// edges in theirs, and walls of the bounds last.
pub(super) fn acceleration<V: Vector>(
    host: &Agent<V>,
    obstacles: Obstacles<'_, V>,
    space: &Space<V>,
    numbers: &Numbers,
) -> V {
    let mut sum = V::ZERO;
    let mut push = |normal: V, distance: f32| {
        let overlap = (host.radius - distance).max(0.0);
        let near = exponential(One::splat((host.radius - distance) / numbers.wall_range)).first();
        let sliding = host.velocity - normal * host.velocity.dot(normal);
        sum += normal * (numbers.wall_strength * near + numbers.body_force * overlap)
            - sliding * (numbers.friction * overlap);
    };
    let (position, reach) = (host.position, host.radius + REACH * numbers.wall_range);
    let corner = V::from_fn(|_| reach);
    obstacles.near_in_order(space, position - corner, position + corner, |_, obstacle| {
        // Two edges of a polygon have one nearest point where that is their corner.
        let (mut first, mut last) = (None, None);
        let mut surface = |normal: V, distance: f32| {
            let this = Some((normal, distance));
            if this != first && this != last {
                push(normal, distance);
            }
            first = first.or(this);
            last = this;
        };
        obstacle.surfaces(space.image(obstacle.middle(), position), reach, &mut surface);
    });
    space.walls(position).for_each(|(normal, distance)| push(normal, distance));
    sum
}
