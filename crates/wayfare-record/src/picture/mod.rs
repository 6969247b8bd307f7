//! Pictures: the agents of a crowd, their trails and their environment.
//!
//! x grows to the right and **y grows downward**, as on a screen and in the tutorials that the
//! classic scenes come from: the origin of a world from (0, 0) to (640, 480) is the upper left
//! corner. A 3D world is projected onto its ground: agents that are higher cover lower ones. With z
//! up y grows downward, with y up z does.
//!
//! The picture has about 1280 x 960 pixels, from square to 16 : 9 as the world requires. It shows
//! the bounds if they are given, and otherwise all obstacles, paths, lines, trails and agents
//! (except outliers that are a hundred times as far from the middle as most). A note below the
//! picture says how many agents are outside. If all trails would cover too much of the picture,
//! only the last part of the run is drawn, and the note says which.
//!
//! The same picture has the same bytes on every platform: no operation is used that rounds
//! differently on some of them.

use tiny_skia::Pixmap;
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::vector::Up;
use wayfare::{Crowd, Vector};
use wayfare_scene::Presentation;

use crate::RecordError;
use crate::frame_data::{Environment, FrameData};
use crate::trails::{PositionSample, Trails};

mod agents;
mod camera;
mod canvas;
pub mod color;
mod contact_sheet;
mod environment;
mod frame_margins;
mod geometry;
mod legend;
pub(crate) mod palette;
mod pixels;
mod stage;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod trail_lines;

use camera::{Camera, Layout, SheetFormat};
use canvas::{Canvas, Pen};
use color::ink;
pub use contact_sheet::ContactSheet;
use geometry::Rect;
pub(crate) use legend::{grouped, number};
use pixels::Pixels;
pub(crate) use stage::Stage;
use svg::Svg;
pub(crate) use svg::{both_schemes, escaped};
use text::Fonts;
use trail_lines::{TrailCoverage, TrailLines};

/// The largest fractions of a sheet and of a tile of a contact sheet that trails may cover. On a
/// tile the lines are wider in proportion, and hide the agents sooner.
const SHEET_TRAILS: f64 = 0.35;
const TILE_TRAILS: f64 = 0.2;

/// The font of pictures: a subset of Inter with Latin, Greek and Cyrillic letters (OpenType).
pub const FONT: &[u8] = include_bytes!("../../assets/Inter-Regular.otf");

/// A picture of a crowd.
///
/// - Bodies with a radius of at least 1.2 pixels are discs of that radius, with a line or, below 4
///   pixels, a tip in the direction they face. A disc that covers another one shows its outline.
///   Other agents are darts, smaller in a larger crowd. From 100,000 agents on, agents without a
///   disc are squares of one or two pixels. Each group has a color; from the eighth group on the
///   colors repeat with other fills, in 28 combinations.
/// - Trails are in the group's color and fade with age. They cross the edges of a wrapped world,
///   and are interrupted where an agent was moved elsewhere.
/// - Obstacles are grey. Paths are a band of their radius with arrows in the direction of travel.
///   Exits and sources are tinted faintly. Lines that count crossings have an arrow on their left.
/// - Bounds are dashed if they are open, a thick line if they are a wall, and dots with arrows if
///   they wrap.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a, V: Vector> {
    /// The title; it may be empty, and a long one is shortened.
    pub title: &'a str,
    /// The bounds of the world (length), if it has any.
    pub bounds: Option<Bounds<V>>,
    /// The crowd in its present state.
    pub crowd: &'a Crowd<V>,
    /// The trails of the same crowd.
    pub trails: &'a Trails<V>,
    /// The position of the pointer (length), if it is shown.
    pub pointer: Option<V>,
    /// The colors of the groups and the names of the units; `None` for those of the palette and
    /// none.
    pub presentation: Option<&'a Presentation>,
}

