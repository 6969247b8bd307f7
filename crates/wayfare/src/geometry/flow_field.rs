//! Fields of directions to follow: given as vectors, or made once from the distance to a goal round
//! obstacles, and shared by everybody who is bound for it.
//!
//! A distance map costs as much as its cells, whoever follows it: one serves a million agents (A.
//! Treuille, S. Cooper and Z. Popović, "Continuum crowds", SIGGRAPH 2006, of which this is the part
//! without the crowd). `march.rs` has the sources of how it is made and repaired.

use crate::geometry::obstacle::{Obstacle, Obstacles, Shape, bvh_of};
use crate::quantity::{LARGEST, Range, Unit};
use crate::spatial::bvh::Bvh;
use crate::spatial::space::{Bounds, Space};
use crate::vector::Vector;

mod cell_grid;
mod fast_marching;
mod rasterize;
#[cfg(test)]
mod tests;

use cell_grid::{CellGrid, Spot};
use rasterize::BLOCKED;

/// The most cells that a field has: some 70 MB in the plane.
pub const MOST_CELLS: usize = 4_000_000;

/// What the width of a cell may be.
pub const CELL: Range = Range::above_zero(Unit::Length);

/// What the clearance of a distance map may be.
pub const CLEARANCE: Range = Range::from_zero(Unit::Length);

/// What a field is made from: plain data, as it stands in a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldPlan<V> {
    /// Vectors as they are given: parts of the top speed, row by row from the corner with the
    /// smallest coordinates on, x fastest.
    Vectors {
        /// The corner of the first cell with the smallest coordinates (length); each vector stands
        /// in the middle of its cell.
        origin: V,
        /// How wide a cell is (length).
        cell: f32,
        /// How many cells a row has, along x.
        columns: u32,
        /// How many rows a layer has, along y; all of them in one layer, if it is left out.
        rows: Option<u32>,
        /// A vector for each cell; one that is longer than 1 counts as 1 long.
        vectors: Vec<V>,
    },
    /// The shortest ways to the goals, round what stands in the way.
    Toward {
        /// Where to: the nearest of them by the way there.
        goals: Vec<Shape<V>>,
        /// How wide a cell is (length).
        cell: f32,
        /// How far the ways keep from obstacles (length).
        clearance: f32,
        /// The corners of the box in which ways are looked for (length); the bounds of the world,
        /// if it is left out.
        area: Option<(V, V)>,
    },
}

/// What is wrong with a plan: the key it is about, what is there, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The key of the scene format: `"cell"`.
    pub key: &'static str,
    /// What is wrong.
    pub message: String,
    /// What is allowed.
    pub allowed: String,
}

impl core::fmt::Display for FieldError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}: {}; allowed: {}", self.key, self.message, self.allowed)
    }
}

impl std::error::Error for FieldError {}

impl<V: Vector> FieldPlan<V> {
    /// The first thing that is wrong with it, in a world with these bounds; shapes are not looked
    /// at.
    ///
    /// # Errors
    /// A number is beyond its range, there are too many cells, or not as many vectors as cells.
    pub fn check(&self, bounds: Option<&Bounds<V>>) -> Result<(), FieldError> {
        let wrong =
            |key, message: String, allowed: String| Err(FieldError { key, message, allowed });
        let finite = |p: V| (0..V::DIMENSION).all(|i| p.axis(i).abs() <= LARGEST);
        let number = |key, x: f32, range: Range| {
            if range.holds(x) {
                Ok(())
            } else {
                wrong(key, format!("`{key}` is {x}"), range.to_string())
            }
        };
        let few = |cells: f64, cell: f32| {
            let allowed = format!("a `cell` so wide that there are at most {MOST_CELLS}");
            if cells <= MOST_CELLS as f64 {
                Ok(())
            } else {
                wrong("cell", format!("`cell` is {cell}, which makes {cells:.0} cells"), allowed)
            }
        };
        match self {
            Self::Vectors { origin, cell, columns, rows, vectors } => {
                number("cell", *cell, CELL)?;
                if !finite(*origin) {
                    return wrong(
                        "origin",
                        format!("`origin` is {origin:?}"),
                        "coordinates from -1e9 to 1e9".to_string(),
                    );
                }
                if *columns == 0 {
                    return wrong(
                        "columns",
                        "`columns` is 0".to_string(),
                        "a whole number from 1".to_string(),
                    );
                }
                if *rows == Some(0) {
                    return wrong(
                        "rows",
                        "`rows` is 0".to_string(),
                        "a whole number from 1".to_string(),
                    );
                }
                let (count, layer) =
                    (vectors.len() as u64, u64::from(*columns) * u64::from(rows.unwrap_or(1)));
                let fits = if V::DIMENSION == 2 && rows.is_some() {
                    count == layer
                } else {
                    count > 0 && count.is_multiple_of(layer)
                };
                if !fits {
                    let whole = if rows.is_none() {
                        "whole rows of `columns`"
                    } else {
                        "`columns` times `rows`"
                    };
                    let layers =
                        if V::DIMENSION == 3 && rows.is_some() { ", for each layer" } else { "" };
                    return wrong(
                        "vectors",
                        format!("there are {count} vectors"),
                        format!("{whole}: parts of {layer}{layers}"),
                    );
                }
                if let Some(v) = vectors.iter().find(|v| !finite(**v)) {
                    return wrong(
                        "vectors",
                        format!("a vector is {v:?}"),
                        "coordinates from -1e9 to 1e9".to_string(),
                    );
                }
                few(vectors.len() as f64, *cell)
            }
            Self::Toward { goals, cell, clearance, area } => {
                number("cell", *cell, CELL)?;
                number("clearance", *clearance, CLEARANCE)?;
                if goals.is_empty() {
                    return wrong(
                        "goal",
                        "`goal` is empty".to_string(),
                        "at least one shape, such as { circle = { center = [100, 50], radius = 20 \
                         } }"
                        .to_string(),
                    );
                }
                let Some((low, high)) = area.or(bounds.map(|bounds| (bounds.min, bounds.max)))
                else {
                    let message = "there is no `area`, and the scene has no [bounds]".to_string();
                    return wrong(
                        "area",
                        message,
                        "an `area`, such as { min = [0, 0], max = [640, 480] }, or [bounds]"
                            .to_string(),
                    );
                };
                if !finite(low)
                    || !finite(high)
                    || (0..V::DIMENSION).any(|i| low.axis(i) >= high.axis(i))
                {
                    return wrong(
                        "area",
                        "`area` has no inside".to_string(),
                        "a box with a width on every axis, and coordinates from -1e9 to 1e9"
                            .to_string(),
                    );
                }
                few(CellGrid::counts(low, high, *cell).iter().product(), *cell)
            }
        }
    }
}

