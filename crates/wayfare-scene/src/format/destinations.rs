//! Destinations of the agents that enter by a source: exits by their names, with shares.

use wayfare::crowd::{Exit, range};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, vec2};
use wayfare::vector::{Up, Vector};

use crate::decode::{Decoder, to_f32};
use crate::document::Node;

/// The advice where no exit has a name.
const ADD_EXIT: &str = "an exit of the scene: give an [[exit]] a `name`";

impl Decoder {
    /// `to = "north"` or `to = { north = 0.7, south = 0.3 }`: a point inside each of these exits,
    /// with its share.
    pub(super) fn destinations<V: Vector>(
        &mut self,
        node: &Node,
        exits: &[Exit<V>],
        up: Up,
    ) -> Vec<(V, f32)> {
        let names = std::mem::take(&mut self.names.exits);
        let known: Vec<&str> = names.iter().filter(|name| !name.is_empty()).collect();
        let point = |name: &str| {
            let index = names.position(name).filter(|_| !name.is_empty())?;
            exits.get(index).map(|exit| inside(&exit.shape, up))
        };
        let mut destinations = Vec::new();
        if let Some(name) = node.text() {
            match point(name) {
                Some(point) => destinations.push((point, 1.0)),
                None => {
                    let message =
                        format!("`to` names the exit \"{name}\", which is not in the scene");
                    self.unknown(&node.span, &message, name, &known, ADD_EXIT);
                }
            }
        } else if let Some(entries) = node.table().filter(|entries| !entries.is_empty()) {
            for entry in entries {
                let share = self.number(&entry.key, &entry.node, range::CHOICE);
                match point(&entry.key) {
                    Some(point) => destinations.extend(share.map(|x| (point, to_f32(x)))),
                    None => {
                        let message = format!("no exit has the name \"{}\"", entry.key);
                        self.unknown(&entry.span, &message, &entry.key, &known, ADD_EXIT);
                    }
                }
            }
        } else {
            let allowed = "the name of an exit, or several with their shares, such as { north = \
                           0.7, south = 0.3 }";
            self.wrong("to", node, allowed);
        }
        self.names.exits = names;
        destinations
    }
}

/// A point inside a shape: the middle of a circle, a box or a segment. In space the point of a
/// prism lies at the height 0.
fn inside<V: Vector>(shape: &Shape<V>, up: Up) -> V {
    match shape {
        Shape::Circle { center, .. } | Shape::Box { center, .. } => *center,
        Shape::Segment { from, to, .. } => (*from + *to) * 0.5,
        Shape::Polygon { points } => up.at_height_of(inside_polygon(points), V::ZERO),
    }
}

/// A point inside a simple polygon: the middle of its widest part along x, on the line halfway
/// between the two heights of corners that are nearest to its mean.
fn inside_polygon(corners: &[Vec2]) -> Vec2 {
    let mut heights: Vec<f32> = corners.iter().map(|corner| corner.y).collect();
    heights.sort_by(f32::total_cmp);
    heights.dedup();
    let mean = corners.iter().map(|corner| corner.y).sum::<f32>() / corners.len().max(1) as f32;
    let middles = heights.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
    let off = |y: &f32| (y - mean).abs();
    let nearest = middles.min_by(|a, b| off(a).total_cmp(&off(b)));
    let Some(y) = nearest else { return corners.first().copied().unwrap_or_default() };
    let ends = corners.iter().zip(corners.iter().cycle().skip(1));
    let mut crossings: Vec<f32> = ends
        .filter(|(a, b)| (a.y > y) != (b.y > y))
        .map(|(a, b)| a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)))
        .collect();
    crossings.sort_by(f32::total_cmp);
    let width = |pair: &&[f32]| pair[1] - pair[0];
    let widest = crossings.chunks_exact(2).max_by(|a, b| width(a).total_cmp(&width(b)));
    widest.map_or(corners[0], |pair| vec2(0.5 * (pair[0] + pair[1]), y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_point_of_a_polygon_is_inside_also_where_its_mean_is_not() {
        let horseshoe = [(0, 0), (9, 0), (9, 9), (6, 9), (6, 3), (3, 3), (3, 9), (0, 9)];
        let corners = horseshoe.map(|(x, y)| vec2(x as f32, y as f32));
        let point = inside_polygon(&corners);
        let shape = Shape::Polygon { points: corners.to_vec() };
        let obstacle = wayfare::geometry::obstacle::Obstacle::<Vec2>::from(shape);
        assert!(obstacle.distance(point) < -1.0, "{point}");
        assert_eq!(inside_polygon(&[vec2(1.0, 2.0)]), vec2(1.0, 2.0));
    }
}
