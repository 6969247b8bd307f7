//! The thread pool of a crowd, and division of work into halves. Without the feature `parallel` all
//! work runs on the caller's thread.
//!
//! No result depends on the number of threads: a step reads only the old columns, and each run of
//! agents writes only its own part of the next columns.

#[cfg(feature = "parallel")]
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut, Range};

use crate::platform::{MaybeSend, MaybeSync, Mutex};

/// Up to this number of agents, sharing work between threads costs more time than it saves.
pub(super) const GRAIN: usize = 256;

/// Threads of the program around a crowd, such as those of a game engine, which steps may use in
/// place of threads of their own: [`Crowd::set_host_threads`](crate::Crowd::set_host_threads).
#[cfg(feature = "parallel")]
pub trait HostThreads: Send + Sync {
    /// The largest number of threads that run work at the same time, the caller's included.
    fn count(&self) -> usize;
    /// Calls both closures once, on any threads and in any order, and returns when both have
    /// returned. A closure may call this function again.
    fn join(&self, a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send));
}

/// The threads that step a crowd.
#[derive(Clone, Default)]
pub(super) enum Threads {
    /// The caller's thread.
    #[default]
    Alone,
    /// Threads of the crowd.
    #[cfg(feature = "parallel")]
    Pool(Arc<rayon::ThreadPool>),
    /// Threads of the program, so many.
    #[cfg(feature = "parallel")]
    Host(&'static dyn HostThreads, usize),
}

impl core::fmt::Debug for Threads {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Threads({})", self.count())
    }
}

/// The sharing of a phase's work between threads.
#[derive(Clone, Copy)]
pub(crate) enum Share {
    /// Not at all.
    Alone,
    /// Inside the crowd's own pool.
    #[cfg(feature = "parallel")]
    Pool,
    /// By these threads of the program.
    #[cfg(feature = "parallel")]
    Host(&'static dyn HostThreads),
}

impl Share {
    /// On the caller's thread.
    pub(crate) const ALONE: Self = Share::Alone;

    /// Whether several threads share the work.
    pub(crate) fn is_on(self) -> bool {
        !matches!(self, Share::Alone)
    }
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
            return Ok(Self::Alone);
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .thread_name(|i| format!("wayfare {i}"))
            .build();
        match pool {
            Ok(pool) => Ok(Self::Pool(Arc::new(pool))),
            Err(source) => Err(ThreadsError { count, source }),
        }
    }

    /// The threads of the program.
    #[cfg(feature = "parallel")]
    pub(super) fn of_host(host: &'static dyn HostThreads) -> Self {
        match host.count() {
            0 | 1 => Self::Alone,
            count => Self::Host(host, count),
        }
    }

    /// The number of threads.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Alone => 1,
            #[cfg(feature = "parallel")]
            Self::Pool(pool) => pool.current_num_threads(),
            #[cfg(feature = "parallel")]
            Self::Host(_, count) => *count,
        }
    }

    /// Runs `work`, which [`both`] can share between the threads.
    pub(super) fn run<R: MaybeSend>(&self, work: impl FnOnce(Share) -> R + MaybeSend) -> R {
        match self {
            Self::Alone => work(Share::Alone),
            #[cfg(feature = "parallel")]
            Self::Pool(pool) => pool.install(|| work(Share::Pool)),
            #[cfg(feature = "parallel")]
            Self::Host(host, _) => work(Share::Host(*host)),
        }
    }
}

/// A buffer for each thread.
#[derive(Debug)]
pub(super) struct Buffers<B>(Vec<Mutex<B>>);

impl<B> Buffers<B> {
    /// These buffers.
    pub(super) fn of(buffers: impl Iterator<Item = B>) -> Self {
        Self(buffers.map(Mutex::new).collect())
    }
}

impl<B> Default for Buffers<B> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<B: Clone> Clone for Buffers<B> {
    fn clone(&self) -> Self {
        Self::of(self.0.iter().map(|buffer| buffer.lock().clone()))
    }
}

impl<B> Deref for Buffers<B> {
    type Target = [Mutex<B>];
    fn deref(&self) -> &[Mutex<B>] {
        &self.0
    }
}

impl<B> DerefMut for Buffers<B> {
    fn deref_mut(&mut self) -> &mut [Mutex<B>] {
        &mut self.0
    }
}

/// The buffer of this thread; without threads the first. There are as many as threads, so that the
/// lock is uncontended.
pub(super) fn own_buffer<B>(share: Share, buffers: &[Mutex<B>]) -> impl DerefMut<Target = B> {
    match share {
        Share::Alone => buffers[0].lock(),
        #[cfg(feature = "parallel")]
        Share::Pool => buffers[rayon::current_thread_index().unwrap_or_default()].lock(),
        // Threads of the program have no numbers: any buffer that is free is this one's.
        #[cfg(feature = "parallel")]
        Share::Host(_) => {
            buffers.iter().find_map(Mutex::try_lock).unwrap_or_else(|| buffers[0].lock())
        }
    }
}

/// Runs both closures, at the same time if `share` has threads.
pub(super) fn both(share: Share, a: impl FnOnce() + MaybeSend, b: impl FnOnce() + MaybeSend) {
    match share {
        Share::Alone => {
            a();
            b();
        }
        #[cfg(feature = "parallel")]
        Share::Pool => drop(rayon::join(a, b)),
        #[cfg(feature = "parallel")]
        Share::Host(host) => {
            let (mut a, mut b) = (Some(a), Some(b));
            let (mut a, mut b) = (|| a.take().map_or((), |a| a()), || b.take().map_or((), |b| b()));
            host.join(&mut a, &mut b);
        }
    }
}

/// Runs `work` on runs of these rows, shared between threads by halving them. Each run
/// adds to the buffer of its thread, so the contents of one buffer depend on the threads.
pub(super) fn share_rows<B: MaybeSend>(
    rows: Range<usize>,
    buffers: &[Mutex<B>],
    share: Share,
    work: &(impl Fn(Range<usize>, &mut B) + MaybeSync),
) {
    if share.is_on() && rows.len() > GRAIN {
        let middle = rows.start + rows.len() / 2;
        return both(
            share,
            || share_rows(rows.start..middle, buffers, share, work),
            || share_rows(middle..rows.end, buffers, share, work),
        );
    }
    work(rows, &mut own_buffer(share, buffers));
}

/// The content of a thread's buffer.
pub(super) fn buffer<B>(buffer: &mut Mutex<B>) -> &mut B {
    buffer.get_mut()
}
