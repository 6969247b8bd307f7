//! Spatial indices and queries: the neighbor grid, the bounding volume hierarchy, neighbors with
//! their order-free sums, visibility, explored grids, bounds and wrapping.

pub(crate) mod bvh;
pub mod explored;
pub(crate) mod grid;
pub mod neighbors;
pub mod space;
pub mod visibility;
