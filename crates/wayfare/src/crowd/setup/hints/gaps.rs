//! Gaps between surfaces: on a straight way, and between any two obstacles.
//!
//! A body that crosses the line between a point of one surface and a point of another keeps its
//! radius from both. If they are nearer to each other than its diameter, it cannot cross. So a way
//! is narrow where it is free, but crosses such a line. Members that steer round obstacles pass
//! beside pillars: for them both sides have to be longer than [`LONG`] diameters, and no circles.
//! In the plane alone, as space has ways above and below, and without wrapped edges.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::paths::nearest_place;
use super::world::{HintWorld, point, short};
use crate::geometry::obstacle::{Obstacle, Outline, Shape};
use crate::vector::Vector;

/// The least extent of both sides of a door in diameters of the body.
const LONG: f32 = 4.0;

/// The largest number of pieces into which a way is cut to find what is near it.
const PIECES: usize = 64;

/// The largest number of obstacles near a piece or an obstacle that are tested.
const NEAR: usize = 32;

/// The largest number of corners of an obstacle from which the nearest point of another is found.
const CORNERS: usize = 64;

/// A side of a gap: a point of an obstacle, or of a wall of the bounds.
#[derive(Clone, Copy)]
struct Side<V> {
    point: V,
    obstacle: Option<usize>,
}

/// A gap on a way.
pub(super) struct Gap<V> {
    width: f32,
    sides: [Side<V>; 2],
}

impl<V: Vector> Gap<V> {
    /// Its width, its sides and its middle.
    pub(super) fn text(&self) -> String {
        let side = |side: Side<V>| match side.obstacle {
            Some(i) => format!("obstacle[{i}]"),
            None => String::from("a wall of the bounds"),
        };
        let middle = (self.sides[0].point + self.sides[1].point) * 0.5;
        let between = match self.sides.map(|side| side.obstacle) {
            [Some(i), Some(k)] if i == k => format!("in obstacle[{i}]"),
            _ => format!("between {} and {}", side(self.sides[0]), side(self.sides[1])),
        };
        format!("{} wide {between} at {}", short(self.width), point(middle))
    }
}

/// The first gap on the way from `from` to `to` that is narrower than a body with this radius;
/// none behind an obstacle on the way.
pub(super) fn gap_on<V: Vector>(
    world: &HintWorld<V>,
    from: V,
    to: V,
    radius: f32,
    avoids: bool,
) -> Option<Gap<V>> {
    let (offset, reach) = (to - from, radius * 2.0);
    let count = (offset.length() / (reach * 2.0)).clamp(1.0, PIECES as f32) as usize;
    let at = |k: usize| from + offset * (k as f32 / count as f32);
    let mut near: Vec<usize> = Vec::new();
    for k in 0..count {
        let (a, b) = (at(k), at(k + 1));
        let (low, high) = (a.min(b).map(|x| x - reach), a.max(b).map(|x| x + reach));
        near.clear();
        world.obstacles().near(&world.space, low, high, |i, obstacle| {
            if obstacle.touches(low, high) {
                near.push(i);
            }
        });
        near.sort_unstable();
        near.truncate(NEAR);
        let gap = near.iter().find_map(|i| {
            let obstacle = world.obstacle(*i);
            let p = nearest_place(a, b, |p| obstacle.distance(p));
            let is_free = |gap: &Gap<V>| {
                let beyond = p + offset.unit() * reach.min((to - p).length());
                gap.width > radius * 1e-3
                    && gap.width < reach * 0.999
                    && !near.iter().any(|i| blocks(world.obstacle(*i), p, beyond))
            };
            gap_at(world, &near, p, offset, reach)
                .filter(is_free)
                .filter(|gap| !avoids || gap.sides.iter().all(|side| side.is_long(world, reach)))
        });
        if gap.is_some() || near.iter().any(|i| blocks(world.obstacle(*i), a, b)) {
            return gap;
        }
    }
    None
}

/// Whether the obstacle is in the way from `a` to `b`.
fn blocks<V: Vector>(obstacle: &Obstacle<V>, a: V, b: V) -> bool {
    obstacle.contains(a) || obstacle.cast_segment(a, b, 0.0).is_some()
}

impl<V: Vector> Side<V> {
    fn is_long(&self, world: &HintWorld<V>, width: f32) -> bool {
        let Some(i) = self.obstacle else { return true };
        let (low, high) = world.obstacle(i).aabb();
        let is_circle = matches!(world.obstacle(i).shape(), Shape::Circle { .. });
        !is_circle && (0..V::DIMENSION).any(|k| (high - low).axis(k) >= LONG * width)
    }
}

