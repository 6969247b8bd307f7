//! The window or the web page that the viewer runs in; `services` has the functions that both
//! offer.

#[cfg(target_arch = "wasm32")]
pub(crate) mod page;
pub(crate) mod report;
pub(crate) mod services;
#[cfg(target_arch = "wasm32")]
pub(crate) mod web;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod window;
