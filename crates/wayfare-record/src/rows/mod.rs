//! Trajectories as rows, an agent at a tick each, which all formats of trajectories are written
//! from and read into.
//!
//! [`Header`] says what a file tells of all its rows, and which of the values of a [`Row`] it has.
//! [`read`] reads a file, [`convert`] writes it in another format, and [`Frames`] keeps it in
//! memory.

#[cfg(not(target_arch = "wasm32"))]
mod convert;
mod crowd;
mod frames;
mod names;
pub mod read;
pub(crate) mod write;

#[cfg(not(target_arch = "wasm32"))]
pub use convert::{Conversion, ConvertError, convert};
pub(crate) use crowd::CrowdRows;
pub use frames::{FrameRow, Frames, Ring, rings};
pub use names::Names;

/// An agent at a tick. A value that the file does not have is 0, and a position in the plane has
/// the z of 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row {
    /// The tick.
    pub tick: u64,
    /// The time (time).
    pub time: f64,
    /// The id of the agent.
    pub id: u32,
    /// The index of the name of its group in [`Names::groups`].
    pub group: u32,
    /// The index of the name of its state in [`Names::states`], if it is in one.
    pub state: Option<u32>,
    /// Its position (length).
    pub position: [f64; 3],
    /// Its velocity (length / time).
    pub velocity: [f64; 3],
    /// The radius of its body (length).
    pub radius: f64,
    /// Its facing (unit vector).
    pub facing: [f64; 3],
}

/// The values of a [`Row`] that a file has, besides tick, id, group and position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Whether rows have names of groups.
    pub group: bool,
    /// Whether rows have velocities.
    pub velocity: bool,
    /// Whether rows have radii.
    pub radius: bool,
    /// Whether rows have facings.
    pub facing: bool,
    /// Whether rows have states.
    pub state: bool,
}

/// The metadata of a file, which hold for all its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The number of axes: 2 or 3.
    pub dimension: usize,
    /// The values that rows have.
    pub columns: Columns,
    /// The length of a tick (time); none if the file does not tell it.
    pub dt: Option<f64>,
    /// Rows are of ticks that are multiples of this number; none if the file does not tell it.
    pub every: Option<u64>,
    /// Whether all numbers have single precision.
    pub single: bool,
    /// The metadata of the run, by keys such as `scene` and `seed`.
    pub about: Vec<(String, String)>,
    /// The walkable area as WKT, each from its tick on.
    pub areas: Vec<(u64, String)>,
}

impl Header {
    /// The frame of a tick: the number of the written ticks before it, from tick 0 on.
    pub(crate) fn frame(&self, tick: u64) -> u64 {
        tick / self.every.unwrap_or(1).max(1)
    }

    /// Frames per unit of time; none if the length of a tick is unknown.
    pub(crate) fn rate(&self) -> Option<f64> {
        Some(1.0 / (self.dt? * self.every.unwrap_or(1).max(1) as f64))
    }
}
