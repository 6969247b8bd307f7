//! Numbers, words, points, shapes, and parameters by their description.

use wayfare::geometry::obstacle::Shape;
use wayfare::glam::Vec2;
use wayfare::parameter::{FieldId, GroupId, Groups, Kind, Parameter, PathId, Range, Target, Value};
use wayfare::vector::Vector;

use super::names::NameList;
use super::{Decoder, MOST_GUESSED, MOST_NAMED};
use crate::diagnostic::Problem;
use crate::document::{Content, Node};
use crate::format::{self, Table};

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
        if let Content::Bool(x) = node.content {
            return Some(x);
        }
        self.wrong(key, node, "true or false");
        None
    }

    pub(super) fn list<'n>(
        &mut self,
        key: &str,
        node: &'n Node,
        allowed: &str,
    ) -> Option<&'n [Node]> {
        let list = node.list();
        if list.is_none() {
            self.wrong(key, node, allowed);
        }
        list
    }

    /// A list whose items are lists; complains once where its items are numbers.
    pub(super) fn list_of_lists<'n>(
        &mut self,
        key: &str,
        node: &'n Node,
        allowed: &str,
    ) -> Option<&'n [Node]> {
        let items = self.list(key, node, allowed)?;
        if !items.is_empty() && items.iter().all(Node::is_number) {
            self.problem(
                node.span.clone(),
                format!("`{key}` is a list of {} numbers", items.len()),
                allowed,
            );
            return None;
        }
        Some(items)
    }

    /// Any number but NaN.
    pub(crate) fn any_number(&mut self, key: &str, node: &Node) -> Option<f64> {
        match node.content {
            Content::Integer(x) => Some(x as f64),
            Content::Number(x) if !x.is_nan() => Some(x),
            _ => {
                self.wrong(key, node, "a number");
                None
            }
        }
    }

    /// A number in `range`.
    pub(super) fn number(&mut self, key: &str, node: &Node, range: Range) -> Option<f64> {
        match node.content {
            Content::Integer(x) if range.holds(to_f32(x as f64)) => Some(x as f64),
            Content::Number(x) if range.holds(to_f32(x)) => Some(x),
            Content::Text(ref text) if text == "inf" && range.infinite => Some(f64::INFINITY),
            _ => {
                self.wrong(key, node, range.to_string());
                None
            }
        }
    }

    /// An end of a stat's range: a number, or an infinity.
    pub(super) fn end(&mut self, key: &str, node: &Node) -> Option<f64> {
        match node.content {
            Content::Integer(x) if wayfare::crowd::range::STAT.holds(to_f32(x as f64)) => {
                Some(x as f64)
            }
            Content::Number(x)
                if x.is_infinite() || wayfare::crowd::range::STAT.holds(to_f32(x)) =>
            {
                Some(x)
            }
            Content::Text(ref text) if text == "inf" => Some(f64::INFINITY),
            Content::Text(ref text) if text == "-inf" => Some(f64::NEG_INFINITY),
            _ => {
                self.wrong(key, node, "a number from -1e9 to 1e9, -inf or inf");
                None
            }
        }
    }

    pub(crate) fn whole(
        &mut self,
        key: &str,
        node: &Node,
        least: u32,
        most: usize,
    ) -> Option<usize> {
        match node.content {
            Content::Integer(x) if x >= i128::from(least) && x <= most as i128 => Some(x as usize),
            _ => {
                self.wrong(
                    key,
                    node,
                    format!("a whole number from {least} to {most}, without a point"),
                );
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

    /// The index of the state or stat of this name in its group. `add` tells how to define one
    /// where the group has none.
    pub(super) fn defined(
        &mut self,
        key: &str,
        node: &Node,
        names: &NameList,
        add: &str,
    ) -> Option<usize> {
        let text = node.text();
        if let Some(index) = text.and_then(|text| names.position(text)) {
            return Some(index);
        }
        let known: Vec<&str> = names.iter().filter(|name| !name.is_empty()).collect();
        match text {
            Some(text) if known.is_empty() => {
                self.unknown(
                    &node.span,
                    &format!("`{key}` is \"{text}\", and the group has none"),
                    text,
                    &known,
                    add,
                );
                None
            }
            None if known.is_empty() => {
                self.wrong(key, node, add);
                None
            }
            _ => self.word(key, node, &known),
        }
    }

    /// The index of a name that is defined elsewhere in the scene.
    fn name_of(
        &mut self,
        what: &str,
        key: &str,
        node: &Node,
        names: &NameList,
        may_point: bool,
    ) -> Option<usize> {
        let Some(text) = node.text() else {
            let all: Vec<&str> = names.iter().filter(|name| !name.is_empty()).take(8).collect();
            let such = if all.is_empty() { String::new() } else { format!(": {}", quoted(&all)) };
            self.wrong(key, node, format!("a {what}'s name, in quotes{such}"));
            return None;
        };
        let found = names.position(text);
        if let ("pointer" | "goal" | "last_seen", None) = (text, found) {
            self.problem(
                node.span.clone(),
                format!("`{key}` is \"{text}\", which is no agent"),
                format!("a {what}'s name; seek, flee and arrive take the {text}"),
            );
        } else if found.is_none() {
            let looked_at = if self.problems.len() < MOST_GUESSED {
                names.len()
            } else {
                names.len().min(MOST_NAMED)
            };
            let mut known: Vec<&str> = names.iter().take(looked_at).collect();
            if what == "group" && may_point {
                known.extend(["pointer", "goal", "last_seen"]);
            }
            let add = format!(
                "a {what} that the scene has: add {}",
                match what {
                    "path" => "a [path.NAME]",
                    "field" => "a [field.NAME]",
                    _ => "a [[group]]",
                }
            );
            self.unknown(
                &node.span,
                &format!("`{key}` names the {what} \"{text}\", which is not in the scene"),
                text,
                &known,
                &add,
            );
        }
        found
    }

    /// `may_point`: whether the pointer could stand there as well.
    fn group_name(&mut self, key: &str, node: &Node, may_point: bool) -> Option<usize> {
        let names = std::mem::take(&mut self.names.groups);
        let found = self.name_of("group", key, node, &names, may_point);
        self.names.groups = names;
        found
    }

    fn path_name(&mut self, key: &str, node: &Node) -> Option<usize> {
        let names = std::mem::take(&mut self.names.paths);
        let found = self.name_of("path", key, node, &names, false);
        self.names.paths = names;
        found
    }

    fn field_name(&mut self, key: &str, node: &Node) -> Option<usize> {
        let names = std::mem::take(&mut self.names.fields);
        let found = self.name_of("field", key, node, &names, false);
        self.names.fields = names;
        found
    }

    pub(crate) fn point<V: Vector>(&mut self, key: &str, node: &Node) -> Option<V> {
        let count = node.list().map_or(0, <[Node]>::len);
        let allowed = match (V::DIMENSION, count) {
            (2, 3) => {
                "a point of two numbers such as [100, 50]; of three with dimension = 3 at the top \
                 of the file"
            }
            (2, _) => "a point such as [100, 50]",
            (_, 2) => "a point of three numbers such as [100, 50, 20], as `dimension` is 3",
            (_, _) => "a point such as [100, 50, 20]",
        };
        self.axes(key, node, allowed, wayfare::crowd::range::COORDINATE)
    }

    pub(super) fn velocity<V: Vector>(&mut self, node: &Node) -> Option<V> {
        let allowed = if V::DIMENSION == 2 {
            "a velocity such as [1, 0], or \"random\""
        } else {
            "a velocity such as [1, 0, 0], or \"random\""
        };
        self.axes("velocity", node, allowed, wayfare::crowd::range::VELOCITY)
    }

    fn axes<V: Vector>(
        &mut self,
        key: &str,
        node: &Node,
        allowed: &str,
        range: Range,
    ) -> Option<V> {
        let Some(items) = node.list().filter(|items| items.len() == V::DIMENSION) else {
            self.wrong(key, node, allowed);
            return None;
        };
        let mut axes = [0.0; 3];
        for (axis, item) in axes.iter_mut().zip(items) {
            *axis = to_f32(self.number(key, item, range)?);
        }
        Some(V::from_fn(|i| axes[i]))
    }

    pub(super) fn points<V: Vector>(&mut self, key: &str, node: &Node) -> Option<Vec<V>> {
        let allowed = if V::DIMENSION == 2 {
            "a list of points such as [[100, 50], [200, 80]]"
        } else {
            "a list of points such as [[100, 50, 20]]"
        };
        let items = self.list_of_lists(key, node, allowed)?;
        let points: Vec<V> = items.iter().filter_map(|item| self.point(key, item)).collect();
        (points.len() == items.len()).then_some(points)
    }

    /// Corners have two numbers in space as well.
    fn corners(&mut self, node: &Node) -> Option<Vec<Vec2>> {
        let allowed = "a list of corners such as [[470, 290], [540, 270], [530, 340]]";
        let items = self.list_of_lists("polygon", node, allowed)?;
        let corner = "a corner of two numbers such as [100, 50]; in three dimensions a polygon is \
                      a prism along z";
        let corners: Vec<Vec2> = items
            .iter()
            .filter_map(|item| {
                self.axes("polygon", item, corner, wayfare::crowd::range::COORDINATE)
            })
            .collect();
        (corners.len() == items.len()).then_some(corners)
    }

    /// The one key of a table of which only one can be there.
    pub(crate) fn one_of<'n>(
        &mut self,
        what: &str,
        node: &'n Node,
        table: &'static Table,
    ) -> Option<(&'static str, &'n Node)> {
        let before = self.problems.len();
        let entries = self.described(what, node, table)?;
        let found: Vec<_> =
            entries.iter().filter_map(|e| table.key(&e.key).map(|key| (key.name, e))).collect();
        if let [(kind, entry)] = found[..] {
            return Some((kind, &entry.node));
        }
        let kinds: Vec<&str> = table.keys.iter().map(|key| key.name).collect();
        if let [(first, _), (second, entry), ..] = found[..] {
            self.problem(
                entry.span.clone(),
                format!("`{what}` has a `{second}` beside its `{first}`"),
                format!("one of {}", kinds.join(", ")),
            );
        } else if self.problems.len() == before {
            self.problem(
                self.head_of(node),
                format!("`{what}` is empty"),
                format!("one of {}, such as {}", kinds.join(", "), table.example),
            );
        }
        None
    }

    /// `circle = { … }`, `box = { … }`, `segment = { … }` or `polygon = [ … ]`.
    pub(crate) fn shape<V: Vector>(&mut self, key: &str, node: &Node) -> Option<Shape<V>> {
        let (kind, inner) = self.one_of(key, node, &format::OBSTACLE)?;
        self.shape_of(kind, inner)
    }

    pub(crate) fn shape_of<V: Vector>(&mut self, kind: &str, node: &Node) -> Option<Shape<V>> {
        let radius = wayfare::crowd::range::RADIUS;
        match kind {
            "circle" => {
                self.described(kind, node, &format::CIRCLE)?;
                let center = node.get("center").and_then(|n| self.point("center", n));
                let radius = node.get("radius").and_then(|n| self.number("radius", n, radius));
                Some(Shape::Circle { center: center?, radius: to_f32(radius?) })
            }
            "box" => self.box_shape(node),
            "segment" => {
                self.described(kind, node, &format::SEGMENT)?;
                let from = node.get("from").and_then(|n| self.point("from", n));
                let to = node.get("to").and_then(|n| self.point("to", n));
                let thickness = node
                    .get("thickness")
                    .map_or(Some(0.0), |n| self.number("thickness", n, radius));
                Some(Shape::Segment { from: from?, to: to?, thickness: to_f32(thickness?) })
            }
            _ => Some(Shape::Polygon { points: self.corners(node)? }),
        }
    }

    fn box_shape<V: Vector>(&mut self, node: &Node) -> Option<Shape<V>> {
        let entries = self.described("box", node, &format::BOX)?;
        let has = |key| node.get(key).is_some();
        let by_corners = has("min") || has("max");
        let (needed, other) = if by_corners {
            (["min", "max"], ["center", "size", "angle"])
        } else {
            (["center", "size"], ["min", "max", ""])
        };
        if entries.iter().all(|entry| format::BOX.key(&entry.key).is_none()) {
            if entries.is_empty() {
                self.wrong("box", node, format!("a table such as {}", format::BOX.example));
            }
            return None;
        }
        for stray in entries.iter().filter(|entry| other.contains(&entry.key.as_str())) {
            self.problem(
                stray.span.clone(),
                format!("`{}` stands beside `min` and `max` in `box`", stray.key),
                format::BOX.example,
            );
        }
        for key in needed.into_iter().filter(|key| !has(key)) {
            self.problem(self.head_of(node), format!("`box` has no `{key}`"), format::BOX.example);
        }
        if by_corners {
            let min: Option<V> = node.get("min").and_then(|n| self.point("min", n));
            let max: Option<V> = node.get("max").and_then(|n| self.point("max", n));
            if let (Some(min), Some(max), Some(at)) = (min, max, node.get("max"))
                && (0..V::DIMENSION).any(|i| max.axis(i) < min.axis(i))
            {
                self.problem(
                    at.span.clone(),
                    "`max` is below `min`",
                    "a `max` that is above `min`, or as large, on every axis",
                );
                return None;
            }
            return Some(Shape::box_between(min?, max?));
        }
        let center = node.get("center").and_then(|n| self.point("center", n));
        let size: Option<V> = node.get("size").and_then(|n| {
            let allowed = if V::DIMENSION == 2 {
                "lengths along x and y such as [90, 50]"
            } else {
                "lengths along x, y and z such as [90, 50, 20]"
            };
            self.axes("size", n, allowed, wayfare::crowd::range::RADIUS)
        });
        let angle = node.get("angle").map_or(Some(0.0), |n| self.number("angle", n, format::ANGLE));
        Some(Shape::Box { center: center?, half: size? * 0.5, angle: to_f32(angle?.to_radians()) })
    }

    pub(super) fn target<V: Vector>(&mut self, key: &str, node: &Node) -> Option<Target<V>> {
        match &node.content {
            Content::Text(text) if text == "pointer" => Some(Target::Pointer),
            Content::Text(text) if text == "goal" => Some(Target::Goal),
            Content::Text(text) if text == "last_seen" => Some(Target::LastSeen),
            Content::Text(_) => self.group_name(key, node, true).map(Target::Group),
            Content::List(items) if !items.is_empty() && items.iter().all(Node::is_number) => {
                self.point(key, node).map(Target::Point)
            }
            _ => {
                self.wrong(key, node, Kind::Target.to_string());
                None
            }
        }
    }

    /// The values of a table of parameters, as their descriptions say.
    pub(super) fn parameters<V: Vector>(
        &mut self,
        name: &str,
        parameters: &'static [Parameter],
        node: &Node,
    ) -> Vec<(&'static str, Value<V>)> {
        let known: Vec<_> = parameters.iter().map(|p| (p.name, false)).collect();
        if node.table().is_none() {
            self.wrong(name, node, format!("a table such as {}", example(parameters)));
            return Vec::new();
        }
        self.table(name, node, &known);
        for parameter in parameters.iter().filter(|p| p.required) {
            if self.misses(node, parameter.name) {
                let allowed = format!("`{}` must be given: {}", parameter.name, parameter.kind);
                self.problem(
                    self.head_of(node),
                    format!("`{name}` has no `{}`", parameter.name),
                    allowed,
                );
            }
        }
        let mut values = Vec::new();
        for parameter in parameters {
            if let Some(value) = node
                .get(parameter.name)
                .and_then(|inner| self.value(parameter.name, parameter.kind, inner))
            {
                values.push((parameter.name, value));
            }
        }
        values
    }

    pub(super) fn value<V: Vector>(
        &mut self,
        key: &str,
        kind: Kind,
        node: &Node,
    ) -> Option<Value<V>> {
        match kind {
            Kind::Target => self.target(key, node).map(Value::Target),
            Kind::Group => {
                self.group_name(key, node, false).map(|group| Value::Group(GroupId(group)))
            }
            Kind::Path => self.path_name(key, node).map(|path| Value::Path(PathId(path))),
            Kind::Field => self.field_name(key, node).map(|field| Value::Field(FieldId(field))),
            Kind::Groups => {
                if let Some(text) = node.text() {
                    let mut problem = Problem::new(
                        node.span.clone(),
                        format!("`{key}` is {}", node.describe()),
                        kind.to_string(),
                    );
                    problem.help = Some(format!("in brackets: [\"{text}\"]"));
                    self.problems.push(problem);
                    return None;
                }
                let items = self.list(key, node, &kind.to_string())?;
                let groups: Vec<usize> =
                    items.iter().filter_map(|item| self.group_name(key, item, false)).collect();
                Some(Value::Groups(Groups::Only(groups)))
            }
            Kind::Area => {
                let (shape, inner) = self.one_of(key, node, &format::AREA)?;
                self.shape_of(shape, inner).map(Value::Area)
            }
            Kind::Nested(parameters) => Some(Value::Nested(self.parameters(key, parameters, node))),
            Kind::Double(range) => self.number(key, node, range).map(Value::Double),
            Kind::Flag => self.flag(key, node).map(Value::Flag),
            // Parameters of conditions and arrivals, which are decoded with their tables.
            Kind::Stat | Kind::Schedule | Kind::Condition | Kind::Conditions => None,
            Kind::Word(words) => self.word(key, node, words).map(|i| Value::Word(words[i])),
            Kind::Number(_) | Kind::NumberOr(..) | Kind::NumberOrOff(_) => {
                let value = match (&node.content, kind) {
                    (Content::Integer(x), _) => Some(Value::Number(to_f32(*x as f64))),
                    (Content::Number(x), _) => Some(Value::Number(to_f32(*x))),
                    (Content::Text(text), Kind::Number(range))
                        if text == "inf" && range.infinite =>
                    {
                        Some(Value::Number(f32::INFINITY))
                    }
                    (Content::Text(text), Kind::NumberOr(_, words)) => {
                        words.iter().find(|word| *word == text).map(|word| Value::Word(word))
                    }
                    (Content::Bool(false), Kind::NumberOrOff(_)) => Some(Value::Off),
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

/// The parameters that have to be given, as a table in a line.
pub(crate) fn example(parameters: &[Parameter]) -> String {
    let value = |kind| match kind {
        Kind::Number(_) | Kind::NumberOr(..) | Kind::NumberOrOff(_) => "20".to_string(),
        Kind::Double(_) => "20".to_string(),
        Kind::Flag => "true".to_string(),
        Kind::Stat => "\"stamina\"".to_string(),
        Kind::Schedule => "[[10, 5], [60, 20]]".to_string(),
        Kind::Condition => "{ time_in_state = 5 }".to_string(),
        Kind::Conditions => "[{ time_in_state = 5 }]".to_string(),
        Kind::Word(words) => quoted(&words[..1]),
        Kind::Target => "[100, 50]".to_string(),
        Kind::Group => "\"guest\"".to_string(),
        Kind::Groups => "[\"guest\"]".to_string(),
        Kind::Path => "\"beat\"".to_string(),
        Kind::Field => "\"way_out\"".to_string(),
        Kind::Area => format::AREA.example.to_string(),
        Kind::Nested(parameters) => example(parameters),
    };
    let entries: Vec<String> = parameters
        .iter()
        .filter(|p| p.required)
        .map(|p| format!("{} = {}", p.name, value(p.kind)))
        .collect();
    format!("{{ {} }}", entries.join(", "))
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}
