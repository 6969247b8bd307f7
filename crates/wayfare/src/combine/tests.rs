//! The rules that combine forces, and the memories and streams of slots.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::agent::{Agent, Memory};
use crate::annotation::DebugDraw;
use crate::behavior::Steer;
use crate::behavior::Wander;
use crate::behavior::testing::{assert_near, neighbors_at};
use crate::context::SteerContext;
use crate::id::AgentId;
use crate::random::RngKey;
use crate::registry::Behavior;
use crate::solve::Queue;
use glam::{Vec2, vec2};

/// A behavior with a constant force that counts its evaluations.
#[derive(Debug)]
struct Push(Vec2, AtomicUsize);

impl Steer<Vec2> for Push {
    fn force(
        &self,
        _: &Agent<Vec2>,
        _: &mut Memory<Vec2>,
        _: &mut SteerContext<'_, Vec2>,
        _: DebugDraw<'_, Vec2>,
    ) -> Vec2 {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0
    }
}

fn push(x: f32, y: f32) -> Behavior<Vec2> {
    Behavior::Own("push", Arc::new(Push(vec2(x, y), AtomicUsize::new(0))))
}

fn limited(max_force: f32) -> Agent<Vec2> {
    Agent { max_force, ..Agent::new(Vec2::ZERO, 5.0) }
}

fn force(list: &List<Vec2>, max_force: f32) -> Vec2 {
    list.force(&limited(max_force), &mut [], &mut SteerContext::empty(1.0), DebugDraw::OFF)
}

#[test]
fn a_sum_is_weighted_and_not_truncated() {
    let list = List::default()
        .weighted(2.0, push(1.0, 2.0))
        .weighted(-1.0, push(0.0, -3.0))
        .with(push(0.5, 0.0));
    assert_eq!(force(&list, 0.1), vec2(2.5, 7.0));
    assert_eq!(force(&List::default(), 1.0), Vec2::ZERO);
}

#[test]
fn priority_takes_the_first_force_longer_than_epsilon_and_evaluates_no_other() {
    let last = Arc::new(Push(vec2(7.0, 0.0), AtomicUsize::new(0)));
    // Up to length 1 a force is skipped: zero, and (2, 0) at weight 0.5, exactly 1; at weight -1 it
    // is longer.
    let list = List { epsilon: 1.0, ..List::new(Combine::Priority) }
        .with(push(0.0, 0.0))
        .weighted(0.5, push(2.0, 0.0))
        .with(push(0.0, 1.0))
        .weighted(-1.0, push(0.0, 2.0))
        .with(Behavior::Own("last", last.clone()));
    assert_eq!(force(&list, f32::INFINITY), vec2(0.0, -2.0));
    assert_eq!(last.1.load(Ordering::Relaxed), 0);
    assert_eq!(force(&List { epsilon: 2.0, ..list.clone() }, f32::INFINITY), vec2(7.0, 0.0));
    assert_eq!(force(&List { epsilon: 7.0, ..list }, f32::INFINITY), Vec2::ZERO);
    // With the default epsilon rounding errors count as zero.
    assert_eq!(
        force(&List::new(Combine::Priority).with(push(9e-7, 0.0)).with(push(0.0, 2e-6)), 1.0),
        vec2(0.0, 2e-6)
    );
}

