//! Start positions: apart from other bodies and obstacles, along a path, and headings at rest.

use super::*;

fn area<V: Vector>(radius: f32) -> Shape<V> {
    Shape::Circle { center: V::ZERO, radius }
}

fn bodies<V: Vector>(name: &str, count: usize, spawn: Spawn<V>, radius: Distribution) -> Group<V> {
    let mut group = Group::new(name, count, spawn, 1.0);
    group.radius = radius;
    group
}

/// The smallest gap between two bodies (length; negative where they overlap).
fn least_gap<V: Vector>(crowd: &Crowd<V>, space: &Space<V>) -> f32 {
    let all: Vec<Agent<V>> = crowd.agents().map(|(_, agent)| agent).collect();
    let gaps = all.iter().enumerate().flat_map(|(i, a)| {
        let gap = move |b: &Agent<V>| {
            space.difference(a.position, b.position).length() - a.radius - b.radius
        };
        all[..i].iter().map(gap)
    });
    gaps.fold(f32::INFINITY, f32::min)
}

fn a_crowd_starts_apart<V: Vector>(edge: Edge) {
    let low = V::from_fn(|_| -10.0);
    let bounds = Some(Bounds { min: low, max: -low, edge });
    let pillar = Shape::Circle { center: V::X * 3.0, radius: 2.0 };
    let various = Distribution::Uniform(0.2, 0.6);
    let everywhere = || Shape::box_between(low, -low);
    let groups = vec![
        bodies("first", 60, Spawn::Apart(everywhere()), various),
        bodies("fixed", 1, Spawn::Points(vec![V::X * -5.0]), Distribution::Same(3.0)),
        bodies("second", 40, Spawn::Apart(everywhere()), various),
    ];
    let setup = Setup { seed: 3, bounds, obstacles: vec![pillar], groups, ..Setup::default() };
    let obstacle = Obstacle::from(setup.obstacles[0].clone());
    let space = setup.space();
    let crowd = Crowd::new(setup.clone()).unwrap();
    assert_eq!(crowd.len(), 101);
    assert!(least_gap(&crowd, &space) >= 0.0, "{}", least_gap(&crowd, &space));
    for (_, agent) in crowd.agents() {
        let gap = obstacle.distance(agent.position) - agent.radius;
        assert!(gap >= 0.0, "{agent:?} stands in the pillar");
        assert!(space.walls(agent.position).all(|(_, distance)| distance >= agent.radius));
    }
    assert_eq!(crowd.digest(), Crowd::new(setup).unwrap().digest());
}

#[test]
fn bodies_apart_overlap_no_body_no_obstacle_and_no_wall() {
    [Edge::Open, Edge::Wall, Edge::Wrap].into_iter().for_each(a_crowd_starts_apart::<Vec2>);
    [Edge::Wall, Edge::Wrap].into_iter().for_each(a_crowd_starts_apart::<Vec3>);
}

#[test]
fn a_member_whose_first_position_is_free_starts_there() {
    let start = |spawn| {
        let group = bodies("a", 1, spawn, Distribution::Same(0.5));
        let crowd = Crowd::new(Setup { groups: vec![group], ..Setup::default() }).unwrap();
        crowd.get(0).unwrap().agent.position
    };
    assert_eq!(start(Spawn::<Vec2>::Apart(area(9.0))), start(Spawn::Inside(area(9.0))));
}

#[test]
fn too_many_bodies_apart_are_refused_with_the_number_that_fits() {
    let setup = |count| {
        let group = bodies("people", count, Spawn::<Vec2>::Apart(area(3.0)), 1.0.into());
        Setup { groups: vec![group], ..Setup::default() }
    };
    let errors = setup(50).errors();
    let [error] = &errors[..] else { panic!("{errors:?}") };
    let placed: usize = error.allowed.split([' ', ',']).find_map(|word| word.parse().ok()).unwrap();
    assert!((4..10).contains(&placed), "{error}");
    assert_eq!(
        error.to_string(),
        format!(
            "group[0].count: `count` is 50, and the area has room for {placed} bodies of \
             \"people\" apart; allowed: up to {placed}, a larger area, or smaller bodies"
        )
    );
    assert_eq!(setup(placed).errors(), vec![]);
}

