//! Editing a scene by its fields: every one of the one list can be set, and the author's text
//! stays.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use wayfare::Crowd;
use wayfare::behavior::Behavior;
use wayfare::combine::Entry;
use wayfare::crowd::KeyPath;
use wayfare::glam::Vec2;
use wayfare::parameter::{self, Unit};
use wayfare_scene::edit::{Draft, Field, FieldKind, Value};
use wayfare_scene::{AnyScene, BUNDLED, Format, Source};

fn draft(text: &str) -> Draft {
    let source = Source { name: "draft".to_string(), text: text.to_string() };
    let problems = |problems: Vec<wayfare_scene::Problem>| {
        panic!("{text}\n{}", source.render(wayfare_scene::Severity::Error, &problems, false))
    };
    Draft::new(source.clone(), Format::Toml).unwrap_or_else(problems)
}

fn at(place: &str) -> KeyPath {
    KeyPath::read(place).unwrap()
}

/// A world in which every behavior finds what it needs; `steer` is how the first group steers.
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
points = [[9, 9]]
radius = 3

[[group]]
name = "walkers" # who walk
spawn = {{ points = [[20, 40], [40, 20]] }}
goal = {{ circle = {{ center = [500, 240], radius = 60 }} }}
mass = 20
max_speed = 3
{steer}

# The other one.
[[group]]
name = "leader"
spawn = {{ points = [[300, 200]] }}
max_speed = 2
"#
    )
}

/// Values that are allowed for a field and are not what it is.
fn others(field: &Field) -> Vec<Value> {
    let mut values = Vec::new();
    match &field.kind {
        FieldKind::Number(number) => {
            let [least, most] = number.usual;
            values.extend([least + (most - least) * 0.25, most].map(Value::from));
            values.extend(number.range.infinite.then_some(Value::Number(f64::INFINITY)));
            values.extend(number.words.iter().map(|word| Value::from(*word)));
            values.extend(number.off.then_some(Value::Flag(false)));
            values.extend(number.spread.then(|| {
                Value::read(&format!("{{ uniform = [{}, {most}] }}", most / 2.0)).unwrap()
            }));
        }
        FieldKind::Whole { usual, .. } => values.extend(usual.map(Value::from)),
        FieldKind::Flag => values.extend([true, false].map(Value::from)),
        FieldKind::Choice(words) => {
            values.extend(words.iter().map(|word| Value::from(word.as_str())))
        }
        FieldKind::Names(names) => values.extend([
            Value::from(vec![names[0].as_str()]),
            Value::from(names.iter().map(String::as_str).collect::<Vec<_>>()),
        ]),
        FieldKind::Point { or, .. } => {
            let axes = if let Some(Value::List(axes)) = &field.value { axes.len() } else { 2 };
            values.push(Value::from([12.5, 30.0, 40.0][..axes].to_vec()));
            values.extend(or.iter().map(|word| Value::from(word.as_str())));
        }
        FieldKind::Text => values.push(Value::from("another \"text\"")),
        FieldKind::Written { example } => {
            values.push(Value::read(example).unwrap());
            values.extend(
                ["area", "region"].contains(&field.name()).then(|| {
                    Value::read("{ circle = { center = [50, 60], radius = 7 } }").unwrap()
                }),
            );
        }
    }
    values.retain(|value| field.value.as_ref() != Some(value));
    values
}

/// The lines of a text in any order, whether a comma ends them or not.
fn lines(text: &str) -> Vec<String> {
    let mut found: Vec<String> = text.lines().map(|line| line.replace("},", "}")).collect();
    found.sort_unstable();
    found
}

/// The comments of a text in any order, for edits that move them.
fn sorted(text: &str) -> Vec<&str> {
    let mut found = comments(text);
    found.sort_unstable();
    found
}

/// The comments of a text, in their order.
fn comments(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.find('#').map(|at| &line[at..])).collect()
}

