//! The scenes that come with the program: part of it, so that they are found wherever it is run.

/// A scene that is part of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// The folder it is kept in: `classic`.
    pub folder: &'static str,
    /// Its name, unique among all.
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

macro_rules! bundled {
    ($($folder:literal: $($name:literal),+;)*) => {
        &[$($(Bundled {
            folder: $folder,
            name: $name,
            text: include_str!(concat!("../../../scenes/", $folder, "/", $name, ".toml")),
        },)+)*]
    };
}

/// All bundled scenes; a test holds the list against the folder `scenes/`.
pub const BUNDLED: &[Bundled] = bundled! {
    "classic": "seek", "seek-without-force", "flee", "arrive", "wander", "wander-random-targets", "pursue", "pursue-3", "pursue-30", "evade",
        "seek-and-flee", "hunter-and-prey", "obstacles", "avoid-one", "avoid-several", "avoid-uncorrected", "avoid-corrected", "zombies",
        "path-touch", "path-radius", "path-patrol", "path-curve", "leader", "leader-arrive", "leader-separation", "captain",
        "doorway-free", "doorway-hard-stop", "doorway-brake", "doorway-brake-and-stop", "doorway-separation";
    "crowd": "doorway-150", "counterflow", "ring-200", "flock-2000-2d", "flock-2000-3d";
    "bench": "flock-3d", "flock-2d", "game-crowd", "among-obstacles", "chase", "separate";
};

/// The bundled scene of that name; `seek` and `classic/seek` are the same.
pub fn bundled(name: &str) -> Option<&'static Bundled> {
    BUNDLED.iter().find(|scene| scene.name == name || name.split_once('/') == Some((scene.folder, scene.name)))
}
