//! Flocks hold together without clumps, at any density of their start.

use super::*;

/// The distance of separation; all lengths are in it.
const APART: f32 = 1.0;
/// The radius of the flock.
const RADIUS: f32 = 12.0 * APART;

/// A hundred agents at rest in a box, with this number of agents per square or cube of the
/// separation radius, which flock for 400 ticks by `flock`, and else by defaults.
fn flocked<V: Vector>(density: f32, max_force: f32, flock: Flock) -> [Vec<V>; 2] {
    let side = (100.0 / density).powf(1.0 / V::DIMENSION as f32) * APART;
    let area = Shape::box_between(V::ZERO, V::from_fn(|_| side));
    let mut birds = Group::new("birds", 100, Spawn::Inside(area), 0.3);
    (birds.mass, birds.max_force) = (Distribution::Same(5.0), Distribution::Same(max_force));
    birds.steer = List::default().with(flock);
    let mut crowd = crowd(vec![birds]);
    let positions = |crowd: &Crowd<V>| agents(crowd).iter().map(|a| a.position).collect();
    let before = positions(&crowd);
    (0..400).for_each(|_| crowd.step());
    [before, positions(&crowd)]
}

/// The number of clusters by single linkage: agents within the flock's radius are in one cluster.
fn clusters<V: Vector>(positions: &[V]) -> usize {
    let mut left: Vec<usize> = (0..positions.len()).collect();
    let mut count = 0;
    while let Some(first) = left.pop() {
        count += 1;
        let mut reached = vec![first];
        while let Some(i) = reached.pop() {
            let near = |j: &usize| (positions[*j] - positions[i]).length() <= RADIUS;
            reached.extend(left.iter().copied().filter(near));
            left.retain(|j| !near(j));
        }
    }
    count
}

/// The least distance between two agents (length).
fn nearest<V: Vector>(positions: &[V]) -> f32 {
    let pairs = (0..positions.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    pairs.map(|(i, j)| (positions[i] - positions[j]).length()).fold(f32::INFINITY, f32::min)
}

fn assert_flocks_hold<V: Vector>() {
    let flock = Flock { separation_radius: Some(APART), ..Flock::default().radius(RADIUS) };
    for density in (0..10).map(|k| 0.1 * 100_f32.powf(k as f32 / 9.0)) {
        for max_force in [f32::INFINITY, 0.1] {
            let [before, after] = flocked::<V>(density, max_force, flock.clone());
            let at = format!("at {density}, with max_force {max_force}");
            assert_eq!([clusters(&before), clusters(&after)], [1, 1], "{at}");
            assert!(nearest(&after) > 0.5 * APART, "{} {at}", nearest(&after));
        }
    }
}

#[test]
fn a_flock_with_a_separation_radius_holds_together_without_clumps_at_ten_densities() {
    assert_flocks_hold::<Vec2>();
    assert_flocks_hold::<Vec3>();
}

#[test]
fn a_flock_without_a_separation_radius_dissolves_or_clumps_by_its_max_force() {
    let [_, strong] = flocked::<Vec2>(1.0, f32::INFINITY, Flock::default().radius(RADIUS));
    assert!(clusters(&strong) > 1, "{}", clusters(&strong));
    let [_, weak] = flocked::<Vec2>(1.0, 0.1, Flock::default().radius(RADIUS));
    assert!(nearest(&weak) < 0.1 * APART, "{}", nearest(&weak));
}