/// A control can be drawn for the field: it says what it takes, in what unit, and what it does.
fn assert_described(field: &Field) {
    let place = &field.place;
    assert!(field.doc.len() > 5 && !field.doc.contains('\n'), "{place}: {:?}", field.doc);
    match &field.kind {
        FieldKind::Number(number) => {
            let ([least, most], range) = (number.usual, number.range);
            assert!(
                least < most && range.holds(least as f32) && range.holds(most as f32),
                "{place}: {:?} of {range}",
                number.usual
            );
            assert_eq!(field.unit(), range.unit);
        }
        FieldKind::Whole { range, usual } => {
            assert!(range[0] <= usual[0] && usual[0] < usual[1] && usual[1] <= range[1], "{place}")
        }
        FieldKind::Choice(words) => assert!(words.iter().all(|word| !word.is_empty()), "{place}"),
        FieldKind::Point { unit, .. } => assert_ne!(*unit, Unit::None, "{place}"),
        FieldKind::Written { example } => {
            assert!(Value::read(example).is_some(), "{place}: {example}")
        }
        FieldKind::Names(_) | FieldKind::Flag | FieldKind::Text => {}
    }
}

/// The first behavior of the first group, as it is decoded.
fn decoded(draft: &Draft) -> Behavior<Vec2> {
    let AnyScene::TwoD(scene) = draft.scene() else { panic!("it is a scene of the plane") };
    let Entry::Behavior(behavior) = &scene.setup.groups[0].steer.slots[0].entry else {
        panic!("it is no list")
    };
    behavior.clone()
}

/// The same behavior in every way in which it can be written.
fn layouts(name: &str, parameters: &[(String, Value)]) -> Vec<String> {
    let line =
        |(key, value): &(String, Value)| format!("{key} = {} # {key}", value.write(Format::Toml));
    let lines = |indent: &str| {
        parameters.iter().map(|p| format!("{indent}{}\n", line(p))).collect::<String>()
    };
    let inline = Value::Table(parameters.to_vec()).write(Format::Toml);
    let mut layouts = vec![
        format!(
            "[[group.steer]] # first\n# Above it.\n{name} = {inline} # so\nweight = 1.50 # half \
             more\n"
        ),
        format!(
            "steer = [\n    # Above it.\n    {{ weight = 1.50, {name} = {inline} }}, # so\n]\n"
        ),
        format!("steer = [{{ {name} = {inline} }}] # so\n"),
        format!(
            "[[group.steer]]\nweight = 1.50 # half more\n# Above it.\n[group.steer.{name}] # in \
             lines\n{}# Below it.\n",
            lines("")
        ),
        format!("[[group.steer]]\n{}# Below it.\n", lines(&format!("{name}."))),
        format!(
            "steer = [{{ {} }}] # so\n",
            parameters
                .iter()
                .map(|(key, value)| format!("{name}.{key} = {}", value.write(Format::Toml)))
                .collect::<Vec<_>>()
                .join(", ")
        ),
    ];
    // Keys with dots say nothing of a behavior that needs none.
    layouts.truncate(if parameters.is_empty() { 4 } else { 6 });
    layouts
}