#[test]
fn a_budget_is_allocated_in_order_until_it_is_exhausted() {
    let last = Arc::new(Push(vec2(5.0, 5.0), AtomicUsize::new(0)));
    let list = List::new(Combine::Budget)
        .with(push(6.0, 0.0))
        .weighted(2.0, push(0.0, 4.0))
        .with(Behavior::Own("last", last.clone()));
    // The budget is 10: 6, then 4 of 8, then nothing.
    assert_eq!(force(&list, 10.0), vec2(6.0, 4.0));
    assert_eq!(last.1.load(Ordering::Relaxed), 0);
    // With a budget of 15, one is left for (5, 5); opposite forces use the budget up too.
    assert_near(force(&list, 15.0), vec2(6.0, 8.0) + Vec2::splat(core::f32::consts::FRAC_1_SQRT_2));
    assert_eq!(
        force(&List::new(Combine::Budget).with(push(6.0, 0.0)).with(push(-6.0, 0.0)), 10.0),
        vec2(2.0, 0.0)
    );
    assert_eq!(force(&list, f32::INFINITY), vec2(11.0, 13.0));
    assert_eq!(force(&list, 0.0), Vec2::ZERO);
}

#[test]
fn a_slot_that_is_off_has_no_effect_with_any_rule() {
    for rule in [Combine::Sum, Combine::Priority, Combine::Budget, Combine::Dither] {
        let inner = List::new(rule).with(push(9.0, 0.0)).with(push(0.0, 2.0));
        let mut list = List::new(rule).with(push(7.0, 7.0)).nested(1.0, inner);
        list.slots[0].off = true;
        let Entry::List(inner) = &mut list.slots[1].entry else { panic!("it is one") };
        inner.slots[0].off = true;
        assert_eq!(force(&list, f32::INFINITY), vec2(0.0, 2.0), "{rule:?}");
        assert_eq!(force(&list.clone().switched_on(), f32::INFINITY), vec2(0.0, 2.0), "{rule:?}");
        assert_eq!(list.switched_on().behaviors().count(), 1);
    }
}

#[test]
fn dither_keeps_the_mean_of_the_drawn_forces() {
    let mut list = List::new(Combine::Dither)
        .with(push(0.0, 0.0))
        .with(push(3.0, 0.0))
        .weighted(2.0, push(0.0, 1.0));
    (list.slots[1].chance, list.slots[2].chance) = (0.25, 0.5);
    list.number(&mut 0, &mut 0);
    let (mut mean, mut first) = (Vec2::ZERO, 0);
    for tick in 0..10_000 {
        let force = list.force(
            &limited(1.0),
            &mut [],
            &mut SteerContext { rng_key: RngKey::new(0, tick), ..SteerContext::empty(1.0) },
            DebugDraw::OFF,
        );
        assert!([vec2(12.0, 0.0), vec2(0.0, 4.0), Vec2::ZERO].contains(&force), "{force}");
        first += i32::from(force.x > 0.0);
        mean += force * 1e-4;
    }
    // The first force is drawn in a quarter of the ticks and multiplied by four: its mean is the
    // force. The second force is evaluated in three quarters of the ticks. The standard deviations
    // are 43 ticks, 0.052 and 0.019.
    assert!((first - 2_500).abs() < 215, "{first}");
    assert!((mean.x - 3.0).abs() < 0.26 && (mean.y - 1.5).abs() < 0.1, "{mean}");
}

#[test]
fn a_behavior_drawn_by_dither_has_random_numbers_of_its_own() {
    // If the number that selected wander were also its first step, wander would turn to one side
    // only.
    let wander = Wander::default().circle_distance(0.0).circle_radius(1.0).angle_change(1.0);
    let mut list = List::new(Combine::Dither).with(wander);
    list.slots[0].chance = 0.25;
    list.number(&mut 0, &mut 0);
    let (mut drawn, mut left) = (0_i32, 0_i32);
    for id in 0..4_000 {
        let mut memory = [Memory { wander: Some(0.0), ..Memory::default() }];
        let force = list.force(
            &limited(1.0),
            &mut memory,
            &mut SteerContext { id: AgentId(id), ..SteerContext::empty(1.0) },
            DebugDraw::OFF,
        );
        if force != Vec2::ZERO {
            drawn += 1;
            left += i32::from(memory[0].wander.unwrap() > 0.0);
        }
    }
    // 1,000 draws and 500 to the left are expected, with standard deviations of 27 and 16.
    assert!((drawn - 1_000).abs() < 135 && (left - 500).abs() < 80, "{drawn} {left}");
}

