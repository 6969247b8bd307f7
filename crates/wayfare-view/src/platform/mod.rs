//! The window or the web page that the viewer runs in.

pub(crate) mod host;
#[cfg(target_arch = "wasm32")]
pub(crate) mod web;
