//! From the tree of a scene file to a checked [`Setup`]: types, names and shapes here, ranges by the library's own check.
//!
//! A mistake is noted with its place and decoding goes on with a stand-in, so that all mistakes of a file are found at once.

use std::collections::HashSet;
use std::ops::Range;

use wayfare::crowd::{Fault, Key, Place, Setup, Track};
use wayfare::path::{Curve, Path};
use wayfare::space::{Bounds, Edge};
use wayfare::{Vector, obstacle::Shape};

use crate::diagnostic::Problem;
use crate::tree::{Entry, Node, Tree};

mod doors;
mod group;
mod value;

pub(crate) use value::to_f32;

/// A decoded scene of one dimension.
#[derive(Clone, Debug)]
pub struct Scene<V: Vector> {
    /// What it is called.
    pub title: String,
    /// The simulated time that a run covers unless told otherwise (time).
    pub duration: f64,
    /// What is in the world.
    pub setup: Setup<V>,
}

/// The time that a run covers where neither the scene nor the command says so.
pub(crate) const DURATION: f64 = 600.0;

/// Decodes the tree of a file; `name` is the title of a scene without one.
pub(crate) fn decode<V: Vector>(root: &Node, name: &str) -> (Scene<V>, Vec<Problem>) {
    let mut decoder = Decoder::default();
    let scene = decoder.scene(root, name);
    let mut problems = decoder.problems;
    // Where decoding already complained, the stand-in's faults would only repeat it.
    let known = Covered::by(&problems);
    let mut told = HashSet::new();
    for fault in scene.setup.faults() {
        let problem = at_place(root, fault);
        if !known.touches(&problem.span) && told.insert((problem.span.start, problem.message.clone())) {
            problems.push(problem);
        }
    }
    (scene, problems)
}

/// The parts of a file that problems are about: by their starts, each with the farthest end so far.
struct Covered(Vec<(usize, usize)>);

