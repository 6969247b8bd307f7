//! Paths to follow: points with a half width, open or closed, or curves flattened to points.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::geometry::obstacle::nearest_on_segment;
use crate::spatial::space::Space;
use crate::vector::Vector;

mod pieces;

use pieces::Pieces;

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
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        from = "Written<V>",
        into = "Written<V>",
        bound(serialize = "V: Vector + serde::Serialize"),
        bound(deserialize = "V: Vector + serde::Deserialize<'de>")
    )
)]
pub struct Path<V> {
    points: Vec<V>,
    /// The half width (length): an agent within this distance of a point has reached it.
    pub radius: f32,
    closed: bool,
    pieces: Box<Pieces>,
}

/// What a path is made of, as it is written.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Path", deny_unknown_fields)]
struct Written<V> {
    points: Vec<V>,
    radius: f32,
    closed: bool,
}

#[cfg(feature = "serde")]
impl<V: Vector> From<Written<V>> for Path<V> {
    fn from(Written { points, radius, closed }: Written<V>) -> Self {
        Self::new(points, radius, closed)
    }
}

#[cfg(feature = "serde")]
impl<V> From<Path<V>> for Written<V> {
    fn from(Path { points, radius, closed, .. }: Path<V>) -> Self {
        Self { points, radius, closed }
    }
}

impl<V: PartialEq> PartialEq for Path<V> {
    fn eq(&self, other: &Self) -> bool {
        // The rest follows from these.
        (&self.points, self.radius, self.closed) == (&other.points, other.radius, other.closed)
    }
}

impl<V: Vector> Path<V> {
    /// A path through `points`, at least one, in the order of travel, with the half width `radius`
    /// (length); the last point of a closed one is joined to the first.
    pub fn new(points: Vec<V>, radius: f32, closed: bool) -> Self {
        let mut path = Self { points, radius, closed, pieces: Box::default() };
        *path.pieces = Pieces::new(&path.pieces().collect::<Vec<_>>());
        path
    }

    /// The points in the order of travel.
    pub fn points(&self) -> &[V] {
        &self.points
    }

    /// Whether the last point is joined to the first.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The same path through other points.
    #[must_use]
    pub fn through(&self, points: Vec<V>) -> Self {
        Self::new(points, self.radius, self.closed)
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
        (0..count).map(move |i| self.piece(i))
    }

    fn piece(&self, i: usize) -> (V, V) {
        let next = if i + 1 < self.points.len() { i + 1 } else { 0 };
        (self.points[i], self.points[next])
    }

    /// The total length of its segments.
    pub fn length(&self) -> f32 {
        self.pieces.starts.last().copied().unwrap_or(0.0)
    }

    /// The point of the path that is nearest to `p`, and its distance along the path (length); the
    /// first in a tie.
    pub fn project(&self, p: V) -> (V, f32) {
        let start = self.points.first().copied().unwrap_or(V::ZERO);
        let Some(number) = self.pieces.nearest(p, start) else { return (start, 0.0) };
        let (a, b) = self.piece(number);
        let q = nearest_on_segment(p, a, b);
        (q, self.pieces.starts[number] + (q - a).length())
    }

    /// The index of the point that follows the point of the path nearest to `p`: the first point
    /// where that itself is nearest, and the later one of a segment otherwise; the first in a tie.
    pub fn next_point(&self, p: V) -> usize {
        let start = self.points.first().copied().unwrap_or(V::ZERO);
        self.pieces.nearest(p, start).map_or(0, |number| (number + 1) % self.points.len())
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

    /// The first piece for which `is_in` holds, given its number, the distance from its start to
    /// the one `along` the path, and its length (lengths); with that distance.
    fn piece_at(
        &self,
        along: f32,
        is_in: impl Fn(usize, f32, f32) -> bool,
    ) -> Option<(usize, f32)> {
        let length = self.length();
        let mut rest = if self.closed && length > 0.0 {
            along - length * libm::floorf(along / length)
        } else {
            along
        };
        for (number, piece) in self.pieces.lengths.iter().enumerate() {
            if is_in(number, rest, *piece) {
                return Some((number, rest));
            }
            rest -= piece;
        }
        None
    }

    /// The point at the distance `along` the path (length): clamped to the ends of an open path,
    /// modulo the length of a closed one.
    pub fn point_at(&self, along: f32) -> V {
        if let Some((number, rest)) = self.piece_at(along, |_, rest, length| rest <= length) {
            let (a, b) = self.piece(number);
            return a + (b - a).unit() * rest.max(0.0);
        }
        let last = if self.closed { self.points.first() } else { self.points.last() };
        last.copied().unwrap_or(V::ZERO)
    }

    /// The unit direction of travel at the distance `along` the path (length), taken as in
    /// [`point_at`](Self::point_at): at a corner that of the segment behind it, at the end of an
    /// open path that of the last one; zero for a path without a length.
    pub fn direction_at(&self, along: f32) -> V {
        // A piece between two equal points has no direction.
        let has_direction = |number: usize| {
            let (a, b) = self.piece(number);
            a != b
        };
        let found =
            self.piece_at(along, |number, rest, length| rest < length && has_direction(number));
        let last = || (0..self.pieces.lengths.len()).rfind(|number| has_direction(*number));
        let number = found.map(|(number, _)| number).or_else(last);
        number.map_or(V::ZERO, |number| {
            let (a, b) = self.piece(number);
            (b - a).unit()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
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

    /// The point of the path nearest to `p` and its distance along the path, piece by piece.
    fn projected<V: Vector>(path: &Path<V>, p: V) -> (V, f32) {
        let start = path.points()[0];
        let (mut best, mut before) = (((p - start).length_squared(), start, 0.0), 0.0);
        for (a, b) in path.pieces() {
            let q = nearest_on_segment(p, a, b);
            if (p - q).length_squared() < best.0 {
                best = ((p - q).length_squared(), q, before + (q - a).length());
            }
            before += (b - a).length();
        }
        (best.1, best.2)
    }

    fn assert_projections<V: Vector>(count: usize, size: f32, lattice: bool) {
        let mut random = Random::new(8, count as u32, 0, 0);
        let mut point = || {
            let p = V::from_fn(|_| random.between(-size, size));
            // Many points are equally near, and some follow each other in one place.
            if lattice { p.map(|x| (x * 3.0 / size).round() * size) } else { p }
        };
        let points: Vec<V> = (0..count).map(|_| point()).collect();
        for closed in [false, true] {
            let path = Path::new(points.clone(), 1.0, closed);
            for _ in 0..50 {
                let p = point();
                assert_eq!(path.project(p), projected(&path, p), "{p:?} on {path:?}");
            }
        }
    }

    #[test]
    fn a_projection_is_that_of_a_search_of_all_pieces_bit_for_bit() {
        for count in [1, 2, 3, 9, 25, 26, 70, 600] {
            for (size, lattice) in [(1.0, true), (40.0, false), (1e9, false)] {
                assert_projections::<Vec2>(count, size, lattice);
                assert_projections::<Vec3>(count, size, lattice);
            }
        }
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
