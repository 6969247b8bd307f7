//! The crowd: the order of agents, the grid, threads and instructions, think_every, the digest,
//! nearest members.

use glam::{Vec2, Vec3, vec2, vec3};

use super::compiled::CompiledGroup;
use super::facade::query;
use super::pipeline::index::build_members;
use super::pipeline::input::TickInput;
use super::pipeline::scratch::SteerOutput;
use super::pipeline::steer::ChunkRows;
use super::*;
use crate::agent::Agent;
use crate::behavior::testing::assert_near;
use crate::behavior::{Flock, FollowLeader, FollowPath, Pursue, Roam, Seek, Wander};
use crate::combine::{Combine, List};
use crate::context::SteerContext;
use crate::geometry::obstacle::{Obstacle, Obstacles, Shape};
use crate::geometry::path::Path;
use crate::id::{AgentId, ExitId, LineId, ObstacleId, SourceId};
use crate::parameter::Description;
use crate::parameter::Target;
use crate::parameter::{Auto, GroupId, Groups, PathId, Value};
use crate::random::{Random, RngKey};
use crate::registry::Behavior;
use crate::simd::{Four, SimdLevel};
use crate::solve::Queue;
use crate::spatial::neighbors::{Neighbor, NeighborFilter, Neighbors};
use crate::spatial::space::Space;
use crate::threads::Share;
use crate::vector::{Up, Vector};

mod change;
#[cfg(feature = "navigation")]
mod choice;
mod command;
mod deciders;
mod events;
mod exits;
mod explain;
mod explore;
mod fields;
mod flocks;
mod formations;
mod ghosts;
mod goals;
mod hints;
mod index;
mod motion;
#[cfg(feature = "navigation")]
mod navigate;
mod own_arrays;
mod parts;
mod people;
mod perception;
mod places;
mod population;
mod queues;
mod settings;
mod snapshot;
mod sources;
mod start_after;
mod state_settings;
mod states;
mod structure;
#[cfg(feature = "parallel")]
mod threads;
mod timed;
mod units;
mod up;
mod users_code;
mod validate;
mod world_hints;
mod wrapped;

/// The behaviors of the plane that a crowd takes with these features.
fn available() -> impl Iterator<Item = &'static Description> {
    let is_there = |name| name != "navigate" || cfg!(feature = "navigation");
    Behavior::<Vec2>::LIST.iter().filter(move |description| is_there(description.name))
}

fn seek<V: Vector>(target: V) -> Seek<V> {
    Seek { target: Target::Point(target), within: f32::INFINITY }
}

fn wander() -> Wander {
    Wander::default().circle_distance(1.0).circle_radius(2.0).angle_change(0.7)
}

/// A group with one agent at each point, with top speed 5.
fn group<V: Vector>(name: &str, points: &[V]) -> Group<V> {
    Group::new(name, 0, Spawn::Points(points.to_vec()), 5.0)
}

fn crowd<V: Vector>(groups: Vec<Group<V>>) -> Crowd<V> {
    Crowd::new(Setup { groups, ..Setup::default() }).unwrap()
}

/// The agents in the order of their ids.
fn agents<V: Vector>(crowd: &Crowd<V>) -> Vec<Agent<V>> {
    let mut order = Vec::new();
    crowd.rows_by_id(&mut order);
    order.iter().map(|&row| crowd.agent_at_row(row).unwrap().agent).collect()
}

