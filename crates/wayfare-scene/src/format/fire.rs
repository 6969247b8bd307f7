//! `[fire]`: what a click in a viewer does.

use wayfare::parameter::{GroupId, Kind, Value};
use wayfare::vector::Vector;

use super::{BOUNDS, Table, ValueKind, required};
use crate::decode::Decoder;
use crate::document::Node;

pub(crate) static FIRE: Table = Table {
    name: "fire",
    doc: "What a click in a viewer does: the shooters turn to it and fire; a target that is hit is \
          removed, and another enters.",
    keys: &[
        required(
            "shooters",
            ValueKind::Name,
            "\"soldiers\"",
            "The group whose members turn to the click and fire.",
        ),
        required(
            "bullets",
            ValueKind::Name,
            "\"bullets\"",
            "The group of what they fire: usually without members at the start, and without \
             behaviors.",
        ),
        required(
            "targets",
            ValueKind::Name,
            "\"monsters\"",
            "The group whose members are removed when they are hit; for each, another enters at \
             the edge of the bounds.",
        ),
    ],
    one_of: &[],
    needs: &[],
    example: "{ shooters = \"soldiers\", bullets = \"bullets\", targets = \"monsters\" }",
};

/// The effect of a click in a viewer: the shooters turn to it and fire; a target that is hit is
/// removed, and another enters.
///
/// The crowd does not read it: a viewer turns clicks into commands. The three groups differ, and
/// the scene has bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fire {
    /// The group that turns to the click and fires.
    pub shooters: GroupId,
    /// The group of what is fired.
    pub bullets: GroupId,
    /// The group whose members are removed when they are hit.
    pub targets: GroupId,
}

impl Decoder {
    /// `bounded`: whether the scene has bounds.
    pub(super) fn fire<V: Vector>(&mut self, node: &Node, bounded: bool) -> Option<Fire> {
        self.described_entries("fire", node, &FIRE)?;
        if !bounded {
            let allowed = format!(
                "`bounds` must be given, such as bounds = {}: new targets enter at their edge",
                BOUNDS.example
            );
            self.problem(self.head_of(node), "`fire` in a scene without `bounds`", allowed);
        }
        let mut known: Vec<(&str, GroupId)> = Vec::new();
        for key in FIRE.keys {
            let Some(named) = node.get(key.name) else { continue };
            let Some(Value::Group(group)) = self.value::<V>(key.name, Kind::Group, named) else {
                continue;
            };
            if let Some((other, _)) = known.iter().find(|(_, other)| *other == group) {
                self.problem(
                    named.span.clone(),
                    format!("`{}` is {}, as `{other}` is", key.name, named.describe()),
                    "three different groups",
                );
            }
            known.push((key.name, group));
        }
        let group = |name| known.iter().find(|(key, _)| *key == name).map(|(_, group)| *group);
        Some(Fire {
            shooters: group("shooters")?,
            bullets: group("bullets")?,
            targets: group("targets")?,
        })
    }
}
