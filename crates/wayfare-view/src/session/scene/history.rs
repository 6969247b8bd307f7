//! Going back in time: the crowd as it was every few ticks, and the log, which does again what was
//! done since.

use std::collections::VecDeque;

use wayfare::{Crowd, Vector};

use wayfare_scene::Log;

use super::editing::Undo;
use super::{Dimension, Show};

/// So many ticks can be gone back, if there is memory for them.
const REACH: usize = 1_200;
/// The crowd is kept at every so many ticks, or more seldom if it is large: what lies between is
/// stepped again.
const EVERY: (usize, usize) = (10, 60);
/// All that is kept has room in this (bytes).
const ROOM: usize = if cfg!(target_arch = "wasm32") { 16 << 20 } else { 64 << 20 };
/// With room for fewer than this there is no going back.
const FEWEST: usize = 4;

/// What a running scene was.
#[derive(Debug)]
pub(super) struct Past<V> {
    /// The crowd at the beginning of some ticks, by rising ticks.
    moments: VecDeque<(u64, Vec<u8>)>,
    /// Room for more of them. It is taken at once, so that a page is as large at the start as it
    /// becomes.
    spare: Vec<Vec<u8>>,
    /// At which ticks the crowd is kept; 0 where it is too large.
    every: u64,
    /// The tick until which all that is done is known: the one that the scene has come to, or
    /// where a log that was opened ends.
    present: u64,
    /// How many things could be undone at the beginning of each tick.
    undos: VecDeque<(u64, usize)>,
    /// The scene's text at the beginning of a tick and from there on.
    texts: VecDeque<(u64, String)>,
    /// The text at the present, while somebody is in the past.
    last_text: Option<String>,
    /// What can be undone when the present is reached again.
    later: Vec<Undo<V>>,
}

impl<V: Vector> Default for Past<V> {
    fn default() -> Self {
        Self {
            moments: VecDeque::new(),
            spare: Vec::new(),
            every: EVERY.0 as u64,
            present: 0,
            undos: VecDeque::new(),
            texts: VecDeque::new(),
            last_text: None,
            later: Vec::new(),
        }
    }
}

impl<V: Vector> Past<V> {
    /// Notes how things are, at the beginning of a tick at which nothing has been done yet.
    fn note(&mut self, crowd: &Crowd<V>, text: &str, undos: usize) {
        let tick = crowd.tick();
        self.present = self.present.max(tick);
        if self.every == 0 {
            return;
        }
        if self.texts.back().is_none_or(|(_, last)| last != text) {
            self.texts.push_back((tick, text.to_string()));
        }
        self.undos.push_back((tick, undos));
        if tick.is_multiple_of(self.every) {
            self.keep(crowd);
        }
    }

    fn keep(&mut self, crowd: &Crowd<V>) {
        let now = crowd.snapshot();
        if self.moments.is_empty() && self.spare.is_empty() {
            let size = now.len() + now.len() / 8;
            let count = (ROOM / size).min(REACH / EVERY.0);
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
        let used = |moments: &VecDeque<(u64, Vec<u8>)>| {
            moments.iter().map(|(_, bytes)| bytes.capacity()).sum::<usize>()
        };
        let mut room = self.spare.pop();
        // A crowd that has grown takes the room of several.
        while room.is_none() || used(&self.moments) + now.len() > ROOM {
            let Some((_, bytes)) = self.moments.pop_front() else { break };
            room = Some(bytes);
        }
        let mut room = room.unwrap_or_default();
        room.clear();
        room.extend_from_slice(&now);
        self.moments.push_back((crowd.tick(), room));
        let first = self.moments.front().map_or(0, |(tick, _)| *tick);
        while self.undos.front().is_some_and(|(tick, _)| *tick < first) {
            self.undos.pop_front();
        }
        while self.texts.get(1).is_some_and(|(tick, _)| *tick <= first) {
            self.texts.pop_front();
        }
    }

    /// The earliest and the latest tick that the scene was at and can go to, which is at `now`.
    fn known(&self, now: u64) -> (u64, u64) {
        let (first, last) =
            (self.moments.front().map(|(tick, _)| *tick), self.undos.back().map(|(tick, _)| *tick));
        (first.unwrap_or(now), last.map_or(now, |last| last.max(now)))
    }

    /// From `tick` on everything is still to come.
    fn cut(&mut self, tick: u64) {
        self.present = tick;
        while let Some((_, bytes)) = self.moments.pop_back_if(|(at, _)| *at > tick) {
            self.spare.push(bytes);
        }
        while self.undos.pop_back_if(|(at, _)| *at > tick).is_some() {}
        while self.texts.pop_back_if(|(at, _)| *at > tick).is_some() {}
        self.later.clear();
    }

    fn text_at(&self, tick: u64) -> Option<&str> {
        let text = self.texts.iter().rev().find(|(from, _)| *from <= tick).map(|(_, text)| text);
        if tick == self.present { self.last_text.as_deref() } else { text.map(String::as_str) }
    }
}

impl<V: Dimension> Show<V> {
    /// Whether what is done next is known.
    pub(super) fn is_known(&self) -> bool {
        self.crowd.tick() < self.past.present
    }

