//! Groups: their members, limits, perception and stats.

use wayfare::crowd::{Distribution, Group, Perception, Spawn, Stat};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::Vec2;
use wayfare::parameter::Parameters;
use wayfare::solve::PedestrianPreset;
use wayfare::vector::Vector;

use super::described::{Beside, NOTHING, keys_of};
use super::steer::{COMBINE, EPSILON, STANDING};
use super::{GOAL, Key, SPAWN, STATE, Table, ValueKind, optional};
use crate::decode::{Decoder, GroupNames, TableNode};
use crate::document::Node;

const TEMPLATES: Key = optional(
    "template",
    ValueKind::Templates,
    "",
    "\"person\"",
    "A template, or a list of templates: keys that the group does not write are theirs, of the \
     last template that has them.",
);
const COLOR: Key = optional(
    "color",
    ValueKind::Color,
    "",
    "\"#d55e00\"",
    "The color of its members in pictures and in the viewer: `\"#rrggbb\"`, or a color name of \
     CSS 2.1; one of the palette unless given.",
);
const PRESET: Key = optional(
    "preset",
    ValueKind::Word(PedestrianPreset::WORDS),
    "",
    "\"experiment\"",
    "People in metres and seconds: `radius`, `max_speed`, the `preset` of `pedestrian` and \
     solid `bodies`, where they are not written.",
);

/// The keys of a group; a template has those after the first two.
const KEYS: [Key; <Group<Vec2> as Parameters<Vec2>>::PARAMETERS.len() + 6] = {
    let mut keys = keys_of::<Group<Vec2>, _>(Beside {
        without: &[],
        with: &[
            ("count", TEMPLATES),
            ("velocity", COLOR),
            ("mass", PRESET),
            ("steer", COMBINE),
            ("steer", EPSILON),
            ("steer", STANDING),
        ],
        tables: &[
            ("sight", ValueKind::Table(&SIGHT)),
            ("stat", ValueKind::NamedTables(&STAT)),
            ("state", ValueKind::Tables(&STATE)),
        ],
    });
    // Required unless `spawn` gives points.
    keys[2].required = false;
    keys
};

pub(crate) static GROUP: Table = Table {
    name: "group",
    doc: <Group<Vec2> as Parameters<Vec2>>::DOC,
    keys: &KEYS,
    one_of: &[],
    needs: &[("start", "state")],
    example: "{ name = \"guest\", spawn = { points = [[0, 0]] }, max_speed = 3 }",
};

/// The keys of a group of which a template can have values; it needs none.
const TEMPLATE_KEYS: [Key; KEYS.len() - 2] = {
    let mut keys = [KEYS[0]; KEYS.len() - 2];
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
    doc: <Perception<Vec2> as Parameters<Vec2>>::DOC,
    keys: &{ keys_of::<Perception<Vec2>, 4>(NOTHING) },
    one_of: &[],
    needs: &[],
    example: "{ of = [300, 200], within = 150, memory = 200 }",
};

pub(crate) static STAT: Table = Table {
    name: "stat",
    doc: <Stat as Parameters<Vec2>>::DOC,
    keys: &{ keys_of::<Stat, 3>(Beside { without: &["name"], ..NOTHING }) },
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
        let color = keys.get("color").and_then(|n| self.color(n));
        self.colors.push(color);
        // The values of a preset and of templates are in the table already.
        keys.word(self, "preset");
        self.group_names = GroupNames::of(node);
        let read = ["name", "count", "spawn", "goal", "steer", "stat", "state"];
        self.described(keys, V::group_table(&mut group), &read);
        group.steer = self.behaviors(node, "steer");
        group.stats = keys.get("stat").map(|n| self.stats::<V>(n)).unwrap_or_default();
        let states = keys
            .get("state")
            .and_then(|n| self.list("state", n, "a list of tables, each under [[group.state]]"));
        group.states = states.unwrap_or_default().iter().map(|state| self.state(state)).collect();
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

    fn stats<V: Vector>(&mut self, node: &Node) -> Vec<Stat> {
        let mut stats = Vec::new();
        for entry in self.named_tables("stat", node, &STAT, "[group.stat.stamina]") {
            self.described_entries(&format!("stat.{}", entry.key), &entry.node, &STAT);
            let keys = TableNode { node: &entry.node, table: &STAT };
            let mut stat = Stat::new(&entry.key, f32::NAN);
            self.described::<V>(keys, &mut stat, &[]);
            let Stat { start, min, max, .. } = stat;
            if let Some(at) = keys.get("max").filter(|_| min > max) {
                self.problem(
                    at.span.clone(),
                    format!("`max` is {max} and `min` is {min}"),
                    "a `max` that is not below `min`",
                );
                continue;
            }
            // One that cannot be read has been reported.
            if let Distribution::Same(x) = start
                && x.is_nan()
            {
                stat.start = Distribution::Same(0.0_f32.clamp(min, max));
            }
            stats.push(stat);
        }
        stats
    }
}
