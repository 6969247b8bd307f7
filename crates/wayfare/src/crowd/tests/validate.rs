//! Validation errors name the key path, the value and the allowed values.

use glam::{Vec2, vec2};

use super::*;
use crate::behavior::Separation;
use crate::parameter::{Kind, StateId, Target, Value};
use crate::registry::Behavior;

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;

/// A valid setup with one element of every kind.
fn valid() -> Setup<Vec2> {
    let mut a = group("a", &[vec2(0.0, 0.0), vec2(1.0, 1.0)]);
    a.steer = List::default().nested(1.0, List::default().with(seek(vec2(1.0, 1.0))));
    a.stats = vec![Stat { name: "stamina".to_string(), start: 5.0.into(), min: 0.0, max: 10.0 }];
    a.states = vec![State {
        rates: vec![(0.into(), 1.0)],
        steer: List::default().with(FollowPath::new(PathId(0))),
        leave: vec![Transition {
            to: TransitionTarget::from(0),
            when: Condition::stat(0).at_most(1.0),
        }],
        ..State::new("only")
    }];
    Setup {
        pointer: Some(Track { points: vec![(0.0, vec2(0.0, 0.0)), (1.0, vec2(1.0, 1.0))] }),
        obstacles: vec![Shape::Circle { center: Vec2::ZERO, radius: 1.0 }],
        paths: vec![("way".to_string(), Path::new(vec![Vec2::ZERO], 1.0, false))],
        bounds: Some(Bounds { min: Vec2::ZERO, max: vec2(100.0, 50.0), edge: Edge::Wrap }),
        lines: vec![Line::new("door", Vec2::ZERO, Vec2::X)],
        exits: vec![
            Exit::new(Shape::Circle { center: Vec2::ZERO, radius: 1.0 }).groups(Groups::only([1])),
        ],
        groups: vec![a, group("b", &[])],
        ..Setup::default()
    }
}

/// The key paths of all errors after the change.
fn key_paths(change: impl FnOnce(&mut Setup<Vec2>)) -> Vec<String> {
    let mut setup = valid();
    change(&mut setup);
    let errors = setup.errors();
    assert_eq!(Crowd::new(setup).is_err(), !errors.is_empty());
    errors.iter().map(|fault| fault.key_path.to_string()).collect()
}

#[track_caller]
fn assert_error(key_path: &str, change: impl FnOnce(&mut Setup<Vec2>)) {
    assert_eq!(key_paths(change), [key_path]);
}

#[test]
fn a_valid_setup_and_values_at_the_ends_of_their_ranges_give_no_error() {
    assert_eq!(key_paths(|_| {}), Vec::<String>::new());
    for x in [1e-9, 1e9] {
        let ends = key_paths(|s| {
            s.dt = f64::from(x);
            s.bounds = None;
            let a = &mut s.groups[0];
            (a.mass, a.max_speed, a.radius) =
                (Distribution::Same(x), Distribution::Same(x), Distribution::Uniform(0.0, x));
            (a.max_force, a.drag) = (Distribution::Same(INF), 1.0);
            a.velocity = StartVelocity::Same(vec2(-x, x));
            (a.steer.slots[0].weight, a.steer.slots[0].chance, a.steer.epsilon) = (-x, 1e-3, x);
            s.obstacles[0] = Shape::Circle { center: vec2(x, -x), radius: x };
        });
        assert_eq!(ends, Vec::<String>::new());
    }
}

#[test]
fn an_error_names_the_key_path_the_value_and_the_allowed_values() {
    let mut setup = valid();
    setup.groups[1].mass = Distribution::Same(0.0);
    setup.dt = -1.0;
    let error = Crowd::new(setup).unwrap_err();
    let expected = "the setup has 2 errors\n  dt: `dt` is -1; allowed: a time above 0, up to \
                    1e9\n  groups[1].mass: `mass` is 0; allowed: a time above 0, up to 1e9";
    assert_eq!(error.to_string(), expected);
    let mass = "group[1].mass: `mass` is 0; allowed: a time above 0, up to 1e9";
    assert_eq!(error.0[1].to_string(), mass);
}

