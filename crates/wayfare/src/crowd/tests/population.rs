//! Rows, ids, agents that move between crowds, and panics in users' behaviors.

use alloc::sync::Arc;
use core::panic::AssertUnwindSafe;
use core::sync::atomic::{AtomicBool, Ordering};
use std::panic::catch_unwind;

use super::*;
use crate::agent::Memory;
use crate::annotation::DebugDraw;
use crate::behavior::Steer;
use crate::registry::Behavior;

/// A behavior that panics for the agent with id 900 while the flag is set.
#[derive(Debug)]
struct Panics(Arc<AtomicBool>);

impl<V: Vector> Steer<V> for Panics {
    fn force(
        &self,
        host: &Agent<V>,
        memory: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        _: DebugDraw<'_, V>,
    ) -> V {
        assert!(
            context.id != AgentId(900) || !self.0.load(Ordering::Relaxed),
            "the behavior panics"
        );
        memory.own[0] += 1.0;
        host.velocity * memory.own[0]
    }
}

fn assert_a_panic_leaves_the_crowd_as_it_was(threads: usize) {
    let flag = Arc::new(AtomicBool::new(false));
    let setup = || {
        let mut setup = many::<Vec2>(Edge::Wall);
        let own = Behavior::Own("panics", Arc::new(Panics(flag.clone())));
        setup.groups[0].steer = core::mem::take(&mut setup.groups[0].steer).with(own);
        setup
    };
    let (mut crowd, mut calm) = (Crowd::new(setup()).unwrap(), Crowd::new(setup()).unwrap());
    #[cfg(feature = "parallel")]
    crowd.set_threads(threads).unwrap();
    let _ = threads;
    for _ in 0..3 {
        crowd.step();
        calm.step();
    }
    let (digest, len, events) = (crowd.digest(), crowd.len(), crowd.events().to_vec());
    for _ in 0..2 {
        flag.store(true, Ordering::Relaxed);
        catch_unwind(AssertUnwindSafe(|| crowd.step())).unwrap_err();
        flag.store(false, Ordering::Relaxed);
        assert_eq!((crowd.digest(), crowd.tick(), crowd.len()), (digest, 3, len));
        assert_eq!((crowd.events(), crowd.get(900).unwrap().id), (&events[..], AgentId(900)));
    }
    for _ in 0..3 {
        crowd.step();
        calm.step();
        assert_eq!((crowd.digest(), crowd.events()), (calm.digest(), calm.events()));
    }
}

#[cfg(feature = "std")] // Without it no panic is caught.
#[test]
fn a_panic_in_a_users_behavior_leaves_the_crowd_as_it_was_before_the_tick() {
    assert_a_panic_leaves_the_crowd_as_it_was(1);
    assert_a_panic_leaves_the_crowd_as_it_was(3);
}

#[test]
fn every_id_has_its_row_while_agents_enter_leave_and_are_sorted() {
    let mut crowd = Crowd::new(many::<Vec2>(Edge::Open)).unwrap();
    for tick in 0..30 {
        let id = crowd.add(0, vec2(5.0, 5.0), None).unwrap();
        assert!(crowd.remove(tick * 7) && crowd.get(tick * 7).is_none());
        assert_eq!(crowd.get(id).unwrap().id, id);
        crowd.step();
        for (row, id) in crowd.ids().enumerate() {
            assert_eq!(crowd.row_of(id), Some(row));
        }
        assert_eq!(crowd.get(AgentId::NONE).map(|agent| agent.id), None);
    }
}

#[test]
fn members_come_in_the_order_of_ids_also_where_rows_differ() {
    let mut crowd = Crowd::new(many::<Vec2>(Edge::Open)).unwrap();
    (0..20).for_each(|_| crowd.step());
    let mut restored = Crowd::new(many::<Vec2>(Edge::Open)).unwrap();
    restored.restore(&crowd.snapshot()).unwrap();
    assert_ne!(crowd.id_column(), restored.id_column());
    let mut count = 0;
    for group in 0..crowd.group_names().count() {
        let members = crowd.members(group);
        assert!(members.iter().all(|member| member.group.0 == group));
        assert!(members.is_sorted_by(|a, b| a.id < b.id));
        assert_eq!(members, restored.members(group));
        count += members.len();
    }
    assert_eq!((count, crowd.members(99).len()), (crowd.len(), 0));
}

