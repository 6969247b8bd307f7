//! The events of agents, as events of their entities: `world.add_observer(|arrived: On<Arrived>|
//! …)` hears all of them, `entity.observe(…)` those of one.

use bevy_ecs::entity::Entity;
use bevy_ecs::event::{EntityEvent, Event};
use wayfare::StateId;

/// The agent has arrived at its target, or at the end of its path.
#[derive(Clone, Copy, Debug, EntityEvent, PartialEq, Eq)]
pub struct Arrived {
    /// The agent.
    pub entity: Entity,
}

/// The agent has a target, and has been slower than a twentieth of its max_speed for a second.
#[derive(Clone, Copy, Debug, EntityEvent, PartialEq, Eq)]
pub struct Stuck {
    /// The agent.
    pub entity: Entity,
}

/// The agent has changed its state, one of those of its group.
#[derive(Clone, Copy, Debug, EntityEvent, PartialEq, Eq)]
pub struct StateChanged {
    /// The agent.
    pub entity: Entity,
    /// The state that it has left.
    pub from: StateId,
    /// The state that it has entered.
    pub to: StateId,
}

/// The agent has crossed a line of the crowd's setup.
#[derive(Clone, Copy, Debug, EntityEvent, PartialEq, Eq)]
pub struct Crossed {
    /// The agent.
    pub entity: Entity,
    /// The line.
    pub line: wayfare::LineId,
    /// Whether it is to the left of the line now.
    pub to_left: bool,
}

/// The body of the agent has begun to touch that of another; only groups with `contacts`.
#[derive(Clone, Copy, Debug, EntityEvent, PartialEq, Eq)]
pub struct Touched {
    /// The agent with the lower id.
    pub entity: Entity,
    /// The other agent.
    pub other: Entity,
}

/// The agent has left the crowd by an exit or a transition; then its [`Steer`](crate::Steer) is
/// removed, or an entity that the plugin has spawned.
#[derive(Clone, Copy, Debug, EntityEvent, PartialEq, Eq)]
pub struct Left {
    /// The agent.
    pub entity: Entity,
}

/// The target of the agent has left: it has no order any more.
#[derive(Clone, Copy, Debug, EntityEvent, PartialEq, Eq)]
pub struct TargetLost {
    /// The agent.
    pub entity: Entity,
}

/// There is no route to the target of the agent's `navigate`.
#[derive(Clone, Copy, Debug, EntityEvent, PartialEq, Eq)]
pub struct Unreachable {
    /// The agent.
    pub entity: Entity,
}

/// The crowd has refused a component of this entity, and is as it was before.
#[derive(Clone, Debug, EntityEvent, PartialEq, Eq)]
pub struct Refused {
    /// The entity.
    pub entity: Entity,
    /// The problem, with the value found and the allowed values.
    pub reason: String,
}

/// The crowd has refused a command of the log that the plugin replays: the log is of another setup,
/// and the replay has ended. Or it has refused a timed command of its setup, an event of its scene.
#[derive(Clone, Debug, Event, PartialEq, Eq)]
pub struct ReplayRefused {
    /// The tick of the command.
    pub tick: u64,
    /// The problem, with the value found and the allowed values.
    pub reason: String,
}
