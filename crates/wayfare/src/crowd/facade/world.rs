//! Obstacles, paths, fields, lines, exits and sources of a running crowd.

use alloc::string::String;
use alloc::vec::Vec;

use super::crowd::Crowd;
use super::structure::under;
use crate::crowd::exit::ExitCount;
use crate::crowd::line::LineCount;
use crate::crowd::pipeline::change::Change;
use crate::crowd::setup::allowed::{KeyPath, ValidationError, quoted};
use crate::crowd::setup::{Exit, Line, Source};
use crate::crowd::source::SourceCount;
use crate::geometry::flow_field::{FieldPlan, FlowField};
use crate::geometry::obstacle::{Obstacle, Obstacles, Shape};
use crate::geometry::path::Path;
use crate::id::{AgentId, ExitId, FieldId, LineId, ObstacleId, PathId, SourceId};
use crate::order::Order;
use crate::parameter::Value;
use crate::vector::Vector;

/// Obstacles. Each change indexes all obstacles anew and repairs the flow fields around it.
impl<V: Vector> Crowd<V> {
    /// The ids of the [obstacles](Self::obstacles), in their order.
    pub fn obstacle_ids(&self) -> impl Iterator<Item = ObstacleId> + '_ {
        self.origin.structure.obstacles.ids.iter().copied().map(ObstacleId)
    }

    /// The obstacle `id`; a search in the list of ids.
    pub fn obstacle(&self, id: impl Into<ObstacleId>) -> Option<&Obstacle<V>> {
        self.origin.structure.obstacles.index_of(id.into().0).map(|i| &self.world.obstacles[i])
    }

    /// Adds an obstacle, as the last one. In O(n) for n obstacles, like all changes of obstacles.
    ///
    /// ```
    /// use wayfare::{
    ///     Crowd,
    ///     crowd::Setup,
    ///     geometry::obstacle::Shape,
    ///     glam::{Vec2, vec2},
    /// };
    /// let mut crowd = Crowd::new(Setup::<Vec2>::default())?;
    /// let crate_id = crowd.add_obstacle(Shape::Circle { center: vec2(5.0, 0.0), radius: 1.0 })?;
    /// let barrel = crowd.add_obstacle(Shape::Circle { center: vec2(9.0, 0.0), radius: 2.0 })?;
    /// crowd.remove_obstacle(crate_id)?;
    /// assert!(crowd.obstacle(barrel).is_some() && crowd.obstacle(crate_id).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A number of the shape is out of range, or so large that the `clearance` of a `navigate` is
    /// lost in its rounding; then nothing changes.
    pub fn add_obstacle(&mut self, shape: Shape<V>) -> Result<ObstacleId, ValidationError> {
        let end = self.world.obstacles.len();
        self.origin.setup.validate_obstacle(
            &KeyPath::default().key("add_obstacle"),
            &shape,
            end,
        )?;
        let added = Obstacle::in_space(shape, &self.world.space);
        let changed = [added.aabb()];
        self.world.obstacles.push(added);
        let id = self.origin.structure.obstacles.push();
        self.obstacles_changed(&changed);
        Ok(ObstacleId(id))
    }

    /// Changes the shape of an obstacle.
    ///
    /// # Errors
    /// There is no such obstacle, or the shape is refused as in
    /// [`add_obstacle`](Self::add_obstacle); then nothing changes.
    pub fn set_obstacle(
        &mut self,
        id: impl Into<ObstacleId>,
        shape: Shape<V>,
    ) -> Result<(), ValidationError> {
        let i = self.obstacle_index("set_obstacle", id.into())?;
        self.origin.setup.validate_obstacle(&KeyPath::default().key("shape"), &shape, i)?;
        let after = Obstacle::in_space(shape, &self.world.space);
        let changed = [self.world.obstacles[i].aabb(), after.aabb()];
        self.world.obstacles[i] = after;
        self.obstacles_changed(&changed);
        Ok(())
    }

    /// Removes an obstacle.
    ///
    /// # Errors
    /// There is no such obstacle; then nothing changes.
    pub fn remove_obstacle(&mut self, id: impl Into<ObstacleId>) -> Result<(), ValidationError> {
        let i = self.obstacle_index("remove_obstacle", id.into())?;
        // In a tie the first obstacle counts, so the remaining obstacles keep their order.
        let removed = self.world.obstacles.remove(i);
        self.origin.structure.obstacles.remove(i);
        self.obstacles_changed(&[removed.aabb()]);
        Ok(())
    }

    fn obstacle_index(&self, key: &str, id: ObstacleId) -> Result<usize, ValidationError> {
        let ids = &self.origin.structure.obstacles;
        ids.index_of(id.0).ok_or_else(|| ids.none(key, "obstacle", id.0))
    }

    fn obstacles_changed(&mut self, changed: &[(V, V)]) {
        self.changed(Change::Input);
        self.world.index_obstacles(changed);
    }
}

