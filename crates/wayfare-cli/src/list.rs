//! `wayfare list`: the bundled scenes and their titles, or a contact sheet of their pictures; or
//! the behaviors.

use std::path::{Path, PathBuf};

use clap::Args;
use wayfare::{Crowd, Vector};
use wayfare_record::{ContactSheet, Picture, Trails, write_whole};
use wayfare_scene::{AnyScene, BUNDLED, Bundled, Format, Scene, Source, counted, printable, read};

use crate::run::progress_bar;
use crate::threads::set_threads;
use crate::{Failure, display, error, print};

/// The options of `wayfare list`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// What to list: the scenes, or the behaviors, solvers, measures and tables of scenes
    #[arg(value_parser = ["scenes", "behaviors"], default_value = "scenes")]
    what: String,
    /// Run all scenes, and draw each on one sheet at the time of its `poster` (.png)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Prints the scenes by folder, or draws them.
pub(crate) fn list(options: &Options) -> Result<(), Failure> {
    if options.what == "behaviors" {
        if options.output.is_some() {
            return Err(error("`-o` draws scenes\nallowed: `wayfare list -o FILE`"));
        }
        return crate::explain::list();
    }
    if let Some(path) = &options.output {
        return draw(path);
    }
    let width = BUNDLED.iter().map(|scene| scene.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut folder = "";
    for scene in BUNDLED {
        if scene.folder != folder {
            folder = scene.folder;
            text.push_str(&format!("{folder}\n"));
        }
        let title = decoded(scene).map(|scene| scene.title().to_string()).unwrap_or_default();
        text.push_str(&format!("  {:width$}  {title}\n", scene.name));
    }
    text.push_str("\nRun one with `wayfare run NAME -o NAME.png`.\n");
    print(&text)
}

fn decoded(scene: &Bundled) -> Option<AnyScene> {
    read(&Source { name: scene.name.to_string(), text: scene.text.to_string() }, Format::Toml).ok()
}

fn draw(path: &Path) -> Result<(), Failure> {
    if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("png")) {
        return Err(error(format!(
            "`-o {}`: the contact sheet is a PNG\nallowed: a file that ends in .png",
            display(path)
        )));
    }
    let file_failed = |e: wayfare_record::RecordError| {
        Failure::System(format!("error: {}", printable(&e.to_string())))
    };
    // A path that cannot be written is found before any scene is run.
    drop(wayfare_record::WholeFile::create(path).map_err(file_failed)?);
    let bar = progress_bar("scene", BUNDLED.len() as u64);
    let mut sheet = ContactSheet::new();
    for scene in BUNDLED {
        match decoded(scene) {
            Some(AnyScene::TwoD(run)) => add(&mut sheet, scene, run)?,
            Some(AnyScene::ThreeD(run)) => add(&mut sheet, scene, run)?,
            None => {}
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    write_whole(path, &sheet.png().map_err(file_failed)?).map_err(file_failed)?;
    print(&format!("{}\n  wrote {}\n", counted(sheet.len(), "scene"), display(path)))
}

/// Runs a scene to the tick of its poster, and adds its picture.
fn add<V: Vector>(
    sheet: &mut ContactSheet,
    bundled: &Bundled,
    scene: Scene<V>,
) -> Result<(), Failure> {
    let (ticks, bounds) = (scene.poster_tick(), scene.setup.bounds);
    let mut crowd = Crowd::new(scene.setup).map_err(error)?;
    set_threads(&mut crowd, None)?;
    let mut trails = Trails::new(&crowd);
    for _ in 0..ticks {
        crowd.step();
        trails.record(&crowd);
    }
    sheet.add(
        bundled.folder,
        bundled.name,
        &Picture {
            title: &scene.title,
            bounds,
            crowd: &crowd,
            trails: &trails,
            pointer: crowd.pointer(),
            presentation: Some(&scene.presentation),
        },
    );
    Ok(())
}
