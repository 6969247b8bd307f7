//! The changes of components since the last tick, in the order in which they were made.
//!
//! Hooks write it: change detection alone has no order that is independent of archetypes, and
//! removals are forgotten after two frames, which may pass without a fixed tick.

use core::marker::PhantomData;

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec2;
#[cfg(feature = "space")]
use bevy_math::Vec3;

use crate::plane::Dimension;

/// An entity enters the crowd, or changes its behaviors; or it leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Population {
    Enters(Entity),
    Leaves(Entity),
}

/// An obstacle, a path or a goal is inserted, possibly in place of another, or removed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Placed {
    Inserted(Entity),
    Removed(Entity),
}

/// The changes that a crowd has not read yet.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) population: Vec<Population>,
    pub(crate) obstacles: Vec<Placed>,
    pub(crate) paths: Vec<Placed>,
    pub(crate) goals: Vec<Placed>,
    /// Entities that have lost a component with a setting.
    pub(crate) settings: Vec<Entity>,
}

/// The notes for the crowd of one dimension.
#[derive(Debug, Resource)]
pub(crate) struct Inbox<V: Dimension>(pub(crate) Notes, PhantomData<fn() -> V>);

impl<V: Dimension> Default for Inbox<V> {
    fn default() -> Self {
        Self(Notes::default(), PhantomData)
    }
}

/// Writes a note for the crowd of one dimension, if there is one.
pub(crate) fn note<V: Dimension>(world: &mut DeferredWorld<'_>, write: impl FnOnce(&mut Notes)) {
    if let Some(mut inbox) = world.get_resource_mut::<Inbox<V>>() {
        write(&mut inbox.0);
    }
}

/// Writes a note for all crowds.
pub(crate) fn note_all(mut world: DeferredWorld<'_>, write: impl Fn(&mut Notes)) {
    note::<Vec2>(&mut world, &write);
    #[cfg(feature = "space")]
    note::<Vec3>(&mut world, &write);
}
