//! Prepares the pages of the book for mdBook: `wayfare-book BOOK TARGET` reads the folder `book`
//! and writes its source to a folder. Formulas become MathML, and blocks such as `demo` become
//! HTML. Each demo also has a page of its own.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

mod block;
mod formula;
mod page;
mod question;
mod reference;
mod teachers;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(book), Some(target)) = (arguments.next(), arguments.next()) else {
        return failed("usage: wayfare-book BOOK TARGET");
    };
    match prepare(&book, &target) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => failed(&text),
    }
}

#[allow(clippy::print_stderr)] // It is a program.
fn failed(text: &str) -> ExitCode {
    eprintln!("wayfare-book: {text}");
    ExitCode::FAILURE
}

/// Writes `book.toml`, `src` and `theme` of mdBook, and `scenes.txt` with a line for each scene
/// that a demo shows: the name of its picture, and the scene.
fn prepare(book: &Path, target: &Path) -> Result<(), String> {
    let root = book.parent().unwrap_or(book);
    let reference = target.join("src/reference");
    std::fs::create_dir_all(&reference).map_err(|e| format!("{}: {e}", reference.display()))?;
    let behaviors = reference::prepare(root, &reference)?;
    let (mut scenes, mut pages) = (block::Scenes::new(), Vec::new());
    for page in files(&book.join("pages"))? {
        let text = read(&page)?.replace("{{behaviors}}\n", &behaviors);
        let prepared = page::prepare(book, &text, &mut scenes)
            .map_err(|(line, text)| format!("{}:{line}: {text}", page.display()))?;
        let file = name(&page).to_string_lossy().into_owned();
        for (name, demo) in &mut scenes {
            if prepared.contains(&format!("id=\"demo-{name}\"")) {
                demo.pages.push(file.clone());
            }
        }
        pages.push((file, prepared));
    }
    let summary = read(&book.join("pages/SUMMARY.md"))?;
    let chapters = teachers::chapters(&summary);
    let (sheet, demos) = (teachers::sheet(book, &chapters)?, teachers::demos(&chapters, &scenes));
    for (file, prepared) in pages {
        let text = prepared.replace("{{formulas}}\n", &sheet).replace("{{demos}}\n", &demos);
        write(&target.join("src").join(file), &text)?;
    }
    teachers::embeds(book, &target.join("src/embed"), &scenes)?;
    for file in files(&book.join("theme"))? {
        write(&target.join("theme").join(name(&file)), &read(&file)?)?;
    }
    // In place of mdBook's own fonts: text moves when its font comes after it.
    write(&target.join("theme/fonts/fonts.css"), "/* The fonts of the system. */\n")?;
    write(&target.join("book.toml"), &read(&book.join("book.toml"))?)?;
    let scenes: String =
        scenes.iter().map(|(name, demo)| format!("{name} {}\n", demo.scene)).collect();
    write(&target.join("scenes.txt"), &scenes)
}

/// The files of a folder by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> =
        paths.collect::<Result<_, _>>().map_err(|e| format!("{}: {e}", folder.display()))?;
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> &std::ffi::OsStr {
    path.file_name().unwrap_or_default()
}

pub(crate) fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}
