//! Refused edits: each error has the key path, the value and what is allowed, and the text does not
//! change.

use wayfare::crowd::ValidationError;
use wayfare::glam::Vec2;
use wayfare::registry::Behavior;
use wayfare_scene::edit::Value;

use super::{LISTS, draft, path, world};

#[test]
fn a_refused_edit_names_path_value_and_allowed_values_and_changes_nothing() {
    let text = world(&format!(
        "combine = \"sum\"\n{}[[group.steer]]\nqueue = {{ ahead = 5, radius = 4 }}\n",
        LISTS[0]
    ));
    let mut draft = draft(&text);
    let message = |result: Result<(), ValidationError>| result.unwrap_err().to_string();
    let names: Vec<&str> = Behavior::<Vec2>::LIST.iter().map(|behavior| behavior.name).collect();
    let list = path("group[0].steer");
    let expected = [
        (
            message(draft.set(&path("dt"), 0.0)),
            "dt: `dt` is the number 0; allowed: a time above 0, up to 1e9",
        ),
        (
            message(draft.set(&path("group[0].combine"), "summ")),
            "group[0].combine: `combine` is \"summ\"; allowed: sum, priority, budget, dither, \
             context",
        ),
        (
            message(
                draft.set(&path("group[1].mass"), Value::read("{ uniform = [3, 1] }").unwrap()),
            ),
            "group[1].mass: `uniform` is [3, 1]; allowed: two numbers, the smaller first, each a \
             time above 0, up to 1e9",
        ),
        (
            message(draft.set(&path("group[0].steer[0].seek.target"), "ghosts")),
            "group[0].steer[0].seek.target: `target` names the group \"ghosts\", which is not in \
             the scene; allowed: walkers, leader, pointer, goal, order, last_seen",
        ),
        (
            message(draft.set(&path("group[0].speed"), 3.0)),
            "group[0].speed: `speed` cannot be set there; allowed: name, count, goal, color, \
             velocity, heading, start_after, preset, mass, max_speed, speed_cap, min_speed, \
             max_force, radius, drag, turn_rate, \
             turning_radius, heading_time, think_every, contacts, solid, inertia, without_order, \
             sight, combine, epsilon, standing",
        ),
        (
            message(draft.set(&path("group[7].mass"), 3.0)),
            "group[7].mass: `mass` cannot be set there; allowed: the path of a value, such as \
             group[0].max_speed",
        ),
        (
            message(draft.reset(&path("group[0].max_speed"))),
            "group[0].max_speed: `max_speed` has to be given; allowed: another value",
        ),
        (
            message(draft.add(&list, 4, "seek")),
            "group[0].steer[4]: `queue` acts on the sum of the preceding forces, but other \
             entries follow it in its list; allowed: `queue` as the last of its list",
        ),
        (
            message(draft.move_to(&list.at(3), 0)),
            "group[0].steer[3]: `queue` acts on the sum of the preceding forces, but other \
             entries follow it in its list; allowed: `queue` as the last of its list",
        ),
        (
            message(draft.add(&list, 0, "sek")),
            &format!("group[0].steer[0]: `sek` is no behavior; allowed: {}", names.join(", ")),
        ),
        (
            message(draft.add(&path("group[0].state[0].steer"), 0, "seek")),
            "group[0].state[0].steer: there is no list of behaviors; allowed: group[0].steer, \
             group[1].steer",
        ),
        (
            message(draft.remove(&list.at(4))),
            "group[0].steer[4]: there is no behavior 4 in the list; allowed: an index from 0 to 3",
        ),
        (
            message(draft.set_enabled(&path("group[1].steer[0]"), false)),
            "group[1].steer[0]: there is no behavior 0 in the list; allowed: nothing: the list is \
             empty",
        ),
        (
            message(draft.remove(&list)),
            "group[0].steer: `steer` cannot be set there; allowed: name, count, goal, color, \
             velocity, heading, start_after, preset, mass, max_speed, speed_cap, min_speed, \
             max_force, radius, drag, turn_rate, \
             turning_radius, heading_time, think_every, contacts, solid, inertia, without_order, \
             sight, combine, epsilon, standing",
        ),
    ];
    for (found, expected) in expected {
        assert_eq!(found, expected);
    }
    let problems = draft.set_text("dt = 1".to_string()).unwrap_err();
    assert_eq!((problems.len(), draft.text()), (1, &text[..]));
    draft.set(&path("dt"), 9.0).unwrap();
    draft.move_to(&list.at(0), 1).unwrap();
    draft.restore_all();
    assert_eq!((draft.text(), draft.original_value(&list.at(0).key("weight"))), (&text[..], None));
    let mut bare = draft.clone();
    bare.set_text(
        "[[group]]\nname = \"a\"\nspawn = { points = [[0, 0]] }\nmax_speed = 1\n".to_string(),
    )
    .unwrap();
    assert_eq!(
        message(bare.add(&list, 0, "follow_path")),
        "group[0].steer[0]: `follow_path` needs a path, and the scene has none; allowed: a scene \
         with a path"
    );
}
