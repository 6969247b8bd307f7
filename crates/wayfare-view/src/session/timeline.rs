//! The history of a running scene as data: snapshots of the crowd every few ticks, the scene's
//! text, and how much could be undone at each tick.

use std::collections::VecDeque;

use wayfare::{Crowd, Vector};

use crate::session::edit::UndoStep;

/// Largest number of ticks that can be gone back, if the snapshots fit into memory.
const REACH: usize = 1_200;
/// Smallest and largest number of ticks between two snapshots; ticks in between are stepped again.
const EVERY: (usize, usize) = (10, 60);
/// Memory for all snapshots (bytes).
const MEMORY: usize = if cfg!(target_arch = "wasm32") { 16 << 20 } else { 64 << 20 };
/// With fewer snapshots than this the history is switched off.
const FEWEST: usize = 4;

/// The history of a running scene.
#[derive(Debug)]
pub(crate) struct Timeline<V: Vector> {
    /// Snapshots at the beginning of their ticks, by rising ticks.
    snapshots: VecDeque<(u64, Vec<u8>)>,
    /// Buffers for further snapshots. They are allocated at once, so that a page's memory does not
    /// grow later.
    spare: Vec<Vec<u8>>,
    /// Number of ticks between snapshots; 0 if the crowd is too large for a history.
    every: u64,
    /// The latest known tick: the latest one that was reached, or the end of an opened log.
    pub(crate) present: u64,
    /// Number of undo steps at the beginning of each tick.
    undo_counts: VecDeque<(u64, usize)>,
    /// The scene's text from the beginning of a tick on.
    texts: VecDeque<(u64, String)>,
    /// The text at the present tick, while an earlier tick is shown.
    pub(crate) last_text: Option<String>,
    /// Undo steps that become available again when the present tick is reached.
    pub(crate) later_undo: Vec<UndoStep<V>>,
}

impl<V: Vector> Default for Timeline<V> {
    fn default() -> Self {
        Self {
            snapshots: VecDeque::new(),
            spare: Vec::new(),
            every: EVERY.0 as u64,
            present: 0,
            undo_counts: VecDeque::new(),
            texts: VecDeque::new(),
            last_text: None,
            later_undo: Vec::new(),
        }
    }
}

impl<V: Vector> Timeline<V> {
    /// Records the state at the beginning of a tick, before any command of that tick; a tick that
    /// is recorded already stays as it is.
    pub(crate) fn record(&mut self, crowd: &Crowd<V>, text: &str, undo_count: usize) {
        let tick = crowd.tick();
        if self.undo_counts.back().is_some_and(|(last, _)| *last >= tick) {
            return;
        }
        self.present = self.present.max(tick);
        if self.every == 0 {
            return;
        }
        if self.texts.back().is_none_or(|(_, last)| last != text) {
            self.texts.push_back((tick, text.to_string()));
        }
        self.undo_counts.push_back((tick, undo_count));
        if tick.is_multiple_of(self.every) {
            self.take_snapshot(crowd);
        }
    }

    fn take_snapshot(&mut self, crowd: &Crowd<V>) {
        let now = crowd.snapshot();
        if self.snapshots.is_empty() && self.spare.is_empty() {
            let size = now.len() + now.len() / 8;
            let count = (MEMORY / size).min(REACH / EVERY.0);
            if count < FEWEST {
                *self = Self {
                    every: 0,
                    present: self.present,
                    last_text: self.last_text.take(),
                    ..Self::default()
                };
                return;
            }
            self.every = REACH.div_ceil(count).clamp(EVERY.0, EVERY.1) as u64;
            self.spare = (0..count).map(|_| Vec::with_capacity(size)).collect();
        }
        let used = |snapshots: &VecDeque<(u64, Vec<u8>)>| {
            snapshots.iter().map(|(_, bytes)| bytes.capacity()).sum::<usize>()
        };
        let mut buffer = self.spare.pop();
        // A snapshot of a crowd that has grown replaces several old ones.
        while buffer.is_none() || used(&self.snapshots) + now.len() > MEMORY {
            let Some((_, bytes)) = self.snapshots.pop_front() else { break };
            buffer = Some(bytes);
        }
        let mut buffer = buffer.unwrap_or_default();
        buffer.clear();
        buffer.extend_from_slice(&now);
        self.snapshots.push_back((crowd.tick(), buffer));
        let first = self.snapshots.front().map_or(0, |(tick, _)| *tick);
        while self.undo_counts.front().is_some_and(|(tick, _)| *tick < first) {
            self.undo_counts.pop_front();
        }
        while self.texts.get(1).is_some_and(|(tick, _)| *tick <= first) {
            self.texts.pop_front();
        }
    }

