//! The behaviors that a scene can name: the built-in ones and those that a user has registered.

use wayfare::Registry;
use wayfare::glam::{Vec2, Vec3};
use wayfare::parameter;
use wayfare::parameter::Description;
use wayfare::vector::Vector;
use wayfare_measure::Kinds;

use super::value::Value;

/// The descriptions of all behaviors in one dimension.
#[derive(Clone, Copy)]
pub(super) struct Behaviors<'r> {
    registry: &'r Registry,
    dimension: usize,
}

impl<'r> Behaviors<'r> {
    pub(super) fn new(registry: &'r Registry, dimension: usize) -> Self {
        Self { registry, dimension }
    }

    /// The descriptions in the order of the list: first the built-in behaviors.
    pub(super) fn all(self) -> Vec<Description> {
        match self.dimension {
            3 => self.registry.descriptions::<Vec3>().copied().collect(),
            _ => self.registry.descriptions::<Vec2>().copied().collect(),
        }
    }

    pub(super) fn find(self, name: &str) -> Option<Description> {
        self.all().into_iter().find(|description| description.name == name)
    }

    /// The default of a behavior's parameter; `None` where a scene cannot write it.
    pub(super) fn default(self, owner: Described, parameter: &str) -> Option<Value> {
        match (owner, self.dimension) {
            (Described::Behavior(name), 3) => {
                scene_value(&self.registry.from_name::<Vec3>(name)?.get(parameter)?)
            }
            (Described::Behavior(name), _) => {
                scene_value(&self.registry.from_name::<Vec2>(name)?.get(parameter)?)
            }
            (Described::Measure(name), _) => {
                scene_value(&Kinds::<Vec2>::from_name(name)?.get(parameter)?)
            }
        }
    }
}

/// The owner of a list of parameters.
#[derive(Clone, Copy)]
pub(super) enum Described {
    /// The behavior of this name.
    Behavior(&'static str),
    /// The kind of measure of this name.
    Measure(&'static str),
}

fn scene_value<V: Vector>(value: &parameter::Value<V>) -> Option<Value> {
    match value {
        parameter::Value::Number(x) => Some(Value::from(*x)),
        parameter::Value::Word(word) => Some(Value::from(*word)),
        parameter::Value::Off => Some(Value::Flag(false)),
        parameter::Value::Flag(x) => Some(Value::Flag(*x)),
        _ => None,
    }
}
