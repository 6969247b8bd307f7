//! Flow fields: given vectors, or the directions of shortest routes to a goal around obstacles,
//! from a map of distances made by fast marching.
//!
//! A distance map costs time and memory in proportion to its cells, independent of the number of
//! agents that follow it (A. Treuille, S. Cooper and Z. Popović, "Continuum crowds", SIGGRAPH 2006,
//! without the density of the crowd). The sources of the method are in `fast_marching.rs`.

use alloc::vec::Vec;

use crate::geometry::obstacle::{Obstacle, Obstacles, Shape, bvh_of};
use crate::spatial::bvh::Bvh;
use crate::spatial::space::{Bounds, Space};
use crate::vector::{Up, Vector};

mod cell_grid;
mod fast_marching;
mod plan;
mod rasterize;
#[cfg(test)]
mod tests;

pub use plan::{CELL, CLEARANCE, FieldError, FieldPlan, MOST_CELLS, MOST_CELLS_TESTED};

use cell_grid::{CellGrid, CellPoint};
use plan::area_of;
use rasterize::BLOCKED;

/// Directions in a box of the world, by cells: what
/// [`follow_flow`](crate::behavior::follow_flow()) follows.
#[derive(Clone, Debug)]
#[doc(alias = "flow field")]
pub struct FlowField<V: Vector> {
    cells: CellGrid<V>,
    /// The direction at the middle of each cell, up to 1 long.
    directions: Vec<V>,
    /// The distances that the directions follow from; `None` for given vectors.
    map: Option<DistanceMap<V>>,
}

/// Distances to the nearest goal.
#[derive(Clone, Debug)]
struct DistanceMap<V: Vector> {
    goals: Vec<Obstacle<V>>,
    goal_bvh: Bvh<V>,
    clearance: f32,
    /// The bits that `rasterize` sets for each cell.
    flags: Vec<u8>,
    /// The distance of each cell to the goal (cell widths); infinity without a route.
    distances: Vec<f32>,
}

impl<V: Vector> DistanceMap<V> {
    /// A map of `cells` cells, all without a route.
    fn new(goals: &[Shape<V>], clearance: f32, cells: usize, up: Up) -> Self {
        let goals: Vec<_> = goals.iter().map(|goal| Obstacle::with_up(goal.clone(), up)).collect();
        Self {
            goal_bvh: bvh_of(&goals),
            goals,
            clearance,
            flags: vec![0; cells],
            distances: vec![f32::INFINITY; cells],
        }
    }
}

impl<V: Vector> FlowField<V> {
    /// The field that `plan` describes among these obstacles, in a world with these bounds and z
    /// up. A distance map of a million cells takes about half a second.
    ///
    /// # Errors
    /// The first problem of the plan.
    pub fn new(
        plan: &FieldPlan<V>,
        obstacles: Obstacles<'_, V>,
        bounds: Option<&Bounds<V>>,
    ) -> Result<Self, FieldError> {
        Self::with_up(plan, obstacles, bounds, Up::Z)
    }

    /// [`new`](Self::new) in a world with this up axis.
    ///
    /// # Errors
    /// The first problem of the plan.
    pub fn with_up(
        plan: &FieldPlan<V>,
        obstacles: Obstacles<'_, V>,
        bounds: Option<&Bounds<V>>,
        up: Up,
    ) -> Result<Self, FieldError> {
        plan.check(bounds)?;
        Ok(Self::checked(plan, obstacles, bounds, up))
    }

    /// Given vectors, as fractions of max_speed: `columns` in a row along x, in space `rows` in a
    /// layer along y, with z up. The first vector is at the middle of the cell at `origin`
    /// (length).
    ///
    /// # Errors
    /// A number is outside its range, or the number of vectors does not match the number of cells.
    pub fn of_vectors(
        origin: V,
        cell: f32,
        columns: u32,
        rows: Option<u32>,
        vectors: Vec<V>,
    ) -> Result<Self, FieldError> {
        Self::new(
            &FieldPlan::Vectors { origin, cell, columns, rows, vectors },
            Obstacles::NONE,
            None,
        )
    }