#[test]
fn every_number_of_a_group_has_its_range() {
    for x in [0.0, -1.0, NAN, INF, 1.1e9] {
        assert_error("dt", |s| s.dt = f64::from(x));
        assert_error("group[0].mass", |s| s.groups[0].mass = Distribution::Same(x));
        assert_error("group[0].max_speed", |s| s.groups[0].max_speed = Distribution::Same(x));
        assert_error("group[0].max_speed.uniform", |s| {
            s.groups[0].max_speed = Distribution::Uniform(x, x)
        });
        assert_error("group[0].max_speed.normal", |s| {
            s.groups[0].max_speed = Distribution::Normal(x, 0.1)
        });
    }
    for x in [-1.0, NAN, INF, 1.1e9] {
        assert_error("group[0].radius", |s| s.groups[0].radius = Distribution::Same(x));
        assert_error("group[0].radius.normal", |s| {
            s.groups[0].radius = Distribution::Normal(1.0, x)
        });
        assert_error("group[0].epsilon", |s| s.groups[0].steer.epsilon = x);
        assert_error("group[0].standing", |s| s.groups[0].steer.standing = x);
        assert_error("group[0].drag", |s| s.groups[0].drag = x);
        assert_error("group[0].spawn.grid.spacing", |s| {
            s.groups[0].spawn = Spawn::Grid { origin: Vec2::ZERO, spacing: x, columns: 1, rows: 1 };
        });
        assert_error("group[0].spawn.circle.radius", |s| {
            s.groups[0].spawn = Spawn::Inside(Shape::Circle { center: Vec2::ZERO, radius: x })
        });
        assert_error("path.way.radius", |s| s.paths[0].1.radius = x);
        assert_error("obstacle[0].circle.radius", |s| {
            s.obstacles[0] = Shape::Circle { center: Vec2::ZERO, radius: x }
        });
        assert_error("obstacle[0].segment.thickness", |s| {
            s.obstacles[0] = Shape::Segment { from: Vec2::ZERO, to: Vec2::X, thickness: x }
        });
        assert_error("obstacle[0].box", |s| {
            s.obstacles[0] = Shape::Box { center: Vec2::ZERO, half: vec2(1.0, x), angle: 0.0 }
        });
    }
    for x in [-1.0, NAN, 1.1e9] {
        assert_error("group[0].max_force", |s| s.groups[0].max_force = Distribution::Same(x));
    }
    // max_force may be infinite, but a range to draw from must be finite and in ascending order.
    for every in [0, 1_001] {
        assert_error("group[0].think_every", |s| s.groups[0].think_every = every);
    }
    assert_error("group[0].max_force.uniform", |s| {
        s.groups[0].max_force = Distribution::Uniform(1.0, INF)
    });
    assert_error("group[0].mass.uniform", |s| s.groups[0].mass = Distribution::Uniform(2.0, 1.0));
    for x in [NAN, INF, -INF, -1.1e9] {
        assert_error("group[0].steer[0].weight", |s| s.groups[0].steer.slots[0].weight = x);
        assert_error("group[0].velocity", |s| {
            s.groups[0].velocity = StartVelocity::Same(vec2(1.0, x))
        });
        assert_error("group[0].state[0].rate.stamina", |s| {
            s.groups[0].states[0].rates = vec![(0.into(), x)]
        });
        assert_error("group[0].state[0].leave[0].when.at_most", |s| {
            s.groups[0].states[0].leave[0].when = Condition::stat(0).at_most(x)
        });
    }
    for x in [0.0, -1.0, 1.1, NAN, INF] {
        assert_error("group[0].steer[0].chance", |s| s.groups[0].steer.slots[0].chance = x);
    }
    assert_error("group[0].drag", |s| s.groups[0].drag = 1.001);
    assert_error("group[0].heading_time", |s| s.groups[0].heading_time = -1.0);
    assert_error("group[0].heading_time", |s| {
        (s.groups[0].heading_time, s.groups[0].turning_radius) = (1.0, Some(2.0));
    });
    assert_error("obstacle[0].box.angle", |s| {
        s.obstacles[0] = Shape::Box { center: Vec2::ZERO, half: Vec2::ONE, angle: NAN }
    });
}

