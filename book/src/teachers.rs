//! What the pages for teachers take from the chapters: the sheet of formulas, and the demos, each
//! on a page of its own for slides.

use std::fmt::Write as _;
use std::path::Path;

use crate::block::{Scenes, escaped};
use crate::page::formulas;
use crate::{files, name, read, write};

/// Files of the folder `theme` that the page of a demo has too.
const SHARED: [&str; 3] = ["book.css", "page.js", "demo.js"];
/// Sections whose names say nothing about their formulas.
const PLAIN: [&str; 3] = ["The formula", "The idea", "What goes wrong"];

/// The chapters of the course in a summary: title and file.
pub(crate) fn chapters(summary: &str) -> Vec<(&str, &str)> {
    let course = summary.split("\n# ").find(|part| part.starts_with("The course"));
    let entries = course.unwrap_or_default().lines();
    entries
        .filter_map(|line| line.strip_prefix("- [")?.strip_suffix(')')?.split_once("]("))
        .collect()
}

/// The formulas of the chapters, with their symbols and sources.
pub(crate) fn sheet(book: &Path, chapters: &[(&str, &str)]) -> Result<String, String> {
    let mut sheet = "<div class=\"sheet\">\n".to_string();
    for (title, file) in chapters {
        let text = read(&book.join("pages").join(file))?;
        let title = title.split(':').next().unwrap_or_default();
        let section = section(&text, file);
        let section = formulas(&section).map_err(|error| format!("{file}: {error}"))?;
        let _ = write!(sheet, "<section>\n\n## {title}\n{section}\n</section>\n");
    }
    Ok(sheet + "</div>\n")
}

/// The formulas of a chapter, with the names of their sections, then symbols and sources.
fn section(chapter: &str, file: &str) -> String {
    let (text, sources) = chapter.split_once("\n## Sources\n").unwrap_or((chapter, ""));
    let (mut found, mut symbols) = (String::new(), Vec::new());
    for part in text.split("\n## ").take_while(|part| !part.starts_with("Exercise")) {
        // Every other part is a block.
        let prose: String = part.split("\n```").step_by(2).collect::<Vec<_>>().join("\n");
        let all: Vec<&str> = prose.split("$$").skip(1).step_by(2).collect();
        let heading = part.lines().next().unwrap_or_default();
        let is_other = !found.is_empty() && !PLAIN.contains(&heading);
        if !all.is_empty() && (is_other || heading.contains(": ")) {
            let _ = write!(found, "\n{}:\n", heading.split(':').next().unwrap_or_default());
        }
        for formula in all {
            let _ = write!(found, "\n$${formula}$$\n");
        }
        for row in prose.lines().filter_map(|line| line.strip_prefix("| $")?.strip_suffix(" |")) {
            if let Some((symbol, meaning)) = row.split_once(" | ")
                && !meaning.contains(" | ")
            {
                symbols.push(format!("${symbol} {meaning}"));
            }
        }
    }
    let sources = sources.split("\n- ").map(|source| source.replace('\n', " "));
    let sources: Vec<String> = sources.filter_map(|source| short(&source)).collect();
    let (symbols, sources) = (symbols.join("; "), sources.join("; "));
    format!("{found}\n{symbols}.\n\n*Sources: {sources}.* [Chapter]({file})\n")
}

/// The authors of a source, or its title, and its year.
fn short(source: &str) -> Option<String> {
    let mut parts = source.split('*');
    let (before, title) = (parts.next()?, parts.next()?);
    let authors = before.strip_suffix(", ").map(|names| names.trim_start_matches("- "));
    let mut words = source.split(|c: char| !c.is_ascii_digit());
    let year = words.find(|word| word.len() == 4 && ["19", "20"].contains(&&word[..2]))?;
    Some(format!("{} {year}", authors.map_or(title.trim_end_matches(','), str::trim)))
}

/// Writes a page for each demo, and what these pages need, into the folder `embed`.
pub(crate) fn embeds(book: &Path, target: &Path, scenes: &Scenes) -> Result<(), String> {
    let own = files(&book.join("embed"))?;
    for file in own.into_iter().chain(SHARED.map(|file| book.join("theme").join(file))) {
        write(&target.join(name(&file)), &read(&file)?)?;
    }
    for (name, demo) in scenes {
        let title = escaped(&demo.title);
        let page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\" class=\"embed\">\n<head>\n\
             <meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<base href=\"../\" target=\"_blank\">\n\
             <link rel=\"stylesheet\" href=\"embed/book.css\">\n\
             <link rel=\"stylesheet\" href=\"embed/embed.css\">\n</head>\n<body>\n\
             <main>\n{}</main>\n\
             <script src=\"embed/embed.js\"></script>\n<script src=\"embed/page.js\"></script>\n\
             <script src=\"embed/demo.js\"></script>\n</body>\n</html>\n",
            demo.figure
        );
        write(&target.join(format!("{name}.html")), &page)?;
    }
    Ok(())
}

/// A table of the chapters' demos, which links to their pages.
pub(crate) fn demos(chapters: &[(&str, &str)], scenes: &Scenes) -> String {
    let mut table = "| chapter | demos |\n|---|---|\n".to_string();
    for (title, file) in chapters {
        let title = title.split(':').next().unwrap_or_default();
        let shown = scenes.iter().filter(|(_, demo)| demo.pages.iter().any(|page| page == file));
        let links = shown.map(|(name, _)| format!("[`{name}`](embed/{name}.html)"));
        let _ = writeln!(table, "| [{title}]({file}) | {} |", links.collect::<Vec<_>>().join(", "));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chapter_gives_its_formulas_symbols_and_sources() {
        let chapter = "# Flee\n\n## Flee: away\n\n$$f = -v$$\n\n| symbol | is |\n|---|---|\n\
                       | $v$ | the velocity |\n\n```toml\na = '$$'\n```\n\n## Exercise\n\n$$x$$\n\n\
                       ## Sources\n\n- A. Author, *A Title*,\n  2001: a part, 1 of 2002.\n\
                       - The rule is that of *Others*, 1999.\n";
        let expected = "\nFlee:\n\n$$f = -v$$\n\n$v$ the velocity.\n\n\
                        *Sources: A. Author 2001; Others 1999.* [Chapter](a.md)\n";
        assert_eq!(section(chapter, "a.md"), expected);
    }

    #[test]
    fn the_chapters_are_those_of_the_course() {
        let summary =
            "# Summary\n\n# The course\n\n- [Seek: a](seek.md)\n\n# Other\n\n- [B](b.md)\n";
        assert_eq!(chapters(summary), [("Seek: a", "seek.md")]);
    }
}
