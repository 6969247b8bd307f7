//! Pictures: how a crowd stands, how it came there, and what it moves among.
//!
//! x grows to the right and **y grows downward**, as on a screen and in the tutorials that the
//! classic scenes come from: the origin of a world from (0, 0) to (640, 480) is the upper left
//! corner. Of a world in space the picture is the shadow on the x-y plane, seen from above: who has
//! a larger z covers who has a smaller one.
//!
//! The picture has about 1280 x 960 pixels, from square to 16 : 9 as the world asks for. It shows
//! the bounds if they are given, and otherwise all obstacles, paths, lines, trails and agents (but
//! for a few who are a hundred times as far away as most). What is outside is counted below the
//! picture, and so is the part of the run that trails show when all of them would cover the sheet.
//!
//! The same picture is the same bytes, on any platform: what rounds differently here and there is
//! not used.

use tiny_skia::Pixmap;
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::{Crowd, Vector};

use crate::RecordError;
use crate::moment::Moment;
use crate::trails::{Sample, Trails};

mod agents;
mod camera;
mod canvas;
pub mod color;
mod geometry;
mod ground;
mod legend;
pub(crate) mod palette;
mod pixels;
mod sheet;
mod strip;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod tracks;

use camera::{Camera, Form, Layout};
use canvas::{Canvas, Pen};
use color::ink;
use geometry::Rect;
use pixels::Pixels;
pub use sheet::ContactSheet;
use svg::Svg;
use text::Fonts;
use tracks::{Drawn, Tracks};

/// What a picture shows.
///
/// - Agents are darts that point where they face, smaller in a larger crowd; bodies that are large
///   enough are discs of their own radius, and from 100,000 agents on the darts are squares of a
///   pixel or two. Groups have a color each, and from the eighth on another filling; there are 28
///   combinations.
/// - Trails are in the group's color, fainter the longer ago. They go through the edges of a world
///   that wraps, and are broken where an agent was put somewhere else.
/// - Obstacles are grey, paths a band of their radius with arrows in the direction of travel. Exits
///   and sources are tinted faintly, and lines that count crossings have an arrow on their left.
/// - Bounds are dashed if they are open, a thick line if they are a wall, and dots with arrows if
///   they wrap.
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
        self.view(|view, layout, camera| {
            let mut pixels = Pixels::new(layout.width, layout.height, ink(color::MARGIN, 1.0));
            view.draw(&mut Canvas::new(&mut pixels, layout.width, layout.height), layout, camera);
            pixels.into_pixmap()
        })
    }

    /// The picture, as the bytes of a PNG file.
    ///
    /// # Errors
    /// The encoder refused, which it has no reason to.
    pub fn png(&self) -> Result<Vec<u8>, RecordError> {
        self.draw().encode_png().map_err(|source| RecordError::Picture { source: Box::new(source) })
    }

    /// The same picture, as the text of an SVG file: texts are texts, and what belongs together is
    /// a group with a title.
    pub fn svg(&self) -> String {
        self.view(|view, layout, camera| {
            let mut svg = Svg::new(layout.width, layout.height, ink(color::MARGIN, 1.0));
            view.draw(&mut Canvas::new(&mut svg, layout.width, layout.height), layout, camera);
            svg.into_text(&view.name(), &view.description())
        })
    }

    /// The world alone, on a sheet of this size (pixels).
    fn tile(&self, width: u32, height: u32) -> Pixmap {
        let layout =
            Layout { width, height, left: 0, top: 0, plot_width: width, plot_height: height };
        self.seen(|view, seen| {
            let mut pixels = Pixels::new(width, height, ink(color::OUTSIDE, 1.0));
            view.world(&mut Canvas::new(&mut pixels, width, height), &Camera::new(seen, &layout));
            pixels.into_pixmap()
        })
    }

    fn view<T>(&self, draw: impl FnOnce(&View<'_, V>, &Layout, &Camera) -> T) -> T {
        self.seen(|view, seen| {
            let layout = Layout::new(seen, Form::PICTURE);
            draw(view, &layout, &Camera::new(seen, &layout))
        })
    }

    /// What is drawn, and the part of the world that is seen.
    fn seen<T>(&self, draw: impl FnOnce(&View<'_, V>, Rect) -> T) -> T {
        let mut moment = Moment::of(self.crowd, None, self.trails.samples().last());
        moment.pointer = self.pointer;
        let view = View {
            title: self.title,
            bounds: self.bounds,
            moment: &moment,
            samples: self.trails.samples().iter().collect(),
        };
        let seen = camera::view(&view);
        draw(&view, seen)
    }
}

/// What is drawn: one moment, and what was before.
pub(crate) struct View<'a, V: Vector> {
    pub(crate) title: &'a str,
    pub(crate) bounds: Option<Bounds<V>>,
    pub(crate) moment: &'a Moment<V>,
    /// Where everybody was before, the oldest first; the last may be the moment itself.
    pub(crate) samples: Vec<&'a Sample<V>>,
}

