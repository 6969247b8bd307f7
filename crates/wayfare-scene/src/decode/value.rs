//! Numbers, words, points, shapes, and parameters by their description.

use wayfare::glam::Vec2;
use wayfare::obstacle::Shape;
use wayfare::parameter::{GroupId, Groups, Kind, Parameter, PathId, Range, Target, Value};
use wayfare::vector::Vector;

use super::Decoder;
use crate::tree::{Node, Tree};

/// How far something may be turned.
pub(super) const TURN: Range = Range::new(-360.0, 360.0, wayfare::parameter::Unit::Degrees);

/// The nearest `f32`; what is finite stays finite, so that a check of the range can refuse it.
pub(crate) fn to_f32(x: f64) -> f32 {
    if x.is_finite() { x.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32 } else { x as f32 }
}

impl Decoder {
    pub(crate) fn text(&mut self, key: &str, node: &Node) -> Option<String> {
        let text = node.text().map(str::to_string);
        if text.is_none() {
            self.wrong(key, node, "a text in quotes");
        }
        text
    }

    pub(super) fn flag(&mut self, key: &str, node: &Node) -> Option<bool> {
        if let Tree::Bool(x) = node.tree {
            return Some(x);
        }
        self.wrong(key, node, "true or false");
        None
    }

    pub(super) fn list<'n>(&mut self, key: &str, node: &'n Node, allowed: &str) -> Option<&'n [Node]> {
        let list = node.list();
        if list.is_none() {
            self.wrong(key, node, allowed);
        }
        list
    }

    /// Any number but NaN.
    pub(crate) fn any_number(&mut self, key: &str, node: &Node) -> Option<f64> {
        match node.tree {
            Tree::Integer(x) => Some(x as f64),
            Tree::Number(x) if !x.is_nan() => Some(x),
            _ => {
                self.wrong(key, node, "a number");
                None
            }
        }
    }

    /// A number in `range`.
    pub(super) fn number(&mut self, key: &str, node: &Node, range: Range) -> Option<f64> {
        match node.tree {
            Tree::Integer(x) if range.holds(to_f32(x as f64)) => Some(x as f64),
            Tree::Number(x) if range.holds(to_f32(x)) => Some(x),
            _ => {
                self.wrong(key, node, range.to_string());
                None
            }
        }
    }

    pub(crate) fn whole(&mut self, key: &str, node: &Node, least: u32, most: usize) -> Option<usize> {
        match node.tree {
            Tree::Integer(x) if x >= i128::from(least) && x <= most as i128 => Some(x as usize),
            _ => {
                self.wrong(key, node, format!("a whole number from {least} to {most}"));
                None
            }
        }
    }

    /// The index of a word among `words`.
    pub(super) fn word(&mut self, key: &str, node: &Node, words: &[&str]) -> Option<usize> {
        let Some(text) = node.text() else {
            self.wrong(key, node, quoted(words));
            return None;
        };
        let found = words.iter().position(|word| *word == text);
        if found.is_none() {
            self.unknown(&node.span, &format!("`{key}` is \"{text}\""), text, words, "");
        }
        found
    }

    /// The index of a name among `names`, which the group defines; where it defines none, `add` says how.
    pub(super) fn defined(&mut self, key: &str, node: &Node, names: &[&str], add: &str) -> Option<usize> {
        match node.text() {
            Some(text) if names.is_empty() => {
                self.unknown(&node.span, &format!("`{key}` is \"{text}\", and the group has none"), text, names, add);
                None
            }
            _ => self.word(key, node, names),
        }
    }

    /// The index of a name that is defined elsewhere in the scene.
    fn name_of(&mut self, what: &str, key: &str, node: &Node, names: &[String]) -> Option<usize> {
        let Some(text) = node.text() else {
            self.wrong(key, node, format!("a {what}'s name"));
            return None;
        };
        let found = names.iter().position(|name| name == text);
        if let ("pointer" | "goal", None) = (text, found) {
            self.problem(
                node.span.clone(),
                format!("`{key}` is \"{text}\", which is no agent"),
                format!("a {what}'s name; seek, flee and arrive take the {text}"),
            );
        } else if found.is_none() {
            let known: Vec<&str> = names.iter().map(String::as_str).collect();
            let add = format!("a {what} that the scene has: add {}", if what == "path" { "a [path.NAME]" } else { "a [[group]]" });
            self.unknown(&node.span, &format!("`{key}` names the {what} \"{text}\", which is not in the scene"), text, &known, &add);
        }
        found
    }

    fn group_name(&mut self, key: &str, node: &Node) -> Option<usize> {
        let names = std::mem::take(&mut self.names.groups);
        let found = self.name_of("group", key, node, &names);
        self.names.groups = names;
        found
    }

    fn path_name(&mut self, key: &str, node: &Node) -> Option<usize> {
        let names = std::mem::take(&mut self.names.paths);
        let found = self.name_of("path", key, node, &names);
        self.names.paths = names;
        found
    }

    pub(crate) fn point<V: Vector>(&mut self, key: &str, node: &Node) -> Option<V> {
        let allowed = if V::DIMENSION == 2 { "a point such as [100, 50]" } else { "a point such as [100, 50, 20]" };
        let Some(items) = node.list().filter(|items| items.len() == V::DIMENSION) else {
            self.wrong(key, node, allowed);
            return None;
        };
        let mut axes = [0.0; 3];
        for (axis, item) in axes.iter_mut().zip(items) {
            *axis = to_f32(self.number(key, item, wayfare::crowd::range::COORDINATE)?);
        }
        Some(V::from_fn(|i| axes[i]))
    }

    pub(super) fn points<V: Vector>(&mut self, key: &str, node: &Node) -> Option<Vec<V>> {
        let allowed = if V::DIMENSION == 2 { "a list of points such as [[100, 50], [200, 80]]" } else { "a list of points such as [[100, 50, 20]]" };
        let items = self.list(key, node, allowed)?;
        let points: Vec<V> = items.iter().filter_map(|item| self.point(key, item)).collect();
        (points.len() == items.len()).then_some(points)
    }

    /// The one key of a table of which only one can be there.
    pub(crate) fn one_of<'n>(&mut self, key: &str, node: &'n Node, kinds: &[&'static str]) -> Option<(&'static str, &'n Node)> {
        let known: Vec<_> = kinds.iter().map(|kind| (*kind, false)).collect();
        let before = self.problems.len();
        let entries = self.table(key, node, &known)?;
        let found: Vec<_> = entries.iter().filter_map(|e| kinds.iter().find(|kind| **kind == e.key).map(|kind| (*kind, &e.node))).collect();
        if let [(kind, node)] = found[..] {
            return Some((kind, node));
        }
        if self.problems.len() == before {
            let message = if found.is_empty() { format!("`{key}` is empty") } else { format!("`{key}` has {} kinds at once", found.len()) };
            self.problem(node.span.clone(), message, format!("one of {}", kinds.join(", ")));
        }
        None
    }

    /// `circle = { … }`, `box = { … }`, `segment = { … }` or `polygon = [ … ]`.
    pub(crate) fn shape<V: Vector>(&mut self, key: &str, node: &Node) -> Option<Shape<V>> {
        let (kind, inner) = self.one_of(key, node, &["circle", "box", "segment", "polygon"])?;
        self.shape_of(kind, inner)
    }

    pub(crate) fn shape_of<V: Vector>(&mut self, kind: &str, node: &Node) -> Option<Shape<V>> {
        let radius = wayfare::crowd::range::RADIUS;
        match kind {
            "circle" => {
                self.table(kind, node, &[("center", true), ("radius", true)])?;
                let center = node.get("center").and_then(|n| self.point("center", n));
                let radius = node.get("radius").and_then(|n| self.number("radius", n, radius));
                Some(Shape::Circle { center: center?, radius: to_f32(radius?) })
            }
            "box" => self.box_shape(node),
            "segment" => {
                self.table(kind, node, &[("from", true), ("to", true), ("thickness", false)])?;
                let from = node.get("from").and_then(|n| self.point("from", n));
                let to = node.get("to").and_then(|n| self.point("to", n));
                let thickness = node.get("thickness").map_or(Some(0.0), |n| self.number("thickness", n, radius));
                Some(Shape::Segment { from: from?, to: to?, thickness: to_f32(thickness?) })
            }
            _ => {
                let points: Vec<Vec2> = self.points("polygon", node)?;
                Some(Shape::Polygon { points })
            }
        }
    }

    fn box_shape<V: Vector>(&mut self, node: &Node) -> Option<Shape<V>> {
        let by_corners = node.get("min").is_some() || node.get("max").is_some();
        let corners = &[("min", true), ("max", true)];
        let sizes = &[("center", true), ("size", true), ("angle", false)];
        self.table("box", node, if by_corners { &corners[..] } else { &sizes[..] })?;
        if by_corners {
            let min: Option<V> = node.get("min").and_then(|n| self.point("min", n));
            let max: Option<V> = node.get("max").and_then(|n| self.point("max", n));
            return Some(Shape::box_between(min?, max?));
        }
        let center = node.get("center").and_then(|n| self.point("center", n));
        let size: Option<V> = node.get("size").and_then(|n| self.point("size", n));
        let angle = node.get("angle").map_or(Some(0.0), |n| self.number("angle", n, TURN));
        Some(Shape::Box { center: center?, half: size? * 0.5, angle: to_f32(angle?.to_radians()) })
    }

    pub(super) fn target<V: Vector>(&mut self, key: &str, node: &Node) -> Option<Target<V>> {
        match &node.tree {
            Tree::Text(text) if text == "pointer" => Some(Target::Pointer),
            Tree::Text(text) if text == "goal" => Some(Target::Goal),
            Tree::Text(_) => self.group_name(key, node).map(Target::Group),
            Tree::List(_) => self.point(key, node).map(Target::Point),
            _ => {
                self.wrong(key, node, Kind::Target.to_string());
                None
            }
        }
    }

    /// The values of a table of parameters, as their descriptions say.
    pub(super) fn parameters<V: Vector>(&mut self, name: &str, parameters: &'static [Parameter], node: &Node) -> Vec<(&'static str, Value<V>)> {
        let known: Vec<_> = parameters.iter().map(|p| (p.name, false)).collect();
        if self.table(name, node, &known).is_none() {
            return Vec::new();
        }
        for parameter in parameters.iter().filter(|p| p.required) {
            if self.misses(node, parameter.name) {
                let allowed = format!("`{}` must be given: {}", parameter.name, parameter.kind);
                self.problem(self.head_of(node), format!("`{name}` has no `{}`", parameter.name), allowed);
            }
        }
        let mut values = Vec::new();
        for parameter in parameters {
            if let Some(value) = node.get(parameter.name).and_then(|inner| self.value(parameter.name, parameter.kind, inner)) {
                values.push((parameter.name, value));
            }
        }
        values
    }

    pub(super) fn value<V: Vector>(&mut self, key: &str, kind: Kind, node: &Node) -> Option<Value<V>> {
        match kind {
            Kind::Target => self.target(key, node).map(Value::Target),
            Kind::Group => self.group_name(key, node).map(|group| Value::Group(GroupId(group))),
            Kind::Path => self.path_name(key, node).map(|path| Value::Path(PathId(path))),
            Kind::Groups => {
                let items = self.list(key, node, &kind.to_string())?;
                let groups: Vec<usize> = items.iter().filter_map(|item| self.group_name(key, item)).collect();
                Some(Value::Groups(Groups::Only(groups)))
            }
            Kind::Area => {
                let (shape, inner) = self.one_of(key, node, &["circle", "box"])?;
                self.shape_of(shape, inner).map(Value::Area)
            }
            Kind::Nested(parameters) => Some(Value::Nested(self.parameters(key, parameters, node))),
            Kind::Word(words) => self.word(key, node, words).map(|i| Value::Word(words[i])),
            Kind::Number(_) | Kind::NumberOr(..) | Kind::NumberOrOff(_) => {
                let value = match (&node.tree, kind) {
                    (Tree::Integer(x), _) => Some(Value::Number(to_f32(*x as f64))),
                    (Tree::Number(x), _) => Some(Value::Number(to_f32(*x))),
                    (Tree::Text(text), Kind::NumberOr(_, words)) => words.iter().find(|word| *word == text).map(|word| Value::Word(word)),
                    (Tree::Bool(false), Kind::NumberOrOff(_)) => Some(Value::Off),
                    _ => None,
                };
                let fine = value.filter(|value| kind.check(value).is_ok());
                if fine.is_none() {
                    self.wrong(key, node, kind.to_string());
                }
                fine
            }
        }
    }
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}