#[test]
fn every_coordinate_is_finite_and_at_most_1e9() {
    for x in [NAN, INF, -INF, 1.1e9, -1.1e9] {
        let p = vec2(0.0, x);
        assert_error("pointer.track[1]", |s| {
            s.pointer = Some(Track { points: vec![(0.0, Vec2::ZERO), (1.0, p)] })
        });
        assert_error("path.way.points[0]", |s| {
            s.paths[0].1 = s.paths[0].1.through(vec![p, Vec2::ZERO]);
        });
        assert_error("group[0].spawn.points[1]", |s| {
            s.groups[0].spawn = Spawn::Points(vec![Vec2::ZERO, p])
        });
        assert_error("group[0].spawn.grid.origin", |s| {
            s.groups[0].spawn = Spawn::Grid { origin: p, spacing: 1.0, columns: 1, rows: 1 }
        });
        assert_error("group[0].state[0].steer[0].seek.target", |s| {
            s.groups[0].states[0].steer = List::default().with(seek(p))
        });
        assert_error("bounds.min", |s| {
            s.bounds = Some(Bounds { min: p, max: Vec2::ONE, edge: Edge::Open })
        });
        assert_error("bounds.max", |s| {
            s.bounds = Some(Bounds { min: Vec2::ZERO, max: p, edge: Edge::Open })
        });
        assert_error("obstacle[0].circle.center", |s| {
            s.obstacles[0] = Shape::Circle { center: p, radius: 1.0 }
        });
        assert_error("obstacle[0].box", |s| {
            s.obstacles[0] = Shape::Box { center: p, half: Vec2::ONE, angle: 0.0 }
        });
        assert_error("obstacle[0].segment.from", |s| {
            s.obstacles[0] = Shape::Segment { from: p, to: Vec2::ZERO, thickness: 1.0 }
        });
        assert_error("obstacle[0].segment.to", |s| {
            s.obstacles[0] = Shape::Segment { from: Vec2::ZERO, to: p, thickness: 1.0 }
        });
        assert_error("obstacle[0].polygon[2]", |s| {
            s.obstacles[0] = Shape::Polygon { points: vec![Vec2::ZERO, Vec2::X, p] }
        });
    }
}

#[test]
fn every_number_of_every_behavior_has_its_range() {
    for description in Behavior::<Vec2>::LIST {
        let with = |name: &str, x: f32| {
            let mut behavior = Behavior::from_name(description.name).unwrap();
            for parameter in description.parameters {
                if let Kind::Number(range) | Kind::NumberOr(range, _) | Kind::Auto(range, _) =
                    parameter.kind
                {
                    behavior.set(parameter.name, Value::Number(range.min));
                }
            }
            assert!(behavior.set(name, Value::Number(x)));
            key_paths(|s| {
                s.groups[0].steer = List::default().nested(1.0, List::default().with(behavior))
            })
        };
        for parameter in description.parameters {
            let (Kind::Number(range)
            | Kind::NumberOr(range, _)
            | Kind::Auto(range, _)
            | Kind::NumberOrOff(range)) = parameter.kind
            else {
                continue;
            };
            let key_path =
                format!("group[0].steer[0].all[0].{}.{}", description.name, parameter.name);
            for x in [NAN, -INF, range.min - 0.01_f32.max(range.min.abs() * 0.01), range.max * 1.01]
            {
                assert!(with(parameter.name, x).contains(&key_path), "{key_path} = {x}");
            }
            assert_eq!(
                with(parameter.name, INF).contains(&key_path),
                !range.infinite,
                "{key_path}"
            );
            for x in [range.min, range.max] {
                assert!(!with(parameter.name, x).contains(&key_path), "{key_path} = {x}");
            }
        }
    }
    let apart = Separation::default().radius(-1.0).max_force(0.0);
    let queue = Queue { separation: Some(apart), ..Queue::default().ahead(0.0).radius(0.0) };
    assert_error("group[0].state[0].steer[0].queue.separation.radius", |s| {
        s.groups[0].states[0].steer = List::default().with(queue)
    });
}

