//! Going back in time: the crowd as it was every few ticks, and the log, which does again what was done since.

use std::collections::VecDeque;

use wayfare::{Crowd, Vector};

use super::edit::Undo;
use super::{Dimension, Show};

/// So many ticks can be gone back, if there is memory for them.
const REACH: usize = 1_200;
/// The crowd is kept at every so many ticks, or more seldom if it is large: what lies between is stepped again.
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
    /// Room for more of them. It is taken at once, so that a page is as large at the start as it becomes.
    spare: Vec<Vec<u8>>,
    /// At which ticks the crowd is kept; 0 where it is too large.
    every: u64,
    /// The tick that the scene has come to: what lies before it can be done again.
    present: u64,
    /// How many things could be undone at the beginning of each tick.
    undos: VecDeque<(u64, usize)>,
    /// The scene's text at the beginning of a tick and from there on.
    texts: VecDeque<(u64, String)>,
    /// The text at the present, while somebody is in the past.
    last_text: String,
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
            last_text: String::new(),
            later: Vec::new(),
        }
    }
}

impl<V: Vector> Past<V> {
    /// Notes the present, at the beginning of a tick at which nothing has been done yet.
    fn note(&mut self, crowd: &Crowd<V>, text: &str, undos: usize) {
        self.present = crowd.tick();
        if self.every == 0 {
            return;
        }
        if self.texts.back().is_none_or(|(_, last)| last != text) {
            self.texts.push_back((self.present, text.to_string()));
        }
        self.undos.push_back((self.present, undos));
        if self.present.is_multiple_of(self.every) {
            self.keep(crowd);
        }
    }

    fn keep(&mut self, crowd: &Crowd<V>) {
        let now = crowd.snapshot();
        if self.moments.is_empty() && self.spare.is_empty() {
            let size = now.len() + now.len() / 8;
            let count = (ROOM / size).min(REACH / EVERY.0);
            if count < FEWEST {
                *self = Self { every: 0, present: self.present, ..Self::default() };
                return;
            }
            self.every = REACH.div_ceil(count).clamp(EVERY.0, EVERY.1) as u64;
            self.spare = (0..count).map(|_| Vec::with_capacity(size)).collect();
        }
        let used = |moments: &VecDeque<(u64, Vec<u8>)>| moments.iter().map(|(_, bytes)| bytes.capacity()).sum::<usize>();
        let mut room = self.spare.pop();
        // A crowd that has grown takes the room of several.
        while room.is_none() || used(&self.moments) + now.len() > ROOM {
            let Some((_, bytes)) = self.moments.pop_front() else { break };
            room = Some(bytes);
        }
        let mut room = room.unwrap_or_default();
        room.clear();
        room.extend_from_slice(&now);
        self.moments.push_back((self.present, room));
        let first = self.first();
        while self.undos.front().is_some_and(|(tick, _)| *tick < first) {
            self.undos.pop_front();
        }
        while self.texts.get(1).is_some_and(|(tick, _)| *tick <= first) {
            self.texts.pop_front();
        }
    }

    fn first(&self) -> u64 {
        self.moments.front().map_or(self.present, |(tick, _)| *tick)
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

    fn text_at(&self, tick: u64) -> &str {
        let text = self.texts.iter().rev().find(|(from, _)| *from <= tick).map_or("", |(_, text)| text);
        if tick == self.present { &self.last_text } else { text }
    }
}

impl<V: Dimension> Show<V> {
    /// Whether what comes next has been done before.
    pub(super) fn replays(&self) -> bool {
        self.crowd.tick() < self.past.present
    }

    /// The earliest tick that can be gone back to, and the latest.
    pub(super) fn known(&self) -> (u64, u64) {
        (self.past.first(), self.past.present)
    }

    /// Notes that a tick has ended.
    pub(super) fn note_moment(&mut self) {
        if !self.replays() && self.past.undos.back().is_none_or(|(tick, _)| *tick < self.crowd.tick()) {
            self.past.note(&self.crowd, self.draft.text(), self.undo.len());
        }
    }

    /// Does what was done at this tick before.
    pub(super) fn redo(&mut self) {
        // The crowd is what it was then, and takes what it took.
        let _ = self.log.apply(&mut self.crowd);
    }

    /// What goes along with a crowd that has come to a tick it was at before.
    pub(super) fn come_again(&mut self) {
        let tick = self.crowd.tick();
        if tick == self.past.present {
            self.redo();
            self.undo.append(&mut self.past.later);
        }
        if self.past.text_at(tick) != self.draft.text() {
            // It was the text before.
            let _ = self.draft.retype(self.past.text_at(tick).to_string());
        }
    }

    /// Goes to `tick`, or to the nearest one that is known.
    pub(super) fn go(&mut self, tick: u64) {
        let (first, last) = self.known();
        let (now, tick) = (self.crowd.tick(), tick.clamp(first, last));
        if tick == now {
            return;
        }
        if now == last {
            self.past.last_text = self.draft.text().to_string();
        }
        let Some((from, bytes)) = self.past.moments.iter().rev().find(|(at, _)| *at <= tick) else { return };
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
        if tick < last {
            // Nobody has taken back any of those since.
            let keep = self.past.undos.iter().filter(|(at, _)| *at >= tick).map(|(_, count)| *count).fold(self.undo.len(), usize::min);
            self.past.later = self.undo.split_off(keep);
        }
        self.come_again();
        self.crowd.by_id(&mut self.order);
    }

    /// Something else is done now: what was done after this tick is forgotten.
    pub(super) fn cut(&mut self) {
        if self.replays() {
            self.log.cut();
            self.past.cut(self.crowd.tick());
        }
    }
}

#[cfg(test)]
mod tests;
