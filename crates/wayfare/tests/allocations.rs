//! A step does not allocate, once its buffers have their size.

use wayfare::behavior::{Arrive, AvoidObstacles, Explore, Flee, Flock, FollowPath, Forage, Seek, Separation, Wander};
use wayfare::crowd::{Arrivals, Condition, Exit, Group, Line, Rhythm, Setup, Source, Spawn, StartVelocity, State, Then, To, Transition};
use wayfare::glam::vec2;
use wayfare::obstacle::Shape;
use wayfare::parameter::{Groups, PathId, Target};
use wayfare::path::Path;
use wayfare::{Crowd, List};

#[test]
fn a_step_of_a_crowd_with_every_kind_of_surroundings_does_not_allocate() {
    let everywhere = Spawn::Inside(Shape::box_between(vec2(0.0, 0.0), vec2(300.0, 300.0)));
    let mut walkers = Group::new("walkers", 100, everywhere.clone(), 3.0);
    walkers.steer = List::default()
        .with(Seek { target: Target::Group(1), ..Seek::blank() })
        .with(Flee { target: Target::Group(0), ..Flee::blank() })
        .with(Separation { radius: 20.0, max_force: 2.0, of: Groups::Only(vec![0, 1]), ..Separation::blank() })
        .with(AvoidObstacles { see_ahead: 30.0, max_avoid_force: 3.0, ..AvoidObstacles::blank() })
        .with(FollowPath { path: PathId(0), ..FollowPath::blank() })
        .with(Arrive { target: Target::Point(vec2(250.0, 50.0)), ..Arrive::blank() })
        .with(Wander { circle_distance: 2.0, circle_radius: 2.0, angle_change: 1.0 });
    let mut flock = Group::new("flock", 100, everywhere, 2.0);
    flock.velocity = StartVelocity::Random;
    let join = List::default().with(Flock { radius: 30.0, of: Groups::Only(vec![1]), ..Flock::blank() });
    let leave = |to| vec![Transition { to: To::State(to), when: Condition::TimeInState(5.0) }];
    flock.states = (0..2).map(|i| State { name: format!("state {i}"), rates: Vec::new(), steer: join.clone(), leave: leave(1 - i) }).collect();
    // They explore, forage, and are gone after a while.
    let mut scouts = Group::new("scouts", 0, Spawn::Points(Vec::new()), 3.0);
    let seek = List::default().with(Explore { area: Shape::box_between(vec2(0.0, 0.0), vec2(300.0, 300.0)), cell: 20.0 }).with(Forage {
        target: Target::Group(0),
        sight: 20.0,
        ..Forage::blank()
    });
    let gone = vec![Transition { to: To::Out(Then::Remove), when: Condition::TimeInState(20.0) }];
    scouts.states = vec![State { name: "seek".to_string(), rates: Vec::new(), steer: seek, leave: gone }];
    let setup = Setup {
        // Enough for a tree of several levels.
        obstacles: (0..100).map(|i| Shape::Circle { center: vec2(30.0 * (i % 10) as f32, 3.0 * i as f32), radius: 4.0 }).collect(),
        paths: vec![("beat".to_string(), Path::new(vec![vec2(0.0, 0.0), vec2(300.0, 300.0)], 10.0, false))],
        lines: vec![Line { name: "middle".to_string(), from: vec2(0.0, 140.0), to: vec2(300.0, 150.0) }],
        exits: vec![Exit {
            shape: Shape::Circle { center: vec2(150.0, 150.0), radius: 60.0 },
            groups: Groups::All,
            then: Then::Respawn(Shape::box_between(vec2(0.0, 0.0), vec2(300.0, 300.0))),
        }],
        // Some find no room: as many come as go, now and then.
        sources: vec![Source {
            area: Shape::box_between(vec2(0.0, 0.0), vec2(50.0, 50.0)),
            group: 2,
            arrivals: Arrivals::Rate { rate: 1.0, from: 0.0, until: f64::INFINITY, rhythm: Rhythm::Random },
            most: 30,
        }],
        groups: vec![walkers, flock, scouts],
        ..Setup::default()
    };
    let mut crowd = Crowd::new(setup).unwrap();
    // The first ticks size the buffers; the crowd goes on changing after them.
    (0..200).for_each(|_| crowd.step());
    assert!(crowd.exits()[0].left > 10 && crowd.lines()[0].left > 10);
    assert!(crowd.sources()[0].turned_away > 0 && crowd.sources()[0].entered > 100);
    let measured = allocation_counter::measure(|| (0..50).for_each(|_| crowd.step()));
    assert_eq!(measured.count_total, 0, "{measured:?}");
}
