//! Changes of a running scene.

use std::collections::BTreeSet;

use wayfare::glam::{Vec2, vec2};
use wayfare::{AgentId, Crowd, GroupId, Log};
use wayfare_record::output::FORMATS;
use wayfare_scene::{AnyScene, Format, Source, bundled, read, read_log};

use crate::session::agent_settings::AgentEdit;
use crate::session::catalog::catalog;
use crate::session::edit::{Edit, Outcome};
use crate::session::open::open;
use crate::session::traits::{AgentPose, Session};

fn arrive() -> Box<dyn Session> {
    open("arrive.toml", bundled("arrive").unwrap().text, Format::Toml).unwrap()
}

fn poses(session: &dyn Session) -> Vec<AgentPose> {
    let mut poses = Vec::new();
    session.poses(false, &mut |pose| poses.push(pose));
    poses
}

/// A bare crowd of a bundled scene, and a log for it.
fn replay(name: &str, log: &Source) -> (Crowd<Vec2>, Log<Vec2>) {
    let scene = Source { name: name.to_string(), text: bundled(name).unwrap().text.to_string() };
    let Ok(AnyScene::TwoD(scene)) = read(&scene, Format::Toml) else {
        panic!("a scene in the plane")
    };
    (Crowd::new(scene.setup).unwrap(), read_log(log, 1.0).unwrap())
}

#[test]
fn every_bundled_scene_opens_with_a_world_and_a_pose_per_agent() {
    for entry in catalog() {
        let mut session = open(entry.scene.name, entry.scene.text, Format::Toml).unwrap();
        assert!(session.world().has_area(), "{}", entry.scene.name);
        session.step(None);
        assert_eq!(poses(session.as_ref()).len(), session.len());
    }
}

#[test]
fn the_log_of_all_changes_replays_to_the_same_digest() {
    let mut session = arrive();
    for tick in 0..40 {
        match tick {
            5 => session.add_agent(vec2(50.0, 60.0)),
            12 => {
                let first =
                    session.next_agent(None).and_then(|id| session.position_of(id)).unwrap();
                let pick = session.pick(first, 1.0).unwrap();
                session.grab(pick);
                session.drag(vec2(30.0, 10.0));
                session.drag(vec2(35.0, 10.0));
                session.release();
            }
            20 => assert!(matches!(session.undo(), Outcome::Applied)),
            _ => {}
        }
        session.step((tick >= 10).then_some(vec2(200.0 + tick as f32, 150.0)));
    }
    let source = Source { name: "log".to_string(), text: session.log() };
    let (mut crowd, mut log) = replay("arrive", &source);
    for _ in 0..40 {
        log.apply(&mut crowd).unwrap();
        crowd.step();
    }
    assert_eq!(crowd.digest(), session.digest());
    assert!(source.text.lines().count() > 30, "{}", source.text);
}

#[test]
fn hit_monsters_are_replaced_and_the_log_replays_shots_and_hits() {
    let mut session = open("captain.toml", bundled("captain").unwrap().text, Format::Toml).unwrap();
    let monsters = (10..14).map(AgentId);
    assert!(session.fires());
    let mut digests = Vec::new();
    for tick in 0..160 {
        let target = monsters.clone().find_map(|id| session.position_of(id));
        if let Some(at) = target.filter(|_| tick % 20 == 10) {
            session.fire(at);
            assert!(session.len() >= 14 + 9, "nine soldiers fire");
        }
        session.step((tick % 3 == 0).then_some(vec2(200.0, 240.0)));
        digests.push(session.digest());
    }
    let hit = monsters.filter(|&id| session.position_of(id).is_none()).count();
    let source = Source { name: "log".to_string(), text: session.log() };
    let (mut crowd, mut log) = replay("captain", &source);
    assert!(hit > 0 && crowd.len() == 14, "no monster was hit");
    for digest in digests {
        log.apply(&mut crowd).unwrap();
        crowd.step();
        assert_eq!(crowd.digest(), digest, "tick {}", crowd.tick());
    }
    assert_eq!(
        crowd.agents().filter(|(_, agent)| agent.radius == 11.0).count(),
        4,
        "as many monsters as before"
    );
    let entered = source.text.lines().filter(|line| line.contains("\"add\": \"monsters\"")).count();
    assert!(entered >= hit, "{entered} for {hit}");
}

