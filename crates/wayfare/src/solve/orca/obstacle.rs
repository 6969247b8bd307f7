//! The half planes of obstacles: of the edges of their outlines, each with the part of the velocity
//! obstacle that the host sees.

use arrayvec::ArrayVec;
use glam::{DVec2, Vec2};

use super::HalfPlanes;
use super::program::{HalfPlane, unit};
use crate::agent::Agent;
use crate::geometry::obstacle::{Obstacles, Outline, nearest_on_segment};
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The largest number of edges that count.
pub(super) const MAX_EDGES: usize = 64;

/// An edge within reach.
struct NearEdge {
    /// The distance to the obstacle's surface at the edge (length).
    distance: f32,
    edge: Edge,
}

/// Adds the half planes of edges, nearest first, and of walls of the bounds; all contain the
/// velocity zero. `horizon` is the time without a collision (time).
pub(super) fn add_planes<V: Vector>(
    host: &Agent<V>,
    obstacles: Obstacles<'_, V>,
    space: &Space<V>,
    horizon: f64,
    planes: &mut HalfPlanes,
) {
    let (up, position, radius) = (space.up(), host.position, f64::from(host.radius));
    let reach = host.radius + horizon as f32 * host.max_speed;
    let corner = V::from_fn(|_| reach);
    let mut near = ArrayVec::<NearEdge, MAX_EDGES>::new();
    obstacles.near_in_order(space, position - corner, position + corner, |_, obstacle| {
        let from = up.ground(space.image(obstacle.middle(), position));
        add_edges(&Outline::of(obstacle), from, (radius, reach), &mut near);
    });
    let velocity = up.ground(host.velocity).as_dvec2();
    for NearEdge { edge, .. } in &near {
        if !edge.is_covered(planes, horizon) {
            planes.extend(edge.half_plane(velocity, horizon));
        }
    }
    space.walls(position).for_each(|(normal, distance)| {
        let ground = up.ground(normal);
        if distance < reach && ground != Vec2::ZERO {
            let normal = ground.as_dvec2();
            let approach = (f64::from(distance) - radius).max(0.0) / horizon;
            planes.push(HalfPlane::beyond(normal * -approach, normal));
        }
    });
}

/// Adds the edges of `outline` within `reach` (length) whose outer side a body of `radius` (length)
/// at the point `from` sees; only the nearest edges are kept, the earlier ones in a tie.
fn add_edges(
    outline: &Outline<'_>,
    from: Vec2,
    (radius, reach): (f64, f32),
    near: &mut ArrayVec<NearEdge, MAX_EDGES>,
) {
    for corner in 0..outline.count() {
        let (a, b) = (outline.corner(corner), outline.corner(corner + 1));
        let distance = Vector::length(from - nearest_on_segment(from, a, b)) - outline.radius;
        let side = (b - a).perp_dot(from - a);
        // A point in line with a wall of two corners sees its first side.
        let sees = match outline.count() {
            1 => true,
            2 => side < 0.0 || (side == 0.0 && corner == 0),
            _ => side < 0.0,
        };
        if !sees || distance >= reach {
            continue;
        }
        if near.is_full() {
            if near.last().is_some_and(|last| last.distance <= distance) {
                continue;
            }
            near.pop();
        }
        let at = near.partition_point(|other| other.distance <= distance);
        let edge = Edge::of(outline, corner, from, radius);
        near.insert(at, NearEdge { distance, edge });
    }
}

/// An edge of an outline from its left to its right end as the host sees it, relative to the host
/// (lengths).
struct Edge {
    left: Corner,
    right: Corner,
    /// Its growth by the body and the outline's own radius (length).
    radius: f64,
}

/// An end of an edge.
#[derive(Clone, Copy)]
struct Corner {
    /// Its offset from the host (length).
    at: DVec2,
    /// The unit vector along the outline to this corner; zero on a disc.
    before: DVec2,
    /// The unit vector along the outline from this corner; zero on a disc.
    after: DVec2,
}

impl Corner {
    fn of(outline: &Outline<'_>, i: usize, from: Vec2) -> Self {
        let at = |i| outline.corner(i).as_dvec2() - from.as_dvec2();
        let count = outline.count();
        let along = |i| unit(at(i + 1) - at(i)).unwrap_or(DVec2::ZERO);
        Self { at: at(i), before: along(i + count - 1), after: along(i) }
    }

    /// Whether the outline turns away from the host here; everything beside a reentrant corner is
    /// hidden by its edges.
    fn is_convex(&self) -> bool {
        self.before.perp_dot(self.after) >= 0.0
    }

    /// The unit vectors along the tangents from the host to the disc of this radius around the
    /// corner, the left one first.
    fn tangents(&self, radius: f64) -> [DVec2; 2] {
        let squared = self.at.length_squared();
        let along = self.at * ((squared - radius * radius).max(0.0).sqrt() / squared);
        let aside = self.at.perp() * (radius / squared);
        [along + aside, along - aside]
    }

    /// The half plane of a body that touches the corner.
    fn touched(&self) -> Option<HalfPlane> {
        Some(HalfPlane::beyond(DVec2::ZERO, -unit(self.at)?))
    }
}

/// A side of a velocity obstacle: it begins at `apex` (length / time), and `direction` is a unit
/// vector.
#[derive(Clone, Copy)]
struct Leg {
    apex: DVec2,
    direction: DVec2,
    /// Whether it is the line of a neighboring edge, which has a half plane of its own.
    is_foreign: bool,
}

