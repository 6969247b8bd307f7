//! Spatial indices and queries: the neighbor grid, the bounding volume hierarchy, neighbors with
//! their order-free sums, the center of a group, bounds and wrapping.

pub(crate) mod bvh;
pub(crate) mod grid;
pub mod group_center;
pub mod neighbor_grid;
pub mod neighbors;
pub mod space;
