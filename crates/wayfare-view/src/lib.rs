//! The viewer of Wayfare: every scene live, in a window and on a web page, from one source.
//!
//! [`Gallery`] is the application. `main.rs` opens it in a window, `platform/web.rs` on a canvas
//! of a page. Agents are drawn by one GPU call for all of them (`render/gpu_agents.rs`, the one
//! module with unsafe code); egui draws everything else.

mod app;
mod panels;
mod platform;
mod render;
mod session;

pub use app::{Gallery, Opening};
