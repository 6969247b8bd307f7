//! The picture as a panel: what the mouse and fingers do on it, and where two pictures are.

use eframe::egui::{
    Align2, FontId, PointerButton, Pos2, Rect, Response, Sense, Ui, Vec2, pos2, vec2,
};
use wayfare::AgentId;
use wayfare::glam;

use crate::action::{Action, Pane};
use crate::platform::services;
use crate::render::camera::{Camera, View};
use crate::render::theme::Theme;
use crate::session::geometry::WorldRect;
use crate::session::picking::Pick;
use crate::session::traits::Session;

/// Narrower pictures (points of the screen) are not drawn: the list covers them.
pub(crate) const NARROWEST: f32 = 120.0;
/// The space between two pictures.
const GAP: f32 = 4.0;
/// The distance from an object up to which a press picks it, for the mouse and for fingers (points
/// of the screen).
const REACH: [f32; 2] = [16.0, 22.0];

/// The press that is under way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Press {
    /// The pressed object.
    picked: Option<Pick>,
    /// The point at which a drag of it began (length).
    grabbed_at: Option<glam::Vec2>,
}

impl Press {
    /// Forgets a drag, as the scene is another one or at another tick.
    pub(crate) fn cancel(&mut self) {
        self.grabbed_at = None;
    }
}

/// The picture of one scene.
pub(crate) struct Canvas<'a> {
    pub(crate) pane: Pane,
    pub(crate) session: &'a dyn Session,
    pub(crate) world: WorldRect,
    pub(crate) camera: Camera,
    /// Whether forces are shown: then a click on an agent selects it.
    pub(crate) forces: bool,
    pub(crate) selected: Option<AgentId>,
}

impl Canvas<'_> {
    /// The actions of the mouse and fingers on this picture.
    pub(crate) fn input(&self, ui: &Ui, response: &Response, press: &mut Press) -> Vec<Action> {
        let (mut actions, camera) = (Vec::new(), &self.camera);
        let (scroll, zoom, touches, two) = ui
            .input(|i| (i.smooth_scroll_delta(), i.zoom_delta(), i.any_touches(), i.multi_touch()));
        if let Some(two) = two.filter(|two| camera.screen.contains(two.center_pos)) {
            actions.push(Action::ZoomAt(two.zoom_delta, two.center_pos, *camera));
            actions.push(Action::Pan(two.translation_delta, *camera));
            return actions;
        }
        if let Some(at) = response.hover_pos() {
            let factor = zoom * (scroll.y * 0.004).exp();
            if factor != 1.0 {
                actions.push(Action::ZoomAt(factor, at, *camera));
            }
        }
        let reach = REACH[usize::from(touches)] / camera.scale;
        self.pick(ui, response, press, (touches, reach));
        let pressed = ui.input(|i| i.pointer.press_origin()).map(|at| camera.to_world(at));
        if response.drag_started_by(PointerButton::Primary)
            && let (Some(at), Some(pick)) = (pressed, press.picked)
        {
            press.grabbed_at = Some(at);
            actions.push(Action::Grab(self.pane, pick));
        }
        // A drag that began on a panel does not belong to the picture.
        let elsewhere = ui.input(|i| i.pointer.any_down()) && !response.is_pointer_button_down_on();
        let at = response.interact_pointer_pos().or(response.hover_pos().filter(|_| !elsewhere));
        if let (Some(from), Some(at)) = (press.grabbed_at, at.filter(|_| response.dragged())) {
            actions.push(Action::Drag(self.pane, camera.to_world(at) - from));
        } else if response.dragged_by(PointerButton::Middle)
            || response.dragged_by(PointerButton::Secondary)
            || (response.dragged() && !touches)
        {
            actions.push(Action::Pan(response.drag_delta(), *camera));
        }
        if response.drag_stopped() && press.grabbed_at.take().is_some() {
            actions.push(Action::Release(self.pane));
            // The undo button was drawn before this.
            ui.ctx().request_repaint();
        } else if let Some(at) =
            at.filter(|_| press.grabbed_at.is_none() && !(touches && press.picked.is_some()))
        {
            // The mouse is the pointer at once. A finger on an object is there to drag it, and a
            // mouse over an obstacle is about to: neither should lead agents into it.
            let at = camera.to_world(at);
            if !self.session.is_obstacle_at(at) {
                actions.push(Action::MovePointer(self.world.clamp(at)));
            }
        }
        if let Some(at) = at.map(|at| camera.to_world(at)) {
            self.clicks(response, at, reach, &mut actions);
        }
        actions
    }

    /// Notes what a press is on. This searches all agents, so it is done once per press.
    fn pick(&self, ui: &Ui, response: &Response, press: &mut Press, (touches, reach): (bool, f32)) {
        let pressed = ui.input(|i| i.pointer.any_pressed());
        if !response.is_pointer_button_down_on() || !pressed {
            return;
        }
        let at = ui.input(|i| i.pointer.press_origin()).map(|at| self.camera.to_world(at));
        press.picked = at.and_then(|at| {
            // A finger at the pointer moves the pointer, even if an agent is there.
            let on_pointer = touches
                && self.session.pointer().is_some_and(|pointer| pointer.distance(at) <= reach);
            self.session.pick(at, reach).filter(|_| !on_pointer)
        });
    }

    fn clicks(&self, response: &Response, at: glam::Vec2, reach: f32, actions: &mut Vec<Action>) {
        let fires = self.session.fires();
        if response.clicked() {
            let agent = match self.session.pick(at, reach) {
                Some(Pick::Agent(id)) => Some(id),
                _ => None,
            };
            // In a scene whose clicks fire, agents stand at the pointer most of the time: a click
            // selects one only while forces are shown.
            actions.push(match agent {
                _ if !fires => Action::SelectForForces(agent),
                Some(_) if self.forces => {
                    Action::SelectAgent(agent.filter(|_| self.selected != agent))
                }
                _ => Action::Fire(self.pane, at),
            });
        }
        if response.double_clicked() && !fires {
            actions.push(Action::AddAgent(self.pane, at));
        }
    }

    /// Records the positions of agents, obstacles and the pointer for tests.
    pub(crate) fn mark_points(&self) {
        let prefix = prefix(self.pane);
        services::mark_points(|| {
            let landmarks = self.session.landmarks();
            let points = landmarks.into_iter();
            points
                .map(|(name, at)| (format!("{prefix}{name}"), self.camera.to_screen(at)))
                .collect()
        });
        if let Some(pointer) = self.session.pointer() {
            let at = Rect::from_center_size(self.camera.to_screen(pointer), Vec2::ZERO);
            services::mark_control(&format!("{prefix}pointer:0"), at);
        }
    }
}

