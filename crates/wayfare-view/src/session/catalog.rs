//! The bundled scenes as a newcomer finds them: by folder, with a title and a sentence on what to
//! look at.

use wayfare_scene::{BUNDLED, Bundled, Format, Source, read};

/// A bundled scene in the list.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) scene: &'static Bundled,
    pub(crate) title: String,
    /// What to look at.
    pub(crate) sentence: String,
}

/// All bundled scenes, in their order.
pub(crate) fn catalog() -> Vec<Entry> {
    BUNDLED
        .iter()
        .map(|scene| {
            let source = Source { name: scene.name.to_string(), text: scene.text.to_string() };
            let title = read(&source, Format::Toml)
                .map_or_else(|_| scene.name.to_string(), |any| any.title().to_string());
            Entry { scene, title, sentence: sentence(scene.text) }
        })
        .collect()
}

/// The comment that a scene begins with, as one text.
pub(crate) fn sentence(text: &str) -> String {
    let lines = text
        .lines()
        .map(str::trim)
        .skip_while(|line| line.is_empty())
        .map_while(|line| line.strip_prefix('#'));
    // What is told to editors is not told to people.
    lines.filter(|line| !line.starts_with(':')).map(str::trim).collect::<Vec<_>>().join(" ")
}

impl Entry {
    /// Whether all words of `search` are in its name, its title or its sentence.
    pub(crate) fn matches(&self, search: &str) -> bool {
        let text =
            format!("{} {} {} {}", self.scene.folder, self.scene.name, self.title, self.sentence)
                .to_lowercase();
        search.to_lowercase().split_whitespace().all(|word| text.contains(word))
    }
}

/// The name of a folder for people.
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
    fn every_bundled_scene_has_a_title_and_says_what_to_look_at() {
        for entry in catalog() {
            assert!(entry.title != entry.scene.name && entry.sentence.len() > 20, "{entry:?}");
        }
        assert_eq!(
            sentence("\n#:schema x\n# Look at\n#  this.\ntitle = 1\n# not this"),
            "Look at this."
        );
    }

    #[test]
    fn a_search_finds_words_anywhere_in_any_case() {
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
