//! `wayfare explain`: a behavior, a measure, a table or a key of scenes, from the descriptions that
//! the decoder reads; and `wayfare list behaviors`.

use std::collections::BTreeSet;

use wayfare_scene::{BUNDLED, Bundled, Topic, TopicKey, printable, similar, topics};

use crate::{Failure, error, print};

/// The widest line of an explanation (columns).
const WIDTH: usize = 80;

/// The most scenes that are named for one topic.
const MOST_SCENES: usize = 8;

/// Where the pages of the docs are.
const PAGES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs");

/// Prints what can be explained, by kind, each with the first sentence of its text.
pub(crate) fn list() -> Result<(), Failure> {
    let topics = topics();
    let width = topics.iter().map(|topic| topic.name.len()).max().unwrap_or(0);
    let (mut text, mut kind) = (String::new(), "");
    for topic in &topics {
        if topic.kind != kind {
            kind = topic.kind;
            text.push_str(&format!("{kind}s\n"));
        }
        let (first, _) = topic.doc.split_once(". ").unwrap_or((&topic.doc, ""));
        let line = format!("{:width$}  {}", topic.name, first.trim_end_matches('.'));
        text.push_str(&wrapped(&line, 2, width + 4));
    }
    text.push_str("\nExplain one with `wayfare explain NAME`.\n");
    print(&text)
}

/// Explains the topics, or the keys, of this name.
pub(crate) fn explain(name: &str) -> Result<(), Failure> {
    let topics = topics();
    let is_named = |topic: &&Topic| topic.name == name || topic.aliases.contains(&name);
    let mut texts: Vec<String> = topics.iter().filter(is_named).map(text_of).collect();
    if texts.is_empty() {
        texts.extend(topics.iter().filter_map(|topic| {
            let key = topic.keys.iter().find(|key| key.name == name)?;
            let owner = format!("{name}, a key of the {} {}\n", topic.kind, topic.name);
            Some(format!("{owner}{}", key_text(key)))
        }));
    }
    if texts.is_empty() {
        let names: BTreeSet<&str> = topics.iter().map(|topic| topic.name).collect();
        let keys: BTreeSet<&str> =
            topics.iter().flat_map(|topic| &topic.keys).map(|key| key.name).collect();
        let mut known = similar(name, names.iter().copied());
        if known.is_empty() {
            known = similar(name, keys.iter().copied());
        }
        let suggestion = match known.as_slice() {
            [] => String::new(),
            known => format!("; did you mean `{}`?", known.join("` or `")),
        };
        return Err(error(format!(
            "nothing in a scene is called `{}`{suggestion}\nallowed: a name that `wayfare list \
             behaviors` shows, or a key of a scene",
            printable(name)
        )));
    }
    print(&texts.join("\n"))
}

fn text_of(topic: &Topic) -> String {
    let Topic { kind, name, aliases, doc, keys, needs, roles } = topic;
    let mut text = format!("{name}, a {kind}\n\n{}", wrapped(doc, 0, 0));
    if !keys.is_empty() {
        let whose = if *kind == "table" { "Keys" } else { "Parameters" };
        text.push_str(&format!("\n{whose}:\n"));
        keys.iter().for_each(|key| text.push_str(&key_text(key)));
    }
    let words = |names: Vec<&str>| names.join(", ").to_lowercase().replace('_', " ");
    let scenes = scenes_with(name, *kind == "measure");
    let mut listed = scenes.iter().take(MOST_SCENES).copied().collect::<Vec<_>>().join(", ");
    if scenes.len() > MOST_SCENES {
        listed.push_str(&format!(" and {} more", scenes.len() - MOST_SCENES));
    }
    let picture = scenes.first().map_or_else(String::new, |first| {
        format!("wayfare run {first} -o {first}.png\nText: wayfare show {first}")
    });
    let page = match *kind {
        "measure" => format!("{PAGES}/measures.md"),
        "table" => format!("{PAGES}/scenes.md"),
        _ => format!("{PAGES}/behaviors.md#{name}"),
    };
    text.push('\n');
    for (label, value) in [
        ("Other names", aliases.join(", ")),
        ("Needs", words(needs.names().collect())),
        ("Roles", words(roles.names().collect())),
        ("Scenes", listed),
        ("Picture", picture),
        ("Page", page),
    ] {
        if !value.is_empty() {
            let lines = format!("{label}: {value}");
            lines.lines().for_each(|line| text.push_str(&wrapped(line, 0, 2)));
        }
    }
    text
}

/// A key with what it takes, its default and its effect.
fn key_text(key: &TopicKey) -> String {
    let TopicKey { name, takes, default, doc } = key;
    let takes = if takes.is_empty() { String::new() } else { format!("{takes}; ") };
    let default = match default.as_str() {
        "required" => "required".to_string(),
        default => format!("default {default}"),
    };
    wrapped(&format!("{name}: {takes}{default}"), 2, 6) + &wrapped(doc, 6, 6)
}

/// The words of `text` in lines, the first with this indent and the others with `rest`.
fn wrapped(text: &str, first: usize, rest: usize) -> String {
    let (mut lines, mut line) = (String::new(), " ".repeat(first));
    let mut is_begun = false;
    // Blanks align columns in the first line: only single ones are places to break.
    for word in text.trim_end().split_inclusive(' ') {
        if is_begun && line.chars().count() + word.trim_end().chars().count() > WIDTH {
            lines.push_str(line.trim_end());
            lines.push('\n');
            line = " ".repeat(rest);
        }
        line.push_str(word);
        is_begun = true;
    }
    lines + line.trim_end() + "\n"
}

/// The names of the bundled scenes that have the key `name`, in a table of `measure` or elsewhere:
/// first those that begin with it, then those with the shortest texts.
fn scenes_with(name: &str, in_measure: bool) -> Vec<&'static str> {
    let mut scenes: Vec<&Bundled> =
        BUNDLED.iter().filter(|scene| has_key(scene.text, name, in_measure)).collect();
    let dashed = name.replace('_', "-");
    scenes.sort_by_key(|scene| (!scene.name.starts_with(&dashed), scene.text.len()));
    scenes.into_iter().map(|scene| scene.name).collect()
}

/// Whether a text in TOML has the key `name`, before a `=` or in the header of a table.
fn has_key(text: &str, name: &str, in_measure: bool) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_-\"".contains(c);
    let mut is_measure = false;
    text.lines().any(|line| {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.starts_with('[') {
            is_measure = line.starts_with("[[measure");
        }
        is_measure == in_measure
            && line.match_indices(name).any(|(at, _)| {
                let (before, after) = (&line[..at], line[at + name.len()..].trim_start());
                let is_whole = !before.ends_with(is_part) && !after.starts_with(is_part);
                is_whole && (after.starts_with('=') || line.starts_with('['))
            })
    })
}
