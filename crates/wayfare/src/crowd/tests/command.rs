//! Commands: the effect of each, and the errors of refused commands.

use glam::{Vec2, vec2};

use super::*;
use crate::behavior::{Arrive, Separation};
use crate::combine::Entry;
use crate::registry::Behavior;

fn set(key_path: &str, value: Setting<Vec2>) -> Command<Vec2> {
    Command::Set { key_path: key_path.to_string(), value }
}

fn number(key_path: &str, x: f32) -> Command<Vec2> {
    set(key_path, Setting::Number(x))
}

fn text(key_path: &str, text: &str) -> Command<Vec2> {
    set(key_path, Setting::Text(text.to_string()))
}

/// A crowd with every kind of value that can be set.
fn scene(edge: Edge) -> Crowd<Vec2> {
    let mut setup = mixed::<Vec2>(box_of(edge));
    let arrive = Arrive::new(vec2(90.0, 10.0));
    let separation = Separation::default().radius(9.0).max_force(1.0);
    let follow = FollowLeader {
        separation: Some(separation),
        ..FollowLeader::new(GroupId(2)).behind(5.0).sight_radius(4.0).slowing_radius(9.0)
    };
    setup.groups[2].steer = List::default()
        .with(arrive)
        .nested(2.0, List::new(Combine::Priority).with(wander()).with(follow));
    setup.obstacles = vec![
        Shape::Circle { center: vec2(50.0, 50.0), radius: 5.0 },
        Shape::Circle { center: vec2(20.0, 50.0), radius: 5.0 },
    ];
    Crowd::new(setup).unwrap()
}

fn behavior<'a>(crowd: &'a Crowd<Vec2>, group: usize, slots: &[usize]) -> &'a Behavior<Vec2> {
    let mut list = &crowd.world.groups[group].states[0].list;
    for &i in slots {
        match &list.slots[i].entry {
            Entry::List(inner) => list = inner,
            Entry::Behavior(behavior) => return behavior,
        }
    }
    panic!("the slot holds no behavior")
}

#[test]
fn a_parameter_is_set_by_its_key_path_for_all_members() {
    let mut crowd = scene(Edge::Wrap);
    let get = |crowd: &Crowd<Vec2>, slots: &[usize], name| behavior(crowd, 2, slots).get(name);
    for command in [
        number("group[2].steer[0].arrive.slowing_radius", 7.0),
        set("group[2].steer[0].arrive.target", Setting::Point(vec2(3.0, 4.0))),
        set(
            "group[2].steer[1].all[1].follow_leader.separation.of",
            Setting::Texts(vec!["birds".to_string(), "guests".to_string()]),
        ),
        number("group[2].steer[1].all[1].follow_leader.separation.radius", 11.0),
        text("group[2].steer[1].all[1].follow_leader.leader", "birds"),
        number("group[2].steer[1].weight", -3.0),
        number("group[2].steer[1].all[0].chance", 0.5),
        text("group[2].steer[0].arrive.within", "inf"),
    ] {
        assert_eq!(crowd.apply(&command), Ok(None), "{command:?}");
    }
    assert_eq!(get(&crowd, &[0], "slowing_radius"), Some(Value::Number(7.0)));
    assert_eq!(get(&crowd, &[0], "target"), Some(Value::Target(Target::Point(vec2(3.0, 4.0)))));
    assert_eq!(get(&crowd, &[1, 1], "leader"), Some(Value::Group(GroupId(0))));
    let Some(Value::Nested(values)) = get(&crowd, &[1, 1], "separation") else {
        panic!("the parameter is set")
    };
    assert!(
        values.contains(&("radius", Value::Number(11.0)))
            && values.contains(&("max_force", Value::Number(1.0))),
        "{values:?}"
    );
    assert!(values.contains(&("of", Value::Groups(Groups::only([0, 3])))), "{values:?}");
    assert_eq!(
        (crowd.world.groups[2].states[0].list.slots[1].weight, crowd.world.groups[2].radius),
        (-3.0, Some(11.0))
    );
    // Words, flags, and all kinds of targets.
    assert_eq!(crowd.apply(&text("group[2].steer[0].arrive.slowing_radius", "auto")), Ok(None));
    assert_eq!(get(&crowd, &[0], "slowing_radius"), Some(Value::Word("auto")));
    assert_eq!(crowd.apply(&text("group[2].steer[0].arrive.target", "guests")), Ok(None));
    assert_eq!(get(&crowd, &[0], "target"), Some(Value::Target(Target::Group(GroupId(3)))));
    assert_eq!(
        crowd.apply(&number("group[3].state[1].steer[1].wander.angle_change", 0.25)),
        Ok(None)
    );
    assert_eq!(
        crowd.apply(&text("group[3].state[1].steer[0].follow_path.path", "round")),
        Ok(None)
    );
    assert_eq!(crowd.apply(&set("group[1].steer[1].queue.brake", Setting::Flag(false))), Ok(None));
    assert_eq!(behavior(&crowd, 1, &[1]).get("brake"), Some(Value::Off));
    let area = Shape::Circle { center: vec2(9.0, 9.0), radius: 2.0 };
    assert_eq!(
        crowd.apply(&set("group[1].steer[0].roam.area", Setting::Area(area.clone()))),
        Ok(None)
    );
    assert_eq!(behavior(&crowd, 1, &[0]).get("area"), Some(Value::Area(area)));
    crowd.step();
}

