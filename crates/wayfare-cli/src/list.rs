//! `wayfare list`: the bundled scenes and their titles.

use wayfare_scene::{BUNDLED, Format, Source, read};

use crate::{Failure, say};

/// Prints each folder with its scenes.
pub(crate) fn list() -> Result<(), Failure> {
    let width = BUNDLED.iter().map(|scene| scene.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut folder = "";
    for scene in BUNDLED {
        if scene.folder != folder {
            folder = scene.folder;
            text.push_str(&format!("{folder}\n"));
        }
        let source = Source { name: scene.name.to_string(), text: scene.text.to_string() };
        let title = read(&source, Format::Toml).map(|scene| scene.title().to_string()).unwrap_or_default();
        text.push_str(&format!("  {:width$}  {title}\n", scene.name));
    }
    text.push_str("\nRun one with `wayfare run NAME -o NAME.png`.\n");
    say(&text)
}
