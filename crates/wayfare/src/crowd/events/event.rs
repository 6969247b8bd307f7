//! What can happen to an agent or a group in a tick.

use crate::id::{AgentId, ExitId, GroupId, LineId, SourceId, StateId};

/// Something that happened to an agent in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum Event {
    /// The agent reached the end of a path that ends in "seek" or "arrive", the target of an
    /// `arrive` or `navigate`, its slot of a `formation` around a point or a leader at rest, or a
    /// place around the target of a `settle`. Where a list has `navigate` and `settle` to one
    /// target, it is reached once.
    ///
    /// A target is reached within the agent's radius, or a hundredth of the slowing radius if that
    /// is larger. Only an `arrive` that contributed to the agent's force counts: an `arrive` of
    /// weight 0, or one that its list did not evaluate because of `priority` or `budget`, does not.
    /// The agent can arrive at the same target again after it has been outside the slowing radius,
    /// but not by `settle`, or in another state, at a target that has moved, and at a new order, at
    /// any distance; an order to another agent counts as one target, however that moves. An
    /// `arrive` whose target is the nearest member of a group raises no event.
    Arrived {
        /// The agent's id.
        id: AgentId,
    },
    /// The agent changed its state.
    StateChanged {
        /// The agent's id.
        id: AgentId,
        /// The previous state.
        from: StateId,
        /// The new state.
        to: StateId,
    },
    /// The agent's step crossed a line.
    Crossed {
        /// The agent's id.
        id: AgentId,
        /// The line.
        line: LineId,
        /// Whether the agent is to the left of the line now.
        to_left: bool,
    },
    /// The bodies of two agents have begun to touch: the distance of their positions is at most
    /// the sum of their radii after this tick, and was larger after the last one. At least one of
    /// them is in a group with [`contacts`](crate::crowd::Group::contacts), and both radii are
    /// above zero. Agents that enter among others, and ghosts, raise no event.
    Contact {
        /// The lower of the two ids.
        id: AgentId,
        /// The other id.
        other: AgentId,
    },
    /// The agent was in an exit after its step. Unless the exit respawns, it has been removed.
    Left {
        /// The agent's id.
        id: AgentId,
        /// Its group.
        group: GroupId,
        /// The exit.
        exit: ExitId,
    },
    /// A transition led the agent out of the crowd. Unless it respawns, it has been removed.
    Gone {
        /// The agent's id.
        id: AgentId,
        /// Its group.
        group: GroupId,
        /// The agent's last state.
        state: StateId,
    },
    /// A search found no route to the target of the agent's `navigate`. The agent brakes, and
    /// searches again when its target or an obstacle changes.
    Unreachable {
        /// The agent's id.
        id: AgentId,
    },
    /// The agent was ordered to another agent, which has left the crowd: its order has ended.
    TargetLost {
        /// The agent's id.
        id: AgentId,
        /// The id of the agent that it was ordered to.
        target: AgentId,
    },
    /// Every member of the group has arrived, since the last of them did in this tick: at the
    /// target of an `arrive` or `settle`, or at the end of a path, of its current state.
    GroupArrived {
        /// The group.
        group: GroupId,
    },
    /// The agent entered by a source.
    Entered {
        /// The agent's id.
        id: AgentId,
        /// Its group.
        group: GroupId,
        /// The source.
        source: SourceId,
    },
}

impl Event {
    /// The id of the agent; [`AgentId::NONE`] for an event of a group.
    pub fn id(&self) -> AgentId {
        match *self {
            Event::Arrived { id }
            | Event::StateChanged { id, .. }
            | Event::Crossed { id, .. }
            | Event::Left { id, .. }
            | Event::Gone { id, .. }
            | Event::Contact { id, .. }
            | Event::Unreachable { id }
            | Event::TargetLost { id, .. }
            | Event::Entered { id, .. } => id,
            Event::GroupArrived { .. } => AgentId::NONE,
        }
    }

    /// The sort key among the events of a tick; unique. Agents enter when all else has been found.
    pub(in crate::crowd) fn order(&self) -> (bool, AgentId, u8, usize) {
        let (kind, which) = match *self {
            Event::Arrived { .. } => (0, 0),
            Event::StateChanged { .. } => (1, 0),
            Event::Crossed { line, .. } => (2, line.0 as usize),
            Event::Contact { other, .. } => (3, other.0 as usize),
            Event::Left { .. } => (4, 0),
            Event::Gone { .. } => (5, 0),
            Event::TargetLost { .. } => (6, 0),
            Event::Entered { .. } => (7, 0),
            Event::GroupArrived { group } => (8, group.0),
            Event::Unreachable { .. } => (9, 0),
        };
        (matches!(self, Event::Entered { .. }), self.id(), kind, which)
    }
}
