//! Sources: where, when and how many agents enter.

use wayfare::crowd::{Arrivals, Exit, MAX_AGENTS, Source};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::Vec2;
use wayfare::parameter::{Parameters, Variant, Variants};
use wayfare::vector::{Up, Vector};

use super::described::{Beside, keys_of};
use super::shape::{AS_BOX, AS_CIRCLE};
use super::{Key, Table, variants};
use crate::decode::{Decoder, TableNode};
use crate::document::Node;

const ARRIVALS: &[Variant] = <Arrivals as Variants<Vec2>>::LIST;
static ARRIVALS_NEEDS: [(&str, &str); variants::count_needs(ARRIVALS)] = variants::needs(ARRIVALS);

const COUNT: usize = variants::count_keys(ARRIVALS);
/// The keys of a source but for its arrivals.
const OWN: usize = 6;
static KEYS: [Key; OWN + COUNT] = {
    let arrivals: [Key; COUNT] = variants::keys(ARRIVALS);
    let arrivals = variants::with_default(arrivals, "rate", "", "0.5");
    let arrivals = variants::with_default(arrivals, "from", "0", "10");
    let arrivals = variants::with_default(arrivals, "until", "inf", "200");
    let arrivals = variants::with_default(arrivals, "arrivals", "\"regular\"", "\"random\"");
    let described: [Key; OWN] = keys_of::<Source<Vec2>, _>(Beside {
        without: &["area", "arrivals"],
        with: &[("area", AS_CIRCLE), ("area", AS_BOX)],
        tables: &[],
    });
    let mut all = [AS_CIRCLE; OWN + COUNT];
    let (mut at, mut i) = (0, 0);
    while i < described.len() {
        all[at] = described[i];
        (i, at) = (i + 1, at + 1);
    }
    let mut i = 0;
    while i < COUNT {
        all[at] = arrivals[i];
        (i, at) = (i + 1, at + 1);
    }
    all
};

pub(crate) static SOURCE: Table = Table {
    name: "source",
    doc: <Source<Vec2> as Parameters<Vec2>>::DOC,
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
        let stand_in = Shape::Circle { center: V::ZERO, radius: 0.0 };
        let mut source = Source::new(stand_in, 0, Arrivals::Schedule(Vec::new()));
        let Some(area) = self.shape_in(node, &SOURCE, &["circle", "box"]) else { return source };
        source.area = area.unwrap_or(source.area);
        let keys = TableNode { node, table: &SOURCE };
        self.described(keys, &mut source, &["area", "arrivals", "to"]);
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
