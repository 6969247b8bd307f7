//! The scene `hunter-and-prey`: every transition is taken, and stamina uses its whole range.

use std::collections::BTreeSet;

use wayfare::crowd::Event;
use wayfare::{Crowd, StateId};

use super::setup;

#[test]
fn hunters_tire_and_rest_and_catch_some_prey_but_not_all() {
    let setup = setup("hunter-and-prey");
    let group = |name: &str| setup.groups.iter().position(|group| group.name == name).unwrap();
    let (hunters, prey) = (group("hunter"), group("prey"));
    let caught = setup.groups[prey].states.iter().position(|state| state.name == "caught").unwrap();
    let groups = &setup.groups;
    let transitions = |g: usize| {
        let of_state = move |(from, state): (usize, &wayfare::crowd::State<_>)| {
            state
                .leave
                .iter()
                .flat_map(|transition| transition.to.states())
                .filter_map(|to| Some((g, from, groups[g].state_of(to)?.0)))
                .collect::<Vec<_>>()
        };
        groups[g].states.iter().enumerate().flat_map(of_state)
    };
    let mut not_taken: BTreeSet<_> = transitions(hunters).chain(transitions(prey)).collect();
    assert_eq!(not_taken.len(), 12, "the scene has twelve distinct transitions");
    let count = setup.groups[prey].count;
    let mut crowd = Crowd::new(setup).unwrap();
    let mut was_caught = BTreeSet::new();
    let (mut least, mut most) = (f32::INFINITY, 0.0_f32);
    for _ in 0..3000 {
        crowd.step();
        for event in crowd.events() {
            if let Event::StateChanged { id, from: StateId(from), to: StateId(to) } = *event {
                let group = crowd.get(id).unwrap().group.0;
                not_taken.remove(&(group, from, to));
                if (group, to) == (prey, caught) {
                    was_caught.insert(id);
                }
            }
        }
        for stamina in (0..crowd.len() as u32)
            .filter_map(|row| crowd.agent_at_row(row))
            .filter(|member| member.group.0 == hunters)
            .map(|hunter| hunter.stats[0])
        {
            (least, most) = (least.min(stamina), most.max(stamina));
        }
    }
    assert_eq!((least, most), (0.0, 200.0), "stamina is used up and filled again");
    assert!(not_taken.is_empty(), "never taken: {not_taken:?}");
    assert!(
        !was_caught.is_empty() && was_caught.len() < count,
        "{} of {count} were caught",
        was_caught.len()
    );
}
