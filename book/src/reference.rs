//! The pages of the reference: those of `docs/`, a page per behavior, and the errors. They are made
//! from what the project has, so that nothing is written twice.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use wayfare_scene::BUNDLED;

use crate::{files, name, read, write};

/// The address of files of the project that are no pages of the book.
const REPOSITORY: &str = "https://github.com/wayfare-rs/wayfare/blob/main/";
/// The page of `docs/` that becomes a page per behavior.
const BEHAVIORS: &str = "behaviors.md";
/// The start of the table in docs/performance.md that says what behaviors cost.
const COSTS: &str = "| list | instructions |";
/// The page of `docs/` that is for work on the project, and is read there.
const DEPENDENCIES: &str = "dependencies.md";

/// Writes the pages into `target`, and gives the summary's lines for the behaviors.
pub(crate) fn prepare(root: &Path, target: &Path) -> Result<String, String> {
    let docs = root.join("docs");
    let behaviors = Behaviors::read(root)?;
    for file in files(&docs)?.into_iter().filter(|file| file.is_file()) {
        let (path, file_name) = (target.join(name(&file)), name(&file).to_string_lossy());
        if !file_name.ends_with(".md") {
            std::fs::copy(&file, &path).map_err(|e| format!("{}: {e}", file.display()))?;
        } else if ![BEHAVIORS, DEPENDENCIES].contains(&&*file_name) {
            write(&path, &links(&read(&file)?, |link| relinked(link, &behaviors)))?;
        }
    }
    write(&target.join(BEHAVIORS), &behaviors.index())?;
    write(&target.join("errors.md"), &errors(root)?)?;
    let mut summary = String::new();
    for behavior in behaviors.sections.keys() {
        write(&target.join(format!("behavior-{behavior}.md")), &behaviors.page(behavior)?)?;
        let _ = writeln!(summary, "  - [{behavior}](reference/behavior-{behavior}.md)");
    }
    Ok(summary)
}

/// The text with the targets of its links changed.
fn links(text: &str, change: impl Fn(&str) -> String) -> String {
    let mut parts = text.split("](");
    let mut changed = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.split_once(')') {
            // A target with a blank is no link.
            Some((link, rest)) if !link.contains(char::is_whitespace) => {
                // A function has parentheses of its own.
                let rest = rest.strip_prefix(')').filter(|_| link.ends_with('(')).unwrap_or(rest);
                let _ = write!(changed, "]({}){rest}", change(link.trim_end_matches('(')));
            }
            _ => changed.extend(["](", part]),
        }
    }
    changed
}

/// The link of a page of `docs/`, in the page of the reference.
fn relinked(link: &str, behaviors: &Behaviors) -> String {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    match file {
        BEHAVIORS if behaviors.sections.contains_key(anchor) => {
            format!("behavior-{anchor}.md")
        }
        _ if file.contains("://") => link.to_string(),
        _ if file.starts_with("../") => format!("{REPOSITORY}{}", &file[3..]),
        // Folders of `docs/` are no pages.
        _ if file.contains('/') || file == DEPENDENCIES => {
            format!("{REPOSITORY}docs/{file}")
        }
        _ => link.to_string(),
    }
}

/// The texts and files of the project about its behaviors.
struct Behaviors {
    /// The text before the first behavior.
    introduction: String,
    /// The sections of docs/behaviors.md, which a test keeps equal to the descriptions.
    sections: BTreeMap<String, String>,
    /// The source files of behaviors and solvers.
    sources: Vec<String>,
    /// The scenes that name a behavior.
    scenes: BTreeMap<String, Vec<&'static str>>,
    /// The text of docs/performance.md, which has the costs.
    performance: String,
}

impl Behaviors {
    fn read(root: &Path) -> Result<Self, String> {
        let text = read(&root.join("docs/behaviors.md"))?;
        let mut parts = text.split("\n## ");
        let mut introduction = parts.next().unwrap_or_default().to_string();
        let mut sections = BTreeMap::new();
        for part in parts {
            match part.split_once('\n') {
                Some((name @ ("one tick" | "auto"), body)) => {
                    let _ = write!(introduction, "\n## {name}\n{body}");
                }
                Some((name, body)) => drop(sections.insert(name.to_string(), body.to_string())),
                None => {}
            }
        }
        let mut sources = Vec::new();
        for folder in ["behavior", "solve"] {
            collect(&root.join("crates/wayfare/src").join(folder), &mut sources)?;
        }
        let mut scenes: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for scene in BUNDLED {
            let value = scene.text.parse::<toml::Table>().map_err(|error| error.to_string())?;
            let mut keys = Vec::new();
            lists(&toml::Value::Table(value), &mut keys);
            keys.sort_unstable();
            keys.dedup();
            for key in keys {
                scenes.entry(key).or_default().push(scene.name);
            }
        }
        let performance = read(&root.join("docs/performance.md"))?;
        Ok(Self { introduction, sections, sources, scenes, performance })
    }

