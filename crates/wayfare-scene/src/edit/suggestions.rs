//! Values that suit a scene: the range of a slider, and the parameters of a new behavior.

use wayfare::glam::Vec2;
use wayfare::parameter::Description;
use wayfare::parameter::{Kind, Parameter, Range, SMALLEST, Unit};
use wayfare::registry::Behavior;

use super::names::Names;
use super::value::Value;
use crate::document::{Content, Node};
use crate::format::{self, Table, ValueKind};

/// The dimensions of a scene, and of the group that is being visited.
pub(super) struct Suggestions {
    /// The corner of the bounds with the smallest coordinates; a stand-in where there are none.
    min: Vec<f64>,
    /// The corner of the bounds with the largest coordinates; a stand-in where there are none.
    max: Vec<f64>,
    dt: f64,
    /// The `max_speed` of the group.
    max_speed: f64,
    /// The name of the group.
    group: String,
    /// The largest number among the stats of the group.
    pub(super) largest_stat: f64,
}

impl Suggestions {
    pub(super) fn of(root: &Node) -> Self {
        let corner = |key| {
            let corner = root.get("bounds")?.get(key)?.list()?;
            corner.iter().map(number).collect::<Option<Vec<f64>>>()
        };
        let axes = if root.get("dimension").and_then(number) == Some(3.0) { 3 } else { 2 };
        Self {
            min: corner("min").unwrap_or(vec![0.0; axes]),
            max: corner("max").unwrap_or([640.0, 480.0, 480.0][..axes].to_vec()),
            dt: root.get("dt").and_then(number).unwrap_or(1.0),
            max_speed: 3.0,
            group: String::new(),
            largest_stat: 1.0,
        }
    }

    /// Makes suggestions for members of `group` from now on.
    pub(super) fn enter_group(&mut self, group: &Node) {
        let largest_in = |key| group.get(key).and_then(Value::of).as_ref().and_then(largest);
        self.max_speed = largest_in("max_speed").unwrap_or(3.0);
        self.largest_stat = largest_in("stat").filter(|x| x.is_finite() && *x > 0.0).unwrap_or(1.0);
        self.group = group.get("name").and_then(Node::text).unwrap_or_default().to_string();
    }

    /// A number of this unit whose effect is visible; `unitless` where it has no unit.
    fn typical(&self, unit: Unit, unitless: f64) -> f64 {
        let extent = self.min.iter().zip(&self.max).map(|(min, max)| max - min).fold(0.0, f64::max);
        match unit {
            Unit::None | Unit::Count => unitless,
            Unit::Length => nearest_step(extent / 10.0),
            Unit::Time => nearest_step(self.dt * 100.0),
            Unit::Speed => nearest_step(self.max_speed / 1.5),
            Unit::Acceleration => nearest_step(self.max_speed / (self.dt * 50.0)),
            Unit::Radians => 0.5,
            Unit::Degrees | Unit::TurnRate => 90.0,
        }
    }

    /// The point at this fraction between the smallest and the largest coordinates.
    pub(super) fn point_at(&self, part: f64) -> Vec<f64> {
        let axes = self.min.iter().zip(&self.max);
        axes.map(|(min, max)| (min + (max - min) * part).round()).collect()
    }

    /// A box in the middle of the world, half as wide.
    pub(super) fn area(&self) -> Value {
        let corners = [("min", 0.25), ("max", 0.75)]
            .map(|(key, part)| (key.to_string(), self.point_at(part).into()));
        Value::Table(vec![("box".to_string(), Value::Table(corners.into()))])
    }

