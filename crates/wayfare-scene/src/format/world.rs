//! The world: its bounds, the pointer, and lines whose crossings are counted.

use wayfare::crowd::{Bodies, Line, MAX_ITERATIONS, Navigation, Track, range};
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::vector::Vector;

use super::{Table, ValueKind, optional, required};
use crate::decode::{Decoder, to_f32};
use crate::document::Node;

const EDGES: [Edge; 4] = [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce];

pub(crate) static BOUNDS: Table = Table {
    name: "bounds",
    doc: "The bounds of the world.",
    keys: &[
        required("min", ValueKind::Point, "[0, 0]", "The corner with the smallest coordinates."),
        required(
            "max",
            ValueKind::Point,
            "[640, 480]",
            "The corner with the largest coordinates, above `min` on every axis.",
        ),
        optional(
            "edge",
            ValueKind::Word(Edge::WORDS),
            "\"open\"",
            "\"wrap\"",
            "`\"open\"`: agents cross it; the bounds only tell what a picture shows. `\"wrap\"`: \
             an agent that leaves on one side enters on the other. `\"wall\"`: positions are held \
             inside. `\"bounce\"`: an agent that leaves is reflected.",
        ),
    ],
    one_of: &[],
    needs: &[],
    example: "{ min = [0, 0], max = [640, 480] }",
};

pub(crate) static NAVIGATION: Table = Table {
    name: "navigation",
    doc: "How the ways of `navigate` are planned.",
    keys: &[optional(
        "searches_per_tick",
        ValueKind::Integer(1, u32::MAX as u64),
        "16",
        "64",
        "The largest number of searches for ways per tick. Agents that wait follow their former \
         way, or a coarse one.",
    )],
    one_of: &[],
    needs: &[],
    example: "{ searches_per_tick = 64 }",
};

pub(crate) static BODIES: Table = Table {
    name: "bodies",
    doc: "Whether bodies are solid: whether they push one another apart.",
    keys: &[
        optional(
            "solid",
            ValueKind::Flag,
            "false",
            "true",
            "Bodies do not pass through one another, through obstacles or through the walls of the \
             bounds. A group can opt out.",
        ),
        optional(
            "iterations",
            ValueKind::Integer(1, MAX_ITERATIONS as u64),
            "6",
            "12",
            "How often overlapping bodies are moved apart in a tick; up to 32 times while overlaps \
             above 2 % of a radius remain.",
        ),
        optional(
            "relaxation",
            ValueKind::Number(range::RELAXATION),
            "1.5",
            "1.2",
            "The factor of each correction: above 1 dense crowds separate in fewer iterations.",
        ),
    ],
    one_of: &[],
    needs: &[],
    example: "{ solid = true }",
};

pub(crate) static POINTER: Table = Table {
    name: "pointer",
    doc: "A point that moves like a mouse pointer: the target \"pointer\".",
    keys: &[required(
        "track",
        ValueKind::Track,
        "[[0, 100, 100], [120, 400, 300]]",
        "Points `[time, x, y]` with growing times: linear between them, held before the first and \
         after the last.",
    )],
    one_of: &[],
    needs: &[],
    example: "{ track = [[0, 100, 100], [120, 400, 300]] }",
};

pub(crate) static LINE: Table = Table {
    name: "line",
    doc: "A line whose crossings are counted, in each direction.",
    keys: &[
        required("from", ValueKind::Point, "[300, 40]", "One end."),
        required("to", ValueKind::Point, "[340, 40]", "The other end."),
    ],
    one_of: &[],
    needs: &[],
    example: "{ from = [300, 40], to = [340, 40] }",
};

impl Decoder {
    pub(super) fn bounds<V: Vector>(&mut self, node: &Node) -> Option<Bounds<V>> {
        let keys = self.described_table("bounds", node, &BOUNDS)?;
        let (min, max) = (keys.point(self, "min"), keys.point(self, "max"));
        let edge = keys.word(self, "edge").map_or(Edge::Open, |i| EDGES[i]);
        Some(Bounds { min: min?, max: max?, edge })
    }

    pub(super) fn bodies(&mut self, node: &Node) -> Option<Bodies> {
        let keys = self.described_table("bodies", node, &BODIES)?;
        let defaults = Bodies::default();
        let solid = keys.get("solid").and_then(|node| self.flag("solid", node));
        let iterations = keys.integer(self, "iterations").map(|count| count as u32);
        Some(Bodies {
            solid: solid.unwrap_or(defaults.solid),
            iterations: iterations.unwrap_or(defaults.iterations),
            relaxation: keys.f32(self, "relaxation", defaults.relaxation),
        })
    }

    /// The planning of ways.
    pub(super) fn navigation(&mut self, node: &Node) -> Option<Navigation> {
        let keys = self.described_table("navigation", node, &NAVIGATION)?;
        let searches = keys.integer(self, "searches_per_tick").map(|count| count as u32);
        let defaults = Navigation::default();
        Some(Navigation { searches_per_tick: searches.unwrap_or(defaults.searches_per_tick) })
    }

    pub(super) fn pointer<V: Vector>(&mut self, node: &Node) -> Option<Track<V>> {
        let stand_in = Some(Track::fixed(V::ZERO));
        if self.described_entries("pointer", node, &POINTER).is_none() {
            return stand_in;
        }
        let Some(track) = node.get("track") else { return stand_in };
        let (allowed, timed_point) = if V::DIMENSION == 2 {
            (
                "a list of points [time, x, y], such as [[0, 100, 100]]",
                "a point [time, x, y] such as [0, 100, 50]",
            )
        } else {
            (
                "a list of points [time, x, y, z], such as [[0, 100, 100, 0]]",
                "a point [time, x, y, z] such as [0, 100, 50, 20]",
            )
        };
        let Some(items) = self.list_of_lists("track", track, allowed) else { return stand_in };
        let mut points = Vec::new();
        for item in items {
            match item.list() {
                Some(numbers) if numbers.len() == V::DIMENSION + 1 => {
                    let numbers: Vec<_> =
                        numbers.iter().filter_map(|n| self.any_number("track", n)).collect();
                    if numbers.len() == V::DIMENSION + 1 {
                        points.push((numbers[0], V::from_fn(|i| to_f32(numbers[i + 1]))));
                    }
                }
                _ => self.wrong("track", item, timed_point),
            }
        }
        // Validation reports an empty track; one with unreadable points is reported already.
        if points.is_empty() && !items.is_empty() { stand_in } else { Some(Track { points }) }
    }

    pub(super) fn lines<V: Vector>(&mut self, node: &Node) -> Vec<Line<V>> {
        let mut lines = Vec::new();
        for entry in self.named_tables("line", node, &LINE, "[line.door]") {
            let keys = self.described_table(&format!("line.{}", entry.key), &entry.node, &LINE);
            let ends = keys.and_then(|keys| {
                let (from, to) = (keys.point(self, "from"), keys.point(self, "to"));
                from.zip(to)
            });
            // The stand-in has a length, so that it passes the library's validation.
            let (from, to) = ends.unwrap_or((V::ZERO, V::X));
            lines.push(Line { name: entry.key.clone(), from, to });
        }
        lines
    }
}
