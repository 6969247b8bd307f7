//! The serial ends of a tick, shared by threads: events, visits and formation slots have the same
//! bits for any number of threads.

use crate::parameter::Auto;
use glam::{Vec2, vec2};

use super::*;
use crate::behavior::{Arrive, Explore, Formation, FormationShape};
use crate::crowd::line::LineCount;

fn area() -> Shape<Vec2> {
    Shape::box_between(Vec2::ZERO, vec2(200.0, 200.0))
}

/// Walkers that change states, arrive, cross a line and leave; scouts that explore and see walkers;
/// a formation.
fn everything_that_ends_a_tick() -> Setup<Vec2> {
    let arrive = |x, y| Arrive {
        target: Target::Point(vec2(x, y)),
        slowing_radius: Auto::Fixed(20.0),
        within: f32::INFINITY,
    };
    let mut walkers = Group::new("walkers", 1_200, Spawn::Inside(area()), 4.0);
    walkers.radius = Distribution::Same(3.0);
    walkers.steer = List::new(Combine::Priority)
        .with(Seek { target: Target::Point(vec2(150.0, 150.0)), within: 8.0 })
        .with(arrive(100.0, 100.0));
    let leave = |to, point| Transition {
        to: TransitionTarget::from(to),
        when: Condition::Near(Target::Point(point), 12.0, None),
    };
    let state = |name: &str, steer, leave| State { steer, leave: vec![leave], ..State::new(name) };
    walkers.states = vec![
        state("in", List::default().with(arrive(110.0, 100.0)), leave(1, vec2(100.0, 100.0))),
        state("out", List::default().with(seek(vec2(0.0, 0.0))), leave(0, vec2(40.0, 40.0))),
    ];
    let mut scouts = Group::new("scouts", 700, Spawn::Inside(area()), 3.0);
    scouts.sight = Some(Perception { within: 30.0, ..Perception::new(Target::Group(GroupId(0))) });
    scouts.steer = List::default()
        .with(Explore { area: area(), cell: Auto::Fixed(5.0) })
        .with(Explore { area: area(), cell: Auto::Fixed(40.0) })
        .with(wander());
    let mut squad = Group::new("squad", 30, Spawn::Inside(area()), 3.0);
    squad.steer =
        List::default().with(Formation::new(Vec2::ZERO, FormationShape::Line).spacing(0.0));
    let exit = |x, groups, then| {
        Exit::new(Shape::Circle { center: vec2(x, x), radius: 25.0 }).groups(groups).then(then)
    };
    let line = Line::new("line", vec2(0.0, 90.0), vec2(200.0, 90.0));
    Setup {
        groups: vec![walkers, scouts, squad],
        lines: vec![line],
        exits: vec![
            exit(20.0, Groups::only([0]), ExitAction::Remove),
            exit(200.0, Groups::All, ExitAction::Respawn(area())),
        ],
        ..Setup::default()
    }
}

/// All that an observer can see of a tick.
type Observed = (u64, Vec<Event>, Vec<(u64, u64)>, Vec<u64>, Vec<Vec<u64>>);

fn observed(threads: usize) -> Vec<Observed> {
    let mut crowd = Crowd::new(everything_that_ends_a_tick()).unwrap();
    crowd.set_threads(threads).unwrap();
    let counts = |line: &LineCount<Vec2>| (line.left, line.right);
    (0..40)
        .map(|_| {
            crowd.step();
            (
                crowd.digest(),
                crowd.events().to_vec(),
                crowd.lines().iter().map(counts).collect(),
                crowd.exits().iter().map(|exit| exit.left).collect(),
                crowd.explored(1).map(|explored| explored.times().to_vec()).collect(),
            )
        })
        .collect()
}

#[test]
fn events_visits_and_slots_do_not_depend_on_the_number_of_threads() {
    let alone = observed(1);
    let kinds = |is: &dyn Fn(&Event) -> bool| {
        alone.iter().flat_map(|tick| &tick.1).filter(|event| is(event)).count()
    };
    for found in [
        kinds(&|event| matches!(event, Event::Arrived { .. })),
        kinds(&|event| matches!(event, Event::StateChanged { .. })),
        kinds(&|event| matches!(event, Event::Crossed { .. })),
        kinds(&|event| matches!(event, Event::Left { exit: ExitId(0), .. })),
        kinds(&|event| matches!(event, Event::Left { exit: ExitId(1), .. })),
    ] {
        assert!(found > 20, "{found}");
    }
    for (tick, (shared, alone)) in observed(3).iter().zip(&alone).enumerate() {
        assert_eq!(shared, alone, "tick {tick}");
    }
}
