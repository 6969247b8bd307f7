//! Behaviors without numbers: the formulas of `"auto"` scale with the units of a scene.

use wayfare::parameter::{Kind, Parameter, Target, Value};
use wayfare::prelude::*;

/// Behaviors with numbers in metres and seconds, and one whose field needs a goal.
const WITH_UNITS: [&str; 5] =
    ["follow_flow", "follow_vehicle", "orca", "pedestrian", "social_force"];

/// A scene's units: the length and the time that take the place of a metre and a second.
#[derive(Clone, Copy)]
struct Units {
    length: f32,
    time: f32,
}

const METRES: Units = Units { length: 1.0, time: 1.0 };
/// 32 pixels in a metre, 64 ticks of 1 in a second: powers of two, so that numbers round alike.
const PIXELS: Units = Units { length: 32.0, time: 64.0 };

/// The behavior `name` with the values that it requires and no others.
fn without_numbers(name: &str, units: Units) -> Behavior<Vec2> {
    let point = |x: f32, y: f32| vec2(x, y) * units.length;
    let mut behavior = Behavior::from_name(name).expect("it is one of the list");
    let required: Vec<Parameter> =
        behavior.parameters().iter().filter(|parameter| parameter.required).copied().collect();
    for parameter in required {
        let value = match parameter.kind {
            Kind::Target => Value::Target(Target::Point(point(34.0, 26.0))),
            Kind::Group | Kind::Quarry => Value::Group(GroupId(1)),
            Kind::Path => Value::Path(PathId(0)),
            Kind::Area => Value::Area(Shape::box_between(point(10.0, 10.0), point(40.0, 40.0))),
            Kind::Line => Value::Points(vec![point(30.0, 10.0), point(30.0, 40.0)]),
            Kind::Word(words) => Value::Word(words[0]),
            kind => panic!("{name} requires {}: {kind}", parameter.name),
        };
        assert!(behavior.set(parameter.name, value), "{name}.{}", parameter.name);
    }
    behavior
}

/// The positions of nine agents with the behavior after `seconds`, in metres.
fn positions(name: &str, units: Units, radius: f32, limited: bool, seconds: usize) -> Vec<Vec2> {
    let Units { length, time } = units;
    let point = |x: f32, y: f32| vec2(x, y) * length;
    let (speed, dt) = (length / time, time / 64.0);
    let start = (0..9).map(|i| point(19.0 + (i % 3) as f32, 20.0 + 1.3 * (i / 3) as f32));
    let group = |name: &str, spawn, max_speed: f32| {
        let group = Group::new(name, 0, spawn, max_speed * speed)
            .mass(0.5 * time)
            .radius(radius * length)
            .velocity(vec2(0.8, 0.1) * speed);
        if limited { group.max_force(0.9 * speed) } else { group }
    };
    let mut hosts = group("hosts", Spawn::Points(start.collect()), 1.5);
    if name == "queue" {
        hosts = hosts.steer(Seek::new(point(34.0, 26.0)));
    }
    let leader =
        group("leader", Spawn::point(point(23.0, 21.0)), 1.0).steer(Arrive::new(point(36.0, 30.0)));
    let path = Path::new(vec![point(14.0, 30.0), point(26.0, 32.0)], 0.5 * length, false);
    let rock = Shape::circle(point(27.0, 22.5), 1.5 * length);
    let mut crowd = Setup::new(f64::from(dt))
        .bounds(point(0.0, 0.0), point(48.0, 48.0), Edge::Wall)
        .path("path", path)
        .obstacle(rock)
        .group(hosts.steer(without_numbers(name, units)))
        .group(leader)
        .crowd()
        .unwrap_or_else(|error| panic!("{name}: {error:?}"));
    (0..64 * seconds).for_each(|_| crowd.step());
    crowd.agents().take(9).map(|(_, agent)| agent.position / length).collect()
}

#[test]
fn a_scene_without_numbers_has_the_same_motion_in_metres_and_in_pixels() {
    let names = Behavior::<Vec2>::LIST.iter().map(|description| description.name);
    let mut compared = 0;
    let is_there = |name: &&str| cfg!(feature = "navigation") || *name != "navigate";
    for name in names.filter(|name| !WITH_UNITS.contains(name)).filter(is_there) {
        // Ways keep the distance of a body, so they need one.
        let radii = if name == "navigate" { &[0.25][..] } else { &[0.25, 0.0] };
        for (&radius, limited) in radii.iter().flat_map(|r| [(r, false), (r, true)]) {
            let metres = positions(name, METRES, radius, limited, 12);
            let pixels = positions(name, PIXELS, radius, limited, 12);
            for (a, b) in metres.iter().zip(&pixels) {
                let case = format!("{name}, radius {radius}, limited {limited}");
                assert!((*a - *b).length() < 0.02, "{case}: {a} in metres, {b} in pixels");
                assert!(a.is_finite(), "{case}: {a}");
            }
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn a_wrapped_world_is_held_against_the_numbers_of_formulas() {
    let world = |width: f32| {
        let birds = Group::new("birds", 2, Spawn::ring(vec2(9.0, 9.0), 1.0), 6.0).mass(1.0);
        let birds = birds.steer(Flock::default());
        Setup::new(0.02).bounds(Vec2::ZERO, Vec2::splat(width), Edge::Wrap).group(birds).crowd()
    };
    // The reaction is 1, the spacing 1.5, and neighbors count up to 12.
    assert!(world(24.1).is_ok());
    let error = world(23.9).unwrap_err().to_string();
    assert!(error.contains("looks for neighbors up to 12 away"), "{error}");
}

#[test]
fn the_numbers_of_a_formula_are_those_that_its_doc_tells() {
    // A person of 0.25 at 1.5 with a mass of 0.5: the spacing is 3 radius.
    let apart = positions("separation", METRES, 0.25, false, 12);
    let nearest = |p: &Vec2| {
        let others = apart.iter().filter(|other| *other != p);
        others.map(|other| (*other - *p).length()).fold(f32::INFINITY, f32::min)
    };
    assert!(apart.iter().all(|p| nearest(p) > 0.74), "{apart:?}");
}