#[test]
fn queue_must_be_the_last_entry_of_its_list() {
    let queue = || Queue::default().ahead(0.0).radius(0.0);
    assert_error("group[0].steer[0].queue", |s| {
        s.groups[0].steer = List::default().with(queue()).with(seek(Vec2::ONE));
        s.groups[0].states.clear();
    });
    // The lists of the states follow that of the group.
    assert_error("group[0].steer[0].queue", |s| s.groups[0].steer = List::default().with(queue()));
    assert_error("group[0].state[0].steer[0].queue", |s| {
        s.groups[0].states[0].steer = List::default().with(queue()).with(seek(Vec2::ONE))
    });
    assert_error("group[0].steer[0].all[0].queue", |s| {
        s.groups[0].steer =
            List::default().nested(1.0, List::default().with(queue()).with(seek(Vec2::ONE)));
    });
    let last = key_paths(|s| {
        s.groups[0].steer =
            List::default().nested(1.0, List::default().with(seek(Vec2::ONE)).with(queue()));
        s.groups[0].states[0].steer = List::default().with(seek(Vec2::ONE)).with(queue());
        s.groups[1].steer = List::default().with(queue());
    });
    assert_eq!(last, Vec::<String>::new());
}

#[test]
fn names_in_behaviors_and_conditions_must_exist() {
    let steer = |list: List<Vec2>| move |s: &mut Setup<Vec2>| s.groups[1].steer = list;
    let seek_target = |target| List::default().with(Seek { target, within: INF });
    assert_error("group[1].steer[0].seek.target", |s| {
        s.pointer = None;
        s.groups[1].steer = seek_target(Target::Pointer);
    });
    assert_eq!(key_paths(steer(seek_target(Target::Pointer))), Vec::<String>::new());
    assert_error("group[1].steer[0].seek.target", steer(seek_target(Target::Group(GroupId(2)))));
    let mut order = valid();
    order.groups[1].steer = seek_target(Target::Group(GroupId::ORDER));
    assert_eq!(
        order.errors()[0].to_string(),
        "group[1].steer[0].seek.target: `GroupId::ORDER` stands for a quarry, a threat or a \
         leader, and this is a target; allowed: `Target::Order`, or an existing group"
    );
    let mut pursue = Pursue::new(0);
    pursue.quarry = GroupId(2);
    assert_error("group[1].steer[0].pursue.quarry", steer(List::default().with(pursue)));
    let of = crate::parameter::Groups::only([0, 2]);
    assert_error(
        "group[1].steer[0].flock.of[1]",
        steer(List::default().with(Flock { of, ..Flock::default().radius(0.0) })),
    );
    let path = FollowPath::new(PathId(1));
    assert_error("group[1].steer[0].follow_path.path", steer(List::default().with(path)));
    let roam = Roam {
        area: Shape::Segment { from: Vec2::ZERO, to: Vec2::X, thickness: 1.0 },
        every: Auto::Fixed(1.0),
        slowing_radius: 0.0,
    };
    assert_error("group[1].steer[0].roam.area", steer(List::default().with(roam)));
    assert_error("group[0].spawn", |s| {
        s.groups[0].spawn =
            Spawn::Inside(Shape::Polygon { points: vec![Vec2::ZERO, Vec2::X, Vec2::Y] })
    });

    let when =
        |condition| move |s: &mut Setup<Vec2>| s.groups[0].states[0].leave[0].when = condition;
    assert_error("group[0].state[0].leave[0].when.stat", when(Condition::stat(1).at_least(0.0)));
    assert_error(
        "group[0].state[0].leave[0].when.at_least",
        when(Condition::stat(0).at_least(NAN)),
    );
    assert_error(
        "group[0].state[0].leave[0].when.near",
        when(Condition::Near(Target::Group(GroupId(2)), 1.0, None)),
    );
    assert_error(
        "group[0].state[0].leave[0].when.within",
        when(Condition::Near(Target::Group(GroupId(0)), -1.0, None)),
    );
    assert_error(
        "group[0].state[0].leave[0].when.far_from",
        when(Condition::FarFrom(Target::Point(vec2(NAN, 0.0)), 1.0)),
    );
    assert_error(
        "group[0].state[0].leave[0].when.beyond",
        when(Condition::FarFrom(Target::Group(GroupId(0)), INF)),
    );
    assert_error(
        "group[0].state[0].leave[0].when.time_in_state",
        when(Condition::TimeInState((-1.0).into())),
    );
    assert_error(
        "group[0].state[0].leave[0].when.time_in_state.uniform",
        when(Condition::TimeInState(Distribution::Uniform(2.0, 1.0).into())),
    );
    assert_error(
        "group[0].state[0].leave[0].when.time_in_state.normal",
        when(Condition::TimeInState(Distribution::Normal(-1.0, 1.0).into())),
    );
    let deep = Condition::All(vec![
        Condition::PathDone(true),
        Condition::Any(vec![Condition::Not(Box::new(Condition::TimeInState(f64::NAN.into())))]),
    ]);
    assert_error("group[0].state[0].leave[0].when.all[1].any[0].not.time_in_state", when(deep));
    assert_error("group[0].state[0].leave[0].to", |s| {
        s.groups[0].states[0].leave[0].to = TransitionTarget::from(1)
    });
    let to = |states: Vec<(usize, f32)>| {
        move |s: &mut Setup<Vec2>| {
            s.groups[0].states[0].leave[0].to = TransitionTarget::one_of(states)
        }
    };
    assert_error("group[0].state[0].leave[0].to", to(vec![]));
    assert_error("group[0].state[0].leave[0].to", to(vec![(0, 1.0), (1, 1.0)]));
    let name = valid().groups[0].states[0].name.clone();
    for x in [0.0, -1.0, NAN, INF] {
        assert_error(&format!("group[0].state[0].leave[0].to.{name}"), to(vec![(0, x)]));
    }
    assert_error(&format!("group[0].state[0].leave[0].to.{name}"), to(vec![(0, 1.0), (0, 2.0)]));
    assert_error("group[0].state[0].rate", |s| s.groups[0].states[0].rates = vec![(1.into(), 1.0)]);
    assert_error("group[0].start", |s| s.groups[0].start = StateId(1));
}

