//! The properties of the fuzz targets hold for the inputs in `fuzz/seeds/`, among them every input
//! that once failed.
// A panic is the message; the last printed seed is the one that failed.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::{Path, PathBuf};

#[path = "../../../fuzz/src/properties.rs"]
mod properties;

fn seeds(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target)
}

fn check_seeds(target: &str, property: fn(&[u8])) {
    let mut count = 0;
    for file in std::fs::read_dir(seeds(target)).unwrap() {
        let path = file.unwrap().path();
        println!("{}", path.display());
        property(&std::fs::read(&path).unwrap());
        count += 1;
    }
    assert!(count > 3, "only {count} seeds were found");
}

#[test]
fn every_scene_seed_is_read_and_stays_finite_or_is_explained() {
    check_seeds("scene", properties::scene);
}

#[test]
fn every_log_seed_is_read_and_written_unchanged_or_is_explained() {
    check_seeds("log", properties::log);
}

#[test]
fn every_snapshot_seed_is_restored_or_refused() {
    let complete = seeds("snapshot").join("whole");
    if std::env::var_os("UPDATE_SEEDS").is_some() {
        std::fs::write(&complete, properties::seed_of_a_snapshot()).unwrap();
    }
    assert!(
        std::fs::read(complete).unwrap_or_default() == properties::seed_of_a_snapshot(),
        "the snapshot format has changed: run the test once with UPDATE_SEEDS=1"
    );
    check_seeds("snapshot", properties::snapshot);
}
