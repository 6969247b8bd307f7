//! Searches by tree give the same results as a search of all agents.

use super::*;
use crate::agent::Memory;
use crate::annotation::DebugDraw;
use crate::behavior::{AvoidObstacles, Herd, Separation, Steer};

/// Three groups whose members mix, with or without a grid: one spread, one in a cluster, one with
/// all members on one point.
fn mixing<V: Vector>(edge: Edge, grid: bool) -> Crowd<V> {
    let area = Shape::box_between(V::ZERO, V::from_fn(|_| 100.0));
    let spawns = [
        (120, area),
        (40, Shape::Circle { center: V::from_fn(|_| 99.0), radius: 2.0 }),
        (9, Shape::Circle { center: V::from_fn(|_| 5.0), radius: 0.0 }),
    ];
    let groups = spawns.into_iter().enumerate().map(|(i, (count, area))| {
        let mut group = Group::new(&i.to_string(), count, Spawn::Inside(area), 5.0);
        group.velocity = StartVelocity::Random;
        group.steer = List::default()
            .with(seek(V::from_fn(|_| 50.0)))
            .with(Seek { target: Target::Group(GroupId(2 - i)), within: 60.0 });
        if grid {
            group.steer = group.steer.with(Separation::default().radius(9.0).max_force(3.0));
        }
        group
    });
    Crowd::new(Setup { bounds: box_of(edge), groups: groups.collect(), ..Setup::default() })
        .unwrap()
}

fn assert_the_nearest_members_are_found<V: Vector>(edge: Edge, grid: bool) {
    let mut crowd = mixing::<V>(edge, grid);
    let mut random = Random::new(4, 0, 0, 0);
    for tick in 0..30 {
        crowd.step();
        if tick % 7 == 6 {
            let mut rows: Vec<u32> = (0..crowd.len() as u32).collect();
            rows.sort_by_cached_key(|_| random.bits());
            crowd.permute(&rows);
        }
        let (now, space) = (&crowd.population.now, crowd.world.space);
        let dispatch = crowd.tick.dispatch;
        for (g, group) in crowd.world.groups.iter_mut().enumerate() {
            build_members(&mut group.members, (now, &crowd.population.ghosts), g as u32);
            for i in 0..now.len() {
                let (to, except) = (now.position.get(i), now.id[i]);
                let within = [f32::INFINITY, 30.0, 1.0, 0.0][i % 4];
                let squared = |j: usize| space.difference(to, now.position.get(j)).length_squared();
                let others =
                    (0..now.len()).filter(|&j| now.group[j] == g as u32 && now.id[j] != except);
                let nearest = others.min_by(|&a, &b| {
                    (squared(a), now.id[a]).partial_cmp(&(squared(b), now.id[b])).unwrap()
                });
                let expected = nearest.filter(|&j| squared(j).sqrt() <= within);
                assert_eq!(
                    nearest_member::nearest(
                        dispatch,
                        &group.members,
                        &space,
                        to,
                        within,
                        AgentId(except)
                    ),
                    expected,
                    "{edge:?}, tick {tick}, group {g}, agent {i}"
                );
            }
        }
    }
}

#[test]
fn the_nearest_member_matches_a_search_of_all_agents() {
    for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
        for grid in [false, true] {
            assert_the_nearest_members_are_found::<Vec2>(edge, grid);
            assert_the_nearest_members_are_found::<Vec3>(edge, grid);
        }
    }
}

#[derive(Debug)]
struct Own;

impl<V: Vector> Steer<V> for Own {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        _: DebugDraw<'_, V>,
    ) -> V {
        context
            .member(host, GroupId(1), f32::INFINITY)
            .map_or(V::ZERO, |member| member.position - host.position)
    }
}

