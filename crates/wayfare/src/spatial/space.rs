//! The extent of the world: open, wrapped at its edges, walled, or reflecting.

use crate::simd::{Simd, SimdVector};
use crate::vector::{Up, Vector};

/// The effect of the edge of the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Edge {
    /// Nothing: the bounds only set the view.
    #[default]
    Open,
    /// An agent that leaves on one side enters on the other; every difference is the shortest one.
    Wrap,
    /// The position is held at the edge, and the velocity that points outward is removed.
    Wall,
    /// The position is mirrored back inside, and the velocity that points outward is reversed.
    Bounce,
}

impl Edge {
    /// Whether the edge holds agents inside: [`Wall`](Self::Wall) or [`Bounce`](Self::Bounce).
    #[inline(always)]
    pub fn has_walls(self) -> bool {
        matches!(self, Self::Wall | Self::Bounce)
    }
}

/// A box that the world lives in, and what its edge does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds<V> {
    /// The corner with the smallest coordinates (length).
    pub min: V,
    /// The corner with the largest coordinates (length); above `min` on every axis.
    pub max: V,
    /// The effect of the edge.
    pub edge: Edge,
}

/// Differences between positions, and the effect of the edge on a step, precomputed from the
/// [`Bounds`]; and the axis that points up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Space<V> {
    edge: Edge,
    min: V,
    max: V,
    size: V,
    /// The length of the diagonal.
    diagonal: f32,
    up: Up,
}

impl<V: Vector> Default for Space<V> {
    fn default() -> Self {
        Self::OPEN
    }
}

impl<V: Vector> Space<V> {
    /// All of space, without an edge.
    pub const OPEN: Self = Self {
        edge: Edge::Open,
        min: V::ZERO,
        max: V::ZERO,
        size: V::ZERO,
        diagonal: 0.0,
        up: Up::Z,
    };

    /// The space inside `bounds`, or all of it, with z up.
    pub fn new(bounds: Option<Bounds<V>>) -> Self {
        bounds.map_or_else(Self::default, |b| {
            let size = b.max - b.min;
            Self { edge: b.edge, min: b.min, max: b.max, size, diagonal: size.length(), up: Up::Z }
        })
    }

    /// The same space with this axis up: z, unless it is set. In the plane it has no effect.
    ///
    /// ```
    /// use wayfare::{glam::Vec3, spatial::space::Space, vector::Up};
    /// let space = Space::<Vec3>::OPEN.with_up(Up::Y);
    /// assert_eq!(space.up().left(Vec3::X), -Vec3::Z);
    /// ```
    #[must_use]
    pub fn with_up(self, up: Up) -> Self {
        Self { up, ..self }
    }

    /// The axis that points up.
    #[inline(always)]
    pub fn up(&self) -> Up {
        self.up
    }

    /// Whether the world is wrapped at its edges ([`Edge::Wrap`]).
    #[inline(always)]
    pub fn wraps(&self) -> bool {
        self.edge == Edge::Wrap
    }

    /// The effect of the edge.
    pub(crate) fn edge(&self) -> Edge {
        self.edge
    }

    /// The corner with the smallest coordinates; zero without bounds.
    pub(crate) fn min(&self) -> V {
        self.min
    }

    /// The extent on each axis; zero without bounds.
    pub(crate) fn size(&self) -> V {
        self.size
    }

    /// The length of the diagonal; zero without bounds.
    pub(crate) fn diagonal(&self) -> f32 {
        self.diagonal
    }

    /// The offset from `a` to `b`, both inside the bounds; in a wrapped world the shortest one,
    /// which may cross the edge.
    #[inline(always)]
    pub fn difference(&self, a: V, b: V) -> V {
        let d = b - a;
        if !self.wraps() {
            return d;
        }
        V::from_fn(|i| {
            let (x, size) = (d.axis(i), self.size.axis(i));
            let half = size * 0.5;
            if x > half {
                x - size
            } else if x < -half {
                x + size
            } else {
                x
            }
        })
    }

    /// The offset from `b` to its image nearest to `a`, both inside the bounds: zero, or plus or
    /// minus the extent of the world on some axes.
    pub(crate) fn image_offset(&self, a: V, b: V) -> V {
        V::from_fn(|i| {
            let (x, size) = (b.axis(i) - a.axis(i), self.size.axis(i));
            if x > size * 0.5 {
                -size
            } else if x < -size * 0.5 {
                size
            } else {
                0.0
            }
        })
    }

    /// The offsets from a point inside the bounds to itself and to its images in the adjacent
    /// worlds; only zero unless the world is wrapped.
    pub(crate) fn image_offsets(&self) -> impl Iterator<Item = V> + use<V> {
        let (size, count) =
            (self.size, if self.wraps() { 3_usize.pow(V::DIMENSION as u32) } else { 1 });
        let sign = move |image: usize, axis: u32| {
            if count == 1 { 0.0 } else { (image / 3_usize.pow(axis) % 3) as f32 - 1.0 }
        };
        (0..count).map(move |image| V::from_fn(|axis| size.axis(axis) * sign(image, axis as u32)))
    }

