//! People by each solver and by social forces, in one dense crowd: the order of agents, the grid,
//! threads and instructions, snapshots.

use super::*;
use crate::behavior::{SocialForce, SocialForcePreset};
use crate::solve::{Orca, Pedestrian};

/// Four groups of people in a room, each on its way to the other side, with walls in the middle.
fn people(edge: Edge, solid: bool) -> Setup<Vec2> {
    let room = Shape::box_between(Vec2::ZERO, vec2(12.0, 12.0));
    let group = |name: &str, target: Vec2, list: List<Vec2>| {
        let mut group = Group::new(name, 25, Spawn::Inside(room.clone()), 1.3);
        group.radius = Distribution::Uniform(0.15, 0.25);
        group.mass = Distribution::Same(0.5);
        group.max_speed = Distribution::Uniform(1.0, 1.5);
        group.steer = list;
        (group.steer.slots).insert(0, List::default().with(seek(target)).slots.remove(0));
        group
    };
    let social = SocialForce::from_preset(SocialForcePreset::Helbing2000);
    let avoids = Orca { neighbor_dist: 4.0, ..Orca::default() };
    let walks = Pedestrian { wall_distance: 0.3, ..Pedestrian::default() };
    let mut standing = group("standing", vec2(0.0, 6.0), List::default().with(walks));
    standing.solid = false;
    Setup {
        dt: 0.05,
        seed: 7,
        bounds: Some(Bounds { min: Vec2::ZERO, max: vec2(12.0, 12.0), edge }),
        bodies: Bodies { solid, ..Bodies::default() },
        obstacles: vec![
            Shape::box_between(vec2(5.0, 3.0), vec2(5.5, 8.0)),
            Shape::Circle { center: vec2(8.0, 8.0), radius: 0.8 },
        ],
        groups: vec![
            group("pedestrians", vec2(11.0, 6.0), List::default().with(Pedestrian::default())),
            group("avoiders", vec2(6.0, 11.0), List::default().with(avoids)),
            group("pushers", vec2(6.0, 1.0), List::default().with(social)),
            standing,
        ],
        ..Setup::default()
    }
}

const EDGES: [Edge; 4] = [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce];

#[test]
fn a_reference_without_a_grid_gives_people_the_same_bits() {
    for edge in EDGES {
        let mut crowd = Crowd::new(people(edge, false)).unwrap();
        let mut brute = Crowd::new(people(edge, false)).unwrap();
        for tick in 0..60 {
            crowd.step();
            step_by_brute_force(&mut brute);
            assert_eq!(crowd.digest(), brute.digest(), "at tick {tick}, {edge:?}");
        }
    }
}

#[test]
fn no_order_of_memory_number_of_threads_or_instructions_changes_what_solid_people_do() {
    for edge in EDGES {
        let mut ordered = Crowd::new(people(edge, true)).unwrap();
        let mut others: Vec<_> = SimdLevel::ALL
            .into_iter()
            .filter_map(|level| {
                let mut crowd = ordered.clone();
                crowd.set_simd_level(level).then_some(crowd)
            })
            .collect();
        #[cfg(feature = "parallel")]
        others.iter_mut().zip([2, 5, 3]).for_each(|(crowd, n)| crowd.set_threads(n).unwrap());
        for tick in 0..60 {
            ordered.step();
            for (k, crowd) in others.iter_mut().enumerate() {
                let mut random = Random::new(k as u64, 0, tick, 0);
                let mut rows: Vec<u32> = (0..crowd.len() as u32).collect();
                rows.sort_by_cached_key(|_| random.bits());
                crowd.permute(&rows);
                crowd.step();
                assert_eq!(ordered.digest(), crowd.digest(), "at tick {tick}, {edge:?}, {k}");
            }
        }
    }
}

#[test]
fn solid_people_that_are_restored_in_the_middle_go_on_with_the_same_bits() {
    for edge in EDGES {
        let mut crowd = Crowd::new(people(edge, true)).unwrap();
        (0..57).for_each(|_| crowd.step());
        let mut fresh = Crowd::new(people(edge, true)).unwrap();
        fresh.restore(&crowd.snapshot()).unwrap();
        for tick in 57..120 {
            crowd.step();
            fresh.step();
            assert_eq!(crowd.digest(), fresh.digest(), "at tick {tick}, {edge:?}");
        }
    }
}
