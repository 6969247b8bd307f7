//! A scene as data: its text with the place of each value, and parts taken out of it.

use std::fmt::Write;
use std::ops::Range;

use serde_json::Value as Json;
use wayfare_scene::Format;

/// A step into a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    Key(String),
    Item(usize),
}

/// The steps from the root to a value.
pub(super) type Place = Vec<Step>;

/// A text with the places of its values, outer ones before those in them.
#[derive(Default)]
pub(super) struct Written {
    pub(super) text: String,
    pub(super) places: Vec<(Range<usize>, Place)>,
}

impl Written {
    /// The innermost value around the byte.
    pub(super) fn around(&self, byte: usize) -> Option<&Place> {
        let around = |(range, _): &&(Range<usize>, Place)| range.contains(&byte);
        self.places.iter().rev().find(around).map(|(_, place)| place)
    }
}

/// The document as a scene file.
pub(super) fn written(document: &Json, format: Format) -> Written {
    let mut written = Written::default();
    if let (Format::Toml, Json::Object(keys)) = (format, document) {
        for (key, value) in keys {
            let start = written.text.len();
            let place = vec![Step::Key(key.clone())];
            written.places.push((0..0, place.clone()));
            let index = written.places.len() - 1;
            written.text.push_str(&format!("{key:?} = "));
            write_value(&mut written, value, &place, format);
            written.places[index].0 = start..written.text.len();
            written.text.push('\n');
        }
    } else {
        write_value(&mut written, document, &Vec::new(), format);
    }
    written
}

fn write_value(written: &mut Written, value: &Json, place: &Place, format: Format) {
    let at = |step| [place.as_slice(), &[step]].concat();
    let (start, index) = (written.text.len(), written.places.len());
    written.places.push((0..0, place.clone()));
    match value {
        Json::Object(keys) => {
            written.text.push('{');
            for (i, (key, value)) in keys.iter().enumerate() {
                let colon = if format == Format::Toml { "=" } else { ":" };
                let comma = if i > 0 { ", " } else { "" };
                let (start, index) = (written.text.len() + comma.len(), written.places.len());
                let place = at(Step::Key(key.clone()));
                written.places.push((0..0, place.clone()));
                written.text.push_str(&format!("{comma}{key:?} {colon} "));
                write_value(written, value, &place, format);
                written.places[index].0 = start..written.text.len();
            }
            written.text.push('}');
        }
        Json::Array(items) => {
            written.text.push('[');
            for (i, item) in items.iter().enumerate() {
                written.text.push_str(if i > 0 { ", " } else { "" });
                write_value(written, item, &at(Step::Item(i)), format);
            }
            written.text.push(']');
        }
        // JSON has no infinity.
        Json::String(word) if word.ends_with("inf") && format == Format::Toml => {
            written.text.push_str(word);
        }
        other => write!(written.text, "{other}").expect("a string takes all text"),
    }
    written.places[index].0 = start..written.text.len();
}

/// Takes the value at the place out; an item of a list that has it only by its number also.
pub(super) fn remove(document: &mut Json, place: &[Step]) -> bool {
    let Some((last, before)) = place.split_last() else { return false };
    match (value_at(document, before), last) {
        (Some(Json::Object(keys)), Step::Key(key)) => keys.shift_remove(key).is_some(),
        (Some(Json::Array(items)), Step::Item(i)) if *i < items.len() => {
            items.remove(*i);
            true
        }
        _ => false,
    }
}

/// The value at the place.
pub(super) fn value_at<'a>(document: &'a mut Json, place: &[Step]) -> Option<&'a mut Json> {
    place.iter().try_fold(document, |value, step| match step {
        Step::Key(key) => value.get_mut(key),
        Step::Item(i) => value.get_mut(i),
    })
}
