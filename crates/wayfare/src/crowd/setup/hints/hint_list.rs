//! The list of hints that is returned in the end, and whether a file gives a setting.

use alloc::string::String;
use alloc::vec::Vec;

use crate::crowd::setup::allowed::{KeyPath, ValidationError};

/// Whether a setting is given, by its position and by whether it differs from its default.
pub(in crate::crowd) type IsGiven<'a> = &'a dyn Fn(&KeyPath, bool) -> bool;

/// The hints at a setup, found so far.
pub(super) struct Hints<'a> {
    pub(super) is_given: IsGiven<'a>,
    pub(super) found: Vec<ValidationError>,
}

impl Hints<'_> {
    pub(super) fn add(
        &mut self,
        key_path: KeyPath,
        message: impl Into<String>,
        allowed: impl Into<String>,
    ) {
        self.found.push(ValidationError::new(key_path, message, allowed));
    }
}
