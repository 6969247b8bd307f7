//! Groups: who there is, where they start, what they steer by, and the states that change it.

use wayfare::behavior::Behavior;
use wayfare::combine::{Combine, Entry as ListEntry, List, Slot};
use wayfare::crowd::{Condition, Group, MOST_AGENTS, MOST_THINK_EVERY, Spawn, Spread, StartVelocity, Stat, State, Transition, range};
use wayfare::obstacle::Shape;
use wayfare::parameter::{Range, Unit};
use wayfare::vector::Vector;

use super::value::{TURN, to_f32};
use super::{Decoder, Known};
use crate::tree::{Node, Tree};

const GROUP: &[Known] = &[
    ("name", true),
    ("count", false),
    ("spawn", true),
    ("goal", false),
    ("velocity", false),
    ("mass", false),
    ("max_speed", true),
    ("max_force", false),
    ("radius", false),
    ("drag", false),
    ("think_every", false),
    ("combine", false),
    ("epsilon", false),
    ("steer", false),
    ("stat", false),
    ("state", false),
    ("start", false),
];

const RULES: [Combine; 4] = [Combine::Sum, Combine::Priority, Combine::Budget, Combine::Dither];

/// The keys of a place in a list that are not behaviors.
const PLACE: &[&str] = &["all", "weight", "chance", "combine", "epsilon"];

/// What to do where a group has no stats.
const ADD_STAT: &str = "a stat that the group has: add a [group.stat.NAME]";

/// The names that conditions and rates of a group refer to.
struct GroupNames {
    stats: Vec<String>,
    states: Vec<String>,
}

impl Decoder {
    pub(super) fn group<V: Vector>(&mut self, node: &Node, index: usize) -> Group<V> {
        self.table("group", node, GROUP);
        let name = node.get("name").and_then(|n| self.text("name", n)).unwrap_or_else(|| format!("group {index}"));
        let points = node.get("spawn").and_then(|n| n.get("points"));
        let count = match (node.get("count").map(|n| (n, self.whole("count", n, 0, MOST_AGENTS))), points) {
            (Some((_, count)), _) => count,
            (None, Some(_)) => None,
            (None, None) => {
                if self.misses(node, "count") && node.get("spawn").is_some_and(|spawn| spawn.table().is_some()) {
                    self.problem(self.head_of(node), "`group` has no `count`", "how many agents there are: a whole number, unless `spawn` gives points");
                }
                None
            }
        };
        let spawn = node.get("spawn").and_then(|n| self.places("spawn", n));
        let readable = spawn.is_some();
        let mut group = Group::new(&name, 0, spawn.unwrap_or(Spawn::Points(Vec::new())), 1.0);
        if let Some(count) = count.filter(|_| readable) {
            group.count = count;
        }
        if let Some(goal) = node.get("goal") {
            // A stand-in for what could not be read: those who are bound for it have a goal all the same.
            let place = Spawn::Inside(Shape::Circle { center: V::ZERO, radius: 0.0 });
            let known = readable && (count.is_some() || points.is_some());
            let goal = self.places("goal", goal).filter(|goal| known || !matches!(goal, Spawn::Points(_)));
            group.goal = Some(goal.unwrap_or(place));
        }
        if let Some(velocity) = node.get("velocity") {
            group.velocity = match velocity.text() {
                Some("random") => StartVelocity::Random,
                Some(_) => {
                    self.wrong("velocity", velocity, "a velocity such as [1, 0], or \"random\"");
                    group.velocity
                }
                None => self.point("velocity", velocity).map_or(group.velocity, StartVelocity::Same),
            };
        }
        let mut spread = |key, range, default| node.get(key).and_then(|n| self.spread(key, n, range)).unwrap_or(default);
        group.mass = spread("mass", range::MASS, group.mass);
        group.max_speed = spread("max_speed", range::MAX_SPEED, group.max_speed);
        group.max_force = spread("max_force", range::MAX_FORCE, group.max_force);
        group.radius = spread("radius", range::RADIUS, group.radius);
        if let Some(drag) = node.get("drag").and_then(|n| self.number("drag", n, range::DRAG)) {
            group.drag = to_f32(drag);
        }
        if let Some(every) = node.get("think_every").and_then(|n| self.whole("think_every", n, 1, MOST_THINK_EVERY as usize)) {
            group.think_every = every as u32;
        }
        group.steer = self.list_of(node, "steer");
        let names = GroupNames {
            stats: node.get("stat").and_then(Node::table).unwrap_or_default().iter().map(|e| e.key.clone()).collect(),
            states: node.get("state").and_then(Node::list).unwrap_or_default().iter().map(|s| text_of(s, "name")).collect(),
        };
        group.stats = node.get("stat").map(|n| self.stats(n)).unwrap_or_default();
        if let Some(states) = node.get("state").and_then(|n| self.list("state", n, "[[group.state]] tables")) {
            group.states = states.iter().map(|state| self.state(state, &names)).collect();
        }
        if let Some(start) = node.get("start") {
            let known: Vec<&str> = names.states.iter().map(String::as_str).collect();
            group.start = self.defined("start", start, &known, "a state that the group has: add a [[group.state]]").unwrap_or(0);
        }
        group
    }

