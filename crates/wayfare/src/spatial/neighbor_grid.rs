//! [`NeighborGrid`]: fixed-radius neighbor queries over positions of the user's own types.

use super::grid::Grid;
use super::space::Space;
use crate::id::{AgentId, GroupId};
use crate::simd::column::VectorColumn;
use crate::vector::Vector;

/// Positions sorted into the cells of a regular grid, for queries of all positions within a radius.
///
/// Building costs time in proportion to the number of positions; a query visits only the cells that
/// the radius touches. The crowd has a grid of its own: this one is for agents that it does not
/// hold. Results are exact and do not depend on the cell width; their order is arbitrary but
/// deterministic.
///
/// ```
/// use wayfare::behavior::{Falloff, Separation, separation};
/// use wayfare::glam::vec2;
/// use wayfare::parameter::Groups;
/// use wayfare::spatial::neighbor_grid::NeighborGrid;
/// use wayfare::spatial::space::Space;
/// use wayfare::{Agent, Neighbors};
///
/// let boats: Vec<_> =
///     [0.0, 3.0, 50.0].map(|x| Agent::new(vec2(x, 0.0), 2.0)).into_iter().collect();
/// let grid = NeighborGrid::new(boats.iter().map(|boat| boat.position), 10.0, Space::OPEN);
/// let mut neighbors = Neighbors::none();
/// grid.gather(0, 10.0, |i| boats[i].velocity, &mut neighbors);
/// let (of, field_of_view) = (Groups::All, 360.0);
/// let apart =
///     Separation { radius: 10.0, max_force: 1.0, falloff: Falloff::Fixed, of, field_of_view };
/// assert_eq!(separation(&boats[0], &neighbors, &apart), vec2(-1.0, 0.0));
/// ```
#[derive(Clone, Debug)]
pub struct NeighborGrid<V: Vector> {
    grid: Grid<V>,
    space: Space<V>,
    cell: f32,
    /// The positions in the order of the caller.
    given: VectorColumn<V>,
    /// The positions in the order of cells, and the index of each in the order of the caller.
    sorted: VectorColumn<V>,
    index: Vec<u32>,
}

impl<V: Vector> NeighborGrid<V> {
    /// The grid of these positions (length) in `space`, by cells of about the width `cell`
    /// (length); best is the radius of most queries.
    ///
    /// There are at most 2^32 - 1 positions. In a wrapped space each counts as its image inside the
    /// bounds. NaN counts as 0, and coordinates are clamped to
    /// [`WORLD_LIMIT`](crate::vector::WORLD_LIMIT).
    pub fn new(positions: impl IntoIterator<Item = V>, cell: f32, space: Space<V>) -> Self {
        let mut grid = Self {
            grid: Grid::default(),
            space,
            cell,
            given: VectorColumn::EMPTY,
            sorted: VectorColumn::EMPTY,
            index: Vec::new(),
        };
        grid.rebuild(positions);
        grid
    }

