//! Ctrl-C and its kin: a run is asked to end, and ends after its tick with all that it has.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::Failure;

/// The signals that end a run; a shell's exit code for one is 128 and its number.
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// Whether the run has been asked to end.
pub(crate) struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// Listens from here on. The first signal asks, a second one ends the process at once.
    pub(crate) fn listen() -> Result<Self, Failure> {
        #[cfg(unix)]
        // A file beyond what the system allows then fails to be written, as on a full disk, and
        // does not end the process.
        flag::register(signal_hook::consts::SIGXFSZ, Arc::default()).map_err(unheard)?;
        let (asked, signal) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        for number in SIGNALS {
            // In this order: the first signal must find that nobody has asked before.
            flag::register_conditional_shutdown(number, 128 + number, Arc::clone(&asked))
                .and_then(|_| flag::register(number, Arc::clone(&asked)))
                .and_then(|_| flag::register_usize(number, Arc::clone(&signal), number as usize))
                .map_err(unheard)?;
        }
        Ok(Self(signal))
    }

    /// The exit code of a run that has been asked to end.
    pub(crate) fn exit_code(&self) -> Option<u8> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(128 + signal as u8),
        }
    }
}

fn unheard(error: std::io::Error) -> Failure {
    Failure::Outside(format!("error: signals cannot be listened for: {error}"))
}
