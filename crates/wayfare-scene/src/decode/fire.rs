//! What a click does: who fires, what, and at whom.

use wayfare::parameter::{GroupId, Kind, Value};
use wayfare::vector::Vector;

use super::Decoder;
use crate::document::Node;
use crate::format;

/// What a click does where somebody watches: the shooters turn to it and fire; a target that is hit
/// goes, and another enters.
///
/// The crowd knows nothing of it: who watches makes commands of clicks, as the viewer does. They
/// are three different groups, and the scene has bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fire {
    /// Who turns to the click and fires.
    pub shooters: GroupId,
    /// What they fire.
    pub bullets: GroupId,
    /// Who goes when it is hit.
    pub targets: GroupId,
}

impl Decoder {
    /// `bounded`: whether the scene has bounds.
    pub(super) fn fire<V: Vector>(&mut self, node: &Node, bounded: bool) -> Option<Fire> {
        self.described("fire", node, &format::FIRE)?;
        if !bounded {
            let allowed = format!(
                "`bounds` must be given, such as bounds = {}: whoever takes a target's place \
                 enters at their rim",
                format::BOUNDS.example
            );
            self.problem(self.head_of(node), "`fire` stands in a scene without `bounds`", allowed);
        }
        let mut known: Vec<(&str, GroupId)> = Vec::new();
        for key in format::FIRE.keys {
            let Some(named) = node.get(key.name) else { continue };
            let Some(Value::Group(group)) = self.value::<V>(key.name, Kind::Group, named) else {
                continue;
            };
            if let Some((other, _)) = known.iter().find(|(_, other)| *other == group) {
                self.problem(
                    named.span.clone(),
                    format!("`{}` is {}, as `{other}` is", key.name, named.describe()),
                    "another group: they are three",
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
