//! What leaves a simulation: trajectories, pictures, animations, what happened in a run, and files
//! that are whole or not there.
//!
//! - [`Trajectory`] writes a row per agent and tick.
//! - [`Trails`] remembers where everybody went, in bounded memory; a [`Picture`] draws them, and
//!   the crowd as it stands now, as PNG or SVG.
//! - [`Animation`] is a GIF of the crowd as it moves; a [`ContactSheet`] has small pictures of many
//!   scenes.
//! - [`Tally`] counts what happens over a run, [`Overlaps`] the bodies that are where another is;
//!   [`Cells`] find who is near.
//! - [`output`] lists every file format that a run can be written in, and feeds all outputs of a
//!   run; a [`Summary`] says what happened in it.
//! - [`write_whole`] and [`WholeFile`] leave no half file behind.
//!
//! ```
//! use wayfare::{crowd::{Group, Setup, Spawn}, glam::vec2, Crowd};
//! use wayfare_record::{Picture, Trails, Trajectory};
//!
//! let group = Group::new("walkers", 1, Spawn::Points(vec![vec2(0.0, 0.5)]), 2.0);
//! let mut crowd = Crowd::new(Setup { groups: vec![group], ..Setup::default() })?;
//! let (mut rows, mut trails) = (Trajectory::new(Vec::new(), &crowd)?, Trails::new(&crowd));
//! rows.record(&crowd)?;
//! for _ in 0..2 {
//!     crowd.step();
//!     rows.record(&crowd)?;
//!     trails.record(&crowd);
//! }
//! assert!(rows.finish()?.starts_with(b"tick,time,id,group,x,y,vx,vy\n0,0,0,walkers,0,0.5,0,0\n"));
//! let png = Picture { title: "One walker", bounds: None, crowd: &crowd, trails: &trails, pointer: None }.png()?;
//! assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod animation;
pub mod cells;
pub mod csv;
pub mod error;
pub mod file;
mod moment;
mod number;
pub mod output;
pub mod overlaps;
pub mod picture;
pub mod strokes;
pub mod summary;
pub mod tally;
#[cfg(test)]
mod testing;
pub mod trails;

pub use animation::Animation;
pub use cells::Cells;
pub use csv::Trajectory;
pub use error::RecordError;
pub use file::{WholeFile, place_of, write_whole};
pub use overlaps::Overlaps;
pub use picture::{ContactSheet, Picture};
pub use strokes::strokes;
pub use summary::Summary;
pub use tally::Tally;
pub use trails::Trails;