#[test]
fn names_must_be_unique_and_pointer_is_not_allowed_as_a_name() {
    assert_error("group[1].name", |s| s.groups[1].name = "a".to_string());
    assert_error("group[1].name", |s| s.groups[1].name = "pointer".to_string());
    assert_error("group[1].name", |s| s.groups[1].name = String::new());
    assert_error("group[0].stat.stamina", |s| {
        let again = s.groups[0].stats[0].clone();
        s.groups[0].stats.push(again);
    });
    assert_error("group[0].state[1].name", |s| {
        let again = s.groups[0].states[0].clone();
        s.groups[0].states.push(again);
    });
}

#[test]
fn stats_must_start_within_their_range() {
    assert_error("group[0].stat.stamina.start", |s| {
        s.groups[0].stats[0].start = Distribution::Same(10.1)
    });
    assert_error("group[0].stat.stamina.start", |s| {
        s.groups[0].stats[0].start = Distribution::Same(-0.1)
    });
    assert_error("group[0].stat.stamina.start", |s| {
        s.groups[0].stats[0].start = Distribution::Same(NAN)
    });
    assert_error("group[0].stat.stamina.min", |s| s.groups[0].stats[0].min = NAN);
    assert_error("group[0].stat.stamina.max", |s| s.groups[0].stats[0].max = NAN);
    let open = key_paths(|s| (s.groups[0].stats[0].min, s.groups[0].stats[0].max) = (-INF, INF));
    assert_eq!(open, Vec::<String>::new());
}