/// Paths and flow fields.
impl<V: Vector> Crowd<V> {
    /// Adds a path; its name must be unused. Orders and the behaviors of groups that are added
    /// later may follow it.
    ///
    /// # Errors
    /// The name is taken, or a number is out of range; then nothing changes.
    pub fn add_path(
        &mut self,
        name: impl Into<String>,
        path: Path<V>,
    ) -> Result<PathId, ValidationError> {
        let name = name.into();
        self.name_is_free("add_path", "path", &name, self.path_names_in_use())?;
        // The other paths are kept outside of the setup.
        let others = core::mem::replace(&mut self.origin.setup.paths, vec![(name, path)]);
        let result = self.origin.setup.validate_paths();
        let added = core::mem::replace(&mut self.origin.setup.paths, others);
        result.map_err(|error| under("add_path", error))?;
        self.keep_original();
        for (name, path) in added {
            self.origin.setup.paths.push((name, Path::new(Vec::new(), 0.0, false)));
            self.origin.baseline.add_path(path.points());
            self.world.paths.push(path);
        }
        self.origin.structure.removed_paths.push(false);
        self.world_changed();
        Ok(PathId(self.world.paths.len() - 1))
    }

    /// Removes a path. Orders to follow it end.
    ///
    /// # Errors
    /// There is no such path, or a behavior follows it; then nothing changes.
    pub fn remove_path(&mut self, id: PathId) -> Result<(), ValidationError> {
        let key = KeyPath::default().key("remove_path");
        if self.origin.structure.removed_paths.get(id.0) != Some(&false) {
            return Err(ValidationError::new(
                key,
                format!("there is no path {}", id.0),
                quoted(self.path_names_in_use(), "no path: there are none"),
            ));
        }
        if let Some(user) = self.find_parameter(|value| *value == Value::Path(id)) {
            let message =
                format!("{user} follows the path \"{}\"", self.origin.setup.paths[id.0].0);
            return Err(ValidationError::new(key, message, "a path that no behavior follows"));
        }
        self.keep_original();
        self.world.paths[id.0] = Path::new(Vec::new(), 0.0, false);
        self.origin.structure.removed_paths[id.0] = true;
        for row in 0..self.population.now.len() {
            if self.population.now.own(row).order == Some(Order::Path(id)) {
                let agent = AgentId(self.population.now.id[row]);
                // The agent is there, and no order is always allowed.
                self.set_order(agent, None)?;
            }
        }
        self.world_changed();
        Ok(())
    }

    /// The paths that have not been removed, with their names.
    pub(in crate::crowd) fn path_names_in_use(&self) -> impl Iterator<Item = &str> {
        let removed = self.origin.structure.removed_paths.iter();
        self.path_names().zip(removed).filter(|(_, removed)| !**removed).map(|(name, _)| name)
    }

