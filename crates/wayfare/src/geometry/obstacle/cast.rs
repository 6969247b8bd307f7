//! The first hit of a segment on a shape that may be grown by a radius.

use glam::Vec2;

#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::spatial::bvh::MARGIN;
use crate::vector::{Up, Vector};

/// The first hit of a probe, which is a segment, with a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit<V> {
    /// The fraction of the probe before the hit, from 0 to 1.
    pub along: f32,
    /// The outward unit normal there.
    pub normal: V,
}

impl<V: Vector> Hit<V> {
    fn first(self, other: Option<Self>) -> Self {
        other.filter(|o| o.along < self.along).unwrap_or(self)
    }
}

pub(super) fn earliest<V: Vector>(a: Option<Hit<V>>, b: Option<Hit<V>>) -> Option<Hit<V>> {
    match a {
        Some(a) => Some(a.first(b)),
        None => b,
    }
}

pub(super) fn lift<V: Vector>(m: Hit<Vec2>, up: Up) -> Hit<V> {
    Hit { along: m.along, normal: up.from_ground(m.normal) }
}

/// A probe against a wall of the plane without thickness; the normal faces the probe.
pub(super) fn line_hit(p: Vec2, offset: Vec2, a: Vec2, b: Vec2) -> Option<Hit<Vec2>> {
    let (wall, to) = (b - a, a - p);
    let across = offset.perp_dot(wall);
    if across == 0.0 {
        return None;
    }
    let (along, at) = (to.perp_dot(wall) / across, to.perp_dot(offset) / across);
    let is_hit = (0.0..=1.0).contains(&along) && (0.0..=1.0).contains(&at);
    let normal = Vector::unit(Vec2::new(-wall.y, wall.x));
    is_hit.then_some(Hit {
        along,
        normal: if Vector::dot(normal, offset) > 0.0 { -normal } else { normal },
    })
}

/// A probe from outside against a ball.
pub(super) fn ball_hit<V: Vector>(p: V, offset: V, center: V, radius: f32) -> Option<Hit<V>> {
    let from = p - center;
    let squared = offset.length_squared();
    if squared == 0.0 {
        return None;
    }
    // The closest approach first, then back by half of the chord: in b * b - a * c, cancellation
    // would lose a grazing probe.
    let nearest = -from.dot(offset) / squared;
    let half_chord_squared = radius * radius - (from + offset * nearest).length_squared();
    if half_chord_squared.is_nan() || half_chord_squared < 0.0 {
        return None;
    }
    let along = nearest - (half_chord_squared / squared).sqrt();
    (0.0..=1.0).contains(&along).then(|| Hit { along, normal: (from + offset * along).unit() })
}

/// The bounding box of a probe, extended by the radius of a body: an edge outside of it is not hit.
pub(super) struct Near<V> {
    low: V,
    high: V,
}

impl<V: Vector> Near<V> {
    #[inline(always)]
    pub(super) fn new(p: V, offset: V, growth: f32) -> Self {
        let far = p + offset;
        // With room for the rounding of a hit.
        let size = (0..V::DIMENSION).map(|i| p.axis(i).abs() + offset.axis(i).abs()).sum::<f32>();
        let margin = growth + MARGIN * (size + growth);
        Self { low: p.min(far).map(|x| x - margin), high: p.max(far).map(|x| x + margin) }
    }

    /// Whether it may touch the edge from `a` to `b`.
    #[inline(always)]
    pub(super) fn reaches(&self, a: V, b: V) -> bool {
        let (low, high) = (a.min(b), a.max(b));
        (0..V::DIMENSION)
            .all(|i| low.axis(i) <= self.high.axis(i) && self.low.axis(i) <= high.axis(i))
    }
}

/// A probe from outside against all points within `radius` of a segment: its round side and its two
/// round ends.
pub(super) fn capsule_hit<V: Vector>(p: V, offset: V, a: V, b: V, radius: f32) -> Option<Hit<V>> {
    let ends = earliest(ball_hit(p, offset, a, radius), ball_hit(p, offset, b, radius));
    earliest(side_hit(p, offset, a, b, radius), ends)
}

/// A probe from outside against the round side alone.
fn side_hit<V: Vector>(p: V, offset: V, a: V, b: V, radius: f32) -> Option<Hit<V>> {
    let axis = b - a;
    let squared = axis.length_squared();
    if squared == 0.0 {
        return None;
    }
    // The parts of probe and start across the axis: there the side is a ball around the origin.
    let across = |v: V| v - axis * (v.dot(axis) / squared);
    ball_hit(across(p - a), across(offset), V::ZERO, radius).filter(|m| {
        let at = (p + offset * m.along - a).dot(axis) / squared;
        (0.0..=1.0).contains(&at)
    })
}

/// A probe from outside against the box from -half to half: slabs (Kay and Kajiya, SIGGRAPH 1986).
pub(super) fn box_hit<V: Vector>(p: V, offset: V, half: V) -> Option<Hit<V>> {
    let (mut enter, mut leave, mut face) = (f32::NEG_INFINITY, f32::INFINITY, 0);
    for i in 0..V::DIMENSION {
        let (p, offset, half) = (p.axis(i), offset.axis(i), half.axis(i));
        if offset == 0.0 {
            if p.abs() > half {
                return None;
            }
            continue;
        }
        let (one, two) = ((-half - p) / offset, (half - p) / offset);
        if one.min(two) > enter {
            (enter, face) = (one.min(two), i);
        }
        leave = leave.min(one.max(two));
    }
    let is_hit = enter <= leave && (0.0..=1.0).contains(&enter);
    is_hit.then(|| Hit {
        along: enter,
        normal: V::from_fn(|i| if i == face { -offset.axis(i).signum() } else { 0.0 }),
    })
}

pub(super) fn grown_box_hit<V: Vector>(p: V, offset: V, half: V, growth: f32) -> Option<Hit<V>> {
    let mut first = None;
    let near = Near::new(p, offset, growth);
    for i in 0..V::DIMENSION {
        let extended = V::from_fn(|k| if k == i { half.axis(k) + growth } else { half.axis(k) });
        first = earliest(first, box_hit(p, offset, extended));
        // The edges along axis i: one for each choice of sides on the other axes.
        for corner in 0..1_u32 << V::DIMENSION {
            if corner >> i & 1 == 0 {
                let a =
                    V::from_fn(|k| if corner >> k & 1 == 0 { -half.axis(k) } else { half.axis(k) });
                let b = V::from_fn(|k| if k == i { half.axis(k) } else { a.axis(k) });
                if near.reaches(a, b) {
                    // The edges along the first axis end in all corners, so the other edges need no
                    // round ends.
                    let edge = if i == 0 {
                        capsule_hit(p, offset, a, b, growth)
                    } else {
                        side_hit(p, offset, a, b, growth)
                    };
                    first = earliest(first, edge);
                }
            }
        }
    }
    first
}
