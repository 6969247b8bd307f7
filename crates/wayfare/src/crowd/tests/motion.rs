//! Start, drag, edges of the world, the pointer and headings.

use super::*;
use crate::parameter::Auto;

#[test]
fn drag_removes_its_fraction_of_the_velocity_per_unit_of_time() {
    let coast = |drag, dt, force| {
        let mut group = group("a", &[vec2(0.0, 0.0)]);
        (group.drag, group.velocity) = (drag, StartVelocity::Same(vec2(4.0, 0.0)));
        if force {
            group.mass = Distribution::Same(2.0);
            group.steer = List::default().with(seek(vec2(0.0, 9.0)));
        }
        let mut crowd = Crowd::new(Setup { dt, groups: vec![group], ..Setup::default() }).unwrap();
        crowd.step();
        agents(&crowd)[0].velocity
    };
    assert_near(coast(0.75, 1.0, false), vec2(1.0, 0.0));
    assert_near(coast(0.75, 0.5, false), vec2(2.0, 0.0));
    assert_eq!([coast(0.0, 1.0, false), coast(1.0, 1.0, false)], [vec2(4.0, 0.0), Vec2::ZERO]);
    // Drag acts on the old velocity, not on the force: (4, 0) / 4 + ((0, 5) - (4, 0)) / 2.
    assert_near(coast(0.75, 1.0, true), vec2(-1.0, 2.5));
}

#[test]
fn a_member_is_not_slower_than_its_least_speed_unless_it_is_frozen_or_waits() {
    let crowd = |change: fn(&mut Group<Vec2>)| {
        let mut birds = group("birds", &[vec2(0.0, 0.0)]);
        birds.max_speed = Distribution::Same(3.0);
        birds.min_speed = 2.0;
        change(&mut birds);
        Crowd::new(Setup { dt: 0.5, groups: vec![birds], ..Setup::default() }).unwrap()
    };
    let after_two = |mut crowd: Crowd<Vec2>| {
        crowd.step();
        crowd.step();
        (agents(&crowd)[0].position, agents(&crowd)[0].velocity)
    };
    // At rest along the heading, braking along the velocity, on wheels along the heading.
    let at_rest = after_two(crowd(|birds| birds.heading = Some(vec2(0.0, 1.0))));
    assert_eq!(at_rest, (vec2(0.0, 2.0), vec2(0.0, 2.0)));
    let brakes = after_two(crowd(|birds| {
        birds.velocity = StartVelocity::Same(vec2(-2.5, 0.0));
        birds.steer = List::default().with(crate::behavior::Stop::default());
    }));
    assert_eq!(brakes, (vec2(-2.0, 0.0), vec2(-2.0, 0.0)));
    let on_wheels = after_two(crowd(|birds| birds.turning_radius = Some(4.0)));
    assert_eq!(on_wheels, (vec2(2.0, 0.0), vec2(2.0, 0.0)));
    // A smaller max_speed that was set later is kept.
    let mut slow = crowd(|_| {});
    slow.set_limit(0, Limit::MaxSpeed, Some(0.5)).unwrap();
    assert_eq!(after_two(slow).1, vec2(0.5, 0.0));
    let key_path = "group[0].max_speed".to_string();
    let set = Command::Set { key_path, value: Setting::Number(1.5) };
    let error = crowd(|_| {}).apply(&set).unwrap_err().to_string();
    assert!(error.contains("a speed from 2"), "{error}");
    let mut frozen = crowd(|_| {});
    frozen.set_frozen(0, true).unwrap();
    assert_eq!(after_two(frozen), (Vec2::ZERO, Vec2::ZERO));
    let waits =
        after_two(crowd(|birds| birds.start_after = StartAfter::Drawn(Distribution::Same(0.5))));
    assert_eq!(waits, (vec2(1.0, 0.0), vec2(2.0, 0.0)));
    let mut birds = group("birds", &[vec2(0.0, 0.0)]);
    (birds.max_speed, birds.min_speed) = (Distribution::Uniform(1.5, 3.0), 2.0);
    let error = Setup { groups: vec![birds], ..Setup::default() }.validate().unwrap_err();
    assert!(
        error.to_string().contains(
            "groups[0].min_speed: `min_speed` is 2; allowed: up to the smallest `max_speed`, 1.5"
        ),
        "{error}"
    );
}

