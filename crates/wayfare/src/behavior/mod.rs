//! The behaviors, one file each.
//!
//! A behavior consists of a function that returns a force in velocity units (desired velocity
//! minus velocity), a struct of described parameters, and an implementation of [`Steer`] that
//! calls the function with values from the crowd. A new behavior is a new file, its `mod` here, and
//! its entry in `registry/list.rs`. A parameter `radius` is the one in which neighbors count; other
//! distances have other names.

mod alignment;
mod arrive;
mod avoid_agents;
mod avoid_obstacles;
mod cohesion;
mod contain;
mod cross_line;
mod evade;
mod explore;
mod face;
mod flee;
mod flock;
mod follow_flow;
mod follow_leader;
mod follow_path;
mod follow_vehicle;
mod follow_wall;
mod forage;
mod formation;
mod herd;
mod hide;
mod interpose;
mod look_where_going;
mod match_heading;
mod match_velocity;
mod navigate;
mod offset_pursue;
mod pursue;
mod queue_along;
mod roam;
mod rules;
mod seek;
mod separation;
mod settle;
mod shadow;
mod social_force;
mod steer;
mod stop;
#[cfg(test)]
pub(crate) mod testing;
mod wander;

pub use rules::RuleForce;
pub(crate) use rules::{Rule, RulePass, Rules};
pub(crate) use steer::HostMotion;
pub use steer::Steer;

macro_rules! exports {
    (behaviors { $($behavior:ident($type:ty) $name:ident $method:tt)* } $($solvers:tt)*) => {
        $(pub use $name::*;)*
    };
}

behaviors!(exports);
