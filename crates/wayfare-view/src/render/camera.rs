//! Where the world is on the screen: y grows downward in both, so a camera is a scale and a shift.

use eframe::egui::{Pos2, Rect, Vec2};

/// How a part of the world fills a part of the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    /// The point of the world in the middle of the screen (length).
    pub(crate) center: Pos2,
    /// Points of the screen per unit of length.
    pub(crate) scale: f32,
    /// The part of the screen.
    pub(crate) screen: Rect,
}

/// How far the view can go in and out, from what shows everything.
const ZOOM: (f32, f32) = (0.05, 400.0);

/// What of the world is looked at: all of it, unless somebody moved the view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    /// How much larger than what shows everything.
    pub(crate) zoom: f32,
    /// How far the middle is from the middle of everything (length).
    pub(crate) shift: Vec2,
}

impl Default for View {
    fn default() -> Self {
        Self { zoom: 1.0, shift: Vec2::ZERO }
    }
}

impl View {
    /// The camera that shows `world` (length) on `screen`, seen like this.
    pub(crate) fn camera(&self, world: Rect, screen: Rect) -> Camera {
        let room = screen.shrink(16.0_f32.min(0.04 * screen.size().min_elem()));
        let (size, room) = (world.size().max(Vec2::splat(1e-6)), room.size().max(Vec2::splat(1.0)));
        let fit = (room.x / size.x).min(room.y / size.y);
        Camera { center: world.center() + self.shift, scale: fit * self.zoom, screen }
    }

    /// Comes nearer by `factor`, while the place of the world under `at` stays there.
    pub(crate) fn zoom_at(&mut self, factor: f32, at: Pos2, camera: &Camera) {
        let zoom = (self.zoom * factor).clamp(ZOOM.0, ZOOM.1);
        let factor = zoom / self.zoom;
        let from_center = at - camera.screen.center();
        self.shift += from_center / camera.scale * (1.0 - 1.0 / factor);
        self.zoom = zoom;
    }

    /// Moves with the hand that holds it, by so much on the screen.
    pub(crate) fn pan(&mut self, by: Vec2, camera: &Camera) {
        self.shift -= by / camera.scale;
    }
}

impl Camera {
    /// Where a point of the world is on the screen.
    pub(crate) fn at(&self, world: Pos2) -> Pos2 {
        self.screen.center() + (world - self.center) * self.scale
    }

    /// The point of the world that is there on the screen.
    pub(crate) fn world(&self, screen: Pos2) -> Pos2 {
        self.center + (screen - self.screen.center()) / self.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{pos2, vec2};

    fn seen() -> (Rect, Rect) {
        (
            Rect::from_min_max(pos2(-10.0, 20.0), pos2(90.0, 70.0)),
            Rect::from_min_max(pos2(200.0, 50.0), pos2(1000.0, 650.0)),
        )
    }

    #[test]
    fn all_of_the_world_is_on_the_screen_and_back_again_is_where_it_was() {
        let (world, screen) = seen();
        let camera = View::default().camera(world, screen);
        assert!(screen.contains(camera.at(world.min)) && screen.contains(camera.at(world.max)));
        assert!((camera.world(camera.at(pos2(3.0, 33.0))) - pos2(3.0, 33.0)).length() < 1e-4);
    }

    #[test]
    fn what_is_under_the_finger_stays_under_it() {
        let (world, screen) = seen();
        let mut view = View::default();
        let (camera, finger) = (view.camera(world, screen), pos2(333.0, 444.0));
        let place = camera.world(finger);
        view.zoom_at(3.0, finger, &camera);
        assert!((view.camera(world, screen).world(finger) - place).length() < 1e-3);
        let nearer = view.camera(world, screen);
        view.pan(vec2(10.0, -20.0), &nearer);
        assert!(
            (view.camera(world, screen).at(place) - (finger + vec2(10.0, -20.0))).length() < 1e-2
        );
        // The view has ends.
        (0..100).for_each(|_| view.zoom_at(10.0, finger, &nearer));
        assert_eq!(view.zoom, ZOOM.1);
    }
}
