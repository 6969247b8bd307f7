//! Stepping a running scene.

use wayfare::crowd::Command;
use wayfare::glam::Vec2;

use crate::session::dimension::Dimension;
use crate::session::edit::UndoStep;
use crate::session::geometry::WorldRect;
use crate::session::scene::RunningScene;
use crate::session::traits::Simulation;

impl<V: Dimension> Simulation for RunningScene<V> {
    fn title(&self) -> &str {
        &self.title
    }
    fn seed(&self) -> u64 {
        self.setup.seed
    }
    fn tick(&self) -> u64 {
        self.crowd.tick()
    }
    fn time(&self) -> f64 {
        self.crowd.time()
    }
    fn dt(&self) -> f64 {
        self.crowd.dt()
    }
    fn len(&self) -> usize {
        self.crowd.len()
    }
    fn digest(&self) -> u64 {
        self.crowd.digest()
    }
    fn group_names(&self) -> Vec<String> {
        self.crowd.group_names().map(str::to_string).collect()
    }
    fn world(&self) -> WorldRect {
        self.world_rect()
    }
    fn pointer(&self) -> Option<Vec2> {
        self.setup.pointer.as_ref()?;
        self.crowd.pointer().map(|p| self.setup.up.ground(p))
    }

    fn due_ticks(&mut self, time: f64) -> u32 {
        self.clock.due(&self.crowd, time)
    }

    fn step_budgeted(&mut self, pointer: Option<Vec2>, agents: usize) -> bool {
        let replaying = self.is_before_present();
        if replaying {
            self.replay_commands();
        } else if !self.mid_tick {
            // Hits are commands of the tick that begins, not of the one that ended: so a log up to
            // any tick ends in the digest shown there, and each hit is visible for one tick.
            self.apply_fire(|range| range.hits());
        }
        if let Some(at) =
            pointer.filter(|_| self.setup.pointer.is_some() && !self.mid_tick && !replaying)
        {
            let at = self.at_middle_height(at);
            if self.crowd.pointer() != Some(at) {
                self.apply(Command::Pointer(Some(at)));
            }
        }
        let ended = self.crowd.step_budgeted(agents.saturating_mul(self.crowd.threads()));
        self.mid_tick = !ended;
        if ended {
            if replaying {
                self.after_replayed_tick();
            }
            self.after_tick();
        }
        ended
    }

    fn restart(&mut self, seed: u64) {
        self.start_again(Some(seed));
        self.undo.retain(|step| matches!(step, UndoStep::Draft(_)));
    }
}
