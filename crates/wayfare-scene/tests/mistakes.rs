//! Diagnostics: the error messages for each file of `mistakes/`, and the hints for each file of
//! `hints/`, as snapshots.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use wayfare::glam::{Vec2, Vec3};
use wayfare_scene::{Format, Severity, Source, hints, read, read_in};

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

#[test]
fn a_scene_of_the_other_dimension_is_refused_at_its_key_or_at_the_file() {
    let scene = |first: &str, at: &str| Source {
        name: "fish".to_string(),
        text: format!(
            "{first}dt = 1.0\n[[group]]\nname = \"fish\"\nmax_speed = 1.0\n\
             spawn = {{ points = [{at}] }}\n"
        ),
    };
    let (plane, space) = (scene("", "[0, 0]"), scene("dimension = 3\n", "[0, 0, 0]"));
    assert_eq!(read_in::<Vec2>(&plane, Format::Toml).unwrap().title, "fish");
    assert_eq!(read_in::<Vec3>(&space, Format::Toml).unwrap().title, "fish");

    let [refused] = &read_in::<Vec2>(&space, Format::Toml).unwrap_err()[..] else { panic!() };
    assert_eq!(refused.message, "`dimension` is the number 3");
    assert_eq!(&space.text[refused.span.clone()], "3");
    let [refused] = &read_in::<Vec3>(&plane, Format::Toml).unwrap_err()[..] else { panic!() };
    assert_eq!(refused.message, "`dimension` is not given, which is 2");
}

#[test]
fn a_quiet_key_path_silences_its_hints_and_one_without_a_hint_is_told() {
    let told = |quiet: &str| {
        let text = format!(
            "quiet = {quiet}\n[[group]]\nname = \"a\"\nspawn = {{ points = [[0, 0]] }}\n\
             max_speed = 1\nmass = 0.1\nsteer = [{{ seek = {{ target = [9, 9] }} }}]\n"
        );
        let source = Source { name: "quiet".to_string(), text };
        let refused = read(&source, Format::Toml).err().unwrap_or_default();
        let told = refused.into_iter().chain(hints(&source, Format::Toml));
        told.map(|problem| problem.message).collect::<Vec<_>>()
    };
    let mass = "a mass of 0.1 is less than `dt`, 1: forces overshoot at every tick";
    assert_eq!(told("[]"), [mass]);
    assert!(told("[\"group[0].mass\"]").is_empty() && told("[\"group[0]\"]").is_empty());
    assert!(told("[\"group[0]\", \"group[0].mass\"]").is_empty());
    let unknown = "there is no hint about \"group[0].radius\"";
    assert_eq!(told("[\"group[0].radius\"]"), [mass, unknown]);
    assert_eq!(told("[\"group[\"]"), ["`quiet` is the text \"group[\""]);
}
