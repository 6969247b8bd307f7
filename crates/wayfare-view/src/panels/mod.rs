//! The panels around the picture.

pub(crate) mod controls;
pub(crate) mod files;
pub(crate) mod help;
pub(crate) mod plots;
pub(crate) mod settings;
pub(crate) mod side;
pub(crate) mod state_graph;
pub(crate) mod text;
pub(crate) mod timeline;
pub(crate) mod tour;
