//! The mean number of neighbors, counted without the crowd's own grid: a measurement must not
//! depend on the code that it measures.

use wayfare::Vector;
use wayfare::spatial::space::{Bounds, Space};
use wayfare_record::PointGrid;

/// The mean number of other agents within each agent's own radius. An agent is its position and its
/// neighbor radius (length), or none if it reads no neighbors.
pub(crate) fn mean_neighbors<V: Vector>(
    agents: &[(V, Option<f32>)],
    bounds: Option<Bounds<V>>,
) -> f64 {
    let Some(widest) = agents.iter().filter_map(|(_, radius)| *radius).reduce(f32::max) else {
        return 0.0;
    };
    let space = Space::new(bounds);
    let positions: Vec<V> = agents.iter().map(|(position, _)| *position).collect();
    let grid = PointGrid::new(&positions, bounds.filter(|_| space.wraps()), widest);
    let mut total = 0_u64;
    for (i, &(position, radius)) in agents.iter().enumerate() {
        let Some(radius) = radius else { continue };
        let within = |other: u32| {
            other as usize != i
                && space.difference(position, agents[other as usize].0).length_squared()
                    <= radius * radius
        };
        grid.visit_near(position, radius, |run| {
            total += run.iter().filter(|&&other| within(other)).count() as u64
        });
    }
    total as f64 / agents.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::glam::{Vec2, Vec3, vec2, vec3};
    use wayfare::random::Random;
    use wayfare::spatial::space::Edge;

    fn linear_search<V: Vector>(agents: &[(V, Option<f32>)], bounds: Option<Bounds<V>>) -> f64 {
        let space = Space::new(bounds);
        let seen = |i: usize, radius: f32| {
            (0..agents.len())
                .filter(|&j| {
                    j != i && space.difference(agents[i].0, agents[j].0).length() <= radius
                })
                .count()
        };
        let total: usize = agents
            .iter()
            .enumerate()
            .filter_map(|(i, (_, radius))| Some(seen(i, (*radius)?)))
            .sum();
        total as f64 / agents.len() as f64
    }

    fn scattered<V: Vector>(count: u32, size: V) -> Vec<(V, Option<f32>)> {
        (0..count)
            .map(|id| {
                let mut random = Random::new(5, id, 0, 0);
                (
                    V::from_fn(|i| random.between(0.0, size.axis(i))),
                    [Some(7.0), Some(3.0), None][id as usize % 3],
                )
            })
            .collect()
    }

    #[test]
    fn a_grid_counts_the_same_neighbors_as_a_linear_search_also_across_wrapped_edges() {
        for size in [vec2(90.0, 60.0), vec2(90.0, 16.0), vec2(10.0, 9.0)] {
            let agents = scattered(300, size);
            for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
                let bounds = Some(Bounds { min: Vec2::ZERO, max: size, edge });
                assert_eq!(
                    mean_neighbors(&agents, bounds),
                    linear_search(&agents, bounds),
                    "{size} {edge:?}"
                );
            }
        }
        let size = vec3(40.0, 30.0, 50.0);
        let agents = scattered(300, size);
        for bounds in [None, Some(Bounds { min: Vec3::ZERO, max: size, edge: Edge::Wrap })] {
            assert_eq!(
                mean_neighbors(&agents, bounds),
                linear_search(&agents, bounds),
                "{bounds:?}"
            );
        }
    }

    #[test]
    fn agents_without_a_radius_have_no_neighbors_and_agents_at_one_point_are_neighbors() {
        assert_eq!(mean_neighbors(&[(Vec2::ZERO, None), (Vec2::ZERO, None)], None), 0.0);
        assert_eq!(
            mean_neighbors(&[(Vec2::X, Some(0.0)), (Vec2::X, Some(1.0)), (Vec2::X, None)], None),
            4.0 / 3.0
        );
    }
}
