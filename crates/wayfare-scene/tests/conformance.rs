//! The agents of every scene in `conformance/` follow the trajectories in the CSV file beside it.
//!
//! Nine scenes came with their trajectories together with the specification of the formulas. The
//! trajectories of the others were computed in double precision by an independent implementation
//! of that specification. The tolerance of 0.02 is the error of single precision after 300 ticks.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use wayfare::{Crowd, Vector};
use wayfare_scene::{AnyScene, Format, Scene, Source, read};

const TOLERANCE: f64 = 0.02;

#[test]
fn every_conformance_scene_follows_its_trajectory() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let mut scenes: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().unwrap() == "toml")
        .collect();
    scenes.sort();
    assert!(scenes.len() >= 39, "only {} scenes", scenes.len());
    let failures: Vec<String> = scenes
        .iter()
        .filter_map(|path| {
            compare(path).err().map(|e| format!("{}: {e}", path.file_name().unwrap().display()))
        })
        .collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

fn compare(path: &Path) -> Result<(), String> {
    let source =
        Source { name: path.display().to_string(), text: std::fs::read_to_string(path).unwrap() };
    let expected = std::fs::read_to_string(path.with_extension("csv")).unwrap();
    match read(&source, Format::Toml) {
        Ok(AnyScene::TwoD(scene)) => compare_trajectory(scene, &expected),
        Ok(AnyScene::ThreeD(scene)) => compare_trajectory(scene, &expected),
        Err(problems) => Err(source.render(wayfare_scene::Severity::Error, &problems, false)),
    }
}

/// Steps the scene and compares each row of `expected` with the agent at the row's tick.
fn compare_trajectory<V: Vector>(scene: Scene<V>, expected: &str) -> Result<(), String> {
    let mut rows: HashMap<u64, Vec<Vec<&str>>> = HashMap::new();
    for line in expected.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        rows.entry(cells[0].parse().unwrap()).or_default().push(cells);
    }
    let last = *rows.keys().max().unwrap();
    let mut crowd = Crowd::new(scene.setup).unwrap();
    let names: Vec<String> = crowd.group_names().map(str::to_string).collect();
    let mut rows_by_id = Vec::new();
    loop {
        crowd.rows_by_id(&mut rows_by_id);
        for row in rows.remove(&crowd.tick()).unwrap_or_default() {
            let row_index = rows_by_id[row[2].parse::<usize>().unwrap()];
            let member = crowd.agent_at_row(row_index).unwrap();
            if names[member.group.0] != row[3] {
                return Err(format!(
                    "id {} is in group {}, expected {}",
                    row[2], names[member.group.0], row[3]
                ));
            }
            for axis in 0..V::DIMENSION {
                let (found, expected) = (
                    f64::from(member.agent.position.axis(axis)),
                    row[4 + axis].parse::<f64>().unwrap(),
                );
                // Not `>=`: NaN must fail too.
                if (found - expected).abs().partial_cmp(&TOLERANCE)
                    != Some(std::cmp::Ordering::Less)
                {
                    return Err(format!(
                        "tick {} id {} axis {axis}: {found}, expected {expected}",
                        row[0], row[2]
                    ));
                }
            }
        }
        if crowd.tick() == last {
            return Ok(());
        }
        crowd.step();
    }
}
