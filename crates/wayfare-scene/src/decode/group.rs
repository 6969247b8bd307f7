//! Groups: who there is, where they start, what they steer by, and the states that change it.

use wayfare::combine::{Combine, Entry as ListEntry, List, Slot};
use wayfare::crowd::{
    Condition, Distribution, Group, MAX_AGENTS, MAX_THINK_EVERY, Perception, Spawn, StartVelocity,
    Stat, State, Transition, TransitionTarget, range,
};
use wayfare::geometry::obstacle::Shape;
use wayfare::parameter::{Range, StatId, Target};
use wayfare::registry::Behavior;
use wayfare::vector::Vector;

use super::Decoder;
use super::names::GroupNames;
use super::value::to_f32;
use crate::document::Node;
use crate::format;

const RULES: [Combine; 5] =
    [Combine::Sum, Combine::Priority, Combine::Budget, Combine::Dither, Combine::Context];

/// What to do where a group has no stats.
const ADD_STAT: &str = "a stat that the group has: add a [group.stat.NAME]";

/// What to do where a group has no states with names.
const ADD_STATE: &str = "a state that the group has: add a [[group.state]] with that name";

impl Decoder {
    pub(super) fn group<V: Vector>(&mut self, node: &Node, index: usize) -> Group<V> {
        self.described("group", node, &format::GROUP);
        let name = node
            .get("name")
            .and_then(|n| self.text("name", n))
            .unwrap_or_else(|| format!("group {index}"));
        let points = node.get("spawn").and_then(|n| n.get("points"));
        let count =
            match (node.get("count").map(|n| (n, self.whole("count", n, 0, MAX_AGENTS))), points) {
                (Some((_, count)), _) => count,
                (None, Some(_)) => None,
                (None, None) => {
                    if self.misses(node, "count")
                        && node.get("spawn").is_some_and(|spawn| spawn.table().is_some())
                    {
                        self.problem(
                        self.head_of(node),
                        "`group` has no `count`",
                        "`count` must be given, such as count = 40; only spawn = { points = [[20, \
                         40], [40, 20]] } does without",
                    );
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
            // A stand-in for what could not be read: those who are bound for it have a goal all the
            // same.
            let place = Spawn::Inside(Shape::Circle { center: V::ZERO, radius: 0.0 });
            let known = readable && (count.is_some() || points.is_some());
            let goal =
                self.places("goal", goal).filter(|goal| known || !matches!(goal, Spawn::Points(_)));
            group.goal = Some(goal.unwrap_or(place));
        }
        if let Some(velocity) = node.get("velocity") {
            group.velocity = match velocity.text() {
                Some("random") => StartVelocity::Random,
                _ => self.velocity(velocity).map_or(group.velocity, StartVelocity::Same),
            };
        }
        let mut spread = |key, range, default| {
            node.get(key).and_then(|n| self.spread(key, n, range)).unwrap_or(default)
        };
        group.mass = spread("mass", range::MASS, group.mass);
        group.max_speed = spread("max_speed", range::MAX_SPEED, group.max_speed);
        group.max_force = spread("max_force", range::MAX_FORCE, group.max_force);
        group.radius = spread("radius", range::RADIUS, group.radius);
        if let Some(drag) = node.get("drag").and_then(|n| self.number("drag", n, range::DRAG)) {
            group.drag = to_f32(drag);
        }
        if let Some(rate) =
            node.get("turn_rate").and_then(|n| self.number("turn_rate", n, range::TURN_RATE))
        {
            group.turn_rate = to_f32(rate);
        }
        if let Some(radius) = node
            .get("turning_radius")
            .and_then(|n| self.number("turning_radius", n, range::TURNING_RADIUS))
        {
            group.turning_radius = Some(to_f32(radius));
        }
        if let Some(every) = node
            .get("think_every")
            .and_then(|n| self.whole("think_every", n, 1, MAX_THINK_EVERY as usize))
        {
            group.think_every = every as u32;
        }
        group.sight = node.get("sight").and_then(|n| self.sight(n));
        group.steer = self.list_of(node, "steer");
        let names = GroupNames::of(node);
        group.stats = node.get("stat").map(|n| self.stats(n)).unwrap_or_default();
        if let Some(states) = node
            .get("state")
            .and_then(|n| self.list("state", n, "a list of tables, each under [[group.state]]"))
        {
            group.states = states.iter().map(|state| self.state(state, &names)).collect();
        }
        if let Some(start) = node.get("start") {
            group.start = self.defined("start", start, &names.states, ADD_STATE).unwrap_or(0);
        }
        group
    }

    /// A stand-in for what could not be read: those who ask what they see have a sight all the
    /// same.
    fn sight<V: Vector>(&mut self, node: &Node) -> Option<Perception<V>> {
        self.described("sight", node, &format::SIGHT);
        let of = node.get("of").and_then(|n| self.target("of", n));
        let mut sight = Perception::new(of.unwrap_or(Target::Point(V::ZERO)));
        let mut number = |key, range, default| {
            node.get(key).and_then(|n| self.number(key, n, range)).map_or(default, to_f32)
        };
        sight.within = number("within", range::SIGHT, sight.within);
        sight.field_of_view = number("field_of_view", range::FIELD_OF_VIEW, sight.field_of_view);
        sight.memory = number("memory", range::MEMORY, sight.memory);
        Some(sight)
    }

    fn spread(&mut self, key: &str, node: &Node, range: Range) -> Option<Distribution> {
        if node.is_number() || node.text() == Some("inf") {
            return self.number(key, node, range).map(|x| Distribution::Same(to_f32(x)));
        }
        let Some(uniform) =
            node.get("uniform").filter(|_| node.table().is_some_and(|entries| entries.len() == 1))
        else {
            self.wrong(key, node, format!("{range}, or a range such as {{ uniform = [10, 30] }}"));
            return None;
        };
        match uniform.list() {
            Some([low, high]) => {
                let finite = Range { infinite: false, ..range };
                let (low, high) =
                    (self.number("uniform", low, finite), self.number("uniform", high, finite));
                Some(Distribution::Uniform(to_f32(low?), to_f32(high?)))
            }
            _ => {
                self.wrong("uniform", uniform, "two numbers, the smaller first, such as [10, 30]");
                None
            }
        }
    }

    /// A place for each member of a group: its `spawn`, or its `goal`.
    fn places<V: Vector>(&mut self, key: &str, node: &Node) -> Option<Spawn<V>> {
        let (kind, inner) = self.one_of(key, node, &format::SPAWN)?;
        match kind {
            "ring" => {
                self.described("ring", inner, &format::RING)?;
                let center = inner.get("center").and_then(|n| self.point("center", n));
                let radius =
                    inner.get("radius").and_then(|n| self.number("radius", n, range::RADIUS));
                let turn =
                    inner.get("turn").map_or(Some(0.0), |n| self.number("turn", n, format::ANGLE));
                Some(Spawn::Ring {
                    center: center?,
                    radius: to_f32(radius?),
                    turn: to_f32(turn?.to_radians()),
                })
            }
            "points" => self.points("points", inner).map(Spawn::Points),
            "grid" => {
                self.described("grid", inner, &format::GRID)?;
                match inner.table().unwrap_or_default().iter().find(|entry| entry.key == "rows") {
                    Some(rows) if V::DIMENSION == 2 => self.problem(
                        rows.span.clone(),
                        "`rows` is for three dimensions",
                        "no `rows`: as many as `count` needs",
                    ),
                    None if V::DIMENSION == 3 => self.problem(
                        self.head_of(inner),
                        "`grid` has no `rows`",
                        "`rows` must be given in three dimensions, such as rows = 4",
                    ),
                    _ => {}
                }
                let origin = inner.get("origin").and_then(|n| self.point("origin", n));
                let spacing =
                    inner.get("spacing").and_then(|n| self.number("spacing", n, format::SPACING));
                let columns =
                    inner.get("columns").and_then(|n| self.whole("columns", n, 1, MAX_AGENTS));
                let rows =
                    inner.get("rows").map_or(Some(1), |n| self.whole("rows", n, 1, MAX_AGENTS));
                Some(Spawn::Grid {
                    origin: origin?,
                    spacing: to_f32(spacing?),
                    columns: columns? as u32,
                    rows: rows? as u32,
                })
            }
            _ => self.shape_of(kind, inner).map(Spawn::Inside),
        }
    }

    /// The list under `key` of a table that also holds its rule: a group, a state, or a place that
    /// nests one.
    fn list_of<V: Vector>(&mut self, outer: &Node, key: &str) -> List<V> {
        let mut list = List::default();
        if let Some(rule) =
            outer.get("combine").and_then(|n| self.word("combine", n, Combine::WORDS))
        {
            list.combine = RULES[rule];
        }
        if let Some(epsilon) =
            outer.get("epsilon").and_then(|n| self.number("epsilon", n, range::EPSILON))
        {
            list.epsilon = to_f32(epsilon);
        }
        let Some(node) = outer.get(key) else { return list };
        let items = self
            .list(
                key,
                node,
                "a list of behaviors such as [{ seek = { target = [100, 50] } }], or each under \
                 [[group.steer]]",
            )
            .unwrap_or_default();
        // An empty list inside stands for a place that could not be read: those after it keep their
        // places.
        list.slots = items
            .iter()
            .map(|item| {
                self.slot(item).unwrap_or_else(|| Slot::new(ListEntry::List(List::default())))
            })
            .collect();
        list
    }

    fn slot<V: Vector>(&mut self, node: &Node) -> Option<Slot<V>> {
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
            } else if format::STEER_ENTRY.key(&entry.key).is_none() {
                let known: Vec<&str> = behaviors
                    .iter()
                    .copied()
                    .chain(format::STEER_ENTRY.keys.iter().map(|key| key.name))
                    .collect();
                self.unknown_key(
                    "steer",
                    entry,
                    &format!("`{}` is no behavior", entry.key),
                    &known,
                );
            }
        }
        if found.len() > 1 {
            let second = found[1];
            self.problem(
                second.span.clone(),
                format!("`{}` stands in one table with `{}`", second.key, found[0].key),
                "one behavior per table: begin another",
            );
        }
        let Some(entry) = found.first() else {
            if entries.iter().all(|e| format::STEER_ENTRY.key(&e.key).is_some()) {
                self.problem(
                    self.head_of(node),
                    "this place in the list names no behavior",
                    format!(
                        "one of {}, all; such as seek = {{ target = [100, 50] }}",
                        behaviors.join(", ")
                    ),
                );
            }
            return None;
        };
        let mut slot = if entry.key == "all" {
            Slot::new(ListEntry::List(self.list_of(node, "all")))
        } else {
            for key in ["combine", "epsilon"] {
                if let Some(stray) = entries.iter().find(|e| e.key == key) {
                    self.problem(
                        stray.span.clone(),
                        format!("`{key}` belongs to a list"),
                        "`all = [ … ]` beside it, or the group's own `combine`",
                    );
                }
            }
            Slot::new(ListEntry::Behavior(self.behavior(&entry.key, &entry.node)?))
        };
        if let Some(weight) =
            node.get("weight").and_then(|n| self.number("weight", n, range::WEIGHT))
        {
            slot.weight = to_f32(weight);
        }
        if let Some(chance) =
            node.get("chance").and_then(|n| self.number("chance", n, range::CHANCE))
        {
            slot.chance = to_f32(chance);
        }
        slot.danger = node.get("danger").and_then(|n| self.flag("danger", n)).unwrap_or(false);
        slot.off = node.get("off").and_then(|n| self.flag("off", n)).unwrap_or(false);
        Some(slot)
    }