    /// Replaces all positions. It does not allocate where there are no more than before.
    pub fn rebuild(&mut self, positions: impl IntoIterator<Item = V>) {
        self.given.resize(0);
        for position in positions {
            let position = position.held();
            let wraps = self.space.wraps();
            self.given.push(if wraps { self.space.wrapped(position) } else { position });
        }
        self.grid.build(&self.given, self.cell, &self.space, false);
        self.sorted.resize(self.given.len());
        self.given.permute_into(self.grid.rows(), &mut self.sorted);
        self.index.clear();
        self.index.resize(self.given.len(), 0);
        for (index, &row) in (0..).zip(self.grid.rows()) {
            self.index[row as usize] = index;
        }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.given.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Visits all positions at most `radius` from `center` (lengths): the index of each, in the
    /// order in which they were given, and its offset from `center` (length). In a wrapped space
    /// the nearest image of each counts. It does not allocate.
    ///
    /// ```
    /// use wayfare::glam::{Vec2, vec2};
    /// use wayfare::spatial::neighbor_grid::NeighborGrid;
    /// use wayfare::spatial::space::{Bounds, Edge, Space};
    ///
    /// let bounds = Bounds { min: Vec2::ZERO, max: vec2(100.0, 100.0), edge: Edge::Wrap };
    /// let points = [vec2(1.0, 5.0), vec2(98.0, 5.0), vec2(50.0, 50.0)];
    /// let grid = NeighborGrid::new(points, 10.0, Space::new(Some(bounds)));
    /// let mut found = Vec::new();
    /// grid.for_each_within(vec2(99.0, 5.0), 5.0, |index, offset| found.push((index, offset)));
    /// found.sort_by_key(|(index, _)| *index);
    /// assert_eq!(found, [(0, vec2(2.0, 0.0)), (1, vec2(-1.0, 0.0))]);
    /// ```
    pub fn for_each_within(&self, center: V, radius: f32, mut visit: impl FnMut(usize, V)) {
        if self.is_empty() || radius.is_nan() || radius < 0.0 {
            return;
        }
        let center = center.held();
        let center = if self.space.wraps() { self.space.wrapped(center) } else { center };
        let squared = radius * radius;
        self.grid.for_each_run(center, center, radius, |run| {
            for row in run.start as usize..run.end as usize {
                let offset = self.space.difference(center, self.sorted.get(row));
                if offset.length_squared() <= squared {
                    visit(self.index[row] as usize, offset);
                }
            }
        });
    }

    /// Fills `neighbors` with the positions within `radius` (length) of the one with the index
    /// `host`, itself excluded, as behaviors read them: ids are indices, and all are in group 0.
    /// `velocity` returns the velocity of an index (length / time).
    pub fn gather(
        &self,
        host: usize,
        radius: f32,
        velocity: impl Fn(usize) -> V,
        neighbors: &mut super::neighbors::Neighbors<V>,
    ) {
        neighbors.restart(AgentId(host as u32));
        if host >= self.len() {
            return;
        }
        self.for_each_within(self.given.get(host), radius, |index, offset| {
            if index != host {
                neighbors.push(super::neighbors::Neighbor {
                    id: AgentId(index as u32),
                    group: GroupId(0),
                    offset,
                    distance_squared: 0.0,
                    velocity: velocity(index),
                    radius: 0.0,
                });
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::spatial::neighbors::Neighbors;
    use crate::spatial::space::{Bounds, Edge};
    use glam::{Vec2, Vec3, vec2};

    fn assert_finds_what_a_search_of_all_finds<V: Vector>(edge: Edge, cell: f32) {
        let (min, max) = (V::from_fn(|_| -50.0), V::from_fn(|i| 50.0 + 30.0 * i as f32));
        let space = Space::new(Some(Bounds { min, max, edge }));
        let mut random = Random::new(7, 0, 0, 0);
        let mut point = || V::from_fn(|i| random.between(-50.0, 50.0 + 30.0 * i as f32));
        let points: Vec<V> = (0..500).map(|_| point()).collect();
        let grid = NeighborGrid::new(points.iter().copied(), cell, space);
        for radius in [0.0, 3.0, 20.0, 45.0] {
            for _ in 0..20 {
                let center = point();
                let mut found = Vec::new();
                grid.for_each_within(center, radius, |index, offset| {
                    assert_eq!(offset, space.difference(center, points[index]));
                    found.push(index);
                });
                found.sort_unstable();
                let expected: Vec<_> = (0..points.len())
                    .filter(|&i| {
                        space.difference(center, points[i]).length_squared() <= radius * radius
                    })
                    .collect();
                assert_eq!(found, expected, "{edge:?} {cell} {radius}");
            }
        }
    }

    #[test]
    fn a_query_finds_exactly_the_positions_within_the_radius() {
        for edge in [Edge::Open, Edge::Wrap, Edge::Wall] {
            for cell in [1.0, 20.0, 1e6] {
                assert_finds_what_a_search_of_all_finds::<Vec2>(edge, cell);
                assert_finds_what_a_search_of_all_finds::<Vec3>(edge, cell);
            }
        }
    }

    #[test]
    fn positions_that_are_not_finite_and_empty_grids_are_accepted() {
        let found = |grid: &NeighborGrid<Vec2>, radius| {
            let mut count = 0;
            grid.for_each_within(Vec2::ZERO, radius, |_, _| count += 1);
            count
        };
        let mut grid = NeighborGrid::new([], 1.0, Space::OPEN);
        assert_eq!((found(&grid, 5.0), grid.is_empty()), (0, true));
        grid.rebuild([vec2(f32::NAN, 1.0), vec2(f32::INFINITY, 0.0), vec2(3.0, 0.0)]);
        assert_eq!((found(&grid, 5.0), grid.len()), (2, 3));
        assert_eq!((found(&grid, f32::NAN), found(&grid, -1.0)), (0, 0));
    }

    #[test]
    fn neighbors_are_gathered_without_the_host() {
        let points = [vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(0.0, 9.0)];
        let grid = NeighborGrid::new(points, 5.0, Space::OPEN);
        let mut neighbors = Neighbors::none();
        for _ in 0..2 {
            grid.gather(1, 5.0, |index| vec2(index as f32, 0.0), &mut neighbors);
            let found: Vec<_> = neighbors.iter().map(|n| (n.id.0, n.offset, n.velocity)).collect();
            assert_eq!(found, [(0, vec2(-1.0, 0.0), vec2(0.0, 0.0))]);
            assert_eq!(neighbors.host_id(), AgentId(1));
        }
        grid.gather(7, 5.0, |_| Vec2::ZERO, &mut neighbors);
        assert_eq!(neighbors.iter().count(), 0);
    }
}