#[test]
fn bullets_have_no_trails_and_keep_their_size() {
    let mut session = open("captain.toml", bundled("captain").unwrap().text, Format::Toml).unwrap();
    session.fire(vec2(600.0, 20.0));
    (0..3).for_each(|_| session.step(None));
    let radii: Vec<f32> = poses(session.as_ref()).iter().map(|pose| pose.radius).collect();
    let bullets = radii.iter().filter(|radius| **radius == 3.0).count();
    assert_eq!(bullets, 9);
    let points = session.trails().drawn().flat_map(|(_, points)| points);
    let groups: BTreeSet<GroupId> = points.map(|point| point.group).collect();
    assert_eq!(groups, BTreeSet::from([0, 1, 2].map(GroupId)), "group 3 are the bullets");
}

#[test]
fn bodies_keep_their_radius_and_agents_without_one_get_a_visible_size() {
    let sizes = |name: &str| {
        let session = open("scene.toml", bundled(name).unwrap().text, Format::Toml).unwrap();
        let poses = poses(session.as_ref()).into_iter();
        poses.map(|pose| (pose.radius, pose.dart)).collect::<Vec<_>>()
    };
    assert!(sizes("ring-200").iter().all(|size| *size == (0.22, 0.22)));
    assert!(sizes("seek").iter().all(|(radius, dart)| *radius == 0.0 && *dart > 5.0));
}

#[test]
fn a_scene_without_fire_ignores_shots() {
    let mut session = arrive();
    let count = session.len();
    session.fire(vec2(50.0, 60.0));
    assert!(!session.fires() && session.len() == count && session.log().is_empty());
}

#[test]
fn undo_removes_an_added_agent_and_puts_a_moved_one_back() {
    let mut session = arrive();
    let count = session.len();
    session.add_agent(vec2(50.0, 60.0));
    let first = session.next_agent(None).unwrap();
    let before = session.position_of(first).unwrap();
    let pick = session.pick(before, 1.0).unwrap();
    session.grab(pick);
    session.drag(vec2(9.0, 0.0));
    session.release();
    assert!((session.position_of(first).unwrap() - before).length() > 8.0);
    assert!(
        [session.undo(), session.undo(), session.undo()]
            .map(|undone| matches!(undone, Outcome::Applied))
            == [true, true, false]
    );
    assert_eq!((session.len(), session.position_of(first)), (count, Some(before)));
}

#[test]
fn undo_gives_an_ordered_agent_its_earlier_order() {
    let text = "[[group]]\nname = \"units\"\nspawn = { points = [[0, 0]] }\nmax_speed = 3\nsteer = \
                [{ seek = { target = \"order\" } }]\n";
    let mut session = open("units.toml", text, Format::Toml).unwrap();
    let unit = session.next_agent(None).unwrap();
    let x = |session: &mut Box<dyn Session>| {
        session.step(None);
        session.position_of(unit).unwrap().x
    };
    session.change_agent(unit, &AgentEdit::Order(Some(vec2(90.0, 0.0))), true).unwrap();
    assert_eq!(x(&mut session), 3.0);
    session.change_agent(unit, &AgentEdit::Order(Some(vec2(-90.0, 0.0))), true).unwrap();
    assert!(matches!(session.undo(), Outcome::Applied));
    assert_eq!((x(&mut session), x(&mut session)), (6.0, 9.0));
    assert!(matches!(session.undo(), Outcome::Applied));
    // Without an order the unit brakes.
    assert_eq!(x(&mut session), 9.0);
    assert!(session.log().contains("\"agent\": 0, \"order\": [90.0, 0.0]"), "{}", session.log());
}