    fn behavior<V: Vector>(&mut self, name: &str, node: &Node) -> Option<Behavior<V>> {
        let mut behavior: Behavior<V> = self.registry.from_name(name)?;
        for (parameter, value) in self.parameters(name, behavior.parameters(), node) {
            behavior.set(parameter, value);
        }
        Some(behavior)
    }

    fn stats(&mut self, node: &Node) -> Vec<Stat> {
        let mut stats = Vec::new();
        for entry in self.named("stat", node, &format::STAT) {
            self.described(&format!("stat.{}", entry.key), &entry.node, &format::STAT);
            let mut number = |key, default: f32| {
                entry.node.get(key).and_then(|n| self.end(key, n)).map_or(default, to_f32)
            };
            let (min, max) = (number("min", f32::NEG_INFINITY), number("max", f32::INFINITY));
            if let Some(at) = entry.node.get("max").filter(|_| min > max) {
                self.problem(
                    at.span.clone(),
                    format!("`max` is {max} and `min` is {min}"),
                    "a `max` that is not below `min`",
                );
                continue;
            }
            let start = entry.node.get("start").and_then(|n| self.number("start", n, range::STAT));
            let start = start.map_or(0.0_f32.clamp(min.min(max), max.max(min)), to_f32);
            stats.push(Stat { name: entry.key.clone(), start, min, max });
        }
        stats
    }

