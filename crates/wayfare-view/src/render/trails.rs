//! Where agents have been lately, by their ids.

use std::collections::VecDeque;

use eframe::egui::{Color32, Painter, Pos2, Shape, Stroke};

use crate::render::camera::Camera;

/// So many ticks back.
const LENGTH: usize = 240;
/// In a larger crowd nobody has a trail: they would hide one another.
const MOST: usize = 300;
/// So many pieces are drawn at most: with many agents, trails keep each second place, each third,
/// and so on.
const PIECES: usize = 6_000;

/// So many colors from faint to strong.
const SHADES: usize = 20;

/// The last places of some agents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trails {
    /// Who was where, a tick an entry; by rising ids.
    samples: VecDeque<Vec<(u32, u32, Pos2)>>,
    /// How many samples there were before these.
    gone: usize,
}

impl Trails {
    pub(crate) fn clear(&mut self) {
        self.samples.clear();
    }

    /// Forgets the last so many ticks.
    pub(crate) fn back(&mut self, ticks: usize) {
        self.samples.truncate(self.samples.len().saturating_sub(ticks));
    }

    /// Adds where everybody is: (id, group, place), by rising ids.
    pub(crate) fn add(&mut self, agents: impl Iterator<Item = (u32, u32, Pos2)>) {
        let full = self.samples.len() == LENGTH;
        self.gone += usize::from(full);
        let mut sample =
            if full { self.samples.pop_front().unwrap_or_default() } else { Vec::new() };
        sample.clear();
        sample.extend(agents.take(MOST + 1));
        if sample.len() > MOST {
            sample.clear();
        }
        self.samples.push_back(sample);
    }

    /// Those that are drawn: each `stride`th, always the same ones while time passes, and the last.
    fn kept(&self) -> impl Iterator<Item = (usize, &Vec<(u32, u32, Pos2)>)> {
        let most = self.samples.iter().map(Vec::len).max().unwrap_or(0);
        let stride = (most * LENGTH).div_ceil(PIECES).max(1);
        let last = self.samples.len().saturating_sub(1);
        self.samples
            .iter()
            .enumerate()
            .filter(move |(i, _)| (self.gone + i).is_multiple_of(stride) || *i == last)
    }

    /// Draws them, fainter the longer ago; a way longer than `jump` (length) is none.
    pub(crate) fn draw(
        &self,
        painter: &Painter,
        camera: &Camera,
        jump: f32,
        color: impl Fn(u32) -> Color32,
    ) {
        let kept: Vec<_> = self.kept().collect();
        // A line of several pieces has no beads where they meet; it has one color, so that a trail
        // is a few lines.
        let steps = kept.len().div_ceil(SHADES).max(1);
        for from in (0..kept.len().saturating_sub(1)).step_by(steps) {
            let part = &kept[from..(from + steps + 1).min(kept.len())];
            let fresh = (part[0].0 + LENGTH - self.samples.len()) as f32 / LENGTH as f32;
            let mut later: Vec<_> =
                part[1..].iter().map(|(_, sample)| sample.iter().peekable()).collect();
            for (id, group, first) in part[0].1 {
                let stroke = Stroke::new(1.5, color(*group).gamma_multiply(0.08 + 0.5 * fresh));
                let (mut last, mut line) = (*first, vec![camera.at(*first)]);
                for sample in &mut later {
                    while sample.next_if(|(other, ..)| other < id).is_some() {}
                    let Some((_, _, to)) = sample.next_if(|(other, ..)| other == id) else { break };
                    if (*to - last).length() >= jump {
                        painter.add(Shape::line(std::mem::take(&mut line), stroke));
                    }
                    // Who stands still leaves no trail.
                    if line.last().is_none_or(|end| end.distance(camera.at(*to)) > 0.5) {
                        line.push(camera.at(*to));
                    }
                    last = *to;
                }
                if line.len() > 1 {
                    painter.add(Shape::line(line, stroke));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_agents_have_trails_as_long_of_fewer_pieces_and_the_last_place_is_always_one() {
        for (agents, most) in [(20, LENGTH), (300, LENGTH)] {
            let mut trails = Trails::default();
            for tick in 0..LENGTH + 7 {
                trails.add((0..agents).map(|id| (id, 0, Pos2::new(tick as f32, 0.0))));
                let places: Vec<f32> = trails.kept().map(|(_, sample)| sample[0].2.x).collect();
                assert_eq!(places.last(), Some(&(tick as f32)));
                assert!(
                    places.len() <= most
                        && places.len() * agents as usize <= PIECES + 2 * agents as usize,
                    "{}",
                    places.len()
                );
            }
            let places: Vec<f32> = trails.kept().map(|(_, sample)| sample[0].2.x).collect();
            assert!(places[0] < 30.0, "they reach back as far");
            let stride = places[1] - places[0];
            assert!(
                places.iter().rev().skip(1).all(|place| place % stride == 0.0),
                "they do not flicker: {places:?}"
            );
        }
    }
}
