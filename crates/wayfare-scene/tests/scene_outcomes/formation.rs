//! The scene `formation`: slots are regained after each turn, and the formation closes up when a
//! member is removed.

use wayfare::behavior::{FormationShape, formation_slot};
use wayfare::glam::{Vec2, vec2};
use wayfare::{AgentId, Crowd, GroupId};

use super::{agent, crowd};

/// The members of the wing in the order of their slots, if each slot has one within `distance`.
fn wing(crowd: &Crowd<Vec2>, distance: f32) -> Option<Vec<AgentId>> {
    let (leader, group) = (
        agent(crowd, 0),
        crowd.group_names().position(|name| name == "wing").map(GroupId).unwrap(),
    );
    let members: Vec<_> = (1..40)
        .filter_map(|id| crowd.get(id))
        .filter(|member| member.group == group)
        .map(|member| (member.id, member.agent.position))
        .collect();
    let count = members.len() as u32;
    let occupant = |k: u32| {
        let (ahead, beside) = formation_slot(FormationShape::Wedge, k, count, 18.0);
        let slot = leader.position + leader.heading * ahead + leader.heading.perp() * beside;
        members.iter().find(|(_, position)| position.distance(slot) <= distance).map(|(id, _)| *id)
    };
    (0..count).map(occupant).collect()
}

#[test]
fn after_each_turn_of_the_leader_all_slots_are_regained_within_120_ticks_without_swaps() {
    let mut crowd = crowd("formation");
    let (mut turning_since, mut turns, mut slowest) = (Some(0), 0, 0);
    let mut first: Option<Vec<AgentId>> = None;
    let mut heading = agent(&crowd, 0).heading;
    for tick in 0..900 {
        crowd.step();
        // A turn begins when the leader's heading is two degrees off the straight.
        let now = agent(&crowd, 0).heading;
        if turning_since.is_none() && now.angle_to(heading).abs().to_degrees() > 2.0 {
            (turning_since, turns) = (Some(tick), turns + 1);
        }
        let Some(wing) = wing(&crowd, 2.0) else { continue };
        assert_eq!(first.get_or_insert(wing.clone()), &wing, "members swapped at tick {tick}");
        if let Some(since) = turning_since.filter(|since| tick - since > 20) {
            assert!(tick - since <= 120, "from tick {since} to {tick}");
            slowest = slowest.max(tick - since);
            (turning_since, heading) = (None, now);
        }
    }
    println!("after each of {turns} turns all slots were regained within {slowest} ticks");
    assert_eq!((turns, turning_since), (3, None));
}

#[test]
fn when_a_member_is_removed_the_wing_closes_up_and_the_ring_stays_round() {
    let mut crowd = crowd("formation");
    (0..150).for_each(|_| crowd.step());
    let before = wing(&crowd, 2.0).unwrap();
    // The third on the left.
    assert!(crowd.remove(before[4]));
    assert_eq!(wing(&crowd, 2.0), None);
    let regained = (0..80).find_map(|tick| {
        crowd.step();
        wing(&crowd, 2.0).map(|wing| (tick, wing))
    });
    let (ticks, after) = regained.unwrap();
    println!("the eleven others closed up after {ticks} ticks");
    assert_eq!(after.len(), 11);
    // Ranks close up by small moves: no member moves farther than from one side of the tip to the
    // other.
    let slot = |wing: &[AgentId], id: AgentId| {
        wing.iter()
            .zip(0..)
            .find(|(other, _)| **other == id)
            .map(|(_, k)| Vec2::from(formation_slot(FormationShape::Wedge, k, 12, 18.0)))
    };
    for &id in &after {
        let offset = slot(&after, id).unwrap() - slot(&before, id).unwrap();
        assert!(offset.length() <= 36.0, "agent {id} moves by {offset}");
    }
    let ring = crowd.group_names().position(|name| name == "ring of honour").map(GroupId).unwrap();
    let radius = 12.0 / (std::f32::consts::PI / 14.0).sin();
    for member in (0..40).filter_map(|id| crowd.get(id)).filter(|member| member.group == ring) {
        assert!((member.agent.position.distance(vec2(440.0, 300.0)) - radius).abs() < 0.1);
    }
}