#[test]
fn a_group_is_indexed_if_a_behavior_or_condition_may_search_it() {
    let sought = |change: &dyn Fn(&mut Group<Vec2>)| {
        let mut groups =
            vec![group("a", &[Vec2::ZERO]), group("b", &[Vec2::X]), group("c", &[Vec2::Y])];
        change(&mut groups[0]);
        crowd(groups).world.groups.iter().map(|group| group.searched).collect::<Vec<_>>()
    };
    let leave = |when| State {
        leave: vec![Transition { to: TransitionTarget::from(0), when }],
        ..State::new("s")
    };
    assert_eq!(
        sought(&|g| g.steer = List::default()
            .with(seek(Vec2::ZERO))
            .with(AvoidObstacles::default().see_ahead(0.0).max_avoid_force(0.0))),
        [false; 3]
    );
    assert_eq!(
        sought(&|g| g.steer =
            List::default().with(Seek { target: Target::Group(GroupId(2)), within: 1.0 })),
        [false, false, true]
    );
    let pursue = Pursue::new(GroupId(0));
    assert_eq!(
        sought(&|g| g.steer = List::default().nested(1.0, List::default().with(pursue))),
        [true, false, false]
    );
    let close =
        Condition::Not(Box::new(Condition::All(vec![Condition::Any(vec![Condition::Near(
            Target::Group(GroupId(1)),
            1.0,
            None,
        )])])));
    assert_eq!(sought(&|g| g.states = vec![leave(close.clone())]), [false, true, false]);
    assert_eq!(
        sought(&|g| g.states = vec![leave(Condition::FarFrom(Target::Group(GroupId(2)), 1.0))]),
        [false, false, true]
    );
    // A user's behavior may search any group.
    assert_eq!(
        sought(&|g| g.steer = List::default().with(crate::registry::Behavior::own("own", Own))),
        [true; 3]
    );
}

#[test]
fn the_center_of_a_group_is_computed_at_each_tick_if_a_behavior_may_read_it() {
    let mut dog = group("dog", &[vec2(-9.0, 0.0)]);
    let herd = Herd::new(2, Vec2::ZERO).spacing(1.0);
    dog.steer = List::default().nested(1.0, List::default().with(herd));
    let mut sheep = group("sheep", &[vec2(1.0, 0.0), vec2(3.0, 4.0)]);
    sheep.velocity = StartVelocity::Same(vec2(0.0, 1.0));
    let mut crowd = crowd(vec![dog, group("others", &[Vec2::ZERO]), sheep]);
    let centers = |crowd: &Crowd<Vec2>| {
        let center = |group: &CompiledGroup<Vec2>| group.center.map(|center| center.position);
        crowd.world.groups.iter().map(center).collect::<Vec<_>>()
    };
    crowd.step();
    assert_eq!(centers(&crowd), [None, None, Some(vec2(2.0, 2.0))]);
    let third = crowd.add(2, vec2(5.0, 0.0), None).unwrap();
    crowd.permute(&[3, 1, 2, 0]);
    crowd.step();
    assert_eq!(centers(&crowd), [None, None, Some(vec2(3.0, 2.0))]);
    [AgentId(2), AgentId(3), third].iter().for_each(|id| assert!(crowd.remove(*id)));
    crowd.step();
    assert_eq!(centers(&crowd), [None; 3]);
    let flock = Setting::Text("others".to_string());
    let key_path = "group[0].steer[0].all[0].herd.flock".to_string();
    crowd.apply(&Command::Set { key_path, value: flock }).unwrap();
    crowd.step();
    assert_eq!(centers(&crowd), [None, Some(Vec2::ZERO), None]);
}

