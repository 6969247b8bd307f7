//! The half planes of neighbors.

use glam::DVec2;

use super::program::{HalfPlane, unit};
use super::{HalfPlanes, Orca};
use crate::agent::Agent;
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::spatial::neighbors::Neighbors;
use crate::vector::{Up, Vector};

/// Adds the half planes of the nearest neighbors, nearest first.
pub(super) fn add_planes<V: Vector>(
    host: &Agent<V>,
    neighbors: &Neighbors<V>,
    up: Up,
    parameters: &Orca,
    dt: f32,
    planes: &mut HalfPlanes,
) {
    let velocity = up.ground(host.velocity).as_dvec2();
    let count = parameters.max_neighbors as usize;
    for neighbor in neighbors.nearest(parameters.neighbor_dist, count) {
        let relative = velocity - up.ground(neighbor.velocity).as_dvec2();
        let offset = up.ground(neighbor.offset).as_dvec2();
        let bodies = f64::from(host.radius + neighbor.radius) + f64::from(parameters.margin);
        let horizon = f64::from(parameters.time_horizon);
        let towards = || up.ground(-neighbors.away(&neighbor)).as_dvec2();
        let (change, normal) =
            nearest_change(relative, offset, bodies, horizon, f64::from(dt), towards);
        planes.push(HalfPlane::beyond(velocity + change * f64::from(parameters.share), normal));
    }
}

/// The smallest change of the relative velocity that ends on the boundary of the velocity obstacle
/// of the disc at `offset` with the radius `bodies`, and the outward normal of the boundary there.
/// `towards` is the direction to a neighbor at the same position.
#[inline(always)]
fn nearest_change(
    relative: DVec2,
    offset: DVec2,
    bodies: f64,
    horizon: f64,
    dt: f64,
    towards: impl FnOnce() -> DVec2,
) -> (DVec2, DVec2) {
    let (distance_squared, bodies_squared) = (offset.length_squared(), bodies * bodies);
    let overlaps = distance_squared <= bodies_squared;
    let time = if overlaps { dt } else { horizon };
    // From the center of the disc that cuts the cone off.
    let from_center = relative - offset / time;
    let side = from_center.dot(offset);
    let before_center = side < 0.0 && side * side > bodies_squared * from_center.length_squared();
    if overlaps || before_center {
        let normal = unit(from_center).unwrap_or_else(|| -towards());
        let length = from_center.dot(normal);
        return (normal * (bodies / time - length), normal);
    }
    let leg = (distance_squared - bodies_squared).sqrt();
    // The leg on the side of the relative velocity: the offset turned to the left or right by the
    // angle whose sine is bodies / distance, and its normal away from the cone.
    let left = offset.perp_dot(from_center) > 0.0;
    let sine = if left { bodies } else { -bodies };
    let along = (offset * leg + offset.perp() * sine) / distance_squared;
    let normal = if left { along.perp() } else { -along.perp() };
    (along * relative.dot(along) - relative, normal)
}