    fn spread(&mut self, key: &str, node: &Node, range: Range) -> Option<Spread> {
        if node.table().is_none() {
            return self.number(key, node, range).map(|x| Spread::Same(to_f32(x)));
        }
        self.table(key, node, &[("uniform", true)])?;
        let uniform = node.get("uniform")?;
        match uniform.list() {
            Some([low, high]) => {
                let finite = Range { infinite: false, ..range };
                let (low, high) = (self.number("uniform", low, finite), self.number("uniform", high, finite));
                Some(Spread::Uniform(to_f32(low?), to_f32(high?)))
            }
            _ => {
                self.wrong("uniform", uniform, "two numbers, the smaller first, such as [10, 30]");
                None
            }
        }
    }

    /// A place for each member of a group: its `spawn`, or its `goal`.
    fn places<V: Vector>(&mut self, key: &str, node: &Node) -> Option<Spawn<V>> {
        let (kind, inner) = self.one_of(key, node, &["box", "circle", "grid", "ring", "points"])?;
        match kind {
            "ring" => {
                self.table("ring", inner, &[("center", true), ("radius", true), ("turn", false)])?;
                let center = inner.get("center").and_then(|n| self.point("center", n));
                let radius = inner.get("radius").and_then(|n| self.number("radius", n, range::RADIUS));
                let turn = inner.get("turn").map_or(Some(0.0), |n| self.number("turn", n, TURN));
                Some(Spawn::Ring { center: center?, radius: to_f32(radius?), turn: to_f32(turn?.to_radians()) })
            }
            "points" => self.points("points", inner).map(Spawn::Points),
            "grid" => {
                let flat = [("origin", true), ("spacing", true), ("columns", true)];
                let deep = [("origin", true), ("spacing", true), ("columns", true), ("rows", true)];
                self.table("grid", inner, if V::DIMENSION == 3 { &deep[..] } else { &flat[..] })?;
                let origin = inner.get("origin").and_then(|n| self.point("origin", n));
                let spacing = inner.get("spacing").and_then(|n| self.number("spacing", n, Range::above_zero(Unit::Length)));
                let columns = inner.get("columns").and_then(|n| self.whole("columns", n, 1, MOST_AGENTS));
                let rows = inner.get("rows").map_or(Some(1), |n| self.whole("rows", n, 1, MOST_AGENTS));
                Some(Spawn::Grid { origin: origin?, spacing: to_f32(spacing?), columns: columns? as u32, rows: rows? as u32 })
            }
            _ => self.shape_of(kind, inner).map(Spawn::Inside),
        }
    }

    /// The list under `key` of a table that also holds its rule: a group, a state, or a place that nests one.
    fn list_of<V: Vector>(&mut self, outer: &Node, key: &str) -> List<V> {
        let mut list = List::default();
        if let Some(rule) = outer.get("combine").and_then(|n| self.word("combine", n, Combine::WORDS)) {
            list.combine = RULES[rule];
        }
        if let Some(epsilon) = outer.get("epsilon").and_then(|n| self.number("epsilon", n, range::EPSILON)) {
            list.epsilon = to_f32(epsilon);
        }
        let Some(node) = outer.get(key) else { return list };
        let items = self.list(key, node, "a list of behaviors, such as [{ seek = { target = [100, 50] } }]").unwrap_or_default();
        // An empty list inside stands for a place that could not be read: those after it keep their places.
        list.slots = items.iter().map(|item| self.slot(item).unwrap_or_else(|| Slot::new(ListEntry::List(List::default())))).collect();
        list
    }

