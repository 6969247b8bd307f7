//! The tables of groups: where their members are, what they steer by, and the states that change
//! it.

use wayfare::combine::Combine;
use wayfare::crowd::{MAX_AGENTS, MAX_THINK_EVERY, range};

use super::{ANY, BOX, CIRCLE, DEGREES, SPACING, TIME, Table, ValueKind, optional, required};

pub(crate) static GRID: Table = Table {
    name: "grid",
    doc: "Places in rows.",
    keys: &[
        required("origin", ValueKind::Point, "[20, 60]", "The first place."),
        required("spacing", ValueKind::Number(SPACING), "30", "From place to place."),
        required(
            "columns",
            ValueKind::Integer(1, MAX_AGENTS as u64),
            "4",
            "Places in a row, along x.",
        ),
        optional(
            "rows",
            ValueKind::Integer(1, MAX_AGENTS as u64),
            "",
            "4",
            "Rows in a layer, along y: in space, where it must be given.",
        ),
    ],
    one_of: &[],
    needs: &[],
    example: "{ origin = [20, 60], spacing = 30, columns = 4 }",
};

pub(crate) static RING: Table = Table {
    name: "ring",
    doc: "Places evenly on a circle; in space at the height of its center.",
    keys: &[
        required("center", ValueKind::Point, "[320, 240]", "Its center."),
        required("radius", ValueKind::Number(range::RADIUS), "200", "Its radius."),
        optional(
            "turn",
            ValueKind::Number(DEGREES),
            "0",
            "180",
            "How far the places are turned about the center.",
        ),
    ],
    one_of: &[],
    needs: &[],
    example: "{ center = [320, 240], radius = 200 }",
};

pub(crate) static SPAWN: Table = Table {
    name: "spawn",
    doc: "A place for each member of a group: one of these.",
    keys: &[
        optional(
            "points",
            ValueKind::Points(0),
            "",
            "[[20, 40], [40, 20]]",
            "A point for each; `count` is their number.",
        ),
        optional(
            "box",
            ValueKind::Table(&BOX),
            "",
            "{ min = [20, 20], max = [300, 460] }",
            "At random in a box.",
        ),
        optional(
            "circle",
            ValueKind::Table(&CIRCLE),
            "",
            CIRCLE.example,
            "At random in a circle; in space in a ball.",
        ),
        optional("grid", ValueKind::Table(&GRID), "", GRID.example, "In rows."),
        optional("ring", ValueKind::Table(&RING), "", RING.example, "Evenly on a circle."),
    ],
    one_of: &[&["points"], &["box"], &["circle"], &["grid"], &["ring"]],
    needs: &[],
    example: "{ box = { min = [20, 20], max = [300, 460] } } or { points = [[20, 40], [40, 20]] }",
};

pub(crate) static GROUP: Table = Table {
    name: "group",
    doc: "Agents that have the same behaviors.",
    keys: &[
        required(
            "name",
            ValueKind::Name,
            "\"guest\"",
            "What the group is called; no other group is, and none is called \"pointer\", \
             \"goal\" or \"last_seen\".",
        ),
        optional(
            "count",
            ValueKind::Integer(0, MAX_AGENTS as u64),
            "",
            "40",
            "How many members it has; to be given unless `spawn` gives points.",
        ),
        required(
            "spawn",
            ValueKind::Table(&SPAWN),
            "{ points = [[20, 40], [40, 20]] }",
            "Where its members begin.",
        ),
        optional(
            "goal",
            ValueKind::Table(&SPAWN),
            "",
            "{ ring = { center = [320, 240], radius = 200, turn = 180 } }",
            "A place for each member that it is bound for: the target \"goal\".",
        ),
        optional(
            "velocity",
            ValueKind::Velocity,
            "[0, 0]",
            "[1, 0]",
            "Its velocity at the start (length / time), or `\"random\"`.",
        ),
        optional(
            "mass",
            ValueKind::Distribution(range::MASS),
            "1",
            "20",
            "How slowly it changes its velocity: a reaction time.",
        ),
        required("max_speed", ValueKind::Distribution(range::MAX_SPEED), "3", "Its top speed."),
        optional(
            "max_force",
            ValueKind::Distribution(range::MAX_FORCE),
            "inf",
            "5.4",
            "The longest force it can take; unlimited unless given.",
        ),
        optional(
            "radius",
            ValueKind::Distribution(range::RADIUS),
            "0",
            "5",
            "The radius of its body.",
        ),
        optional(
            "drag",
            ValueKind::Number(range::DRAG),
            "0",
            "0.1",
            "The part of its velocity that is lost per unit of time.",
        ),
        optional(
            "turn_rate",
            ValueKind::Number(range::TURN_RATE),
            "inf",
            "180",
            "How fast its members turn where they look, apart from their velocity (degrees / \
             time); they look where they go unless a behavior such as `face` says otherwise.",
        ),
        optional(
            "turning_radius",
            ValueKind::Number(range::TURNING_RADIUS),
            "",
            "12",
            "They roll on wheels: along their heading alone, and on no smaller circle than of \
             this radius.",
        ),
        optional(
            "think_every",
            ValueKind::Integer(1, MAX_THINK_EVERY as u64),
            "1",
            "4",
            "Steer anew at every so many ticks, in turn, and keep the force in between.",
        ),
        optional(
            "sight",
            ValueKind::Table(&SIGHT),
            "",
            SIGHT.example,
            "Whom its members look out for, and how long they remember where they saw somebody.",
        ),
        optional("combine", ValueKind::Word(Combine::WORDS), "\"sum\"", "\"priority\"", COMBINE),
        optional("epsilon", ValueKind::Number(range::EPSILON), "1e-6", "0.01", EPSILON),
        optional(
            "steer",
            ValueKind::Behaviors,
            "[]",
            "[{ seek = { target = [100, 50] } }]",
            "What it does: a list of behaviors; a `[[group.steer]]` each.",
        ),
        optional(
            "stat",
            ValueKind::NamedTables(&STAT),
            "",
            "{ stamina = { start = 100 } }",
            "Numbers that states change and conditions ask for; a `[group.stat.NAME]` each.",
        ),
        optional(
            "state",
            ValueKind::Tables(&STATE),
            "",
            STATE.example,
            "What it does by turns; a `[[group.state]]` each.",
        ),
        optional(
            "start",
            ValueKind::Name,
            "",
            "\"hunt\"",
            "The state at the start; the first unless given.",
        ),
    ],
    one_of: &[],
    needs: &[("start", "state")],
    example: "{ name = \"guest\", spawn = { points = [[0, 0]] }, max_speed = 3 }",
};

