//! The scene format as a JSON Schema (draft 2020-12), for editors that complete and check scenes.
//!
//! Made from the descriptions of behaviors and tables that the decoder reads. A schema cannot
//! express whether a name is defined, whether a polygon crosses itself, or whether `queue` is the
//! last of its list.
//!
//! Editors complete keys along `properties`, `items` and `$ref`, so these contain all keys, and a
//! point has two or three numbers. `if`, `then` and `else` at the top then require as many numbers
//! as the scene has dimensions: each definition with points has two further forms, `plane.NAME` and
//! `space.NAME`, which only bound the lengths of lists.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};
use wayfare::Registry;
use wayfare::crowd::{MAX_AGENTS, range};
use wayfare::glam::Vec2;
use wayfare::parameter::{Kind, LARGEST, Parameter, Range, SMALLEST, Unit, Value};
use wayfare::registry::Behavior;
use wayfare_measure::Kinds;

use crate::format::{self, Key, TABLES, Table, ValueKind};
use crate::presentation::COLOR_NAMES;

/// The JSON Schema of scene files, TOML or JSON, as text.
///
/// JSON has no infinity. Where `inf` is allowed, so are `null`, which tools that convert TOML to
/// JSON write for it, and the text "inf", which scenes in JSON have.
pub fn schema() -> String {
    schema_with(&Registry::default())
}

/// The schema of scenes whose lists may hold registered behaviors. A behavior that is registered
/// for 3D only is left out.
pub fn schema_with(registry: &Registry) -> String {
    let mut definitions = Map::new();
    for table in TABLES.iter().filter(|table| table.name != format::SCENE.name) {
        definitions.insert(table.name.to_string(), table_schema(table));
    }
    for behavior in registry.descriptions::<Vec2>() {
        let defaults: Option<Behavior<Vec2>> = registry.from_name(behavior.name);
        let default = |name: &str| defaults.as_ref().and_then(|behavior| behavior.get(name));
        let schema = parameters(behavior.doc, behavior.parameters, &default);
        definitions.insert(behavior.name.to_string(), schema);
    }
    for kind in format::measure_kinds() {
        let defaults = Kinds::<Vec2>::from_name(kind.name);
        let default = |name: &str| defaults.as_ref().and_then(|kind| kind.get(name));
        let schema = parameters(kind.doc, kind.parameters, &default);
        definitions.insert(format::measure_schema_name(kind.name), schema);
    }
    definitions.insert("steer".to_string(), list_entry(registry));
    definitions.insert("point".to_string(), list(number(range::COORDINATE), 2, 3));
    definitions.insert("lengths".to_string(), list(number(range::RADIUS), 2, 3));
    definitions.insert("velocity".to_string(), list(number(range::VELOCITY), 2, 3));
    definitions.insert("track_point".to_string(), list(number(range::COORDINATE), 3, 4));
    definitions.insert("corner".to_string(), list(number(range::COORDINATE), 2, 2));
    definitions.insert("groups".to_string(), json!({ "type": "array", "items": name() }));

    let mut scene = table_schema(&format::SCENE);
    let bounded = with_points(&definitions);
    for dimension in [2, 3] {
        for name in &bounded {
            let lengths = lengths_of(name, &definitions[name], dimension, &bounded)
                .unwrap_or_else(|| json!({}));
            definitions.insert(bound_name(name, dimension), lengths);
        }
        definitions.insert(
            bound_name("scene", dimension),
            lengths(&scene, dimension, &bounded).unwrap_or_else(|| json!({})),
        );
    }
    if let Some(scene) = scene.as_object_mut() {
        scene.insert(
            "if".to_string(),
            json!({ "properties": { "dimension": { "const": 3 } }, "required": ["dimension"] }),
        );
        scene.insert("then".to_string(), reference(&bound_name("scene", 3)));
        scene.insert("else".to_string(), reference(&bound_name("scene", 2)));
        scene.insert("$defs".to_string(), Json::Object(definitions));
        scene.shift_insert(
            0,
            "$schema".to_string(),
            json!("https://json-schema.org/draft/2020-12/schema"),
        );
        scene.shift_insert(1, "title".to_string(), json!("A scene of Wayfare"));
    }
    // Writing a `Value` that was made here cannot fail.
    serde_json::to_string_pretty(&scene).unwrap_or_default() + "\n"
}

