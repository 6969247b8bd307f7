//! Validation of the world: the pointer's track, paths, flow fields, bounds and shapes.

use alloc::collections::BTreeSet;
use alloc::string::ToString;

use glam::Vec2;

use super::polygon;
use super::validator::Validator;
use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::allowed::ranges;
use crate::crowd::setup::allowed::{list, plain};
use crate::geometry::flow_field::FieldPlan;
use crate::geometry::obstacle::Shape;
use crate::order::ORDER;
use crate::parameter::{Kind, LARGEST};
use crate::spatial::space::Edge;
use crate::vector::{Up, Vector};

impl<V: Vector> Validator<'_, V> {
    pub(super) fn up(&mut self) {
        if V::DIMENSION == 2 && self.setup.up != Up::Z {
            self.error(
                KeyPath::default().key("up"),
                "a world of two dimensions has no up",
                "no `up`, or a world of three dimensions",
            );
        }
    }

    pub(super) fn bodies(&mut self) {
        self.table(&KeyPath::default().key("bodies"), &self.setup.bodies);
    }

    pub(super) fn pointer(&mut self) {
        let key_path = KeyPath::default().key("pointer").key("track");
        if let Some(track) = &self.setup.pointer {
            if track.points.is_empty() {
                self.error(key_path.clone(), "`track` is empty", "at least one [time, x, y]");
            }
            let mut before = f64::NEG_INFINITY;
            for (i, (time, p)) in track.points.iter().enumerate() {
                if time.is_nan() || time.abs() > f64::from(LARGEST) {
                    self.error(
                        key_path.at(i),
                        format!("the time is {}", plain(*time)),
                        "a time from -1e9 to 1e9",
                    );
                } else {
                    if *time <= before {
                        let message = format!(
                            "the time {} does not come after {}",
                            plain(*time),
                            plain(before)
                        );
                        self.error(
                            key_path.at(i),
                            message,
                            "times that grow from point to point, up to 1e9",
                        );
                    }
                    before = *time;
                }
                self.point(key_path.at(i), *p);
            }
        }
    }

    pub(super) fn paths(&mut self) {
        let (setup, top) = (self.setup, KeyPath::default());
        let mut names = BTreeSet::new();
        for (name, path) in &setup.paths {
            if !names.insert(name) {
                self.error(
                    top.key("path").key(name),
                    format!("there is a path \"{name}\" already"),
                    "a name that no other path has",
                );
            }
            let key_path = top.key("path").key(name);
            if name == ORDER {
                self.error(
                    key_path.clone(),
                    format!("\"{ORDER}\" is no name for a path"),
                    format!("any other name: \"{ORDER}\" is the path of each agent's own order"),
                );
            }
            if path.points().is_empty() {
                self.error(
                    key_path.key("points"),
                    format!("the path `{name}` has no points"),
                    "at least one point such as [100, 50]",
                );
            }
            for (i, p) in path.points().iter().enumerate() {
                self.point(key_path.key("points").at(i), *p);
            }
            self.number(key_path.key("radius"), path.radius, ranges::RADIUS);
        }
    }

    pub(super) fn fields(&mut self) {
        let (setup, mut names) = (self.setup, BTreeSet::new());
        for (name, plan) in &setup.fields {
            let key_path = KeyPath::default().key("field").key(name);
            if !names.insert(name) {
                self.error(
                    key_path.clone(),
                    format!("there is a field \"{name}\" already"),
                    "a name that no other field has",
                );
            }
            if let FieldPlan::Toward { goals, .. } = plan {
                goals
                    .iter()
                    .enumerate()
                    .for_each(|(i, goal)| self.shape(&key_path.key("goal").at(i), goal));
            }
            // Invalid bounds have their own error; fields without `area` report invalid bounds,
            // too.
            if let Err(wrong) = plan.check(setup.bounds.as_ref()) {
                self.error(key_path.key(wrong.key), wrong.message, wrong.allowed);
            }
        }
    }

    pub(super) fn bounds(&mut self) {
        let Some(bounds) = self.setup.bounds else { return };
        let key_path = KeyPath::default().key("bounds");
        let before = self.errors.len();
        self.table(&key_path, &bounds);
        if self.errors.len() > before {
            return;
        }
        let size = bounds.max - bounds.min;
        let narrowest = (0..V::DIMENSION).map(|i| size.axis(i)).fold(f32::INFINITY, f32::min);
        if narrowest <= 0.0 {
            return self.error(
                key_path.key("max"),
                format!("`max` is {} and `min` is {}", list(bounds.max), list(bounds.min)),
                "a `max` above `min` on every axis",
            );
        }
        if bounds.edge != Edge::Wrap {
            return;
        }
        for (i, group) in self.setup.groups.iter().enumerate() {
            let radius = group.neighbor_radius(self.setup.dt as f32).unwrap_or(0.0);
            if narrowest < 2.0 * radius {
                let message = format!(
                    "the wrapped world is {narrowest} wide, and group \"{}\" looks for neighbors \
                     up to {radius} away",
                    group.name
                );
                self.error(
                    key_path.key("edge"),
                    message,
                    format!(
                        "a world at least {} wide on every axis, or smaller radii in group[{i}]",
                        2.0 * radius
                    ),
                );
            }
        }
    }

    pub(super) fn shape(&mut self, key_path: &KeyPath, shape: &Shape<V>) {
        match shape {
            Shape::Circle { center, radius } => {
                self.point(key_path.key("circle").key("center"), *center);
                self.number(key_path.key("circle").key("radius"), *radius, ranges::RADIUS);
            }
            Shape::Box { center, half, angle } => {
                let key_path = key_path.key("box");
                self.point(key_path.clone(), *center);
                if !angle.is_finite() {
                    self.error(
                        key_path.key("angle"),
                        format!("`angle` is {angle}"),
                        "a finite angle",
                    );
                }
                if (0..V::DIMENSION).any(|i| !ranges::RADIUS.holds(half.axis(i))) {
                    self.error(
                        key_path,
                        format!("its size is {}", list(*half * 2.0)),
                        "a `max` that is not below `min`, or a `size` from 0 to 1e9 on every axis",
                    );
                }
            }
            Shape::Segment { from, to, thickness } => {
                self.point(key_path.key("segment").key("from"), *from);
                self.point(key_path.key("segment").key("to"), *to);
                self.number(key_path.key("segment").key("thickness"), *thickness, ranges::RADIUS);
            }
            Shape::Polygon { points } => {
                let key_path = key_path.key("polygon");
                if points.len() < 3 {
                    self.error(
                        key_path.clone(),
                        format!("the polygon has {} corners", points.len()),
                        "at least 3 corners",
                    );
                }
                let before = self.errors.len();
                for (i, p) in points.iter().enumerate() {
                    self.point(key_path.at(i), V::from_flat(*p));
                }
                if points.len() >= 3 && self.errors.len() == before {
                    self.polygon(key_path, points);
                }
            }
        }
    }

    /// Reports a polygon without a well-defined inside: formulas accept such a polygon, but their
    /// results would surprise its author.
    fn polygon(&mut self, key_path: KeyPath, points: &[Vec2]) {
        let point = |p: Vec2| format!("[{}, {}]", plain(p.x), plain(p.y));
        if let Some((i, k)) = polygon::crossing(points) {
            let edge = |i: usize| {
                format!("{} to {}", point(points[i]), point(points[(i + 1) % points.len()]))
            };
            self.error(
                key_path,
                format!("the polygon crosses itself: {} and {}", edge(i), edge(k)),
                "corners in the order of its outline",
            );
        } else if polygon::is_flat(points) {
            self.error(
                key_path,
                "the polygon has no area: its corners lie on a line",
                "at least 3 corners that are not on one line; a `segment` is a line",
            );
        }
    }

    pub(super) fn area(&mut self, key_path: &KeyPath, shape: &Shape<V>) {
        self.shape(key_path, shape);
        if !matches!(shape, Shape::Circle { .. } | Shape::Box { .. }) {
            self.error(
                key_path.clone(),
                "the shape has no inside to draw points from",
                Kind::Area.to_string(),
            );
        }
    }
}
