//! Groups and parts of the world that are added and removed while a crowd runs.

use glam::{Vec2, Vec3, vec2};

use super::snapshot::everything::{everything, play};
use super::*;
use crate::behavior::{Alignment, FollowFlow, FollowPath};
#[cfg(feature = "navigation")]
use crate::behavior::{Navigate, RouteClearance};
use crate::crowd::Perception;
use crate::geometry::flow_field::FieldPlan;
use crate::id::{FieldId, StateId};
use crate::order::Order;

/// The crowd of `everything`, built up from a crowd without anything.
pub(super) fn built<V: Vector>(edge: Edge) -> Crowd<V> {
    let Setup { obstacles, paths, fields, lines, exits, sources, groups, .. } =
        everything::<V>(edge);
    let mut crowd = empty(edge);
    for (name, path) in paths {
        crowd.add_path(name, path).unwrap();
    }
    for (name, plan) in fields {
        crowd.add_field(name, plan).unwrap();
    }
    for shape in obstacles {
        crowd.add_obstacle(shape).unwrap();
    }
    for group in groups {
        crowd.add_group(group).unwrap();
    }
    lines.into_iter().for_each(|line| _ = crowd.add_line(line).unwrap());
    exits.into_iter().for_each(|exit| _ = crowd.add_exit(exit).unwrap());
    sources.into_iter().for_each(|source| _ = crowd.add_source(source).unwrap());
    crowd
}

fn empty<V: Vector>(edge: Edge) -> Crowd<V> {
    let Setup { dt, seed, up, bounds, pointer, .. } = everything::<V>(edge);
    Crowd::new(Setup { dt, seed, up, bounds, pointer, ..Setup::default() }).unwrap()
}

fn assert_a_built_crowd_is_that_of_its_setup<V: Vector>(edge: Edge) {
    let digests = |mut crowd: Crowd<V>| {
        play(&mut crowd, 40).into_iter().map(|(digest, events, _)| (digest, events)).collect()
    };
    let whole: Vec<_> = digests(Crowd::new(everything::<V>(edge)).unwrap());
    assert!(digests(built(edge)) == whole, "{edge:?}");
}

#[test]
fn a_crowd_that_is_built_up_piece_by_piece_runs_like_that_of_a_setup_with_all_of_it() {
    assert_a_built_crowd_is_that_of_its_setup::<Vec2>(Edge::Open);
    assert_a_built_crowd_is_that_of_its_setup::<Vec2>(Edge::Wrap);
    assert_a_built_crowd_is_that_of_its_setup::<Vec3>(Edge::Wall);
}

#[test]
fn a_snapshot_restores_what_was_added_and_removed_forward_and_back() {
    let mut crowd = built::<Vec2>(Edge::Wrap);
    let before = Crowd::new(everything::<Vec2>(Edge::Wrap)).unwrap().snapshot();
    let start = crowd.snapshot();
    play(&mut crowd, 20);
    crowd.remove_source(0).unwrap();
    crowd.remove_group(3).unwrap();
    crowd.remove_line(0).unwrap();
    crowd.remove_exit(1).unwrap();
    let later = crowd.snapshot();
    let expected = play(&mut crowd, 40);
    // In a crowd to which nothing was added; its user's behavior is not known there.
    let mut other = empty::<Vec2>(Edge::Wrap);
    let nothing = other.snapshot();
    let error = other.restore(&later).unwrap_err().to_string();
    assert!(error.contains("the crowd has no behavior `impatient`"), "{error}");
    assert!(other.snapshot() == nothing);
    // The crowd of another setup.
    assert!(other.restore(&before).is_err());
    other.add_group(everything::<Vec2>(Edge::Wrap).groups.remove(2)).unwrap();
    other.restore(&later).unwrap();
    assert_eq!(other.snapshot(), later);
    assert!(play(&mut other, 40) == expected);
    for (bytes, tick) in [(&start, 0), (&later, 20), (&nothing, 0), (&later, 20), (&start, 0)] {
        other.restore(bytes).unwrap();
        assert!(other.snapshot() == *bytes && other.tick() == tick);
    }
    play(&mut other, 20);
    assert!(other.line(0).is_some() && other.exit(1).is_some() && other.source(0).is_some());
}

/// A crowd with a follower of a path, one of a field, and a door with a source.
fn town() -> Crowd<Vec2> {
    let mut walker = group("walker", &[vec2(0.0, 0.0)]);
    walker.steer = List::default().with(FollowPath::new(PathId(0)));
    let mut leaf = group("leaf", &[vec2(50.0, 0.0)]);
    leaf.steer = List::default().with(FollowFlow::new(FieldId(0)));
    let mut unit = group("unit", &[vec2(0.0, 50.0)]);
    unit.steer = List::default().with(FollowPath::new(PathId::ORDER));
    let setup = Setup {
        groups: vec![walker, leaf, unit],
        paths: vec![("street".to_string(), street())],
        fields: vec![("wind".to_string(), wind())],
        sources: vec![source(1)],
        ..Setup::default()
    };
    Crowd::new(setup).unwrap()
}

