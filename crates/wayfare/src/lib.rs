//! Steering behaviors for autonomous characters, in 2D and 3D: from one guard on patrol to a
//! doorway crowd and a million birds.
//!
//! The goals, in order of importance:
//! 1. Each formula exists once, readable beside its source, and every interface uses it.
//! 2. The same scene gives the same bits, for any order of agents in memory, debug or release, on
//!    any platform.
//! 3. Speed close to the hardware's limit, at a cost that grows linearly with the crowd.
//! 4. Invalid input is explained and never panics; [`Steering`] explains by debug assertions.
//!
//! # A tour
//! - `use wayfare::prelude::*;` has the names that most programs need: see [`prelude`].
//! - One behavior alone: the functions of [`behavior`] take any [`Host`] and return a force.
//! - Several on your own types: [`Steering`], the manager of the tutorials, with a [`Memory`]
//!   beside it. It has weights, priority lists, and forces for a physics engine.
//! - A whole crowd: [`crowd::Setup`] describes the world, [`Crowd`] steps it and answers queries
//!   such as [`nearest`](Crowd::nearest).
//! - A behavior of your own: implement [`Steer`](behavior::Steer), and put it into a list by
//!   [`Behavior::own`]; a [`Registry`] makes it known to scene files by name. A velocity solver
//!   implements [`Solve`](solve::Solve).
//!
//! # Features
//! - `plane` (default) and `space`: vectors of 2D, [`glam::Vec2`], and of 3D, [`glam::Vec3`]. Each
//!   compiles the crowds of its dimension, most of the build; at least one is needed.
//! - `std` (default): without it the library needs `core` and `alloc` alone, for consoles and
//!   microcontrollers, and gives the same bits. Missing are the features below; [`Crowd`] is
//!   `Send` and not `Sync`, does not catch panics of your behaviors, and uses AVX2 or AVX-512 only
//!   where the program is compiled for them.
//! - `parallel`: `Crowd::set_threads` shares a step between threads.
//! - `navigation`: `geometry::navmesh`, shortest ways round obstacles in the plane.
//! - `serde`: `Serialize` and `Deserialize` for [`crowd::Setup`] and everything in it, [`Agent`],
//!   [`crowd::Command`], [`crowd::Event`] and the ids. Numbers that may be infinite are `"inf"` in
//!   formats for people, as JSON has no infinity. Behaviors are written by name and parameters;
//!   your own are read through `Registry::reading`.
//!
//! # Units
//! Lengths and times are in units of your choice; speeds are length / time. A force is in
//! velocity units, desired velocity minus velocity, and the mass is a reaction time: a lone
//! `desired - v` is approached with the time constant m. The classic setting counts pixels and
//! frames (dt = 1, mass 20), a crowd of people metres and seconds (mass 0.5).
//!
//! ```
//! use wayfare::{
//!     Agent,
//!     behavior::{arrive, flee},
//!     glam::vec2,
//! };
//! let guard = Agent::new(vec2(0.0, 0.0), 3.0);
//! let force =
//!     arrive(&guard, vec2(100.0, 0.0), 50.0) + flee(&guard, vec2(0.0, 10.0), 40.0) * 0.5;
//! assert_eq!(force, vec2(3.0, -1.5));
//! ```

#![cfg_attr(not(test), no_std)]
// Tests have `std` anyway.
#![cfg_attr(all(test, not(feature = "std")), allow(dead_code, unused_imports))]
#![deny(clippy::alloc_instead_of_core, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

#[cfg(not(any(test, feature = "plane", feature = "space")))]
compile_error!(
    "the crate `wayfare` needs the feature `plane` (2D, on by default), `space` (3D) or both"
);

#[macro_use]
extern crate alloc;
#[cfg(all(feature = "std", not(test)))]
extern crate std;

pub use glam;

// First, as other modules are made from its list.
#[macro_use]
pub mod registry;

pub mod agent;
pub mod annotation;
pub mod behavior;
pub mod combine;
pub mod context;
pub mod crowd;
#[cfg(feature = "serde")]
mod encoding;
pub mod geometry;
pub mod id;
pub mod log;
pub mod order;
pub mod parameter;
mod platform;
pub mod prelude;
pub mod quantity;
pub mod random;
pub mod route;
mod row_index;
pub mod simd;
pub mod solve;
pub mod spatial;
pub mod steering;
mod threads;
pub mod vector;

pub use agent::{Agent, Host, Memory, Steerable};
pub use combine::{Combine, List};
pub use context::{AgentView, Shared, SteerContext};
pub use crowd::Crowd;
pub use id::{AgentId, ExitId, FieldId, GroupId, LineId, ObstacleId, PathId, SourceId, StateId};
pub use log::Log;
pub use order::{Order, WithoutOrder};
pub use registry::{Behavior, Registry};
pub use spatial::neighbors::Neighbors;
pub use steering::Steering;
pub use vector::Vector;

/// Compiles and runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Compiles and runs the example of the page on snapshots.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/snapshots.md")]
struct Snapshots;

/// Compiles and runs the example of the page on conventions.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/conventions.md")]
struct Conventions;

/// Compiles and runs the examples of the page on games.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/in-your-game.md")]
struct InYourGame;
