//! The members of groups that somebody looks for, in trees.

use super::columns::Columns;
use super::setup::{Condition, Group};
use crate::behavior::Behavior;
use crate::combine::List;
use crate::parameter::{GroupId, Target, Value};
use crate::space::Space;
use crate::tree::{Extent, Item, Tree};
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
                _ => behavior.parameters().iter().filter_map(|p| behavior.get(p.name)).for_each(|value| in_value(&value, &mut seek)),
            }
        }
        group.states.iter().flat_map(|state| &state.leave).for_each(|transition| in_condition(&transition.when, &mut seek));
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
    match condition {
        Condition::Near(Target::Group(group), _) | Condition::FarFrom(Target::Group(group), _) => seek(*group),
        Condition::All(list) | Condition::Any(list) => list.iter().for_each(|inner| in_condition(inner, seek)),
        Condition::Not(inner) => in_condition(inner, seek),
        _ => {}
    }
}

/// Brings the tree over the members of `group` to where they are in the columns.
pub(super) fn follow<V: Vector>(tree: &mut Tree<V>, now: &Columns<V>, group: u32) {
    let extent = |i: usize| Extent::point(now.position.get(i), now.id[i]);
    let groups = &now.group[..now.len()];
    let count = groups.iter().filter(|&&g| g == group).count();
    // An order goes on for a while: until the columns are sorted anew, or the members have mixed.
    let kept = tree.len() == count && tree.follow(|item| (now.id.get(item.place as usize) == Some(&item.extent.rank)).then(|| extent(item.place as usize)));
    if !kept {
        let members = groups.iter().enumerate().filter(|(_, g)| **g == group);
        tree.build(members.map(|(i, _)| Item { extent: extent(i), place: i as u32 }));
    }
}

/// The place in the columns of the member nearest to `to`, if it is at most `within` away (length); not `except`, and the lowest id in a tie.
pub(super) fn nearest<V: Vector>(tree: &Tree<V>, space: &Space<V>, to: V, within: f32, except: u32) -> Option<usize> {
    // The square rounds, and so does the root.
    let bound = within * within * 1.000_01 + f32::MIN_POSITIVE;
    let below = |extent: &Extent<V>| space.gap((to, to), (extent.low, extent.high)).length_squared();
    let measure = |item: &Item<V>| (item.extent.rank != except).then(|| space.difference(to, item.extent.low).length_squared());
    let (squared, item) = tree.least(bound, below, measure)?;
    (within == f32::INFINITY || squared.sqrt() <= within).then_some(item.place as usize)
}
