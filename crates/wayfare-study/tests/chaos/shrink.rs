//! A smaller scene that breaks the same promise.

use serde_json::Value as Json;
use wayfare_scene::Format;

use super::document::{remove, value_at, written};

/// The smallest document found on which `breaks` still is true, by taking values out and by making
/// numbers simple, each as long as it helps.
pub(super) fn shrunk(mut document: Json, breaks: impl Fn(&Json) -> bool) -> Json {
    loop {
        let before = document.clone();
        for (_, place) in written(&document, Format::Json).places {
            let mut smaller = document.clone();
            if remove(&mut smaller, &place) && breaks(&smaller) {
                document = smaller;
            }
        }
        for (_, place) in written(&document, Format::Json).places {
            for simple in [0.0, 1.0, 10.0] {
                let mut simpler = document.clone();
                let Some(value) = value_at(&mut simpler, &place) else { break };
                let Some(number) = value.as_f64().filter(|number| *number != simple) else { break };
                let rounded = number.round() == number && number.abs() <= 10.0;
                *value = if value.is_i64() || value.is_u64() {
                    Json::from(simple as i64)
                } else {
                    Json::from(simple)
                };
                if !rounded && breaks(&simpler) {
                    document = simpler;
                    break;
                }
            }
        }
        if document == before {
            return document;
        }
    }
}
