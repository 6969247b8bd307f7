//! The spans of a setup's key paths in the text of its scene.

use std::ops::Range;

use wayfare::crowd::{KeyPath, KeySegment, ValidationError};

use crate::diagnostic::Problem;
use crate::document::{Content, Node};

/// An error of the setup's validation as a problem of the file.
pub(crate) fn problem_at(root: &Node, error: ValidationError) -> Problem {
    Problem::new(locate(root, &error.key_path), error.message, error.allowed)
}

/// Whether the file gives a value at `key_path`.
pub(crate) fn is_written(root: &Node, key_path: &KeyPath) -> bool {
    node_at(root, key_path).is_some()
}

/// The value at `key_path`, if the file gives one.
pub(crate) fn node_at<'n>(root: &'n Node, key_path: &KeyPath) -> Option<&'n Node> {
    key_path.0.iter().try_fold(root, |node, segment| match segment {
        KeySegment::Name(name) => node.get(name),
        KeySegment::At(index) => node.list()?.get(*index),
    })
}

/// The span of the value at `key_path`, or of the innermost value around it that the file gives.
pub(crate) fn locate(root: &Node, key_path: &KeyPath) -> Range<usize> {
    let (mut node, mut span) = (root, 0..0);
    for segment in &key_path.0 {
        match segment {
            KeySegment::Name(name) => {
                let entries = node.table().unwrap_or_default();
                let Some(entry) = entries.iter().find(|entry| entry.key == *name) else {
                    return span;
                };
                node = &entry.node;
                // Of a table or a list the key is shown: it says more than all the lines inside.
                span = match node.content {
                    Content::Table(_) | Content::List(_) => entry.span.clone(),
                    _ => node.span.clone(),
                };
            }
            KeySegment::At(index) => match node.list().and_then(|items| items.get(*index)) {
                Some(item) => {
                    node = item;
                    span = node.span.clone();
                }
                None => return span,
            },
        }
    }
    if matches!(node.content, Content::List(_)) { node.span.clone() } else { span }
}

/// The parts of a file that problems are about, ordered by their starts; each with the largest end
/// up to there.
pub(super) struct Covered(Vec<(usize, usize)>);

impl Covered {
    pub(super) fn by(problems: &[Problem]) -> Self {
        let mut parts: Vec<(usize, usize)> =
            problems.iter().map(|p| (p.span.start, p.span.end.max(p.span.start + 1))).collect();
        parts.sort_unstable();
        let mut largest = 0;
        for (_, end) in &mut parts {
            largest = largest.max(*end);
            *end = largest;
        }
        Self(parts)
    }

    pub(super) fn touches(&self, span: &Range<usize>) -> bool {
        let before = self.0.partition_point(|(start, _)| *start < span.end.max(span.start + 1));
        before > 0 && self.0[before - 1].1 > span.start
    }
}
