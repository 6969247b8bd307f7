//! The plan of a sweep file and its scene: every combination, checked before the first run.

use std::hash::{Hash, Hasher};

use wayfare::Vector;
use wayfare::crowd::{KeyPath, ValidationError};
use wayfare_measure::{Kinds, Per};
use wayfare_scene::edit::{Draft, Value};
use wayfare_scene::{AnyScene, MOST_RUNS_OF_SWEEP, Problem, Scene, Spanned, SweepFile, counted};

use super::{Combination, Study, Sweep};

/// The most problems of values that are looked for: each one costs a reading of the scene.
const MOST_PROBLEMS: usize = 20;

pub(super) fn plan(file: &SweepFile, study: &Study, most: u64) -> Result<Sweep, Vec<Problem>> {
    let base = Draft::beside(study.source.clone(), study.format, study.files.clone());
    let base = base.map_err(|problems| vec![scene_refused(file, study, &problems)])?;
    let paths: Vec<&Spanned> = file.over.iter().flat_map(|axis| &axis.paths).collect();
    let mut problems = check_paths(file, &base, &paths);
    let measures: Vec<_> = { file.measures.iter() }
        .filter_map(|name| {
            let found = quantity(base.scene(), &name.text);
            if found.is_none() {
                problems.push(no_measure(name, base.scene()));
            }
            found
        })
        .collect();
    let steps = file.over.iter().map(|axis| axis.steps.len() as u64);
    let combinations = steps.fold(1_u64, u64::saturating_mul);
    let runs = combinations.saturating_mul(file.seeds.len().max(1) as u64);
    if runs > MOST_RUNS_OF_SWEEP {
        problems.push(problem(
            &file.scene,
            format!("the sweep has {runs} runs"),
            format!("at most {MOST_RUNS_OF_SWEEP} runs: fewer values or seeds"),
        ));
    }
    if !problems.is_empty() {
        return Err(problems);
    }

    let mut sweep = Sweep {
        quantities: self::measures(base.scene()),
        base,
        paths: paths.iter().map(|path| path.text.clone()).collect(),
        combinations: Vec::new(),
        seeds: file.seeds.clone(),
        measures,
    };
    for index in 0..combinations {
        let values = values_at(file, index);
        let checked = match changed(&sweep.base, &sweep.paths, &values) {
            Ok(draft) => combination(&sweep, file, study, most, values, &draft),
            Err((path, error)) => Err(refused(paths[path], &values[path], error)),
        };
        match checked {
            Ok(combination) => sweep.combinations.push(combination),
            // A value that is wrong is so in many combinations.
            Err(problem) if problems.contains(&problem) => {}
            Err(problem) => problems.push(problem),
        }
        if problems.len() >= MOST_PROBLEMS {
            break;
        }
    }
    if problems.is_empty() { Ok(sweep) } else { Err(problems) }
}

/// The values of a combination, in the order of the paths; the last axis changes fastest.
fn values_at(file: &SweepFile, mut index: u64) -> Vec<Value> {
    let mut steps = Vec::new();
    for axis in file.over.iter().rev() {
        let count = axis.steps.len() as u64;
        steps.push(&axis.steps[(index % count) as usize]);
        index /= count;
    }
    steps.into_iter().rev().flatten().cloned().collect()
}

/// The scene with these values; the index of the path and the error of the first value that the
/// scene refuses.
pub(super) fn changed(
    base: &Draft,
    paths: &[String],
    values: &[Value],
) -> Result<Draft, (usize, ValidationError)> {
    let mut draft = base.clone();
    for (index, (path, value)) in paths.iter().zip(values).enumerate() {
        let path = draft.path(path).map_err(|error| (index, error))?;
        draft.set(&path, value.clone()).map_err(|error| (index, error))?;
    }
    Ok(draft)
}

fn combination(
    sweep: &Sweep,
    file: &SweepFile,
    study: &Study,
    most: u64,
    values: Vec<Value>,
    draft: &Draft,
) -> Result<Combination, Problem> {
    match draft.scene() {
        AnyScene::TwoD(scene) => of_scene(sweep, file, study, most, values, scene),
        AnyScene::ThreeD(scene) => of_scene(sweep, file, study, most, values, scene),
    }
}

fn of_scene<V: Vector>(
    sweep: &Sweep,
    file: &SweepFile,
    study: &Study,
    most: u64,
    values: Vec<Value>,
    scene: &Scene<V>,
) -> Result<Combination, Problem> {
    let at = file.over.first().and_then(|axis| axis.paths.first()).unwrap_or(&file.scene);
    if let Some(large) = scene.too_large(&study.source, study.format, most) {
        return Err(Problem { span: at.span.clone(), ..large });
    }
    // The seed has a part of the key of its own.
    let mut setup = scene.setup.clone();
    setup.seed = 0;
    let mut hasher = Fnv::default();
    setup.fingerprint().hash(&mut hasher);
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    for measure in scene.measures.iter().filter(|measure| sweep.keeps(&measure.name)) {
        // The notation for debugging has all parameters with all their digits.
        format!("{measure:?}").hash(&mut hasher);
    }
    let ticks = file.ticks.or_else(|| file.time.map(|time| scene.ticks_to(time)));
    let ticks = ticks.unwrap_or_else(|| scene.ticks());
    Ok(Combination { values, fingerprint: hasher.finish(), seed: scene.setup.seed, ticks })
}

