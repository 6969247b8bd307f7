//! What collects the errors of a setup.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::allowed::ValidationError;
use crate::crowd::setup::allowed::ranges;
use crate::crowd::setup::allowed::vector_error;
use crate::crowd::setup::allowed::{name_of, plain};
use crate::crowd::setup::crowd_setup::Setup;
use crate::parameter::Range;
use crate::vector::Vector;

/// A setup, and the errors found in it so far.
pub(super) struct Validator<'a, V: Vector> {
    pub(super) setup: &'a Setup<V>,
    pub(super) errors: Vec<ValidationError>,
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
