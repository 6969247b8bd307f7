//! Exits and lines in a running crowd.

use crate::parameter::Auto;
use glam::{Vec2, Vec3, vec2, vec3};

use super::*;

/// Two groups of one agent that move with (5, 0) from x = 0: at y = 0 and at y = 10.
fn walkers<V: Vector>() -> Vec<Group<V>> {
    let walker = |name, y| Group {
        velocity: StartVelocity::Same(V::X * 5.0),
        ..group(name, &[V::from_flat(vec2(0.0, y))])
    };
    vec![walker("low", 0.0), walker("high", 10.0)]
}

fn exit<V: Vector>(shape: Shape<V>, groups: Groups, then: ExitAction<V>) -> Exit<V> {
    Exit::new(shape).groups(groups).then(then)
}

fn everywhere_from<V: Vector>(x: f32) -> Shape<V> {
    Shape::box_between(V::from_fn(|i| if i == 0 { x } else { -1e3 }), V::from_fn(|_| 1e3))
}

fn line<V: Vector>(x: f32) -> Line<V> {
    Line::new("line", V::from_flat(vec2(x, -50.0)), V::from_flat(vec2(x, 50.0)))
}

#[test]
fn an_agent_inside_an_exit_leaves_and_the_others_stay() {
    let exits = vec![exit(everywhere_from::<Vec2>(12.0), Groups::only([1]), ExitAction::Remove)];
    let mut crowd = Crowd::new(Setup { exits, groups: walkers(), ..Setup::default() }).unwrap();
    crowd.step();
    crowd.step();
    assert_eq!((crowd.len(), crowd.exits()[0].left, crowd.events()), (2, 0, &[][..]));
    crowd.step();
    assert_eq!((crowd.len(), crowd.exits()[0].left), (1, 1));
    assert_eq!(
        crowd.events(),
        [Event::Left { id: AgentId(1), group: GroupId(1), exit: ExitId(0) }]
    );
    crowd.step();
    assert_eq!(
        (crowd.agents().next().unwrap().0, crowd.events(), crowd.tick()),
        (AgentId(0), &[][..], 4)
    );
}

#[test]
fn every_shape_can_be_an_exit_and_of_several_exits_the_first_counts() {
    let shapes = [
        Shape::Circle { center: vec2(15.0, 0.0), radius: 1.0 },
        Shape::Box { center: vec2(15.0, 0.0), half: vec2(2.0, 2.0), angle: 0.7 },
        Shape::Segment { from: vec2(15.0, -5.0), to: vec2(15.0, 5.0), thickness: 1.0 },
        Shape::Polygon { points: vec![vec2(14.0, -1.0), vec2(16.0, -1.0), vec2(15.0, 2.0)] },
    ];
    for shape in shapes {
        let exits = vec![
            exit(shape, Groups::All, ExitAction::Remove),
            exit(everywhere_from(15.0), Groups::All, ExitAction::Remove),
        ];
        let mut crowd = Crowd::new(Setup { exits, groups: walkers(), ..Setup::default() }).unwrap();
        (0..3).for_each(|_| crowd.step());
        assert_eq!(
            crowd.events(),
            [
                Event::Left { id: AgentId(0), group: GroupId(0), exit: ExitId(0) },
                Event::Left { id: AgentId(1), group: GroupId(1), exit: ExitId(1) }
            ]
        );
        assert!(crowd.is_empty());
    }
    // In 3D a polygon is an unbounded prism.
    let mut flyer = group("flyer", &[vec3(0.0, 0.0, 90.0)]);
    flyer.velocity = StartVelocity::Same(vec3(5.0, 0.0, 0.0));
    let prism = Shape::Polygon { points: vec![vec2(4.0, -1.0), vec2(6.0, -1.0), vec2(5.0, 2.0)] };
    let mut crowd = Crowd::new(Setup {
        exits: vec![exit(prism, Groups::All, ExitAction::Remove)],
        groups: vec![flyer],
        ..Setup::default()
    })
    .unwrap();
    crowd.step();
    assert!(crowd.is_empty());
}

#[test]
fn an_exit_at_the_edge_of_a_wrapped_world_continues_across_the_edge() {
    for (x, start) in [(100.0, 98.0), (0.0, 98.0), (0.0, 91.0)] {
        let mut walker = group("walker", &[vec2(start, 50.0)]);
        walker.velocity = StartVelocity::Same(vec2(5.0, 0.0));
        let exits = vec![exit(
            Shape::Circle { center: vec2(x, 50.0), radius: 4.0 },
            Groups::All,
            ExitAction::Remove,
        )];
        let mut crowd = Crowd::new(Setup {
            bounds: box_of(Edge::Wrap),
            exits,
            groups: vec![walker],
            ..Setup::default()
        })
        .unwrap();
        crowd.step();
        assert_eq!(crowd.exits()[0].left, 1, "{x}, {start}");
    }
}

