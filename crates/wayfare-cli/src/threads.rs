//! The number of threads that step a crowd: `--threads`.

use wayfare::{Crowd, Vector};

use crate::{Failure, error, ram};

/// The most threads that can be requested; more than the cores of any machine are no use.
const MOST: usize = 1_024;

/// The address space of a thread (bytes): an arena of the allocator (64 MiB with glibc, which
/// reserves it on a thread's first allocation), the stack of 2 MiB, guard pages, and the signal
/// stack.
const ADDRESS_SPACE: u64 = (66 << 20) + (128 << 10);

/// The address space that is kept for everything else (bytes).
const RESERVE: u64 = 64 << 20;

/// Parses a number of threads.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|n| (1..=MOST).contains(n))
        .ok_or_else(|| format!("allowed: a whole number from 1 to {MOST}"))
}

/// The number of threads to use; by default the number of cores.
///
/// A thread that finds no memory for its signal stack aborts the process, so threads for which a
/// limit of address space leaves no room are refused here; of the default number, as many are
/// started as have room.
pub(crate) fn thread_count(requested: Option<usize>) -> Result<usize, Failure> {
    let most = ram::free_address_space().map_or(MOST, most_threads);
    match requested {
        Some(count) if count > most => Err(error(format!(
            "{count} threads do not fit into the limit of address space (ulimit -v)\nallowed: at \
             most --threads {most} here"
        ))),
        Some(count) => Ok(count),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from).min(most)),
    }
}

/// Sets the number of threads that step the crowd; by default the number of cores.
pub(crate) fn set_threads<V: Vector>(
    crowd: &mut Crowd<V>,
    requested: Option<usize>,
) -> Result<(), Failure> {
    let count = thread_count(requested)?;
    crowd.set_threads(count).map_err(|e| Failure::System(format!("error: {e}")))
}

/// The number of threads that fit into `free` bytes of address space; at least 1, which is the
/// thread that exists already.
fn most_threads(free: u64) -> usize {
    (free.saturating_sub(RESERVE) / ADDRESS_SPACE).clamp(1, MOST as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_least_one_thread_fits_and_at_most_the_largest_number() {
        assert_eq!([0, 64 << 20, 1 << 30, u64::MAX].map(most_threads), [1, 1, 14, MOST]);
    }
}
