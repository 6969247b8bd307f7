//! Cells of the only thread, panics that are not caught, and functions of `libm`.

use core::cell::{RefCell, RefMut};
use core::convert::Infallible;

pub(crate) use core::cell::OnceCell as OnceLock;

/// Whether the processor has these instructions: only the compiler's settings tell.
#[cfg(target_arch = "x86_64")]
macro_rules! has_instructions {
    ($feature:literal) => {
        cfg!(target_feature = $feature)
    };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use has_instructions;

/// A type that the threads of a crowd may share: all types, as a crowd has one thread.
pub trait MaybeSync {}
impl<T: ?Sized> MaybeSync for T {}

/// A type that may move between the threads of a crowd: all types, as a crowd has one thread.
pub(crate) trait MaybeSend {}
impl<T> MaybeSend for T {}

/// A buffer of the only thread.
#[derive(Debug, Default)]
pub(crate) struct Mutex<T>(RefCell<T>);

impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(RefCell::new(value))
    }
    pub(crate) fn lock(&self) -> RefMut<'_, T> {
        self.0.borrow_mut()
    }
    pub(crate) fn get_mut(&mut self) -> &mut T {
        self.0.get_mut()
    }
}

/// Runs `work`; a panic is not caught.
pub(crate) fn catch_unwind<R>(work: impl FnOnce() -> R) -> Result<R, Infallible> {
    Ok(work())
}

/// There is no caught panic.
pub(crate) fn resume_unwind(panic: Infallible) -> ! {
    match panic {}
}

/// The functions of numbers that `core` lacks. All are exact, so they give the bits of `std`.
pub(crate) trait Float {
    fn sqrt(self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
}

impl Float for f32 {
    #[inline]
    fn sqrt(self) -> Self {
        libm::sqrtf(self)
    }
    #[inline]
    fn floor(self) -> Self {
        libm::floorf(self)
    }
    #[inline]
    fn ceil(self) -> Self {
        libm::ceilf(self)
    }
}

impl Float for f64 {
    #[inline]
    fn sqrt(self) -> Self {
        libm::sqrt(self)
    }
    #[inline]
    fn floor(self) -> Self {
        libm::floor(self)
    }
    #[inline]
    fn ceil(self) -> Self {
        libm::ceil(self)
    }
}
