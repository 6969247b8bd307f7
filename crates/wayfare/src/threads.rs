//! Threads of a crowd's own, and the halving by which they share its work. Without the feature
//! `parallel` there is but one.
//!
//! No result depends on them: a step reads only the old columns, and each run of agents writes its
//! own part of the next ones.

#[cfg(feature = "parallel")]
use std::sync::Arc;

/// Fewer agents than this are not worth sharing.
pub(super) const GRAIN: usize = 256;

/// The threads that step a crowd.
#[derive(Clone, Debug, Default)]
pub(super) struct Threads {
    /// None for the caller's thread alone.
    #[cfg(feature = "parallel")]
    pool: Option<Arc<rayon::ThreadPool>>,
}

/// The threads that were asked for cannot be had.
#[cfg(feature = "parallel")]
#[derive(Debug)]
pub struct ThreadsError {
    count: usize,
    source: rayon::ThreadPoolBuildError,
}

#[cfg(feature = "parallel")]
impl core::fmt::Display for ThreadsError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} threads cannot be started: {}", self.count, self.source)
    }
}

#[cfg(feature = "parallel")]
impl std::error::Error for ThreadsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

impl Threads {
    /// `count` threads; 0 and 1 are the caller's own.
    #[cfg(feature = "parallel")]
    pub(super) fn new(count: usize) -> Result<Self, ThreadsError> {
        if count <= 1 {
            return Ok(Self::default());
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .thread_name(|i| format!("wayfare {i}"))
            .build();
        match pool {
            Ok(pool) => Ok(Self { pool: Some(Arc::new(pool)) }),
            Err(source) => Err(ThreadsError { count, source }),
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        #[cfg(feature = "parallel")]
        if let Some(pool) = &self.pool {
            return pool.current_num_threads();
        }
        1
    }

    /// Runs `work` where [`both`] can share it.
    pub(super) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        #[cfg(feature = "parallel")]
        if let Some(pool) = &self.pool {
            return pool.install(work);
        }
        work()
    }
}

/// Which of its crowd's threads this is, from 0. One that shares nothing is the first, though it
/// may be somewhere in a pool of the user's own.
pub(super) fn current(shared: bool) -> usize {
    #[cfg(feature = "parallel")]
    if let Some(index) = rayon::current_thread_index().filter(|_| shared) {
        return index;
    }
    let _ = shared;
    0
}

/// Does both, at once if `shared`; that is only asked for inside [`Threads::run`].
pub(super) fn both(shared: bool, a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    #[cfg(feature = "parallel")]
    if shared {
        rayon::join(a, b);
        return;
    }
    let _ = shared;
    a();
    b();
}