impl<V: Vector> Picture<'_, V> {
    /// The picture, as pixels.
    pub fn draw(&self) -> Pixmap {
        self.with_visible_area(|view, visible| view.pixels(visible))
    }

    /// The picture, as the bytes of a PNG file with indexed colors: those of pictures and groups,
    /// with the shades between them and the background that the eye tells apart.
    ///
    /// # Errors
    /// The encoder failed; no input is known for which it does.
    pub fn png(&self) -> Result<Vec<u8>, RecordError> {
        self.with_visible_area(|view, visible| view.png(visible))
    }

    /// The same picture, as the text of an SVG file: texts can be searched, and related shapes are
    /// a group with a title.
    pub fn svg(&self) -> String {
        self.with_visible_area(|view, visible| view.svg(visible))
    }

    /// Calls `take` with the data of the picture.
    pub(crate) fn with_view<T>(&self, take: impl FnOnce(&View<'_, V>) -> T) -> T {
        self.with_visible_area(|view, _| take(view))
    }

    /// The world alone, on a sheet of this size (pixels).
    fn tile(&self, width: u32, height: u32) -> Pixmap {
        let layout =
            Layout { width, height, left: 0, top: 0, plot_width: width, plot_height: height };
        self.with_visible_area(|view, visible| {
            let mut pixels = Pixels::new(width, height, ink(color::OUTSIDE, 1.0));
            view.draw_world(
                &mut Canvas::new(&mut pixels, width, height),
                &Camera::new(visible, &layout, view.up()),
                TILE_TRAILS,
            );
            pixels.into_pixmap()
        })
    }

    /// Calls `draw` with the data of the picture and the visible area of the world.
    fn with_visible_area<T>(&self, draw: impl FnOnce(&View<'_, V>, Rect) -> T) -> T {
        let plain = Presentation::default();
        let presentation = self.presentation.unwrap_or(&plain);
        let last = self.trails.samples().last();
        let mut frame = FrameData::of(self.crowd, presentation, None, last);
        frame.pointer = self.pointer;
        let view = View {
            title: self.title,
            bounds: self.bounds,
            frame: &frame,
            samples: self.trails.samples().iter().collect(),
        };
        let visible = camera::visible_area(&view);
        draw(&view, visible)
    }
}

/// The data of a picture or of a frame of an animation.
pub(crate) struct View<'a, V: Vector> {
    pub(crate) title: &'a str,
    pub(crate) bounds: Option<Bounds<V>>,
    pub(crate) frame: &'a FrameData<V>,
    /// The earlier positions, the oldest first; the last may be those of the frame itself.
    pub(crate) samples: Vec<&'a PositionSample<V>>,
}

