//! Hints of `wayfare check` about settings that are legal but have no effect or move agents badly:
//! those of the library, and that of a scene's duration.

use std::collections::{BTreeMap, HashSet};

use wayfare::crowd::{KeyPath, ValidationError};
use wayfare::vector::Vector;

use crate::decode::{Scene, is_written, problem_at, with_templates};
use crate::diagnostic::{Problem, Source, counted};
use crate::document::Node;
use crate::presentation::{Presentation, Rgb, contrast};

/// A run with more ticks than this is likely a mistake.
const MANY_TICKS: u64 = 1_000_000_000;

/// The most hints that say the same of different values and are shown one by one.
const MOST_ALIKE: usize = 3;

/// The ground of pictures, and the least contrast of a group's color with it: silver has 1.8 and is
/// hardly seen, the palest color of the palette has 2.2.
const GROUND: Rgb = [255, 255, 255];
const LEAST_CONTRAST: f64 = 1.9;

/// The finest step between positions, as a part of the extent of the obstacles: a centimetre in a
/// kilometre.
const FINEST: f32 = 1e-5;

/// The number of further places that a hint names.
const NAMED_PLACES: usize = 3;

/// All hints with their positions in the scene.
pub(crate) fn hints<V: Vector>(root: &Node, scene: &Scene<V>) -> Vec<(KeyPath, Problem)> {
    let root = &*with_templates(root);
    let mut found = Vec::new();
    if scene.ticks() > MANY_TICKS {
        found.push(ValidationError {
            key_path: KeyPath::default().key("duration"),
            message: format!(
                "a `duration` of {:e} is {:e} ticks of {}",
                scene.duration,
                scene.ticks() as f64,
                scene.setup.dt
            ),
            allowed: "at most 1e9 ticks".to_string(),
        });
    }
    found.extend(late_events(scene));
    found.extend(scene.setup.hints_if(&|key_path, _| is_written(root, key_path)));
    found.extend(pale_colors(&scene.presentation));
    if root.get("geometry").is_some() {
        found.extend(far_geometry(scene));
    }
    if let Some(fire) = scene.fire {
        // A group of bullets begins without members.
        let bullets = KeyPath::default().key("group").at(fire.bullets.0);
        let empty = [bullets.key("count"), bullets.key("spawn")];
        let has_members = scene.setup.groups[fire.bullets.0].count > 0;
        found.retain(|hint| has_members || !empty.contains(&hint.key_path));
    }
    let is_about = |quiet: &KeyPath, hint: &ValidationError| hint.key_path.0.starts_with(&quiet.0);
    let of_quiet = scene.quiet.iter().enumerate().filter_map(|(index, quiet)| {
        let silences = found.iter().any(|hint| is_about(quiet, hint));
        (!silences).then(|| ValidationError {
            key_path: KeyPath::default().key("quiet").at(index),
            message: format!("there is no hint about \"{quiet}\""),
            allowed: "the key path of a hint, or of a table with one".to_string(),
        })
    });
    let of_quiet: Vec<_> = of_quiet.collect();
    found.retain(|hint| !scene.quiet.iter().any(|quiet| is_about(quiet, hint)));
    found.extend(of_quiet);
    // A setting of a template is hinted at once, and not in each group that has it.
    let mut known = HashSet::new();
    found
        .into_iter()
        .map(|error| (error.key_path.clone(), problem_at(root, error)))
        .filter(|(_, problem)| known.insert((problem.span.start, problem.message.clone())))
        .collect()
}

/// The hints about events that come after the end of the run.
fn late_events<V: Vector>(scene: &Scene<V>) -> impl Iterator<Item = ValidationError> {
    let events = scene.setup.commands.iter().enumerate();
    events.filter(|(_, event)| event.at >= scene.duration).map(|(index, event)| ValidationError {
        key_path: KeyPath::default().key("event").at(index).key("at"),
        message: format!("the event at {} comes after the end of the run", event.at),
        allowed: format!("a time before the `duration`, {}", scene.duration),
    })
}