/// Directions in a box of the world, in cells: what [`follow_flow`](crate::behavior::follow_flow())
/// follows.
#[derive(Clone, Debug)]
#[doc(alias = "flow field")]
pub struct FlowField<V: Vector> {
    lattice: CellGrid<V>,
    /// What leads on from the middle of each cell, up to 1 long.
    directions: Vec<V>,
    /// What the directions were made from, if they lead to goals.
    map: Option<Map<V>>,
}

/// The distances to goals.
#[derive(Clone, Debug)]
struct Map<V: Vector> {
    goals: Vec<Obstacle<V>>,
    goal_tree: Bvh<V>,
    clearance: f32,
    /// What the survey says of each cell.
    flags: Vec<u8>,
    /// How far the goal is from each cell (cells); infinity where there is no way.
    values: Vec<f32>,
}

impl<V: Vector> FlowField<V> {
    /// The field that `plan` describes among these obstacles, in a world with these bounds. A map
    /// of a million cells takes about half a second.
    ///
    /// # Errors
    /// What is wrong with the plan.
    pub fn new(
        plan: &FieldPlan<V>,
        obstacles: Obstacles<'_, V>,
        bounds: Option<&Bounds<V>>,
    ) -> Result<Self, FieldError> {
        plan.check(bounds)?;
        Ok(Self::checked(plan, obstacles, bounds))
    }

    /// Vectors as they are given, parts of the top speed: `columns` in a row along x, in space
    /// `rows` in a layer along y. The first one stands in the middle of the cell at `origin`
    /// (length).
    ///
    /// # Errors
    /// A number is beyond its range, or there are not as many vectors as cells.
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

    /// The shortest ways to the nearest of `goals`, `clearance` clear of the obstacles, in the box
    /// from `low` to `high` in cells of the width `cell` (lengths).
    ///
    /// ```
    /// use wayfare::{geometry::flow_field::FlowField, glam::vec2, geometry::obstacle::{Obstacle, Obstacles, Shape}};
    /// let wall = [Obstacle::from(Shape::box_between(vec2(40.0, 0.0), vec2(50.0, 80.0)))];
    /// let door = Shape::Circle { center: vec2(90.0, 10.0), radius: 5.0 };
    /// let way = FlowField::toward(&[door], Obstacles::from(&wall), vec2(0.0, 0.0), vec2(100.0, 100.0), 2.0, 1.0)?;
    /// // Behind the wall: down, round its end, and no nearer to it.
    /// assert!(way.direction(vec2(30.0, 10.0), Obstacles::from(&wall)).unwrap().y > 0.9);
    /// assert!(way.distance(vec2(30.0, 10.0)).unwrap() > 145.0);
    /// # Ok::<(), wayfare::geometry::flow_field::FieldError>(())
    /// ```
    ///
    /// # Errors
    /// A number is beyond its range, or there are too many cells.
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

