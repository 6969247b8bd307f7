//! The viewer of Wayfare: every scene live, in a window and on a web page, from one source.
//!
//! Each module depends only on those before it in this list:
//!
//! - `session`: a running scene without a screen;
//! - `render`: drawing of a session;
//! - `platform`: the window or page, and the `services` of either;
//! - `action`: what a user can ask for;
//! - `panels`: the parts of the screen. Each takes what it shows and returns actions;
//! - `app`: [`Gallery`], the state of the viewer and the one reducer of actions;
//! - `player`: recorded trajectories, in a window of their own;
//! - `platform::window` and `platform::web`: the entry points.
//!
//! All agents are drawn by one GPU call (`render/gpu_agents.rs`, the one module with unsafe code);
//! egui draws everything else.

mod action;
mod app;
mod opening;
mod panels;
mod platform;
#[cfg(not(target_arch = "wasm32"))]
mod player;
mod render;
mod session;

pub use app::Gallery;
pub use opening::Opening;
#[cfg(not(target_arch = "wasm32"))]
pub use platform::window::{open_player, open_window};