#[test]
fn every_parameter_of_every_behavior_is_a_field_and_is_set_in_the_text_with_its_comments() {
    let mut count = 0;
    for description in Behavior::<Vec2>::LIST {
        let mut blank = draft(&world(""));
        blank.add(&at("group[0].steer"), 0, description.name).unwrap();
        let prefix = at("group[0].steer[0]").key(description.name);
        let own = |draft: &Draft| {
            draft
                .fields()
                .into_iter()
                .filter(|field| field.place.0.starts_with(&prefix.0))
                .collect::<Vec<_>>()
        };
        let required = own(&blank)
            .into_iter()
            .filter(|field| field.required && field.place.0.len() == prefix.0.len() + 1);
        let required: Vec<_> =
            required.map(|field| (field.name().to_string(), field.value.unwrap())).collect();
        for layout in layouts(description.name, &required) {
            let text = world(&layout);
            let opened = draft(&text);
            let fields = own(&opened);
            for parameter in description.parameters {
                let place = prefix.key(parameter.name);
                let field = fields
                    .iter()
                    .find(|field| field.place == place)
                    .unwrap_or_else(|| panic!("{place} is no field"));
                assert_described(field);
                assert_eq!(
                    (field.name(), field.required, field.given),
                    (parameter.name, parameter.required, parameter.required),
                    "{place}"
                );
                let values = others(field);
                assert!(!values.is_empty(), "{place}");
                for value in values {
                    let mut draft = opened.clone();
                    draft
                        .set(&place, value.clone())
                        .unwrap_or_else(|fault| panic!("{fault}\n{text}"));
                    assert_eq!(draft.field(&place).unwrap().value, Some(value.clone()), "{place}");
                    assert_eq!(comments(draft.text()), comments(&text), "{place}");
                    assert_eq!(
                        draft.text().lines().count() - text.lines().count(),
                        usize::from(layout.starts_with("[[group.steer]]\n") && !field.given)
                    );
                    let (now, before) =
                        (decoded(&draft).get(parameter.name), decoded(&opened).get(parameter.name));
                    match (&now, value.number()) {
                        (Some(parameter::Value::Number(x)), Some(number)) => {
                            assert_eq!(*x, number as f32, "{place}")
                        }
                        _ => assert_ne!(now, before, "{place} = {value:?}"),
                    }
                    let changed = draft.text().to_string();
                    if field.required {
                        let fault = draft.reset(&place).unwrap_err();
                        assert_eq!(
                            (fault.message, draft.text()),
                            (format!("`{}` has to be given", parameter.name), &changed[..])
                        );
                    } else {
                        draft.reset(&place).unwrap();
                        assert_eq!(draft.text(), text, "{place}");
                        draft.set(&place, value).unwrap();
                    }
                    draft.restore(&place).unwrap();
                    assert_eq!(draft.text(), text, "{place}");
                    count += 1;
                }
            }
        }
    }
    assert!(count > 500, "only {count} values were set");
}

#[test]
fn setting_a_field_of_a_bundled_scene_to_what_it_is_changes_no_byte_and_every_change_can_be_taken_back()
 {
    let (mut same, mut changed) = (0, 0);
    for bundled in BUNDLED {
        let opened = draft(bundled.text);
        for field in opened.fields() {
            assert_described(&field);
            let mut draft = opened.clone();
            if let Some(value) = &field.value {
                draft.set(&field.place, value.clone()).unwrap();
                assert_eq!(draft.text(), bundled.text, "{}: {}", bundled.name, field.place);
                same += 1;
            }
            // Not everything goes together: what does is taken, and comes back.
            for value in others(&field).into_iter().take(2) {
                if draft.set(&field.place, value).is_ok() {
                    assert_ne!(draft.text(), bundled.text);
                    assert_eq!(comments(draft.text()), comments(bundled.text));
                    draft.restore(&field.place).unwrap();
                    changed += 1;
                }
                assert_eq!(draft.text(), bundled.text, "{}: {}", bundled.name, field.place);
            }
        }
    }
    assert!(same > 1_500 && changed > 1_500, "{same} {changed}");
}

