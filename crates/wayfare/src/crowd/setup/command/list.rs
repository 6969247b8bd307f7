//! The commands, and what they are made of.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::notation::{Notation, commands, keys};
#[cfg(doc)]
use crate::Crowd;
use crate::crowd::setup::exit::Exit;
use crate::crowd::setup::group::Group;
use crate::crowd::setup::limit::Limit;
use crate::crowd::setup::line::Line;
use crate::crowd::setup::source::Source;
use crate::geometry::flow_field::FieldPlan;
use crate::geometry::obstacle::Shape;
use crate::geometry::path::Path;
use crate::id::{AgentId, ExitId, FieldId, GroupId, LineId, ObstacleId, PathId, SourceId};
use crate::order::Order;
use crate::vector::Vector;

commands! {
    /// A change of a crowd between two ticks.
    Command {
        /// Moves the pointer (length); `None` returns it to its track.
        Pointer "pointer" (point: Option<V> = pointer),
        /// Adds a member of a group: [`Crowd::add`].
        Add "add" {
            /// The group's name.
            group: String = text,
            /// Its position (length).
            position: V = point,
            /// Its velocity (length / time); the initial velocity of its group if `None`.
            velocity: Option<V> = optional_point
        },
        /// Removes the agent with this id: [`Crowd::remove`].
        Remove "remove" (id: AgentId = index),
        /// Moves an agent: [`Crowd::put`].
        Move "move" {
            /// The agent's id.
            id: AgentId = index,
            /// Its new position (length).
            position: V = point,
            /// Its new velocity (length / time); unchanged if `None`.
            velocity: Option<V> = optional_point
        },
        /// Changes one agent.
        Agent "agent" {
            /// The agent's id.
            id: AgentId = index,
            /// The change.
            change: AgentChange<V> = change
        },
        /// Changes all members of a group, but for their group and facing. Of an order to a member
        /// that member takes no notice.
        Members "members" {
            /// The group's name.
            group: String = text,
            /// The change of each of them.
            change: AgentChange<V> = change
        },
        /// Adds an obstacle, as the last one: [`Crowd::add_obstacle`].
        AddObstacle "add_obstacle" (shape: Shape<V> = shape),
        /// Changes the shape of an obstacle: [`Crowd::set_obstacle`].
        SetObstacle "set_obstacle" (id: ObstacleId = index, shape: Shape<V> = shape),
        /// Removes an obstacle: [`Crowd::remove_obstacle`]. The others keep their ids.
        RemoveObstacle "remove_obstacle" (id: ObstacleId = index),
        /// Adds a point to a path, before the point with this index or at the end.
        AddPoint "add_point" {
            /// The index of the new point. The points of a curve are those of its flattened form.
            point: usize = index,
            /// The path's name.
            path: String = text,
            /// Its position (length).
            position: V = point
        },
        /// Moves a point of a path.
        MovePoint "move_point" {
            /// Its index.
            point: usize = index,
            /// The path's name.
            path: String = text,
            /// Its new position (length).
            position: V = point
        },
        /// Removes a point of a path; at least one has to remain.
        RemovePoint "remove_point" {
            /// Its index.
            point: usize = index,
            /// The path's name.
            path: String = text
        },
        /// Changes a number or a parameter, for all members of a group.
        Set "set" {
            /// The key path, as error messages write it: `group[0].steer[1].arrive.slowing_radius`,
            /// `group[0].state[2].steer[0].weight`, `group[1].max_speed`.
            key_path: String = text,
            /// The new value.
            value: Setting<V> = setting
        },
        /// Adds a group with its members: [`Crowd::add_group`].
        AddGroup "add_group" encoded (Box<Group<V>>),
        /// Removes the group of this name and its members: [`Crowd::remove_group`].
        RemoveGroup "remove_group" encoded (String),
        /// Adds a path: [`Crowd::add_path`].
        AddPath "add_path" encoded {
            /// Its name.
            name: String,
            /// The path.
            path: Path<V>
        },
        /// Removes the path of this name: [`Crowd::remove_path`].
        RemovePath "remove_path" encoded (String),
        /// Adds a flow field: [`Crowd::add_field`].
        AddField "add_field" encoded {
            /// Its name.
            name: String,
            /// Its plan.
            plan: FieldPlan<V>
        },
        /// Removes the flow field of this name: [`Crowd::remove_field`].
        RemoveField "remove_field" encoded (String),
        /// Adds a line whose crossings are counted: [`Crowd::add_line`].
        AddLine "add_line" encoded (Line<V>),
        /// Removes the line of this name: [`Crowd::remove_line`].
        RemoveLine "remove_line" encoded (String),
        /// Adds an exit: [`Crowd::add_exit`].
        AddExit "add_exit" encoded (Exit<V>),
        /// Removes an exit: [`Crowd::remove_exit`].
        RemoveExit "remove_exit" encoded (ExitId),
        /// Adds a source: [`Crowd::add_source`].
        AddSource "add_source" encoded (Source<V>),
        /// Removes a source: [`Crowd::remove_source`].
        RemoveSource "remove_source" encoded (SourceId),
    }
}

