//! Decodes the syntax tree of a scene file to a checked [`Setup`]: types, names and shapes here,
//! ranges by the library's validation.
//!
//! A mistake is recorded with its span, and decoding continues with a stand-in value, so that one
//! run reports all mistakes of a file. Each table is read beside its description, in `format/`.

use std::collections::HashSet;

use wayfare::crowd::{KeyPath, Setup};
use wayfare::{Registry, Vector};
use wayfare_measure::Measure;

use crate::diagnostic::Problem;
use crate::document::Node;
use crate::files::Files;
use crate::format::Fire;
use crate::log::event_problem;
use crate::presentation::{Presentation, Rgb};

mod locate;
mod names;
mod parameter;
mod preset;
mod reference;
mod report;
pub(crate) mod suggest;
mod table;
mod template;
mod value;

pub(crate) use locate::{is_written, locate, node_at, problem_at};
pub(crate) use names::{GroupNames, NameList, SceneNames};
pub(crate) use parameter::example;
pub(crate) use preset::supplied;
pub(crate) use table::{AllowedKey, TableNode};
pub(crate) use template::{expanded_path, inherited, with_templates};
pub(crate) use value::to_f32;

/// A decoded scene of one dimension.
#[derive(Clone, Debug)]
pub struct Scene<V: Vector> {
    /// Its title.
    pub title: String,
    /// The simulated time that a run covers unless told otherwise (time).
    pub duration: f64,
    /// The simulated time at which a contact sheet shows it, if it is not the end of the run
    /// (time).
    pub poster: Option<f64>,
    /// The key paths about which no [hint](crate::hints()) is said, nor about the keys in them.
    pub quiet: Vec<KeyPath>,
    /// The world and its agents at the start.
    pub setup: Setup<V>,
    /// The effect of a click in a viewer.
    pub fire: Option<Fire>,
    /// The colors of groups and the names of units and exits.
    pub presentation: Presentation,
    /// The measures of a run.
    pub measures: Vec<Measure<V>>,
}

/// The simulated time that a run covers where neither the scene nor the command gives one.
pub(crate) const DURATION: f64 = 600.0;

/// Decodes a file's root table; `name` is the title of a scene without one.
pub(crate) fn decode<V: Vector>(
    root: &Node,
    name: &str,
    registry: &Registry,
    files: &Files,
) -> (Scene<V>, Vec<Problem>) {
    let with_templates = with_templates(root);
    let root = &*preset::expanded(&with_templates);
    let (registry, files) = (registry.clone(), files.clone());
    let mut decoder = Decoder { registry, files, ..Decoder::default() };
    let scene = decoder.scene(root, name);
    let unused = decoder.unused_templates::<V>(root, &scene.setup);
    let mut problems = std::mem::take(&mut decoder.problems);
    // A mistake of a template is found in each group that has it.
    let mut known = HashSet::new();
    problems.retain(|problem| {
        known.insert((problem.span.start, problem.span.end, problem.message.clone()))
    });
    // If decoding already reported a mistake, an error about the stand-in would repeat it.
    let covered = locate::Covered::by(&problems);
    let mut reported = HashSet::new();
    let errors = scene.setup.validate().err().into_iter().flat_map(|errors| errors.0);
    let of_setup = errors.map(|error| problem_at(root, error));
    let is_far = |problem: &Problem| {
        root.get("geometry").is_some() && problem.message.contains("rounding of the coordinates")
    };
    let of_events = if problems.is_empty() { scene.setup.refused_commands() } else { Vec::new() };
    let of_events = of_events.into_iter().map(|error| event_problem(root, error));
    for mut problem in of_setup.chain(unused).chain(of_events) {
        if is_far(&problem) {
            problem.help = Some("the `origin` of `geometry` moves the plan near zero".to_string());
        }
        if !covered.touches(&problem.span)
            && reported.insert((problem.span.start, problem.message.clone()))
        {
            problems.push(problem);
        }
    }
    (scene, problems)
}

/// Reads values and records problems.
#[derive(Default)]
pub(crate) struct Decoder {
    pub(crate) problems: Vec<Problem>,
    /// The behaviors that a list may name.
    pub(crate) registry: Registry,
    /// The files that the scene may name.
    pub(crate) files: Files,
    pub(crate) names: SceneNames,
    /// The names of the group that is being read.
    pub(crate) group_names: GroupNames,
    /// The keys that the unknown keys of the last table were likely meant to be: they are not
    /// reported as missing as well.
    pub(crate) misspelt: Vec<String>,
    /// The colors of the groups that have been read.
    pub(crate) colors: Vec<Option<Rgb>>,
    /// The templates of the scene.
    pub(crate) template_names: NameList,
    /// The names of templates with keys that are not known, or that are no tables.
    pub(crate) faulty_templates: HashSet<String>,
    /// Whether a template of the group that is being read is unknown or has unknown keys: what the
    /// group lacks may be in it.
    pub(crate) lacks_keys: bool,
}
