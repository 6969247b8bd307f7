//! What makes sense in a scene: how far a slider goes, and what a behavior that is added begins
//! with.

use wayfare::parameter::{Kind, Parameter, Range, SMALLEST, Unit};

use super::value::Value;
use super::walk::Names;
use crate::document::{Content, Node};

/// The size of a scene, by which numbers that nothing else tells are chosen.
pub(super) struct Sense {
    /// The corners of the world, or what stands for them.
    min: Vec<f64>,
    max: Vec<f64>,
    dt: f64,
    /// The top speed of the group it is in, and its name.
    speed: f64,
    group: String,
    /// The largest number of its stats, and what a number without a unit is like where it is now.
    pub(super) stat: f64,
    pub(super) numbers: f64,
}

impl Sense {
    pub(super) fn of(root: &Node) -> Self {
        let corner = |key| {
            root.get("bounds").and_then(|bounds| {
                bounds.get(key)?.list()?.iter().map(number).collect::<Option<Vec<f64>>>()
            })
        };
        let axes = if root.get("dimension").and_then(number) == Some(3.0) { 3 } else { 2 };
        Self {
            min: corner("min").unwrap_or(vec![0.0; axes]),
            max: corner("max").unwrap_or([640.0, 480.0, 480.0][..axes].to_vec()),
            dt: root.get("dt").and_then(number).unwrap_or(1.0),
            speed: 3.0,
            group: String::new(),
            stat: 1.0,
            numbers: 1.0,
        }
    }

    /// From here on it is about this group.
    pub(super) fn enter(&mut self, group: &Node) {
        self.speed =
            group.get("max_speed").and_then(Value::of).as_ref().and_then(largest).unwrap_or(3.0);
        let finite = |x: &f64| x.is_finite() && *x > 0.0;
        self.stat = group
            .get("stat")
            .and_then(Value::of)
            .as_ref()
            .and_then(largest)
            .filter(finite)
            .unwrap_or(1.0);
        self.group = group.get("name").and_then(Node::text).unwrap_or_default().to_string();
    }

    /// A number of this unit that can be seen at work.
    fn number(&self, unit: Unit) -> f64 {
        let extent = self.min.iter().zip(&self.max).map(|(min, max)| max - min).fold(0.0, f64::max);
        match unit {
            Unit::None => self.numbers,
            Unit::Length => round(extent / 10.0),
            Unit::Time => round(self.dt * 100.0),
            Unit::Speed => round(self.speed / 1.5),
            Unit::Radians => 0.5,
            Unit::Degrees | Unit::TurnRate => 90.0,
        }
    }

    /// A box in the middle half of the world.
    pub(super) fn area(&self) -> Value {
        let at = |part: f64| -> Vec<f64> {
            self.min
                .iter()
                .zip(&self.max)
                .map(|(min, max)| (min + (max - min) * part).round())
                .collect()
        };
        Value::Table(vec![(
            "box".to_string(),
            Value::Table(vec![
                ("min".to_string(), at(0.25).into()),
                ("max".to_string(), at(0.75).into()),
            ]),
        )])
    }

    /// The parameters that must be given, each with something that makes sense; where there is
    /// nothing, what is missing.
    pub(super) fn required(
        &self,
        parameters: &[Parameter],
        names: &Names,
    ) -> Result<Vec<(String, Value)>, &'static str> {
        let others =
            || names.groups.iter().find(|group| **group != self.group).or(names.groups.first());
        let value = |kind: Kind| match kind {
            Kind::Number(range) | Kind::NumberOr(range, _) | Kind::NumberOrOff(range) => {
                Ok(Value::from(self.number(range.unit).clamp(range.min.into(), range.max.into())))
            }
            Kind::Double(range) => {
                Ok(Value::from(self.number(range.unit).clamp(range.min.into(), range.max.into())))
            }
            Kind::Flag => Ok(Value::from(true)),
            Kind::Stat => Err("a stat"),
            Kind::Schedule => Err("a schedule"),
            Kind::Condition | Kind::Conditions => Err("a condition"),
            Kind::Word(words) => Ok(Value::from(words[0])),
            Kind::Target if names.pointer => Ok(Value::from("pointer")),
            Kind::Target => Ok(Value::from(
                self.min
                    .iter()
                    .zip(&self.max)
                    .map(|(min, max)| ((min + max) / 2.0).round())
                    .collect::<Vec<_>>(),
            )),
            Kind::Group => others().map(|name| Value::from(name.as_str())).ok_or("a group"),
            Kind::Groups => {
                Ok(Value::from(names.groups.iter().map(String::as_str).collect::<Vec<_>>()))
            }
            Kind::Path => {
                names.paths.first().map(|name| Value::from(name.as_str())).ok_or("a path")
            }
            Kind::Field => {
                names.fields.first().map(|name| Value::from(name.as_str())).ok_or("a field")
            }
            Kind::Area => Ok(self.area()),
            Kind::Nested(inner) => self.required(inner, names).map(Value::Table),
        };
        parameters
            .iter()
            .filter(|parameter| parameter.required)
            .map(|parameter| Ok((parameter.name.to_string(), value(parameter.kind)?)))
            .collect()
    }
}

