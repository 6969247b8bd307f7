//! Draws scene files as pictures, by default those in this folder, to review how pictures look.
//! Run it: `cargo run -p wayfare-record --example contact [SCENE.toml]…`; the pictures are
//! written to `target/contact`.

#![allow(clippy::print_stdout)] // It reports to the terminal.

use std::error::Error;
use std::path::{Path, PathBuf};

use wayfare::{Crowd, Vector};
use wayfare_record::{Picture, Trails, write_whole};
use wayfare_scene::{AnyScene, Format, Scene, Source, read};

fn main() -> Result<(), Box<dyn Error>> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = crates.join("../../target/contact");
    std::fs::create_dir_all(&out)?;
    let mut scenes: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if scenes.is_empty() {
        for entry in std::fs::read_dir(crates.join("examples/contact"))? {
            scenes.push(entry?.path());
        }
        scenes.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
        scenes.sort();
    }
    for path in scenes {
        let source =
            Source { name: path.display().to_string(), text: std::fs::read_to_string(&path)? };
        let png = match read(&source, Format::of(&path)) {
            Ok(AnyScene::TwoD(scene)) => picture(scene)?,
            Ok(AnyScene::ThreeD(scene)) => picture(scene)?,
            Err(problems) => return Err(format!("{}: {problems:?}", path.display()).into()),
        };
        let to = out.join(path.file_stem().unwrap_or_default()).with_extension("png");
        write_whole(&to, &png)?;
        println!("{}: {} kB", to.display(), png.len() / 1000);
    }
    Ok(())
}

fn picture<V: Vector>(scene: Scene<V>) -> Result<Vec<u8>, Box<dyn Error>> {
    let (bounds, ticks) = (scene.setup.bounds, (scene.duration / scene.setup.dt).round() as u64);
    let mut crowd = Crowd::new(scene.setup)?;
    let mut trails = Trails::new(&crowd);
    for _ in 0..ticks {
        crowd.step();
        trails.record(&crowd);
    }
    let start = std::time::Instant::now();
    let png = Picture {
        title: &scene.title,
        bounds,
        crowd: &crowd,
        trails: &trails,
        pointer: crowd.pointer(),
        presentation: Some(&scene.presentation),
    }
    .png()?;
    println!("{:?}", start.elapsed());
    Ok(png)
}