    /// A value for each required parameter.
    ///
    /// # Errors
    /// What the scene lacks, such as `"a path"`.
    pub(super) fn required_parameters(
        &self,
        parameters: &[Parameter],
        names: &Names,
    ) -> Result<Vec<(String, Value)>, &'static str> {
        let required = parameters.iter().filter(|parameter| parameter.required);
        required
            .map(|parameter| Ok((parameter.name.to_string(), self.value(parameter.kind, names)?)))
            .collect()
    }

    fn value(&self, kind: Kind, names: &Names) -> Result<Value, &'static str> {
        let first = |names: &[String], missing| {
            names.first().map(|name| Value::from(name.as_str())).ok_or(missing)
        };
        Ok(match kind {
            Kind::Number(range)
            | Kind::Double(range)
            | Kind::Distribution(range)
            | Kind::NumberOr(range, _)
            | Kind::Auto(range, _)
            | Kind::NumberOrOff(range) => {
                let number = self.typical(range.unit, 1.0);
                Value::from(number.clamp(range.min.into(), range.max.into()))
            }
            Kind::Flag => Value::from(true),
            Kind::Stat => return Err("a stat"),
            Kind::Word(words) => Value::from(words[0]),
            Kind::Target if names.has_pointer() => Value::from("pointer"),
            Kind::Target => Value::from(self.point_at(0.5)),
            Kind::Points => Value::List(vec![Value::from(self.point_at(0.5))]),
            Kind::Line => match names.lines.first() {
                Some(line) => Value::from(line.as_str()),
                None => Value::List([0.4, 0.6].map(|x| Value::from(self.point_at(x))).to_vec()),
            },
            Kind::Group | Kind::Quarry => {
                match names.groups.iter().find(|group| **group != self.group) {
                    Some(other) => Value::from(other.as_str()),
                    None => first(&names.groups, "a group")?,
                }
            }
            Kind::Groups => {
                Value::from(names.groups.iter().map(String::as_str).collect::<Vec<_>>())
            }
            Kind::Path => first(&names.paths, "a path")?,
            Kind::Field => first(&names.flow_fields, "a field")?,
            Kind::Area => self.area(),
            Kind::Nested(inner) => Value::Table(self.required_parameters(inner, names)?),
            other => Value::read(format::kind_of(other).1).ok_or("an example")?,
        })
    }

    /// Smallest and largest value of a slider for a number in `range`, of which `given` is an
    /// example; `unitless` is a typical number where the range has no unit.
    ///
    /// Degrees and fractions of 1 use their whole range. In any other range a slider goes from 0 to
    /// twice the example, or farther for lengths.
    pub(super) fn slider(&self, range: Range, given: Option<&Value>, unitless: f64) -> [f64; 2] {
        let (min, max) = (short(range.min), short(range.max));
        if range.unit == Unit::Degrees || (min >= 0.0 && max <= 1.0) {
            return [min, max];
        }
        let given = given.and_then(largest).filter(|x| x.is_finite());
        // A limit that may be infinite has an effect only in a wider range.
        let wider = if range.infinite && range.unit != Unit::None { 5.0 } else { 1.0 };
        let typical = self.typical(range.unit, unitless) * wider;
        // A number close to zero gives no scale.
        let size = given.map(f64::abs).filter(|size| *size > typical * 1e-3).unwrap_or(typical);
        // Radii of perception are worth trying far beyond their value; radii of bodies, which are
        // smaller, are not.
        let far = if range.unit == Unit::Length && size >= 0.3 * typical {
            (9.0 * size).min(4.0 * self.typical(Unit::Length, unitless))
        } else {
            0.0
        };
        let most = step_at_least((2.0 * size).max(far)).min(max);
        let least = if given.is_some_and(|x| x < 0.0) {
            -most
        } else if range.min == SMALLEST {
            most / 100.0
        } else {
            0.0
        };
        [least.max(min), most]
    }
}

/// Smallest and largest value of a slider for an integer, of which `given` is an example.
pub(super) fn integer_slider([least, most]: [u64; 2], given: Option<&Value>) -> [u64; 2] {
    let size = given.and_then(Value::number).unwrap_or(5.0).max(5.0);
    [least, (step_at_least(2.0 * size) as u64).clamp(least + 1, most)]
}

fn number(node: &Node) -> Option<f64> {
    match node.content {
        Content::Integer(x) => Some(x as f64),
        Content::Number(x) => Some(x),
        _ => None,
    }
}

/// The number, or the largest number in a list or a table.
fn largest(value: &Value) -> Option<f64> {
    match value {
        Value::List(items) => items.iter().filter_map(largest).reduce(f64::max),
        Value::Table(entries) => {
            entries.iter().filter_map(|(_, value)| largest(value)).reduce(f64::max)
        }
        other => other.number(),
    }
}

