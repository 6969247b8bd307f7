//! The visible area of the world, and its position on the sheet.

use wayfare::Vector;
use wayfare::glam::Vec2;
use wayfare::vector::Up;

use super::View;
use super::geometry::{Point, Rect, point};

/// The largest ratio of width to height; the smallest is 1.
const WIDEST: f64 = 16.0 / 9.0;
/// The margins around the plot of the world (pixels).
pub(super) const HEADER: f64 = 72.0;
pub(super) const FOOTER: f64 = 56.0;
pub(super) const SIDE: f64 = 28.0;
pub(super) const LEGEND: f64 = 232.0;
pub(super) const GAP: f64 = 22.0;

/// The size of a sheet and its margins (pixels).
#[derive(Clone, Copy, Debug)]
pub(super) struct SheetFormat {
    /// The approximate number of pixels.
    pub(super) area: f64,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl SheetFormat {
    /// A picture, with the legend on the right.
    pub(super) const PICTURE: Self = Self {
        area: 1280.0 * 960.0,
        left: SIDE,
        right: SIDE + GAP + LEGEND,
        top: HEADER,
        bottom: FOOTER,
    };
}

/// The sizes of the sheet and of the plot of the world (whole pixels).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) width: u32,
    pub(super) height: u32,
    /// The upper left corner of the plot.
    pub(super) left: u32,
    pub(super) top: u32,
    pub(super) plot_width: u32,
    pub(super) plot_height: u32,
}

impl Layout {
    /// The layout of this format that shows `view` (area of the world) at the largest scale.
    pub(super) fn new(view: Rect, form: SheetFormat) -> Self {
        let mut best: Option<(f64, Self)> = None;
        for step in 0..=32 {
            let aspect = 1.0 + (WIDEST - 1.0) * f64::from(step) / 32.0;
            let (width, height) =
                ((form.area * aspect).sqrt().round(), (form.area / aspect).sqrt().round());
            let (plot_width, plot_height) =
                (width - form.left - form.right, height - form.top - form.bottom);
            let scale = (plot_width / view.width()).min(plot_height / view.height());
            if best.is_none_or(|(most, _)| scale > most) {
                let [width, height, plot_width, plot_height, left, top] =
                    [width, height, plot_width, plot_height, form.left, form.top].map(|x| x as u32);
                best = Some((scale, Self { width, height, left, top, plot_width, plot_height }));
            }
        }
        best.map_or(
            Self { width: 1280, height: 960, left: 28, top: 72, plot_width: 970, plot_height: 832 },
            |(_, layout)| layout,
        )
    }
}

impl Layout {
    /// The plot of the world.
    pub(super) fn plot(&self) -> Rect {
        let [left, top, width, height] =
            [self.left, self.top, self.plot_width, self.plot_height].map(f64::from);
        Rect::new(point(left, top), point(left + width, top + height))
    }
}

/// Maps the world to its plot: x grows to the right; y, or z in a world with y up, grows downward.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camera {
    /// Pixels per length unit.
    pub(super) scale: f64,
    /// The point in the middle of the plot (world).
    target: Point,
    middle: Point,
    up: Up,
}

impl Camera {
    pub(super) fn new(view: Rect, layout: &Layout, up: Up) -> Self {
        let (width, height) = (f64::from(layout.plot_width), f64::from(layout.plot_height));
        let scale = (width / view.width()).min(height / view.height());
        Self { scale, target: view.middle(), middle: point(width, height) * 0.5, up }
    }

    /// The position of a point of the world (pixels).
    pub(super) fn at(&self, world: impl Into<Point>) -> Point {
        (world.into() - self.target) * self.scale + self.middle
    }

    /// The position of a point of the world as seen from above (pixels).
    pub(super) fn of<V: Vector>(&self, world: V) -> Point {
        self.at(self.up.ground(world))
    }

    /// The axis that points up, along which the camera looks down.
    pub(super) fn up(&self) -> Up {
        self.up
    }

    /// A length of the world (pixels).
    pub(super) fn length(&self, length: f32) -> f64 {
        f64::from(length) * self.scale
    }
}