#[test]
fn switching_a_behavior_off_and_on_keeps_its_memory_and_the_random_numbers_of_others() {
    let key_path = "group[2].steer[1].all[0].off";
    let (mut crowd, mut other) = (scene(Edge::Open), scene(Edge::Open));
    let streams = |crowd: &Crowd<Vec2>| crowd.population.now.memory_width;
    let before = (streams(&crowd), crowd.digest());
    crowd.step();
    other.step();
    assert_eq!(crowd.apply(&set(key_path, Setting::Flag(true))), Ok(None));
    assert_eq!((streams(&crowd), behavior(&crowd, 2, &[1, 0]).name()), (before.0, "follow_leader"));
    assert_eq!(crowd.apply(&set(key_path, Setting::Flag(false))), Ok(None));
    crowd.step();
    other.step();
    assert_eq!(crowd.digest(), other.digest());
    // While the behavior is off the run differs.
    assert_eq!(crowd.apply(&set(key_path, Setting::Flag(true))), Ok(None));
    for _ in 0..5 {
        crowd.step();
        other.step();
    }
    assert_ne!(crowd.digest(), other.digest());
    let refused = crowd.apply(&number(key_path, 0.0)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!("{key_path}: `off` cannot be 0; allowed: true or false")
    );
}

#[test]
fn sets_returns_whether_a_key_path_can_be_set() {
    let key_path = |text: &str| KeyPath::read(text).unwrap();
    for text in [
        "group[0].mass",
        "group[0].radius",
        "group[9].steer[0].off",
        "group[0].state[1].steer[0].weight",
        "group[2].steer[1].all[1].follow_leader.leader",
        "group[2].steer[1].all[1].follow_leader.separation.radius",
    ] {
        assert!(Command::<Vec2>::sets(&key_path(text)), "{text}");
        let answer = scene(Edge::Open)
            .apply(&number(text, 1.0))
            .map_or_else(|fault| fault.message, |_| String::new());
        assert!(
            !answer.contains("nothing can be set") && !answer.contains("while it runs"),
            "{text}: {answer}"
        );
    }
    for text in [
        "dt",
        "group",
        "group[0]",
        "group[0].drag",
        "group[0].state[0].rate",
        "group[0].steer[0]",
        "group[0].combine",
        "bounds.min",
        "group[0].steer[0].a.b.c.d",
    ] {
        assert!(!Command::<Vec2>::sets(&key_path(text)), "{text}");
        assert!(scene(Edge::Open).apply(&number(text, 1.0)).is_err(), "{text}");
    }
}

#[test]
fn a_number_of_a_group_is_set_for_present_and_future_members() {
    let mut crowd = scene(Edge::Open);
    for (name, x) in [("mass", 5.0), ("max_force", 0.5), ("radius", 2.0), ("max_speed", 1.5)] {
        assert_eq!(crowd.apply(&number(&format!("group[0].{name}"), x)), Ok(None));
    }
    let new = crowd.add(0, vec2(1.0, 1.0), None).unwrap();
    for id in [AgentId(0), AgentId(59), new] {
        let agent = crowd.get(id).unwrap().agent;
        assert_eq!(
            (agent.mass, agent.max_force, agent.radius, agent.max_speed),
            (5.0, 0.5, 2.0, 1.5)
        );
        assert!(agent.velocity.length() <= 1.500_001);
    }
    assert_eq!(crowd.get(60).unwrap().agent.max_force, f32::INFINITY);
    // The upper bound on all speeds is updated, up and down.
    assert_eq!(crowd.population.max_speed, 4.0);
    assert_eq!(crowd.apply(&number("group[0].max_speed", 40.0)), Ok(None));
    assert_eq!(crowd.population.max_speed, 40.0);
    assert_eq!(crowd.apply(&text("group[0].max_force", "inf")), Ok(None));
    assert_eq!(crowd.get(0).unwrap().agent.max_force, f32::INFINITY);
}

