//! Fields of directions: vectors, or the ways to a goal.

use wayfare::geometry::flow_field::{CELL, CLEARANCE, FieldPlan, MOST_CELLS};
use wayfare::geometry::obstacle::Shape;
use wayfare::spatial::space::Bounds;
use wayfare::vector::Vector;

use super::Decoder;
use super::value::to_f32;
use crate::document::Node;
use crate::format;

impl Decoder {
    pub(super) fn fields<V: Vector>(
        &mut self,
        node: &Node,
        bounds: Option<&Bounds<V>>,
    ) -> Vec<(String, FieldPlan<V>)> {
        let entries = self.named("field", node, &format::FIELD);
        entries
            .iter()
            .map(|entry| (entry.key.clone(), self.field(&entry.key, &entry.node, bounds)))
            .collect()
    }

    fn field<V: Vector>(
        &mut self,
        name: &str,
        node: &Node,
        bounds: Option<&Bounds<V>>,
    ) -> FieldPlan<V> {
        // What stands in for a field with a mistake is right: the library's check has nothing to
        // say of it.
        let stand_in = FieldPlan::Vectors {
            origin: V::ZERO,
            cell: 1.0,
            columns: 1,
            rows: None,
            vectors: vec![V::ZERO],
        };
        let (what, before) = (format!("field.{name}"), self.problems.len());
        let Some(entries) = self.described(&what, node, &format::FIELD) else { return stand_in };
        let has = |key: &str| node.get(key).is_some();
        let plan = match (has("goal"), has("vectors")) {
            (true, false) => self.map(node),
            (false, true) => self.vectors(node, bounds),
            (false, false) => {
                if self.problems.len() == before {
                    let allowed =
                        format!("one of goal, vectors, such as {}", format::FIELD.example);
                    self.problem(
                        self.head_of(node),
                        format!("`{what}` has neither a `goal` nor `vectors`"),
                        allowed,
                    );
                }
                None
            }
            (true, true) => {
                if let Some(entry) = entries.iter().find(|entry| entry.key == "vectors") {
                    self.problem(
                        entry.span.clone(),
                        format!("`{what}` has `vectors` beside its `goal`"),
                        "one of goal, vectors",
                    );
                }
                None
            }
        };
        for entry in entries {
            let needed = format::FIELD
                .needs
                .iter()
                .find(|(key, other)| *key == entry.key && *key != "vectors" && !has(other));
            if let (Some((key, other)), true) = (needed, has("goal") || has("vectors")) {
                self.problem(
                    entry.span.clone(),
                    format!("`{key}` stands in `{what}` without `{other}`"),
                    format!("`{other}`, or no `{key}`"),
                );
            }
        }
        plan.unwrap_or(stand_in)
    }

    /// The ways to a goal.
    fn map<V: Vector>(&mut self, node: &Node) -> Option<FieldPlan<V>> {
        let items = node.get("goal").and_then(|n| {
            self.list(
                "goal",
                n,
                &format!("a list of shapes, such as [{}]", format::OBSTACLE.example),
            )
        })?;
        let goals: Vec<Option<Shape<V>>> =
            items.iter().map(|item| self.shape("goal", item)).collect();
        let cell = node.get("cell").and_then(|n| self.number("cell", n, CELL));
        let clearance =
            node.get("clearance").map_or(Some(0.0), |n| self.number("clearance", n, CLEARANCE));
        let area = match node.get("area") {
            None => None,
            Some(area) => {
                self.described("area", area, &format::EXTENT)?;
                let (low, high) = (
                    area.get("min").and_then(|n| self.point("min", n)),
                    area.get("max").and_then(|n| self.point("max", n)),
                );
                Some((low?, high?))
            }
        };
        Some(FieldPlan::Toward {
            goals: goals.into_iter().collect::<Option<_>>()?,
            cell: to_f32(cell?),
            clearance: to_f32(clearance?),
            area,
        })
    }

    fn vectors<V: Vector>(
        &mut self,
        node: &Node,
        bounds: Option<&Bounds<V>>,
    ) -> Option<FieldPlan<V>> {
        let vectors = node.get("vectors").and_then(|n| self.points("vectors", n));
        let cell = node.get("cell").and_then(|n| self.number("cell", n, CELL));
        let first = bounds.map_or(V::ZERO, |bounds| bounds.min);
        let origin = node.get("origin").map_or(Some(first), |n| self.point("origin", n));
        let rows = match node.get("rows") {
            None => None,
            Some(n) => Some(self.whole("rows", n, 1, MOST_CELLS)? as u32),
        };
        let Some(columns) = node.get("columns") else {
            self.problem(
                self.head_of(node),
                "`vectors` stand without `columns`",
                "`columns`, how many there are in a row",
            );
            return None;
        };
        let columns = self.whole("columns", columns, 1, MOST_CELLS)? as u32;
        Some(FieldPlan::Vectors {
            origin: origin?,
            cell: to_f32(cell?),
            columns,
            rows,
            vectors: vectors?,
        })
    }
}
