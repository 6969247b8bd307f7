//! Hints at bodies that do not fit: their spawn, and the bounds.

use alloc::collections::BTreeMap;
use alloc::format;

use super::hint_list::Hints;
use super::world::{HintWorld, short, start_radius};
use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::group::{Group, Spawn};
use crate::geometry::obstacle::Shape;
use crate::vector::Vector;

/// The density of the closest packing of balls, pi / (3 sqrt(2)) (T. Hales, 2005).
const CLOSEST: f64 = 0.740_480_489_693_061;

impl Hints<'_> {
    /// Bodies that fit neither their spawn nor the bounds.
    pub(super) fn room<V: Vector>(&mut self, world: &HintWorld<V>) {
        for (i, group) in world.setup.groups.iter().enumerate() {
            let key_path = KeyPath::default().key("group").at(i);
            self.within_bounds(world, &key_path, group);
            let smallest = start_radius(group).0;
            if smallest > 0.0 && group.count > 1 {
                self.spawn_room(world, &key_path, group, smallest);
            }
        }
    }

    fn within_bounds<V: Vector>(
        &mut self,
        world: &HintWorld<V>,
        key_path: &KeyPath,
        group: &Group<V>,
    ) {
        let Some(bounds) = world.setup.bounds else { return };
        let width = group.largest_radius() * 2.0;
        let narrowest =
            (0..V::DIMENSION).map(|i| world.space.size().axis(i)).fold(f32::INFINITY, f32::min);
        if (bounds.edge.has_walls() || world.space.wraps()) && width > narrowest {
            let message = format!(
                "a body of \"{}\" is {} wide, and the bounds are {} wide",
                group.name,
                short(width),
                short(narrowest)
            );
            let better = format!("a `radius` of at most {}, or wider bounds", narrowest * 0.5);
            self.add(key_path.key("radius"), message, better);
        }
    }

    /// Members with at least this radius (length) that overlap wherever they start in their spawn.
    fn spawn_room<V: Vector>(
        &mut self,
        world: &HintWorld<V>,
        key_path: &KeyPath,
        group: &Group<V>,
        radius: f32,
    ) {
        let (key_path, width) = (key_path.key("spawn"), radius * 2.0);
        // Grids are written with rounded numbers, and bodies that just touch do not overlap.
        let overlaps = |spacing: f32| spacing < width * 0.999;
        let neighbors = |spacing: f32| {
            format!(
                "members start {} apart, and their bodies are {} wide: they overlap",
                short(spacing),
                short(width)
            )
        };
        match &group.spawn {
            Spawn::Inside(shape) => {
                let most = most_inside(shape, width);
                if (group.count as f64) > most {
                    let message = format!(
                        "{} bodies of \"{}\", {} wide, do not fit: at most {:.0} lie in this area \
                         without overlaps",
                        group.count,
                        group.name,
                        short(width),
                        libm::floor(most)
                    );
                    self.add(key_path, message, "a larger area, fewer members, or smaller bodies");
                }
            }
            Spawn::Grid { spacing, .. } if overlaps(*spacing) => {
                let better = format!("a `spacing` of at least {width}, or smaller bodies");
                self.add(key_path.key("grid").key("spacing"), neighbors(*spacing), better);
            }
            Spawn::Ring { radius: ring, .. } => {
                let half_turn = core::f64::consts::PI / group.count as f64;
                let spacing = (2.0 * f64::from(*ring) * libm::sin(half_turn)) as f32;
                if overlaps(spacing) {
                    let least = f64::from(radius) / libm::sin(half_turn);
                    let better =
                        format!("a `radius` of the ring of at least {}", short(least as f32));
                    self.add(key_path.key("ring").key("radius"), neighbors(spacing), better);
                }
            }
            Spawn::Along(path) => {
                let Some((name, path)) = world.setup.paths.get(path.0) else { return };
                let gaps = if path.is_closed() { group.count } else { group.count - 1 };
                let spacing = path.length() / gaps as f32;
                if overlaps(spacing) {
                    let better = format!("fewer members, or a longer path than \"{name}\"");
                    self.add(key_path.key("along"), neighbors(spacing), better);
                }
            }
            Spawn::Points(points) => {
                if let Some((i, k)) = closest(points, width * 0.999) {
                    let spacing = (points[k] - points[i]).length();
                    let better = format!("points at least {width} apart, or smaller bodies");
                    self.add(key_path.key("points").at(k), neighbors(spacing), better);
                }
            }
            // Validation places bodies that start apart.
            Spawn::Apart(_) | Spawn::Grid { .. } => {}
        }
    }
}

/// An upper bound on the number of points in a circle or a box that are at least `width` apart
/// (length).
///
/// In the plane 2 A / (sqrt(3) w^2) + P / (2 w) + 1 with the area A and the perimeter P (H.
/// Groemer, 1960; N. Oler, 1961); in space the closest packing in the shape grown by a width on
/// every side.
fn most_inside<V: Vector>(shape: &Shape<V>, width: f32) -> f64 {
    let w = f64::from(width);
    match shape {
        Shape::Circle { radius, .. } => {
            let r = f64::from(*radius);
            let pi = core::f64::consts::PI;
            if V::DIMENSION == 2 {
                plane(pi * r * r, 2.0 * pi * r, w)
            } else {
                CLOSEST * libm::pow((r + w) / (w * 0.5), 3.0)
            }
        }
        Shape::Box { half, .. } => {
            let side = |i: usize| f64::from(half.axis(i)) * 2.0;
            if V::DIMENSION == 2 {
                plane(side(0) * side(1), 2.0 * (side(0) + side(1)), w)
            } else {
                let volume: f64 = (0..V::DIMENSION).map(|i| side(i) + 2.0 * w).product();
                CLOSEST * volume / (core::f64::consts::PI / 6.0 * w * w * w)
            }
        }
        _ => f64::INFINITY,
    }
}

fn plane(area: f64, perimeter: f64, w: f64) -> f64 {
    2.0 / libm::sqrt(3.0) * area / (w * w) + perimeter / (2.0 * w) + 1.0
}

/// The first point that is nearer than `width` (length) to one before it, after that one.
fn closest<V: Vector>(points: &[V], width: f32) -> Option<(usize, usize)> {
    let mut cells: BTreeMap<[i64; 3], alloc::vec::Vec<usize>> = BTreeMap::new();
    let cell = |p: V| {
        let number = |i| libm::floor(f64::from(p.axis(i)) / f64::from(width)) as i64;
        core::array::from_fn::<i64, 3, _>(|i| if i < V::DIMENSION { number(i) } else { 0 })
    };
    for (k, p) in points.iter().enumerate() {
        let at = cell(*p);
        for x in at[0] - 1..=at[0] + 1 {
            for y in at[1] - 1..=at[1] + 1 {
                let mut column = cells.range([x, y, at[2] - 1]..=[x, y, at[2] + 1]);
                let found = column.find_map(|(_, near)| {
                    near.iter().find(|i| (points[**i] - *p).length() < width).copied()
                });
                if let Some(i) = found {
                    return Some((i, k));
                }
            }
        }
        cells.entry(at).or_default().push(k);
    }
    None
}
