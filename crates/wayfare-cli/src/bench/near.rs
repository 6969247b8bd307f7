//! How many neighbors agents have: counted apart from the crowd's own grid, so that a figure does not rest on what it measures.

use wayfare::Vector;
use wayfare::space::{Bounds, Space};

/// How many others are within each agent's own radius, on the mean over all agents. An agent is its position and how far it looks
/// (length); one that does not look has none.
pub(crate) fn mean_neighbors<V: Vector>(agents: &[(V, Option<f32>)], bounds: Option<Bounds<V>>) -> f64 {
    let Some(widest) = agents.iter().filter_map(|(_, radius)| *radius).reduce(f32::max) else { return 0.0 };
    let space = Space::new(bounds);
    let cells = Cells::new(agents, bounds.filter(|_| space.wraps()), widest);
    let mut total = 0_u64;
    for (i, &(position, radius)) in agents.iter().enumerate() {
        let Some(radius) = radius else { continue };
        let within = |other: u32| other as usize != i && space.difference(position, agents[other as usize].0).length_squared() <= radius * radius;
        cells.around(position, |run| total += run.iter().filter(|&&other| within(other)).count() as u64);
    }
    total as f64 / agents.len() as f64
}

/// Agents by cells that are at least as wide as anybody looks.
struct Cells<V> {
    origin: V,
    extent: V,
    /// How many there are along each axis.
    count: [usize; 3],
    wraps: bool,
    starts: Vec<u32>,
    agents: Vec<u32>,
}

impl<V: Vector> Cells<V> {
    fn new(agents: &[(V, Option<f32>)], wrapped: Option<Bounds<V>>, widest: f32) -> Self {
        let (low, high) = match wrapped {
            Some(bounds) => (bounds.min, bounds.max),
            None => agents.iter().fold((agents[0].0, agents[0].0), |(low, high), (p, _)| (low.min(*p), high.max(*p))),
        };
        let mut cells = Self { origin: low, extent: high - low, count: [1; 3], wraps: wrapped.is_some(), starts: Vec::new(), agents: Vec::new() };
        // No more cells than agents, however little they look: a cell that is too wide costs time, and changes nothing.
        let most = (agents.len() as f64).powf(1.0 / V::DIMENSION as f64).ceil();
        for i in 0..V::DIMENSION {
            cells.count[i] = f64::from(cells.extent.axis(i) / widest).floor().clamp(1.0, most) as usize;
        }
        let mut starts = vec![0_u32; cells.count.iter().product::<usize>() + 1];
        for (position, _) in agents {
            starts[cells.number(cells.of(*position)) + 1] += 1;
        }
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        let mut next = starts.clone();
        let mut sorted = vec![0; agents.len()];
        for (i, (position, _)) in agents.iter().enumerate() {
            let at = &mut next[cells.number(cells.of(*position))];
            sorted[*at as usize] = i as u32;
            *at += 1;
        }
        (cells.starts, cells.agents) = (starts, sorted);
        cells
    }

    fn of(&self, position: V) -> [usize; 3] {
        let mut cell = [0; 3];
        for (i, cell) in cell.iter_mut().enumerate().take(V::DIMENSION) {
            let part = (position.axis(i) - self.origin.axis(i)) / self.extent.axis(i);
            // A world that is flat on an axis has one cell there.
            *cell = if part > 0.0 { ((part * self.count[i] as f32) as usize).min(self.count[i] - 1) } else { 0 };
        }
        cell
    }

    fn number(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.count[1] + y) * self.count[0] + x
    }

    /// The agents of the cell of `position` and of those around it, each cell once.
    fn around(&self, position: V, mut visit: impl FnMut(&[u32])) {
        let [x, y, z] = self.of(position);
        for z in self.beside(2, z) {
            for y in self.beside(1, y) {
                for x in self.beside(0, x) {
                    let cell = self.number([x, y, z]);
                    visit(&self.agents[self.starts[cell] as usize..self.starts[cell + 1] as usize]);
                }
            }
        }
    }

    /// The cells on axis `i` from the one before `cell` to the one behind it.
    fn beside(&self, i: usize, cell: usize) -> impl Iterator<Item = usize> + use<V> {
        let (count, wraps) = (self.count[i], self.wraps);
        let (first, last) = if count <= 3 { (0, count - 1) } else { (cell + count - 1, cell + count + 1) };
        (first..=last).filter(move |c| count <= 3 || wraps || (count..2 * count).contains(c)).map(move |c| c % count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::glam::{Vec2, Vec3, vec2, vec3};
    use wayfare::random::Random;
    use wayfare::space::Edge;

    fn one_by_one<V: Vector>(agents: &[(V, Option<f32>)], bounds: Option<Bounds<V>>) -> f64 {
        let space = Space::new(bounds);
        let seen = |i: usize, radius: f32| (0..agents.len()).filter(|&j| j != i && space.difference(agents[i].0, agents[j].0).length() <= radius).count();
        let total: usize = agents.iter().enumerate().filter_map(|(i, (_, radius))| Some(seen(i, (*radius)?))).sum();
        total as f64 / agents.len() as f64
    }

    fn scattered<V: Vector>(count: u32, size: V) -> Vec<(V, Option<f32>)> {
        (0..count)
            .map(|id| {
                let mut random = Random::new(5, id, 0, 0);
                (V::from_fn(|i| random.between(0.0, size.axis(i))), [Some(7.0), Some(3.0), None][id as usize % 3])
            })
            .collect()
    }

    #[test]
    fn cells_count_whom_one_by_one_counts_with_and_without_an_edge_to_go_across() {
        for size in [vec2(90.0, 60.0), vec2(90.0, 16.0), vec2(10.0, 9.0)] {
            let agents = scattered(300, size);
            for edge in [Edge::Open, Edge::Wrap, Edge::Wall] {
                let bounds = Some(Bounds { min: Vec2::ZERO, max: size, edge });
                assert_eq!(mean_neighbors(&agents, bounds), one_by_one(&agents, bounds), "{size} {edge:?}");
            }
        }
        let size = vec3(40.0, 30.0, 50.0);
        let agents = scattered(300, size);
        for bounds in [None, Some(Bounds { min: Vec3::ZERO, max: size, edge: Edge::Wrap })] {
            assert_eq!(mean_neighbors(&agents, bounds), one_by_one(&agents, bounds), "{bounds:?}");
        }
    }

    #[test]
    fn who_does_not_look_has_no_neighbors_and_a_crowd_at_one_point_is_near_itself() {
        assert_eq!(mean_neighbors(&[(Vec2::ZERO, None), (Vec2::ZERO, None)], None), 0.0);
        assert_eq!(mean_neighbors(&[(Vec2::X, Some(0.0)), (Vec2::X, Some(1.0)), (Vec2::X, None)], None), 4.0 / 3.0);
    }
}
