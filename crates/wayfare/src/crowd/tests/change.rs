//! Adding, removing and moving agents between ticks.

use glam::{Vec2, Vec3, vec2, vec3};

use super::*;

/// The digests of a run in which agents are added, removed and moved; if `shuffled`, the order in
/// memory changes at each tick.
fn eventful<V: Vector>(edge: Edge, shuffled: bool) -> Vec<u64> {
    let mut crowd = Crowd::new(mixed::<V>(box_of(edge))).unwrap();
    let mut digests = Vec::new();
    for tick in 0..60_u32 {
        if shuffled {
            let mut random = Random::new(3, 0, u64::from(tick), 0);
            let mut rows: Vec<u32> = (0..crowd.len() as u32).collect();
            rows.sort_by_cached_key(|_| random.bits());
            crowd.permute(&rows);
        }
        if tick % 3 == 0 {
            let position = V::from_fn(|i| (tick as f32 * 7.0 + i as f32 * 31.0) % 100.0);
            assert_eq!(
                crowd.add(tick as usize % 4, position, (tick % 2 == 0).then_some(V::X)),
                Ok(AgentId(115 + tick / 3))
            );
        }
        if tick % 4 == 1 {
            assert!(crowd.remove(tick) && !crowd.remove(tick));
        }
        if tick % 5 == 2 {
            crowd.put(110, V::from_fn(|i| 90.0 - i as f32 * tick as f32), None).unwrap();
        }
        crowd.step();
        assert!(crowd.agents().all(|(_, agent)| agent.position.is_finite()));
        digests.push(crowd.digest());
    }
    assert_eq!(crowd.len(), 115 + 20 - 15);
    digests
}

#[test]
fn adding_and_removing_do_not_depend_on_the_row_order() {
    for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
        assert_eq!(eventful::<Vec2>(edge, false), eventful::<Vec2>(edge, true));
        assert_eq!(eventful::<Vec3>(edge, false), eventful::<Vec3>(edge, true));
    }
}

#[test]
fn ids_are_never_reused() {
    let mut crowd = crowd(vec![group("a", &[vec2(0.0, 0.0), vec2(9.0, 0.0)])]);
    assert!(crowd.remove(1));
    assert_eq!(crowd.add(0, Vec2::ONE, None), Ok(AgentId(2)));
    assert!(crowd.remove(2));
    assert_eq!(crowd.add(0, Vec2::ONE, None), Ok(AgentId(3)));
    assert_eq!(
        (crowd.get(2), crowd.get(3).map(|member| member.agent.position)),
        (None, Some(Vec2::ONE))
    );
}

#[test]
fn a_crowd_may_become_empty_and_be_filled_again() {
    let mut setup = mixed::<Vec2>(box_of(Edge::Wrap));
    setup
        .groups
        .iter_mut()
        .for_each(|group| (group.spawn, group.count) = (Spawn::Points(vec![vec2(5.0, 5.0)]), 1));
    let mut crowd = Crowd::new(setup).unwrap();
    crowd.step();
    (0..4).for_each(|id| assert!(crowd.remove(id)));
    crowd.step();
    assert!(crowd.is_empty());
    assert_eq!(crowd.add(0, vec2(103.0, -1.0), None), Ok(AgentId(4)));
    assert_eq!(crowd.get(4).unwrap().agent.position, vec2(3.0, 99.0));
    crowd.step();
    assert_eq!((crowd.len(), crowd.get(4).unwrap().group), (1, GroupId(0)));
}

#[test]
fn an_agent_added_later_equals_an_agent_from_the_start() {
    let birds = |count| {
        let mut birds = Group::new(
            "birds",
            count,
            Spawn::Inside(Shape::Circle { center: vec3(0.0, 0.0, 0.0), radius: 9.0 }),
            1.0,
        );
        (birds.mass, birds.max_speed) =
            (Distribution::Uniform(1.0, 3.0), Distribution::Uniform(2.0, 4.0));
        (birds.max_force, birds.radius) =
            (Distribution::Uniform(0.0, 2.0), Distribution::Normal(1.0, 0.5));
        birds.velocity = StartVelocity::Random;
        crowd(vec![birds])
    };
    let (all, mut grown) = (birds(3), birds(2));
    let third = all.get(2).unwrap().agent;
    assert_eq!(grown.add(0, third.position, None), Ok(AgentId(2)));
    assert_eq!((grown.get(2).unwrap().agent, grown.digest()), (third, all.digest()));
    // With a given velocity, which is truncated to the top speed; the agent faces along it.
    grown.add(0, Vec3::ZERO, Some(vec3(0.0, 0.0, -1e3))).unwrap();
    let agent = grown.get(3).unwrap().agent;
    assert_eq!(
        (agent.velocity, agent.heading),
        (vec3(0.0, 0.0, -agent.max_speed), vec3(0.0, 0.0, -1.0))
    );
}

#[test]
fn the_time_in_a_state_begins_when_the_agent_enters() {
    let state = |name: &str, leave| State { leave, ..State::new(name) };
    let mut a = group("a", &[vec2(0.0, 0.0)]);
    a.states = vec![
        state(
            "young",
            vec![Transition {
                to: TransitionTarget::from(1),
                when: Condition::TimeInState(3.0.into()),
            }],
        ),
        state("old", vec![]),
    ];
    let mut crowd = crowd(vec![a]);
    (0..5).for_each(|_| crowd.step());
    crowd.add(0, Vec2::ONE, None).unwrap();
    (0..3).for_each(|_| crowd.step());
    assert_eq!([0, 1].map(|id| crowd.get(id).unwrap().state), [Some("old"), Some("young")]);
    crowd.step();
    assert_eq!(crowd.get(1).unwrap().state, Some("old"));
}

#[test]
fn a_refused_change_names_its_reason_and_changes_nothing() {
    let mut crowd = crowd(vec![group("a", &[vec2(0.0, 0.0)])]);
    let before = crowd.digest();
    let bad = vec2(f32::NAN, 0.0);
    let faults = [
        crowd.add(1, Vec2::ZERO, None).unwrap_err(),
        crowd.add(0, bad, None).unwrap_err(),
        crowd.add(0, Vec2::ZERO, Some(vec2(0.0, 2e9))).unwrap_err(),
        crowd.put(7, Vec2::ZERO, None).unwrap_err(),
        crowd.put(0, bad, None).unwrap_err(),
    ];
    let texts = faults.map(|fault| fault.to_string());
    let expected = [
        "group: there is no group 1; allowed: a group's index below 1",
        "position: a coordinate of `position` is NaN; allowed: a length from -1e9 to 1e9",
        "velocity: a coordinate of `velocity` is 2e9; allowed: a speed from -1e9 to 1e9",
        "id: there is no agent 7; allowed: the id of an agent that is in the crowd",
        "position: a coordinate of `position` is NaN; allowed: a length from -1e9 to 1e9",
    ];
    assert_eq!(texts, expected);
    assert_eq!((crowd.digest(), crowd.len()), (before, 1));
}

#[test]
fn the_unit_of_speed_covers_agents_that_may_enter_later() {
    // The group is empty; a fast agent that enters later is still within the bound.
    let mut fast = Group::new("fast", 0, Spawn::Points(Vec::new()), 1.0);
    fast.max_speed = Distribution::Uniform(1.0, 100.0);
    let crowd = crowd(vec![group("a", &[vec2(0.0, 0.0)]), fast]);
    assert_eq!(crowd.population.max_speed, 100.0);
}
