//! The tables of a sweep file.

use super::{Key, Table, ValueKind, optional, required};

/// The most runs of a sweep, and the most seeds.
pub(crate) const MOST_RUNS: u64 = 1_000_000;

static KEYS: &[Key] = &[
    required(
        "scene",
        ValueKind::Text,
        "\"doorway-150\"",
        "The scene to run: a file, relative to the sweep file, or the name of a bundled scene.",
    ),
    optional(
        "over",
        ValueKind::Table(&OVER),
        "",
        "{ \"group.people.count\" = [50, 100] }",
        "The values to vary, by their paths in the scene. Each path has a list of values, or equal \
         steps as `{ from = 1, to = 2, count = 5 }`. All combinations are run. With a list of \
         tables, the values of one table change together.",
    ),
    optional(
        "seeds",
        ValueKind::Integer(1, MOST_RUNS),
        "",
        "20",
        "The seeds of each combination: a number n for the seeds 0 to n - 1, or a list of seeds. \
         Without it, each combination runs once with the seed of the scene.",
    ),
    optional(
        "ticks",
        ValueKind::Integer(0, u64::MAX),
        "",
        "600",
        "The number of ticks of each run; by default the scene's duration.",
    ),
    optional(
        "time",
        ValueKind::Number(wayfare::crowd::range::TIME),
        "",
        "60",
        "The time of each run, in place of `ticks`.",
    ),
    optional(
        "measures",
        ValueKind::Text,
        "",
        "[\"door\"]",
        "The measures whose values over the run are in the table, by their names in the scene, or \
         single quantities as \"door.flow\". By default all.",
    ),
];

pub(crate) static SWEEP: Table = Table {
    name: "sweep",
    doc: "A sweep: one scene, run with many values and seeds.",
    keys: KEYS,
    one_of: &[],
    needs: &[],
    example: "{ scene = \"doorway-150\", seeds = 20 }",
};

pub(crate) static OVER: Table = Table {
    name: "over",
    doc: "The values of paths in the scene.",
    keys: &[],
    one_of: &[],
    needs: &[],
    example: "{ \"group.people.count\" = [50, 100] }",
};

/// Equal steps.
pub(crate) static STEPS: Table = Table {
    name: "steps",
    doc: "Values at equal steps.",
    keys: &[
        required("from", ValueKind::Number(wayfare::crowd::range::STAT), "1", "The first value."),
        required("to", ValueKind::Number(wayfare::crowd::range::STAT), "2", "The last value."),
        required(
            "count",
            ValueKind::Integer(2, MOST_RUNS),
            "5",
            "The number of values, the first and the last included.",
        ),
    ],
    one_of: &[],
    needs: &[],
    example: "{ from = 1, to = 2, count = 5 }",
};