    /// Adds a flow field; its name must be unused. Groups that are added later may follow it. A
    /// distance map of a million cells takes about half a second.
    ///
    /// # Errors
    /// The name is taken, or a number of the plan is out of range; then nothing changes.
    pub fn add_field(
        &mut self,
        name: impl Into<String>,
        plan: FieldPlan<V>,
    ) -> Result<FieldId, ValidationError> {
        let name = name.into();
        self.name_is_free("add_field", "field", &name, self.field_names_in_use())?;
        let others = core::mem::replace(&mut self.origin.setup.fields, vec![(name, plan)]);
        let result = self.origin.setup.validate_fields();
        let added = core::mem::replace(&mut self.origin.setup.fields, others);
        result.map_err(|error| under("add_field", error))?;
        self.keep_original();
        for (name, plan) in added {
            self.world.fields.push(FlowField::checked(
                &plan,
                Obstacles::indexed(&self.world.obstacles, &self.world.obstacle_bvh),
                self.origin.setup.bounds.as_ref(),
                self.origin.setup.up,
            ));
            self.origin.setup.fields.push((name, plan));
        }
        self.origin.structure.removed_fields.push(false);
        self.world_changed();
        Ok(FieldId(self.world.fields.len() - 1))
    }

    /// Removes a flow field.
    ///
    /// # Errors
    /// There is no such field, or a behavior follows it; then nothing changes.
    pub fn remove_field(&mut self, id: FieldId) -> Result<(), ValidationError> {
        let key = KeyPath::default().key("remove_field");
        if self.origin.structure.removed_fields.get(id.0) != Some(&false) {
            return Err(ValidationError::new(
                key,
                format!("there is no field {}", id.0),
                quoted(self.field_names_in_use(), "no field: there are none"),
            ));
        }
        if let Some(user) = self.find_parameter(|value| *value == Value::Field(id)) {
            let message =
                format!("{user} follows the field \"{}\"", self.origin.setup.fields[id.0].0);
            return Err(ValidationError::new(key, message, "a field that no behavior follows"));
        }
        self.keep_original();
        let plan = no_field();
        self.world.fields[id.0] =
            FlowField::checked(&plan, Obstacles::NONE, None, self.origin.setup.up);
        self.origin.setup.fields[id.0].1 = plan;
        self.origin.structure.removed_fields[id.0] = true;
        self.world_changed();
        Ok(())
    }

    /// The names of the flow fields that have not been removed.
    pub(in crate::crowd) fn field_names_in_use(&self) -> impl Iterator<Item = &str> {
        let removed = self.origin.structure.removed_fields.iter();
        self.field_names().zip(removed).filter(|(_, removed)| !**removed).map(|(name, _)| name)
    }

    pub(in crate::crowd) fn name_is_free<'a>(
        &'a self,
        key: &str,
        what: &str,
        name: &str,
        mut taken: impl Iterator<Item = &'a str>,
    ) -> Result<(), ValidationError> {
        if !taken.any(|other| other == name) {
            return Ok(());
        }
        Err(ValidationError::new(
            KeyPath::default().key(key),
            format!("there is a {what} \"{name}\" already"),
            format!("a name that no other {what} has"),
        ))
    }

    fn world_changed(&mut self) {
        self.world.tracker.prepare(&self.world.groups, &self.world.paths);
    }
}

/// Lines, exits and sources.
impl<V: Vector> Crowd<V> {
    /// The line `id`, with the counts of its crossings; a search in the list of ids.
    pub fn line(&self, id: impl Into<LineId>) -> Option<&LineCount<V>> {
        self.origin.structure.lines.index_of(id.into().0).map(|i| &self.world.tracker.lines[i])
    }

    /// Adds a line whose crossings are counted from now on; its name must be unused.
    ///
    /// # Errors
    /// The name is taken, or a number is out of range; then nothing changes.
    pub fn add_line(&mut self, line: Line<V>) -> Result<LineId, ValidationError> {
        let names = self.world.tracker.lines.iter().map(|count| count.line.name.as_str());
        self.name_is_free("add_line", "line", &line.name, names)?;
        self.origin.setup.lines.push(line);
        let result = self.origin.setup.validate_lines();
        let added = core::mem::take(&mut self.origin.setup.lines);
        result.map_err(|error| under("add_line", error))?;
        self.keep_original();
        let id = LineId(self.origin.structure.lines.push());
        let counts = added.into_iter().map(|line| LineCount::new(id, line, &self.world.space));
        self.world.tracker.lines.extend(counts);
        self.world_changed();
        Ok(id)
    }

