//! The macros that declare described structs and words.

/// Declares the parameters of a behavior or solver: a struct with public fields, and its
/// [`Description`](crate::parameter::Description).
///
/// A field is `name: Type = default, kind;` where the default is one token, such as `1.0` or
/// `(Some(0.8))`, or `required`. The required fields, in their order, are the arguments of the
/// struct's `new`; a struct without required fields has [`Default`] instead. Each field has a
/// method of its name, which takes the struct and returns it with the value. Behind the kind there
/// may be an example, as TOML writes it; without one there is one for each kind. A field of the
/// type [`Auto`](crate::parameter::Auto) has a formula in its kind.
///
/// After the name of a behavior `needs(FIELDS)` says what it [needs](crate::parameter::Needs), and
/// `is(ROUTES)` names its [roles](crate::parameter::Roles).
///
/// A list of tables has another name in scenes than in Rust: `stats as "stat": Vec<Stat> = …`. The
/// method that adds an item to it is written by hand. So is `new` of a struct that is declared
/// `without new`.
///
/// ```
/// use wayfare::parameter::{Kind, Range, Target, Unit};
/// use wayfare::{Vector, glam::vec2, parameters};
///
/// parameters! {
///     /// A force around a point.
///     "orbit" = pub struct Orbit<V> {
///         /// The point.
///         center: Target<V> = required, Kind::Target;
///         /// The distance from it.
///         radius: f32 = required, Kind::Number(Range::above_zero(Unit::Length));
///         /// The speed.
///         speed: f32 = 1.0, Kind::Number(Range::from_zero(Unit::Speed));
///     }
/// }
///
/// let moon = Orbit::new(vec2(3.0, 4.0), 20.0).speed(0.5);
/// assert_eq!((moon.center, moon.radius), (Target::Point(vec2(3.0, 4.0)), 20.0));
/// ```
///
/// A forgotten parameter does not compile:
///
/// ```compile_fail
/// use wayfare::behavior::Separation;
/// let apart = Separation { radius: 20.0, ..Separation::default() };
/// ```
///
/// See [`Registry`](crate::registry::Registry) for a behavior of a user.
#[macro_export]
macro_rules! parameters {
    ($(#[doc = $doc:literal])* $(#[doc(alias = $alias:literal)])* $(#[derive($derive:ident)])?
    $name:literal $(needs($($need:ident)*))? $(is($($role:ident)*))? =
    pub struct $type:ident $(<$v:ident $(: $bound:ident)?>)? $(without $new:ident)? {
        $($(#[doc = $fdoc:literal])*
        $field:ident $(as $key:literal)?: $ftype:ty = $default:tt,
            $kind:expr $(, $example:literal)?;)*
    }) => {
        $(#[doc = $doc])* $(#[doc(alias = $alias)])*
        #[derive(Clone, Debug, PartialEq $(, $derive)?)]
        pub struct $type $(<$v $(: $bound)?>)? {
            $(
                $(#[doc = $fdoc])*
                #[doc = $crate::parameters!(@told $default)]
                pub $field: $ftype,
            )*
        }
        $crate::parameters! {
            @new $($new)? $name $type [$($v)?] [] [] $($field: $ftype = $default;)*
        }
        // A program may set its own behavior otherwise.
        #[allow(dead_code)]
        impl$(<$v: $crate::vector::Vector>)? $type$(<$v>)? {
            $($crate::parameters! { @with $($key)? $(#[doc = $fdoc])* $field: $ftype })*
        }
        $crate::parameters! {
            @describe $(#[doc = $doc])* $(#[doc(alias = $alias)])*
            $name $(needs($($need)*))? $(is($($role)*))? = $type [$($v)?]
            $($(#[doc = $fdoc])* $field $(as $key)?: $ftype = $default, $kind $(, $example)?;)*
        }
    };
    (@describe $(#[doc = $doc:literal])* $(#[doc(alias = $alias:literal)])*
    $name:literal $(needs($($need:ident)*))? $(is($($role:ident)*))? = $type:ident [$($v:ident)?]
    $($(#[doc = $fdoc:literal])*
    $field:ident $(as $key:literal)?: $ftype:ty = $default:tt, $kind:expr $(, $example:literal)?;)*
    ) => {
        impl<V: $crate::vector::Vector> $crate::parameter::Parameters<V> for $type $(<$v>)? {
            const NAME: &'static str = $name;
            const DOC: &'static str = concat!($($doc, "\n"),*);
            const ALIASES: &'static [&'static str] = &[$($alias),*];
            const NEEDS: $crate::parameter::Needs =
                $crate::parameter::Needs::NONE$($(.and($crate::parameter::Needs::$need))*)?;
            const ROLES: $crate::parameter::Roles =
                $crate::parameter::Roles::NONE$($(.and($crate::parameter::Roles::$role))*)?;
            // A reference to a static has one copy behind it, and not one in each crate and for
            // each type of vectors. A static has no generic parameters: no description depends on
            // the type of vectors.
            const PARAMETERS: &'static [$crate::parameter::Parameter] = {
                #[allow(dead_code)]
                type V = $crate::glam::Vec2;
                const COUNT: usize = <[&str]>::len(&[$(stringify!($field)),*]);
                static ALL: [$crate::parameter::Parameter; COUNT] =
                    [$($crate::parameter::Parameter {
                        name: $crate::parameters!(@key $field $($key)?),
                        field: stringify!($field),
                        doc: concat!($($fdoc, "\n"),*),
                        kind: $kind,
                        required: $crate::parameters!(@required $default),
                        example: concat!($($example)?),
                    }),*];
                &ALL
            };
            fn undecoded() -> Self {
                Self { $($field: $crate::parameters!(@default V, $ftype, $default)),* }
            }
            // Some behaviors have no parameters.
            #[allow(unused_variables, clippy::match_single_binding)]
            fn set(&mut self, name: &str, value: $crate::parameter::Value<V>) -> bool {
                match name {
                    $($crate::parameters!(@key $field $($key)?) => {
                        match <$ftype as $crate::parameter::Field<V>>::read(value) {
                            Some(value) => { self.$field = value; true }
                            None => false,
                        }
                    })*
                    _ => false,
                }
            }
            #[allow(clippy::match_single_binding)]
            fn get(&self, name: &str) -> Option<$crate::parameter::Value<V>> {
                match name {
                    $($crate::parameters!(@key $field $($key)?) => {
                        <$ftype as $crate::parameter::Field<V>>::write(&self.$field)
                            .or_else(|| $kind.absent())
                    })*
                    _ => None,
                }
            }
        }
    };
    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $key:literal) => { $key };
    (@with $(#[doc = $fdoc:literal])* $field:ident: $ftype:ty) => {
        $(#[doc = $fdoc])*
        #[must_use]
        pub fn $field(mut self, $field: impl $crate::parameter::IntoField<$ftype>) -> Self {
            self.$field = $crate::parameter::IntoField::into_field($field);
            self
        }
    };
    (@with $key:literal $(#[doc = $fdoc:literal])* $field:ident: $ftype:ty) => {};
    // The constructor: fields move one by one to the arguments or to the values.
    (@new new $($rest:tt)*) => {};
    (@new $name:literal $type:ident [$($v:ident)?] [$($required:tt)*] [$($set:tt)*]
    $field:ident: $ftype:ty = required; $($rest:tt)*) => {
        $crate::parameters! {
            @new $name $type [$($v)?] [$($required)* $field: $ftype,] [$($set)*] $($rest)*
        }
    };
    (@new $name:literal $type:ident [$($v:ident)?] [$($required:tt)*] [$($set:tt)*]
    $field:ident: $ftype:ty = $default:tt; $($rest:tt)*) => {
        $crate::parameters! {
            @new $name $type [$($v)?] [$($required)*] [$($set)* $field: $default,] $($rest)*
        }
    };
    (@new $name:literal $type:ident [$($v:ident)?] [] [$($field:ident: $default:tt,)*]) => {
        /// All defaults: no parameter is required.
        impl$(<$v: $crate::vector::Vector>)? Default for $type$(<$v>)? {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }
    };
    (@new $name:literal $type:ident [$($v:ident)?] [$($required:ident: $rtype:ty,)+]
    [$($field:ident: $default:tt,)*]) => {
        impl$(<$v: $crate::vector::Vector>)? $type$(<$v>)? {
            #[doc = concat!("`", $name, "` with its required parameters: ",
                $("`", stringify!($required), "`, ",)+ "and the defaults of the others.")]
            #[allow(clippy::too_many_arguments)]
            pub fn new($($required: impl $crate::parameter::IntoField<$rtype>),+) -> Self {
                Self {
                    $($required: $crate::parameter::IntoField::into_field($required),)+
                    $($field: $default,)*
                }
            }
        }
    };
    (@told required) => { "\n\nRequired: an argument of `new`." };
    (@told ($default:expr)) => {
        concat!("\n\nDefault `", stringify!($default), "`.")
    };
    (@told $default:tt) => {
        concat!("\n\nDefault `", stringify!($default), "`.")
    };
    (@required required) => { true };
    (@required $default:tt) => { false };
    (@default $v:ident, $ftype:ty, required) => {
        <$ftype as $crate::parameter::Field<$v>>::placeholder()
    };
    (@default $v:ident, $ftype:ty, $default:tt) => { $default };
}

/// Declares an enum whose variants are words of the scene format.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $type:ident {
        $($(#[$vmeta:meta])* $variant:ident = $word:literal,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum $type {
            $($(#[$vmeta])* #[cfg_attr(feature = "serde", serde(rename = $word))] $variant,)*
        }
        $crate::words_of! { $type { $($variant = $word,)* } }
    };
}

/// Makes an enum without fields a parameter: each variant is the word of the scene format that is
/// given. `WORDS` has all of them, for [`Kind::Word`](crate::parameter::Kind::Word).
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Side {
///     Left,
///     Right,
/// }
/// wayfare::parameter::words_of! { Side { Left = "left", Right = "right", } }
/// use wayfare::{glam::Vec2, parameter::{Field, Value}};
/// assert_eq!(Side::WORDS, ["left", "right"]);
/// let right: Value<Vec2> = Value::Word("right");
/// assert_eq!(Side::read(right), Some(Side::Right));
/// ```
#[macro_export]
macro_rules! words_of {
    ($type:ident { $($variant:ident = $word:literal,)* }) => {
        impl $type {
            /// The words, in the order of the variants.
            pub const WORDS: &'static [&'static str] = &[$($word),*];
        }
        impl<V: $crate::Vector> $crate::parameter::Field<V> for $type {
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

/// A word that may be left out.
macro_rules! optional_word {
    ($type:ty) => {
        impl<V: $crate::vector::Vector> $crate::parameter::Field<V> for Option<$type> {
            fn placeholder() -> Self {
                None
            }
            fn read(value: $crate::parameter::Value<V>) -> Option<Self> {
                <$type as $crate::parameter::Field<V>>::read(value).map(Some)
            }
            fn write(&self) -> Option<$crate::parameter::Value<V>> {
                self.as_ref().and_then($crate::parameter::Field::write)
            }
        }
    };
}

/// An optional nested table of parameters.
macro_rules! nested {
    ($type:ty) => {
        impl<V: $crate::vector::Vector> $crate::parameter::Field<V> for Option<$type> {
            fn placeholder() -> Self {
                None
            }
            fn read(value: $crate::parameter::Value<V>) -> Option<Self> {
                let $crate::parameter::Value::Nested(values) = value else { return None };
                $crate::parameter::with_values(values).map(Some)
            }
            fn write(&self) -> Option<$crate::parameter::Value<V>> {
                self.as_ref().map(|n| {
                    $crate::parameter::Value::Nested($crate::parameter::Parameters::<V>::values(n))
                })
            }
        }
    };
}

/// Describes a struct that is declared apart, below this module: its public fields, as
/// [`parameters!`] describes those that it declares.
macro_rules! describe {
    ($(#[doc = $doc:literal])* $name:literal = $type:ident $(<$v:ident>)? { $($fields:tt)* }) => {
        $crate::parameters! { @describe $(#[doc = $doc])* $name = $type [$($v)?] $($fields)* }
    };
}

/// A list of tables of parameters.
macro_rules! tables {
    ($type:ty) => {
        impl<V: $crate::vector::Vector> $crate::parameter::Field<V> for alloc::vec::Vec<$type> {
            fn placeholder() -> Self {
                Self::new()
            }
            fn read(value: $crate::parameter::Value<V>) -> Option<Self> {
                let $crate::parameter::Value::Tables(tables) = value else { return None };
                tables.into_iter().map($crate::parameter::with_values).collect()
            }
            fn write(&self) -> Option<$crate::parameter::Value<V>> {
                let tables = self.iter().map($crate::parameter::Parameters::<V>::values);
                Some($crate::parameter::Value::Tables(tables.collect()))
            }
        }
    };
}

/// Reads and writes a described struct by its description, with the feature `serde`.
macro_rules! described {
    ($type:ident<$v:ident $(: $bound:ident)?>) => {
        $crate::parameter::described! { @ [V] $type<V>, V }
    };
    ($type:ident) => {
        $crate::parameter::described! { @ [] $type, glam::Vec2 }
    };
    (@ [$($v:ident)?] $type:ty, $vector:ty) => {
        #[cfg(feature = "serde")]
        impl$(<$v: $crate::vector::Vector + serde::Serialize>)? serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                $crate::encoding::write_table::<$vector, _, _>(self, to)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de $(, $v: $crate::vector::Vector + serde::Deserialize<'de>)?>
            serde::Deserialize<'de> for $type
        {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::encoding::read_table::<$vector, _, _>(from)
            }
        }
    };
}

pub(crate) use {describe, described, nested, optional_word, tables, words};

#[cfg(test)]
#[allow(unreachable_pub)]
mod tests {
    use super::super::{GroupId, Kind, PathId, Range, Target, Unit};
    use crate::behavior::{Arrive, FollowPath, LookWhereGoing, Pursue, Seek, Separation, Tracking};
    use crate::parameter::{Auto, Formula, Groups, Parameter, Parameters};
    use crate::registry::Behavior;
    use glam::{Vec2, vec2};

    parameters! {
        /// A user's struct.
        "orbit" = pub struct Orbit<V> {
            /// The point.
            center: Target<V> = required, Kind::Target;
            /// The speed.
            speed: f32 = 1.5, Kind::Number(Range::from_zero(Unit::Speed));
            /// The distance.
            radius: f32 = required, Kind::Number(Range::above_zero(Unit::Length));
            /// The number of turns.
            turns: Auto = (Auto::Auto),
                Kind::Auto(Range::from_zero(Unit::None), Formula::by_group(|_| 2.0));
        }
    }

    #[test]
    fn a_constructor_takes_what_is_required_and_sets_the_defaults_of_the_others() {
        let apart = Separation::default().radius(20.0);
        assert_eq!((apart.radius, apart.max_force), (Auto::Fixed(20.0), Auto::Auto));
        let others = (apart.falloff, apart.of, apart.field_of_view);
        assert_eq!(others, (None, Groups::All, 360.0));
        assert_eq!(FollowPath::new(PathId(3)).tracking, Tracking::Nodes);
        assert_eq!(LookWhereGoing::default().least_speed, 0.0);
        let orbit = Orbit::new(vec2(3.0, 4.0), 20.0);
        assert_eq!((orbit.center, orbit.radius), (Target::Point(vec2(3.0, 4.0)), 20.0));
        assert_eq!((orbit.speed, orbit.turns), (1.5, Auto::Auto));
    }

    #[test]
    fn a_point_a_group_and_an_index_stand_for_the_target_that_they_mean() {
        assert_eq!(Seek::new(vec2(1.0, 2.0)).target, Target::Point(vec2(1.0, 2.0)));
        let seek: Seek<Vec2> = Seek::new(GroupId(1));
        assert_eq!(seek.target, Target::Group(GroupId(1)));
        assert_eq!(Seek::<Vec2>::new(Target::Pointer).target, Target::Pointer);
        assert_eq!(
            (Pursue::new(2).quarry, Pursue::new(GroupId(2)).quarry),
            (GroupId(2), GroupId(2))
        );
    }

    #[test]
    fn a_number_that_the_host_gives_is_not_required() {
        let required = |parameters: &[Parameter]| -> Vec<_> {
            parameters.iter().map(|parameter| parameter.required).collect()
        };
        let arrive = <Arrive<Vec2> as Parameters<Vec2>>::PARAMETERS;
        assert_eq!(required(arrive), [true, false, false]);
        let orbit = <Orbit<Vec2> as Parameters<Vec2>>::PARAMETERS;
        assert_eq!(required(orbit), [true, false, true, false]);
    }

    #[test]
    fn no_behavior_requires_a_number() {
        for description in Behavior::<Vec2>::LIST {
            for parameter in description.parameters.iter().filter(|p| p.required) {
                let is_number = matches!(
                    parameter.kind,
                    Kind::Number(_) | Kind::NumberOr(..) | Kind::NumberOrOff(_) | Kind::Auto(..)
                );
                assert!(!is_number, "{}.{}", description.name, parameter.name);
            }
        }
    }
}