/// A setup with all kinds of behaviors whose result could depend on the order of agents.
fn mixed<V: Vector>(bounds: Option<Bounds<V>>) -> Setup<V> {
    let middle = V::from_fn(|_| 50.0);
    let area = Shape::box_between(V::ZERO, V::from_fn(|_| 100.0));
    let mut birds = Group::new("birds", 60, Spawn::Inside(area.clone()), 3.0);
    birds.velocity = StartVelocity::Random;
    birds.think_every = 3;
    birds.max_speed = Distribution::Uniform(2.0, 4.0);
    birds.max_force = Distribution::Same(1.0);
    birds.steer = List::default().with(Flock::default().radius(20.0)).weighted(0.1, wander());
    let mut walkers = Group::new("walkers", 40, Spawn::Inside(area.clone()), 2.0);
    walkers.radius = Distribution::Uniform(0.5, 1.5);
    walkers.turning_radius = Some(2.0);
    walkers.steer = List::new(Combine::Budget)
        .with(Roam { area, every: Auto::Fixed(20.0), slowing_radius: 5.0 })
        .with(Queue::default().ahead(8.0).radius(12.0));
    let mut hunters = Group::new(
        "hunters",
        5,
        Spawn::Grid { origin: middle, spacing: 1.0, columns: 2, rows: 2 },
        4.0,
    );
    let pursue = Pursue {
        quarry: GroupId(0),
        prediction: crate::behavior::Prediction::ByDistance,
        max_prediction: 9.0,
        within: 40.0,
    };
    hunters.steer = List::new(Combine::Dither).with(pursue).with(wander());
    hunters.steer.slots[0].chance = 0.5;
    hunters.turn_rate = 40.0;
    let mut guests = Group::new("guests", 10, Spawn::Points(vec![middle; 10]), 3.0);
    let follow = FollowLeader::new(GroupId(2)).behind(5.0).sight_radius(4.0).slowing_radius(9.0);
    let path = FollowPath::new(PathId(0));
    let apart = crate::behavior::Separation::default().radius(9.0).max_force(1.0);
    guests.steer = List::default().with(apart);
    guests.stats =
        vec![Stat { name: "stamina".to_string(), start: 5.0.into(), min: 0.0, max: 10.0 }];
    guests.states = vec![
        State {
            rates: vec![(0.into(), -1.0)],
            steer: List::default().with(follow),
            leave: vec![Transition {
                to: TransitionTarget::from(1),
                when: Condition::stat(0).at_most(0.0),
            }],
            ..State::new("follow")
        },
        State {
            drag: Some(0.1),
            combine: Some(Combine::Budget),
            rates: vec![(0.into(), 0.5)],
            steer: List::default().with(path).with(wander()),
            leave: vec![Transition {
                to: TransitionTarget::from(0),
                when: Condition::stat(0).at_least(10.0),
            }],
            ..State::new("stroll")
        },
    ];
    let paths = vec![("round".to_string(), Path::new(vec![V::ZERO, middle], 5.0, true))];
    Setup {
        dt: 0.5,
        seed: 42,
        bounds,
        paths,
        groups: vec![birds, walkers, hunters, guests],
        ..Setup::default()
    }
}

fn box_of<V: Vector>(edge: Edge) -> Option<Bounds<V>> {
    Some(Bounds { min: V::ZERO, max: V::from_fn(|_| 100.0), edge })
}

fn assert_no_result_depends_on_the_order<V: Vector>(edge: Edge) {
    let mut ordered = Crowd::new(mixed::<V>(box_of(edge))).unwrap();
    let mut shuffled = Crowd::new(mixed::<V>(box_of(edge))).unwrap();
    let start = ordered.digest();
    for tick in 0..100 {
        let mut random = Random::new(9, 0, tick, 0);
        let mut rows: Vec<u32> = (0..shuffled.len() as u32).collect();
        rows.sort_by_cached_key(|_| random.bits());
        shuffled.permute(&rows);
        ordered.step();
        shuffled.step();
        assert_eq!(ordered.digest(), shuffled.digest(), "at tick {tick}");
    }
    assert!(ordered.digest() != start && agents(&ordered).iter().all(|a| a.position.is_finite()));
}

#[test]
fn results_do_not_depend_on_the_order_of_agents_in_memory() {
    for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
        assert_no_result_depends_on_the_order::<Vec2>(edge);
        assert_no_result_depends_on_the_order::<Vec3>(edge);
    }
}

