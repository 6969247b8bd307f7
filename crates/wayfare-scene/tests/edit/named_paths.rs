//! Paths that name entries of lists.

use super::*;

const SCENE: &str = r#"
[template.walker]
steer = [{ seek = { target = [9, 0] } }]
[[template.walker.state]]
name = "rest"
max_speed = 1
[line.door]
from = [6, -2]
to = [6, 2]
[[obstacle]]
circle = { center = [0, 9], radius = 1 }
[[group]]
name = "guest"
template = "walker"
spawn = { points = [[0, 0]] }
max_speed = 3
[[group.state]]
name = "run"
steer = [{ flee = { target = [0, 0] } }, { flee = { target = [9, 9] } }]
[[group]]
name = "host"
spawn = { points = [[0, 4]] }
max_speed = 3
[[measure]]
name = "door"
flow = { line = "door" }
"#;

#[test]
fn an_entry_is_named_by_its_name_its_kind_or_its_index() {
    let mut draft = draft(SCENE);
    for (named, full) in [
        ("dt", "dt"),
        ("group.host.max_speed", "group[1].max_speed"),
        ("group[1].max_speed", "group[1].max_speed"),
        ("group.guest.steer.seek.target", "group[0].steer[0].seek.target"),
        ("group.guest.state.run.steer[1].flee.target", "group[0].state[0].steer[1].flee.target"),
        ("obstacle.circle.radius", "obstacle[0].circle.radius"),
        ("line.door.from", "line.door.from"),
        ("measure.door.flow.interval", "measure[0].flow.interval"),
    ] {
        assert_eq!(draft.path(named).unwrap(), path(full), "{named}");
    }
    // A value from a template is set for the group alone.
    let target = draft.path("group.guest.steer.seek.target").unwrap();
    draft.set(&target, [4.0, 4.0]).unwrap();
    assert!(draft.text().contains("target = [9, 0]") && draft.text().contains("target = [4, 4]"));
}

#[test]
fn a_name_that_is_not_there_or_not_alone_is_refused_with_those_that_are() {
    let draft = draft(SCENE);
    let error = |text: &str| {
        let error = draft.path(text).unwrap_err();
        (error.message, error.allowed)
    };
    assert_eq!(
        error("group.ghest.max_speed"),
        ("`group` has no `ghest`; did you mean `guest`?".into(), "guest, host".into())
    );
    assert_eq!(
        error("group.guest.state.run.steer.flee.target"),
        (
            "`group[0].state[0].steer` has 2 entries `flee`".into(),
            "an index, from group[0].state[0].steer[0] to group[0].state[0].steer[1]".into()
        )
    );
    assert_eq!(error("group..max_speed").0, "`group..max_speed` is no path");
}

#[test]
fn a_value_without_a_control_is_set_where_the_text_gives_it() {
    let mut draft = draft(&world(""));
    let points = draft.path("path.beat.points").unwrap();
    let value = Value::read("[[1, 2], [3, 4], [5, 6]]").unwrap();
    draft.set(&points, value).unwrap();
    assert!(draft.text().contains("points = [[1, 2], [3, 4], [5, 6]] # there and back"));
    let error = draft.set(&points, 3.0).unwrap_err();
    assert!(error.message.contains("`points` is the number 3"), "{}", error.message);
}
