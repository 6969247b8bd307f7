//! Commands: changes of a running crowd between two ticks.
//!
//! A command is plain data that refers to names of a scene. A scene and a log of commands, each
//! with its tick, define a run: a replay gives the same digest. A refused command changes nothing.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::setup::validate::{KeyPath, ValidationError, ranges as range, vector_error};
use super::setup::{Exit, Group, Line, Source};
use crate::crowd::facade::crowd::Crowd;
use crate::crowd::facade::members::no_agent;
use crate::crowd::pipeline::change::Change;
use crate::crowd::world::World;
use crate::geometry::flow_field::FieldPlan;
use crate::geometry::obstacle::{Obstacles, Shape, bvh_of};
use crate::geometry::path::Path;
use crate::id::{AgentId, ExitId, FieldId, GroupId, LineId, ObstacleId, PathId, SourceId};
use crate::vector::Vector;

mod agent;
mod notation;
mod set;

pub use agent::AgentChange;
pub use notation::{Notation, ReadArguments, WriteArguments};
use notation::{commands, keys};

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

/// The error of an index into a list of `count` items.
fn no_such(key_path: KeyPath, what: &str, index: usize, count: usize) -> ValidationError {
    let allowed = if count == 0 {
        format!("no {what}: there are none")
    } else {
        format!("a whole number from 0 to {}", count - 1)
    };
    ValidationError::new(key_path, format!("there is no {what} {index}"), allowed)
}

impl<V: Vector> Crowd<V> {
    /// Applies `command`; returns what it has added.
    ///
    /// ```
    /// use wayfare::{
    ///     AgentId, Crowd,
    ///     crowd::{Command, Group, Setting, Setup, Spawn},
    ///     glam::vec2,
    /// };
    /// let groups = vec![Group::new("guests", 1, Spawn::Points(vec![vec2(0.0, 0.0)]), 2.0)];
    /// let mut crowd = Crowd::new(Setup { groups, ..Setup::default() })?;
    /// let faster = Command::Set {
    ///     key_path: "group[0].max_speed".to_string(),
    ///     value: Setting::Number(3.0),
    /// };
    /// crowd.apply(&faster)?;
    /// assert_eq!(crowd.get(0).unwrap().agent.max_speed, 3.0);
    /// let refused = crowd.apply(&Command::Remove(AgentId(7))).unwrap_err();
    /// assert_eq!(
    ///     refused.to_string(),
    ///     "remove: there is no agent 7; allowed: the id of an agent that is in the crowd"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The problem, with the key of a log or the key path in the setup, the value and what is
    /// allowed; then nothing has changed.
    pub fn apply(&mut self, command: &Command<V>) -> Result<Option<Added>, ValidationError> {
        V::apply(self, command)
    }