/// FNV-1a: the same on every platform and for every version of the compiler.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

fn check_paths(file: &SweepFile, base: &Draft, paths: &[&Spanned]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut known: Vec<(KeyPath, &Spanned)> = Vec::new();
    for path in paths {
        let found = match base.path(&path.text) {
            Ok(found) => found,
            Err(error) => {
                problems.push(problem(path, error.message, error.allowed));
                continue;
            }
        };
        if !file.seeds.is_empty() && found.to_string() == "seed" {
            let message = "the sweep varies `seed`, and has `seeds`";
            problems.push(problem(path, message, "one of the two"));
        }
        if let Some((_, first)) = known.iter().find(|(other, _)| *other == found) {
            let message = format!("`{}` is varied twice", path.text);
            let also = Some((first.span.clone(), "first given here"));
            problems.push(Problem { also, ..problem(path, message, "each path once") });
        }
        known.push((found, path));
    }
    problems
}

/// The name of the measure that `name` means, and the name of its quantity if it names one.
fn quantity(scene: &AnyScene, name: &str) -> Option<(String, Option<String>)> {
    let all = measures(scene);
    if all.iter().any(|(measure, _)| measure == name) {
        return Some((name.to_string(), None));
    }
    all.iter().find_map(|(measure, quantities)| {
        let quantity = name.strip_prefix(measure.as_str())?.strip_prefix('.')?;
        let is_known = quantities.contains(&quantity);
        is_known.then(|| (measure.clone(), Some(quantity.to_string())))
    })
}

/// The measures of a scene, with the quantities that they give for a whole run.
fn measures(scene: &AnyScene) -> Vec<(String, Vec<&'static str>)> {
    fn of<V: Vector>(scene: &Scene<V>) -> Vec<(String, Vec<&'static str>)> {
        let quantities = |kind: &Kinds<V>| {
            let index = Kinds::<V>::LIST.iter().position(|other| other.name == kind.name());
            let all = index.map_or(&[][..], |index| Kinds::<V>::QUANTITIES[index]);
            all.iter().filter(|quantity| quantity.per == Per::Run).map(|q| q.name).collect()
        };
        scene.measures.iter().map(|m| (m.name.clone(), quantities(&m.kind))).collect()
    }
    match scene {
        AnyScene::TwoD(scene) => of(scene),
        AnyScene::ThreeD(scene) => of(scene),
    }
}

fn no_measure(name: &Spanned, scene: &AnyScene) -> Problem {
    let all = measures(scene);
    let message = format!("the scene measures nothing with the name \"{}\"", name.text);
    let of_measure = all.iter().find(|(measure, _)| name.text.starts_with(&format!("{measure}.")));
    let allowed = match of_measure {
        _ if all.is_empty() => "a scene with a [[measure]]".to_string(),
        Some((measure, quantities)) => {
            let names = quantities.iter().map(|quantity| format!("\"{measure}.{quantity}\""));
            names.collect::<Vec<_>>().join(", ")
        }
        None => {
            let names = all.iter().map(|(measure, _)| format!("\"{measure}\""));
            names.collect::<Vec<_>>().join(", ")
        }
    };
    problem(name, message, allowed)
}

fn problem(at: &Spanned, message: impl Into<String>, allowed: impl Into<String>) -> Problem {
    Problem {
        span: at.span.clone(),
        message: message.into(),
        allowed: allowed.into(),
        help: None,
        also: None,
    }
}

/// The problem of a value that the scene refuses.
fn refused(path: &Spanned, value: &Value, error: ValidationError) -> Problem {
    let value = value.write(wayfare_scene::Format::Toml);
    let message = format!("`{}` = {value}: {}", path.text, error.message);
    problem(path, message, error.allowed)
}

/// The problem of a scene that cannot run.
fn scene_refused(file: &SweepFile, study: &Study, problems: &[Problem]) -> Problem {
    let first = problems.iter().min_by_key(|problem| problem.span.start);
    let (line, message) = first.map_or((1, ""), |first| {
        (study.source.line_and_column(first.span.start).0, &*first.message)
    });
    let name = &study.source.name;
    let count = counted(problems.len(), "error");
    let message = format!("the scene has {count}, the first in {name}:{line}: {message}");
    problem(
        &file.scene,
        message,
        format!("a scene that `wayfare check {}` accepts", file.scene.text),
    )
}
