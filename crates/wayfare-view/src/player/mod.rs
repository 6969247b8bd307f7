//! The player of recorded trajectories: `wayfare play`. It has a picture as the viewer's and a
//! clock, and no crowd: nothing is computed or changed.

use eframe::egui::{
    Align2, Button, CentralPanel, Color32, FontId, Frame, Key, Painter, Panel, Rect, Response,
    Sense, Shape, Slider, Stroke, Ui, vec2,
};

use crate::render::camera::{Camera, View};
use crate::render::gpu_agents::{AgentInstance, GpuAgents};
use crate::render::theme::{self, TOUCH, Theme};
use crate::session::geometry::WorldRect;

mod tracks;

pub(crate) use tracks::{Track, Tracks};

/// Longest time that passes in one frame of the screen (seconds).
const LONGEST_FRAME: f64 = 0.25;

/// The range of the speed, as a factor to the time of the file.
const SPEEDS: [f64; 2] = [0.1, 16.0];

/// The opacity of the ghost.
const GHOST: f32 = 0.5;

/// The player.
pub(crate) struct Player {
    tracks: Tracks,
    world: WorldRect,
    view: View,
    /// The GPU buffers of each trajectory.
    agents: Vec<GpuAgents>,
}

impl Player {
    pub(crate) fn new(cc: &eframe::CreationContext<'_>, tracks: Tracks) -> Self {
        theme::set(&cc.egui_ctx);
        let agents = tracks.tracks.iter().map(|_| GpuAgents::new(cc.gl.as_ref())).collect();
        Self { world: tracks.world(), tracks, view: View::default(), agents }
    }

    fn keys(&mut self, ui: &Ui) {
        let pressed = |key| ui.input(|i| i.key_pressed(key));
        if pressed(Key::Space) {
            self.tracks.toggle();
        }
        for (key, by) in [(Key::ArrowRight, 1), (Key::Period, 1), (Key::ArrowLeft, -1)] {
            if pressed(key) {
                self.tracks.step(by);
            }
        }
        if pressed(Key::Comma) {
            self.tracks.step(-1);
        }
        if pressed(Key::Home) {
            self.tracks.time = self.tracks.times()[0];
        }
        if pressed(Key::Num0) {
            self.view = View::default();
        }
    }

    fn controls(&mut self, ui: &mut Ui) {
        let [first, last] = self.tracks.times();
        ui.horizontal_wrapped(|ui| {
            let word = if self.tracks.playing { "Pause" } else { "Play" };
            let button = Button::new(word).min_size(vec2(56.0, TOUCH));
            if ui.add(button).on_hover_text("Space; frames: arrow keys").clicked() {
                self.tracks.toggle();
            }
            ui.label("time");
            ui.spacing_mut().slider_width = (0.5 * ui.available_width()).clamp(80.0, 640.0);
            // The slider rounds what it shows: only what the user sets is taken.
            let mut time = self.tracks.time;
            let slider = Slider::new(&mut time, first..=last.max(first + 1e-9)).fixed_decimals(2);
            let set = ui.add(slider);
            if set.changed() && (set.dragged() || set.clicked() || set.has_focus()) {
                (self.tracks.time, self.tracks.playing) = (time.clamp(first, last), false);
            }
            ui.label("speed");
            ui.spacing_mut().slider_width = 90.0;
            let speed = Slider::new(&mut self.tracks.speed, SPEEDS[0]..=SPEEDS[1]);
            ui.add(speed.logarithmic(true));
            if ui.add(Button::new("Fit").min_size(vec2(0.0, TOUCH))).on_hover_text("0").clicked() {
                self.view = View::default();
            }
        });
    }

    /// Zooms with the wheel or two fingers, and moves the picture with a drag.
    fn canvas_input(&mut self, ui: &Ui, response: &Response, camera: &Camera) {
        let (scroll, zoom) = ui.input(|i| (i.smooth_scroll_delta(), i.zoom_delta()));
        if let Some(at) = response.hover_pos() {
            let factor = zoom * (scroll.y * 0.004).exp();
            if factor != 1.0 {
                self.view.zoom_at(factor, at, camera);
            }
        }
        if response.dragged() {
            self.view.pan(response.drag_delta(), camera);
        }
    }

    fn draw(&self, painter: &Painter, camera: &Camera, theme: &Theme) {
        painter.rect_filled(camera.screen, 0.0, theme.paper);
        let time = self.tracks.time;
        for track in &self.tracks.tracks {
            for ring in track.area(time) {
                let points = ring.iter().map(|p| camera.to_screen(*p)).collect();
                painter.add(Shape::closed_line(points, Stroke::new(1.5, theme.edge)));
            }
        }
        let dart = 0.008 * self.world.size().length();
        // The ghost is below.
        for (index, (track, agents)) in
            self.tracks.tracks.iter().zip(&self.agents).enumerate().rev()
        {
            agents.fill(|instances| {
                instances.clear();
                instances.extend(track.at(time).map(|(row, heading)| AgentInstance {
                    position: row.position,
                    heading: heading.to_array(),
                    radius: row.radius,
                    dart,
                    color: color(theme, index, row.group as usize).to_array(),
                }));
            });
            painter.add(agents.shape(camera));
        }
        self.legend(painter, camera.screen, theme);
        if let Some(failure) = self.agents.first().and_then(GpuAgents::failure) {
            let text = format!("Agents cannot be drawn: {failure}");
            let font = FontId::proportional(16.0);
            painter.text(camera.screen.center(), Align2::CENTER_CENTER, text, font, theme.text);
        }
    }

    /// The names of the files, and the numbers of agents.
    fn legend(&self, painter: &Painter, area: Rect, theme: &Theme) {
        for (index, track) in self.tracks.tracks.iter().enumerate() {
            let at = area.left_top() + vec2(14.0, 16.0 + 20.0 * index as f32);
            painter.circle_filled(at, 5.0, color(theme, index, 0));
            let ghost = if index > 0 { ", the ghost" } else { "" };
            let count = track.at(self.tracks.time).count();
            let text = format!("{}{ghost}: {count} agents", track.name);
            let font = FontId::proportional(14.0);
            painter.text(at + vec2(12.0, 0.0), Align2::LEFT_CENTER, text, font, theme.text);
        }
    }
}

/// The color of a group; those of the ghost are gray and translucent.
fn color(theme: &Theme, track: usize, group: usize) -> Color32 {
    if track == 0 { theme.group(group) } else { theme.text.gamma_multiply(GHOST) }
}

impl eframe::App for Player {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        let theme = Theme::of(ui.visuals().dark_mode);
        self.keys(ui);
        self.tracks.pass(ui.input(|i| f64::from(i.stable_dt)).min(LONGEST_FRAME));
        Panel::bottom("controls").show(ui, |ui| self.controls(ui));
        CentralPanel::default().frame(Frame::NONE.fill(theme.outside)).show(ui, |ui| {
            let (screen, response) =
                ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
            let camera = self.view.camera(self.world, screen);
            self.canvas_input(ui, &response, &camera);
            self.draw(&ui.painter_at(screen), &self.view.camera(self.world, screen), &theme);
        });
        if self.tracks.playing {
            ui.ctx().request_repaint();
        }
    }

    fn on_exit(&mut self, gl: Option<&eframe::glow::Context>) {
        if let Some(gl) = gl {
            self.agents.iter().for_each(|agents| agents.destroy(gl));
        }
    }
}
