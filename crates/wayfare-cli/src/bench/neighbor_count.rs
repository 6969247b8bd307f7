//! The mean number of neighbors, counted without the crowd's own grid: a measurement must not
//! depend on the code that it measures.

use std::collections::HashMap;

use wayfare::Vector;
use wayfare::spatial::space::{Bounds, Space};

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
    let cells = Cells::new(widest, bounds.filter(|_| space.wraps()));
    let mut members: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    for (i, (position, _)) in agents.iter().enumerate() {
        members.entry(cells.of(*position)).or_default().push(i);
    }
    let mut total = 0;
    for (i, &(position, radius)) in agents.iter().enumerate() {
        let Some(radius) = radius else { continue };
        let within = |other: usize| {
            other != i
                && space.difference(position, agents[other].0).length_squared() <= radius * radius
        };
        let cells = cells.around(position);
        let near = cells.iter().filter_map(|cell| members.get(cell)).flatten();
        total += near.filter(|&&other| within(other)).count();
    }
    total as f64 / agents.len() as f64
}

/// Cells that are wider than the widest radius.
struct Cells<V> {
    width: f64,
    /// The bounds of a wrapped world, which a whole number of cells divides.
    wrapped: Option<Bounds<V>>,
}

impl<V: Vector> Cells<V> {
    fn new(radius: f32, wrapped: Option<Bounds<V>>) -> Self {
        // Distances are computed in single precision: a neighbor can be slightly farther away.
        Self { width: (1.000_01 * f64::from(radius)).max(1e-6), wrapped }
    }

    /// The lower end of a wrapped world on an axis, its extent, and the number of its cells.
    fn axis(&self, i: usize) -> Option<(f64, f64, i64)> {
        let bounds = self.wrapped.as_ref()?;
        let min = f64::from(bounds.min.axis(i));
        let extent = f64::from(bounds.max.axis(i)) - min;
        Some((min, extent, (extent / (self.width + 1e-6 * extent)).max(1.0) as i64))
    }

    fn of(&self, position: V) -> [i64; 3] {
        let mut cell = [0; 3];
        for (i, cell) in cell.iter_mut().enumerate().take(V::DIMENSION) {
            let x = f64::from(position.axis(i));
            *cell = match self.axis(i) {
                Some((min, extent, count)) => {
                    ((x - min) / extent * count as f64).clamp(0.0, count as f64 - 1.0) as i64
                }
                None => (x / self.width).floor() as i64,
            };
        }
        cell
    }

    /// The cell of a position and those beside it, each once.
    fn around(&self, position: V) -> Vec<[i64; 3]> {
        let mut cells = vec![self.of(position)];
        for i in 0..V::DIMENSION {
            let count = self.axis(i).map(|(.., count)| count);
            let beside = |cell: [i64; 3]| {
                (0..count.unwrap_or(3).min(3)).map(move |step| {
                    let mut cell = cell;
                    cell[i] += step - 1;
                    cell[i] = count.map_or(cell[i], |count| cell[i].rem_euclid(count));
                    cell
                })
            };
            cells = cells.into_iter().flat_map(beside).collect();
        }
        cells
    }
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
