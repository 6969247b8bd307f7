//! The scene's own tables, described once: keys, what they take, defaults, and an example of each.
//!
//! Decoding, the texts of errors and the schema read these descriptions; a test holds
//! docs/scenes.md against them. What behaviors take is described in the library, by the behaviors
//! themselves.

use std::borrow::Cow;

use wayfare::crowd::{MAX_AGENTS, Rhythm, range};
use wayfare::geometry::flow_field::{CELL, CLEARANCE, MOST_CELLS};
use wayfare::geometry::path::Curve;
use wayfare::parameter::{Range, Unit};
use wayfare::spatial::space::Edge;

mod group;

pub(crate) use group::*;

/// What a key takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ValueKind {
    /// Any text.
    Text,
    /// A text by which something is called.
    Name,
    /// A whole number in a range.
    Integer(u64, u64),
    /// 2 or 3.
    Dimension,
    Number(Range),
    /// A number, `-inf` or `inf`: an end of a stat's range.
    StatLimit,
    /// A number, or a range that each agent draws its own from.
    Distribution(Range),
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
    ExitAction,
    /// Times, and how many come at each.
    Schedule,
    /// A list of behaviors.
    Behaviors,
    Condition,
    Conditions,
    Table(&'static Table),
    /// A list of such tables.
    Tables(&'static Table),
    /// Such tables, each under a name.
    NamedTables(&'static Table),
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) required: bool,
    pub(crate) kind: ValueKind,
    /// What stands there unless given, as TOML has it; nothing where that is nothing.
    pub(crate) default: &'static str,
    /// What it does, in Markdown.
    pub(crate) doc: &'static str,
    /// A value, as TOML has it.
    pub(crate) example: &'static str,
}

impl Key {
    /// The example as it stands behind the key: a list of tables in its brackets.
    pub(crate) fn example_value(&self) -> Cow<'static, str> {
        match self.kind {
            ValueKind::Tables(_) => Cow::Owned(format!("[{}]", self.example)),
            _ => Cow::Borrowed(self.example),
        }
    }
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

const fn required(
    name: &'static str,
    kind: ValueKind,
    example: &'static str,
    doc: &'static str,
) -> Key {
    Key { name, required: true, kind, default: "", doc, example }
}

const fn optional(
    name: &'static str,
    kind: ValueKind,
    default: &'static str,
    example: &'static str,
    doc: &'static str,
) -> Key {
    Key { name, required: false, kind, default, doc, example }
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
        optional(
            "$schema",
            ValueKind::Text,
            "",
            "\"wayfare.schema.json\"",
            "Where the schema for editors is; it changes nothing.",
        ),
        optional(
            "title",
            ValueKind::Text,
            "",
            "\"A guest comes\"",
            "What the scene is called; the file's name unless given.",
        ),
        optional(
            "dimension",
            ValueKind::Dimension,
            "2",
            "2",
            "2 for the plane, 3 for space, where every point has three coordinates.",
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
            "Everything random follows from it.",
        ),
        optional(
            "duration",
            ValueKind::Number(range::DT),
            "600",
            "300",
            "Simulated time that `wayfare run` covers unless told otherwise.",
        ),
        optional(
            "bounds",
            ValueKind::Table(&BOUNDS),
            "",
            BOUNDS.example,
            "The edges of the world.",
        ),
        optional(
            "pointer",
            ValueKind::Table(&POINTER),
            "",
            POINTER.example,
            "What moves as a mouse would: the target \"pointer\".",
        ),
        optional(
            "obstacle",
            ValueKind::Tables(&OBSTACLE),
            "",
            OBSTACLE.example,
            "What `avoid_obstacles` keeps away from; a `[[obstacle]]` each.",
        ),
        optional(
            "path",
            ValueKind::NamedTables(&PATH),
            "",
            "{ beat = { points = [[100, 100], [300, 60]], radius = 30 } }",
            "What `follow_path` follows; a `[path.NAME]` each.",
        ),
        optional(
            "field",
            ValueKind::NamedTables(&FIELD),
            "",
            "{ way_out = { goal = [{ box = { min = [0, 0], max = [10, 10] } }], cell = 4 } }",
            "What `follow_flow` follows: directions, given or made from the ways to a goal; a \
             `[field.NAME]` each.",
        ),
        optional(
            "line",
            ValueKind::NamedTables(&LINE),
            "",
            "{ door = { from = [300, 40], to = [340, 40] } }",
            "Whose crossings are counted, by each direction; a `[line.NAME]` each.",
        ),
        optional(
            "exit",
            ValueKind::Tables(&EXIT),
            "",
            EXIT.example,
            "Where agents leave; an `[[exit]]` each. The first in which somebody stands takes \
             them.",
        ),
        optional(
            "source",
            ValueKind::Tables(&SOURCE),
            "",
            SOURCE.example,
            "Where agents enter; a `[[source]]` each.",
        ),
        optional(
            "fire",
            ValueKind::Table(&FIRE),
            "",
            FIRE.example,
            "What a click does where somebody watches: some turn to it and fire. Needs `bounds`.",
        ),
        required(
            "group",
            ValueKind::Tables(&GROUP),
            GROUP.example,
            "Who moves: agents that have the same behaviors; a `[[group]]` each.",
        ),
    ],
    one_of: &[],
    needs: &[("fire", "bounds")],
    example: "{ group = [{ name = \"guest\", spawn = { points = [[0, 0]] }, max_speed = 3 }] }",
};

