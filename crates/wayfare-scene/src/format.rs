//! The scene's own tables, described once: keys, what they take, defaults, and an example of each.
//!
//! Decoding, the texts of errors and the schema read these descriptions; a test holds docs/scenes.md against them. What behaviors
//! take is described in the library, by the behaviors themselves.

use wayfare::combine::Combine;
use wayfare::crowd::{MOST_AGENTS, MOST_THINK_EVERY, Rhythm, range};
use wayfare::flow::{CELL, CLEARANCE, MOST_CELLS};
use wayfare::parameter::{Range, Unit};
use wayfare::path::Curve;
use wayfare::space::Edge;

/// What a key takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Takes {
    /// Any text.
    Text,
    /// A text by which something is called.
    Name,
    /// A whole number in a range.
    Whole(u64, u64),
    /// 2 or 3.
    Dimension,
    Number(Range),
    /// A number, `-inf` or `inf`: an end of a stat's range.
    End,
    /// A number, or a range that each agent draws its own from.
    Spread(Range),
    Flag,
    Word(&'static [&'static str]),
    /// A point, as many numbers as the dimension.
    Point,
    /// Lengths of at least 0, as many as the dimension.
    Size,
    /// At least so many points.
    Points(usize),
    /// The corners of a polygon: always of two numbers.
    Corners,
    /// Points of time and place.
    Track,
    /// A velocity, or a word.
    Velocity,
    /// A point, the pointer or a group.
    Target,
    /// Names of groups.
    Groups,
    /// A stat with its numbers per unit of time.
    Rates,
    /// What becomes of who leaves by an exit.
    Then,
    /// Times, and how many come at each.
    Schedule,
    /// A list of behaviors.
    Steer,
    Condition,
    Conditions,
    Table(&'static Table),
    /// A list of such tables.
    List(&'static Table),
    /// Such tables, each under a name.
    Named(&'static Table),
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) required: bool,
    pub(crate) takes: Takes,
    /// What stands there unless given, as TOML has it; nothing where that is nothing.
    pub(crate) default: &'static str,
    /// What it does, in Markdown.
    pub(crate) doc: &'static str,
    /// A value, as TOML has it.
    pub(crate) example: &'static str,
}

/// A table of a scene.
#[derive(Debug)]
pub(crate) struct Table {
    /// What messages call it.
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) keys: &'static [Key],
    /// Sets of keys of which exactly one has to be there; none where that is not so.
    pub(crate) one_of: &'static [&'static [&'static str]],
    /// A key, and another that has to stand beside it.
    pub(crate) needs: &'static [(&'static str, &'static str)],
    /// The whole of it, as TOML writes it in a line.
    pub(crate) example: &'static str,
}

impl Table {
    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

const fn must(name: &'static str, takes: Takes, example: &'static str, doc: &'static str) -> Key {
    Key { name, required: true, takes, default: "", doc, example }
}

const fn may(name: &'static str, takes: Takes, default: &'static str, example: &'static str, doc: &'static str) -> Key {
    Key { name, required: false, takes, default, doc, example }
}

const ANY: Range = range::STAT;
const DEGREES: Range = Range::new(-360.0, 360.0, Unit::Degrees);
/// Angles of boxes.
pub(crate) const ANGLE: Range = DEGREES;
/// Distances between the places of a grid.
pub(crate) const SPACING: Range = Range::above_zero(Unit::Length);
/// How far a flattened curve may be from the curve.
pub(crate) const TOLERANCE: Range = Range::above_zero(Unit::Length);
/// How long somebody has been in a state.
pub(crate) const TIME: Range = range::TIME;

pub(crate) static SCENE: Table = Table {
    name: "scene",
    doc: "A scene of Wayfare: who moves, by which steering behaviors, among what.",
    keys: &[
        may("$schema", Takes::Text, "", "\"wayfare.schema.json\"", "Where the schema for editors is; it changes nothing."),
        may("title", Takes::Text, "", "\"A guest comes\"", "What the scene is called; the file's name unless given."),
        may("dimension", Takes::Dimension, "2", "2", "2 for the plane, 3 for space, where every point has three coordinates."),
        may("dt", Takes::Number(range::DT), "1", "1.0", "Simulated time per tick; 1 with per-frame numbers is the classic setting."),
        may("seed", Takes::Whole(0, u64::MAX), "0", "7", "Everything random follows from it."),
        may("duration", Takes::Number(range::DT), "600", "300", "Simulated time that `wayfare run` covers unless told otherwise."),
        may("bounds", Takes::Table(&BOUNDS), "", BOUNDS.example, "The edges of the world."),
        may("pointer", Takes::Table(&POINTER), "", POINTER.example, "What moves as a mouse would: the target \"pointer\"."),
        may("obstacle", Takes::List(&OBSTACLE), "", OBSTACLE.example, "What `avoid_obstacles` keeps away from; a `[[obstacle]]` each."),
        may(
            "path",
            Takes::Named(&PATH),
            "",
            "{ beat = { points = [[100, 100], [300, 60]], radius = 30 } }",
            "What `follow_path` follows; a `[path.NAME]` each.",
        ),
        may(
            "field",
            Takes::Named(&FIELD),
            "",
            "{ way_out = { goal = [{ box = { min = [0, 0], max = [10, 10] } }], cell = 4 } }",
            "What `follow_flow` follows: directions, given or made from the ways to a goal; a `[field.NAME]` each.",
        ),
        may(
            "line",
            Takes::Named(&LINE),
            "",
            "{ door = { from = [300, 40], to = [340, 40] } }",
            "Whose crossings are counted, by each direction; a `[line.NAME]` each.",
        ),
        may("exit", Takes::List(&EXIT), "", EXIT.example, "Where agents leave; an `[[exit]]` each. The first in which somebody stands takes them."),
        may("source", Takes::List(&SOURCE), "", SOURCE.example, "Where agents enter; a `[[source]]` each."),
        may("fire", Takes::Table(&FIRE), "", FIRE.example, "What a click does where somebody watches: some turn to it and fire. Needs `bounds`."),
        must("group", Takes::List(&GROUP), GROUP.example, "Who moves: agents that have the same behaviors; a `[[group]]` each."),
    ],
    one_of: &[],
    needs: &[("fire", "bounds")],
    example: "{ group = [{ name = \"guest\", spawn = { points = [[0, 0]] }, max_speed = 3 }] }",
};

pub(crate) static BOUNDS: Table = Table {
    name: "bounds",
    doc: "The edges of the world.",
    keys: &[
        must("min", Takes::Point, "[0, 0]", "The corner with the smallest coordinates."),
        must("max", Takes::Point, "[640, 480]", "The corner with the largest coordinates, above `min` on every axis."),
        may(
            "edge",
            Takes::Word(Edge::WORDS),
            "\"open\"",
            "\"wrap\"",
            "`\"open\"`: the bounds only say what a picture shows. `\"wrap\"`: who leaves on one side enters on the other. `\"wall\"`: positions are held.",
        ),
    ],
    one_of: &[],
    needs: &[],
    example: "{ min = [0, 0], max = [640, 480] }",
};

pub(crate) static POINTER: Table = Table {
    name: "pointer",
    doc: "What moves as a mouse would: the target \"pointer\".",
    keys: &[must(
        "track",
        Takes::Track,
        "[[0, 100, 100], [120, 400, 300]]",
        "Points `[time, x, y]` with growing times: linear between, held before the first and after the last.",
    )],
    one_of: &[],
    needs: &[],
    example: "{ track = [[0, 100, 100], [120, 400, 300]] }",
};

pub(crate) static CIRCLE: Table = Table {
    name: "circle",
    doc: "A circle; in space a ball.",
    keys: &[must("center", Takes::Point, "[200, 150]", "Its center."), must("radius", Takes::Number(range::RADIUS), "40", "Its radius.")],
    one_of: &[],
    needs: &[],
    example: "{ center = [200, 150], radius = 40 }",
};

pub(crate) static BOX: Table = Table {
    name: "box",
    doc: "A box by two corners, or by its center and size.",
    keys: &[
        may("min", Takes::Point, "", "[0, 0]", "The corner with the smallest coordinates; with `max`."),
        may("max", Takes::Point, "", "[10, 10]", "The corner with the largest coordinates; with `min`."),
        may("center", Takes::Point, "", "[5, 5]", "Its center; with `size`."),
        may("size", Takes::Size, "", "[10, 10]", "Its lengths along the axes; with `center`."),
        may("angle", Takes::Number(DEGREES), "0", "25", "How far it is turned about its center, counter-clockwise where y points up; with `center`."),
    ],
    one_of: &[&["min", "max"], &["center", "size"]],
    needs: &[("min", "max"), ("max", "min"), ("center", "size"), ("size", "center"), ("angle", "center")],
    example: "{ min = [0, 0], max = [10, 10] } or { center = [5, 5], size = [10, 10] }",
};

pub(crate) static SEGMENT: Table = Table {
    name: "segment",
    doc: "A wall from point to point, with round ends.",
    keys: &[
        must("from", Takes::Point, "[180, 330]", "One end."),
        must("to", Takes::Point, "[230, 410]", "The other end."),
        may("thickness", Takes::Number(range::RADIUS), "0", "10", "Its full width."),
    ],
    one_of: &[],
    needs: &[],
    example: "{ from = [180, 330], to = [230, 410], thickness = 10 }",
};

const AS_CIRCLE: Key = may("circle", Takes::Table(&CIRCLE), "", CIRCLE.example, "A circle; in space a ball.");
const AS_BOX: Key = may("box", Takes::Table(&BOX), "", "{ min = [0, 0], max = [10, 10] }", "A box; in space it turns about z.");
const AS_SEGMENT: Key = may("segment", Takes::Table(&SEGMENT), "", SEGMENT.example, "A wall with round ends.");
const AS_POLYGON: Key = may(
    "polygon",
    Takes::Corners,
    "",
    "[[470, 290], [540, 270], [530, 340]]",
    "Its corners in the order of its outline, which must not cross itself; in space a prism along z.",
);

pub(crate) static OBSTACLE: Table = Table {
    name: "obstacle",
    doc: "A shape that `avoid_obstacles` keeps away from: one of these.",
    keys: &[AS_CIRCLE, AS_BOX, AS_SEGMENT, AS_POLYGON],
    one_of: &[&["circle"], &["box"], &["segment"], &["polygon"]],
    needs: &[],
    example: "{ circle = { center = [200, 150], radius = 40 } }",
};

/// A shape with an inside: where random points are drawn.
pub(crate) static AREA: Table = Table {
    name: "area",
    doc: "Where random points are drawn: one of these.",
    keys: &[AS_CIRCLE, AS_BOX],
    one_of: &[&["circle"], &["box"]],
    needs: &[],
    example: "{ box = { min = [0, 0], max = [10, 10] } }",
};

pub(crate) static PATH: Table = Table {
    name: "path",
    doc: "A way that `follow_path` follows.",
    keys: &[
        must("points", Takes::Points(1), "[[100, 100], [300, 60]]", "Its points; of a curve, its corners and handles."),
        must("radius", Takes::Number(range::RADIUS), "30", "Half its width."),
        may("closed", Takes::Flag, "false", "true", "Whether it goes on from the last point to the first."),
        may(
            "curve",
            Takes::Word(Curve::WORDS),
            "",
            "\"catmull_rom\"",
            "`\"catmull_rom\"` goes through all points, `\"bezier\"` takes a corner, two handles, a corner, …; straight lines unless given.",
        ),
        may("tolerance", Takes::Number(TOLERANCE), "", "0.5", "How far the flattened curve may be from the curve; a thousandth of its extent unless given."),
    ],
    one_of: &[],
    needs: &[("tolerance", "curve")],
    example: "{ points = [[100, 100], [300, 60]], radius = 30 }",
};

pub(crate) static FIELD: Table = Table {
    name: "field",
    doc: "Directions that `follow_flow` follows, in cells: the shortest ways to a goal, or vectors.",
    keys: &[
        may("goal", Takes::List(&OBSTACLE), "", OBSTACLE.example, "Where the ways lead: the nearest of these shapes, by the shortest way round the obstacles."),
        may(
            "vectors",
            Takes::Points(1),
            "",
            "[[1, 0], [0.5, 0.5], [0, 1], [0.5, 0.5]]",
            "A vector for each cell, row by row: parts of the top speed. One that is longer than 1 counts as 1 long.",
        ),
        must("cell", Takes::Number(CELL), "4", "The width of a cell."),
        may("clearance", Takes::Number(CLEARANCE), "0", "6", "How far the ways keep from obstacles."),
        may("area", Takes::Table(&EXTENT), "", EXTENT.example, "Where ways are looked for; the bounds unless given."),
        may("origin", Takes::Point, "", "[0, 0]", "The corner of the first cell with the smallest coordinates; that of the bounds, or zero, unless given."),
        may("columns", Takes::Whole(1, MOST_CELLS as u64), "", "2", "How many cells are in a row, along x."),
        may("rows", Takes::Whole(1, MOST_CELLS as u64), "", "2", "How many rows are in a layer, along y; all of them unless given."),
    ],
    one_of: &[&["goal"], &["vectors"]],
    needs: &[("clearance", "goal"), ("area", "goal"), ("origin", "vectors"), ("columns", "vectors"), ("rows", "vectors"), ("vectors", "columns")],
    example: "{ goal = [{ circle = { center = [600, 40], radius = 20 } }], cell = 4 }",
};

/// A box by its corners only.
pub(crate) static EXTENT: Table = Table {
    name: "extent",
    doc: "A box that is not turned.",
    keys: &[
        must("min", Takes::Point, "[0, 0]", "The corner with the smallest coordinates."),
        must("max", Takes::Point, "[640, 480]", "The corner with the largest coordinates, above `min` on every axis."),
    ],
    one_of: &[],
    needs: &[],
    example: "{ min = [0, 0], max = [640, 480] }",
};

pub(crate) static LINE: Table = Table {
    name: "line",
    doc: "A line whose crossings are counted, by each direction.",
    keys: &[must("from", Takes::Point, "[300, 40]", "One end."), must("to", Takes::Point, "[340, 40]", "The other end.")],
    one_of: &[],
    needs: &[],
    example: "{ from = [300, 40], to = [340, 40] }",
};

pub(crate) static EXIT: Table = Table {
    name: "exit",
    doc: "A shape by which agents leave.",
    keys: &[
        AS_CIRCLE,
        AS_BOX,
        AS_SEGMENT,
        AS_POLYGON,
        may("groups", Takes::Groups, "", "[\"guest\"]", "Whose members leave by it; all unless given."),
        may("then", Takes::Then, "\"remove\"", "\"remove\"", "`\"remove\"`, or `{ respawn = … }`: it begins anew at a random place."),
    ],
    one_of: OBSTACLE.one_of,
    needs: &[],
    example: "{ box = { min = [0, 470], max = [640, 480] } }",
};

pub(crate) static RESPAWN: Table = Table {
    name: "then",
    doc: "Who stands in the exit begins anew.",
    keys: &[must("respawn", Takes::Table(&AREA), AREA.example, "Where it begins anew, at a random place.")],
    one_of: &[],
    needs: &[],
    example: "{ respawn = { box = { min = [0, 0], max = [10, 10] } } }",
};

pub(crate) static SOURCE: Table = Table {
    name: "source",
    doc: "A circle or a box in which agents enter at random places, by a `rate` or a `schedule`.",
    keys: &[
        AS_CIRCLE,
        AS_BOX,
        must("group", Takes::Name, "\"guest\"", "The group whose members enter; it may have none at the start."),
        may("rate", Takes::Number(range::RATE), "", "0.5", "How many enter per unit of time, at most 10,000 in a tick."),
        may("from", Takes::Number(range::FROM), "0", "10", "When the `rate` begins."),
        may("until", Takes::Number(range::UNTIL), "inf", "200", "When the `rate` ends."),
        may(
            "arrivals",
            Takes::Word(Rhythm::WORDS),
            "\"regular\"",
            "\"random\"",
            "`\"regular\"`: evenly, one after each 1 / `rate`. `\"random\"`: each on its own, as the Poisson distribution has it.",
        ),
        may("schedule", Takes::Schedule, "", "[[10, 5], [60, 20]]", "In place of a `rate`: times above 0 that grow, and how many enter at each."),
        may(
            "most",
            Takes::Whole(0, MOST_AGENTS as u64),
            "10000",
            "40",
            "How many members of the group there may be at once: who would come then is turned away.",
        ),
    ],
    one_of: &[&["circle"], &["box"]],
    needs: &[("from", "rate"), ("until", "rate"), ("arrivals", "rate")],
    example: "{ box = { min = [0, 0], max = [10, 480] }, group = \"guest\", rate = 0.5 }",
};

/// How many members of its group there may be where a source does not say.
pub(crate) const MOST_MEMBERS: usize = 10_000;

pub(crate) static FIRE: Table = Table {
    name: "fire",
    doc: "What a click does where somebody watches: the shooters turn to it and fire; a target that is hit goes, and another enters.",
    keys: &[
        must("shooters", Takes::Name, "\"soldiers\"", "The group whose members turn to the click and fire."),
        must(
            "bullets",
            Takes::Name,
            "\"bullets\"",
            "The group that what they fire belongs to: usually one without members at the start, and without behaviors.",
        ),
        must("targets", Takes::Name, "\"monsters\"", "The group whose members go when they are hit; for each, another enters at the rim of the bounds."),
    ],
    one_of: &[],
    needs: &[],
    example: "{ shooters = \"soldiers\", bullets = \"bullets\", targets = \"monsters\" }",
};

pub(crate) static GRID: Table = Table {
    name: "grid",
    doc: "Places in rows.",
    keys: &[
        must("origin", Takes::Point, "[20, 60]", "The first place."),
        must("spacing", Takes::Number(SPACING), "30", "From place to place."),
        must("columns", Takes::Whole(1, MOST_AGENTS as u64), "4", "Places in a row, along x."),
        may("rows", Takes::Whole(1, MOST_AGENTS as u64), "", "4", "Rows in a layer, along y: in space, where it must be given."),
    ],
    one_of: &[],
    needs: &[],
    example: "{ origin = [20, 60], spacing = 30, columns = 4 }",
};

pub(crate) static RING: Table = Table {
    name: "ring",
    doc: "Places evenly on a circle; in space at the height of its center.",
    keys: &[
        must("center", Takes::Point, "[320, 240]", "Its center."),
        must("radius", Takes::Number(range::RADIUS), "200", "Its radius."),
        may("turn", Takes::Number(DEGREES), "0", "180", "How far the places are turned about the center."),
    ],
    one_of: &[],
    needs: &[],
    example: "{ center = [320, 240], radius = 200 }",
};

pub(crate) static SPAWN: Table = Table {
    name: "spawn",
    doc: "A place for each member of a group: one of these.",
    keys: &[
        may("points", Takes::Points(0), "", "[[20, 40], [40, 20]]", "A point for each; `count` is their number."),
        may("box", Takes::Table(&BOX), "", "{ min = [20, 20], max = [300, 460] }", "At random in a box."),
        may("circle", Takes::Table(&CIRCLE), "", CIRCLE.example, "At random in a circle; in space in a ball."),
        may("grid", Takes::Table(&GRID), "", GRID.example, "In rows."),
        may("ring", Takes::Table(&RING), "", RING.example, "Evenly on a circle."),
    ],
    one_of: &[&["points"], &["box"], &["circle"], &["grid"], &["ring"]],
    needs: &[],
    example: "{ box = { min = [20, 20], max = [300, 460] } } or { points = [[20, 40], [40, 20]] }",
};

pub(crate) static GROUP: Table = Table {
    name: "group",
    doc: "Agents that have the same behaviors.",
    keys: &[
        must("name", Takes::Name, "\"guest\"", "What the group is called; no other group is, and none is called \"pointer\", \"goal\" or \"last_seen\"."),
        may("count", Takes::Whole(0, MOST_AGENTS as u64), "", "40", "How many members it has; to be given unless `spawn` gives points."),
        must("spawn", Takes::Table(&SPAWN), "{ points = [[20, 40], [40, 20]] }", "Where its members begin."),
        may(
            "goal",
            Takes::Table(&SPAWN),
            "",
            "{ ring = { center = [320, 240], radius = 200, turn = 180 } }",
            "A place for each member that it is bound for: the target \"goal\".",
        ),
        may("velocity", Takes::Velocity, "[0, 0]", "[1, 0]", "Its velocity at the start (length / time), or `\"random\"`."),
        may("mass", Takes::Spread(range::MASS), "1", "20", "How slowly it changes its velocity: a reaction time."),
        must("max_speed", Takes::Spread(range::MAX_SPEED), "3", "Its top speed."),
        may("max_force", Takes::Spread(range::MAX_FORCE), "inf", "5.4", "The longest force it can take; unlimited unless given."),
        may("radius", Takes::Spread(range::RADIUS), "0", "5", "The radius of its body."),
        may("drag", Takes::Number(range::DRAG), "0", "0.1", "The part of its velocity that is lost per unit of time."),
        may(
            "turn_rate",
            Takes::Number(range::TURN_RATE),
            "inf",
            "180",
            "How fast its members turn where they look, apart from their velocity (degrees / time); they look where they go unless a behavior such as `face` says otherwise.",
        ),
        may(
            "turning_radius",
            Takes::Number(range::TURNING_RADIUS),
            "",
            "12",
            "They roll on wheels: along their heading alone, and on no smaller circle than of this radius.",
        ),
        may("think_every", Takes::Whole(1, MOST_THINK_EVERY as u64), "1", "4", "Steer anew at every so many ticks, in turn, and keep the force in between."),
        may("sight", Takes::Table(&SIGHT), "", SIGHT.example, "Whom its members look out for, and how long they remember where they saw somebody."),
        may("combine", Takes::Word(Combine::WORDS), "\"sum\"", "\"priority\"", COMBINE),
        may("epsilon", Takes::Number(range::EPSILON), "1e-6", "0.01", EPSILON),
        may("steer", Takes::Steer, "[]", "[{ seek = { target = [100, 50] } }]", "What it does: a list of behaviors; a `[[group.steer]]` each."),
        may("stat", Takes::Named(&STAT), "", "{ stamina = { start = 100 } }", "Numbers that states change and conditions ask for; a `[group.stat.NAME]` each."),
        may("state", Takes::List(&STATE), "", STATE.example, "What it does by turns; a `[[group.state]]` each."),
        may("start", Takes::Name, "", "\"hunt\"", "The state at the start; the first unless given."),
    ],
    one_of: &[],
    needs: &[("start", "state")],
    example: "{ name = \"guest\", spawn = { points = [[0, 0]] }, max_speed = 3 }",
};

const COMBINE: &str = "How the forces of the list become one: `\"sum\"`, `\"priority\"` (the first that is not zero), `\"budget\"` (in order, as much as is left of max_force) `\"dither\"` (in order, each by its `chance`) or `\"context\"` (the best of the directions without `danger`).";
const EPSILON: &str = "The force up to which `\"priority\"` and `\"dither\"` take a force for none.";

/// The keys of a place in a list beside its behavior.
pub(crate) static PLACE: Table = Table {
    name: "steer",
    doc: "A place in a list: one behavior, or a list inside the list.",
    keys: &[
        may("all", Takes::Steer, "", "[{ seek = { target = [100, 50] } }]", "A list inside the list, combined by its own rule."),
        may("weight", Takes::Number(range::WEIGHT), "1", "1.5", "What the force is multiplied by."),
        may("chance", Takes::Number(range::CHANCE), "1", "0.5", "How likely `\"dither\"` draws it."),
        may("danger", Takes::Flag, "false", "true", "Whether `\"context\"` asks it for danger: where it would push back, nobody goes."),
        may("off", Takes::Flag, "false", "true", "Whether it is switched off: it is read and checked, and steers nobody."),
        may("combine", Takes::Word(Combine::WORDS), "\"sum\"", "\"priority\"", COMBINE),
        may("epsilon", Takes::Number(range::EPSILON), "1e-6", "0.01", EPSILON),
    ],
    one_of: &[],
    needs: &[("combine", "all"), ("epsilon", "all")],
    example: "{ seek = { target = [100, 50] } }",
};

pub(crate) static SIGHT: Table = Table {
    name: "sight",
    doc: "Whom the members of a group look out for: what `sees`, `remembers` and the target \"last_seen\" go by.",
    keys: &[
        must("of", Takes::Target, "\"intruder\"", "Whom or what; of a group each sees its nearest member that no obstacle hides."),
        may("within", Takes::Number(range::SIGHT), "inf", "150", "How far a member sees."),
        may("field_of_view", Takes::Number(range::FIELD_OF_VIEW), "360", "120", "How wide it sees, around its heading."),
        may("memory", Takes::Number(range::MEMORY), "inf", "200", "For how long it remembers the place after it has lost sight."),
    ],
    one_of: &[],
    needs: &[],
    example: "{ of = [300, 200], within = 150, memory = 200 }",
};

pub(crate) static STAT: Table = Table {
    name: "stat",
    doc: "A number that states change and conditions ask for.",
    keys: &[
        must("start", Takes::Number(ANY), "100", "What it is at the start, from `min` to `max`."),
        may("min", Takes::End, "-inf", "0", "The least it becomes."),
        may("max", Takes::End, "inf", "100", "The most it becomes."),
    ],
    one_of: &[],
    needs: &[],
    example: "{ start = 100, min = 0, max = 100 }",
};

pub(crate) static STATE: Table = Table {
    name: "state",
    doc: "Something that the members of a group do by turns.",
    keys: &[
        must("name", Takes::Name, "\"hunt\"", "What the state is called; no other state of the group is."),
        may("rate", Takes::Rates, "", "{ stamina = -2 }", "What is added to stats per unit of time."),
        may("steer", Takes::Steer, "[]", "[{ pursue = { quarry = \"prey\" } }]", "What it does in this state, after the group's own list."),
        may("leave", Takes::List(&LEAVE), "", LEAVE.example, "When it changes to another state, or leaves; the first that holds is taken."),
    ],
    one_of: &[],
    needs: &[],
    example: "{ name = \"hunt\", steer = [{ pursue = { quarry = \"prey\" } }] }",
};

pub(crate) static LEAVE: Table = Table {
    name: "leave",
    doc: "A change to another state, or a way out of the crowd.",
    keys: &[
        may("to", Takes::Name, "", "\"rest\"", "The state to change to."),
        may("then", Takes::Then, "", "\"remove\"", "In place of `to`: it goes, `\"remove\"`, or begins anew at a random place, `{ respawn = … }`."),
        must("when", Takes::Condition, "{ time_in_state = 50 }", "The condition under which it does."),
    ],
    one_of: &[&["to"], &["then"]],
    needs: &[],
    example: "{ to = \"rest\", when = { time_in_state = 50 } }",
};

pub(crate) static CONDITION: Table = Table {
    name: "when",
    doc: "A condition: one of these.",
    keys: &[
        may("stat", Takes::Name, "", "\"stamina\"", "A stat of the group is `at_most` or `at_least` so much."),
        may("at_most", Takes::Number(range::STAT), "", "0", "The most that the `stat` may be."),
        may("at_least", Takes::Number(range::STAT), "", "20", "The least that the `stat` may be."),
        may("near", Takes::Target, "", "\"prey\"", "The target is near: no farther than `within`."),
        may("within", Takes::Number(range::DISTANCE), "", "180", "How far away `near` is."),
        may("far_from", Takes::Target, "", "\"prey\"", "Nobody of the target is nearer than `beyond`."),
        may("beyond", Takes::Number(range::DISTANCE), "", "250", "How far away `far_from` is."),
        may("time_in_state", Takes::Number(TIME), "", "50", "It has been in its state for so long."),
        may("path_done", Takes::Flag, "", "true", "A path that ends in `\"seek\"` or `\"arrive\"` has been walked to its end."),
        may("sees", Takes::Flag, "", "true", "It sees now whom the group's `sight` is of, or does not."),
        may("remembers", Takes::Flag, "", "true", "It sees whom the group's `sight` is of, or remembers where; or neither."),
        may("stuck_within", Takes::Number(range::DISTANCE), "", "20", "It has got no farther than this from one place, `for` so long."),
        may("for", Takes::Number(TIME), "", "60", "How long `stuck_within` takes, counted in this state."),
        may("all", Takes::Conditions, "", "[{ time_in_state = 5 }, { near = \"prey\", within = 180 }]", "All of these hold."),
        may("any", Takes::Conditions, "", "[{ time_in_state = 5 }, { near = \"prey\", within = 180 }]", "One of these holds."),
        may("not", Takes::Condition, "", "{ time_in_state = 5 }", "This does not hold."),
    ],
    one_of: &[
        &["stat"],
        &["near"],
        &["far_from"],
        &["time_in_state"],
        &["path_done"],
        &["sees"],
        &["remembers"],
        &["stuck_within"],
        &["all"],
        &["any"],
        &["not"],
    ],
    needs: &[
        ("at_most", "stat"),
        ("at_least", "stat"),
        ("near", "within"),
        ("within", "near"),
        ("far_from", "beyond"),
        ("beyond", "far_from"),
        ("stuck_within", "for"),
        ("for", "stuck_within"),
    ],
    example: "{ time_in_state = 50 } or { near = \"prey\", within = 180 }",
};

/// All tables.
pub(crate) static TABLES: &[&Table] = &[
    &SCENE, &BOUNDS, &POINTER, &OBSTACLE, &CIRCLE, &BOX, &SEGMENT, &AREA, &PATH, &FIELD, &EXTENT, &LINE, &EXIT, &RESPAWN, &SOURCE, &FIRE, &GROUP, &SPAWN,
    &GRID, &RING, &PLACE, &SIGHT, &STAT, &STATE, &LEAVE, &CONDITION,
];
