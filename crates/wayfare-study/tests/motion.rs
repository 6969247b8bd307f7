//! Scenes whose agents stood, left their lane or never came to rest.

use std::fmt::Write;

use wayfare::Crowd;
use wayfare::crowd::Event;
use wayfare::glam::{Vec2, vec2};
use wayfare_scene::{AnyScene, Format, Severity, Source, read};

/// A scene of the plane.
fn crowd(text: &str) -> Crowd<Vec2> {
    let source = Source { name: "motion".to_string(), text: text.to_string() };
    let scene = read(&source, Format::Toml)
        .unwrap_or_else(|problems| panic!("{}", source.render(Severity::Error, &problems, false)));
    let AnyScene::TwoD(scene) = scene else { panic!("a scene of space") };
    Crowd::new(scene.setup).unwrap()
}

fn positions(crowd: &Crowd<Vec2>, group: usize) -> Vec<Vec2> {
    crowd.members(group).iter().map(|member| member.agent.position).collect()
}

#[test]
fn a_car_with_a_turning_radius_stops_behind_a_parked_one_at_every_dt() {
    for (dt, turning_radius) in [(0.02, 4), (0.1, 2), (0.1, 4), (0.1, 12), (0.5, 4)] {
        let mut crowd = crowd(&format!(
            "dt = {dt}
            path.road = {{ points = [[0, 0], [300, 0]], radius = 2 }}
            [[group]]
            name = 'parked'
            spawn = {{ points = [[30, 0]] }}
            max_speed = 0.001
            radius = 1
            [[group]]
            name = 'car'
            spawn = {{ points = [[0, 0]] }}
            velocity = [8, 0]
            mass = 0.4
            max_speed = 8
            max_force = 4
            radius = 1
            turning_radius = {turning_radius}
            steer = [{{ follow_vehicle = {{ path = 'road' }} }}]"
        ));
        let mut aside = 0.0_f32;
        for _ in 0..(60.0 / dt) as u64 {
            crowd.step();
            aside = aside.max(positions(&crowd, 1)[0].y.abs());
        }
        let x = positions(&crowd, 1)[0].x;
        assert!((x - 26.0).abs() < 0.2 && aside < 0.01, "{dt} {turning_radius}: {x} {aside}");
    }
}

/// A roundabout with four arms, each of whose cars leave it opposite.
fn roundabout() -> String {
    let arm = [
        vec2(80.0, -4.0),
        vec2(40.0, -4.0),
        vec2(25.0, -5.0),
        vec2(18.48, -7.65),
        vec2(14.14, -14.14),
        vec2(7.65, -18.48),
        vec2(0.0, -20.0),
    ];
    let other_half = arm[..6].iter().rev().map(|p| vec2(-p.x, p.y));
    let route: Vec<Vec2> = arm.into_iter().chain(other_half).collect();
    let mut text = "dt = 0.1\n".to_string();
    for (k, arm) in [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y].into_iter().enumerate() {
        let place = |p: &Vec2| arm.rotate(*p);
        let list: Vec<String> =
            route.iter().map(place).map(|p| format!("[{}, {}]", p.x, p.y)).collect();
        let ([from, to], ahead) = ([78.0, -78.0].map(|x| place(&vec2(x, -4.0))), -arm * 8.0);
        writeln!(
            text,
            "[path.route{k}]
            points = [{}]
            radius = 2
            curve = 'catmull_rom'
            [[group]]
            name = 'cars{k}'
            count = 0
            spawn = {{ points = [] }}
            heading = [{}, {}]
            velocity = [{}, {}]
            mass = 0.4
            max_speed = 8
            max_force = 20
            radius = 1
            turning_radius = 4
            steer = [{{ follow_vehicle = {{ path = 'route{k}', acceleration = 2 }} }}]
            [[source]]
            circle = {{ center = [{}, {}], radius = 0.5 }}
            group = 'cars{k}'
            rate = 0.15
            [[exit]]
            circle = {{ center = [{}, {}], radius = 4 }}
            groups = ['cars{k}']",
            list.join(", "),
            -arm.x,
            -arm.y,
            ahead.x,
            ahead.y,
            from.x,
            from.y,
            to.x,
            to.y
        )
        .unwrap();
    }
    text
}

