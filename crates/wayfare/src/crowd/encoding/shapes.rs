//! Encodes shapes, and the positions of groups.

use super::bytes::Writer;
use crate::crowd::setup::Spawn;
use crate::geometry::obstacle::Shape;
use crate::vector::Vector;

impl Writer {
    pub(in crate::crowd) fn positions<V: Vector>(&mut self, positions: &Spawn<V>) {
        match positions {
            Spawn::Inside(shape) => {
                self.u8(0);
                self.shape(shape);
            }
            Spawn::Grid { origin, spacing, columns, rows } => {
                self.u8(1);
                self.vector(*origin);
                self.f32(*spacing);
                self.u32(*columns);
                self.u32(*rows);
            }
            Spawn::Points(points) => {
                self.u8(2);
                self.vectors(points);
            }
            Spawn::Ring { center, radius, turn } => {
                self.u8(3);
                self.vector(*center);
                self.f32(*radius);
                self.f32(*turn);
            }
            Spawn::Apart(shape) => {
                self.u8(4);
                self.shape(shape);
            }
            Spawn::Along(path) => {
                self.u8(5);
                self.index(path.0);
            }
        }
    }

    pub(in crate::crowd) fn shape<V: Vector>(&mut self, shape: &Shape<V>) {
        match shape {
            Shape::Circle { center, radius } => {
                self.u8(0);
                self.vector(*center);
                self.f32(*radius);
            }
            Shape::Box { center, half, angle } => {
                self.u8(1);
                self.vector(*center);
                self.vector(*half);
                self.f32(*angle);
            }
            Shape::Segment { from, to, thickness } => {
                self.u8(2);
                self.vector(*from);
                self.vector(*to);
                self.f32(*thickness);
            }
            Shape::Polygon { points } => {
                self.u8(3);
                self.vectors(points);
            }
        }
    }
}
