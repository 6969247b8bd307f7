//! The members of groups that somebody looks for, in trees.

use core::cell::Cell;

use super::setup::{Condition, Group, Perception};
use crate::combine::List;
use crate::parameter::{GroupId, Target, Value, Variants};
use crate::registry::Behavior;
use crate::spatial::bvh::{BOXES, Block, Bvh};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// Which of the groups somebody may look for the nearest member of.
pub(super) fn sought<V: Vector>(groups: &[Group<V>]) -> Vec<bool> {
    let mut found = vec![false; groups.len()];
    let mut seek = |group: usize| found.iter_mut().skip(group).take(1).for_each(|f| *f = true);
    for group in groups {
        for behavior in group.lists().flat_map(List::behaviors) {
            match behavior {
                // Nobody knows whom it asks for.
                Behavior::Own(..) => (0..groups.len()).for_each(&mut seek),
                _ => behavior
                    .parameters()
                    .iter()
                    .filter_map(|p| behavior.get(p.name))
                    .for_each(|value| in_value(&value, &mut seek)),
            }
        }
        if let Some(Perception { of: Target::Group(of), .. }) = group.sight {
            seek(of);
        }
        group
            .states
            .iter()
            .flat_map(|state| &state.leave)
            .for_each(|transition| in_condition(&transition.when, &mut seek));
    }
    found
}

fn in_value<V: Vector>(value: &Value<V>, seek: &mut impl FnMut(usize)) {
    match value {
        Value::Target(Target::Group(group)) | Value::Group(GroupId(group)) => seek(*group),
        Value::Nested(values) => values.iter().for_each(|(_, value)| in_value(value, seek)),
        _ => {}
    }
}

fn in_condition<V: Vector>(condition: &Condition<V>, seek: &mut impl FnMut(usize)) {
    condition.visit(&mut |condition| {
        let values = condition.parameters().iter().filter_map(|p| condition.get(p.name));
        values.for_each(|value| in_value(&value, seek));
    });
}

/// The place in the columns of the member nearest to `to`, if it is at most `within` away (length);
/// not `except`, and the lowest id in a tie.
pub(super) fn nearest<V: Vector>(
    tree: &Bvh<V>,
    space: &Space<V>,
    to: V,
    within: f32,
    except: u32,
) -> Option<usize> {
    // The square rounds, and so does the root.
    let bound = within * within * 1.000_01 + f32::MIN_POSITIVE;
    let search = |space: &Space<V>| {
        let below = |block: &Block| block.gaps(space, to, to);
        let measure = |block: &Block| {
            let mut squares = below(block);
            (0..BOXES)
                .filter(|&lane| block.rank[lane] == except)
                .for_each(|lane| squares[lane] = f32::NAN);
            squares
        };
        tree.least(bound, below, measure)
    };
    // Few look across the edge: only those to whom it is not farther than the nearest on this side.
    let here = search(&Space::OPEN);
    let across = tree.gap_across(space, to, to) <= here.map_or(bound, |(squared, ..)| squared);
    let (squared, _, place) = if space.wraps() && across { search(space) } else { here }?;
    (within == f32::INFINITY || squared.sqrt() <= within).then_some(place as usize)
}

/// The place in the columns of the member nearest to `to` of those that `counts` (they are asked in
/// the order of their distance, few in vain), at most `within` away (length); not `except`, and the
/// lowest id in a tie.
pub(super) fn nearest_that<V: Vector>(
    tree: &Bvh<V>,
    space: &Space<V>,
    to: V,
    within: f32,
    except: u32,
    counts: impl Fn(usize) -> bool,
) -> Option<usize> {
    let bound = within * within * 1.000_01 + f32::MIN_POSITIVE;
    let search = |space: &Space<V>| {
        let limit = Cell::new((bound, u32::MAX));
        let below = |block: &Block| block.gaps(space, to, to);
        let measure = |block: &Block| {
            let squares = below(block);
            let key = |lane: usize| (squares[lane], block.rank[lane]);
            let mut lanes: [usize; BOXES] = core::array::from_fn(|lane| lane);
            lanes.sort_unstable_by(|a, b| {
                key(*a).0.total_cmp(&key(*b).0).then(key(*a).1.cmp(&key(*b).1))
            });
            let mut found = [f32::NAN; BOXES];
            let near = lanes.into_iter().take_while(|lane| key(*lane) < limit.get());
            if let Some(lane) = { near }
                .find(|lane| block.rank[*lane] != except && counts(block.place[*lane] as usize))
            {
                limit.set(key(lane));
                found[lane] = squares[lane];
            }
            found
        };
        tree.least(bound, below, measure)
    };
    // As `nearest` has it.
    let here = search(&Space::OPEN);
    let across = tree.gap_across(space, to, to) <= here.map_or(bound, |(squared, ..)| squared);
    let (squared, _, place) = if space.wraps() && across { search(space) } else { here }?;
    (within == f32::INFINITY || squared.sqrt() <= within).then_some(place as usize)
}
