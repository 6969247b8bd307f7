//! A step does not allocate once its buffers have grown.

use wayfare::behavior::{
    Arrive, AvoidAgents, AvoidObstacles, Explore, Flee, Flock, FollowFlow, FollowPath, Forage,
    Formation, FormationShape, Seek, Separation, Settle, Wander,
};
use wayfare::crowd::{
    Arrivals, Condition, Distribution, Exit, ExitAction, Group, Line, Perception, Rhythm, Setup,
    Source, Spawn, StartVelocity, State, Track, Transition, TransitionTarget,
};
use wayfare::geometry::flow_field::FieldPlan;
use wayfare::geometry::obstacle::Shape;
use wayfare::geometry::path::Path;
use wayfare::glam::vec2;
use wayfare::parameter::{Auto, FieldId, GroupId, Groups, PathId, Target};
use wayfare::{Combine, Crowd, List};

#[test]
fn a_step_of_a_crowd_with_every_kind_of_input_does_not_allocate() {
    let everywhere = Spawn::Inside(Shape::box_between(vec2(0.0, 0.0), vec2(300.0, 300.0)));
    let mut walkers = Group::new("walkers", 100, everywhere.clone(), 3.0);
    walkers.steer = List::default()
        .with(Seek::new(GroupId(1)))
        .with(Flee::new(GroupId(0)))
        .with(Separation {
            of: Groups::only([0, 1]),
            ..Separation::default().radius(20.0).max_force(2.0)
        })
        .with(AvoidObstacles::default().see_ahead(30.0).max_avoid_force(3.0))
        .with(FollowFlow { field: FieldId(0), lookahead: 2.0, slowing_radius: 20.0 })
        .with(FollowPath::new(PathId(0)))
        .with(Arrive::new(vec2(250.0, 50.0)))
        .with(Wander::default().circle_distance(2.0).circle_radius(2.0).angle_change(1.0));
    let mut flock = Group::new("flock", 100, everywhere, 2.0);
    flock.velocity = StartVelocity::Random;
    let join =
        List::default().with(Flock { of: Groups::only([1]), ..Flock::default().radius(30.0) });
    let leave = |to| {
        vec![Transition {
            to: TransitionTarget::from(to),
            when: Condition::TimeInState(5.0.into()),
        }]
    };
    flock.states = (0..2)
        .map(|i| State {
            steer: join.clone(),
            leave: leave(1 - i),
            ..State::new(format!("state {i}"))
        })
        .collect();
    // Agents in a column behind a walker, with a perception of the flock; agents that are stuck
    // among the obstacles turn away.
    let mut column = Group::new(
        "column",
        30,
        Spawn::Points((0..30).map(|i| vec2(10.0 * i as f32, 150.0)).collect()),
        3.0,
    );
    column.sight = Some(Perception {
        within: 60.0,
        field_of_view: 120.0,
        memory: 9.0,
        ..Perception::new(Target::Group(GroupId(1)))
    });
    // Slots are assigned only when an agent enters or leaves: only then the assignment allocates.
    let file = Formation::new(Target::Group(GroupId(0)), FormationShape::Column).spacing(4.0);
    let stuck = Condition::Any(vec![
        Condition::Stuck(5.0, 20.0),
        Condition::All(vec![Condition::Sees(true), Condition::TimeInState(9.0.into())]),
    ]);
    column.steer = List::default().with(file);
    let steer = [
        List::default(),
        List::default().with(Seek { target: Target::LastSeen, within: f32::INFINITY }),
    ];
    let states = steer.into_iter().zip([stuck, Condition::Remembers(false)]).zip(0..);
    column.states = states
        .map(|((steer, when), i)| State {
            steer,
            leave: vec![Transition { to: TransitionTarget::from(1 - i), when }],
            ..State::new(format!("state {i}"))
        })
        .collect();
    // Agents that explore and forage, and leave after some time.
    let mut scouts = Group::new("scouts", 0, Spawn::Points(Vec::new()), 3.0);
    let seek = List::default()
        .with(Explore {
            area: Shape::box_between(vec2(0.0, 0.0), vec2(300.0, 300.0)),
            cell: Auto::Fixed(20.0),
        })
        .with(Forage::new(Target::Group(GroupId(0))).sight(20.0));
    let gone = vec![Transition {
        to: TransitionTarget::Out(ExitAction::Remove),
        when: Condition::TimeInState(20.0.into()),
    }];
    scouts.states = vec![State { steer: seek, leave: gone, ..State::new("seek") }];
    // Agents that settle side by side, turn to their heading with a delay, and select directions by
    // a context map.
    let mut guests = Group::new(
        "guests",
        20,
        Spawn::Inside(Shape::box_between(vec2(0.0, 0.0), vec2(90.0, 90.0))),
        2.0,
    );
    (guests.radius, guests.turn_rate) = (Distribution::Same(2.0), 30.0);
    let settle = Settle::new(vec2(40.0, 40.0)).radius(60.0);
    guests.steer = List::new(Combine::Context)
        .with(settle)
        .with(AvoidAgents::default().horizon(9.0).radius(30.0));
    guests.steer.slots[1].danger = true;
    let setup = Setup {
        // Enough obstacles for a bounding volume tree of several levels.
        obstacles: (0..100)
            .map(|i| Shape::Circle {
                center: vec2(30.0 * (i % 10) as f32, 3.0 * i as f32),
                radius: 4.0,
            })
            .collect(),
        paths: vec![(
            "beat".to_string(),
            Path::new(vec![vec2(0.0, 0.0), vec2(300.0, 300.0)], 10.0, false),
        )],
        fields: vec![(
            "way".to_string(),
            FieldPlan::Toward {
                goals: vec![Shape::Circle { center: vec2(280.0, 20.0), radius: 10.0 }],
                cell: 3.0,
                clearance: 4.0,
                area: Some((vec2(0.0, 0.0), vec2(300.0, 300.0))),
            },
        )],
        lines: vec![Line::new("middle", vec2(0.0, 140.0), vec2(300.0, 150.0))],
        exits: vec![
            Exit::new(Shape::Circle { center: vec2(150.0, 150.0), radius: 60.0 })
                .groups(Groups::only([0, 1]))
                .then(ExitAction::Respawn(Shape::box_between(vec2(0.0, 0.0), vec2(300.0, 300.0)))),
        ],
        // Some arrivals are rejected: about as many agents enter as leave.
        sources: vec![
            Source::new(
                Shape::box_between(vec2(0.0, 0.0), vec2(50.0, 50.0)),
                GroupId(2),
                Arrivals::Rate {
                    rate: 1.0,
                    from: 0.0,
                    until: f64::INFINITY,
                    rhythm: Rhythm::Random,
                },
            )
            .most(30),
        ],
        groups: vec![walkers, flock, scouts, column, guests],
        ..Setup::default()
    };
    let mut crowd = Crowd::new(setup).unwrap();
    // The first ticks grow the buffers; the crowd keeps changing afterwards.
    (0..200).for_each(|_| crowd.step());
    assert!(crowd.exits()[0].left > 10 && crowd.lines()[0].left > 10);
    assert!(crowd.sources()[0].turned_away > 0 && crowd.sources()[0].entered > 100);
    let measured = allocation_counter::measure(|| (0..50).for_each(|_| crowd.step()));
    assert_eq!(measured.count_total, 0, "{measured:?}");
}