#[test]
fn a_nested_list_has_its_own_rule_and_is_weighted_as_one_force() {
    let inner =
        List::new(Combine::Priority).with(push(0.0, 0.0)).with(push(0.0, 3.0)).with(push(9.0, 9.0));
    let list = List::default().with(push(1.0, 0.0)).nested(2.0, inner.clone()).with(push(0.0, 0.5));
    assert_eq!(force(&list, 1.0), vec2(1.0, 6.5));
    assert_eq!(
        force(&List::new(Combine::Priority).nested(1.0, List::default()).nested(-1.0, inner), 1.0),
        vec2(0.0, -3.0)
    );
}

#[test]
fn queue_brakes_the_sum_of_the_preceding_forces_of_its_own_list() {
    let parameters = Queue::default().ahead(3.0).radius(2.0);
    let neighbors = neighbors_at(&[(vec2(3.0, 0.0), Vec2::X, 0)]);
    let force = |list: &List<Vec2>| {
        let mut context = SteerContext {
            neighbors: &neighbors,
            sum: vec2(100.0, 100.0),
            ..SteerContext::empty(1.0)
        };
        let force = list.force(&limited(1.0), &mut [], &mut context, DebugDraw::OFF);
        (force, context.sum)
    };
    // The host is at rest: the force is -0.8 * (2 (1, 2) + (3, 0)) plus the sum; the sum of the
    // caller is unchanged.
    let list = List::default().weighted(2.0, push(1.0, 2.0)).with(push(3.0, 0.0)).with(parameters);
    let (braked, outer) = force(&list);
    assert_near(braked, vec2(5.0, 4.0) * 0.2);
    assert_eq!(outer, vec2(100.0, 100.0));
    assert_near(force(&List::default().with(push(10.0, 0.0)).nested(1.0, list)).0, vec2(11.0, 0.8));
}

/// Counts its calls in its memory.
#[derive(Debug)]
struct Count;

impl Steer<Vec2> for Count {
    fn force(
        &self,
        _: &Agent<Vec2>,
        memory: &mut Memory<Vec2>,
        _: &mut SteerContext<'_, Vec2>,
        _: DebugDraw<'_, Vec2>,
    ) -> Vec2 {
        memory.own[0] += 1.0;
        vec2(memory.own[0], 0.0)
    }
}

#[test]
fn each_slot_that_needs_a_memory_has_its_own() {
    let count = || Behavior::Own("count", Arc::new(Count));
    let inner = List::default()
        .weighted(100.0, count())
        .weighted(0.0, crate::behavior::Seek::new(Vec2::ZERO));
    let mut list = List::default().with(count()).nested(1.0, inner).weighted(10.0, count());
    let (mut streams, mut memories) = (5, 1);
    list.number(&mut streams, &mut memories);
    assert_eq!((streams, memories), (10, 4));
    let mut memory = [Memory::default(); 4];
    let mut force =
        || list.force(&limited(1.0), &mut memory, &mut SteerContext::empty(1.0), DebugDraw::OFF).x;
    assert_eq!([force(), force(), force()], [111.0, 222.0, 333.0]);
    assert_eq!(memory.map(|m| m.own[0]), [0.0, 3.0, 3.0, 3.0]);
}

#[test]
fn the_neighbor_radius_of_a_list_is_the_largest_of_its_behaviors() {
    let queue = |ahead| Queue::default().ahead(ahead).radius(2.0);
    let list = List::default()
        .nested(1.0, List::default().with(queue(7.0)))
        .with(queue(3.0))
        .with(push(0.0, 0.0));
    assert_eq!((list.neighbor_radius(), list.behaviors().count()), (Some(9.0), 3));
    assert_eq!(List::default().with(push(0.0, 0.0)).neighbor_radius(), None);
}