fn street() -> Path<Vec2> {
    Path::new(vec![vec2(0.0, 0.0), vec2(90.0, 0.0)], 5.0, false)
}

fn wind() -> FieldPlan<Vec2> {
    let vectors = vec![vec2(1.0, 0.0)];
    FieldPlan::Vectors { origin: Vec2::ZERO, cell: 99.0, columns: 1, rows: Some(1), vectors }
}

fn source(group: usize) -> Source<Vec2> {
    let arrivals = Arrivals::Schedule(vec![(2.0, 1)]);
    Source::new(circle(0.0), GroupId(group), arrivals).most(9)
}

fn circle(x: f32) -> Shape<Vec2> {
    Shape::Circle { center: vec2(x, 0.0), radius: 1.0 }
}

fn door(name: &str) -> Line<Vec2> {
    Line::new(name, vec2(1.0, -9.0), vec2(1.0, 9.0))
}

#[test]
fn ids_stay_valid_while_others_are_removed_and_are_not_given_again() {
    let mut crowd = Crowd::new(Setup::<Vec2>::default()).unwrap();
    let [a, b] = [1.0, 2.0].map(|x| crowd.add_obstacle(circle(x)).unwrap());
    crowd.remove_obstacle(a).unwrap();
    assert_eq!(crowd.obstacle(b).unwrap().shape(), &circle(2.0));
    assert_eq!(crowd.add_obstacle(circle(3.0)), Ok(ObstacleId(2)));
    assert_eq!(crowd.obstacle_ids().collect::<Vec<_>>(), [b, ObstacleId(2)]);

    let [a, b] = ["a", "b"].map(|name| crowd.add_line(door(name)).unwrap());
    crowd.remove_line(a).unwrap();
    assert_eq!(crowd.line(b).unwrap().line.name, "b");
    assert_eq!(crowd.add_line(door("a")), Ok(LineId(2)));

    let exit = |x| Exit::new(circle(x));
    let [a, b] = [900.0, 800.0].map(|x| crowd.add_exit(exit(x)).unwrap());
    crowd.remove_exit(a).unwrap();
    assert_eq!(crowd.exit(b).unwrap().exit, exit(800.0));
    assert_eq!(crowd.add_exit(exit(700.0)), Ok(ExitId(2)));

    let [a, b] = ["a", "b"].map(|name| crowd.add_path(name, street()).unwrap());
    crowd.remove_path(a).unwrap();
    assert_eq!(crowd.paths()[b.0], street());
    assert_eq!(crowd.add_path("a", street()), Ok(PathId(2)));

    let [a, b] = ["a", "b"].map(|name| crowd.add_field(name, wind()).unwrap());
    crowd.remove_field(a).unwrap();
    assert_eq!(crowd.fields()[b.0].cell(), 99.0);
    assert_eq!(crowd.add_field("a", wind()), Ok(FieldId(2)));

    let place = |x| group("", &[vec2(x, 20.0)]);
    let [a, b] = ["a", "b"]
        .map(|name| crowd.add_group(Group { name: name.to_string(), ..place(1.0) }).unwrap());
    crowd.remove_group(a).unwrap();
    assert_eq!((crowd.len(), crowd.get(1).unwrap().group), (1, b));
    assert_eq!(crowd.add_group(Group { name: "a".to_string(), ..place(2.0) }), Ok(GroupId(2)));
    assert_eq!(crowd.get(2).unwrap().agent.position, vec2(2.0, 20.0));

    let [a, b] = [0, 1].map(|_| crowd.add_source(source(2)).unwrap());
    crowd.remove_source(a).unwrap();
    assert_eq!((crowd.source(b).unwrap().id, crowd.source(a)), (b, None));
    assert_eq!(crowd.add_source(source(1)), Ok(SourceId(2)));
    (0..3).for_each(|_| crowd.step());
    assert_eq!((crowd.source(b).unwrap().entered, crowd.len()), (1, 4));
    assert_eq!(crowd.events().len(), 0);
}

