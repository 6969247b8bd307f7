//! Walls and obstacles from a file: WKT or GeoJSON beside the scene.

use wayfare::crowd::{Setup, range};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{DVec2, Vec2};
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::vector::Vector;

use super::{Table, ValueKind, optional};
use crate::decode::{Decoder, TableNode};
use crate::diagnostic::Source;
use crate::document::Node;
use crate::geometry::{Polygon, Ring, polygons};

pub(crate) static GEOMETRY: Table = Table {
    name: "geometry",
    doc: "Walls and obstacles from a file of polygons, WKT or GeoJSON.",
    keys: &[
        optional(
            "walkable",
            ValueKind::Text,
            "",
            "\"floor.wkt\"",
            "A file whose polygons are the walkable area, relative to the scene: their outer rings \
             are walls, and the bounds of the world unless given, and their holes are obstacles.",
        ),
        optional(
            "obstacles",
            ValueKind::Text,
            "",
            "\"pillars.geojson\"",
            "A file whose polygons are obstacles, relative to the scene.",
        ),
        optional(
            "origin",
            ValueKind::Point,
            "[0, 0]",
            "[500000, 4500000]",
            "The point of the files that becomes the origin of the scene: it is taken away from \
             each corner, before corners are rounded.",
        ),
    ],
    one_of: &[],
    needs: &[],
    example: "{ walkable = \"floor.wkt\" }",
};

impl Decoder {
    /// Adds the walls and obstacles of the files, and bounds where there are none.
    pub(super) fn geometry<V: Vector>(&mut self, node: &Node, setup: &mut Setup<V>) {
        let Some(keys) = self.described_table("geometry", node, &GEOMETRY) else { return };
        if V::DIMENSION == 3 {
            let message = "`geometry` is of the plane";
            return self.problem(self.head_of(node), message, "obstacles, or dimension = 2");
        }
        let origin = keys.get("origin").and_then(|n| self.origin(n)).unwrap_or(DVec2::ZERO);
        if self.misses(node, "walkable") && self.misses(node, "obstacles") {
            let allowed = format!("`walkable` or `obstacles`, such as {}", GEOMETRY.example);
            self.problem(self.head_of(node), "`geometry` names no file", allowed);
        }
        if let Some(area) = self.polygons_in(keys, "walkable", origin) {
            let rings = area.iter().map(|polygon| &polygon.outer);
            setup.bounds = setup.bounds.or_else(|| Some(bounds_of(rings.clone())));
            rings.for_each(|ring| setup.obstacles.extend(walls(ring)));
            let holes = area.iter().flat_map(|polygon| &polygon.holes);
            setup.obstacles.extend(holes.map(|hole| obstacle(hole)));
        }
        for polygon in self.polygons_in(keys, "obstacles", origin).unwrap_or_default() {
            setup.obstacles.push(obstacle(&polygon.outer));
        }
    }

    /// A point of the files, which a scene's own coordinates do not reach.
    fn origin(&mut self, node: &Node) -> Option<DVec2> {
        let allowed = "a point such as [500000, 4500000]";
        let Some([x, y]) = node.list() else {
            self.wrong("origin", node, allowed);
            return None;
        };
        let x = self.number("origin", x, range::COORDINATE)?;
        let y = self.number("origin", y, range::COORDINATE)?;
        Some(DVec2::new(x, y))
    }

    /// The polygons of the file that `key` names; reports what is wrong with it.
    fn polygons_in(
        &mut self,
        keys: TableNode<'_>,
        key: &str,
        origin: DVec2,
    ) -> Option<Vec<Polygon>> {
        let node = keys.get(key)?;
        let name = self.text(key, node)?;
        let text = match self.files.text(&name) {
            Ok(text) => text,
            Err((message, allowed)) => {
                self.problem(node.span.clone(), message, allowed);
                return None;
            }
        };
        let read = polygons(&name, &text, origin).and_then(|found| match found {
            found if key == "obstacles" => without_holes(found),
            found => Ok(found),
        });
        match read {
            Ok(polygons) => Some(polygons),
            Err(mistake) => {
                let (line, column) =
                    Source { name: name.clone(), text }.line_and_column(mistake.at);
                let message = format!("{name}:{line}:{column}: {}", mistake.message);
                self.problem(node.span.clone(), message, mistake.allowed);
                None
            }
        }
    }
}

/// The polygons of obstacles, which have no holes.
fn without_holes(polygons: Vec<Polygon>) -> Result<Vec<Polygon>, crate::geometry::Mistake> {
    match polygons.iter().flat_map(|polygon| &polygon.holes).next() {
        Some(hole) => Err(crate::geometry::Mistake {
            at: hole.at,
            message: "an obstacle has a hole".to_string(),
            allowed: "obstacles without holes; `walkable` for an area with holes".to_string(),
        }),
        None => Ok(polygons),
    }
}

fn at<V: Vector>(p: Vec2) -> V {
    V::from_flat(p)
}

fn obstacle<V: Vector>(ring: &Ring) -> Shape<V> {
    Shape::Polygon { points: ring.corners.clone() }
}

/// The edges of a ring as walls without a thickness; those without a length are left out.
fn walls<V: Vector>(ring: &Ring) -> impl Iterator<Item = Shape<V>> {
    let ends = ring.corners.iter().zip(ring.corners.iter().cycle().skip(1));
    let edges = ends.filter(|(from, to)| from != to);
    edges.map(|(from, to)| Shape::Segment { from: at(*from), to: at(*to), thickness: 0.0 })
}

/// The bounds around the rings: a wall, which nothing passes where a ring is open to all.
fn bounds_of<'r, V: Vector>(rings: impl Iterator<Item = &'r Ring>) -> Bounds<V> {
    let nothing = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    let (low, high) = rings
        .map(Ring::extent)
        .fold(nothing, |(low, high), (from, to)| (low.min(from), high.max(to)));
    Bounds { min: at(low), max: at(high), edge: Edge::Wall }
}
