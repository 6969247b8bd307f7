//! The crowds and setups of the plane and of space, compiled in this crate.
//!
//! A generic function is compiled by the crate that uses it: a program of a few lines would compile
//! every formula for every instruction set again. The large entry points are functions of
//! [`Instances`] instead, which this crate compiles for the vectors of the features that are on.

use alloc::vec::Vec;

use glam::Vec2;
#[cfg(any(test, feature = "space"))]
use glam::Vec3;

use super::encoding::error::SnapshotError;
use super::part::{HaloTooNarrow, PartLink};
use super::setup::allowed::{SetupError, ValidationError};
use super::setup::command::{Added, Command};
use super::setup::hints::IsGiven;
use super::setup::{Group, Setup, State};
use super::snapshot::Migration;
use crate::agent::Agent;
use crate::annotation::Explanation;
use crate::behavior::{Flock, flock_here};
use crate::combine::List;
use crate::crowd::facade::crowd::Crowd;
use crate::id::AgentId;
use crate::parameter::{Table, Value};
use crate::registry::Behavior;
use crate::spatial::neighbor_grid::NeighborGrid;
use crate::spatial::neighbors::Neighbors;
use crate::vector::Vector;

fn as_table<V: Vector, T: Table<V>>(table: &mut T) -> &mut dyn Table<V> {
    table
}

/// Declares the entry points, each as an instance of a generic function.
macro_rules! instances {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty = $generic:path;
    )*) => {
        /// The entry points of crowds and setups with vectors of this type.
        pub trait Instances: Sized {
            /// Whether the feature of this type is on.
            const IS_ON: bool;
            /// [`Neighbors::none_static`]: a generic function cannot declare a static.
            fn no_neighbors() -> &'static Neighbors<Self> where Self: Vector;
            $($(#[$doc])* fn $name($($argument: $type),*) -> $result where Self: Vector;)*
        }

        impl Instances for Vec2 {
            const IS_ON: bool = cfg!(any(test, feature = "plane"));
            fn no_neighbors() -> &'static Neighbors<Self> {
                static NONE: Neighbors<Vec2> = Neighbors::none();
                &NONE
            }
            $(
                #[cfg_attr(any(test, feature = "plane"), inline(never))]
                // Space computes with vectors of its ground: the type is there without `plane`, and
                // `inline` compiles nothing that is not used.
                #[cfg_attr(not(any(test, feature = "plane")), inline)]
                fn $name($($argument: $type),*) -> $result {
                    $generic($($argument),*)
                }
            )*
        }

        #[cfg(any(test, feature = "space"))]
        impl Instances for Vec3 {
            const IS_ON: bool = true;
            fn no_neighbors() -> &'static Neighbors<Self> {
                static NONE: Neighbors<Vec3> = Neighbors::none();
                &NONE
            }
            $(
                #[inline(never)]
                fn $name($($argument: $type),*) -> $result {
                    $generic($($argument),*)
                }
            )*
        }
    };
}

instances! {
    /// [`Crowd::new`].
    fn new(setup: Setup<Self>) -> Result<Crowd<Self>, SetupError> = Crowd::new_here;
    /// [`Setup::hints_if`].
    fn hints_if(setup: &Setup<Self>, is_given: IsGiven<'_>) -> Vec<ValidationError>
        = Setup::hints_if_here;
    /// [`Setup::refused_commands`].
    fn refused_commands(setup: &Setup<Self>) -> Vec<ValidationError>
        = Setup::refused_commands_here;
    /// [`Behavior::from_name`].
    fn behavior(name: &str) -> Option<Behavior<Self>> = Behavior::from_name_here;
    /// [`Behavior::get`].
    fn value_of(behavior: &Behavior<Self>, name: &str) -> Option<Value<Self>> = Behavior::get_here;
    /// [`Behavior::set`].
    fn set_value_of(behavior: &mut Behavior<Self>, name: &str, value: Value<Self>) -> bool
        = Behavior::set_here;
    /// A group for code that is compiled for all tables.
    fn group_table(group: &mut Group<Self>) -> &mut dyn Table<Self> = as_table;
    /// The same of a state.
    fn state_table(state: &mut State<Self>) -> &mut dyn Table<Self> = as_table;
    /// Whether two lists are equal.
    fn lists_are_equal(one: &List<Self>, other: &List<Self>) -> bool = List::is_equal_here;
    /// [`Crowd::step_budgeted`].
    fn step(crowd: &mut Crowd<Self>, agents: usize) -> bool = Crowd::step_here;
    /// [`Crowd::end_tick_of_part`].
    fn end_part(crowd: &mut Crowd<Self>, others: &mut dyn PartLink) -> Result<(), HaloTooNarrow>
        = Crowd::end_part_here;
    /// [`Crowd::apply`].
    fn apply(crowd: &mut Crowd<Self>, command: &Command<Self>)
        -> Result<Option<Added>, ValidationError> = Crowd::apply_here;
    /// [`Crowd::explain`].
    fn explain(crowd: &mut Crowd<Self>, id: AgentId) -> Option<Explanation<Self>>
        = Crowd::explain_here;
    /// [`Crowd::snapshot`].
    fn snapshot(crowd: &Crowd<Self>) -> Vec<u8> = Crowd::snapshot_here;
    /// [`Crowd::restore`].
    fn restore(crowd: &mut Crowd<Self>, bytes: &[u8]) -> Result<(), SnapshotError>
        = Crowd::restore_here;
    /// [`Crowd::migrate`].
    fn migrate(crowd: &mut Crowd<Self>, bytes: &[u8]) -> Result<Migration, SnapshotError>
        = Crowd::migrate_here;
    /// [`flock()`](crate::behavior::flock()), of a game that has its agents in arrays of its own.
    fn flock(host: &Agent<Self>, neighbors: &Neighbors<Self>, parameters: &Flock) -> Self
        = flock_here;
    /// The candidates of a box, for
    /// [`NeighborGrid::for_each_host`](crate::spatial::neighbor_grid::NeighborGrid::for_each_host).
    fn gather_around(grid: &NeighborGrid<Self>, low: Self, high: Self, radius: f32,
        neighbors: &mut Neighbors<Self>) -> () = NeighborGrid::gather_around_here;
}
