//! Shapes: obstacles, areas, exits.

use wayfare::crowd::range;
use wayfare::geometry::obstacle::Shape;
use wayfare::vector::Vector;

use super::{ANGLE, Key, Table, ValueKind, optional, required};
use crate::decode::{Decoder, to_f32};
use crate::document::Node;

pub(crate) static CIRCLE: Table = Table {
    name: "circle",
    doc: "A circle; in space a ball.",
    keys: &[
        required("center", ValueKind::Point, "[200, 150]", "Its center."),
        required("radius", ValueKind::Number(range::RADIUS), "40", "Its radius."),
    ],
    one_of: &[],
    needs: &[],
    example: "{ center = [200, 150], radius = 40 }",
};

pub(crate) static BOX: Table = Table {
    name: "box",
    doc: "A box by two corners, or by its center and size.",
    keys: &[
        optional(
            "min",
            ValueKind::Point,
            "",
            "[0, 0]",
            "The corner with the smallest coordinates; with `max`.",
        ),
        optional(
            "max",
            ValueKind::Point,
            "",
            "[10, 10]",
            "The corner with the largest coordinates; with `min`.",
        ),
        optional("center", ValueKind::Point, "", "[5, 5]", "Its center; with `size`."),
        optional(
            "size",
            ValueKind::Size,
            "",
            "[10, 10]",
            "Its lengths along the axes; with `center`.",
        ),
        optional(
            "angle",
            ValueKind::Number(ANGLE),
            "0",
            "25",
            "The angle by which it is turned about its center, counter-clockwise where y points \
             up, in space seen from above; with `center`.",
        ),
    ],
    one_of: &[&["min", "max"], &["center", "size"]],
    needs: &[
        ("min", "max"),
        ("max", "min"),
        ("center", "size"),
        ("size", "center"),
        ("angle", "center"),
    ],
    example: "{ min = [0, 0], max = [10, 10] } or { center = [5, 5], size = [10, 10] }",
};

pub(crate) static SEGMENT: Table = Table {
    name: "segment",
    doc: "A wall from point to point, with round ends.",
    keys: &[
        required("from", ValueKind::Point, "[180, 330]", "One end."),
        required("to", ValueKind::Point, "[230, 410]", "The other end."),
        optional("thickness", ValueKind::Number(range::RADIUS), "0", "10", "Its full width."),
    ],
    one_of: &[],
    needs: &[],
    example: "{ from = [180, 330], to = [230, 410], thickness = 10 }",
};

pub(super) const AS_CIRCLE: Key =
    optional("circle", ValueKind::Table(&CIRCLE), "", CIRCLE.example, "A circle; in space a ball.");
pub(super) const AS_BOX: Key = optional(
    "box",
    ValueKind::Table(&BOX),
    "",
    "{ min = [0, 0], max = [10, 10] }",
    "A box; in space it is turned about z.",
);
pub(super) const AS_SEGMENT: Key =
    optional("segment", ValueKind::Table(&SEGMENT), "", SEGMENT.example, "A wall with round ends.");
pub(super) const AS_POLYGON: Key = optional(
    "polygon",
    ValueKind::Corners,
    "",
    "[[470, 290], [540, 270], [530, 340]]",
    "Its corners in the order of its outline, which must not cross itself; in space their \
     coordinates on the ground, x and y or with `up = \"y\"` x and z, of a vertical prism.",
);

pub(crate) static OBSTACLE: Table = Table {
    name: "obstacle",
    doc: "A shape that `avoid_obstacles` keeps away from: one of these.",
    keys: &[AS_CIRCLE, AS_BOX, AS_SEGMENT, AS_POLYGON],
    one_of: &[&["circle"], &["box"], &["segment"], &["polygon"]],
    needs: &[],
    example: "{ circle = { center = [200, 150], radius = 40 } }",
};

/// A shape with an inside.
pub(crate) static AREA: Table = Table {
    name: "area",
    doc: "A shape in which random points are drawn: one of these.",
    keys: &[AS_CIRCLE, AS_BOX],
    one_of: &[&["circle"], &["box"]],
    needs: &[],
    example: "{ box = { min = [0, 0], max = [10, 10] } }",
};

impl Decoder {
    pub(super) fn obstacles<V: Vector>(&mut self, node: &Node) -> Vec<Shape<V>> {
        let items = self
            .list("obstacle", node, "a list of tables, each under [[obstacle]]")
            .unwrap_or_default();
        // A stand-in keeps the indices of the obstacles after it.
        let stand_in = Shape::Circle { center: V::ZERO, radius: 0.0 };
        items
            .iter()
            .map(|item| self.shape("obstacle", item).unwrap_or_else(|| stand_in.clone()))
            .collect()
    }

