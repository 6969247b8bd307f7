//! [`NeighborGrid`]: fixed-radius neighbor queries over agents in arrays of the user's own.

use alloc::vec::Vec;
use core::ops::Range;

use super::grid::Grid;
use super::neighbors::{Candidates, Neighbors};
use super::space::Space;
use crate::id::{AgentId, GroupId};
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::quantity::power_of_two_from;
use crate::simd::MAX_LANES;
use crate::simd::column::VectorColumn;
use crate::threads::Share;
use crate::vector::Vector;

/// Positions sorted into the cells of a regular grid, for queries of all positions within a radius.
///
/// Building costs time in proportion to the number of positions; a query visits only the cells that
/// the radius touches. The crowd has a grid of its own: this one is for agents that it does not
/// hold. Results are exact and do not depend on the cell width; their order is arbitrary but
/// deterministic.
///
/// [`for_each_host`](Self::for_each_host) gives each agent its neighbors, as fast as in a crowd,
/// and a neighbor behavior gives the same force to the bit as in a crowd whose group has the same
/// top speed. [`gather`](Self::gather) does so for one agent,
/// [`for_each_within`](Self::for_each_within) visits the positions around a point.
///
/// ```
/// use wayfare::behavior::{Separation, separation};
/// use wayfare::glam::{Vec2, vec2};
/// use wayfare::spatial::{neighbor_grid::NeighborGrid, space::Space};
/// use wayfare::{Agent, Neighbors};
///
/// let mut boats = [0.0, 3.0, 50.0].map(|x| Agent::new(vec2(x, 0.0), 2.0));
/// let radius = 10.0;
/// let apart = Separation::default().radius(radius).max_force(1.0);
/// let mut grid = NeighborGrid::new([], radius, Space::OPEN);
/// let mut neighbors = Neighbors::none();
/// let mut forces = [Vec2::ZERO; 3];
/// for _ in 0..2 {
///     grid.rebuild(boats.iter().map(|boat| boat.position));
///     grid.set_velocities(boats.iter().map(|boat| boat.velocity), 2.0);
///     grid.for_each_host(radius, &mut neighbors, |i, neighbors| {
///         forces[i] = separation(&boats[i], neighbors, &apart);
///     });
///     for (boat, force) in boats.iter_mut().zip(forces) {
///         *boat = boat.moving((boat.velocity + force).clamp_length_max(2.0));
///         boat.position += boat.velocity;
///     }
/// }
/// // The first two boats move apart, and the third is too far away to notice.
/// assert!(boats[0].velocity.x < 0.0 && boats[1].velocity.x > 0.0);
/// assert_eq!(boats[2].velocity, Vec2::ZERO);
/// ```
#[derive(Clone, Debug)]
pub struct NeighborGrid<V: Vector> {
    grid: Grid<V>,
    space: Space<V>,
    cell: f32,
    /// The positions in the order of the caller.
    given: VectorColumn<V>,
    /// The positions in the order of cells, and the index of each in the order of the caller,
    /// followed by a block of padding: columns are read in blocks.
    sorted: VectorColumn<V>,
    index: Vec<u32>,
    /// The velocities in the order of cells.
    velocity: VectorColumn<V>,
    /// The unit of speed in sums, and the largest speed (length / time).
    speed_unit: f32,
    max_speed: f32,
    groups: Attribute<u32>,
    radii: Attribute<f32>,
    max_speeds: Attribute<f32>,
}

/// An optional attribute of the agents: in the order of the caller, and in the order of cells with
/// a block of padding.
#[derive(Clone, Debug, Default)]
struct Attribute<T> {
    given: Vec<T>,
    sorted: Vec<T>,
}

impl<T: Copy + Default> Attribute<T> {
    fn set(&mut self, values: impl Iterator<Item = T>, rows: &[u32]) {
        self.given.clear();
        self.given.extend(values);
        self.sort(rows);
    }

    /// Sorts the values by these rows; agents beyond the given values have the default.
    fn sort(&mut self, rows: &[u32]) {
        self.sorted.clear();
        if self.given.is_empty() {
            return;
        }
        self.sorted.resize(rows.len() + MAX_LANES, T::default());
        self.given.iter().zip(rows).for_each(|(value, &row)| self.sorted[row as usize] = *value);
    }

