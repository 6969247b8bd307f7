//! Hints at legal settings of a setup.

use super::*;
use crate::behavior::{Arrive, Separation, Tracking};
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
fn a_corridor_without_a_drive_is_hinted_at_where_something_slows_its_followers() {
    let corridor = |drive: bool, also: Option<Behavior<Vec2>>, drag: f32| {
        hinted(|s| {
            s.paths =
                vec![("way".into(), Path::new(vec![Vec2::ZERO, vec2(90.0, 0.0)], 8.0, false))];
            let follow =
                FollowPath { tracking: Tracking::Corridor, drive, ..FollowPath::new(PathId(0)) };
            s.groups[0].drag = drag;
            s.groups[0].steer = List::default().with(follow);
            if let Some(also) = also {
                s.groups[0].steer = s.groups[0].steer.clone().with(also);
            }
        })
    };
    let (apart, wanders) = (Separation::default().into(), Wander::default().into());
    assert_eq!(corridor(false, None, 0.1), ["groups[0].steer"]);
    assert_eq!(corridor(false, Some(apart), 0.0), ["groups[0].steer"]);
    assert_eq!(corridor(false, Some(wanders), 0.1), Vec::<String>::new());
    assert_eq!(corridor(false, None, 0.0), Vec::<String>::new());
    assert_eq!(corridor(true, None, 0.1), Vec::<String>::new());
}

#[test]
fn a_brake_that_leaves_no_force_is_hinted_at() {
    let queue = |brake: f32, separation: Option<Separation>| {
        hinted(|s| {
            let queue = Queue { brake: Some(brake), separation, ..Queue::default() };
            let queue = queue.ahead(2.0).radius(3.0);
            s.groups[0].steer = List::default().with(Seek::new(Vec2::ZERO)).with(queue);
        })
    };
    assert_eq!(queue(1.0, None), ["groups[0].steer[1]: Queue::brake"]);
    assert_eq!(queue(0.8, None), Vec::<String>::new());
    let apart = Separation::default().radius(9.0).max_force(1.0);
    assert_eq!(queue(1.0, Some(apart)), Vec::<String>::new());
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
