//! Overlapping bodies: the number of pairs and their depths.

use wayfare::spatial::space::{Bounds, Space};
use wayfare::{Crowd, Vector};

use crate::PointGrid;

/// The most pairs that are tested, which takes some tenths of a second. Only a crowd with very many
/// agents at one point has more.
const MOST_TESTS: u64 = 100_000_000;

/// The overlapping bodies of a crowd. An agent with radius 0 has no body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlaps {
    /// The number of agents with a body.
    pub bodies: usize,
    /// The number of pairs whose distance is below the sum of their radii.
    pub pairs: u64,
    /// The depth of the deepest overlap: sum of radii - distance (length); 0 without overlaps.
    pub deepest: f32,
    /// The mean depth (length); 0 without overlaps.
    pub mean: f64,
}

impl Overlaps {
    /// The present overlaps of `crowd` in a world with these bounds; `None` if there are too many
    /// pairs to test.
    ///
    /// The time is proportional to the number of bodies and of pairs nearby.
    pub fn of<V: Vector>(crowd: &Crowd<V>, bounds: Option<Bounds<V>>) -> Option<Self> {
        // In the order of ids: the sums do not depend on the order in memory.
        let mut order = Vec::new();
        crowd.rows_by_id(&mut order);
        let bodies: Vec<(V, f32)> = order
            .iter()
            .filter_map(|&row| Some(crowd.agent_at_row(row)?.agent))
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
        let grid =
            PointGrid::new(&positions, bounds.filter(|_| space.wraps()), (2.0 * radii) as f32);
        let (mut tests, mut total) = (0_u64, 0.0);
        for (i, &(position, radius)) in bodies.iter().enumerate() {
            // Each pair is tested by its larger body, or by the later of two equal ones, so that
            // twice its own radius is far enough.
            grid.visit_near(position, 2.0 * radius, |candidates| {
                tests += candidates.len() as u64;
                if tests > MOST_TESTS {
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
            if tests > MOST_TESTS {
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
    fn each_pair_is_counted_once_and_points_have_no_body() {
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
    fn one_large_body_among_small_ones_overlaps_all_of_them() {
        let mut bodies: Vec<(Vec2, f32)> =
            (0..400).map(|i| (vec2((i % 20) as f32, (i / 20) as f32), 0.4)).collect();
        bodies.push((vec2(9.5, 9.5), 1000.0));
        let found = Overlaps::of(&crowd(&bodies, None), None).unwrap();
        assert_eq!((found.pairs, found.deepest > 999.0), (400, true));
    }

    #[test]
    fn a_crowd_at_one_point_has_too_many_pairs_to_count() {
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
