//! Writes a command as a line of a log, with every number in the shortest form that reads back to
//! the same bits.

use std::any::Any;
use std::fmt::Write;

use wayfare::Order;
use wayfare::crowd::{AgentChange, Command, Setting};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, Vec3};
use wayfare::vector::Vector;

pub(super) fn line<V: Vector>(tick: u64, command: &Command<V>) -> String {
    let motion = |position: &V, velocity: &Option<V>| {
        let velocity =
            velocity.map(|v| format!(", \"velocity\": {}", point(v))).unwrap_or_default();
        format!("\"position\": {}{velocity}", point(*position))
    };
    let keys = match command {
        Command::Pointer(None) => "\"pointer\": null".to_string(),
        Command::Pointer(Some(p)) => format!("\"pointer\": {}", point(*p)),
        Command::Add { group, position, velocity } => {
            format!("\"add\": {}, {}", json_text(group), motion(position, velocity))
        }
        Command::Remove(id) => format!("\"remove\": {id}"),
        Command::Move { id, position, velocity } => {
            format!("\"move\": {id}, {}", motion(position, velocity))
        }
        Command::Agent { id, change } => format!("\"agent\": {id}, {}", agent_change(change)),
        Command::AddObstacle(added) => format!("\"add_obstacle\": {}", shape(added)),
        Command::SetObstacle(i, changed) => {
            format!("\"set_obstacle\": {i}, \"shape\": {}", shape(changed))
        }
        Command::RemoveObstacle(i) => format!("\"remove_obstacle\": {i}"),
        Command::AddPoint { path, point, position } => format!(
            "\"add_point\": {point}, \"path\": {}, {}",
            json_text(path),
            motion(position, &None)
        ),
        Command::MovePoint { path, point, position } => format!(
            "\"move_point\": {point}, \"path\": {}, {}",
            json_text(path),
            motion(position, &None)
        ),
        Command::RemovePoint { path, point } => {
            format!("\"remove_point\": {point}, \"path\": {}", json_text(path))
        }
        Command::Set { key_path, value } => {
            format!("\"set\": {}, \"value\": {}", json_text(key_path), setting(value))
        }
        other => encoded(other).unwrap_or_else(|error| {
            // The line is refused when the log is read, and tells why.
            format!("\"add_group\": {}", json_text(&error.to_string()))
        }),
    };
    format!("{{\"tick\": {tick}, {keys}}}\n")
}

/// The key and the value of a command that adds or removes groups or parts of the world, in the
/// form of the library's feature `serde`.
///
/// # Errors
/// A group has a behavior without described parameters.
pub(super) fn encoded<V: Vector>(command: &Command<V>) -> serde_json::Result<String> {
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

fn agent_change<V: Vector>(change: &AgentChange<V>) -> String {
    match change {
        AgentChange::Order(order) => format!("\"order\": {}", order_text(order.as_ref())),
        AgentChange::Limit(limit, value) => {
            let value = value.map_or("null".to_string(), |x| setting::<V>(&Setting::Number(x)));
            format!("\"{}\": {value}", limit.name())
        }
        AgentChange::State(name) => format!("\"state\": {}", json_text(name)),
        AgentChange::Stat(name, value) => {
            format!("\"stat\": {}, \"value\": {}", json_text(name), number(*value))
        }
        AgentChange::Group(name) => format!("\"group\": {}", json_text(name)),
        AgentChange::Frozen(frozen) => format!("\"frozen\": {frozen}"),
        AgentChange::Facing(direction) => format!("\"facing\": {}", point(*direction)),
        other => unreachable!("logs have no key for {other:?}"),
    }
}

fn order_text<V: Vector>(order: Option<&Order<V, String>>) -> String {
    match order {
        None => "null".to_string(),
        Some(Order::Point(p)) => point(*p),
        Some(Order::Agent(id)) => format!("{{\"agent\": {id}}}"),
        Some(Order::Path(path)) => format!("{{\"path\": {}}}", json_text(path)),
        Some(other) => unreachable!("logs have no key for {other:?}"),
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
