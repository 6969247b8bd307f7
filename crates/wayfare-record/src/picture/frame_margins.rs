//! The margins of a frame of an animation: a title line above, and a legend below.

use wayfare::Vector;

use super::View;
use super::agents::{AgentMark, mark};
use super::camera::{Layout, SheetFormat};
use super::canvas::Canvas;
use super::color::{self, ink};
use super::environment::mark_stroke;
use super::geometry::point;
use super::legend::{counts, field_name, grouped, when};
use super::text::{Fonts, Side};

/// The margins (pixels).
const SIDE: f64 = 12.0;
const HEADER: f64 = 38.0;
const FOOTER: f64 = 32.0;

/// The sizes of titles (pixels).
const LARGEST: f64 = 16.0;
const SMALLEST: f64 = 12.0;

/// A frame of about 640 x 480 pixels.
pub(super) const FRAME: SheetFormat =
    SheetFormat { area: 640.0 * 480.0, left: SIDE, right: SIDE, top: HEADER, bottom: FOOTER };

/// The line above: the title, and the tick.
pub(super) fn header<V: Vector>(canvas: &mut Canvas, fonts: &Fonts, view: &View<'_, V>) {
    let right = canvas.sheet().high.x - SIDE;
    let line = HEADER - 14.0;
    let width = canvas.write(
        &fonts.regular,
        &when(view.frame),
        13.0,
        point(right, line),
        Side::Right,
        ink(color::MUTED, 1.0),
    );
    let room = right - SIDE - width - 18.0;
    let size = title_size(fonts.bold.width(view.title, LARGEST), room);
    let title = fonts.bold.shortened(view.title, size, room);
    canvas.write(&fonts.bold, &title, size, point(SIDE, line), Side::Left, ink(color::TEXT, 1.0));
}

/// The size of a title that is `width` wide in the largest one, so that it fits into `room`
/// (pixels): a long one is smaller, and shortened only beyond that.
fn title_size(width: f64, room: f64) -> f64 {
    (LARGEST * room / width.max(room)).max(SMALLEST)
}

/// The line below: the groups, as far as they fit, and which of several fields is shown.
pub(super) fn legend<V: Vector>(
    canvas: &mut Canvas,
    fonts: &Fonts,
    view: &View<'_, V>,
    layout: &Layout,
    marks: &[AgentMark],
) {
    let (line, right) = (f64::from(layout.height) - FOOTER + 21.0, f64::from(layout.width) - SIDE);
    let styles = &view.frame.environment.styles;
    let mut x = SIDE;
    for (i, ((name, count), &kind)) in
        view.frame.environment.groups.iter().zip(counts(view.frame)).zip(marks).enumerate()
    {
        let count = grouped(&count.to_string());
        let wide = fonts.regular.width(&count, 13.0);
        let name = fonts.regular.shortened(name, 13.0, 150.0);
        let end = x + 20.0 + fonts.regular.width(&name, 13.0) + 6.0 + wide;
        if end > right {
            canvas.write(
                &fonts.regular,
                "…",
                13.0,
                point(x, line),
                Side::Left,
                ink(color::MUTED, 1.0),
            );
            return;
        }
        let kind = if kind == AgentMark::Disc { AgentMark::Disc } else { AgentMark::Dart(13.0) };
        mark(canvas, point(x + 7.0, line - 4.6), point(1.0, 0.0), kind, 6.0, styles[i]);
        let written = canvas.write(
            &fonts.regular,
            &name,
            13.0,
            point(x + 20.0, line),
            Side::Left,
            ink(color::TEXT, 1.0),
        );
        canvas.write(
            &fonts.regular,
            &count,
            13.0,
            point(x + 20.0 + written + 6.0, line),
            Side::Left,
            ink(color::MUTED, 1.0),
        );
        x = end + 20.0;
    }
    let Some(field) = view.frame.environment.field.as_ref().filter(|field| field.of > 1) else {
        return;
    };
    let name = field_name(field);
    if x + 22.0 + fonts.regular.width(&name, 13.0) <= right {
        mark_stroke(canvas, point(x, line - 4.6), point(x + 15.0, line - 4.6));
        let (from, ink) = (point(x + 22.0, line), ink(color::TEXT, 1.0));
        canvas.write(&fonts.regular, &name, 13.0, from, Side::Left, ink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_title_is_smaller_but_stays_legible() {
        let sizes = [100.0, 200.0, 250.0, 1000.0].map(|width| title_size(width, 200.0));
        assert_eq!(sizes, [16.0, 16.0, 12.8, 12.0]);
    }
}