/// Takes the room of a picture.
pub(crate) fn allocate(ui: &mut Ui, pane: Pane, screen: Rect) -> Response {
    services::mark_control(&format!("{}canvas", prefix(pane)), screen);
    ui.allocate_rect(screen, Sense::click_and_drag())
}

/// The prefix of the names of controls in a picture.
fn prefix(pane: Pane) -> &'static str {
    match pane {
        Pane::First => "",
        Pane::Second => "other:",
    }
}

/// The two parts of `screen` in which two pictures of `world` are largest: side by side, or one
/// above the other.
pub(crate) fn halves(screen: Rect, world: WorldRect) -> [Rect; 2] {
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

/// Draws the title of a half: above its picture where there is room, or else in the left corner, as
/// the legend is in the right one.
pub(crate) fn caption(ui: &Ui, theme: &Theme, title: &str, world: WorldRect, half: Rect) {
    let painter = ui.painter_at(half);
    let text = painter.layout(
        title.to_string(),
        FontId::proportional(if half.width() < 420.0 { 12.5 } else { 14.0 }),
        theme.text,
        (half.width() - 120.0).max(80.0),
    );
    let size = text.size() + vec2(16.0, 8.0);
    let picture: Pos2 = View::default().camera(world, half).to_screen(world.min);
    let top = (picture.y - size.y - 4.0).max(half.top() + 6.0);
    let rect = Align2::LEFT_TOP.anchor_size(pos2(half.left() + 8.0, top), size);
    painter.rect_filled(rect, 5.0, theme.paper.gamma_multiply(0.92));
    painter.galley(rect.min + vec2(8.0, 4.0), text, theme.text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_pictures_are_side_by_side_on_a_wide_screen_and_stacked_on_a_phone() {
        let world = WorldRect { min: glam::Vec2::ZERO, max: glam::vec2(640.0, 480.0) };
        for (size, wide) in [(vec2(1000.0, 640.0), true), (vec2(390.0, 600.0), false)] {
            let screen = Rect::from_min_size(pos2(10.0, 20.0), size);
            let [first, second] = halves(screen, world);
            assert_eq!((first.min, second.max), (screen.min, screen.max));
            let same = (first.top() == second.top(), first.left() == second.left());
            assert_eq!(same, (wide, !wide));
            assert!(!first.intersects(second) && first.size() == second.size());
        }
    }
}
