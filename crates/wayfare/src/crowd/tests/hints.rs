//! Hints at legal settings of a setup.

use super::*;
use crate::behavior::{Arrive, Separation};
use crate::parameter::Auto;

fn guests() -> Group<Vec2> {
    let mut guests = Group::new("guests", 1, Spawn::Points(vec![Vec2::ZERO]), 2.0);
    guests.mass = Distribution::Same(4.0);
    guests.steer = List::default().with(Arrive::new(vec2(50.0, 0.0)));
    guests
}

/// The positions of the hints, by the fields of the setup.
fn hinted(change: impl FnOnce(&mut Setup<Vec2>)) -> Vec<String> {
    let mut setup = Setup { groups: vec![guests()], ..Setup::default() };
    change(&mut setup);
    assert_eq!(setup.validate(), Ok(()));
    setup.hints().iter().map(|hint| hint.key_path.in_rust()).collect()
}

#[test]
fn a_setup_gets_the_hints_of_a_scene_file_at_its_own_fields() {
    assert_eq!(hinted(|_| {}), Vec::<String>::new());
    assert_eq!(hinted(|s| s.groups[0].mass = Distribution::Same(0.5)), ["groups[0].mass"]);
    assert_eq!(
        hinted(|s| s.groups[0].max_force = Distribution::Same(0.0)),
        ["groups[0].max_force"]
    );
    assert_eq!(
        hinted(|s| s.obstacles.push(Shape::Circle { center: Vec2::ZERO, radius: 0.0 })),
        ["obstacles[0]"]
    );
    let short = Arrive { slowing_radius: Auto::Fixed(1.0), ..Arrive::new(vec2(50.0, 0.0)) };
    assert_eq!(
        hinted(|s| s.groups[0].steer = List::default().with(short)),
        ["groups[0].steer[0]: Arrive::slowing_radius"]
    );
    let blind =
        Separation { of: Groups::Only(vec![]), ..Separation::default().radius(9.0).max_force(1.0) };
    assert_eq!(
        hinted(|s| s.groups[0].steer = List::default().with(blind)),
        ["groups[0].steer[0]: Separation::of"]
    );
}

#[test]
fn a_flock_without_a_drive_is_hinted_at() {
    let flock = |s: &mut Setup<Vec2>| {
        s.groups[0].steer = List::default().with(Separation::default()).with(Flock::default());
    };
    assert_eq!(hinted(flock), ["groups[0].steer"]);
    let wanders = |s: &mut Setup<Vec2>| {
        flock(s);
        s.groups[0].steer = s.groups[0].steer.clone().with(Wander::default());
    };
    assert_eq!(hinted(wanders), Vec::<String>::new());
    let cruises = |s: &mut Setup<Vec2>| {
        flock(s);
        s.groups[0].min_speed = 1.0;
    };
    assert_eq!(hinted(cruises), Vec::<String>::new());
}

#[test]
fn a_setting_of_another_rule_is_hinted_at_where_it_differs_from_its_default() {
    assert_eq!(hinted(|s| s.groups[0].steer.epsilon = 0.5), ["groups[0].epsilon"]);
    assert_eq!(hinted(|s| s.groups[0].steer.standing = 0.5), ["groups[0].standing"]);
    assert_eq!(hinted(|s| s.groups[0].steer.slots[0].chance = 0.5), ["groups[0].steer[0].chance"]);
    assert_eq!(hinted(|s| s.groups[0].steer.slots[0].danger = true), ["groups[0].steer[0].danger"]);
    // A state whose rule reads it is enough.
    let states = |second| {
        move |s: &mut Setup<Vec2>| {
            s.groups[0].steer.standing = 0.5;
            s.groups[0].steer.slots[0].danger = true;
            let leave = |to: usize| {
                let when = Condition::TimeInState(9.0.into());
                vec![Transition { to: to.into(), when }]
            };
            s.groups[0].states = vec![
                State { leave: leave(1), ..State::new("a") },
                State { leave: leave(0), combine: second, ..State::new("b") },
            ];
        }
    };
    assert_eq!(hinted(states(Some(Combine::Context))), Vec::<String>::new());
    let paths = ["groups[0].standing", "groups[0].steer[0].danger"];
    assert_eq!(hinted(states(Some(Combine::Dither))), paths);
}
