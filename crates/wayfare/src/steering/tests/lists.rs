//! Weights, priorities, random streams and facings.

use super::*;

fn walker() -> Agent<Vec2> {
    Agent::new(Vec2::ZERO, 4.0)
}

#[test]
fn a_weight_multiplies_the_forces_of_its_behaviors_and_nests() {
    let mut steering = Steering::new(0);
    steering.add(vec2(1.0, 0.0)).weighted(0.5, |s| {
        s.add(vec2(2.0, 4.0)).weighted(3.0, |s| s.add(vec2(0.0, 2.0)).add(vec2(2.0, 0.0)))
    });
    // (1, 0) + ((2, 4) + (2, 2) * 3) / 2.
    assert_near(steering.sum(), vec2(5.0, 5.0));
}

#[test]
fn a_queue_in_a_weighted_list_brakes_the_forces_of_that_list() {
    let neighbors = neighbors_at(&[(vec2(0.0, 2.0), Vec2::X, 0)]);
    let (host, memory) = (walker().moving(vec2(0.0, 4.0)), Memory::default());
    let parameters = Queue { damping: Some(1.0), ..Queue::default().ahead(3.0).radius(2.5) };
    let mut steering = Steering::new(0);
    steering.add(vec2(9.0, 9.0)).weighted(0.5, |s| {
        s.add(vec2(5.0, 0.0)).queue(&host, &neighbors, &parameters, &memory, 1.0)
    });
    // (9, 9) + (0.2 * (5, 0) - (0, 4)) / 2.
    assert_near(steering.sum(), vec2(9.5, 7.0));
}

#[test]
fn a_priority_list_applies_its_first_force_and_evaluates_no_later_behavior() {
    let (host, mut memory) = (walker(), Memory::default());
    let (near, far) = (vec2(0.0, 3.0), vec2(50.0, 0.0));
    let mut steering = Steering::new(0);
    steering.add(vec2(1.0, 1.0)).priority(|s| {
        s.flee(&host, far, 9.0)
            .add(vec2(1e-6, 0.0))
            .weighted(2.0, |s| s.flee(&host, near, 9.0))
            .seek(&host, far)
            .wander(
                &host,
                &Wander::default().circle_distance(1.0).circle_radius(1.0).angle_change(1.0),
                &mut memory,
                1.0,
            )
            .priority(|s| s.seek(&host, near))
            .weighted(1.0, |s| {
                s.wander(
                    &host,
                    &Wander::default().circle_distance(1.0).circle_radius(1.0).angle_change(1.0),
                    &mut memory,
                    1.0,
                )
            })
            .face(&host, near)
    });
    assert_near(steering.sum(), vec2(1.0, -7.0));
    assert_eq!((memory.wander, steering.next_facing), (None, None));
    // The list is closed: what follows is added again.
    assert_near(steering.seek(&host, far).sum(), vec2(5.0, -7.0));
    let calm = Steering::new(0).priority(|s| s.flee(&host, far, 9.0)).seek(&host, near).sum();
    assert_near(calm, vec2(0.0, 4.0));
}

#[test]
fn a_behavior_draws_the_same_whether_or_not_a_list_before_it_is_evaluated() {
    let (host, walk) =
        (walker(), Wander::default().circle_distance(0.0).circle_radius(1.0).angle_change(1.0));
    let after = |danger: f32| {
        let (mut inner, mut outer) = (Memory::default(), Memory::default());
        let mut steering = Steering::new(7);
        steering.priority(|s| {
            s.flee(&host, vec2(1.0, 0.0), danger)
                .weighted(1.0, |s| s.wander(&host, &walk, &mut inner, 1.0))
        });
        let before = steering.sum();
        steering.wander(&host, &walk, &mut outer, 1.0).sum() - before
    };
    assert_near(after(0.0), after(9.0));
}

#[test]
fn a_wander_of_its_own_method_draws_what_it_draws_as_any_behavior() {
    let (host, walk) =
        (walker(), Wander::default().circle_distance(0.0).circle_radius(1.0).angle_change(1.0));
    let mut context = SteerContext::empty(1.0);
    let as_behavior =
        Steering::new(7).steer(&host, &walk, &mut Memory::default(), &mut context).sum();
    let own = Steering::new(7).wander(&host, &walk, &mut Memory::default(), 1.0).sum();
    assert_eq!(as_behavior, own);
}

#[test]
fn two_managers_wander_alike_only_with_the_same_seed() {
    let wandered = |seed| {
        let (mut host, mut memory) = (walker(), Memory::default());
        let mut steering = Steering::new(seed);
        for _ in 0..20 {
            steering.wander(
                &host,
                &Wander::default().circle_distance(2.0).circle_radius(3.0).angle_change(1.0),
                &mut memory,
                1.0,
            );
            steering.update(&mut host, &mut memory, 1.0);
        }
        host.position
    };
    let ends: Vec<Vec2> = (0..10).map(wandered).collect();
    assert_eq!(ends[3], wandered(3));
    for (i, end) in ends.iter().enumerate() {
        assert!(ends[..i].iter().all(|other| (*other - *end).length() > 0.1), "{ends:?}");
    }
}

#[test]
fn a_host_looks_where_the_last_facing_behavior_tells_it() {
    let (mut host, mut memory) = (walker().moving(vec2(2.0, 0.0)), Memory::default());
    let mut steering = Steering::new(0);
    steering.look_where_going(&host, 1.0).face(&host, vec2(0.0, -5.0)).seek(&host, Vec2::X);
    steering.update(&mut host, &mut memory, 1.0);
    assert_eq!((steering.facing(), host.facing), (Some(vec2(0.0, -1.0)), vec2(0.0, -1.0)));
    assert_near(host.heading, Vec2::X);
    // As any behavior, with a context.
    let face = crate::behavior::Face::new(host.position + vec2(-9.0, 0.0));
    steering.steer(&host, &face, &mut memory, &mut SteerContext::empty(1.0));
    steering.update(&mut host, &mut memory, 1.0);
    assert_near(host.facing, vec2(-1.0, 0.0));
    // Below the least speed the host keeps its facing, and so it does at a target at no distance.
    steering.look_where_going(&host, 99.0);
    steering.update(&mut host, &mut memory, 1.0);
    assert_near(host.facing, vec2(-1.0, 0.0));
    let turned = host.moving(vec2(0.0, 3.0));
    steering.match_heading(&turned).face(&host, host.position);
    steering.update(&mut host, &mut memory, 1.0);
    assert_near(host.facing, Vec2::Y);
    // Without such a behavior it looks along its heading.
    steering.update(&mut host, &mut memory, 1.0);
    assert_eq!((steering.facing(), host.facing), (None, host.heading));
}
