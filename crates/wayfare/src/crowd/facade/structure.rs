//! What adding and removing groups and parts of the world have in common.

use alloc::string::{String, ToString};
use alloc::sync::Arc;

use super::crowd::Crowd;
use crate::combine::List;
use crate::crowd::compiled::compile_groups;
use crate::crowd::pipeline::change::Change;
use crate::crowd::setup::Setup;
use crate::crowd::setup::allowed::{KeyPath, KeySegment, ValidationError};
use crate::crowd::structure::Structure;
use crate::parameter::{PathId, Value};
use crate::registry::Behavior;
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// The current setup with everything in the world; spawn points are not stored.
    pub(in crate::crowd) fn current_setup(&self) -> Setup<V> {
        let mut setup = self.origin.setup.clone();
        setup.obstacles =
            self.world.obstacles.iter().map(|obstacle| obstacle.shape().clone()).collect();
        for ((_, path), now) in setup.paths.iter_mut().zip(&self.world.paths) {
            path.clone_from(now);
        }
        setup.lines = self.world.tracker.lines.iter().map(|count| count.line.clone()).collect();
        setup.exits = self.world.tracker.exits.iter().map(|count| count.exit.clone()).collect();
        setup.sources = self.world.sources.iter().map(|count| count.source.clone()).collect();
        setup
    }

    /// The setup and ids from before the first change of the structure.
    pub(in crate::crowd) fn as_original(&self) -> Arc<(Setup<V>, Structure)> {
        Arc::new((self.current_setup(), self.origin.structure.clone()))
    }

    /// Something but an obstacle is going to be added or removed: a snapshot from before needs the
    /// setup as it is.
    pub(in crate::crowd) fn keep_original(&mut self) {
        if !self.origin.structure.changed {
            self.origin.original = Some(self.as_original());
            self.origin.structure.changed = true;
        }
        self.changed(Change::Input);
    }

    /// Compiles the groups again after some were added or removed, and gives the columns the widths
    /// that they need.
    pub(super) fn groups_changed(&mut self) {
        let widths = compile_groups(&self.origin.setup, &self.origin.structure).1;
        self.population.now.set_widths(widths);
        self.population.next.set_widths(widths);
        self.rebuild();
    }

    /// The first `queue_along` whose queue stands on a path, and its group, in words.
    pub(in crate::crowd) fn find_queue(&self, path: PathId) -> Option<String> {
        self.origin.setup.groups.iter().find_map(|group| {
            let mut behaviors = group.lists().flat_map(List::behaviors);
            let stands = |behavior: &Behavior<V>| {
                matches!(behavior, Behavior::QueueAlong(queue) if queue.path == path)
            };
            behaviors.any(stands).then(|| format!("`queue_along` of group \"{}\"", group.name))
        })
    }

    /// The first behavior with a parameter for which `is_sought` holds, and its group, in words.
    pub(super) fn find_parameter(&self, is_sought: impl Fn(&Value<V>) -> bool) -> Option<String> {
        self.origin.setup.groups.iter().find_map(|group| {
            let mut behaviors = group.lists().flat_map(List::behaviors);
            let behavior = behaviors.find(|behavior| {
                let parameters = behavior.parameters().iter();
                parameters
                    .filter_map(|parameter| behavior.get(parameter.name))
                    .any(|value| is_sought(&value))
            })?;
            Some(format!("`{}` of group \"{}\"", behavior.name(), group.name))
        })
    }
}

/// The error of a single item in a list of the setup, with the key of a command in place of the
/// list and the item's index or name.
pub(super) fn under(key: &str, error: ValidationError) -> ValidationError {
    let mut segments = vec![KeySegment::Name(key.to_string())];
    segments.extend(error.key_path.0.into_iter().skip(2));
    ValidationError { key_path: KeyPath(segments), ..error }
}