    /// The directions of the shortest routes to the nearest of `goals`, at the distance `clearance`
    /// from obstacles, in the box from `low` to `high` by cells of the width `cell` (lengths).
    ///
    /// ```
    /// use wayfare::geometry::{
    ///     flow_field::FlowField,
    ///     obstacle::{Obstacle, Obstacles, Shape},
    /// };
    /// use wayfare::glam::vec2;
    /// let wall = [Obstacle::from(Shape::box_between(vec2(40.0, 0.0), vec2(50.0, 80.0)))];
    /// let wall = Obstacles::from(&wall);
    /// let door = Shape::Circle { center: vec2(90.0, 10.0), radius: 5.0 };
    /// let (low, high) = (vec2(0.0, 0.0), vec2(100.0, 100.0));
    /// let field = FlowField::toward(&[door], wall, low, high, 2.0, 1.0)?;
    /// // Behind the wall the route leads up and around its end.
    /// assert!(field.direction(vec2(30.0, 10.0), wall).unwrap().y > 0.9);
    /// assert!(field.distance(vec2(30.0, 10.0)).unwrap() > 145.0);
    /// # Ok::<(), wayfare::geometry::flow_field::FieldError>(())
    /// ```
    ///
    /// # Errors
    /// A number is outside its range, or there are too many cells.
    pub fn toward(
        goals: &[Shape<V>],
        obstacles: Obstacles<'_, V>,
        low: V,
        high: V,
        cell: f32,
        clearance: f32,
    ) -> Result<Self, FieldError> {
        Self::new(
            &FieldPlan::Toward { goals: goals.to_vec(), cell, clearance, area: Some((low, high)) },
            obstacles,
            None,
        )
    }

    /// The field of a validated plan.
    pub(crate) fn checked(
        plan: &FieldPlan<V>,
        obstacles: Obstacles<'_, V>,
        bounds: Option<&Bounds<V>>,
        up: Up,
    ) -> Self {
        match plan {
            FieldPlan::Vectors { origin, cell, columns, rows, vectors } => {
                let rows = rows.map_or(vectors.len() / *columns as usize, |rows| rows as usize);
                let columns = *columns as usize;
                let layers = vectors.len() / (columns * rows);
                // The plan lists rows along the ground; cells in memory follow the axes.
                let upright = |[x, y, z]: [usize; 3]| {
                    if up.is_height::<V>(1) { [x, z, y] } else { [x, y, z] }
                };
                let cells = CellGrid {
                    low: *origin,
                    cell: *cell,
                    counts: upright([columns, rows, layers]),
                };
                let direction = |cell| {
                    let [column, row, layer] = upright(cells.coordinates(cell));
                    vectors[(layer * rows + row) * columns + column].truncate(1.0)
                };
                let directions = (0..cells.len()).map(direction).collect();
                Self { cells, directions, map: None }
            }
            FieldPlan::Toward { goals, cell, clearance, area } => {
                let (low, high) = area_of(*area, bounds);
                let cells = CellGrid::new(low, high, *cell);
                let count = cells.len();
                let map = DistanceMap::new(goals, *clearance, count, up);
                let mut field = Self { cells, directions: vec![V::ZERO; count], map: Some(map) };
                field.build(obstacles);
                field
            }
        }
    }

    fn build(&mut self, obstacles: Obstacles<'_, V>) {
        let Some(map) = &mut self.map else { return };
        map.rasterize(&self.cells, self.cells.whole(), obstacles);
        map.march_from_sources(&self.cells);
        (0..)
            .zip(&mut self.directions)
            .for_each(|(cell, direction)| *direction = map.direction(&self.cells, cell));
    }