#[test]
fn what_a_command_can_do_to_a_running_crowd_gives_the_run_of_the_edited_scene() {
    let run = |mut crowd: Crowd<Vec2>| {
        (0..20).for_each(|_| crowd.step());
        crowd.digest()
    };
    let crowd = |draft: &Draft| {
        let AnyScene::TwoD(scene) = draft.scene() else { panic!("it is a scene of the plane") };
        Crowd::new(scene.setup.clone()).unwrap()
    };
    let mut count = 0;
    for description in Behavior::<Vec2>::LIST {
        let mut opened = draft(&world("[[group.steer]]\nall = []\ncombine = \"dither\"\n"));
        opened.add(&at("group[0].steer[0].all"), 0, description.name).unwrap();
        let live = opened
            .fields()
            .into_iter()
            .filter(|field| field.place.0.starts_with(&at("group[0]").0));
        for field in live {
            for value in others(&field) {
                let mut draft = opened.clone();
                let fine = draft.set(&field.place, value).is_ok();
                let Some(command) = draft.command::<Vec2>(&field.place).filter(|_| fine) else {
                    let read_again = [
                        "name",
                        "count",
                        "points",
                        "center",
                        "radius",
                        "velocity",
                        "drag",
                        "turn_rate",
                        "turning_radius",
                        "think_every",
                        "combine",
                        "epsilon",
                        "separation",
                    ];
                    let spread = draft
                        .field(&field.place)
                        .unwrap()
                        .value
                        .is_some_and(|value| matches!(value, Value::Table(_)));
                    assert!(
                        !fine || spread || read_again.contains(&field.name()),
                        "{} has no command",
                        field.place
                    );
                    continue;
                };
                let mut running = crowd(&opened);
                running.apply(&command).unwrap_or_else(|fault| panic!("{fault}"));
                assert_eq!(run(running), run(crowd(&draft)), "{command:?}");
                count += 1;
            }
        }
    }
    assert!(count > 300, "only {count} commands");
    // What is not given any more is set to its default, where that is a value.
    let mut draft = draft(&world(
        "steer = [{ wander = { circle_distance = 1, circle_radius = 1, angle_change = 1 }, weight \
         = 3 }]\n",
    ));
    let weight = at("group[0].steer[0].weight");
    draft.reset(&weight).unwrap();
    assert!(format!("{:?}", draft.command::<Vec2>(&weight)).contains("Number(1.0)"));
    assert_eq!(draft.command::<Vec2>(&at("dt")), None);
}

/// The ways in which a list of three can be written, each with comments and layout of its own.
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

fn names(draft: &Draft) -> Vec<String> {
    draft.lists()[0].entries.iter().map(|entry| entry.behavior.clone()).collect()
}

#[test]
fn behaviors_are_moved_removed_added_and_switched_off_however_their_list_is_written() {
    for (i, list) in LISTS.into_iter().enumerate() {
        let lines_of_their_own = [0, 2, 3, 4].contains(&i);
        let text = world(list);
        let opened = draft(&text);
        let place = at("group[0].steer");
        assert_eq!(
            (names(&opened), opened.lists()[0].place.clone()),
            (vec!["seek".into(), "flee".into(), "wander".into()], place.clone())
        );
        for (from, to) in [(0, 1), (0, 2), (2, 0), (1, 2), (1, 9), (1, 1)] {
            let mut draft = opened.clone();
            draft.move_to(&place.at(from), to).unwrap();
            let mut expected = names(&opened);
            let moved = expected.remove(from);
            expected.insert(to.min(2), moved);
            assert_eq!(names(&draft), expected, "{from} {to}\n{}", draft.text());
            assert_eq!(sorted(draft.text()), sorted(&text), "{}", draft.text());
            assert!(
                !lines_of_their_own || lines(draft.text()) == lines(&text),
                "a comment has left its line\n{}",
                draft.text()
            );
            // What a place said when the scene was opened is found where it is now.
            let flee = expected.iter().position(|name| name == "flee").unwrap();
            assert_eq!(draft.scene_value(&place.at(flee).key("weight")), Some(Value::Number(2.0)));
            draft.set(&place.at(flee).key("weight"), 5.0).unwrap();
            draft.restore(&place.at(flee).key("weight")).unwrap();
            assert!(draft.text().contains("weight = 2.0"), "{}", draft.text());
            draft.move_to(&place.at(to.min(2)), from).unwrap();
            assert_eq!(draft.text(), text);
        }
        for i in 0..3 {
            let mut draft = opened.clone();
            draft.remove(&place.at(i)).unwrap();
            let mut expected = names(&opened);
            expected.remove(i);
            assert_eq!(names(&draft), expected, "{}", draft.text());
            assert!(
                comments(draft.text()).len() + 2 >= comments(&text).len()
                    && !draft.text().contains(",,"),
                "{}",
                draft.text()
            );
            let mut draft = opened.clone();
            draft.switch(&place.at(i), false).unwrap();
            assert!(draft.lists()[0].entries[i].off && draft.text().contains("off = true"));
            assert_eq!(comments(draft.text()), comments(&text));
            draft.switch(&place.at(i), true).unwrap();
            assert_eq!(draft.text(), text);
        }
        for i in 0..4 {
            let mut draft = opened.clone();
            draft.add(&place, i, "separation").unwrap();
            let mut expected = names(&opened);
            expected.insert(i, "separation".into());
            assert_eq!(names(&draft), expected, "{}", draft.text());
            assert_eq!(comments(draft.text()), comments(&text), "{}", draft.text());
            assert_eq!(draft.scene_value(&place.at(i).key("separation").key("radius")), None);
            draft.remove(&place.at(i)).unwrap();
            assert_eq!(draft.text(), text);
        }
        let mut draft = opened.clone();
        (0..3).for_each(|_| draft.remove(&place.at(0)).unwrap());
        assert!(names(&draft).is_empty());
        draft.add(&place, 0, "seek").unwrap();
        assert_eq!(names(&draft), ["seek"], "{}", draft.text());
    }
}

