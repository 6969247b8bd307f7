//! The names of a crowd's groups and of their parts, and hashes of what commands can change as the
//! setup has it: what [`Crowd::migrate`] needs to bring a snapshot into a crowd with another setup.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::behavior::{Explore, Steer};
use crate::combine::List;
use crate::crowd::encoding::baseline::{Baseline, hash_of};
use crate::crowd::encoding::bytes::{Read, Reader, Writer, damaged};
use crate::crowd::facade::crowd::Crowd;
use crate::crowd::population::columns::{Columns, Widths};
use crate::parameter::Needs;
use crate::vector::Vector;

fn explore_hash<V: Vector>(explore: &Explore<V>) -> u64 {
    hash_of(|writer| {
        writer.shape(&explore.area);
        writer.f32(explore.cell_width());
    })
}

/// The names of a crowd, as [`Writer::names`] writes them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Names {
    pub(super) baseline: Baseline,
    pub(super) groups: Vec<GroupNames>,
    pub(super) paths: Vec<String>,
    pub(super) fields: Vec<String>,
    pub(super) lines: Vec<String>,
    pub(super) exits: usize,
    /// The index of the group of each source.
    pub(super) sources: Vec<usize>,
    facing: usize,
    force: usize,
}

/// The names of a group.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GroupNames {
    /// Empty for a removed group, which matches no other.
    pub(super) name: String,
    pub(super) first_id: u32,
    pub(super) perceives: bool,
    /// The distances of its conditions `stuck_within`.
    pub(super) stuck: Vec<f32>,
    pub(super) stats: Vec<String>,
    pub(super) states: Vec<String>,
    /// The group's own list, then those of its states.
    pub(super) lists: Vec<Vec<BehaviorName>>,
    /// The hash of the `explore` of each explored grid, and the number of the grid's cells.
    pub(super) explored: Vec<(u64, usize)>,
}

/// A behavior of a list, those of nested lists included.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BehaviorName {
    pub(super) name: String,
    /// Whether each agent has a memory for it.
    pub(super) remembers: bool,
}

impl GroupNames {
    /// The number of memories of a member.
    fn memories(&self) -> usize {
        self.lists.iter().flatten().filter(|behavior| behavior.remembers).count()
    }

    /// The range of the memories of a list.
    pub(super) fn memories_of(&self, list: usize) -> core::ops::Range<usize> {
        let count = |list: &Vec<BehaviorName>| list.iter().filter(|b| b.remembers).count();
        let first = self.lists[..list].iter().map(count).sum();
        first..first + count(&self.lists[list])
    }

    /// The behaviors of a list that have a memory.
    pub(super) fn remembering(&self, list: usize) -> Vec<&str> {
        let remembers = self.lists[list].iter().filter(|behavior| behavior.remembers);
        remembers.map(|behavior| behavior.name.as_str()).collect()
    }

    /// The number of remembered positions of a member.
    fn remembered(&self) -> usize {
        usize::from(self.perceives) + self.stuck.len()
    }
}

impl Names {
    pub(super) fn of<V: Vector>(crowd: &Crowd<V>) -> Read<Self> {
        let mut writer = Writer::default();
        writer.names(crowd);
        Reader(&writer.0).names()
    }

    /// No agents, in columns of the widths that the groups need.
    pub(super) fn columns<V: Vector>(&self) -> Columns<V> {
        let most = |count: fn(&GroupNames) -> usize| self.groups.iter().map(count).max();
        Columns::with_widths(Widths {
            facing: self.facing,
            force: self.force,
            stats: most(|group| group.stats.len()).unwrap_or(0),
            memory: most(GroupNames::memories).unwrap_or(0),
            remembered: most(GroupNames::remembered).unwrap_or(0),
            limits_change: false,
        })
    }

    /// The number of counts of lines, exits and sources.
    pub(super) fn counts(&self) -> usize {
        2 * self.lines.len() + self.exits + 2 * self.sources.len()
    }
}

