//! Explanations: forces, annotations, and their agreement with the next step.

use super::*;
use crate::agent::{Agent, Memory};
use crate::annotation::{DebugDraw, Figure};
use crate::behavior::testing::some_values;
use crate::behavior::{Arrive, AvoidObstacles, Steer};
use crate::parameter::Kind;
use crate::registry::Behavior;

/// A crowd of fifty agents with several kinds of behaviors.
fn fifty() -> Crowd<Vec2> {
    let mut group =
        Group::new("a", 50, Spawn::Inside(Shape::box_between(Vec2::ZERO, vec2(100.0, 100.0))), 4.0);
    group.velocity = StartVelocity::Random;
    group.max_force = Distribution::Same(3.0);
    group.steer = List::default()
        .weighted(0.5, Arrive::new(vec2(50.0, 50.0)))
        .with(Wander::default().circle_distance(4.0).circle_radius(2.0).angle_change(1.0))
        .with(Flock::default().radius(20.0))
        .with(AvoidObstacles::default().see_ahead(20.0).max_avoid_force(3.0));
    let obstacles = vec![Shape::Circle { center: vec2(50.0, 50.0), radius: 12.0 }];
    Crowd::new(Setup { seed: 3, obstacles, groups: vec![group], ..Setup::default() }).unwrap()
}

#[test]
fn an_explanation_matches_the_next_step_and_changes_nothing() {
    let (mut explained, mut alone) = (fifty(), fifty());
    for _ in 0..20 {
        let id = (explained.tick() * 7 % 50) as u32;
        let why = explained.explain(id).unwrap();
        let before = explained.get(id).unwrap().agent;
        explained.step();
        alone.step();
        let velocity = before.step(why.sum, before.velocity, 1.0, 1.0).1;
        assert_eq!(explained.get(id).unwrap().agent.velocity, velocity);
        assert_eq!(why.force, why.sum.truncate(3.0));
        let total: Vec2 = why.contributions.iter().map(|part| part.force).sum();
        assert!((total - why.sum).length() < 1e-5, "{why:?}");
        assert_eq!(
            why.contributions.iter().map(|part| part.behavior).collect::<Vec<_>>(),
            ["arrive", "wander", "flock", "avoid_obstacles"]
        );
    }
    assert_eq!(explained.digest(), alone.digest());
    assert_eq!(explained.explain(50), None);
}

/// A crowd of three groups of two agents, with the input of every behavior; the first group steers
/// by the behavior `name`.
fn crowd_with(name: &str) -> Crowd<Vec2> {
    let mut behavior = Behavior::<Vec2>::from_name(name).unwrap();
    for parameter in behavior.parameters().iter().filter(|parameter| parameter.required) {
        let value = if matches!(parameter.kind, Kind::Number(_)) {
            Value::Number(20.0)
        } else {
            some_values(parameter.kind).remove(0)
        };
        assert!(behavior.set(parameter.name, value), "{name}.{}", parameter.name);
    }
    let mut groups: Vec<_> = (0..3)
        .map(|i| {
            group(["a", "b", "c"][i], &[vec2(4.0 * i as f32, 9.0), vec2(4.0 * i as f32, -9.0)])
        })
        .collect();
    groups[0].radius = Distribution::Same(0.5);
    groups[0].velocity = StartVelocity::Same(vec2(3.0, 1.0));
    groups[0].steer = List::default().with(behavior);
    let paths = (0..4)
        .map(|i| {
            (format!("path {i}"), Path::new(vec![vec2(50.0, 0.0), vec2(60.0, 70.0)], 5.0, false))
        })
        .collect();
    let obstacles = vec![Shape::box_between(vec2(12.0, 0.0), vec2(14.0, 40.0))];
    let fields = (0..4).map(|i| (format!("field {i}"), super::fields::toward(4.0))).collect();
    Crowd::new(Setup { groups, paths, fields, obstacles, ..Setup::default() }).unwrap()
}

#[test]
fn every_behavior_reports_annotations() {
    for description in super::available() {
        let why = crowd_with(description.name).explain(0).unwrap();
        assert!(!why.annotations.is_empty(), "{} reports no annotation", description.name);
        for annotation in why.annotations {
            let finite = match annotation.figure {
                Figure::Circle { center, radius } => center.is_finite() && radius >= 0.0,
                Figure::Segment { from, to } => from.is_finite() && to.is_finite(),
                Figure::Point(p) => p.is_finite(),
            };
            assert!(
                finite && annotation.behavior == description.name && !annotation.label.is_empty(),
                "{annotation:?}"
            );
        }
    }
}

/// A user's behavior that reports a point and a force.
#[derive(Debug)]
struct Reporting;

impl Steer<Vec2> for Reporting {
    fn force(
        &self,
        host: &Agent<Vec2>,
        _: &mut Memory<Vec2>,
        _: &mut SteerContext<'_, Vec2>,
        debug: DebugDraw<'_, Vec2>,
    ) -> Vec2 {
        debug.point("here", || host.position);
        vec2(0.5, 0.0)
    }
}

#[test]
fn the_annotations_of_a_users_behavior_are_part_of_the_explanation() {
    let mut only = group("a", &[vec2(3.0, 4.0)]);
    only.steer = List::default().with(Behavior::own("reporting", Reporting));
    let why = crowd(vec![only]).explain(0).unwrap();
    let [note] = why.annotations[..] else { panic!("{:?}", why.annotations) };
    assert_eq!((note.behavior, note.label), ("reporting", "here"));
    assert_eq!(note.figure, Figure::Point(vec2(3.0, 4.0)));
    assert_eq!(why.contributions[0].force, vec2(0.5, 0.0));
}
