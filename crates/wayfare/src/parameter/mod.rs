//! Parameters that describe themselves once: name, doc, kind, unit, range and default.
//!
//! Decoding of scene files, the texts of errors, the schema, the viewer's panel and the docs page
//! are all driven by the one description that `parameters!` derives from a behavior's struct. A new
//! parameter is one field there.

use crate::geometry::obstacle::Shape;
pub use crate::quantity::{LARGEST, Range, SMALLEST, Unit};
pub use crate::spatial::neighbors::Groups;
use crate::vector::Vector;

mod variants;

pub(crate) use variants::describe_variants;
pub use variants::{Variant, Variants};

/// What a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number in a range.
    Number(Range),
    /// A number in a range, or one of these words.
    NumberOr(Range, &'static [&'static str]),
    /// A number in a range, or `false` to switch it off.
    NumberOrOff(Range),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A point, `"pointer"`, `"goal"`, `"last_seen"`, or a group's name.
    Target,
    /// A group's name.
    Group,
    /// A list of groups' names.
    Groups,
    /// A path's name.
    Path,
    /// A field's name.
    Field,
    /// A shape with an inside: where random points are drawn.
    Area,
    /// A table of the parameters of another behavior.
    Nested(&'static [Parameter]),
    /// A number in a range, kept in double precision: times and rates.
    Double(Range),
    /// `true` or `false`.
    Flag,
    /// The name of a stat of the group.
    Stat,
    /// A list of times above zero that grow, each with a number of agents.
    Schedule,
    /// A condition; it has no [`Value`].
    Condition,
    /// A list of conditions; it has no [`Value`].
    Conditions,
}

impl core::fmt::Display for Kind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Kind::Number(range) => write!(f, "{range}"),
            Kind::NumberOr(range, words) => write!(f, "{range}, or {}", Words(words)),
            Kind::NumberOrOff(range) => write!(f, "{range}, or false"),
            Kind::Word(words) => write!(f, "{}", Words(words)),
            Kind::Target => write!(
                f,
                "a point such as [100, 50], \"pointer\", \"goal\", \"last_seen\", or a group's \
                 name"
            ),
            Kind::Group => write!(f, "a group's name"),
            Kind::Groups => write!(f, "a list of groups' names such as [\"walkers\"]"),
            Kind::Path => write!(f, "a path's name"),
            Kind::Field => write!(f, "a field's name"),
            Kind::Area => write!(
                f,
                "a circle or a box, such as {{ box = {{ min = [0, 0], max = [10, 10] }} }}"
            ),
            Kind::Double(range) => write!(f, "{range}"),
            Kind::Flag => write!(f, "true or false"),
            Kind::Stat => write!(f, "the name of a stat of the group"),
            Kind::Schedule => {
                write!(f, "a list of times and numbers, such as [[10, 5], [60, 20]]")
            }
            Kind::Condition => write!(f, "a condition, such as {{ time_in_state = 50 }}"),
            Kind::Conditions => {
                write!(f, "a list of conditions, such as [{{ time_in_state = 5 }}]")
            }
            Kind::Nested(parameters) => {
                write!(f, "a table such as {{ ")?;
                for (i, p) in parameters.iter().filter(|p| p.required).enumerate() {
                    write!(f, "{}{} = …", if i > 0 { ", " } else { "" }, p.name)?;
                }
                write!(f, " }}")
            }
        }
    }
}

/// Words in quotes with "or" before the last.
pub(crate) struct Words<'a>(pub(crate) &'a [&'a str]);

impl core::fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (i, word) in self.0.iter().enumerate() {
            let joint = if i == 0 {
                ""
            } else if i + 1 == self.0.len() {
                " or "
            } else {
                ", "
            };
            write!(f, "{joint}\"{word}\"")?;
        }
        Ok(())
    }
}

/// The description of a behavior or solver: what a scene file, a schema, a panel and a docs page
/// are made from.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// The name in scenes, and of the function.
    pub name: &'static str,
    /// What it does, in Markdown.
    pub doc: &'static str,
    /// The parameters in their order.
    pub parameters: &'static [Parameter],
}

impl Description {
    /// The description of the type `P`.
    pub const fn of<V: Vector, P: Parameters<V>>() -> Self {
        Self { name: P::NAME, doc: P::DOC, parameters: P::PARAMETERS }
    }
}

/// The description of one parameter.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name: the field, the scene key, the label.
    pub name: &'static str,
    /// What it does, in Markdown.
    pub doc: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Whether a scene must give it.
    pub required: bool,
}

/// Where a behavior steers to or from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target<V> {
    /// A fixed point.
    Point(V),
    /// The pointer: the mouse in a viewer, the track in a scene.
    Pointer,
    /// The host's own place among the goals of its group.
    Goal,
    /// The place where the host last saw whom its group looks out for, as long as it remembers.
    LastSeen,
    /// The member of this group (its index) that is nearest to the host, the host itself excluded.
    Group(usize),
}