#[test]
fn edits_with_commands_are_in_the_log_for_the_starting_text() {
    let mut session = arrive();
    let path = |text: &str| wayfare::crowd::KeyPath::read(text).unwrap();
    for tick in 0..40 {
        let edit = match tick {
            10 => Some(Edit::Set(path("group[0].steer[0].arrive.slowing_radius"), 30.0.into())),
            20 => Some(Edit::Switch(path("group[0].steer[0]"), false)),
            25 => Some(Edit::Switch(path("group[0].steer[0]"), true)),
            30 => Some(Edit::Restore(path("group[0].steer[0].arrive.slowing_radius"))),
            _ => None,
        };
        if let Some(edit) = edit {
            assert!(matches!(session.edit(&edit, true), Ok(Outcome::Applied)), "{edit:?}");
        }
        session.step(None);
    }
    let mut again = open("arrive.toml", session.starting_text(), Format::Toml).unwrap();
    let scene =
        Source { name: "arrive.toml".to_string(), text: session.starting_text().to_string() };
    let Ok(AnyScene::TwoD(scene)) = read(&scene, Format::Toml) else {
        panic!("a scene in the plane")
    };
    let source = Source { name: "log".to_string(), text: session.log() };
    let (mut crowd, mut log) = (Crowd::new(scene.setup).unwrap(), read_log(&source, 1.0).unwrap());
    for _ in 0..40 {
        log.apply(&mut crowd).unwrap();
        crowd.step();
        again.step(None);
    }
    assert_eq!((session.tick(), crowd.digest()), (40, session.digest()));
    assert_ne!(again.digest(), session.digest(), "the edits have an effect");
}

#[test]
fn an_edit_without_a_command_restarts_and_undo_covers_both_kinds() {
    let mut session = arrive();
    let text = session.draft().text().to_string();
    let path = |text: &str| wayfare::crowd::KeyPath::read(text).unwrap();
    (0..5).for_each(|_| session.step(None));
    assert!(matches!(
        session.edit(&Edit::Set(path("group[0].max_speed"), 2.0.into()), true),
        Ok(Outcome::Applied)
    ));
    assert!(matches!(
        session.edit(&Edit::Add(path("group[0].steer"), 1, "wander".to_string()), true),
        Ok(Outcome::Restarted)
    ));
    assert_eq!(session.tick(), 0);
    session.step(None);
    // A comment changes only the text.
    assert!(matches!(
        session.replace_text(format!("# mine\n{}", session.draft().text()), true),
        Ok(Outcome::Applied)
    ));
    assert_eq!(session.tick(), 1);
    assert!(
        session
            .replace_text("max_speed = ".to_string(), true)
            .is_err_and(|problems| !problems.is_empty())
    );
    assert!(
        session
            .edit(&Edit::Set(path("group[0].max_speed"), (-1.0).into()), true)
            .is_err_and(|error| error.to_string().contains("above 0"))
    );
    let undone =
        [session.undo(), session.undo(), session.undo(), session.undo()].map(
            |outcome| match outcome {
                Outcome::Unchanged => "unchanged",
                Outcome::Applied => "applied",
                Outcome::Restarted => "restarted",
                Outcome::Reopen(_) => "reopen",
            },
        );
    assert_eq!(undone, ["applied", "restarted", "applied", "unchanged"]);
    assert_eq!(session.draft().text(), text);
    let space = text.replacen("[bounds]", "dimension = 3\n[bounds]", 1);
    assert!(session.replace_text(space, true).is_err(), "points with two coordinates in space");
}

/// Drags the object at a point by an offset.
fn drag_from(session: &mut dyn Session, at: Vec2, offset: Vec2) {
    let pick = session.pick(at, 0.5).unwrap();
    session.grab(pick);
    session.drag(0.4 * offset);
    session.drag(offset);
    session.release();
}

