//! A thread that writes a file while the run goes on.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// A thread that takes messages `M` and returns the destination `W`.
#[derive(Debug)]
pub(super) struct WritingThread<M, W> {
    /// `None` after an error.
    running: Option<(SyncSender<M>, JoinHandle<io::Result<W>>)>,
}

impl<M: Send + 'static, W: Send + 'static> WritingThread<M, W> {
    /// Starts the thread. One message waits while another is written.
    ///
    /// # Errors
    /// The system has no thread.
    pub(super) fn start(
        name: &str,
        work: impl FnOnce(&Receiver<M>) -> io::Result<W> + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(1);
        let thread = std::thread::Builder::new().name(name.to_string());
        let thread = thread.spawn(move || work(&receiver))?;
        Ok(Self { running: Some((sender, thread)) })
    }
}

impl<M, W> WritingThread<M, W> {
    /// Sends a message.
    ///
    /// # Errors
    /// The one that ended the thread.
    pub(super) fn send(&mut self, message: M) -> io::Result<()> {
        let Some((sender, _)) = &self.running else { return Err(failed_before()) };
        if sender.send(message).is_ok() {
            return Ok(());
        }
        self.join().and(Err(io::ErrorKind::Interrupted.into()))
    }

    /// Waits for the end of the thread.
    ///
    /// # Errors
    /// The one that ended the thread.
    pub(super) fn join(&mut self) -> io::Result<W> {
        let Some((sender, thread)) = self.running.take() else { return Err(failed_before()) };
        drop(sender);
        thread.join().unwrap_or_else(|_| Err(io::Error::other("the writing thread has failed")))
    }
}

fn failed_before() -> io::Error {
    io::Error::other("the output has failed before")
}

/// A run that is given up waits for the thread, which drops the destination: a temporary file is
/// then removed.
impl<M, W> Drop for WritingThread<M, W> {
    fn drop(&mut self) {
        // The run has failed with an error of its own.
        drop(self.join());
    }
}
