//! Services of the window or page that the viewer runs in.
//!
//! The viewer reports its state to the page, for the page's address and for tests.

use eframe::egui::{Context, DroppedFileHandle, Pos2, Rect};

use crate::platform::report::Report;

/// Reports the state to the page. In a window `report` is not called: digests take time.
pub(crate) fn report_state(report: impl FnOnce() -> Report) {
    #[cfg(target_arch = "wasm32")]
    crate::platform::page::report_state(&report());
    #[cfg(not(target_arch = "wasm32"))]
    let _ = report;
}

/// Reports the scene's present text to the page.
pub(crate) fn report_text(text: &str) {
    #[cfg(target_arch = "wasm32")]
    crate::platform::page::report_text(text);
    #[cfg(not(target_arch = "wasm32"))]
    let _ = text;
}

/// Sets a parameter of the page's address, or removes it.
pub(crate) fn set_address_parameter(key: &str, value: Option<&str>) {
    #[cfg(target_arch = "wasm32")]
    crate::platform::page::set_address_parameter(key, value);
    #[cfg(not(target_arch = "wasm32"))]
    let _ = (key, value);
}

#[cfg(test)]
thread_local! {
    /// The rectangles of the controls of the last frame, by name.
    pub(crate) static CONTROLS: std::cell::RefCell<std::collections::BTreeMap<String, Rect>> =
        const { std::cell::RefCell::new(std::collections::BTreeMap::new()) };
}

/// A link with this query, and a message for the user who copied it. A window does not know the
/// address of a gallery and gives the query alone.
pub(crate) fn link(query: &str) -> (String, &'static str) {
    #[cfg(target_arch = "wasm32")]
    {
        (crate::platform::page::address() + query, "the link is in the clipboard")
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        (
            query.to_string(),
            "the link is in the clipboard: append it to the address of a gallery on the web",
        )
    }
}

/// Begins a frame: forgets the controls of the last one.
pub(crate) fn begin_frame() {
    #[cfg(test)]
    CONTROLS.with_borrow_mut(|controls| controls.clear());
    #[cfg(target_arch = "wasm32")]
    crate::platform::page::begin_frame();
}

/// Records the rectangle of a control, so that tests can click on it.
pub(crate) fn mark_control(name: &str, rect: Rect) {
    #[cfg(test)]
    CONTROLS.with_borrow_mut(|controls| _ = controls.insert(name.to_string(), rect));
    #[cfg(target_arch = "wasm32")]
    crate::platform::page::mark_control(name, rect);
    #[cfg(not(target_arch = "wasm32"))]
    let _ = (name, rect);
}

/// Records points of the picture for tests on a page; in a window `points` is not called.
pub(crate) fn mark_points(points: impl FnOnce() -> Vec<(String, Pos2)>) {
    #[cfg(target_arch = "wasm32")]
    points().into_iter().for_each(|(name, at)| {
        crate::platform::page::mark_control(
            &name,
            Rect::from_center_size(at, eframe::egui::Vec2::ZERO),
        )
    });
    #[cfg(not(target_arch = "wasm32"))]
    let _ = points;
}

/// Saves a file, as a download of the page or in the working folder; returns a message.
pub(crate) fn save(name: &str, bytes: &[u8]) -> String {
    #[cfg(target_arch = "wasm32")]
    {
        crate::platform::page::download(name, bytes);
        format!("{name} is in your downloads")
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        use std::path::Path;
        // Existing files are not overwritten: the next free name is used.
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "txt"));
        let free = (0..1000)
            .map(|i| if i == 0 { name.to_string() } else { format!("{stem}-{i}.{ending}") })
            .find(|name| !Path::new(name).exists());
        match free {
            Some(name) => match wayfare_record::write_whole(&name, bytes) {
                Ok(()) => format!("wrote {name}"),
                Err(error) => error.to_string(),
            },
            None => format!("{name} and 999 numbered names exist already"),
        }
    }
}

/// Opens the page's file dialog; [`opened_files`] returns the file later. Returns `false` in a
/// window, where the path has to be typed.
pub(crate) fn open_file_dialog(ctx: &Context) -> bool {
    #[cfg(target_arch = "wasm32")]
    crate::platform::page::open_file_dialog(ctx);
    #[cfg(not(target_arch = "wasm32"))]
    let _ = ctx;
    cfg!(target_arch = "wasm32")
}

/// The path of a dropped file in a window. On a page the file is read, and [`opened_files`] returns
/// it later.
pub(crate) fn path_of_dropped(ctx: &Context, file: DroppedFileHandle) -> Option<String> {
    #[cfg(target_arch = "wasm32")]
    {
        crate::platform::page::read_dropped(ctx, file);
        None
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        let _ = ctx;
        Some(file.path().display().to_string())
    }
}

/// Names and contents of the files that were read since the last call.
pub(crate) fn opened_files() -> Vec<(String, Vec<u8>)> {
    #[cfg(target_arch = "wasm32")]
    {
        crate::platform::page::opened_files()
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        Vec::new()
    }
}

/// Seconds since a fixed moment, to measure how long ticks take.
pub(crate) fn seconds() -> f64 {
    #[cfg(target_arch = "wasm32")]
    {
        crate::platform::page::seconds()
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        use std::sync::OnceLock;
        use std::time::Instant;
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_secs_f64()
    }
}