    /// The earliest and the latest tick that can be shown, if the scene is at tick `now`.
    pub(crate) fn known_ticks(&self, now: u64) -> (u64, u64) {
        let first = self.snapshots.front().map(|(tick, _)| *tick);
        let last = self.undo_counts.back().map(|(tick, _)| *tick);
        (first.unwrap_or(now), last.map_or(now, |last| last.max(now)))
    }

    /// The latest snapshot not after `tick`.
    pub(crate) fn snapshot_before(&self, tick: u64) -> Option<&(u64, Vec<u8>)> {
        self.snapshots.iter().rev().find(|(at, _)| *at <= tick)
    }

    /// Discards everything recorded after `tick`.
    pub(crate) fn cut(&mut self, tick: u64) {
        self.present = tick;
        while let Some((_, bytes)) = self.snapshots.pop_back_if(|(at, _)| *at > tick) {
            self.spare.push(bytes);
        }
        while self.undo_counts.pop_back_if(|(at, _)| *at > tick).is_some() {}
        while self.texts.pop_back_if(|(at, _)| *at > tick).is_some() {}
        self.later_undo.clear();
    }

    /// The text at the beginning of `tick`, or at the present tick the last one.
    pub(crate) fn text_at(&self, tick: u64) -> Option<&str> {
        if tick == self.present {
            return self.last_text.as_deref();
        }
        self.texts.iter().rev().find(|(from, _)| *from <= tick).map(|(_, text)| text.as_str())
    }

    /// The smallest number of undo steps from `tick` on: these were not undone since.
    pub(crate) fn fewest_undo_steps_since(&self, tick: u64) -> Option<usize> {
        self.undo_counts.iter().filter(|(at, _)| *at >= tick).map(|(_, count)| *count).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::glam::Vec2;
    use wayfare_scene::{AnyScene, Format, Source, bundled, read};

    fn crowd(text: &str) -> Crowd<Vec2> {
        let source = Source { name: "scene".to_string(), text: text.to_string() };
        let Ok(AnyScene::TwoD(scene)) = read(&source, Format::Toml) else {
            panic!("a scene in the plane")
        };
        Crowd::new(scene.setup).unwrap()
    }

    #[test]
    fn the_number_of_snapshots_is_bounded() {
        let mut timeline = Timeline::<Vec2>::default();
        let mut crowd = crowd(bundled("seek").unwrap().text);
        for _ in 0..3 * REACH {
            timeline.record(&crowd, "text", 0);
            crowd.step();
        }
        let undo_counts = timeline.undo_counts.len();
        assert_eq!((timeline.snapshots.len(), timeline.texts.len()), (REACH / EVERY.0, 1));
        assert!(undo_counts < REACH + 2 * EVERY.0, "{undo_counts}");
        let (first, last) = timeline.known_ticks(timeline.present);
        assert!(
            last == timeline.present && last - first >= (REACH - EVERY.0) as u64,
            "{first} to {last}"
        );
    }

    #[test]
    fn a_crowd_too_large_for_the_memory_has_no_history() {
        // About 8 MB per snapshot: a few fit. About 80 MB: none does.
        for (agents, kept) in [(100_000, true), (1_000_000, false)] {
            let crowd = crowd(&format!(
                "[[group]]\nname = \"many\"\ncount = {agents}\nspawn = {{ box = {{ min = [0, 0], \
                 max = [9, 9] }} }}\nmax_speed = 1\n"
            ));
            let mut timeline = Timeline::<Vec2>::default();
            timeline.record(&crowd, "text", 0);
            let snapshots = (timeline.every > 0, timeline.snapshots.len());
            assert_eq!(snapshots, (kept, usize::from(kept)), "{agents}");
            let taken = timeline.snapshots.iter().map(|(_, bytes)| bytes);
            let bytes: usize = timeline.spare.iter().chain(taken).map(Vec::capacity).sum();
            assert!(bytes <= MEMORY, "{bytes}");
        }
    }
}