    /// The field of a plan that has been checked.
    pub(crate) fn checked(
        plan: &FieldPlan<V>,
        obstacles: Obstacles<'_, V>,
        bounds: Option<&Bounds<V>>,
    ) -> Self {
        match plan {
            FieldPlan::Vectors { origin, cell, columns, rows, vectors } => {
                let rows = rows.map_or(vectors.len() / *columns as usize, |rows| rows as usize);
                let counts = [*columns as usize, rows, vectors.len() / (*columns as usize * rows)];
                let directions = vectors.iter().map(|v| v.truncate(1.0)).collect();
                Self {
                    lattice: CellGrid { low: *origin, cell: *cell, counts },
                    directions,
                    map: None,
                }
            }
            FieldPlan::Toward { goals, cell, clearance, area } => {
                let (low, high) = area
                    .or(bounds.map(|bounds| (bounds.min, bounds.max)))
                    .unwrap_or((V::ZERO, V::ZERO));
                let lattice = CellGrid {
                    low,
                    cell: *cell,
                    counts: CellGrid::counts(low, high, *cell).map(|count| count as usize),
                };
                let goals: Vec<_> = goals.iter().cloned().map(Obstacle::from).collect();
                let cells = lattice.len();
                let map = Map {
                    goal_tree: bvh_of(&goals),
                    goals,
                    clearance: *clearance,
                    flags: vec![0; cells],
                    values: vec![f32::INFINITY; cells],
                };
                let mut field = Self { lattice, directions: vec![V::ZERO; cells], map: Some(map) };
                field.build(obstacles);
                field
            }
        }
    }

    fn build(&mut self, obstacles: Obstacles<'_, V>) {
        let Some(map) = &mut self.map else { return };
        map.survey(&self.lattice, self.lattice.whole(), obstacles);
        let sources: Vec<usize> =
            (0..map.flags.len()).filter(|&cell| map.flags[cell] & rasterize::SOURCE != 0).collect();
        map.march(&self.lattice, sources.into_iter(), &mut Vec::new());
        (0..)
            .zip(&mut self.directions)
            .for_each(|(cell, direction)| *direction = map.way(&self.lattice, cell));
    }

    /// Follows a change of the obstacles, which are now `obstacles`: `changed` are the boxes
    /// context what came, went, or was moved from and to. It becomes what it would be if it
    /// were made anew, to the bit, and only where that is something else it is worked on. Gives
    /// back how many cells that were.
    pub fn repair(&mut self, obstacles: Obstacles<'_, V>, changed: &[(V, V)]) -> usize {
        let Some(map) = &mut self.map else { return 0 };
        let (mut cells, mut before) = (Vec::new(), Vec::new());
        for &(low, high) in changed {
            // A change may cut cells off and block them, and come between the goal and those that
            // saw it.
            let span = self.lattice.touching(
                low,
                high,
                map.clearance + (rasterize::SEES + 1.0) * self.lattice.cell,
            );
            before.clear();
            before.extend(span.cells().map(|at| map.flags[self.lattice.index(at)]));
            map.survey(&self.lattice, span, obstacles);
            let indices = span.cells().map(|at| self.lattice.index(at));
            cells.extend(
                indices
                    .zip(&before)
                    .filter(|(cell, flags)| map.flags[*cell] != **flags)
                    .map(|(cell, _)| cell),
            );
        }
        let seeds = cells.clone();
        map.march(&self.lattice, seeds.into_iter(), &mut cells);
        cells.sort_unstable();
        cells.dedup();
        for &cell in &cells {
            self.directions[cell] = map.way(&self.lattice, cell);
            fast_marching::neighbors(&self.lattice, cell, |other, _| {
                self.directions[other] = map.way(&self.lattice, other)
            });
        }
        cells.len()
    }

    /// What leads on at `p`: a vector up to 1 long, the part of the top speed to go with; `None`
    /// where the field says nothing.
    ///
    /// Between the middles of cells it is interpolated linearly, by those that nothing cuts off
    /// from the cell of `p`.
    /// - Of vectors as they were given: outside the cells there is none.
    /// - Of a map the length is 1, and 0 in the goal. Outside the cells it leads back to them;
    ///   nearer to an obstacle than the clearance, away from it, the more the nearer; `None` where
    ///   there is no way to the goal. `obstacles` are those that it was made with.
    pub fn direction(&self, p: V, obstacles: Obstacles<'_, V>) -> Option<V> {
        self.direction_in(&Space::default(), p, obstacles)
    }