fn number(node: &Node) -> Option<f64> {
    match node.content {
        Content::Integer(x) => Some(x as f64),
        Content::Number(x) => Some(x),
        _ => None,
    }
}

/// The number, or the largest inside a range or a list.
fn largest(value: &Value) -> Option<f64> {
    match value {
        Value::List(items) => items.iter().filter_map(largest).reduce(f64::max),
        Value::Table(entries) => {
            entries.iter().filter_map(|(_, value)| largest(value)).reduce(f64::max)
        }
        other => other.number(),
    }
}

/// Least and most of a slider for numbers of `range`, of which `given` is one.
///
/// Where the range is wide it is what lies round twice that number; parts of a whole and degrees
/// have all of theirs.
pub(super) fn usual(range: Range, given: Option<&Value>, sense: &Sense) -> [f64; 2] {
    let (min, max) = (short(range.min), short(range.max));
    if range.unit == Unit::Degrees || (min >= 0.0 && max <= 1.0) {
        return [min, max];
    }
    let given = given.and_then(largest).filter(|x| x.is_finite());
    // What may be without a limit is limited farther out, and next to nothing tells no size.
    let other = sense.number(range.unit)
        * if range.infinite && range.unit != Unit::None { 5.0 } else { 1.0 };
    let size = given.map(f64::abs).filter(|size| *size > other * 1e-3).unwrap_or(other);
    // How far a behavior looks or reaches is tried far beyond what it is; the size of a body is
    // not.
    let far = if range.unit == Unit::Length && size >= 0.3 * other {
        (9.0 * size).min(4.0 * sense.number(Unit::Length))
    } else {
        0.0
    };
    let most = above((2.0 * size).max(far)).min(max);
    let least = if given.is_some_and(|x| x < 0.0) {
        -most
    } else if range.min == SMALLEST {
        most / 100.0
    } else {
        0.0
    };
    [least.max(min), most]
}

/// Least and most of a slider for whole numbers.
pub(super) fn usual_whole([least, most]: [u64; 2], given: Option<&Value>) -> [u64; 2] {
    let size = given.and_then(Value::number).unwrap_or(5.0).max(5.0);
    [least, (above(2.0 * size) as u64).clamp(least + 1, most)]
}

/// A value of the plane as space has it: points have a third coordinate.
pub(super) fn in_space(key: &str, value: Value) -> Value {
    match value {
        Value::Table(entries) => Value::Table(
            entries.into_iter().map(|(key, value)| (key.clone(), in_space(&key, value))).collect(),
        ),
        Value::List(mut items) if items.iter().all(|item| item.number().is_some()) => {
            let coordinates = if key == "track" { 3 } else { 2 };
            if items.len() == coordinates && !["polygon", "uniform"].contains(&key) {
                items.push(Value::Whole(if ["max", "size"].contains(&key) { 480 } else { 0 }));
            }
            Value::List(items)
        }
        Value::List(items) => {
            Value::List(items.into_iter().map(|item| in_space(key, item)).collect())
        }
        other => other,
    }
}

/// The number with the digits that single precision has.
fn short(x: f32) -> f64 {
    Value::from(x).number().unwrap_or(x.into())
}

/// 1, 2 or 5 times a power of ten.
fn steps(x: f64) -> impl Iterator<Item = f64> {
    let tens = 10_f64.powi(x.abs().max(1e-9).log10().floor() as i32);
    [1.0, 2.0, 5.0, 10.0].into_iter().filter_map(move |step| Value::from(step * tens).number())
}

/// The first of the steps that is not below `x`.
fn above(x: f64) -> f64 {
    steps(x).find(|step| *step >= x).unwrap_or(x)
}

/// The step that is nearest to `x`.
fn round(x: f64) -> f64 {
    steps(x).min_by(|a, b| (a - x).abs().total_cmp(&(b - x).abs())).unwrap_or(x)
}
