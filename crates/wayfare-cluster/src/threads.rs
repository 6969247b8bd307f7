//! Ranks that are threads of one process.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::link::{Link, LinkError};

/// The link of a rank that is a thread; see [`in_threads`].
#[derive(Debug)]
pub struct ThreadLink {
    rank: usize,
    size: usize,
    board: Arc<(Mutex<Board>, Condvar)>,
}

/// The messages between the ranks: first all ranks write, then all ranks read.
#[derive(Debug, Default)]
struct Board {
    /// The messages of each rank to all ranks.
    messages: Vec<Option<Vec<Vec<u8>>>>,
    written: usize,
    read: usize,
    /// The first rank that has ended.
    lost: Option<usize>,
}

/// Runs `work` in `size` threads (at least 1), each with the link of one rank, and returns the
/// results in the order of ranks. When a rank ends while others wait for it, their calls fail with
/// [`LinkError::Lost`].
///
/// # Panics
/// `work` panics.
pub fn in_threads<T: Send>(size: usize, work: impl Fn(ThreadLink) -> T + Sync) -> Vec<T> {
    let size = size.max(1);
    let board = Board { messages: vec![None; size], ..Board::default() };
    let board = Arc::new((Mutex::new(board), Condvar::new()));
    thread::scope(|scope| {
        let ranks: Vec<_> = (0..size)
            .map(|rank| {
                let link = ThreadLink { rank, size, board: Arc::clone(&board) };
                scope.spawn(|| work(link))
            })
            .collect();
        let join = |rank: thread::ScopedJoinHandle<'_, T>| {
            rank.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        ranks.into_iter().map(join).collect()
    })
}

impl Drop for ThreadLink {
    fn drop(&mut self) {
        let (board, changed) = &*self.board;
        let mut board = lock(board);
        board.lost.get_or_insert(self.rank);
        changed.notify_all();
    }
}

fn lock(board: &Mutex<Board>) -> MutexGuard<'_, Board> {
    // A rank that panics leaves the board as it is between two changes.
    board.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until `ready` holds.
fn wait<'a>(
    mut board: MutexGuard<'a, Board>,
    changed: &Condvar,
    ready: impl Fn(&Board) -> bool,
) -> Result<MutexGuard<'a, Board>, LinkError> {
    while !ready(&board) {
        if let Some(rank) = board.lost {
            return Err(LinkError::Lost { rank });
        }
        board = changed.wait(board).unwrap_or_else(PoisonError::into_inner);
    }
    Ok(board)
}

impl ThreadLink {
    /// Leaves `messages` for all ranks, does `work`, and calls `take` with the messages that each
    /// rank has left.
    fn meet(
        &mut self,
        messages: Vec<Vec<u8>>,
        work: &mut dyn FnMut(),
        mut take: impl FnMut(usize, &mut Vec<Vec<u8>>),
    ) -> Result<(), LinkError> {
        let (board, changed) = &*self.board;
        let (own, size) = (self.rank, self.size);
        // All ranks have read the messages of the meeting before.
        let mut at = wait(lock(board), changed, |board| board.messages[own].is_none())?;
        at.messages[own] = Some(messages);
        at.written += 1;
        changed.notify_all();
        drop(at);
        work();
        let mut at = wait(lock(board), changed, |board| board.written == size)?;
        for from in 0..size {
            if let Some(messages) = &mut at.messages[from] {
                take(from, messages);
            }
        }
        at.read += 1;
        if at.read == size {
            at.messages.iter_mut().for_each(|messages| *messages = None);
            (at.written, at.read) = (0, 0);
            changed.notify_all();
        }
        Ok(())
    }
}

impl Link for ThreadLink {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn all_gather(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, LinkError> {
        let mut all = Vec::with_capacity(self.size);
        self.meet(vec![bytes.to_vec()], &mut || (), |_, messages| all.push(messages[0].clone()))?;
        Ok(all)
    }

    fn exchange_during(
        &mut self,
        messages: &[Vec<u8>],
        work: &mut dyn FnMut(),
    ) -> Result<Vec<Vec<u8>>, LinkError> {
        let (own, mut received) = (self.rank, Vec::with_capacity(self.size));
        self.meet(messages.to_vec(), work, |from, messages| {
            let message = messages.get_mut(own).map(std::mem::take).unwrap_or_default();
            received.push(if from == own { Vec::new() } else { message });
        })?;
        Ok(received)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rank_gets_what_the_others_have_sent_to_it() {
        let received = in_threads(3, |mut link| {
            let rank = link.rank() as u8;
            let mut all = Vec::new();
            for round in 0..50 {
                let gathered = link.all_gather(&vec![rank; rank as usize + round])?;
                assert_eq!(gathered.iter().map(Vec::len).sum::<usize>(), 3 + 3 * round);
                let messages: Vec<Vec<u8>> = (0..3).map(|to| vec![10 * rank + to]).collect();
                all = link.exchange(&messages)?;
            }
            Ok::<_, LinkError>(all)
        });
        let from = |rank: usize| received[rank].clone().unwrap();
        assert_eq!(from(0), [vec![], vec![10], vec![20]]);
        assert_eq!(from(2), [vec![2], vec![12], vec![]]);
    }

    #[test]
    fn a_rank_that_ends_early_is_named_to_those_that_wait_for_it() {
        let ended =
            in_threads(
                3,
                |mut link| {
                    if link.rank() == 1 { Ok(Vec::new()) } else { link.all_gather(&[]) }
                },
            );
        assert_eq!(ended[0], Err(LinkError::Lost { rank: 1 }));
        assert_eq!(ended[2], Err(LinkError::Lost { rank: 1 }));
    }
}
