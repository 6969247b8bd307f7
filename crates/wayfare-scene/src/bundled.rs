//! The bundled scenes, compiled into the program.

use crate::decode::suggest::LIKELY;

/// Names whose similarity is within this of the largest one are suggested as well.
const MARGIN: f64 = 0.1;

/// A scene that is compiled into the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// Its folder: `classic`.
    pub folder: &'static str,
    /// Its name, unique among all bundled scenes.
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

macro_rules! bundled {
    ($($folder:literal: $($name:literal),+;)*) => {
        &[$($(Bundled {
            folder: $folder,
            name: $name,
            text: include_str!(concat!("../scenes/", $folder, "/", $name, ".toml")),
        },)+)*]
    };
}

/// All bundled scenes; a test compares the list with the folder `scenes/`.
pub const BUNDLED: &[Bundled] = bundled! {
    "classic": "seek", "seek-without-force", "flee", "arrive", "wander", "wander-random-targets",
        "pursue", "pursue-3", "pursue-30", "evade", "seek-and-flee", "hunter-and-prey",
        "obstacles", "avoid-one", "avoid-several", "avoid-uncorrected", "avoid-corrected",
        "zombies", "path-touch", "path-radius", "path-patrol", "path-curve",
        "leader", "leader-arrive", "leader-separation", "captain",
        "doorway-free", "doorway-hard-stop", "doorway-brake", "doorway-brake-and-stop",
        "doorway-separation";
    "reynolds": "offset-pursue", "interpose", "hide", "shadow", "follow-wall", "contain",
        "avoid-agents", "settle", "context", "facing", "wheels", "wind", "flow-trap", "rooms",
        "guard", "stuck", "formation", "explore", "forage", "street";
    "crowd": "doorway-150", "busy-door", "two-rooms", "two-doors", "closing-door", "office-30",
        "museum", "corridor-lanes", "counterflow", "bodyguards", "cars", "counters", "concourse",
        "sheepdog", "ring-200", "ring-orca", "social-force-crossing", "flock-2000-2d",
        "flock-2000-3d";
    "bench": "flock-3d", "flock-2d", "opensteer-boids", "game-crowd", "among-obstacles", "chase",
        "separate";
};

/// The bundled scene of that name; `seek` and `classic/seek` are the same.
pub fn bundled(name: &str) -> Option<&'static Bundled> {
    BUNDLED.iter().find(|scene| {
        scene.name == name || name.split_once('/') == Some((scene.folder, scene.name))
    })
}

/// The names of bundled scenes that may be meant by `name`, the likeliest first: those that begin
/// with it, or else the most similar ones.
///
/// ```
/// assert_eq!(wayfare_scene::bundled_like("arive"), ["arrive"]);
/// assert_eq!(wayfare_scene::bundled_like("flock-2000"), ["flock-2000-2d", "flock-2000-3d"]);
/// assert!(wayfare_scene::bundled_like("nothing of the kind").is_empty());
/// ```
pub fn bundled_like(name: &str) -> Vec<&'static str> {
    similar(name, BUNDLED.iter().map(|scene| scene.name))
}

/// Those of `names` that may be meant by `name`, as [`bundled_like`] takes them.
pub fn similar<'n>(name: &str, names: impl Iterator<Item = &'n str> + Clone) -> Vec<&'n str> {
    let begun: Vec<_> =
        names.clone().filter(|known| !name.is_empty() && known.starts_with(name)).collect();
    if !begun.is_empty() {
        return begun;
    }
    let mut similar: Vec<_> =
        names.map(|known| (strsim::normalized_damerau_levenshtein(name, known), known)).collect();
    similar.sort_by(|a, b| b.0.total_cmp(&a.0));
    let most = similar.first().map_or(0.0, |(similarity, _)| *similarity);
    let least = most.max(LIKELY + MARGIN) - MARGIN;
    similar
        .into_iter()
        .filter(|(similarity, _)| *similarity >= least)
        .map(|(_, known)| known)
        .collect()
}