    pub(crate) fn direction_in(
        &self,
        space: &Space<V>,
        p: V,
        obstacles: Obstacles<'_, V>,
    ) -> Option<V> {
        let Some(map) = &self.map else {
            let mut sum = V::ZERO;
            if !self.lattice.holds(p) {
                return None;
            }
            self.around(self.lattice.spot(p), |cell, weight| sum += self.directions[cell] * weight);
            return Some(sum);
        };
        if !self.lattice.holds(p) {
            return Some((self.lattice.inside(p) - p).unit());
        }
        let spot = self.lattice.spot(p);
        if map.flags[self.lattice.index(spot.home)] & BLOCKED == 0 {
            self.free(map, spot)
        } else {
            self.along_wall(map, space, p, obstacles)
        }
    }

    /// The direction in a cell that is not blocked.
    fn free(&self, map: &Map<V>, spot: Spot) -> Option<V> {
        if map.values[self.lattice.index(spot.home)] == f32::INFINITY {
            return None;
        }
        let mut sum = V::ZERO;
        self.around(spot, |cell, weight| sum += self.directions[cell] * weight);
        Some(sum.unit())
    }

    /// The direction in a cell that is blocked: as it is a cell clear of the obstacle's surface,
    /// and out of the clearance, the more the deeper in.
    #[inline(never)]
    fn along_wall(
        &self,
        map: &Map<V>,
        space: &Space<V>,
        p: V,
        obstacles: Obstacles<'_, V>,
    ) -> Option<V> {
        let cell = self.lattice.cell;
        let (_, obstacle, gap) = obstacles.nearest(space, p, map.clearance + cell)?;
        let out = obstacle.way_out(space.image(obstacle.middle(), p));
        let spot = self.lattice.spot(p + out * (map.clearance + cell - gap));
        let deep = ((map.clearance - gap) / cell).clamp(0.0, 1.0);
        let clear = map.flags[self.lattice.index(spot.home)] & BLOCKED == 0;
        let Some(on) = clear.then(|| self.free(map, spot)).flatten() else { return Some(out) };
        Some(if deep == 0.0 { on } else { (on * (1.0 - deep) + out * deep).unit() })
    }

    /// How far the goal is from `p` by the way there (length); `None` where there is no way, within
    /// the clearance of an obstacle, and where the field has no goal.
    pub fn distance(&self, p: V) -> Option<f32> {
        let map = self.map.as_ref()?;
        if !self.lattice.holds(p) {
            return None;
        }
        let (mut sum, mut weights) = (0.0, 0.0);
        self.around(self.lattice.spot(p), |cell, weight| {
            if map.values[cell] < f32::INFINITY {
                sum += map.values[cell] * weight;
                weights += weight;
            }
        });
        (weights > 0.0).then(|| sum / weights * self.lattice.cell)
    }

    /// The cells whose middles are around a place, and how much each counts: those that nothing
    /// cuts off from the cell that the place is in.
    #[inline(always)]
    fn around(&self, spot: Spot, mut visit: impl FnMut(usize, f32)) {
        let home = self.lattice.index(spot.home);
        // For each corner, one bit an axis: whether it can be reached, and its cell.
        let mut corners = [None; 8];
        corners[0] = Some(home);
        for corner in 0..1_usize << V::DIMENSION {
            let mut weight = 1.0;
            for axis in 0..V::DIMENSION {
                let (off, bit) = (spot.off[axis], 1 << axis);
                weight *= if corner & bit == 0 { 1.0 - off.abs() } else { off.abs() };
                if corner & bit != 0 && off != 0.0 && corners[corner].is_none() {
                    corners[corner] =
                        corners[corner ^ bit].and_then(|from: usize| self.step(from, axis, off));
                }
            }
            if let Some(cell) = corners[corner] {
                visit(cell, weight);
            }
        }
    }

    /// The neighbor on this axis, on the side of `off`, if nothing is in between.
    #[inline(always)]
    fn step(&self, from: usize, axis: usize, off: f32) -> Option<usize> {
        let stride = self.lattice.stride(axis);
        let (to, lower) =
            if off < 0.0 { (from - stride, from - stride) } else { (from + stride, from) };
        match &self.map {
            Some(map) if map.flags[lower] & 1 << axis != 0 || map.flags[to] & BLOCKED != 0 => None,
            _ => Some(to),
        }
    }

    /// The middles of its cells (length), and what leads on from there; without those from where
    /// nothing does.
    pub fn cells(&self) -> impl Iterator<Item = (V, V)> + '_ {
        let directions =
            self.directions.iter().enumerate().filter(|(_, direction)| **direction != V::ZERO);
        directions.map(|(cell, direction)| {
            (self.lattice.middle(self.lattice.coordinates(cell)), *direction)
        })
    }

    /// The width of its cells (length).
    pub fn cell(&self) -> f32 {
        self.lattice.cell
    }

    /// The corners of the box that it covers (length).
    pub fn extent(&self) -> (V, V) {
        (self.lattice.low, self.lattice.high())
    }

    /// Whether it leads to goals.
    pub fn has_goal(&self) -> bool {
        self.map.is_some()
    }
}