/// One tick of a reference implementation without a grid: every agent reads all others.
fn step_by_brute_force<V: Vector>(crowd: &mut Crowd<V>) {
    for (i, group) in crowd.world.groups.iter_mut().enumerate() {
        build_members(
            &mut group.members,
            (&crowd.population.now, &crowd.population.ghosts),
            i as u32,
        );
    }
    let (time, tick, pointer) = (crowd.time(), crowd.tick.number, crowd.pointer());
    let (obstacles, paths) = (crowd.world.obstacles[..].into(), &crowd.world.paths[..]);
    let context = SteerContext {
        time,
        rng_key: RngKey::new(crowd.tick.seed, tick),
        pointer,
        space: crowd.world.space,
        obstacles,
        paths,
        ..SteerContext::empty(crowd.tick.dt as f32)
    };
    let mut columns = core::mem::take(&mut crowd.population.next);
    let world = TickInput { grid: None, max_displacement: 0.0, context, ..crowd.tick_input() };
    let mut steered = SteerOutput::default();
    let mut next = columns.slices();
    for i in 0..crowd.population.now.len() {
        let mut neighbors = Neighbors::none();
        for j in (0..crowd.population.now.len()).filter(|&j| j != i) {
            let offset = crowd.world.space.difference(
                crowd.population.now.position.get(i),
                crowd.population.now.position.get(j),
            );
            let (id, group) = (
                AgentId(crowd.population.now.id[j]),
                GroupId(crowd.population.now.group[j] as usize),
            );
            neighbors.push(Neighbor {
                group,
                radius: crowd.population.now.limits[j].radius,
                max_speed: crowd.population.now.limits[j].max_speed,
                ..Neighbor::new(id, offset, crowd.population.now.velocity.get(j))
            });
        }
        neighbors.set_max_speed(crowd.population.max_speed);
        let group = crowd.population.now.group[i] as usize;
        neighbors.set_host(
            AgentId(crowd.population.now.id[i]),
            V::ZERO,
            0,
            crowd.world.groups[group].speed_unit,
        );
        let (mut this, remainder) = next.split(1);
        next = remainder;
        let mut rows = ChunkRows::begin(&world, i..i + 1, &mut this, &mut steered);
        world.steer_run(i..i + 1, &mut rows, &mut neighbors, None);
        world.integrate::<Four>(i..i + 1, this, &steered);
        steered.remove_first(1);
    }
    crowd.population.next = columns;
    crowd.population.now.take_step(&mut crowd.population.next);
    crowd.tick.number += 1;
}

fn assert_brute_force_gives_the_same_bits<V: Vector>(edge: Edge) {
    let mut crowd = Crowd::new(mixed::<V>(box_of(edge))).unwrap();
    let mut brute = Crowd::new(mixed::<V>(box_of(edge))).unwrap();
    for tick in 0..100 {
        crowd.step();
        step_by_brute_force(&mut brute);
        assert_eq!(crowd.digest(), brute.digest(), "at tick {tick}, {edge:?}");
    }
}

#[test]
fn a_reference_without_a_grid_gives_the_same_bits() {
    for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
        assert_brute_force_gives_the_same_bits::<Vec2>(edge);
        assert_brute_force_gives_the_same_bits::<Vec3>(edge);
    }
}

/// A setup with enough agents to be shared between threads.
fn many<V: Vector>(edge: Edge) -> Setup<V> {
    let mut setup = mixed(box_of(edge));
    (setup.groups[0].count, setup.groups[1].count) = (1_200, 800);
    setup
}

fn digest_after<V: Vector>(edge: Edge, change: impl FnOnce(&mut Crowd<V>)) -> u64 {
    let mut crowd = Crowd::new(many::<V>(edge)).unwrap();
    change(&mut crowd);
    (0..12).for_each(|_| crowd.step());
    crowd.digest()
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    let digests = SimdLevel::ALL.map(|instructions| {
        digest_after::<Vec3>(Edge::Wrap, |crowd| _ = crowd.set_simd_level(instructions))
    });
    assert!(digests.iter().all(|&digest| digest == digests[0]), "{digests:x?}");
}

#[cfg(feature = "parallel")]
#[test]
fn every_number_of_threads_gives_the_same_bits() {
    for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
        let alone = digest_after::<Vec2>(edge, |crowd| assert_eq!(crowd.threads(), 1));
        for count in [2, 5] {
            let shared = digest_after::<Vec2>(edge, |crowd| {
                crowd.set_threads(count).unwrap();
                assert_eq!(crowd.threads(), count);
            });
            assert_eq!(alone, shared, "{count} threads, {edge:?}");
        }
    }
}

/// As many threads as there is work at a time.
#[cfg(feature = "parallel")]
struct Spawned;

#[cfg(feature = "parallel")]
impl HostThreads for Spawned {
    fn count(&self) -> usize {
        3
    }

    fn join(&self, a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
        std::thread::scope(|scope| {
            scope.spawn(b);
            a();
        });
    }
}

