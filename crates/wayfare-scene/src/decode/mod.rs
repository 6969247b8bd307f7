//! From the tree of a scene file to a checked [`Setup`]: types, names and shapes here, ranges by
//! the library's own check.
//!
//! A mistake is noted with its place and decoding goes on with a stand-in, so that all mistakes of
//! a file are found at once.

use std::collections::HashSet;
use std::ops::Range;

use wayfare::crowd::{KeyPath, KeySegment, Setup, Track, ValidationError};
use wayfare::geometry::path::{Curve, Path};
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::{Registry, Vector, geometry::obstacle::Shape};

use crate::diagnostic::Problem;
use crate::document::{Content, Entry, Node};
use crate::format::{self, Table};

mod fire;
mod flow_field;
mod group;
mod names;
mod sources_and_exits;
pub(crate) mod suggest;
mod value;

pub use fire::Fire;
use names::SceneNames;
pub(crate) use value::{example, to_f32};

/// A decoded scene of one dimension.
#[derive(Clone, Debug)]
pub struct Scene<V: Vector> {
    /// What it is called.
    pub title: String,
    /// The simulated time that a run covers unless told otherwise (time).
    pub duration: f64,
    /// What is in the world.
    pub setup: Setup<V>,
    /// What a click does where somebody watches.
    pub fire: Option<Fire>,
}

/// The time that a run covers where neither the scene nor the command says so.
pub(crate) const DURATION: f64 = 600.0;

/// Decodes the tree of a file; `name` is the title of a scene without one.
pub(crate) fn decode<V: Vector>(
    root: &Node,
    name: &str,
    registry: &Registry,
) -> (Scene<V>, Vec<Problem>) {
    let mut decoder = Decoder { registry: registry.clone(), ..Decoder::default() };
    let scene = decoder.scene(root, name);
    let mut problems = decoder.problems;
    // Where decoding already complained, the stand-in's faults would only repeat it.
    let known = Covered::by(&problems);
    let mut told = HashSet::new();
    for fault in scene.setup.validate().err().into_iter().flat_map(|error| error.0) {
        let problem = problem_at(root, fault);
        if !known.touches(&problem.span)
            && told.insert((problem.span.start, problem.message.clone()))
        {
            problems.push(problem);
        }
    }
    (scene, problems)
}

/// The parts of a file that problems are about: by their starts, each with the farthest end so far.
struct Covered(Vec<(usize, usize)>);

impl Covered {
    fn by(problems: &[Problem]) -> Self {
        let mut parts: Vec<(usize, usize)> =
            problems.iter().map(|p| (p.span.start, p.span.end.max(p.span.start + 1))).collect();
        parts.sort_unstable();
        let mut farthest = 0;
        for (_, end) in &mut parts {
            farthest = farthest.max(*end);
            *end = farthest;
        }
        Self(parts)
    }

    fn touches(&self, span: &Range<usize>) -> bool {
        let before = self.0.partition_point(|(start, _)| *start < span.end.max(span.start + 1));
        before > 0 && self.0[before - 1].1 > span.start
    }
}

/// A fault of the setup, where it stands in the file.
pub(crate) fn problem_at(root: &Node, fault: ValidationError) -> Problem {
    Problem::new(locate(root, &fault.key_path), fault.message, fault.allowed)
}

/// Whether the file itself says what stands at `place`.
pub(crate) fn is_written(root: &Node, place: &KeyPath) -> bool {
    node_at(root, place).is_some()
}

/// What stands in the file at `place`.
pub(crate) fn node_at<'n>(root: &'n Node, place: &KeyPath) -> Option<&'n Node> {
    place.0.iter().try_fold(root, |node, key| match key {
        KeySegment::Name(name) => node.get(name),
        KeySegment::At(i) => node.list()?.get(*i),
    })
}

