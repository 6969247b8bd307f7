//! Groups: their members, limits, perception and stats.

use wayfare::WithoutOrder;
use wayfare::crowd::{
    Distribution, Group, MAX_AGENTS, MAX_THINK_EVERY, Perception, Spawn, StartVelocity, Stat, range,
};
use wayfare::geometry::obstacle::Shape;
use wayfare::parameter::Target;
use wayfare::solve::PedestrianPreset;
use wayfare::vector::Vector;

use super::steer::{COMBINE, EPSILON, STANDING};
use super::{GOAL, Key, SPAWN, STATE, Table, ValueKind, optional, required};
use crate::decode::{Decoder, GroupNames, TableNode, to_f32};
use crate::document::Node;

const COUNT: usize = 32;

/// The keys of a group; a template has those after the first two.
const KEYS: [Key; COUNT] = [
    required(
        "name",
        ValueKind::Name,
        "\"guest\"",
        "The group's name, unique in the scene, and not \"pointer\", \"goal\", \
         \"order\" or \"last_seen\".",
    ),
    optional(
        "template",
        ValueKind::Templates,
        "",
        "\"person\"",
        "A template, or a list of templates: keys that the group does not write are theirs, of the \
         last template that has them.",
    ),
    optional(
        "count",
        ValueKind::Integer(0, MAX_AGENTS as u64),
        "",
        "40",
        "The number of its members; required unless `spawn` gives points.",
    ),
    required(
        "spawn",
        ValueKind::Table(&SPAWN),
        "{ points = [[20, 40], [40, 20]] }",
        "The positions of its members at the start.",
    ),
    optional(
        "goal",
        ValueKind::Table(&GOAL),
        "",
        "{ ring = { center = [320, 240], radius = 200, turn = 180 } }",
        "A goal for each member: the target \"goal\".",
    ),
    optional(
        "color",
        ValueKind::Color,
        "",
        "\"#d55e00\"",
        "The color of its members in pictures and in the viewer: `\"#rrggbb\"`, or a color name of \
         CSS 2.1; one of the palette unless given.",
    ),
    optional(
        "velocity",
        ValueKind::Velocity,
        "[0, 0]",
        "[1, 0]",
        "The velocity at the start (length / time), or `\"random\"`.",
    ),
    optional(
        "heading",
        ValueKind::Direction,
        "",
        "[0, 1]",
        "The direction in which members at rest head at the start; along the path of a spawn \
         `along` one and +x unless given.",
    ),
    optional(
        "start_after",
        ValueKind::Times(range::TIME),
        "0",
        "{ uniform = [5, 20] }",
        "The time that members stand after they have entered, before they begin to steer; each \
         draws from a range, or takes its number of a list, `{ list = [0, 5] }`.",
    ),
    optional(
        "preset",
        ValueKind::Word(PedestrianPreset::WORDS),
        "",
        "\"experiment\"",
        "People in metres and seconds: `radius`, `max_speed`, the `preset` of `pedestrian` and \
         solid `bodies`, where they are not written.",
    ),
    optional(
        "mass",
        ValueKind::Distribution(range::MASS),
        "1",
        "20",
        "The reaction time: an agent with a larger mass changes its velocity more slowly.",
    ),
    required(
        "max_speed",
        ValueKind::Distribution(range::MAX_SPEED),
        "3",
        "The top speed; a `preset` supplies one.",
    ),
    optional(
        "speed_cap",
        ValueKind::Number(range::MAX_SPEED),
        "",
        "6",
        "The largest max_speed that a command can give to a member; the largest of the group \
         and its states unless given.",
    ),
    optional(
        "max_force",
        ValueKind::Distribution(range::MAX_FORCE),
        "inf",
        "5.4",
        "The length to which forces are truncated; unlimited unless given.",
    ),
    optional("radius", ValueKind::Distribution(range::RADIUS), "0", "5", "The radius of the body."),
    optional(
        "drag",
        ValueKind::Number(range::DRAG),
        "0",
        "0.1",
        "The part of the velocity that is lost per unit of time.",
    ),
    optional(
        "turn_rate",
        ValueKind::Number(range::TURN_RATE),
        "inf",
        "180",
        "The largest rate at which members turn their facing, apart from their velocity \
         (degrees / time); they face where they move unless a behavior such as `face` says \
         otherwise.",
    ),
    optional(
        "turning_radius",
        ValueKind::Number(range::TURNING_RADIUS),
        "",
        "12",
        "Members move on wheels: along their heading only, and on circles of at least this \
         radius.",
    ),
    optional(
        "heading_time",
        ValueKind::Number(range::HEADING_TIME),
        "0",
        "0.5",
        "The time in which the angle between the heading and the direction of the velocity falls \
         to 37 %, so that the heading does not spin at a low speed; at rest it stays. Not beside \
         `turning_radius`.",
    ),
    optional(
        "think_every",
        ValueKind::Integer(1, MAX_THINK_EVERY as u64),
        "1",
        "4",
        "Members steer only at every n-th tick, in turn, and keep their force in between.",
    ),
    optional(
        "contacts",
        ValueKind::Flag,
        "false",
        "true",
        "Whether an event is raised when the body of a member begins to touch another body.",
    ),
    optional(
        "solid",
        ValueKind::Flag,
        "true",
        "false",
        "Whether the bodies of the members push others and are pushed, in a world of solid \
         `bodies`.",
    ),
    optional(
        "inertia",
        ValueKind::Number(range::INERTIA),
        "1",
        "20",
        "The weight of a body in contacts: of two solid bodies the lighter one moves more.",
    ),
    optional(
        "without_order",
        ValueKind::TargetOr(&["hold", "coast"]),
        "\"hold\"",
        "\"goal\"",
        "What members without an order do where a behavior reads it: `\"hold\"` brakes, \
         `\"coast\"` keeps the velocity, and a target takes the place of the order.",
    ),
    optional(
        "sight",
        ValueKind::Table(&SIGHT),
        "",
        SIGHT.example,
        "What members look out for, and how long they remember where they saw it.",
    ),
    COMBINE,
    EPSILON,
    STANDING,
    optional(
        "steer",
        ValueKind::Behaviors,
        "[]",
        "[{ seek = { target = [100, 50] } }]",
        "The behaviors: a `[[group.steer]]` each.",
    ),
    optional(
        "stat",
        ValueKind::NamedTables(&STAT),
        "",
        "{ stamina = { start = 100 } }",
        "Numbers that states change and conditions read; a `[group.stat.NAME]` each.",
    ),
    optional(
        "state",
        ValueKind::Tables(&STATE),
        "",
        STATE.example,
        "States, of which a member is in one at a time; a `[[group.state]]` each.",
    ),
    optional(
        "start",
        ValueKind::Name,
        "",
        "\"hunt\"",
        "The state at the start; the first unless given.",
    ),
];

