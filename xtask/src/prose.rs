//! The checks of `style.md` that a program can do: words that hide the subject of a sentence, and
//! lines over 100 columns.

use std::path::{Path, PathBuf};

/// The longest line of code or prose, in characters.
const COLUMNS: usize = 100;

/// Words for agents and readers that say less than the field's term.
const WORDS: [&str; 5] = ["whoever", "whomever", "somebody", "nobody", "whose own"];

/// The kinds of files that are checked.
const EXTENSIONS: [&str; 7] = ["rs", "md", "js", "mjs", "html", "css", "sh"];

/// Folders without text of our own: builds, data that tests read, and recorded outputs.
const LEFT_OUT: [&str; 5] = ["target", ".git", "node_modules", "snapshots", "seeds"];

/// Fails where a file has a line that is too long or one of the words.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let mut found = Vec::new();
    for path in files(root)? {
        let text =
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        // This file names the words.
        if !name.ends_with("prose.rs") {
            found.extend(problems(&text).map(|(line, what)| format!("{name}:{line}: {what}")));
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    found.sort();
    let (count, most) = (found.len(), found.len().min(40));
    Err(format!("{count} lines against docs/style.md\n{}", found[..most].join("\n")))
}

/// The problems of a text, each with its line number.
fn problems(text: &str) -> impl Iterator<Item = (usize, String)> + '_ {
    let mut in_block = false;
    text.lines().enumerate().flat_map(move |(index, line)| {
        let mut problems = Vec::new();
        // A page's block is a scene or a command.
        in_block ^= line.starts_with("```");
        let length = line.chars().count();
        if length > COLUMNS && !in_block && !may_be_long(line) {
            problems.push((index + 1, format!("{length} columns; allowed: up to {COLUMNS}")));
        }
        let words = line.to_lowercase();
        for word in WORDS.iter().filter(|word| has_word(&words, word)) {
            problems.push((index + 1, format!("`{word}`: name the agent, behavior or reader")));
        }
        problems
    })
}

/// A table, an address, a scene in JSON or a long name of a test cannot be broken.
fn may_be_long(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches(['/', '!']).trim_start();
    line.starts_with('|')
        || line.starts_with("{ \"")
        || line.contains("://")
        || line.starts_with("![")
        || { line.starts_with("fn ") || line.starts_with("async \"") }
}

fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !letter(line[..at].chars().next_back()) && !letter(line[at + word.len()..].chars().next())
    })
}

/// All files of ours with one of the extensions.
fn files(root: &Path) -> Result<Vec<PathBuf>, String> {
    let (mut folders, mut files) = (vec![root.to_path_buf()], Vec::new());
    while let Some(folder) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in entries {
            let entry = entry.map_err(|e| e.to_string())?;
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            let kind = entry.file_type().map_err(|e| e.to_string())?;
            if kind.is_dir() && !LEFT_OUT.contains(&name.as_str()) {
                folders.push(path);
            } else if kind.is_file()
                && path.extension().is_some_and(|e| EXTENSIONS.iter().any(|known| e == *known))
            {
                files.push(path);
            }
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_and_unclear_words_are_found_with_their_line_numbers() {
        let long = "x".repeat(101);
        let text = format!("fine\n{long}\n| {long} |\nNobody looks\nnobody_looks(antibody)\n");
        let lines: Vec<usize> = problems(&text).map(|(line, _)| line).collect();
        assert_eq!(lines, [2, 4, 5]);
    }
}
