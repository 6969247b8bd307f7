//! Ctrl-C and SIGTERM: the first signal ends a run early, with all outputs written.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::Failure;

/// The signals that end a run; the exit code of a shell for a signal is 128 plus its number.
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// The first signal that requested the run to end, if any.
pub(crate) struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// Handles signals from now on: the first one is noted, a second one ends the process at once.
    pub(crate) fn listen() -> Result<Self, Failure> {
        fail_at_size_limit()?;
        let (asked, signal) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        for number in SIGNALS {
            // In this order: for the first signal, `asked` must still be false at the shutdown
            // check.
            flag::register_conditional_shutdown(number, 128 + number, Arc::clone(&asked))
                .and_then(|_| flag::register(number, Arc::clone(&asked)))
                .and_then(|_| flag::register_usize(number, Arc::clone(&signal), number as usize))
                .map_err(not_handled)?;
        }
        Ok(Self(signal))
    }

    /// The exit code of a run that a signal ended; `None` without a signal.
    pub(crate) fn exit_code(&self) -> Option<u8> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(128 + signal as u8),
        }
    }
}

/// A file above the size limit then fails to be written, as on a full disk, instead of ending the
/// process.
pub(crate) fn fail_at_size_limit() -> Result<(), Failure> {
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::default()).map_err(not_handled)?;
    Ok(())
}

fn not_handled(error: std::io::Error) -> Failure {
    Failure::System(format!("error: signals cannot be handled: {error}"))
}
