//! Two scenes beside each other, with the same seed, the same ticks and the same pointer: what a
//! change of behavior comes to.

use eframe::egui::{
    Align2, Button, FontId, Key, Modifiers, Painter, Pos2, Rect, ScrollArea, Ui, pos2, vec2,
};
use wayfare_scene::{Format, bundled};

use crate::app::{Gallery, Shown};
use crate::platform::host;
use crate::render::camera::View;
use crate::render::gpu_agents::Swarm;
use crate::render::theme::{TOUCH, Theme};
use crate::session::scene::{Live, open};

/// Scenes that show a difference between them. Each is compared with the other of its pair, where
/// it is first in one; in other pairs of it only if somebody says so.
const PAIRS: [(&str, &str); 14] = [
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

/// The space between the two.
const GAP: f32 = 4.0;

/// What a scene is compared with unless somebody says so: the other one of its pair, or itself, as
/// it was opened, beside what is changed in it.
fn partner(name: &str) -> &str {
    let first = PAIRS.iter().find(|(first, _)| *first == name).map(|(_, second)| *second);
    first
        .or_else(|| PAIRS.iter().find(|(_, second)| *second == name).map(|(first, _)| *first))
        .unwrap_or(name)
}

/// Whether both are kin: their names begin with the same word.
fn kin(a: &str, b: &str) -> bool {
    a.split('-').next() == b.split('-').next()
}

/// The scene that is compared with, if there is one.
pub(crate) struct Compare {
    other: Option<Other>,
    /// The agents of the other one: buffers of their own, as both are drawn after both have been
    /// written.
    swarm: Swarm,
}

struct Other {
    name: String,
    live: Box<dyn Live>,
    world: Rect,
    /// The pointer at the tick that is under way in both.
    pointer: Option<Pos2>,
    under_way: bool,
    /// Whether the mouse was over it last.
    touched: bool,
}

impl Compare {
    pub(crate) fn new(swarm: Swarm) -> Self {
        Self { other: None, swarm }
    }

    pub(crate) fn destroy(&self, gl: &eframe::glow::Context) {
        self.swarm.destroy(gl);
    }

    /// Both from the start again, with one seed.
    pub(crate) fn restart(&mut self, seed: u64) {
        if let Some(other) = &mut self.other {
            other.live.restart(seed);
            other.under_way = false;
        }
    }

    /// How far both have come.
    pub(crate) fn tick(&self, live: &dyn Live) -> u64 {
        self.other.as_ref().map_or(live.tick(), |other| other.live.tick().min(live.tick()))
    }

    /// A part of a tick of `live`, or of the other one, which follows it tick by tick; whether it
    /// has ended in both.
    pub(crate) fn step_budgeted(
        &mut self,
        live: &mut dyn Live,
        pointer: Option<Pos2>,
        agents: usize,
    ) -> bool {
        let Some(other) = &mut self.other else { return live.step_budgeted(pointer, agents) };
        if !other.under_way {
            (other.under_way, other.pointer) = (true, pointer);
        }
        if other.live.tick() >= live.tick() {
            live.step_budgeted(other.pointer, agents);
            return false;
        }
        let ended =
            other.live.step_budgeted(other.pointer, agents) && other.live.tick() >= live.tick();
        other.under_way = !ended;
        ended
    }

    /// Lets the other one end the tick that the first has ended.
    pub(crate) fn catch_up(&mut self, live: &dyn Live) {
        if let Some(other) = &mut self.other {
            while other.live.tick() < live.tick() {
                other.live.step(other.pointer);
            }
            other.under_way = false;
        }
    }

    /// The other one goes along, back or forward to a tick that was.
    pub(crate) fn go_to(&mut self, tick: u64) {
        if let Some(other) = &mut self.other {
            other.live.go_to(tick);
            other.under_way = false;
        }
    }

    /// One tick of both.
    pub(crate) fn step(&mut self, live: &mut dyn Live, pointer: Option<Pos2>) {
        while !self.step_budgeted(live, pointer, usize::MAX) {}
    }

    /// Simulated time passes for the other one too; its ticks are those of the first.
    pub(crate) fn pass(&mut self, time: f64) {
        if let Some(other) = &mut self.other {
            other.live.due(time);
        }
    }

    /// What a page is told: the other one's name and digest, the latter of small crowds unless all
    /// of them are wanted.
    pub(crate) fn report(&self, all: bool, small: usize) -> Option<(String, Option<u64>)> {
        let other = self.other.as_ref()?;
        Some((other.name.clone(), (all || other.live.len() <= small).then(|| other.live.digest())))
    }
}

/// The two parts of `screen` in which both are largest: beside each other, or one above the other.
fn halves(screen: Rect, world: Rect) -> [Rect; 2] {
    let (middle, half) = (screen.center(), 0.5 * GAP);
    let beside = [
        Rect::from_min_max(screen.min, pos2(middle.x - half, screen.max.y)),
        Rect::from_min_max(pos2(middle.x + half, screen.min.y), screen.max),
    ];
    let above = [
        Rect::from_min_max(screen.min, pos2(screen.max.x, middle.y - half)),
        Rect::from_min_max(pos2(screen.min.x, middle.y + half), screen.max),
    ];
    let scale = |half: Rect| View::default().camera(world, half).scale;
    if scale(beside[0]) >= scale(above[0]) { beside } else { above }
}

impl Gallery {
    /// Begins both scenes anew, the one that is shown and the one of this name beside it.
    pub(crate) fn compare_with(&mut self, name: &str) {
        let Shown::Scene { live, .. } = &self.shown else { return };
        let opened = match bundled(name) {
            Some(scene) => open(name, scene.text, Format::Toml),
            None if name == self.name => open(name, live.draft().text(), Format::of(name.as_ref())),
            None => Err(format!("There is no scene called “{name}” to compare with.")),
        };
        match opened {
            Ok(live) => {
                let (name, world) =
                    (bundled(name).map_or(name, |scene| scene.name).to_string(), live.world());
                host::asked("compare", Some(&name));
                self.compare.other = Some(Other {
                    name,
                    live,
                    world,
                    pointer: None,
                    under_way: false,
                    touched: false,
                });
                self.restart();
                self.playing = true;
                self.whole_view();
            }
            Err(problem) => self.notice = Some(problem),
        }
    }

    /// Shows one scene again.
    pub(crate) fn end_compare(&mut self) {
        self.compare.other = None;
        host::asked("compare", None);
    }

    pub(crate) fn turn_compare(&mut self) {
        if self.compare.other.is_some() {
            return self.end_compare();
        }
        let name = self.name.clone();
        self.compare_with(partner(&name));
    }

    pub(crate) fn compare_keys(&mut self, ui: &Ui) {
        if ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::C)) {
            self.turn_compare();
        }
    }

    /// The switch, and what is compared with.
    pub(crate) fn compare_controls(&mut self, ui: &mut Ui) {
        let mut on = self.compare.other.is_some();
        let button = ui.toggle_value(&mut on, "Compare").on_hover_text(
            "Another scene beside this one, with the same seed and the same pointer (C)",
        );
        host::place("compare", button.rect);
        if button.clicked() {
            self.turn_compare();
        }
        let Some(other) = &self.compare.other else { return };
        let mut wanted = None;
        let title = |name: &str| {
            self.catalog
                .iter()
                .find(|entry| entry.scene.name == name)
                .map_or(name, |entry| &entry.title)
                .to_string()
        };
        let menu = ui.menu_button(format!("with {} …", other.name), |ui| {
            ui.set_width(330.0_f32.min(ui.ctx().content_rect().width() - 40.0));
            // Kin first, and all the others.
            let mut names: Vec<&str> = self.catalog.iter().map(|entry| entry.scene.name).collect();
            if !names.contains(&self.name.as_str()) {
                names.insert(0, &self.name);
            }
            names.sort_by_key(|name| !kin(name, &self.name));
            ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
                for name in names {
                    let button = ui.add(
                        Button::selectable(name == other.name, title(name))
                            .wrap()
                            .min_size(vec2(ui.available_width(), TOUCH)),
                    );
                    host::place(&format!("compare:{name}"), button.rect);
                    if button.clicked() {
                        wanted = Some(name.to_string());
                        ui.close();
                    }
                }
            });
        });
        host::place("compare-with", menu.response.rect);
        if let Some(name) = wanted {
            self.compare_with(&name);
        }
    }

    /// The picture; two of them where two scenes are compared.
    pub(crate) fn canvas(&mut self, ui: &mut Ui, theme: &Theme) {
        let screen = ui.available_rect_before_wrap();
        if self.compare.other.is_none() {
            self.picture(ui, theme, screen, "");
            return;
        }
        ui.painter().rect_filled(screen, 0.0, theme.edge.gamma_multiply(0.25));
        let [first, second] = halves(screen, self.world);
        self.picture(ui, theme, first, "");
        self.caption(ui, theme, first);
        if let (Some(other), Some(at)) = (
            &mut self.compare.other,
            ui.input(|i| i.pointer.latest_pos()).filter(|at| screen.contains(*at)),
        ) {
            other.touched = second.contains(at);
        }
        self.swap();
        self.picture(ui, theme, second, "other:");
        self.caption(ui, theme, second);
        self.swap();
    }

    /// The scene whose picture the mouse was over last.
    pub(crate) fn touched(&mut self) -> Option<&mut dyn Live> {
        match (&mut self.compare.other, &mut self.shown) {
            (Some(other), _) if other.touched => Some(other.live.as_mut()),
            (_, Shown::Scene { live, .. }) => Some(live.as_mut()),
            _ => None,
        }
    }

    /// The scene in which something can be undone: the one the mouse was over last, or else the
    /// first.
    pub(crate) fn undoable(&mut self) -> Option<&mut dyn Live> {
        match (&mut self.compare.other, &mut self.shown) {
            (Some(other), _) if other.touched && other.live.can_undo() => Some(other.live.as_mut()),
            (_, Shown::Scene { live, .. }) if live.can_undo() => Some(live.as_mut()),
            _ => None,
        }
    }

    /// The other scene takes the first one's place, so that whatever looks at it or touches it does
    /// so with the other.
    fn swap(&mut self) {
        let (Some(other), Shown::Scene { live, .. }) = (&mut self.compare.other, &mut self.shown)
        else {
            return;
        };
        std::mem::swap(live, &mut other.live);
        std::mem::swap(&mut self.world, &mut other.world);
        std::mem::swap(&mut self.swarm, &mut self.compare.swarm);
    }

    /// The title of a half, above it.
    fn caption(&self, ui: &Ui, theme: &Theme, half: Rect) {
        let Shown::Scene { live, .. } = &self.shown else { return };
        let painter: Painter = ui.painter_at(half);
        let text = painter.layout(
            live.title().to_string(),
            FontId::proportional(if half.width() < 420.0 { 12.5 } else { 14.0 }),
            theme.text,
            (half.width() - 120.0).max(80.0),
        );
        let size = text.size() + vec2(16.0, 8.0);
        // Above the picture where there is room, and in its corner where there is none; the legend
        // is in the other one.
        let top = View::default().camera(self.world, half).at(self.world.min).y - size.y - 4.0;
        let place =
            Align2::LEFT_TOP.anchor_size(pos2(half.left() + 8.0, top.max(half.top() + 6.0)), size);
        painter.rect_filled(place, 5.0, theme.paper.gamma_multiply(0.92));
        painter.galley(place.min + vec2(8.0, 4.0), text, theme.text);
    }
}

#[cfg(test)]
mod tests;