#[test]
fn obstacles_and_points_of_paths_are_added_changed_and_removed() {
    let mut crowd = scene(Edge::Open);
    let circle = |x| Shape::Circle { center: vec2(x, 0.0), radius: 1.0 };
    let add = Command::AddObstacle(circle(1.0));
    assert_eq!(crowd.apply(&add), Ok(Some(Added::Obstacle(ObstacleId(2)))));
    for command in [
        Command::SetObstacle(ObstacleId(1), circle(2.0)),
        Command::RemoveObstacle(ObstacleId(0)),
        Command::AddPoint { path: "round".to_string(), point: 2, position: vec2(7.0, 8.0) },
        Command::MovePoint { path: "round".to_string(), point: 0, position: vec2(5.0, 6.0) },
        Command::RemovePoint { path: "round".to_string(), point: 1 },
        Command::Pointer(Some(vec2(1.0, 2.0))),
    ] {
        assert_eq!(crowd.apply(&command), Ok(None), "{command:?}");
    }
    let shapes: Vec<_> =
        crowd.obstacles().iter().map(|obstacle| obstacle.shape().clone()).collect();
    assert_eq!(shapes, [circle(2.0), circle(1.0)]);
    assert_eq!(
        (crowd.paths()[0].points(), crowd.pointer()),
        (&[vec2(5.0, 6.0), vec2(7.0, 8.0)][..], Some(vec2(1.0, 2.0)))
    );
    let add =
        Command::Add { group: "guests".to_string(), position: vec2(1.0, 1.0), velocity: None };
    assert_eq!(crowd.apply(&add), Ok(Some(Added::Agent(AgentId(115)))));
    assert_eq!(
        crowd.apply(&Command::Move {
            id: AgentId(115),
            position: vec2(2.0, 1.0),
            velocity: Some(vec2(0.0, 1.0))
        }),
        Ok(None)
    );
    assert_eq!(crowd.get(115).unwrap().agent.velocity, vec2(0.0, 1.0));
    assert_eq!(crowd.apply(&Command::Remove(AgentId(115))), Ok(None));
    assert_eq!(crowd.get(115), None);
    crowd.step();
}

