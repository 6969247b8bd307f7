//! Refuses scenes whose crowd does not fit into the RAM that is free, before any of it is
//! allocated.

use wayfare::crowd::{KeyPath, RamBound, ValidationError};
use wayfare::vector::Vector;

use crate::decode::{Scene, problem_at, with_templates};
use crate::diagnostic::{Problem, Source};
use crate::document::{Format, parse};

impl<V: Vector> Scene<V> {
    /// An upper bound on the RAM of its crowd (bytes).
    pub fn ram_bound(&self) -> u64 {
        self.setup.ram_bound().total()
    }

    /// The problem of a scene whose crowd may take more than `most` bytes; `source` is the file it
    /// was read from.
    pub fn too_large(&self, source: &Source, format: Format, most: u64) -> Option<Problem> {
        let bound = self.setup.ram_bound();
        if bound.total() <= most {
            return None;
        }
        let root = parse(&source.text, format).ok()?;
        let of_agents = bound.agents.saturating_mul(bound.per_agent);
        let error = match &bound.largest {
            Some((bytes, key_path)) if bound.fixed > of_agents => ValidationError {
                key_path: key_path.clone(),
                message: format!(
                    "the fields, `explore` grids and lists take up to {} of memory, and this \
                     one {}",
                    size(bound.fixed),
                    size(*bytes)
                ),
                allowed: format!("wider cells, or fewer of them: {} are free", size(most)),
            },
            _ => self.too_many_agents(&bound, most)?,
        };
        Some(problem_at(&with_templates(&root), error))
    }

    fn too_many_agents(&self, bound: &RamBound, most: u64) -> Option<ValidationError> {
        let groups = self.setup.groups.len();
        let members = |group: usize| self.setup.max_members(group);
        let largest = (0..groups).max_by_key(|&group| members(group).0)?;
        let together = if groups > 1 { " together" } else { "" };
        Some(ValidationError {
            key_path: match members(largest).1 {
                Some(source) => KeyPath::default().key("source").at(source).key("most"),
                None => KeyPath::default().key("group").at(largest).key("count"),
            },
            message: format!(
                "{} agents{together} take up to {} of memory",
                bound.agents,
                size(bound.total())
            ),
            allowed: format!(
                "at most {} agents here: {} are free",
                most.saturating_sub(bound.fixed) / bound.per_agent.max(1),
                size(most)
            ),
        })
    }
}

/// A number of bytes in text.
fn size(bytes: u64) -> String {
    if bytes >= 1_000_000_000 {
        format!("{:.1} GB", bytes as f64 / 1e9)
    } else {
        format!("{:.0} MB", bytes as f64 / 1e6)
    }
}
