//! Sums over neighbors in any order, with every instruction set, and one by one; filters; the
//! nearest neighbors.

mod lanes;

use super::ranges::{InView, Ranges, Whole};
use super::sums::{SumRange, SumTerms};
use super::*;
use crate::agent::Agent;
use crate::simd::{Four, SimdLevel, Work};
use glam::{Vec2, Vec3, vec2};

#[test]
fn a_sum_has_the_same_bits_in_any_order() {
    let mut random = Random::new(1, 0, 0, 0);
    let mut terms: Vec<Vec3> =
        (0..1_000).map(|_| Vec3::from_fn(|_| random.between(-1.0, 1.0))).collect();
    let one = NeighborSum::over(terms.iter().copied());
    terms.reverse();
    terms.rotate_left(321);
    assert_eq!(one, NeighborSum::over(terms.iter().copied()));
    let (exact, count) = (terms.iter().fold(0.0, |sum, t| sum + f64::from(t.x)), 1_000.0);
    assert!((f64::from(one.mean::<Vec3>().x) - exact / count).abs() < 1e-6);
}

#[test]
fn a_term_that_is_too_long_is_clamped_and_nan_counts_as_zero() {
    let sum = NeighborSum::over([vec2(f32::INFINITY, f32::NAN), vec2(-1e30, 1.0)]);
    assert_eq!(sum.mean::<Vec2>(), vec2(0.0, 0.5));
    // A shorter term is rounded to 2^-20.
    let mean = NeighborSum::over([vec2(-0.7, 1e-3)]).mean::<Vec2>();
    assert!((mean - vec2(-0.7, 1e-3)).abs().max_element() < 1e-6, "{mean}");
    assert_eq!(NeighborSum::default().mean::<Vec2>(), Vec2::ZERO);
}

#[test]
fn two_agents_at_the_same_point_move_in_opposite_directions() {
    let away = |host, other| {
        let mut neighbors = Neighbors::<Vec2>::none();
        neighbors.push(Neighbor::new(AgentId(other), Vec2::ZERO, Vec2::ZERO));
        neighbors.set_host(AgentId(host), Vec2::ZERO, 0, 1.0);
        neighbors.away(&neighbors.iter().next().unwrap())
    };
    let (one, two) = (away(3, 8), away(8, 3));
    assert_eq!(one, -two);
    assert!((one.length() - 1.0).abs() < 1e-6);
    // The same for a user's own types with ids, which pass all agents.
    let all = [3, 8].map(|id| (AgentId(id), vec2(4.0, 4.0), Vec2::ZERO));
    let alone = |id: u32| {
        let neighbors = Neighbors::among(id, &Agent::new(vec2(4.0, 4.0), 1.0), all);
        assert_eq!(neighbors.iter().count(), 1);
        neighbors.away(&neighbors.iter().next().unwrap())
    };
    assert_eq!((alone(3), alone(8)), (one, two));
}

/// Terms that read all fields of the pairs.
struct Mixed;

impl PairTerms<Vec3, 2> for Mixed {
    #[inline(always)]
    fn terms<L: Simd>(&self, pairs: &Pairs<L>) -> [Term<L>; 2] {
        [
            pairs.offset.times(L::splat(-10.0) / pairs.distance_squared),
            pairs.velocity.times(L::splat(0.125)),
        ]
    }
    fn close_terms(&self, _: &Neighbor<Vec3>) -> [Vec3; 2] {
        [Vec3::ZERO; 2]
    }
}

fn assert_same_bits<S: Ranges<Vec3, R>, const R: usize, const ANY: bool>(
    neighbors: &Neighbors<Vec3>,
    groups: u32,
    ranges: impl Fn() -> S,
) {
    let range = || SumRange { groups, close_squared: 0.25 };
    let work = || SumTerms::<_, _, _, 2, R, ANY> {
        neighbors,
        range: range(),
        ranges: ranges(),
        terms: &Mixed,
    };
    for dispatch in SimdLevel::ALL.into_iter().filter_map(SimdDispatch::new) {
        assert_eq!(work().run::<Four>(), dispatch.run(work()), "{dispatch:?}");
    }
}

