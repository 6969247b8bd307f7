//! The behaviors that the editor knows: the built-in ones.

use wayfare::Behavior;
use wayfare::glam::{Vec2, Vec3};
use wayfare::parameter;
use wayfare::parameter::Description;
use wayfare::vector::Vector;
use wayfare_measure::Kinds;

use super::value::Value;

/// The behaviors in worlds of this dimension.
#[derive(Clone, Copy)]
pub(super) struct Behaviors(pub(super) usize);

impl Behaviors {
    /// The descriptions in the order of the list.
    pub(super) fn all(self) -> &'static [Description] {
        if self.0 == 3 { Behavior::<Vec3>::LIST } else { Behavior::<Vec2>::LIST }
    }

    pub(super) fn find(self, name: &str) -> Option<&'static Description> {
        self.all().iter().find(|description| description.name == name)
    }

    /// The default of a behavior's parameter; `None` where a scene cannot write it.
    pub(super) fn default(self, owner: Described, parameter: &str) -> Option<Value> {
        match (owner, self.0) {
            (Described::Behavior(name), 3) => {
                scene_value(&Behavior::<Vec3>::from_name(name)?.get(parameter)?)
            }
            (Described::Behavior(name), _) => {
                scene_value(&Behavior::<Vec2>::from_name(name)?.get(parameter)?)
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