    /// `circle = { … }`, `box = { … }`, `segment = { … }` or `polygon = [ … ]`.
    pub(crate) fn shape<V: Vector>(&mut self, key: &str, node: &Node) -> Option<Shape<V>> {
        let (kind, inner) = self.one_of(key, node, &OBSTACLE)?;
        self.shape_of(kind, inner)
    }

    pub(crate) fn shape_of<V: Vector>(&mut self, kind: &str, node: &Node) -> Option<Shape<V>> {
        match kind {
            "circle" => {
                let keys = self.described_table(kind, node, &CIRCLE)?;
                let (center, radius) = (keys.point(self, "center"), keys.number(self, "radius"));
                Some(Shape::Circle { center: center?, radius: to_f32(radius?) })
            }
            "box" => self.box_shape(node),
            "segment" => {
                let keys = self.described_table(kind, node, &SEGMENT)?;
                let (from, to) = (keys.point(self, "from"), keys.point(self, "to"));
                let thickness = keys.number_or(self, "thickness", 0.0);
                Some(Shape::Segment { from: from?, to: to?, thickness: to_f32(thickness?) })
            }
            _ => Some(Shape::Polygon { points: self.corners(node)? }),
        }
    }

    fn box_shape<V: Vector>(&mut self, node: &Node) -> Option<Shape<V>> {
        let keys = self.described_table("box", node, &BOX)?;
        let entries = node.table().unwrap_or_default();
        let has = |key| node.get(key).is_some();
        let by_corners = has("min") || has("max");
        let (needed, other) = if by_corners {
            (["min", "max"], ["center", "size", "angle"])
        } else {
            (["center", "size"], ["min", "max", ""])
        };
        if entries.iter().all(|entry| BOX.key(&entry.key).is_none()) {
            if entries.is_empty() {
                self.wrong("box", node, format!("a table such as {}", BOX.example));
            }
            return None;
        }
        for misplaced in entries.iter().filter(|entry| other.contains(&entry.key.as_str())) {
            self.problem(
                misplaced.span.clone(),
                format!("`{}` stands beside `min` and `max` in `box`", misplaced.key),
                BOX.example,
            );
        }
        for key in needed.into_iter().filter(|key| !has(key)) {
            self.problem(self.head_of(node), format!("`box` has no `{key}`"), BOX.example);
        }
        if by_corners {
            let (min, max): (Option<V>, Option<V>) =
                (keys.point(self, "min"), keys.point(self, "max"));
            if let (Some(min), Some(max), Some(at)) = (min, max, keys.get("max"))
                && (0..V::DIMENSION).any(|i| max.axis(i) < min.axis(i))
            {
                self.problem(
                    at.span.clone(),
                    "`max` is below `min`",
                    "a `max` that is at least `min` on every axis",
                );
                return None;
            }
            return Some(Shape::box_between(min?, max?));
        }
        let center = keys.point(self, "center");
        let size: Option<V> = keys.get("size").and_then(|n| {
            let allowed = if V::DIMENSION == 2 {
                "lengths along x and y such as [90, 50]"
            } else {
                "lengths along x, y and z such as [90, 50, 20]"
            };
            self.axes("size", n, allowed, range::RADIUS)
        });
        let angle = keys.number_or(self, "angle", 0.0);
        Some(Shape::Box { center: center?, half: size? * 0.5, angle: to_f32(angle?.to_radians()) })
    }

    /// The one shape in a table that takes one of `known` beside other keys: `None` where the node
    /// is no table, `Some(None)` where the shape cannot be read.
    pub(super) fn shape_in<V: Vector>(
        &mut self,
        node: &Node,
        table: &'static Table,
        known: &[&str],
    ) -> Option<Option<Shape<V>>> {
        let (before, name) = (self.problems.len(), table.name);
        let entries = self.described_entries(name, node, table)?;
        // Reading the shape overwrites the misspelt keys of this table.
        let misspelt = self.misspelt.clone();
        let shapes: Vec<_> =
            entries.iter().filter(|entry| known.contains(&entry.key.as_str())).collect();
        let shape = match shapes[..] {
            [shape] => self.shape_of(&shape.key, &shape.node),
            [_, second, ..] => {
                self.problem(
                    second.span.clone(),
                    format!("`{name}` has {} shapes", shapes.len()),
                    format!("one shape: begin another [[{name}]]"),
                );
                None
            }
            [] => {
                if self.problems.len() == before {
                    let allowed = format!("one of {}, such as {}", known.join(", "), table.example);
                    self.problem(self.head_of(node), format!("`{name}` has no shape"), allowed);
                }
                None
            }
        };
        self.misspelt = misspelt;
        Some(shape)
    }
}