#[test]
fn the_author_would_have_written_it_so() {
    let place = at("group[0].steer");
    let mut headers = draft(&world(LISTS[0]));
    headers.add(&place, 1, "pursue").unwrap();
    headers.move_to(&place.at(3), 0).unwrap();
    headers.set(&place.at(1).key("weight"), 0.5).unwrap();
    let expected = "max_speed = 3\n\n# Wander at \
                    last.\n[[group.steer]]\n[group.steer.wander]\ncircle_distance = 6\n  # \
                    indented\n  circle_radius = 8\nangle_change = 1\n[[group.steer]]\n# About \
                    seek.\nseek = { target = [1, 2] }\nweight = 0.5\n";
    assert!(headers.text().contains(expected), "{}", headers.text());
    assert!(
        headers.text().contains(
            "\n[[group.steer]]\npursue = { quarry = \"leader\" }\n[[group.steer]] # flee here\n"
        ),
        "{}",
        headers.text()
    );

    let mut brackets = draft(&world(LISTS[2]));
    brackets.add(&place, 9, "seek").unwrap();
    brackets.remove(&place.at(0)).unwrap();
    brackets.set(&place.at(0).key("flee").key("panic_radius"), 80.0).unwrap();
    let expected = "steer = [\n    # About seek.\n    { flee = { target = [3, 4], panic_radius = \
                    80 }, weight = 2.0 },\n    # Wander at last.\n    # And for long.\n    { \
                    wander = { circle_distance = 6, circle_radius = 8, angle_change = 1 } }, # \
                    last\n    { seek = { target = \"pointer\" } }\n    # end\n]\n";
    assert!(brackets.text().contains(expected), "{}", brackets.text());

    // Where nothing is yet: a group has its list under headers, a state has it in a line, and
    // tables come with their keys.
    let mut bare = draft(&world("[[group.state]]\nname = \"look\"\n# Nothing yet.\n"));
    bare.add(&at("group[0].state[0].steer"), 0, "seek").unwrap();
    bare.add(&at("group[1].steer"), 0, "arrive").unwrap();
    bare.set(&at("group[1].steer[0].weight"), 2.0).unwrap();
    bare.set(&at("seed"), 7_u64).unwrap();
    for expected in [
        "dt = 0.5 # half a tick\nseed = 7\n[bounds]",
        "name = \"look\"\nsteer = [{ seek = { target = \"pointer\" } }]\n# Nothing yet.\n",
        "max_speed = 2\n[[group.steer]]\narrive = { target = \"pointer\", slowing_radius = 50 \
         }\nweight = 2\n",
    ] {
        assert!(bare.text().contains(expected), "{expected}\n{}", bare.text());
    }
}

