//! The tabs of a chapter do the same thing: their programs print where the agents of the scene are.

use std::path::{Path, PathBuf};
use std::process::Command;

use wayfare::Crowd;
use wayfare_scene::{AnyScene, Format, Source};

/// The ticks of every tab.
const TICKS: usize = 100;

/// The final positions of the agents in the scene file of a chapter, a line for each agent.
fn of_scene(file: &Path) -> String {
    let text = std::fs::read_to_string(file).expect("each chapter has a scene");
    let source = Source { name: file.display().to_string(), text };
    let Ok(AnyScene::TwoD(scene)) = wayfare_scene::read(&source, Format::Toml) else {
        panic!("{} is a scene in the plane", file.display());
    };
    assert_eq!(scene.duration / scene.setup.dt, TICKS as f64, "{}", file.display());
    let mut crowd = Crowd::new(scene.setup).expect("the scene is valid");
    (0..TICKS).for_each(|_| crowd.step());
    let line = |at: wayfare::glam::Vec2| format!("{:.3} {:.3}\n", at.x, at.y);
    let mut agents: Vec<_> = crowd.agents().collect();
    agents.sort_by_key(|(id, _)| *id);
    agents.into_iter().map(|(_, agent)| line(agent.position)).collect()
}

#[test]
fn the_tabs_of_each_chapter_do_the_same_thing() {
    // Cargo builds the example `tabs` beside the tests.
    let test = std::env::current_exe().expect("a test has a path");
    let built = test.ancestors().nth(2).expect("it is in a folder of the target");
    let programs = built.join("examples/tabs");
    let code = Path::new(env!("CARGO_MANIFEST_DIR")).join("code");
    let mut chapters: Vec<PathBuf> = std::fs::read_dir(code)
        .expect("the book has code")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    chapters.sort();
    for chapter in &chapters {
        let expected = of_scene(&chapter.join("scene.toml"));
        assert!(!expected.is_empty(), "{}", chapter.display());
        let name = chapter.file_name().unwrap_or_default().to_string_lossy();
        for tab in ["rust", "bevy"] {
            let output = Command::new(&programs).args([&*name, tab]).output();
            let output = output.unwrap_or_else(|error| panic!("{}: {error}", programs.display()));
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{name}, {tab}");
        }
    }
    assert!(chapters.len() >= 2, "{chapters:?}");
}