/// A path by its index in the surroundings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathId(pub usize);

/// A field by its index in the surroundings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldId(pub usize);

/// A group by its index in the crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupId(pub usize);

/// A stat by its index in its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatId(pub usize);

/// The value of a parameter, with names resolved to indices.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<V: Vector> {
    /// A number.
    Number(f32),
    /// One of the words the parameter takes.
    Word(&'static str),
    /// `false`: switched off.
    Off,
    /// A target.
    Target(Target<V>),
    /// A group.
    Group(GroupId),
    /// Groups.
    Groups(Groups),
    /// A path.
    Path(PathId),
    /// A field.
    Field(FieldId),
    /// A shape.
    Area(Shape<V>),
    /// Another behavior's parameters, those that are given.
    Nested(Vec<(&'static str, Value<V>)>),
    /// A number in double precision.
    Double(f64),
    /// `true` or `false`.
    Flag(bool),
    /// A stat.
    Stat(StatId),
    /// (time, number of agents), in the order of time.
    Schedule(Vec<(f64, usize)>),
}

impl Kind {
    /// Whether `value` is what this kind takes; the error says what is allowed.
    ///
    /// # Errors
    /// The text of what is allowed, where it is not.
    pub fn check<V: Vector>(&self, value: &Value<V>) -> Result<(), String> {
        let fine = match (self, value) {
            (
                Kind::Number(range) | Kind::NumberOr(range, _) | Kind::NumberOrOff(range),
                Value::Number(x),
            ) => range.holds(*x),
            (Kind::NumberOr(_, words) | Kind::Word(words), Value::Word(word)) => {
                words.contains(word)
            }
            (Kind::Target, Value::Target(Target::Point(p))) => {
                (0..V::DIMENSION).all(|i| p.axis(i).abs() <= LARGEST)
            }
            (Kind::Double(range), Value::Double(x)) => range.holds(*x as f32),
            (Kind::NumberOrOff(_), Value::Off)
            | (Kind::Flag, Value::Flag(_))
            | (Kind::Stat, Value::Stat(_))
            | (Kind::Schedule, Value::Schedule(_))
            | (Kind::Target, Value::Target(_))
            | (Kind::Group, Value::Group(_))
            | (Kind::Groups, Value::Groups(_))
            | (Kind::Path, Value::Path(_))
            | (Kind::Field, Value::Field(_))
            | (Kind::Area, Value::Area(_))
            | (Kind::Nested(_), Value::Nested(_)) => true,
            _ => false,
        };
        if fine { Ok(()) } else { Err(self.to_string()) }
    }

    /// The value that stands for a parameter without one: `false` where that switches it off.
    pub fn absent<V: Vector>(self) -> Option<Value<V>> {
        if let Kind::NumberOrOff(_) = self { Some(Value::Off) } else { None }
    }
}

/// A type that can be the field of a described struct.
pub trait Field<V: Vector>: Sized {
    /// What stands there until a value is set: only ever seen for parameters that are required.
    fn placeholder() -> Self;
    /// From a value of the parameter's kind; `None` where it is of another.
    fn read(value: Value<V>) -> Option<Self>;
    /// Its value; `None` where it was left out, or switched off.
    fn write(&self) -> Option<Value<V>>;
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

field!(f32, 0.0, Number);
field!(Target<V>, Target::Point(V::ZERO), Target);
field!(GroupId, GroupId(0), Group);
field!(Groups, Groups::All, Groups);
field!(PathId, PathId(0), Path);
field!(FieldId, FieldId(0), Field);
field!(StatId, StatId(0), Stat);
field!(f64, 0.0, Double);
field!(bool, false, Flag);
field!(Vec<(f64, usize)>, Vec::new(), Schedule);
field!(Shape<V>, Shape::Circle { center: V::ZERO, radius: 0.0 }, Area);

/// A number that may be left out, or switched off.
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

/// A struct whose fields describe themselves: made by `parameters!`.
pub trait Parameters<V: Vector>: Sized + Clone {
    /// The behavior's name in scenes, and of its module and function.
    const NAME: &'static str;
    /// Its doc in Markdown.
    const DOC: &'static str;
    /// The fields in their order.
    const PARAMETERS: &'static [Parameter];
    /// All defaults; required parameters have placeholders.
    fn defaults() -> Self;
    /// Sets the parameter `name`; `false` where there is none of that name that takes such a value.
    /// Ranges are not looked at here.
    fn set(&mut self, name: &str, value: Value<V>) -> bool;
    /// The value of the parameter `name`; `None` where there is none, or it was left out.
    fn get(&self, name: &str) -> Option<Value<V>>;
    /// All values that are there.
    fn values(&self) -> Vec<(&'static str, Value<V>)> {
        Self::PARAMETERS.iter().filter_map(|p| Some((p.name, self.get(p.name)?))).collect()
    }
}

/// Declares the parameters of a behavior or solver: a struct with public fields, and its
/// [`Description`](crate::parameter::Description).
///
/// A field is `name: Type = default, kind;` where the default is one token, such as `1.0` or
/// `(Some(0.8))`, or `required`. See [`Registry`](crate::behavior::Registry) for an example.
#[macro_export]
macro_rules! parameters {
    ($(#[doc = $doc:literal])* $(#[doc(alias = $alias:literal)])* $(#[derive($derive:ident)])? $name:literal = pub struct $type:ident $(<$v:ident>)? {
        $($(#[doc = $fdoc:literal])* $field:ident: $ftype:ty = $default:tt, $kind:expr;)*
    }) => {
        $(#[doc = $doc])* $(#[doc(alias = $alias)])*
        #[derive(Clone, Debug, PartialEq $(, $derive)?)]
        pub struct $type $(<$v>)? {
            $($(#[doc = $fdoc])* pub $field: $ftype,)*
        }
        /// All defaults; a required parameter has a placeholder: zero, the origin, the first
        /// group or path.
        impl$(<$v: $crate::vector::Vector>)? Default for $type$(<$v>)? {
            fn default() -> Self {
                $crate::parameters!(@defaults $(<$v>)?)
            }
        }
        impl<V: $crate::vector::Vector> $crate::parameter::Parameters<V> for $type $(<$v>)? {
            const NAME: &'static str = $name;
            const DOC: &'static str = concat!($($doc, "\n"),*);
            const PARAMETERS: &'static [$crate::parameter::Parameter] = &[$($crate::parameter::Parameter {
                name: stringify!($field),
                doc: concat!($($fdoc, "\n"),*),
                kind: $kind,
                required: $crate::parameters!(@required $default),
            }),*];
            fn defaults() -> Self {
                Self { $($field: $crate::parameters!(@default V, $ftype, $default)),* }
            }
            fn set(&mut self, name: &str, value: $crate::parameter::Value<V>) -> bool {
                match name {
                    $(stringify!($field) => match <$ftype as $crate::parameter::Field<V>>::read(value) {
                        Some(value) => { self.$field = value; true }
                        None => false,
                    },)*
                    _ => false,
                }
            }
            fn get(&self, name: &str) -> Option<$crate::parameter::Value<V>> {
                match name {
                    $(stringify!($field) => <$ftype as $crate::parameter::Field<V>>::write(&self.$field).or_else(|| $kind.absent()),)*
                    _ => None,
                }
            }
        }
    };
    (@defaults <$v:ident>) => { <Self as $crate::parameter::Parameters<$v>>::defaults() };
    (@defaults) => { <Self as $crate::parameter::Parameters<$crate::glam::Vec2>>::defaults() };
    (@required required) => { true };
    (@required $default:tt) => { false };
    (@default $v:ident, $ftype:ty, required) => { <$ftype as $crate::parameter::Field<$v>>::placeholder() };
    (@default $v:ident, $ftype:ty, $default:tt) => { $default };
}

/// Declares an enum whose variants are words of the scene format.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $type:ident { $($(#[$vmeta:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type { $($(#[$vmeta])* $variant,)* }
        impl $type {
            /// The words, in the order of the variants.
            pub const WORDS: &'static [&'static str] = &[$($word),*];
        }
        impl<V: $crate::vector::Vector> $crate::parameter::Field<V> for $type {
            fn placeholder() -> Self {
                [$($type::$variant),*][0]
            }
            fn read(value: $crate::parameter::Value<V>) -> Option<Self> {
                match value {
                    $($crate::parameter::Value::Word($word) => Some($type::$variant),)*
                    _ => None,
                }
            }
            fn write(&self) -> Option<$crate::parameter::Value<V>> {
                Some($crate::parameter::Value::Word(match self { $($type::$variant => $word),* }))
            }
        }
    };
}

/// A nested table of parameters that may be left out.
macro_rules! nested {
    ($type:ident) => {
        impl<V: $crate::vector::Vector> $crate::parameter::Field<V> for Option<$type> {
            fn placeholder() -> Self {
                None
            }
            fn read(value: $crate::parameter::Value<V>) -> Option<Self> {
                let $crate::parameter::Value::Nested(values) = value else { return None };
                let mut nested = <$type as $crate::parameter::Parameters<V>>::defaults();
                let all = values.into_iter().all(|(name, value)| {
                    $crate::parameter::Parameters::<V>::set(&mut nested, name, value)
                });
                all.then_some(Some(nested))
            }
            fn write(&self) -> Option<$crate::parameter::Value<V>> {
                self.as_ref().map(|n| {
                    $crate::parameter::Value::Nested($crate::parameter::Parameters::<V>::values(n))
                })
            }
        }
    };
}

pub use crate::parameters;
pub(crate) use {nested, words};
