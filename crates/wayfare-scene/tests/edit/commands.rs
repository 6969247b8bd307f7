//! Commands that apply an edit to a running crowd.

use wayfare::Crowd;
use wayfare::glam::Vec2;
use wayfare::registry::Behavior;
use wayfare_scene::AnyScene;
use wayfare_scene::edit::{Draft, Value};

use super::{draft, other_values, path, world};

#[test]
fn a_command_on_a_new_crowd_gives_the_run_of_the_edited_scene() {
    let run = |mut crowd: Crowd<Vec2>| {
        (0..20).for_each(|_| crowd.step());
        crowd.digest()
    };
    let crowd = |draft: &Draft| {
        let AnyScene::TwoD(scene) = draft.scene() else { panic!("not a scene of the plane") };
        Crowd::new(scene.setup.clone()).unwrap()
    };
    let mut count = 0;
    for description in Behavior::<Vec2>::LIST {
        // Solvers that decide the velocity end no inner list.
        let (steer, list) = if ["pedestrian", "orca"].contains(&description.name) {
            ("", "group[0].steer")
        } else {
            ("[[group.steer]]\nall = []\ncombine = \"dither\"\n", "group[0].steer[0].all")
        };
        let mut opened = draft(&world(steer));
        opened.add(&path(list), 0, description.name).unwrap();
        let controls = opened
            .controls()
            .into_iter()
            .filter(|control| control.key_path.0.starts_with(&path("group[0]").0));
        for control in controls {
            for value in other_values(&control) {
                let mut draft = opened.clone();
                let accepted = draft.set(&control.key_path, value).is_ok();
                let Some(command) = draft.command::<Vec2>(&control.key_path).filter(|_| accepted)
                else {
                    let without_command = [
                        "name",
                        "count",
                        "points",
                        "center",
                        "radius",
                        "color",
                        "velocity",
                        "heading",
                        "start_after",
                        "preset",
                        "speed_cap",
                        "min_speed",
                        "without_order",
                        "drag",
                        "turn_rate",
                        "turning_radius",
                        "heading_time",
                        "think_every",
                        "contacts",
                        "solid",
                        "inertia",
                        "combine",
                        "epsilon",
                        "standing",
                        "separation",
                        "line",
                    ];
                    let is_range = draft
                        .control(&control.key_path)
                        .unwrap()
                        .value
                        .is_some_and(|value| matches!(value, Value::Table(_)));
                    assert!(
                        !accepted || is_range || without_command.contains(&control.name()),
                        "{} has no command",
                        control.key_path
                    );
                    continue;
                };
                let mut running = crowd(&opened);
                running.apply(&command).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(run(running), run(crowd(&draft)), "{command:?}");
                count += 1;
            }
        }
    }
    assert!(count > 300, "only {count} commands");
    // Resetting a key sets it to its default.
    let mut draft = draft(&world(
        "steer = [{ wander = { circle_distance = 1, circle_radius = 1, angle_change = 1 }, weight \
         = 3 }]\n",
    ));
    let weight = path("group[0].steer[0].weight");
    draft.reset(&weight).unwrap();
    assert!(format!("{:?}", draft.command::<Vec2>(&weight)).contains("Number(1.0)"));
    assert_eq!(draft.command::<Vec2>(&path("dt")), None);
}
