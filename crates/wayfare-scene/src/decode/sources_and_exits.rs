//! Lines whose crossings are counted, exits and sources.

use wayfare::crowd::{Arrivals, Exit, ExitAction, Line, MAX_AGENTS, Rhythm, Source, range};
use wayfare::geometry::obstacle::Shape;
use wayfare::parameter::{Groups, Kind, Value};
use wayfare::vector::Vector;

use super::Decoder;
use crate::document::Node;
use crate::format::{self, Table};

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
        let items =
            self.list("exit", node, "a list of tables, each under [[exit]]").unwrap_or_default();
        items.iter().map(|item| self.exit(item)).collect()
    }

    fn exit<V: Vector>(&mut self, node: &Node) -> Exit<V> {
        let mut exit = Exit {
            shape: Shape::Circle { center: V::ZERO, radius: 0.0 },
            groups: Groups::All,
            then: ExitAction::Remove,
        };
        let Some(shape) = self.shape_in(node, &format::EXIT, SHAPES) else { return exit };
        exit.shape = shape.unwrap_or(exit.shape);
        if let Some(Value::Groups(groups)) =
            node.get("groups").and_then(|n| self.value::<V>("groups", Kind::Groups, n))
        {
            exit.groups = groups;
        }
        exit.then = node.get("then").and_then(|n| self.then(n)).unwrap_or(exit.then);
        exit
    }

    /// The one shape in a table of which one of `shapes` is to be there; nothing at all where it is
    /// no table.
    fn shape_in<V: Vector>(
        &mut self,
        node: &Node,
        table: &'static Table,
        known: &[&str],
    ) -> Option<Option<Shape<V>>> {
        let (before, name) = (self.problems.len(), table.name);
        let entries = self.described(name, node, table)?;
        // Of this table, and not of that of the shape.
        let misspelt = self.misspelt.clone();
        let shapes: Vec<_> =
            entries.iter().filter(|entry| known.contains(&entry.key.as_str())).collect();
        let shape = match shapes[..] {
            [shape] => self.shape_of(&shape.key, &shape.node),
            [_, second, ..] => {
                self.problem(
                    second.span.clone(),
                    format!("`{name}` has {} shapes", shapes.len()),
                    format!("one shape: begin another [[{name}]]"),
                );
                None
            }
            [] => {
                if self.problems.len() == before {
                    let allowed = format!("one of {}, such as {}", known.join(", "), table.example);
                    self.problem(self.head_of(node), format!("`{name}` has no shape"), allowed);
                }
                None
            }
        };
        self.misspelt = misspelt;
        Some(shape)
    }

    pub(super) fn sources<V: Vector>(&mut self, node: &Node) -> Vec<Source<V>> {
        let items = self
            .list("source", node, "a list of tables, each under [[source]]")
            .unwrap_or_default();
        items.iter().map(|item| self.source(item)).collect()
    }

    fn source<V: Vector>(&mut self, node: &Node) -> Source<V> {
        // A stand-in that the library's check has nothing to say of.
        let nobody = Arrivals::Schedule(Vec::new());
        let mut source = Source {
            area: Shape::Circle { center: V::ZERO, radius: 0.0 },
            group: 0,
            arrivals: nobody,
            most: format::MOST_MEMBERS,
        };
        let Some(area) = self.shape_in(node, &format::SOURCE, &SHAPES[..2]) else { return source };
        source.area = area.unwrap_or(source.area);
        if let Some(Value::Group(group)) =
            node.get("group").and_then(|n| self.value::<V>("group", Kind::Group, n))
        {
            source.group = group.0;
        }
        if let Some(most) = node.get("most").and_then(|n| self.whole("most", n, 0, MAX_AGENTS)) {
            source.most = most;
        }
        let number = |decoder: &mut Self, key, range, default| {
            node.get(key).map_or(Some(default), |n| decoder.number(key, n, range))
        };
        let from = number(self, "from", range::FROM, 0.0);
        let until = number(self, "until", range::UNTIL, f64::INFINITY);
        let rhythm = node
            .get("arrivals")
            .map_or(Some(0), |n| self.word("arrivals", n, Rhythm::WORDS))
            .map(|i| [Rhythm::Regular, Rhythm::Random][i]);
        let entry = |key: &str| {
            node.table().and_then(|entries| entries.iter().find(|entry| entry.key == key))
        };
        match (entry("rate"), entry("schedule")) {
            (Some(rate), None) => {
                let rate = self.number("rate", &rate.node, range::RATE);
                if let (Some(rate), Some(from), Some(until), Some(rhythm)) =
                    (rate, from, until, rhythm)
                {
                    source.arrivals = Arrivals::Rate { rate, from, until, rhythm };
                }
            }
            (None, Some(schedule)) => {
                if let Some(stray) = ["from", "until", "arrivals"].into_iter().find_map(entry) {
                    self.problem(
                        stray.span.clone(),
                        format!("`{}` belongs to a `rate`", stray.key),
                        "a `rate` in place of the `schedule`",
                    );
                }
                source.arrivals =
                    self.schedule(&schedule.node).map_or(source.arrivals, Arrivals::Schedule);
            }
            (Some(_), Some(schedule)) => {
                self.problem(
                    schedule.span.clone(),
                    "`source` has a `schedule` beside its `rate`",
                    "one of rate, schedule; begin another [[source]]",
                );
            }
            (None, None) => {
                if !self.misspelt.iter().any(|meant| ["rate", "schedule"].contains(&meant.as_str()))
                {
                    let allowed = "`rate` or `schedule` must be given, such as rate = 0.5 or \
                                   schedule = [[10, 5], [60, 20]]";
                    self.problem(
                        self.head_of(node),
                        "`source` does not say when anybody enters",
                        allowed,
                    );
                }
            }
        }
        source
    }

    fn schedule(&mut self, node: &Node) -> Option<Vec<(f64, usize)>> {
        let items = self.list_of_lists(
            "schedule",
            node,
            "a list of times and numbers, such as [[10, 5], [60, 20]]",
        )?;
        let mut list = Vec::new();
        for item in items {
            match item.list() {
                Some([time, count]) => {
                    let time = self.any_number("schedule", time);
                    let count = self.whole("schedule", count, 0, MAX_AGENTS);
                    list.extend(time.zip(count));
                }
                _ => {
                    self.wrong("schedule", item, "a time and how many enter then, such as [10, 5]")
                }
            }
        }
        (list.len() == items.len()).then_some(list)
    }

    pub(super) fn then<V: Vector>(&mut self, node: &Node) -> Option<ExitAction<V>> {
        if node.text() == Some("remove") {
            return Some(ExitAction::Remove);
        }
        if node.table().is_none() {
            self.wrong("then", node, THEN);
            return None;
        }
        self.described("then", node, &format::RESPAWN);
        let (kind, area) = self.one_of("respawn", node.get("respawn")?, &format::AREA)?;
        self.shape_of(kind, area).map(ExitAction::Respawn)
    }
}