pub(crate) static GROUP: Table = Table {
    name: "group",
    doc: "Agents that have the same behaviors.",
    keys: &KEYS,
    one_of: &[],
    needs: &[("start", "state")],
    example: "{ name = \"guest\", spawn = { points = [[0, 0]] }, max_speed = 3 }",
};

/// The keys of a group of which a template can have values; it needs none.
const TEMPLATE_KEYS: [Key; COUNT - 2] = {
    let mut keys = [KEYS[0]; COUNT - 2];
    let mut i = 0;
    while i < keys.len() {
        keys[i] = Key { required: false, ..KEYS[i + 2] };
        i += 1;
    }
    keys
};

pub(crate) static TEMPLATE: Table = Table {
    name: "template",
    doc: "Keys that groups share.",
    keys: &TEMPLATE_KEYS,
    one_of: &[],
    needs: &[],
    example: "{ max_speed = 1.4, radius = 0.25 }",
};

pub(crate) static SIGHT: Table = Table {
    name: "sight",
    doc: "What the members of a group look out for: read by `sees`, `remembers` and the target \
          \"last_seen\".",
    keys: &[
        required(
            "of",
            ValueKind::Target,
            "\"intruder\"",
            "The target; of a group, its nearest member that no obstacle hides.",
        ),
        optional(
            "within",
            ValueKind::Number(range::SIGHT),
            "inf",
            "150",
            "The distance up to which a member sees.",
        ),
        optional(
            "field_of_view",
            ValueKind::Number(range::FIELD_OF_VIEW),
            "360",
            "120",
            "The full angle in which a member sees, around its facing.",
        ),
        optional(
            "memory",
            ValueKind::Number(range::MEMORY),
            "inf",
            "200",
            "The time for which a member remembers the position after it was last seen.",
        ),
    ],
    one_of: &[],
    needs: &[],
    example: "{ of = [300, 200], within = 150, memory = 200 }",
};

