use glam::{Vec2, Vec3};

use super::*;
use crate::random::Random;
use crate::spatial::space::{Bounds, Edge};

const SIZE: f32 = 100.0;

/// Points of five kinds: uniform, on a lattice (with many ties), in clusters, on a line, all equal.
fn point<V: Vector>(kind: usize, random: &mut Random) -> V {
    let spread = V::from_fn(|_| random.between(0.0, SIZE));
    match kind {
        0 => spread,
        1 => spread.map(|x| (x / 10.0).floor() * 10.0),
        2 => V::from_fn(|_| {
            (random.between(0.0, 4.0).floor() * 25.0 + random.between(0.0, 0.1)).min(99.9)
        }),
        3 => V::from_fn(|i| if i == 0 { spread.axis(0) } else { 7.0 }),
        _ => V::from_fn(|_| 50.0),
    }
}

fn every_world<V: Vector>(test: impl Fn(&Space<V>, &[V], &mut Random)) {
    for (seed, edge) in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce].into_iter().enumerate() {
        let space = Space::new(Some(Bounds { min: V::ZERO, max: V::from_fn(|_| SIZE), edge }));
        for kind in 0..5 {
            for count in [0, 1, 2, 7, 8, 9, 64, 65, 300, 513] {
                let mut random = Random::new(seed as u64, kind as u32, count, 0);
                let points: Vec<V> = (0..count).map(|_| point(kind, &mut random)).collect();
                test(&space, &points, &mut random);
            }
        }
    }
}

/// A tree of the points whose ranks differ from their indices.
fn bvh_over<V: Vector>(points: &[V]) -> Bvh<V> {
    let mut tree = Bvh::default();
    tree.build(points.iter().zip(0..).map(|(&p, index)| Item {
        low: p,
        high: p,
        rank: rank(index),
        index,
    }));
    tree
}

fn rank(index: u32) -> u32 {
    index ^ 0b1_0110
}

fn assert_the_nearest_is_found<V: Vector>(
    space: &Space<V>,
    tree: &Bvh<V>,
    points: &[V],
    random: &mut Random,
) {
    for i in 0..40 {
        let to: V = if i % 2 == 0 {
            point(i % 5, random)
        } else {
            points.get(i).copied().unwrap_or(V::ZERO)
        };
        let bound = [f32::INFINITY, 0.0, 30.0, 900.0][i % 4];
        let squared = |p: V| space.difference(to, p).length_squared();
        let all = points
            .iter()
            .zip(0..)
            .map(|(&p, index)| (squared(p), rank(index), index))
            .filter(|(squared, ..)| *squared <= bound);
        let expected = all.min_by(|a, b| a.partial_cmp(b).unwrap());
        let gaps = |block: &Block| block.gaps(space, to, to);
        assert_eq!(tree.min_by(bound, gaps, gaps), expected, "to {to:?} among {points:?}");
    }
}

#[test]
fn the_nearest_point_matches_a_search_of_all_points_and_ties_go_to_the_lowest_rank() {
    fn test<V: Vector>() {
        every_world::<V>(|space, points, random| {
            assert_the_nearest_is_found(space, &bvh_over(points), points, random)
        });
    }
    test::<Vec2>();
    test::<Vec3>();
}

#[test]
fn refitting_a_tree_to_moved_points_finds_the_nearest_and_reports_a_stale_order() {
    fn test<V: Vector>() {
        every_world::<V>(|space, points, random| {
            let mut tree = bvh_over(points);
            let nudge = |p: V, random: &mut Random| {
                p + V::from_fn(|_| random.between(0.0, 0.01)).min(V::from_fn(|_| SIZE - 0.01) - p)
            };
            let moved: Vec<V> = points.iter().map(|&p| nudge(p, random)).collect();
            // The result is exact even where the tree asks to be built again.
            let _ = tree.refit(|r, index| (r == rank(index)).then(|| moved[index as usize]));
            assert_the_nearest_is_found(space, &tree, &moved, random);
            assert!(points.is_empty() || !tree.refit(|_, index| (index > 0).then_some(V::ZERO)));
        });
    }
    test::<Vec2>();
    test::<Vec3>();
    let mut random = Random::new(1, 2, 3, 4);
    let mut points: Vec<Vec2> = (0..300).map(|_| point(0, &mut random)).collect();
    let mut tree = bvh_over(&points);
    assert!(tree.refit(|_, index| Some(points[index as usize])));
    points.reverse();
    assert!(!tree.refit(|_, index| Some(points[index as usize])));
}

#[test]
fn a_query_visits_each_touching_box_once_and_no_other_box() {
    fn test<V: Vector>() {
        every_world::<V>(|space, points, random| {
            let boxes: Vec<(V, V)> = points
                .iter()
                .map(|&p| (p, p + V::from_fn(|_| random.between(0.0, 20.0))))
                .collect();
            let mut tree = Bvh::default();
            tree.build(boxes.iter().zip(0..).map(|(&(low, high), index)| Item {
                low,
                high,
                rank: index,
                index,
            }));
            for i in 0..20 {
                let low: V = point(i % 5, random);
                let high = low + V::from_fn(|_| random.between(0.0, 30.0));
                let image_offsets: &[f32] =
                    if space.wraps() { &[0.0, SIZE, -SIZE] } else { &[0.0] };
                let overlap = |a: f32, b: f32, c: f32, d: f32| {
                    image_offsets
                        .iter()
                        .any(|offset| c + offset - b <= 0.0 && a - (d + offset) <= 0.0)
                };
                let touches = |(a, b): &(V, V)| {
                    (0..V::DIMENSION)
                        .all(|k| overlap(low.axis(k), high.axis(k), a.axis(k), b.axis(k)))
                };
                let expected: Vec<u32> = boxes
                    .iter()
                    .zip(0..)
                    .filter(|(b, _)| touches(b))
                    .map(|(_, index)| index)
                    .collect();
                let mut found = Vec::new();
                tree.touching(space, low, high, |index| found.push(index));
                found.sort_unstable();
                assert_eq!(found, expected, "{low:?} to {high:?}");
            }
        });
    }
    test::<Vec2>();
    test::<Vec3>();
}

#[test]
fn a_search_among_equal_points_reads_few_blocks() {
    let points = vec![Vec2::ONE; 10_000];
    let tree = bvh_over(&points);
    let blocks_read = core::cell::Cell::new(0);
    let gaps = |block: &Block| {
        blocks_read.set(blocks_read.get() + 1);
        block.gaps(&Space::OPEN, Vec2::ZERO, Vec2::ZERO)
    };
    assert_eq!(tree.min_by(f32::INFINITY, gaps, gaps), Some((2.0, 0, 0b1_0110)));
    assert!(blocks_read.get() < 50, "{} blocks", blocks_read.get());
}
