//! The viewer of Wayfare: every scene live, in a window and on a web page, from one source.
//!
//! [`Gallery`] is the application. `main.rs` opens it in a window, `web.rs` on a canvas of a page;
//! neither knows more than that. What is drawn of agents goes to the GPU by one call for all of
//! them (`swarm.rs`, the one module with unsafe code); all else is egui's.

mod camera;
mod catalog;
mod compare;
mod controls;
mod export;
mod files;
mod fire;
mod forces;
mod gallery;
mod ground;
mod heat;
mod help;
mod hold;
mod host;
mod live;
mod plots;
mod rewind;
mod settings;
mod share;
mod side;
mod states;
mod swarm;
#[cfg(test)]
mod testing;
mod text;
mod theme;
mod tour;
mod trails;
#[cfg(target_arch = "wasm32")]
mod web;

pub use gallery::{Gallery, Opening};
