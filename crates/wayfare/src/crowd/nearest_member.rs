//! Nearest-member queries over groups, answered by a bounding volume tree over each group; which
//! groups need a tree or a center.

use alloc::vec::Vec;
use core::cell::Cell;

use super::setup::{Condition, Group, Perception};
use crate::behavior::Steer;
use crate::combine::List;
use crate::id::{AgentId, GroupId};
use crate::order::WithoutOrder;
use crate::parameter::{Needs, Target, Value, Variants};
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::simd::{SimdDispatch, SimdMemory, Work};
use crate::spatial::bvh::{BOXES, Block, Bvh};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// For each group, whether a behavior, perception or condition may search for its nearest member.
pub(super) fn searched<V: Vector>(groups: &[Group<V>]) -> Vec<bool> {
    let mut found = vec![false; groups.len()];
    let mut mark = |group: GroupId| found.iter_mut().skip(group.0).take(1).for_each(|f| *f = true);
    for (own, group) in groups.iter().enumerate() {
        for behavior in group.lists().flat_map(List::behaviors) {
            if behavior.needs().has(Needs::PEERS) {
                mark(GroupId(own));
            }
            // A user's code may search any group.
            if behavior.is_users() {
                (0..groups.len()).map(GroupId).for_each(&mut mark);
            }
            behavior
                .parameters()
                .iter()
                .filter_map(|p| behavior.get(p.name))
                .for_each(|value| in_value(&value, &mut mark));
        }
        if let WithoutOrder::Target(Target::Group(of)) = group.without_order {
            mark(of);
        }
        if let Some(Perception { of: Target::Group(of), .. }) = group.sight {
            mark(of);
        }
        group
            .states
            .iter()
            .flat_map(|state| &state.leave)
            .for_each(|transition| in_condition(&transition.when, groups.len(), &mut mark));
    }
    found
}

/// For each group, whether a behavior may read the center of its members. Each of them is also
/// [`searched`].
pub(super) fn centered<V: Vector>(groups: &[Group<V>]) -> Vec<bool> {
    let mut found = vec![false; groups.len()];
    let behaviors = groups.iter().flat_map(|group| group.lists().flat_map(List::behaviors));
    for behavior in behaviors.filter(|behavior| behavior.needs().has(Needs::CENTERS)) {
        let mut mark = |group: GroupId| {
            found.iter_mut().skip(group.0).take(1).for_each(|found| *found = true);
        };
        if behavior.is_users() {
            (0..groups.len()).map(GroupId).for_each(&mut mark);
        }
        let values = behavior.parameters().iter().filter_map(|p| behavior.get(p.name));
        values.for_each(|value| in_value(&value, &mut mark));
    }
    found
}

fn in_value<V: Vector>(value: &Value<V>, mark: &mut impl FnMut(GroupId)) {
    match value {
        Value::Target(Target::Group(group)) | Value::Group(group) => mark(*group),
        Value::Nested(values) => values.iter().for_each(|(_, value)| in_value(value, mark)),
        _ => {}
    }
}

fn in_condition<V: Vector>(
    condition: &Condition<V>,
    groups: usize,
    mark: &mut impl FnMut(GroupId),
) {
    condition.visit(&mut |condition| {
        if let Condition::Own(_) = condition {
            (0..groups).map(GroupId).for_each(&mut *mark);
        }
        let values = condition.parameters().iter().filter_map(|p| condition.get(p.name));
        values.for_each(|value| in_value(&value, mark));
    });
}

/// The row of the member nearest to `to`, if it is at most `within` away (length). The agent
/// `except` is left out; the lowest id wins a tie.
pub(super) fn nearest<V: Vector>(
    dispatch: SimdDispatch,
    bvh: &Bvh<V>,
    space: &Space<V>,
    to: V,
    within: f32,
    except: AgentId,
) -> Option<usize> {
    // Both the square and the root are rounded.
    let bound = within * within * 1.000_01 + f32::MIN_POSITIVE;
    let search = |space: &Space<V>| dispatch.run(Nearest { bvh, space, to, bound, except });
    // A second search across the edge is rarely needed: only if the edge is not farther away than
    // the nearest member on this side of it.
    let direct = search(&Space::OPEN);
    let across = bvh.gap_across(space, to, to) <= direct.map_or(bound, |(squared, ..)| squared);
    let (squared, _, row) = if space.wraps() && across { search(space) } else { direct }?;
    (within == f32::INFINITY || squared.sqrt() <= within).then_some(row as usize)
}

/// The search for the nearest member as work for the widest instruction set.
struct Nearest<'a, V: Vector> {
    bvh: &'a Bvh<V>,
    space: &'a Space<V>,
    to: V,
    bound: f32,
    except: AgentId,
}

impl<V: Vector> Work for Nearest<'_, V> {
    type Result = Option<(f32, u32, u32)>;

    #[inline(always)]
    fn run<L: SimdMemory>(self) -> Self::Result {
        let Self { bvh, space, to, bound, except } = self;
        let key = |block: &Block| {
            let mut squares = block.gaps(space, to, to);
            for lane in 0..BOXES {
                // All bits of a NaN, without a branch.
                let excepted = u32::from(block.rank[lane] == except.0).wrapping_neg();
                squares[lane] = f32::from_bits(squares[lane].to_bits() | excepted);
            }
            squares
        };
        bvh.min_by(bound, |block| block.gaps(space, to, to), key)
    }
}

/// The row of the member nearest to `to`, at most `within` away (length), among the rows for which
/// `counts` holds; `counts` is called in order of distance. The agent `except` is left out; the
/// lowest id wins a tie.
pub(super) fn nearest_that<V: Vector>(
    bvh: &Bvh<V>,
    space: &Space<V>,
    to: V,
    within: f32,
    except: AgentId,
    counts: impl Fn(usize) -> bool,
) -> Option<usize> {
    let bound = within * within * 1.000_01 + f32::MIN_POSITIVE;
    let search = |space: &Space<V>| {
        // The bits of squared distances are in their order, those of NaN the last.
        let key_of = |squared: f32, rank: u32| u64::from(squared.to_bits()) << 32 | u64::from(rank);
        let limit = Cell::new(key_of(bound, u32::MAX));
        let lower_bound = |block: &Block| block.gaps(space, to, to);
        let key = |block: &Block| {
            let squares = lower_bound(block);
            let mut keys: [u64; BOXES] =
                core::array::from_fn(|lane| key_of(squares[lane], block.rank[lane]));
            let mut found = [f32::NAN; BOXES];
            loop {
                let key = keys.iter().copied().fold(u64::MAX, u64::min);
                let Some(lane) = keys.iter().position(|k| *k == key && key < limit.get()) else {
                    return found;
                };
                if block.rank[lane] != except.0 && counts(block.index[lane] as usize) {
                    limit.set(key);
                    found[lane] = squares[lane];
                    return found;
                }
                keys[lane] = u64::MAX;
            }
        };
        bvh.min_by(bound, lower_bound, key)
    };
    // As in `nearest`.
    let direct = search(&Space::OPEN);
    let across = bvh.gap_across(space, to, to) <= direct.map_or(bound, |(squared, ..)| squared);
    let (squared, _, row) = if space.wraps() && across { search(space) } else { direct }?;
    (within == f32::INFINITY || squared.sqrt() <= within).then_some(row as usize)
}
