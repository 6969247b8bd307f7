//! Validation of a [`Setup`], done once: a crowd made from a valid setup cannot fail in a step.

use super::crowd_setup::Setup;
use crate::crowd::setup::allowed::{KeyPath, SetupError, ValidationError, ranges};
use crate::geometry::obstacle::Shape;
use crate::parameter::{Kind, Value};
use crate::vector::Vector;

mod behaviors;
mod group;
mod polygon;
mod queues;
mod routes;
mod solvers;
mod sources_and_exits;
mod states;
mod validator;
mod world;

pub(in crate::crowd) use group::no_room;
pub(in crate::crowd) use solvers::solver_reason;
pub(in crate::crowd) use validator::Meshes;
use validator::Validator;

impl<V: Vector> Setup<V> {
    /// Validates the setup, as [`Crowd::new`](crate::Crowd::new) does.
    ///
    /// # Errors
    /// Every validation error, in the order of the setup's tables.
    // A generic function that may be inlined is compiled again by each crate that calls it.
    #[inline(never)]
    pub fn validate(&self) -> Result<(), SetupError> {
        self.validated().map(drop)
    }

    /// [`validate`](Self::validate), with the meshes that it made, for the crowd.
    pub(in crate::crowd) fn validated(&self) -> Result<Meshes<V>, SetupError> {
        let mut validator = Validator::new(self);
        validator.run();
        let Validator { errors, meshes, .. } = validator;
        if errors.is_empty() { Ok(meshes) } else { Err(SetupError(errors)) }
    }
}

#[cfg(test)]
impl<V: Vector> Setup<V> {
    /// The validation errors; empty for a valid setup.
    pub(in crate::crowd) fn errors(&self) -> alloc::vec::Vec<ValidationError> {
        self.validate().err().map_or_else(Default::default, |SetupError(errors)| errors)
    }
}

/// Validation of single parts, for commands to a running crowd. Each returns the first error.
impl<V: Vector> Setup<V> {
    /// Validates the shape of obstacle `index`, which is not in the setup.
    pub(in crate::crowd) fn validate_obstacle(
        &self,
        key_path: &KeyPath,
        shape: &Shape<V>,
        index: usize,
    ) -> Result<(), ValidationError> {
        self.first(|validator| {
            validator.shape(key_path, shape);
            validator.grown(key_path, shape, index);
        })
    }

    pub(in crate::crowd) fn validate_value(
        &self,
        key_path: &KeyPath,
        kind: Kind,
        value: &Value<V>,
    ) -> Result<(), ValidationError> {
        self.first(|validator| validator.value(key_path, kind, value))
    }

    /// Validates the lists of the group with this index.
    pub(in crate::crowd) fn validate_lists(&self, index: usize) -> Result<(), ValidationError> {
        let key_path = KeyPath::default().key("group").at(index);
        self.first(|validator| {
            let group = &validator.setup.groups[index];
            validator.list(&key_path.key("steer"), &key_path, &group.steer);
            for (i, state) in group.states.iter().enumerate() {
                let key_path = key_path.key("state").at(i);
                validator.list(&key_path.key("steer"), &key_path, &state.steer);
            }
            validator.routes(&key_path, group);
            validator.queues(&key_path, group);
        })
    }

    pub(in crate::crowd) fn validate_bounds(&self) -> Result<(), ValidationError> {
        self.first(Validator::bounds)
    }

    pub(in crate::crowd) fn validate_paths(&self) -> Result<(), ValidationError> {
        self.first(Validator::paths)
    }

    pub(in crate::crowd) fn validate_fields(&self) -> Result<(), ValidationError> {
        self.first(Validator::fields)
    }

    pub(in crate::crowd) fn validate_lines(&self) -> Result<(), ValidationError> {
        self.first(Validator::lines)
    }

    pub(in crate::crowd) fn validate_exits(&self) -> Result<(), ValidationError> {
        self.first(Validator::exits)
    }

    pub(in crate::crowd) fn validate_sources(&self) -> Result<(), ValidationError> {
        self.first(Validator::sources)
    }

    /// Validates the last group, whose name may be that of another one.
    pub(in crate::crowd) fn validate_last_group(&self) -> Result<(), ValidationError> {
        self.first(|validator| {
            validator.last_group();
            validator.bounds();
            validator.all_ways();
            validator.all_queues();
        })
    }

    fn first<'a>(
        &'a self,
        validate: impl FnOnce(&mut Validator<'a, V>),
    ) -> Result<(), ValidationError> {
        let mut validator = Validator::new(self);
        validate(&mut validator);
        validator.errors.into_iter().next().map_or(Ok(()), Err)
    }
}

impl<V: Vector> Validator<'_, V> {
    fn run(&mut self) {
        let top = KeyPath::default();
        let setup = self.setup;
        self.number(top.key("dt"), setup.dt as f32, ranges::DT);
        self.up();
        self.bodies();
        self.navigation();
        self.pointer();
        for (i, shape) in setup.obstacles.iter().enumerate() {
            self.shape(&top.key("obstacle").at(i), shape);
        }
        self.paths();
        self.fields();
        self.lines();
        self.exits();
        self.sources();
        self.all_groups();
        self.commands();
        self.bounds();
        self.all_ways();
        self.all_queues();
        if self.errors.is_empty() {
            self.room();
        }
    }
}
