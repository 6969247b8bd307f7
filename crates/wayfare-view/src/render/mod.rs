//! Drawing of a session: ground, agents, forces, trails, heat map, colors and camera.

pub(crate) mod camera;
pub(crate) mod display;
pub(crate) mod forces;
pub(crate) mod gpu_agents;
pub(crate) mod ground;
pub(crate) mod heat;
pub(crate) mod picture;
pub(crate) mod theme;
pub(crate) mod trails;
