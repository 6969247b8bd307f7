//! The application without a screen, used as a person does: with clicks and keys.

use eframe::egui::{
    Context, Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, Vec2, pos2, vec2,
};

use crate::action::{Action, SidePanel};
use crate::app::Gallery;
use crate::platform::services;
use crate::render::gpu_agents::GpuAgents;
use crate::render::theme;
use crate::session::traits::Session;

/// Size of a usual screen (points).
pub(super) const USUAL: Vec2 = vec2(1_280.0, 800.0);
/// Size of a screen on which a whole panel is visible.
const HIGH: Vec2 = vec2(1_400.0, 12_000.0);
/// A point of the picture on a usual screen.
pub(super) const AT: Pos2 = pos2(900.0, 400.0);

/// A gallery and its input.
pub(super) struct Screen {
    pub(super) gallery: Gallery,
    pub(super) ctx: Context,
    size: Vec2,
    /// Time of the last frame, and time between two frames (seconds).
    time: f64,
    frame_time: f64,
}

impl Screen {
    /// A scene on a usual screen.
    pub(super) fn of(scene: &str) -> Self {
        let mut gallery = Gallery::with([(); 2].map(|()| GpuAgents::new(None)));
        // No time passes within a frame, however busy the machine is.
        gallery.clock = || 0.0;
        gallery.show(scene);
        let (ctx, frame_time) = (Context::default(), 1.0 / 60.0);
        theme::set(&ctx);
        Self { gallery, ctx, size: USUAL, time: 0.0, frame_time }
    }

    /// A scene that is paused.
    pub(super) fn paused(scene: &str) -> Self {
        let mut screen = Self::of(scene);
        screen.gallery.playback.playing = false;
        screen
    }

    /// A scene with a side panel, on a high screen.
    pub(super) fn with_panel(scene: &str, panel: SidePanel) -> Self {
        let mut screen = Self::of(scene);
        (screen.size, screen.frame_time) = (HIGH, 0.1);
        screen.gallery.panels.side = Some(panel);
        screen.gallery.panels.list.open = Some(false);
        screen.frames(3);
        screen
    }

    pub(super) fn session(&mut self) -> &mut dyn Session {
        self.gallery.session().unwrap()
    }

    pub(super) fn text(&mut self) -> String {
        self.session().draft().text().to_string()
    }

    pub(super) fn tick(&mut self) -> u64 {
        self.session().tick()
    }

    /// Tick and digest of the first scene.
    pub(super) fn state(&mut self) -> (u64, u64) {
        let session = self.session();
        (session.tick(), session.digest())
    }

    pub(super) fn act(&mut self, action: Action) {
        self.gallery.reduce(&self.ctx, action);
    }

    pub(super) fn frames(&mut self, count: usize) {
        (0..count).for_each(|_| self.frame(Vec::new()));
    }

    /// Runs one frame with these events.
    pub(super) fn frame(&mut self, events: Vec<Event>) {
        self.time += self.frame_time;
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, self.size));
        let input = RawInput { screen_rect, events, time: Some(self.time), ..Default::default() };
        self.ctx.run_ui(input, |ui| self.gallery.frame(ui)).drop_without_applying_deltas();
    }

    /// The rectangle of a control.
    pub(super) fn rect(name: &str) -> Rect {
        services::CONTROLS.with_borrow(|controls| {
            let known = controls.keys();
            *controls.get(name).unwrap_or_else(|| panic!("there is no {name}: {known:?}"))
        })
    }

    pub(super) fn is_shown(name: &str) -> bool {
        services::CONTROLS.with_borrow(|controls| controls.contains_key(name))
    }

    pub(super) fn move_mouse(&mut self, at: Pos2) {
        self.frame(vec![Event::PointerMoved(at)]);
    }

    pub(super) fn press(&mut self, at: Pos2, pressed: bool) {
        self.frame(vec![Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        }]);
    }

    pub(super) fn click_at(&mut self, at: Pos2) {
        self.move_mouse(at);
        self.press(at, true);
        self.press(at, false);
    }

    /// Clicks a control and lets menus open.
    pub(super) fn click(&mut self, name: &str) {
        self.click_at(Self::rect(name).center());
        self.frames(3);
    }

    /// Drags the slider of a field by this many points.
    pub(super) fn slide(&mut self, field: &str, by: f32) {
        let rect = Self::rect(&format!("field:{field}"));
        let at = pos2(rect.left() + 0.35 * rect.width(), rect.center().y);
        self.move_mouse(at);
        self.press(at, true);
        (1..=5).for_each(|i| self.move_mouse(at + vec2(by * i as f32 / 5.0, 0.0)));
        self.press(at + vec2(by, 0.0), false);
        self.frames(1);
    }

    /// Types a text, a line break as Enter.
    pub(super) fn type_text(&mut self, text: &str) {
        for c in text.chars() {
            if c == '\n' {
                self.key(Key::Enter);
            } else {
                self.frame(vec![Event::Text(c.to_string())]);
            }
        }
    }

    pub(super) fn key(&mut self, key: Key) {
        self.key_with(key, Modifiers::NONE);
    }

    /// Presses a key for one frame.
    pub(super) fn key_with(&mut self, key: Key, modifiers: Modifiers) {
        let event =
            |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        self.frame(vec![event(true)]);
        self.frame(vec![event(false)]);
    }
}
