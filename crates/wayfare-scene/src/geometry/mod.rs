//! Polygons from files of geometry: WKT (OGC 06-103r4, section 7) and GeoJSON (RFC 7946).
//!
//! The readers are our own because their errors need positions: those of the crate `wkt` have none,
//! those of `geojson` only for its syntax, and `wkt` nests without a limit. Both formats share
//! [`Ring::new`] and so have the same rules.

use std::ops::Range;

use wayfare::crowd::{Setup, range};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{DVec2, Vec2};

mod geojson;
mod wkt;

/// The most corners in a file: each wall is an obstacle of its own.
pub(crate) const MOST_CORNERS: usize = 100_000;

/// The endings of file names, as the end of a sentence.
const ENDINGS: &str = "a file that ends in .wkt, .geojson or .json";

/// The kinds of geometry that are read.
const KINDS: &str = "POLYGON, MULTIPOLYGON, GEOMETRYCOLLECTION";

/// A mistake in a file of geometry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// Its position in the text (bytes).
    pub(crate) at: usize,
    /// The problem, with the value found.
    pub(crate) message: String,
    pub(crate) allowed: String,
}

impl Mistake {
    fn new(at: usize, message: impl Into<String>, allowed: impl Into<String>) -> Self {
        Self { at, message: message.into(), allowed: allowed.into() }
    }
}

/// A closed ring, without the repeated first corner (lengths).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ring {
    pub(crate) corners: Vec<Vec2>,
    /// Its position in the text (bytes).
    pub(crate) at: usize,
}

/// A polygon: its outer ring, and its holes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Polygon {
    pub(crate) outer: Ring,
    pub(crate) holes: Vec<Ring>,
}

/// The input of a reader: the text of a file, and the point that becomes the origin of the scene.
#[derive(Clone, Copy, Debug)]
struct Input<'t> {
    text: &'t str,
    origin: DVec2,
}

/// The polygons of a file with this name; `origin` is subtracted from each corner before it is
/// rounded (lengths).
pub(crate) fn polygons(name: &str, text: &str, origin: DVec2) -> Result<Vec<Polygon>, Mistake> {
    let input = Input { text, origin };
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let polygons = match ending.as_deref() {
        Some("wkt") => wkt::read(input)?,
        Some("geojson" | "json") => geojson::read(input)?,
        _ => return Err(Mistake::new(0, "the kind of the file is not known", ENDINGS)),
    };
    if polygons.is_empty() {
        return Err(Mistake::new(0, "the file has no polygon", KINDS));
    }
    let rings = polygons.iter().flat_map(|p| std::iter::once(&p.outer).chain(&p.holes));
    let corners: usize = rings.map(|ring| ring.corners.len()).sum();
    if corners > MOST_CORNERS {
        let message = format!("the file has {corners} corners");
        return Err(Mistake::new(0, message, format!("at most {MOST_CORNERS}")));
    }
    for polygon in &polygons {
        polygon.check()?;
    }
    Ok(polygons)
}

impl Ring {
    /// A ring of these positions, each with its place in the text; `at` is that of the ring.
    fn new(positions: &[([f64; 2], usize)], at: usize, origin: DVec2) -> Result<Self, Mistake> {
        let (Some((first, _)), Some((last, end))) = (positions.first(), positions.last()) else {
            return Err(Mistake::new(
                at,
                "the ring has no corners",
                "a ring of at least 3 corners",
            ));
        };
        if first != last {
            let message = format!("the ring begins at {first:?} and ends at {last:?}");
            return Err(Mistake::new(*end, message, "a closed ring: the first corner again"));
        }
        if positions.len() < 4 {
            let message = format!("the ring has {} corners", positions.len() - 1);
            return Err(Mistake::new(at, message, "at least 3 corners, and the first one again"));
        }
        let corner = |&([x, y], at): &([f64; 2], usize)| {
            let moved = DVec2::new(x, y) - origin;
            let in_range = |x: f64| range::COORDINATE.holds(x as f32);
            if in_range(moved.x) && in_range(moved.y) {
                Ok(moved.as_vec2())
            } else {
                let allowed = format!("{}, after the `origin` is taken away", range::COORDINATE);
                Err(Mistake::new(at, format!("the corner {:?} is out of range", [x, y]), allowed))
            }
        };
        let open = &positions[..positions.len() - 1];
        Ok(Self { corners: open.iter().map(corner).collect::<Result<_, _>>()?, at })
    }

    /// The smallest and the largest coordinates (length).
    pub(crate) fn extent(&self) -> (Vec2, Vec2) {
        let nothing = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        self.corners.iter().fold(nothing, |(low, high), p| (low.min(*p), high.max(*p)))
    }

    pub(crate) fn shape(&self) -> Shape<Vec2> {
        Shape::Polygon { points: self.corners.clone() }
    }

    /// The ring has an inside and does not cross itself: by the rules of obstacles.
    fn check(&self) -> Result<(), Mistake> {
        let setup = Setup { obstacles: vec![self.shape()], ..Setup::default() };
        match setup.validate().err().and_then(|errors| errors.0.into_iter().next()) {
            Some(error) => Err(Mistake::new(self.at, error.message, error.allowed)),
            None => Ok(()),
        }
    }
}

impl Polygon {
    /// A polygon of these rings, the outer one first.
    fn new(mut rings: Vec<Ring>, at: usize) -> Result<Self, Mistake> {
        if rings.is_empty() {
            return Err(Mistake::new(at, "the polygon has no ring", "an outer ring, then holes"));
        }
        let outer = rings.remove(0);
        Ok(Self { outer, holes: rings })
    }

    fn check(&self) -> Result<(), Mistake> {
        self.outer.check()?;
        let (low, high) = self.outer.extent();
        for hole in &self.holes {
            hole.check()?;
            let (from, to) = hole.extent();
            if from.cmpgt(high).any() || to.cmplt(low).any() {
                let message = "the hole lies outside its polygon";
                return Err(Mistake::new(hole.at, message, "holes inside the outer ring"));
            }
        }
        Ok(())
    }
}

/// The error of a position with this number of coordinates.
fn wrong_position(span: Range<usize>, count: usize) -> Mistake {
    let message = format!("the position has {count} coordinates");
    Mistake::new(span.start, message, "two coordinates, x and y: geometry is of the plane")
}

#[cfg(test)]
mod tests;
