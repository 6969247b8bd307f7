//! The bound on the RAM of a crowd holds for every kind of stored state.

use wayfare::behavior::{
    Arrive, Explore, Flock, FollowFlow, Formation, FormationShape, Navigate, Seek, Wander,
};
use wayfare::crowd::{
    Arrivals, Bodies, Condition, Distribution, Group, Navigation, Perception, Setup, Source, Spawn,
    Stat, State, Transition, TransitionTarget,
};
use wayfare::geometry::flow_field::FieldPlan;
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, Vec3, vec2};
use wayfare::parameter::{Auto, FieldId, GroupId, Target};
use wayfare::{Crowd, List, Vector};

fn area<V: Vector>() -> Shape<V> {
    Shape::box_between(V::ZERO, V::from_fn(|_| 300.0))
}

fn group<V: Vector>(count: usize) -> Group<V> {
    Group::new("walkers", count, Spawn::Inside(area()), 2.0)
}

fn setup<V: Vector>(group: Group<V>) -> Setup<V> {
    Setup { groups: vec![group], ..Setup::default() }
}

/// A state with a transition on being stuck within one of `count` distances.
fn stuck<V: Vector>(count: usize) -> State<V> {
    let leave = |i| Transition {
        to: TransitionTarget::from(0),
        when: Condition::Stuck(i as f32 + 1.0, 1e6),
    };
    State { leave: (0..count).map(leave).collect(), ..State::new("only") }
}

/// The peak of a crowd's allocations in five ticks (bytes), and the bound.
fn measured<V: Vector>(setup: &Setup<V>) -> (u64, u64) {
    let copy = setup.clone();
    let measured = allocation_counter::measure(|| {
        let mut crowd = Crowd::new(copy).expect("the setup is valid");
        (0..5).for_each(|_| crowd.step());
    });
    (measured.bytes_max, setup.ram_bound().total())
}

