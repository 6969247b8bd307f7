//! Editing the text of a scene through its draft: every control can be set, and the author's
//! comments and layout stay.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

mod commands;
mod json;
mod layout;
mod lists;
mod missing_tables;
mod named_paths;
mod random_edits;
mod refusals;
mod values;

use wayfare::crowd::KeyPath;
use wayfare_scene::edit::{Control, ControlKind, Draft, Value};
use wayfare_scene::{Format, Source};

fn draft(text: &str) -> Draft {
    let source = Source { name: "draft".to_string(), text: text.to_string() };
    let problems = |problems: Vec<wayfare_scene::Problem>| {
        panic!("{text}\n{}", source.render(wayfare_scene::Severity::Error, &problems, false))
    };
    Draft::new(source.clone(), Format::Toml).unwrap_or_else(problems)
}

fn path(text: &str) -> KeyPath {
    KeyPath::read(text).unwrap()
}

/// A scene that has what every behavior needs: `steer` is the list of its first group.
fn world(steer: &str) -> String {
    format!(
        r#"# What this is about.
title = "A world"
dt = 0.5 # half a tick
[bounds] # wide enough
min = [0, 0]
max = [640, 480]
[pointer]
track = [[0, 100, 100]]
[field.out]
goal = [{{ circle = {{ center = [600, 40], radius = 20 }} }}]
cell = 20
area = {{ min = [0, 0], max = [640, 480] }}
[field.wind]
vectors = [[1, 0], [0, 1]]
columns = 2
cell = 200
[path.beat]
points = [[100, 100], [300, 60]] # there and back
radius = 30
[path.round]
points = [[9, 9], [9, 60]]
radius = 3

[[group]]
name = "walkers" # who walk
spawn = {{ points = [[20, 40], [40, 20]] }}
goal = {{ circle = {{ center = [500, 240], radius = 60 }} }}
mass = 20
max_speed = 3
radius = 2
{steer}

# The other one.
[[group]]
name = "leader"
spawn = {{ points = [[300, 200]] }}
max_speed = 2
"#
    )
}

/// Values that are allowed for a control and differ from its value.
fn other_values(control: &Control) -> Vec<Value> {
    let mut values = Vec::new();
    match &control.kind {
        ControlKind::Number(number) => {
            let [least, most] = number.slider;
            values.extend([least + (most - least) * 0.25, most].map(Value::from));
            values.extend(number.range.infinite.then_some(Value::Number(f64::INFINITY)));
            values.extend(number.words.iter().map(|word| Value::from(*word)));
            values.extend(number.may_be_off.then_some(Value::Flag(false)));
            let distributions = number.may_vary.then_some(["uniform", "normal"]);
            values.extend(distributions.into_iter().flatten().map(|key| {
                Value::read(&format!("{{ {key} = [{}, {most}] }}", most / 2.0)).unwrap()
            }));
        }
        ControlKind::Integer { slider, .. } => values.extend(slider.map(Value::from)),
        ControlKind::Flag => values.extend([true, false].map(Value::from)),
        ControlKind::Choice(words) => {
            values.extend(words.iter().map(|word| Value::from(word.as_str())))
        }
        ControlKind::Groups(names) => values.extend([
            Value::from(vec![names[0].as_str()]),
            Value::from(names.iter().map(String::as_str).collect::<Vec<_>>()),
        ]),
        ControlKind::Point { words, .. } => {
            let axes = if let Some(Value::List(axes)) = &control.value { axes.len() } else { 2 };
            values.push(Value::from([12.5, 30.0, 40.0][..axes].to_vec()));
            values.extend(words.iter().map(|word| Value::from(word.as_str())));
        }
        ControlKind::Text => values.push(Value::from("another \"text\"")),
        ControlKind::Structure { example } => {
            values.push(Value::read(example).unwrap());
            let line = || Value::read("[[50, 60], [70, 90]]").unwrap();
            values.extend((control.name() == "line").then(line));
            values.extend(
                ["area", "region"].contains(&control.name()).then(|| {
                    Value::read("{ circle = { center = [50, 60], radius = 7 } }").unwrap()
                }),
            );
        }
    }
    values.retain(|value| control.value.as_ref() != Some(value));
    values
}

/// The lines of a text, sorted, without the commas at their ends.
fn sorted_lines(text: &str) -> Vec<String> {
    let mut found: Vec<String> = text.lines().map(|line| line.replace("},", "}")).collect();
    found.sort_unstable();
    found
}

/// The comments of a text, sorted.
fn sorted_comments(text: &str) -> Vec<&str> {
    let mut found = comments(text);
    found.sort_unstable();
    found
}

/// The comments of a text in the order of the text.
fn comments(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.find('#').map(|at| &line[at..])).collect()
}

/// The seven ways in which a list of three behaviors can be written, with comments.
const LISTS: [&str; 7] = [
    "[[group.steer]]\n# About seek.\nseek = { target = [1, 2] }\n[[group.steer]] # flee \
     here\nflee = { target = [3, 4] } # so\nweight = 2.0\n\n# Wander at \
     last.\n[[group.steer]]\n[group.steer.wander]\ncircle_distance = 6\n  # indented\n  \
     circle_radius = 8\nangle_change = 1\n",
    "steer = [{ seek = { target = [1, 2] } }, { flee = { target = [3, 4] }, weight = 2.0 },   { \
     wander = { circle_distance = 6, circle_radius = 8, angle_change = 1 } } ] # three\n",
    "steer = [\n    # About seek.\n    { seek = { target = [1, 2] } }, # seek here\n    { flee = \
     { target = [3, 4] }, weight = 2.0 },\n    # Wander at last.\n    # And for long.\n    { \
     wander = { circle_distance = 6, circle_radius = 8, angle_change = 1 } } # last\n    # \
     end\n]\n",
    "steer = [\n  { seek = { target = [1, 2] } },\n  { flee = { target = [3, 4] }, weight = 2.0 \
     }, # flee here\n  { wander = { circle_distance = 6, circle_radius = 8, angle_change = 1 } \
     },\n]\n",
    "[[group.steer]]\nseek.target = [1, 2] # seek here\n\n[[group.steer]]\nweight = \
     2.0\nflee.target = [3, 4]\n\n[[group.steer]]\nwander = { circle_distance = 6, circle_radius \
     = 8, angle_change = 1 }\n",
    "steer = [{ seek.target = [1, 2], seek.within = 50 }, { weight = 2.0, flee.target = [3, 4] }, \
     { wander.circle_distance = 6, wander.circle_radius = 8, wander.angle_change = 1 }]\n",
    "steer = [\n  {\n    seek = { target = [1, 2] }, # braces of many lines\n  }, { flee = { \
     target = [3, 4] }, weight = 2.0 }, # two in a line\n  { wander = {\n      circle_distance = \
     6, # so far\n      circle_radius = 8,\n      angle_change = 1 # the last\n  } }\n]\n",
];