    fn slot<V: Vector>(&mut self, node: &Node) -> Option<Slot<V>> {
        let Some(entries) = node.table() else {
            self.wrong("steer", node, "a table with a behavior's name as its key, such as { seek = { target = [100, 50] } }");
            return None;
        };
        let behaviors: Vec<&str> = Behavior::<V>::LIST.iter().map(|b| b.name).collect();
        let mut found = Vec::new();
        for entry in entries {
            if entry.key == "all" || behaviors.contains(&entry.key.as_str()) {
                found.push(entry);
            } else if !PLACE.contains(&entry.key.as_str()) {
                let known: Vec<&str> = behaviors.iter().chain(PLACE).copied().collect();
                self.unknown(&entry.span, &format!("`{}` is no behavior", entry.key), &entry.key, &known, "");
            }
        }
        if found.len() > 1 {
            let second = found[1];
            self.problem(second.span.clone(), format!("`{}` stands in one table with `{}`", second.key, found[0].key), "one behavior per table: begin another");
        }
        let Some(entry) = found.first() else {
            if entries.iter().all(|e| PLACE.contains(&e.key.as_str())) {
                self.problem(self.head_of(node), "this place in the list names no behavior", format!("one of {}, all", behaviors.join(", ")));
            }
            return None;
        };
        let mut slot = if entry.key == "all" {
            Slot::new(ListEntry::List(self.list_of(node, "all")))
        } else {
            for key in ["combine", "epsilon"] {
                if let Some(stray) = entries.iter().find(|e| e.key == key) {
                    self.problem(stray.span.clone(), format!("`{key}` belongs to a list"), "`all = [ … ]` beside it, or the group's own `combine`");
                }
            }
            Slot::new(ListEntry::Behavior(self.behavior(&entry.key, &entry.node)?))
        };
        if let Some(weight) = node.get("weight").and_then(|n| self.number("weight", n, range::WEIGHT)) {
            slot.weight = to_f32(weight);
        }
        if let Some(chance) = node.get("chance").and_then(|n| self.number("chance", n, range::CHANCE)) {
            slot.chance = to_f32(chance);
        }
        Some(slot)
    }

    fn behavior<V: Vector>(&mut self, name: &str, node: &Node) -> Option<Behavior<V>> {
        let mut behavior = Behavior::blank(name)?;
        for (parameter, value) in self.parameters(name, behavior.parameters(), node) {
            behavior.set(parameter, value);
        }
        Some(behavior)
    }

    fn stats(&mut self, node: &Node) -> Vec<Stat> {
        let Some(entries) = node.table() else {
            self.wrong("stat", node, "a table for each stat, such as [group.stat.stamina]");
            return Vec::new();
        };
        let mut stats = Vec::new();
        for entry in entries {
            let what = format!("stat.{}", entry.key);
            self.table(&what, &entry.node, &[("start", true), ("min", false), ("max", false)]);
            let mut number = |key, default: f32| {
                let any = Range::any(Unit::None).or_infinite();
                let wide = Range { min: f32::NEG_INFINITY, ..any };
                entry.node.get(key).and_then(|n| self.number(key, n, wide)).map_or(default, to_f32)
            };
            let (min, max) = (number("min", f32::NEG_INFINITY), number("max", f32::INFINITY));
            let start = number("start", 0.0_f32.clamp(min.min(max), max.max(min)));
            stats.push(Stat { name: entry.key.clone(), start, min, max });
        }
        stats
    }

    fn state<V: Vector>(&mut self, node: &Node, names: &GroupNames) -> State<V> {
        self.table("state", node, &[("name", true), ("rate", false), ("steer", false), ("leave", false)]);
        let stats: Vec<&str> = names.stats.iter().map(String::as_str).collect();
        let mut rates = Vec::new();
        if let Some(rate) = node.get("rate") {
            match rate.table() {
                None => self.wrong("rate", rate, "a table from stats to numbers, such as { stamina = -2 }"),
                Some(entries) => {
                    for entry in entries {
                        let number = self.number(&entry.key, &entry.node, range::STAT);
                        match stats.iter().position(|stat| *stat == entry.key) {
                            Some(stat) => rates.extend(number.map(|x| (stat, to_f32(x)))),
                            None => {
                                self.unknown(&entry.span, &format!("the group has no stat \"{}\"", entry.key), &entry.key, &stats, ADD_STAT);
                            }
                        }
                    }
                }
            }
        }
        let leave = node.get("leave").and_then(|n| self.list("leave", n, "a list of { to = \"…\", when = { … } }")).unwrap_or_default();
        State {
            name: node.get("name").and_then(|n| self.text("name", n)).unwrap_or_default(),
            rates,
            steer: self.list_of(node, "steer"),
            leave: leave.iter().filter_map(|item| self.transition(item, names)).collect(),
        }
    }