#[test]
fn agents_wrap_at_the_edge_of_a_wrapped_world_and_stop_at_a_wall() {
    let run = |edge, velocity| {
        let mut group = group("a", &[vec2(98.0, 50.0)]);
        group.velocity = StartVelocity::Same(velocity);
        let mut crowd =
            Crowd::new(Setup { bounds: box_of(edge), groups: vec![group], ..Setup::default() })
                .unwrap();
        crowd.step();
        (agents(&crowd)[0].position, agents(&crowd)[0].velocity)
    };
    assert_eq!(run(Edge::Wrap, vec2(4.0, 3.0)), (vec2(2.0, 53.0), vec2(4.0, 3.0)));
    assert_eq!(run(Edge::Wall, vec2(4.0, 3.0)), (vec2(100.0, 53.0), vec2(0.0, 3.0)));
    assert_eq!(run(Edge::Open, vec2(4.0, 3.0)), (vec2(102.0, 53.0), vec2(4.0, 3.0)));
    assert_eq!(run(Edge::Bounce, vec2(4.0, 3.0)), (vec2(98.0, 53.0), vec2(-4.0, 3.0)));
}

#[test]
fn a_reflecting_edge_turns_velocity_and_heading_and_holds_the_whole_of_a_solid_body() {
    // The center of a point leaves, or the surface of a body of radius 2.
    for (x, radius) in [(98.0, 0.0), (95.5, 2.0)] {
        for (on_wheels, turn_rate, heading_time) in [
            (false, f32::INFINITY, 0.0),
            (true, f32::INFINITY, 0.0),
            (false, 1.0, 0.0),
            (false, f32::INFINITY, 2.0),
        ] {
            let mut group = group("a", &[vec2(x, 50.0)]);
            group.velocity = StartVelocity::Same(vec2(4.0, 3.0));
            (group.radius, group.turn_rate) = (Distribution::Same(radius), turn_rate);
            group.turning_radius = on_wheels.then_some(2.0);
            group.heading_time = heading_time;
            let bodies = Bodies { solid: true, ..Bodies::default() };
            let (bounds, groups) = (box_of(Edge::Bounce), vec![group]);
            let mut crowd =
                Crowd::new(Setup { bounds, bodies, groups, ..Setup::default() }).unwrap();
            crowd.step();
            let agent = agents(&crowd)[0];
            assert_near(agent.position, vec2(98.0, 53.0));
            assert_near(agent.velocity, vec2(-4.0, 3.0));
            assert_near(agent.heading, vec2(-0.8, 0.6));
            assert_eq!(agent.facing == agent.heading, turn_rate == f32::INFINITY);
            crowd.step();
            assert_near(agents(&crowd)[0].position, vec2(94.0, 56.0));
        }
    }
}

/// A group of one agent that starts at rest at the origin, faces +x, and goes along +y from the
/// first tick on.
fn turning_to_y<V: Vector>(heading_time: f32) -> Group<V> {
    let far = V::from_fn(|axis| if axis == 1 { 1e6 } else { 0.0 });
    let steer = List::default().with(seek(far));
    Group { heading_time, steer, ..group("a", &[V::ZERO]) }
}

/// The angle of the heading from +x after this number of ticks (degrees).
fn heading_after_ticks<V: Vector>(heading_time: f32, dt: f64, ticks: usize) -> f32 {
    let groups = vec![turning_to_y::<V>(heading_time)];
    let mut crowd = Crowd::new(Setup { dt, groups, ..Setup::default() }).unwrap();
    (0..ticks).for_each(|_| crowd.step());
    let agent = agents(&crowd)[0];
    assert!(agent.velocity.axis(1) > 0.0 && agent.facing == agent.heading);
    agent.heading.axis(1).atan2(agent.heading.axis(0)).to_degrees()
}

#[test]
fn a_smoothed_heading_approaches_the_velocity_by_its_time_constant_at_any_dt() {
    // After one time constant 37 % of the quarter turn are left.
    let expected = 90.0 * (1.0 - 1.0 / core::f32::consts::E);
    for (dt, ticks) in [(0.5, 1), (0.125, 4), (0.03125, 16)] {
        for angle in [
            heading_after_ticks::<Vec2>(0.5, dt, ticks),
            heading_after_ticks::<Vec3>(0.5, dt, ticks),
        ] {
            assert!((angle - expected).abs() < 0.01, "{angle} after {ticks} ticks");
        }
    }
    assert_eq!(heading_after_ticks::<Vec2>(0.0, 0.5, 1), 90.0);
}

