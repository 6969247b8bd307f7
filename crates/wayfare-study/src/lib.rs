//! Many runs of scenes for Wayfare: [`validate`] compares crowds with measured ones.

pub mod validate;
