//! Geometry that behaviors read: obstacles, paths, flow fields, visibility and explored grids; and
//! shortest ways round obstacles.

pub mod explored;
pub mod flow_field;
#[cfg(feature = "navigation")]
pub mod navmesh;
pub mod obstacle;
pub mod path;
pub mod visibility;