#[test]
fn a_wrapped_world_must_be_at_least_twice_as_wide_as_the_largest_neighbor_radius() {
    let with = |radius, edge| {
        key_paths(|s| {
            s.groups[1].steer = List::default().with(Flock::default().radius(radius));
            s.bounds.as_mut().unwrap().edge = edge;
        })
    };
    assert_eq!(with(25.1, Edge::Wrap), ["bounds.edge"]);
    assert!(
        with(25.0, Edge::Wrap).is_empty()
            && with(25.1, Edge::Wall).is_empty()
            && with(25.1, Edge::Open).is_empty()
    );
    assert_error("bounds.max", |s| s.bounds.as_mut().unwrap().max.y = 0.0);
    assert_error("bounds.max", |s| s.bounds.as_mut().unwrap().max.x = -1.0);
}

#[test]
fn counts_tracks_and_outlines_must_not_be_empty() {
    assert_error("group[0].count", |s| s.groups[0].count = 3);
    assert_error("group[0].spawn.grid.columns", |s| {
        s.groups[0].spawn = Spawn::Grid { origin: Vec2::ZERO, spacing: 1.0, columns: 0, rows: 1 }
    });
    assert_error("group[0].spawn.grid.rows", |s| {
        s.groups[0].spawn = Spawn::Grid { origin: Vec2::ZERO, spacing: 1.0, columns: 1, rows: 0 }
    });
    assert_error("group", |s| {
        s.groups[1] = Group::new(
            "b",
            MAX_AGENTS,
            Spawn::Inside(Shape::Circle { center: Vec2::ZERO, radius: 1.0 }),
            1.0,
        )
    });
    assert_error("path.way.points", |s| s.paths[0].1 = s.paths[0].1.through(Vec::new()));
    assert_error("obstacle[0].polygon", |s| {
        s.obstacles[0] = Shape::Polygon { points: vec![Vec2::ZERO, Vec2::X] }
    });
    assert_error("pointer.track", |s| s.pointer = Some(Track { points: vec![] }));
    for second in [0.0, -1.0, f64::NAN, f64::INFINITY, 1.1e9] {
        assert_error("pointer.track[1]", |s| {
            s.pointer = Some(Track { points: vec![(0.0, Vec2::ZERO), (second, Vec2::X)] })
        });
    }
}

#[test]
fn lines_must_have_a_length_and_a_unique_name_and_exits_a_shape_and_existing_groups() {
    assert_error("line.door.to", |s| s.lines[0].to = Vec2::ZERO);
    assert_error("line.door.from", |s| s.lines[0].from = vec2(NAN, 0.0));
    assert_error("line.door", |s| s.lines.push(s.lines[0].clone()));
    assert_error("exit[0].circle.radius", |s| {
        s.exits[0].shape = Shape::Circle { center: Vec2::ZERO, radius: -1.0 }
    });
    assert_error("exit[0].groups[1]", |s| s.exits[0].groups = Groups::only([0, 2]));
    assert_error("exit[0].then.respawn.circle.radius", |s| {
        s.exits[0].then = ExitAction::Respawn(Shape::Circle { center: Vec2::ZERO, radius: INF })
    });
    assert_error("exit[0].then.respawn", |s| {
        s.exits[0].then =
            ExitAction::Respawn(Shape::Segment { from: Vec2::ZERO, to: Vec2::X, thickness: 1.0 })
    });
    // In 3D the projection of a line to the x-y plane counts.
    let upright = Line::<glam::Vec3>::new("up", glam::Vec3::ZERO, glam::Vec3::Z);
    let errors = Setup { lines: vec![upright], ..Setup::default() }.errors();
    assert_eq!(
        errors[0].to_string(),
        "line.up.to: `from` and `to` are above each other; allowed: points that differ in x or y: \
         crossings are seen along z"
    );
}
