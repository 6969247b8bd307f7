//! Room on the screen.

use eframe::egui::Context;

/// Width (points of the screen) below which the scene list is closed at first.
pub(crate) const NARROW: f32 = 720.0;
/// Height below which the layout is that of a phone.
const LOW: f32 = 460.0;

/// Whether the screen is as small as a phone's: then panels are below the picture, and most
/// controls are behind one button.
pub(crate) fn is_narrow(ctx: &Context) -> bool {
    let screen = ctx.content_rect();
    screen.width() < NARROW || screen.height() < LOW
}