/// The gap at the point `p` of a way along `offset`, between the nearest surfaces on its left and
/// on its right, of those within `reach` (length); none if `p` is in an obstacle.
fn gap_at<V: Vector>(
    world: &HintWorld<V>,
    near: &[usize],
    p: V,
    offset: V,
    reach: f32,
) -> Option<Gap<V>> {
    let left_of = |q: V| offset.flat().perp_dot((q - p).flat());
    let mut nearest: [Option<(f32, Side<V>)>; 2] = [None, None];
    let mut is_inside = false;
    let mut add = |normal: V, distance: f32, obstacle: Option<usize>| {
        is_inside |= distance <= 0.0;
        let side = Side { point: p - normal * distance, obstacle };
        let left = left_of(side.point);
        let best = if left == 0.0 { return } else { &mut nearest[usize::from(left < 0.0)] };
        if best.is_none_or(|(other, _)| distance < other) {
            *best = Some((distance, side));
        }
    };
    for i in near {
        world.obstacle(*i).surfaces(p, reach, &mut |normal, distance| {
            add(normal, distance, Some(*i));
        });
    }
    for (normal, distance) in world.space.walls(p).filter(|(_, distance)| *distance < reach) {
        add(normal, distance, None);
    }
    let [Some((_, left)), Some((_, right))] = nearest else { return None };
    if is_inside {
        return None;
    }
    let gap = Gap { width: (right.point - left.point).length(), sides: [left, right] };
    // Of two obstacles, the points nearest to each other, if the way crosses between them too.
    let (Some(a), Some(b)) = (left.obstacle, right.obstacle) else { return Some(gap) };
    let is_polygon = |i| matches!(world.obstacle(i).shape(), Shape::Polygon { .. });
    if a == b || is_polygon(a) || is_polygon(b) {
        return Some(gap);
    }
    let narrowest = narrowed(world, gap.sides);
    let [q, r] = narrowest.sides.map(|side| left_of(side.point));
    let has_width = narrowest.width > 0.0;
    Some(if q > 0.0 && r < 0.0 && has_width { narrowest } else { gap })
}

/// The gap between the points of two obstacles that are nearest to each other, from these points
/// on: exact for convex shapes.
fn narrowed<V: Vector>(world: &HintWorld<V>, mut sides: [Side<V>; 2]) -> Gap<V> {
    for step in 0..16 {
        let [to, from] = [step % 2, 1 - step % 2];
        if let Some(i) = sides[to].obstacle {
            sides[to].point = nearest_point(world.obstacle(i), sides[from].point);
        }
    }
    Gap { width: (sides[0].point - sides[1].point).length(), sides }
}

/// The point of the obstacle that is nearest to `p`; `p` itself if it is inside.
fn nearest_point<V: Vector>(obstacle: &Obstacle<V>, p: V) -> V {
    let distance = obstacle.distance(p);
    if distance <= 0.0 { p } else { p - obstacle.outward(p) * distance }
}

/// The first gap between two obstacles that is wider than `least` and narrower than `most`
/// (length), whose middle is inside `area`, and through which a straight way leads.
pub(super) fn gap_between<V: Vector>(
    world: &HintWorld<V>,
    (low, high): (V, V),
    least: f32,
    most: f32,
) -> Option<Gap<V>> {
    let mut near: Vec<usize> = Vec::new();
    for (i, obstacle) in world.obstacles().iter().enumerate() {
        let (from, to) = obstacle.aabb();
        let (from, to) = (from.map(|x| x - most), to.map(|x| x + most));
        near.clear();
        world.obstacles().near(&world.space, from, to, |k, other| {
            if k > i && near.len() < NEAR && other.touches(from, to) {
                near.push(k);
            }
        });
        near.sort_unstable();
        let gap = near.iter().map(|k| nearest_of(world, i, *k)).find(|gap| {
            let [a, b] = gap.sides.map(|side| side.point);
            let (middle, across) = ((a + b) * 0.5, V::from_flat((b - a).flat().perp()).unit());
            let ends = [middle + across * most, middle - across * most];
            gap.width > least
                && gap.width < most * 0.999
                && (0..V::DIMENSION).all(|x| (low.axis(x)..=high.axis(x)).contains(&middle.axis(x)))
                && ends.into_iter().all(|end| world.is_free_way(middle, end))
        });
        if gap.is_some() {
            return gap;
        }
    }
    None
}

/// The gap between the obstacles `i` and `k`, from their corners on: exact unless edges of both
/// cross.
fn nearest_of<V: Vector>(world: &HintWorld<V>, i: usize, k: usize) -> Gap<V> {
    let side = |obstacle, point| Side { point, obstacle: Some(obstacle) };
    let middle = world.obstacle(i).middle();
    let mut best = narrowed(world, [side(i, middle), side(k, middle)]);
    for (from, to) in [(i, k), (k, i)] {
        let outline = Outline::of(world.obstacle(from));
        for corner in (0..outline.count().min(CORNERS)).map(|c| outline.corner(c)) {
            let corner = V::from_flat(corner);
            // The outline is that of the shape without its thickness.
            let point = nearest_point(world.obstacle(to), corner);
            let sides = [side(from, nearest_point(world.obstacle(from), point)), side(to, point)];
            let width = (sides[0].point - sides[1].point).length();
            if width < best.width {
                best = Gap { width, sides };
            }
        }
    }
    best
}
