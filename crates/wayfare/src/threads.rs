//! The thread pool of a crowd, and division of work into halves. Without the feature `parallel` all
//! work runs on the caller's thread.
//!
//! No result depends on the number of threads: a step reads only the old columns, and each run of
//! agents writes only its own part of the next columns.

#[cfg(feature = "parallel")]
use alloc::sync::Arc;
use core::ops::Range;

use crate::platform::{MaybeSend, MaybeSync, Mutex};

/// Up to this number of agents, sharing work between threads costs more time than it saves.
pub(super) const GRAIN: usize = 256;

/// The threads that step a crowd.
#[derive(Clone, Debug, Default)]
pub(super) struct Threads {
    /// `None` for the caller's thread alone.
    #[cfg(feature = "parallel")]
    pool: Option<Arc<rayon::ThreadPool>>,
}

/// The threads could not be started.
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
impl core::error::Error for ThreadsError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.source)
    }
}

impl Threads {
    /// `count` threads; 0 and 1 mean the caller's own thread.
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

    /// The number of threads.
    pub(super) fn count(&self) -> usize {
        #[cfg(feature = "parallel")]
        if let Some(pool) = &self.pool {
            return pool.current_num_threads();
        }
        1
    }

    /// Runs `work` on the pool, where [`both`] can share it.
    pub(super) fn run<R: MaybeSend>(&self, work: impl FnOnce() -> R + MaybeSend) -> R {
        #[cfg(feature = "parallel")]
        if let Some(pool) = &self.pool {
            return pool.install(work);
        }
        work()
    }
}

/// The index of this thread in its crowd's pool. Without sharing the index is 0, also on a thread
/// of the user's own pool.
pub(super) fn current(shared: bool) -> usize {
    #[cfg(feature = "parallel")]
    if let Some(index) = rayon::current_thread_index().filter(|_| shared) {
        return index;
    }
    let _ = shared;
    0
}

/// Runs both closures, in parallel if `shared`; `shared` is only true inside [`Threads::run`].
pub(super) fn both(shared: bool, a: impl FnOnce() + MaybeSend, b: impl FnOnce() + MaybeSend) {
    #[cfg(feature = "parallel")]
    if shared {
        rayon::join(a, b);
        return;
    }
    let _ = shared;
    a();
    b();
}

/// Runs `work` on runs of these rows, shared between threads by halving them if `shared`. Each run
/// adds to the buffer of its thread, so the contents of one buffer depend on the threads.
pub(super) fn share_rows<B: MaybeSend>(
    rows: Range<usize>,
    buffers: &[Mutex<B>],
    shared: bool,
    work: &(impl Fn(Range<usize>, &mut B) + MaybeSync),
) {
    if shared && rows.len() > GRAIN {
        let middle = rows.start + rows.len() / 2;
        return both(
            true,
            || share_rows(rows.start..middle, buffers, true, work),
            || share_rows(middle..rows.end, buffers, true, work),
        );
    }
    // The lock is uncontended.
    work(rows, &mut buffers[current(shared)].lock());
}

/// The content of a thread's buffer.
pub(super) fn buffer<B>(buffer: &mut Mutex<B>) -> &mut B {
    buffer.get_mut()
}