impl Covered {
    fn by(problems: &[Problem]) -> Self {
        let mut parts: Vec<(usize, usize)> = problems.iter().map(|p| (p.span.start, p.span.end.max(p.span.start + 1))).collect();
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
pub(crate) fn at_place(root: &Node, fault: Fault) -> Problem {
    Problem::new(locate(root, &fault.place), fault.message, fault.allowed)
}

/// Whether the file itself says what stands at `place`.
pub(crate) fn is_written(root: &Node, place: &Place) -> bool {
    let mut node = Some(root);
    for key in &place.0 {
        node = node.and_then(|node| match key {
            Key::Name(name) => node.get(name),
            Key::At(i) => node.list()?.get(*i),
        });
    }
    node.is_some()
}

/// The span of the value at `place`, or of the nearest thing around it that is written in the file.
pub(crate) fn locate(root: &Node, place: &Place) -> Range<usize> {
    let (mut node, mut span) = (root, 0..0);
    for key in &place.0 {
        match key {
            Key::Name(name) => match node.table().and_then(|entries| entries.iter().find(|e| e.key == *name)) {
                Some(entry) => {
                    node = &entry.node;
                    // A table of its own begins with its header; a key says more than the whole of it.
                    span = if matches!(node.tree, Tree::Table(_) | Tree::List(_)) { entry.span.clone() } else { node.span.clone() };
                }
                None => return span,
            },
            Key::At(i) => match node.list().and_then(|items| items.get(*i)) {
                Some(item) => {
                    node = item;
                    span = node.span.clone();
                }
                None => return span,
            },
        }
    }
    if matches!(node.tree, Tree::List(_)) { node.span.clone() } else { span }
}

/// The names that behaviors and conditions refer to.
#[derive(Default)]
struct Names {
    groups: Vec<String>,
    paths: Vec<String>,
}

#[derive(Default)]
pub(crate) struct Decoder {
    pub(crate) problems: Vec<Problem>,
    names: Names,
    /// What the unknown keys of the table read last were likely meant to be: these are not missing as well.
    misspelt: Vec<String>,
}

/// The most names that are listed as allowed: more than there are behaviors, less than a scene can have groups.
const MOST_NAMED: usize = 40;

/// A key that is known at some place, and whether it has to be there.
pub(crate) type Known = (&'static str, bool);

const TOP: &[Known] = &[
    ("title", false),
    ("dimension", false),
    ("dt", false),
    ("seed", false),
    ("duration", false),
    ("bounds", false),
    ("pointer", false),
    ("obstacle", false),
    ("path", false),
    ("line", false),
    ("exit", false),
    ("group", false),
];

impl Decoder {
    fn problem(&mut self, span: Range<usize>, message: impl Into<String>, allowed: impl Into<String>) {
        self.problems.push(Problem::new(span, message, allowed));
    }

    pub(crate) fn wrong(&mut self, key: &str, node: &Node, allowed: impl Into<String>) {
        self.problem(node.span.clone(), format!("`{key}` is {}", node.what()), allowed);
    }

    /// The entries of a table whose keys are `known`; complains of others, and of required ones that are missing.
    pub(crate) fn table<'n>(&mut self, key: &str, node: &'n Node, known: &[Known]) -> Option<&'n [Entry]> {
        let Some(entries) = node.table() else {
            let keys: Vec<_> = known.iter().map(|(name, _)| *name).collect();
            self.wrong(key, node, format!("a table with the keys {}", keys.join(", ")));
            return None;
        };
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let mut misspelt = Vec::new();
        for entry in entries {
            if !names.contains(&entry.key.as_str()) {
                let meant = self.unknown(&entry.span, &format!("the key `{}` is not known in `{key}`", entry.key), &entry.key, &names, "");
                misspelt.extend(meant.map(str::to_string));
            }
        }
        self.misspelt = misspelt;
        for (name, required) in known {
            if *required && self.misses(node, name) {
                self.problem(self.head_of(node), format!("`{key}` has no `{name}`"), format!("`{name}` must be given"));
            }
        }
        Some(entries)
    }

    /// Whether the table read last, `node`, has no `key`, not even a misspelt one.
    fn misses(&self, node: &Node, key: &str) -> bool {
        node.get(key).is_none() && !self.misspelt.iter().any(|meant| meant == key)
    }

    /// Where a table begins: its header line, or its opening brace.
    fn head_of(&self, node: &Node) -> Range<usize> {
        if node.span.is_empty() { node.table().and_then(|e| e.first()).map_or(node.span.clone(), |e| e.span.clone()) } else { node.span.clone() }
    }

    /// Complains of a word that is none of `known`, with the nearest one as a guess, which it gives back. `add` is what to do where
    /// none are known.
    pub(crate) fn unknown<'k>(&mut self, span: &Range<usize>, message: &str, word: &str, known: &[&'k str], add: &str) -> Option<&'k str> {
        let nearest = known
            .iter()
            .map(|candidate| (strsim::normalized_damerau_levenshtein(&word.to_lowercase(), &candidate.to_lowercase()), *candidate))
            .filter(|(likeness, _)| *likeness >= 0.5)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let mut allowed = if known.is_empty() { add.to_string() } else { known[..known.len().min(MOST_NAMED)].join(", ") };
        if known.len() > MOST_NAMED {
            allowed.push_str(&format!(", and {} more", known.len() - MOST_NAMED));
        }
        let meant = nearest.map(|(_, candidate)| candidate);
        let help = meant.map(|candidate| format!("did you mean `{candidate}`?"));
        self.problems.push(Problem { help, ..Problem::new(span.clone(), message, allowed) });
        meant
    }

    fn scene<V: Vector>(&mut self, root: &Node, name: &str) -> Scene<V> {
        self.table("scene", root, TOP);
        let mut setup = Setup::default();
        let title = root.get("title").and_then(|node| self.text("title", node)).unwrap_or_else(|| name.to_string());
        if let Some(dt) = root.get("dt").and_then(|node| self.number("dt", node, wayfare::crowd::range::DT)) {
            setup.dt = dt;
        }
        if let Some(node) = root.get("seed") {
            match node.tree {
                Tree::Integer(seed) if u64::try_from(seed).is_ok() => setup.seed = seed as u64,
                _ => self.wrong("seed", node, format!("a whole number from 0 to {}", u64::MAX)),
            }
        }
        let duration = root.get("duration").and_then(|node| self.number("duration", node, wayfare::crowd::range::DT)).unwrap_or(DURATION);
        self.collect_names(root);
        setup.bounds = root.get("bounds").and_then(|node| self.bounds(node));
        setup.pointer = root.get("pointer").and_then(|node| self.pointer(node));
        setup.obstacles = root.get("obstacle").map(|node| self.obstacles(node)).unwrap_or_default();
        setup.paths = root.get("path").map(|node| self.paths(node)).unwrap_or_default();
        setup.lines = root.get("line").map(|node| self.lines(node)).unwrap_or_default();
        setup.exits = root.get("exit").map(|node| self.exits(node)).unwrap_or_default();
        for (i, node) in root.get("group").and_then(|node| self.list("group", node, "[[group]] tables")).unwrap_or_default().iter().enumerate() {
            let group = self.group(node, i);
            setup.groups.push(group);
        }
        if setup.groups.is_empty() && self.problems.is_empty() {
            self.problem(0..0, "the scene has no group, so nobody moves in it", "at least one [[group]] with name, spawn and max_speed");
        }
        Scene { title, duration, setup }
    }

    /// The names come first: a behavior may refer to a group further down.
    fn collect_names(&mut self, root: &Node) {
        let groups = root.get("group").and_then(Node::list).unwrap_or_default();
        self.names.groups = groups.iter().map(|g| g.get("name").and_then(Node::text).unwrap_or_default().to_string()).collect();
        let paths = root.get("path").and_then(Node::table).unwrap_or_default();
        self.names.paths = paths.iter().map(|entry| entry.key.clone()).collect();
    }

    fn bounds<V: Vector>(&mut self, node: &Node) -> Option<Bounds<V>> {
        self.table("bounds", node, &[("min", true), ("max", true), ("edge", false)])?;
        let min = node.get("min").and_then(|n| self.point("min", n));
        let max = node.get("max").and_then(|n| self.point("max", n));
        let edges = [Edge::Open, Edge::Wrap, Edge::Wall];
        let edge = node.get("edge").and_then(|n| self.word("edge", n, Edge::WORDS)).map_or(Edge::Open, |i| edges[i]);
        Some(Bounds { min: min?, max: max?, edge })
    }

    fn pointer<V: Vector>(&mut self, node: &Node) -> Option<Track<V>> {
        let stand_in = Some(Track::fixed(V::ZERO));
        if self.table("pointer", node, &[("track", true)]).is_none() {
            return stand_in;
        }
        let Some(track) = node.get("track") else { return stand_in };
        let allowed = if V::DIMENSION == 2 { "a list of [time, x, y]" } else { "a list of [time, x, y, z]" };
        let Some(items) = self.list("track", track, allowed) else { return stand_in };
        let mut points = Vec::new();
        for item in items {
            match item.list() {
                Some(numbers) if numbers.len() == V::DIMENSION + 1 => {
                    let numbers: Vec<_> = numbers.iter().filter_map(|n| self.any_number("track", n)).collect();
                    if numbers.len() == V::DIMENSION + 1 {
                        points.push((numbers[0], V::from_fn(|i| value::to_f32(numbers[i + 1]))));
                    }
                }
                _ => self.wrong("track", item, allowed),
            }
        }
        // An empty track was written as such, or its mistakes are noted: either way the pointer itself is there.
        if points.is_empty() && !items.is_empty() { stand_in } else { Some(Track { points }) }
    }

    fn obstacles<V: Vector>(&mut self, node: &Node) -> Vec<Shape<V>> {
        let items = self.list("obstacle", node, "[[obstacle]] tables").unwrap_or_default();
        // A stand-in keeps the places of those that follow.
        items.iter().map(|item| self.shape("obstacle", item).unwrap_or(Shape::Circle { center: V::ZERO, radius: 0.0 })).collect()
    }

    fn paths<V: Vector>(&mut self, node: &Node) -> Vec<(String, Path<V>)> {
        let Some(entries) = node.table() else {
            self.wrong("path", node, "a table for each path, such as [path.beat]");
            return Vec::new();
        };
        entries.iter().map(|entry| (entry.key.clone(), self.path(&entry.key, &entry.node))).collect()
    }

    fn path<V: Vector>(&mut self, name: &str, node: &Node) -> Path<V> {
        let stand_in = Path::new(vec![V::ZERO], 0.0, false);
        let keys = &[("points", true), ("radius", true), ("closed", false), ("curve", false), ("tolerance", false)];
        if self.table(&format!("path.{name}"), node, keys).is_none() {
            return stand_in;
        }
        let points = node.get("points").and_then(|n| self.points("points", n));
        let radius = node.get("radius").and_then(|n| self.number("radius", n, wayfare::crowd::range::RADIUS)).map_or(0.0, value::to_f32);
        let closed = node.get("closed").and_then(|n| self.flag("closed", n)).unwrap_or(false);
        let curve = node.get("curve").and_then(|n| self.word("curve", n, Curve::WORDS)).map(|i| [Curve::Bezier, Curve::CatmullRom][i]);
        let tolerance =
            node.get("tolerance").and_then(|n| self.number("tolerance", n, wayfare::parameter::Range::above_zero(wayfare::parameter::Unit::Length)));
        let (Some(points), Some(span)) = (points, node.get("points").map(|n| n.span.clone())) else { return stand_in };
        let Some(curve) = curve else {
            if let (Some(_), Some(entry)) = (tolerance, node.table().and_then(|e| e.iter().find(|e| e.key == "tolerance"))) {
                self.problem(entry.span.clone(), "`tolerance` is for curves", "a `curve`, or no `tolerance`");
            }
            return Path::new(points, radius, closed);
        };
        if curve == Curve::Bezier {
            let whole = if closed { points.len().is_multiple_of(3) && points.len() >= 3 } else { points.len() % 3 == 1 && points.len() >= 4 };
            if !whole {
                let allowed =
                    if closed { "3, 6, 9, … points: a corner and two handles each" } else { "4, 7, 10, … points: a corner, two handles, a corner, …" };
                self.problem(span, format!("a {}bezier curve cannot have {} points", if closed { "closed " } else { "" }, points.len()), allowed);
                return Path::new(points, radius, closed);
            }
        }
        let path = Path::curved(curve, &points, radius, closed, tolerance.map_or_else(|| Path::default_tolerance(&points), value::to_f32));
        let holds = |p: &V| (0..V::DIMENSION).all(|i| wayfare::crowd::range::COORDINATE.holds(p.axis(i)));
        if path.points.iter().all(holds) {
            return path;
        }
        self.problem(span, "the curve through these points swings out farther than 1e9", "a curve with every coordinate within 1e9");
        Path::new(points, radius, closed)
    }
}