#[cfg(feature = "parallel")]
#[test]
fn the_programs_own_threads_give_the_same_bits() {
    for edge in [Edge::Open, Edge::Wrap] {
        let alone = digest_after::<Vec2>(edge, |_| {});
        let shared = digest_after::<Vec2>(edge, |crowd| {
            crowd.set_host_threads(&Spawned);
            assert_eq!(crowd.threads(), 3);
        });
        assert_eq!(alone, shared, "{edge:?}");
    }
}

#[cfg(feature = "parallel")]
#[test]
fn a_crowd_may_be_stepped_inside_the_users_own_threads() {
    let alone = digest_after::<Vec2>(Edge::Open, |_| {});
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let found = pool.broadcast(|_| digest_after::<Vec2>(Edge::Open, |_| {}));
    assert_eq!(found, [alone; 4]);
}

#[test]
fn a_permutation_moves_complete_rows_and_other_lists_are_refused() {
    let mut crowd = Crowd::new(mixed::<Vec2>(None)).unwrap();
    crowd.step();
    let (before, digest) = (agents(&crowd), crowd.digest());
    let count = crowd.len() as u32;
    let (first, second) = (crowd.agents().next().unwrap().0, crowd.agents().nth(1).unwrap().0);
    crowd.permute(&(0..count).map(|i| (i + 1) % count).collect::<Vec<_>>());
    assert_eq!(crowd.agents().nth(1).unwrap().0, first);
    crowd.permute(&vec![0; count as usize]);
    crowd.permute(&[0, 1]);
    crowd.permute(&(1..=count).collect::<Vec<_>>());
    assert_eq!(crowd.agents().nth(2).unwrap().0, second);
    assert_eq!((agents(&crowd), crowd.digest()), (before, digest));
}

#[test]
fn the_digest_depends_on_every_agent_and_on_the_tick() {
    let digest = |x: f32| crowd(vec![group("a", &[vec2(0.0, 0.0), vec2(1.0, x)])]).digest();
    assert_eq!(digest(2.0), digest(2.0));
    assert_ne!(digest(2.0), digest(2.000_000_2));
    // No agent moves.
    let mut still = crowd(vec![group("a", &[vec2(0.0, 0.0)])]);
    let before = still.digest();
    still.step();
    assert_ne!(still.digest(), before);
}

fn assert_grid_finds_all<V: Vector>(
    bounds: Option<Bounds<V>>,
    agents: usize,
    radius: f32,
    spread: f32,
) {
    for width in [radius, radius * 0.3, radius * 3.0] {
        assert_cells_find_all(bounds, agents, radius, spread, width);
    }
}

fn assert_cells_find_all<V: Vector>(
    bounds: Option<Bounds<V>>,
    agents: usize,
    radius: f32,
    spread: f32,
    width: f32,
) {
    let mut group = Group::new(
        "a",
        agents,
        Spawn::Inside(Shape::box_between(V::from_fn(|_| -spread), V::from_fn(|_| spread))),
        5.0,
    );
    group.steer = List::default().with(Flock::default().radius(radius));
    let mut crowd = Crowd::new(Setup { bounds, groups: vec![group], ..Setup::default() }).unwrap();
    crowd.tick.grid.build(&crowd.population.now.position, width, &crowd.world.space, Share::ALONE);
    crowd.population.now.permute_into(
        crowd.tick.grid.rows(),
        &mut crowd.population.next,
        Share::ALONE,
    );
    core::mem::swap(&mut crowd.population.now, &mut crowd.population.next);
    let grid = &crowd.tick.grid;
    let world = TickInput { grid: Some(grid), max_displacement: 0.0, ..crowd.tick_input() };
    let mut neighbors = Neighbors::none();
    let mut visited = 0;
    for cell in 0..grid.len() {
        let run = grid.run(cell..cell + 1);
        if !run.is_empty() {
            let corners = crowd.population.now.position.box_around(run.clone(), |p| p);
            world.gather(grid, run.clone(), corners, &mut neighbors);
        }
        for i in run {
            visited += 1;
            neighbors.set_host(
                AgentId(crowd.population.now.id[i]),
                crowd.population.now.position.get(i),
                1,
                8.0,
            );
            let filter = NeighborFilter { radius, of: &Groups::All, field_of_view: 360.0 };
            let mut found: Vec<u32> = neighbors.within(filter, V::X).map(|n| n.id.0).collect();
            found.sort_unstable();
            let offset = |j: usize| {
                crowd.world.space.difference(
                    crowd.population.now.position.get(i),
                    crowd.population.now.position.get(j),
                )
            };
            let mut expected: Vec<u32> = (0..agents)
                .filter(|&j| j != i && offset(j).length_squared() <= radius * radius)
                .map(|j| crowd.population.now.id[j])
                .collect();
            expected.sort_unstable();
            assert_eq!(
                found, expected,
                "radius {radius}, width {width}, spread {spread}, agent {i}"
            );
            for n in neighbors.within(filter, V::X) {
                let j = (0..agents).find(|&j| crowd.population.now.id[j] == n.id.0).unwrap();
                assert_eq!(
                    (n.offset, n.velocity, n.group),
                    (offset(j), crowd.population.now.velocity.get(j), GroupId(0))
                );
                assert_eq!(n.distance_squared, n.offset.length_squared());
            }
        }
    }
    assert_eq!(visited, agents);
}

