//! Validation of `navigate`: the worlds in which it works, its place, and the meshes of its routes.

#[cfg(feature = "navigation")]
use alloc::string::ToString;
use alloc::vec::Vec;

use super::validator::Validator;
use crate::behavior::{Choose, Navigate, RouteClearance};
use crate::combine::{Entry, List};
use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::allowed::plain;
use crate::crowd::setup::group::Group;
#[cfg(feature = "navigation")]
use crate::geometry::navmesh::Navigator;
use crate::geometry::obstacle::Shape;
use crate::parameter::Target;
use crate::registry::Behavior;
use crate::spatial::space::Edge;
use crate::vector::Vector;

/// The largest number of targets to choose among: a choice makes as many searches in one tick.
const MOST_TARGETS: usize = 64;

/// The `navigate` behaviors of a list and of its inner lists, with their key paths.
fn navigating<'a, V: Vector>(
    key_path: &KeyPath,
    list: &'a List<V>,
    found: &mut Vec<(KeyPath, &'a Navigate<V>)>,
) {
    for (i, slot) in list.slots.iter().enumerate() {
        match &slot.entry {
            Entry::Behavior(Behavior::Navigate(navigate)) => {
                found.push((key_path.at(i).key("navigate"), navigate));
            }
            Entry::Behavior(_) => {}
            Entry::List(inner) => navigating(&key_path.at(i).key("all"), inner, found),
        }
    }
}

