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
    "classic": "seek", "flee", "arrive", "wander", "pursue", "evade", "obstacles", "path-patrol", "leader", "doorway-separation";
    "bench": "flock-3d", "flock-2d", "game-crowd", "among-obstacles", "chase", "separate";
};

/// The bundled scene of that name; `seek` and `classic/seek` are the same.
pub fn bundled(name: &str) -> Option<&'static Bundled> {
    BUNDLED.iter().find(|scene| scene.name == name || name.split_once('/') == Some((scene.folder, scene.name)))
}