pub(crate) static BOUNDS: Table = Table {
    name: "bounds",
    doc: "The edges of the world.",
    keys: &[
        required("min", ValueKind::Point, "[0, 0]", "The corner with the smallest coordinates."),
        required(
            "max",
            ValueKind::Point,
            "[640, 480]",
            "The corner with the largest coordinates, above `min` on every axis.",
        ),
        optional(
            "edge",
            ValueKind::Word(Edge::WORDS),
            "\"open\"",
            "\"wrap\"",
            "`\"open\"`: the bounds only say what a picture shows. `\"wrap\"`: who leaves on one \
             side enters on the other. `\"wall\"`: positions are held.",
        ),
    ],
    one_of: &[],
    needs: &[],
    example: "{ min = [0, 0], max = [640, 480] }",
};

pub(crate) static POINTER: Table = Table {
    name: "pointer",
    doc: "What moves as a mouse would: the target \"pointer\".",
    keys: &[required(
        "track",
        ValueKind::Track,
        "[[0, 100, 100], [120, 400, 300]]",
        "Points `[time, x, y]` with growing times: linear between, held before the first and \
         after the last.",
    )],
    one_of: &[],
    needs: &[],
    example: "{ track = [[0, 100, 100], [120, 400, 300]] }",
};

pub(crate) static CIRCLE: Table = Table {
    name: "circle",
    doc: "A circle; in space a ball.",
    keys: &[
        required("center", ValueKind::Point, "[200, 150]", "Its center."),
        required("radius", ValueKind::Number(range::RADIUS), "40", "Its radius."),
    ],
    one_of: &[],
    needs: &[],
    example: "{ center = [200, 150], radius = 40 }",
};

pub(crate) static BOX: Table = Table {
    name: "box",
    doc: "A box by two corners, or by its center and size.",
    keys: &[
        optional(
            "min",
            ValueKind::Point,
            "",
            "[0, 0]",
            "The corner with the smallest coordinates; with `max`.",
        ),
        optional(
            "max",
            ValueKind::Point,
            "",
            "[10, 10]",
            "The corner with the largest coordinates; with `min`.",
        ),
        optional("center", ValueKind::Point, "", "[5, 5]", "Its center; with `size`."),
        optional(
            "size",
            ValueKind::Size,
            "",
            "[10, 10]",
            "Its lengths along the axes; with `center`.",
        ),
        optional(
            "angle",
            ValueKind::Number(DEGREES),
            "0",
            "25",
            "How far it is turned about its center, counter-clockwise where y points up; with \
             `center`.",
        ),
    ],
    one_of: &[&["min", "max"], &["center", "size"]],
    needs: &[
        ("min", "max"),
        ("max", "min"),
        ("center", "size"),
        ("size", "center"),
        ("angle", "center"),
    ],
    example: "{ min = [0, 0], max = [10, 10] } or { center = [5, 5], size = [10, 10] }",
};