    /// The shortest offsets for several differences of positions: [`difference`](Self::difference)
    /// without a branch.
    #[inline(always)]
    pub(crate) fn shortest<L: Simd>(&self, mut d: SimdVector<L>) -> SimdVector<L> {
        if self.wraps() {
            for i in 0..V::DIMENSION {
                let (size, half) = (L::splat(self.size.axis(i)), L::splat(self.size.axis(i) * 0.5));
                let x = d.0[i];
                // Only "less or equal" exists: "above half" is its complement.
                let backward = size - size.or_zero(x.le(half));
                let forward = size - size.or_zero((-half).le(x));
                d.0[i] = x - backward + forward;
            }
        }
        d
    }

    /// The image of `b` that is nearest to `a`: formulas that subtract positions then get the
    /// shortest offset.
    ///
    /// `a` is inside the bounds; `b`, which may come from a scene, need not be.
    #[inline(always)]
    pub fn image(&self, a: V, b: V) -> V {
        if self.wraps() { self.image_across(a, b) } else { b }
    }

    #[inline(never)]
    fn image_across(&self, a: V, b: V) -> V {
        a + self.difference(a, self.wrapped(b))
    }

    /// The position and velocity after a step to `position` (length) with `velocity` (length /
    /// time), once the edge has applied: wrapped, held at the wall without the velocity towards it,
    /// or mirrored at it with that velocity reversed. An open space changes nothing.
    #[inline(always)]
    pub fn constrain(&self, position: V, velocity: V) -> (V, V) {
        match self.edge {
            Edge::Open => (position, velocity),
            Edge::Wrap => (self.wrapped(position), velocity),
            Edge::Wall
                if (0..V::DIMENSION).all(|i| {
                    self.min.axis(i) <= position.axis(i) && position.axis(i) <= self.max.axis(i)
                }) =>
            {
                (position, velocity)
            }
            Edge::Wall => {
                let held = position.max(self.min).min(self.max);
                let velocity = V::from_fn(|i| {
                    let v = velocity.axis(i);
                    let outward = (position.axis(i) < self.min.axis(i) && v < 0.0)
                        || (position.axis(i) > self.max.axis(i) && v > 0.0);
                    if outward { 0.0 } else { v }
                });
                (held, velocity)
            }
            Edge::Bounce => (
                V::from_fn(|i| self.mirrored(i, position.axis(i))),
                self.reflected(position, velocity, 0.0),
            ),
        }
    }

    /// The coordinate `x` on axis `i`, mirrored at the edge that it is beyond; a jump beyond the
    /// other edge too ends there.
    #[inline(always)]
    fn mirrored(&self, i: usize, x: f32) -> f32 {
        let (min, max) = (self.min.axis(i), self.max.axis(i));
        if x < min {
            let mirrored = min + (min - x);
            if mirrored <= max { mirrored } else { max }
        } else if x > max {
            let mirrored = max - (x - max);
            if min <= mirrored { mirrored } else { min }
        } else {
            x
        }
    }

    /// `velocity` without its part that points outward at a `position` beyond the bounds, or less
    /// than `reach` (length) inside them: that part is reversed.
    #[inline(always)]
    pub(crate) fn reflected(&self, position: V, velocity: V, reach: f32) -> V {
        V::from_fn(|i| {
            let (x, v) = (position.axis(i), velocity.axis(i));
            let outward = (x < self.min.axis(i) + reach && v < 0.0)
                || (x > self.max.axis(i) - reach && v > 0.0);
            if outward { -v } else { v }
        })
    }

    /// [`constrain`](Self::constrain) for several agents at once. It does not wrap positions:
    /// [`wrapped`](Self::wrapped) does.
    #[inline(always)]
    pub(crate) fn constrain_simd<L: Simd>(
        &self,
        mut position: SimdVector<L>,
        mut velocity: SimdVector<L>,
    ) -> (SimdVector<L>, SimdVector<L>) {
        if !self.edge.has_walls() {
            return (position, velocity);
        }
        for i in 0..V::DIMENSION {
            let (min, max, zero) =
                (L::splat(self.min.axis(i)), L::splat(self.max.axis(i)), L::splat(0.0));
            let (x, v) = (position.0[i], velocity.0[i]);
            // The outward part is removed or reversed: negative components below `min`, positive
            // ones above `max`.
            if self.edge == Edge::Wall {
                let v = L::select(min.le(x), v, L::select(zero.le(v), v, zero));
                velocity.0[i] = L::select(x.le(max), v, L::select(v.le(zero), v, zero));
                position.0[i] = max.min(min.max(x));
            } else {
                let inward = L::select(min.le(x), v, L::select(zero.le(v), v, -v));
                velocity.0[i] = L::select(x.le(max), inward, L::select(v.le(zero), v, -v));
                let (low, high) = (min + (min - x), max - (x - max));
                let low = L::select(low.le(max), low, max);
                let high = L::select(min.le(high), high, min);
                position.0[i] = L::select(min.le(x), L::select(x.le(max), x, high), low);
            }
        }
        (position, velocity)
    }

