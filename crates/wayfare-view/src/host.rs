//! What the viewer runs in: a window or a page. A page is told what is shown, so that its address follows and tests can read it.

use eframe::egui::Rect;

/// What the viewer is doing, in the words of the page's `data-state`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Running,
    Paused,
    Error,
}

impl State {
    #[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "a window has no page to tell"))]
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
}

/// Tells the page, if there is one: a digest is only taken where somebody can read it.
pub(crate) fn tell(report: impl FnOnce() -> Report) {
    #[cfg(target_arch = "wasm32")]
    crate::web::tell(&report());
    #[cfg(not(target_arch = "wasm32"))]
    let _ = report;
}

/// Lets the page's address name the scene.
pub(crate) fn name(scene: &str) {
    #[cfg(target_arch = "wasm32")]
    crate::web::name(scene);
    #[cfg(not(target_arch = "wasm32"))]
    let _ = scene;
}

/// A frame begins: controls that it does not show have no place.
pub(crate) fn begin() {
    #[cfg(target_arch = "wasm32")]
    crate::web::begin();
}

/// Where a control is, so that a test can click where a person would.
pub(crate) fn place(control: &str, rect: Rect) {
    #[cfg(target_arch = "wasm32")]
    crate::web::place(control, rect);
    #[cfg(not(target_arch = "wasm32"))]
    let _ = (control, rect);
}

/// Where things in the picture are, for the same purpose; they are only asked for where somebody can read it.
pub(crate) fn places(things: impl FnOnce() -> Vec<(String, eframe::egui::Pos2)>) {
    #[cfg(target_arch = "wasm32")]
    things().into_iter().for_each(|(name, at)| crate::web::place(&name, Rect::from_center_size(at, eframe::egui::Vec2::ZERO)));
    #[cfg(not(target_arch = "wasm32"))]
    let _ = things;
}

/// Keeps `text` for the person under this file name; says how that went.
pub(crate) fn save(name: &str, text: &str) -> String {
    #[cfg(target_arch = "wasm32")]
    {
        crate::web::download(name, text);
        format!("{name} is among your downloads")
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        use std::path::Path;
        // Never over a file that is there: the next free name.
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "txt"));
        let free = (0..1000).map(|i| if i == 0 { name.to_string() } else { format!("{stem}-{i}.{ending}") }).find(|name| !Path::new(name).exists());
        match free {
            Some(name) => match wayfare_record::write_whole(&name, text.as_bytes()) {
                Ok(()) => format!("wrote {name}"),
                Err(error) => error.to_string(),
            },
            None => format!("{name} and a thousand others are there already"),
        }
    }
}

/// Seconds since some moment, for measuring how long a tick takes.
pub(crate) fn seconds() -> f64 {
    #[cfg(target_arch = "wasm32")]
    {
        crate::web::seconds()
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        use std::sync::OnceLock;
        use std::time::Instant;
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_secs_f64()
    }
}
