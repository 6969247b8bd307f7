//! The types that fields of described structs can have.

use alloc::vec::Vec;

use super::{FieldId, GroupId, Groups, PathId, StatId, StateId, Target, Value};
use crate::geometry::obstacle::Shape;
use crate::vector::Vector;

/// A type that a field of a described struct can have.
pub trait Field<V: Vector>: Sized {
    /// The value of a required parameter until it is set.
    fn placeholder() -> Self;
    /// Converts from a value of the parameter's kind; `None` for a value of another kind.
    fn read(value: Value<V>) -> Option<Self>;
    /// Converts to a value; `None` if the parameter was left out or switched off.
    fn write(&self) -> Option<Value<V>>;
}

/// An argument of a constructor that [`parameters!`](crate::parameters) makes, for a field of type
/// `T`: a `T`, or a plainer value that stands for one, such as a point for a [`Target`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no value for a parameter of type `{T}`",
    label = "not a `{T}`",
    note = "in Rust groups and paths are given by their ids, such as `GroupId(0)` or `PathId(0)`; \
            names are for scene files"
)]
pub trait IntoField<T> {
    /// The field's value.
    fn into_field(self) -> T;
}

impl<T> IntoField<T> for T {
    fn into_field(self) -> T {
        self
    }
}

/// A fixed point.
impl<V: Vector> IntoField<Target<V>> for V {
    fn into_field(self) -> Target<V> {
        Target::Point(self)
    }
}

/// The nearest member of the group.
impl<V: Vector> IntoField<Target<V>> for GroupId {
    fn into_field(self) -> Target<V> {
        Target::Group(self)
    }
}

/// A parameter that may be absent.
impl<T> IntoField<Option<T>> for T {
    fn into_field(self) -> Option<T> {
        Some(self)
    }
}

/// A group by its index.
impl IntoField<GroupId> for usize {
    fn into_field(self) -> GroupId {
        GroupId(self)
    }
}

macro_rules! field {
    ($type:ty, $placeholder:expr, $variant:ident) => {
        impl<V: Vector> Field<V> for $type {
            fn placeholder() -> Self {
                $placeholder
            }
            fn read(value: Value<V>) -> Option<Self> {
                if let Value::$variant(x) = value { Some(x) } else { None }
            }
            fn write(&self) -> Option<Value<V>> {
                Some(Value::$variant(self.clone()))
            }
        }
    };
}

field!(f32, f32::NAN, Number);
field!(Target<V>, Target::Point(V::ZERO), Target);
field!(Vec<V>, Vec::new(), Points);
field!(GroupId, GroupId(0), Group);
field!(Groups, Groups::All, Groups);
field!(PathId, PathId(0), Path);
field!(FieldId, FieldId(0), Field);
field!(StatId, StatId(0), Stat);
field!(f64, f64::NAN, Double);
field!(bool, false, Flag);
field!(Vec<(f64, usize)>, Vec::new(), Schedule);
field!(Shape<V>, Shape::Circle { center: V::ZERO, radius: 0.0 }, Area);

macro_rules! optional_field {
    ($type:ty, $variant:ident) => {
        impl<V: Vector> Field<V> for Option<$type> {
            fn placeholder() -> Self {
                None
            }
            fn read(value: Value<V>) -> Option<Self> {
                if let Value::$variant(x) = value { Some(Some(x)) } else { None }
            }
            fn write(&self) -> Option<Value<V>> {
                self.clone().map(Value::$variant)
            }
        }
    };
}

optional_field!(StateId, State);
optional_field!(Shape<V>, Area);

/// An optional number, or a number that can be switched off.
impl<V: Vector> Field<V> for Option<f32> {
    fn placeholder() -> Self {
        None
    }
    fn read(value: Value<V>) -> Option<Self> {
        match value {
            Value::Number(x) => Some(Some(x)),
            Value::Off => Some(None),
            _ => None,
        }
    }
    fn write(&self) -> Option<Value<V>> {
        self.map(Value::Number)
    }
}
