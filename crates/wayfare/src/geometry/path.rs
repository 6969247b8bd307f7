//! Paths to follow: points with a half width, open or closed, or curves flattened to points.

use alloc::vec::Vec;

use crate::geometry::obstacle::nearest_on_segment;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The kinds of curve that a path's points can describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Curve {
    /// Cubic Bézier pieces that share their ends: 3 n + 1 points (closed: 3 n), of which every
    /// third is passed through.
    Bezier,
    /// A uniform Catmull-Rom spline (E. Catmull and R. Rom, 1974) through every point; an open one
    /// doubles its ends.
    CatmullRom,
}

impl Curve {
    /// The words of the scene format, in the order of the variants.
    pub const WORDS: &'static [&'static str] = &["bezier", "catmull_rom"];
}

/// A path: its points, flattened where it was a curve, and its half width.
///
/// ```
/// use wayfare::{geometry::path::Path, glam::vec2};
/// let beat = Path::new(vec![vec2(0.0, 0.0), vec2(100.0, 0.0), vec2(100.0, 50.0)], 5.0, false);
/// assert_eq!(beat.length(), 150.0);
/// assert_eq!(beat.point_at(120.0), vec2(100.0, 20.0));
/// // The nearest point of the path, and its distance along the path.
/// assert_eq!(beat.project(vec2(25.0, -9.0)), (vec2(25.0, 0.0), 25.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Path<V> {
    /// The points in the order of travel; at least one.
    pub points: Vec<V>,
    /// The half width (length): an agent within this distance of a point has reached it.
    pub radius: f32,
    /// Whether the last point is joined to the first.
    pub closed: bool,
}

impl<V: Vector> Path<V> {
    /// A path through `points` with the half width `radius` (length).
    pub fn new(points: Vec<V>, radius: f32, closed: bool) -> Self {
        Self { points, radius, closed }
    }

    /// A curved path, flattened so that no part of the curve is farther than `tolerance` (length,
    /// above zero) from the lines.
    ///
    /// A Bézier curve uses whole pieces only; points beyond the last whole piece are left out. The
    /// tolerance is at least a millionth of the curve's extent, which bounds the number of
    /// points. Points that are not finite are not joined by a curve.
    pub fn curved(curve: Curve, points: &[V], radius: f32, closed: bool, tolerance: f32) -> Self {
        let Some(&first) = points.first().filter(|_| points.iter().all(|p| p.is_finite())) else {
            return Self::new(points.to_vec(), radius, closed);
        };
        let tolerance =
            tolerance.max(Self::default_tolerance(points) * 1e-3).max(f32::MIN_POSITIVE);
        let mut flat = vec![first];
        let n = points.len();
        let at = |i: usize| points[i % n];
        match curve {
            Curve::Bezier => {
                let pieces = if closed { n / 3 } else { (n - 1) / 3 };
                for k in 0..pieces {
                    V::flatten_cubic([0, 1, 2, 3].map(|j| at(3 * k + j)), tolerance, &mut flat);
                }
            }
            Curve::CatmullRom => {
                let pieces = if closed { n } else { n - 1 };
                for k in 0..pieces {
                    let before = if k > 0 {
                        at(k - 1)
                    } else if closed {
                        at(n - 1)
                    } else {
                        at(k)
                    };
                    let after = if k + 2 < n || closed { at(k + 2) } else { at(k + 1) };
                    let (a, d) = (at(k), at(k + 1));
                    V::flatten_cubic(
                        [a, a + (d - before) * (1.0 / 6.0), d - (after - a) * (1.0 / 6.0), d],
                        tolerance,
                        &mut flat,
                    );
                }
            }
        }
        if closed && flat.len() > 1 && flat[flat.len() - 1] == first {
            flat.pop();
        }
        Self::new(flat, radius, closed)
    }

    /// The default tolerance of a curve through `points` (length): a thousandth of its extent.
    pub fn default_tolerance(points: &[V]) -> f32 {
        let first = points.first().copied().unwrap_or(V::ZERO);
        let (low, high) =
            points.iter().fold((first, first), |(low, high), p| (low.min(*p), high.max(*p)));
        (high - low).length() * 1e-3
    }