#[test]
fn the_grid_finds_the_same_neighbors_as_a_search_of_all_agents() {
    for (agents, radius) in
        [(1, 10.0), (200, 0.0), (200, 3.0), (200, 12.5), (200, 49.0), (200, 1e6)]
    {
        for spread in [0.0, 50.0, 400.0] {
            assert_grid_finds_all::<Vec2>(None, agents, radius, spread);
            assert_grid_finds_all::<Vec3>(None, agents, radius, spread);
        }
    }
    // Worlds of 1, 2, 3 and many cells; the wrapped world has the smallest allowed width.
    for radius in [3.0, 30.0, 33.0, 49.0, 50.0] {
        assert_grid_finds_all::<Vec2>(box_of(Edge::Wrap), 200, radius, 80.0);
        assert_grid_finds_all::<Vec3>(box_of(Edge::Wrap), 200, radius, 80.0);
        assert_grid_finds_all::<Vec2>(box_of(Edge::Wall), 200, radius, 80.0);
    }
}

#[test]
fn all_agents_read_the_state_at_the_start_of_the_tick() {
    // Two agents that seek each other reach the middle at the same tick, in either order of rows.
    let mut pair = group("a", &[vec2(0.0, 0.0), vec2(20.0, 0.0)]);
    pair.steer =
        List::default().with(Seek { target: Target::Group(GroupId(0)), within: f32::INFINITY });
    let mut crowd = crowd(vec![pair]);
    crowd.step();
    assert_eq!(
        agents(&crowd).iter().map(|a| a.position).collect::<Vec<_>>(),
        [vec2(5.0, 0.0), vec2(15.0, 0.0)]
    );
    assert_eq!((crowd.tick(), crowd.time()), (1, 1.0));
}

#[test]
fn the_nearest_member_is_found_and_in_a_tie_the_one_with_the_lowest_id() {
    let toward = |points: &[Vec2], within, swap: bool| {
        let mut seeker = group("seeker", &[vec2(0.0, 0.0)]);
        seeker.steer = List::default().with(Seek { target: Target::Group(GroupId(1)), within });
        let mut crowd = crowd(vec![seeker, group("sought", points)]);
        if swap {
            crowd.permute(&(0..crowd.len() as u32).rev().collect::<Vec<_>>());
        }
        crowd.step();
        agents(&crowd)[0].position
    };
    for swap in [false, true] {
        assert_near(
            toward(&[vec2(0.0, 10.0), vec2(10.0, 0.0), vec2(-10.0, 0.0)], f32::INFINITY, swap),
            vec2(0.0, 5.0),
        );
        assert_near(
            toward(&[vec2(0.0, 10.0), vec2(9.9, 0.0), vec2(-10.0, 0.0)], 9.9, swap),
            vec2(5.0, 0.0),
        );
        assert_eq!(toward(&[vec2(0.0, 10.0)], 9.9, swap), Vec2::ZERO);
        assert_eq!(toward(&[], f32::INFINITY, swap), Vec2::ZERO);
    }
}

#[test]
fn the_nearest_member_of_the_hosts_own_group_is_another_agent() {
    let mut lone = group("a", &[vec3(1.0, 2.0, 3.0)]);
    lone.steer =
        List::default().with(Seek { target: Target::Group(GroupId(0)), within: f32::INFINITY });
    let mut crowd = crowd(vec![lone]);
    crowd.step();
    assert_eq!(agents(&crowd)[0].position, vec3(1.0, 2.0, 3.0));
}
