//! Diagnostics: the error messages for each file of `mistakes/`, and the hints for each file of
//! `hints/`, as snapshots.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use wayfare_scene::{Format, Severity, Source, hints, read};

#[test]
fn every_mistake_is_explained_at_its_position() {
    insta::glob!("mistakes/*.{toml,json}", |path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let source = Source { name: name.clone(), text: std::fs::read_to_string(path).unwrap() };
        let problems =
            read(&source, Format::of(path)).expect_err("the scene is wrong, but was read");
        insta::with_settings!({
            prepend_module_to_snapshot => false,
            snapshot_path => "mistakes/snapshots",
            omit_expression => true
        }, {
            insta::assert_snapshot!("explained", source.render(Severity::Error, &problems, false));
        });
    });
}

#[test]
fn every_hint_is_shown_at_its_position() {
    insta::glob!("hints/*.toml", |path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let source = Source { name, text: std::fs::read_to_string(path).unwrap() };
        let found = hints(&source, Format::of(path));
        insta::with_settings!({
            prepend_module_to_snapshot => false,
            snapshot_path => "hints/snapshots",
            omit_expression => true
        }, {
            insta::assert_snapshot!("hinted", source.render(Severity::Hint, &found, false));
        });
    });
}
