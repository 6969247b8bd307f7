//! What each scene of the folder `reynolds` promises, seen on the scene itself.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

mod coming_and_going;
mod fields;
mod motion;
mod sight_and_formation;

use wayfare::crowd::Setup;
use wayfare::geometry::obstacle::Obstacle;
use wayfare::glam::Vec2;
use wayfare::{Agent, Crowd};
use wayfare_scene::{AnyScene, Format, Source, bundled, read};

fn read_setup(text: &str) -> Setup<Vec2> {
    let source = Source { name: "scene.toml".to_string(), text: text.to_string() };
    let Ok(AnyScene::TwoD(scene)) = read(&source, Format::Toml) else {
        panic!("it is a scene of the plane")
    };
    scene.setup
}

/// A bundled scene as it is set up.
fn setup(name: &str) -> Setup<Vec2> {
    read_setup(bundled(name).unwrap().text)
}

fn crowd(name: &str) -> Crowd<Vec2> {
    Crowd::new(setup(name)).unwrap()
}

/// The members of a group.
fn members<'a>(crowd: &'a Crowd<Vec2>, group: &str) -> impl Iterator<Item = Agent<Vec2>> + 'a {
    let group = crowd.group_names().position(|name| name == group).unwrap();
    (0..crowd.len() as u32)
        .filter_map(|id| crowd.get(id))
        .filter(move |member| member.group == group)
        .map(|member| member.agent)
}

fn one(crowd: &Crowd<Vec2>, group: &str) -> Agent<Vec2> {
    members(crowd, group).next().unwrap()
}

/// Whether nothing stands between two points.
fn sees(obstacles: &[Obstacle<Vec2>], from: Vec2, to: Vec2) -> bool {
    obstacles.iter().all(|obstacle| obstacle.cast_segment(from, to, 0.0).is_none())
}

#[test]
fn hiders_are_out_of_the_seekers_sight_nine_tenths_of_the_time() {
    let mut crowd = crowd("hide");
    assert_eq!(crowd.obstacles().len(), 10);
    let mut hidden = [0; 3];
    for _ in 0..600 {
        crowd.step();
        let seeker = one(&crowd, "seeker");
        for (hidden, hider) in hidden.iter_mut().zip(members(&crowd, "hider")) {
            *hidden += u32::from(!sees(crowd.obstacles(), seeker.position, hider.position));
        }
    }
    println!("of 600 ticks hidden: {hidden:?}");
    assert!(hidden.iter().all(|hidden| *hidden >= 540), "{hidden:?}");
}

#[test]
fn the_guard_is_between_the_star_and_its_admirer() {
    let mut crowd = crowd("interpose");
    for tick in 0..500 {
        crowd.step();
        let [star, admirer, guard] =
            ["star", "admirer", "guard"].map(|group| one(&crowd, group).position);
        if tick > 200 {
            let middle = (star + admirer) * 0.5;
            let apart = (star - admirer).length();
            assert!(
                (guard - middle).length() < 0.3 * apart,
                "{guard} is {} from the middle of {apart} at {tick}",
                (guard - middle).length()
            );
        }
    }
}

#[test]
fn the_escorts_keep_their_places_on_the_straight() {
    let mut crowd = crowd("offset-pursue");
    let places = [
        ("inner left", -30.0, 30.0),
        ("inner right", -30.0, -30.0),
        ("outer left", -60.0, 60.0),
        ("outer right", -60.0, -60.0),
    ];
    (0..170).for_each(|_| crowd.step());
    let flagship = one(&crowd, "flagship");
    for (group, ahead, beside) in places {
        let place = flagship.position + flagship.heading * ahead + flagship.heading.perp() * beside;
        let escort = one(&crowd, group);
        assert!(
            (escort.position - place).length() < 22.0,
            "{group} is {} away",
            (escort.position - place).length()
        );
        assert!(
            (escort.velocity - flagship.velocity).length() < 0.5,
            "{group}: {}",
            escort.velocity
        );
    }
}

#[test]
fn the_detective_stays_at_its_distance_and_the_mirror_walks_alike() {
    let mut crowd = crowd("shadow");
    for tick in 0..500 {
        crowd.step();
        let [suspect, detective, mirror] =
            ["suspect", "detective", "mirror"].map(|group| one(&crowd, group));
        if tick > 250 {
            let distance = (suspect.position - detective.position).length();
            assert!((20.0..70.0).contains(&distance), "{distance} at {tick}");
            assert!((suspect.velocity - mirror.velocity).length() < 1.2, "at {tick}");
        }
    }
}

#[test]
fn robots_keep_their_distance_to_the_wall_and_fish_and_ducks_stay_in_their_ponds() {
    let mut walls = crowd("follow-wall");
    let (mut near, mut all) = (0, 0);
    for tick in 0..700 {
        walls.step();
        for robot in members(&walls, "robot").filter(|_| tick > 150) {
            let distance = walls.obstacles()[0].distance(robot.position);
            assert!(distance > 10.0, "{distance} at {tick}");
            (near, all) = (near + u32::from((distance - 22.0).abs() < 4.0), all + 1);
        }
    }
    println!("{near} of {all} within 4 of their distance");
    assert!(near * 10 > all * 8, "{near} of {all}");
    let mut ponds = crowd("contain");
    for _ in 0..500 {
        ponds.step();
        assert!(
            members(&ponds, "fish")
                .all(|fish| fish.position.distance(Vec2::new(160.0, 160.0)) < 140.0)
        );
        assert!(members(&ponds, "duck").all(|duck| (340.0..620.0).contains(&duck.position.x)
            && (20.0..300.0).contains(&duck.position.y)));
    }
}
