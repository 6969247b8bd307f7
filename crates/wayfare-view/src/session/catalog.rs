//! The bundled scenes with their titles and descriptions.

use wayfare_scene::{BUNDLED, Bundled, Format, Source, read};

/// A bundled scene.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) scene: &'static Bundled,
    pub(crate) title: String,
    /// The description of the scene: the effects to watch.
    pub(crate) description: String,
}

/// All bundled scenes, in the order of the list.
pub(crate) fn catalog() -> Vec<Entry> {
    BUNDLED
        .iter()
        .map(|scene| {
            let source = Source { name: scene.name.to_string(), text: scene.text.to_string() };
            let title = read(&source, Format::Toml)
                .map_or_else(|_| scene.name.to_string(), |any| any.title().to_string());
            Entry { scene, title, description: description(scene.text) }
        })
        .collect()
}

/// The comment at the beginning of a scene, on one line.
pub(crate) fn description(text: &str) -> String {
    let lines = text
        .lines()
        .map(str::trim)
        .skip_while(|line| line.is_empty())
        .map_while(|line| line.strip_prefix('#'));
    // `#:schema` and the like are for editors.
    lines.filter(|line| !line.starts_with(':')).map(str::trim).collect::<Vec<_>>().join(" ")
}

impl Entry {
    /// Whether all words of `search` are in its folder, name, title or description.
    pub(crate) fn matches(&self, search: &str) -> bool {
        let text = format!(
            "{} {} {} {}",
            self.scene.folder, self.scene.name, self.title, self.description
        )
        .to_lowercase();
        search.to_lowercase().split_whitespace().all(|word| text.contains(word))
    }
}

/// The heading of a folder in the list.
pub(crate) fn heading(folder: &str) -> &str {
    match folder {
        "classic" => "Classic",
        "reynolds" => "More of Reynolds",
        "crowd" => "Crowds",
        "bench" => "Measured",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_scene_has_a_title_and_a_description() {
        for entry in catalog() {
            assert!(entry.title != entry.scene.name && entry.description.len() > 20, "{entry:?}");
        }
        assert_eq!(
            description("\n#:schema x\n# Look at\n#  this.\ntitle = 1\n# not this"),
            "Look at this."
        );
    }

    #[test]
    fn a_search_ignores_case_and_order_of_words() {
        let all = catalog();
        let found = |search: &str| {
            all.iter()
                .filter(|entry| entry.matches(search))
                .map(|entry| entry.scene.name)
                .collect::<Vec<_>>()
        };
        assert!(found("OVERSHOOTING pointer").contains(&"arrive"));
        assert_eq!(found("").len(), all.len());
        assert!(found("no such thing").is_empty());
    }
}
