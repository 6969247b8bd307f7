//! Walking along walls instead of into them, and off walls at the side.

use crate::agent::Agent;
use crate::geometry::obstacle::Obstacles;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The length of what walls have left of a direction below which there is no way.
const NO_WAY: f32 = 0.05;

/// The tangent of the turn away from a wall that the body touches.
const OFF_WALL: f32 = 0.3;

/// The unit vector `ahead`, turned away from walls nearer than `distance` to the body (length), the
/// nearer the more; the turns from walls on both sides add up.
#[inline(always)]
pub(super) fn off_walls<V: Vector>(
    host: &Agent<V>,
    ahead: V,
    walls: (Obstacles<'_, V>, &Space<V>),
    distance: f32,
) -> V {
    // Not a test of whether there are walls: without any near, the result rounds once more, and
    // which walls are given depends on the cell.
    if distance <= 0.0 { ahead } else { turned_off(host, ahead, walls, distance) }
}

// Few agents are near walls: kept out of the loops over agents.
#[inline(never)]
fn turned_off<V: Vector>(
    host: &Agent<V>,
    ahead: V,
    walls: (Obstacles<'_, V>, &Space<V>),
    distance: f32,
) -> V {
    let mut away = V::ZERO;
    let reach = host.radius + distance;
    for_each_wall(host.position, walls, reach, |normal, from_center| {
        away += normal * (OFF_WALL * ((reach - from_center) / distance).clamp(0.0, 1.0));
    });
    // The part along the way neither hurries nor stops anyone.
    (ahead + away - ahead * away.dot(ahead)).unit()
}

/// Whether there are no walls.
#[inline(always)]
fn has_none<V: Vector>((obstacles, space): (Obstacles<'_, V>, &Space<V>)) -> bool {
    obstacles.is_empty() && !space.edge().has_walls()
}

/// Calls `surface` with the outward normal and the distance (length) of each wall nearer than
/// `reach` to `position`, and of the bounds, however far.
///
/// The surfaces of obstacles in their order, a polygon's edges in theirs, and walls of the bounds
/// last.
#[inline(always)]
fn for_each_wall<V: Vector>(
    position: V,
    (obstacles, space): (Obstacles<'_, V>, &Space<V>),
    reach: f32,
    mut surface: impl FnMut(V, f32),
) {
    let corner = V::from_fn(|_| reach);
    obstacles.near_in_order(space, position - corner, position + corner, |_, obstacle| {
        obstacle.surfaces(space.image(obstacle.middle(), position), reach, &mut surface);
    });
    // The iterator over no walls costs more than this test.
    if space.edge().has_walls() {
        space.walls(position).for_each(|(normal, distance)| surface(normal, distance));
    }
}

/// The directions (unit vectors) without their parts towards walls nearer than `buffer` to the body
/// (length): unit vectors again, or zero where no more than a twentieth is left. What one wall has
/// left, the next one changes.
#[inline(always)]
pub(super) fn along_walls<V: Vector>(
    host: &Agent<V>,
    directions: [V; 2],
    walls: (Obstacles<'_, V>, &Space<V>),
    buffer: f32,
) -> [V; 2] {
    if has_none(walls) { directions } else { led_along(host, directions, walls, buffer) }
}

#[inline(never)]
fn led_along<V: Vector>(
    host: &Agent<V>,
    directions: [V; 2],
    walls: (Obstacles<'_, V>, &Space<V>),
    buffer: f32,
) -> [V; 2] {
    let reach = host.radius + buffer;
    let mut directions = directions;
    let mut touched = false;
    for_each_wall(host.position, walls, reach, |normal, distance| {
        let near = ((reach - distance) / buffer).min(1.0);
        for direction in &mut directions {
            let towards = direction.dot(normal);
            if near > 0.0 && towards < 0.0 {
                *direction -= normal * (towards * near);
                touched = true;
            }
        }
    });
    if !touched {
        return directions;
    }
    directions.map(|left| if left.length() < NO_WAY { V::ZERO } else { left.unit() })
}
