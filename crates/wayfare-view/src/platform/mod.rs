//! The window or the web page that the viewer runs in: `host` is what the viewer asks of either.

pub(crate) mod host;
#[cfg(target_arch = "wasm32")]
pub(crate) mod page;
pub(crate) mod report;
#[cfg(target_arch = "wasm32")]
pub(crate) mod web;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod window;