    /// The earliest tick that can be gone back to, and the latest.
    pub(super) fn known(&self) -> (u64, u64) {
        self.past.known(self.crowd.tick())
    }

    /// Takes a log for what will have been done; gives back how many commands it has.
    pub(super) fn foresee(&mut self, log: Log<V>) -> usize {
        // What is done at its last tick is done before that tick passes.
        self.past.present = log.commands().map(|(tick, _)| tick + 1).max().unwrap_or_default();
        self.past.last_text = Some(self.draft.text().to_string());
        self.log = log;
        self.log.commands().count()
    }

    /// Notes that a tick has ended.
    pub(super) fn note_moment(&mut self) {
        if self.past.undos.back().is_none_or(|(tick, _)| *tick < self.crowd.tick()) {
            self.past.note(&self.crowd, self.draft.text(), self.undo.len());
        }
    }

    /// Does what the log says for this tick.
    pub(super) fn redo(&mut self) {
        let left = self.log.remaining();
        // The crowd is what it was then, and takes what it took; only one from elsewhere may say
        // what it cannot take.
        if let Err(refused) = self.log.apply(&mut self.crowd) {
            self.trouble = Some(format!(
                "the log is of another scene: at tick {} {}",
                self.crowd.tick(),
                refused.fault
            ));
            self.forget();
        }
        // Only who was added or removed changes the order here: a tick brings its own.
        if self.log.remaining() != left {
            self.crowd.rows_by_id(&mut self.order);
        }
    }

    /// What goes along with a crowd that has come to a tick it was at before.
    pub(super) fn come_again(&mut self) {
        let tick = self.crowd.tick();
        if tick == self.past.present {
            self.redo();
            self.undo.append(&mut self.past.later);
        }
        if let Some(text) = self.past.text_at(tick).filter(|text| *text != self.draft.text()) {
            // It was the text before.
            let _ = self.draft.set_text(text.to_string());
        }
    }

    /// Goes to `tick`, or to the nearest one that is known.
    pub(super) fn go(&mut self, tick: u64) {
        let (first, last) = self.known();
        let (now, tick) = (self.crowd.tick(), tick.clamp(first, last));
        if tick == now {
            return;
        }
        if now == self.past.present {
            self.past.last_text = Some(self.draft.text().to_string());
        }
        let Some((from, bytes)) = self.past.moments.iter().rev().find(|(at, _)| *at <= tick) else {
            return;
        };
        if tick < now || *from > now {
            if self.crowd.restore(bytes).is_err() {
                return;
            }
            self.log.go_to(*from);
            // Forward over what is not stepped, there is no way that could be drawn.
            self.trails.back(if tick < now { (now - tick) as usize } else { usize::MAX });
        }
        while self.crowd.tick() < tick {
            self.redo();
            self.crowd.step();
            if self.crowd.tick() > now {
                self.remember();
            }
        }
        (self.held, self.under_way, self.clock) = (None, false, Self::clock());
        self.undo.append(&mut self.past.later);
        if self.is_known() {
            // Nobody has taken back any of those since.
            let keep = self
                .past
                .undos
                .iter()
                .filter(|(at, _)| *at >= tick)
                .map(|(_, count)| *count)
                .fold(self.undo.len(), usize::min);
            self.past.later = self.undo.split_off(keep);
        }
        self.come_again();
        self.crowd.rows_by_id(&mut self.order);
    }

    /// Something else is done now: what was done after this tick is forgotten.
    pub(super) fn cut(&mut self) {
        if self.is_known() {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.log.cut();
        self.past.cut(self.crowd.tick());
    }
}

#[cfg(test)]
mod tests;
