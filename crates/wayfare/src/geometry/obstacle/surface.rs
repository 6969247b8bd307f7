//! The surfaces of obstacles near a point, for what walks along walls.

use super::{Obstacle, Shape, edges, nearest_on_segment};
use crate::vector::Vector;

impl<V: Vector> Obstacle<V> {
    /// Visits the surfaces nearer than `reach` to `p`, each with its outward unit normal at its
    /// point nearest to `p`, and its signed distance (length; negative inside).
    ///
    /// Each edge of a polygon is a surface, in their order; from inside, a polygon is one surface,
    /// as every other shape is.
    #[inline(always)]
    pub(crate) fn surfaces(&self, p: V, reach: f32, visit: &mut impl FnMut(V, f32)) {
        if !self.touches(p.map(|x| x - reach), p.map(|x| x + reach)) {
            return;
        }
        if let Shape::Polygon { points } = &self.shape {
            return self.edges_near(points, p, reach, visit);
        }
        let distance = self.distance(p);
        if distance < reach {
            visit(self.outward(p), distance);
        }
    }

    #[inline(never)]
    fn edges_near(&self, points: &[glam::Vec2], p: V, reach: f32, visit: &mut impl FnMut(V, f32)) {
        let distance = self.distance(p);
        if distance >= reach {
            return;
        }
        if distance <= 0.0 {
            return visit(self.outward(p), distance);
        }
        let up = self.up();
        let flat = up.ground(p);
        for (a, b) in edges(points) {
            let offset = flat - nearest_on_segment(flat, a, b);
            let distance = Vector::length(offset);
            if distance < reach {
                visit(up.from_ground(Vector::unit(offset)), distance);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec2, vec2};

    fn surfaces(shape: Shape<Vec2>, p: Vec2, reach: f32) -> Vec<(Vec2, f32)> {
        let mut found = Vec::new();
        Obstacle::from(shape).surfaces(p, reach, &mut |normal, distance| {
            found.push((normal, distance));
        });
        found
    }

    #[test]
    fn a_polygon_has_a_surface_for_each_edge_near_a_point_outside_and_one_inside() {
        // An L whose inner corner is (2, 2).
        let points = [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (2.0, 2.0), (2.0, 4.0), (0.0, 4.0)];
        let polygon = || Shape::Polygon { points: points.map(|(x, y)| vec2(x, y)).to_vec() };
        let corner = surfaces(polygon(), vec2(2.5, 2.25), 1.0);
        assert_eq!(corner, [(Vec2::Y, 0.25), (Vec2::X, 0.5)]);
        assert_eq!(surfaces(polygon(), vec2(2.5, 2.25), 0.5), [(Vec2::Y, 0.25)]);
        assert_eq!(surfaces(polygon(), vec2(1.0, 0.25), 1.0), [(-Vec2::Y, -0.25)]);
        let disc = Shape::Circle { center: Vec2::ZERO, radius: 1.0 };
        assert_eq!(surfaces(disc, vec2(0.0, 1.5), 1.0), [(Vec2::Y, 0.5)]);
    }
}
