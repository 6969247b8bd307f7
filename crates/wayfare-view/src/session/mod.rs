//! A running scene without a screen: the crowd, its log, undo, history, comparison and measures.

pub(crate) mod catalog;
pub(crate) mod comparison;
pub(crate) mod drag;
pub(crate) mod export;
pub(crate) mod fire;
pub(crate) mod link;
pub(crate) mod scene;
