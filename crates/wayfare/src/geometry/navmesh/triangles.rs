//! The free part of an area as triangles, and the corners that routes may turn at.
//!
//! Half-edge `3 t + k` runs along side `k` of triangle `t`, counter-clockwise.

use alloc::vec::Vec;
use core::mem;

use spade::handles::FixedVertexHandle;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation as _};

use super::exact::{Point, turn};
use super::outline::{Area, Buffers, Outline};

/// No half-edge, corner or triangle.
pub(super) const NONE: u32 = u32::MAX;

/// The half-edge after `h` around its triangle.
#[inline]
pub(super) fn next(h: u32) -> u32 {
    if h % 3 == 2 { h - 2 } else { h + 1 }
}

/// The half-edge before `h` around its triangle.
#[inline]
pub(super) fn prev(h: u32) -> u32 {
    if h.is_multiple_of(3) { h + 2 } else { h - 1 }
}

/// A corner of an obstacle: a point of the outline around which the free triangles span at least
/// half a turn. Only there does a shortest route turn. Where obstacles touch in a point, each free
/// side of it is a corner of its own, so that no route leads through the point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) point: Point,
    /// The half-edges that leave the corner in its first and last triangle, counter-clockwise.
    pub(super) first: u32,
    pub(super) last: u32,
    /// The other end of the outline's edge on the first triangle, and on the last.
    pub(super) ahead: Point,
    pub(super) behind: Point,
}

/// The free triangles.
#[derive(Clone, Debug, Default)]
pub(super) struct Triangles {
    pub(super) points: Vec<Point>,
    /// For each half-edge the index of the point where it starts.
    start: Vec<u32>,
    /// For each half-edge the one of the next triangle along the same side; [`NONE`] on the
    /// outline.
    pub(super) twin: Vec<u32>,
    /// For each half-edge the corner where it starts, if that is one.
    pub(super) corner: Vec<u32>,
    pub(super) corners: Vec<Corner>,
    /// For each triangle the lowest triangle that is connected with it.
    pub(super) island: Vec<u32>,
}

/// For each triangle whether it is free. Those with no piece of the outline between them are alike:
/// the largest of them decides, as rounding can leave slivers on the wrong side.
fn free_faces(cdt: &ConstrainedDelaunayTriangulation<Point2<f64>>, area: &Area<'_>) -> Vec<bool> {
    let mut is_free = vec![false; cdt.num_all_faces()];
    let mut is_known = is_free.clone();
    let (mut region, mut near) = (Vec::new(), Buffers::default());
    for first in cdt.inner_faces() {
        if mem::replace(&mut is_known[first.fix().index()], true) {
            continue;
        }
        region.clear();
        region.push(first);
        let (mut next, mut largest) = (0, first);
        while let Some(&face) = region.get(next) {
            next += 1;
            if face.area() > largest.area() {
                largest = face;
            }
            for edge in face.adjacent_edges().into_iter().filter(|e| !e.is_constraint_edge()) {
                if let Some(other) = edge.rev().face().as_inner()
                    && !mem::replace(&mut is_known[other.fix().index()], true)
                {
                    region.push(other);
                }
            }
        }
        let [a, b, c] = largest.positions();
        let third = 1.0 / 3.0;
        let middle = Point { x: (a.x + b.x + c.x) * third, y: (a.y + b.y + c.y) * third };
        if !area.is_blocked(middle, &mut near) {
            region.iter().for_each(|face| is_free[face.fix().index()] = true);
        }
    }
    is_free
}