pub(crate) static SEGMENT: Table = Table {
    name: "segment",
    doc: "A wall from point to point, with round ends.",
    keys: &[
        required("from", ValueKind::Point, "[180, 330]", "One end."),
        required("to", ValueKind::Point, "[230, 410]", "The other end."),
        optional("thickness", ValueKind::Number(range::RADIUS), "0", "10", "Its full width."),
    ],
    one_of: &[],
    needs: &[],
    example: "{ from = [180, 330], to = [230, 410], thickness = 10 }",
};

const AS_CIRCLE: Key =
    optional("circle", ValueKind::Table(&CIRCLE), "", CIRCLE.example, "A circle; in space a ball.");
const AS_BOX: Key = optional(
    "box",
    ValueKind::Table(&BOX),
    "",
    "{ min = [0, 0], max = [10, 10] }",
    "A box; in space it turns about z.",
);
const AS_SEGMENT: Key =
    optional("segment", ValueKind::Table(&SEGMENT), "", SEGMENT.example, "A wall with round ends.");
const AS_POLYGON: Key = optional(
    "polygon",
    ValueKind::Corners,
    "",
    "[[470, 290], [540, 270], [530, 340]]",
    "Its corners in the order of its outline, which must not cross itself; in space a prism along \
     z.",
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
        required(
            "points",
            ValueKind::Points(1),
            "[[100, 100], [300, 60]]",
            "Its points; of a curve, its corners and handles.",
        ),
        required("radius", ValueKind::Number(range::RADIUS), "30", "Half its width."),
        optional(
            "closed",
            ValueKind::Flag,
            "false",
            "true",
            "Whether it goes on from the last point to the first.",
        ),
        optional(
            "curve",
            ValueKind::Word(Curve::WORDS),
            "",
            "\"catmull_rom\"",
            "`\"catmull_rom\"` goes through all points, `\"bezier\"` takes a corner, two handles, \
             a corner, …; straight lines unless given.",
        ),
        optional(
            "tolerance",
            ValueKind::Number(TOLERANCE),
            "",
            "0.5",
            "How far the flattened curve may be from the curve; a thousandth of its extent unless \
             given.",
        ),
    ],
    one_of: &[],
    needs: &[("tolerance", "curve")],
    example: "{ points = [[100, 100], [300, 60]], radius = 30 }",
};

pub(crate) static FIELD: Table = Table {
    name: "field",
    doc: "Directions that `follow_flow` follows, in cells: the shortest ways to a goal, or \
          vectors.",
    keys: &[
        optional(
            "goal",
            ValueKind::Tables(&OBSTACLE),
            "",
            OBSTACLE.example,
            "Where the ways lead: the nearest of these shapes, by the shortest way round the \
             obstacles.",
        ),
        optional(
            "vectors",
            ValueKind::Points(1),
            "",
            "[[1, 0], [0.5, 0.5], [0, 1], [0.5, 0.5]]",
            "A vector for each cell, row by row: parts of the top speed. One that is longer than \
             1 counts as 1 long.",
        ),
        required("cell", ValueKind::Number(CELL), "4", "The width of a cell."),
        optional(
            "clearance",
            ValueKind::Number(CLEARANCE),
            "0",
            "6",
            "How far the ways keep from obstacles.",
        ),
        optional(
            "area",
            ValueKind::Table(&EXTENT),
            "",
            EXTENT.example,
            "Where ways are looked for; the bounds unless given.",
        ),
        optional(
            "origin",
            ValueKind::Point,
            "",
            "[0, 0]",
            "The corner of the first cell with the smallest coordinates; that of the bounds, or \
             zero, unless given.",
        ),
        optional(
            "columns",
            ValueKind::Integer(1, MOST_CELLS as u64),
            "",
            "2",
            "How many cells are in a row, along x.",
        ),
        optional(
            "rows",
            ValueKind::Integer(1, MOST_CELLS as u64),
            "",
            "2",
            "How many rows are in a layer, along y; all of them unless given.",
        ),
    ],
    one_of: &[&["goal"], &["vectors"]],
    needs: &[
        ("clearance", "goal"),
        ("area", "goal"),
        ("origin", "vectors"),
        ("columns", "vectors"),
        ("rows", "vectors"),
        ("vectors", "columns"),
    ],
    example: "{ goal = [{ circle = { center = [600, 40], radius = 20 } }], cell = 4 }",
};

