//! The ground that a player moves agents on: the world without agents and trails.

use wayfare::Vector;
use wayfare::glam::Vec2;
use wayfare::spatial::space::Bounds;

use super::camera::{self, Camera, Layout};
use super::canvas::Canvas;
use super::color::{self, ink};
use super::geometry::{Rect, point};
use super::svg::Svg;
use super::{View, draw_ground, environment};
use crate::frame_data::Environment;

/// The length of the longer side (pixels).
const LONGER: f64 = 1200.0;
/// The largest ratios of width to height, and of height to width: what is longer gets a margin.
const WIDEST: f64 = 3.0;
const HIGHEST: f64 = 1.25;

/// A sheet that shows the visible area of a view.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stage {
    layout: Layout,
    camera: Camera,
}

impl Stage {
    pub(crate) fn of<V: Vector>(view: &View<'_, V>) -> Self {
        let seen = view.visible_area();
        let (width, height) = (seen.width(), seen.height());
        let (wider, higher) = (width.max(height / HIGHEST), height.max(width / WIDEST));
        let half = point(wider, higher) * 0.5;
        let area = Rect::new(seen.middle() - half, seen.middle() + half);
        let scale = LONGER / wider.max(higher);
        let [width, height] = [wider, higher].map(|side| (side * scale).round() as u32);
        let layout =
            Layout { width, height, left: 0, top: 0, plot_width: width, plot_height: height };
        Self { layout, camera: Camera::new(area, &layout, view.up()) }
    }

    /// The width and height (pixels).
    pub(crate) fn size(&self) -> [u32; 2] {
        [self.layout.width, self.layout.height]
    }

    /// Pixels per length.
    pub(crate) fn scale(&self) -> f64 {
        self.camera.scale
    }

    /// The position of a point of the ground (pixels).
    pub(crate) fn at(&self, ground: Vec2) -> [f64; 2] {
        let at = self.camera.at(ground);
        [at.x, at.y]
    }

    /// The ground as the text of an SVG file.
    pub(crate) fn svg<V: Vector>(
        &self,
        environment: &Environment<V>,
        bounds: Option<Bounds<V>>,
    ) -> String {
        let Layout { width, height, .. } = self.layout;
        let mut svg = Svg::new(width, height, ink(color::OUTSIDE, 1.0));
        let canvas = &mut Canvas::new(&mut svg, width, height);
        let up = environment.up;
        let ground = bounds.map(|b| Rect::new(up.ground(b.min).into(), up.ground(b.max).into()));
        let area = camera::usable(ground)
            .map(|ground| Rect::new(self.camera.at(ground.low), self.camera.at(ground.high)));
        environment::floor(canvas, area.unwrap_or(canvas.sheet()));
        draw_ground(canvas, &self.camera, environment);
        if let (Some(bounds), Some(area)) = (bounds, area) {
            canvas.group("bounds", "Bounds", |canvas| {
                environment::edge(canvas, area, bounds.edge);
            });
        }
        svg.into_text("The ground", "")
    }
}
