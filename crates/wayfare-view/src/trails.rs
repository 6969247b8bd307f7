//! Where agents have been lately, by their ids.

use std::collections::VecDeque;

use eframe::egui::{Color32, Painter, Pos2, Stroke};

use crate::camera::Camera;

/// So many ticks back.
const LENGTH: usize = 240;
/// So many agents have trails; the others would hide them.
const MOST: usize = 300;

/// The last places of some agents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trails {
    /// Who was where, a tick an entry; by rising ids.
    samples: VecDeque<Vec<(u32, u32, Pos2)>>,
}

impl Trails {
    pub(crate) fn clear(&mut self) {
        self.samples.clear();
    }

    /// Adds where everybody is: (id, group, place), by rising ids.
    pub(crate) fn add(&mut self, agents: impl Iterator<Item = (u32, u32, Pos2)>) {
        let mut sample = if self.samples.len() == LENGTH { self.samples.pop_front().unwrap_or_default() } else { Vec::new() };
        sample.clear();
        sample.extend(agents.take(MOST));
        self.samples.push_back(sample);
    }

    /// Draws them, fainter the longer ago; a way longer than `jump` (length) is none.
    pub(crate) fn draw(&self, painter: &Painter, camera: &Camera, jump: f32, color: impl Fn(u32) -> Color32) {
        for (age, (before, after)) in self.samples.iter().zip(self.samples.iter().skip(1)).enumerate() {
            let fresh = (age + LENGTH - self.samples.len()) as f32 / LENGTH as f32;
            let mut later = after.iter().peekable();
            for (id, group, from) in before {
                while later.next_if(|(other, ..)| other < id).is_some() {}
                let Some((_, _, to)) = later.next_if(|(other, ..)| other == id) else { continue };
                if (*to - *from).length() < jump {
                    let ink = color(*group).gamma_multiply(0.08 + 0.5 * fresh);
                    painter.line_segment([camera.at(*from), camera.at(*to)], Stroke::new(1.5, ink));
                }
            }
        }
    }
}
