//! Flow fields: vectors, or directions of the shortest paths to a goal.

use wayfare::geometry::flow_field::{CELL, CLEARANCE, FieldPlan, MOST_CELLS};
use wayfare::geometry::obstacle::Shape;
use wayfare::spatial::space::Bounds;
use wayfare::vector::Vector;

use super::{OBSTACLE, Table, ValueKind, optional, required};
use crate::decode::{Decoder, TableNode, to_f32};
use crate::document::Node;

pub(crate) static FIELD: Table = Table {
    name: "field",
    doc: "Directions in cells that `follow_flow` follows: the shortest paths to a goal, or \
          vectors.",
    keys: &[
        optional(
            "goal",
            ValueKind::Tables(&OBSTACLE),
            "",
            OBSTACLE.example,
            "Shapes: the directions lead to the nearest one, by the shortest path around the \
             obstacles.",
        ),
        optional(
            "vectors",
            ValueKind::Points(1),
            "",
            "[[1, 0], [0.5, 0.5], [0, 1], [0.5, 0.5]]",
            "A vector for each cell, row by row, as a part of the top speed. A longer vector \
             counts as 1 long.",
        ),
        required("cell", ValueKind::Number(CELL), "4", "The width of a cell."),
        optional(
            "clearance",
            ValueKind::Number(CLEARANCE),
            "0",
            "6",
            "The distance that the paths keep from obstacles.",
        ),
        optional(
            "area",
            ValueKind::Table(&EXTENT),
            "",
            EXTENT.example,
            "The part of the world with cells; the bounds unless given.",
        ),
        optional(
            "origin",
            ValueKind::Point,
            "",
            "[0, 0]",
            "The corner of the first cell with the smallest coordinates; that of the bounds, or \
             zero, unless given.",
        ),
        optional(
            "columns",
            ValueKind::Integer(1, MOST_CELLS as u64),
            "",
            "2",
            "The number of cells in a row, along x.",
        ),
        optional(
            "rows",
            ValueKind::Integer(1, MOST_CELLS as u64),
            "",
            "2",
            "The number of rows in a layer, along y, with `up = \"y\"` along z; all rows unless \
             given.",
        ),
    ],
    one_of: &[&["goal"], &["vectors"]],
    needs: &[
        ("clearance", "goal"),
        ("area", "goal"),
        ("origin", "vectors"),
        ("columns", "vectors"),
        ("rows", "vectors"),
        ("vectors", "columns"),
    ],
    example: "{ goal = [{ circle = { center = [600, 40], radius = 20 } }], cell = 4 }",
};

/// A box by its corners only.
pub(crate) static EXTENT: Table = Table {
    name: "extent",
    doc: "A box that is not turned.",
    keys: &[
        required("min", ValueKind::Point, "[0, 0]", "The corner with the smallest coordinates."),
        required(
            "max",
            ValueKind::Point,
            "[640, 480]",
            "The corner with the largest coordinates, above `min` on every axis.",
        ),
    ],
    one_of: &[],
    needs: &[],
    example: "{ min = [0, 0], max = [640, 480] }",
};

impl Decoder {
    pub(super) fn flow_fields<V: Vector>(
        &mut self,
        node: &Node,
        bounds: Option<&Bounds<V>>,
    ) -> Vec<(String, FieldPlan<V>)> {
        let entries = self.named_tables("field", node, &FIELD, "[field.way_out]");
        entries
            .iter()
            .map(|entry| (entry.key.clone(), self.flow_field(&entry.key, &entry.node, bounds)))
            .collect()
    }

    fn flow_field<V: Vector>(
        &mut self,
        name: &str,
        node: &Node,
        bounds: Option<&Bounds<V>>,
    ) -> FieldPlan<V> {
        // The stand-in for what cannot be read passes the library's validation.
        let stand_in = FieldPlan::Vectors {
            origin: V::ZERO,
            cell: 1.0,
            columns: 1,
            rows: None,
            vectors: vec![V::ZERO],
        };
        let (table_name, before) = (format!("field.{name}"), self.problems.len());
        let Some(keys) = self.described_table(&table_name, node, &FIELD) else { return stand_in };
        let has = |key: &str| node.get(key).is_some();
        let plan = match (has("goal"), keys.entry("vectors")) {
            (true, None) => self.field_toward_goals(keys),
            (false, Some(_)) => self.field_of_vectors(keys, bounds),
            (false, None) => {
                if self.problems.len() == before {
                    self.problem(
                        self.head_of(node),
                        format!("`{table_name}` has neither a `goal` nor `vectors`"),
                        format!("one of goal, vectors, such as {}", FIELD.example),
                    );
                }
                None
            }
            (true, Some(entry)) => {
                self.problem(
                    entry.span.clone(),
                    format!("`{table_name}` has `vectors` beside its `goal`"),
                    "one of goal, vectors",
                );
                None
            }
        };
        for entry in node.table().unwrap_or_default() {
            let missing = FIELD
                .needs
                .iter()
                .find(|(key, other)| *key == entry.key && *key != "vectors" && !has(other));
            if let (Some((key, other)), true) = (missing, has("goal") || has("vectors")) {
                self.problem(
                    entry.span.clone(),
                    format!("`{key}` in `{table_name}` has no `{other}` beside it"),
                    format!("`{other}`, or no `{key}`"),
                );
            }
        }
        plan.unwrap_or(stand_in)
    }

    fn field_toward_goals<V: Vector>(&mut self, keys: TableNode<'_>) -> Option<FieldPlan<V>> {
        let allowed = format!("a list of shapes, such as [{}]", OBSTACLE.example);
        let items = self.list("goal", keys.get("goal")?, &allowed)?;
        let goals: Vec<Option<Shape<V>>> =
            items.iter().map(|item| self.shape("goal", item)).collect();
        let cell = keys.number(self, "cell");
        let clearance = keys.number_or(self, "clearance", 0.0);
        let area = match keys.get("area") {
            None => None,
            Some(area) => {
                let corners = self.described_table("area", area, &EXTENT)?;
                let (min, max) = (corners.point(self, "min"), corners.point(self, "max"));
                Some((min?, max?))
            }
        };
        Some(FieldPlan::Toward {
            goals: goals.into_iter().collect::<Option<_>>()?,
            cell: to_f32(cell?),
            clearance: to_f32(clearance?),
            area,
        })
    }

    fn field_of_vectors<V: Vector>(
        &mut self,
        keys: TableNode<'_>,
        bounds: Option<&Bounds<V>>,
    ) -> Option<FieldPlan<V>> {
        let vectors = keys.get("vectors").and_then(|n| self.points("vectors", n));
        let cell = keys.number(self, "cell");
        let origin = match keys.get("origin") {
            None => Some(bounds.map_or(V::ZERO, |bounds| bounds.min)),
            Some(_) => keys.point(self, "origin"),
        };
        let rows = match keys.get("rows") {
            None => None,
            Some(_) => Some(keys.integer(self, "rows")? as u32),
        };
        if keys.get("columns").is_none() {
            self.problem(
                self.head_of(keys.node),
                "`vectors` has no `columns` beside it",
                "`columns`, the number of vectors in a row",
            );
            return None;
        }
        let columns = keys.integer(self, "columns")? as u32;
        Some(FieldPlan::Vectors {
            origin: origin?,
            cell: to_f32(cell?),
            columns,
            rows,
            vectors: vectors?,
        })
    }
}