impl Triangles {
    /// Triangulates the free part of `area`, whose outline this is; `None` if pieces of the outline
    /// cross each other after rounding.
    pub(super) fn new(area: &Area<'_>, outline: &Outline) -> Option<Self> {
        let points = outline.points.iter().map(|p| Point2::new(p.x, p.y)).collect();
        let mut cdt =
            ConstrainedDelaunayTriangulation::<Point2<f64>>::bulk_load_cdt(points, Vec::new())
                .ok()?;
        for piece in &outline.pieces {
            let [a, b] = piece.map(FixedVertexHandle::from_index);
            if cdt.try_add_constraint(a, b).is_empty() {
                return None;
            }
        }
        let mut index = vec![NONE; cdt.num_all_faces()];
        let mut faces = Vec::new();
        let is_free = free_faces(&cdt, area);
        for face in cdt.inner_faces().filter(|face| is_free[face.fix().index()]) {
            index[face.fix().index()] = faces.len() as u32;
            faces.push(face);
        }
        let mut triangles = Self { points: outline.points.clone(), ..Self::default() };
        for face in &faces {
            for edge in face.adjacent_edges() {
                triangles.start.push(edge.from().index() as u32);
                let twin = edge.rev();
                let other = twin.face().as_inner().map_or(NONE, |f| index[f.fix().index()]);
                let side = || {
                    let sides = twin.face().as_inner()?.adjacent_edges();
                    sides.iter().position(|side| side.fix() == twin.fix())
                };
                let twin = side().filter(|_| other != NONE).map_or(NONE, |k| 3 * other + k as u32);
                triangles.twin.push(twin);
            }
        }
        triangles.find_islands();
        triangles.find_corners();
        Some(triangles)
    }

    /// The number of triangles.
    pub(super) fn len(&self) -> usize {
        self.island.len()
    }

    /// The start point of half-edge `h` (length).
    #[inline]
    pub(super) fn start(&self, h: u32) -> Point {
        self.points[self.start[h as usize] as usize]
    }

    /// The end point of half-edge `h` (length).
    #[inline]
    pub(super) fn end(&self, h: u32) -> Point {
        self.start(next(h))
    }

    /// The corners of triangle `t`, counter-clockwise.
    pub(super) fn triangle(&self, t: u32) -> [Point; 3] {
        [3 * t, 3 * t + 1, 3 * t + 2].map(|h| self.start(h))
    }

    /// The middle of triangle `t`.
    pub(super) fn middle(&self, t: u32) -> Point {
        let [a, b, c] = self.triangle(t);
        Point { x: (a.x + b.x + c.x) / 3.0, y: (a.y + b.y + c.y) / 3.0 }
    }

    /// Whether `p` is in triangle `t` or on its edge.
    pub(super) fn contains(&self, t: u32, p: Point) -> bool {
        let [a, b, c] = self.triangle(t);
        turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0
    }

    /// Whether `t` is the only triangle that contains `p`; false for [`NONE`].
    pub(super) fn surrounds(&self, t: u32, p: Point) -> bool {
        (t as usize) < self.len() && {
            let [a, b, c] = self.triangle(t);
            turn(a, b, p) > 0.0 && turn(b, c, p) > 0.0 && turn(c, a, p) > 0.0
        }
    }

    /// The half-edges on the outline, with the free side on their left.
    pub(super) fn boundary(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.twin).filter(|(_, twin)| **twin == NONE).map(|(h, _)| h)
    }

    fn find_islands(&mut self) {
        let count = self.start.len() / 3;
        self.island = vec![NONE; count];
        let mut stack = Vec::new();
        for t in 0..count as u32 {
            if self.island[t as usize] != NONE {
                continue;
            }
            self.island[t as usize] = t;
            stack.push(t);
            while let Some(inside) = stack.pop() {
                for h in 3 * inside..3 * inside + 3 {
                    let twin = self.twin[h as usize];
                    if twin != NONE && self.island[(twin / 3) as usize] == NONE {
                        self.island[(twin / 3) as usize] = t;
                        stack.push(twin / 3);
                    }
                }
            }
        }
    }

    fn find_corners(&mut self) {
        self.corner = vec![NONE; self.start.len()];
        let boundary: Vec<u32> = self.boundary().collect();
        for first in boundary {
            // Counter-clockwise around the point where `first` starts.
            let mut last = first;
            while let twin = self.twin[prev(last) as usize]
                && twin != NONE
            {
                last = twin;
            }
            let (point, ahead, behind) =
                (self.start(first), self.end(first), self.start(prev(last)));
            if turn(point, behind, ahead) < 0.0 {
                continue;
            }
            let corner = self.corners.len() as u32;
            self.corners.push(Corner { point, first, last, ahead, behind });
            let mut h = first;
            loop {
                self.corner[h as usize] = corner;
                if h == last {
                    break;
                }
                h = self.twin[prev(h) as usize];
            }
        }
    }
}
