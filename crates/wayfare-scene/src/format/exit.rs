//! Exits, and what happens to agents that leave.

use wayfare::crowd::{Exit, ExitAction};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::Vec2;
use wayfare::parameter::{Parameters, Variant, Variants};
use wayfare::vector::Vector;

use super::described::{Beside, keys_of};
use super::shape::{AS_BOX, AS_CIRCLE, AS_POLYGON, AS_SEGMENT};
use super::{Key, OBSTACLE, Table, ValueKind, optional, variants};
use std::collections::HashSet;

use crate::decode::{Decoder, TableNode};
use crate::document::Node;

const NAME: Key = optional(
    "name",
    ValueKind::Name,
    "",
    "\"north\"",
    "A unique name, to which the `to` of a source refers.",
);

pub(crate) static EXIT: Table = Table {
    name: "exit",
    doc: <Exit<Vec2> as Parameters<Vec2>>::DOC,
    keys: &{
        keys_of::<Exit<Vec2>, 7>(Beside {
            without: &["shape"],
            with: &[
                ("shape", AS_CIRCLE),
                ("shape", AS_BOX),
                ("shape", AS_SEGMENT),
                ("shape", AS_POLYGON),
                ("shape", NAME),
            ],
            tables: &[],
        })
    },
    one_of: OBSTACLE.one_of,
    needs: &[],
    example: "{ box = { min = [0, 470], max = [640, 480] } }",
};

const ACTIONS: &[Variant] = <ExitAction<Vec2> as Variants<Vec2>>::LIST;
static ACTION_KEYS: [Key; variants::count_keys(ACTIONS)] = variants::keys(ACTIONS);
static ACTION_ONE_OF: [&[&str]; variants::count_tables(ACTIONS)] = variants::one_of(ACTIONS);

/// An exit action that is a table; the others are words.
pub(crate) static EXIT_ACTION: Table = Table {
    name: "then",
    doc: "What happens to an agent that leaves.",
    keys: &ACTION_KEYS,
    one_of: &ACTION_ONE_OF,
    needs: &[],
    example: "{ respawn = { box = { min = [0, 0], max = [10, 10] } } }",
};

/// The exit actions that are words: those without parameters.
pub(crate) fn exit_action_words() -> impl Iterator<Item = &'static str> {
    ACTIONS.iter().filter(|action| action.parameters.is_empty()).map(|action| action.name)
}

impl Decoder {
    pub(super) fn exits<V: Vector>(&mut self, node: &Node) -> Vec<Exit<V>> {
        let items =
            self.list("exit", node, "a list of tables, each under [[exit]]").unwrap_or_default();
        let mut known = HashSet::new();
        for name in items.iter().filter_map(|item| item.get("name")) {
            match self.text("name", name).as_deref() {
                Some("") => self.wrong("name", name, "a name that no other exit has"),
                Some(text) if !known.insert(text.to_string()) => {
                    let message = format!("there is an exit \"{text}\" already");
                    self.problem(name.span.clone(), message, "a name that no other exit has");
                }
                _ => {}
            }
        }
        items.iter().map(|item| self.exit(item)).collect()
    }

    fn exit<V: Vector>(&mut self, node: &Node) -> Exit<V> {
        let mut exit = Exit::new(Shape::Circle { center: V::ZERO, radius: 0.0 });
        let shapes = ["circle", "box", "segment", "polygon"];
        let Some(shape) = self.shape_in(node, &EXIT, &shapes) else { return exit };
        exit.shape = shape.unwrap_or(exit.shape);
        self.described(TableNode { node, table: &EXIT }, &mut exit, &["shape"]);
        exit
    }

    pub(crate) fn exit_action<V: Vector>(&mut self, node: &Node) -> Option<ExitAction<V>> {
        if let Some(word) = exit_action_words().find(|word| node.text() == Some(word)) {
            return ExitAction::from_name(word);
        }
        let tables = ACTIONS.iter().filter(|action| !action.parameters.is_empty());
        let allowed = || {
            let examples: Vec<&str> = ACTIONS.iter().map(|action| action.example).collect();
            examples.join(", or ")
        };
        if node.table().is_none() {
            self.wrong("then", node, allowed());
            return None;
        }
        let before = self.problems.len();
        let keys = self.described_table("then", node, &EXIT_ACTION)?;
        let mut found = tables.filter(|action| keys.get(action.name).is_some());
        match (found.next(), found.next()) {
            (Some(action), None) => self.variant(keys, action),
            (None, _) if self.problems.len() > before => None,
            (first, _) => {
                let message = if first.is_some() { "`then` is several" } else { "`then` is empty" };
                self.problem(self.head_of(node), message, allowed());
                None
            }
        }
    }
}
