//! The track of the pointer.

use crate::vector::Vector;

/// Points in time: linear between them, held before the first and after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Track<V> {
    /// (time, point) in the order of time; at least one.
    pub points: Vec<(f64, V)>,
}

impl<V: Vector> Track<V> {
    /// A pointer that stays at `point`.
    pub fn fixed(point: V) -> Self {
        Self { points: vec![(0.0, point)] }
    }

    /// Where it is at `time`; the origin for a track without points.
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
