//! Exits, sources and lines.

use std::collections::HashSet;

use super::{Check, KeyPath, MOST_AGENTS, MOST_ARRIVALS, plain, range};
use crate::crowd::setup::{Arrivals, ExitAction};
use crate::parameter::Groups;
use crate::vector::Vector;

impl<V: Vector> Check<'_, V> {
    pub(super) fn exits(&mut self) {
        for (i, exit) in self.setup.exits.iter().enumerate() {
            let place = KeyPath::default().key("exit").at(i);
            self.shape(&place, &exit.shape);
            if let Groups::Only(groups) = &exit.groups {
                self.groups(&place.key("groups"), groups);
            }
            self.then(&place.key("then"), &exit.then);
        }
    }

    pub(super) fn then(&mut self, place: &KeyPath, then: &ExitAction<V>) {
        if let ExitAction::Respawn(area) = then {
            self.area(&place.key("respawn"), area);
        }
    }

    pub(super) fn sources(&mut self) {
        let setup = self.setup;
        for (i, source) in setup.sources.iter().enumerate() {
            let place = KeyPath::default().key("source").at(i);
            self.area(&place, &source.area);
            if source.group >= setup.groups.len() {
                self.fault(
                    place.key("group"),
                    format!("there is no group {}", source.group),
                    "a group of the scene",
                );
            }
            if source.most > MOST_AGENTS {
                self.fault(
                    place.key("most"),
                    format!("`most` is {}", source.most),
                    format!("a whole number from 0 to {MOST_AGENTS}"),
                );
            }
            match &source.arrivals {
                Arrivals::Rate { rate, from, until, .. } => self.rate(&place, *rate, *from, *until),
                Arrivals::Schedule(list) => self.schedule(&place.key("schedule"), list),
            }
        }
    }

    fn rate(&mut self, place: &KeyPath, rate: f64, from: f64, until: f64) {
        let before = self.faults.len();
        for (name, x, range) in [
            ("rate", rate, range::RATE),
            ("from", from, range::FROM),
            ("until", until, range::UNTIL),
        ] {
            self.number(place.key(name), x as f32, range);
        }
        if self.faults.len() > before {
            return;
        }
        if rate * self.setup.dt > MOST_ARRIVALS {
            let message = format!(
                "`rate` is {}, which is {} in a tick",
                plain(rate),
                plain(rate * self.setup.dt)
            );
            self.fault(
                place.key("rate"),
                message,
                format!(
                    "at most {MOST_ARRIVALS} in a tick: a rate up to {}",
                    plain(MOST_ARRIVALS / self.setup.dt)
                ),
            );
        }
        if until < from {
            self.fault(
                place.key("until"),
                format!("`until` is {}, before `from`", plain(until)),
                format!("a time from {}, or inf", plain(from)),
            );
        }
    }

    fn schedule(&mut self, place: &KeyPath, list: &[(f64, usize)]) {
        let mut before = 0.0;
        for (i, &(time, count)) in list.iter().enumerate() {
            let place = place.at(i);
            if !range::ARRIVAL.holds(time as f32) {
                let allowed = format!(
                    "{}: who is there from the start is in the group's `spawn`",
                    range::ARRIVAL
                );
                self.fault(place.clone(), format!("the time is {}", plain(time)), allowed);
            } else if time <= before {
                let message =
                    format!("the time {} does not come after {}", plain(time), plain(before));
                self.fault(place.clone(), message, "times that grow from entry to entry");
            } else {
                before = time;
            }
            if count > MOST_AGENTS {
                self.fault(
                    place,
                    format!("{count} come at once"),
                    format!("a whole number from 0 to {MOST_AGENTS}"),
                );
            }
        }
    }

    pub(super) fn lines(&mut self) {
        let mut names = HashSet::new();
        for line in &self.setup.lines {
            let place = KeyPath::default().key("line").key(&line.name);
            if !names.insert(&line.name) {
                self.fault(
                    place.clone(),
                    format!("there is a line \"{}\" already", line.name),
                    "a name that no other line has",
                );
            }
            let before = self.faults.len();
            self.point(place.key("from"), line.from);
            self.point(place.key("to"), line.to);
            if self.faults.len() == before && line.from.flat() == line.to.flat() {
                let (message, allowed) = match V::DIMENSION {
                    2 => ("`from` and `to` are the same point", "two different points"),
                    _ => (
                        "`from` and `to` are above each other",
                        "points that differ in x or y: crossings are seen along z",
                    ),
                };
                self.fault(place.key("to"), message, allowed);
            }
        }
    }
}
