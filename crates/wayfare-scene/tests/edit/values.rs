//! Setting single values: every parameter of every behavior in every layout, and every control of
//! every bundled scene.

use wayfare::combine::Entry;
use wayfare::glam::Vec2;
use wayfare::parameter::{self, Unit};
use wayfare::registry::Behavior;
use wayfare_scene::edit::{Control, ControlKind, Draft, Value};
use wayfare_scene::{AnyScene, BUNDLED, Bundled, Format};

use super::{comments, draft, other_values, path, world};

/// Asserts that the control has all that a panel needs: documentation, range, slider, unit.
fn assert_described(control: &Control) {
    let path = &control.key_path;
    assert!(control.doc.len() > 5 && !control.doc.contains('\n'), "{path}: {:?}", control.doc);
    match &control.kind {
        ControlKind::Number(number) => {
            let ([least, most], range) = (number.slider, number.range);
            assert!(
                least < most && range.holds(least as f32) && range.holds(most as f32),
                "{path}: {:?} of {range}",
                number.slider
            );
            assert_eq!(control.unit(), range.unit);
        }
        ControlKind::Integer { range, slider } => {
            assert!(
                range[0] <= slider[0] && slider[0] < slider[1] && slider[1] <= range[1],
                "{path}"
            )
        }
        ControlKind::Choice(words) => assert!(words.iter().all(|word| !word.is_empty()), "{path}"),
        // A direction has no unit.
        ControlKind::Point { unit, .. } => {
            assert_eq!(*unit == Unit::None, control.name() == "heading", "{path}")
        }
        ControlKind::Structure { example } => {
            assert!(Value::read(example).is_some(), "{path}: {example}")
        }
        ControlKind::Groups(_) | ControlKind::Flag | ControlKind::Text => {}
    }
}

/// The first behavior of the first group, decoded.
fn first_behavior(draft: &Draft) -> Behavior<Vec2> {
    let AnyScene::TwoD(scene) = draft.scene() else { panic!("not a scene of the plane") };
    let Entry::Behavior(behavior) = &scene.setup.groups[0].steer.slots[0].entry else {
        panic!("a list, not a behavior")
    };
    behavior.clone()
}

/// The same behavior in every layout in which it can be written.
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
    // A behavior without required parameters cannot be written with dotted keys.
    layouts.truncate(if parameters.is_empty() { 4 } else { 6 });
    layouts
}

#[test]
fn every_parameter_of_every_behavior_has_a_control_and_setting_it_keeps_comments() {
    let mut count = 0;
    for description in Behavior::<Vec2>::LIST {
        let mut template = draft(&world(""));
        template.add(&path("group[0].steer"), 0, description.name).unwrap();
        let prefix = path("group[0].steer[0]").key(description.name);
        let behavior_controls = |draft: &Draft| {
            draft
                .controls()
                .into_iter()
                .filter(|control| control.key_path.0.starts_with(&prefix.0))
                .collect::<Vec<_>>()
        };
        let required = behavior_controls(&template)
            .into_iter()
            .filter(|control| control.required && control.key_path.0.len() == prefix.0.len() + 1);
        let required: Vec<_> =
            required.map(|control| (control.name().to_string(), control.value.unwrap())).collect();
        for layout in layouts(description.name, &required) {
            let text = world(&layout);
            let opened = draft(&text);
            let controls = behavior_controls(&opened);
            for parameter in description.parameters {
                let path = prefix.key(parameter.name);
                let control = controls
                    .iter()
                    .find(|control| control.key_path == path)
                    .unwrap_or_else(|| panic!("{path} has no control"));
                assert_described(control);
                assert_eq!(
                    (control.name(), control.required, control.given),
                    (parameter.name, parameter.required, parameter.required),
                    "{path}"
                );
                // They need each other, and a point as target: tests of the library set them.
                if description.name == "navigate"
                    && ["alternatives", "choose"].contains(&parameter.name)
                {
                    continue;
                }
                let mut values = other_values(control);
                // A queue stands on a path of the scene.
                values.retain(|v| description.name != "queue_along" || *v != Value::from("order"));
                assert!(!values.is_empty(), "{path}");
                for value in values {
                    let mut draft = opened.clone();
                    draft
                        .set(&path, value.clone())
                        .unwrap_or_else(|error| panic!("{error}\n{text}"));
                    assert_eq!(draft.control(&path).unwrap().value, Some(value.clone()), "{path}");
                    assert_eq!(comments(draft.text()), comments(&text), "{path}");
                    assert_eq!(
                        draft.text().lines().count() - text.lines().count(),
                        usize::from(layout.starts_with("[[group.steer]]\n") && !control.given)
                    );
                    let (now, before) = (
                        first_behavior(&draft).get(parameter.name),
                        first_behavior(&opened).get(parameter.name),
                    );
                    match (&now, value.number()) {
                        (Some(parameter::Value::Number(x)), Some(number)) => {
                            assert_eq!(*x, number as f32, "{path}")
                        }
                        _ => assert_ne!(now, before, "{path} = {value:?}"),
                    }
                    let changed = draft.text().to_string();
                    if control.required {
                        let error = draft.reset(&path).unwrap_err();
                        assert_eq!(
                            (error.message, draft.text()),
                            (format!("`{}` has to be given", parameter.name), &changed[..])
                        );
                    } else {
                        draft.reset(&path).unwrap();
                        assert_eq!(draft.text(), text, "{path}");
                        draft.set(&path, value).unwrap();
                    }
                    draft.restore(&path).unwrap();
                    assert_eq!(draft.text(), text, "{path}");
                    count += 1;
                }
            }
        }
    }
    assert!(count > 500, "only {count} values were set");
}

#[test]
fn setting_a_control_to_its_value_changes_no_byte_and_every_change_can_be_restored() {
    // Each scene takes seconds: on two threads.
    let (same, changed) = std::thread::scope(|scope| {
        let half = |from| BUNDLED.iter().skip(from).step_by(2).map(set_each_control);
        let sum = |(a, b), (c, d)| (a + c, b + d);
        let first = scope.spawn(move || half(0).fold((0, 0), sum));
        sum(half(1).fold((0, 0), sum), first.join().unwrap())
    });
    assert!(same > 1_500 && changed > 1_500, "{same} {changed}");
}

/// Sets each control of a scene to its value and to others; the numbers of values that were equal
/// to the control's, and of changes.
fn set_each_control(bundled: &Bundled) -> (usize, usize) {
    let (mut same, mut changed) = (0, 0);
    let opened = draft(bundled.text);
    for control in opened.controls() {
        assert_described(&control);
        let mut draft = opened.clone();
        if let Some(value) = &control.value {
            draft.set(&control.key_path, value.clone()).unwrap();
            assert_eq!(draft.text(), bundled.text, "{}: {}", bundled.name, control.key_path);
            same += 1;
        }
        // Some values contradict others in the scene and are refused.
        for value in other_values(&control).into_iter().take(2) {
            if draft.set(&control.key_path, value).is_ok() {
                assert_ne!(draft.text(), bundled.text);
                assert_eq!(comments(draft.text()), comments(bundled.text));
                draft.restore(&control.key_path).unwrap();
                changed += 1;
            }
            assert_eq!(draft.text(), bundled.text, "{}: {}", bundled.name, control.key_path);
        }
    }
    (same, changed)
}
