//! The crowds and setups of the plane and of space, compiled in this crate.
//!
//! A generic function is compiled by the crate that uses it: a program of a few lines would compile
//! every formula for every instruction set again. [`Vector`] is sealed and has two types, so the
//! large entry points have an instance for each of them here, and generic callers go to it.

use alloc::vec::Vec;
use core::any::Any;

use glam::{Vec2, Vec3};

use super::Crowd;
use super::command::{Added, Command};
use super::part::HaloTooNarrow;
use super::pipeline::contact::Others;
use super::setup::Setup;
use super::setup::hints::IsGiven;
use super::setup::validate::{SetupError, ValidationError};
use super::snapshot::{Migration, SnapshotError};
use crate::annotation::Explanation;
use crate::id::AgentId;
use crate::vector::Vector;

/// `value` as the type that it has.
fn same_type<A: 'static, B: 'static>(value: A) -> Option<B> {
    let mut value = Some(value);
    (&mut value as &mut dyn Any).downcast_mut::<Option<B>>().and_then(Option::take)
}

/// The error of a dispatch that cannot happen: [`Vector`] has no third type.
const SEALED: &str = "only Vec2 and Vec3 implement Vector";

/// Goes to the instance of a function of a crowd, by the type of its vectors.
macro_rules! by_vector {
    ($crowd:ident, $downcast:ident, $any:ty, |$found:ident| $plane:expr, $space:expr) => {{
        let any: $any = $crowd;
        if V::DIMENSION == 2 {
            let $found = any.$downcast::<Crowd<Vec2>>().expect(SEALED);
            $plane
        } else {
            let $found = any.$downcast::<Crowd<Vec3>>().expect(SEALED);
            $space
        }
    }};
}

/// Instances of a method for the plane and for space, and the generic function that selects one.
macro_rules! instances {
    ($(fn $name:ident($($crowd:tt)+) ($($argument:ident: $type:ty),*) -> $result:ty
        = $method:ident;)*) => {
        $(instances!(@one $name, ($($crowd)+), ($($argument: $type),*), $result, $method);)*
    };
    (@one $name:ident, (&mut), ($($argument:ident: $type:ty),*), $result:ty, $method:ident) => {
        pub(super) fn $name<V: Vector>(crowd: &mut Crowd<V>, $($argument: $type),*) -> $result {
            #[inline(never)]
            fn plane(crowd: &mut Crowd<Vec2>, $($argument: $type),*) -> $result {
                crowd.$method($($argument),*)
            }
            #[inline(never)]
            fn space(crowd: &mut Crowd<Vec3>, $($argument: $type),*) -> $result {
                crowd.$method($($argument),*)
            }
            by_vector!(crowd, downcast_mut, &mut dyn Any, |found|
                plane(found, $($argument),*), space(found, $($argument),*))
        }
    };
    (@one $name:ident, (&), ($($argument:ident: $type:ty),*), $result:ty, $method:ident) => {
        pub(super) fn $name<V: Vector>(crowd: &Crowd<V>, $($argument: $type),*) -> $result {
            #[inline(never)]
            fn plane(crowd: &Crowd<Vec2>, $($argument: $type),*) -> $result {
                crowd.$method($($argument),*)
            }
            #[inline(never)]
            fn space(crowd: &Crowd<Vec3>, $($argument: $type),*) -> $result {
                crowd.$method($($argument),*)
            }
            by_vector!(crowd, downcast_ref, &dyn Any, |found|
                plane(found, $($argument),*), space(found, $($argument),*))
        }
    };
}

instances! {
    fn step(&mut) (agents: usize) -> bool = step_here;
    fn snapshot(&) () -> Vec<u8> = snapshot_here;
    fn restore(&mut) (bytes: &[u8]) -> Result<(), SnapshotError> = restore_here;
    fn migrate(&mut) (bytes: &[u8]) -> Result<Migration, SnapshotError> = migrate_here;
}