/// The span of the value at `place`, or of the nearest thing around it that is written in the file.
pub(crate) fn locate(root: &Node, place: &KeyPath) -> Range<usize> {
    let (mut node, mut span) = (root, 0..0);
    for key in &place.0 {
        match key {
            KeySegment::Name(name) => {
                match node.table().and_then(|entries| entries.iter().find(|e| e.key == *name)) {
                    Some(entry) => {
                        node = &entry.node;
                        // A table of its own begins with its header; a key says more than the whole
                        // of it.
                        span = if matches!(node.content, Content::Table(_) | Content::List(_)) {
                            entry.span.clone()
                        } else {
                            node.span.clone()
                        };
                    }
                    None => return span,
                }
            }
            KeySegment::At(i) => match node.list().and_then(|items| items.get(*i)) {
                Some(item) => {
                    node = item;
                    span = node.span.clone();
                }
                None => return span,
            },
        }
    }
    if matches!(node.content, Content::List(_)) { node.span.clone() } else { span }
}

#[derive(Default)]
pub(crate) struct Decoder {
    pub(crate) problems: Vec<Problem>,
    names: SceneNames,
    /// The behaviors that a list may name.
    registry: Registry,
    /// What the unknown keys of the table read last were likely meant to be: these are not missing
    /// as well.
    misspelt: Vec<String>,
}

/// The most names that are listed as allowed: more than there are behaviors, less than a scene can
/// have groups.
const MOST_NAMED: usize = 40;

/// After so many problems nobody is asked what was meant.
const MOST_GUESSED: usize = 100;