impl Leg {
    /// The distance of `velocity` along the leg, and the squared one to it; infinity before it.
    fn measure(&self, velocity: DVec2) -> (f64, f64) {
        let along = (velocity - self.apex).dot(self.direction);
        let squared = (velocity - self.apex - self.direction * along).length_squared();
        (along, if along < 0.0 { f64::INFINITY } else { squared })
    }
}

impl Edge {
    fn of(outline: &Outline<'_>, corner: usize, from: Vec2, radius: f64) -> Self {
        Self {
            left: Corner::of(outline, corner, from),
            right: Corner::of(outline, corner + 1, from),
            radius: radius + f64::from(outline.radius),
        }
    }

    /// Whether the whole edge is beyond one of the half planes already, so that it bounds nothing.
    fn is_covered(&self, planes: &[HalfPlane], horizon: f64) -> bool {
        planes.iter().any(|plane| {
            [self.left, self.right]
                .iter()
                .all(|corner| plane.excess(corner.at / horizon) >= self.radius / horizon - 1e-9)
        })
    }

    /// The half plane of velocities that cause no collision within `horizon` (time), beside the
    /// velocity obstacle where that is nearest to `velocity` (length / time). `None` where a
    /// neighboring edge bounds the velocity.
    fn half_plane(&self, velocity: DVec2, horizon: f64) -> Option<HalfPlane> {
        let Self { left, right, radius } = *self;
        let squared = radius * radius;
        let along = right.at - left.at;
        let fraction = -left.at.dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
        let line_squared = (left.at + along * fraction).length_squared();

        // A body that touches the edge may not move closer.
        if fraction < 0.0 && left.at.length_squared() <= squared {
            return if left.is_convex() { left.touched() } else { None };
        }
        if fraction > 1.0 && right.at.length_squared() <= squared {
            // Otherwise the next edge is touched.
            let is_own = right.is_convex() && right.at.perp_dot(right.after) >= 0.0;
            return if is_own { right.touched() } else { None };
        }
        if (0.0..=1.0).contains(&fraction) && line_squared <= squared {
            if along == DVec2::ZERO {
                return left.touched();
            }
            return Some(HalfPlane { point: DVec2::ZERO, direction: -left.after });
        }

        // Seen from the side, one end alone hides the edge.
        let (left, right) = match line_squared <= squared {
            true if fraction < 0.0 => (left, left),
            true if fraction > 1.0 => (right, right),
            _ => (left, right),
        };
        let is_corner = left.at == right.at;
        if is_corner && !left.is_convex() {
            return None;
        }
        let [left_leg, right_leg] = legs(&left, &right, radius, horizon);
        beside(velocity, [left_leg, right_leg], left.after, radius / horizon)
    }
}

/// The legs of the velocity obstacle of the edge between two corners.
fn legs(left: &Corner, right: &Corner, radius: f64, horizon: f64) -> [Leg; 2] {
    let leg = |corner: &Corner, direction, is_foreign| Leg {
        apex: corner.at / horizon,
        direction,
        is_foreign,
    };
    // At a reentrant corner the leg goes on along the edge. A leg never points into the neighboring
    // edge: the line of that one takes its place.
    let left_leg = if left.is_convex() {
        let direction = left.tangents(radius)[0];
        let enters = left.before != DVec2::ZERO && direction.perp_dot(-left.before) >= 0.0;
        leg(left, if enters { -left.before } else { direction }, enters)
    } else {
        leg(left, -left.after, false)
    };
    let right_leg = if right.is_convex() {
        let direction = right.tangents(radius)[1];
        let enters = right.after != DVec2::ZERO && direction.perp_dot(right.after) <= 0.0;
        leg(right, if enters { right.after } else { direction }, enters)
    } else {
        leg(right, right.before, false)
    };
    [left_leg, right_leg]
}

/// The half plane beside the velocity obstacle between two legs, grown by `radius` (length / time),
/// at its point nearest to `velocity`; `along` is the unit vector from the left to the right apex.
fn beside(
    velocity: DVec2,
    [left, right]: [Leg; 2],
    along: DVec2,
    radius: f64,
) -> Option<HalfPlane> {
    let around = |apex: DVec2| {
        let normal = unit(velocity - apex)?;
        Some(HalfPlane::beyond(apex + normal * radius, normal))
    };
    let cut = right.apex - left.apex;
    let is_corner = cut == DVec2::ZERO;
    let fraction =
        if is_corner { 0.5 } else { (velocity - left.apex).dot(cut) / cut.length_squared() };
    let (left_along, left_squared) = left.measure(velocity);
    let (right_along, right_squared) = right.measure(velocity);
    let before_both = is_corner && left_along < 0.0 && right_along < 0.0;
    if (fraction < 0.0 && left_along < 0.0) || before_both {
        return around(left.apex);
    }
    if fraction > 1.0 && right_along < 0.0 {
        return around(right.apex);
    }
    let cut_squared = if is_corner || !(0.0..=1.0).contains(&fraction) {
        f64::INFINITY
    } else {
        (velocity - left.apex - cut * fraction).length_squared()
    };
    let line = |apex: DVec2, direction: DVec2| {
        Some(HalfPlane { point: apex + direction.perp() * radius, direction })
    };
    if cut_squared <= left_squared && cut_squared <= right_squared {
        line(left.apex, -along)
    } else if left_squared <= right_squared {
        if left.is_foreign { None } else { line(left.apex, left.direction) }
    } else if right.is_foreign {
        None
    } else {
        line(right.apex, -right.direction)
    }
}
