//! The tables of groups: where their members are, what they steer by, and the states that change
//! it.

use wayfare::combine::Combine;
use wayfare::crowd::{MAX_AGENTS, MAX_THINK_EVERY, range};

use super::{ANY, BOX, CIRCLE, DEGREES, SPACING, TIME, Table, Takes, may, must};

pub(crate) static GRID: Table = Table {
    name: "grid",
    doc: "Places in rows.",
    keys: &[
        must("origin", Takes::Point, "[20, 60]", "The first place."),
        must("spacing", Takes::Number(SPACING), "30", "From place to place."),
        must("columns", Takes::Whole(1, MAX_AGENTS as u64), "4", "Places in a row, along x."),
        may(
            "rows",
            Takes::Whole(1, MAX_AGENTS as u64),
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
        must("center", Takes::Point, "[320, 240]", "Its center."),
        must("radius", Takes::Number(range::RADIUS), "200", "Its radius."),
        may(
            "turn",
            Takes::Number(DEGREES),
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
        may(
            "points",
            Takes::Points(0),
            "",
            "[[20, 40], [40, 20]]",
            "A point for each; `count` is their number.",
        ),
        may(
            "box",
            Takes::Table(&BOX),
            "",
            "{ min = [20, 20], max = [300, 460] }",
            "At random in a box.",
        ),
        may(
            "circle",
            Takes::Table(&CIRCLE),
            "",
            CIRCLE.example,
            "At random in a circle; in space in a ball.",
        ),
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
        must(
            "name",
            Takes::Name,
            "\"guest\"",
            "What the group is called; no other group is, and none is called \"pointer\", \
             \"goal\" or \"last_seen\".",
        ),
        may(
            "count",
            Takes::Whole(0, MAX_AGENTS as u64),
            "",
            "40",
            "How many members it has; to be given unless `spawn` gives points.",
        ),
        must(
            "spawn",
            Takes::Table(&SPAWN),
            "{ points = [[20, 40], [40, 20]] }",
            "Where its members begin.",
        ),
        may(
            "goal",
            Takes::Table(&SPAWN),
            "",
            "{ ring = { center = [320, 240], radius = 200, turn = 180 } }",
            "A place for each member that it is bound for: the target \"goal\".",
        ),
        may(
            "velocity",
            Takes::Velocity,
            "[0, 0]",
            "[1, 0]",
            "Its velocity at the start (length / time), or `\"random\"`.",
        ),
        may(
            "mass",
            Takes::Distribution(range::MASS),
            "1",
            "20",
            "How slowly it changes its velocity: a reaction time.",
        ),
        must("max_speed", Takes::Distribution(range::MAX_SPEED), "3", "Its top speed."),
        may(
            "max_force",
            Takes::Distribution(range::MAX_FORCE),
            "inf",
            "5.4",
            "The longest force it can take; unlimited unless given.",
        ),
        may("radius", Takes::Distribution(range::RADIUS), "0", "5", "The radius of its body."),
        may(
            "drag",
            Takes::Number(range::DRAG),
            "0",
            "0.1",
            "The part of its velocity that is lost per unit of time.",
        ),
        may(
            "turn_rate",
            Takes::Number(range::TURN_RATE),
            "inf",
            "180",
            "How fast its members turn where they look, apart from their velocity (degrees / \
             time); they look where they go unless a behavior such as `face` says otherwise.",
        ),
        may(
            "turning_radius",
            Takes::Number(range::TURNING_RADIUS),
            "",
            "12",
            "They roll on wheels: along their heading alone, and on no smaller circle than of \
             this radius.",
        ),
        may(
            "think_every",
            Takes::Whole(1, MAX_THINK_EVERY as u64),
            "1",
            "4",
            "Steer anew at every so many ticks, in turn, and keep the force in between.",
        ),
        may(
            "sight",
            Takes::Table(&SIGHT),
            "",
            SIGHT.example,
            "Whom its members look out for, and how long they remember where they saw somebody.",
        ),
        may("combine", Takes::Word(Combine::WORDS), "\"sum\"", "\"priority\"", COMBINE),
        may("epsilon", Takes::Number(range::EPSILON), "1e-6", "0.01", EPSILON),
        may(
            "steer",
            Takes::Steer,
            "[]",
            "[{ seek = { target = [100, 50] } }]",
            "What it does: a list of behaviors; a `[[group.steer]]` each.",
        ),
        may(
            "stat",
            Takes::Named(&STAT),
            "",
            "{ stamina = { start = 100 } }",
            "Numbers that states change and conditions ask for; a `[group.stat.NAME]` each.",
        ),
        may(
            "state",
            Takes::List(&STATE),
            "",
            STATE.example,
            "What it does by turns; a `[[group.state]]` each.",
        ),
        may(
            "start",
            Takes::Name,
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
pub(crate) static PLACE: Table = Table {
    name: "steer",
    doc: "A place in a list: one behavior, or a list inside the list.",
    keys: &[
        may(
            "all",
            Takes::Steer,
            "",
            "[{ seek = { target = [100, 50] } }]",
            "A list inside the list, combined by its own rule.",
        ),
        may("weight", Takes::Number(range::WEIGHT), "1", "1.5", "What the force is multiplied by."),
        may(
            "chance",
            Takes::Number(range::CHANCE),
            "1",
            "0.5",
            "How likely `\"dither\"` draws it.",
        ),
        may(
            "danger",
            Takes::Flag,
            "false",
            "true",
            "Whether `\"context\"` asks it for danger: where it would push back, nobody goes.",
        ),
        may(
            "off",
            Takes::Flag,
            "false",
            "true",
            "Whether it is switched off: it is read and checked, and steers nobody.",
        ),
        may("combine", Takes::Word(Combine::WORDS), "\"sum\"", "\"priority\"", COMBINE),
        may("epsilon", Takes::Number(range::EPSILON), "1e-6", "0.01", EPSILON),
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
        must(
            "of",
            Takes::Target,
            "\"intruder\"",
            "Whom or what; of a group each sees its nearest member that no obstacle hides.",
        ),
        may("within", Takes::Number(range::SIGHT), "inf", "150", "How far a member sees."),
        may(
            "field_of_view",
            Takes::Number(range::FIELD_OF_VIEW),
            "360",
            "120",
            "How wide it sees, around its heading.",
        ),
        may(
            "memory",
            Takes::Number(range::MEMORY),
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
        must(
            "name",
            Takes::Name,
            "\"hunt\"",
            "What the state is called; no other state of the group is.",
        ),
        may(
            "rate",
            Takes::Rates,
            "",
            "{ stamina = -2 }",
            "What is added to stats per unit of time.",
        ),
        may(
            "steer",
            Takes::Steer,
            "[]",
            "[{ pursue = { quarry = \"prey\" } }]",
            "What it does in this state, after the group's own list.",
        ),
        may(
            "leave",
            Takes::List(&LEAVE),
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
        may("to", Takes::Name, "", "\"rest\"", "The state to change to."),
        may(
            "then",
            Takes::ExitAction,
            "",
            "\"remove\"",
            "In place of `to`: it goes, `\"remove\"`, or begins anew at a random place, `{ \
             respawn = … }`.",
        ),
        must(
            "when",
            Takes::Condition,
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
        may(
            "stat",
            Takes::Name,
            "",
            "\"stamina\"",
            "A stat of the group is `at_most` or `at_least` so much.",
        ),
        may("at_most", Takes::Number(range::STAT), "", "0", "The most that the `stat` may be."),
        may("at_least", Takes::Number(range::STAT), "", "20", "The least that the `stat` may be."),
        may("near", Takes::Target, "", "\"prey\"", "The target is near: no farther than `within`."),
        may("within", Takes::Number(range::DISTANCE), "", "180", "How far away `near` is."),
        may(
            "far_from",
            Takes::Target,
            "",
            "\"prey\"",
            "Nobody of the target is nearer than `beyond`.",
        ),
        may("beyond", Takes::Number(range::DISTANCE), "", "250", "How far away `far_from` is."),
        may(
            "time_in_state",
            Takes::Number(TIME),
            "",
            "50",
            "It has been in its state for so long.",
        ),
        may(
            "path_done",
            Takes::Flag,
            "",
            "true",
            "A path that ends in `\"seek\"` or `\"arrive\"` has been walked to its end.",
        ),
        may(
            "sees",
            Takes::Flag,
            "",
            "true",
            "It sees now whom the group's `sight` is of, or does not.",
        ),
        may(
            "remembers",
            Takes::Flag,
            "",
            "true",
            "It sees whom the group's `sight` is of, or remembers where; or neither.",
        ),
        may(
            "stuck_within",
            Takes::Number(range::DISTANCE),
            "",
            "20",
            "It has got no farther than this from one place, `for` so long.",
        ),
        may(
            "for",
            Takes::Number(TIME),
            "",
            "60",
            "How long `stuck_within` takes, counted in this state.",
        ),
        may(
            "all",
            Takes::Conditions,
            "",
            "[{ time_in_state = 5 }, { near = \"prey\", within = 180 }]",
            "All of these hold.",
        ),
        may(
            "any",
            Takes::Conditions,
            "",
            "[{ time_in_state = 5 }, { near = \"prey\", within = 180 }]",
            "One of these holds.",
        ),
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