/// A key that is known at some place, and whether it has to be there.
pub(crate) type Known = (&'static str, bool);

impl Decoder {
    fn problem(
        &mut self,
        span: Range<usize>,
        message: impl Into<String>,
        allowed: impl Into<String>,
    ) {
        self.problems.push(Problem::new(span, message, allowed));
    }

    /// Complains of the value of `key`.
    pub(crate) fn wrong(&mut self, key: &str, node: &Node, allowed: impl Into<String>) {
        let mut problem =
            Problem::new(node.span.clone(), format!("`{key}` is {}", node.describe()), allowed);
        problem.help = match &node.content {
            // What was meant for a number, true or false stands in quotes.
            Content::Text(text)
                if text.trim().parse::<f64>().is_ok()
                    || ["true", "false"].contains(&text.trim()) =>
            {
                Some(format!("without quotes: {}", text.trim()))
            }
            Content::Other("null") => Some("what is not to be given is left out".to_string()),
            _ => None,
        };
        self.problems.push(problem);
    }

    /// The entries of a table whose keys are `known`; complains of others, and of required ones
    /// that are missing.
    pub(crate) fn table<'n>(
        &mut self,
        key: &str,
        node: &'n Node,
        known: &[Known],
    ) -> Option<&'n [Entry]> {
        let Some(entries) = node.table() else {
            let keys: Vec<_> = known.iter().map(|(name, _)| *name).collect();
            self.wrong(key, node, format!("a table with the keys {}", keys.join(", ")));
            return None;
        };
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        self.keys(key, entries, &names);
        for (name, _) in known.iter().filter(|(_, required)| *required) {
            if self.misses(node, name) {
                self.problem(
                    self.head_of(node),
                    format!("`{key}` has no `{name}`"),
                    format!("`{name}` must be given"),
                );
            }
        }
        Some(entries)
    }

    /// The entries of a table of the format, which messages call `what`; complains as
    /// [`table`](Self::table) does, with examples.
    pub(super) fn described<'n>(
        &mut self,
        what: &str,
        node: &'n Node,
        table: &'static Table,
    ) -> Option<&'n [Entry]> {
        let Some(entries) = node.table() else {
            self.wrong(what, node, format!("a table such as {}", table.example));
            return None;
        };
        // What says something to editors only is nothing to choose.
        let names: Vec<&str> = table
            .keys
            .iter()
            .map(|key| key.name)
            .filter(|name| !name.starts_with('$') || node.get(name).is_some())
            .collect();
        self.keys(what, entries, &names);
        for key in table.keys.iter().filter(|key| key.required) {
            if self.misses(node, key.name) {
                let (name, example) = (key.name, key.example_value());
                let allowed = format!("`{name}` must be given, such as {name} = {example}");
                self.problem(self.head_of(node), format!("`{what}` has no `{name}`"), allowed);
            }
        }
        Some(entries)
    }

    /// Complains of keys that are none of `names`.
    fn keys(&mut self, what: &str, entries: &[Entry], names: &[&str]) {
        let mut misspelt = Vec::new();
        for entry in entries.iter().filter(|entry| !names.contains(&entry.key.as_str())) {
            let message = format!("the key `{}` is not known in `{what}`", entry.key);
            misspelt.extend(self.unknown_key(what, entry, &message, names).map(str::to_string));
        }
        self.misspelt = misspelt;
    }

    /// Complains of a key that is none of `names`: of one that is known elsewhere with where it
    /// belongs.
    fn unknown_key<'k>(
        &mut self,
        what: &str,
        entry: &Entry,
        message: &str,
        names: &[&'k str],
    ) -> Option<&'k str> {
        let meant = suggest::nearest(&entry.key, names, suggest::SURE);
        if meant.is_none()
            && let Some(place) = suggest::where_it_belongs(what, &entry.key)
        {
            self.problems.push(Problem {
                help: Some(place),
                ..Problem::new(entry.span.clone(), message, names.join(", "))
            });
            return None;
        }
        self.unknown(&entry.span, message, &entry.key, names, "")
    }

    /// Whether the table read last, `node`, has no `key`, not even a misspelt one.
    fn misses(&self, node: &Node, key: &str) -> bool {
        node.get(key).is_none() && !self.misspelt.iter().any(|meant| meant == key)
    }

    /// Where a table begins: its header line, or its opening brace.
    fn head_of(&self, node: &Node) -> Range<usize> {
        if node.span.is_empty() {
            node.table().and_then(|e| e.first()).map_or(node.span.clone(), |e| e.span.clone())
        } else {
            node.span.clone()
        }
    }

    /// Complains of a word that is none of `known`, with the nearest one as a guess, which it gives
    /// back. `add` is what to do where none are known.
    pub(crate) fn unknown<'k>(
        &mut self,
        span: &Range<usize>,
        message: &str,
        word: &str,
        known: &[&'k str],
        add: &str,
    ) -> Option<&'k str> {
        // Guessing takes as long as there are names; of many problems few are shown.
        let few = self.problems.len() < MOST_GUESSED;
        let meant = if few { suggest::nearest(word, known, suggest::LIKELY) } else { None };
        let mut known =
            if few { known.to_vec() } else { known[..known.len().min(MOST_NAMED)].to_vec() };
        // A group without a name is none to choose.
        let mut seen = HashSet::from([""]);
        known.retain(|name| seen.insert(*name));
        let mut allowed = if known.is_empty() {
            add.to_string()
        } else {
            known[..known.len().min(MOST_NAMED)].join(", ")
        };
        if known.len() > MOST_NAMED {
            allowed.push_str(&format!(", and {} more", known.len() - MOST_NAMED));
        }
        let help = meant.map(|candidate| suggest::did_you_mean(word, candidate));
        self.problems.push(Problem { help, ..Problem::new(span.clone(), message, allowed) });
        meant
    }

    fn scene<V: Vector>(&mut self, root: &Node, name: &str) -> Scene<V> {
        self.described("scene", root, &format::SCENE);
        let mut setup = Setup::default();
        let title = root
            .get("title")
            .and_then(|node| self.text("title", node))
            .unwrap_or_else(|| name.to_string());
        if let Some(dt) =
            root.get("dt").and_then(|node| self.number("dt", node, wayfare::crowd::range::DT))
        {
            setup.dt = dt;
        }
        if let Some(node) = root.get("seed") {
            match node.content {
                Content::Integer(seed) if u64::try_from(seed).is_ok() => setup.seed = seed as u64,
                _ => self.wrong("seed", node, format!("a whole number from 0 to {}", u64::MAX)),
            }
        }
        let duration = root
            .get("duration")
            .and_then(|node| self.number("duration", node, wayfare::crowd::range::DT))
            .unwrap_or(DURATION);
        // Names first: a behavior may refer to a group that is defined further down.
        self.names = SceneNames::of(root);
        setup.bounds = root.get("bounds").and_then(|node| self.bounds(node));
        setup.pointer = root.get("pointer").and_then(|node| self.pointer(node));
        setup.obstacles = root.get("obstacle").map(|node| self.obstacles(node)).unwrap_or_default();
        setup.paths = root.get("path").map(|node| self.paths(node)).unwrap_or_default();
        setup.fields = root
            .get("field")
            .map(|node| self.fields(node, setup.bounds.as_ref()))
            .unwrap_or_default();
        setup.lines = root.get("line").map(|node| self.lines(node)).unwrap_or_default();
        setup.exits = root.get("exit").map(|node| self.exits(node)).unwrap_or_default();
        setup.sources = root.get("source").map(|node| self.sources(node)).unwrap_or_default();
        for (i, node) in root
            .get("group")
            .and_then(|node| self.list("group", node, "a list of tables, each under [[group]]"))
            .unwrap_or_default()
            .iter()
            .enumerate()
        {
            let group = self.group(node, i);
            setup.groups.push(group);
        }
        if setup.groups.is_empty() && self.problems.is_empty() {
            self.problem(
                0..0,
                "the scene has no group, so nobody moves in it",
                "at least one [[group]], such as group = [{ name = \"guest\", spawn = { points = \
                 [[0, 0]] }, max_speed = 3 }]",
            );
        }
        let fire =
            root.get("fire").and_then(|node| self.fire::<V>(node, root.get("bounds").is_some()));
        Scene { title, duration, setup, fire }
    }

    /// The entries of a table of tables with names: `[path.beat]`.
    fn named<'n>(&mut self, what: &str, node: &'n Node, table: &'static Table) -> &'n [Entry] {
        let allowed = format!(
            "a name for each, such as [{}]",
            if what == "stat" {
                "group.stat.stamina"
            } else if what == "path" {
                "path.beat"
            } else if what == "field" {
                "field.way_out"
            } else {
                "line.door"
            }
        );
        let Some(entries) = node.table() else {
            self.wrong(what, node, allowed);
            return &[];
        };
        if let Some(first) = entries
            .iter()
            .find(|entry| entry.node.table().is_none() && table.key(&entry.key).is_some())
        {
            self.problem(
                first.span.clone(),
                format!("`{what}` has the key `{}`, and no name", first.key),
                allowed,
            );
            return &[];
        }
        entries
    }

    fn bounds<V: Vector>(&mut self, node: &Node) -> Option<Bounds<V>> {
        self.described("bounds", node, &format::BOUNDS)?;
        let min = node.get("min").and_then(|n| self.point("min", n));
        let max = node.get("max").and_then(|n| self.point("max", n));
        let edges = [Edge::Open, Edge::Wrap, Edge::Wall];
        let edge = node
            .get("edge")
            .and_then(|n| self.word("edge", n, Edge::WORDS))
            .map_or(Edge::Open, |i| edges[i]);
        Some(Bounds { min: min?, max: max?, edge })
    }

    fn pointer<V: Vector>(&mut self, node: &Node) -> Option<Track<V>> {
        let stand_in = Some(Track::fixed(V::ZERO));
        if self.described("pointer", node, &format::POINTER).is_none() {
            return stand_in;
        }
        let Some(track) = node.get("track") else { return stand_in };
        let (allowed, moment) = if V::DIMENSION == 2 {
            (
                "a list of points [time, x, y], such as [[0, 100, 100]]",
                "a point [time, x, y] such as [0, 100, 50]",
            )
        } else {
            (
                "a list of points [time, x, y, z], such as [[0, 100, 100, 0]]",
                "a point [time, x, y, z] such as [0, 100, 50, 20]",
            )
        };
        let Some(items) = self.list_of_lists("track", track, allowed) else { return stand_in };
        let mut points = Vec::new();
        for item in items {
            match item.list() {
                Some(numbers) if numbers.len() == V::DIMENSION + 1 => {
                    let numbers: Vec<_> =
                        numbers.iter().filter_map(|n| self.any_number("track", n)).collect();
                    if numbers.len() == V::DIMENSION + 1 {
                        points.push((numbers[0], V::from_fn(|i| value::to_f32(numbers[i + 1]))));
                    }
                }
                _ => self.wrong("track", item, moment),
            }
        }
        // An empty track was written as such, or its mistakes are noted: either way the pointer
        // itself is there.
        if points.is_empty() && !items.is_empty() { stand_in } else { Some(Track { points }) }
    }

    fn obstacles<V: Vector>(&mut self, node: &Node) -> Vec<Shape<V>> {
        let items = self
            .list("obstacle", node, "a list of tables, each under [[obstacle]]")
            .unwrap_or_default();
        // A stand-in keeps the places of those that follow.
        items
            .iter()
            .map(|item| {
                self.shape("obstacle", item)
                    .unwrap_or(Shape::Circle { center: V::ZERO, radius: 0.0 })
            })
            .collect()
    }

    fn paths<V: Vector>(&mut self, node: &Node) -> Vec<(String, Path<V>)> {
        let entries = self.named("path", node, &format::PATH);
        entries
            .iter()
            .map(|entry| (entry.key.clone(), self.path(&entry.key, &entry.node)))
            .collect()
    }

    fn path<V: Vector>(&mut self, name: &str, node: &Node) -> Path<V> {
        let stand_in = Path::new(vec![V::ZERO], 0.0, false);
        if self.described(&format!("path.{name}"), node, &format::PATH).is_none() {
            return stand_in;
        }
        let points = node.get("points").and_then(|n| self.points("points", n));
        let radius = node
            .get("radius")
            .and_then(|n| self.number("radius", n, wayfare::crowd::range::RADIUS))
            .map_or(0.0, value::to_f32);
        let closed = node.get("closed").and_then(|n| self.flag("closed", n)).unwrap_or(false);
        let curve = node
            .get("curve")
            .and_then(|n| self.word("curve", n, Curve::WORDS))
            .map(|i| [Curve::Bezier, Curve::CatmullRom][i]);
        let tolerance =
            node.get("tolerance").and_then(|n| self.number("tolerance", n, format::TOLERANCE));
        let (Some(points), Some(span)) = (points, node.get("points").map(|n| n.span.clone()))
        else {
            return stand_in;
        };
        let Some(curve) = curve else {
            if let (Some(_), Some(entry)) =
                (tolerance, node.table().and_then(|e| e.iter().find(|e| e.key == "tolerance")))
            {
                self.problem(
                    entry.span.clone(),
                    "`tolerance` is for curves",
                    "a `curve`, or no `tolerance`",
                );
            }
            return Path::new(points, radius, closed);
        };
        if curve == Curve::Bezier {
            let whole = if closed {
                points.len().is_multiple_of(3) && points.len() >= 3
            } else {
                points.len() % 3 == 1 && points.len() >= 4
            };
            if !whole {
                let allowed = if closed {
                    "3, 6, 9, … points: a corner and two handles each"
                } else {
                    "4, 7, 10, … points: a corner, two handles, a corner, …"
                };
                self.problem(
                    span,
                    format!(
                        "a {}bezier curve cannot have {} points",
                        if closed { "closed " } else { "" },
                        points.len()
                    ),
                    allowed,
                );
                return Path::new(points, radius, closed);
            }
        }
        let path = Path::curved(
            curve,
            &points,
            radius,
            closed,
            tolerance.map_or_else(|| Path::default_tolerance(&points), value::to_f32),
        );
        let holds =
            |p: &V| (0..V::DIMENSION).all(|i| wayfare::crowd::range::COORDINATE.holds(p.axis(i)));
        if path.points.iter().all(holds) {
            return path;
        }
        self.problem(
            span,
            "the curve through these points swings out farther than 1e9",
            "a curve with every coordinate within 1e9",
        );
        Path::new(points, radius, closed)
    }
}