#[test]
fn a_refused_addition_or_removal_says_why_and_changes_nothing() {
    let mut crowd = town();
    crowd.add_group(group("gone", &[vec2(9.0, 9.0)])).unwrap();
    crowd.remove_group(3).unwrap();
    let before = crowd.snapshot();
    let text = |name: &str| name.to_string();
    let mut pursuer = group("pursuer", &[vec2(0.0, 0.0)]);
    pursuer.steer = List::default().with(Pursue::new(GroupId(9)));
    for (command, expected) in [
        (
            Command::AddGroup(Box::new(group("leaf", &[]))),
            "add_group: there is a group \"leaf\" already; allowed: a name that no other group has",
        ),
        (
            Command::AddGroup(Box::new(group("", &[]))),
            "add_group.name: the group's name is empty; allowed: a name that no other group has",
        ),
        (
            Command::AddGroup(Box::new(pursuer)),
            "add_group.steer[0].pursue.quarry: there is no group 9; allowed: an existing group",
        ),
        (
            Command::RemoveGroup(text("leaf")),
            "remove_group: source 0 adds members to the group \"leaf\"; allowed: a group without \
             a source",
        ),
        (
            Command::RemoveGroup(text("gone")),
            "remove_group: there is no group \"gone\"; allowed: \"walker\", \"leaf\", \"unit\"",
        ),
        (
            Command::Add { group: text("gone"), position: Vec2::ZERO, velocity: None },
            "add: there is no group \"gone\"; allowed: \"walker\", \"leaf\", \"unit\"",
        ),
        (
            Command::AddPath { name: text("street"), path: street() },
            "add_path: there is a path \"street\" already; allowed: a name that no other path has",
        ),
        (
            Command::AddPath { name: text("way"), path: Path::new(vec![], 5.0, false) },
            "add_path.points: the path `way` has no points; allowed: at least one point such as \
             [100, 50]",
        ),
        (
            Command::RemovePath(text("street")),
            "remove_path: `follow_path` of group \"walker\" follows the path \"street\"; allowed: \
             a path that no behavior follows",
        ),
        (
            Command::RemoveField(text("wind")),
            "remove_field: `follow_flow` of group \"leaf\" follows the field \"wind\"; allowed: a \
             field that no behavior follows",
        ),
        (
            Command::RemoveField(text("storm")),
            "remove_field: there is no field \"storm\"; allowed: \"wind\"",
        ),
        (
            Command::AddLine(Line { to: vec2(1.0, -9.0), ..door("door") }),
            "add_line.to: `from` and `to` are the same point; allowed: two different points",
        ),
        (Command::RemoveLine(text("door")), "remove_line: there is no line \"door\"; allowed: "),
        (
            Command::RemoveExit(ExitId(0)),
            "remove_exit: there is no exit 0; allowed: no exit: there are none",
        ),
        (
            Command::AddSource(source(3)),
            "add_source.group: group 3 was removed; allowed: \"walker\", \"leaf\", \"unit\"",
        ),
        (
            Command::AddSource(Source { most: usize::MAX, ..source(0) }),
            "add_source.most: `most` is 18446744073709551615; allowed: a whole number from 0",
        ),
        (
            Command::RemoveSource(SourceId(1)),
            "remove_source: there is no source 1; allowed: one of 0",
        ),
    ] {
        let error = crowd.apply(&command).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}\n{expected}");
        assert!(crowd.snapshot() == before, "{command:?}");
    }
}

#[test]
fn an_added_group_keeps_its_heading_its_spawn_and_the_states_it_names_in_a_snapshot() {
    let mut guards = group("guards", &[]);
    (guards.spawn, guards.count) =
        (Spawn::Apart(Shape::Circle { center: Vec2::X, radius: 9.0 }), 3);
    guards.heading = Some(vec2(0.0, 3.0));
    guards.stats = vec![Stat::new("patience", Distribution::Normal(5.0, 1.0))];
    guards.states = vec![State::new("calm"), State::new("angry")];
    let near = Condition::Near(Target::Group(GroupId(3)), 4.0, Some(StateId(1)));
    guards.states[0].leave = vec![Transition { to: 1.into(), when: near }];
    let mut crowd = town();
    assert_eq!(crowd.group_names().count(), 3);
    let added = crowd.add_group(guards.clone()).unwrap();
    let mut other = town();
    other.restore(&crowd.snapshot()).unwrap();
    assert!(other.snapshot() == crowd.snapshot());
    assert!(other.current_setup().groups[added.0] == guards);
    let mut cars = group("cars", &[]);
    (cars.spawn, cars.count) = (Spawn::Along(PathId(0)), 4);
    crowd.add_group(cars).unwrap();
    other.restore(&crowd.snapshot()).unwrap();
    assert!(other.snapshot() == crowd.snapshot());
}

#[test]
fn orders_along_a_path_end_when_it_is_removed() {
    let mut crowd = town();
    let beat = crowd.add_path("beat", street()).unwrap();
    crowd.set_order(2, Some(Order::Path(beat))).unwrap();
    crowd.step();
    assert!(crowd.get(2).unwrap().agent.velocity != Vec2::ZERO);
    crowd.remove_path(beat).unwrap();
    assert_eq!(crowd.get(2).unwrap().order, None);
    let error = crowd.set_order(2, Some(Order::Path(beat))).unwrap_err().to_string();
    assert_eq!(error, "order: there is no path 1; allowed: \"street\"");
    (0..9).for_each(|_| crowd.step());
    assert!(crowd.get(2).unwrap().agent.velocity.length() < 1e-3);
}