pub(crate) static STAT: Table = Table {
    name: "stat",
    doc: "A number that states change and conditions read.",
    keys: &[
        required(
            "start",
            ValueKind::Distribution(range::STAT),
            "100",
            "Its value at the start, from `min` to `max`; each member draws from a range.",
        ),
        optional("min", ValueKind::StatLimit, "-inf", "0", "Its smallest value."),
        optional("max", ValueKind::StatLimit, "inf", "100", "Its largest value."),
    ],
    one_of: &[],
    needs: &[],
    example: "{ start = 100, min = 0, max = 100 }",
};

impl Decoder {
    pub(crate) fn group<V: Vector>(&mut self, node: &Node, index: usize) -> Group<V> {
        self.lacks_keys = self.templates_of(node);
        self.described_entries("group", node, &GROUP);
        let keys = TableNode { node, table: &GROUP };
        let name = keys.text(self, "name").unwrap_or_else(|| format!("group {index}"));
        let count = self.count(keys);
        let spawn = keys.get("spawn").and_then(|n| self.spawn(&SPAWN, n));
        let is_readable = spawn.is_some();
        let mut group = Group::new(&name, 0, spawn.unwrap_or(Spawn::Points(Vec::new())), 1.0);
        if let Some(count) = count.filter(|_| is_readable) {
            group.count = count;
        }
        if let Some(goal) = keys.get("goal") {
            // Behaviors that need a goal have one even where it cannot be read, and the number of
            // its points is compared only with a known count.
            let stand_in = Spawn::Inside(Shape::Circle { center: V::ZERO, radius: 0.0 });
            let has_points = keys.get("spawn").is_some_and(|spawn| spawn.get("points").is_some());
            let is_counted = is_readable && (count.is_some() || has_points);
            let goal = self.spawn(&GOAL, goal);
            let goal = goal.filter(|goal| is_counted || !matches!(goal, Spawn::Points(_)));
            group.goal = Some(goal.unwrap_or(stand_in));
        }
        if let Some(velocity) = keys.get("velocity") {
            group.velocity = match velocity.text() {
                Some("random") => StartVelocity::Random,
                _ => self.velocity(velocity).map_or(group.velocity, StartVelocity::Same),
            };
        }
        let color = keys.get("color").and_then(|n| self.color(n));
        self.colors.push(color);
        group.heading = keys.get("heading").and_then(|n| self.direction("heading", n));
        group.start_after = keys
            .get("start_after")
            .and_then(|n| self.start_after("start_after", n, range::TIME))
            .unwrap_or_default();
        // The values of a preset and of templates are in the table already.
        keys.word(self, "preset");
        group.mass = keys.distribution(self, "mass").unwrap_or(group.mass);
        group.max_speed = keys.distribution(self, "max_speed").unwrap_or(group.max_speed);
        group.max_force = keys.distribution(self, "max_force").unwrap_or(group.max_force);
        group.radius = keys.distribution(self, "radius").unwrap_or(group.radius);
        group.drag = keys.f32(self, "drag", group.drag);
        group.turn_rate = keys.f32(self, "turn_rate", group.turn_rate);
        group.turning_radius = keys.number(self, "turning_radius").map(to_f32);
        group.heading_time = keys.f32(self, "heading_time", group.heading_time);
        let think_every = keys.integer(self, "think_every");
        group.think_every = think_every.map_or(group.think_every, |ticks| ticks as u32);
        group.contacts =
            keys.get("contacts").and_then(|n| self.flag("contacts", n)).unwrap_or(false);
        group.solid = keys.get("solid").and_then(|n| self.flag("solid", n)).unwrap_or(true);
        group.inertia = keys.f32(self, "inertia", group.inertia);
        group.speed_cap = keys.number(self, "speed_cap").map(to_f32);
        if let Some(node) = keys.get("without_order") {
            group.without_order = match node.text() {
                Some("hold") => WithoutOrder::Hold,
                Some("coast") => WithoutOrder::Coast,
                _ => self
                    .target("without_order", node)
                    .map_or(group.without_order, WithoutOrder::Target),
            };
        }
        group.sight = keys.get("sight").map(|n| self.sight(n));
        group.steer = self.behaviors(node, "steer");
        self.group_names = GroupNames::of(node);
        group.stats = keys.get("stat").map(|n| self.stats(n)).unwrap_or_default();
        let states = keys
            .get("state")
            .and_then(|n| self.list("state", n, "a list of tables, each under [[group.state]]"));
        group.states = states.unwrap_or_default().iter().map(|state| self.state(state)).collect();
        if let Some(start) = keys.get("start") {
            group.start = self.state_name("start", start).unwrap_or(0);
        }
        self.lacks_keys = false;
        group
    }

