//! Paths that `follow_path` follows.

use wayfare::crowd::range;
use wayfare::geometry::path::{Curve, Path};
use wayfare::parameter::{Range, Unit};
use wayfare::vector::Vector;

use super::{Table, ValueKind, optional, required};
use crate::decode::{Decoder, TableNode, to_f32};
use crate::document::Node;

const CURVES: [Curve; 2] = [Curve::Bezier, Curve::CatmullRom];

pub(crate) static PATH: Table = Table {
    name: "path",
    doc: "A path that `follow_path` follows.",
    keys: &[
        required(
            "points",
            ValueKind::Points(1),
            "[[100, 100], [300, 60]]",
            "Its points; of a curve, its corners and handles.",
        ),
        required("radius", ValueKind::Number(range::RADIUS), "30", "Half its width."),
        optional(
            "closed",
            ValueKind::Flag,
            "false",
            "true",
            "Whether it continues from the last point to the first.",
        ),
        optional(
            "curve",
            ValueKind::Word(Curve::WORDS),
            "",
            "\"catmull_rom\"",
            "`\"catmull_rom\"` goes through all points, `\"bezier\"` takes a corner, two handles, \
             a corner, …; straight lines unless given.",
        ),
        optional(
            "tolerance",
            ValueKind::Number(Range::above_zero(Unit::Length)),
            "",
            "0.5",
            "The largest distance between the curve and the lines that replace it; a thousandth \
             of its extent unless given.",
        ),
    ],
    one_of: &[],
    needs: &[("tolerance", "curve")],
    example: "{ points = [[100, 100], [300, 60]], radius = 30 }",
};

impl Decoder {
    pub(super) fn paths<V: Vector>(&mut self, node: &Node) -> Vec<(String, Path<V>)> {
        let entries = self.named_tables("path", node, &PATH, "[path.beat]");
        entries
            .iter()
            .map(|entry| (entry.key.clone(), self.path(&entry.key, &entry.node)))
            .collect()
    }

    fn path<V: Vector>(&mut self, name: &str, node: &Node) -> Path<V> {
        let stand_in = Path::new(vec![V::ZERO], 0.0, false);
        let Some(keys) = self.described_table(&format!("path.{name}"), node, &PATH) else {
            return stand_in;
        };
        let points = keys.get("points").and_then(|n| self.points("points", n));
        let radius = keys.f32(self, "radius", 0.0);
        let closed = keys.flag(self, "closed").unwrap_or(false);
        let curve = keys.word(self, "curve").map(|i| CURVES[i]);
        let tolerance = keys.number(self, "tolerance").map(to_f32);
        let Some(points) = points else { return stand_in };
        let Some(curve) = curve else {
            if let (Some(_), Some(entry)) = (tolerance, keys.entry("tolerance")) {
                self.problem(
                    entry.span.clone(),
                    "`tolerance` has no `curve` beside it",
                    "a `curve`, or no `tolerance`",
                );
            }
            return Path::new(points, radius, closed);
        };
        if curve == Curve::Bezier && !self.has_bezier_points(keys, points.len(), closed) {
            return Path::new(points, radius, closed);
        }
        let tolerance = tolerance.unwrap_or_else(|| Path::default_tolerance(&points));
        let path = Path::curved(curve, &points, radius, closed, tolerance);
        let in_range = |p: &V| (0..V::DIMENSION).all(|i| range::COORDINATE.holds(p.axis(i)));
        if path.points().iter().all(in_range) {
            return path;
        }
        if let Some(node) = keys.get("points") {
            self.problem(
                node.span.clone(),
                "the curve through these points has coordinates beyond 1e9",
                "a curve with every coordinate from -1e9 to 1e9",
            );
        }
        Path::new(points, radius, closed)
    }

    /// Whether a Bezier curve can have this many points; reports it otherwise.
    fn has_bezier_points(&mut self, keys: TableNode<'_>, count: usize, closed: bool) -> bool {
        let fits = if closed {
            count.is_multiple_of(3) && count >= 3
        } else {
            count % 3 == 1 && count >= 4
        };
        if !fits && let Some(points) = keys.get("points") {
            let (kind, allowed) = if closed {
                ("closed bezier", "3, 6, 9, … points: a corner and two handles each")
            } else {
                ("bezier", "4, 7, 10, … points: a corner, two handles, a corner, …")
            };
            let message = format!("a {kind} curve cannot have {count} points");
            self.problem(points.span.clone(), message, allowed);
        }
        fits
    }
}
