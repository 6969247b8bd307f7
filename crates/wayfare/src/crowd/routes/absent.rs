//! The ways of a crowd that is built without the feature `navigation`: there are none, as
//! validation refuses `navigate`.

use core::convert::Infallible;
use core::marker::PhantomData;

use glam::Vec2;

use crate::crowd::{Crowd, Event};
use crate::route::CurrentRoute;
use crate::vector::Vector;

/// No value exists.
#[derive(Clone, Debug)]
pub(in crate::crowd) struct Routes<V: Vector>(Infallible, PhantomData<V>);

impl<V: Vector> Routes<V> {
    pub(in crate::crowd) fn current(&self, _: u32, _: Vec2) -> Option<CurrentRoute<'_>> {
        match self.0 {}
    }

    pub(in crate::crowd) fn prefetch(&self, _: u32) {
        match self.0 {}
    }

    pub(in crate::crowd) fn digest(&self, _: u64) -> u64 {
        match self.0 {}
    }

    pub(in crate::crowd) fn unreachable(&self) -> core::iter::Empty<Event> {
        match self.0 {}
    }
}

impl<V: Vector> Crowd<V> {
    pub(in crate::crowd) fn find_routes(&mut self) {}

    pub(in crate::crowd) fn outdate_routes(&mut self) {}

    pub(in crate::crowd) fn plan_routes(&mut self) {}
}
