//! The report about the viewer that a page gets in each frame.

/// The state of the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Running,
    Paused,
    /// No scene is shown.
    Error,
}

impl State {
    /// The value of the page's `data-state`.
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

/// The state of the viewer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Report {
    pub(crate) state: State,
    pub(crate) scene: String,
    pub(crate) tick: u64,
    pub(crate) agents: usize,
    /// The digest of a small crowd in every frame; of others only while paused.
    pub(crate) digest: Option<u64>,
    /// Name and digest of the second scene of a comparison.
    pub(crate) compare: Option<(String, Option<u64>)>,
}