    /// The number of members, if it is given; reports where it must be.
    fn count(&mut self, keys: TableNode<'_>) -> Option<usize> {
        let spawn = keys.get("spawn").filter(|spawn| spawn.table().is_some());
        let is_needed = spawn.is_some_and(|spawn| spawn.get("points").is_none());
        if is_needed && self.misses(keys.node, "count") {
            self.problem(
                self.head_of(keys.node),
                "`group` has no `count`",
                "`count` must be given, such as count = 40; only spawn = { points = [[20, 40], \
                 [40, 20]] } does without",
            );
        }
        keys.integer(self, "count")
    }

    /// A value that cannot be read keeps its default: conditions that need a sight have one.
    fn sight<V: Vector>(&mut self, node: &Node) -> Perception<V> {
        self.described_entries("sight", node, &SIGHT);
        let keys = TableNode { node, table: &SIGHT };
        let of = keys.get("of").and_then(|n| self.target("of", n));
        let mut sight = Perception::new(of.unwrap_or(Target::Point(V::ZERO)));
        sight.within = keys.f32(self, "within", sight.within);
        sight.field_of_view = keys.f32(self, "field_of_view", sight.field_of_view);
        sight.memory = keys.f32(self, "memory", sight.memory);
        sight
    }

    fn stats(&mut self, node: &Node) -> Vec<Stat> {
        let mut stats = Vec::new();
        for entry in self.named_tables("stat", node, &STAT, "[group.stat.stamina]") {
            self.described_entries(&format!("stat.{}", entry.key), &entry.node, &STAT);
            let keys = TableNode { node: &entry.node, table: &STAT };
            let mut limit = |key, default: f32| {
                keys.get(key).and_then(|n| self.stat_limit(key, n)).map_or(default, to_f32)
            };
            let (min, max) = (limit("min", f32::NEG_INFINITY), limit("max", f32::INFINITY));
            if let Some(at) = keys.get("max").filter(|_| min > max) {
                self.problem(
                    at.span.clone(),
                    format!("`max` is {max} and `min` is {min}"),
                    "a `max` that is not below `min`",
                );
                continue;
            }
            let start = keys.distribution(self, "start");
            let start = start.unwrap_or(Distribution::Same(0.0_f32.clamp(min, max)));
            stats.push(Stat { name: entry.key.clone(), start, min, max });
        }
        stats
    }
}
