//! Geometry that behaviors read: obstacles, paths and fields of directions.

pub mod flow_field;
pub mod obstacle;
pub mod path;
pub mod rotation;