/// The third coordinate of corners and sizes in examples, so that boxes have a volume.
const HEIGHT: i128 = 480;

/// A value of the plane for a key in a scene of space: its points get a third coordinate.
pub(super) fn in_space(key: &str, kind: ValueKind, value: Value) -> Value {
    let height = if key == "max" { HEIGHT } else { 0 };
    match kind {
        ValueKind::Point
        | ValueKind::Direction
        | ValueKind::Velocity
        | ValueKind::Target
        | ValueKind::TargetOr(_) => with_axis(value, height),
        ValueKind::Size => with_axis(value, HEIGHT),
        ValueKind::Points(_) | ValueKind::Track => map_items(value, |point| with_axis(point, 0)),
        ValueKind::Table(table) => table_in_space(table, value),
        ValueKind::Measure(kind) => parameters_in_space(kind.parameters, value),
        ValueKind::Condition => table_in_space(&format::CONDITION, value),
        ValueKind::Tables(table) => map_items(value, |item| table_in_space(table, item)),
        ValueKind::Conditions => map_items(value, |item| table_in_space(&format::CONDITION, item)),
        ValueKind::NamedTables(table) => map_entries(value, |_, item| table_in_space(table, item)),
        ValueKind::Behaviors => map_items(value, |entry| {
            map_entries(entry, |name, parameters| match behavior(name) {
                Some(behavior) => parameters_in_space(behavior.parameters, parameters),
                None => parameters,
            })
        }),
        _ => value,
    }
}

/// A table of the plane in a scene of space.
pub(super) fn table_in_space(table: &Table, value: Value) -> Value {
    map_entries(value, |name, value| match table.key(name) {
        Some(key) => in_space(key.name, key.kind, value),
        None => value,
    })
}

/// The parameters of a behavior of the plane in a scene of space.
pub(super) fn parameters_in_space(parameters: &[Parameter], value: Value) -> Value {
    map_entries(value, |name, value| {
        match parameters.iter().find(|parameter| parameter.name == name).map(|p| p.kind) {
            Some(Kind::Target) => with_axis(value, 0),
            Some(Kind::Points | Kind::Line) => map_items(value, |point| with_axis(point, 0)),
            Some(Kind::Area) => table_in_space(&format::AREA, value),
            Some(Kind::Nested(inner)) => parameters_in_space(inner, value),
            _ => value,
        }
    })
}

/// The description of the behavior with this name.
pub(super) fn behavior(name: &str) -> Option<&'static Description> {
    Behavior::<Vec2>::LIST.iter().find(|behavior| behavior.name == name)
}

/// A list of numbers with one number more; any other value unchanged.
fn with_axis(value: Value, coordinate: i128) -> Value {
    match value {
        Value::List(mut numbers) => {
            numbers.push(Value::Integer(coordinate));
            Value::List(numbers)
        }
        other => other,
    }
}

fn map_entries(value: Value, change: impl Fn(&str, Value) -> Value) -> Value {
    let Value::Table(entries) = value else { return value };
    let changed = entries.into_iter().map(|(name, value)| {
        let value = change(&name, value);
        (name, value)
    });
    Value::Table(changed.collect())
}

fn map_items(value: Value, change: impl Fn(Value) -> Value) -> Value {
    match value {
        Value::List(items) => Value::List(items.into_iter().map(change).collect()),
        other => change(other),
    }
}

/// The number with the seven digits of single precision.
fn short(x: f32) -> f64 {
    Value::from(x).number().unwrap_or(x.into())
}

/// 1, 2, 5 and 10 times the power of ten at or below `x`.
fn steps(x: f64) -> impl Iterator<Item = f64> {
    let tens = 10_f64.powi(x.abs().max(1e-9).log10().floor() as i32);
    [1.0, 2.0, 5.0, 10.0].into_iter().filter_map(move |step| Value::from(step * tens).number())
}

/// The smallest step that is at least `x`.
fn step_at_least(x: f64) -> f64 {
    steps(x).find(|step| *step >= x).unwrap_or(x)
}

/// The step nearest to `x`.
fn nearest_step(x: f64) -> f64 {
    steps(x).min_by(|a, b| (a - x).abs().total_cmp(&(b - x).abs())).unwrap_or(x)
}
