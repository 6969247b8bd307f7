//! The world: its bounds, the pointer, and lines whose crossings are counted.

use wayfare::crowd::{Bodies, Line, Navigation, Track};
use wayfare::glam::Vec2;
use wayfare::parameter::Parameters;
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::vector::Vector;

use super::described::{Beside, NOTHING, keys_of};
use super::{Table, ValueKind, required};
use crate::decode::{Decoder, to_f32};
use crate::document::Node;

pub(crate) static BOUNDS: Table = Table {
    name: <Bounds<Vec2> as Parameters<Vec2>>::NAME,
    doc: <Bounds<Vec2> as Parameters<Vec2>>::DOC,
    keys: &{ keys_of::<Bounds<Vec2>, 3>(NOTHING) },
    one_of: &[],
    needs: &[],
    example: "{ min = [0, 0], max = [640, 480] }",
};

pub(crate) static NAVIGATION: Table = Table {
    name: <Navigation as Parameters<Vec2>>::NAME,
    doc: <Navigation as Parameters<Vec2>>::DOC,
    keys: &{ keys_of::<Navigation, 1>(NOTHING) },
    one_of: &[],
    needs: &[],
    example: "{ searches_per_tick = 64 }",
};

pub(crate) static BODIES: Table = Table {
    name: <Bodies as Parameters<Vec2>>::NAME,
    doc: <Bodies as Parameters<Vec2>>::DOC,
    keys: &{ keys_of::<Bodies, 3>(NOTHING) },
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
    name: <Line<Vec2> as Parameters<Vec2>>::NAME,
    doc: <Line<Vec2> as Parameters<Vec2>>::DOC,
    keys: &{ keys_of::<Line<Vec2>, 2>(Beside { without: &["name"], ..NOTHING }) },
    one_of: &[],
    needs: &[],
    example: "{ from = [300, 40], to = [340, 40] }",
};

impl Decoder {
    pub(super) fn bounds<V: Vector>(&mut self, node: &Node) -> Option<Bounds<V>> {
        let keys = self.described_table("bounds", node, &BOUNDS)?;
        let mut bounds = Bounds { min: V::ZERO, max: V::ZERO, edge: Edge::Open };
        self.described(keys, &mut bounds, &[]).then_some(bounds)
    }

    pub(super) fn bodies<V: Vector>(&mut self, node: &Node) -> Option<Bodies> {
        let keys = self.described_table("bodies", node, &BODIES)?;
        let mut bodies = Bodies::default();
        self.described::<V>(keys, &mut bodies, &[]);
        Some(bodies)
    }

    /// The planning of routes.
    pub(super) fn navigation<V: Vector>(&mut self, node: &Node) -> Option<Navigation> {
        let keys = self.described_table("navigation", node, &NAVIGATION)?;
        let mut navigation = Navigation::default();
        self.described::<V>(keys, &mut navigation, &[]);
        Some(navigation)
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
            // The stand-in has a length, so that it passes the library's validation.
            let stand_in = Line::new(&entry.key, V::ZERO, V::X);
            let mut line = stand_in.clone();
            let is_read = keys.is_some_and(|keys| self.described(keys, &mut line, &["name"]));
            lines.push(if is_read { line } else { stand_in });
        }
        lines
    }
}
