//! Exits and lines.

use std::collections::HashSet;

use super::{Check, Place};
use crate::crowd::setup::Then;
use crate::parameter::Groups;
use crate::vector::Vector;

impl<V: Vector> Check<'_, V> {
    pub(super) fn exits(&mut self) {
        for (i, exit) in self.setup.exits.iter().enumerate() {
            let place = Place::default().key("exit").at(i);
            self.shape(&place, &exit.shape);
            if let Groups::Only(groups) = &exit.groups {
                self.groups(&place.key("groups"), groups);
            }
            if let Then::Respawn(area) = &exit.then {
                self.area(&place.key("then").key("respawn"), area);
            }
        }
    }

    pub(super) fn lines(&mut self) {
        let mut names = HashSet::new();
        for line in &self.setup.lines {
            let place = Place::default().key("line").key(&line.name);
            if !names.insert(&line.name) {
                self.fault(place.clone(), format!("there is a line \"{}\" already", line.name), "a name that no other line has");
            }
            let before = self.faults.len();
            self.point(place.key("from"), line.from);
            self.point(place.key("to"), line.to);
            if self.faults.len() == before && line.from.flat() == line.to.flat() {
                let (message, allowed) = match V::DIMENSION {
                    2 => ("`from` and `to` are the same point", "two different points"),
                    _ => ("`from` and `to` are above each other", "points that differ in x or y: crossings are seen along z"),
                };
                self.fault(place.key("to"), message, allowed);
            }
        }
    }
}