    fn state<V: Vector>(&mut self, node: &Node, names: &GroupNames) -> State<V> {
        self.described("state", node, &format::STATE);
        let mut rates = Vec::new();
        if let Some(rate) = node.get("rate") {
            match rate.table() {
                None => self.wrong(
                    "rate",
                    rate,
                    "a table from stats to numbers, such as { stamina = -2 }",
                ),
                Some(entries) => {
                    for entry in entries {
                        let number = self.number(&entry.key, &entry.node, range::STAT);
                        match names.stats.position(&entry.key) {
                            Some(stat) => rates.extend(number.map(|x| (stat, to_f32(x)))),
                            None => {
                                let stats: Vec<&str> = names.stats.iter().collect();
                                self.unknown(
                                    &entry.span,
                                    &format!("the group has no stat \"{}\"", entry.key),
                                    &entry.key,
                                    &stats,
                                    ADD_STAT,
                                );
                            }
                        }
                    }
                }
            }
        }
        let leave = node
            .get("leave")
            .and_then(|n| {
                self.list(
                    "leave",
                    n,
                    "a list such as [{ to = \"rest\", when = { time_in_state = 50 } }]",
                )
            })
            .unwrap_or_default();
        State {
            name: node.get("name").and_then(|n| self.text("name", n)).unwrap_or_default(),
            rates,
            steer: self.list_of(node, "steer"),
            leave: leave.iter().filter_map(|item| self.transition(item, names)).collect(),
        }
    }

