//! The settings of one agent as data, and changes of them, in either dimension.

use wayfare::AgentId;
use wayfare::crowd::Limit;
use wayfare::glam::Vec2;
use wayfare::parameter::Range;

use crate::session::states::StatNow;

/// The settings of an agent at this tick.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AgentSettings {
    pub(crate) id: AgentId,
    /// The name of its group.
    pub(crate) group: String,
    /// The names of all groups.
    pub(crate) groups: Vec<String>,
    /// The name of its state, if its group has states.
    pub(crate) state: Option<String>,
    /// The names of the states of its group.
    pub(crate) states: Vec<String>,
    /// Its order in words.
    pub(crate) order: Option<String>,
    pub(crate) limits: Vec<LimitNow>,
    pub(crate) stats: Vec<StatNow>,
    pub(crate) frozen: bool,
    /// The angle of its facing on the ground, from -180 to 180 (degrees).
    pub(crate) facing: f32,
}

/// A limit of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LimitNow {
    pub(crate) limit: Limit,
    pub(crate) value: f32,
    /// Whether the agent has it of its own, and not from its state or group.
    pub(crate) is_own: bool,
    /// The values that an agent of its group can have.
    pub(crate) range: Range,
}

/// A change of one setting of an agent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AgentEdit {
    /// Orders it to a point of the ground, or ends its order.
    Order(Option<Vec2>),
    /// Gives it a limit of its own, or takes it away.
    Limit(Limit, Option<f32>),
    State(String),
    Stat(String, f32),
    Group(String),
    Frozen(bool),
    /// Turns it to this angle on the ground (degrees).
    Facing(f32),
}
