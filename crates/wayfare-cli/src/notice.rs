//! A line on the standard error about a scene that takes long to prepare.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::Duration;

use crate::ram;

/// The time after which the line is written.
const LIMIT: Duration = Duration::from_secs(1);

/// Does `work` on the scene `name`; if it takes more than a second, a line says so on a terminal,
/// unless it is `quiet`.
pub(crate) fn with_notice<T>(quiet: bool, name: &str, work: impl FnOnce() -> T) -> T {
    // A thread may not fit into a limit of address space.
    if quiet || !std::io::stderr().is_terminal() || ram::free_address_space().is_some() {
        return work();
    }
    let text = format!("{name} is being prepared; a navigation mesh of many corners takes a while");
    after(LIMIT, move || drop(writeln!(std::io::stderr(), "{text}")), work)
}

/// Does `work`, and calls `say` meanwhile if it takes longer than `limit`.
fn after<T>(limit: Duration, say: impl FnOnce() + Send + 'static, work: impl FnOnce() -> T) -> T {
    let (end, ended) = channel::<()>();
    let waits = move || {
        if ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            say();
        }
    };
    let thread = Builder::new().spawn(waits);
    let done = work();
    drop(end);
    if let Ok(thread) = thread {
        _ = thread.join();
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_takes_long_is_told_while_it_is_done_and_other_work_is_not() {
        let (said, told) = channel();
        let say = move || said.send(()).unwrap();
        let waited = after(Duration::from_millis(1), say, || told.recv().is_ok());
        assert!(waited);
        let (said, told) = channel();
        let say = move || said.send(()).unwrap();
        assert_eq!(after(Duration::from_secs(600), say, || 7), 7);
        assert!(told.try_recv().is_err());
    }
}
