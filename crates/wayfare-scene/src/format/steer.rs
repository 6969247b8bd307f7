//! Lists of behaviors.

use wayfare::combine::{Combine, Entry as ListEntry, List, Slot};
use wayfare::crowd::range;
use wayfare::registry::Behavior;
use wayfare::vector::Vector;

use super::{Key, Table, ValueKind, optional};
use crate::decode::{Decoder, TableNode};
use crate::document::Node;

/// The rule of a list, in the table that holds the list.
pub(super) const COMBINE: Key =
    optional("combine", ValueKind::Word(Combine::WORDS), "\"sum\"", "\"priority\"", Combine::DOC);
pub(super) const EPSILON: Key = optional(
    "epsilon",
    ValueKind::Number(range::EPSILON),
    "1e-6",
    "0.01",
    "The length up to which `\"priority\"` and `\"dither\"` count a force as zero.",
);
pub(super) const STANDING: Key = optional(
    "standing",
    ValueKind::Number(range::STANDING),
    "0",
    "0.5",
    "How much `\"context\"` prefers to stand still: the interest in no velocity, as a part of the \
     strongest interest. With 0 it never chooses to stand.",
);

/// The keys of a list entry beside its behavior.
pub(crate) static STEER_ENTRY: Table = Table {
    name: "steer",
    doc: "An entry of a list: one behavior, or a nested list.",
    keys: &[
        optional(
            "all",
            ValueKind::Behaviors,
            "",
            "[{ seek = { target = [100, 50] } }]",
            "A nested list, combined by its own rule.",
        ),
        optional(
            "weight",
            ValueKind::Number(range::WEIGHT),
            "1",
            "1.5",
            "The factor of the force.",
        ),
        optional(
            "chance",
            ValueKind::Number(range::CHANCE),
            "1",
            "0.5",
            "The probability with which `\"dither\"` draws it.",
        ),
        optional(
            "danger",
            ValueKind::Flag,
            "false",
            "true",
            "Whether `\"context\"` reads it as a danger: directions in which it would push back \
             are avoided.",
        ),
        optional(
            "off",
            ValueKind::Flag,
            "false",
            "true",
            "Whether it is switched off: it is read and validated, and has no effect.",
        ),
        COMBINE,
        EPSILON,
        STANDING,
    ],
    one_of: &[],
    needs: &[("combine", "all"), ("epsilon", "all"), ("standing", "all")],
    example: "{ seek = { target = [100, 50] } }",
};

impl Decoder {
    /// The list under `key` of a table that also holds its rule: a group, a state, or an entry
    /// with a nested list.
    pub(super) fn behaviors<V: Vector>(&mut self, outer: &Node, key: &str) -> List<V> {
        let mut list = List::default();
        let keys = TableNode { node: outer, table: &STEER_ENTRY };
        if let Some(rule) = keys.word(self, "combine") {
            list.combine = Combine::LIST[rule];
        }
        list.epsilon = keys.f32(self, "epsilon", list.epsilon);
        list.standing = keys.f32(self, "standing", list.standing);
        let Some(node) = outer.get(key) else { return list };
        let items = self
            .list(
                key,
                node,
                "a list of behaviors such as [{ seek = { target = [100, 50] } }], or each under \
                 [[group.steer]]",
            )
            .unwrap_or_default();
        // An empty nested list stands in for an entry that cannot be read: the entries after it
        // keep their indices.
        list.slots = items
            .iter()
            .map(|item| {
                self.list_entry(item).unwrap_or_else(|| Slot::new(ListEntry::List(List::default())))
            })
            .collect();
        list
    }

    fn list_entry<V: Vector>(&mut self, node: &Node) -> Option<Slot<V>> {
        let Some(entries) = node.table() else {
            self.wrong(
                "steer",
                node,
                "a table with a behavior's name as its key, such as { seek = { target = [100, 50] \
                 } }",
            );
            return None;
        };
        let behaviors: Vec<&str> = self.registry.descriptions::<V>().map(|b| b.name).collect();
        let mut found = Vec::new();
        for entry in entries {
            if entry.key == "all" || behaviors.contains(&entry.key.as_str()) {
                found.push(entry);
            } else if STEER_ENTRY.key(&entry.key).is_none() {
                let keys = STEER_ENTRY.keys.iter().map(|key| key.name);
                let known: Vec<&str> = behaviors.iter().copied().chain(keys).collect();
                let message = format!("`{}` is not a behavior", entry.key);
                self.unknown_key("steer", entry, &message, &known);
            }
        }
        if let [first, second, ..] = found[..] {
            self.problem(
                second.span.clone(),
                format!("`{}` is in one table with `{}`", second.key, first.key),
                "one behavior per table: begin another",
            );
        }
        let Some(entry) = found.first() else {
            if entries.iter().all(|e| STEER_ENTRY.key(&e.key).is_some()) {
                self.problem(
                    self.head_of(node),
                    "this entry of the list names no behavior",
                    format!(
                        "one of {}, all; such as seek = {{ target = [100, 50] }}",
                        behaviors.join(", ")
                    ),
                );
            }
            return None;
        };
        let mut slot = if entry.key == "all" {
            Slot::new(ListEntry::List(self.behaviors(node, "all")))
        } else {
            for (key, _) in STEER_ENTRY.needs {
                if let Some(misplaced) = entries.iter().find(|e| e.key == *key) {
                    self.problem(
                        misplaced.span.clone(),
                        format!("`{key}` belongs to a list"),
                        "`all = [ … ]` beside it, or the group's own `combine`",
                    );
                }
            }
            Slot::new(ListEntry::Behavior(self.behavior(&entry.key, &entry.node)?))
        };
        let keys = TableNode { node, table: &STEER_ENTRY };
        slot.weight = keys.f32(self, "weight", slot.weight);
        slot.chance = keys.f32(self, "chance", slot.chance);
        slot.danger = keys.flag(self, "danger").unwrap_or(false);
        slot.off = keys.flag(self, "off").unwrap_or(false);
        Some(slot)
    }

    fn behavior<V: Vector>(&mut self, name: &str, node: &Node) -> Option<Behavior<V>> {
        let mut behavior: Behavior<V> = self.registry.from_name(name)?;
        for (parameter, value) in self.parameters(name, behavior.parameters(), node) {
            behavior.set(parameter, value);
        }
        Some(behavior)
    }
}

#[cfg(test)]
mod tests {
    use super::STEER_ENTRY;
    use std::collections::BTreeSet;
    use wayfare::registry::{LIST_KEYS, SLOT_KEYS};

    #[test]
    fn no_behavior_can_be_registered_under_a_key_of_an_entry() {
        let keys: BTreeSet<&str> = STEER_ENTRY.keys.iter().map(|key| key.name).collect();
        assert_eq!(keys, SLOT_KEYS.into_iter().chain(LIST_KEYS).collect());
    }
}
