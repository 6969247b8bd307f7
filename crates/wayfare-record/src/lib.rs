//! Outputs of a simulation: trajectories, pictures, animations, summaries, and files that appear
//! whole or not at all.
//!
//! - [`rows`] reads and converts trajectories: files of a row per agent and tick.
//! - [`Trails`] keeps the positions of a run in bounded memory; a [`Picture`] draws them and the
//!   present state of the crowd, as PNG or SVG.
//! - [`Animation`] writes a GIF of the moving crowd; a [`ContactSheet`] has small pictures of many
//!   scenes.
//! - [`RunCounters`] counts the events of a run, [`Overlaps`] the overlapping bodies; a
//!   [`PointGrid`] finds neighbors without the crowd's own grid.
//! - [`output`] lists the file formats of a run, and writes all requested ones while it runs; a
//!   [`Summary`] describes the run.
//! - [`measure_table`] writes what measures give, [`table`] the results of many runs.
//! - A [`Report`] is a page of a run, with its picture, a player and plots.
//! - [`write_whole`] and [`WholeFile`] never leave a half-written file.
//!
//! ```
//! use wayfare::prelude::*;
//! use wayfare_record::{Picture, Trails};
//!
//! let group = Group::new("walkers", 1, Spawn::point(vec2(0.0, 0.5)), 2.0);
//! let mut crowd = Setup::new(1.0).group(group).crowd()?;
//! let mut trails = Trails::new(&crowd);
//! for _ in 0..2 {
//!     crowd.step();
//!     trails.record(&crowd);
//! }
//! let title = "One walker";
//! let (bounds, pointer, presentation) = (None, None, None);
//! let picture = Picture { title, bounds, crowd: &crowd, trails: &trails, pointer, presentation };
//! assert!(picture.png()?.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod animation;
pub mod counters;
pub mod destination;
pub mod error;
pub mod field_arrows;
mod frame_data;
pub mod measure_table;
mod number;
pub mod output;
pub mod overlaps;
pub mod picture;
pub mod point_grid;
pub mod report;
pub mod rows;
pub mod summary;
pub mod table;
#[cfg(test)]
mod testing;
pub mod trails;
pub mod whole_file;

pub use animation::Animation;
pub use counters::RunCounters;
pub use destination::Destination;
pub use error::RecordError;
pub use field_arrows::{ShownField, field_arrows};
pub use overlaps::Overlaps;
pub use picture::{ContactSheet, Picture};
pub use point_grid::PointGrid;
pub use report::Report;
pub use summary::Summary;
pub use trails::Trails;
pub use whole_file::{WholeFile, resolved_path, write_whole};
