//! A second scene beside the first, with the same seed, the same ticks and the same pointer.

use wayfare::glam::Vec2;

use crate::session::geometry::WorldRect;
use crate::session::traits::Session;

/// Scenes that show a difference. Each is compared with the other one of the first pair that names
/// it first, or else of the first pair that names it second.
pub(crate) const PAIRS: [(&str, &str); 14] = [
    ("doorway-separation", "doorway-free"),
    ("doorway-free", "doorway-separation"),
    ("doorway-hard-stop", "doorway-brake"),
    ("doorway-brake", "doorway-hard-stop"),
    ("doorway-brake-and-stop", "doorway-separation"),
    ("avoid-corrected", "avoid-uncorrected"),
    ("pursue-3", "pursue-30"),
    ("pursue", "pursue-3"),
    ("path-radius", "path-touch"),
    ("leader", "leader-separation"),
    ("leader-arrive", "leader-separation"),
    ("wander", "wander-random-targets"),
    ("seek", "seek-without-force"),
    ("arrive", "seek"),
];

/// The scene that is compared with by default: the other one of its pair, or the scene itself as it
/// was opened.
pub(crate) fn partner(name: &str) -> &str {
    let first = PAIRS.iter().find(|(first, _)| *first == name).map(|(_, second)| *second);
    first
        .or_else(|| PAIRS.iter().find(|(_, second)| *second == name).map(|(first, _)| *first))
        .unwrap_or(name)
}

/// Whether two names begin with the same word.
pub(crate) fn are_related(a: &str, b: &str) -> bool {
    a.split('-').next() == b.split('-').next()
}

/// The second scene, if there is one.
#[derive(Default)]
pub(crate) struct Comparison {
    second: Option<Second>,
}

/// The second scene of a comparison.
pub(crate) struct Second {
    pub(crate) name: String,
    pub(crate) session: Box<dyn Session>,
    /// The area of the picture at the start.
    pub(crate) world: WorldRect,
    /// The pointer of the tick that both scenes are in.
    pointer: Option<Vec2>,
    mid_tick: bool,
}

impl Comparison {
    pub(crate) fn start(&mut self, name: String, session: Box<dyn Session>) {
        let world = session.world();
        self.second = Some(Second { name, session, world, pointer: None, mid_tick: false });
    }

    pub(crate) fn end(&mut self) {
        self.second = None;
    }

    pub(crate) fn second(&self) -> Option<&Second> {
        self.second.as_ref()
    }

    pub(crate) fn second_mut(&mut self) -> Option<&mut Second> {
        self.second.as_mut()
    }

    /// Restarts the second scene with this seed.
    pub(crate) fn restart(&mut self, seed: u64) {
        if let Some(second) = &mut self.second {
            second.session.restart(seed);
            (second.world, second.mid_tick) = (second.session.world(), false);
        }
    }

    /// The last tick that both scenes have ended.
    pub(crate) fn tick(&self, first: &dyn Session) -> u64 {
        self.second.as_ref().map_or(first.tick(), |second| second.session.tick().min(first.tick()))
    }

    /// Runs a part of a tick of the first scene, or of the second one, which follows tick by tick;
    /// returns whether the tick has ended in both.
    pub(crate) fn step_budgeted(
        &mut self,
        first: &mut dyn Session,
        pointer: Option<Vec2>,
        agents: usize,
    ) -> bool {
        let Some(second) = &mut self.second else { return first.step_budgeted(pointer, agents) };
        if !second.mid_tick {
            (second.mid_tick, second.pointer) = (true, pointer);
        }
        if second.session.tick() >= first.tick() {
            first.step_budgeted(second.pointer, agents);
            return false;
        }
        let ended = second.session.step_budgeted(second.pointer, agents)
            && second.session.tick() >= first.tick();
        second.mid_tick = !ended;
        ended
    }

    /// Runs one tick of both scenes.
    pub(crate) fn step(&mut self, first: &mut dyn Session, pointer: Option<Vec2>) {
        while !self.step_budgeted(first, pointer, usize::MAX) {}
    }

    /// Lets the second scene end the tick that the first one has ended.
    pub(crate) fn catch_up(&mut self, first: &dyn Session) {
        if let Some(second) = &mut self.second {
            while second.session.tick() < first.tick() {
                second.session.step(second.pointer);
            }
            second.mid_tick = false;
        }
    }

    /// Takes the second scene to a tick of its history.
    pub(crate) fn go_to(&mut self, tick: u64) {
        if let Some(second) = &mut self.second {
            second.session.go_to(tick);
            second.mid_tick = false;
        }
    }

    /// Lets simulated time pass for the second scene, so that it is drawn between ticks like the
    /// first one, whose clock decides which ticks are due.
    pub(crate) fn pass_time(&mut self, time: f64) {
        if let Some(second) = &mut self.second {
            second.session.due_ticks(time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::catalog::catalog;
    use crate::session::open::open;
    use wayfare_scene::{Format, bundled};

    #[test]
    fn every_scene_has_a_partner_with_the_same_world() {
        let world =
            |name: &str| open(name, bundled(name).unwrap().text, Format::Toml).unwrap().world();
        for entry in catalog() {
            let name = entry.scene.name;
            assert_eq!(world(partner(name)), world(name), "{name}");
        }
        assert!(PAIRS.iter().all(|(first, second)| bundled(first).is_some() && first != second));
        assert_eq!(
            ["doorway-free", "doorway-brake-and-stop", "avoid-uncorrected", "pursue-30"]
                .map(partner),
            ["doorway-separation", "doorway-separation", "avoid-corrected", "pursue-3"]
        );
    }
}