    /// The page that lists all behaviors.
    fn index(&self) -> String {
        // The text before that is about the page in `docs/`.
        let words = self.introduction.find("In a formula").unwrap_or_default();
        let mut page = format!("# The behaviors\n\n{}", &self.introduction[words..]);
        page.push_str("\n## All behaviors\n\n| behavior | what it does |\n|---|---|\n");
        for (name, section) in &self.sections {
            let first = section.trim().split("\n\n").next().unwrap_or_default().replace('\n', " ");
            let ends = [": ", ". "].into_iter().filter_map(|end| first.find(end));
            let first = first[..ends.min().unwrap_or(first.len())].trim_end_matches('.');
            let _ = writeln!(page, "| [`{name}`](behavior-{name}.md) | {first}. |");
        }
        page
    }

    /// The page of a behavior.
    fn page(&self, name: &str) -> Result<String, String> {
        let section = self.sections.get(name).map_or("", |section| section.trim());
        let mut page = format!("# {name}\n\n{section}\n");
        let source = self.sources.iter().find(|source| declares(source, name));
        let source = source.ok_or_else(|| format!("no source file declares `{name}`"))?;
        if let Some(function) = function(source, name) {
            let text = rustdoc(&function, &self.sections);
            let _ = write!(page, "\n## In Rust\n\n{text}");
        }
        let figures = figures(source);
        if !figures.is_empty() {
            let _ = write!(
                page,
                "\n## What it draws\n\nWith forces shown, the gallery, pictures and \
                 `Crowd::explain` have these figures of it: {figures}.\n"
            );
        }
        if let Some(scenes) = self.scenes.get(name) {
            let links = scenes
                .iter()
                .map(|scene| format!("[`{scene}`](../gallery/index.html?scene={scene})"));
            let links: Vec<String> = links.collect();
            let _ = write!(
                page,
                "\n## Scenes that use it\n\nThey open in the gallery: {}.\n",
                links.join(", ")
            );
        }
        let costs = costs(&self.performance, name);
        if !costs.is_empty() {
            let _ = write!(
                page,
                "\n## What it costs\n\nWhat an agent adds in a tick, and what options add instead. \
                 [How that was measured](performance.md#what-a-behavior-costs).\n\n{costs}"
            );
        }
        let about = source.lines().map_while(|line| line.strip_prefix("//!"));
        let about: String = about.flat_map(|line| [line.trim(), "\n"]).collect();
        let _ = write!(page, "\n## Source\n\n{}", rustdoc(&about, &self.sections));
        Ok(page)
    }
}

/// The rows of the table of costs that are about a behavior or one of its options, below the
/// table's head; empty without a row.
fn costs(performance: &str, name: &str) -> String {
    let lines = performance.lines().skip_while(|line| !line.starts_with(COSTS));
    let lines: Vec<&str> = lines.take_while(|line| line.starts_with('|')).collect();
    let [head, rule, rows @ ..] = &lines[..] else { return String::new() };
    let (own, option) = (format!("| `{name}`"), format!("| `{name}-"));
    let is_own = |row: &&&str| row.starts_with(&own) || row.starts_with(&option);
    let rows: String = rows.iter().filter(is_own).flat_map(|row| [*row, "\n"]).collect();
    if rows.is_empty() { rows } else { format!("{head}\n{rule}\n{rows}") }
}

/// The texts of all source files in a folder and below.
fn collect(folder: &Path, sources: &mut Vec<String>) -> Result<(), String> {
    for entry in files(folder)? {
        match entry.is_dir() {
            true => collect(&entry, sources)?,
            false => sources.push(read(&entry)?),
        }
    }
    Ok(())
}

/// Whether a source file declares the behavior: its quoted name, what it needs and is, then
/// `pub struct`.
fn declares(source: &str, name: &str) -> bool {
    let quoted = format!("\"{name}\" ");
    source.match_indices(&quoted).any(|(at, _)| {
        let declared = source[at + quoted.len()..].split_once("= pub struct ");
        declared.is_some_and(|(between, _)| !between.contains(['"', ';', '{']))
    })
}

/// The names of the entries in all lists `steer`.
fn lists(value: &toml::Value, names: &mut Vec<String>) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                if key == "steer"
                    && let toml::Value::Array(entries) = value
                {
                    let tables = entries.iter().filter_map(toml::Value::as_table);
                    names.extend(tables.flat_map(|entry| entry.keys().cloned()));
                }
                lists(value, names);
            }
        }
        toml::Value::Array(entries) => entries.iter().for_each(|entry| lists(entry, names)),
        _ => {}
    }
}

