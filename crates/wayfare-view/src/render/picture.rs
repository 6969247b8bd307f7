//! The picture of a scene: all layers in their order.

use eframe::egui::{Align2, FontId, Painter, Rect, Stroke, pos2, vec2};
use wayfare::glam::Vec2;
use wayfare::{AgentId, GroupId};

use crate::render::camera::Camera;
use crate::render::display::Display;
use crate::render::forces::{MOST_AGENTS, draw_arrows, draw_figures, draw_legend};
use crate::render::gpu_agents::{AgentInstance, GpuAgents};
use crate::render::ground::Ground;
use crate::render::heat::Heat;
use crate::render::theme::Theme;
use crate::render::trails::draw_trails;
use crate::session::explanation::ForceDiagram;
use crate::session::traits::Session;

/// The data that one picture shows.
pub(crate) struct Picture<'a> {
    pub(crate) session: &'a mut dyn Session,
    pub(crate) display: &'a Display,
    /// The agent whose settings are shown.
    pub(crate) marked: Option<AgentId>,
    pub(crate) agents: &'a GpuAgents,
    pub(crate) heat: &'a Heat,
    /// The mouse, if it is the pointer.
    pub(crate) mouse: Option<Vec2>,
    /// Whether agents are drawn between their positions of the last two ticks.
    pub(crate) smooth: bool,
}

impl Picture<'_> {
    /// Draws ground, heat map, trails, geometry of forces, agents, arrows, legends and pointer.
    pub(crate) fn draw(&mut self, painter: &Painter, camera: &Camera, theme: &Theme) {
        let (up, agent) = (self.session.crowd().up(), self.marked.or(self.display.selected));
        let ground = Ground { painter, camera, theme, up, agent };
        ground.draw(self.session.crowd());
        self.heat.draw(painter, camera, theme);
        let bullets = self.session.bullet_group();
        if self.display.trails {
            let presentation = self.session.presentation();
            let color = |group| theme.agent(group, bullets, presentation);
            draw_trails(self.session.trails(), painter, camera, color);
        }
        let forces = self.explained();
        draw_figures(&forces, painter, camera, theme);
        self.fill_instances(theme);
        painter.add(self.agents.shape(camera));
        forces.iter().for_each(|diagram| draw_arrows(diagram, painter, camera, theme));
        draw_legend(&forces, painter, camera.screen, theme);
        self.group_legend(painter, camera.screen, theme);
        self.heat.legend(painter, camera.screen, theme);
        if let Some(pointer) = self.session.pointer() {
            // The mouse is drawn where it is now; the crowd's pointer follows with the next tick.
            let mouse = self.mouse.filter(|_| !self.session.is_replaying());
            ground.pointer(mouse.unwrap_or(pointer));
        }
        let ringed = self.marked.or(self.display.follow);
        if let Some(at) = ringed.and_then(|id| self.session.position_of(id)) {
            painter.circle_stroke(camera.to_screen(at), 16.0, Stroke::new(1.5, theme.text));
        }
        if let Some(failure) = self.agents.failure() {
            painter.text(
                camera.screen.center(),
                Align2::CENTER_CENTER,
                format!("Agents cannot be drawn: {failure}"),
                FontId::proportional(16.0),
                theme.text,
            );
        }
    }

    fn explained(&mut self) -> Vec<ForceDiagram> {
        let ids = match self.display.selected {
            _ if !self.display.forces => Vec::new(),
            Some(id) if self.session.position_of(id).is_some() => vec![id],
            _ => self.session.first_ids(MOST_AGENTS),
        };
        self.session.explain(&ids)
    }

    fn fill_instances(&self, theme: &Theme) {
        let bullets = self.session.bullet_group();
        let groups = self.session.group_names().len();
        let presentation = self.session.presentation();
        let color = |group| theme.agent(GroupId(group), bullets, presentation).to_array();
        let colors: Vec<[u8; 4]> = (0..groups).map(color).collect();
        self.agents.fill(|instances| {
            instances.clear();
            instances.reserve(self.session.len());
            self.session.poses(self.smooth, &mut |pose| {
                instances.push(AgentInstance {
                    position: pose.position.to_array(),
                    heading: pose.heading.to_array(),
                    radius: pose.radius,
                    dart: pose.dart,
                    color: colors[pose.group.0],
                })
            });
        });
    }

    /// Draws the colors of the groups in the lower right corner, if there are several groups and
    /// enough room.
    fn group_legend(&self, painter: &Painter, area: Rect, theme: &Theme) {
        let names = self.session.group_names();
        if !(2..=7).contains(&names.len()) || area.width() < 420.0 || area.height() < 300.0 {
            return;
        }
        let font = FontId::proportional(13.0);
        let texts: Vec<_> = names
            .iter()
            .map(|name| painter.layout_no_wrap(name.clone(), font.clone(), theme.text))
            .collect();
        let width = texts.iter().map(|text| text.size().x).fold(0.0, f32::max) + 32.0;
        let size = vec2(width, 18.0 * names.len() as f32 + 8.0);
        let rect = Rect::from_min_size(area.max - size - vec2(10.0, 10.0), size);
        painter.rect_filled(rect, 5.0, theme.paper.gamma_multiply(0.85));
        let bullets = self.session.bullet_group();
        for (group, text) in texts.into_iter().enumerate() {
            let y = rect.top() + 13.0 + 18.0 * group as f32;
            let color = theme.agent(GroupId(group), bullets, self.session.presentation());
            painter.circle_filled(pos2(rect.left() + 13.0, y), 5.0, color);
            let at = pos2(rect.left() + 24.0, y - 0.5 * text.size().y);
            painter.galley(at, text, theme.text);
        }
    }
}
