//! Crowds of [Wayfare](wayfare) in Bevy: entities steer by lists of behaviors, with the same bits
//! on every machine.
//!
//! ```
//! use bevy_app::{App, Startup};
//! use bevy_ecs::prelude::*;
//! use bevy_math::prelude::*;
//! use bevy_transform::prelude::*;
//! use bevy_wayfare::prelude::*;
//!
//! fn spawn(mut commands: Commands) {
//!     let list = List::default().with(Arrive::new(Target::Order));
//!     let guard = Steer2d::new("guards", 2.0, list);
//!     commands.spawn((
//!         guard,
//!         Transform::from_xyz(1.0, 0.0, 0.0),
//!         SteerTarget::Point(Vec3::new(9.0, 0.0, 0.0)),
//!     ));
//! }
//!
//! let mut app = App::new();
//! app.add_plugins(WayfarePlugin::plane()).add_systems(Startup, spawn);
//! app.update();
//! ```
//!
//! An entity with [`Steer`] is an agent of the crowd, which is the resource [`WayfareCrowd`]. The
//! plugin steps it in `FixedUpdate`: [`WayfareSystems::Read`] sends to the crowd what has changed,
//! [`WayfareSystems::Step`] steps it, and [`WayfareSystems::Write`] writes transforms, velocities
//! and states, and triggers events. Without an app, [`init`] and [`step`] do the same in a `World`.

// The queries of systems are types.
#![allow(clippy::type_complexity)]

mod components;
mod crowd;
mod events;
#[cfg(feature = "gizmos")]
mod gizmos;
mod inbox;
mod plane;
mod plugin;
mod query;
mod read;
mod save;
#[cfg(feature = "scenes")]
mod scene;
mod surroundings;
mod threads;
mod write;

pub use components::{
    DesiredVelocity, FlowGoal, FormationOf, FromSetup, Frozen, Limits, Obstacle, Steer, Steer2d,
    Steer3d, SteerPath, SteerState, SteerTarget, SteeringId, Team, Velocity,
};
pub use crowd::WayfareCrowd;
pub use events::{
    Arrived, Crossed, Left, Refused, ReplayRefused, StateChanged, Stuck, TargetLost, Touched,
    Unreachable,
};
#[cfg(feature = "gizmos")]
pub use gizmos::{ShowSteering, draw_agent};
pub use plane::{Dimension, Plane};
pub use plugin::{PluginError, WayfarePlugin, WayfareSystems, init, step};
pub use query::{Wayfare, Who};
pub use save::{Saved, restore, save};
#[cfg(feature = "scenes")]
pub use scene::{
    SceneDimension, SceneFile, SceneRefused, SceneStarted, SteerFile, SteerFrom, SteerFrom2d,
    SteerFrom3d, WayfareScene, WayfareScenePlugin,
};
pub use wayfare;

/// The items that most apps use, with the behaviors and lists of the library.
pub mod prelude {
    pub use wayfare::behavior::*;
    pub use wayfare::crowd::{Distribution, Group, Setup};
    pub use wayfare::parameter::Target;
    pub use wayfare::solve::{DampWhen, Orca, Pedestrian, Queue};
    pub use wayfare::{GroupId, List, PathId};

    #[cfg(feature = "gizmos")]
    pub use crate::ShowSteering;
    pub use crate::{
        DesiredVelocity, FlowGoal, FormationOf, Frozen, Limits, Obstacle, Plane, Steer, Steer2d,
        Steer3d, SteerPath, SteerState, SteerTarget, SteeringId, Team, Velocity, Wayfare,
        WayfareCrowd, WayfarePlugin, WayfareSystems, Who,
    };
    #[cfg(feature = "scenes")]
    pub use crate::{SteerFrom2d, SteerFrom3d, WayfareScene, WayfareScenePlugin};
}
