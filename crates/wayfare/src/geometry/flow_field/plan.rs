//! The description of a flow field, its validation, and bounds on what building it costs.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::DistanceMap;
use super::cell_grid::CellGrid;
use super::fast_marching::QUEUE_BYTES;
use crate::geometry::obstacle::{Obstacle, Obstacles, Shape, bvh_of};
use crate::quantity::{LARGEST, Range, Unit};
use crate::spatial::space::Bounds;
use crate::vector::{Up, Vector};

/// The largest number of cells of a field: about 52 MB in the plane, and up to 116 MB while it is
/// built; see [`FieldPlan::bytes`].
pub const MOST_CELLS: usize = 4_000_000;

/// The allowed widths of a cell.
pub const CELL: Range = Range::above_zero(Unit::Length);

/// The allowed clearances of a distance map.
pub const CLEARANCE: Range = Range::from_zero(Unit::Length);

/// The description of a field: plain data, as in a scene.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum FieldPlan<V> {
    /// Given vectors, as fractions of max_speed: row by row from the corner with the smallest
    /// coordinates, x fastest, then the other axis of the ground, then the up axis.
    Vectors {
        /// The corner of the first cell with the smallest coordinates (length); each vector is the
        /// direction at the middle of its cell.
        origin: V,
        /// The width of a cell on every axis (length).
        cell: f32,
        /// The number of cells of a row, along x.
        columns: u32,
        /// The number of rows of a layer, along the other axis of the ground (y, or z with y up);
        /// `None` puts all rows into one layer.
        rows: Option<u32>,
        /// A vector for each cell; longer vectors are shortened to length 1.
        vectors: Vec<V>,
    },
    /// The directions of the shortest routes to the goals around obstacles.
    Toward {
        /// The goals; the one with the shortest route counts.
        goals: Vec<Shape<V>>,
        /// The width of a cell on every axis (length).
        cell: f32,
        /// The distance that routes keep from obstacles (length).
        clearance: f32,
        /// The corners of the box that routes stay in (length); `None` is the bounds of the world.
        area: Option<(V, V)>,
    },
}

/// An invalid value of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The key in the scene format, such as `"cell"`.
    pub key: &'static str,
    /// The problem, with the value found.
    pub message: String,
    /// The allowed values.
    pub allowed: String,
}

impl core::fmt::Display for FieldError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}: {}; allowed: {}", self.key, self.message, self.allowed)
    }
}

impl core::error::Error for FieldError {}

impl<V: Vector> FieldPlan<V> {
    /// Validates the plan for a world with these bounds, except its shapes.
    ///
    /// # Errors
    /// The first problem: a number outside its range, more than [`MOST_CELLS`] cells, or a number
    /// of vectors that does not match the number of cells.
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
                    let message = "there is no `area`, and there are no `bounds`".to_string();
                    return wrong(
                        "area",
                        message,
                        "an `area`, such as { min = [0, 0], max = [640, 480] }, or `bounds`"
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

    /// An upper bound on the memory of the field (bytes), including what building it takes for a
    /// while: 29 bytes per cell of a distance map in the plane, 33 in space. It does not allocate.
    pub fn bytes(&self, bounds: Option<&Bounds<V>>) -> u64 {
        let vector = size_of::<V>() as u64;
        match self {
            Self::Vectors { vectors, .. } => FIELD_BYTES + vectors.len() as u64 * vector,
            // A direction, flags, a distance, and the queue.
            Self::Toward { goals, cell, area, .. } => {
                let (low, high) = area_of(*area, bounds);
                let cells = CellGrid::counts(low, high, *cell).iter().product::<f64>() as u64;
                let goals = goals.iter().map(goal_bytes).sum::<u64>();
                cells
                    .saturating_mul(vector + 1 + 4 + QUEUE_BYTES)
                    .saturating_add(goals + FIELD_BYTES)
            }
        }
    }

    /// Whether a route to a goal can exist: some cell at a goal is inside the area and clear of
    /// `obstacles`, in a world with this up axis. Always true of given vectors.
    ///
    /// The test stops at the first such cell, and after [`MOST_CELLS_TESTED`] cells assumes that
    /// there is one: it never costs as much as building the field.
    pub fn has_free_goal(
        &self,
        obstacles: &[Obstacle<V>],
        bounds: Option<&Bounds<V>>,
        up: Up,
    ) -> bool {
        let Self::Toward { goals, cell, clearance, area } = self else { return true };
        let (low, high) = area_of(*area, bounds);
        let cells = CellGrid::new(low, high, *cell);
        let map = DistanceMap::new(goals, *clearance, 0, up);
        let bvh = bvh_of(obstacles);
        map.finds_free_source(&cells, Obstacles::indexed(obstacles, &bvh), MOST_CELLS_TESTED)
    }
}

/// Bytes of a field without cells.
const FIELD_BYTES: u64 = 1_024;

/// An upper bound on the memory of a goal (bytes): as an obstacle, and in the tree over the goals.
fn goal_bytes<V: Vector>(goal: &Shape<V>) -> u64 {
    let corners = if let Shape::Polygon { points } = goal { points.len() } else { 0 };
    (2 * size_of::<Obstacle<V>>() + 512 + 128 * corners) as u64
}

/// The largest number of cells that [`FieldPlan::has_free_goal`] tests.
pub const MOST_CELLS_TESTED: usize = 10_000;

/// The corners of the box that a field covers.
pub(super) fn area_of<V: Vector>(area: Option<(V, V)>, bounds: Option<&Bounds<V>>) -> (V, V) {
    area.or(bounds.map(|bounds| (bounds.min, bounds.max))).unwrap_or_default()
}
