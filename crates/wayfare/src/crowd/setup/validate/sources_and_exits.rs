//! Validation of exits, sources, lines and timed commands.

use alloc::collections::BTreeSet;

use super::validator::Validator;
use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::allowed::plain;
use crate::crowd::setup::allowed::ranges;
use crate::crowd::setup::allowed::{MAX_AGENTS, MAX_ARRIVALS_PER_TICK};
use crate::crowd::setup::exit::ExitAction;
use crate::crowd::setup::source::Arrivals;
use crate::parameter::Variants;
use crate::vector::{Up, Vector};

impl<V: Vector> Validator<'_, V> {
    pub(super) fn exits(&mut self) {
        for (i, exit) in self.setup.exits.iter().enumerate() {
            let key_path = KeyPath::default().key("exit").at(i);
            self.shape(&key_path, &exit.shape);
            self.table(&key_path, exit);
            self.then(&key_path.key("then"), &exit.then);
        }
    }

    pub(super) fn then(&mut self, key_path: &KeyPath, then: &ExitAction<V>) {
        for parameter in then.parameters() {
            if let Some(value) = then.get(parameter.name) {
                self.value(&key_path.key(parameter.name), parameter.kind, &value);
            }
        }
    }

    /// The times of timed commands; what they do is validated when they are applied.
    pub(super) fn commands(&mut self) {
        for (i, timed) in self.setup.commands.iter().enumerate() {
            let key_path = KeyPath::default().key("event").at(i);
            self.number(key_path.key("at"), timed.at as f32, ranges::TIME);
            if let Some(every) = timed.every {
                let before = self.errors.len();
                self.number(key_path.key("every"), every as f32, ranges::ARRIVAL);
                if self.errors.len() == before && every < self.setup.dt {
                    let message = format!("`every` is {every}, which is less than a tick");
                    let allowed = format!("a time from `dt`, {}, to 1e9", self.setup.dt);
                    self.error(key_path.key("every"), message, allowed);
                }
            }
        }
    }

    pub(super) fn sources(&mut self) {
        let setup = self.setup;
        for (i, source) in setup.sources.iter().enumerate() {
            let key_path = KeyPath::default().key("source").at(i);
            self.area(&key_path, &source.area);
            self.table(&key_path, source);
            self.arrivals(&key_path, &source.arrivals);
        }
    }

    fn arrivals(&mut self, key_path: &KeyPath, arrivals: &Arrivals) {
        let before = self.errors.len();
        for parameter in Variants::<V>::parameters(arrivals) {
            if let Some(value) = Variants::<V>::get(arrivals, parameter.name) {
                self.value(&key_path.key(parameter.name), parameter.kind, &value);
            }
        }
        if let Arrivals::Rate { rate, from, until, .. } = *arrivals
            && self.errors.len() == before
        {
            self.rate(key_path, rate, from, until);
        }
    }

    fn rate(&mut self, key_path: &KeyPath, rate: f64, from: f64, until: f64) {
        if rate * self.setup.dt > MAX_ARRIVALS_PER_TICK {
            let message = format!(
                "`rate` is {}, which is {} in a tick",
                plain(rate),
                plain(rate * self.setup.dt)
            );
            self.error(
                key_path.key("rate"),
                message,
                format!(
                    "at most {MAX_ARRIVALS_PER_TICK} in a tick: a rate up to {}",
                    plain(MAX_ARRIVALS_PER_TICK / self.setup.dt)
                ),
            );
        }
        if until < from {
            self.error(
                key_path.key("until"),
                format!("`until` is {}, before `from`", plain(until)),
                format!("a time from {}, or inf", plain(from)),
            );
        }
    }

    pub(super) fn schedule(&mut self, key_path: &KeyPath, list: &[(f64, usize)]) {
        let mut before = 0.0;
        for (i, &(time, count)) in list.iter().enumerate() {
            let key_path = key_path.at(i);
            if !ranges::ARRIVAL.holds(time as f32) {
                let allowed = format!(
                    "{}: agents present from the start belong in the group's `spawn`",
                    ranges::ARRIVAL
                );
                self.error(key_path.clone(), format!("the time is {}", plain(time)), allowed);
            } else if time <= before {
                let message =
                    format!("the time {} does not come after {}", plain(time), plain(before));
                self.error(key_path.clone(), message, "times that grow from entry to entry");
            } else {
                before = time;
            }
            if count > MAX_AGENTS {
                self.error(
                    key_path,
                    format!("{count} agents enter at once"),
                    format!("a whole number from 0 to {MAX_AGENTS}"),
                );
            }
        }
    }

    pub(super) fn lines(&mut self) {
        let mut names = BTreeSet::new();
        for line in &self.setup.lines {
            let key_path = KeyPath::default().key("line").key(&line.name);
            if !names.insert(&line.name) {
                self.error(
                    key_path.clone(),
                    format!("there is a line \"{}\" already", line.name),
                    "a name that no other line has",
                );
            }
            let before = self.errors.len();
            self.table(&key_path, line);
            if self.errors.len() == before
                && self.setup.up.ground(line.from) == self.setup.up.ground(line.to)
            {
                let (message, allowed) = match V::DIMENSION {
                    2 => ("`from` and `to` are the same point", "two different points"),
                    _ => (
                        "`from` and `to` are above each other",
                        match self.setup.up {
                            Up::Z => "points that differ in x or y: crossings are seen along z",
                            Up::Y => "points that differ in x or z: crossings are seen along y",
                        },
                    ),
                };
                self.error(key_path.key("to"), message, allowed);
            }
        }
    }
}
