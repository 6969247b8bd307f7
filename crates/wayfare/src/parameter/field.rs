//! The types that fields of described structs can have.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use super::{FieldId, GroupId, Groups, PathId, StatId, StateId, Target, Value};
use crate::geometry::obstacle::Shape;
use crate::id::Named;
use crate::random::Distribution;
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

macro_rules! into_field {
    ($($from:ty => $into:ty;)*) => {$(
        impl IntoField<$into> for $from {
            fn into_field(self) -> $into {
                self.into()
            }
        }
    )*};
}

into_field! {
    usize => GroupId;
    usize => StateId;
    &str => String;
    &String => String;
    f32 => Distribution;
    RangeInclusive<f32> => Distribution;
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
field!(StateId, StateId(0), State);
field!(f64, f64::NAN, Double);
field!(bool, false, Flag);
field!(Vec<(f64, usize)>, Vec::new(), Schedule);
field!(Shape<V>, Shape::Circle { center: V::ZERO, radius: 0.0 }, Area);

field!(String, String::new(), Text);
field!(V, V::ZERO, Point);
field!(Vec<(Named<StatId>, f32)>, Vec::new(), Rates);
field!(Vec<(V, f32)>, Vec::new(), Destinations);

macro_rules! integer_field {
    ($($type:ty),*) => {$(
        impl<V: Vector> Field<V> for $type {
            fn placeholder() -> Self {
                0
            }
            fn read(value: Value<V>) -> Option<Self> {
                if let Value::Integer(x) = value { x.try_into().ok() } else { None }
            }
            fn write(&self) -> Option<Value<V>> {
                Some(Value::Integer(*self as u64))
            }
        }
    )*};
}

integer_field!(u32, usize);

impl<V: Vector> Field<V> for Named<StatId> {
    fn placeholder() -> Self {
        Named::Id(StatId(0))
    }
    fn read(value: Value<V>) -> Option<Self> {
        match value {
            Value::Stat(stat) => Some(Named::Id(stat)),
            Value::Text(name) => Some(Named::Name(name)),
            _ => None,
        }
    }
    fn write(&self) -> Option<Value<V>> {
        Some(match self {
            Named::Id(stat) => Value::Stat(*stat),
            Named::Name(name) => Value::Text(name.clone()),
        })
    }
}

impl<V: Vector> Field<V> for Distribution {
    fn placeholder() -> Self {
        Distribution::Same(f32::NAN)
    }
    fn read(value: Value<V>) -> Option<Self> {
        match value {
            Value::Double(x) => Some(Distribution::Same(x as f32)),
            Value::Distribution(x) => Some(x),
            _ => None,
        }
    }
    fn write(&self) -> Option<Value<V>> {
        Some(Value::Distribution(*self))
    }
}

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
optional_field!(V, Point);

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

/// Makes a type that only higher modules know a field: its value is a [`Part`].
macro_rules! part_field {
    ($type:ty, $placeholder:expr) => {
        impl<V: $crate::vector::Vector> $crate::parameter::Field<V> for $type {
            fn placeholder() -> Self {
                $placeholder
            }
            fn read(value: $crate::parameter::Value<V>) -> Option<Self> {
                let $crate::parameter::Value::Part(part) = value else { return None };
                part.get().cloned()
            }
            fn write(&self) -> Option<$crate::parameter::Value<V>> {
                Some($crate::parameter::Value::Part($crate::parameter::Part::new(self.clone())))
            }
        }
    };
}

pub(crate) use part_field;
