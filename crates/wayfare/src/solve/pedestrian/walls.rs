//! Walking along walls instead of into them.

use crate::agent::Agent;
use crate::geometry::obstacle::Obstacles;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The length of what walls have left of a direction below which there is no way.
const NO_WAY: f32 = 0.05;

/// The directions (unit vectors) without their parts towards walls nearer than `buffer` to the body
/// (length): unit vectors again, or zero where no more than a twentieth is left.
///
/// The surfaces of obstacles in their order, a polygon's edges in theirs, and walls of the bounds
/// last: what one has left, the next one changes.
#[inline(always)]
pub(super) fn along_walls<V: Vector>(
    host: &Agent<V>,
    directions: [V; 2],
    obstacles: Obstacles<'_, V>,
    space: &Space<V>,
    buffer: f32,
) -> [V; 2] {
    let reach = host.radius + buffer;
    let mut directions = directions;
    let mut touched = false;
    let mut surface = |normal: V, distance: f32| {
        let near = ((reach - distance) / buffer).min(1.0);
        for direction in &mut directions {
            let towards = direction.dot(normal);
            if near > 0.0 && towards < 0.0 {
                *direction -= normal * (towards * near);
                touched = true;
            }
        }
    };
    let position = host.position;
    let corner = V::from_fn(|_| reach);
    obstacles.near_in_order(space, position - corner, position + corner, |_, obstacle| {
        obstacle.surfaces(space.image(obstacle.middle(), position), reach, &mut surface);
    });
    space.walls(position).for_each(|(normal, distance)| surface(normal, distance));
    if !touched {
        return directions;
    }
    directions.map(|left| if left.length() < NO_WAY { V::ZERO } else { left.unit() })
}
