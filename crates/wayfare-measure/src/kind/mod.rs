//! The kinds of measures, one file each: definition, source, parameters, quantities, tests.
//!
//! **A new kind** is a file here with `parameters!`, its [`Quantity`](crate::Quantity) list, a type
//! that records ticks, and tests by hand; its name below and in the list of `measure.rs`. The
//! schema, the editor, the decoder and docs/measures.md then know it.

use wayfare::parameter::{Kind, Range, Unit};

/// Declares an enum whose variants are words of the scene format.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $type:ident {
        $($(#[$vmeta:meta])* $variant:ident = $word:literal,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type {
            $($(#[$vmeta])* $variant,)*
        }
        impl $type {
            /// The words, in the order of the variants.
            pub const WORDS: &'static [&'static str] = &[$($word),*];
        }
        impl<V: wayfare::Vector> wayfare::parameter::Field<V> for $type {
            fn placeholder() -> Self {
                [$($type::$variant),*][0]
            }
            fn read(value: wayfare::parameter::Value<V>) -> Option<Self> {
                match value {
                    $(wayfare::parameter::Value::Word($word) => Some($type::$variant),)*
                    _ => None,
                }
            }
            fn write(&self) -> Option<wayfare::parameter::Value<V>> {
                Some(wayfare::parameter::Value::Word(match self { $($type::$variant => $word),* }))
            }
        }
    };
}

/// The ticks on each side of a tick over which speeds are taken.
const FRAME_STEP: Kind = Kind::Number(Range::new(1.0, 1000.0, Unit::Count));

mod flow;

pub use flow::{Flow, FlowCount, FlowDirection};
