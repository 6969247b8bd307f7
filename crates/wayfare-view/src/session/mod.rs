//! A running scene without a screen: the crowd, its log, undo, history, comparison and measures.
//! Nothing here depends on egui or on the rest of the viewer.

pub(crate) mod agent_settings;
pub(crate) mod catalog;
pub(crate) mod comparison;
pub(crate) mod dimension;
pub(crate) mod draft_commands;
pub(crate) mod edit;
pub(crate) mod explanation;
pub(crate) mod export;
pub(crate) mod fire;
pub(crate) mod geometry;
pub(crate) mod link;
pub(crate) mod measures;
pub(crate) mod open;
pub(crate) mod picking;
pub(crate) mod playback;
pub(crate) mod scene;
pub(crate) mod states;
pub(crate) mod time_series;
pub(crate) mod timeline;
pub(crate) mod trails;
pub(crate) mod traits;
