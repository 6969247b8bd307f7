//! What the fuzz targets hold, on the inputs that are kept in `fuzz/seeds/`: those that were found
//! once, and stay mended.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // In a test a panic is the message; the seed before it is the one that failed.

use std::path::{Path, PathBuf};

#[path = "../../../fuzz/src/properties.rs"]
mod properties;

fn seeds(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target)
}

fn every(target: &str, holds: fn(&[u8])) {
    let mut count = 0;
    for file in std::fs::read_dir(seeds(target)).unwrap() {
        let path = file.unwrap().path();
        println!("{}", path.display());
        holds(&std::fs::read(&path).unwrap());
        count += 1;
    }
    assert!(count > 3, "only {count} seeds were found");
}

#[test]
fn every_seed_of_a_scene_is_read_or_explained_and_what_is_read_stays_finite() {
    every("scene", properties::scene);
}

#[test]
fn every_seed_of_a_log_is_read_or_explained_and_written_as_it_was() {
    every("log", properties::log);
}

#[test]
fn every_seed_of_a_snapshot_is_restored_or_refused() {
    let whole = seeds("snapshot").join("whole");
    if std::env::var_os("UPDATE_SEEDS").is_some() {
        std::fs::write(&whole, properties::seed_of_a_snapshot()).unwrap();
    }
    assert!(
        std::fs::read(whole).unwrap_or_default() == properties::seed_of_a_snapshot(),
        "the format has changed: run the test once with UPDATE_SEEDS=1"
    );
    every("snapshot", properties::snapshot);
}
