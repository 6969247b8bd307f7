//! Reads GeoJSON: polygons of geometries, features and collections.

use super::{Input, Mistake, Polygon, Ring, wrong_position};
use crate::document::{Content, Format, Node, parse};

/// The kinds of objects that are read.
const KINDS: &str = "Polygon, MultiPolygon, GeometryCollection, Feature, FeatureCollection";

/// The polygons of the object.
pub(super) fn read(input: Input<'_>) -> Result<Vec<Polygon>, Mistake> {
    let root = parse(input.text, Format::Json).map_err(|problems| {
        let first = problems.into_iter().min_by_key(|problem| problem.span.start);
        first.map_or_else(
            || Mistake::new(0, "this is no JSON", "GeoJSON"),
            |problem| Mistake::new(problem.span.start, problem.message, problem.allowed),
        )
    })?;
    let mut polygons = Vec::new();
    object(&root, input, &mut polygons)?;
    Ok(polygons)
}

fn wrong(node: &Node, what: &str, allowed: &str) -> Mistake {
    Mistake::new(node.span.start, format!("{what} is {}", node.describe()), allowed)
}

fn member<'n>(node: &'n Node, kind: &str, key: &str) -> Result<&'n Node, Mistake> {
    node.get(key).ok_or_else(|| {
        Mistake::new(node.span.start, format!("the {kind} has no `{key}`"), format!("`{key}`"))
    })
}

fn items<'n>(node: &'n Node, what: &str) -> Result<&'n [Node], Mistake> {
    node.list().ok_or_else(|| wrong(node, what, "a list"))
}

fn object(node: &Node, input: Input<'_>, polygons: &mut Vec<Polygon>) -> Result<(), Mistake> {
    let kind = node.get("type").ok_or_else(|| {
        Mistake::new(node.span.start, format!("{} has no `type`", node.describe()), KINDS)
    })?;
    let name = kind.text().unwrap_or_default();
    let list = |key: &str| items(member(node, name, key)?, &format!("`{key}`"));
    match name {
        "FeatureCollection" => {
            for feature in list("features")? {
                object(feature, input, polygons)?;
            }
        }
        "GeometryCollection" => {
            for geometry in list("geometries")? {
                object(geometry, input, polygons)?;
            }
        }
        "Feature" => match member(node, name, "geometry")? {
            // A feature without a place.
            Node { content: Content::Other("null"), .. } => {}
            geometry => object(geometry, input, polygons)?,
        },
        "Polygon" => polygons.push(polygon(member(node, name, "coordinates")?, input)?),
        "MultiPolygon" => {
            for rings in list("coordinates")? {
                polygons.push(polygon(rings, input)?);
            }
        }
        "Point" | "MultiPoint" | "LineString" | "MultiLineString" => {
            let message = format!("`{name}` is no polygon");
            return Err(Mistake::new(kind.span.start, message, KINDS));
        }
        _ => return Err(wrong(kind, "`type`", KINDS)),
    }
    Ok(())
}

fn polygon(node: &Node, input: Input<'_>) -> Result<Polygon, Mistake> {
    let rings = items(node, "the polygon")?.iter().map(|node| ring(node, input));
    Polygon::new(rings.collect::<Result<_, _>>()?, node.span.start)
}

fn ring(node: &Node, input: Input<'_>) -> Result<Ring, Mistake> {
    let positions = items(node, "the ring")?.iter().map(position);
    let positions = positions.collect::<Result<Vec<_>, _>>()?;
    Ring::new(&positions, node.span.start, input.origin)
}

fn position(node: &Node) -> Result<([f64; 2], usize), Mistake> {
    let numbers = items(node, "the position")?;
    let [x, y] = numbers else {
        return Err(wrong_position(node.span.clone(), numbers.len()));
    };
    let number = |node: &Node| match node.content {
        Content::Integer(x) => Ok(x as f64),
        Content::Number(x) if x.is_finite() => Ok(x),
        _ => Err(wrong(node, "the coordinate", "a number")),
    };
    Ok(([number(x)?, number(y)?], node.span.start))
}
