//! The slider over the last ticks.

use eframe::egui::{Button, Slider, Ui, vec2};

use crate::action::Action;
use crate::platform::services;
use crate::render::theme::TOUCH;
use crate::session::traits::Session;

pub(crate) fn show(ui: &mut Ui, session: &dyn Session, actions: &mut Vec<Action>) {
    let ((first, last), now) = (session.known_ticks(), session.tick());
    let mut tick = now;
    ui.label("tick");
    ui.spacing_mut().slider_width = (0.35 * ui.available_width()).clamp(80.0, 420.0);
    let slider = ui.add_enabled(first < last, Slider::new(&mut tick, first..=last.max(first + 1)));
    services::mark_control("ticks", slider.rect);
    if slider.on_hover_text("Back in time (,) and forward again").changed() && tick != now {
        actions.push(Action::GoTo(tick));
    }
    if session.is_replaying() {
        let hint = "Discards what was recorded after this tick, and the mouse is the pointer \
                    again; any change to the scene does the same";
        let button =
            ui.add(Button::new("Go on from here").min_size(vec2(0.0, TOUCH))).on_hover_text(hint);
        services::mark_control("anew", button.rect);
        if button.clicked() {
            actions.push(Action::DiscardLater);
        }
    }
}
