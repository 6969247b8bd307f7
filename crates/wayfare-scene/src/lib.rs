//! Scene files for Wayfare: text in TOML or JSON becomes a checked [`Setup`], or a list of
//! diagnostics.
//!
//! ```
//! use wayfare_scene::{AnyScene, Format, Source, read};
//! let text = r#"
//! [[group]]
//! name = "guest"
//! spawn = { points = [[0, 0]] }
//! max_speed = 3
//! mass = 20
//! [[group.steer]]
//! arrive = { target = [100, 50], slowing_radius = 240 }
//! "#;
//! let source = Source { name: "guest.toml".to_string(), text: text.to_string() };
//! let Ok(AnyScene::TwoD(scene)) = read(&source, Format::Toml) else {
//!     panic!("it is a scene of the plane")
//! };
//! let mut crowd = wayfare::Crowd::new(scene.setup)?;
//! crowd.step();
//! # Ok::<(), wayfare::crowd::SetupError>(())
//! ```

use std::path::Path;

use wayfare::Registry;
use wayfare::crowd::Setup;
use wayfare::glam::{Vec2, Vec3};

mod bundled;
mod decode;
mod diagnostic;
mod document;
pub mod edit;
mod files;
mod format;
mod geometry;
mod hints;
mod log;
mod notation;
mod presentation;
mod ram;
mod schema;
mod sweep;
mod syntax;
mod text;

pub use bundled::{BUNDLED, Bundled, bundled, bundled_like};
pub use decode::Scene;
pub use diagnostic::{Problem, Severity, Source, counted, printable, short};
pub use document::Format;
pub use edit::complete::{Candidate, Completions, complete, complete_with};
pub use files::Files;
pub use format::Fire;
pub use log::{Log, Refused, commands as log_commands, json_text};
pub use presentation::{Presentation, Rgb, Units, contrast};
pub use schema::{schema, schema_with};
pub use sweep::{Axis, MOST_RUNS_OF_SWEEP, Spanned, SweepFile};
pub use text::{TextError, text_in, text_of};

/// The largest file that is read as a scene (bytes); a usual scene has some thousands.
pub const LARGEST_FILE: u64 = 16 << 20;

/// A scene of either dimension.
#[derive(Clone, Debug)]
pub enum AnyScene {
    /// `dimension = 2`.
    TwoD(Scene<Vec2>),
    /// `dimension = 3`.
    ThreeD(Scene<Vec3>),
}

impl Format {
    /// The format by the ending of a file's name: JSON for `.json`, TOML for any other.
    pub fn of(path: &Path) -> Self {
        if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) {
            Format::Json
        } else {
            Format::Toml
        }
    }
}

/// Reads a scene.
///
/// # Errors
/// Every mistake in it, each with its position, its value and what is allowed.
pub fn read(source: &Source, format: Format) -> Result<AnyScene, Vec<Problem>> {
    read_beside(source, format, &Files::none())
}

/// Reads a scene that may name files, such as its geometry.
///
/// # Errors
/// As [`read`]; mistakes in a file are reported where the scene names it.
pub fn read_beside(
    source: &Source,
    format: Format,
    files: &Files,
) -> Result<AnyScene, Vec<Problem>> {
    read_document(source, format, &Registry::default(), files).map(|(_, scene)| scene)
}

/// Reads a scene whose lists may hold registered behaviors.
///
/// # Errors
/// As [`read`].
pub fn read_with(
    source: &Source,
    format: Format,
    registry: &Registry,
) -> Result<AnyScene, Vec<Problem>> {
    read_document(source, format, registry, &Files::none()).map(|(_, scene)| scene)
}

/// The scene, and the root table that it was decoded from.
fn read_document(
    source: &Source,
    format: Format,
    registry: &Registry,
    files: &Files,
) -> Result<(document::Node, AnyScene), Vec<Problem>> {
    let root = document::parse(&source.text, format)?;
    let name = Path::new(&source.name)
        .file_stem()
        .map_or_else(|| source.name.clone(), |stem| stem.to_string_lossy().into_owned());
    let dimension = root.get("dimension");
    let (scene, mut problems) =
        if matches!(dimension.map(|node| &node.content), Some(document::Content::Integer(3))) {
            let (scene, problems) = decode::decode(&root, &name, registry, files);
            (AnyScene::ThreeD(scene), problems)
        } else {
            let (scene, problems) = decode::decode(&root, &name, registry, files);
            (AnyScene::TwoD(scene), problems)
        };
    if let Some(node) =
        dimension.filter(|node| !matches!(node.content, document::Content::Integer(2 | 3)))
    {
        problems.push(Problem::new(
            node.span.clone(),
            format!("`dimension` is {}", node.describe()),
            "2 or 3",
        ));
    }
    if problems.is_empty() {
        Ok((root, scene))
    } else {
        Err(if format == Format::Json {
            problems.into_iter().map(notation::in_json).collect()
        } else {
            problems
        })
    }
}

/// Hints about a scene that [`read`] accepts: what has no effect or likely moves badly. Equal hints
/// are one, whose help names the number of the others and the first of their places.
pub fn hints(source: &Source, format: Format) -> Vec<Problem> {
    hints_beside(source, format, &Files::none())
}

/// [`hints`] about a scene that may name files.
pub fn hints_beside(source: &Source, format: Format, files: &Files) -> Vec<Problem> {
    let Ok(root) = document::parse(&source.text, format) else { return Vec::new() };
    let found = match read_beside(source, format, files) {
        Ok(AnyScene::TwoD(scene)) => hints::hints(&root, &scene),
        Ok(AnyScene::ThreeD(scene)) => hints::hints(&root, &scene),
        Err(_) => Vec::new(),
    };
    let in_notation = |hint| if format == Format::Json { notation::in_json(hint) } else { hint };
    let found = found.into_iter().map(|(key_path, hint)| (key_path, in_notation(hint))).collect();
    hints::folded(source, found)
}

impl AnyScene {
    /// Its title.
    pub fn title(&self) -> &str {
        match self {
            AnyScene::TwoD(scene) => &scene.title,
            AnyScene::ThreeD(scene) => &scene.title,
        }
    }

    /// How it is shown.
    pub fn presentation(&self) -> &Presentation {
        match self {
            AnyScene::TwoD(scene) => &scene.presentation,
            AnyScene::ThreeD(scene) => &scene.presentation,
        }
    }
}

impl<V: wayfare::Vector> Scene<V> {
    /// The number of ticks that cover its duration: the time of the last tick is the first that is
    /// not before the duration's end.
    pub fn ticks(&self) -> u64 {
        self.ticks_to(self.duration)
    }

    /// The tick at which a contact sheet shows it.
    pub fn poster_tick(&self) -> u64 {
        self.ticks_to(self.poster.unwrap_or(self.duration))
    }

    fn ticks_to(&self, time: f64) -> u64 {
        // Slightly less, so that 0.3 / 0.1 does not become four ticks.
        ((time / self.setup.dt) * (1.0 - 1e-12)).ceil() as u64
    }

    /// The setup of its world and agents.
    pub fn setup(&self) -> &Setup<V> {
        &self.setup
    }
}