impl Writer {
    pub(super) fn names<V: Vector>(&mut self, crowd: &Crowd<V>) {
        let Baseline { obstacles, obstacle_count, paths, groups } = &crowd.origin.baseline;
        self.u64(*obstacles);
        self.u32(*obstacle_count);
        self.index(groups.len());
        let removed = crowd.origin.structure.groups.iter();
        for (i, (baseline, entry)) in groups.iter().zip(removed).enumerate() {
            let group = &crowd.origin.setup.groups[i];
            self.u64(*baseline);
            self.text(if entry.removed { "" } else { &group.name });
            self.u32(entry.first_id);
            self.flag(group.sight.is_some());
            let stuck = &crowd.world.groups[i].stuck.distances;
            self.index(stuck.len());
            stuck.iter().for_each(|distance| self.f32(*distance));
            self.index(group.stats.len());
            group.stats.iter().for_each(|stat| self.text(&stat.name));
            self.index(group.states.len());
            group.states.iter().for_each(|state| self.text(&state.name));
            group.lists().for_each(|list| self.names_of_list(list));
            let exploring: Vec<_> = group.lists().flat_map(List::exploring).collect();
            self.index(exploring.len());
            for ((_, explore), (_, grid)) in
                exploring.into_iter().zip(&crowd.world.groups[i].explored)
            {
                self.u64(explore_hash(explore));
                self.index(grid.len());
            }
        }
        self.index(paths.len());
        for ((baseline, (name, _)), removed) in
            paths.iter().zip(&crowd.origin.setup.paths).zip(&crowd.origin.structure.removed_paths)
        {
            self.u64(*baseline);
            self.text(if *removed { "" } else { name });
        }
        self.index(crowd.origin.setup.fields.len());
        crowd.origin.setup.fields.iter().for_each(|(name, _)| self.text(name));
        self.index(crowd.world.tracker.lines.len());
        crowd.world.tracker.lines.iter().for_each(|count| self.text(&count.line.name));
        self.index(crowd.world.tracker.exits.len());
        self.index(crowd.world.sources.len());
        crowd.world.sources.iter().for_each(|count| self.index(count.source.group.0));
        self.flag(crowd.population.now.facing_width > 0);
        self.flag(crowd.population.now.force_width > 0);
    }

    fn names_of_list<V: Vector>(&mut self, list: &List<V>) {
        self.index(list.behaviors().count());
        for behavior in list.behaviors() {
            self.text(behavior.name());
            self.flag(behavior.needs().has(Needs::MEMORY));
        }
    }
}

impl Reader<'_> {
    pub(super) fn names(&mut self) -> Read<Names> {
        let (obstacles, obstacle_count) = (self.u64()?, self.u32()?);
        let mut baseline = Baseline { obstacles, obstacle_count, ..Baseline::default() };
        let count = self.count(8)?;
        let groups = self.many(count, |reader| {
            baseline.groups.push(reader.u64()?);
            reader.names_of_group()
        })?;
        let count = self.count(8)?;
        let paths = self.many(count, |reader| {
            baseline.paths.push(reader.u64()?);
            reader.name()
        })?;
        let names = Names {
            baseline,
            groups,
            paths,
            fields: self.list_of(8, Self::name)?,
            lines: self.list_of(8, Self::name)?,
            exits: self.count(8)?,
            sources: self.list_of(8, Self::index)?,
            facing: usize::from(self.flag()?),
            force: usize::from(self.flag()?),
        };
        if names.sources.iter().any(|group| *group >= names.groups.len()) {
            return damaged("a source is of no group");
        }
        Ok(names)
    }

    fn names_of_group(&mut self) -> Read<GroupNames> {
        let (name, first_id, perceives) = (self.name()?, self.u32()?, self.flag()?);
        let stuck = self.list_of(4, Self::f32)?;
        let stats = self.list_of(8, Self::name)?;
        let states = self.list_of(8, Self::name)?;
        let lists = self.many(states.len() + 1, |reader| {
            reader.list_of(9, |reader| {
                Ok(BehaviorName { name: reader.name()?, remembers: reader.flag()? })
            })
        })?;
        let explored = self.list_of(16, |reader| Ok((reader.u64()?, reader.index()?)))?;
        Ok(GroupNames { name, first_id, perceives, stuck, stats, states, lists, explored })
    }

    fn name(&mut self) -> Read<String> {
        self.text().map(str::to_string)
    }

    fn list_of<T>(&mut self, size: usize, one: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let count = self.count(size)?;
        self.many(count, one)
    }
}