/// A value as in a scene, with names not yet resolved.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Setting<V> {
    /// A number.
    Number(#[cfg_attr(feature = "serde", serde(with = "crate::encoding::number"))] f32),
    /// `true` or `false`; `false` also switches off a parameter that takes a number.
    Flag(bool),
    /// A word, `"pointer"`, `"goal"`, `"order"`, `"last_seen"`, or the name of a group, path or
    /// field; `"inf"` where a number may be infinite.
    Text(String),
    /// The names of groups.
    Texts(Vec<String>),
    /// A point (length).
    Point(V),
    /// A circle or a box.
    Area(Shape<V>),
}

/// The id of the item that a command has added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Added {
    /// An agent.
    Agent(AgentId),
    /// A group with its members.
    Group(GroupId),
    /// An obstacle.
    Obstacle(ObstacleId),
    /// A path.
    Path(PathId),
    /// A flow field.
    Field(FieldId),
    /// A line.
    Line(LineId),
    /// An exit.
    Exit(ExitId),
    /// A source.
    Source(SourceId),
}

commands! {
    /// A change of one agent: a setter of [`Crowd`] as data.
    AgentChange {
        /// Gives it an order, with a path by its name, or ends its order: [`Crowd::set_order`].
        Order "order" (order: Option<Order<V, String>> = order),
        /// Gives it a limit of its own, or takes it away: [`Crowd::set_limit`].
        Limit ["mass", "max_speed", "max_force", "radius"] (
            limit: Limit = limit,
            #[cfg_attr(feature = "serde", serde(with = "crate::encoding::optional_number"))]
            value: Option<f32> = limit_value
        ),
        /// Puts it into the state of this name: [`Crowd::set_state`].
        State "state" (name: String = text),
        /// Sets the stat of this name: [`Crowd::set_stat`].
        Stat "stat" (name: String = text, value: f32 = stat),
        /// Moves it to the group of this name: [`Crowd::set_group`].
        Group "group" (name: String = text),
        /// Freezes it or releases it: [`Crowd::set_frozen`].
        Frozen "frozen" (frozen: bool = flag),
        /// Turns it to a direction: [`Crowd::set_facing`].
        Facing "facing" (direction: V = point),
    }
}

impl<V: Vector> AgentChange<V> {
    /// Gives it an order: to a point, to an agent, or along a path.
    pub fn order(order: impl Into<Order<V, String>>) -> Self {
        AgentChange::Order(Some(order.into()))
    }
}

/// The arguments of a command, read one after another. A method for each kind of argument returns
/// the argument under `key`; `None` if it is missing or wrong.
pub trait ReadArguments<V: Vector> {
    /// An id or an index.
    fn index<T: TryFrom<u32>>(&mut self, key: &'static str) -> Option<T>;
    /// A name or a key path.
    fn text(&mut self, key: &'static str) -> Option<String>;
    /// `true` or `false`.
    fn flag(&mut self, key: &'static str) -> Option<bool>;
    /// The value of a stat.
    fn stat(&mut self, key: &'static str) -> Option<f32>;
    /// A position (length), a velocity (length / time) or a direction.
    fn point(&mut self, key: &'static str) -> Option<V>;
    /// A point that may be left out.
    fn optional_point(&mut self, key: &'static str) -> Option<Option<V>>;
    /// A point, or none.
    fn pointer(&mut self, key: &'static str) -> Option<Option<V>>;
    /// A shape.
    fn shape(&mut self, key: &'static str) -> Option<Shape<V>>;
    /// A value as in a scene.
    fn setting(&mut self, key: &'static str) -> Option<Setting<V>>;
    /// An order, or none.
    fn order(&mut self, key: &'static str) -> Option<Option<Order<V, String>>>;
    /// The limit of this name.
    fn limit(&mut self, key: &'static str) -> Option<Limit>;
    /// A value for the limit before it, or none; in a log, the value under the limit's name.
    fn limit_value(&mut self, key: &'static str) -> Option<Option<f32>>;
    /// A change of an agent, with a key of its own.
    fn change(&mut self, key: &'static str) -> Option<AgentChange<V>>;
    /// A whole command in the form of the feature `serde`.
    fn encoded(&mut self, key: &'static str) -> Option<Command<V>>;
}

/// The arguments of a command, written one after another, by the same methods as in
/// [`ReadArguments`].
#[expect(missing_docs)]
pub trait WriteArguments<V: Vector> {
    fn index(&mut self, key: &'static str, index: &impl core::fmt::Display);
    fn text(&mut self, key: &'static str, text: &str);
    fn flag(&mut self, key: &'static str, flag: &bool);
    fn stat(&mut self, key: &'static str, value: &f32);
    fn point(&mut self, key: &'static str, point: &V);
    fn optional_point(&mut self, key: &'static str, point: &Option<V>);
    fn pointer(&mut self, key: &'static str, point: &Option<V>);
    fn shape(&mut self, key: &'static str, shape: &Shape<V>);
    fn setting(&mut self, key: &'static str, value: &Setting<V>);
    fn order(&mut self, key: &'static str, order: &Option<Order<V, String>>);
    fn limit(&mut self, key: &'static str, limit: &Limit);
    fn limit_value(&mut self, key: &'static str, value: &Option<f32>);
    fn change(&mut self, key: &'static str, change: &AgentChange<V>);
    fn encoded(&mut self, key: &'static str, command: &Command<V>);
}