    /// The values in the order of cells; `None` if none were given.
    fn sorted(&self) -> Option<&[T]> {
        (!self.sorted.is_empty()).then_some(&self.sorted[..])
    }
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
            velocity: VectorColumn::EMPTY,
            speed_unit: 1.0,
            max_speed: 0.0,
            groups: Attribute::default(),
            radii: Attribute::default(),
            max_speeds: Attribute::default(),
        };
        grid.rebuild(positions);
        grid
    }

    /// Replaces all positions. It does not allocate where there are no more than before.
    ///
    /// Velocities are zero until they are set again; groups, radii and top speeds stay with their
    /// indices.
    pub fn rebuild(&mut self, positions: impl IntoIterator<Item = V>) {
        self.given.resize(0);
        for position in positions {
            let position = position.clamped();
            let wraps = self.space.wraps();
            self.given.push(if wraps { self.space.wrapped(position) } else { position });
        }
        self.grid.build(&self.given, self.cell, &self.space, Share::ALONE);
        let rows = self.grid.rows();
        self.sorted.resize(rows.len());
        self.given.permute_into(rows, &mut self.sorted);
        self.index.resize(rows.len() + MAX_LANES, 0);
        for (index, &row) in (0..).zip(rows) {
            self.index[row as usize] = index;
        }
        self.velocity.resize(rows.len());
        (0..V::DIMENSION).for_each(|axis| self.velocity.axis_mut(axis).fill(0.0));
        self.max_speed = 0.0;
        self.groups.sort(rows);
        self.radii.sort(rows);
        self.max_speeds.sort(rows);
    }

    /// Sets the velocities (length / time) in the order of the positions; call it after each
    /// [`rebuild`](Self::rebuild). Velocities that are left out are zero.
    ///
    /// `max_speed` is the top speed of the agents (length / time), above zero: the sums of
    /// behaviors have a resolution of about a millionth of it. Faster agents count in full.
    pub fn set_velocities(&mut self, velocities: impl IntoIterator<Item = V>, max_speed: f32) {
        self.speed_unit = power_of_two_from(if max_speed > 0.0 { max_speed } else { 1.0 });
        let mut squared = 0.0_f32;
        for (velocity, &row) in velocities.into_iter().zip(self.grid.rows()) {
            let velocity = velocity.clamped();
            squared = squared.max(velocity.length_squared());
            self.velocity.set(row as usize, velocity);
        }
        self.max_speed = squared.sqrt();
    }

    /// Sets the groups in the order of the positions, for behaviors that read some groups only.
    /// Agents that are left out are in group 0.
    pub fn set_groups<G: Into<GroupId>>(&mut self, groups: impl IntoIterator<Item = G>) {
        let numbers = groups.into_iter().map(|group| group.into().0 as u32);
        self.groups.set(numbers, self.grid.rows());
    }

    /// Sets the radii of the bodies (length) in the order of the positions, for behaviors that read
    /// bodies, such as `avoid_agents`. Agents that are left out have none.
    pub fn set_radii(&mut self, radii: impl IntoIterator<Item = f32>) {
        self.radii.set(radii.into_iter(), self.grid.rows());
    }

    /// Sets the top speeds (length / time) in the order of the positions, for solvers that ask
    /// whether an agent walks or stands, such as `pedestrian`. An agent that is left out walks
    /// whenever it moves.
    pub fn set_max_speeds(&mut self, max_speeds: impl IntoIterator<Item = f32>) {
        self.max_speeds.set(max_speeds.into_iter(), self.grid.rows());
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
        let center = center.clamped();
        let center = self.space.inside(center);
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

    /// Fills `neighbors` with the agents within `radius` (length) of the one with the index `host`,
    /// itself excluded, as behaviors read them: ids are indices. No neighbors for an index beyond
    /// the positions.
    ///
    /// ```
    /// use wayfare::behavior::{Separation, separation};
    /// use wayfare::glam::vec2;
    /// use wayfare::spatial::{neighbor_grid::NeighborGrid, space::Space};
    /// use wayfare::{Agent, Neighbors};
    ///
    /// let boats = [0.0, 3.0, 50.0].map(|x| Agent::new(vec2(x, 0.0), 2.0));
    /// let grid = NeighborGrid::new(boats.iter().map(|boat| boat.position), 10.0, Space::OPEN);
    /// let mut neighbors = Neighbors::none();
    /// grid.gather(0, 10.0, &mut neighbors);
    /// let force = separation(&boats[0], &neighbors, &Separation::default().radius(10.0)
    ///     .max_force(1.0));
    /// assert_eq!(force, vec2(-1.0, 0.0));
    /// ```
    pub fn gather(&self, host: usize, radius: f32, neighbors: &mut Neighbors<V>) {
        neighbors.restart(AgentId(host as u32));
        if host < self.len() && radius >= 0.0 {
            let position = self.given.get(host);
            neighbors.begin_in_group_0();
            V::gather_around(self, position, position, radius, neighbors);
            neighbors.set_host(AgentId(host as u32), position, 1, self.speed_unit);
        }
    }

    /// Visits all agents, each with its index and its neighbors within `radius` (length), in the
    /// order of cells. It allocates only until `neighbors` has its size.
    ///
    /// The neighbors are those of [`gather`](Self::gather), and may include some that are farther
    /// away: behaviors select those within their own radius. They are gathered once for all agents
    /// of a cell.
    pub fn for_each_host(
        &self,
        radius: f32,
        neighbors: &mut Neighbors<V>,
        visit: impl FnMut(usize, &Neighbors<V>),
    ) {
        self.for_each_host_in(0..self.cells(), radius, neighbors, visit);
    }

    /// The number of cells, which [`for_each_host_in`](Self::for_each_host_in) divides.
    pub fn cells(&self) -> usize {
        self.grid.len()
    }

    /// [`for_each_host`](Self::for_each_host) for the agents in these cells only, so that threads
    /// can share the work, each with `neighbors` of its own. Cells beyond the last are ignored.
    pub fn for_each_host_in(
        &self,
        cells: Range<usize>,
        radius: f32,
        neighbors: &mut Neighbors<V>,
        mut visit: impl FnMut(usize, &Neighbors<V>),
    ) {
        let radius = if radius >= 0.0 { radius } else { 0.0 };
        neighbors.begin_in_group_0();
        for cell in cells.start..cells.end.min(self.cells()) {
            let run = self.grid.run(cell..cell + 1);
            if run.is_empty() {
                continue;
            }
            let (low, high) = self.sorted.box_around(run.clone(), |p| p);
            V::gather_around(self, low, high, radius, neighbors);
            for row in run {
                let index = self.index[row];
                let position = self.sorted.get(row);
                neighbors.set_host(AgentId(index), position, 1, self.speed_unit);
                visit(index as usize, neighbors);
            }
        }
    }

    /// Gathers the candidates within `radius` of the box from `low` to `high` (lengths), which is
    /// inside the bounds of a wrapped space.
    #[inline(always)]
    pub(crate) fn gather_around_here(
        &self,
        low: V,
        high: V,
        radius: f32,
        neighbors: &mut Neighbors<V>,
    ) {
        let at = |values: Option<&[f32]>, row: usize| values.map_or(0.0, |values| values[row]);
        let (radii, speeds) = (self.radii.sorted(), self.max_speeds.sorted());
        let body = |row: usize| (at(radii, row), at(speeds, row));
        let mut candidates = Candidates {
            position: &self.sorted,
            velocity: &self.velocity,
            id: &self.index,
            group: self.groups.sorted(),
            body: (radii.is_some() || speeds.is_some()).then_some(body),
            low,
            high,
            radius,
            across: None,
        };
        let crosses = self.grid.crosses(low, high, radius);
        neighbors.clear(if crosses { self.space } else { Space::OPEN }, self.max_speed);
        if crosses {
            candidates.cross(self.space, self.grid.magnitude());
        }
        neighbors.gather(&candidates, |runs| self.grid.collect_runs(low, high, radius, runs));
        neighbors.pad();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
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
        for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
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
    fn neighbors_are_gathered_without_the_host_and_with_all_that_behaviors_read() {
        let points = [vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(0.0, 9.0)];
        let mut grid = NeighborGrid::new(points, 5.0, Space::OPEN);
        let mut neighbors = Neighbors::none();
        let found = |grid: &NeighborGrid<Vec2>, neighbors: &mut Neighbors<Vec2>| {
            grid.gather(1, 5.0, neighbors);
            assert_eq!(neighbors.host_id(), AgentId(1));
            let found =
                neighbors.iter().map(|n| (n.id.0, n.offset, n.velocity, n.group.0, n.radius));
            found.collect::<Vec<_>>()
        };
        let offset = vec2(-1.0, 0.0);
        for _ in 0..2 {
            let plain = found(&grid, &mut neighbors);
            assert_eq!(plain, [(0, offset, Vec2::ZERO, 0, 0.0)]);
        }
        grid.set_velocities([Vec2::Y], 1.0);
        grid.set_groups([4]);
        grid.set_radii([0.5]);
        assert_eq!(found(&grid, &mut neighbors), [(0, offset, Vec2::Y, 4, 0.5)]);
        // Groups and radii stay with the index, velocities are set at each tick.
        grid.rebuild([points[2], points[1], points[0]]);
        assert_eq!(found(&grid, &mut neighbors), [(2, offset, Vec2::ZERO, 0, 0.0)]);
        grid.rebuild(points);
        assert_eq!(found(&grid, &mut neighbors), [(0, offset, Vec2::ZERO, 4, 0.5)]);
        // The group of an earlier use of the list is forgotten.
        found(&NeighborGrid::new(points, 5.0, Space::OPEN), &mut neighbors);
        assert_eq!(neighbors.iter().next().map(|n| (n.group.0, n.radius)), Some((0, 0.0)));
        grid.gather(7, 5.0, &mut neighbors);
        assert_eq!(neighbors.iter().count(), 0);
    }

    #[test]
    fn parts_of_the_cells_visit_each_host_once() {
        let points = (0..400).map(|i| vec2((i % 20) as f32, (i / 20) as f32));
        let grid = NeighborGrid::new(points, 1.5, Space::OPEN);
        assert!(grid.cells() > 8, "{}", grid.cells());
        let mut visited = Vec::new();
        let mut neighbors = Neighbors::none();
        for cells in [0..3, 3..7, 7..usize::MAX] {
            grid.for_each_host_in(cells, 1.5, &mut neighbors, |i, _| visited.push(i));
        }
        visited.sort_unstable();
        assert_eq!(visited, (0..400).collect::<Vec<_>>());
    }
}
