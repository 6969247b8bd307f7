//! The macros that declare described structs and words.

/// Declares the parameters of a behavior or solver: a struct with public fields, and its
/// [`Description`](crate::parameter::Description).
///
/// A field is `name: Type = default, kind;` where the default is one token, such as `1.0` or
/// `(Some(0.8))`, or `required`. See [`Registry`](crate::registry::Registry) for an example.
#[macro_export]
macro_rules! parameters {
    ($(#[doc = $doc:literal])* $(#[doc(alias = $alias:literal)])* $(#[derive($derive:ident)])?
    $name:literal = pub struct $type:ident $(<$v:ident>)? {
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
            const PARAMETERS: &'static [$crate::parameter::Parameter] =
                &[$($crate::parameter::Parameter {
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
                    $(stringify!($field) => {
                        match <$ftype as $crate::parameter::Field<V>>::read(value) {
                            Some(value) => { self.$field = value; true }
                            None => false,
                        }
                    })*
                    _ => false,
                }
            }
            fn get(&self, name: &str) -> Option<$crate::parameter::Value<V>> {
                match name {
                    $(stringify!($field) => {
                        <$ftype as $crate::parameter::Field<V>>::write(&self.$field)
                            .or_else(|| $kind.absent())
                    })*
                    _ => None,
                }
            }
        }
    };
    (@defaults <$v:ident>) => { <Self as $crate::parameter::Parameters<$v>>::defaults() };
    (@defaults) => { <Self as $crate::parameter::Parameters<$crate::glam::Vec2>>::defaults() };
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

/// An optional nested table of parameters.
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

pub(crate) use {nested, words};