#[test]
fn cars_in_a_roundabout_keep_their_lane_and_none_waits_for_one_that_waits_for_it() {
    let mut crowd = crowd(&roundabout());
    let paths: Vec<_> = crowd.paths().to_vec();
    let (mut aside, mut deepest) = (0.0_f32, f32::INFINITY);
    for _ in 0..3_000 {
        crowd.step();
        let cars: Vec<Vec2> = crowd.agents().map(|(_, car)| car.position).collect();
        for (k, path) in paths.iter().enumerate() {
            for p in positions(&crowd, k) {
                aside = aside.max((path.project(p).0 - p).length());
            }
        }
        for (i, a) in cars.iter().enumerate() {
            let others = cars[..i].iter().filter(|b| a.length() < 40.0 && b.length() < 40.0);
            deepest = others.map(|b| a.distance(*b)).fold(deepest, f32::min);
        }
    }
    let left: u64 = crowd.exits().iter().map(|exit| exit.left).sum();
    // 0.6 cars enter in a second, and one needs 25 s.
    assert!(left >= 150, "{left} cars have left");
    assert!(aside < 1.0, "a car was {aside} beside its lane");
    assert!(deepest > 1.9, "two cars were {deepest} from each other");
}

#[test]
fn two_dogs_bring_a_flock_home_whatever_the_seed() {
    for seed in 0..4 {
        let mut crowd = crowd(&format!(
            "dt = 0.1
            seed = {seed}
            bodies.solid = true
            [[group]]
            name = 'sheep'
            count = 40
            spawn = {{ box = {{ min = [20, 20], max = [80, 100] }}, apart = true }}
            mass = 0.6
            max_speed = 2
            max_force = 4
            radius = 0.5
            steer = [
                {{ flee = {{ target = 'dogs', panic_radius = 18 }}, weight = 2 }},
                {{ cohesion = {{ radius = 25, of = ['sheep'] }}, weight = 0.3 }},
            {{ separation = {{ radius = 2, max_force = 2, of = ['sheep'], falloff = 'inverse' }} }},
                {{ stop = {{}} }},
            ]
            [[group]]
            name = 'dogs'
            count = 2
            spawn = {{ points = [[5, 10], [5, 110]] }}
            mass = 0.5
            max_speed = 5
            max_force = 8
            radius = 0.4
            steer = [{{ herd = {{ flock = 'sheep', target = [142, 60], spacing = 2.5 }} }}]"
        ));
        let mut nearest = f32::INFINITY;
        for _ in 0..2_000 {
            crowd.step();
            let sheep = positions(&crowd, 0);
            let center = sheep.iter().sum::<Vec2>() / sheep.len() as f32;
            nearest = nearest.min(center.distance(vec2(142.0, 60.0)));
        }
        assert!(nearest < 5.0, "seed {seed}: the flock came up to {nearest} from its pen");
    }
}

#[test]
fn a_member_that_is_stuck_beside_its_slot_changes_slots_and_the_whole_formation_arrives() {
    let mut crowd = crowd(
        "[[group]]
        name = 'units'
        count = 100
        spawn = { box = { min = [0, 0], max = [150, 300] }, apart = true }
        mass = 8
        max_speed = 3
        max_force = 3
        radius = 5
        steer = [
            { formation = { around = [600, 150], shape = 'grid', spacing = 16 } },
            { orca = { neighbor_dist = 40, time_horizon = 20 } },
        ]",
    );
    let mut events = Vec::new();
    for _ in 0..1_500 {
        crowd.step();
        events.extend_from_slice(crowd.events());
    }
    let units = positions(&crowd, 0);
    for (i, a) in units.iter().enumerate() {
        let others = units.iter().enumerate().filter(|(j, _)| *j != i);
        let gap = others.map(|(_, b)| a.distance(*b)).fold(f32::INFINITY, f32::min);
        assert!((gap - 16.0).abs() < 0.01, "the nearest to {a} is {gap} away");
    }
    let arrived = events.iter().filter(|event| matches!(event, Event::Arrived { .. })).count();
    let group = events.iter().filter(|event| matches!(event, Event::GroupArrived { .. })).count();
    assert_eq!((arrived, group), (100, 1));
}

#[test]
fn a_formation_behind_a_leader_arrives_once_the_leader_has_come_to_rest() {
    let mut crowd = crowd(
        "[[group]]
        name = 'leader'
        spawn = { points = [[0, 0]] }
        mass = 8
        max_speed = 2
        steer = [{ arrive = { target = [300, 0] } }]
        [[group]]
        name = 'wing'
        count = 6
        spawn = { box = { min = [-60, -40], max = [-20, 40] } }
        mass = 4
        max_speed = 3
        steer = [{ formation = { around = 'leader', shape = 'wedge', spacing = 18 } }]",
    );
    let mut arrived = None;
    for tick in 0..1_000 {
        crowd.step();
        let of_wing =
            |event: &Event| matches!(event, Event::GroupArrived { group } if group.0 == 1);
        if crowd.events().iter().any(of_wing) {
            arrived.get_or_insert((tick, positions(&crowd, 0)[0].x));
        }
    }
    let (tick, x) = arrived.unwrap();
    assert!(tick > 150 && (x - 300.0).abs() < 2.0, "in tick {tick}, with the leader at {x}");
}