#[test]
fn the_breaks_the_mark_and_the_end_of_a_file_stay() {
    for (file, kept) in [
        (world(LISTS[0]).replace('\n', "\r\n"), "\r\n"),
        (format!("\u{feff}{}", world(LISTS[2])), "\u{feff}"),
        (world(LISTS[4]).trim_end().to_string(), ""),
        (world(LISTS[2]).replace('\n', "\r\n"), "\r\n"),
    ] {
        let place = at("group[0].steer");
        let opened = draft(&file);
        let mut draft = opened.clone();
        for (place, value) in [
            ("dt", Value::from(2.0)),
            ("group[1].radius", 4.0.into()),
            ("group[0].steer[1].off", true.into()),
            ("group[0].drag", 0.5.into()),
        ] {
            draft.set(&at(place), value).unwrap();
            assert!(
                draft.text().contains(kept) && draft.text().ends_with('\n') == file.ends_with('\n')
            );
            assert!(
                kept != "\r\n"
                    || draft.text().matches('\n').count() == draft.text().matches("\r\n").count(),
                "{:?}",
                draft.text()
            );
            draft.restore(&at(place)).unwrap();
            assert_eq!(draft.text(), file);
        }
        draft.add(&place, 1, "seek").unwrap();
        draft.move_to(&place.at(1), 3).unwrap();
        draft.remove(&place.at(3)).unwrap();
        assert_eq!(draft.text(), file);
    }
}

#[test]
fn a_scene_in_json_is_edited_as_well() {
    let text = r#"{
  "bounds": { "min": [0, 0], "max": [100, 100] },
  "pointer": { "track": [[0, 1, 2]] },
  "group": [
    {
      "name": "guest",
      "spawn": { "points": [[0, 0]] },
      "max_speed": 3,
      "steer": [
        { "seek": { "target": "pointer" } },
        { "wander": { "circle_distance": 1, "circle_radius": 2, "angle_change": 0.5 }, "weight": 1.50 }
      ]
    }
  ]
}
"#;
    let source = Source { name: "guest.json".to_string(), text: text.to_string() };
    let opened = Draft::new(source, Format::Json).unwrap();
    for field in opened.fields() {
        for value in others(&field) {
            let mut draft = opened.clone();
            if draft.set(&field.place, value.clone()).is_ok() {
                assert_eq!(
                    draft.field(&field.place).unwrap().value,
                    Some(value),
                    "{}",
                    field.place
                );
                draft.restore(&field.place).unwrap();
            }
            assert_eq!(draft.text(), text, "{}", field.place);
        }
    }
    let (mut draft, place) = (opened.clone(), at("group[0].steer"));
    draft.set(&place.at(0).key("seek").key("within"), 9.0).unwrap();
    draft.set(&at("group[0].max_force"), Value::Number(f64::INFINITY)).unwrap();
    draft.set(&at("group[0].max_force"), 2.0).unwrap();
    draft.set(&at("group[0].max_force"), Value::Number(f64::INFINITY)).unwrap();
    assert!(
        draft.text().contains("{ \"seek\": { \"target\": \"pointer\", \"within\": 9 } },\n"),
        "{}",
        draft.text()
    );
    assert!(
        draft.text().contains("      ],\n      \"max_force\": \"inf\"\n    }"),
        "{}",
        draft.text()
    );
    for i in 0..3 {
        let mut draft = opened.clone();
        draft.add(&place, i, "flee").unwrap();
        draft.switch(&place.at(i), false).unwrap();
        draft.move_to(&place.at(i), 2 - i).unwrap();
        draft.remove(&place.at(2 - i)).unwrap();
        assert_eq!(draft.text(), text);
    }
    draft.remove(&place.at(1)).unwrap();
    draft.remove(&place.at(0)).unwrap();
    assert!(draft.lists()[0].entries.is_empty());
}

