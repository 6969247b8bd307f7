//! The trails of agents, which fade with age.

use std::collections::HashMap;
use std::sync::Arc;

use wayfare::glam::Vec2;
use wayfare::{AgentId, Vector};

use super::camera::Camera;
use super::canvas::{Canvas, Pen};
use super::color::{Style, ink};
use super::geometry::{Point, Rect};
use crate::trails::{AgentIdentity, PositionSample};

/// The number of opacities.
const LEVELS: usize = 12;
/// Movements shorter than this are joined into one line (pixels).
const MIN_LINE_LENGTH: f64 = 0.7;

/// The displacement of an agent from one sample to the next.
enum TrailStep {
    /// A continuous movement: from, to (pixels).
    Moved(Point, Point),
    /// A movement across a wrapped edge (pixels): its start, the point outside the bounds at which
    /// it leaves, the point outside the opposite edge at which it enters, and its end.
    Wrapped(Point, Point, Point, Point),
    /// A jump; the position before it (pixels).
    Jumped(Point),
}

/// The part of the trails that was drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TrailCoverage {
    All,
    /// The last part of the run (time).
    Last(f64),
    /// None: even the trails of the last tick would cover the sheet.
    Nothing,
}

/// The trails of a run.
pub(super) struct TrailLines<'a, V> {
    pub(super) camera: &'a Camera,
    /// The samples, the oldest first, the present last.
    pub(super) samples: Vec<&'a PositionSample<V>>,
    /// The styles of the groups.
    pub(super) styles: &'a [Style],
    /// The size of a wrapped world (length), and its area (pixels).
    pub(super) wrap: Option<(Vec2, Rect)>,
    /// The largest fraction of the sheet that trails may cover: beyond that only the last part of
    /// the run is drawn.
    pub(super) max_coverage: f64,
}

impl<V: Vector> TrailLines<'_, V> {
    /// Draws the trails.
    pub(super) fn draw(&self, canvas: &mut Canvas) -> TrailCoverage {
        let Some(newest) = self.samples.len().checked_sub(1) else { return TrailCoverage::All };
        let sheet = canvas.sheet().grown(20.0);
        let clip = self.wrap.map_or(sheet, |(_, area)| area);
        // Many trails are thinner and fainter, so that the agents stand out.
        let (width, min_opacity, opacity_range) = match self.samples[newest].agents.len() {
            0..=60 => (1.6, 0.2, 0.45),
            61..=2000 => (1.1, 0.2, 0.45),
            _ => (1.1, 0.1, 0.35),
        };

        // From the end backwards, until the trails cover the allowed part of the sheet.
        let budget = self.max_coverage * sheet.width() * sheet.height() / width;
        let (mut begin, mut length) = (newest, 0.0);
        while begin > 0 && length < budget {
            begin -= 1;
            let mut add = |a, b| length += clip.cut(a, b).map_or(0.0, |(a, b)| (b - a).length());
            self.steps(begin, |_, step| match step {
                TrailStep::Moved(a, b) => add(a, b),
                TrailStep::Wrapped(a, b, c, d) => {
                    add(a, b);
                    add(c, d);
                }
                TrailStep::Jumped(_) => {}
            });
        }

        if length > 2.0 * budget && begin + 1 == newest {
            return TrailCoverage::Nothing;
        }

        let groups = self.styles.len().max(1);
        let mut paths: Vec<Vec<(Point, Point)>> = vec![Vec::new(); LEVELS * groups];
        let (start, end) = (self.samples[begin].time, self.samples[newest].time);
        // For each agent whose last movements are still too short to draw: their start.
        let mut pending_starts: HashMap<AgentId, Point> = HashMap::new();
        for at in begin..newest {
            let recency = (self.samples[at + 1].time - start) / (end - start);
            let level = ((recency * LEVELS as f64) as usize).min(LEVELS - 1);
            self.steps(at, |agent, step| {
                let path = &mut paths[level * groups + agent.group as usize % groups];
                let mut add = |a, b| path.extend(clip.cut(a, b));
                let start = pending_starts.remove(&agent.id);
                match step {
                    TrailStep::Moved(a, b) => {
                        let a = start.unwrap_or(a);
                        if (b - a).length() < MIN_LINE_LENGTH && at + 1 < newest {
                            pending_starts.insert(agent.id, a);
                        } else {
                            add(a, b);
                        }
                    }
                    TrailStep::Wrapped(a, b, c, d) => {
                        add(start.unwrap_or(a), b);
                        add(c, d);
                    }
                    TrailStep::Jumped(a) => {
                        if let Some(start) = start {
                            add(start, a);
                        }
                    }
                }
            });
        }
        for (i, path) in paths.into_iter().enumerate() {
            let recency = ((i / groups) as f64 + 0.5) / LEVELS as f64;
            let Some(style) = self.styles.get(i % groups) else { continue };
            let color = ink(style.color, min_opacity + opacity_range * recency * recency);
            canvas.lines(path.into_iter(), &Pen::new(width, color));
        }
        if begin > 0 { TrailCoverage::Last(end - start) } else { TrailCoverage::All }
    }

    /// Calls `each` with the displacement of every agent in both sample `at` and the next.
    fn steps(&self, at: usize, mut each: impl FnMut(AgentIdentity, TrailStep)) {
        let (old, new) = (self.samples[at], self.samples[at + 1]);
        let elapsed = new.time - old.time;
        let mut pair = |i: usize, k: usize| {
            each(
                new.agents[k],
                self.step(
                    &new.agents[k],
                    self.camera.up().ground(old.positions[i]),
                    self.camera.up().ground(new.positions[k]),
                    elapsed,
                ),
            )
        };
        if Arc::ptr_eq(&old.agents, &new.agents) {
            (0..new.agents.len()).for_each(|i| pair(i, i));
            return;
        }
        let mut i = 0;
        for (k, agent) in new.agents.iter().enumerate() {
            while old.agents.get(i).is_some_and(|old| old.id < agent.id) {
                i += 1;
            }
            if old.agents.get(i).is_some_and(|old| old.id == agent.id) {
                pair(i, k);
            }
        }
    }

    fn step(&self, agent: &AgentIdentity, from: Vec2, to: Vec2, elapsed: f64) -> TrailStep {
        let (a, b) = (Point::from(from), Point::from(to));
        let mut shift = Point::default();
        if let Some((size, _)) = self.wrap {
            let wrap_shift = |d: f64, size: f32| {
                if d.abs() > 0.5 * f64::from(size) { f64::from(size) * d.signum() } else { 0.0 }
            };
            shift = Point { x: wrap_shift(b.x - a.x, size.x), y: wrap_shift(b.y - a.y, size.y) };
        }
        // No agent moves farther than its top speed allows, with a margin of 5 %; the second term
        // allows for the rounding of positions.
        let reach = 1.05 * f64::from(agent.max_speed) * elapsed + 1e-5 * (a.length() + b.length());
        if (b - shift - a).length() > reach {
            return TrailStep::Jumped(self.camera.at(a));
        }
        if shift == Point::default() {
            TrailStep::Moved(self.camera.at(a), self.camera.at(b))
        } else {
            TrailStep::Wrapped(
                self.camera.at(a),
                self.camera.at(b - shift),
                self.camera.at(a + shift),
                self.camera.at(b),
            )
        }
    }
}
