//! The index phase: sorts the agents into grid cells, and updates the bounding volume trees over
//! the groups that are searched for nearest members, with the centers of groups.

use super::tick::Tick;
use crate::crowd::compiled::CompiledGroup;
use crate::crowd::population::Population;
use crate::crowd::population::columns::Columns;
use crate::crowd::population::ghosts::Ghosts;
use crate::crowd::world::World;
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

/// Sorts the agents into cells if needed, and updates the member trees.
pub(super) fn index<V: Vector>(
    world: &mut World<V>,
    population: &mut Population<V>,
    tick: &mut Tick<V>,
    shared: Share,
) {
    if !tick.is_sorted_for_part {
        sort(world, population, tick, shared);
    }
    count_members(world, population);
    let agents = (&population.now, &population.ghosts);
    update_all_members(&mut world.groups, 0, agents, &world.space, shared);
}

/// Sorts the agents by grid cell, if an agent may have moved too far from its cell.
///
/// Sorting is a large part of the cost of a tick, and cells need not be exact: neighbor queries are
/// padded by the maximum displacement since the last sort.
pub(in crate::crowd) fn sort<V: Vector>(
    world: &World<V>,
    population: &mut Population<V>,
    tick: &mut Tick<V>,
    shared: Share,
) {
    if cell_width_now(world, population, tick).is_none() {
        return;
    }
    let Some(width) = is_sort_due(world, population, tick) else {
        tick.max_displacement = displacement(population, tick);
        return;
    };
    let width = width * (1.0 + MAX_DISPLACEMENT);
    let has_decider =
        |group: &CompiledGroup<V>| group.states.iter().any(|state| state.decider.is_some());
    let form = if world.groups.iter().any(has_decider) { Cells::Narrow } else { Cells::Square };
    let Population { now, next, .. } = population;
    tick.grid.build_cells(&now.position, width, form, &world.space, shared);
    now.permute_into(tick.grid.rows(), next, shared);
    core::mem::swap(now, next);
    population.has_previous = false;
    tick.max_displacement = 0.0;
    if let Some(index) = population.row_index.get_mut() {
        index.permute(tick.grid.rows());
    }
}

/// The maximum displacement of an agent since the last sort, after the next step (length).
fn displacement<V: Vector>(population: &Population<V>, tick: &Tick<V>) -> f32 {
    // Rounding in the step and at a wrapped edge counts as displacement.
    tick.max_displacement
        + population.max_speed * tick.dt as f32 * 1.001
        + 4.0 * f32::EPSILON * tick.grid.magnitude()
}

/// The best cell width if the next tick sorts the agents into cells (length).
pub(in crate::crowd) fn is_sort_due<V: Vector>(
    world: &World<V>,
    population: &Population<V>,
    tick: &Tick<V>,
) -> Option<f32> {
    let width = cell_width_now(world, population, tick)?;
    let enough = MAX_DISPLACEMENT * width.max(0.5 * tick.grid.width());
    (displacement(population, tick) > enough).then_some(width)
}

/// The width of the cells (length), or `None` for no cells. Without neighbor queries cells are used
/// only with many obstacles: consecutive agents then read the same obstacles from cache.
fn cell_width_now<V: Vector>(
    world: &World<V>,
    population: &Population<V>,
    tick: &Tick<V>,
) -> Option<f32> {
    // Agents are sorted again after moving by a fraction of the width: some ticks later.
    let bodies = || tick.solid.as_ref().and_then(|solid| solid.cell_width());
    tick.cell_width.or_else(bodies).or_else(|| {
        (world.obstacles.len() > FEW_OBSTACLES)
            .then_some(population.max_speed * tick.dt as f32 * 100.0)
    })
}

/// Counts the members of each group, if agents were added or removed since the last count.
pub(in crate::crowd) fn count_members<V: Vector>(
    world: &mut World<V>,
    population: &mut Population<V>,
) {
    if !core::mem::take(&mut population.recount) {
        return;
    }
    world.groups.iter_mut().for_each(|group| group.member_count = 0);
    for &group in &population.now.group[..population.now.len()] {
        world.groups[group as usize].member_count += 1;
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
