//! Decodes the syntax tree of a scene file to a checked [`Setup`]: types, names and shapes here,
//! ranges by the library's validation.
//!
//! A mistake is recorded with its span, and decoding continues with a stand-in value, so that one
//! run reports all mistakes of a file. Each table is read beside its description, in `format/`.

use std::collections::{BTreeSet, HashSet};

use wayfare::crowd::{Setup, ValidationError};
use wayfare::geometry::flow_field::FieldPlan;
use wayfare::{Crowd, Registry, Vector};
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
    let of_events = if problems.is_empty() { refused_events(&scene.setup) } else { Vec::new() };
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

/// The most agents of a crowd on which events are tried.
const MOST_AGENTS_TRIED: usize = 2_000;
/// The most commands that are tried.
const MOST_TRIED: usize = 1_000;

/// The events that a crowd of this setup refuses at whatever tick: they are tried at its start, in
/// the order of their times, so that names and key paths are checked before the run. Of agents only
/// the run knows whether they are still there.
fn refused_events<V: Vector>(setup: &Setup<V>) -> Vec<ValidationError> {
    if setup.commands.is_empty() {
        return Vec::new();
    }
    let mut tried = setup.clone();
    let events = std::mem::take(&mut tried.commands);
    if tried.groups.iter().map(|group| group.count).sum::<usize>() > MOST_AGENTS_TRIED {
        tried.groups.iter_mut().for_each(|group| group.count = 0);
    }
    for (_, plan) in &mut tried.fields {
        // A field with a goal takes long.
        let (origin, cell) = (V::ZERO, 1.0);
        let (columns, rows, vectors) = (1, None, vec![V::ZERO]);
        *plan = FieldPlan::Vectors { origin, cell, columns, rows, vectors };
    }
    let Ok(mut crowd) = Crowd::new(tried) else { return Vec::new() };
    let mut refused = Vec::new();
    let mut next: Vec<_> = events.iter().map(|event| event.next_due(0, setup.dt)).collect();
    let mut waiting: BTreeSet<usize> = (0..events.len()).collect();
    for _ in 0..MOST_TRIED {
        let due = next.iter().enumerate().filter_map(|(index, tick)| Some((tick.as_ref()?, index)));
        let Some((&tick, index)) = due.min().filter(|_| !waiting.is_empty()) else { break };
        if let Err(error) = crowd.apply(&events[index].command)
            && waiting.contains(&index)
            && !error.message.starts_with("there is no agent")
        {
            refused.push((index, error));
        }
        waiting.remove(&index);
        next[index] = events[index].next_due(tick + 1, setup.dt);
    }
    refused.sort_by_key(|(index, _)| *index);
    refused.into_iter().map(|(index, error)| error.at_event(index)).collect()
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