fn reference(name: &str) -> Json {
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn list(items: Json, least: usize, most: usize) -> Json {
    json!({ "type": "array", "items": items, "minItems": least, "maxItems": most })
}

fn name() -> Json {
    json!({ "type": "string", "minLength": 1, "not": { "const": "pointer" } })
}

/// A table: its keys, and which of them are required.
fn table_schema(table: &Table) -> Json {
    let mut properties = Map::new();
    for key in table.keys {
        properties.insert(
            key.name.to_string(),
            documented(value_schema(key.kind), &text_of(key), &key.default_in_json()),
        );
    }
    let mut schema = object(
        table.doc,
        properties,
        table.keys.iter().filter(|key| key.required).map(|key| key.name),
    );
    if !table.one_of.is_empty() {
        schema["oneOf"] = table.one_of.iter().map(|keys| json!({ "required": keys })).collect();
    }
    needs(&mut schema, table);
    if table.name == format::SPAWN.name {
        let areas = json!({ "anyOf": [{ "required": ["box"] }, { "required": ["circle"] }] });
        schema["dependentSchemas"] = json!({ "apart": areas });
    }
    if table.name == format::SOURCE.name {
        let arrivals: Vec<Json> =
            format::arrivals_names().map(|name| json!({ "required": [name] })).collect();
        schema["allOf"] = json!([{ "oneOf": arrivals }]);
    }
    if table.name == format::GROUP.name {
        // A template may supply all keys but the name.
        schema["required"] = json!(["name"]);
        // `count` is required unless `spawn` gives points.
        let has_points = json!({ "properties": { "spawn": { "required": ["points"] } } });
        schema["if"] = json!({ "anyOf": [has_points, { "required": ["template"] }] });
        schema["else"] = json!({ "required": ["count"] });
        // A preset supplies `max_speed`.
        let speed = json!([{ "required": ["max_speed"] }, { "required": ["preset"] }]);
        let without = json!({ "required": ["spawn"], "anyOf": speed });
        schema["anyOf"] = json!([without, { "required": ["template"] }]);
    }
    if table.name == format::CONDITION.name {
        let compared = json!([{ "required": ["at_most"] }, { "required": ["at_least"] }]);
        schema["dependentSchemas"] = json!({ "stat": { "anyOf": compared } });
    }
    schema
}

fn needs(schema: &mut Json, table: &Table) {
    if !table.needs.is_empty() {
        schema["dependentRequired"] = table
            .needs
            .iter()
            .map(|(key, other)| (key.to_string(), json!([other])))
            .collect::<Map<_, _>>()
            .into();
    }
}

fn object<'k>(
    doc: &str,
    properties: Map<String, Json>,
    required: impl Iterator<Item = &'k str>,
) -> Json {
    let mut schema = json!({
        "description": flat(doc), "type": "object", "properties": properties,
        "additionalProperties": false,
    });
    let required: Vec<&str> = required.collect();
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// An entry of a list: one behavior by its name, or a nested list, and the keys beside it.
fn list_entry(registry: &Registry) -> Json {
    let mut properties = Map::new();
    for behavior in registry.descriptions::<Vec2>() {
        properties.insert(
            behavior.name.to_string(),
            documented(reference(behavior.name), &flat(behavior.doc), &None),
        );
    }
    for key in format::STEER_ENTRY.keys {
        properties.insert(
            key.name.to_string(),
            documented(value_schema(key.kind), &text_of(key), &key.default_in_json()),
        );
    }
    let one_of: Vec<Json> = registry
        .descriptions::<Vec2>()
        .map(|b| b.name)
        .chain(["all"])
        .map(|name| json!({ "required": [name] }))
        .collect();
    let mut schema = object(format::STEER_ENTRY.doc, properties, std::iter::empty());
    schema["oneOf"] = one_of.into();
    needs(&mut schema, &format::STEER_ENTRY);
    schema
}

fn value_schema(kind: ValueKind) -> Json {
    match kind {
        ValueKind::Text => json!({ "type": "string" }),
        ValueKind::Color => {
            let names = COLOR_NAMES.map(|(name, _)| name);
            let digits = json!({ "type": "string", "pattern": "^#[0-9A-Fa-f]{6}$" });
            json!({ "anyOf": [digits, { "enum": names }] })
        }
        ValueKind::UnitName => {
            json!({ "type": "string", "minLength": 1, "maxLength": format::LONGEST_UNIT })
        }
        ValueKind::Name => name(),
        ValueKind::Integer(least, most) => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        ValueKind::Dimension => json!({ "type": "integer", "enum": [2, 3] }),
        ValueKind::Number(range) => number(range),
        ValueKind::StatLimit => {
            json!({ "anyOf": [number(range::STAT), infinite(), { "const": "-inf" }] })
        }
        ValueKind::Distribution(range) | ValueKind::Times(range) => {
            let mut all = vec![number(range)];
            if let ValueKind::Times(_) = kind {
                let times = json!({ "type": "array", "items": number(range), "minItems": 1 });
                let properties = [(format::LIST.to_string(), times)].into_iter().collect();
                all.push(object(
                    "A number for each member.",
                    properties,
                    [format::LIST].into_iter(),
                ));
            }
            all.extend(format::DISTRIBUTIONS.iter().map(|known| {
                let numbers = known.ranges(range).map(number);
                let numbers = json!({
                    "type": "array", "prefixItems": numbers, "items": false, "minItems": 2,
                });
                let properties = [(known.name.to_string(), numbers)].into_iter().collect();
                object(known.doc, properties, [known.name].into_iter())
            }));
            json!({ "anyOf": all })
        }
        ValueKind::Flag => json!({ "type": "boolean" }),
        ValueKind::Word(words) => json!({ "type": "string", "enum": words }),
        ValueKind::Point | ValueKind::Direction => reference("point"),
        ValueKind::Size => reference("lengths"),
        ValueKind::Points(least) => {
            json!({ "type": "array", "items": reference("point"), "minItems": least })
        }
        ValueKind::Corners => {
            json!({ "type": "array", "items": reference("corner"), "minItems": 3 })
        }
        ValueKind::Track => {
            json!({ "type": "array", "items": reference("track_point"), "minItems": 1 })
        }
        ValueKind::Velocity => json!({ "anyOf": [reference("velocity"), { "const": "random" }] }),
        ValueKind::Target | ValueKind::TargetOr(_) => target(),
        ValueKind::Groups => reference("groups"),
        ValueKind::KeyPaths => json!({ "type": "array", "items": { "type": "string" } }),
        ValueKind::Templates => {
            let name = json!({ "type": "string" });
            json!({ "anyOf": [name, { "type": "array", "items": name }] })
        }
        ValueKind::Rates => {
            json!({ "type": "object", "additionalProperties": number(range::STAT) })
        }
        ValueKind::NextState | ValueKind::Destinations => {
            let weights = json!({
                "type": "object", "additionalProperties": number(range::CHOICE),
                "minProperties": 1,
            });
            json!({ "anyOf": [name(), weights] })
        }
        ValueKind::ExitAction => {
            let words: Vec<&str> = format::exit_action_words().collect();
            json!({ "anyOf": [{ "enum": words }, reference(format::EXIT_ACTION.name)] })
        }
        ValueKind::Schedule => {
            let count = json!({ "type": "integer", "minimum": 0, "maximum": MAX_AGENTS });
            let entry = json!({
                "type": "array", "prefixItems": [number(range::ARRIVAL), count],
                "items": false, "minItems": 2,
            });
            json!({ "type": "array", "items": entry })
        }
        ValueKind::Argument(kind) => {
            let none = json!({ "enum": ["none", null] });
            let table = |keys: Json| json!({ "type": "object", "properties": keys });
            json!({ "anyOf": match kind {
                "pointer" => vec![reference("point"), none],
                "limit" => vec![number(range::STAT), infinite(), none],
                "order" => {
                    let agent = json!({ "type": "integer", "minimum": 0 });
                    let of = |key: &str, value| object("", [(key.to_string(), value)].into_iter()
                        .collect(), [key].into_iter());
                    vec![reference("point"), of("agent", agent), of("path", name()), none]
                }
                "setting" => vec![
                    number(range::STAT),
                    json!({ "type": ["string", "boolean"] }),
                    reference("point"),
                    reference("groups"),
                    reference(format::AREA.name),
                ],
                // In the form of the library's feature `serde`: a name, an id, or a table.
                _ => vec![name(), json!({ "type": "integer", "minimum": 0 }), table(json!({}))],
            } })
        }
        ValueKind::Behaviors => json!({ "type": "array", "items": reference("steer") }),
        ValueKind::Condition => reference(format::CONDITION.name),
        ValueKind::Conditions => {
            json!({ "type": "array", "items": reference(format::CONDITION.name) })
        }
        ValueKind::Measure(kind) => reference(&format::measure_schema_name(kind.name)),
        ValueKind::Table(table) => reference(table.name),
        ValueKind::Tables(table) if table.name == format::GROUP.name => {
            json!({ "type": "array", "items": reference(table.name), "minItems": 1 })
        }
        ValueKind::Tables(table) => json!({ "type": "array", "items": reference(table.name) }),
        ValueKind::NamedTables(table) => {
            json!({ "type": "object", "additionalProperties": reference(table.name) })
        }
    }
}

/// The value of a behavior's parameter.
fn parameter_schema(kind: Kind) -> Json {
    match kind {
        Kind::NumberOr(range, words) => {
            json!({ "anyOf": [number(range), { "type": "string", "enum": words }] })
        }
        Kind::Auto(range, _) => {
            json!({ "anyOf": [number(range), { "type": "string", "enum": kind.words() }] })
        }
        Kind::NumberOrOff(range) => json!({ "anyOf": [number(range), { "const": false }] }),
        Kind::Line => json!({ "anyOf": [name(), list(reference("point"), 2, 2)] }),
        Kind::Nested(all) => parameters("", all, &|_| None),
        other => value_schema(format::kind_of(other).0),
    }
}

fn parameters(doc: &str, all: &[Parameter], default: &dyn Fn(&str) -> Option<Value<Vec2>>) -> Json {
    let mut properties = Map::new();
    for parameter in all {
        let value = Some(parameter.name).filter(|_| !parameter.required).and_then(default);
        let (default, shown) = match &value {
            Some(Value::Number(x)) if x.is_infinite() => (None, " Default: inf.".to_string()),
            Some(Value::Number(x)) => (Some(exact(*x)), format!(" Default: {x}.")),
            Some(Value::Word(word)) => (Some(json!(word)), format!(" Default: \"{word}\".")),
            Some(Value::Flag(x)) => (Some(json!(x)), format!(" Default: {x}.")),
            _ => (None, String::new()),
        };
        let nested = matches!(parameter.kind, Kind::Nested(_));
        let takes = if nested { String::new() } else { format!(" Takes {}.", parameter.kind) };
        properties.insert(
            parameter.name.to_string(),
            documented(
                parameter_schema(parameter.kind),
                &format!("{}{takes}{shown}", flat(parameter.doc)),
                &default,
            ),
        );
    }
    object(doc, properties, all.iter().filter(|p| p.required).map(|p| p.name))
}

fn target() -> Json {
    json!({ "anyOf": [reference("point"), { "type": "string", "minLength": 1 }] })
}

fn number(range: Range) -> Json {
    let kind = if range.unit == Unit::Count { "integer" } else { "number" };
    let mut finite = json!({ "type": kind, "maximum": exact(range.max) });
    if range.min == SMALLEST {
        finite["exclusiveMinimum"] = json!(0);
    }
    finite["minimum"] = exact(range.min);
    if range.infinite { json!({ "anyOf": [finite, infinite()] }) } else { finite }
}

/// Infinity: as scenes in JSON write it, as tools convert it from TOML, and as a number.
fn infinite() -> Json {
    let number = json!({ "type": "number", "exclusiveMinimum": f64::MAX });
    json!({ "anyOf": [{ "enum": ["inf", null] }, number] })
}

/// The number in its shortest form: 0.3 and not 0.30000001192092896, without a point if whole.
fn exact(x: f32) -> Json {
    let written: f64 = format!("{x:e}").parse().unwrap_or(f64::from(x));
    if written.fract() == 0.0 && written.abs() <= f64::from(LARGEST) {
        json!(written as i64)
    } else {
        json!(written)
    }
}

/// A key's meaning, its range and its default, in words.
fn text_of(key: &Key) -> String {
    let takes = takes(key);
    let takes = if takes.is_empty() { takes } else { format!(" Takes {takes}.") };
    let default = key.default();
    let default = if default.is_empty() { String::new() } else { format!(" Default: {default}.") };
    format!("{}{takes}{default}", flat(key.doc))
}

/// The numbers that a key takes, in words; empty where its meaning says what it takes.
pub(crate) fn takes(key: &Key) -> String {
    match key.kind {
        ValueKind::Number(range) => range.to_string(),
        ValueKind::Distribution(range) | ValueKind::Times(range) => {
            format!("{range}, or a range such as {}", format::DISTRIBUTION_EXAMPLE)
        }
        ValueKind::Integer(least, most) => format!("a whole number from {least} to {most}"),
        ValueKind::Argument(kind) => match kind {
            "pointer" => "a point or \"none\"",
            "limit" => "a number or \"none\"",
            "order" => "a point, { agent = 7 }, { path = \"beat\" } or \"none\"",
            "setting" => "a value as in a scene",
            _ => "a value as a log writes it",
        }
        .to_string(),
        _ => String::new(),
    }
}

impl Key {
    /// The default as JSON, if TOML and JSON write it alike.
    fn default_in_json(&self) -> Option<Json> {
        serde_json::from_str(&self.default()).ok()
    }
}

/// `schema` with a description and a default. Draft 2020-12 allows them beside a reference.
fn documented(mut schema: Json, doc: &str, default: &Option<Json>) -> Json {
    schema["description"] = json!(doc);
    if let Some(default) = default {
        schema["default"] = default.clone();
    }
    schema
}

/// A doc comment in one line.
pub(crate) fn flat(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The name of the definition that only bounds the lengths of the lists in `name`.
fn bound_name(name: &str, dimension: usize) -> String {
    format!("{}.{name}", if dimension == 2 { "plane" } else { "space" })
}

/// The lists whose length follows from the dimension, and the number of items beyond it.
const LISTS_BY_DIMENSION: [(&str, usize); 4] =
    [("point", 0), ("lengths", 0), ("velocity", 0), ("track_point", 1)];

/// The definitions that contain such lists.
fn with_points(definitions: &Map<String, Json>) -> BTreeSet<String> {
    let mut found: BTreeSet<String> =
        LISTS_BY_DIMENSION.iter().map(|(name, _)| name.to_string()).collect();
    loop {
        let more: Vec<String> = definitions
            .iter()
            .filter(|(name, schema)| !found.contains(*name) && lengths(schema, 2, &found).is_some())
            .map(|(name, _)| name.clone())
            .collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// The definition `name`, reduced to bounds of lengths.
fn lengths_of(
    name: &str,
    schema: &Json,
    dimension: usize,
    bounded: &BTreeSet<String>,
) -> Option<Json> {
    if let Some((_, more)) = LISTS_BY_DIMENSION.iter().find(|(list, _)| *list == name) {
        return Some(json!({ "minItems": dimension + more, "maxItems": dimension + more }));
    }
    let mut bounds = lengths(schema, dimension, bounded)?;
    if name == format::GRID.name && dimension == 3 {
        bounds["required"] = json!(["rows"]);
    } else if name == format::GRID.name {
        bounds["properties"]["rows"] = json!(false);
    }
    Some(bounds)
}

/// `schema` reduced to bounds of lengths; `None` where it contains no such list.
fn lengths(schema: &Json, dimension: usize, bounded: &BTreeSet<String>) -> Option<Json> {
    let mut bounds = Map::new();
    for (key, inner) in schema.as_object()? {
        match (key.as_str(), inner) {
            ("$ref", Json::String(target)) => {
                let name = target.rsplit('/').next().unwrap_or_default();
                if bounded.contains(name) {
                    return Some(reference(&bound_name(name, dimension)));
                }
            }
            ("properties", Json::Object(properties)) => {
                let properties: Map<String, Json> = properties
                    .iter()
                    .filter_map(|(name, inner)| {
                        Some((name.clone(), lengths(inner, dimension, bounded)?))
                    })
                    .collect();
                if !properties.is_empty() {
                    bounds.insert(key.clone(), properties.into());
                }
            }
            ("items" | "additionalProperties", inner) => {
                bounds.extend(lengths(inner, dimension, bounded).map(|inner| (key.clone(), inner)))
            }
            // Of the alternatives only the list of numbers has a length, and a bound of lengths
            // does not restrict other types.
            ("anyOf", Json::Array(several)) => {
                let several: Vec<Json> =
                    several.iter().filter_map(|inner| lengths(inner, dimension, bounded)).collect();
                if !several.is_empty() {
                    bounds.insert("allOf".to_string(), several.into());
                }
            }
            _ => {}
        }
    }
    if bounds.is_empty() { None } else { Some(bounds.into()) }
}
