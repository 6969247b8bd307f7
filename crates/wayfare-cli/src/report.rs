//! `wayfare report`: a page about a run or a trajectory.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use wayfare_record::report::{Repeat, Source, of_trajectory};
use wayfare_record::rows::read::{extension_of, open};
use wayfare_record::{WholeFile, resolved_path};
use wayfare_scene::{BUNDLED, Bundled, printable};

use crate::convert::{Read, cannot_read};
use crate::interrupt::fail_at_size_limit;
use crate::output::{Destination, file_failed, write_failed};
use crate::run::{How, Wanted, inputs, simulate_any};
use crate::scene_source::find;
use crate::{Failure, display, error, print};

/// The options of `wayfare report`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// A scene to run: a file (.toml or .json), or the name of a bundled scene. Or a trajectory:
    /// .csv, .parquet, .sqlite or .txt
    source: OsString,
    /// The page to write, which ends in .html; an existing one is replaced when the new one is
    /// complete
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    read: Read,
}

/// A report that was asked for.
#[derive(Debug)]
pub(crate) struct ReportRequest {
    path: PathBuf,
    /// The scene or the file as it was given.
    source: OsString,
}

impl ReportRequest {
    /// The request of `-o path`; none of `inputs` may be overwritten.
    fn new(source: &OsString, path: &Path, inputs: &[&Path]) -> Result<Self, Failure> {
        let name = display(path);
        let extension = path.extension().and_then(|extension| extension.to_str());
        let is_page =
            |end: &str| ["html", "htm"].iter().any(|known| known.eq_ignore_ascii_case(end));
        if !extension.is_some_and(is_page) {
            return Err(error(format!(
                "`-o {name}`: a report is a page\nallowed: a file that ends in .html"
            )));
        }
        if let Some(input) = inputs.iter().find(|i| resolved_path(i) == resolved_path(path)) {
            return Err(error(format!(
                "`-o {name}` is the input {}\nallowed: any other file",
                display(input)
            )));
        }
        Ok(Self { path: path.to_path_buf(), source: source.clone() })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the file: a path that cannot be written is found before the run begins.
    pub(crate) fn open(&self) -> Result<Destination, Failure> {
        Ok(Destination::File(WholeFile::create(&self.path).map_err(file_failed)?))
    }

    /// The command lines that repeat a run from its start to `tick`.
    pub(crate) fn repeat(&self, how: &How, seed: u64, tick: u64) -> Repeat {
        let scene = quoted(&self.source.to_string_lossy());
        let mut rest = format!(" --seed {seed} --ticks {tick}");
        let mut files = vec![format!("the scene {}", printable(&self.source.to_string_lossy()))];
        for (option, path) in [("--input", &how.input), ("--from", &how.from)] {
            if let Some(path) = path {
                rest.push_str(&format!(" {option} {}", quoted(&path.to_string_lossy())));
                files.push(display(path));
            }
        }
        if how.changed {
            rest.push_str(" --changed");
        }
        let every = if how.every > 1 { format!(" --every {}", how.every) } else { String::new() };
        let commands = vec![
            format!("wayfare report {scene}{rest}{every} -o report.html"),
            format!("wayfare run {scene}{rest} --quiet --digest"),
        ];
        let note = format!(
            "With {} and Wayfare {}, the first line writes this page again, byte by byte, and the \
             second one prints the digest, on any machine and with any number of threads.",
            files.join(", "),
            env!("CARGO_PKG_VERSION")
        );
        Repeat { commands, note }
    }
}

/// A word of a command line for shells.
fn quoted(word: &str) -> String {
    let word = printable(word);
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word;
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Writes the text of a page to its file.
pub(crate) fn write(mut page: Destination, html: &str) -> Result<Destination, Failure> {
    page.write_all(html.as_bytes()).and_then(|()| page.flush()).map_err(write_failed)?;
    Ok(page)
}

/// Writes the report of the options.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if extension_of(Path::new(&options.source)).is_some() {
        return trajectory(options);
    }
    let Read { fps, unmarked } = options.read;
    let given = [("--fps", fps.is_some()), ("--unmarked", unmarked)];
    refuse(&given, "the source is a scene", "a trajectory")?;
    let loaded = find(&options.source)?;
    let inputs = inputs(&loaded, &options.how);
    let request = ReportRequest::new(&options.source, &options.output, &inputs)?;
    let wanted =
        Wanted { outputs: &[], table: None, report: Some(&request), at: None, digest: false };
    simulate_any(&loaded, &wanted, &options.how)
}

/// Fails at the first option that is given although the source has no use for it.
fn refuse(given: &[(&str, bool)], source: &str, other: &str) -> Result<(), Failure> {
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => {
            Err(error(format!("`{option}`: {source}\nallowed: {option} with {other}")))
        }
        None => Ok(()),
    }
}

fn trajectory(options: &Options) -> Result<(), Failure> {
    let How { ticks, time, seed, every, threads, input, from, changed: _, quiet } = &options.how;
    let given = [
        ("--ticks", ticks.is_some()),
        ("--time", time.is_some()),
        ("--seed", seed.is_some()),
        ("--every", *every != 1),
        ("--threads", threads.is_some()),
        ("--input", input.is_some()),
        ("--from", from.is_some()),
    ];
    refuse(&given, "the source is a trajectory", "a scene")?;
    let path = Path::new(&options.source);
    let request = ReportRequest::new(&options.source, &options.output, &[path])?;
    fail_at_size_limit()?;
    let mut reader =
        open(path, options.read.options()).map_err(|failure| cannot_read(path, &failure))?;
    let page = request.open()?;
    let Read { fps, unmarked } = options.read;
    let mut read = String::new();
    if let Some(fps) = fps {
        read.push_str(&format!(" --fps {fps}"));
    }
    if unmarked {
        read.push_str(" --unmarked");
    }
    let source = Source { name: display(path), read: read.trim().to_string() };
    let html = of_trajectory(reader.as_mut(), &source, |about| {
        let told = |key: &str| about.iter().find(|(known, _)| known == key).map(|(_, v)| v);
        let file = quoted(&options.source.to_string_lossy());
        let mut commands = vec![format!("wayfare report {file}{read} -o report.html")];
        let mut note = format!("The first line writes this page again from {}.", display(path));
        if let (Some(scene), Some(seed)) = (told("scene"), told("seed")) {
            // A bundled scene is told by its place in the folder of scenes.
            let is_it =
                |known: &&Bundled| format!("{}/{}.toml", known.folder, known.name) == *scene;
            let scene = BUNDLED.iter().find(is_it).map_or(scene.as_str(), |known| known.name);
            commands.push(format!("wayfare run {} --seed {}", quoted(scene), quoted(seed)));
            note = "The first line writes this page again; the second one runs the scene with \
                    the seed that the file tells."
                .to_string();
        }
        Repeat { commands, note }
    });
    let html = html.map_err(|failure| cannot_read(path, &failure))?;
    write(page, &html)?.commit()?;
    if *quiet {
        return Ok(());
    }
    print(&format!("wrote {}\n", display(&request.path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_where_a_shell_needs_it() {
        let words = ["doorway-150", "my scene.toml", "it's", "$(rm)", ""].map(quoted);
        let expected = ["doorway-150", "'my scene.toml'", "'it'\\''s'", "'$(rm)'", "''"];
        assert_eq!(words, expected);
    }
}
