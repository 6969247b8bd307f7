//! World coordinates as seen from above: two axes, in the scene's unit of length.

use wayfare::glam::Vec2;

/// A rectangle of the world (length).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WorldRect {
    pub(crate) min: Vec2,
    pub(crate) max: Vec2,
}

impl WorldRect {
    /// Contains no point; [`extend`](Self::extend) makes it grow.
    pub(crate) const EMPTY: Self =
        Self { min: Vec2::splat(f32::INFINITY), max: Vec2::splat(f32::NEG_INFINITY) };

    /// The rectangle between two opposite corners.
    pub(crate) fn between(a: Vec2, b: Vec2) -> Self {
        Self { min: a.min(b), max: a.max(b) }
    }

    /// Grows until `point` is inside.
    pub(crate) fn extend(&mut self, point: Vec2) {
        (self.min, self.max) = (self.min.min(point), self.max.max(point));
    }

    /// The lengths of its sides.
    pub(crate) fn size(self) -> Vec2 {
        self.max - self.min
    }

    pub(crate) fn center(self) -> Vec2 {
        (self.min + self.max) * 0.5
    }

    /// Whether both sides are longer than zero.
    pub(crate) fn has_area(self) -> bool {
        self.min.x < self.max.x && self.min.y < self.max.y
    }

    /// Moves each side outward by `margin` (length).
    pub(crate) fn expanded(self, margin: f32) -> Self {
        Self { min: self.min - Vec2::splat(margin), max: self.max + Vec2::splat(margin) }
    }

    /// The nearest point inside.
    pub(crate) fn clamp(self, point: Vec2) -> Vec2 {
        point.clamp(self.min, self.max)
    }
}