#[test]
fn columns_match_the_agents() {
    let mut crowd = Crowd::new(many::<Vec2>(Edge::Open)).unwrap();
    crowd.step();
    for row in 0..crowd.len() {
        let agent = crowd.agent_at_row(row as u32).unwrap();
        assert_eq!(crowd.ids().nth(row), Some(agent.id));
        assert_eq!(crowd.groups().nth(row), Some(agent.group));
        assert_eq!(crowd.pose(row as u32, 1.0).unwrap().id, agent.id);
        for axis in 0..2 {
            assert_eq!(crowd.positions(axis)[row], agent.agent.position[axis]);
            assert_eq!(crowd.velocities(axis)[row], agent.agent.velocity[axis]);
            assert_eq!(crowd.headings(axis)[row], agent.agent.heading[axis]);
        }
    }
    assert_eq!((crowd.positions(0).len(), crowd.positions(2).len()), (crowd.len(), 0));
}

#[test]
fn extracted_agents_continue_in_another_crowd_with_the_same_bits() {
    let new = || Crowd::new(mixed::<Vec2>(None)).unwrap();
    let (mut first, mut other) = (new(), new());
    for _ in 0..40 {
        first.step();
        other.step();
    }
    let snapshot = first.snapshot();
    let ids: Vec<_> = first.ids().filter(|id| id.0 % 3 == 1).collect();
    let bytes = first.extract(&ids).unwrap();
    assert!(ids.iter().all(|id| first.get(*id).is_none()));
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    // Ids that are in use are refused, and nothing changes.
    let digest = other.digest();
    assert!(other.insert(&bytes).unwrap_err().to_string().contains("is taken"));
    assert_eq!(other.digest(), digest);
    ids.iter().for_each(|id| assert!(other.remove(*id)));
    assert_eq!(other.insert(&bytes).unwrap(), sorted);
    // The same crowd again, down to memories, remembered positions and previous positions.
    assert_eq!(other.snapshot(), snapshot);
    assert_eq!(first.insert(&bytes).unwrap(), sorted);
    for _ in 0..20 {
        first.step();
        other.step();
        assert_eq!(first.digest(), other.digest());
    }
}

#[test]
fn damaged_bytes_of_agents_are_refused_and_change_nothing() {
    let mut crowd = Crowd::new(mixed::<Vec2>(None)).unwrap();
    (0..10).for_each(|_| crowd.step());
    let digest = crowd.digest();
    assert!(crowd.extract(&[AgentId(0), AgentId::NONE]).is_err());
    assert_eq!(crowd.digest(), digest);
    let bytes = crowd.extract(&[0, 1].map(AgentId)).unwrap();
    let digest = crowd.digest();
    let mut other = Crowd::new(many::<Vec2>(Edge::Open)).unwrap();
    assert_eq!(other.insert(&bytes), Err(SnapshotError::OtherSetup));
    for end in 0..bytes.len() {
        assert!(crowd.insert(&bytes[..end]).is_err());
        // A wrong number with a valid hash is detected by its range, or gives a valid agent.
        let mut wrong = bytes.clone();
        wrong[end] ^= 0x7F;
        assert!(crowd.insert(&wrong).is_err());
    }
    assert_eq!((crowd.digest(), crowd.len()), (digest, crowd.ids().len()));
    crowd.insert(&bytes).unwrap();
}

#[test]
fn a_position_that_is_not_finite_does_not_move_the_pointer() {
    let mut crowd = crowd(vec![group("a", &[vec2(0.0, 0.0)])]);
    crowd.set_pointer(Some(vec2(3.0, 4.0)));
    crowd.set_pointer(Some(vec2(f32::NAN, 1.0)));
    assert_eq!(crowd.pointer(), Some(vec2(3.0, 4.0)));
    crowd.set_pointer(None);
    assert_eq!(crowd.pointer(), None);
}

#[test]
fn detached_columns_leave_equal_ones_in_other_memory() {
    let mut crowd = Crowd::new(Setup::<Vec2>::default()).unwrap();
    let ring = Spawn::Ring { center: Vec2::ZERO, radius: 9.0, turn: 0.0 };
    crowd.add_group(Group::new("ring", 20, ring, 2.0)).unwrap();
    crowd.step();
    let (digest, addresses) = (crowd.digest(), |crowd: &Crowd<Vec2>| {
        [crowd.positions(0), crowd.positions(1), crowd.velocities(0), crowd.headings(1)]
            .map(<[f32]>::as_ptr)
    });
    let before = addresses(&crowd);
    let detached = crowd.detach_columns();
    for (now, before) in addresses(&crowd).iter().zip(before) {
        assert_ne!(*now, before);
    }
    assert_eq!(crowd.digest(), digest);
    drop(detached);
}