    fn transition<V: Vector>(&mut self, node: &Node, names: &GroupNames) -> Option<Transition<V>> {
        self.described("leave", node, &format::LEAVE)?;
        let to = match (node.get("to"), node.get("then")) {
            (Some(to), None) => {
                self.defined("to", to, &names.states, ADD_STATE).map(TransitionTarget::State)
            }
            (None, Some(then)) => self.then(then).map(TransitionTarget::Out),
            (Some(_), Some(then)) => {
                self.problem(
                    then.span.clone(),
                    "`leave` has a `then` beside its `to`",
                    "one of to, then: begin another",
                );
                None
            }
            (None, None) => {
                if self.misses(node, "to") && self.misses(node, "then") {
                    let allowed = "`to` must be given, such as to = \"rest\", or `then`, such as \
                                   then = \"remove\"";
                    self.problem(self.head_of(node), "`leave` has no `to`", allowed);
                }
                None
            }
        };
        let when = node.get("when").and_then(|n| self.condition(n, names));
        Some(Transition { to: to?, when: when? })
    }

    fn condition<V: Vector>(&mut self, node: &Node, names: &GroupNames) -> Option<Condition<V>> {
        let kinds: Vec<&str> = format::CONDITION.one_of.iter().map(|keys| keys[0]).collect();
        let such = format::CONDITION.example;
        let Some(entries) = node.table() else {
            let also = if node.list().is_some() {
                "; several are joined by all = [ … ] or any = [ … ]"
            } else {
                ""
            };
            self.wrong(
                "when",
                node,
                format!("a table with one of {}, such as {such}{also}", kinds.join(", ")),
            );
            return None;
        };
        let found: Vec<_> = entries.iter().filter(|e| kinds.contains(&e.key.as_str())).collect();
        let [entry] = found[..] else {
            match (found.len(), entries.first()) {
                (0, Some(first)) => match format::CONDITION
                    .needs
                    .iter()
                    .find(|(key, _)| *key == first.key)
                {
                    Some((key, other)) => {
                        self.problem(
                            first.span.clone(),
                            format!("`{key}` stands alone"),
                            format!("`{other}` beside it, such as {}", condition_with(key, other)),
                        );
                    }
                    None => {
                        self.unknown(
                            &first.span,
                            &format!("`{}` is no condition", first.key),
                            &first.key,
                            &kinds,
                            "",
                        );
                    }
                },
                (0, None) => self.problem(
                    node.span.clone(),
                    "`when` is empty",
                    format!("one of {}, such as {such}", kinds.join(", ")),
                ),
                (n, _) => self.problem(
                    node.span.clone(),
                    format!("`when` has {n} conditions at once"),
                    "one condition; several are joined by all = [{ … }, { … }] or any = [{ … }, { \
                     … }]",
                ),
            }
            return None;
        };
        let inner = &entry.node;
        match entry.key.as_str() {
            "stat" => {
                self.table(
                    "when",
                    node,
                    &[("stat", true), ("at_most", false), ("at_least", false)],
                )?;
                let stat = self.defined("stat", inner, &names.stats, ADD_STAT);
                let most = node
                    .get("at_most")
                    .and_then(|n| self.number("at_most", n, range::STAT))
                    .map(to_f32);
                let least = node
                    .get("at_least")
                    .and_then(|n| self.number("at_least", n, range::STAT))
                    .map(to_f32);
                match (node.get("at_most").is_some(), node.get("at_least").is_some()) {
                    (true, false) => Some(Condition::at_most(stat?, most?)),
                    (false, true) => Some(Condition::at_least(stat?, least?)),
                    (true, true) => Some(Condition::Stat(StatId(stat?), Some(most?), Some(least?))),
                    (false, false) => {
                        self.problem(
                            node.span.clone(),
                            "`stat` is compared with nothing",
                            "`at_most` or `at_least` beside it, such as { stat = \"stamina\", \
                             at_most = 0 }",
                        );
                        None
                    }
                }
            }
            "near" => self
                .distance(node, inner, "near", "within")
                .map(|(target, distance)| Condition::Near(target, distance)),
            "far_from" => self
                .distance(node, inner, "far_from", "beyond")
                .map(|(target, distance)| Condition::FarFrom(target, distance)),
            "time_in_state" => {
                self.table("when", node, &[("time_in_state", true)])?;
                self.number("time_in_state", inner, format::TIME).map(Condition::TimeInState)
            }
            "path_done" => {
                self.table("when", node, &[("path_done", true)])?;
                self.flag("path_done", inner).map(Condition::PathDone)
            }
            "sees" => {
                self.table("when", node, &[("sees", true)])?;
                self.flag("sees", inner).map(Condition::Sees)
            }
            "remembers" => {
                self.table("when", node, &[("remembers", true)])?;
                self.flag("remembers", inner).map(Condition::Remembers)
            }
            "stuck_within" => {
                self.table("when", node, &[("stuck_within", true), ("for", true)])?;
                let within = self.number("stuck_within", inner, range::DISTANCE);
                let time = node.get("for").and_then(|n| self.number("for", n, format::TIME));
                Some(Condition::Stuck(to_f32(within?), time?))
            }
            "not" => {
                self.table("when", node, &[("not", true)])?;
                self.condition(inner, names).map(|c| Condition::Not(Box::new(c)))
            }
            several => {
                self.table(
                    "when",
                    node,
                    if several == "all" { &[("all", true)] } else { &[("any", true)] },
                )?;
                let items = self.list(
                    several,
                    inner,
                    "a list of conditions, such as [{ time_in_state = 5 }, { path_done = true }]",
                )?;
                let list: Vec<_> =
                    items.iter().filter_map(|item| self.condition(item, names)).collect();
                Some(if several == "all" { Condition::All(list) } else { Condition::Any(list) })
            }
        }
    }

    fn distance<V: Vector>(
        &mut self,
        node: &Node,
        inner: &Node,
        kind: &'static str,
        limit: &'static str,
    ) -> Option<(Target<V>, f32)> {
        self.table("when", node, &[(kind, true), (limit, true)])?;
        let target = self.target(kind, inner);
        let distance = node.get(limit).and_then(|n| self.number(limit, n, range::DISTANCE));
        Some((target?, to_f32(distance?)))
    }
}

/// A condition of two keys.
fn condition_with(key: &str, other: &str) -> String {
    let example = |name: &str| format::CONDITION.key(name).map_or("…", |key| key.example);
    format!("{{ {other} = {}, {key} = {} }}", example(other), example(key))
}
