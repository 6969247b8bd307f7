//! Editing a scene in JSON.

use wayfare_scene::edit::{Draft, Value};
use wayfare_scene::{Format, Source};

use super::{other_values, path};

#[test]
fn a_scene_in_json_is_edited_like_one_in_toml() {
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
    for control in opened.controls() {
        for value in other_values(&control) {
            let mut draft = opened.clone();
            if draft.set(&control.key_path, value.clone()).is_ok() {
                assert_eq!(
                    draft.control(&control.key_path).unwrap().value,
                    Some(value),
                    "{}",
                    control.key_path
                );
                draft.restore(&control.key_path).unwrap();
            }
            assert_eq!(draft.text(), text, "{}", control.key_path);
        }
    }
    let (mut draft, steer) = (opened.clone(), path("group[0].steer"));
    draft.set(&steer.at(0).key("seek").key("within"), 9.0).unwrap();
    draft.set(&path("group[0].max_force"), Value::Number(f64::INFINITY)).unwrap();
    draft.set(&path("group[0].max_force"), 2.0).unwrap();
    draft.set(&path("group[0].max_force"), Value::Number(f64::INFINITY)).unwrap();
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
        draft.add(&steer, i, "flee").unwrap();
        draft.set_enabled(&steer.at(i), false).unwrap();
        draft.move_to(&steer.at(i), 2 - i).unwrap();
        draft.remove(&steer.at(2 - i)).unwrap();
        assert_eq!(draft.text(), text);
    }
    draft.remove(&steer.at(1)).unwrap();
    draft.remove(&steer.at(0)).unwrap();
    assert!(draft.lists()[0].entries.is_empty());
}
