//! What each command does.

use alloc::vec::Vec;

use super::set::no_such;
use crate::crowd::facade::crowd::Crowd;
use crate::crowd::facade::members::no_agent;
use crate::crowd::pipeline::change::Change;
use crate::crowd::setup::Group;
use crate::crowd::setup::allowed::{KeyPath, ValidationError, ranges as range, vector_error};
use crate::crowd::setup::command::list::{Added, Command};
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// Applies `command`; returns what it has added.
    ///
    /// ```
    /// use wayfare::crowd::Setting;
    /// use wayfare::prelude::*;
    /// let guests = Group::new("guests", 1, Spawn::point(vec2(0.0, 0.0)), 2.0);
    /// let mut crowd = Setup::new(1.0).group(guests).crowd()?;
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

    pub(in crate::crowd) fn apply_here(
        &mut self,
        command: &Command<V>,
    ) -> Result<Option<Added>, ValidationError> {
        self.apply_due_commands();
        self.apply_one(command)
    }

    /// Applies a command after those of the setup that are due.
    pub(in crate::crowd) fn apply_one(
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
            Command::Members { group, change } => self.change_members(group, change)?,
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
                let mut points = self.points_of(path)?.to_vec();
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
                self.set_points(path, key("add_point"), points)?;
            }
            Command::MovePoint { path, point, position } => {
                let points = self.points_of(path)?;
                let mut after = points.to_vec();
                let moved = after
                    .get_mut(*point)
                    .ok_or_else(|| no_such(key("move_point"), "point", *point, points.len()))?;
                vector_error(key("position"), *position, range::COORDINATE).map_or(Ok(()), Err)?;
                *moved = *position;
                self.set_points(path, key("move_point"), after)?;
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
                let mut after = points.to_vec();
                after.remove(*point);
                self.set_points(path, key("remove_point"), after)?;
            }
            Command::Set { key_path, value } => self.set(key_path, value)?,
        }
        Ok(None)
    }

    /// The points of the path of this name.
    fn points_of(&self, name: &str) -> Result<&[V], ValidationError> {
        let path = self.path_id("path", name)?;
        Ok(self.world.paths[path.0].points())
    }

    /// Replaces the points of the path of this name, unless they would leave a queue without
    /// places.
    fn set_points(
        &mut self,
        name: &str,
        key_path: KeyPath,
        points: Vec<V>,
    ) -> Result<(), ValidationError> {
        let id = self.path_id("path", name)?;
        let path = self.world.paths[id.0].through(points);
        if path.length() == 0.0
            && let Some(user) = self.find_queue(id)
        {
            let message =
                format!("the path \"{name}\" would have no length, and {user} stands on it");
            let allowed = "a change after which the path of a queue has a length";
            return Err(ValidationError::new(key_path, message, allowed));
        }
        self.world.paths[id.0] = path;
        Ok(())
    }
}
