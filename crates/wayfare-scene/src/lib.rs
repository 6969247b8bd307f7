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

use wayfare::crowd::{Setup, tick_at};
use wayfare::glam::{Vec2, Vec3};
use wayfare::{Registry, Vector};

mod bundled;
mod decode;
mod diagnostic;
mod document;
pub mod edit;
mod explain;
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

pub use bundled::{BUNDLED, Bundled, bundled, bundled_like, similar};
pub use decode::Scene;
pub use diagnostic::{Problem, Severity, Source, counted, printable, short};
pub use document::Format;
pub use edit::complete::{Candidate, Completions, complete};
pub use explain::{Topic, TopicKey, topics};
pub use files::Files;
pub use format::Fire;
pub use log::{
    commands as log_commands, json_text, log_text, problem_of, problem_of_event, read_log,
};
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

/// Reads a scene of one dimension: of the plane for `Vec2`, of space for `Vec3`. A program that
/// needs one of them compiles, and has in its file, only what that one needs.
///
/// ```
/// use wayfare::glam::Vec2;
/// use wayfare_scene::{Format, Source, read_in};
///
/// let text = r#"
/// dt = 1.0
/// [[group]]
/// name = "fish"
/// max_speed = 1.0
/// spawn = { points = [[0, 0]] }
/// "#;
/// let source = Source { name: "fish.toml".to_string(), text: text.to_string() };
/// let scene = read_in::<Vec2>(&source, Format::Toml).unwrap();
/// assert_eq!(scene.setup.groups[0].name, "fish");
/// ```
///
/// # Errors
/// As [`read`]; or the scene has the other dimension.
pub fn read_in<V: Vector>(source: &Source, format: Format) -> Result<Scene<V>, Vec<Problem>> {
    let root = document::parse(&source.text, format)?;
    if let Some(other) = problem_of_dimension(&root, &[V::DIMENSION as i128]) {
        return Err(vec![if format == Format::Json { notation::in_json(other) } else { other }]);
    }
    let decoded = decode::decode(&root, &title(source), &Registry::default(), &Files::none());
    finished(decoded, None, format)
}

/// The scene, and the root table that it was decoded from.
fn read_document(
    source: &Source,
    format: Format,
    registry: &Registry,
    files: &Files,
) -> Result<(document::Node, AnyScene), Vec<Problem>> {
    let root = document::parse(&source.text, format)?;
    let other = problem_of_dimension(&root, &[2, 3]);
    let name = title(source);
    let scene = if dimension(&root) == Some(3) {
        let decoded = decode::decode(&root, &name, registry, files);
        AnyScene::ThreeD(finished(decoded, other, format)?)
    } else {
        let decoded = decode::decode(&root, &name, registry, files);
        AnyScene::TwoD(finished(decoded, other, format)?)
    };
    Ok((root, scene))
}

/// The title of a scene that gives none.
fn title(source: &Source) -> String {
    Path::new(&source.name)
        .file_stem()
        .map_or_else(|| source.name.clone(), |stem| stem.to_string_lossy().into_owned())
}

/// The dimension that the file gives, or 2; `None` if it is not a whole number.
fn dimension(root: &document::Node) -> Option<i128> {
    match root.get("dimension").map(|node| &node.content) {
        None => Some(2),
        Some(document::Content::Integer(number)) => Some(*number),
        Some(_) => None,
    }
}

/// The problem with the dimension, if it is none of those allowed.
fn problem_of_dimension(root: &document::Node, allowed: &[i128]) -> Option<Problem> {
    if dimension(root).is_some_and(|given| allowed.contains(&given)) {
        return None;
    }
    let allowed: Vec<_> = allowed.iter().map(i128::to_string).collect();
    let (span, given) = root.get("dimension").map_or_else(
        || (root.span.clone(), "not given, which is 2".to_string()),
        |node| (node.span.clone(), node.describe()),
    );
    Some(Problem::new(span, format!("`dimension` is {given}"), allowed.join(" or ")))
}

/// The scene, if nothing is wrong.
fn finished<V: Vector>(
    (scene, mut problems): (Scene<V>, Vec<Problem>),
    other: Option<Problem>,
    format: Format,
) -> Result<Scene<V>, Vec<Problem>> {
    problems.extend(other);
    if problems.is_empty() {
        return Ok(scene);
    }
    Err(if format == Format::Json {
        problems.into_iter().map(notation::in_json).collect()
    } else {
        problems
    })
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

    /// The colors of groups and the names of units and exits.
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

    /// The number of ticks from the start to `time`.
    pub fn ticks_to(&self, time: f64) -> u64 {
        tick_at(time, self.setup.dt)
    }

    /// The setup of its world and agents.
    pub fn setup(&self) -> &Setup<V> {
        &self.setup
    }
}
