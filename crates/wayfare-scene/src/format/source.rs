//! Sources: where, when and how many agents enter.

use wayfare::GroupId;
use wayfare::crowd::{Arrivals, Exit, MAX_AGENTS, Source};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::Vec2;
use wayfare::parameter::{Kind, Value, Variant, Variants};
use wayfare::vector::{Up, Vector};

use super::shape::{AS_BOX, AS_CIRCLE};
use super::{Key, Table, ValueKind, optional, required, variants};
use crate::decode::{Decoder, TableNode};
use crate::document::Node;

/// The default of `most`.
const MOST_MEMBERS: usize = 10_000;

const ARRIVALS: &[Variant] = <Arrivals as Variants<Vec2>>::LIST;
static ARRIVALS_NEEDS: [(&str, &str); variants::count_needs(ARRIVALS)] = variants::needs(ARRIVALS);

const COUNT: usize = variants::count_keys(ARRIVALS);
static KEYS: [Key; 5 + COUNT] = {
    let arrivals: [Key; COUNT] = variants::keys(ARRIVALS);
    let arrivals = variants::with_default(arrivals, "rate", "", "0.5");
    let arrivals = variants::with_default(arrivals, "from", "0", "10");
    let arrivals = variants::with_default(arrivals, "until", "inf", "200");
    let arrivals = variants::with_default(arrivals, "arrivals", "\"regular\"", "\"random\"");
    let mut all = [MOST; 5 + COUNT];
    (all[0], all[1], all[2], all[3]) = (AS_CIRCLE, AS_BOX, ENTERING, TO);
    let mut i = 0;
    while i < COUNT {
        all[4 + i] = arrivals[i];
        i += 1;
    }
    all
};

const ENTERING: Key = required(
    "group",
    ValueKind::Name,
    "\"guest\"",
    "The group whose members enter; it may have none at the start.",
);
const TO: Key = optional(
    "to",
    ValueKind::Destinations,
    "",
    "{ north = 0.7, south = 0.3 }",
    "Where agents go: the name of an exit, or several with their shares. Each agent draws one as \
     its order, the target `\"order\"`.",
);
const MOST: Key = optional(
    "most",
    ValueKind::Integer(0, MAX_AGENTS as u64),
    "10000",
    "40",
    "The most members that the group has at once; further arrivals are turned away.",
);

pub(crate) static SOURCE: Table = Table {
    name: "source",
    doc: "A circle or a box in which agents enter at random positions, by a `rate` or a \
          `schedule`.",
    keys: &KEYS,
    one_of: &[&["circle"], &["box"]],
    needs: &ARRIVALS_NEEDS,
    example: "{ box = { min = [0, 0], max = [10, 480] }, group = \"guest\", rate = 0.5 }",
};

/// The keys of which a source has exactly one beside its shape.
pub(crate) fn arrivals_names() -> impl Iterator<Item = &'static str> {
    ARRIVALS.iter().map(|variant| variant.name)
}

impl Decoder {
    /// The sources of a world with these exits.
    pub(super) fn sources<V: Vector>(
        &mut self,
        node: &Node,
        exits: &[Exit<V>],
        up: Up,
    ) -> Vec<Source<V>> {
        let items = self
            .list("source", node, "a list of tables, each under [[source]]")
            .unwrap_or_default();
        let mut sources = Vec::new();
        for item in items {
            let mut source = self.source(item);
            if let Some(to) = item.get("to") {
                source.to = self.destinations(to, exits, up);
            }
            sources.push(source);
        }
        sources
    }

    fn source<V: Vector>(&mut self, node: &Node) -> Source<V> {
        // The stand-in for what cannot be read passes the library's validation.
        let mut source = Source {
            area: Shape::Circle { center: V::ZERO, radius: 0.0 },
            group: GroupId(0),
            arrivals: Arrivals::Schedule(Vec::new()),
            most: MOST_MEMBERS,
            to: Vec::new(),
        };
        let Some(area) = self.shape_in(node, &SOURCE, &["circle", "box"]) else { return source };
        source.area = area.unwrap_or(source.area);
        if let Some(Value::Group(group)) =
            node.get("group").and_then(|n| self.value::<V>("group", Kind::Group, n))
        {
            source.group = group;
        }
        let keys = TableNode { node, table: &SOURCE };
        source.most = keys.integer(self, "most").unwrap_or(source.most);
        source.arrivals = self.arrivals::<V>(keys).unwrap_or(source.arrivals);
        source
    }

    fn arrivals<V: Vector>(&mut self, keys: TableNode<'_>) -> Option<Arrivals> {
        let names: Vec<&str> = arrivals_names().collect();
        let found: Vec<_> =
            ARRIVALS.iter().filter(|variant| keys.get(variant.name).is_some()).collect();
        match found[..] {
            [variant] => {
                let misplaced = ARRIVALS_NEEDS.iter().find_map(|(key, owner)| {
                    keys.entry(key).filter(|_| *owner != variant.name).map(|entry| (entry, owner))
                });
                if let Some((entry, owner)) = misplaced {
                    self.problem(
                        entry.span.clone(),
                        format!("`{}` belongs to a `{owner}`", entry.key),
                        format!("a `{owner}` in place of the `{}`", variant.name),
                    );
                }
                self.variant::<V, _>(keys, variant)
            }
            [first, second, ..] => {
                let second = keys.entry(second.name)?;
                self.problem(
                    second.span.clone(),
                    format!("`source` has a `{}` beside its `{}`", second.key, first.name),
                    format!("one of {}; begin another [[source]]", names.join(", ")),
                );
                None
            }
            [] => {
                if names.iter().all(|name| self.misses(keys.node, name)) {
                    let allowed = format!(
                        "`{}` must be given, such as rate = 0.5 or schedule = [[10, 5], [60, 20]]",
                        names.join("` or `")
                    );
                    let message = format!("`source` has neither a `{}`", names.join("` nor a `"));
                    self.problem(self.head_of(keys.node), message, allowed);
                }
                None
            }
        }
    }

    pub(crate) fn schedule(&mut self, node: &Node) -> Option<Vec<(f64, usize)>> {
        let items = self.list_of_lists(
            "schedule",
            node,
            "a list of times and numbers, such as [[10, 5], [60, 20]]",
        )?;
        let mut list = Vec::new();
        for item in items {
            let Some([time, count]) = item.list() else {
                self.wrong("schedule", item, "a time and the number of agents, such as [10, 5]");
                continue;
            };
            let time = self.any_number("schedule", time);
            let count = self.integer("schedule", count, 0, MAX_AGENTS as u64);
            list.extend(time.zip(count));
        }
        (list.len() == items.len()).then_some(list)
    }
}
