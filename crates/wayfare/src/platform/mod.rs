//! The items that the library needs from the platform: from `std`, or without that feature from
//! `core`, `alloc` and `libm`. Both files hold the same names; no other file of the library names
//! `std`, except for the features `parallel` and `serde`, which need it.

#[cfg(feature = "std")]
mod with_std;
#[cfg(not(feature = "std"))]
mod without_std;

#[cfg(feature = "std")]
pub(crate) use with_std::*;
#[cfg(not(feature = "std"))]
pub(crate) use without_std::*;