fn assert_queries_match_a_search_of_all_agents<V: Vector>(edge: Edge) -> usize {
    let mut setup = mixed::<V>(box_of(edge));
    setup.obstacles = (0..40)
        .map(|i| {
            let mut random = Random::new(8, i, 0, 0);
            let center = V::from_fn(|_| random.between(-5.0, 105.0));
            match i % 4 {
                0 => Shape::Circle { center, radius: 4.0 },
                1 => Shape::Box {
                    center,
                    half: V::from_fn(|_| random.between(0.5, 4.0)),
                    angle: i as f32,
                },
                2 => Shape::Segment {
                    from: center,
                    to: V::from_fn(|_| random.between(0.0, 100.0)),
                    thickness: 1.0,
                },
                _ => Shape::Polygon {
                    points: [0.0, 2.0, 4.0]
                        .map(|angle| center.flat() + Vec2::from_angle(angle) * 4.0)
                        .to_vec(),
                },
            }
        })
        .collect();
    setup.groups.iter_mut().for_each(|group| group.radius = Distribution::Uniform(0.5, 5.0));
    let mut crowd = Crowd::new(setup).unwrap();
    let (mut random, mut hits) = (Random::new(6, 0, 0, 0), 0);
    for tick in 0..6 {
        crowd.step();
        let space = crowd.world.space;
        let mut order = Vec::new();
        crowd.rows_by_id(&mut order);
        let body = |&at: &u32| {
            Obstacle::from(Shape::Circle {
                center: crowd.agent_at_row(at).unwrap().agent.position,
                radius: crowd.agent_at_row(at).unwrap().agent.radius,
            })
        };
        let bodies: Vec<_> = order.iter().map(body).collect();
        for i in 0..60 {
            // Queries also from outside of the world, from an agent's position, and for a group
            // that does not exist.
            let anywhere = V::from_fn(|_| random.between(-30.0, 130.0));
            let point =
                if i % 5 == 0 { crowd.agent_at_row(i).unwrap().agent.position } else { anywhere };
            let group = [None, Some(0), Some(2), Some(9)][i as usize % 4].map(GroupId);
            let inside = if space.wraps() { space.wrapped(point) } else { point };
            let members = || {
                order
                    .iter()
                    .map(|&at| crowd.agent_at_row(at).unwrap())
                    .filter(|m| group.is_none_or(|g| g == m.group))
            };
            let squared =
                |m: &AgentRef<'_, V>| space.difference(inside, m.agent.position).length_squared();
            let nearest = members().min_by(|a, b| squared(a).total_cmp(&squared(b)));
            assert_eq!(
                crowd.nearest(point, group),
                nearest,
                "{edge:?}, tick {tick}, from {point:?}, group {group:?}"
            );
            let radius = random.between(0.0, 60.0);
            let context: Vec<_> = members().filter(|m| squared(m) <= radius * radius).collect();
            assert_eq!(
                crowd.within(point, radius, group),
                context,
                "{edge:?}, tick {tick}, from {point:?}, radius {radius}, group {group:?}"
            );

            let (direction, length) =
                (V::random_unit(&mut random) * 3.0, random.between(0.0, 250.0));
            let ray = query::Ray { space, from: inside, direction: direction.unit(), length };
            let first = |obstacles: &[Obstacle<V>]| {
                ray.segments().find_map(|(before, from, offset)| {
                    let meetings = obstacles.iter().enumerate().flat_map(|(index, o)| {
                        ray.images(from)
                            .filter_map(move |p| query::first_hit(o, p, offset))
                            .map(move |m| (m.along, index, m.normal))
                    });
                    let first = meetings.reduce(|a, b| if (b.0, b.1) < (a.0, a.1) { b } else { a });
                    first.map(|(along, index, normal)| {
                        (index, before + offset.length() * along, normal)
                    })
                })
            };
            let found = crowd.ray(point, direction, length);
            let agent = found.agent.map(|(m, hit)| (m.id.0 as usize, hit));
            for (found, all) in [(agent, &bodies), (found.obstacle, &crowd.world.obstacles)] {
                assert_eq!(
                    found.map(|(index, hit)| (index, hit.distance, hit.normal)),
                    first(all),
                    "{edge:?}, tick {tick}, {ray:?}"
                );
                let Some((index, hit)) = found else { continue };
                // The hit is at the reported distance and on the surface, also across the edge.
                let end = inside + direction.unit() * hit.distance;
                assert!(
                    (if space.wraps() {
                        space.difference(space.wrapped(end), hit.point)
                    } else {
                        end - hit.point
                    })
                    .length()
                        < 1e-3
                );
                let distance = ray
                    .images(hit.point)
                    .map(|p| all[index].distance(p).abs())
                    .fold(f32::INFINITY, f32::min);
                assert!(
                    distance < 1e-3 && hit.distance <= length * 1.000_01,
                    "{hit:?} is {distance} from {:?}",
                    all[index]
                );
            }
            hits += usize::from(found.agent.is_some());
        }
    }
    hits
}

#[test]
fn queries_match_a_search_of_all_agents() {
    for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
        assert!(assert_queries_match_a_search_of_all_agents::<Vec2>(edge) > 100);
        assert!(assert_queries_match_a_search_of_all_agents::<Vec3>(edge) > 10);
    }
}

