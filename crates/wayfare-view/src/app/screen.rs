//! The application without a screen, as a person has it who clicks and types.

use eframe::egui::{self, Event, Key, Modifiers, PointerButton, Pos2, Rect, vec2};

use crate::app::Gallery;
use crate::panels::side::Side;
use crate::platform::host;
use crate::render::gpu_agents::Swarm;

/// A gallery with a panel open, on a high screen, so that all of the panel is seen.
pub(crate) struct Screen {
    pub(crate) gallery: Gallery,
    ctx: egui::Context,
    time: f64,
}

impl Screen {
    pub(crate) fn of(scene: &str, side: Side) -> Self {
        let mut gallery = Gallery::with(Swarm::new(None));
        gallery.show(scene);
        (gallery.side, gallery.list) = (Some(side), Some(false));
        let mut screen = Self { gallery, ctx: egui::Context::default(), time: 0.0 };
        screen.frames(3);
        screen
    }

    pub(crate) fn frames(&mut self, count: usize) {
        (0..count).for_each(|_| self.frame(Vec::new()));
    }

    pub(crate) fn frame(&mut self, events: Vec<Event>) {
        self.time += 0.1;
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(1_400.0, 12_000.0)));
        let input =
            egui::RawInput { screen_rect, events, time: Some(self.time), ..Default::default() };
        self.ctx.run_ui(input, |ui| self.gallery.frame(ui)).drop_without_applying_deltas();
    }

    pub(crate) fn rect(name: &str) -> Rect {
        host::PLACES.with_borrow(|places| {
            *places.get(name).unwrap_or_else(|| panic!("there is no {name}: {:?}", places.keys()))
        })
    }

    pub(crate) fn press(&mut self, at: Pos2, pressed: bool) {
        self.frame(vec![Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        }]);
    }

    pub(crate) fn click(&mut self, name: &str) {
        let at = Self::rect(name).center();
        self.frame(vec![Event::PointerMoved(at)]);
        self.press(at, true);
        self.press(at, false);
        self.frames(3);
    }

    /// Drags the slider of that field by so much.
    pub(crate) fn slide(&mut self, field: &str, by: f32) {
        let rect = Self::rect(&format!("field:{field}"));
        let at = Pos2::new(rect.left() + 0.35 * rect.width(), rect.center().y);
        self.frame(vec![Event::PointerMoved(at)]);
        self.press(at, true);
        (1..=5).for_each(|i| {
            self.frame(vec![Event::PointerMoved(at + vec2(by * i as f32 / 5.0, 0.0))])
        });
        self.press(at + vec2(by, 0.0), false);
        self.frames(1);
    }

    pub(crate) fn text(&mut self) -> String {
        self.gallery.live().unwrap().draft().text().to_string()
    }

    pub(crate) fn tick(&mut self) -> u64 {
        self.gallery.live().unwrap().tick()
    }

    /// Types a text, a line break as Enter.
    pub(crate) fn type_text(&mut self, text: &str) {
        for c in text.chars() {
            if c == '\n' {
                self.key(Key::Enter, Modifiers::NONE)
            } else {
                self.frame(vec![Event::Text(c.to_string())])
            }
        }
    }

    pub(crate) fn key(&mut self, key: Key, modifiers: Modifiers) {
        let event =
            |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        self.frame(vec![event(true)]);
        self.frame(vec![event(false)]);
    }
}
