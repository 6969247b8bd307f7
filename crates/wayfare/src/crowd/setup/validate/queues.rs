//! Validation of `queue_along`: its place in the lists, and the paths that queues stand on.

use alloc::vec::Vec;

use super::validator::Validator;
use crate::behavior::QueueAlong;
use crate::combine::{Entry, List};
use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::group::Group;
use crate::parameter::PathId;
use crate::registry::Behavior;
use crate::vector::Vector;

/// The `queue_along` behaviors of a list and of its inner lists, with their key paths.
fn queueing<'a, V: Vector>(
    key_path: &KeyPath,
    list: &'a List<V>,
    found: &mut Vec<(KeyPath, &'a QueueAlong)>,
) {
    for (i, slot) in list.slots.iter().enumerate() {
        match &slot.entry {
            Entry::Behavior(Behavior::QueueAlong(queue)) => {
                found.push((key_path.at(i).key("queue_along"), queue));
            }
            Entry::Behavior(_) => {}
            Entry::List(inner) => queueing(&key_path.at(i).key("all"), inner, found),
        }
    }
}

impl<V: Vector> Validator<'_, V> {
    /// Validates the `queue_along` behaviors of all groups, after the rest of the setup.
    pub(super) fn all_queues(&mut self) {
        let setup = self.setup;
        for (i, group) in setup.groups.iter().enumerate() {
            self.queues(&KeyPath::default().key("group").at(i), group);
        }
    }

    /// Validates the `queue_along` behaviors of a group.
    pub(super) fn queues(&mut self, key_path: &KeyPath, group: &Group<V>) {
        let mut own = Vec::new();
        queueing(&key_path.key("steer"), &group.steer, &mut own);
        self.one_queue(&own);
        let mut all = own.clone();
        for (i, state) in group.states.iter().enumerate() {
            let mut found = own.clone();
            let key_path = key_path.key("state").at(i).key("steer");
            queueing(&key_path, &state.steer, &mut found);
            if found.len() > own.len() {
                self.one_queue(&found);
            }
            all.extend(found.drain(own.len()..));
        }
        for (key_path, queue) in all {
            self.queue(&key_path.key("path"), queue.path);
        }
    }

    /// An agent is in one queue at a time.
    fn one_queue(&mut self, found: &[(KeyPath, &QueueAlong)]) {
        if let [_, (key_path, _), ..] = found {
            self.error(
                key_path.clone(),
                "`queue_along` is the second of its list, and an agent is in one queue at a time",
                "one `queue_along` in the lists of a group and a state together",
            );
        }
    }

    /// Validates the path of a queue. One that does not exist is reported with the parameter.
    fn queue(&mut self, key_path: &KeyPath, path: PathId) {
        let allowed = "an open path of two points or more, which ends at the first place";
        let problem = if path == PathId::ORDER {
            "the path is \"order\", and all members of a queue stand on one path".into()
        } else {
            // The paths of a running crowd are not in its setup.
            let Some((name, path)) = self.setup.paths.get(path.0) else { return };
            if path.is_closed() {
                format!("the path \"{name}\" is closed, and a queue needs an end")
            } else if !path.points().is_empty() && path.length() == 0.0 {
                format!("the path \"{name}\" has no length")
            } else {
                return;
            }
        };
        self.error(key_path.clone(), problem, allowed);
    }
}
