//! Formations: slots are assigned to all members at once, kept, and closed up when a member leaves.

use glam::{Vec2, Vec3, vec2};

use super::*;
use crate::behavior::{
    FollowLeader, Formation, FormationShape, OffsetPursue, WithoutLeader, formation_slot,
};

fn wedge<V: Vector>(around: Target<V>) -> Formation<V> {
    Formation::new(around, FormationShape::Wedge).spacing(10.0)
}

/// A leader that moves along +x, and nine members at random positions around it.
fn setup<V: Vector>() -> Setup<V> {
    let mut leader = Group::new("leader", 1, Spawn::Points(vec![V::ZERO]), 2.0);
    leader.velocity = StartVelocity::Same(V::X * 2.0);
    let mut wing = Group::new(
        "wing",
        9,
        Spawn::Inside(Shape::Circle { center: V::X * 20.0, radius: 60.0 }),
        5.0,
    );
    wing.mass = Distribution::Same(2.0);
    wing.steer = List::default().with(wedge(Target::Group(GroupId(0))));
    Setup { groups: vec![leader, wing], seed: 4, ..Setup::default() }
}

/// Ids and slots of the members of a group, in the order of ids.
fn slots<V: Vector>(crowd: &Crowd<V>, group: u32) -> Vec<(u32, Option<u32>)> {
    let mut found: Vec<_> = (0..crowd.len())
        .filter(|&i| crowd.population.now.group[i] == group)
        .map(|i| (crowd.population.now.id[i], crowd.population.now.memory(i)[0].slot))
        .collect();
    found.sort_unstable();
    found
}

/// Fails unless every slot is taken by exactly one member.
#[track_caller]
fn assert_all_taken(slots: &[(u32, Option<u32>)]) {
    let mut taken: Vec<_> = slots.iter().map(|(_, slot)| slot.unwrap()).collect();
    taken.sort_unstable();
    assert_eq!(taken, (0..slots.len() as u32).collect::<Vec<_>>());
}

/// The largest distance of a member from its slot.
fn farthest<V: Vector>(crowd: &Crowd<V>, leader: u32, group: u32) -> f32 {
    let leader = crowd.get(leader).unwrap().agent;
    let found = slots(crowd, group);
    let away = |&(id, slot): &(u32, Option<u32>)| {
        let (ahead, beside) =
            formation_slot(FormationShape::Wedge, slot.unwrap(), found.len() as u32, 10.0);
        (leader.position + leader.heading * ahead + leader.heading.unit_perp() * beside
            - crowd.get(id).unwrap().agent.position)
            .length()
    };
    found.iter().map(away).fold(0.0, f32::max)
}

fn assert_it_forms_and_closes_up<V: Vector>() {
    let mut crowd = Crowd::new(setup::<V>()).unwrap();
    assert_eq!(slots(&crowd, 1)[0].1, None);
    crowd.step();
    let first = slots(&crowd, 1);
    assert_all_taken(&first);
    (0..100).for_each(|_| crowd.step());
    assert_eq!(slots(&crowd, 1), first);
    assert!(farthest(&crowd, 0, 1) < 0.1, "{}", farthest(&crowd, 0, 1));
    // The agent at the tip and one in the middle are removed.
    let tip = first.iter().find(|(_, slot)| *slot == Some(0)).unwrap().0;
    crowd.remove(tip);
    crowd.remove(first.iter().find(|(_, slot)| *slot == Some(4)).unwrap().0);
    (0..100).for_each(|_| crowd.step());
    let second = slots(&crowd, 1);
    assert_eq!(second.len(), 7);
    assert_all_taken(&second);
    assert!(farthest(&crowd, 0, 1) < 0.1);
    // The added agent is 400 behind, and gains 3 per tick.
    let id = crowd.add(1, V::ZERO, None).unwrap();
    (0..250).for_each(|_| crowd.step());
    assert_all_taken(&slots(&crowd, 1));
    assert!(
        slots(&crowd, 1).iter().any(|(other, _)| *other == id.0) && farthest(&crowd, 0, 1) < 0.1
    );
}

#[test]
fn members_keep_their_slots_and_close_up_when_one_enters_or_leaves() {
    assert_it_forms_and_closes_up::<Vec2>();
    assert_it_forms_and_closes_up::<Vec3>();
}