    /// The walls of a space whose edge has walls: for each its inward unit normal, and the distance
    /// of `p` from it (length; negative outside), axis by axis, the lower one first.
    pub(crate) fn walls(&self, p: V) -> impl Iterator<Item = (V, f32)> + use<V> {
        let axes = if self.edge.has_walls() { V::DIMENSION } else { 0 };
        let (min, max) = (self.min, self.max);
        (0..axes).flat_map(move |i| {
            let normal = V::from_fn(|k| if k == i { 1.0 } else { 0.0 });
            [(normal, p.axis(i) - min.axis(i)), (-normal, max.axis(i) - p.axis(i))]
        })
    }

    /// `position`, in a wrapped world its image inside the bounds.
    #[inline(always)]
    pub(crate) fn inside(&self, position: V) -> V {
        if self.wraps() { self.wrapped(position) } else { position }
    }

    /// The image of `position` inside the bounds: every coordinate from `min` (included) to `max`
    /// (excluded).
    pub(crate) fn wrapped(&self, position: V) -> V {
        V::from_fn(|i| {
            let (min, max, size) = (self.min.axis(i), self.max.axis(i), self.size.axis(i));
            let mut x = position.axis(i);
            if x < min || x >= max {
                // One extent is the usual case, and exact; a longer jump takes the quotient.
                x = if x >= min - size && x < max + size {
                    if x < min { x + size } else { x - size }
                } else {
                    x - size * libm::floorf((x - min) / size)
                };
                if !(x >= min && x < max) {
                    x = min;
                }
            }
            x
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec2, vec2};

    fn space(edge: Edge) -> Space<Vec2> {
        Space::new(Some(Bounds { min: vec2(10.0, 0.0), max: vec2(110.0, 50.0), edge }))
    }

    #[test]
    fn a_difference_crosses_the_edge_where_that_is_shorter() {
        let wrap = space(Edge::Wrap);
        assert_eq!(wrap.difference(vec2(15.0, 5.0), vec2(105.0, 45.0)), vec2(-10.0, -10.0));
        assert_eq!(wrap.difference(vec2(105.0, 45.0), vec2(15.0, 5.0)), vec2(10.0, 10.0));
        assert_eq!(wrap.difference(vec2(20.0, 5.0), vec2(60.0, 25.0)), vec2(40.0, 20.0));
        assert_eq!(wrap.image(vec2(15.0, 5.0), vec2(105.0, 45.0)), vec2(5.0, -5.0));
        assert_eq!(
            space(Edge::Open).difference(vec2(15.0, 5.0), vec2(105.0, 45.0)),
            vec2(90.0, 40.0)
        );
    }

    #[test]
    fn an_agent_that_leaves_on_one_side_enters_on_the_other_after_a_jump_of_any_length() {
        let wrap = space(Edge::Wrap);
        assert_eq!(wrap.constrain(vec2(115.0, -5.0), Vec2::X).0, vec2(15.0, 45.0));
        assert_eq!(wrap.constrain(vec2(110.0, 50.0), Vec2::X).0, vec2(10.0, 0.0));
        assert_eq!(wrap.constrain(vec2(1_015.0, -505.0), Vec2::X).0, vec2(15.0, 45.0));
        let tiny = wrap.constrain(vec2(9.999_999_9, -1e-9), Vec2::X).0;
        assert!(tiny.x >= 10.0 && tiny.x < 110.0 && tiny.y >= 0.0 && tiny.y < 50.0, "{tiny}");
    }

    #[test]
    fn a_wall_holds_the_position_and_removes_only_the_outward_velocity() {
        assert_eq!(
            space(Edge::Wall).constrain(vec2(120.0, 20.0), vec2(3.0, 1.0)),
            (vec2(110.0, 20.0), vec2(0.0, 1.0))
        );
        assert_eq!(
            space(Edge::Wall).constrain(vec2(5.0, -1.0), vec2(3.0, -1.0)),
            (vec2(10.0, 0.0), vec2(3.0, 0.0))
        );
    }

    #[test]
    fn a_reflecting_edge_mirrors_the_position_and_reverses_only_the_outward_velocity() {
        let bounce = space(Edge::Bounce);
        let (held, inside) = ((vec2(100.0, 20.0), vec2(-3.0, 1.0)), (vec2(12.0, 7.0), Vec2::ONE));
        assert_eq!(bounce.constrain(vec2(120.0, 20.0), vec2(3.0, 1.0)), held);
        assert_eq!(bounce.constrain(inside.0, inside.1), inside);
        // In a corner both components are reversed; a velocity inward stays.
        assert_eq!(
            bounce.constrain(vec2(5.0, -1.0), vec2(-3.0, -1.0)),
            (vec2(15.0, 1.0), vec2(3.0, 1.0))
        );
        assert_eq!(bounce.constrain(vec2(5.0, 9.0), vec2(3.0, 0.0)).1, vec2(3.0, 0.0));
        // A jump over the whole world ends inside.
        assert_eq!(bounce.constrain(vec2(-500.0, 900.0), Vec2::ONE).0, vec2(110.0, 0.0));
    }
}
