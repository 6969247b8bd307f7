//! `cargo xtask site`: the book with its demos and the gallery, as a static site in `target/site`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::web::{self, tools};

/// A demo is compared with the command after so many ticks, which the page counts too.
const TICKS: &str = "300";

/// Builds the site from what `web::build` has left in `target`. `program` is `wayfare-book`,
/// `command` the command `wayfare`.
pub(crate) fn build(root: &Path, program: &Path, command: &Path) -> Result<(), String> {
    let target = root.join("target");
    let (book, fresh) = (target.join("book"), target.join("site-next"));
    web::make_empty(&book)?;
    web::make_empty(&fresh)?;
    let mut prepare = Command::new(program);
    web::run(prepare.arg(root.join("book")).arg(&book), "preparing the pages of the book")?;
    let mut make = Command::new(tools::pages()?);
    make.arg("book").arg(&book).arg(&fresh);
    web::run(&mut make, "mdbook")?;

    copy(&target.join("web"), &fresh.join("gallery"))?;
    let read = |path: PathBuf| {
        std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
    };
    let summary = read(book.join("src/SUMMARY.md"))?;
    let chapters = chapters(&summary, |page| read(fresh.join(page)))?;
    let list = fresh.join("gallery/chapters.json");
    std::fs::write(&list, chapters).map_err(|e| format!("{}: {e}", list.display()))?;
    copy(&target.join("demo"), &fresh.join("demo"))?;
    web::make_empty(&fresh.join("demos"))?;
    on_all_cores(&scenes(root)?, |(name, scene)| {
        // A picture stands in until a demo has started, and where it cannot.
        let picture = fresh.join("demos").join(format!("{name}.png"));
        let mut draw = Command::new(command);
        draw.args(["run", scene, "--quiet", "--every", "10", "-o"]).arg(picture);
        web::run(&mut draw, &format!("drawing {scene}"))
    })?;
    web::put(&fresh, &target.join("site"))
}

/// Tests the site in a browser, beside the command.
pub(crate) fn test(root: &Path, command: &Path) -> Result<(), String> {
    let chromium = web::chromium()?;
    let mut digests = Vec::new();
    for (name, scene) in scenes(root)? {
        let mut run = Command::new(command);
        run.args(["run", &scene, "--ticks", TICKS, "--digest", "--quiet"]);
        let digest = crate::package::output(&mut run)?;
        digests.push(format!("\"{name}\": \"{digest}\""));
    }
    let expected = root.join("target").join("book-digests.json");
    std::fs::write(&expected, format!("{{{}}}", digests.join(", ")))
        .map_err(|e| format!("{}: {e}", expected.display()))?;
    println!("xtask: the book in {chromium}");
    let mut test = Command::new("node");
    test.arg(root.join("web/tests/book.mjs")).arg(root.join("target/site")).arg(&expected);
    test.args(std::env::var_os("WAYFARE_SHOTS"));
    test.env("WAYFARE_NODE_MODULES", tools::playwright()?).env("CHROMIUM", chromium);
    test.env("WAYFARE_AXE", tools::axe()?);
    web::run(&mut test, "the tests of the book")
}

/// Does something with each part, several at a time; the first mistake by the order of the parts.
fn on_all_cores<T: Sync>(
    parts: &[T],
    work: impl Fn(&T) -> Result<(), String> + Sync,
) -> Result<(), String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let share = parts.len().div_ceil(cores).max(1);
    std::thread::scope(|scope| {
        let shares = parts.chunks(share);
        let threads = shares.map(|share| scope.spawn(|| share.iter().try_for_each(&work)));
        let threads: Vec<_> = threads.collect();
        threads.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|_| Err("a thread has panicked".into()))
        })
    })
}

/// The scenes that the demos of the book show, with the names of their pictures.
fn scenes(root: &Path) -> Result<Vec<(String, String)>, String> {
    let list = root.join("target/book/scenes.txt");
    let text = std::fs::read_to_string(&list).map_err(|e| format!("{}: {e}", list.display()))?;
    let entry = |line: &str| {
        let (name, scene) = line.split_once(' ')?;
        // A file is one of the book's.
        let scene = match scene.ends_with(".toml") {
            true => root.join("book").join(scene).display().to_string(),
            false => scene.to_string(),
        };
        Some((name.to_string(), scene))
    };
    Ok(text.lines().filter_map(entry).collect())
}

/// The first chapter that shows a scene of the gallery, by the scene's name, as JSON.
fn chapters(
    summary: &str,
    page: impl Fn(&str) -> Result<String, String>,
) -> Result<String, String> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for line in summary.lines() {
        let entry = line.strip_prefix("- [").and_then(|entry| entry.strip_suffix(".md)"));
        let Some((title, name)) = entry.and_then(|entry| entry.split_once("](")) else { continue };
        let title = title.split(':').next().unwrap_or_default();
        let html = page(&format!("{name}.html"))?;
        for link in html.split("gallery/index.html?scene=").skip(1) {
            let scene = link.split(['"', '&']).next().unwrap_or_default();
            if html.contains(&format!("id=\"demo-{scene}\"")) && seen.insert(scene.to_string()) {
                found.push(format!(
                    "{scene:?}: {{\"page\": \"../{name}.html#demo-{scene}\", \"title\": {title:?}}}"
                ));
            }
        }
    }
    Ok(format!("{{{}}}\n", found.join(",\n")))
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    web::make_empty(to)?;
    let failed = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    for entry in std::fs::read_dir(from).map_err(|e| failed(from, e))? {
        let file: PathBuf = entry.map_err(|e| failed(from, e))?.path();
        let place = to.join(file.file_name().unwrap_or_default());
        match file.is_dir() {
            true => copy(&file, &place)?,
            false => drop(std::fs::copy(&file, &place).map_err(|e| failed(&file, e))?),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_has_the_first_chapter_that_shows_it() {
        let summary = "[Start](index.md)\n- [Seek \"it\": a force](seek.md)\n- [More](more.md)\n";
        let link = |scene: &str| {
            format!("<figure id=\"demo-{scene}\"><a href=\"gallery/index.html?scene={scene}\">")
        };
        let page = |name: &str| match name {
            "seek.html" => Ok(link("seek") + &link("own.toml&amp;text=x")),
            "more.html" => Ok(link("seek") + &link("flee")),
            _ => Err(format!("no {name}")),
        };
        let found = chapters(summary, page).expect("there are all pages");
        let lines = [
            r##"{"seek": {"page": "../seek.html#demo-seek", "title": "Seek \"it\""},"##,
            r##""flee": {"page": "../more.html#demo-flee", "title": "More"}}"##,
        ];
        assert_eq!(found.trim_end(), lines.join("\n"));
    }
}
