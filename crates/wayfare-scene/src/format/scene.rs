//! The top of a scene file.

use wayfare::crowd::{KeyPath, Setup, range};
use wayfare::vector::{Up, Vector};

use super::{
    BODIES, BOUNDS, EVENT, EXIT, FIELD, FIRE, GEOMETRY, GROUP, LINE, MEASURE, NAVIGATION, OBSTACLE,
    PATH, POINTER, SOURCE, TEMPLATE, Table, UNITS, ValueKind, optional, required,
};
use crate::decode::{DURATION, Decoder, Scene, SceneNames, TableNode};
use crate::document::{Content, Node};
use crate::presentation::Presentation;

const UPS: [Up; 2] = [Up::Z, Up::Y];

pub(crate) static SCENE: Table = Table {
    name: "scene",
    doc: "A scene of Wayfare: a world, its agents, and their steering behaviors.",
    keys: &[
        optional(
            "$schema",
            ValueKind::Text,
            "",
            "\"wayfare.schema.json\"",
            "The schema for editors; it has no effect.",
        ),
        optional(
            "title",
            ValueKind::Text,
            "",
            "\"A guest arrives\"",
            "The scene's title; the file's name unless given.",
        ),
        optional(
            "dimension",
            ValueKind::Dimension,
            "2",
            "2",
            "2 for the plane, 3 for space, where every point has three coordinates.",
        ),
        optional(
            "up",
            ValueKind::Word(Up::WORDS),
            "\"z\"",
            "\"y\"",
            "The axis that points up, in three dimensions: `\"z\"`, or `\"y\"` as in Bevy, Unity \
             and Godot. Shapes, spawns, formations, lines, turns and pictures follow it.",
        ),
        optional(
            "dt",
            ValueKind::Number(range::DT),
            "1",
            "1.0",
            "Simulated time per tick; 1 with per-frame numbers is the classic setting.",
        ),
        optional(
            "seed",
            ValueKind::Integer(0, u64::MAX),
            "0",
            "7",
            "The seed of all random numbers.",
        ),
        optional(
            "duration",
            ValueKind::Number(range::DT),
            "600",
            "300",
            "Simulated time that `wayfare run` covers unless told otherwise.",
        ),
        optional(
            "poster",
            ValueKind::Number(range::DT),
            "",
            "120",
            "Simulated time at which a contact sheet shows the scene, at most its `duration`.",
        ),
        optional(
            "quiet",
            ValueKind::KeyPaths,
            "",
            "[\"group[0].mass\"]",
            "Key paths about which no hint is said, nor about the keys in them.",
        ),
        optional(
            "units",
            ValueKind::Table(&UNITS),
            "",
            UNITS.example,
            "The names of the units, shown beside lengths and times; they change no number.",
        ),
        optional(
            "bounds",
            ValueKind::Table(&BOUNDS),
            "",
            BOUNDS.example,
            "The bounds of the world.",
        ),
        optional(
            "bodies",
            ValueKind::Table(&BODIES),
            "",
            BODIES.example,
            "Whether bodies are solid: whether they push one another apart.",
        ),
        optional(
            "navigation",
            ValueKind::Table(&NAVIGATION),
            "",
            NAVIGATION.example,
            "How the routes of `navigate` are planned.",
        ),
        optional(
            "pointer",
            ValueKind::Table(&POINTER),
            "",
            POINTER.example,
            "A point that moves like a mouse pointer: the target \"pointer\".",
        ),
        optional(
            "geometry",
            ValueKind::Table(&GEOMETRY),
            "",
            GEOMETRY.example,
            "Walls and obstacles from files of polygons, WKT or GeoJSON.",
        ),
        optional(
            "obstacle",
            ValueKind::Tables(&OBSTACLE),
            "",
            OBSTACLE.example,
            "Shapes that `avoid_obstacles` keeps away from; an `[[obstacle]]` each.",
        ),
        optional(
            "path",
            ValueKind::NamedTables(&PATH),
            "",
            "{ beat = { points = [[100, 100], [300, 60]], radius = 30 } }",
            "Paths that `follow_path` follows; a `[path.NAME]` each.",
        ),
        optional(
            "field",
            ValueKind::NamedTables(&FIELD),
            "",
            "{ way_out = { goal = [{ box = { min = [0, 0], max = [10, 10] } }], cell = 4 } }",
            "Flow fields that `follow_flow` follows: vectors, or the shortest paths to a goal; a \
             `[field.NAME]` each.",
        ),
        optional(
            "line",
            ValueKind::NamedTables(&LINE),
            "",
            "{ door = { from = [300, 40], to = [340, 40] } }",
            "Lines whose crossings are counted, in each direction; a `[line.NAME]` each.",
        ),
        optional(
            "exit",
            ValueKind::Tables(&EXIT),
            "",
            EXIT.example,
            "Shapes in which agents leave; an `[[exit]]` each. The first that an agent is in \
             counts.",
        ),
        optional(
            "source",
            ValueKind::Tables(&SOURCE),
            "",
            SOURCE.example,
            "Areas in which agents enter; a `[[source]]` each.",
        ),
        optional(
            "event",
            ValueKind::Tables(&EVENT),
            "",
            EVENT.example,
            "Commands at times of the run: a door closes, a target moves; an `[[event]]` each.",
        ),
        optional(
            "measure",
            ValueKind::Tables(&MEASURE),
            "",
            MEASURE.example,
            "What is measured while the scene runs; a `[[measure]]` each.",
        ),
        optional(
            "fire",
            ValueKind::Table(&FIRE),
            "",
            FIRE.example,
            "What a click in a viewer does: a group turns to it and fires. Needs `bounds`.",
        ),
        optional(
            "template",
            ValueKind::NamedTables(&TEMPLATE),
            "",
            "{ person = { max_speed = 1.4, radius = 0.25 } }",
            "Keys that groups share, by their key `template`; a `[template.NAME]` each.",
        ),
        required(
            "group",
            ValueKind::Tables(&GROUP),
            GROUP.example,
            "Agents that have the same behaviors; a `[[group]]` each.",
        ),
    ],
    one_of: &[],
    needs: &[("fire", "bounds")],
    example: "{ group = [{ name = \"guest\", spawn = { points = [[0, 0]] }, max_speed = 3 }] }",
};