#[test]
fn a_dragged_obstacle_or_path_point_has_its_new_position_in_the_text_and_after_a_restart() {
    let shapes = "\n# First\n[[obstacle]]\ncircle = { center = [50, 50], radius = 4 } # \
                  round\n[[obstacle]]\nbox = { min = [100, 40], max = [120, 60] \
                  }\n[[obstacle]]\nsegment = { from = [150, 40], to = [150, 60], thickness = 4 \
                  }\n[[obstacle]]\npolygon = [[190, 40], [210, 40], [200, \
                  60]]\n[path.way]\npoints = [[20, 90], [60, 90]]\nradius = 3\n[[group]]\nname = \
                  \"a\"\nspawn = { points = [[0, 0]] }\nmax_speed = 1\n";
    let ends = [
        "center = [57.25, 18.5]",
        "min = [107.25, 8.5]",
        "from = [157.25, 8.5]",
        "[[197.25, 8.5], [217.25, 8.5], [207.25, 28.5]]",
        "[[20, 90], [67.25, 58.5]]",
    ];
    for (x, y, end) in [
        (50.0, 50.0, ends[0]),
        (110.0, 50.0, ends[1]),
        (150.0, 50.0, ends[2]),
        (200.0, 45.0, ends[3]),
        (60.0, 90.0, ends[4]),
    ] {
        let mut session = open("mine.toml", shapes, Format::Toml).unwrap();
        (0..5).for_each(|_| session.step(None));
        let (before, offset) = (session.digest(), vec2(7.2549, -31.5));
        drag_from(session.as_mut(), vec2(x, y), offset);
        let text = session.draft().text().to_string();
        assert!(
            text.contains(end)
                && text.contains("# First")
                && text.contains("} # round")
                && session.tick() == 5,
            "{text}"
        );
        let target = vec2(x, y) + offset;
        assert!(
            session.pick(target, 0.5).is_some() && session.log().lines().count() > 1,
            "{}",
            session.log()
        );
        // After a restart it is at the target, and undo changes both text and crowd.
        session.step(None);
        session.restart(session.seed());
        assert!(
            session.draft().text() == text
                && session.pick(target, 0.5).is_some()
                && session.pick(vec2(x, y), 0.5).is_none(),
            "{end}"
        );
        (0..5).for_each(|_| session.step(None));
        assert!(matches!(session.undo(), Outcome::Applied), "{end}");
        assert!(
            session.draft().text() == shapes
                && session.pick(vec2(x, y), 0.5).is_some()
                && session.digest() == before,
            "{end}"
        );
    }
}

#[test]
fn every_format_can_be_exported() {
    let mut session = arrive();
    (0..5).for_each(|_| session.step(None));
    for format in FORMATS {
        let (mut export, remark) = session.export(format).unwrap();
        let file = (0..9).find_map(|_| export.advance().unwrap()).unwrap();
        assert!(!file.is_empty() && remark.is_empty(), "{}: {remark}", format.extension);
    }
}

#[test]
fn a_world_with_y_up_is_seen_and_changed_from_above() {
    let text = "dimension = 3\nup = \"y\"\n[bounds]\nmin = [0, 0, 0]\nmax = [100, 10, 60]\n\
                [[obstacle]]\npolygon = [[60, 20], [80, 20], [80, 40]]\n\
                [[group]]\nname = \"a\"\nspawn = { points = [[10, 5, 30]] }\n\
                velocity = [0, 0, 2]\nmax_speed = 2\n";
    let mut session = open("up.toml", text, Format::Toml).unwrap();
    assert_eq!(session.world().size(), vec2(100.0, 60.0));
    session.step(None);
    let seen = poses(session.as_ref())[0];
    assert_eq!((seen.position, seen.heading), (vec2(10.0, 32.0), vec2(0.0, 1.0)));
    // A drag of the prism changes x and z.
    let prism = session.pick(vec2(75.0, 25.0), 1.0).unwrap();
    session.grab(prism);
    session.drag(vec2(-5.0, 10.0));
    session.release();
    assert!(!session.is_obstacle_at(vec2(79.0, 22.0)) && session.is_obstacle_at(vec2(70.0, 35.0)));
    let text = session.draft().text();
    assert!(text.contains("[[55, 30], [75, 30], [75, 50]]"), "{text}");
    session.add_agent(vec2(20.0, 40.0));
    assert_eq!(session.position_of(AgentId(1)), Some(vec2(20.0, 40.0)));
}
