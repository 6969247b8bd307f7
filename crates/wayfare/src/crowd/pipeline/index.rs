//! The index phase: sorts the agents into grid cells, and updates the bounding volume trees over
//! the groups that are searched for nearest members, with the centers of groups.

use crate::crowd::compiled::CompiledGroup;
use crate::crowd::population::columns::Columns;
use crate::crowd::population::ghosts::Ghosts;
use crate::crowd::{Crowd, Group};
use crate::spatial::bvh::{Bvh, Item};
use crate::spatial::grid::Cells;
use crate::spatial::group_center::GroupCenter;
use crate::spatial::space::Space;
use crate::threads::{Share, both};
use crate::vector::Vector;

/// Up to this count sorting gains nothing for obstacles: all of them fit in the processor's cache.
const FEW_OBSTACLES: usize = 512;

/// Agents are sorted again when one of them may have moved by this fraction of a cell's width.
const MAX_DISPLACEMENT: f32 = 0.2;

impl<V: Vector> Crowd<V> {
    /// Sorts the agents into cells if needed, and updates the member trees.
    pub(super) fn index(&mut self, shared: Share) {
        if !self.tick.is_sorted_for_part {
            self.sort(shared);
        }
        self.count_members();
        let agents = (&self.population.now, &self.population.ghosts);
        update_all_members(&mut self.world.groups, 0, agents, &self.world.space, shared);
    }

    /// Sorts the agents by grid cell, if an agent may have moved too far from its cell.
    ///
    /// Sorting is a large part of the cost of a tick, and cells need not be exact: neighbor queries
    /// are padded by the maximum displacement since the last sort.
    pub(in crate::crowd) fn sort(&mut self, shared: Share) {
        if self.cell_width_now().is_none() {
            return;
        }
        let Some(width) = self.is_sort_due() else {
            self.tick.max_displacement = self.displacement();
            return;
        };
        let width = width * (1.0 + MAX_DISPLACEMENT);
        let has_decider =
            |group: &CompiledGroup<V>| group.states.iter().any(|state| state.decider.is_some());
        let form =
            if self.world.groups.iter().any(has_decider) { Cells::Narrow } else { Cells::Square };
        self.tick.grid.build_cells(
            &self.population.now.position,
            width,
            form,
            &self.world.space,
            shared,
        );
        self.population.now.permute_into(self.tick.grid.rows(), &mut self.population.next, shared);
        core::mem::swap(&mut self.population.now, &mut self.population.next);
        self.population.has_previous = false;
        self.tick.max_displacement = 0.0;
        if let Some(index) = self.population.row_index.get_mut() {
            index.permute(self.tick.grid.rows());
        }
    }

    /// The maximum displacement of an agent since the last sort, after the next step (length).
    fn displacement(&self) -> f32 {
        // Rounding in the step and at a wrapped edge counts as displacement.
        self.tick.max_displacement
            + self.population.max_speed * self.tick.dt as f32 * 1.001
            + 4.0 * f32::EPSILON * self.tick.grid.magnitude()
    }

    /// The best cell width if the next tick sorts the agents into cells (length).
    pub(in crate::crowd) fn is_sort_due(&self) -> Option<f32> {
        let width = self.cell_width_now()?;
        let enough = MAX_DISPLACEMENT * width.max(0.5 * self.tick.grid.width());
        (self.displacement() > enough).then_some(width)
    }

    /// The width of the cells (length), or `None` for no cells. Without neighbor queries cells are
    /// used only with many obstacles: consecutive agents then read the same obstacles from cache.
    fn cell_width_now(&self) -> Option<f32> {
        // Agents are sorted again after moving by a fraction of the width: some ticks later.
        let bodies = || self.tick.solid.as_ref().and_then(|solid| solid.cell_width());
        self.tick.cell_width.or_else(bodies).or_else(|| {
            (self.world.obstacles.len() > FEW_OBSTACLES)
                .then_some(self.population.max_speed * self.tick.dt as f32 * 100.0)
        })
    }

    /// Counts the members of each group, if agents were added or removed since the last count.
    pub(in crate::crowd) fn count_members(&mut self) {
        if !core::mem::take(&mut self.population.recount) {
            return;
        }
        self.world.groups.iter_mut().for_each(|group| group.member_count = 0);
        for &group in &self.population.now.group[..self.population.now.len()] {
            self.world.groups[group as usize].member_count += 1;
        }
    }
}

/// Updates the trees of those groups that are searched, over owned agents and ghosts, and the
/// centers that are read; `first` is the index of the first group.
fn update_all_members<V: Vector>(
    groups: &mut [CompiledGroup<V>],
    first: u32,
    agents: (&Columns<V>, &Ghosts<V>),
    space: &Space<V>,
    shared: Share,
) {
    if shared.is_on() && groups.len() > 1 {
        let middle = groups.len() / 2;
        let (low, high) = groups.split_at_mut(middle);
        return both(
            shared,
            || update_all_members(low, first, agents, space, shared),
            || update_all_members(high, first + middle as u32, agents, space, shared),
        );
    }
    for (group, index) in groups.iter_mut().zip(first..).filter(|(group, _)| group.searched) {
        let count = group.member_count + agents.1.count(index as usize);
        update_members(&mut group.members, agents, index, count as usize);
        if group.centered {
            group.center = GroupCenter::of(space, group.members.points());
        }
    }
}

/// Moves the tree over the `count` members of `group` to their positions in the columns.
fn update_members<V: Vector>(
    bvh: &mut Bvh<V>,
    agents: (&Columns<V>, &Ghosts<V>),
    group: u32,
    count: usize,
) {
    let (now, ghosts) = agents;
    // The tree is refitted until the rows are sorted or its boxes have grown too much.
    let find = |id: u32, row: u32| {
        let row = row as usize;
        if now.id.get(row) == Some(&id) {
            Some(now.position.get(row))
        } else {
            ghosts.position_of(id, row.checked_sub(now.len())?)
        }
    };
    if bvh.len() != count || !bvh.refit(find) {
        build_members(bvh, agents, group);
    }
}

/// Builds the tree over the members of `group`: owned agents by their rows, and ghosts by the rows
/// behind them.
pub(in crate::crowd) fn build_members<V: Vector>(
    bvh: &mut Bvh<V>,
    (now, ghosts): (&Columns<V>, &Ghosts<V>),
    group: u32,
) {
    bvh.build(members(now, 0, group).chain(members(ghosts.columns(), now.len(), group)));
}

/// The members of `group` as items of a tree; the first row of the columns is `first` there.
fn members<V: Vector>(
    columns: &Columns<V>,
    first: usize,
    group: u32,
) -> impl Iterator<Item = Item<V>> + '_ {
    (0..columns.len()).filter(move |&row| columns.group[row] == group).map(move |row| {
        let p = columns.position.get(row);
        Item { low: p, high: p, rank: columns.id[row], index: (first + row) as u32 }
    })
}

/// The best cell width (length): the neighbor radius of the largest group that has one, unless
/// other groups have a much larger radius. `None` if no group reads neighbors.
pub(in crate::crowd) fn cell_width<V: Vector>(
    setup: &[Group<V>],
    groups: &[CompiledGroup<V>],
) -> Option<f32> {
    let widest = groups.iter().filter_map(|group| group.radius).reduce(f32::max)?;
    let looking =
        setup.iter().zip(groups).filter_map(|(setup, group)| Some((setup.count, group.radius?)));
    let usual = looking.max_by_key(|(count, _)| *count)?.1;
    Some(usual.max(widest / 8.0))
}
