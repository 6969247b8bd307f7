//! The routes of a crowd that is built without the feature `navigation`: there are none, as
//! validation refuses `navigate`.

use core::convert::Infallible;
use core::marker::PhantomData;

use glam::Vec2;

use crate::crowd::setup::Navigation;
use crate::geometry::obstacle::Obstacle;
use crate::id::AgentId;
use crate::route::CurrentRoute;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// No value exists.
#[derive(Clone, Debug)]
pub(in crate::crowd) struct Routes<V: Vector>(Infallible, PhantomData<V>);

impl<V: Vector> Routes<V> {
    pub(in crate::crowd) fn new(_: &[Obstacle<V>], _: &Space<V>, _: &Navigation) -> Option<Self> {
        None
    }

    pub(in crate::crowd) fn with((nothing, vector): (Infallible, PhantomData<V>)) -> Self {
        Self(nothing, vector)
    }

    pub(in crate::crowd) fn current(&self, _: u32, _: Vec2) -> Option<CurrentRoute<'_>> {
        match self.0 {}
    }

    pub(in crate::crowd) fn prefetch(&self, _: u32) {
        match self.0 {}
    }

    pub(in crate::crowd) fn digest(&self, _: u64) -> u64 {
        match self.0 {}
    }

    pub(in crate::crowd) fn unreachable(&self) -> core::iter::Empty<AgentId> {
        match self.0 {}
    }

    pub(in crate::crowd) fn outdate(&mut self) {
        match self.0 {}
    }
}
