//! The viewer and the player in a window.

use std::path::PathBuf;

use eframe::egui::ViewportBuilder;
use wayfare_record::rows::Frames;
use wayfare_record::rows::read::{ReadOptions, open};

use crate::app::Gallery;
use crate::opening::Opening;
use crate::player::{Player, Track, Tracks};

fn options(title: &str) -> eframe::NativeOptions {
    eframe::NativeOptions {
        viewport: ViewportBuilder::default()
            .with_title(title)
            .with_inner_size([1280.0, 860.0])
            .with_min_inner_size([320.0, 320.0]),
        ..Default::default()
    }
}

/// Opens the window and returns when it is closed.
///
/// # Errors
/// Why no window can be opened.
pub fn open_window(opening: Opening) -> Result<(), String> {
    let app = Box::new(|cc: &eframe::CreationContext<'_>| {
        Ok(Box::new(Gallery::new(cc, opening)) as Box<dyn eframe::App>)
    });
    eframe::run_native("wayfare", options("Wayfare"), app).map_err(|error| error.to_string())
}

/// Reads trajectories, the second one as a ghost, and plays them in a window; returns when it is
/// closed.
///
/// # Errors
/// A file that cannot be read, with its path and the reason; or why no window can be opened.
pub fn open_player(files: &[PathBuf], read: ReadOptions) -> Result<(), String> {
    let track = |path: &PathBuf| {
        // The rate is for the files that do not tell theirs.
        let told = ReadOptions { fps: None, ..read };
        let reader = open(path, told).or_else(|_| open(path, read));
        let frames = reader.and_then(|mut reader| Frames::read(reader.as_mut()));
        let frames = frames.map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into());
        Ok(Track::new(name, frames))
    };
    let tracks = Tracks::new(files.iter().map(track).collect::<Result<_, String>>()?);
    let app = Box::new(|cc: &eframe::CreationContext<'_>| {
        Ok(Box::new(Player::new(cc, tracks)) as Box<dyn eframe::App>)
    });
    let opened = eframe::run_native("wayfare", options("Wayfare player"), app);
    opened.map_err(|error| format!("no window can be opened: {error}"))
}