    /// Removes a line.
    ///
    /// # Errors
    /// There is no such line; then nothing changes.
    pub fn remove_line(&mut self, id: impl Into<LineId>) -> Result<(), ValidationError> {
        let (id, ids) = (id.into(), &self.origin.structure.lines);
        let i = ids.index_of(id.0).ok_or_else(|| ids.none("remove_line", "line", id.0))?;
        self.keep_original();
        self.origin.structure.lines.remove(i);
        self.world.tracker.lines.remove(i);
        self.world_changed();
        Ok(())
    }

    /// The exit `id`, with the number of agents that have left by it; a search in the list of ids.
    pub fn exit(&self, id: impl Into<ExitId>) -> Option<&ExitCount<V>> {
        self.origin.structure.exits.index_of(id.into().0).map(|i| &self.world.tracker.exits[i])
    }

    /// Adds an exit, as the last one.
    ///
    /// # Errors
    /// A number is out of range, or there is no such group; then nothing changes.
    pub fn add_exit(&mut self, exit: Exit<V>) -> Result<ExitId, ValidationError> {
        self.origin.setup.exits.push(exit);
        let result = self.origin.setup.validate_exits();
        let added = core::mem::take(&mut self.origin.setup.exits);
        result.map_err(|error| under("add_exit", error))?;
        self.keep_original();
        let id = ExitId(self.origin.structure.exits.push());
        let counts = added.into_iter().map(|exit| ExitCount::new(id, exit, &self.world.space));
        self.world.tracker.exits.extend(counts);
        self.world_changed();
        Ok(id)
    }

    /// Removes an exit.
    ///
    /// # Errors
    /// There is no such exit; then nothing changes.
    pub fn remove_exit(&mut self, id: impl Into<ExitId>) -> Result<(), ValidationError> {
        let (id, ids) = (id.into(), &self.origin.structure.exits);
        let i = ids.index_of(id.0).ok_or_else(|| ids.none("remove_exit", "exit", id.0))?;
        self.keep_original();
        self.origin.structure.exits.remove(i);
        self.world.tracker.exits.remove(i);
        self.world_changed();
        Ok(())
    }

    /// The source `id`, with the counts of its arrivals; a search in the list of ids.
    pub fn source(&self, id: impl Into<SourceId>) -> Option<&SourceCount<V>> {
        self.origin.structure.sources.index_of(id.into().0).map(|i| &self.world.sources[i])
    }

    /// Adds a source, as the last one. Its times are those of the crowd, not since now.
    ///
    /// # Errors
    /// A number is out of range, or there is no such group; then nothing changes.
    pub fn add_source(&mut self, source: Source<V>) -> Result<SourceId, ValidationError> {
        if self.origin.structure.groups.get(source.group.0).is_some_and(|group| group.removed) {
            return Err(ValidationError::new(
                KeyPath::default().key("add_source").key("group"),
                format!("group {} was removed", source.group),
                quoted(self.group_names_in_use(), "no source: there are no groups"),
            ));
        }
        self.origin.setup.sources.push(source);
        let result = self.origin.setup.validate_sources();
        let added = core::mem::take(&mut self.origin.setup.sources);
        result.map_err(|error| under("add_source", error))?;
        self.keep_original();
        let id = SourceId(self.origin.structure.sources.push());
        self.world.sources.extend(added.into_iter().map(|source| SourceCount::new(id, source)));
        self.world_changed();
        Ok(id)
    }

    /// Removes a source.
    ///
    /// # Errors
    /// There is no such source; then nothing changes.
    pub fn remove_source(&mut self, id: impl Into<SourceId>) -> Result<(), ValidationError> {
        let (id, ids) = (id.into(), &self.origin.structure.sources);
        let i = ids.index_of(id.0).ok_or_else(|| ids.none("remove_source", "source", id.0))?;
        self.keep_original();
        self.origin.structure.sources.remove(i);
        self.world.sources.remove(i);
        self.world_changed();
        Ok(())
    }
}

/// The plan of a removed field: one cell without a direction.
pub(in crate::crowd) fn no_field<V: Vector>() -> FieldPlan<V> {
    FieldPlan::Vectors {
        origin: V::ZERO,
        cell: 1.0,
        columns: 1,
        rows: (V::DIMENSION == 3).then_some(1),
        vectors: vec![V::ZERO],
    }
}
