//! The viewer in a window of its own: `wayfare-view [SCENE]`.

use std::process::ExitCode;

use wayfare_view::{Gallery, Opening};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let opening = match arguments.next() {
        Some(scene) => Opening::of(&scene),
        None => Opening::default(),
    };
    let options = eframe::NativeOptions {
        viewport: eframe::egui::ViewportBuilder::default()
            .with_title("Wayfare")
            .with_inner_size([1280.0, 860.0])
            .with_min_inner_size([320.0, 320.0]),
        ..Default::default()
    };
    match eframe::run_native(
        "wayfare",
        options,
        Box::new(|cc| Ok(Box::new(Gallery::new(cc, opening)))),
    ) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A window could not be opened: there is nothing else to say it in.
            use std::io::Write;
            let _ = writeln!(std::io::stderr(), "error: no window can be opened: {error}");
            ExitCode::from(2)
        }
    }
}
