//! What the viewer runs in: a window or a page. A page is told what is shown, so that its address
//! follows and tests can read it.

use eframe::egui::Rect;

/// What the viewer is doing, in the words of the page's `data-state`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Running,
    Paused,
    Error,
}

impl State {
    #[cfg_attr(
        not(target_arch = "wasm32"),
        allow(dead_code, reason = "a window has no page to tell")
    )]
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Error => "error",
        }
    }
}

/// What a page is told each frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Report {
    pub(crate) state: State,
    pub(crate) scene: String,
    pub(crate) tick: u64,
    pub(crate) agents: usize,
    /// Of small crowds, and whenever it stands still.
    pub(crate) digest: Option<u64>,
    /// The scene that is compared with, and its digest.
    pub(crate) compare: Option<(String, Option<u64>)>,
}

/// Tells the page, if there is one: a digest is only taken where somebody can read it.
pub(crate) fn tell(report: impl FnOnce() -> Report) {
    #[cfg(target_arch = "wasm32")]
    crate::platform::web::tell(&report());
    #[cfg(not(target_arch = "wasm32"))]
    let _ = report;
}

/// Tells the page the scene's text as it is now.
pub(crate) fn tell_text(text: &str) {
    #[cfg(target_arch = "wasm32")]
    crate::platform::web::tell_text(text);
    #[cfg(not(target_arch = "wasm32"))]
    let _ = text;
}

/// Lets the page's address ask for what is shown, such as the scene; for nothing of this kind if
/// there is none.
pub(crate) fn asked(key: &str, value: Option<&str>) {
    #[cfg(target_arch = "wasm32")]
    crate::platform::web::ask(key, value);
    #[cfg(not(target_arch = "wasm32"))]
    let _ = (key, value);
}

#[cfg(test)]
thread_local! {
    /// Where controls are, by their names.
    pub(crate) static PLACES: std::cell::RefCell<std::collections::BTreeMap<String, Rect>> = const { std::cell::RefCell::new(std::collections::BTreeMap::new()) };
}

/// The address that ends in `query`, and what to tell who has it in the clipboard. A window has
/// none: it gives what comes after the gallery's.
pub(crate) fn link(query: &str) -> (String, &'static str) {
    #[cfg(target_arch = "wasm32")]
    {
        (crate::platform::web::page() + query, "the link is in the clipboard")
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        (
            query.to_string(),
            "the link is in the clipboard: put it behind the address of a gallery on the web",
        )
    }
}

/// A frame begins: controls that it does not show have no place.
pub(crate) fn begin() {
    #[cfg(test)]
    PLACES.with_borrow_mut(|places| places.clear());
    #[cfg(target_arch = "wasm32")]
    crate::platform::web::begin();
}

/// Where a control is, so that a test can click where a person would.
pub(crate) fn place(control: &str, rect: Rect) {
    #[cfg(test)]
    PLACES.with_borrow_mut(|places| _ = places.insert(control.to_string(), rect));
    #[cfg(target_arch = "wasm32")]
    crate::platform::web::place(control, rect);
    #[cfg(not(target_arch = "wasm32"))]
    let _ = (control, rect);
}

/// Where things in the picture are, for the same purpose; they are only asked for where somebody
/// can read it.
pub(crate) fn places(things: impl FnOnce() -> Vec<(String, eframe::egui::Pos2)>) {
    #[cfg(target_arch = "wasm32")]
    things().into_iter().for_each(|(name, at)| {
        crate::platform::web::place(&name, Rect::from_center_size(at, eframe::egui::Vec2::ZERO))
    });
    #[cfg(not(target_arch = "wasm32"))]
    let _ = things;
}

/// Keeps `bytes` for the person under this file name; says how that went.
pub(crate) fn save(name: &str, bytes: &[u8]) -> String {
    #[cfg(target_arch = "wasm32")]
    {
        crate::platform::web::download(name, bytes);
        format!("{name} is among your downloads")
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        use std::path::Path;
        // Never over a file that is there: the next free name.
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "txt"));
        let free = (0..1000)
            .map(|i| if i == 0 { name.to_string() } else { format!("{stem}-{i}.{ending}") })
            .find(|name| !Path::new(name).exists());
        match free {
            Some(name) => match wayfare_record::write_whole(&name, bytes) {
                Ok(()) => format!("wrote {name}"),
                Err(error) => error.to_string(),
            },
            None => format!("{name} and a thousand others are there already"),
        }
    }
}

/// Lets the person choose a file, which [`chosen`] gives later; `false` where there is no way but
/// to type its path.
pub(crate) fn choose(ctx: &eframe::egui::Context) -> bool {
    #[cfg(target_arch = "wasm32")]
    crate::platform::web::choose(ctx);
    #[cfg(not(target_arch = "wasm32"))]
    let _ = ctx;
    cfg!(target_arch = "wasm32")
}

/// Takes a file that was dropped: a window has its path, a page reads it, and [`chosen`] gives it
/// later.
pub(crate) fn dropped(
    ctx: &eframe::egui::Context,
    file: eframe::egui::DroppedFileHandle,
) -> Option<String> {
    #[cfg(target_arch = "wasm32")]
    {
        crate::platform::web::dropped(ctx, file);
        None
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        let _ = ctx;
        Some(file.path().display().to_string())
    }
}

/// The files that were chosen since it was asked last: names and contents.
pub(crate) fn chosen() -> Vec<(String, Vec<u8>)> {
    #[cfg(target_arch = "wasm32")]
    {
        crate::platform::web::chosen()
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        Vec::new()
    }
}

/// Seconds since some moment, for measuring how long a tick takes.
pub(crate) fn seconds() -> f64 {
    #[cfg(target_arch = "wasm32")]
    {
        crate::platform::web::seconds()
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        use std::sync::OnceLock;
        use std::time::Instant;
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_secs_f64()
    }
}
