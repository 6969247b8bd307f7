//! Combines the forces of several behaviors: weighted sum, priority, budget, dither (Reynolds, GDC
//! 1999, "Combining behaviors"), and context maps (A. Fray, "Context Steering", 2013; in
//! `context.rs`).
//!
//! A list can hold further lists, each combined by its own rule. The result of an inner list is
//! weighted like any other force, and not truncated.

mod context;
mod list;
mod one_pass;
#[cfg(test)]
mod tests;

use crate::parameter::{optional_word, part_field};
pub(crate) use list::{Contributing, SlotSettings};
pub use list::{Entry, List, Slot};

macro_rules! rules {
    ($($(#[$meta:meta])* $variant:ident = $word:literal, $summary:literal;)*) => {
        /// The rule that combines the forces of a list.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum Combine {
            $($(#[$meta])* #[cfg_attr(feature = "serde", serde(rename = $word))] $variant,)*
        }

        impl Combine {
            /// All rules, in the order of the variants.
            pub const LIST: &'static [Combine] = &[$(Combine::$variant),*];
            /// The documentation of the rules for authors of scenes, in Markdown.
            pub const DOC: &'static str =
                concat!("The rule that combines the forces of the list.",
                    $(" `\"", $word, "\"`: ", $summary, ".",)*);
        }

        crate::parameter::words_of! { Combine { $($variant = $word,)* } }
    };
}

rules! {
    /// The weighted forces are added: the tutorials' rule.
    #[default]
    Sum = "sum", "all forces are added";
    /// The first weighted force longer than the list's epsilon is the result; later behaviors are
    /// not evaluated.
    Priority = "priority", "the first force that is not zero";
    /// In order, each weighted force is truncated to the remainder of max_force, until nothing
    /// remains: Reynolds' allocation.
    Budget = "budget", "in order, each force takes what is left of max_force";
    /// In order, each slot is drawn with its chance; the first drawn force longer than epsilon is
    /// the result, divided by its chance, which preserves the mean: Reynolds' prioritized
    /// dithering.
    Dither = "dither", "in order, each force is drawn by its `chance`";
    /// The direction with the highest interest among those without danger: A. Fray's context maps.
    /// Slots with [`danger`](Slot::danger) set are the dangers, the others the interests.
    Context = "context", "the best of the directions without `danger`";
}

/// The length up to which [`Combine::Priority`] and [`Combine::Dither`] treat a force as zero
/// (length / time): the size of rounding errors.
pub const EPSILON: f32 = 1e-6;

/// The largest number of context lists in the [dangers](Slot::danger) of one context list, at any
/// depth: the buffer of their choices has this size.
pub const MAX_NESTED_CHOICES: usize = 16;

part_field!(List<V>, List::default());

optional_word!(Combine);