/// The hint about obstacles that are so far from the origin that their corners are rounded by more
/// than a hundred-thousandth of their extent.
fn far_geometry<V: Vector>(scene: &Scene<V>) -> Option<ValidationError> {
    let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
    for (from, to) in scene.setup.obstacles.iter().map(|shape| shape.extent(scene.setup.up)) {
        for axis in 0..2 {
            low[axis] = low[axis].min(from.axis(axis));
            high[axis] = high[axis].max(to.axis(axis));
        }
    }
    let largest = low.into_iter().chain(high).map(f32::abs).fold(0.0, f32::max);
    let extent = (high[0] - low[0]).max(high[1] - low[1]);
    // The distance to the next number.
    let step = f32::from_bits(largest.to_bits() + 1) - largest;
    if !(largest.is_finite() && step > FINEST * extent) {
        return None;
    }
    // Round numbers near the corner with the smallest coordinates.
    let round = low.map(|x| (f64::from(x) / 1e3).floor() * 1e3);
    Some(ValidationError {
        key_path: KeyPath::default().key("geometry"),
        message: format!(
            "obstacles reach to {largest} and are {extent} wide: positions are rounded to {step}"
        ),
        allowed: format!("coordinates near zero: origin = [{}, {}]", round[0], round[1]),
    })
}

/// The hints about colors that do not stand out on the white ground of pictures.
fn pale_colors(presentation: &Presentation) -> Vec<ValidationError> {
    let given = presentation.colors.iter().enumerate();
    let found = given.filter_map(|(group, color)| {
        let color = (*color)?;
        let contrast = contrast(color, GROUND);
        (contrast < LEAST_CONTRAST).then(|| ValidationError {
            key_path: KeyPath::default().key("group").at(group).key("color"),
            message: format!("the contrast of `color` with the white ground is {contrast:.1}"),
            allowed: format!("a darker color, with a contrast of at least {LEAST_CONTRAST}"),
        })
    });
    found.collect()
}

/// The hints with equal ones folded: those with the same text apart from names are one, with the
/// number of the others and the first of their places. The same holds for more than
/// [`MOST_ALIKE`] with the same text apart from names and numbers.
pub(crate) fn folded(source: &Source, found: Vec<(KeyPath, Problem)>) -> Vec<Problem> {
    // The hints by their texts without names and numbers, then by their texts without names.
    let mut alike: BTreeMap<String, BTreeMap<String, Vec<usize>>> = BTreeMap::new();
    for (i, (_, hint)) in found.iter().enumerate() {
        let equal = without_names(&format!("{}\n{}", hint.message, hint.allowed));
        alike.entry(without_numbers(&equal)).or_default().entry(equal).or_default().push(i);
    }
    let mut shown = BTreeMap::new();
    for equal in alike.into_values() {
        if equal.len() > MOST_ALIKE {
            let mut all: Vec<usize> = equal.into_values().flatten().collect();
            all.sort_unstable();
            shown.insert(all[0], all);
        } else {
            shown.extend(equal.into_values().map(|all| (all[0], all)));
        }
    }
    let hint = |(first, all): (usize, Vec<usize>)| {
        let mut hint = found[first].1.clone();
        if all.len() > 1 {
            let place = |i: &usize| {
                let (line, _) = source.line_and_column(found[*i].1.span.start);
                format!("{} (line {line})", found[*i].0)
            };
            let places: Vec<String> = all[1..].iter().take(NAMED_PLACES).map(place).collect();
            let more = if all.len() - 1 > NAMED_PLACES { ", …" } else { "" };
            hint.help = Some(format!(
                "the same holds at {}: {}{more}",
                counted(all.len() - 1, "more place"),
                places.join(", ")
            ));
        }
        hint
    };
    shown.into_iter().map(hint).collect()
}

/// The text without what stands in quotes.
fn without_names(text: &str) -> String {
    text.split('"').step_by(2).collect::<Vec<_>>().join("\"\"")
}

/// The text with one mark in place of each number.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        let is_sign = c == '-' && out.ends_with(' ');
        let goes_on = is_sign || (out.ends_with('#') && matches!(c, '.' | '-' | 'e'));
        if c.is_ascii_digit() {
            if !out.ends_with('#') {
                out.push('#');
            }
        } else if !goes_on {
            out.push(c);
        }
    }
    out
}