    /// Updates the field after a change of the obstacles, which are now `obstacles`; `changed` are
    /// the bounding boxes of obstacles added, removed, and moved, the latter before and after
    /// (length). Returns the number of cells that changed.
    ///
    /// The result equals a newly built field to the bit; only cells that differ cost time.
    pub fn repair(&mut self, obstacles: Obstacles<'_, V>, changed: &[(V, V)]) -> usize {
        let Some(map) = &mut self.map else { return 0 };
        let (mut cells, mut before) = (Vec::new(), Vec::new());
        for &(low, high) in changed {
            // A change may block cells, separate neighbors, and hide the goal from source cells.
            let span = self.cells.touching(
                low,
                high,
                map.clearance + (rasterize::SOURCE_DISTANCE + 1.0) * self.cells.cell,
            );
            before.clear();
            before.extend(span.cells().map(|at| map.flags[self.cells.index(at)]));
            map.rasterize(&self.cells, span, obstacles);
            let indices = span.cells().map(|at| self.cells.index(at));
            cells.extend(
                indices
                    .zip(&before)
                    .filter(|(cell, flags)| map.flags[*cell] != **flags)
                    .map(|(cell, _)| cell),
            );
        }
        let seeds = cells.clone();
        map.march(&self.cells, seeds.into_iter(), |cell| cells.push(cell));
        cells.sort_unstable();
        cells.dedup();
        for &cell in &cells {
            self.directions[cell] = map.direction(&self.cells, cell);
            fast_marching::neighbors(&self.cells, cell, |other, _| {
                self.directions[other] = map.direction(&self.cells, other)
            });
        }
        cells.len()
    }

    /// The direction at `p` (length): up to 1 long, the fraction of max_speed to go with; `None`
    /// where the field has no direction.
    ///
    /// Between the middles of cells directions are interpolated linearly, without the cells that an
    /// obstacle separates from the cell of `p`.
    /// - Given vectors: `None` outside the cells.
    /// - Distance maps: the length is 1, and 0 in the goal. Outside the cells the direction leads
    ///   back to them; within the clearance of an obstacle it turns away from it, the more the
    ///   nearer; `None` where there is no route to the goal. `obstacles` are those that the field
    ///   was built with.
    pub fn direction(&self, p: V, obstacles: Obstacles<'_, V>) -> Option<V> {
        self.direction_in(&Space::default(), p, obstacles)
    }

    /// [`direction`](Self::direction) in a space that may be wrapped.
    pub(crate) fn direction_in(
        &self,
        space: &Space<V>,
        p: V,
        obstacles: Obstacles<'_, V>,
    ) -> Option<V> {
        let p = self.image(space, p);
        let Some(map) = &self.map else {
            let mut sum = V::ZERO;
            if !self.cells.holds(p) {
                return None;
            }
            self.interpolate(self.cells.locate(p), |cell, weight| {
                sum += self.directions[cell] * weight
            });
            return Some(sum);
        };
        if !self.cells.holds(p) {
            return Some((self.cells.clamp(p) - p).unit());
        }
        let point = self.cells.locate(p);
        if map.flags[self.cells.index(point.home)] & BLOCKED == 0 {
            self.free_direction(map, point)
        } else {
            self.direction_near_obstacle(map, space, p, obstacles)
        }
    }

    /// `p`, or outside the cells of a field in a wrapped space its image nearest to their middle.
    #[inline(always)]
    fn image(&self, space: &Space<V>, p: V) -> V {
        if !space.wraps() || self.cells.holds(p) {
            return p;
        }
        let middle = (self.cells.low + self.cells.high()) * 0.5;
        middle + space.difference(space.wrapped(middle), space.wrapped(p))
    }

    /// The direction in a cell that is not blocked.
    fn free_direction(&self, map: &DistanceMap<V>, point: CellPoint) -> Option<V> {
        if map.distances[self.cells.index(point.home)] == f32::INFINITY {
            return None;
        }
        let mut sum = V::ZERO;
        self.interpolate(point, |cell, weight| sum += self.directions[cell] * weight);
        Some(sum.unit())
    }

