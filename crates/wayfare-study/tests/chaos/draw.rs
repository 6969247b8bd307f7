//! Random scenes from the schema, which follows from the descriptions: a key that the format gains
//! is drawn without a change here.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};
use wayfare::random::Random;
use wayfare_scene::{AnyScene, Format, Problem, Source, read};

use super::document::{remove, written};

/// The names of all that has one: most references find something.
const NAMES: [&str; 4] = ["a", "b", "c", "d"];
/// The most rounds in which what a scene cannot have is taken out of it.
const MOST_ROUNDS: usize = 60;
/// From this depth on only what is required is drawn.
const DEEP: usize = 12;

pub(super) struct Draw<'a> {
    schema: &'a Json,
    random: Random,
    dimension: u64,
}

impl<'a> Draw<'a> {
    pub(super) fn new(schema: &'a Json, number: u32) -> Self {
        let mut random = Random::new(5, number, 0, 0);
        let dimension = if random.bits().is_multiple_of(4) { 3 } else { 2 };
        Self { schema, random, dimension }
    }

    /// A scene that decodes, with its document; `None` where the draw leaves nothing.
    pub(super) fn scene(&mut self) -> Option<(Json, AnyScene)> {
        let mut document = self.value(self.schema, 0);
        let keys = document.as_object_mut()?;
        keys.insert("dimension".to_string(), json!(self.dimension));
        if self.below(20) > 0 {
            let dt = [0.02, 0.05, 0.1, 0.25, 0.5, 1.0][self.below(6)];
            keys.insert("dt".to_string(), json!(dt));
        }
        // Files that it names are not here.
        ["geometry", "$schema"].iter().for_each(|key| drop(keys.shift_remove(*key)));
        put_in_order(&mut document);
        for _ in 0..MOST_ROUNDS {
            match scene_of(&document, Format::Toml) {
                Ok(scene) => return Some((document, scene)),
                Err(_) if document["group"].as_array().is_none_or(Vec::is_empty) => return None,
                Err((text, problems)) => {
                    let places = problems.iter().filter_map(|p| text.around(p.span.start));
                    // The last ones first: the numbers of the others stay.
                    let places: BTreeSet<_> = places.cloned().collect();
                    let removed = places.iter().rev().filter(|at| remove(&mut document, at));
                    if removed.count() == 0 {
                        return None;
                    }
                }
            }
        }
        None
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        self.random.bits() as usize % n
    }

    fn value(&mut self, schema: &Json, depth: usize) -> Json {
        if let Some(reference) = schema["$ref"].as_str() {
            let name = reference.trim_start_matches("#/$defs/");
            let mut value = self.value(&self.schema["$defs"][name], depth);
            self.complete(name, &mut value);
            return value;
        }
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        if let Some(values) = schema["enum"].as_array() {
            let values: Vec<_> = values.iter().filter(|value| !value.is_null()).collect();
            return values[self.below(values.len())].clone();
        }
        if let (None, Some(branches)) = (schema.get("properties"), schema["anyOf"].as_array()) {
            let branch = self.below(branches.len());
            return self.value(&branches[branch], depth);
        }
        match schema["type"].as_str() {
            Some("object") => self.object(schema, depth + 1),
            Some("array") => self.array(schema, depth + 1),
            Some("boolean") => json!(self.below(2) == 0),
            Some("integer") => {
                let least = schema["minimum"].as_i64().unwrap_or(0);
                let most = schema["maximum"].as_i64().unwrap_or(i64::MAX);
                json!(most.min(least + self.below(12) as i64))
            }
            Some("number") => self.number(schema),
            _ if schema["pattern"].is_string() => json!("#a0b1c2"),
            _ => json!(NAMES[self.below(2)]),
        }
    }

    /// Adds what a table needs that the schema cannot say, as templates and presets may give it.
    fn complete(&mut self, name: &str, value: &mut Json) {
        let (Some(keys), "group") = (value.as_object_mut(), name) else { return };
        for key in ["spawn", "max_speed", "count", "steer"] {
            if !keys.contains_key(key) {
                let schema = &self.schema["$defs"][name]["properties"][key];
                keys.insert(key.to_string(), self.value(schema, 1));
            }
        }
        if keys["spawn"].get("points").is_some() {
            keys.shift_remove("count");
        }
    }

    /// Mostly a number of a world of some tens of metres, seldom an end of the range.
    fn number(&mut self, schema: &Json) -> Json {
        let end = |key: &str, other: f64| schema[key].as_f64().unwrap_or(other);
        if end("exclusiveMinimum", 0.0) > 1e300 {
            return json!("inf");
        }
        let (least, most) = (end("minimum", -1e9), end("maximum", 1e9));
        let part = f64::from(self.random.bits() as u32) / f64::from(u32::MAX);
        let between = |low: f64, high: f64| low + (high - low) * part;
        let number = match self.below(40) {
            0 => least,
            1 => most,
            2 => 10.0_f64.powf(between(-9.0, 9.0)),
            3..16 => between(0.0, 2.0),
            16..28 => between(-20.0, 20.0),
            _ => between(-20.0, 20.0).round(),
        };
        // Few digits: the text is read by people.
        let short = (number * 100.0).round() / 100.0;
        let number = if short == 0.0 { number } else { short };
        json!(number.clamp(least, most))
    }