#[test]
fn a_respawned_agent_starts_at_a_random_position_and_keeps_its_id_and_limits() {
    let home = Shape::box_between(vec2(-9.0, 20.0), vec2(-5.0, 22.0));
    let mut a = group("a", &[vec2(0.0, 0.0)]);
    (a.velocity, a.mass) = (StartVelocity::Same(vec2(3.0, 4.0)), Distribution::Uniform(1.0, 2.0));
    a.stats = vec![Stat { name: "stamina".to_string(), start: 5.0.into(), min: 0.0, max: 10.0 }];
    let path = FollowPath::new(PathId(0));
    let state = |name: &str, leave| State {
        rates: vec![(0.into(), -1.0)],
        steer: List::default().with(path),
        leave,
        ..State::new(name)
    };
    a.states = vec![
        state(
            "one",
            vec![Transition {
                to: TransitionTarget::from(1),
                when: Condition::stat(0).at_most(4.0),
            }],
        ),
        state("two", vec![]),
    ];
    let setup = Setup {
        paths: vec![(
            "way".to_string(),
            Path::new(vec![vec2(1.0, 1.0), vec2(90.0, 0.0)], 3.0, false),
        )],
        exits: vec![exit(everywhere_from(20.0), Groups::All, ExitAction::Respawn(home.clone()))],
        lines: vec![line(10.0)],
        groups: vec![a],
        ..Setup::default()
    };
    let mut crowd = Crowd::new(setup).unwrap();
    let mass = crowd.get(0).unwrap().agent.mass;
    let mut homes = Vec::new();
    for _ in 0..200 {
        let before = crowd.get(0).unwrap();
        let (state, stamina) = (before.state.map(str::to_string), before.stats[0]);
        crowd.step();
        let member = crowd.get(0).unwrap();
        if crowd.events().contains(&Event::Left {
            id: AgentId(0),
            group: GroupId(0),
            exit: ExitId(0),
        }) {
            assert!(
                (state.as_deref(), stamina) == (Some("two"), 0.0)
                    && (member.state, member.stats[0]) == (Some("one"), 5.0)
            );
            assert_eq!((member.agent.velocity, member.agent.mass), (vec2(3.0, 4.0), mass));
            assert_eq!(crowd.population.now.memory(0)[0], crate::agent::Memory::default());
            assert!(Obstacle::from(home.clone()).contains(member.agent.position));
            homes.push(member.agent.position);
        }
    }
    assert!(
        homes.len() > 3 && homes.iter().enumerate().all(|(i, p)| !homes[..i].contains(p)),
        "{homes:?}"
    );
    // Each agent crosses the line each time it leaves, and never back.
    let (left, right) = (crowd.lines()[0].left, crowd.lines()[0].right);
    assert_eq!(crowd.exits()[0].left, homes.len() as u64);
    assert!(left == 0 && right.abs_diff(homes.len() as u64) <= 1, "{left} {right}");
}

#[test]
fn an_agent_moved_by_a_command_crosses_no_line_and_a_step_across_counts_once() {
    let mut crowd = Crowd::new(Setup {
        lines: vec![line::<Vec2>(10.0)],
        groups: walkers(),
        ..Setup::default()
    })
    .unwrap();
    let counts = |crowd: &Crowd<Vec2>| (crowd.lines()[0].left, crowd.lines()[0].right);
    (0..4).for_each(|_| crowd.step());
    // Along +y, the left side has smaller x.
    assert_eq!(counts(&crowd), (0, 2));
    crowd.put(0, vec2(1.0, 0.0), None).unwrap();
    crowd.step();
    assert_eq!((counts(&crowd), crowd.get(0).unwrap().agent.position), ((0, 2), vec2(6.0, 0.0)));
    crowd.put(1, vec2(12.0, 0.0), Some(vec2(-5.0, 0.0))).unwrap();
    crowd.step();
    assert_eq!(
        crowd.events(),
        [
            Event::Crossed { id: AgentId(0), line: LineId(0), to_left: false },
            Event::Crossed { id: AgentId(1), line: LineId(0), to_left: true }
        ]
    );
    assert_eq!(counts(&crowd), (1, 3));
}

/// All events of a run with every kind of event; if `shuffled`, the order in memory changes at each
/// tick.
fn events_of_a_run<V: Vector>(edge: Edge, shuffled: bool) -> (Vec<Event>, Vec<u64>, [u64; 4]) {
    let mut setup = mixed::<V>(box_of(edge));
    let middle = V::from_fn(|_| 50.0);
    setup.lines = vec![line(20.0), Line::new("other", V::ZERO, middle * 2.0)];
    setup.exits = vec![
        exit(
            Shape::Circle { center: middle * 1.2, radius: 9.0 },
            Groups::only([0, 1]),
            ExitAction::Remove,
        ),
        exit(
            Shape::Circle { center: middle * 0.5, radius: 15.0 },
            Groups::All,
            ExitAction::Respawn(Shape::Circle { center: middle, radius: 30.0 }),
        ),
    ];
    setup.groups[2].steer = List::default().with(crate::behavior::Arrive {
        target: Target::Point(middle * 1.5),
        slowing_radius: Auto::Auto,
        within: f32::INFINITY,
    });
    let mut crowd = Crowd::new(setup).unwrap();
    let (mut events, mut digests) = (Vec::new(), Vec::new());
    for tick in 0..80 {
        if shuffled {
            let mut random = Random::new(9, 0, tick, 0);
            let mut rows: Vec<u32> = (0..crowd.len() as u32).collect();
            rows.sort_by_cached_key(|_| random.bits());
            crowd.permute(&rows);
        }
        crowd.step();
        events.extend(crowd.events());
        digests.push(crowd.digest());
    }
    let counts = [
        crowd.lines()[0].left,
        crowd.lines()[0].right,
        crowd.exits()[0].left,
        crowd.exits()[1].left,
    ];
    (events, digests, counts)
}

#[test]
fn events_do_not_depend_on_the_order_in_memory() {
    fn assert_the_same<V: Vector>(edge: Edge) {
        let straight = events_of_a_run::<V>(edge, false);
        assert!(
            straight.2.iter().all(|&count| count > 0)
                && straight.0.iter().any(|e| matches!(e, Event::StateChanged { .. })),
            "{:?}",
            straight.2
        );
        assert!(straight == events_of_a_run::<V>(edge, true), "{edge:?}");
    }
    for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
        assert_the_same::<Vec2>(edge);
    }
    assert_the_same::<Vec3>(Edge::Wrap);
}