#[test]
fn a_bad_edit_says_where_what_and_what_is_allowed_and_changes_nothing() {
    let text = world(&format!(
        "combine = \"sum\"\n{}[[group.steer]]\nqueue = {{ ahead = 5, radius = 4 }}\n",
        LISTS[0]
    ));
    let mut draft = draft(&text);
    let said =
        |result: Result<(), wayfare::crowd::ValidationError>| result.unwrap_err().to_string();
    let names: Vec<&str> = Behavior::<Vec2>::LIST.iter().map(|behavior| behavior.name).collect();
    let list = at("group[0].steer");
    let expected = [
        (
            said(draft.set(&at("dt"), 0.0)),
            "dt: `dt` is the number 0; allowed: a time above 0, up to 1e9",
        ),
        (
            said(draft.set(&at("group[0].combine"), "summ")),
            "group[0].combine: `combine` is \"summ\"; allowed: sum, priority, budget, dither, \
             context",
        ),
        (
            said(draft.set(&at("group[1].mass"), Value::read("{ uniform = [3, 1] }").unwrap())),
            "group[1].mass: `uniform` is [3, 1]; allowed: two numbers, the smaller first, each a \
             time above 0, up to 1e9",
        ),
        (
            said(draft.set(&at("group[0].steer[0].seek.target"), "nobody")),
            "group[0].steer[0].seek.target: `target` names the group \"nobody\", which is not in \
             the scene; allowed: walkers, leader, pointer, goal, last_seen",
        ),
        (
            said(draft.set(&at("group[0].speed"), 3.0)),
            "group[0].speed: `speed` cannot be set there; allowed: name, count, goal, velocity, \
             mass, max_speed, max_force, radius, drag, turn_rate, turning_radius, think_every, \
             sight, combine, epsilon",
        ),
        (
            said(draft.set(&at("group[7].mass"), 3.0)),
            "group[7].mass: `mass` cannot be set there; allowed: the place of a field, such as \
             group[0].max_speed",
        ),
        (
            said(draft.reset(&at("group[0].max_speed"))),
            "group[0].max_speed: `max_speed` has to be given; allowed: another value",
        ),
        (
            said(draft.add(&list, 4, "seek")),
            "group[0].steer[4]: `queue` brakes the forces before it, and others stand after it in \
             its list; allowed: `queue` as the last of its list",
        ),
        (
            said(draft.move_to(&list.at(3), 0)),
            "group[0].steer[3]: `queue` brakes the forces before it, and others stand after it in \
             its list; allowed: `queue` as the last of its list",
        ),
        (
            said(draft.add(&list, 0, "sek")),
            &format!("group[0].steer[0]: `sek` is no behavior; allowed: {}", names.join(", ")),
        ),
        (
            said(draft.add(&at("group[0].state[0].steer"), 0, "seek")),
            "group[0].state[0].steer: there is no list of behaviors; allowed: group[0].steer, \
             group[1].steer",
        ),
        (
            said(draft.remove(&list.at(4))),
            "group[0].steer[4]: there is no behavior 4 in the list; allowed: an index from 0 to 3",
        ),
        (
            said(draft.switch(&at("group[1].steer[0]"), false)),
            "group[1].steer[0]: there is no behavior 0 in the list; allowed: nothing: the list is \
             empty",
        ),
        (
            said(draft.remove(&list)),
            "group[0].steer: `steer` cannot be set there; allowed: name, count, goal, velocity, \
             mass, max_speed, max_force, radius, drag, turn_rate, turning_radius, think_every, \
             sight, combine, epsilon",
        ),
    ];
    for (said, expected) in expected {
        assert_eq!(said, expected);
    }
    let problems = draft.retype("dt = 1".to_string()).unwrap_err();
    assert_eq!((problems.len(), draft.text()), (1, &text[..]));
    draft.set(&at("dt"), 9.0).unwrap();
    draft.move_to(&list.at(0), 1).unwrap();
    draft.restore_all();
    assert_eq!((draft.text(), draft.scene_value(&list.at(0).key("weight"))), (&text[..], None));
    let mut bare = draft.clone();
    bare.retype(
        "[[group]]\nname = \"a\"\nspawn = { points = [[0, 0]] }\nmax_speed = 1\n".to_string(),
    )
    .unwrap();
    assert_eq!(
        said(bare.add(&list, 0, "follow_path")),
        "group[0].steer[0]: `follow_path` needs a path, and the scene has none; allowed: a scene \
         with a path"
    );
}

