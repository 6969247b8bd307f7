//! The mapping between the world and the screen. The y axis grows downward in both, so that a
//! camera is a scale and an offset. World points are glam's vectors, screen points egui's.

use eframe::egui;
use wayfare::glam::Vec2;

use crate::session::geometry::WorldRect;

/// The map from a part of the world to a part of the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    /// The point of the world in the middle of the screen (length).
    pub(crate) center: Vec2,
    /// Points of the screen per unit of length.
    pub(crate) scale: f32,
    /// The part of the screen.
    pub(crate) screen: egui::Rect,
}

/// Smallest and largest zoom.
const ZOOM: (f32, f32) = (0.05, 400.0);

/// The visible part of the world; by default all of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    /// Scale as a factor to the one that shows the whole world.
    pub(crate) zoom: f32,
    /// Offset of the middle of the screen from the middle of the world (length).
    pub(crate) shift: Vec2,
}

impl Default for View {
    fn default() -> Self {
        Self { zoom: 1.0, shift: Vec2::ZERO }
    }
}

impl View {
    /// The camera that shows `world` on `screen`.
    pub(crate) fn camera(&self, world: WorldRect, screen: egui::Rect) -> Camera {
        let room = screen.shrink(16.0_f32.min(0.04 * screen.size().min_elem())).size();
        let room = room.max(egui::Vec2::splat(1.0));
        let size = world.size().max(Vec2::splat(1e-6));
        let fit = (room.x / size.x).min(room.y / size.y);
        Camera { center: world.center() + self.shift, scale: fit * self.zoom, screen }
    }

    /// Zooms by `factor`; the point of the world at `at` stays at its position on the screen.
    pub(crate) fn zoom_at(&mut self, factor: f32, at: egui::Pos2, camera: &Camera) {
        let zoom = (self.zoom * factor).clamp(ZOOM.0, ZOOM.1);
        let factor = zoom / self.zoom;
        let from_center = glam_vec(at - camera.screen.center());
        self.shift += from_center / camera.scale * (1.0 - 1.0 / factor);
        self.zoom = zoom;
    }

    /// Moves the world by an offset on the screen.
    pub(crate) fn pan(&mut self, by: egui::Vec2, camera: &Camera) {
        self.shift -= glam_vec(by) / camera.scale;
    }
}

impl Camera {
    /// The point of the screen that shows a point of the world.
    pub(crate) fn to_screen(self, world: Vec2) -> egui::Pos2 {
        let offset = (world - self.center) * self.scale;
        self.screen.center() + egui::vec2(offset.x, offset.y)
    }

    /// The point of the world that a point of the screen shows.
    pub(crate) fn to_world(self, screen: egui::Pos2) -> Vec2 {
        self.center + glam_vec(screen - self.screen.center()) / self.scale
    }

    /// The part of the screen that shows a rectangle of the world.
    pub(crate) fn rect_to_screen(self, rect: WorldRect) -> egui::Rect {
        egui::Rect::from_two_pos(self.to_screen(rect.min), self.to_screen(rect.max))
    }
}

/// A vector of egui as one of glam.
fn glam_vec(v: egui::Vec2) -> Vec2 {
    Vec2::new(v.x, v.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::pos2;
    use wayfare::glam::vec2;

    fn world_and_screen() -> (WorldRect, egui::Rect) {
        (
            WorldRect { min: vec2(-10.0, 20.0), max: vec2(90.0, 70.0) },
            egui::Rect::from_min_max(pos2(200.0, 50.0), pos2(1000.0, 650.0)),
        )
    }

    #[test]
    fn the_default_view_shows_the_whole_world_and_the_mapping_can_be_inverted() {
        let (world, screen) = world_and_screen();
        let camera = View::default().camera(world, screen);
        assert!(screen.contains_rect(camera.rect_to_screen(world)));
        let point = vec2(3.0, 33.0);
        assert!((camera.to_world(camera.to_screen(point)) - point).length() < 1e-4);
    }

    #[test]
    fn zoom_and_pan_keep_the_point_under_the_finger() {
        let (world, screen) = world_and_screen();
        let mut view = View::default();
        let (camera, finger) = (view.camera(world, screen), pos2(333.0, 444.0));
        let point = camera.to_world(finger);
        view.zoom_at(3.0, finger, &camera);
        let zoomed = view.camera(world, screen);
        assert!((zoomed.to_world(finger) - point).length() < 1e-3);
        let by = egui::vec2(10.0, -20.0);
        view.pan(by, &zoomed);
        let panned = view.camera(world, screen).to_screen(point);
        assert!((panned - (finger + by)).length() < 1e-2);
        (0..100).for_each(|_| view.zoom_at(10.0, finger, &zoomed));
        assert_eq!(view.zoom, ZOOM.1, "the zoom is limited");
    }
}