impl<V: Vector> Validator<'_, V> {
    /// The planning of routes.
    pub(super) fn navigation(&mut self) {
        self.table(&KeyPath::default().key("navigation"), &self.setup.navigation);
    }

    /// Validates the `navigate` behaviors of all groups, after the rest of the setup.
    pub(super) fn all_ways(&mut self) {
        let setup = self.setup;
        for (i, group) in setup.groups.iter().enumerate() {
            self.routes(&KeyPath::default().key("group").at(i), group);
        }
    }

    /// Validates the `navigate` behaviors of a group.
    pub(super) fn routes(&mut self, key_path: &KeyPath, group: &Group<V>) {
        let mut own = Vec::new();
        navigating(&key_path.key("steer"), &group.steer, &mut own);
        self.one_way(&own);
        let mut all = own.clone();
        for (i, state) in group.states.iter().enumerate() {
            let mut found = own.clone();
            let key_path = key_path.key("state").at(i).key("steer");
            navigating(&key_path, &state.steer, &mut found);
            if found.len() > own.len() {
                self.one_way(&found);
            }
            all.extend(found.drain(own.len()..));
        }
        for (key_path, navigate) in all {
            self.route(key_path, navigate, group);
        }
    }

    /// An agent has one way at a time.
    fn one_way(&mut self, found: &[(KeyPath, &Navigate<V>)]) {
        if let [_, (key_path, _), ..] = found {
            self.error(
                key_path.clone(),
                "`navigate` is the second of its list, and an agent has one way at a time",
                "one `navigate` in the lists of a group and a state together",
            );
        }
    }

    fn route(&mut self, key_path: KeyPath, navigate: &Navigate<V>, group: &Group<V>) {
        let world = if V::DIMENSION == 3 {
            Some(("works in the plane, but the world has three dimensions", "a world in 2D"))
        } else if self.setup.bounds.is_some_and(|bounds| bounds.edge == Edge::Wrap) {
            let problem = "knows no routes across the edge, but the world wraps";
            Some((problem, "bounds with `edge` \"wall\", \"bounce\" or \"open\""))
        } else if cfg!(not(feature = "navigation")) {
            let problem = "needs the feature `navigation` of the library";
            Some((problem, "the feature `navigation`"))
        } else {
            None
        };
        if let Some((problem, allowed)) = world {
            self.error(
                key_path,
                format!("`navigate` {problem}"),
                format!("{allowed}, or no `navigate`"),
            );
            return;
        }
        self.choice(&key_path, navigate, group);
        let clearance = navigate.clearance_for(group.largest_radius());
        if navigate.clearance == RouteClearance::Auto && clearance <= 0.0 {
            let message = format!(
                "`clearance` is \"auto\", and the `radius` of the members is {}",
                plain(clearance)
            );
            self.error(key_path.key("clearance"), message, "a length above 0, or a `radius`");
        } else {
            self.mesh(key_path, clearance);
        }
    }

    /// The choice among several targets.
    fn choice(&mut self, key_path: &KeyPath, navigate: &Navigate<V>, group: &Group<V>) {
        let others = &navigate.alternatives;
        if others.is_empty() {
            if navigate.choose == Choose::ShortestWait {
                self.error(
                    key_path.key("choose"),
                    "`choose` is \"shortest_wait\", and there is one target",
                    "`alternatives` to the target, or no `choose`",
                );
            }
            return;
        }
        let Target::Point(target) = navigate.target else {
            self.error(
                key_path.key("target"),
                "`target` has `alternatives`, and is no point",
                "a point such as [100, 50], or no `alternatives`",
            );
            return;
        };
        if others.len() >= MOST_TARGETS {
            self.error(
                key_path.key("alternatives"),
                format!("`alternatives` has {} points", others.len()),
                format!("at most {}, as each is a search", MOST_TARGETS - 1),
            );
            return;
        }
        for (i, p) in others.iter().enumerate() {
            if *p == target || others[..i].contains(p) {
                self.error(
                    key_path.key("alternatives").at(i),
                    format!("`alternatives` has the point {p:?} twice, or `target` is it"),
                    "points that differ",
                );
            }
        }
        let waits = navigate.choose == Choose::ShortestWait;
        if waits && navigate.queue_length_for(group.largest_radius()) <= 0.0 {
            self.error(
                key_path.key("queue_length"),
                "`queue_length` is \"auto\", and the `radius` of the members is 0",
                "a length above 0, or a `radius`",
            );
        }
    }

    #[cfg(not(feature = "navigation"))]
    fn mesh(&mut self, _: KeyPath, _: f32) {}

    #[cfg(not(feature = "navigation"))]
    pub(super) fn grown(&mut self, _: &KeyPath, _: &Shape<V>, _: usize) {}

    /// The shape of obstacle `index` can be grown by the clearance of every `navigate`.
    #[cfg(feature = "navigation")]
    pub(super) fn grown(&mut self, key_path: &KeyPath, shape: &Shape<V>, index: usize) {
        use crate::geometry::navmesh::{TOLERANCE, grow};
        use crate::geometry::obstacle::Obstacle;
        let mut found = Vec::new();
        for group in self.setup.groups.iter().filter(|_| self.errors.is_empty()) {
            let radius = group.largest_radius();
            for list in group.lists() {
                navigating(&KeyPath::default(), list, &mut found);
            }
            for (_, navigate) in found.drain(..) {
                let clearance = navigate.clearance_for(radius);
                let lengths = (clearance, TOLERANCE * clearance);
                let obstacle = Obstacle::in_space(shape.clone(), &self.setup.space());
                if let Err(error) = grow(&obstacle, index, lengths, &mut Vec::new()) {
                    let message = error.to_string();
                    let (problem, allowed) =
                        message.split_once("; allowed: ").unwrap_or((&message, ""));
                    return self.error(key_path.clone(), problem, allowed);
                }
            }
        }
    }

    /// The mesh for bodies that keep `clearance` (length) from obstacles can be made.
    #[cfg(feature = "navigation")]
    fn mesh(&mut self, key_path: KeyPath, clearance: f32) {
        use crate::geometry::obstacle::Obstacle;
        // Errors of the obstacles and the bounds themselves are found elsewhere.
        let is_sound = self.errors.is_empty() && clearance > 0.0 && clearance <= 1e9;
        if !is_sound {
            return;
        }
        let setup = self.setup;
        let navigator = self.meshes.get_or_insert_with(|| {
            let (space, shapes) = (setup.space(), setup.obstacles.iter().cloned());
            let obstacles: Vec<_> = shapes.map(|s| Obstacle::in_space(s, &space)).collect();
            Navigator::new(&obstacles, &space, setup.navigation.searches_per_tick as usize)
        });
        if let Err(error) = navigator.prepare(clearance) {
            let message = error.to_string();
            let (problem, allowed) = message.split_once("; allowed: ").unwrap_or((&message, ""));
            self.error(key_path.key("clearance"), problem, allowed);
        }
    }
}
