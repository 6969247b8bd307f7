//! Geometry that behaviors read: obstacles, paths, flow fields, visibility and
//! explored grids.

pub mod explored;
pub mod flow_field;
pub mod obstacle;
pub mod path;
pub mod visibility;
