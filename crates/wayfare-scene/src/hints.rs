//! Hints of `wayfare check` about settings that are legal but have no effect or move agents badly:
//! those of the library, and that of a scene's duration.

use std::collections::HashSet;

use wayfare::crowd::{KeyPath, ValidationError};
use wayfare::vector::Vector;

use crate::decode::{Scene, is_written, problem_at, with_templates};
use crate::diagnostic::Problem;
use crate::document::Node;

/// A run with more ticks than this is likely a mistake.
const MANY_TICKS: u64 = 1_000_000_000;

pub(crate) fn hints<V: Vector>(root: &Node, scene: &Scene<V>) -> Vec<Problem> {
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
    found.extend(scene.setup.hints_if(&|key_path, _| is_written(root, key_path)));
    if let Some(fire) = scene.fire {
        // A group of bullets begins without members.
        let bullets = KeyPath::default().key("group").at(fire.bullets.0);
        let empty = [bullets.key("count"), bullets.key("spawn")];
        let has_members = scene.setup.groups[fire.bullets.0].count > 0;
        found.retain(|hint| has_members || !empty.contains(&hint.key_path));
    }
    let mut problems: Vec<Problem> = Vec::new();
    // A setting of a template is hinted at once, and not in each group that has it.
    let mut known = HashSet::new();
    for problem in found.into_iter().map(|error| problem_at(root, error)) {
        if known.insert((problem.span.start, problem.message.clone())) {
            problems.push(problem);
        }
    }
    problems
}