#[test]
fn agents_are_not_exchanged_between_crowds_with_other_groups() {
    let (mut left, mut right) = (town(), town());
    let mut wide = group("wide", &[]);
    wide.stats = vec![Stat { name: "gold".to_string(), start: 1.0.into(), min: 0.0, max: 9.0 }];
    left.add_group(wide.clone()).unwrap();
    let agent = left.extract(&[0]).unwrap();
    right.remove(0);
    assert_eq!(right.insert(&agent), Err(SnapshotError::OtherSetup));
    right.add_group(wide).unwrap();
    assert_eq!(right.insert(&agent), Ok(vec![AgentId(0)]));
}

/// A crowd of this group alone, in a wrapped world of 40 by 40.
fn in_a_wrapped_world(group: Group<Vec2>) -> Setup<Vec2> {
    let bounds = Bounds { min: Vec2::ZERO, max: vec2(40.0, 40.0), edge: Edge::Wrap };
    Setup { bounds: Some(bounds), groups: vec![group], ..Setup::default() }
}

fn assert_its_snapshot_loads(crowd: &Crowd<Vec2>, setup: &Setup<Vec2>) {
    let mut again = Crowd::new(setup.clone()).unwrap();
    again.restore(&crowd.snapshot()).unwrap();
    assert_eq!(again.snapshot(), crowd.snapshot());
}

#[test]
fn a_snapshot_loads_after_a_group_that_remembers_was_added() {
    let setup = in_a_wrapped_world(Group::new("blind", 2, Spawn::Points(vec![Vec2::ONE; 2]), 1.0));
    let mut crowd = Crowd::new(setup.clone()).unwrap();
    let mut guard = Group::new("guard", 1, Spawn::Points(vec![vec2(9.0, 9.0)]), 1.0);
    guard.sight = Some(Perception::new(Target::Point(vec2(30.0, 0.0))));
    crowd.add_group(guard).unwrap();
    assert_its_snapshot_loads(&crowd, &setup);
}

#[test]
fn a_snapshot_loads_with_an_obstacle_far_larger_than_a_wrapped_world() {
    let setup = in_a_wrapped_world(Group::new("walkers", 0, Spawn::Points(vec![]), 1.0));
    let shapes = [
        Shape::Circle { center: vec2(-77.3, 99.1), radius: 1e9 },
        Shape::Segment { from: vec2(-77.3, 99.1), to: vec2(-78.0, 9.0), thickness: 1e9 },
    ];
    for shape in shapes {
        let mut crowd = Crowd::new(setup.clone()).unwrap();
        crowd.add_obstacle(shape).unwrap();
        // With it the whole setup is in the snapshot.
        crowd.remove_group(0).unwrap();
        assert_its_snapshot_loads(&crowd, &setup);
    }
}

#[test]
fn a_radius_by_which_neighbors_are_too_far_for_a_wrapped_world_is_refused() {
    let mut group = Group::new("walkers", 2, Spawn::Points(vec![Vec2::ONE; 2]), 1.0);
    group.steer = List::default().with(Alignment::default());
    let mut crowd = Crowd::new(in_a_wrapped_world(group)).unwrap();
    let set = |radius| Command::Set {
        key_path: "group[0].radius".to_string(),
        value: Setting::Number(radius),
    };
    crowd.apply(&set(0.1)).unwrap();
    let before = crowd.snapshot();
    let error = crowd.apply(&set(9.0)).unwrap_err().to_string();
    assert!(error.contains("the wrapped world is 40 wide"), "{error}");
    assert_eq!(crowd.snapshot(), before);
}

#[cfg(feature = "navigation")]
#[test]
fn an_obstacle_in_whose_rounding_a_clearance_is_lost_is_refused() {
    let mut group = Group::new("walkers", 0, Spawn::Points(vec![]), 1.0);
    let navigate = Navigate::new(Target::Point(Vec2::ZERO));
    group.steer =
        List::default().with(Navigate { clearance: RouteClearance::Fixed(1e-7), ..navigate });
    let mut crowd = Crowd::new(Setup { groups: vec![group], ..Setup::default() }).unwrap();
    let wall = |x| Shape::Segment { from: vec2(x, x), to: vec2(x + 1.0, x), thickness: 0.0 };
    let id = crowd.add_obstacle(wall(0.0)).unwrap();
    let before = crowd.snapshot();
    for error in [crowd.add_obstacle(wall(9e5)).err(), crowd.set_obstacle(id, wall(9e5)).err()] {
        let error = error.unwrap().to_string();
        assert!(error.contains("lost in the rounding"), "{error}");
    }
    assert_eq!(crowd.snapshot(), before);
}
