//! Measures of crowds while they run: N(t) and flow over a line, densities and speeds in an area,
//! evacuation curves, travel times, contacts, lanes, smoothness, motion, flocks.
//!
//! Each measure is one file of [`kind`]: its definition, its source, its described parameters and
//! its quantities with their units. Where PedPy has the measure, the definition is PedPy's
//! (PedPy 1.5, <https://pedpy.readthedocs.io>). A measure sees each tick once and keeps no
//! trajectories: at most the ticks that a centered difference needs.
//!
//! Positions are projected to the ground in space, as for lines of the library; path lengths,
//! smoothness, motion and flocks use all three coordinates. All sums are in `f64`, in the order of
//! the agents' ids: no result depends on threads or on the order of agents in memory.
//!
//! ```
//! use wayfare::prelude::*;
//! use wayfare_measure::{Measure, Measures, kind::Flow};
//!
//! let walkers =
//!     Group::new("walkers", 1, Spawn::point(vec2(0.0, 0.5)), 1.0).velocity(vec2(1.0, 0.0));
//! let setup = Setup::new(1.0).group(walkers);
//! let door = Measure::new("door", Flow::new(vec![vec2(2.5, 0.0), vec2(2.5, 1.0)]));
//! let mut measures = Measures::new(&[door], &setup)?;
//! let mut crowd = setup.crowd()?;
//! measures.record(&crowd);
//! for _ in 0..5 {
//!     crowd.step();
//!     measures.record(&crowd);
//! }
//! measures.finish(&crowd);
//! let rows = measures.take_rows();
//! let crossed = rows.iter().find(|row| row.quantity.name == "crossings" && row.value == 1.0);
//! assert_eq!(crossed.map(|row| row.tick), Some(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod area;
mod error;
mod frame;
pub mod kind;
mod line;
mod measure;
mod measures;
mod row;
mod shortest;
#[cfg(test)]
mod testing;
mod tree;
mod voronoi;
mod window;
mod world;

pub use error::MeasureError;
pub use measure::{Kinds, Measure};
pub use measures::{EndValue, Measures};
pub use row::{Per, Quantity, Row};
