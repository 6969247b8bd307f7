//! Pictures: how a crowd stands, how it came there, and what it moves among.
//!
//! x grows to the right and **y grows downward**, as on a screen and in the tutorials that the classic scenes come from: the
//! origin of a world from (0, 0) to (640, 480) is the upper left corner. Of a world in space the picture is the shadow on the
//! x-y plane, seen from above: who has a larger z covers who has a smaller one.
//!
//! The picture has about 1280 x 960 pixels, from square to 16 : 9 as the world asks for. It shows the bounds if they are
//! given, and otherwise all obstacles, paths, lines, trails and agents (but for a few who are a hundred times as far away as most).
//! What is outside is counted below the picture, and so is the part of the run that trails show when all of them would cover
//! the sheet.
//!
//! The same picture is the same bytes, on any platform: what rounds differently here and there is not used.

use tiny_skia::Pixmap;
use wayfare::space::{Bounds, Edge};
use wayfare::{Crowd, Vector};

use crate::RecordError;
use crate::trails::{Sample, Trails};

mod agents;
mod camera;
mod canvas;
mod color;
mod geometry;
mod ground;
mod legend;
#[cfg(test)]
mod tests;
mod text;
mod tracks;

use camera::{Camera, Layout};
use canvas::{Canvas, Pen};
use color::ink;
use geometry::Rect;
use text::Fonts;
use tracks::{Drawn, Tracks};

/// What a picture shows.
///
/// - Agents are darts that point where they face, smaller in a larger crowd; bodies that are large enough are discs of their own
///   radius, and from 100,000 agents on the darts are squares of a pixel or two. Groups have a color each, and from the eighth
///   on another filling; there are 28 combinations.
/// - Trails are in the group's color, fainter the longer ago. They go through the edges of a world that wraps, and are broken
///   where an agent was put somewhere else.
/// - Obstacles are grey, paths a band of their radius with arrows in the direction of travel. Exits are tinted faintly, and lines
///   that count crossings have an arrow on their left.
/// - Bounds are dashed if they are open, a thick line if they are a wall, and dots with arrows if they wrap.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a, V: Vector> {
    /// The title; it may be empty, and is shortened to fit.
    pub title: &'a str,
    /// The bounds of the world (length), if it has any.
    pub bounds: Option<Bounds<V>>,
    /// The crowd as it is now.
    pub crowd: &'a Crowd<V>,
    /// The trails of the same crowd.
    pub trails: &'a Trails<V>,
    /// Where the pointer is (length), if there is one to be shown.
    pub pointer: Option<V>,
}

impl<V: Vector> Picture<'_, V> {
    /// The picture, as pixels.
    pub fn draw(&self) -> Pixmap {
        let now = Sample::of(self.crowd, self.trails.samples().last());
        let view = camera::view(self, &now);
        let layout = Layout::new(view);
        let camera = Camera::new(view, &layout);
        let fonts = Fonts::new();
        let sheet = Canvas::new(layout.width, layout.height, ink(color::MARGIN, 1.0));
        let plot = Canvas::new(layout.plot_width, layout.plot_height, ink(color::OUTSIDE, 1.0));
        let (Some(mut sheet), Some(mut plot)) = (sheet, plot) else {
            // A sheet is refused only for a size of zero or one beyond memory, and these are about 1280 x 960.
            unreachable!("a sheet of {} x {} pixels", layout.width, layout.height)
        };

        let (marks, notes) = self.world(&mut plot, &camera, &now);
        sheet.lay(&plot, layout.left, layout.top);
        let corner = geometry::point(f64::from(layout.left), f64::from(layout.top));
        let frame = Rect::new(corner, corner + plot.sheet().high);
        sheet.polygon(&frame.corners(), ink(color::FRAME, 0.0), Some(&Pen::new(1.0, ink(color::FRAME, 1.0))));
        legend::header(&mut sheet, &fonts, self);
        legend::legend(&mut sheet, &fonts, self, &layout, &marks);
        legend::footer::<V>(&mut sheet, &fonts, &camera, &layout, &notes);
        sheet.pixmap
    }

    /// The picture, as the bytes of a PNG file.
    ///
    /// # Errors
    /// The encoder refused, which it has no reason to.
    pub fn png(&self) -> Result<Vec<u8>, RecordError> {
        self.draw().encode_png().map_err(|source| RecordError::Picture { source: Box::new(source) })
    }

    /// Draws the world; gives back the groups' marks, and what it leaves out.
    fn world(&self, plot: &mut Canvas, camera: &Camera, now: &Sample<V>) -> (Vec<agents::Mark>, Vec<String>) {
        let bounds = camera::usable(self.bounds.map(|b| Rect::new(b.min.flat().into(), b.max.flat().into())));
        let place = bounds.map(|bounds| Rect::new(camera.at(bounds.low), camera.at(bounds.high)));
        ground::floor(plot, place.unwrap_or(plot.sheet()));
        for count in self.crowd.exits() {
            ground::exit(plot, camera, &count.exit.shape);
        }
        for path in self.crowd.paths() {
            ground::path(plot, camera, path);
        }
        for obstacle in self.crowd.obstacles() {
            ground::obstacle(plot, camera, obstacle.shape());
        }
        for count in self.crowd.lines() {
            ground::line(plot, camera, &count.line);
        }

        let wraps = self.bounds.filter(|bounds| bounds.edge == Edge::Wrap).map(|bounds| (bounds.max - bounds.min).flat());
        let mut samples: Vec<_> = self.trails.samples().iter().collect();
        if samples.last().is_none_or(|last| last.tick < now.tick) {
            samples.push(now);
        }
        let span = samples.first().map_or(0.0, |first| now.time - first.time);
        let tracks = Tracks { camera, samples, groups: self.crowd.group_names().count().max(1), wrap: wraps.zip(place) };
        let drawn = tracks.draw(plot);

        if let (Some(bounds), Some(place)) = (self.bounds, place) {
            ground::edge(plot, place, bounds.edge);
        }
        let area = plot.sheet().width() * plot.sheet().height();
        let marks = agents::marks(self.crowd, camera, area);
        // Below the agents: who has come to it would be hidden.
        if let Some(pointer) = self.pointer {
            ground::pointer(plot, camera.at(pointer.flat()), 1.0);
        }
        let outside = agents::draw(plot, camera, self.crowd, &marks);

        let mut notes = Vec::new();
        match drawn {
            Drawn::All => {}
            Drawn::Last(time) => notes.push(format!("trails: the last {} of {} time units", legend::number(time), legend::number(span))),
            Drawn::Nothing => notes.push("trails are left out".to_string()),
        }
        if outside > 0 {
            notes.push(if outside == 1 { "1 agent is outside".to_string() } else { format!("{outside} agents are outside") });
        }
        (marks, notes)
    }
}
