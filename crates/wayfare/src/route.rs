//! The routes of single agents, as behaviors, conditions and callers read them.

use glam::Vec2;

/// The state of an agent's route to its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum RouteState {
    /// The agent waits for its first search, or after a change for another one since the last found
    /// no route.
    Waiting,
    /// There is a route. It may be that of an earlier search, while the agent waits for a new one.
    Known,
    /// The last search found no route.
    Unreachable,
}

/// The point that an agent steers for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The point (length): beside the next corner of the route, or the target.
    pub point: Vec2,
    /// Whether it is the target, or the nearest free point to it: an agent may slow down there.
    pub is_target: bool,
    /// The length of the route that is left (length); while the first search is not made, that of
    /// the straight line.
    pub left: f32,
}

/// The route of an agent at this tick, as [`navigate`](crate::behavior::Navigate) reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurrentRoute<'a> {
    /// Whether there is a route.
    pub state: RouteState,
    /// The point to steer for; `None` if the target is unreachable.
    pub aim: Option<Aim>,
    /// The remaining corners of the route and the target (length); none while the first search is
    /// not made, and if the target is unreachable.
    pub points: &'a [Vec2],
}
