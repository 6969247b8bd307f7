//! How much memory a scene takes, told before any of it is taken: an allocation that fails ends a
//! program without a word.

use wayfare::agent::Memory;
use wayfare::behavior::Steer;
use wayfare::crowd::{Group, KeyPath, ValidationError};
use wayfare::vector::Vector;

use crate::decode::{Scene, problem_at};
use crate::diagnostic::{Problem, Source};
use crate::document::{Format, parse};

/// What an agent takes without stats and memories (bytes): both generations of its columns, its
/// place in the grid, and room to grow.
const PER_AGENT: u64 = 250;

impl<V: Vector> Scene<V> {
    /// How many bytes its crowd takes, by an estimate that is rather too high.
    pub fn memory(&self) -> u64 {
        self.agents().saturating_mul(self.memory_per_agent())
    }

    fn agents(&self) -> u64 {
        (0..self.setup.groups.len()).map(|group| self.members(group).0).sum()
    }

    /// How many members of the group with this index there can be, and which source lets in so
    /// many, if one does.
    fn members(&self, group: usize) -> (u64, Option<usize>) {
        let sources =
            self.setup.sources.iter().enumerate().filter(|(_, source)| source.group == group);
        let most =
            sources.map(|(i, source)| (source.most as u64, Some(i))).max_by_key(|(most, _)| *most);
        let start = self.setup.groups[group].count as u64;
        most.filter(|(most, _)| *most > start).unwrap_or((start, None))
    }

    /// Rows of stats and memories are as wide as the widest group's, and kept for both generations.
    fn memory_per_agent(&self) -> u64 {
        let widest =
            |width: fn(&Group<V>) -> usize| self.setup.groups.iter().map(width).max().unwrap_or(0);
        let stats = widest(|group| group.stats.len()) * size_of::<f32>();
        let memories = widest(|group| {
            group.lists().flat_map(|list| list.behaviors()).filter(|b| b.remembers()).count()
        }) * size_of::<Memory<V>>();
        PER_AGENT + 2 * (stats + memories) as u64
    }

    /// What to tell where its crowd takes more than `most` bytes; `source` is the file it was read
    /// from.
    pub fn too_large(&self, source: &Source, format: Format, most: u64) -> Option<Problem> {
        let largest = (0..self.setup.groups.len()).max_by_key(|&i| self.members(i).0)?;
        if self.memory() <= most {
            return None;
        }
        let root = parse(&source.text, format).ok()?;
        let together = if self.setup.groups.len() > 1 { " together" } else { "" };
        Some(problem_at(
            &root,
            ValidationError {
                key_path: match self.members(largest).1 {
                    Some(source) => KeyPath::default().key("source").at(source).key("most"),
                    None => KeyPath::default().key("group").at(largest).key("count"),
                },
                message: format!(
                    "{} agents{together} take about {} of memory",
                    self.agents(),
                    size(self.memory())
                ),
                allowed: format!(
                    "at most {} agents here: {} are free",
                    most / self.memory_per_agent(),
                    size(most)
                ),
            },
        ))
    }
}

/// A number of bytes as a person reads it.
fn size(bytes: u64) -> String {
    if bytes >= 1_000_000_000 {
        format!("{:.1} GB", bytes as f64 / 1e9)
    } else {
        format!("{:.0} MB", bytes as f64 / 1e6)
    }
}