/// [`Crowd::new`].
pub(super) fn new<V: Vector>(setup: Setup<V>) -> Result<Crowd<V>, SetupError> {
    #[inline(never)]
    fn plane(setup: Setup<Vec2>) -> Result<Crowd<Vec2>, SetupError> {
        Crowd::new_here(setup)
    }
    #[inline(never)]
    fn space(setup: Setup<Vec3>) -> Result<Crowd<Vec3>, SetupError> {
        Crowd::new_here(setup)
    }
    if V::DIMENSION == 2 {
        plane(same_type(setup).expect(SEALED)).map(|crowd| same_type(crowd).expect(SEALED))
    } else {
        space(same_type(setup).expect(SEALED)).map(|crowd| same_type(crowd).expect(SEALED))
    }
}

/// [`Setup::hints_if`].
pub(super) fn hints_if<V: Vector>(setup: &Setup<V>, is_given: IsGiven<'_>) -> Vec<ValidationError> {
    #[inline(never)]
    fn plane(setup: &Setup<Vec2>, is_given: IsGiven<'_>) -> Vec<ValidationError> {
        setup.hints_if_here(is_given)
    }
    #[inline(never)]
    fn space(setup: &Setup<Vec3>, is_given: IsGiven<'_>) -> Vec<ValidationError> {
        setup.hints_if_here(is_given)
    }
    let any: &dyn Any = setup;
    if V::DIMENSION == 2 {
        plane(any.downcast_ref().expect(SEALED), is_given)
    } else {
        space(any.downcast_ref().expect(SEALED), is_given)
    }
}

/// [`Crowd::end_tick_of_part`].
pub(super) fn end_part<V: Vector>(
    crowd: &mut Crowd<V>,
    others: &mut Others<'_>,
) -> Result<(), HaloTooNarrow> {
    #[inline(never)]
    fn plane(crowd: &mut Crowd<Vec2>, others: &mut Others<'_>) -> Result<(), HaloTooNarrow> {
        crowd.end_part_here(others)
    }
    #[inline(never)]
    fn space(crowd: &mut Crowd<Vec3>, others: &mut Others<'_>) -> Result<(), HaloTooNarrow> {
        crowd.end_part_here(others)
    }
    by_vector!(
        crowd,
        downcast_mut,
        &mut dyn Any,
        |found| plane(found, others),
        space(found, others)
    )
}

/// [`Crowd::apply`].
pub(super) fn apply<V: Vector>(
    crowd: &mut Crowd<V>,
    command: &Command<V>,
) -> Result<Option<Added>, ValidationError> {
    type Applied = Result<Option<Added>, ValidationError>;
    #[inline(never)]
    fn plane(crowd: &mut Crowd<Vec2>, command: &dyn Any) -> Applied {
        crowd.apply_here(command.downcast_ref().expect(SEALED))
    }
    #[inline(never)]
    fn space(crowd: &mut Crowd<Vec3>, command: &dyn Any) -> Applied {
        crowd.apply_here(command.downcast_ref().expect(SEALED))
    }
    by_vector!(
        crowd,
        downcast_mut,
        &mut dyn Any,
        |found| plane(found, command),
        space(found, command)
    )
}

/// [`Crowd::explain`] of an agent that is in the crowd.
pub(super) fn explain<V: Vector>(crowd: &mut Crowd<V>, id: AgentId) -> Option<Explanation<V>> {
    #[inline(never)]
    fn plane(crowd: &mut Crowd<Vec2>, id: AgentId) -> Option<Explanation<Vec2>> {
        crowd.explain_here(id)
    }
    #[inline(never)]
    fn space(crowd: &mut Crowd<Vec3>, id: AgentId) -> Option<Explanation<Vec3>> {
        crowd.explain_here(id)
    }
    by_vector!(
        crowd,
        downcast_mut,
        &mut dyn Any,
        |found| plane(found, id).and_then(same_type),
        space(found, id).and_then(same_type)
    )
}
