//! Events: commands of the scene itself, each at a time of the run.

use wayfare::crowd::{AgentChange, Command, Notation, TimedCommand, range};
use wayfare::glam::Vec2;
use wayfare::vector::Vector;

use super::described::is_equal;
use super::{Key, OBSTACLE, Table, ValueKind, optional, required};
use crate::decode::{Decoder, TableNode};
use crate::document::Node;
use crate::log::{Place, command};

const COMMANDS: &[Notation] = Command::<Vec2>::LIST;
const CHANGES: &[Notation] = AgentChange::<Vec2>::LIST;
/// More than all keys and all pairs of keys.
const ROOM: usize = 80;

const AT: Key = required(
    "at",
    ValueKind::Number(range::TIME),
    "20",
    "The time. The tick is the first one that starts then or later.",
);
const EVERY: Key = optional(
    "every",
    ValueKind::Number(range::ARRIVAL),
    "",
    "60",
    "The time from one repetition to the next, at least `dt`; once unless given.",
);

/// A key of a command whose argument is of this kind.
const fn key(name: &'static str, kind: &'static str, doc: &'static str) -> Key {
    const KINDS: &[(&str, ValueKind, &str)] = &[
        ("index", ValueKind::Integer(0, u32::MAX as u64), "0"),
        ("text", ValueKind::Text, "\"guest\""),
        ("flag", ValueKind::Flag, "true"),
        ("stat", ValueKind::Number(range::STAT), "1"),
        ("point", ValueKind::Point, "[320, 200]"),
        ("optional_point", ValueKind::Point, "[1, 0]"),
        ("shape", ValueKind::Table(&OBSTACLE), OBSTACLE.example),
        ("pointer", ValueKind::Argument("pointer"), "[320, 200]"),
        ("setting", ValueKind::Argument("setting"), "2"),
        ("order", ValueKind::Argument("order"), "[320, 200]"),
        ("limit", ValueKind::Argument("limit"), "2"),
        ("encoded", ValueKind::Argument("encoded"), ""),
    ];
    let mut i = 0;
    while !is_equal(KINDS[i].0, kind) {
        i += 1;
    }
    optional(name, KINDS[i].1, "", KINDS[i].2, doc)
}

/// What is made of the notation of commands, in the order of the list.
struct Made {
    keys: [Key; ROOM],
    count: usize,
    needs: [(&'static str, &'static str); ROOM],
    needs_count: usize,
}

impl Made {
    const fn add(&mut self, key: Key) {
        let mut i = 0;
        while i < self.count {
            if is_equal(self.keys[i].name, key.name) {
                return;
            }
            i += 1;
        }
        self.keys[self.count] = key;
        self.count += 1;
    }

    const fn add_all(&mut self, list: &[Notation], doc: &'static str) {
        let mut n = 0;
        while n < list.len() {
            let Notation { keys, kind, others } = list[n];
            let mut k = 0;
            while k < keys.len() {
                self.add(key(keys[k], kind, doc));
                k += 1;
            }
            let mut o = 0;
            while o < others.len() {
                let (name, kind) = others[o];
                if !is_equal(kind, "change") && !is_equal(kind, "limit_value") {
                    self.add(key(name, kind, "An argument of the command."));
                    if !is_equal(kind, "optional_point") {
                        self.needs[self.needs_count] = (keys[0], name);
                        self.needs_count += 1;
                    }
                }
                o += 1;
            }
            n += 1;
        }
    }
}

const MADE: Made = {
    let mut made = Made { keys: [AT; ROOM], count: 1, needs: [("", ""); ROOM], needs_count: 0 };
    made.add(EVERY);
    made.add_all(COMMANDS, "The command of this name, as in a command log.");
    made.add_all(CHANGES, "The change of an agent of this name, as in a command log.");
    made
};

const fn first<T: Copy, const ALL: usize, const N: usize>(all: &[T; ALL]) -> [T; N] {
    let mut some = [all[0]; N];
    let mut i = 0;
    while i < N {
        some[i] = all[i];
        i += 1;
    }
    some
}

static KEYS: [Key; MADE.count] = first(&MADE.keys);
static NEEDS: [(&str, &str); MADE.needs_count] = first(&MADE.needs);
static ONE_OF: [&[&str]; COMMANDS.len()] = {
    let mut all: [&[&str]; COMMANDS.len()] = [&[]; COMMANDS.len()];
    let mut i = 0;
    while i < all.len() {
        all[i] = COMMANDS[i].keys;
        i += 1;
    }
    all
};

pub(crate) static EVENT: Table = Table {
    name: "event",
    doc: "A command at a time of the run: a line of a command log, with `at` in place of `tick`.",
    keys: &KEYS,
    one_of: &ONE_OF,
    needs: &NEEDS,
    example: "{ at = 20, remove_obstacle = 0 }",
};

impl Decoder {
    /// The events; none if one of them cannot be read, so that each keeps its index.
    pub(super) fn events<V: Vector>(&mut self, node: &Node) -> Vec<TimedCommand<V>> {
        let items = self.list("event", node, "a list of tables, each under [[event]]");
        let read = |item| self.event(item);
        // All of them are read, for their mistakes.
        let read: Vec<_> = items.unwrap_or_default().iter().map(read).collect();
        read.into_iter().collect::<Option<_>>().unwrap_or_default()
    }

    fn event<V: Vector>(&mut self, node: &Node) -> Option<TimedCommand<V>> {
        let before = self.problems.len();
        let place = Place {
            name: "event",
            noun: "event",
            one: "one command in each; begin another [[event]]",
            example: format!("a table such as {}", EVENT.example),
            keys: &[(AT.name, true), (EVERY.name, false)],
            text: None,
        };
        let command = command(self, node, &place);
        for problem in &mut self.problems[before..] {
            // TOML has no null; the word is read in JSON too.
            problem.allowed = problem.allowed.replace("or null", "or \"none\"");
        }
        let keys = TableNode { node, table: &EVENT };
        let at = keys.number(self, AT.name);
        let every = node.get(EVERY.name).and_then(|_| keys.number(self, EVERY.name));
        (self.problems.len() == before).then_some(())?;
        Some(TimedCommand { at: at?, every, command: command? })
    }
}
