//! The scenes `hide`, `interpose`, `offset-pursue`, `shadow`, `follow-wall`, `contain` and
//! `arrive`: agents keep the position that their behavior is for.

use wayfare::geometry::obstacle::Obstacle;
use wayfare::glam::Vec2;

use super::{crowd, first_member, members};

/// Whether no obstacle crosses the straight line between two points.
fn is_line_free(obstacles: &[Obstacle<Vec2>], from: Vec2, to: Vec2) -> bool {
    obstacles.iter().all(|obstacle| obstacle.cast_segment(from, to, 0.0).is_none())
}

#[test]
fn hiders_are_hidden_from_the_seeker_nine_tenths_of_the_time() {
    let mut crowd = crowd("hide");
    assert_eq!(crowd.obstacles().len(), 10);
    let mut hidden = [0; 3];
    for _ in 0..600 {
        crowd.step();
        let seeker = first_member(&crowd, "seeker").position;
        for (hidden, hider) in hidden.iter_mut().zip(members(&crowd, "hider")) {
            *hidden += u32::from(!is_line_free(crowd.obstacles(), seeker, hider.position));
        }
    }
    println!("of 600 ticks hidden: {hidden:?}");
    assert!(hidden.iter().all(|hidden| *hidden >= 540), "{hidden:?}");
}

#[test]
fn the_guard_stays_between_the_star_and_its_admirer() {
    let mut crowd = crowd("interpose");
    for tick in 0..500 {
        crowd.step();
        let [star, admirer, guard] =
            ["star", "admirer", "guard"].map(|group| first_member(&crowd, group).position);
        if tick > 200 {
            let middle = (star + admirer) * 0.5;
            let apart = (star - admirer).length();
            assert!(
                (guard - middle).length() < 0.3 * apart,
                "{guard} is {} from the middle of {apart} at tick {tick}",
                (guard - middle).length()
            );
        }
    }
}

#[test]
fn escorts_keep_their_offsets_from_the_flagship_on_the_straight() {
    let mut crowd = crowd("offset-pursue");
    let offsets = [
        ("inner left", -30.0, 30.0),
        ("inner right", -30.0, -30.0),
        ("outer left", -60.0, 60.0),
        ("outer right", -60.0, -60.0),
    ];
    (0..170).for_each(|_| crowd.step());
    let flagship = first_member(&crowd, "flagship");
    for (group, ahead, beside) in offsets {
        let slot = flagship.position + flagship.heading * ahead + flagship.heading.perp() * beside;
        let escort = first_member(&crowd, group);
        let distance = (escort.position - slot).length();
        assert!(distance < 22.0, "{group} is {distance} from its slot");
        let difference = escort.velocity - flagship.velocity;
        assert!(difference.length() < 0.5, "{group} moves with {}", escort.velocity);
    }
}

#[test]
fn the_detective_keeps_its_distance_and_the_mirror_matches_the_velocity() {
    let mut crowd = crowd("shadow");
    for tick in 0..500 {
        crowd.step();
        let [suspect, detective, mirror] =
            ["suspect", "detective", "mirror"].map(|group| first_member(&crowd, group));
        if tick > 250 {
            let distance = (suspect.position - detective.position).length();
            assert!((20.0..70.0).contains(&distance), "{distance} at tick {tick}");
            assert!((suspect.velocity - mirror.velocity).length() < 1.2, "at tick {tick}");
        }
    }
}

#[test]
fn robots_keep_their_distance_to_the_wall() {
    let mut crowd = crowd("follow-wall");
    let (mut near, mut all) = (0, 0);
    for tick in 0..700 {
        crowd.step();
        for robot in members(&crowd, "robot").filter(|_| tick > 150) {
            let distance = crowd.obstacles()[0].distance(robot.position);
            assert!(distance > 10.0, "{distance} at tick {tick}");
            (near, all) = (near + u32::from((distance - 22.0).abs() < 4.0), all + 1);
        }
    }
    println!("{near} of {all} samples are within 4 of the wanted distance");
    assert!(near * 10 > all * 8, "{near} of {all}");
}

#[test]
fn fish_and_ducks_stay_in_their_ponds() {
    let mut crowd = crowd("contain");
    for _ in 0..500 {
        crowd.step();
        assert!(
            members(&crowd, "fish")
                .all(|fish| fish.position.distance(Vec2::new(160.0, 160.0)) < 140.0)
        );
        assert!(members(&crowd, "duck").all(|duck| (340.0..620.0).contains(&duck.position.x)
            && (20.0..300.0).contains(&duck.position.y)));
    }
}

#[test]
fn an_arrived_guest_stays_on_its_target() {
    let mut crowd = crowd("arrive");
    (0..1_500).for_each(|_| crowd.step());
    let before = first_member(&crowd, "guest");
    for _ in 0..1_000 {
        crowd.step();
        let guest = first_member(&crowd, "guest");
        assert!(
            guest.position.distance(before.position) < 1e-3
                && guest.velocity.length() < 1e-4 * guest.max_speed,
            "{guest:?}"
        );
    }
}