#[test]
fn every_instruction_set_gives_the_bits_of_the_baseline_and_of_single_terms() {
    let mut random = Random::new(3, 0, 0, 0);
    let mut neighbors = Neighbors::<Vec3>::none();
    for id in 0..1_003 {
        let mut v = |scale: f32| Vec3::from_fn(|_| random.between(-scale, scale));
        neighbors.push(Neighbor {
            group: GroupId(id as usize % 3),
            ..Neighbor::new(AgentId(id), v(12.0), v(5.0))
        });
    }
    let whole = || Whole { squared: [100.0] };
    let view = || InView { heading: Vec3::X, cosines: [0.3], squared: [100.0] };
    let views = || InView { heading: Vec3::X, cosines: [0.3, -0.6], squared: [100.0, 64.0] };
    assert_same_bits::<_, 1, false>(&neighbors, u32::MAX, whole);
    assert_same_bits::<_, 1, true>(&neighbors, 0b101, whole);
    assert_same_bits::<_, 1, false>(&neighbors, u32::MAX, view);
    assert_same_bits::<_, 1, true>(&neighbors, 0b101, view);
    let wholes = || Whole { squared: [100.0, 64.0] };
    assert_same_bits::<_, 2, false>(&neighbors, u32::MAX, wholes);
    assert_same_bits::<_, 2, true>(&neighbors, 0b101, wholes);
    assert_same_bits::<_, 2, false>(&neighbors, u32::MAX, views);
    assert_same_bits::<_, 2, true>(&neighbors, 0b101, views);
    // A field of view just below 360 degrees selects the same neighbors.
    let sums = |field_of_view| {
        let filter = NeighborFilter { radius: 10.0, of: &Groups::only([0, 2]), field_of_view };
        neighbors.sums(filter, Vec3::X, 0.5, &Mixed)
    };
    assert_eq!(sums(360.0), sums(359.999_97));
}

#[test]
fn a_filter_selects_by_radius_and_field_of_view() {
    let host = Agent::new(Vec2::ZERO, 1.0);
    let others =
        [vec2(10.0, 0.0), vec2(10.1, 0.0), vec2(0.0, 5.0), vec2(-5.0, 0.0), vec2(0.0, 0.0)];
    let neighbors = Neighbors::of(&host, others.map(|p| (p, Vec2::ZERO)));
    let selected = |field_of_view| {
        let filter = NeighborFilter { radius: 10.0, of: &Groups::All, field_of_view };
        neighbors.within(filter, Vec2::X).map(|n| n.id.0).collect::<Vec<_>>()
    };
    assert_eq!(selected(360.0), [0, 2, 3, 4]);
    assert_eq!(selected(200.0), [0, 2, 4]);
    assert_eq!(selected(90.0), [0, 4]);
}

#[test]
fn the_nearest_neighbors_are_the_first_of_a_sort_by_distance_and_id() {
    let mut random = Random::new(5, 0, 0, 0);
    for round in 0..200 {
        // Points of a lattice: many are equally far away. The host is one of the candidates.
        let mut neighbors = Neighbors::<Vec2>::none();
        let mut add = |id: u32, offset: Vec2| {
            neighbors.push(Neighbor::new(AgentId(id), offset, Vec2::ZERO));
        };
        add(1_000, Vec2::ZERO);
        // The first round has padding behind the last candidate, and a radius without an end.
        let candidates = if round == 0 { 3 } else { random.bits() % 150 };
        for id in 0..candidates as u32 {
            let mut coordinate = || (random.bits() % 21) as f32 - 10.0;
            add(id * 7 % 150, vec2(coordinate(), coordinate()));
        }
        neighbors.set_host(AgentId(1_000), Vec2::ZERO, 1, 1.0);
        let (radius, count) = match round {
            0 => (f32::INFINITY, NEAREST),
            _ => (random.between(0.0, 15.0), (random.bits() % 70) as usize),
        };
        let mut sorted: Vec<(f32, u32)> = neighbors
            .iter()
            .map(|n| (n.distance_squared, n.id.0))
            .filter(|(squared, _)| *squared <= radius * radius)
            .collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        sorted.truncate(count.min(NEAREST));
        for dispatch in SimdLevel::ALL.into_iter().filter_map(SimdDispatch::new) {
            neighbors.set_dispatch(dispatch);
            let found: Vec<_> =
                neighbors.nearest(radius, count).map(|n| (n.distance_squared, n.id.0)).collect();
            assert_eq!(found, sorted, "round {round}, {dispatch:?}");
        }
    }
}