/// Numbers without a pattern that matters.
struct Draws(u64);

impl Draws {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

#[test]
fn whatever_is_edited_in_whatever_order_the_text_is_a_scene_and_says_what_the_draft_does() {
    let mut draws = Draws(7);
    let mut accepted = 0;
    let texts = BUNDLED
        .iter()
        .filter(|bundled| bundled.folder != "bench")
        .map(|bundled| bundled.text.to_string())
        .chain(LISTS.map(world));
    for text in texts {
        let mut draft = draft(&text);
        for _ in 0..25 {
            let before = draft.text().to_string();
            let (fields, lists) = (draft.fields(), draft.lists());
            let field = &fields[draws.below(fields.len())];
            let list = &lists[draws.below(lists.len())];
            let entry = list.place.at(draws.below(list.entries.len() + 1));
            let behavior = Behavior::<Vec2>::LIST[draws.below(Behavior::<Vec2>::LIST.len())].name;
            let values = others(field);
            let done = match draws.below(9) {
                0 => draft.reset(&field.place),
                1 => draft.restore(&field.place),
                2 => draft.add(&list.place, draws.below(4), behavior),
                3 => draft.remove(&entry),
                4 => draft.move_to(&entry, draws.below(4)),
                5 => draft.switch(&entry, draws.below(2) == 0),
                _ if values.is_empty() => continue,
                _ => draft.set(&field.place, values[draws.below(values.len())].clone()),
            };
            let source = Source { name: "draft".to_string(), text: draft.text().to_string() };
            match done {
                Ok(()) => {
                    accepted += 1;
                    let again = Draft::new(source, Format::Toml)
                        .unwrap_or_else(|problems| panic!("{problems:?}\n{}", draft.text()));
                    assert_eq!(format!("{:?}", again.scene()), format!("{:?}", draft.scene()));
                    assert_eq!(again.lists(), draft.lists());
                }
                Err(fault) => assert_eq!(draft.text(), before, "{fault}"),
            }
        }
    }
    assert!(accepted > 500, "only {accepted} edits were accepted");
}

#[test]
fn what_is_not_there_yet_is_begun_with_its_example_in_the_plane_and_in_space() {
    for (dimension, point) in [(2, "[1, 2]"), (3, "[1, 2, 3]")] {
        let scene = format!(
            "dimension = {dimension}\n[[group]]\nname = \"a\"\nspawn = {{ points = [{point}] \
             }}\nmax_speed = 1\n[group.stat.thirst]\nstart = 90\n[[group.state]]\nname = \
             \"walk\"\n"
        );
        let mut draft = draft(&scene);
        let mut begun = Vec::new();
        for field in draft.fields() {
            if let (FieldKind::Written { example }, false) = (&field.kind, field.given) {
                draft
                    .set(&field.place, Value::read(example).unwrap())
                    .unwrap_or_else(|fault| panic!("{fault}\n{example}"));
                begun.push(field.name().to_string());
            }
        }
        assert_eq!(begun, ["bounds", "pointer", "goal", "sight", "rate"]);
        for description in Behavior::<Vec2>::LIST
            .iter()
            .filter(|behavior| !["follow_path", "follow_flow"].contains(&behavior.name))
        {
            draft
                .add(&at("group[0].steer"), 0, description.name)
                .or_else(|_| draft.add(&at("group[0].state[0].steer"), 99, description.name))
                .unwrap();
        }
        let velocity = draft.field(&at("group[0].velocity")).unwrap().value.unwrap();
        assert_eq!(velocity, Value::from(vec![0.0; dimension]));
        let FieldKind::Number(stat) = draft.field(&at("group[0].stat.thirst.min")).unwrap().kind
        else {
            panic!("it is a number")
        };
        assert_eq!(stat.usual, [0.0, 200.0]);
        assert_eq!(
            draft.field(&at("group[0].state[0].rate.thirst")).unwrap().value,
            Some(Value::Whole(-1))
        );
    }
}