    pub(super) fn apply_here(
        &mut self,
        command: &Command<V>,
    ) -> Result<Option<Added>, ValidationError> {
        let key = |name: &str| KeyPath::default().key(name);
        self.changed(Change::Input);
        match command {
            Command::Pointer(point) => {
                point
                    .and_then(|p| vector_error(key("pointer"), p, range::COORDINATE))
                    .map_or(Ok(()), Err)?;
                self.set_pointer(*point);
            }
            Command::Add { group, position, velocity } => {
                let group = self.group_of_name("add", group)?;
                let added = self.add(group, *position, *velocity)?;
                return Ok(Some(Added::Agent(added)));
            }
            Command::Remove(id) => {
                if !self.remove(*id) {
                    return Err(no_agent(key("remove"), *id));
                }
            }
            Command::Move { id, position, velocity } => {
                self.row_of(*id).ok_or_else(|| no_agent(key("move"), *id))?;
                self.put(*id, *position, *velocity)?;
            }
            Command::Agent { id, change } => self.change_agent(*id, change)?,
            Command::AddObstacle(shape) => {
                return self.add_obstacle(shape.clone()).map(|id| Some(Added::Obstacle(id)));
            }
            Command::SetObstacle(id, shape) => self.set_obstacle(*id, shape.clone())?,
            Command::RemoveObstacle(id) => self.remove_obstacle(*id)?,
            Command::AddGroup(group) => {
                return self.add_group(Group::clone(group)).map(|id| Some(Added::Group(id)));
            }
            Command::RemoveGroup(name) => {
                let group = self.group_of_name("remove_group", name)?;
                self.remove_group(group)?;
            }
            Command::AddPath { name, path } => {
                let added = self.add_path(name, path.clone())?;
                return Ok(Some(Added::Path(added)));
            }
            Command::RemovePath(name) => {
                let path = self.path_id("remove_path", name)?;
                self.remove_path(path)?;
            }
            Command::AddField { name, plan } => {
                let added = self.add_field(name, plan.clone())?;
                return Ok(Some(Added::Field(added)));
            }
            Command::RemoveField(name) => {
                let field = self.field_id("remove_field", name)?;
                self.remove_field(field)?;
            }
            Command::AddLine(line) => {
                return self.add_line(line.clone()).map(|id| Some(Added::Line(id)));
            }
            Command::RemoveLine(name) => {
                let line = self.line_id("remove_line", name)?;
                self.remove_line(line)?;
            }
            Command::AddExit(exit) => {
                return self.add_exit(exit.clone()).map(|id| Some(Added::Exit(id)));
            }
            Command::RemoveExit(id) => self.remove_exit(*id)?,
            Command::AddSource(source) => {
                return self.add_source(source.clone()).map(|id| Some(Added::Source(id)));
            }
            Command::RemoveSource(id) => self.remove_source(*id)?,
            Command::AddPoint { path, point, position } => {
                let points = self.points_of(path)?;
                if *point > points.len() {
                    let allowed =
                        format!("a whole number from 0 to {}, the number of points", points.len());
                    return Err(ValidationError::new(
                        key("add_point"),
                        format!("there is no point {point}"),
                        allowed,
                    ));
                }
                vector_error(key("position"), *position, range::COORDINATE).map_or(Ok(()), Err)?;
                points.insert(*point, *position);
            }
            Command::MovePoint { path, point, position } => {
                let points = self.points_of(path)?;
                let count = points.len();
                let moved = points
                    .get_mut(*point)
                    .ok_or_else(|| no_such(key("move_point"), "point", *point, count))?;
                vector_error(key("position"), *position, range::COORDINATE).map_or(Ok(()), Err)?;
                *moved = *position;
            }
            Command::RemovePoint { path, point } => {
                let points = self.points_of(path)?;
                if *point >= points.len() {
                    return Err(no_such(key("remove_point"), "point", *point, points.len()));
                }
                if points.len() == 1 {
                    return Err(ValidationError::new(
                        key("remove_point"),
                        "it is the only point of the path",
                        "a point of a path that has more",
                    ));
                }
                points.remove(*point);
            }
            Command::Set { key_path, value } => self.set(key_path, value)?,
        }
        Ok(None)
    }

    /// Updates the data derived from the obstacles: index, flow fields, explored grids. `changed`
    /// holds the bounding boxes of added and removed obstacles, and the old and new boxes of moved
    /// ones.
    pub(super) fn index_obstacles(&mut self, changed: &[(V, V)]) {
        self.world.obstacle_bvh = bvh_of(&self.world.obstacles);
        self.world.routes.iter_mut().for_each(|routes| routes.outdate());
        let World { fields, obstacles, obstacle_bvh, .. } = &mut self.world;
        let obstacles = Obstacles::indexed(obstacles, obstacle_bvh);
        fields.iter_mut().for_each(|field| {
            field.repair(obstacles, changed);
        });
        self.world.exclude_unreachable_cells();
    }

    /// The points of the path of this name.
    fn points_of(&mut self, name: &str) -> Result<&mut Vec<V>, ValidationError> {
        let path = self.path_id("path", name)?;
        Ok(&mut self.world.paths[path.0].points)
    }
}