/// A box by its corners only.
pub(crate) static EXTENT: Table = Table {
    name: "extent",
    doc: "A box that is not turned.",
    keys: &[
        required("min", ValueKind::Point, "[0, 0]", "The corner with the smallest coordinates."),
        required(
            "max",
            ValueKind::Point,
            "[640, 480]",
            "The corner with the largest coordinates, above `min` on every axis.",
        ),
    ],
    one_of: &[],
    needs: &[],
    example: "{ min = [0, 0], max = [640, 480] }",
};

pub(crate) static LINE: Table = Table {
    name: "line",
    doc: "A line whose crossings are counted, by each direction.",
    keys: &[
        required("from", ValueKind::Point, "[300, 40]", "One end."),
        required("to", ValueKind::Point, "[340, 40]", "The other end."),
    ],
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
        optional(
            "groups",
            ValueKind::Groups,
            "",
            "[\"guest\"]",
            "Whose members leave by it; all unless given.",
        ),
        optional(
            "then",
            ValueKind::ExitAction,
            "\"remove\"",
            "\"remove\"",
            "`\"remove\"`, or `{ respawn = … }`: it begins anew at a random place.",
        ),
    ],
    one_of: OBSTACLE.one_of,
    needs: &[],
    example: "{ box = { min = [0, 470], max = [640, 480] } }",
};

pub(crate) static RESPAWN: Table = Table {
    name: "then",
    doc: "Who stands in the exit begins anew.",
    keys: &[required(
        "respawn",
        ValueKind::Table(&AREA),
        AREA.example,
        "Where it begins anew, at a random place.",
    )],
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
        required(
            "group",
            ValueKind::Name,
            "\"guest\"",
            "The group whose members enter; it may have none at the start.",
        ),
        optional(
            "rate",
            ValueKind::Number(range::RATE),
            "",
            "0.5",
            "How many enter per unit of time, at most 10,000 in a tick.",
        ),
        optional("from", ValueKind::Number(range::FROM), "0", "10", "When the `rate` begins."),
        optional("until", ValueKind::Number(range::UNTIL), "inf", "200", "When the `rate` ends."),
        optional(
            "arrivals",
            ValueKind::Word(Rhythm::WORDS),
            "\"regular\"",
            "\"random\"",
            "`\"regular\"`: evenly, one after each 1 / `rate`. `\"random\"`: each on its own, as \
             the Poisson distribution has it.",
        ),
        optional(
            "schedule",
            ValueKind::Schedule,
            "",
            "[[10, 5], [60, 20]]",
            "In place of a `rate`: times above 0 that grow, and how many enter at each.",
        ),
        optional(
            "most",
            ValueKind::Integer(0, MAX_AGENTS as u64),
            "10000",
            "40",
            "How many members of the group there may be at once: who would come then is turned \
             away.",
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
    doc: "What a click does where somebody watches: the shooters turn to it and fire; a target \
          that is hit goes, and another enters.",
    keys: &[
        required(
            "shooters",
            ValueKind::Name,
            "\"soldiers\"",
            "The group whose members turn to the click and fire.",
        ),
        required(
            "bullets",
            ValueKind::Name,
            "\"bullets\"",
            "The group that what they fire belongs to: usually one without members at the start, \
             and without behaviors.",
        ),
        required(
            "targets",
            ValueKind::Name,
            "\"monsters\"",
            "The group whose members go when they are hit; for each, another enters at the rim of \
             the bounds.",
        ),
    ],
    one_of: &[],
    needs: &[],
    example: "{ shooters = \"soldiers\", bullets = \"bullets\", targets = \"monsters\" }",
};

/// All tables.
pub(crate) static TABLES: &[&Table] = &[
    &SCENE,
    &BOUNDS,
    &POINTER,
    &OBSTACLE,
    &CIRCLE,
    &BOX,
    &SEGMENT,
    &AREA,
    &PATH,
    &FIELD,
    &EXTENT,
    &LINE,
    &EXIT,
    &RESPAWN,
    &SOURCE,
    &FIRE,
    &GROUP,
    &SPAWN,
    &GRID,
    &RING,
    &STEER_ENTRY,
    &SIGHT,
    &STAT,
    &STATE,
    &LEAVE,
    &CONDITION,
];
