//! The cost of dangers in context maps, and the largest number of context lists in them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use wayfare::annotation::DebugDraw;
use wayfare::behavior::{Seek, Steer};
use wayfare::combine::{Entry, Slot};
use wayfare::crowd::{Group, Setup, SetupError, Spawn};
use wayfare::glam::{Vec2, vec2};
use wayfare::parameter::Target;
use wayfare::{Agent, Behavior, Combine, Crowd, List, Memory, SteerContext};

/// A danger that pushes back in every direction, and counts its evaluations.
#[derive(Debug)]
struct Mud(Arc<AtomicUsize>);

impl Steer<Vec2> for Mud {
    fn force(
        &self,
        host: &Agent<Vec2>,
        _: &mut Memory<Vec2>,
        _: &mut SteerContext<'_, Vec2>,
        _: DebugDraw<'_, Vec2>,
    ) -> Vec2 {
        self.0.fetch_add(1, Ordering::Relaxed);
        -host.heading * 3.0
    }
}

/// A context list with one danger and without interests.
fn context(danger: Entry<Vec2>) -> List<Vec2> {
    let mut list = List::new(Combine::Context);
    list.slots.push(Slot::new(danger));
    list.slots[0].danger = true;
    list
}

fn seek() -> Seek<Vec2> {
    Seek { target: Target::Point(vec2(90.0, 20.0)), within: f32::INFINITY }
}

/// The number of evaluations of `Mud` for one agent in one tick: `Mud` is the danger of a context
/// list, inside `levels` lists built by `wrap`.
fn evaluations(
    levels: usize,
    wrap: impl Fn(List<Vec2>) -> List<Vec2>,
) -> Result<usize, SetupError> {
    let count = Arc::new(AtomicUsize::new(0));
    let mut list = wrap(context(Entry::Behavior(Behavior::own("mud", Mud(count.clone())))));
    for _ in 1..levels {
        list = wrap(context(Entry::List(list)));
    }
    let mut group = Group::new("one", 1, Spawn::Points(vec![Vec2::ZERO]), 2.0);
    // The outermost list is the group's own.
    group.steer = list.with(seek());
    let mut crowd = Crowd::new(Setup { groups: vec![group], ..Setup::default() })?;
    crowd.step();
    Ok(count.load(Ordering::Relaxed))
}

#[test]
fn a_danger_is_evaluated_once_per_direction_and_once_at_rest_at_any_depth() {
    for levels in 1..=17 {
        // The 16 fixed directions, the direction of the interest, and at rest.
        assert_eq!(evaluations(levels, |list| list).unwrap(), 18, "{levels} levels, no interests");
        // The inner lists also select a direction, and the outermost one evaluates one direction
        // twice.
        let counted = evaluations(levels, |list| list.with(seek())).unwrap();
        assert!((1..=20 * levels).contains(&counted), "{levels} levels: {counted}");
    }
}

#[test]
fn context_lists_nested_in_other_lists_of_a_danger_select_once_for_all_directions() {
    let wrap = |list: List<Vec2>| {
        context(Entry::List(List::new(Combine::Priority).nested(1.0, list.with(seek()))))
            .with(seek())
    };
    for levels in 1..=8 {
        let counted = evaluations(levels, wrap).unwrap();
        assert!((1..=20 * levels).contains(&counted), "{levels} levels: {counted}");
    }
}

#[test]
fn too_many_context_lists_in_dangers_are_refused_with_a_message() {
    let message = evaluations(18, |list| list).unwrap_err().to_string();
    assert!(message.contains("groups[0].steer[0].danger"), "{message}");
    assert!(message.contains("at most 16"), "{message}");
}
