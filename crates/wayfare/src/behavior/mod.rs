//! The behaviors, one file each.
//!
//! A behavior consists of a function that returns a force in velocity units (desired velocity
//! minus velocity), a struct of described parameters, and an implementation of [`Steer`] that
//! calls the function with values from the crowd. A new behavior is a new file and one line in
//! `registry/list.rs`.

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

pub use alignment::{Alignment, alignment};
pub use arrive::{Arrive, SlowingRadius, arrive};
pub use avoid_agents::{AvoidAgents, avoid_agents};
pub use avoid_obstacles::{AvoidObstacles, Clearance, Probe, avoid_obstacles};
pub use cohesion::{Cohesion, cohesion};
pub use contain::{Contain, contain};
pub use cross_line::{CrossLine, LineSide, cross_line};
pub use evade::{Evade, evade};
pub use explore::{Explore, explore};
pub use face::{Face, face};
pub use flee::{Flee, flee};
pub use flock::{Flock, flock};
pub use follow_flow::{FollowFlow, follow_flow};
pub use follow_leader::{FollowLeader, WithoutLeader, follow_leader};
pub use follow_path::{AtEnd, FollowPath, PathStart, Tracking, follow_path};
pub use follow_vehicle::{FollowVehicle, follow_vehicle};
pub use follow_wall::{FollowWall, follow_wall};
pub use forage::{Forage, forage};
pub use formation::{Formation, FormationShape, assign, formation, formation_slot};
pub use herd::{Herd, herd};
pub use hide::{Hide, hide};
pub use interpose::{Interpose, interpose};
pub use look_where_going::{LookWhereGoing, look_where_going};
pub use match_heading::{MatchHeading, match_heading};
pub use match_velocity::{MatchVelocity, match_velocity};
pub use navigate::{Choose, Navigate, QueueLength, RouteClearance, navigate};
pub use offset_pursue::{OffsetPursue, offset_pursue};
pub use pursue::{Prediction, Pursue, pursue};
pub use queue_along::{QueueAlong, queue_along, queue_place};
pub use roam::{Roam, roam, roam_target};
pub use seek::{Seek, seek};
pub use separation::{Falloff, Separation, separation};
pub use settle::{Settle, settle};
pub use shadow::{Shadow, shadow};
pub use social_force::{SocialForce, SocialForcePreset, social_force};
pub use steer::Steer;
pub use stop::{Stop, stop};
pub use wander::{Wander, wander};
