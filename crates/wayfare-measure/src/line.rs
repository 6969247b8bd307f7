//! Lines that agents cross, by PedPy's definition.
//!
//! A step crosses the line where the segment of the step and the line have a point in common and
//! the step does not end on the line (PedPy, `compute_crossing_frames`). A step that ends on the
//! line does not cross it, the step that begins there does. A position less than 1e-5 from the line
//! is on it, for the beginning of a step as well: PedPy loses a crossing by a step that ends beyond
//! the line and less than 1e-5 from it.

use wayfare::Vector;

use crate::error::Fault;
use crate::frame::Body;
use crate::world::{Flat, MeasuredWorld, flat};

/// The distance up to which a position is on the line (length).
const ON_LINE: f64 = 1e-5;

/// A line on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) from: Flat,
    pub(crate) to: Flat,
}

impl Line {
    /// The line between two points of the scene.
    pub(crate) fn new<V: Vector>(ends: &[V], world: &MeasuredWorld) -> Result<Self, Fault> {
        let allowed = || "two ends apart, such as [[100, 50], [300, 50]]".to_string();
        let [from, to] = ends else {
            return Err(("line", format!("`line` has {} points", ends.len()), allowed()));
        };
        let line = Self { from: flat(world.up, *from), to: flat(world.up, *to) };
        if line.length() > 0.0 {
            return Ok(line);
        }
        Err(("line", "`line` has no length".to_string(), allowed()))
    }

    pub(crate) fn length(&self) -> f64 {
        distance(self.from, self.to)
    }

    /// The unit vector to the right of the line, as PedPy's normal.
    pub(crate) fn normal(&self) -> Flat {
        let length = self.length();
        [(self.to[1] - self.from[1]) / length, (self.from[0] - self.to[0]) / length]
    }

    /// Whether the step of an agent between two ticks crosses the line, and if so, whether to its
    /// left.
    pub(crate) fn crossing(
        &self,
        before: &Body,
        now: &Body,
        world: &MeasuredWorld,
    ) -> Option<bool> {
        let step = world.offset(before.position, now.position);
        let [x, y] = before.flat();
        if !world.wraps {
            return self.crossed([x, y], [x + step[0], y + step[1]]);
        }
        let shifts = world.images(false);
        let mut images = shifts.iter().map(|shift| [x + shift[0], y + shift[1]]);
        images.find_map(|[x, y]| self.crossed([x, y], [x + step[0], y + step[1]]))
    }

    /// The same for a step from `p` to `q`.
    fn crossed(&self, p: Flat, q: Flat) -> Option<bool> {
        let touches = segments_touch(p, q, self.from, self.to) || self.distance(p) < ON_LINE;
        (touches && self.distance(q) >= ON_LINE).then(|| side(self.from, self.to, q) > 0.0)
    }

    /// The distance from a point to the line.
    fn distance(&self, p: Flat) -> f64 {
        let along = [self.to[0] - self.from[0], self.to[1] - self.from[1]];
        let offset = [p[0] - self.from[0], p[1] - self.from[1]];
        let square = along[0] * along[0] + along[1] * along[1];
        let part = ((offset[0] * along[0] + offset[1] * along[1]) / square).clamp(0.0, 1.0);
        distance(p, [self.from[0] + part * along[0], self.from[1] + part * along[1]])
    }
}

pub(crate) fn distance(p: Flat, q: Flat) -> f64 {
    let (x, y) = (q[0] - p[0], q[1] - p[1]);
    (x * x + y * y).sqrt()
}

/// Above zero where `p` is to the left of the line from `a` to `b`.
pub(crate) fn side(a: Flat, b: Flat, p: Flat) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

/// Whether two closed segments have a point in common.
fn segments_touch(p: Flat, q: Flat, a: Flat, b: Flat) -> bool {
    let (sp, sq) = (side(a, b, p), side(a, b, q));
    let (sa, sb) = (side(p, q, a), side(p, q, b));
    let apart = |x: f64, y: f64| (x > 0.0 && y > 0.0) || (x < 0.0 && y < 0.0);
    if apart(sp, sq) || apart(sa, sb) {
        return false;
    }
    // On one line they touch where their extents do.
    (0..2).all(|i| {
        let (low, high) = (a[i].min(b[i]), a[i].max(b[i]));
        p[i].min(q[i]) <= high && p[i].max(q[i]) >= low
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: Line = Line { from: [0.0, 0.0], to: [10.0, 0.0] };

    #[test]
    fn a_step_that_ends_on_the_line_does_not_cross_it_and_the_one_that_begins_there_does() {
        let crossings = |ys: &[f64]| {
            ys.windows(2).filter_map(|w| LINE.crossed([5.0, w[0]], [5.0, w[1]])).collect::<Vec<_>>()
        };
        assert_eq!(crossings(&[-1.0, 1.0]), [true]);
        assert_eq!(crossings(&[-1.0, 0.0]), []);
        assert_eq!(crossings(&[-1.0, 0.0, 1.0]), [true]);
        assert_eq!(crossings(&[1.0, 0.0, 0.0, -1.0]), [false]);
        // PedPy counts a return from the line as well.
        assert_eq!(crossings(&[-1.0, 0.0, -1.0]), [false]);
        assert_eq!(crossings(&[-1.0, 0.9e-5, 1.0]), [true]);
    }

    #[test]
    fn a_step_through_an_end_crosses_and_a_step_beside_it_does_not() {
        assert_eq!(LINE.crossed([10.0, -1.0], [10.0, 1.0]), Some(true));
        assert_eq!(LINE.crossed([10.1, -1.0], [10.1, 1.0]), None);
        assert_eq!(LINE.crossed([11.0, 0.0], [12.0, 0.0]), None);
        assert_eq!(LINE.crossed([9.0, 0.0], [12.0, 0.0]), Some(false));
    }

    #[test]
    fn the_normal_points_to_the_right_of_the_line() {
        assert_eq!(LINE.normal(), [0.0, -1.0]);
    }
}