impl<V: Vector> View<'_, V> {
    fn draw(&self, canvas: &mut Canvas, layout: &Layout, camera: &Camera) {
        let fonts = Fonts::new();
        let (marks, notes) =
            canvas.part(layout.plot(), ink(color::OUTSIDE, 1.0), |plot| self.world(plot, camera));
        canvas.polygon(
            &layout.plot().corners(),
            ink(color::FRAME, 0.0),
            Some(&Pen::new(1.0, ink(color::FRAME, 1.0))),
        );
        legend::header(canvas, &fonts, self);
        canvas.group("legend", "Legend", |canvas| {
            legend::legend(canvas, &fonts, self, layout, &marks)
        });
        canvas.group("scale", "Scale", |canvas| {
            legend::footer::<V>(canvas, &fonts, camera, layout, &notes)
        });
    }

    /// The part of the world that is seen, and where it is on a frame; `pointers` are to be seen as
    /// well.
    pub(crate) fn framing(&self, pointers: impl Iterator<Item = V>) -> Framing {
        let mut seen = camera::view(self);
        if camera::usable(self.bounds.map(|b| Rect::new(b.min.flat().into(), b.max.flat().into())))
            .is_none()
        {
            for pointer in pointers.map(Vector::flat).filter(|p| p.is_finite()) {
                seen = Rect::around(Some(seen), pointer.into());
            }
        }
        let layout = Layout::new(seen, strip::FRAME);
        Framing { layout, camera: Camera::new(seen, &layout) }
    }

    /// The view as a frame of an animation.
    pub(crate) fn frame(&self, framing: &Framing) -> Pixmap {
        let Framing { layout, camera } = framing;
        let mut pixels = Pixels::new(layout.width, layout.height, ink(color::MARGIN, 1.0));
        let mut canvas = Canvas::new(&mut pixels, layout.width, layout.height);
        let fonts = Fonts::new();
        let (marks, _) =
            canvas.part(layout.plot(), ink(color::OUTSIDE, 1.0), |plot| self.world(plot, camera));
        canvas.polygon(
            &layout.plot().corners(),
            ink(color::FRAME, 0.0),
            Some(&Pen::new(1.0, ink(color::FRAME, 1.0))),
        );
        strip::header(&mut canvas, &fonts, self);
        strip::legend(&mut canvas, &fonts, self, layout, &marks);
        pixels.into_pixmap()
    }

    /// Draws the world; gives back the groups' marks, and what it leaves out.
    fn world(&self, plot: &mut Canvas, camera: &Camera) -> (Vec<agents::Mark>, Vec<String>) {
        let (now, land) = (&self.moment.sample, &self.moment.land);
        let bounds = camera::usable(
            self.bounds.map(|b| Rect::new(b.min.flat().into(), b.max.flat().into())),
        );
        let place = bounds.map(|bounds| Rect::new(camera.at(bounds.low), camera.at(bounds.high)));
        ground::floor(plot, place.unwrap_or(plot.sheet()));
        each(plot, "exits", "Exits", &land.exits, |plot, exit| ground::exit(plot, camera, exit));
        each(plot, "sources", "Sources", &land.sources, |plot, source| {
            ground::source(plot, camera, source)
        });
        each(plot, "paths", "Paths", &land.paths, |plot, path| ground::path(plot, camera, path));
        each(plot, "fields", "Fields", &land.fields, |plot, field| {
            ground::field(plot, camera, field)
        });
        each(plot, "obstacles", "Obstacles", &land.obstacles, |plot, obstacle| {
            ground::obstacle(plot, camera, obstacle)
        });
        each(plot, "lines", "Lines that count crossings", &land.lines, |plot, line| {
            ground::line(plot, camera, line)
        });

        let wraps = self
            .bounds
            .filter(|bounds| bounds.edge == Edge::Wrap)
            .map(|bounds| (bounds.max - bounds.min).flat());
        let mut samples = self.samples.clone();
        if samples.last().is_none_or(|last| last.tick < now.tick) {
            samples.push(now);
        }
        let span = samples.first().map_or(0.0, |first| now.time - first.time);
        let tracks =
            Tracks { camera, samples, groups: land.groups.len().max(1), wrap: wraps.zip(place) };
        let drawn = plot.group("trails", "Trails", |plot| tracks.draw(plot));

        if let (Some(bounds), Some(place)) = (self.bounds, place) {
            plot.group("bounds", "Bounds", |plot| ground::edge(plot, place, bounds.edge));
        }
        let area = plot.sheet().width() * plot.sheet().height();
        let marks = agents::marks(self.moment, camera, area);
        // Below the agents: who has come to it would be hidden.
        if let Some(pointer) = self.moment.pointer {
            plot.group("pointer", "Pointer", |plot| {
                ground::pointer(plot, camera.at(pointer.flat()), 1.0)
            });
        }
        let outside =
            plot.group("agents", "Agents", |plot| agents::draw(plot, camera, self.moment, &marks));

        let mut notes = Vec::new();
        match drawn {
            Drawn::All => {}
            Drawn::Last(time) => notes.push(format!(
                "trails: the last {} of {} time units",
                legend::number(time),
                legend::number(span)
            )),
            Drawn::Nothing => notes.push("trails are left out".to_string()),
        }
        if outside > 0 {
            notes.push(if outside == 1 {
                "1 agent is outside".to_string()
            } else {
                format!("{outside} agents are outside")
            });
        }
        (marks, notes)
    }

    /// What somebody who cannot see the picture is told that it is.
    fn name(&self) -> String {
        let when = legend::when(&self.moment.sample);
        if self.title.is_empty() { when } else { format!("{}, {when}", self.title) }
    }

    /// What is in the picture.
    fn description(&self) -> String {
        let mut parts: Vec<String> = legend::counts(self.moment)
            .iter()
            .zip(&self.moment.land.groups)
            .map(|(count, name)| format!("{count} {name}"))
            .collect();
        let land = &self.moment.land;
        for (count, one, many) in [
            (land.obstacles.len(), "obstacle", "obstacles"),
            (land.paths.len(), "path", "paths"),
            (land.fields.len(), "field", "fields"),
            (land.lines.len(), "line", "lines"),
            (land.exits.len(), "exit", "exits"),
            (land.sources.len(), "source", "sources"),
        ] {
            if count > 0 {
                parts.push(format!("{count} {}", if count == 1 { one } else { many }));
            }
        }
        parts.join(", ")
    }
}

/// The sheet of an animation's frames: the same from the first to the last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Framing {
    layout: Layout,
    camera: Camera,
}

impl Framing {
    /// The width and height of a frame (pixels).
    pub(crate) fn size(&self) -> (u32, u32) {
        (self.layout.width, self.layout.height)
    }
}

/// Draws all of `things` as a group of their own, if there are any.
fn each<T>(
    plot: &mut Canvas,
    name: &str,
    title: &str,
    things: &[T],
    mut draw: impl FnMut(&mut Canvas, &T),
) {
    if !things.is_empty() {
        plot.group(name, title, |plot| things.iter().for_each(|thing| draw(plot, thing)));
    }
}
