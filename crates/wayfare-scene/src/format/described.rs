//! Keys of tables that the library describes: structs, and variants of conditions, exit actions and
//! arrivals.

use wayfare::List;
use wayfare::crowd::Distribution;
use wayfare::glam::Vec2;
use wayfare::parameter::{Kind, Parameter, Parameters, Value};

use super::{AREA, GOAL, Key, KeyDefault, LEAVE, SPAWN, ValueKind};

/// What a table of the library has beside its description in scenes.
pub(super) struct Beside<'a> {
    /// Keys of the struct that are no keys of the table.
    pub(super) without: &'a [&'a str],
    /// Keys of the scene format, each before that key of the struct.
    pub(super) with: &'a [(&'a str, Key)],
    /// The tables of keys with a table.
    pub(super) tables: &'a [(&'a str, ValueKind)],
}

pub(super) const NOTHING: Beside<'_> = Beside { without: &[], with: &[], tables: &[] };

/// The keys of the table of `T`.
pub(super) const fn keys_of<T: Parameters<Vec2>, const N: usize>(beside: Beside<'_>) -> [Key; N] {
    let mut all = [key_of(&T::PARAMETERS[0]); N];
    let (mut at, mut i) = (0, 0);
    while i < T::PARAMETERS.len() {
        let parameter = &T::PARAMETERS[i];
        let mut k = 0;
        while k < beside.with.len() {
            if is_equal(beside.with[k].0, parameter.name) {
                all[at] = beside.with[k].1;
                at += 1;
            }
            k += 1;
        }
        if !holds(beside.without, parameter.name) {
            let mut key = key_of(parameter);
            let mut k = 0;
            while k < beside.tables.len() {
                if is_equal(beside.tables[k].0, parameter.name) {
                    key.kind = beside.tables[k].1;
                    if let ValueKind::Table(table) | ValueKind::Tables(table) = key.kind
                        && key.example.is_empty()
                    {
                        key.example = table.example;
                    }
                }
                k += 1;
            }
            if !parameter.required {
                key.default = KeyDefault::Described(default_of::<T>);
            }
            all[at] = key;
            at += 1;
        }
        i += 1;
    }
    assert!(at == N, "the array has as many keys as the table");
    all
}

/// The default of a key, as TOML writes it; empty where there is none.
fn default_of<T: Parameters<Vec2>>(name: &str) -> String {
    T::undecoded().get(name).and_then(|value| in_toml(&value)).unwrap_or_default()
}

fn in_toml(value: &Value<Vec2>) -> Option<String> {
    Some(match value {
        Value::Number(x) | Value::Distribution(Distribution::Same(x)) => x.to_string(),
        Value::Double(x) => x.to_string(),
        Value::Integer(x) => x.to_string(),
        Value::Flag(x) => x.to_string(),
        Value::Word(word) => format!("\"{word}\""),
        Value::Point(point) => format!("[{}, {}]", point.x, point.y),
        Value::Part(part) if part.get::<List<Vec2>>().is_some() => "[]".to_string(),
        _ => return None,
    })
}

pub(super) const fn is_equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

const fn holds(names: &[&str], name: &str) -> bool {
    let mut i = 0;
    while i < names.len() {
        if is_equal(names[i], name) {
            return true;
        }
        i += 1;
    }
    false
}

/// The key of a parameter; a nested table is that of the caller.
pub(super) const fn key_of(parameter: &Parameter) -> Key {
    let Parameter { name, doc, kind, required, example, .. } = *parameter;
    let (kind, of_kind) = kind_of(kind);
    let example = if example.is_empty() { of_kind } else { example };
    Key { name, required, kind, default: KeyDefault::NONE, doc, example }
}

/// A kind of the library among those of the format, with an example as TOML writes it.
pub(crate) const fn kind_of(kind: Kind) -> (ValueKind, &'static str) {
    match kind {
        Kind::Number(range) | Kind::Double(range) => (ValueKind::Number(range), "20"),
        Kind::Distribution(range) => (ValueKind::Distribution(range), "20"),
        Kind::Flag => (ValueKind::Flag, "true"),
        Kind::Word(words) => (ValueKind::Word(words), ""),
        Kind::Stat => (ValueKind::Name, "\"stamina\""),
        Kind::State | Kind::OwnState => (ValueKind::Name, "\"asleep\""),
        Kind::Path => (ValueKind::Name, "\"beat\""),
        Kind::Field => (ValueKind::Name, "\"way_out\""),
        Kind::Group | Kind::Quarry => (ValueKind::Name, "\"guest\""),
        Kind::Text => (ValueKind::Name, "\"guest\""),
        Kind::Groups => (ValueKind::Groups, "[\"guest\"]"),
        Kind::Target => (ValueKind::Target, "\"prey\""),
        Kind::TargetOr(words) => (ValueKind::TargetOr(words), "\"prey\""),
        Kind::Points | Kind::Line => (ValueKind::Points(0), "[[100, 50], [300, 50]]"),
        Kind::Point => (ValueKind::Point, "[100, 50]"),
        Kind::Direction => (ValueKind::Direction, "[0, 1]"),
        Kind::Velocity => (ValueKind::Velocity, "[1, 0]"),
        Kind::Integer(least, most) => (ValueKind::Integer(least, most), "4"),
        Kind::StatLimit => (ValueKind::StatLimit, "0"),
        Kind::Times(range) => (ValueKind::Times(range), "{ uniform = [5, 20] }"),
        Kind::Area => (ValueKind::Table(&AREA), AREA.example),
        Kind::Positions(true) => (ValueKind::Table(&SPAWN), ""),
        Kind::Positions(false) => (ValueKind::Table(&GOAL), ""),
        Kind::Schedule => (ValueKind::Schedule, "[[10, 5], [60, 20]]"),
        Kind::Behaviors => (ValueKind::Behaviors, ""),
        Kind::Rates => (ValueKind::Rates, ""),
        Kind::Transitions => (ValueKind::Tables(&LEAVE), LEAVE.example),
        Kind::Destinations => (ValueKind::Destinations, ""),
        Kind::ExitAction => (ValueKind::ExitAction, ""),
        Kind::Condition => (ValueKind::Condition, "{ time_in_state = 5 }"),
        Kind::Conditions => {
            (ValueKind::Conditions, "[{ time_in_state = 5 }, { near = \"prey\", within = 180 }]")
        }
        Kind::NumberOr(..)
        | Kind::Auto(..)
        | Kind::NumberOrOff(_)
        | Kind::Nested(_)
        | Kind::Tables(_)
        | Kind::Shape(_)
        | Kind::Arrivals => (ValueKind::Text, ""),
    }
}