#[test]
fn a_group_that_is_added_starts_apart_from_those_that_are_there() {
    let first = bodies("first", 8, Spawn::<Vec2>::Inside(area(6.0)), 0.01.into());
    let setup = Setup { groups: vec![first], seed: 1, ..Setup::default() };
    let space = setup.space();
    let mut crowd = Crowd::new(setup).unwrap();
    crowd.step();
    let more = |count| bodies("more", count, Spawn::Apart(area(6.0)), 0.8.into());
    let error = crowd.add_group(more(200)).unwrap_err();
    assert!(error.to_string().starts_with("add_group.count: `count` is 200, and"), "{error}");
    crowd.add_group(more(12)).unwrap();
    assert_eq!(crowd.len(), 20);
    assert!(least_gap(&crowd, &space) >= 0.0, "{}", least_gap(&crowd, &space));
}

fn on_path(points: Vec<Vec2>, closed: bool, count: usize) -> Crowd<Vec2> {
    let group = Group::new("a", count, Spawn::Along(PathId(0)), 1.0);
    let paths = vec![("beat".to_string(), Path::new(points, 1.0, closed))];
    Crowd::new(Setup { paths, groups: vec![group], ..Setup::default() }).unwrap()
}

/// Positions and headings by id.
fn starts(crowd: &Crowd<Vec2>) -> Vec<(Vec2, Vec2)> {
    let agents = (0..crowd.len() as u32).map(|id| crowd.get(id).unwrap().agent);
    agents.map(|agent| (agent.position, agent.heading)).collect()
}

#[test]
fn members_along_a_path_stand_at_equal_distances_and_head_along_it() {
    let corner = vec![vec2(0.0, 0.0), vec2(10.0, 0.0), vec2(10.0, 10.0)];
    let open = starts(&on_path(corner, false, 5));
    let (x, y) = (Vec2::X, Vec2::Y);
    assert_eq!(open.iter().map(|start| start.1).collect::<Vec<_>>(), [x, x, y, y, y]);
    let expected = [(0.0, 0.0), (5.0, 0.0), (10.0, 0.0), (10.0, 5.0), (10.0, 10.0)];
    assert_eq!(open.iter().map(|start| start.0.into()).collect::<Vec<(f32, f32)>>(), expected);

    let square = [(0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (0.0, 8.0)].map(Vec2::from).to_vec();
    let closed = starts(&on_path(square.clone(), true, 4));
    assert_eq!(closed, [(square[0], x), (square[1], y), (square[2], -x), (square[3], -y)]);
    assert_eq!(starts(&on_path(square, false, 1)).len(), 1);
}

#[test]
fn members_at_rest_head_along_the_heading_of_their_group() {
    let heading_of = |velocity, heading| {
        let mut group = Group::new("a", 1, Spawn::Points(vec![Vec2::ZERO]), 2.0);
        (group.velocity, group.heading) = (StartVelocity::Same(velocity), heading);
        let crowd = Crowd::new(Setup { groups: vec![group], ..Setup::default() }).unwrap();
        starts(&crowd)[0].1
    };
    assert_eq!(heading_of(Vec2::ZERO, None), Vec2::X);
    assert_eq!(heading_of(Vec2::ZERO, Some(vec2(0.0, -7.0))), -Vec2::Y);
    assert_eq!(heading_of(vec2(-1.0, 0.0), Some(Vec2::Y)), -Vec2::X);
    let mut crowd = on_path(vec![vec2(0.0, 0.0), vec2(10.0, 0.0)], false, 2);
    let mut against = Group::new("against", 2, Spawn::Along(PathId(0)), 1.0);
    against.heading = Some(-Vec2::X);
    crowd.add_group(against).unwrap();
    assert_eq!(starts(&crowd)[2..], [(Vec2::ZERO, -Vec2::X), (vec2(10.0, 0.0), -Vec2::X)]);
}

#[test]
fn a_goal_apart_a_spawn_on_no_path_and_a_heading_of_zero_are_refused() {
    let mut group = Group::new("a", 1, Spawn::<Vec2>::Along(PathId(0)), 1.0);
    group.goal = Some(Spawn::Apart(area(3.0)));
    group.heading = Some(Vec2::ZERO);
    let errors = Setup { groups: vec![group], ..Setup::default() }.errors();
    let paths: Vec<String> = errors.iter().map(|error| error.key_path.to_string()).collect();
    assert_eq!(paths, ["group[0].heading", "group[0].spawn.along", "group[0].goal"]);
}
