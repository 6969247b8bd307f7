//! Points and rectangles of pictures, and clipping.
//!
//! Everything is computed in `f64` and clipped before it reaches the rasterizer: a world may be
//! 1e18 wide, and a rasterizer is accurate only for coordinates of the size of a screen.

use core::ops::{Add, Mul, Sub};

use wayfare::glam::Vec2;

/// A point or a vector (pixels, unless stated otherwise).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

pub(super) const fn point(x: f64, y: f64) -> Point {
    Point { x, y }
}

impl Point {
    pub(super) fn length(self) -> f64 {
        // Scaled by the larger side, so that no square overflows.
        let large = self.x.abs().max(self.y.abs());
        if large == 0.0 {
            0.0
        } else {
            large
                * ((self.x / large) * (self.x / large) + (self.y / large) * (self.y / large)).sqrt()
        }
    }

    /// The unit vector in this direction; zero for zero.
    pub(super) fn unit(self) -> Point {
        let length = self.length();
        if length == 0.0 { self } else { self * (1.0 / length) }
    }

    /// The vector turned by a quarter turn.
    pub(super) fn across(self) -> Point {
        point(-self.y, self.x)
    }

    fn axis(self, i: usize) -> f64 {
        if i == 0 { self.x } else { self.y }
    }
}

impl From<Vec2> for Point {
    fn from(v: Vec2) -> Self {
        point(f64::from(v.x), f64::from(v.y))
    }
}

impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        point(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        point(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Point;
    fn mul(self, factor: f64) -> Point {
        point(self.x * factor, self.y * factor)
    }
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) low: Point,
    pub(super) high: Point,
}

impl Rect {
    pub(super) fn new(low: Point, high: Point) -> Self {
        Self { low, high }
    }

    /// The smallest rectangle that contains `p` and `before`.
    pub(super) fn around(before: Option<Self>, p: Point) -> Self {
        let Rect { low, high } = before.unwrap_or(Rect::new(p, p));
        Rect::new(point(low.x.min(p.x), low.y.min(p.y)), point(high.x.max(p.x), high.y.max(p.y)))
    }

    /// The rectangle enlarged by `by` on all four sides.
    pub(super) fn grown(self, by: f64) -> Self {
        Rect::new(self.low - point(by, by), self.high + point(by, by))
    }

    pub(super) fn width(self) -> f64 {
        self.high.x - self.low.x
    }

    pub(super) fn height(self) -> f64 {
        self.high.y - self.low.y
    }

    pub(super) fn middle(self) -> Point {
        (self.low + self.high) * 0.5
    }

    pub(super) fn holds(self, p: Point) -> bool {
        (self.low.x..=self.high.x).contains(&p.x) && (self.low.y..=self.high.y).contains(&p.y)
    }

    pub(super) fn corners(self) -> [Point; 4] {
        [self.low, point(self.high.x, self.low.y), self.high, point(self.low.x, self.high.y)]
    }

    /// The part of the line from `a` to `b` inside, as fractions of its length (Liang and Barsky,
    /// 1984).
    pub(super) fn part(self, a: Point, b: Point) -> Option<(f64, f64)> {
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        let offset = b - a;
        for i in 0..2 {
            let (start, offset, low, high) =
                (a.axis(i), offset.axis(i), self.low.axis(i), self.high.axis(i));
            if offset == 0.0 {
                if start < low || start > high {
                    return None;
                }
                continue;
            }
            let (one, two) = ((low - start) / offset, (high - start) / offset);
            enter = enter.max(one.min(two));
            leave = leave.min(one.max(two));
        }
        (enter <= leave).then_some((enter, leave))
    }

    /// The part of the line from `a` to `b` inside.
    pub(super) fn cut(self, a: Point, b: Point) -> Option<(Point, Point)> {
        // An end inside is kept exactly.
        let at = |t: f64| {
            if t == 0.0 {
                a
            } else if t == 1.0 {
                b
            } else {
                a + (b - a) * t
            }
        };
        self.part(a, b).map(|(enter, leave)| (at(enter), at(leave)))
    }

    /// The part of a polygon inside (Sutherland and Hodgman, 1974). Parts of a concave polygon can
    /// be connected along the edge.
    pub(super) fn cut_polygon(self, points: &[Point]) -> Vec<Point> {
        let mut points = points.to_vec();
        for (axis, bound, sign) in [
            (0, self.low.x, 1.0),
            (0, self.high.x, -1.0),
            (1, self.low.y, 1.0),
            (1, self.high.y, -1.0),
        ] {
            let depth = |p: Point| (p.axis(axis) - bound) * sign;
            let before = core::mem::take(&mut points);
            for (i, &b) in before.iter().enumerate() {
                let a = before[(i + before.len() - 1) % before.len()];
                let (from, to) = (depth(a), depth(b));
                if (from < 0.0) != (to < 0.0) {
                    points.push(a + (b - a) * (from / (from - to)));
                }
                if to >= 0.0 {
                    points.push(b);
                }
            }
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: Rect = Rect { low: point(0.0, 0.0), high: point(10.0, 10.0) };

    #[test]
    fn a_line_is_clipped() {
        assert_eq!(
            SQUARE.cut(point(-5.0, 5.0), point(5.0, 5.0)),
            Some((point(0.0, 5.0), point(5.0, 5.0)))
        );
        assert_eq!(
            SQUARE.cut(point(1.0, 2.0), point(3.0, 4.0)),
            Some((point(1.0, 2.0), point(3.0, 4.0)))
        );
        assert_eq!(SQUARE.cut(point(-5.0, 0.0), point(0.0, 20.0)), None);
        assert_eq!(SQUARE.cut(point(-5.0, 11.0), point(5.0, 11.0)), None);
        let (a, b) = SQUARE.cut(point(-1e18, 5.0), point(1e18, 5.0)).unwrap();
        assert!(a.x.abs() < 500.0 && b.x.abs() < 500.0 && a.y == 5.0);
    }

    #[test]
    fn a_polygon_is_clipped() {
        let triangle = [point(-10.0, 5.0), point(5.0, -10.0), point(5.0, 5.0)];
        let cut = SQUARE.cut_polygon(&triangle);
        assert!(cut.iter().all(|&p| SQUARE.holds(p)), "{cut:?}");
        assert!(
            cut.contains(&point(5.0, 5.0))
                && cut.contains(&point(5.0, 0.0))
                && cut.contains(&point(0.0, 5.0)),
            "{cut:?}"
        );
        assert!(SQUARE.cut_polygon(&triangle.map(|p| p + point(100.0, 0.0))).is_empty());
        assert_eq!(SQUARE.cut_polygon(&point(5.0, 5.0).around(1e18)).len(), 4);
    }

    impl Point {
        fn around(self, by: f64) -> [Point; 4] {
            Rect::new(self, self).grown(by).corners()
        }
    }
}
