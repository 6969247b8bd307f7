//! The JSON schema agrees with the decoder: it accepts every valid scene, and rejects every mistake
//! that a schema can express.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::Value as Json;
use wayfare_scene::{BUNDLED, schema};

/// Mistakes that the schema accepts or that never reach it, by reason.
const NOT_IN_SCHEMA: &[(&str, &[&str])] = &[
    (
        "a name that is not defined, or is defined twice",
        &[
            "fire-at-oneself.toml",
            "letters-that-look-alike.toml",
            "long-names.toml",
            "no-room-apart.toml",
            "pointer-without-track.toml",
            "stat-of-none.toml",
            "target-is-the-mouse.toml",
            "two-groups-of-one-name.toml",
            "unknown-group.toml",
            "unknown-path.toml",
        ],
    ),
    (
        "a comparison of two values",
        &[
            "bounds-upside-down.toml",
            "box-upside-down.toml",
            "count-is-not-the-points.toml",
            "counts-are-too-many-together.toml",
            "event-too-often.toml",
            "events-refused.toml",
            "range-upside-down.toml",
            "poster.toml",
            "track-goes-back-in-time.toml",
            "up-in-the-plane.toml",
            "wrapped-world-too-narrow.toml",
        ],
    ),
    (
        "a property of an outline, of a curve, or of the order of a list",
        &[
            "bezier-of-five.toml",
            "curve-swings-out.toml",
            "measures-that-cannot-be.toml",
            "polygons-without-inside.toml",
            "queue-before-states.toml",
            "queue-is-not-last.toml",
            "queues-are-first.toml",
        ],
    ),
    (
        "the notation of a number: to a schema 10.0 is an integer, and a number that is out of \
         range for the parser does not reach it",
        &[
            "count-has-a-point.toml",
            "infinite-by-digits.toml",
            "numbers-without-end.toml",
            "whole-numbers-too-large.toml",
        ],
    ),
    (
        "NaN: editors turn both NaN and infinity into null, and infinity is allowed",
        &["not-a-number.toml"],
    ),
    (
        "the text is not valid TOML or JSON, or has a key twice",
        &[
            "brace-missing.toml",
            "broken.json",
            "broken.toml",
            "colon.toml",
            "comment.json",
            "curly-quotes.toml",
            "decimal-comma.toml",
            "destinations-without-names.toml",
            "empty.json",
            "group-in-two-ways.toml",
            "json-in-toml.toml",
            "key-twice.json",
            "key-twice.toml",
            "list-never-closed.toml",
            "nested-too-deep.toml",
            "not-a-number.json",
            "numbers-toml-has-not.toml",
            "python-true.toml",
            "steer-before-its-group.toml",
            "syntax-no-value-in-table.toml",
            "table-twice.toml",
            "toml-in-json.json",
            "trailing-commas.json",
            "unclosed.json",
            "units.toml",
        ],
    ),
];

fn validator() -> Validator {
    jsonschema::draft202012::new(&serde_json::from_str(&schema()).unwrap()).unwrap()
}

/// TOML as editors pass it to a schema: dates are strings, infinity is null.
fn json(toml: &str) -> Option<Json> {
    serde_json::to_value(toml.parse::<toml::Table>().ok()?).ok()
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
}

fn read(path: &Path) -> Option<Json> {
    let text = std::fs::read_to_string(path).unwrap();
    if path.extension().unwrap() == "json" { serde_json::from_str(&text).ok() } else { json(&text) }
}

#[test]
fn every_valid_scene_is_accepted() {
    let validator = validator();
    for scene in BUNDLED {
        let errors: Vec<String> = validator
            .iter_errors(&json(scene.text).unwrap())
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", scene.name);
    }
    for path in files("tests/conformance")
        .iter()
        .chain(&files("tests/hints"))
        .filter(|path| path.extension().unwrap() == "toml")
    {
        let errors: Vec<String> = validator
            .iter_errors(&read(path).unwrap())
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", path.display());
    }
}

#[test]
fn every_mistake_that_a_schema_can_express_is_rejected() {
    let validator = validator();
    let mut accepted = Vec::new();
    for path in files("tests/mistakes") {
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        if read(&path).is_none_or(|scene| validator.is_valid(&scene)) {
            accepted.push(name);
        }
    }
    let mut expected: Vec<&str> =
        NOT_IN_SCHEMA.iter().flat_map(|(_, files)| files.iter().copied()).collect();
    accepted.sort();
    expected.sort();
    assert_eq!(accepted, expected);
}