#[test]
fn a_ray_crosses_the_edge_and_has_a_maximum_length() {
    let mut walker = group("a", &[vec2(10.0, 50.0)]);
    walker.radius = Distribution::Same(2.0);
    let obstacles = vec![Shape::Circle { center: vec2(30.0, 10.0), radius: 2.0 }];
    let world = |edge| {
        Crowd::new(Setup {
            bounds: box_of(edge),
            obstacles: obstacles.clone(),
            groups: vec![walker.clone()],
            ..Setup::default()
        })
        .unwrap()
    };
    let (wrap, open) = (world(Edge::Wrap), world(Edge::Open));
    // The ray starts at the agent's own center, crosses the edge, and hits the same agent from the
    // other side.
    let hits = wrap.ray(vec2(10.0, 50.0), Vec2::X, 1_000.0);
    let (member, hit) = hits.agent.unwrap();
    assert_eq!(
        (member.id.0, hit),
        (0, RayHit { distance: 98.0, point: vec2(8.0, 50.0), normal: Vec2::NEG_X })
    );
    assert_eq!((hits.obstacle, open.ray(vec2(10.0, 50.0), Vec2::X, 1_000.0).agent), (None, None));
    assert_eq!(wrap.ray(vec2(90.0, 10.0), Vec2::X, 39.0).obstacle.unwrap().1.distance, 38.0);
    assert_eq!(wrap.ray(vec2(90.0, 10.0), Vec2::X, 37.0).obstacle, None);
    let nothing = RayHits { agent: None, obstacle: None };
    assert_eq!(wrap.ray(vec2(90.0, 90.0), Vec2::X, f32::INFINITY), nothing);
    // A ray of infinite length is as exact as a short one.
    assert_eq!(
        open.ray(vec2(-90.0, 10.0), Vec2::X, f32::INFINITY).obstacle.unwrap().1.distance,
        118.0
    );
    for (from, direction, length) in [
        (Vec2::ZERO, Vec2::ZERO, 9.0),
        (Vec2::NAN, Vec2::X, 99.0),
        (vec2(0.0, 10.0), Vec2::X, f32::NAN),
        (vec2(0.0, 10.0), Vec2::X, -99.0),
    ] {
        assert_eq!(open.ray(from, direction, length), nothing);
    }
    assert!(
        open.nearest(Vec2::NAN, None).is_none()
            && open.within(Vec2::ZERO, f32::NAN, None).is_empty()
    );
    assert_eq!(open.within(Vec2::ZERO, f32::INFINITY, None).len(), 1);
}

#[test]
fn a_query_after_a_step_uses_the_new_positions() {
    let mut walker = group("a", &[vec2(0.0, 0.0), vec2(100.0, 0.0)]);
    (walker.velocity, walker.radius) =
        (StartVelocity::Same(vec2(3.0, 4.0)), Distribution::Same(1.0));
    let mut crowd = crowd(vec![walker]);
    let answers = |crowd: &Crowd<Vec2>| {
        let ray = crowd
            .ray(vec2(103.0, -50.0), Vec2::Y, 99.0)
            .agent
            .map(|(m, hit)| (m.id.0, hit.distance));
        (
            crowd.nearest(vec2(50.5, 0.0), None).unwrap().id.0,
            crowd.within(vec2(3.0, 4.0), 1.0, None).len(),
            ray,
        )
    };
    assert_eq!(answers(&crowd), (1, 0, None));
    crowd.step();
    assert_eq!(answers(&crowd), (0, 1, Some((1, 53.0))));
    crowd.permute(&[1, 0]);
    assert_eq!(answers(&crowd), (0, 1, Some((1, 53.0))));
    // The same after an agent entered, left or was moved.
    crowd.put(0, vec2(103.0, 5.0), None).unwrap();
    assert_eq!(answers(&crowd), (1, 0, Some((1, 53.0))));
    let third = crowd.add(0, vec2(103.0, -9.0), None).unwrap();
    assert_eq!(answers(&crowd), (1, 0, Some((2, 40.0))));
    assert!(crowd.remove(third) && crowd.remove(1));
    assert_eq!(answers(&crowd), (0, 0, Some((0, 54.0))));
}

#[test]
fn queries_and_searches_follow_the_changes_of_commands() {
    let mut seeker = group("seeker", &[vec2(0.0, 0.0)]);
    seeker.steer = List::default().with(seek(vec2(-50.0, 0.0)));
    let mut crowd = crowd(vec![seeker, group("sought", &[vec2(0.0, 30.0)])]);
    let hit = |crowd: &Crowd<Vec2>| {
        crowd.ray(vec2(1.0, 50.0), Vec2::NEG_Y, 25.0).agent.map(|(m, _)| m.id.0)
    };
    assert_eq!((hit(&crowd), crowd.world.groups[1].searched), (None, false));
    let set = |key_path: &str, value| Command::Set { key_path: key_path.to_string(), value };
    crowd
        .apply(&set("group[0].steer[0].seek.target", Setting::Text("sought".to_string())))
        .unwrap();
    crowd.apply(&set("group[1].radius", Setting::Number(2.0))).unwrap();
    assert_eq!(hit(&crowd), Some(1));
    crowd.step();
    assert_eq!(crowd.get(0).unwrap().agent.position, vec2(0.0, 5.0));
}
