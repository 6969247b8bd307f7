//! Writes a command as a line of a log, with every number in the shortest form that reads back to
//! the same bits.

use std::any::Any;
use std::fmt::{Display, Write};

use wayfare::Order;
use wayfare::crowd::{AgentChange, Command, Limit, Setting, WriteArguments};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, Vec3};
use wayfare::vector::Vector;

pub(super) fn line<V: Vector>(tick: u64, command: &Command<V>) -> String {
    let mut line = Line(format!("{{\"tick\": {tick}"));
    command.write(&mut line);
    line.0 + "}\n"
}

/// A line to which arguments are added.
struct Line(String);

impl Line {
    fn add(&mut self, key: &str, value: impl Display) {
        let _ = write!(self.0, ", \"{key}\": {value}");
    }
}

fn or_null<T>(value: &Option<T>, text: impl FnOnce(&T) -> String) -> String {
    value.as_ref().map_or("null".to_string(), text)
}

impl<V: Vector> WriteArguments<V> for Line {
    fn index(&mut self, key: &'static str, index: &impl Display) {
        self.add(key, index);
    }
    fn text(&mut self, key: &'static str, text: &str) {
        self.add(key, json_text(text));
    }
    fn flag(&mut self, key: &'static str, flag: &bool) {
        self.add(key, flag);
    }
    fn stat(&mut self, key: &'static str, value: &f32) {
        self.add(key, number(*value));
    }
    fn point(&mut self, key: &'static str, at: &V) {
        self.add(key, point(*at));
    }
    fn optional_point(&mut self, key: &'static str, at: &Option<V>) {
        at.iter().for_each(|at| self.add(key, point(*at)));
    }
    fn pointer(&mut self, key: &'static str, at: &Option<V>) {
        self.add(key, or_null(at, |at| point(*at)));
    }
    fn shape(&mut self, key: &'static str, added: &Shape<V>) {
        self.add(key, shape(added));
    }
    fn setting(&mut self, key: &'static str, value: &Setting<V>) {
        self.add(key, setting(value));
    }
    fn order(&mut self, key: &'static str, order: &Option<Order<V, String>>) {
        self.add(key, or_null(order, order_text));
    }
    fn limit(&mut self, _: &'static str, limit: &Limit) {
        let _ = write!(self.0, ", \"{}\": ", limit.name());
    }
    fn limit_value(&mut self, _: &'static str, value: &Option<f32>) {
        self.0 += &or_null(value, |x| setting::<V>(&Setting::Number(*x)));
    }
    fn change(&mut self, _: &'static str, change: &AgentChange<V>) {
        change.write(self);
    }
    fn encoded(&mut self, _: &'static str, command: &Command<V>) {
        self.0 += ", ";
        // Where it cannot be written, the line is refused when the log is read, and tells why.
        self.0 += &encoded(command)
            .unwrap_or_else(|error| format!("\"add_group\": {}", json_text(&error.to_string())));
    }
}

/// The key and the value of a command that adds or removes groups or parts of the world, in the
/// form of the library's feature `serde`.
///
/// # Errors
/// A group has a behavior without described parameters.
fn encoded<V: Vector>(command: &Command<V>) -> serde_json::Result<String> {
    // `Vector` has two types, which the compiler does not know to be serializable.
    let any: &dyn Any = command;
    let json = if let Some(command) = any.downcast_ref::<Command<Vec2>>() {
        serde_json::to_string(command)?
    } else if let Some(command) = any.downcast_ref::<Command<Vec3>>() {
        serde_json::to_string(command)?
    } else {
        return Err(serde::ser::Error::custom("the vector is neither Vec2 nor Vec3"));
    };
    Ok(json[1..json.len() - 1].replacen(':', ": ", 1))
}

fn order_text<V: Vector>(order: &Order<V, String>) -> String {
    match order {
        Order::Point(p) => point(*p),
        Order::Agent(id) => format!("{{\"agent\": {id}}}"),
        Order::Path(path) => format!("{{\"path\": {}}}", json_text(path)),
    }
}

fn setting<V: Vector>(value: &Setting<V>) -> String {
    match value {
        Setting::Number(x) if x.is_infinite() => "\"inf\"".to_string(),
        Setting::Number(x) => number(*x),
        Setting::Flag(flag) => flag.to_string(),
        Setting::Text(text) => json_text(text),
        Setting::Texts(list) => {
            format!("[{}]", list.iter().map(|text| json_text(text)).collect::<Vec<_>>().join(", "))
        }
        Setting::Point(p) => point(*p),
        Setting::Area(area) => shape(area),
    }
}

/// The JSON notation of a number. The sign of zero is kept.
fn number(x: f32) -> String {
    format!("{x:?}")
}

fn point<V: Vector>(p: V) -> String {
    format!("[{}]", (0..V::DIMENSION).map(|i| number(p.axis(i))).collect::<Vec<_>>().join(", "))
}

fn shape<V: Vector>(shape: &Shape<V>) -> String {
    match shape {
        Shape::Circle { center, radius } => format!(
            "{{\"circle\": {{\"center\": {}, \"radius\": {}}}}}",
            point(*center),
            number(*radius)
        ),
        Shape::Box { center, half, angle } => {
            // Files have angles in degrees. All digits of double precision are written, so that the
            // conversion back gives the same radians.
            let angle = if *angle == 0.0 {
                String::new()
            } else {
                format!(", \"angle\": {:?}", f64::from(*angle).to_degrees())
            };
            format!(
                "{{\"box\": {{\"center\": {}, \"size\": {}{angle}}}}}",
                point(*center),
                point(*half * 2.0)
            )
        }
        Shape::Segment { from, to, thickness } => {
            format!(
                "{{\"segment\": {{\"from\": {}, \"to\": {}, \"thickness\": {}}}}}",
                point(*from),
                point(*to),
                number(*thickness)
            )
        }
        Shape::Polygon { points } => format!(
            "{{\"polygon\": [{}]}}",
            points.iter().map(|p| point(*p)).collect::<Vec<_>>().join(", ")
        ),
    }
}

/// The JSON notation of a text, with its quotes.
pub fn json_text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