    fn array(&mut self, schema: &Json, depth: usize) -> Json {
        if let Some(items) = schema["prefixItems"].as_array() {
            return items.iter().map(|item| self.value(item, depth)).collect();
        }
        let least = schema["minItems"].as_u64().unwrap_or(0);
        let more = match schema["maxItems"].as_u64() {
            // A point has as many numbers as the scene has dimensions.
            Some(most) if most == least + 1 => self.dimension - 2,
            Some(most) => self.below((most - least) as usize + 1) as u64,
            None if depth > DEEP => 0,
            None => self.below(4) as u64,
        };
        (0..least + more).map(|_| self.value(&schema["items"], depth)).collect()
    }

    fn object(&mut self, schema: &Json, depth: usize) -> Json {
        let names = |value: &Json| -> Vec<String> {
            let names = value.as_array().into_iter().flatten();
            names.filter_map(|name| name.as_str().map(str::to_string)).collect()
        };
        let Some(properties) = schema["properties"].as_object() else {
            let values = &schema["additionalProperties"];
            let count = 1 + self.below(2);
            let pairs = NAMES[..count].iter();
            return pairs.map(|name| (name.to_string(), self.value(values, depth))).collect();
        };
        let mut wanted: BTreeSet<String> = names(&schema["required"]).into_iter().collect();
        let mut excluded = BTreeSet::new();
        let others = schema["allOf"].as_array().into_iter().flatten();
        let one_of = std::iter::once(schema).chain(others).filter_map(|s| s["oneOf"].as_array());
        for choice in one_of {
            let chosen = self.below(choice.len());
            for (i, branch) in choice.iter().enumerate() {
                let into = if i == chosen { &mut wanted } else { &mut excluded };
                into.extend(names(&branch["required"]));
            }
        }
        if let Some(choice) = schema["anyOf"].as_array() {
            wanted.extend(names(&choice[self.below(choice.len())]["required"]));
        }
        let part = if depth > DEEP { 0 } else { 300 / properties.len().max(6) + 10 };
        for key in properties.keys() {
            if self.below(100) < part {
                wanted.insert(key.clone());
            }
        }
        for (key, needed) in schema["dependentRequired"].as_object().into_iter().flatten() {
            if wanted.contains(key) {
                wanted.extend(names(needed));
            }
        }
        let mut object = Map::new();
        // In the order of the format, which is the order of a file.
        for (key, value) in properties {
            if wanted.contains(key) && !excluded.contains(key) {
                object.insert(key.clone(), self.value(value, depth));
            }
        }
        Json::Object(object)
    }
}

/// The scene of a document.
///
/// # Errors
/// The text and what is wrong with it.
pub(super) fn scene_of(
    document: &Json,
    format: Format,
) -> Result<AnyScene, (super::document::Written, Vec<Problem>)> {
    let text = written(document, format);
    let source = Source { name: "scene".to_string(), text: text.text.clone() };
    read(&source, format).map_err(|problems| (text, problems))
}

/// Gives the items of each list names of their own, and puts the ends of each range in order.
fn put_in_order(value: &mut Json) {
    match value {
        Json::Array(items) => {
            for (item, name) in items.iter_mut().zip(NAMES) {
                if let Some(own) = item.get_mut("name") {
                    *own = json!(name);
                }
            }
            items.iter_mut().for_each(put_in_order);
        }
        Json::Object(keys) => {
            for (least, most) in [("min", "max"), ("from", "until")] {
                let (low, high) = (keys.get(least).cloned(), keys.get(most).cloned());
                let (Some(mut low), Some(mut high)) = (low, high) else { continue };
                exchange(&mut low, &mut high);
                keys.insert(least.to_string(), low);
                keys.insert(most.to_string(), high);
            }
            if let Some([low, high]) = keys
                .get_mut("uniform")
                .and_then(|v| v.as_array_mut()?.get_disjoint_mut([0, 1]).ok())
            {
                exchange(low, high);
            }
            keys.values_mut().for_each(put_in_order);
        }
        _ => {}
    }
}

/// Exchanges two numbers, or those of two points, where the second is not above the first.
fn exchange(low: &mut Json, high: &mut Json) {
    match (low, high) {
        (Json::Array(low), Json::Array(high)) => {
            low.iter_mut().zip(high).for_each(|(low, high)| exchange(low, high));
        }
        (low, high) => {
            if low.as_f64() > high.as_f64() {
                std::mem::swap(low, high);
            }
        }
    }
}
