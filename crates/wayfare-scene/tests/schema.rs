//! The schema says what decoding says: it takes every scene that is read, and refuses every mistake
//! that a schema can see.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::Value as Json;
use wayfare_scene::{BUNDLED, schema};

/// Mistakes that no schema can see, or no reader of TOML or JSON lets through to it, and why.
const UNSEEN: &[(&str, &[&str])] = &[
    (
        "a name that is not there, or is there twice",
        &[
            "fire-at-oneself.toml",
            "letters-that-look-alike.toml",
            "long-names.toml",
            "pointer-without-track.toml",
            "stat-of-none.toml",
            "target-is-the-mouse.toml",
            "two-groups-of-one-name.toml",
            "unknown-group.toml",
            "unknown-path.toml",
        ],
    ),
    (
        "how one value compares with another",
        &[
            "bounds-upside-down.toml",
            "box-upside-down.toml",
            "count-is-not-the-points.toml",
            "counts-are-too-many-together.toml",
            "range-upside-down.toml",
            "track-goes-back-in-time.toml",
            "wrapped-world-too-narrow.toml",
        ],
    ),
    (
        "an outline, a curve, or an order",
        &[
            "bezier-of-five.toml",
            "curve-swings-out.toml",
            "polygons-without-inside.toml",
            "queue-before-states.toml",
            "queue-is-not-last.toml",
            "queues-are-first.toml",
        ],
    ),
    (
        "a number as it is written: 10.0 is a whole number to a schema, and what no reader holds \
         does not come to it",
        &[
            "count-has-a-point.toml",
            "infinite-by-digits.toml",
            "numbers-without-end.toml",
            "whole-numbers-too-large.toml",
        ],
    ),
    (
        "NaN: tools make the same null of it as of infinity, which may stand there",
        &["not-a-number.toml"],
    ),
    (
        "the text is no TOML or no JSON, or has a key twice",
        &[
            "broken.json",
            "broken.toml",
            "colon.toml",
            "comment.json",
            "curly-quotes.toml",
            "decimal-comma.toml",
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

/// As editors read TOML: dates are texts, and infinity is null.
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
fn every_bundled_scene_is_valid() {
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
fn every_mistake_that_a_schema_can_see_is_refused() {
    let validator = validator();
    let unseen: Vec<&str> = UNSEEN.iter().flat_map(|(_, files)| files.iter().copied()).collect();
    let mut passed = Vec::new();
    for path in files("tests/mistakes") {
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        if read(&path).is_none_or(|scene| validator.is_valid(&scene)) {
            passed.push(name);
        }
    }
    let (mut passed, mut expected) =
        (passed, unseen.iter().map(|name| name.to_string()).collect::<Vec<_>>());
    passed.sort();
    expected.sort();
    assert_eq!(passed, expected);
}