fn assert_slots_do_not_depend_on_the_order(setup: &Setup<Vec2>) {
    let crowd = || Crowd::new(setup.clone()).unwrap();
    let (mut straight, mut other) = (crowd(), crowd());
    other.permute(&[9, 3, 0, 6, 1, 2, 5, 4, 7, 8]);
    for tick in 0..30 {
        if tick == 12 {
            // An explanation before the tick must not assign slots, and a removed agent must not
            // keep its slot.
            other.explain(3).unwrap();
            for crowd in [&mut straight, &mut other] {
                crowd.remove(4);
                crowd.put(5, vec2(300.0, 0.0), None).unwrap();
            }
            let why = other.explain(3).unwrap();
            assert_eq!(why.annotations[0].label, "slot");
            other.permute(&[8, 7, 6, 5, 4, 3, 2, 1, 0]);
        }
        straight.step();
        while !other.step_budgeted(2) {}
        assert_eq!(
            (straight.digest(), slots(&straight, 1)),
            (other.digest(), slots(&other, 1)),
            "at {tick}"
        );
    }
    let snapshot = straight.snapshot();
    assert_eq!(snapshot, other.snapshot());
    let mut restored = crowd();
    restored.restore(&snapshot).unwrap();
    assert_eq!(slots(&restored, 1), slots(&straight, 1));
    [&mut straight, &mut restored].into_iter().for_each(|crowd| (0..20).for_each(|_| crowd.step()));
    assert_eq!(straight.digest(), restored.digest());
}

#[test]
fn slots_do_not_depend_on_the_row_order_or_on_queries() {
    assert_slots_do_not_depend_on_the_order(&setup());
    // All members are at one point: every assignment has the same total distance.
    let mut heap = setup();
    heap.groups[1].spawn = Spawn::Points(vec![vec2(-30.0, 0.0); 9]);
    assert_slots_do_not_depend_on_the_order(&heap);
}

#[test]
fn slots_of_a_state_are_kept_while_a_member_is_in_the_state_and_reassigned_later() {
    let mut setup = setup::<Vec2>();
    let wing = &mut setup.groups[1];
    let keep = core::mem::take(&mut wing.steer);
    let state = |name: &str, steer, to: usize, time: f64| {
        let leave = vec![Transition { to: to.into(), when: Condition::TimeInState(time.into()) }];
        State { steer, leave, ..State::new(name) }
    };
    wing.states = vec![
        state("keep", keep, 1, 20.0),
        state("scatter", List::default().with(wander()), 0, 60.0),
    ];
    wing.think_every = 3;
    let mut crowd = Crowd::new(setup).unwrap();
    (0..20).for_each(|_| crowd.step());
    let first = slots(&crowd, 1);
    assert_all_taken(&first);
    (0..10).for_each(|_| crowd.step());
    assert!(slots(&crowd, 1).iter().all(|(_, slot)| slot.is_none()));
    (0..60).for_each(|_| crowd.step());
    assert_all_taken(&slots(&crowd, 1));
    assert_ne!(slots(&crowd, 1), first);
}

#[test]
fn without_a_leader_there_are_no_slots_and_a_single_member_stays_beside_its_point() {
    let mut setup = setup::<Vec2>();
    setup.groups[0] = Group::new("leader", 0, Spawn::Points(Vec::new()), 2.0);
    let mut lone = Group::new("lone", 1, Spawn::Points(vec![vec2(90.0, 20.0)]), 5.0);
    lone.mass = Distribution::Same(2.0);
    lone.steer = List::default().with(wedge(Target::Point(vec2(50.0, 50.0))));
    setup.groups.push(lone);
    let mut crowd = Crowd::new(setup).unwrap();
    (0..200).for_each(|_| crowd.step());
    assert!(slots(&crowd, 1).iter().all(|(_, slot)| slot.is_none()));
    // The first slot of a wedge is to the left of the leader; along the heading the center of the
    // formation is on the point.
    assert_near(crowd.get(9).unwrap().agent.position, vec2(50.0, 60.0));
    // A leader is added.
    crowd.add(0, vec2(0.0, 0.0), None).unwrap();
    crowd.step();
    assert_all_taken(&slots(&crowd, 1));
}

#[test]
fn members_whose_leader_has_died_stop_unless_they_are_told_to_coast() {
    let leader = GroupId(0);
    let behind = OffsetPursue { ahead: -10.0, within: 400.0, ..OffsetPursue::new(leader) };
    let coast = OffsetPursue { without_leader: WithoutLeader::Coast, ..behind };
    let mut setup = setup::<Vec2>();
    for steer in [
        List::default()
            .with(FollowLeader::new(leader).behind(10.0).sight_radius(5.0).slowing_radius(20.0)),
        List::default().with(behind),
        List::default().with(coast),
    ] {
        let name = format!("wing {}", setup.groups.len());
        setup.groups.push(Group { name, steer, ..setup.groups[1].clone() });
    }
    let mut crowd = Crowd::new(setup).unwrap();
    (0..60).for_each(|_| crowd.step());
    crowd.remove(0);
    let fastest = |crowd: &Crowd<Vec2>, group| {
        (0..crowd.len())
            .filter(|&i| crowd.population.now.group[i] == group)
            .map(|i| crowd.population.now.velocity.get(i).length())
            .fold(0.0, f32::max)
    };
    assert!((1..5).all(|group| fastest(&crowd, group) > 1.0));
    (0..60).for_each(|_| crowd.step());
    for group in 1..5 {
        assert_eq!(fastest(&crowd, group) > 1e-3, group == 4, "group {group}");
    }
}