/// The documentation of the function with this name.
fn function(source: &str, name: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().collect();
    let starts = [format!("pub fn {name}<"), format!("pub fn {name}(")];
    let at = lines.iter().position(|line| starts.iter().any(|start| line.starts_with(start)))?;
    let before = lines[..at].iter().rev().skip_while(|line| line.starts_with("#["));
    let mut doc: Vec<&str> = before.map_while(|line| line.strip_prefix("///")).collect();
    doc.reverse();
    (!doc.is_empty()).then(|| {
        doc.iter().flat_map(|line| [line.strip_prefix(' ').unwrap_or(line), "\n"]).collect()
    })
}

/// The names of the figures that a source file draws.
fn figures(source: &str) -> String {
    let mut labels = Vec::new();
    for part in source.split("debug.").skip(1) {
        let call = ["point(\"", "circle(\"", "segment(\""].iter();
        let rest = call.filter_map(|call| part.strip_prefix(call)).next();
        if let Some((label, _)) = rest.and_then(|rest| rest.split_once('"')) {
            let label = format!("`{label}`");
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
    }
    labels.join(", ")
}

/// Documentation of Rust as a page: examples without their hidden lines, links to behaviors.
fn rustdoc(text: &str, behaviors: &BTreeMap<String, String>) -> String {
    let mut page = String::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
            page.push_str(if in_code { "```rust\n" } else { "```\n" });
        } else if in_code {
            if line != "#" && !line.starts_with("# ") {
                page.extend([line, "\n"]);
            }
        } else {
            page.extend([line, "\n"]);
        }
    }
    // `[`arrive`](super::arrive())` and `[`Crowd`]`.
    let page = links(&page, |link| {
        let last = link.rsplit("::").next().unwrap_or(link);
        match behaviors.contains_key(last) {
            true if !link.contains('/') => format!("behavior-{last}.md"),
            _ if link.starts_with("http") => link.to_string(),
            _ => "#".to_string(),
        }
    });
    unlinked(&page)
}

/// The text without links to items of the library, whose words stay.
fn unlinked(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some(start) = rest.find("[`") {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        let Some(end) = rest.find("`]") else { break };
        let (words, after) = (&rest[1..=end], &rest[end + 2..]);
        if let Some(after) = after.strip_prefix("(#)") {
            text.push_str(words);
            rest = after;
        } else if after.starts_with('(') {
            text.push_str(&rest[..end + 2]);
            rest = after;
        } else {
            text.push_str(words);
            rest = after;
        }
    }
    text.push_str(rest);
    text
}

/// The page of errors: the messages of the program about the mistakes in its tests.
fn errors(root: &Path) -> Result<String, String> {
    let folder = root.join("crates/wayfare-scene/tests/mistakes/snapshots");
    let snapshots: Vec<PathBuf> = files(&folder)?;
    let mut messages: BTreeMap<String, String> = BTreeMap::new();
    for snapshot in snapshots {
        let text = read(&snapshot)?;
        let body = text.splitn(3, "---\n").nth(2).unwrap_or_default();
        for message in body.split("\n\n") {
            let title = message.lines().next().unwrap_or_default().trim_start_matches("error: ");
            if !title.is_empty() {
                messages.entry(title.to_string()).or_insert_with(|| message.trim().to_string());
            }
        }
    }
    let mut page = read(&root.join("book/errors.md"))?;
    for message in messages.values() {
        let _ = write!(page, "\n```text\n{message}\n```\n");
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_the_library_become_links_of_the_book_or_words() {
        let behaviors = BTreeMap::from([("arrive".to_string(), String::new())]);
        let text = "[`arrive`](super::arrive()) stops; [`Crowd`] and [`step`](Crowd::step) do not.";
        let expected = "[`arrive`](behavior-arrive.md) stops; `Crowd` and `step` do not.\n";
        assert_eq!(rustdoc(text, &behaviors), expected);
    }

    #[test]
    fn a_behavior_is_declared_by_its_name_before_its_struct() {
        let source = "let f = \"flee\" ;\n    \"seek\" is(ROUTES) = pub struct Seek<V> {\n";
        assert!(declares(source, "seek") && !declares(source, "flee") && !declares(source, "see"));
        assert!(declares("\"see\" = pub struct See {", "see"));
    }

    #[test]
    fn the_documentation_of_a_function_is_found_above_its_attributes() {
        let source = "/// What it does.\n#[inline(always)]\npub fn seek<V>() {}\n";
        assert_eq!(function(source, "seek").as_deref(), Some("What it does.\n"));
        assert_eq!(function(source, "see"), None);
        assert_eq!(
            figures("debug.point(\"target\", || p); debug.circle(\"sight\", || q)"),
            "`target`, `sight`"
        );
    }
}