#[test]
fn a_smoothed_heading_hardly_spins_where_the_velocity_does_and_stays_at_rest() {
    // Slow agents that push one another to and fro.
    let turned = |heading_time| {
        let points: Vec<Vec2> = (0..40).map(|i| vec2((i % 8) as f32, (i / 8) as f32)).collect();
        let mut crowded = group("crowded", &points);
        (crowded.heading_time, crowded.max_speed) = (heading_time, Distribution::Same(0.2));
        let apart = crate::behavior::Separation::default().radius(1.5).max_force(0.2);
        crowded.steer = List::default().with(apart).with(wander());
        let mut crowd = crowd(vec![crowded]);
        let mut sum = 0.0;
        for _ in 0..100 {
            let before = agents(&crowd);
            crowd.step();
            for (before, after) in before.iter().zip(agents(&crowd)) {
                sum += before.heading.dot(after.heading).clamp(-1.0, 1.0).acos();
            }
        }
        sum
    };
    let (direct, smoothed) = (turned(0.0), turned(10.0));
    assert!(smoothed * 3.0 < direct, "{smoothed} {direct}");
    // At rest the heading stays.
    let group = Group { heading_time: 3.0, heading: Some(Vec2::NEG_Y), ..group("a", &[Vec2::X]) };
    let mut crowd = crowd(vec![group]);
    (0..9).for_each(|_| crowd.step());
    assert_eq!(agents(&crowd)[0].heading, Vec2::NEG_Y);
}

#[test]
fn wanderers_that_see_ahead_are_at_a_wall_no_longer_than_elsewhere() {
    // The time within a body's diameter of the wall, in multiples of its part of the area.
    let at_the_wall = |see_ahead| {
        let area = Shape::box_between(vec2(0.0, 0.0), vec2(400.0, 400.0));
        let mut group = Group::new("wanderers", 60, Spawn::Inside(area), 3.0);
        group.velocity = StartVelocity::Random;
        (group.mass, group.radius) = (Distribution::Same(10.0), Distribution::Same(2.5));
        group.steer = List::default().with(Wander {
            see_ahead,
            ..Wander::default().circle_distance(10.0).circle_radius(8.0).angle_change(0.3)
        });
        let max = vec2(400.0, 400.0);
        let bounds = Some(Bounds { min: Vec2::ZERO, max, edge: Edge::Wall });
        let mut crowd =
            Crowd::new(Setup { bounds, groups: vec![group], ..Setup::default() }).unwrap();
        let (mut near, mut all) = (0, 0);
        for tick in 0..1_500 {
            crowd.step();
            for agent in agents(&crowd).iter().filter(|_| tick > 300) {
                let p = agent.position;
                near += usize::from(p.min(max - p).min_element() < 5.0);
                all += 1;
            }
        }
        near as f32 / all as f32 / (1.0 - (390.0 * 390.0) / (400.0 * 400.0))
    };
    let (blind, seeing) = (at_the_wall(0.0), at_the_wall(75.0));
    assert!(blind > 10.0 && seeing < 1.5, "{blind} {seeing}");
}

#[test]
fn in_a_wrapped_world_every_target_is_approached_along_the_shortest_offset() {
    let first_step = |target| {
        let mut seeker = group("seeker", &[vec2(10.0, 50.0)]);
        seeker.steer = List::default().with(Seek { target, within: 20.0 });
        let groups = vec![seeker, group("sought", &[vec2(95.0, 50.0)])];
        let pointer = Some(Track::fixed(vec2(-5.0, 50.0)));
        let mut crowd =
            Crowd::new(Setup { bounds: box_of(Edge::Wrap), pointer, groups, ..Setup::default() })
                .unwrap();
        crowd.step();
        agents(&crowd)[0].position
    };
    // The target is 15 to the left, across the edge; a point may be given in any image of the
    // world.
    for target in [
        Target::Group(GroupId(1)),
        Target::Pointer,
        Target::Point(vec2(95.0, 50.0)),
        Target::Point(vec2(395.0, -350.0)),
    ] {
        assert_near(first_step(target), vec2(5.0, 50.0));
    }
    // Agents may also start in any image of the world.
    let start = Crowd::new(Setup {
        bounds: box_of(Edge::Wrap),
        groups: vec![group("a", &[vec2(395.0, -350.0)])],
        ..Setup::default()
    })
    .unwrap();
    assert_eq!(agents(&start)[0].position, vec2(95.0, 50.0));
}