const COMBINE: &str = "How the forces of the list become one: `\"sum\"`, `\"priority\"` (the \
                       first that is not zero), `\"budget\"` (in order, as much as is left of \
                       max_force), `\"dither\"` (in order, each by its `chance`) or `\"context\"` \
                       (the best of the directions without `danger`).";
const EPSILON: &str =
    "The force up to which `\"priority\"` and `\"dither\"` take a force for none.";

/// The keys of a place in a list beside its behavior.
pub(crate) static STEER_ENTRY: Table = Table {
    name: "steer",
    doc: "A place in a list: one behavior, or a list inside the list.",
    keys: &[
        optional(
            "all",
            ValueKind::Behaviors,
            "",
            "[{ seek = { target = [100, 50] } }]",
            "A list inside the list, combined by its own rule.",
        ),
        optional(
            "weight",
            ValueKind::Number(range::WEIGHT),
            "1",
            "1.5",
            "What the force is multiplied by.",
        ),
        optional(
            "chance",
            ValueKind::Number(range::CHANCE),
            "1",
            "0.5",
            "How likely `\"dither\"` draws it.",
        ),
        optional(
            "danger",
            ValueKind::Flag,
            "false",
            "true",
            "Whether `\"context\"` asks it for danger: where it would push back, nobody goes.",
        ),
        optional(
            "off",
            ValueKind::Flag,
            "false",
            "true",
            "Whether it is switched off: it is read and checked, and steers nobody.",
        ),
        optional("combine", ValueKind::Word(Combine::WORDS), "\"sum\"", "\"priority\"", COMBINE),
        optional("epsilon", ValueKind::Number(range::EPSILON), "1e-6", "0.01", EPSILON),
    ],
    one_of: &[],
    needs: &[("combine", "all"), ("epsilon", "all")],
    example: "{ seek = { target = [100, 50] } }",
};

pub(crate) static SIGHT: Table = Table {
    name: "sight",
    doc: "Whom the members of a group look out for: what `sees`, `remembers` and the target \
          \"last_seen\" go by.",
    keys: &[
        required(
            "of",
            ValueKind::Target,
            "\"intruder\"",
            "Whom or what; of a group each sees its nearest member that no obstacle hides.",
        ),
        optional("within", ValueKind::Number(range::SIGHT), "inf", "150", "How far a member sees."),
        optional(
            "field_of_view",
            ValueKind::Number(range::FIELD_OF_VIEW),
            "360",
            "120",
            "How wide it sees, around its heading.",
        ),
        optional(
            "memory",
            ValueKind::Number(range::MEMORY),
            "inf",
            "200",
            "For how long it remembers the place after it has lost sight.",
        ),
    ],
    one_of: &[],
    needs: &[],
    example: "{ of = [300, 200], within = 150, memory = 200 }",
};

