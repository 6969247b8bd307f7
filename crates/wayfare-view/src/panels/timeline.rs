//! Back in time, tick by tick or with a slider, and on from there.

use eframe::egui::{self, Slider, Ui};

use crate::app::Gallery;
use crate::platform::host;
use crate::render::theme::TOUCH;

impl Gallery {
    /// Goes to a tick that was before, or forward to one that is known, and stands still there.
    pub(crate) fn go_to(&mut self, tick: u64) {
        self.playing = false;
        (self.due, self.taken) = (0, None);
        if let Some(live) = self.live() {
            live.go_to(tick);
        }
        self.compare.go_to(tick);
    }

    /// One tick back.
    pub(crate) fn step_back(&mut self) {
        if let Some(tick) = self.live().map(|live| live.tick()) {
            self.go_to(tick.saturating_sub(1));
        }
    }

    /// The slider over the last seconds.
    pub(crate) fn rewind_controls(&mut self, ui: &mut Ui) {
        let Some(((first, last), now, replays)) =
            self.live().map(|live| (live.known(), live.tick(), live.replays()))
        else {
            return;
        };
        let mut tick = now;
        ui.label("tick");
        ui.spacing_mut().slider_width = (0.35 * ui.available_width()).clamp(80.0, 420.0);
        let slider =
            ui.add_enabled(first < last, Slider::new(&mut tick, first..=last.max(first + 1)));
        host::place("ticks", slider.rect);
        if slider.on_hover_text("Back in time (,) and forward again").changed() && tick != now {
            self.go_to(tick);
        }
        if replays {
            let words = "What was done after this tick is forgotten, and the mouse is the pointer \
                         again; to change anything does the same";
            let button = ui
                .add(egui::Button::new("Go on from here").min_size(egui::vec2(0.0, TOUCH)))
                .on_hover_text(words);
            host::place("anew", button.rect);
            if button.clicked()
                && let Some(live) = self.live()
            {
                live.forget_later();
            }
        }
    }
}
