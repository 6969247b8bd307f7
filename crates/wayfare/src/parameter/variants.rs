//! Descriptions of enums: conditions, exit actions and arrivals describe their variants as
//! behaviors describe their parameters.
//!
//! Each such enum has one list, [`Variants::LIST`]. Decoding, schema, editor, docs and fuzzing
//! iterate it: the name of a variant is the key by which a table is recognized, its parameters are
//! the keys of that table. To decode a table: find the variant in the list, create it by
//! [`from_name`](Variants::from_name), and [`set`](Variants::set) each parameter to a value of its
//! [`Kind`](super::Kind). To encode a variant: [`get`](Variants::get) each parameter.
//!
//! ```
//! use wayfare::{
//!     crowd::Condition,
//!     glam::Vec2,
//!     parameter::{Target, Value, Variants},
//! };
//! let variant =
//!     Condition::<Vec2>::LIST.iter().find(|variant| variant.name == "near").unwrap();
//! assert_eq!(
//!     variant.parameters.iter().map(|p| p.name).collect::<Vec<_>>(),
//!     ["near", "within", "state"]
//! );
//! let mut near = Condition::from_name("near").unwrap();
//! assert!(
//!     near.set("near", Value::Target(Target::Pointer))
//!         && near.set("within", Value::Number(9.0))
//! );
//! assert_eq!(near, Condition::<Vec2>::Near(Target::Pointer, 9.0, None));
//! ```

use super::{Parameter, Value};
use crate::vector::Vector;

/// The description of one variant of an enum that implements [`Variants`].
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// Its name in scenes: the key by which a table of this variant is recognized. A variant
    /// without parameters is written as this word alone.
    pub name: &'static str,
    /// Its meaning, in Markdown.
    pub doc: &'static str,
    /// The keys of its table, in their order.
    pub parameters: &'static [Parameter],
    /// An example, as TOML writes it in one line.
    pub example: &'static str,
}

/// An enum whose variants describe themselves; implemented by `describe_variants!`.
pub trait Variants<V: Vector>: Sized {
    /// All variants, in the order of the enum.
    const LIST: &'static [Variant];
    /// The variant `name` with its defaults; required parameters have placeholders.
    fn from_name(name: &str) -> Option<Self>;
    /// The name of this variant.
    fn name(&self) -> &'static str;
    /// The value of the parameter `key`; `None` for an unknown key, a parameter that was left out,
    /// and operands of the kinds [`Condition`](super::Kind::Condition) and
    /// [`Conditions`](super::Kind::Conditions).
    fn get(&self, key: &str) -> Option<Value<V>>;
    /// Sets the parameter `key`; `false` if the variant has no parameter of that name and kind.
    /// Ranges are not checked here.
    fn set(&mut self, key: &str, value: Value<V>) -> bool;
    /// The description of this variant's parameters.
    fn parameters(&self) -> &'static [Parameter] {
        let name = self.name();
        Self::LIST.iter().find(|variant| variant.name == name).map_or(&[], |v| v.parameters)
    }
}

/// Implements [`Variants`] for an enum.
///
/// `Variant = "name", "doc", "example" { member "key": Type = default, kind, "doc"; }`, where
/// `member` is a field's name or its number, and the default may be `required`. An enum with a
/// variant that is not listed does not compile. A variant with code of a program is named apart: no
/// scene can have it.
macro_rules! describe_variants {
    ($type:ty { $(
        $variant:ident = $name:literal, $doc:literal, $example:literal {
            $($member:tt $key:literal: $ftype:ty = $default:tt, $kind:expr, $fdoc:literal;)*
        }
    )* } $(of a program: $own:ident = $own_name:literal)?) => {
        impl<V: $crate::vector::Vector> $crate::parameter::Variants<V> for $type {
            const LIST: &'static [$crate::parameter::Variant] = &[$($crate::parameter::Variant {
                name: $name,
                doc: $doc,
                parameters: &[$($crate::parameter::Parameter {
                    name: $key,
                    field: $key,
                    doc: $fdoc,
                    kind: $kind,
                    required: $crate::parameter::parameters!(@required $default),
                    example: "",
                }),*],
                example: $example,
            }),*];
            fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant {
                        $($member: $crate::parameter::parameters!(@default V, $ftype, $default)),*
                    }),)*
                    _ => None,
                }
            }
            fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $name,)*
                    $(Self::$own(_) => $own_name,)?
                }
            }
            fn get(&self, key: &str) -> Option<$crate::parameter::Value<V>> {
                $($(
                    if let Self::$variant { $member: value, .. } = self
                        && key == $key
                    {
                        return <$ftype as $crate::parameter::Field<V>>::write(value)
                            .or_else(|| $kind.absent());
                    }
                )*)*
                None
            }
            fn set(&mut self, key: &str, value: $crate::parameter::Value<V>) -> bool {
                $($(
                    if let Self::$variant { $member: member, .. } = self
                        && key == $key
                    {
                        let read = <$ftype as $crate::parameter::Field<V>>::read(value);
                        return read.map(|value| *member = value).is_some();
                    }
                )*)*
                false
            }
        }
    };
}

pub(crate) use describe_variants;
