//! The track of the pointer.

use alloc::vec::Vec;

use crate::vector::Vector;

/// Positions over time: interpolated linearly, constant before the first point and after the last.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Track<V> {
    /// (time, point) in the order of time; at least one.
    pub points: Vec<(f64, V)>,
}

impl<V: Vector> Track<V> {
    /// A track that stays at `point` (length).
    pub fn fixed(point: V) -> Self {
        Self { points: vec![(0.0, point)] }
    }

    /// The position at `time` (length); the origin for a track without points.
    pub fn at(&self, time: f64) -> V {
        let after = self.points.partition_point(|(t, _)| *t <= time);
        let Some(&(t1, b)) = self.points.get(after) else {
            return self.points.last().map_or(V::ZERO, |(_, p)| *p);
        };
        let Some(&(t0, a)) = after.checked_sub(1).and_then(|i| self.points.get(i)) else {
            return b;
        };
        a + (b - a) * ((time - t0) / (t1 - t0)) as f32
    }
}