pub(crate) static STAT: Table = Table {
    name: "stat",
    doc: "A number that states change and conditions ask for.",
    keys: &[
        required(
            "start",
            ValueKind::Number(ANY),
            "100",
            "What it is at the start, from `min` to `max`.",
        ),
        optional("min", ValueKind::StatLimit, "-inf", "0", "The least it becomes."),
        optional("max", ValueKind::StatLimit, "inf", "100", "The most it becomes."),
    ],
    one_of: &[],
    needs: &[],
    example: "{ start = 100, min = 0, max = 100 }",
};

pub(crate) static STATE: Table = Table {
    name: "state",
    doc: "Something that the members of a group do by turns.",
    keys: &[
        required(
            "name",
            ValueKind::Name,
            "\"hunt\"",
            "What the state is called; no other state of the group is.",
        ),
        optional(
            "rate",
            ValueKind::Rates,
            "",
            "{ stamina = -2 }",
            "What is added to stats per unit of time.",
        ),
        optional(
            "steer",
            ValueKind::Behaviors,
            "[]",
            "[{ pursue = { quarry = \"prey\" } }]",
            "What it does in this state, after the group's own list.",
        ),
        optional(
            "leave",
            ValueKind::Tables(&LEAVE),
            "",
            LEAVE.example,
            "When it changes to another state, or leaves; the first that holds is taken.",
        ),
    ],
    one_of: &[],
    needs: &[],
    example: "{ name = \"hunt\", steer = [{ pursue = { quarry = \"prey\" } }] }",
};

pub(crate) static LEAVE: Table = Table {
    name: "leave",
    doc: "A change to another state, or a way out of the crowd.",
    keys: &[
        optional("to", ValueKind::Name, "", "\"rest\"", "The state to change to."),
        optional(
            "then",
            ValueKind::ExitAction,
            "",
            "\"remove\"",
            "In place of `to`: it goes, `\"remove\"`, or begins anew at a random place, `{ \
             respawn = … }`.",
        ),
        required(
            "when",
            ValueKind::Condition,
            "{ time_in_state = 50 }",
            "The condition under which it does.",
        ),
    ],
    one_of: &[&["to"], &["then"]],
    needs: &[],
    example: "{ to = \"rest\", when = { time_in_state = 50 } }",
};

pub(crate) static CONDITION: Table = Table {
    name: "when",
    doc: "A condition: one of these.",
    keys: &[
        optional(
            "stat",
            ValueKind::Name,
            "",
            "\"stamina\"",
            "A stat of the group is `at_most` or `at_least` so much.",
        ),
        optional(
            "at_most",
            ValueKind::Number(range::STAT),
            "",
            "0",
            "The most that the `stat` may be.",
        ),
        optional(
            "at_least",
            ValueKind::Number(range::STAT),
            "",
            "20",
            "The least that the `stat` may be.",
        ),
        optional(
            "near",
            ValueKind::Target,
            "",
            "\"prey\"",
            "The target is near: no farther than `within`.",
        ),
        optional(
            "within",
            ValueKind::Number(range::DISTANCE),
            "",
            "180",
            "How far away `near` is.",
        ),
        optional(
            "far_from",
            ValueKind::Target,
            "",
            "\"prey\"",
            "Nobody of the target is nearer than `beyond`.",
        ),
        optional(
            "beyond",
            ValueKind::Number(range::DISTANCE),
            "",
            "250",
            "How far away `far_from` is.",
        ),
        optional(
            "time_in_state",
            ValueKind::Number(TIME),
            "",
            "50",
            "It has been in its state for so long.",
        ),
        optional(
            "path_done",
            ValueKind::Flag,
            "",
            "true",
            "A path that ends in `\"seek\"` or `\"arrive\"` has been walked to its end.",
        ),
        optional(
            "sees",
            ValueKind::Flag,
            "",
            "true",
            "It sees now whom the group's `sight` is of, or does not.",
        ),
        optional(
            "remembers",
            ValueKind::Flag,
            "",
            "true",
            "It sees whom the group's `sight` is of, or remembers where; or neither.",
        ),
        optional(
            "stuck_within",
            ValueKind::Number(range::DISTANCE),
            "",
            "20",
            "It has got no farther than this from one place, `for` so long.",
        ),
        optional(
            "for",
            ValueKind::Number(TIME),
            "",
            "60",
            "How long `stuck_within` takes, counted in this state.",
        ),
        optional(
            "all",
            ValueKind::Conditions,
            "",
            "[{ time_in_state = 5 }, { near = \"prey\", within = 180 }]",
            "All of these hold.",
        ),
        optional(
            "any",
            ValueKind::Conditions,
            "",
            "[{ time_in_state = 5 }, { near = \"prey\", within = 180 }]",
            "One of these holds.",
        ),
        optional("not", ValueKind::Condition, "", "{ time_in_state = 5 }", "This does not hold."),
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