#[test]
fn a_refused_command_names_key_path_value_and_allowed_values_and_changes_nothing() {
    let mut crowd = scene(Edge::Wrap);
    let circle = |radius| Shape::Circle { center: Vec2::ZERO, radius };
    let path = |path: &str, point| (path.to_string(), point);
    let moved = |(path, point)| Command::MovePoint { path, point, position: Vec2::ZERO };
    // The first lookup of an id builds an index, which is part of the debug text.
    assert!(crowd.get(0).is_some());
    let before = format!("{crowd:?}");
    for (command, expected) in [
        (
            Command::Pointer(Some(vec2(f32::NAN, 0.0))),
            "pointer: a coordinate of `pointer` is NaN; allowed: a length from -1e9 to 1e9",
        ),
        (
            Command::Add { group: "bords".to_string(), position: Vec2::ZERO, velocity: None },
            "add: there is no group \"bords\"; allowed: \"birds\", \"walkers\", \"hunters\", \
             \"guests\"",
        ),
        (
            Command::Remove(AgentId(999)),
            "remove: there is no agent 999; allowed: the id of an agent that is in the crowd",
        ),
        (
            Command::Move { id: AgentId(999), position: Vec2::ZERO, velocity: None },
            "move: there is no agent 999; allowed: the id of an agent that is in the crowd",
        ),
        (
            Command::AddObstacle(circle(-1.0)),
            "add_obstacle.circle.radius: `radius` is -1; allowed: a length from 0 to 1e9",
        ),
        (
            Command::SetObstacle(ObstacleId(0), circle(-1.0)),
            "shape.circle.radius: `radius` is -1; allowed: a length from 0 to 1e9",
        ),
        (
            Command::SetObstacle(ObstacleId(2), circle(1.0)),
            "set_obstacle: there is no obstacle 2; allowed: one of 0, 1",
        ),
        (
            Command::RemoveObstacle(ObstacleId(2)),
            "remove_obstacle: there is no obstacle 2; allowed: one of 0, 1",
        ),
        (moved(path("ruond", 0)), "path: there is no path \"ruond\"; allowed: \"round\""),
        (
            moved(path("round", 2)),
            "move_point: there is no point 2; allowed: a whole number from 0 to 1",
        ),
        (
            number("group[0]", 1.0),
            "group[0]: nothing can be set at this key path; allowed: a key path such",
        ),
        (
            number("group 0", 1.0),
            "group 0: nothing can be set at this key path; allowed: a key path such",
        ),
        (number("group[0", 1.0), "set: \"group[0\" is not a key path; allowed: a key path such as"),
        (
            number("group[9].mass", 1.0),
            "group[9]: there is no group 9; allowed: a group's index below 4",
        ),
        (
            number("group[0].mass", 0.0),
            "group[0].mass: `mass` cannot be 0; allowed: a time above 0, up to 1e9",
        ),
        (
            text("group[0].mass", "inf"),
            "group[0].mass: `mass` cannot be \"inf\"; allowed: a time above 0, up to 1e9",
        ),
        (
            number("group[0].count", 5.0),
            "group[0].count: `count` cannot be set in a running crowd; allowed: mass, max_speed, \
             max_force, radius,",
        ),
        (
            number("group[2].steer[2].weight", 1.0),
            "group[2].steer[2]: there is no slot 2; allowed: a whole number from 0 \
             to 1",
        ),
        (
            number("group[2].state[0].steer[0].weight", 1.0),
            "group[2].state[0]: there is no state 0; allowed: no state: there are none",
        ),
        (
            number("group[2].steer[0].seek.within", 1.0),
            "group[2].steer[0].seek: there is no `seek`; allowed: `arrive`, `weight`, `chance`, \
             `danger` or `off`",
        ),
        (
            number("group[2].steer[1].flee.within", 1.0),
            "group[2].steer[1].flee: there is no `flee`; allowed: `all`,",
        ),
        (
            number("group[2].steer[0].arrive.radius", 1.0),
            "there is no parameter `radius`; allowed: target, slowing_radius, within",
        ),
        (number("group[2].steer[0].arrive.within.x", 1.0), "`within` has no `x` to be set"),
        (
            number("group[2].steer[0].arrive.within", -1.0),
            "group[2].steer[0].arrive.within: `within` cannot be -1; allowed: a length from 0 to \
             1e9, or inf",
        ),
        (
            text("group[2].steer[0].arrive.slowing_radius", "atuo"),
            "`slowing_radius` cannot be \"atuo\"; allowed: a length from 0 to 1e9, or \"auto\"",
        ),
        (
            text("group[2].steer[0].arrive.target", "ghosts"),
            "there is no group \"ghosts\"; allowed: \"birds\"",
        ),
        (
            text("group[2].steer[0].arrive.target", "pointer"),
            "the target is \"pointer\", and there is no `pointer`",
        ),
        (
            set("group[2].steer[0].arrive.target", Setting::Point(vec2(2e9, 0.0))),
            "`target` cannot be a point; allowed: a point such as",
        ),
        (number("group[2].steer[0].weight", f32::NAN), "`weight` cannot be NaN"),
        // A wrapped world must be at least twice as wide as the largest neighbor radius.
        (
            number("group[0].steer[0].flock.radius", 51.0),
            "bounds.edge: the wrapped world is 100 wide, and group \"birds\" looks for neighbors \
             up to 51",
        ),
    ] {
        let fault = crowd.apply(&command).unwrap_err().to_string();
        assert!(fault.contains(expected), "{fault}\n{expected}");
        assert!(before == format!("{crowd:?}"), "{command:?}");
    }
    let last = Command::RemovePoint { path: "round".to_string(), point: 0 };
    assert_eq!(crowd.apply(&last), Ok(None));
    assert!(
        crowd
            .apply(&last)
            .unwrap_err()
            .to_string()
            .starts_with("remove_point: it is the only point of the path; allowed:")
    );
}