fn setups<V: Vector>() -> Vec<(&'static str, Setup<V>)> {
    let mut remembering = group(2_000);
    remembering.steer = List::default()
        .with(Wander::default().circle_distance(1.0).circle_radius(1.0).angle_change(0.5))
        .with(Wander::default().circle_distance(1.0).circle_radius(1.0).angle_change(0.5));
    remembering.stats = (0..30)
        .map(|i| Stat { name: i.to_string(), start: 0.0.into(), min: 0.0, max: 1.0 })
        .collect();
    let mut stuck_group = group(200);
    stuck_group.states = vec![stuck(2_000)];
    let mut looking = group(2_000);
    looking.sight = Some(Perception { within: 50.0, ..Perception::new(Target::Group(GroupId(0))) });
    looking.turn_rate = 90.0;
    looking.think_every = 4;
    looking.steer = List::default()
        .with(Flock::default().radius(30.0))
        .with(Seek { target: Target::Group(GroupId(0)), within: 100.0 })
        .with(Formation::new(V::ZERO, FormationShape::Line).spacing(0.0));
    let mut touching = group(20_000);
    touching.radius = Distribution::Uniform(1.0, 3.0);
    let wall = |i: usize| Shape::Circle { center: V::X * i as f32, radius: 1.0 };
    let solid = Setup {
        bodies: Bodies { solid: true, ..Bodies::default() },
        obstacles: (0..300).map(wall).collect(),
        ..setup(touching)
    };
    let mut dense = group(2_000);
    dense.steer = List::default().with(Flock::default().radius(1_000.0));
    let mut arriving = group(2_000);
    arriving.steer = List::default()
        .with(Arrive { within: f32::INFINITY, ..Arrive::new(V::from_fn(|_| 150.0)) });
    let entering = Setup {
        sources: vec![Source::new(area(), GroupId(0), Arrivals::rate(1_000.0)).most(3_000)],
        ..setup(group(10))
    };
    let mut exploring = group(10);
    exploring.steer = (0..20).fold(List::default(), |list, _| {
        list.with(Explore {
            area: area(),
            cell: if V::DIMENSION == 2 { Auto::Fixed(1.0) } else { Auto::Fixed(8.0) },
        })
    });
    let mut following = group(10);
    following.steer = List::default().with(FollowFlow::new(FieldId(0)));
    let field = FieldPlan::Toward {
        goals: vec![Shape::Circle { center: V::ZERO, radius: 9.0 }],
        cell: if V::DIMENSION == 2 { 1.0 } else { 8.0 },
        clearance: 0.0,
        area: Some((V::ZERO, V::from_fn(|_| 300.0))),
    };
    // Grids and fields of few cells, so many that the room for an empty crowd hides none of them.
    let mut many_grids = group(1);
    let thin = Shape::box_between(V::ZERO, V::from_fn(|i| if i == 0 { 100.0 } else { 1.0 }));
    many_grids.steer = (0..3_000).fold(List::default(), |list, _| {
        list.with(Explore { area: thin.clone(), cell: Auto::Fixed(1.0) })
    });
    let disc = |x: f32| Shape::Circle { center: V::X * x, radius: 1.0 };
    let small = |goals| FieldPlan::Toward {
        goals,
        cell: 10.0,
        clearance: 0.0,
        area: Some((V::ZERO, V::from_fn(|i| if i == 0 { 300.0 } else { 10.0 }))),
    };
    let many_fields = (0..3_000).map(|i| (i.to_string(), small(vec![disc(150.0)]))).collect();
    let many_goals = small((0..20_000).map(|i| disc(i as f32)).collect());
    // All cells are sources, of which each is queued at once.
    let wide_goal = FieldPlan::Toward {
        goals: vec![area()],
        cell: if V::DIMENSION == 2 { 0.7 } else { 7.0 },
        clearance: 0.0,
        area: Some((V::ZERO, V::from_fn(|_| 300.0))),
    };
    let mut many_states = group(10);
    many_states.steer = (0..100).fold(List::default(), |list, _| {
        list.with(Wander::default().circle_distance(1.0).circle_radius(1.0).angle_change(0.5))
    });
    many_states.states = (0..100).map(|i| State { name: i.to_string(), ..stuck(1) }).collect();
    // Ways of agents in the plane, each round some of the obstacles.
    let mut navigating = group(if cfg!(feature = "navigation") { 500 } else { 0 });
    navigating.radius = Distribution::Same(0.5);
    if V::DIMENSION == 2 && cfg!(feature = "navigation") {
        navigating.steer = List::default().with(Navigate::new(V::from_fn(|_| 250.0)));
    }
    let post = |i: usize| Shape::Circle {
        center: V::from_fn(|axis| 20.0 * (if axis == 0 { i % 15 } else { i / 15 }) as f32),
        radius: 1.0 + (i % 5) as f32,
    };
    let ways = Setup {
        navigation: Navigation { searches_per_tick: 1_000 },
        obstacles: (0..225).map(post).collect(),
        ..setup(navigating)
    };
    vec![
        ("ways", ways),
        ("plain", setup(group(20_000))),
        ("solid", solid),
        ("remembering", setup(remembering)),
        ("stuck", setup(stuck_group)),
        ("looking", setup(looking)),
        ("dense", setup(dense)),
        ("arriving", setup(arriving)),
        ("entering", entering),
        ("exploring", setup(exploring)),
        ("following", Setup { fields: vec![("way".to_string(), field)], ..setup(following) }),
        ("many grids", setup(many_grids)),
        ("many fields", Setup { fields: many_fields, ..setup(group(1)) }),
        ("many goals", Setup { fields: vec![("far".to_string(), many_goals)], ..setup(group(1)) }),
        ("wide goal", Setup { fields: vec![("all".to_string(), wide_goal)], ..setup(group(1)) }),
        ("many states", setup(many_states)),
    ]
}

#[test]
fn the_allocations_of_a_crowd_are_below_the_bound_and_not_far_below() {
    fn check<V: Vector>() {
        for (name, setup) in setups::<V>() {
            let (peak, bound) = measured(&setup);
            assert!(peak <= bound, "{name} in {}D: {peak} of {bound}", V::DIMENSION);
            assert!(
                bound <= 5 * peak + (2 << 20),
                "{name} in {}D: {peak} of {bound}",
                V::DIMENSION
            );
        }
    }
    check::<Vec2>();
    check::<Vec3>();
}

#[test]
fn the_bound_of_twenty_thousand_agents_with_two_thousand_stuck_distances_is_over_a_gigabyte() {
    let mut walkers = group::<Vec2>(20_000);
    walkers.states = vec![stuck(2_000)];
    let bound = setup(walkers).ram_bound();
    assert!((1_280_000_000..2_600_000_000).contains(&bound.total()), "{bound:?}");
}

#[test]
fn explored_grids_are_counted_and_the_largest_one_is_named() {
    let mut explorers = group::<Vec2>(1);
    let cells = |cell| Explore { area: Shape::box_between(Vec2::ZERO, vec2(1e3, 1e3)), cell };
    explorers.steer = (0..300).fold(List::default().with(cells(Auto::Fixed(50.0))), |list, _| {
        list.with(cells(Auto::Fixed(1.0)))
    });
    let bound = setup(explorers).ram_bound();
    assert!(bound.total() > 300 * 9_000_000, "{bound:?}");
    let (_, key_path) = bound.largest.unwrap();
    assert!(key_path.to_string().ends_with("explore.cell"), "{key_path}");
}
