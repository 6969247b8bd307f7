//! Cells that threads share, and panics that are caught.

#[cfg(feature = "parallel")]
use std::sync::TryLockError;
use std::sync::{MutexGuard, PoisonError};

#[cfg(target_arch = "x86_64")]
pub(crate) use std::arch::is_x86_feature_detected as has_instructions;
pub(crate) use std::panic::{catch_unwind, resume_unwind};
pub(crate) use std::sync::OnceLock;

/// A type that the threads of a crowd may share.
pub trait MaybeSync: Sync {}
impl<T: Sync + ?Sized> MaybeSync for T {}

/// A type that may move between the threads of a crowd.
pub(crate) trait MaybeSend: Send {}
impl<T: Send> MaybeSend for T {}

/// A buffer of one thread. It stays usable after a panic: each use clears it first.
#[derive(Debug, Default)]
pub(crate) struct Mutex<T>(std::sync::Mutex<T>);

impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(std::sync::Mutex::new(value))
    }
    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// The lock, if no other thread has it.
    #[cfg(feature = "parallel")]
    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
    pub(crate) fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}
