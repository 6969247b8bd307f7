//! The parts of the screen. Each takes what it shows and returns actions; none changes a scene.

pub(crate) mod agent;
pub(crate) mod buttons;
pub(crate) mod canvas;
pub(crate) mod control_bar;
pub(crate) mod files;
pub(crate) mod help;
pub(crate) mod keys;
pub(crate) mod layout;
pub(crate) mod plots;
pub(crate) mod problem_page;
pub(crate) mod row;
pub(crate) mod scene_list;
pub(crate) mod settings;
pub(crate) mod side_panel;
pub(crate) mod state_graph;
pub(crate) mod text;
pub(crate) mod timeline;
pub(crate) mod title_bar;
pub(crate) mod tour;
