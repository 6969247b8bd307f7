//! Tables that a scene does not have yet are added with their examples.

use wayfare::glam::Vec2;
use wayfare::registry::Behavior;
use wayfare_scene::edit::{ControlKind, Value};

use super::{draft, path};

#[test]
fn missing_tables_are_added_with_their_examples_in_the_plane_and_in_space() {
    for (dimension, point) in [(2, "[1, 2]"), (3, "[1, 2, 3]")] {
        let scene = format!(
            "dimension = {dimension}\n[[group]]\nname = \"a\"\nspawn = {{ points = [{point}] \
             }}\nmax_speed = 1\n[group.stat.thirst]\nstart = 90\n[[group.state]]\nname = \
             \"walk\"\n"
        );
        let mut draft = draft(&scene);
        let mut added = Vec::new();
        for control in draft.controls() {
            if let (ControlKind::Structure { example }, false) = (&control.kind, control.given) {
                draft
                    .set(&control.key_path, Value::read(example).unwrap())
                    .unwrap_or_else(|error| panic!("{error}\n{example}"));
                added.push(control.name().to_string());
            }
        }
        assert_eq!(
            added,
            ["units", "bounds", "bodies", "navigation", "pointer", "goal", "sight", "rate"]
        );
        for description in Behavior::<Vec2>::LIST
            .iter()
            // Without a path, a field or a body, which they need.
            .filter(|b| {
                !["follow_path", "follow_vehicle", "queue_along", "follow_flow"].contains(&b.name)
                    && !["navigate", "pedestrian", "orca"].contains(&b.name)
            })
        {
            draft
                .add(&path("group[0].steer"), 0, description.name)
                .or_else(|_| draft.add(&path("group[0].state[0].steer"), 99, description.name))
                .unwrap();
        }
        let velocity = draft.control(&path("group[0].velocity")).unwrap().value.unwrap();
        assert_eq!(velocity, Value::from(vec![0.0; dimension]));
        let ControlKind::Number(stat) =
            draft.control(&path("group[0].stat.thirst.min")).unwrap().kind
        else {
            panic!("min of a stat is not a number")
        };
        assert_eq!(stat.slider, [0.0, 200.0]);
        assert_eq!(
            draft.control(&path("group[0].state[0].rate.thirst")).unwrap().value,
            Some(Value::Integer(-1))
        );
    }
}
