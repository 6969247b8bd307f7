//! What collects the errors of a setup.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
#[cfg(not(feature = "navigation"))]
use core::{convert::Infallible, marker::PhantomData};

use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::allowed::ValidationError;
use crate::crowd::setup::allowed::ranges;
use crate::crowd::setup::allowed::vector_error;
use crate::crowd::setup::allowed::{name_of, plain};
use crate::crowd::setup::crowd_setup::Setup;
#[cfg(feature = "navigation")]
use crate::geometry::navmesh::Navigator;
use crate::parameter::Range;
use crate::vector::Vector;

/// The meshes that were made to see that they can be; none if there is no `navigate`.
#[cfg(feature = "navigation")]
pub(in crate::crowd) type Meshes<V> = Option<Navigator<V>>;
#[cfg(not(feature = "navigation"))]
pub(in crate::crowd) type Meshes<V> = Option<(Infallible, PhantomData<V>)>;

/// A setup, and the errors found in it so far.
pub(super) struct Validator<'a, V: Vector> {
    pub(super) setup: &'a Setup<V>,
    pub(super) errors: Vec<ValidationError>,
    /// The meshes of routes that were made to see that they can be, which take long.
    pub(super) meshes: Meshes<V>,
}

impl<'a, V: Vector> Validator<'a, V> {
    pub(super) fn new(setup: &'a Setup<V>) -> Self {
        Self { setup, errors: Vec::new(), meshes: None }
    }
}

impl<V: Vector> Validator<'_, V> {
    pub(super) fn error(
        &mut self,
        key_path: KeyPath,
        message: impl Into<String>,
        allowed: impl Into<String>,
    ) {
        self.errors.push(ValidationError::new(key_path, message, allowed));
    }

    pub(super) fn number(&mut self, key_path: KeyPath, x: f32, range: Range) {
        if !range.holds(x) {
            let name = name_of(&key_path);
            self.error(key_path, format!("`{name}` is {}", plain(x)), range.to_string());
        }
    }

    pub(super) fn point(&mut self, key_path: KeyPath, p: V) {
        self.errors.extend(vector_error(key_path, p, ranges::COORDINATE));
    }
}
