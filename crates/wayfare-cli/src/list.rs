//! `wayfare list`: the bundled scenes and their titles, or a sheet of their pictures.

use std::path::{Path, PathBuf};

use clap::Args;
use wayfare::{Crowd, Vector};
use wayfare_record::{ContactSheet, Picture, Trails, write_whole};
use wayfare_scene::{AnyScene, BUNDLED, Bundled, Format, Scene, Source, counted, printable, read};

use crate::bench::share;
use crate::run::progress_bar;
use crate::{Failure, error, say, shown};

/// The options of `wayfare list`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Run all scenes, and draw how each ends on one sheet: a .png.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Prints each folder with its scenes, or draws them.
pub(crate) fn list(options: &Options) -> Result<(), Failure> {
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
    say(&text)
}

fn decoded(scene: &Bundled) -> Option<AnyScene> {
    read(&Source { name: scene.name.to_string(), text: scene.text.to_string() }, Format::Toml).ok()
}

fn draw(path: &Path) -> Result<(), Failure> {
    if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("png")) {
        return Err(error(format!(
            "`-o {}`: a sheet of all scenes is no such file\nallowed: a file that ends in .png",
            shown(path)
        )));
    }
    let outside = |e: wayfare_record::RecordError| {
        Failure::Outside(format!("error: {}", printable(&e.to_string())))
    };
    // A path that cannot be written is found before anything is run.
    drop(wayfare_record::WholeFile::create(path).map_err(outside)?);
    let bar = progress_bar("scene", BUNDLED.len() as u64);
    let mut sheet = ContactSheet::new();
    for scene in BUNDLED {
        match decoded(scene) {
            Some(AnyScene::TwoD(flat)) => add(&mut sheet, scene, flat)?,
            Some(AnyScene::ThreeD(deep)) => add(&mut sheet, scene, deep)?,
            None => {}
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    write_whole(path, &sheet.png().map_err(outside)?).map_err(outside)?;
    say(&format!("{}\n  wrote {}\n", counted(sheet.len(), "scene"), shown(path)))
}

/// Runs a scene to its end, and adds a picture of it.
fn add<V: Vector>(
    sheet: &mut ContactSheet,
    bundled: &Bundled,
    scene: Scene<V>,
) -> Result<(), Failure> {
    let (ticks, bounds) = (scene.ticks(), scene.setup.bounds);
    let mut crowd = Crowd::new(scene.setup).map_err(error)?;
    share(&mut crowd, std::thread::available_parallelism().map_or(1, usize::from))?;
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
        },
    );
    Ok(())
}
