//! Positions for the members of a group: where they start, and their goals.

use wayfare::crowd::{MAX_AGENTS, Spawn, range};
use wayfare::parameter::{PathId, Range, Unit};
use wayfare::vector::Vector;

use super::{ANGLE, BOX, CIRCLE, Key, Table, ValueKind, optional, required};
use crate::decode::{Decoder, TableNode, to_f32};
use crate::document::Node;

const POINTS: Key = optional(
    "points",
    ValueKind::Points(0),
    "",
    "[[20, 40], [40, 20]]",
    "A point for each; `count` is their number.",
);
const IN_BOX: Key = optional(
    "box",
    ValueKind::Table(&BOX),
    "",
    "{ min = [20, 20], max = [300, 460] }",
    "At random in a box.",
);
const IN_CIRCLE: Key = optional(
    "circle",
    ValueKind::Table(&CIRCLE),
    "",
    CIRCLE.example,
    "At random in a circle; in space in a ball.",
);
const IN_ROWS: Key = optional("grid", ValueKind::Table(&GRID), "", GRID.example, "In rows.");
const ON_RING: Key =
    optional("ring", ValueKind::Table(&RING), "", RING.example, "Evenly on a circle.");

pub(crate) static SPAWN: Table = Table {
    name: "spawn",
    doc: "The position of each member of a group at the start: one of these.",
    keys: &[
        POINTS,
        IN_BOX,
        IN_CIRCLE,
        IN_ROWS,
        ON_RING,
        optional(
            "along",
            ValueKind::Name,
            "",
            "\"beat\"",
            "At equal distances along this path, with the heading along it.",
        ),
        optional(
            "apart",
            ValueKind::Flag,
            "false",
            "true",
            "Whether the bodies in a `box` or `circle` overlap no other body and no obstacle.",
        ),
    ],
    one_of: &[&["points"], &["box"], &["circle"], &["grid"], &["ring"], &["along"]],
    needs: &[],
    example: "{ box = { min = [20, 20], max = [300, 460] } } or { points = [[20, 40], [40, 20]] }",
};

/// Whether `key` of a spawn has no meaning beside the keys that are given.
pub(crate) fn is_misplaced(key: &str, is_given: impl Fn(&str) -> bool) -> bool {
    key == "apart" && !is_given("box") && !is_given("circle")
}

pub(crate) static GOAL: Table = Table {
    name: "goal",
    doc: "A position for each member of a group to go to: one of these.",
    keys: &[POINTS, IN_BOX, IN_CIRCLE, IN_ROWS, ON_RING],
    one_of: &[&["points"], &["box"], &["circle"], &["grid"], &["ring"]],
    needs: &[],
    example: "{ circle = { center = [500, 240], radius = 60 } }",
};

pub(crate) static GRID: Table = Table {
    name: "grid",
    doc: "Positions in rows.",
    keys: &[
        required("origin", ValueKind::Point, "[20, 60]", "The first position."),
        required(
            "spacing",
            ValueKind::Number(Range::above_zero(Unit::Length)),
            "30",
            "The distance between neighbors.",
        ),
        required(
            "columns",
            ValueKind::Integer(1, MAX_AGENTS as u64),
            "4",
            "Positions in a row, along x.",
        ),
        optional(
            "rows",
            ValueKind::Integer(1, MAX_AGENTS as u64),
            "",
            "4",
            "Rows in a layer, along y, with `up = \"y\"` along z: in space, where it must be \
             given.",
        ),
    ],
    one_of: &[],
    needs: &[],
    example: "{ origin = [20, 60], spacing = 30, columns = 4 }",
};

pub(crate) static RING: Table = Table {
    name: "ring",
    doc: "Positions evenly on a circle; in space at the height of its center.",
    keys: &[
        required("center", ValueKind::Point, "[320, 240]", "Its center."),
        required("radius", ValueKind::Number(range::RADIUS), "200", "Its radius."),
        optional(
            "turn",
            ValueKind::Number(ANGLE),
            "0",
            "180",
            "The angle by which the positions are turned about the center.",
        ),
    ],
    one_of: &[],
    needs: &[],
    example: "{ center = [320, 240], radius = 200 }",
};

impl Decoder {
    /// A position for each member of a group: its `spawn`, or its `goal`, as `table` describes it.
    pub(crate) fn spawn<V: Vector>(
        &mut self,
        table: &'static Table,
        node: &Node,
    ) -> Option<Spawn<V>> {
        let (kind, inner) = self.one_of(table.name, node, table)?;
        let keys = TableNode { node, table };
        let apart = keys.flag(self, "apart").unwrap_or(false);
        if let Some(entry) = keys.entry("apart").filter(|_| is_misplaced("apart", |k| k == kind)) {
            let message = format!("`{}` has `apart` beside its `{kind}`", table.name);
            self.problem(entry.span.clone(), message, "`apart` beside a `box` or `circle`");
        }
        match kind {
            "points" => self.points("points", inner).map(Spawn::Points),
            "grid" => self.grid(inner),
            "ring" => {
                let keys = self.described_table("ring", inner, &RING)?;
                let (center, radius) = (keys.point(self, "center"), keys.number(self, "radius"));
                let turn = keys.number_or(self, "turn", 0.0);
                Some(Spawn::Ring {
                    center: center?,
                    radius: to_f32(radius?),
                    turn: to_f32(turn?.to_radians()),
                })
            }
            "along" => self.path_name("along", inner).map(|path| Spawn::Along(PathId(path))),
            _ => self.shape_of(kind, inner).map(if apart { Spawn::Apart } else { Spawn::Inside }),
        }
    }

    fn grid<V: Vector>(&mut self, node: &Node) -> Option<Spawn<V>> {
        let keys = self.described_table("grid", node, &GRID)?;
        match keys.entry("rows") {
            Some(rows) if V::DIMENSION == 2 => self.problem(
                rows.span.clone(),
                "`rows` is for three dimensions",
                "no `rows`: `count` gives as many as needed",
            ),
            None if V::DIMENSION == 3 => self.problem(
                self.head_of(node),
                "`grid` has no `rows`",
                "`rows` must be given in three dimensions, such as rows = 4",
            ),
            _ => {}
        }
        let origin = keys.point(self, "origin");
        let spacing = keys.number(self, "spacing");
        let columns = keys.integer(self, "columns");
        let rows = keys.integer_or(self, "rows", 1);
        Some(Spawn::Grid {
            origin: origin?,
            spacing: to_f32(spacing?),
            columns: columns? as u32,
            rows: rows? as u32,
        })
    }
}