    /// The segments from point to point, including the closing one.
    pub fn pieces(&self) -> impl Iterator<Item = (V, V)> + '_ {
        let n = self.points.len();
        let count = if self.closed && n > 1 { n } else { n.saturating_sub(1) };
        (0..count).map(move |i| (self.points[i], self.points[(i + 1) % n]))
    }

    /// The total length of its segments.
    pub fn length(&self) -> f32 {
        self.pieces().map(|(a, b)| (b - a).length()).sum()
    }

    /// The point of the path that is nearest to `p`, and its distance along the path (length); the
    /// first in a tie.
    pub fn project(&self, p: V) -> (V, f32) {
        let start = self.points.first().copied().unwrap_or(V::ZERO);
        let mut best = ((p - start).length_squared(), start, 0.0);
        let mut before = 0.0;
        for (a, b) in self.pieces() {
            let q = nearest_on_segment(p, a, b);
            let squared = (p - q).length_squared();
            if squared < best.0 {
                best = (squared, q, before + (q - a).length());
            }
            before += (b - a).length();
        }
        (best.1, best.2)
    }

    /// The index of the point that follows the point of the path nearest to `p`: the first point
    /// where that itself is nearest, and the later one of a segment otherwise; the first in a tie.
    pub fn next_point(&self, p: V) -> usize {
        let start = self.points.first().copied().unwrap_or(V::ZERO);
        let mut best = ((p - start).length_squared(), 0);
        for (i, (a, b)) in self.pieces().enumerate() {
            let squared = (p - nearest_on_segment(p, a, b)).length_squared();
            if squared < best.0 {
                best = (squared, (i + 1) % self.points.len());
            }
        }
        best.1
    }

    /// The image of `p` that is nearest to the path in a wrapped `space`, the first in a tie; `p`
    /// itself in other spaces. `p` is inside the bounds, the path need not be.
    pub(crate) fn nearest_image(&self, space: &Space<V>, p: V) -> V {
        let start = self.points.first().copied().unwrap_or(p);
        if !space.wraps() {
            return p;
        }
        let p = p + (start - space.wrapped(start));
        let squared = |image: V| (image - self.project(image).0).length_squared();
        let first = (f32::INFINITY, p);
        let nearer = |best: (f32, V), image: V| {
            let squared = squared(image);
            if squared < best.0 { (squared, image) } else { best }
        };
        space.image_offsets().map(|turn| p + turn).fold(first, nearer).1
    }

    /// The point at the distance `along` the path (length): clamped to the ends of an open path,
    /// modulo the length of a closed one.
    pub fn point_at(&self, along: f32) -> V {
        let length = self.length();
        let mut rest = if self.closed && length > 0.0 {
            along - length * libm::floorf(along / length)
        } else {
            along
        };
        for (a, b) in self.pieces() {
            let piece = (b - a).length();
            if rest <= piece {
                return a + (b - a).unit() * rest.max(0.0);
            }
            rest -= piece;
        }
        let last = if self.closed { self.points.first() } else { self.points.last() };
        last.copied().unwrap_or(V::ZERO)
    }

    /// The unit direction of travel at the distance `along` the path (length), taken as in
    /// [`point_at`](Self::point_at): at a corner that of the segment behind it, at the end of an
    /// open path that of the last one; zero for a path without a length.
    pub fn direction_at(&self, along: f32) -> V {
        let length = self.length();
        let mut rest = if self.closed && length > 0.0 {
            along - length * libm::floorf(along / length)
        } else {
            along
        };
        let mut direction = V::ZERO;
        for (a, b) in self.pieces().filter(|(a, b)| a != b) {
            let piece = (b - a).length();
            direction = (b - a).unit();
            if rest < piece {
                break;
            }
            rest -= piece;
        }
        direction
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec2, Vec3, vec2, vec3};

    #[test]
    fn a_point_is_projected_on_the_nearest_segment_and_the_distance_leads_back_to_it() {
        let path = Path::new(vec![vec2(0.0, 0.0), vec2(100.0, 0.0), vec2(100.0, 50.0)], 5.0, false);
        assert_eq!(path.length(), 150.0);
        assert_eq!(path.project(vec2(25.0, 20.0)), (vec2(25.0, 0.0), 25.0));
        assert_eq!(path.project(vec2(130.0, 25.0)), (vec2(100.0, 25.0), 125.0));
        assert_eq!(path.point_at(125.0), vec2(100.0, 25.0));
        assert_eq!(
            (path.point_at(-5.0), path.point_at(999.0)),
            (vec2(0.0, 0.0), vec2(100.0, 50.0))
        );
    }

    #[test]
    fn the_next_point_ends_the_nearest_segment() {
        let corners = vec![vec2(0.0, 0.0), vec2(100.0, 0.0), vec2(100.0, 50.0)];
        let next = |closed, p| Path::new(corners.clone(), 5.0, closed).next_point(p);
        assert_eq!([vec2(-9.0, 0.0), vec2(25.0, 20.0)].map(|p| next(false, p)), [0, 1]);
        assert_eq!([vec2(100.0, 0.0), vec2(130.0, 25.0)].map(|p| next(false, p)), [1, 2]);
        assert_eq!([vec2(130.0, 90.0), vec2(50.0, 30.0)].map(|p| next(false, p)), [2, 1]);
        assert_eq!(next(true, vec2(50.0, 30.0)), 0);
    }

    #[test]
    fn the_direction_at_a_corner_is_that_of_the_segment_behind_it() {
        let corners = vec![vec2(0.0, 0.0), vec2(10.0, 0.0), vec2(10.0, 0.0), vec2(10.0, 5.0)];
        let path = Path::new(corners.clone(), 1.0, false);
        let directions = [-1.0, 9.0, 10.0, 15.0, 99.0].map(|along| path.direction_at(along));
        assert_eq!(directions, [Vec2::X, Vec2::X, Vec2::Y, Vec2::Y, Vec2::Y]);
        let loop_of_them = Path::new(corners, 1.0, true);
        assert_eq!(loop_of_them.direction_at(15.0), vec2(-10.0, -5.0).normalize());
        assert_eq!(loop_of_them.direction_at(loop_of_them.length() + 1.0), Vec2::X);
        assert_eq!(Path::new(vec![vec2(3.0, 3.0); 2], 1.0, false).direction_at(0.0), Vec2::ZERO);
    }

    #[test]
    fn distances_along_a_closed_path_are_modulo_its_length() {
        let path = Path::new(vec![vec2(0.0, 0.0), vec2(30.0, 0.0), vec2(30.0, 40.0)], 5.0, true);
        assert_eq!(path.length(), 120.0);
        assert_eq!(path.point_at(130.0), vec2(10.0, 0.0));
        assert_eq!(path.point_at(-10.0), path.point_at(110.0));
    }

    #[test]
    fn a_flattened_curve_stays_within_its_tolerance_and_passes_its_points() {
        // A Bézier quarter of a circle of radius 100: its own error is 0.027, the flattening may
        // add 0.1.
        let k = 55.228_474;
        let corners = [vec2(100.0, 0.0), vec2(100.0, k), vec2(k, 100.0), vec2(0.0, 100.0)];
        let path = Path::curved(Curve::Bezier, &corners, 5.0, false, 0.1);
        assert!(path.points.len() > 5 && path.points.len() < 40, "{}", path.points.len());
        assert_eq!((path.points[0], path.points[path.points.len() - 1]), (corners[0], corners[3]));
        assert!(path.pieces().all(|(a, b)| ((a + b) * 0.5).length() > 99.85), "{path:?}");

        let through = [
            vec3(0.0, 0.0, 0.0),
            vec3(10.0, 5.0, 2.0),
            vec3(20.0, -5.0, 4.0),
            vec3(30.0, 0.0, 0.0),
        ];
        let spline = Path::<Vec3>::curved(Curve::CatmullRom, &through, 1.0, false, 0.01);
        assert!(through.iter().all(|p| spline.points.contains(p)));
        let ring = Path::<Vec2>::curved(
            Curve::CatmullRom,
            &[vec2(0.0, 0.0), vec2(10.0, 0.0), vec2(5.0, 8.0)],
            1.0,
            true,
            0.01,
        );
        assert!(ring.closed && ring.points[0] != ring.points[ring.points.len() - 1]);
    }
}