    /// The direction in a blocked cell: that of the point one cell clear of the obstacle, turned
    /// out of the clearance, the more the deeper `p` is in it.
    #[inline(never)]
    fn direction_near_obstacle(
        &self,
        map: &DistanceMap<V>,
        space: &Space<V>,
        p: V,
        obstacles: Obstacles<'_, V>,
    ) -> Option<V> {
        let cell = self.cells.cell;
        let (_, obstacle, gap) = obstacles.nearest(space, p, map.clearance + cell)?;
        let out = obstacle.outward(space.image(obstacle.middle(), p));
        let point = self.cells.locate(p + out * (map.clearance + cell - gap));
        let depth = ((map.clearance - gap) / cell).clamp(0.0, 1.0);
        let clear = map.flags[self.cells.index(point.home)] & BLOCKED == 0;
        let free = clear.then(|| self.free_direction(map, point)).flatten();
        let Some(free) = free else { return Some(out) };
        Some(if depth == 0.0 { free } else { (free * (1.0 - depth) + out * depth).unit() })
    }

    /// The length of the shortest route from `p` to the goal (length); `None` without a route,
    /// within the clearance of an obstacle, and for given vectors.
    pub fn distance(&self, p: V) -> Option<f32> {
        self.distance_in(&Space::default(), p)
    }

    /// [`distance`](Self::distance) in a space that may be wrapped.
    pub(crate) fn distance_in(&self, space: &Space<V>, p: V) -> Option<f32> {
        let map = self.map.as_ref()?;
        let p = self.image(space, p);
        if !self.cells.holds(p) {
            return None;
        }
        let (mut sum, mut weights) = (0.0, 0.0);
        self.interpolate(self.cells.locate(p), |cell, weight| {
            if map.distances[cell] < f32::INFINITY {
                sum += map.distances[cell] * weight;
                weights += weight;
            }
        });
        (weights > 0.0).then(|| sum / weights * self.cells.cell)
    }

    /// Visits the cells whose middles surround a point, with their weights of linear interpolation;
    /// cells that an obstacle separates from the cell of the point are left out.
    #[inline(always)]
    fn interpolate(&self, point: CellPoint, mut visit: impl FnMut(usize, f32)) {
        let home = self.cells.index(point.home);
        // The bits of a corner's number are its axes; the entry is its cell, if it is reachable.
        let mut corners = [None; 8];
        corners[0] = Some(home);
        for corner in 0..1_usize << V::DIMENSION {
            let mut weight = 1.0;
            for axis in 0..V::DIMENSION {
                let (offset, bit) = (point.offset[axis], 1 << axis);
                weight *= if corner & bit == 0 { 1.0 - offset.abs() } else { offset.abs() };
                if corner & bit != 0 && offset != 0.0 && corners[corner].is_none() {
                    corners[corner] = corners[corner ^ bit]
                        .and_then(|from: usize| self.neighbor(from, axis, offset));
                }
            }
            if let Some(cell) = corners[corner] {
                visit(cell, weight);
            }
        }
    }

    /// The neighbor of a cell on this axis, on the side of the sign of `offset`, unless an obstacle
    /// separates the two.
    #[inline(always)]
    fn neighbor(&self, from: usize, axis: usize, offset: f32) -> Option<usize> {
        let stride = self.cells.stride(axis);
        let (to, lower) =
            if offset < 0.0 { (from - stride, from - stride) } else { (from + stride, from) };
        match &self.map {
            Some(map) if map.flags[lower] & 1 << axis != 0 || map.flags[to] & BLOCKED != 0 => None,
            _ => Some(to),
        }
    }

    /// The middles of the cells (length) and their directions, without cells whose direction is
    /// zero.
    pub fn cells(&self) -> impl Iterator<Item = (V, V)> + '_ {
        let directions =
            self.directions.iter().enumerate().filter(|(_, direction)| **direction != V::ZERO);
        directions
            .map(|(cell, direction)| (self.cells.middle(self.cells.coordinates(cell)), *direction))
    }

    /// The width of a cell (length).
    pub fn cell(&self) -> f32 {
        self.cells.cell
    }

    /// The corners of the box that the field covers (length).
    pub fn extent(&self) -> (V, V) {
        (self.cells.low, self.cells.high())
    }

    /// Whether the field leads to goals: true of distance maps, false of given vectors.
    pub fn has_goal(&self) -> bool {
        self.map.is_some()
    }
}
