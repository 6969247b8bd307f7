//! The trails: where everybody went, fainter the longer ago.

use std::collections::HashMap;
use std::sync::Arc;

use wayfare::Vector;
use wayfare::glam::Vec2;

use super::camera::Camera;
use super::canvas::{Canvas, Pen};
use super::color::{Style, ink};
use super::geometry::{Point, Rect};
use crate::trails::{Sample, Who};

/// How many degrees of faintness there are.
const LEVELS: usize = 12;
/// How much of the sheet trails may cover: beyond that only the last part of the run is drawn.
const MOST_COVER: f64 = 0.35;
/// A trail bends no finer than this (pixels).
const FINEST: f64 = 0.7;

/// How an agent came from one sample to the next.
enum Way {
    /// It walked: from, to (pixels).
    Walked(Point, Point),
    /// It left on one side and entered on the other: from, to outside there, from outside here, to
    /// (pixels).
    Crossed(Point, Point, Point, Point),
    /// It was put somewhere else, and had been here (pixels).
    Jumped(Point),
}

/// How much of the trails could be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Drawn {
    All,
    /// The last part of the run (time).
    Last(f64),
    /// Nothing: even the last step of so many agents would cover the sheet.
    Nothing,
}

/// The trails of a run and what they need to be drawn.
pub(super) struct Tracks<'a, V> {
    pub(super) camera: &'a Camera,
    /// The samples, the oldest first, and how it is now.
    pub(super) samples: Vec<&'a Sample<V>>,
    /// How many groups there are.
    pub(super) groups: usize,
    /// The size of a world that wraps (length), and its place (pixels).
    pub(super) wrap: Option<(Vec2, Rect)>,
}

impl<V: Vector> Tracks<'_, V> {
    /// Draws the trails.
    pub(super) fn draw(&self, canvas: &mut Canvas) -> Drawn {
        let Some(newest) = self.samples.len().checked_sub(1) else { return Drawn::All };
        let sheet = canvas.sheet().grown(20.0);
        let clip = self.wrap.map_or(sheet, |(_, place)| place);
        // Many trails are thinner and fainter, so that the agents stand out.
        let (width, oldest, newer) = match self.samples[newest].who.len() {
            0..=60 => (1.6, 0.2, 0.45),
            61..=2000 => (1.1, 0.2, 0.45),
            _ => (1.1, 0.1, 0.35),
        };

        // From the end backwards, as far as the ink lasts.
        let budget = MOST_COVER * sheet.width() * sheet.height() / width;
        let (mut begin, mut length) = (newest, 0.0);
        while begin > 0 && length < budget {
            begin -= 1;
            let mut add = |a, b| length += clip.cut(a, b).map_or(0.0, |(a, b)| (b - a).length());
            self.ways(begin, |_, way| match way {
                Way::Walked(a, b) => add(a, b),
                Way::Crossed(a, b, c, d) => {
                    add(a, b);
                    add(c, d);
                }
                Way::Jumped(_) => {}
            });
        }

        if length > 2.0 * budget && begin + 1 == newest {
            return Drawn::Nothing;
        }

        let mut paths: Vec<Vec<(Point, Point)>> = vec![Vec::new(); LEVELS * self.groups];
        let (start, end) = (self.samples[begin].time, self.samples[newest].time);
        // Where the line of who has hardly moved since begins, by id.
        let mut waiting: HashMap<u32, Point> = HashMap::new();
        for at in begin..newest {
            let age = (self.samples[at + 1].time - start) / (end - start);
            let level = ((age * LEVELS as f64) as usize).min(LEVELS - 1);
            self.ways(at, |who, way| {
                let path = &mut paths[level * self.groups + who.group as usize % self.groups];
                let mut add = |a, b| path.extend(clip.cut(a, b));
                let start = waiting.remove(&who.id);
                match way {
                    Way::Walked(a, b) => {
                        let a = start.unwrap_or(a);
                        if (b - a).length() < FINEST && at + 1 < newest {
                            waiting.insert(who.id, a);
                        } else {
                            add(a, b);
                        }
                    }
                    Way::Crossed(a, b, c, d) => {
                        add(start.unwrap_or(a), b);
                        add(c, d);
                    }
                    Way::Jumped(a) => {
                        if let Some(start) = start {
                            add(start, a);
                        }
                    }
                }
            });
        }
        for (i, path) in paths.into_iter().enumerate() {
            let age = ((i / self.groups) as f64 + 0.5) / LEVELS as f64;
            let color = ink(Style::of(i % self.groups).color, oldest + newer * age * age);
            canvas.lines(path.into_iter(), &Pen::new(width, color));
        }
        if begin > 0 { Drawn::Last(end - start) } else { Drawn::All }
    }

    /// The ways from sample `at` to the next of everybody who is in both.
    fn ways(&self, at: usize, mut each: impl FnMut(Who, Way)) {
        let (old, new) = (self.samples[at], self.samples[at + 1]);
        let elapsed = new.time - old.time;
        let mut pair = |i: usize, k: usize| {
            each(
                new.who[k],
                self.way(&new.who[k], old.positions[i].flat(), new.positions[k].flat(), elapsed),
            )
        };
        if Arc::ptr_eq(&old.who, &new.who) {
            (0..new.who.len()).for_each(|i| pair(i, i));
            return;
        }
        let mut i = 0;
        for (k, who) in new.who.iter().enumerate() {
            while old.who.get(i).is_some_and(|old| old.id < who.id) {
                i += 1;
            }
            if old.who.get(i).is_some_and(|old| old.id == who.id) {
                pair(i, k);
            }
        }
    }

    fn way(&self, who: &Who, from: Vec2, to: Vec2, elapsed: f64) -> Way {
        let (a, b) = (Point::from(from), Point::from(to));
        let mut shift = Point::default();
        if let Some((size, _)) = self.wrap {
            let over = |d: f64, size: f32| {
                if d.abs() > 0.5 * f64::from(size) { f64::from(size) * d.signum() } else { 0.0 }
            };
            shift = Point { x: over(b.x - a.x, size.x), y: over(b.y - a.y, size.y) };
        }
        // Nobody goes farther than its top speed allows; positions are rounded.
        let reach = 1.05 * f64::from(who.max_speed) * elapsed + 1e-5 * (a.length() + b.length());
        if (b - shift - a).length() > reach {
            return Way::Jumped(self.camera.at(a));
        }
        if shift == Point::default() {
            Way::Walked(self.camera.at(a), self.camera.at(b))
        } else {
            Way::Crossed(
                self.camera.at(a),
                self.camera.at(b - shift),
                self.camera.at(a + shift),
                self.camera.at(b),
            )
        }
    }
}