    fn transition<V: Vector>(&mut self, node: &Node, names: &GroupNames) -> Option<Transition<V>> {
        self.table("leave", node, &[("to", true), ("when", true)])?;
        let states: Vec<&str> = names.states.iter().map(String::as_str).collect();
        let to = node.get("to").and_then(|n| self.word("to", n, &states));
        let when = node.get("when").and_then(|n| self.condition(n, names));
        Some(Transition { to: to?, when: when? })
    }

    fn condition<V: Vector>(&mut self, node: &Node, names: &GroupNames) -> Option<Condition<V>> {
        let kinds = ["stat", "near", "far_from", "time_in_state", "path_done", "all", "any", "not"];
        let Some(entries) = node.table() else {
            self.wrong("when", node, format!("a table with one of {}", kinds.join(", ")));
            return None;
        };
        let found: Vec<_> = entries.iter().filter(|e| kinds.contains(&e.key.as_str())).collect();
        let [entry] = found[..] else {
            match (found.len(), entries.first()) {
                (0, Some(first)) => {
                    self.unknown(&first.span, &format!("`{}` is no condition", first.key), &first.key, &kinds, "");
                }
                (0, None) => self.problem(node.span.clone(), "`when` is empty", format!("one of {}", kinds.join(", "))),
                (n, _) => self.problem(node.span.clone(), format!("`when` has {n} conditions at once"), "one condition; join several by `all` or `any`"),
            }
            return None;
        };
        let inner = &entry.node;
        match entry.key.as_str() {
            "stat" => {
                self.table("when", node, &[("stat", true), ("at_most", false), ("at_least", false)])?;
                let stats: Vec<&str> = names.stats.iter().map(String::as_str).collect();
                let stat = self.defined("stat", inner, &stats, ADD_STAT);
                let most = node.get("at_most").and_then(|n| self.number("at_most", n, range::STAT)).map(to_f32);
                let least = node.get("at_least").and_then(|n| self.number("at_least", n, range::STAT)).map(to_f32);
                match (node.get("at_most").is_some(), node.get("at_least").is_some()) {
                    (true, false) => Some(Condition::AtMost(stat?, most?)),
                    (false, true) => Some(Condition::AtLeast(stat?, least?)),
                    (true, true) => Some(Condition::All(vec![Condition::AtMost(stat?, most?), Condition::AtLeast(stat?, least?)])),
                    (false, false) => {
                        self.problem(node.span.clone(), "`stat` is compared with nothing", "`at_most` or `at_least` beside it");
                        None
                    }
                }
            }
            "near" => self.distance(node, inner, "near", "within").map(|(target, distance)| Condition::Near(target, distance)),
            "far_from" => self.distance(node, inner, "far_from", "beyond").map(|(target, distance)| Condition::FarFrom(target, distance)),
            "time_in_state" => {
                self.table("when", node, &[("time_in_state", true)])?;
                self.number("time_in_state", inner, Range::from_zero(Unit::Time)).map(Condition::TimeInState)
            }
            "path_done" => {
                self.table("when", node, &[("path_done", true)])?;
                self.flag("path_done", inner).map(Condition::PathDone)
            }
            "not" => {
                self.table("when", node, &[("not", true)])?;
                self.condition(inner, names).map(|c| Condition::Not(Box::new(c)))
            }
            several => {
                self.table("when", node, if several == "all" { &[("all", true)] } else { &[("any", true)] })?;
                let items = self.list(several, inner, "a list of conditions")?;
                let list: Vec<_> = items.iter().filter_map(|item| self.condition(item, names)).collect();
                Some(if several == "all" { Condition::All(list) } else { Condition::Any(list) })
            }
        }
    }

    fn distance<V: Vector>(&mut self, node: &Node, inner: &Node, kind: &'static str, limit: &'static str) -> Option<(wayfare::parameter::Target<V>, f32)> {
        self.table("when", node, &[(kind, true), (limit, true)])?;
        let target = self.target(kind, inner);
        let distance = node.get(limit).and_then(|n| self.number(limit, n, range::DISTANCE));
        Some((target?, to_f32(distance?)))
    }
}

fn text_of(node: &Node, key: &str) -> String {
    match node.get(key).map(|n| &n.tree) {
        Some(Tree::Text(text)) => text.clone(),
        _ => String::new(),
    }
}
