//! Where a segment first meets a shape that may be grown by a radius.

use glam::Vec2;

use crate::spatial::bvh::MARGIN;
use crate::vector::Vector;

/// Where a probe first meets a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit<V> {
    /// How far along the probe, from 0 to 1.
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

pub(super) fn lift<V: Vector>(m: Hit<Vec2>) -> Hit<V> {
    Hit { along: m.along, normal: V::from_flat(m.normal) }
}

/// A probe against an infinitely thin wall of the plane; the normal is the one that faces the
/// probe.
pub(super) fn line_meeting(p: Vec2, way: Vec2, a: Vec2, b: Vec2) -> Option<Hit<Vec2>> {
    let (wall, to) = (b - a, a - p);
    let across = way.perp_dot(wall);
    if across == 0.0 {
        return None;
    }
    let (along, at) = (to.perp_dot(wall) / across, to.perp_dot(way) / across);
    let met = (0.0..=1.0).contains(&along) && (0.0..=1.0).contains(&at);
    let normal = Vector::unit(Vec2::new(-wall.y, wall.x));
    met.then_some(Hit {
        along,
        normal: if Vector::dot(normal, way) > 0.0 { -normal } else { normal },
    })
}

/// A probe from outside against a ball.
pub(super) fn ball_meeting<V: Vector>(p: V, way: V, center: V, radius: f32) -> Option<Hit<V>> {
    let from = p - center;
    let squared = way.length_squared();
    if squared == 0.0 {
        return None;
    }
    // The nearest approach first, then back by half the chord: b * b - a * c would lose a grazing
    // probe to cancellation.
    let nearest = -from.dot(way) / squared;
    let half_chord_squared = radius * radius - (from + way * nearest).length_squared();
    if half_chord_squared.is_nan() || half_chord_squared < 0.0 {
        return None;
    }
    let along = nearest - (half_chord_squared / squared).sqrt();
    (0.0..=1.0).contains(&along).then(|| Hit { along, normal: (from + way * along).unit() })
}

/// A probe from outside against all points within `radius` of a segment: its round side, then its
/// two round ends. The box around a probe, larger by a body's radius: who has no corner or edge in
/// it is not met.
pub(super) struct Near<V> {
    low: V,
    high: V,
}

impl<V: Vector> Near<V> {
    #[inline(always)]
    pub(super) fn new(p: V, way: V, growth: f32) -> Self {
        let far = p + way;
        // With room for what rounding moves a meeting by.
        let size = (0..V::DIMENSION).map(|i| p.axis(i).abs() + way.axis(i).abs()).sum::<f32>();
        let larger = growth + MARGIN * (size + growth);
        Self { low: p.min(far).map(|x| x - larger), high: p.max(far).map(|x| x + larger) }
    }

    /// Whether it reaches the edge from `a` to `b`, or may.
    #[inline(always)]
    pub(super) fn reaches(&self, a: V, b: V) -> bool {
        let (low, high) = (a.min(b), a.max(b));
        (0..V::DIMENSION)
            .all(|i| low.axis(i) <= self.high.axis(i) && self.low.axis(i) <= high.axis(i))
    }
}

pub(super) fn capsule_meeting<V: Vector>(p: V, way: V, a: V, b: V, radius: f32) -> Option<Hit<V>> {
    let ends = earliest(ball_meeting(p, way, a, radius), ball_meeting(p, way, b, radius));
    earliest(side_meeting(p, way, a, b, radius), ends)
}

/// A probe from outside against the round side alone.
fn side_meeting<V: Vector>(p: V, way: V, a: V, b: V, radius: f32) -> Option<Hit<V>> {
    let axis = b - a;
    let squared = axis.length_squared();
    if squared == 0.0 {
        return None;
    }
    // The parts of probe and start across the axis: there the side is a ball around the origin.
    let across = |v: V| v - axis * (v.dot(axis) / squared);
    ball_meeting(across(p - a), across(way), V::ZERO, radius).filter(|m| {
        let at = (p + way * m.along - a).dot(axis) / squared;
        (0.0..=1.0).contains(&at)
    })
}

/// A probe from outside against the box from -half to half: slabs (Kay and Kajiya, SIGGRAPH 1986).
pub(super) fn box_meeting<V: Vector>(p: V, way: V, half: V) -> Option<Hit<V>> {
    let (mut enter, mut leave, mut face) = (f32::NEG_INFINITY, f32::INFINITY, 0);
    for i in 0..V::DIMENSION {
        let (p, way, half) = (p.axis(i), way.axis(i), half.axis(i));
        if way == 0.0 {
            if p.abs() > half {
                return None;
            }
            continue;
        }
        let (one, two) = ((-half - p) / way, (half - p) / way);
        if one.min(two) > enter {
            (enter, face) = (one.min(two), i);
        }
        leave = leave.min(one.max(two));
    }
    let met = enter <= leave && (0.0..=1.0).contains(&enter);
    met.then(|| Hit {
        along: enter,
        normal: V::from_fn(|i| if i == face { -way.axis(i).signum() } else { 0.0 }),
    })
}

pub(super) fn grown_box_meeting<V: Vector>(p: V, way: V, half: V, growth: f32) -> Option<Hit<V>> {
    let mut first = None;
    let near = Near::new(p, way, growth);
    for i in 0..V::DIMENSION {
        let pushed = V::from_fn(|k| if k == i { half.axis(k) + growth } else { half.axis(k) });
        first = earliest(first, box_meeting(p, way, pushed));
        // The edges along axis i: one for each choice of sides on the other axes.
        for corner in 0..1_u32 << V::DIMENSION {
            if corner >> i & 1 == 0 {
                let a =
                    V::from_fn(|k| if corner >> k & 1 == 0 { -half.axis(k) } else { half.axis(k) });
                let b = V::from_fn(|k| if k == i { half.axis(k) } else { a.axis(k) });
                if near.reaches(a, b) {
                    // The edges along the first axis end in all corners: those of the others need
                    // not be looked at again.
                    let edge = if i == 0 {
                        capsule_meeting(p, way, a, b, growth)
                    } else {
                        side_meeting(p, way, a, b, growth)
                    };
                    first = earliest(first, edge);
                }
            }
        }
    }
    first
}
