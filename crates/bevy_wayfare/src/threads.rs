//! The threads that step a crowd: its own, or those of Bevy's task pool.

use bevy_tasks::{ComputeTaskPool, TaskPool};
use wayfare::Crowd;
use wayfare::crowd::{HostThreads, ThreadsError};

use crate::plane::Dimension;

/// The threads that step a crowd.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Threads {
    /// So many of its own.
    Own(usize),
    /// Those of Bevy's `ComputeTaskPool`.
    OfTaskPool,
}

impl Threads {
    /// Steps of the crowd use these threads.
    pub(crate) fn give<V: Dimension>(self, crowd: &mut Crowd<V>) -> Result<(), ThreadsError> {
        match self {
            Threads::Own(1) => {}
            Threads::Own(count) => crowd.set_threads(count)?,
            Threads::OfTaskPool => crowd.set_host_threads(&TaskThreads),
        }
        Ok(())
    }
}

/// The threads of Bevy's `ComputeTaskPool`.
struct TaskThreads;

impl TaskThreads {
    fn pool() -> &'static TaskPool {
        ComputeTaskPool::get_or_init(TaskPool::default)
    }
}

impl HostThreads for TaskThreads {
    fn count(&self) -> usize {
        // The thread that waits for the others works with them.
        Self::pool().thread_num() + 1
    }

    fn join(&self, a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
        Self::pool().scope(|scope| {
            scope.spawn(async { a() });
            scope.spawn(async { b() });
        });
    }
}
