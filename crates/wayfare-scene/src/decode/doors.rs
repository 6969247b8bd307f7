//! Lines whose crossings are counted, and exits.

use wayfare::crowd::{Exit, Line, Then};
use wayfare::obstacle::Shape;
use wayfare::parameter::{Groups, Kind, Value};
use wayfare::vector::Vector;

use super::Decoder;
use crate::format;
use crate::tree::Node;

const SHAPES: &[&str] = &["circle", "box", "segment", "polygon"];
const THEN: &str = "\"remove\", or { respawn = { box = { min = [0, 0], max = [10, 10] } } }";

impl Decoder {
    pub(super) fn lines<V: Vector>(&mut self, node: &Node) -> Vec<Line<V>> {
        let entries = self.named("line", node, &format::LINE);
        let mut lines = Vec::new();
        for entry in entries {
            self.described(&format!("line.{}", entry.key), &entry.node, &format::LINE);
            let from = entry.node.get("from").and_then(|n| self.point("from", n));
            let to = entry.node.get("to").and_then(|n| self.point("to", n));
            // A stand-in has a length: the library's check has nothing to say of it.
            let (from, to) = from.zip(to).unwrap_or((V::ZERO, V::X));
            lines.push(Line { name: entry.key.clone(), from, to });
        }
        lines
    }

    pub(super) fn exits<V: Vector>(&mut self, node: &Node) -> Vec<Exit<V>> {
        let items = self.list("exit", node, "a list of tables, each under [[exit]]").unwrap_or_default();
        items.iter().map(|item| self.exit(item)).collect()
    }

    fn exit<V: Vector>(&mut self, node: &Node) -> Exit<V> {
        let mut exit = Exit { shape: Shape::Circle { center: V::ZERO, radius: 0.0 }, groups: Groups::All, then: Then::Remove };
        let before = self.problems.len();
        let Some(entries) = self.described("exit", node, &format::EXIT) else { return exit };
        let shapes: Vec<_> = entries.iter().filter(|entry| SHAPES.contains(&entry.key.as_str())).collect();
        match shapes[..] {
            [shape] => exit.shape = self.shape_of(&shape.key, &shape.node).unwrap_or(exit.shape),
            [_, second, ..] => self.problem(second.span.clone(), format!("`exit` has {} shapes", shapes.len()), "one shape: begin another [[exit]]"),
            [] if self.problems.len() == before => {
                self.problem(self.head_of(node), "`exit` has no shape", format!("one of {}, such as {}", SHAPES.join(", "), format::EXIT.example))
            }
            [] => {}
        }
        if let Some(Value::Groups(groups)) = node.get("groups").and_then(|n| self.value::<V>("groups", Kind::Groups, n)) {
            exit.groups = groups;
        }
        exit.then = node.get("then").and_then(|n| self.then(n)).unwrap_or(exit.then);
        exit
    }

    fn then<V: Vector>(&mut self, node: &Node) -> Option<Then<V>> {
        if node.text() == Some("remove") {
            return Some(Then::Remove);
        }
        if node.table().is_none() {
            self.wrong("then", node, THEN);
            return None;
        }
        self.described("then", node, &format::RESPAWN);
        let (kind, area) = self.one_of("respawn", node.get("respawn")?, &format::AREA)?;
        self.shape_of(kind, area).map(Then::Respawn)
    }
}