impl Decoder {
    /// `name` is the title of a scene without one.
    pub(crate) fn scene<V: Vector>(&mut self, root: &Node, name: &str) -> Scene<V> {
        self.described_entries("scene", root, &SCENE);
        let keys = TableNode { node: root, table: &SCENE };
        let mut setup = Setup::default();
        let title = keys.text(self, "title").unwrap_or_else(|| name.to_string());
        setup.dt = keys.number(self, "dt").unwrap_or(setup.dt);
        if let Some(node) = root.get("seed") {
            match node.content {
                Content::Integer(seed) if u64::try_from(seed).is_ok() => setup.seed = seed as u64,
                _ => self.wrong("seed", node, format!("a whole number from 0 to {}", u64::MAX)),
            }
        }
        match keys.entry("up") {
            Some(up) if V::DIMENSION == 2 => self.problem(
                up.span.clone(),
                "`up` is for three dimensions",
                "no `up`, or dimension = 3",
            ),
            Some(_) => setup.up = keys.word(self, "up").map_or(setup.up, |i| UPS[i]),
            None => {}
        }
        let duration = keys.number(self, "duration").unwrap_or(DURATION);
        let poster = keys.number(self, "poster");
        if let (Some(time), Some(node)) = (poster, root.get("poster"))
            && time > duration
        {
            let message = format!("`poster` is {time}, which is after the end of the run");
            let allowed = format!("at most the `duration`, {duration}");
            self.problem(node.span.clone(), message, allowed);
        }
        let quiet = root.get("quiet").map(|node| self.key_paths(node)).unwrap_or_default();
        // Names first: a behavior may refer to a group that is defined further down.
        self.names = SceneNames::of(root);
        setup.bounds = root.get("bounds").and_then(|node| self.bounds(node));
        setup.bodies =
            root.get("bodies").and_then(|node| self.bodies::<V>(node)).unwrap_or_default();
        setup.navigation =
            root.get("navigation").and_then(|node| self.navigation::<V>(node)).unwrap_or_default();
        setup.pointer = root.get("pointer").and_then(|node| self.pointer(node));
        setup.obstacles = root.get("obstacle").map(|node| self.obstacles(node)).unwrap_or_default();
        if let Some(node) = root.get("geometry") {
            self.geometry(node, &mut setup);
        }
        setup.paths = root.get("path").map(|node| self.paths(node)).unwrap_or_default();
        let bounds = setup.bounds.as_ref();
        setup.fields =
            root.get("field").map(|node| self.flow_fields(node, bounds)).unwrap_or_default();
        setup.lines = root.get("line").map(|node| self.lines(node)).unwrap_or_default();
        setup.exits = root.get("exit").map(|node| self.exits(node)).unwrap_or_default();
        setup.sources = root
            .get("source")
            .map(|node| self.sources(node, &setup.exits, setup.up))
            .unwrap_or_default();
        if let Some(templates) = root.get("template") {
            self.templates(templates);
        }
        let groups = root
            .get("group")
            .and_then(|node| self.list("group", node, "a list of tables, each under [[group]]"));
        setup.groups = (0..)
            .zip(groups.unwrap_or_default())
            .map(|(index, group)| self.group(group, index))
            .collect();
        setup.commands = root.get("event").map(|node| self.events(node)).unwrap_or_default();
        let colors = std::mem::take(&mut self.colors);
        let exits = self.names.exits.iter().map(str::to_string).collect();
        let units = root.get("units").and_then(|node| self.units(node)).unwrap_or_default();
        if setup.groups.is_empty() && self.problems.is_empty() {
            let allowed = format!("at least one [[group]], such as group = [{}]", GROUP.example);
            self.problem(0..0, "the scene has no group, so it has no agents", allowed);
        }
        let is_bounded = root.get("bounds").is_some() || setup.bounds.is_some();
        let fire = root.get("fire").and_then(|node| self.fire::<V>(node, is_bounded));
        let measures =
            root.get("measure").map(|node| self.measures(node, &setup)).unwrap_or_default();
        let presentation = Presentation { colors, units, exits };
        Scene { title, duration, poster, quiet, setup, fire, presentation, measures }
    }

    fn key_paths(&mut self, node: &Node) -> Vec<KeyPath> {
        let example = "a list of key paths such as [\"group[0].steer[1].arrive.slowing_radius\"]";
        let items = self.list("quiet", node, example).unwrap_or_default();
        let read = |item: &Node| match item.text().and_then(KeyPath::read) {
            Some(key_path) => Some(key_path),
            None => {
                self.wrong("quiet", item, example);
                None
            }
        };
        items.iter().filter_map(read).collect()
    }
}