/// The visible area of the world: the bounds, or else everything in it, with a margin.
pub(super) fn visible_area<V: Vector>(picture: &View<'_, V>) -> Rect {
    let up = picture.frame.environment.up;
    if let Some(bounds) = picture.usable_bounds() {
        return bounds.grown(0.03 * bounds.width().max(bounds.height()));
    }
    let mut all = extent_of_agents(picture);
    let environment = &picture.frame.environment;
    let mut add = |p: Vec2| {
        if p.is_finite() {
            all = Some(Rect::around(all, p.into()));
        }
    };
    for obstacle in &environment.obstacles {
        let (low, high) = obstacle.extent(up);
        add(up.ground(low));
        add(up.ground(high));
    }
    for path in &environment.paths {
        let radius = Vec2::splat(path.radius);
        for p in path.points() {
            add(up.ground(*p) - radius);
            add(up.ground(*p) + radius);
        }
    }
    // Exits are left out, as they may extend far out; trails end at their borders.
    for line in &environment.lines {
        add(up.ground(line.from));
        add(up.ground(line.to));
    }
    if let Some(pointer) = picture.frame.pointer {
        add(up.ground(pointer));
    }
    let all = all.unwrap_or(Rect::new(point(-5.0, -5.0), point(5.0, 5.0)));
    // A single agent is shown with some space around it, and the scale is never finer than the
    // resolution of the coordinates.
    let body = f64::from(picture.frame.agents().map(|agent| agent.radius).fold(0.0, f32::max));
    let far = [all.low.x, all.low.y, all.high.x, all.high.y]
        .into_iter()
        .fold(0.0, |far: f64, x| far.max(x.abs()));
    let least = (far * 1e-5).max(body * 20.0);
    let size = all.width().max(all.height());
    let least = if size == 0.0 && least == 0.0 { 10.0 } else { least };
    let grow = if size == 0.0 {
        least.max(10.0) * 0.5
    } else {
        (0.05 * size + body).max((least - size) * 0.5)
    };
    all.grown(grow)
}

/// The bounds, if they have a finite positive size.
pub(super) fn usable(bounds: Option<Rect>) -> Option<Rect> {
    bounds.filter(|bounds| {
        let sizes = [bounds.width(), bounds.height()];
        sizes.iter().all(|size| size.is_finite() && *size > 0.0)
    })
}

/// The area of the agents and their trails, without a few agents that moved a hundred times as far
/// as most.
fn extent_of_agents<V: Vector>(picture: &View<'_, V>) -> Option<Rect> {
    let samples = || {
        picture
            .samples
            .iter()
            .copied()
            .chain([&picture.frame.sample])
            .flat_map(|sample| &sample.positions)
            .map(|&p| picture.frame.environment.up.ground(p))
    };
    let mut all = None;
    let mut count = 0_usize;
    for p in samples().filter(|p| p.is_finite()) {
        all = Some(Rect::around(all, p.into()));
        count += 1;
    }
    let all = all?;
    let step = count / 50_000 + 1;
    let range = |axis: fn(Vec2) -> f32| {
        let mut some: Vec<f32> =
            samples().filter(|p| p.is_finite()).step_by(step).map(axis).collect();
        some.sort_unstable_by(f32::total_cmp);
        let at = |part: f64| {
            some.get((part * (some.len() - 1) as f64) as usize).map_or(0.0, |&x| f64::from(x))
        };
        (at(0.1), at(0.9))
    };
    let ((left, right), (top, bottom)) = (range(|p| p.x), range(|p| p.y));
    let most = Rect::new(point(left, top), point(right, bottom));
    let size = most.width().max(most.height());
    if size == 0.0 || all.width().max(all.height()) < 100.0 * size {
        return Some(all);
    }
    let near = most.grown(0.5 * size);
    let clamp =
        |p: Point| point(p.x.clamp(near.low.x, near.high.x), p.y.clamp(near.low.y, near.high.y));
    Some(Rect::new(clamp(all.low), clamp(all.high)))
}
