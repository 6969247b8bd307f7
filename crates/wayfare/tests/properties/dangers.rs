//! What dangers of context maps cost, and how deep they may be nested.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use wayfare::annotation::DebugDraw;
use wayfare::behavior::{Seek, Steer};
use wayfare::combine::{Entry, Slot};
use wayfare::crowd::{Group, Setup, SetupError, Spawn};
use wayfare::glam::{Vec2, vec2};
use wayfare::parameter::Target;
use wayfare::{Agent, Behavior, Combine, Crowd, List, Memory, SteerContext};

/// Pushes back in every direction, and counts its evaluations.
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

/// Context lists, each the danger of the one around it; the innermost danger is `Mud`.
fn nested(levels: usize, count: &Arc<AtomicUsize>) -> List<Vec2> {
    let mut danger = Slot::new(if levels > 1 {
        Entry::List(nested(levels - 1, count))
    } else {
        Entry::Behavior(Behavior::own("mud", Mud(count.clone())))
    });
    danger.danger = true;
    let target = Target::Point(vec2(90.0, 20.0));
    let mut list = List::new(Combine::Context).with(Seek { target, within: f32::INFINITY });
    list.slots.push(danger);
    list
}

/// How often `Mud` is evaluated for one agent in one tick.
fn evaluations(levels: usize) -> Result<usize, SetupError> {
    let count = Arc::new(AtomicUsize::new(0));
    let mut group = Group::new("one", 1, Spawn::Points(vec![Vec2::ZERO]), 2.0);
    group.steer = nested(levels, &count);
    let mut crowd = Crowd::new(Setup { groups: vec![group], ..Setup::default() })?;
    crowd.step();
    Ok(count.load(Ordering::Relaxed))
}

#[test]
fn a_danger_is_evaluated_once_per_direction_and_once_at_rest() {
    // The 16 fixed directions, that of the interest, and at rest.
    assert_eq!(evaluations(1).unwrap(), 18);
    // At rest the inner list has no danger to weigh in any direction but that of its interest.
    assert!(evaluations(2).unwrap() <= 18 * 18);
}

#[test]
fn dangers_nested_three_levels_deep_are_refused_with_a_message() {
    let message = evaluations(3).unwrap_err().to_string();
    assert!(message.contains("group[0].steer[1].all[1].all[1].danger"), "{message}");
    assert!(message.contains("at most 2"), "{message}");
}