#[test]
fn the_pointer_moves_along_its_track_until_set_pointer_moves_it() {
    let track = Track { points: vec![(1.0, vec2(0.0, 0.0)), (3.0, vec2(20.0, 10.0))] };
    assert_eq!([0.0, 1.0, 1.5, 3.0, 9.0].map(|t| track.at(t).x), [0.0, 0.0, 5.0, 20.0, 20.0]);
    let setup = Setup {
        dt: 0.5,
        pointer: Some(track),
        groups: vec![group("a", &[vec2(0.0, 0.0)])],
        ..Setup::default()
    };
    let mut crowd = Crowd::new(setup).unwrap();
    for _ in 0..3 {
        crowd.step();
    }
    assert_eq!((crowd.time(), crowd.pointer()), (1.5, Some(vec2(5.0, 2.5))));
    crowd.set_pointer(Some(vec2(7.0, 7.0)));
    assert_eq!(crowd.pointer(), Some(vec2(7.0, 7.0)));
    crowd.set_pointer(None);
    assert_eq!(crowd.pointer(), Some(vec2(5.0, 2.5)));
}

#[test]
fn agents_start_with_the_positions_velocities_and_limits_of_their_group() {
    let mut rows = Group::new(
        "rows",
        7,
        Spawn::Grid { origin: vec3(1.0, 2.0, 3.0), spacing: 10.0, columns: 2, rows: 3 },
        5.0,
    );
    rows.velocity = StartVelocity::Random;
    let crowd = crowd(vec![rows]);
    let expected = [
        (0.0, 0.0, 0.0),
        (1.0, 0.0, 0.0),
        (0.0, 1.0, 0.0),
        (1.0, 1.0, 0.0),
        (0.0, 2.0, 0.0),
        (1.0, 2.0, 0.0),
        (0.0, 0.0, 1.0),
    ];
    let expected = expected.map(|(x, y, z)| vec3(1.0, 2.0, 3.0) + vec3(x, y, z) * 10.0);
    assert_eq!(agents(&crowd).iter().map(|a| a.position).collect::<Vec<_>>(), expected);
    for agent in agents(&crowd) {
        assert!((agent.velocity.length() - 5.0).abs() < 1e-5);
        assert_near(agent.heading, agent.velocity / 5.0);
    }
    assert_eq!(crowd.group_names().collect::<Vec<_>>(), ["rows"]);
    // In 2D a grid has any number of rows.
    let plane = Group::new(
        "plane",
        7,
        Spawn::Grid { origin: Vec2::ZERO, spacing: 1.0, columns: 2, rows: 1 },
        5.0,
    );
    assert_eq!(agents(&self::crowd(vec![plane]))[6].position, vec2(0.0, 3.0));

    let mut many = Group::new(
        "many",
        2_000,
        Spawn::Inside(Shape::Circle { center: vec2(5.0, 5.0), radius: 2.0 }),
        5.0,
    );
    (many.mass, many.max_speed) =
        (Distribution::Uniform(1.0, 3.0), Distribution::Uniform(2.0, 4.0));
    (many.max_force, many.radius) =
        (Distribution::Uniform(0.0, 2.0), Distribution::Uniform(0.0, 2.0));
    let (mut sums, mut products) = ([0.0; 4], 0.0);
    for agent in agents(&self::crowd(vec![many])) {
        assert!((agent.position - vec2(5.0, 5.0)).length() <= 2.0);
        let shares =
            [agent.mass - 2.0, agent.max_speed - 3.0, agent.max_force - 1.0, agent.radius - 1.0];
        assert!(shares.iter().all(|x| x.abs() <= 1.0), "{agent:?}");
        products += shares[0] * shares[1];
        (0..4).for_each(|i| sums[i] += shares[i]);
    }
    // The sum of 2,000 uniform numbers from -1 to 1 has the standard deviation 26, the sum of
    // products of independent ones 15.
    assert!(
        sums.iter().all(|sum: &f32| sum.abs() < 130.0) && f32::abs(products) < 75.0,
        "{sums:?} {products}"
    );
}

#[test]
fn the_heading_is_along_x_at_first_and_kept_at_rest() {
    let mut a = group("a", &[vec2(0.0, 0.0)]);
    let slowing_radius = Auto::Fixed(0.0);
    a.steer = List::default().with(crate::behavior::Arrive {
        target: Target::Point(vec2(0.0, -5.0)),
        slowing_radius,
        within: f32::INFINITY,
    });
    let mut crowd = crowd(vec![a]);
    assert_eq!(agents(&crowd)[0].heading, Vec2::X);
    for _ in 0..3 {
        crowd.step();
        assert_eq!(
            (agents(&crowd)[0].position, agents(&crowd)[0].heading),
            (vec2(0.0, -5.0), Vec2::NEG_Y)
        );
    }
    assert_eq!(agents(&crowd)[0].velocity, Vec2::ZERO);
}
