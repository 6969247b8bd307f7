//! Bodies that are where another body is: how many pairs, and how deep.

use wayfare::spatial::space::{Bounds, Space};
use wayfare::{Crowd, Vector};

use crate::Cells;

/// The most pairs that are looked at: some tenths of a second. More are there only where very many
/// stand on one another.
const MOST_LOOKS: u64 = 100_000_000;

/// The bodies of a crowd that overlap. Who has a radius of zero has no body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlaps {
    /// How many have a body.
    pub bodies: usize,
    /// How many pairs are nearer to one another than the sum of their radii.
    pub pairs: u64,
    /// How much nearer the deepest pair is (length); 0 if there is none.
    pub deepest: f32,
    /// How much nearer a pair is on the mean (length); 0 if there is none.
    pub mean: f64,
}

impl Overlaps {
    /// The overlaps of `crowd` as it is now, in a world with these bounds; `None` if too many stand
    /// on one another to look at each pair.
    ///
    /// The time goes with the number of bodies, and with the pairs that are near.
    pub fn of<V: Vector>(crowd: &Crowd<V>, bounds: Option<Bounds<V>>) -> Option<Self> {
        // By id: sums are the same in any order in memory.
        let mut order = Vec::new();
        crowd.rows_by_id(&mut order);
        let bodies: Vec<(V, f32)> = order
            .iter()
            .map(|&place| crowd.at(place).agent)
            .filter(|agent| agent.radius > 0.0)
            .map(|agent| (agent.position, agent.radius))
            .collect();
        let space = Space::new(bounds);
        let mut found = Self { bodies: bodies.len(), ..Self::default() };
        if bodies.len() < 2 {
            return Some(found);
        }
        let positions: Vec<V> = bodies.iter().map(|(position, _)| *position).collect();
        let radii =
            bodies.iter().map(|(_, radius)| f64::from(*radius)).sum::<f64>() / bodies.len() as f64;
        let cells = Cells::new(&positions, bounds.filter(|_| space.wraps()), (2.0 * radii) as f32);
        let (mut looks, mut total) = (0_u64, 0.0);
        for (i, &(position, radius)) in bodies.iter().enumerate() {
            // The larger one looks, or of two that are equal the later: no farther than where a
            // body as large as its own touches it.
            cells.near(position, 2.0 * radius, |candidates| {
                looks += candidates.len() as u64;
                if looks > MOST_LOOKS {
                    return;
                }
                for &k in candidates {
                    let (other, theirs) = bodies[k as usize];
                    if (theirs, k as usize) < (radius, i) {
                        let depth = radius + theirs - space.difference(position, other).length();
                        if depth > 0.0 {
                            found.pairs += 1;
                            found.deepest = found.deepest.max(depth);
                            total += f64::from(depth);
                        }
                    }
                }
            });
            if looks > MOST_LOOKS {
                return None;
            }
        }
        found.mean = if found.pairs > 0 { total / found.pairs as f64 } else { 0.0 };
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::crowd::{Distribution, Group, Setup, Spawn};
    use wayfare::glam::{Vec2, vec2};
    use wayfare::spatial::space::Edge;

    fn crowd(bodies: &[(Vec2, f32)], bounds: Option<Bounds<Vec2>>) -> Crowd<Vec2> {
        let group = |(i, (at, radius)): (usize, &(Vec2, f32))| {
            let mut group = Group::new(&format!("g{i}"), 1, Spawn::Points(vec![*at]), 1.0);
            group.radius = Distribution::Same(*radius);
            group
        };
        Crowd::new(Setup {
            groups: bodies.iter().enumerate().map(group).collect(),
            bounds,
            ..Setup::default()
        })
        .unwrap()
    }

    #[test]
    fn each_pair_counts_once_whoever_is_larger_and_points_have_no_body() {
        let bodies = [
            (vec2(0.0, 0.0), 5.0),
            (vec2(6.0, 0.0), 2.0),
            (vec2(6.0, 3.0), 2.0),
            (vec2(0.0, 1.0), 0.0),
            (vec2(50.0, 0.0), 2.0),
        ];
        let found = Overlaps::of(&crowd(&bodies, None), None).unwrap();
        assert_eq!((found.bodies, found.pairs, found.deepest), (4, 3, 1.0));
        let depths = [1.0, 7.0 - 45.0_f64.sqrt(), 1.0];
        assert!((found.mean - depths.iter().sum::<f64>() / 3.0).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn bodies_that_touch_do_not_overlap_and_those_across_a_wrapped_edge_do() {
        let max = vec2(100.0, 100.0);
        let bodies = [(vec2(1.0, 50.0), 2.0), (vec2(98.0, 50.0), 2.0), (vec2(5.0, 50.0), 2.0)];
        let pairs = |edge| {
            let bounds = Some(Bounds { min: Vec2::ZERO, max, edge });
            Overlaps::of(&crowd(&bodies, bounds), bounds).unwrap().pairs
        };
        assert_eq!((pairs(Edge::Open), pairs(Edge::Wrap)), (0, 1));
    }

    #[test]
    fn one_giant_among_many_small_ones_costs_no_more_than_the_pairs_it_has() {
        let mut bodies: Vec<(Vec2, f32)> =
            (0..400).map(|i| (vec2((i % 20) as f32, (i / 20) as f32), 0.4)).collect();
        bodies.push((vec2(9.5, 9.5), 1000.0));
        let found = Overlaps::of(&crowd(&bodies, None), None).unwrap();
        assert_eq!((found.pairs, found.deepest > 999.0), (400, true));
    }

    #[test]
    fn a_crowd_on_one_point_is_given_up_and_does_not_take_for_ever() {
        let mut group = Group::new(
            "pile",
            20_000,
            Spawn::Grid { origin: Vec2::ZERO, spacing: 1e-6, columns: 200, rows: 1 },
            1.0,
        );
        group.radius = Distribution::Same(1.0);
        let crowd = Crowd::new(Setup { groups: vec![group], ..Setup::default() }).unwrap();
        assert_eq!(Overlaps::of(&crowd, None), None);
    }
}