impl<V: Vector> View<'_, V> {
    /// The axis that points up, along which the picture is seen.
    fn up(&self) -> Up {
        self.frame.environment.up
    }

    /// The bounds as seen from above, if they can be drawn.
    fn usable_bounds(&self) -> Option<Rect> {
        let up = self.up();
        camera::usable(
            self.bounds.map(|b| Rect::new(up.ground(b.min).into(), up.ground(b.max).into())),
        )
    }

    /// The visible area of the world.
    fn visible_area(&self) -> Rect {
        camera::visible_area(self)
    }

    /// The picture of the view as pixels.
    fn pixels(&self, visible: Rect) -> Pixmap {
        let layout = Layout::new(visible, SheetFormat::PICTURE);
        let mut pixels = Pixels::new(layout.width, layout.height, ink(color::MARGIN, 1.0));
        let canvas = &mut Canvas::new(&mut pixels, layout.width, layout.height);
        self.draw(canvas, &layout, &Camera::new(visible, &layout, self.up()));
        pixels.into_pixmap()
    }

    /// The picture of the view as the bytes of a PNG file; none if it cannot be encoded.
    pub(crate) fn whole_png(&self) -> Option<Vec<u8>> {
        self.png(self.visible_area()).ok()
    }

    fn png(&self, visible: Rect) -> Result<Vec<u8>, RecordError> {
        let styles = &self.frame.environment.styles;
        let own: Vec<_> = styles.iter().map(|style| style.color).collect();
        palette::png(&self.pixels(visible), &own, None)
    }

    /// The picture of the view as the text of an SVG file.
    pub(crate) fn whole_svg(&self) -> String {
        self.svg(self.visible_area())
    }

    fn svg(&self, visible: Rect) -> String {
        let layout = Layout::new(visible, SheetFormat::PICTURE);
        let mut svg = Svg::new(layout.width, layout.height, ink(color::MARGIN, 1.0));
        let canvas = &mut Canvas::new(&mut svg, layout.width, layout.height);
        self.draw(canvas, &layout, &Camera::new(visible, &layout, self.up()));
        svg.into_text(&self.name(), &self.description())
    }

    fn draw(&self, canvas: &mut Canvas, layout: &Layout, camera: &Camera) {
        let fonts = Fonts::new();
        let (marks, notes) = canvas.part(layout.plot(), ink(color::OUTSIDE, 1.0), |plot| {
            self.draw_world(plot, camera, SHEET_TRAILS)
        });
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
            legend::footer(canvas, &fonts, self, camera, layout, &notes)
        });
    }

    /// The layout of an animation's frames. The visible area is the bounds if they can be drawn,
    /// otherwise all content and `pointers`.
    pub(crate) fn framing(&self, pointers: impl Iterator<Item = V>) -> Framing {
        let mut visible = camera::visible_area(self);
        if self.usable_bounds().is_none() {
            for pointer in pointers.map(|p| self.up().ground(p)).filter(|p| p.is_finite()) {
                visible = Rect::around(Some(visible), pointer.into());
            }
        }
        let layout = Layout::new(visible, frame_margins::FRAME);
        Framing { layout, camera: Camera::new(visible, &layout, self.up()) }
    }

    /// The view as a frame of an animation.
    pub(crate) fn draw_frame(&self, framing: &Framing) -> Pixmap {
        let Framing { layout, camera } = framing;
        let mut pixels = Pixels::new(layout.width, layout.height, ink(color::MARGIN, 1.0));
        let mut canvas = Canvas::new(&mut pixels, layout.width, layout.height);
        let fonts = Fonts::new();
        let (marks, _) = canvas.part(layout.plot(), ink(color::OUTSIDE, 1.0), |plot| {
            self.draw_world(plot, camera, SHEET_TRAILS)
        });
        canvas.polygon(
            &layout.plot().corners(),
            ink(color::FRAME, 0.0),
            Some(&Pen::new(1.0, ink(color::FRAME, 1.0))),
        );
        frame_margins::header(&mut canvas, &fonts, self);
        frame_margins::legend(&mut canvas, &fonts, self, layout, &marks);
        pixels.into_pixmap()
    }

    /// Draws the world. Returns how the agents of each group are drawn, and notes on what is not
    /// shown.
    fn draw_world(
        &self,
        plot: &mut Canvas,
        camera: &Camera,
        max_coverage: f64,
    ) -> (Vec<agents::AgentMark>, Vec<String>) {
        let (now, environment) = (&self.frame.sample, &self.frame.environment);
        let bounds = self.usable_bounds();
        let area = bounds.map(|bounds| Rect::new(camera.at(bounds.low), camera.at(bounds.high)));
        environment::floor(plot, area.unwrap_or(plot.sheet()));
        draw_ground(plot, camera, environment);

        let wraps = self
            .bounds
            .filter(|bounds| bounds.edge == Edge::Wrap)
            .map(|bounds| self.up().ground(bounds.max - bounds.min));
        let mut samples = self.samples.clone();
        if samples.last().is_none_or(|last| last.tick < now.tick) {
            samples.push(now);
        }
        let span = samples.first().map_or(0.0, |first| now.time - first.time);
        let trail_lines = TrailLines {
            camera,
            samples,
            styles: &environment.styles,
            wrap: wraps.zip(area),
            max_coverage,
        };
        let drawn = plot.group("trails", "Trails", |plot| trail_lines.draw(plot));

        if let (Some(bounds), Some(area)) = (self.bounds, area) {
            plot.group("bounds", "Bounds", |plot| environment::edge(plot, area, bounds.edge));
        }
        let sheet_area = plot.sheet().width() * plot.sheet().height();
        let marks = agents::marks(self.frame, camera, sheet_area);
        // The pointer is drawn before the agents, so that it hides none of them.
        if let Some(pointer) = self.frame.pointer {
            plot.group("pointer", "Pointer", |plot| {
                environment::pointer(plot, camera.of(pointer), 1.0)
            });
        }
        let outside =
            plot.group("agents", "Agents", |plot| agents::draw(plot, camera, self.frame, &marks));

        let mut notes = Vec::new();
        match drawn {
            TrailCoverage::All => {}
            TrailCoverage::Last(time) => notes.push(format!(
                "trails: the last {} of {} {}",
                legend::number(time),
                legend::number(span),
                environment.units.times(0.0)
            )),
            TrailCoverage::Nothing => notes.push("trails are left out".to_string()),
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

    /// The name of the picture for screen readers.
    pub(crate) fn name(&self) -> String {
        let when = legend::when(self.frame);
        if self.title.is_empty() { when } else { format!("{}, {when}", self.title) }
    }

    /// The content of the picture for screen readers.
    pub(crate) fn description(&self) -> String {
        let mut parts: Vec<String> = legend::counts(self.frame)
            .iter()
            .zip(&self.frame.environment.groups)
            .map(|(count, name)| format!("{name}: {count}"))
            .collect();
        let environment = &self.frame.environment;
        for (count, one, many) in [
            (environment.obstacles.len(), "obstacle", "obstacles"),
            (environment.paths.len(), "path", "paths"),
            (environment.field.as_ref().map_or(0, |field| field.of), "field", "fields"),
            (environment.lines.len(), "line", "lines"),
            (environment.exits.len(), "exit", "exits"),
            (environment.sources.len(), "source", "sources"),
        ] {
            if count > 0 {
                parts.push(format!("{count} {}", if count == 1 { one } else { many }));
            }
        }
        parts.join(", ")
    }
}

/// The layout of all frames of an animation.
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

/// Draws what is below trails and agents.
fn draw_ground<V: Vector>(plot: &mut Canvas, camera: &Camera, environment: &Environment<V>) {
    draw_layer(plot, "exits", "Exits", &environment.exits, |plot, exit| {
        environment::exit(plot, camera, exit)
    });
    draw_layer(plot, "sources", "Sources", &environment.sources, |plot, source| {
        environment::source(plot, camera, source)
    });
    draw_layer(plot, "paths", "Paths", &environment.paths, |plot, path| {
        environment::path(plot, camera, path)
    });
    draw_layer(plot, "fields", "Fields", environment.field.as_slice(), |plot, field| {
        environment::field(plot, camera, &field.arrows)
    });
    draw_layer(plot, "obstacles", "Obstacles", &environment.obstacles, |plot, obstacle| {
        environment::obstacle(plot, camera, obstacle)
    });
    draw_layer(plot, "lines", "Lines that count crossings", &environment.lines, |plot, line| {
        environment::line(plot, camera, line)
    });
}

/// Draws all of `items` as one titled layer, if there are any.
fn draw_layer<T>(
    plot: &mut Canvas,
    name: &str,
    title: &str,
    items: &[T],
    mut draw: impl FnMut(&mut Canvas, &T),
) {
    if !items.is_empty() {
        plot.group(name, title, |plot| items.iter().for_each(|item| draw(plot, item)));
    }
}