#[test]
fn a_step_with_ghosts_does_not_allocate() {
    let area = Spawn::Inside(Shape::box_between(vec2(0.0, 0.0), vec2(300.0, 300.0)));
    let mut birds = Group::new("birds", 200, area.clone(), 3.0);
    birds.velocity = StartVelocity::Random;
    birds.steer = List::default().with(Flock::default().radius(30.0)).with(Seek::new(GroupId(1)));
    let mut hawks = Group::new("hawks", 50, area, 2.0);
    hawks.steer = List::default().with(Seek::new(GroupId(0)));
    let setup = Setup { groups: vec![birds, hawks], ..Setup::default() };
    let mut crowd = Crowd::new(setup).unwrap();
    let far: Vec<u32> = (100..250).collect();
    let bytes = crowd.extract(&far).unwrap();
    let ghosts = crowd.read_ghosts(&bytes).unwrap();
    (0..30).for_each(|_| crowd.step());
    // The first step with ghosts as well, and any number of them.
    for count in [ghosts.len(), 20, 0] {
        crowd.set_ghosts(&ghosts[..count]).unwrap();
        let measured = allocation_counter::measure(|| (0..30).for_each(|_| crowd.step()));
        assert_eq!(measured.count_total, 0, "{count} ghosts: {measured:?}");
    }
}

#[test]
fn moving_the_pointer_that_agents_arrive_at_does_not_allocate() {
    let spawn = Spawn::Inside(Shape::box_between(vec2(0.0, 0.0), vec2(90.0, 90.0)));
    let mut guests = Group::new("guests", 50, spawn, 2.0);
    guests.steer = List::default().with(Arrive::new(Target::Pointer));
    let pointer = Some(Track::fixed(vec2(0.0, 40.0)));
    let setup = Setup { groups: vec![guests], pointer, ..Setup::default() };
    let mut crowd = Crowd::new(setup).unwrap();
    let mut tick = |x: f32| {
        crowd.set_pointer(Some(vec2(x, 40.0)));
        crowd.step();
    };
    (0..20).for_each(|i| tick(i as f32));
    let measured = allocation_counter::measure(|| (0..20).for_each(|i| tick(i as f32)));
    assert_eq!(measured.count_total, 0, "{measured:?}");
}
