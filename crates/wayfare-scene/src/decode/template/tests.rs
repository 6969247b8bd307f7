//! Groups with templates, and edits of their values.

use wayfare::crowd::{Command, KeyPath};
use wayfare::glam::Vec2;

use crate::edit::{Draft, Value};
use crate::{Format, Source, read};

/// States that two groups share; the second one changes one of them and adds another.
const SHARED: &str = r#"
[template.person]
max_speed = 1.5
radius = 0.25
spawn = { points = [[0, 0]] }
steer = [{ seek = { target = [9, 0] } }, { stop = {} }]
stat = { patience = { start = 5, max = 9 } }
state = [
  { name = "walk", leave = [{ to = "rest", when = { time_in_state = 5 } }] },
  { name = "rest", max_speed = 0.5, steer = [{ stop = {} }] },
]
[template.fast]
max_speed = 3
[[group]]
name = "walkers"
template = "person"
[[group]]
name = "runners"
template = ["person", "fast"]
radius = 0.5
stat = { patience = { start = 7 } }
[[group.state]]
name = "run"
[[group.state]]
name = "rest"
max_speed = 1
"#;

fn source(text: &str) -> Source {
    Source { name: "scene".to_string(), text: text.to_string() }
}

fn decoded(text: &str) -> String {
    format!("{:?}", read(&source(text), Format::Toml).expect("the text is a scene"))
}

fn draft(text: &str) -> Draft {
    Draft::new(source(text), Format::Toml).expect("the text is a scene")
}

fn path(path: &str) -> KeyPath {
    KeyPath::read(path).expect("it is a path")
}

#[test]
fn a_group_has_the_keys_of_its_templates_and_its_own_keys_win() {
    let explicit = r#"
[[group]]
name = "walkers"
spawn = { points = [[0, 0]] }
max_speed = 1.5
radius = 0.25
steer = [{ seek = { target = [9, 0] } }, { stop = {} }]
stat = { patience = { start = 5, max = 9 } }
state = [
  { name = "walk", leave = [{ to = "rest", when = { time_in_state = 5 } }] },
  { name = "rest", max_speed = 0.5, steer = [{ stop = {} }] },
]
[[group]]
name = "runners"
spawn = { points = [[0, 0]] }
max_speed = 3
radius = 0.5
steer = [{ seek = { target = [9, 0] } }, { stop = {} }]
stat = { patience = { start = 7, max = 9 } }
state = [
  { name = "walk", leave = [{ to = "rest", when = { time_in_state = 5 } }] },
  { name = "rest", max_speed = 1, steer = [{ stop = {} }] },
  { name = "run" },
]
"#;
    assert_eq!(decoded(SHARED), decoded(explicit));
}

#[test]
fn an_edit_of_a_group_leaves_its_template_and_other_groups_as_they_are() {
    let mut draft = draft(SHARED);
    let speed = path("group[1].max_speed");
    let control = draft.control(&speed).expect("the template supplies it");
    let three = Some(Value::Integer(3));
    assert_eq!((control.given, control.required, control.value), (false, false, three));
    draft.set(&speed, 4.0).expect("it is a speed");
    let x = path("group[0].steer[0].seek.target");
    draft.set(&x, [8.0, 0.0]).expect("it is a target");
    draft.add(&path("group[1].steer"), 2, "face").expect("face can have a point");
    let lists = draft.lists();
    let names = |list: &str| -> Vec<String> {
        let list = lists.iter().find(|known| known.key_path == path(list));
        list.into_iter().flat_map(|l| &l.entries).map(|e| e.behavior.clone()).collect()
    };
    assert_eq!(names("group[0].steer"), ["seek", "stop"]);
    assert_eq!(names("group[1].steer"), ["seek", "stop", "face"]);
    assert_eq!(names("template.person.steer"), ["seek", "stop"]);
    let target = draft.control(&path("template.person.steer[0].seek.target"));
    assert_eq!(target.and_then(|control| control.value), Value::read("[9, 0]"));
    // The value at the start comes back, and with it the value of the template.
    draft.restore(&x).expect("it was a target");
    let value = draft.control(&x).and_then(|control| control.value);
    assert_eq!(value, Value::read("[9, 0]"));
    draft.reset(&speed).expect("the template supplies it");
    assert_eq!(draft.control(&speed).and_then(|control| control.value), Some(3.0.into()));
    // A key that only the template gives is required without the template.
    assert!(draft.reset(&path("group[0].template")).is_err());
    assert!(draft.reset(&path("template.person.max_speed")).is_err());
    draft.set(&path("group[0].template"), "fast").expect_err("it supplies no spawn");
}

#[test]
fn a_command_for_a_state_finds_it_among_those_of_the_template() {
    let text = SHARED.replace("max_speed = 1\n", "steer = [{ seek = { target = [1, 1] } }]\n");
    let draft = draft(&text);
    let command = draft.command::<Vec2>(&path("group[1].state[1].steer[0].seek.target"));
    let Some(Command::Set { key_path, .. }) = command else { panic!("it can be set") };
    assert_eq!(key_path, "group[1].state[1].steer[0].seek.target");
    let text = text.replace("name = \"run\"", "name = \"run\"\nsteer = [{ stop = {} }]");
    let command = self::draft(&text).command::<Vec2>(&path("group[1].state[0].steer[0].weight"));
    let Some(Command::Set { key_path, .. }) = command else { panic!("it can be set") };
    assert_eq!(key_path, "group[1].state[2].steer[0].weight");
}

#[test]
fn the_preset_of_a_template_supplies_its_keys() {
    let text = "[bodies]\niterations = 9\n[template.people]\npreset = \"regulation\"\n\
                steer = [{ pedestrian = {} }]\n[[group]]\nname = \"a\"\n\
                template = \"people\"\nspawn = { points = [[0, 0]] }\n";
    let draft = draft(text);
    let value = |key: &str| draft.control(&path(key)).and_then(|control| control.value);
    assert_eq!(value("group[0].max_speed"), Value::read("{ uniform = [1.14, 1.54] }"));
    assert_eq!(value("bodies.solid"), Some(true.into()));
}

#[test]
fn templates_that_would_fill_the_memory_are_refused() {
    let group = "[[group]]\nname = \"a\"\ntemplate = \"t\"\n";
    let points = "[0, 0], ".repeat(10_000);
    let text = format!(
        "[template.t]\nmax_speed = 1\nspawn = {{ points = [{points}] }}\n{}",
        group.repeat(200)
    );
    let problems = read(&source(&text), Format::Toml).expect_err("it is too much");
    let message = "the templates of the groups supply too many values";
    assert!(problems.iter().any(|problem| problem.message == message));
}
