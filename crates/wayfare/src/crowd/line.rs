//! Lines that count crossings by direction.
//!
//! A position exactly on a line counts as left of the line. A step through the line's first end
//! crosses the line, a step through its second end does not: so each step is counted once where
//! lines are joined end to end. Sides are computed in `f64`, exact except for positions very far
//! apart.

use super::setup::Line;
use crate::id::LineId;
use crate::spatial::space::Space;
use crate::vector::{Up, Vector};

/// A line, and the number of its crossings since the start.
#[derive(Clone, Debug, PartialEq)]
pub struct LineCount<V> {
    /// The id of the line.
    pub id: LineId,
    /// The line.
    pub line: Line<V>,
    /// The number of crossings to the left of the line: the left of a heading along the line, (-y,
    /// x), in 3D as seen from above.
    pub left: u64,
    /// The number of crossings to the right of the line.
    pub right: u64,
    /// The ends of the line, shifted so that the middle is inside a wrapped world.
    from: [f64; 2],
    to: [f64; 2],
    middle: V,
}

impl<V: Vector> LineCount<V> {
    pub(super) fn new(id: LineId, line: Line<V>, space: &Space<V>) -> Self {
        let middle = (line.from + line.to) * 0.5;
        let inside = space.inside(middle);
        let shifted = |p: V| shift(p, inside - middle, space.up());
        Self {
            id,
            from: shifted(line.from),
            to: shifted(line.to),
            middle: inside,
            line,
            left: 0,
            right: 0,
        }
    }

    /// Whether the step from `p` to `q`, along the shortest offset, crosses the line, and if so,
    /// whether to the left.
    pub(super) fn crossing(&self, p: V, q: V, space: &Space<V>) -> Option<bool> {
        if !space.wraps() {
            let up = space.up();
            return self.crossed(shift(p, V::ZERO, up), shift(q, V::ZERO, up));
        }
        // The image of the step whose start is nearest to the line, and the image whose end is.
        // Both are tested, as a long step may cross the line in one image only.
        let by_start = space.image_offset(self.middle, p);
        let by_end = space.image_offset(self.middle, q);
        let images = [
            (by_start, by_start + space.image_offset(p, q)),
            (by_end + space.image_offset(q, p), by_end),
        ];
        let up = space.up();
        images.iter().find_map(|&(at_p, at_q)| self.crossed(shift(p, at_p, up), shift(q, at_q, up)))
    }

    fn crossed(&self, p: [f64; 2], q: [f64; 2]) -> Option<bool> {
        let left = |at| side(self.from, self.to, at) >= 0.0;
        let (before, after) = (left(p), left(q));
        if before == after {
            return None;
        }
        // The step is reversed if it leads to the right, so that both directions agree on steps
        // through an end.
        let (p, q) = if after { (p, q) } else { (q, p) };
        (side(p, q, self.from) >= 0.0 && side(p, q, self.to) < 0.0).then_some(after)
    }

    pub(super) fn count(&mut self, to_left: bool) {
        *(if to_left { &mut self.left } else { &mut self.right }) += 1;
    }
}

/// The first two coordinates of `p + by` in the world with z up.
fn shift<V: Vector>(p: V, by: V, up: Up) -> [f64; 2] {
    let (p, by) = (up.to_z_up(p), up.to_z_up(by));
    [0, 1].map(|i| f64::from(p.axis(i)) + f64::from(by.axis(i)))
}

