//! The viewer in a window.

use eframe::egui::ViewportBuilder;

use crate::app::Gallery;
use crate::opening::Opening;

/// Opens the window and returns when it is closed.
///
/// # Errors
/// Why no window can be opened.
pub fn open_window(opening: Opening) -> Result<(), String> {
    let options = eframe::NativeOptions {
        viewport: ViewportBuilder::default()
            .with_title("Wayfare")
            .with_inner_size([1280.0, 860.0])
            .with_min_inner_size([320.0, 320.0]),
        ..Default::default()
    };
    eframe::run_native("wayfare", options, Box::new(|cc| Ok(Box::new(Gallery::new(cc, opening)))))
        .map_err(|error| error.to_string())
}