/// Above zero where `p` is to the left of the segment from `a` to `b`.
fn side(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::space::{Bounds, Edge};
    use glam::{Vec2, vec2, vec3};

    fn line(from: Vec2, to: Vec2) -> LineCount<Vec2> {
        LineCount::new(LineId(0), Line::new("line", from, to), &Space::OPEN)
    }

    fn open(line: &LineCount<Vec2>, p: (f32, f32), q: (f32, f32)) -> Option<bool> {
        line.crossing(p.into(), q.into(), &Space::OPEN)
    }

    #[test]
    fn crossings_are_counted_by_the_direction_relative_to_the_line() {
        let along_x = line(vec2(0.0, 0.0), vec2(10.0, 0.0));
        assert_eq!(open(&along_x, (5.0, -1.0), (4.0, 1.0)), Some(true));
        assert_eq!(open(&along_x, (4.0, 1.0), (5.0, -1.0)), Some(false));
        assert_eq!(open(&along_x, (11.0, -1.0), (11.0, 1.0)), None);
        assert_eq!(open(&along_x, (5.0, 1.0), (5.0, 9.0)), None);
        assert_eq!(
            open(&line(vec2(10.0, 0.0), vec2(0.0, 0.0)), (5.0, -1.0), (4.0, 1.0)),
            Some(false)
        );
        // In 3D the projection counts, at any height.
        let high = LineCount::new(
            LineId(0),
            Line::new("", vec3(0.0, 0.0, 5.0), vec3(10.0, 0.0, 5.0)),
            &Space::OPEN,
        );
        assert_eq!(
            high.crossing(vec3(5.0, -1.0, 90.0), vec3(5.0, 1.0, -90.0), &Space::OPEN),
            Some(true)
        );
    }

    #[test]
    fn a_stop_on_the_line_counts_once_and_a_return_counts_in_both_directions() {
        let along_x = line(vec2(0.0, 0.0), vec2(10.0, 0.0));
        let count = |positions: &[f32]| {
            let steps =
                positions.windows(2).filter_map(|w| open(&along_x, (5.0, w[0]), (5.0, w[1])));
            steps.fold(
                (0, 0),
                |(left, right), to_left| {
                    if to_left { (left + 1, right) } else { (left, right + 1) }
                },
            )
        };
        assert_eq!(count(&[-1.0, 0.0, 0.0, 1.0]), (1, 0));
        assert_eq!(count(&[1.0, 0.0, -0.0, -1.0]), (0, 1));
        assert_eq!(count(&[-1.0, 0.0, -1.0]), (1, 1));
        assert_eq!(count(&[1.0, 0.0, 1.0]), (0, 0));
    }

    #[test]
    fn exactly_one_of_two_joined_lines_is_crossed_at_the_joint() {
        for corner in [vec2(5.0, 0.0), vec2(5.0, 2.0)] {
            let lines = [line(vec2(0.0, 0.0), corner), line(corner, vec2(10.0, 0.0))];
            for step in [((5.0, -9.0), (5.0, 9.0)), ((3.0, -2.0 + corner.y), (7.0, 2.0 + corner.y))]
            {
                let count =
                    |p, q| lines.iter().filter_map(|line| open(line, p, q)).collect::<Vec<_>>();
                assert_eq!(
                    (count(step.0, step.1), count(step.1, step.0)),
                    (vec![true], vec![false]),
                    "{step:?} through {corner}"
                );
            }
        }
        // In both directions the first end belongs to a line and the second end does not.
        let along_x = line(vec2(0.0, 0.0), vec2(10.0, 0.0));
        assert_eq!(
            [open(&along_x, (0.0, -1.0), (0.0, 1.0)), open(&along_x, (0.0, 1.0), (0.0, -1.0))],
            [Some(true), Some(false)]
        );
        assert_eq!(
            [open(&along_x, (10.0, -1.0), (10.0, 1.0)), open(&along_x, (10.0, 1.0), (10.0, -1.0))],
            [None, None]
        );
    }

    #[test]
    fn a_step_across_the_edge_of_a_wrapped_world_follows_the_shortest_offset() {
        let space = Space::new(Some(Bounds {
            min: vec2(0.0, 0.0),
            max: vec2(100.0, 100.0),
            edge: Edge::Wrap,
        }));
        let cross = |from: Vec2, to: Vec2, p: Vec2, q: Vec2| {
            LineCount::new(LineId(0), Line::new("", from, to), &space).crossing(p, q, &space)
        };
        // A step from 98 to 3 does not cross a line in the middle.
        assert_eq!(
            cross(vec2(50.0, 0.0), vec2(50.0, 100.0), vec2(98.0, 50.0), vec2(3.0, 50.0)),
            None
        );
        // At both edges, on either side of each edge, and in other images of the world.
        for x in [99.0, 1.0, 101.0, -1.0, 299.0] {
            assert_eq!(
                cross(vec2(x, 40.0), vec2(x, 60.0), vec2(98.0, 50.0), vec2(3.0, 50.0)),
                Some(false),
                "at {x}"
            );
            assert_eq!(
                cross(vec2(x, 40.0), vec2(x, 60.0), vec2(3.0, 50.0), vec2(98.0, 50.0)),
                Some(true),
                "at {x}"
            );
        }
        // A line as wide as the world is crossed on either side of the edge.
        for (p, q) in [
            (vec2(98.0, 49.0), vec2(2.5, 51.0)),
            (vec2(97.0, 49.0), vec2(1.0, 51.0)),
            (vec2(50.0, 49.0), vec2(50.0, 51.0)),
        ] {
            assert_eq!(cross(vec2(0.0, 50.0), vec2(100.0, 50.0), p, q), Some(true), "{p} to {q}");
        }
    }
}
