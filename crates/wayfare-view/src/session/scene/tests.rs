//! What is done to a running scene.

use wayfare_scene::read;

use super::*;
use crate::render::camera::View;
use crate::session::catalog::catalog;
use eframe::egui;
use wayfare_scene::bundled;

fn arrive() -> Box<dyn Live> {
    open("arrive.toml", bundled("arrive").unwrap().text, Format::Toml).unwrap()
}

/// The scene at its start as a bare crowd, and what is to be done to it.
fn replay(name: &str, log: &Source) -> (Crowd<Vec2>, Log<Vec2>) {
    let scene = Source { name: name.to_string(), text: bundled(name).unwrap().text.to_string() };
    let Ok(AnyScene::TwoD(scene)) = read(&scene, Format::Toml) else { panic!("it is flat") };
    (Crowd::new(scene.setup).unwrap(), Log::read(log).unwrap())
}

#[test]
fn every_bundled_scene_opens_and_is_inside_what_is_shown() {
    for entry in catalog() {
        let mut live = open(entry.scene.name, entry.scene.text, Format::Toml).unwrap();
        assert!(live.world().is_positive(), "{}", entry.scene.name);
        let mut marks = Vec::new();
        live.step(None);
        live.marks(false, &Theme::of(false), &mut marks);
        assert_eq!(marks.len(), live.len());
    }
}

#[test]
fn what_a_person_did_is_a_log_that_ends_in_the_same_digest() {
    let mut live = arrive();
    for tick in 0..40 {
        match tick {
            5 => live.add(pos2(50.0, 60.0)),
            12 => {
                let first = live.next_agent(None).and_then(|id| live.place_of(id)).unwrap();
                let hold = live.hold(first, 1.0).unwrap();
                live.take(hold);
                live.drag(Vec2::new(30.0, 10.0));
                live.drag(Vec2::new(35.0, 10.0));
                live.let_go();
            }
            20 => assert!(matches!(live.undo(), Outcome::Done)),
            _ => {}
        }
        live.step((tick >= 10).then_some(pos2(200.0 + tick as f32, 150.0)));
    }
    let source = Source { name: "log".to_string(), text: live.log() };
    let (mut crowd, mut log) = replay("arrive", &source);
    for _ in 0..40 {
        log.apply(&mut crowd).unwrap();
        crowd.step();
    }
    assert_eq!(crowd.digest(), live.digest());
    assert!(source.text.lines().count() > 30, "{}", source.text);
}

#[test]
fn a_click_fires_a_monster_that_is_hit_goes_another_enters_and_the_log_has_all_of_it() {
    let mut live = open("captain.toml", bundled("captain").unwrap().text, Format::Toml).unwrap();
    let monsters = 10..14;
    assert!(live.fires());
    let mut digests = Vec::new();
    for tick in 0..160 {
        let target = monsters.clone().find_map(|id| live.place_of(id));
        if let Some(at) = target.filter(|_| tick % 20 == 10) {
            live.fire(at);
            assert!(live.len() >= 14 + 9, "each of the nine soldiers has fired");
        }
        live.step((tick % 3 == 0).then_some(pos2(200.0, 240.0)));
        digests.push(live.digest());
    }
    let hit = monsters.filter(|&id| live.place_of(id).is_none()).count();
    let source = Source { name: "log".to_string(), text: live.log() };
    let (mut crowd, mut log) = replay("captain", &source);
    assert!(hit > 0 && crowd.len() == 14, "nobody was hit");
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
fn bullets_have_no_trails_and_are_drawn_as_small_as_they_are() {
    let source =
        Source { name: "captain".to_string(), text: bundled("captain").unwrap().text.to_string() };
    let Ok(AnyScene::TwoD(scene)) = read(&source, Format::Toml) else { panic!("it is flat") };
    let mut show = Show::new(scene, Draft::new(source, Format::Toml).unwrap(), Vec::new()).unwrap();
    show.fire(pos2(600.0, 20.0));
    (0..3).for_each(|_| show.step(None));
    let mut marks = Vec::new();
    show.marks(false, &Theme::of(false), &mut marks);
    let small = marks.iter().filter(|mark| mark.radius == 3.0).count();
    assert!(
        small == 9 && marks.iter().all(|mark| mark.radius == 3.0 || mark.radius > 8.0),
        "{marks:?}"
    );
    let (screen, groups) = (
        Rect::from_min_size(Pos2::ZERO, [640.0, 480.0].into()),
        std::cell::RefCell::new(Vec::new()),
    );
    let painter = Painter::new(egui::Context::default(), egui::LayerId::background(), screen);
    show.trails.draw(
        &painter,
        &View::default().camera(show.world(), screen),
        f32::INFINITY,
        |group| {
            groups.borrow_mut().push(group);
            egui::Color32::BLACK
        },
    );
    let groups = groups.into_inner();
    assert!(
        [0, 1, 2].iter().all(|group| groups.contains(group)) && !groups.contains(&3),
        "{groups:?}"
    );
}

#[test]
fn a_scene_without_fire_takes_no_shots() {
    let mut live = arrive();
    let count = live.len();
    live.fire(pos2(50.0, 60.0));
    assert!(!live.fires() && live.len() == count && live.log().is_empty());
}

#[test]
fn undo_takes_back_what_was_added_and_moved() {
    let mut live = arrive();
    let count = live.len();
    live.add(pos2(50.0, 60.0));
    let first = live.next_agent(None).unwrap();
    let before = live.place_of(first).unwrap();
    let hold = live.hold(before, 1.0).unwrap();
    live.take(hold);
    live.drag(Vec2::new(9.0, 0.0));
    live.let_go();
    assert!((live.place_of(first).unwrap() - before).length() > 8.0);
    assert!(
        [live.undo(), live.undo(), live.undo()].map(|undone| matches!(undone, Outcome::Done))
            == [true, true, false]
    );
    assert_eq!((live.len(), live.place_of(first)), (count, Some(before)));
}

#[test]
fn what_is_set_while_it_runs_is_in_the_log_that_goes_with_the_text_it_began_with() {
    let mut live = arrive();
    let place = |text: &str| wayfare::crowd::KeyPath::read(text).unwrap();
    for tick in 0..40 {
        let edit = match tick {
            10 => Some(Edit::Set(place("group[0].steer[0].arrive.slowing_radius"), 30.0.into())),
            20 => Some(Edit::Switch(place("group[0].steer[0]"), false)),
            25 => Some(Edit::Switch(place("group[0].steer[0]"), true)),
            30 => Some(Edit::Restore(place("group[0].steer[0].arrive.slowing_radius"))),
            _ => None,
        };
        if let Some(edit) = edit {
            assert!(matches!(live.edit(&edit, true), Ok(Outcome::Done)), "{edit:?}");
        }
        live.step(None);
    }
    let mut again = open("arrive.toml", live.begun_with(), Format::Toml).unwrap();
    let scene = Source { name: "arrive.toml".to_string(), text: live.begun_with().to_string() };
    let Ok(AnyScene::TwoD(scene)) = read(&scene, Format::Toml) else { panic!("it is flat") };
    let source = Source { name: "log".to_string(), text: live.log() };
    let (mut crowd, mut log) = (Crowd::new(scene.setup).unwrap(), Log::read(&source).unwrap());
    for _ in 0..40 {
        log.apply(&mut crowd).unwrap();
        crowd.step();
        again.step(None);
    }
    assert_eq!((live.tick(), crowd.digest()), (40, live.digest()));
    assert_ne!(again.digest(), live.digest(), "it makes a difference");
}

#[test]
fn what_has_no_command_begins_anew_and_undo_goes_back_through_both_kinds() {
    let mut live = arrive();
    let text = live.draft().text().to_string();
    let place = |text: &str| wayfare::crowd::KeyPath::read(text).unwrap();
    (0..5).for_each(|_| live.step(None));
    assert!(matches!(
        live.edit(&Edit::Set(place("group[0].max_speed"), 2.0.into()), true),
        Ok(Outcome::Done)
    ));
    assert!(matches!(
        live.edit(&Edit::Add(place("group[0].steer"), 1, "wander".to_string()), true),
        Ok(Outcome::Anew)
    ));
    assert_eq!(live.tick(), 0);
    live.step(None);
    // A comment changes nothing but the text.
    assert!(matches!(
        live.retype(format!("# mine\n{}", live.draft().text()), true),
        Ok(Outcome::Done)
    ));
    assert_eq!(live.tick(), 1);
    assert!(
        live.retype("max_speed = ".to_string(), true).is_err_and(|problems| !problems.is_empty())
    );
    assert!(
        live.edit(&Edit::Set(place("group[0].max_speed"), (-1.0).into()), true)
            .is_err_and(|fault| fault.to_string().contains("above 0"))
    );
    let undone =
        [live.undo(), live.undo(), live.undo(), live.undo()].map(|outcome| match outcome {
            Outcome::Nothing => "nothing",
            Outcome::Done => "done",
            Outcome::Anew => "anew",
            Outcome::Other(_) => "other",
        });
    assert_eq!(undone, ["done", "anew", "done", "nothing"]);
    assert_eq!(live.draft().text(), text);
    let space = text.replacen("[bounds]", "dimension = 3\n[bounds]", 1);
    assert!(live.retype(space, true).is_err(), "points of the plane in space");
}

/// Something of a scene that lies where `at` is, taken and put so far away.
fn put(live: &mut dyn Live, at: Pos2, way: Vec2) {
    let hold = live.hold(at, 0.5).unwrap();
    live.take(hold);
    live.drag(0.4 * way);
    live.drag(way);
    live.let_go();
}

#[test]
fn an_obstacle_or_a_point_of_a_path_that_was_dragged_is_so_in_the_text_and_begins_there() {
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
        let mut live = open("mine.toml", shapes, Format::Toml).unwrap();
        (0..5).for_each(|_| live.step(None));
        let (before, way) = (live.digest(), Vec2::new(7.2549, -31.5));
        put(live.as_mut(), pos2(x, y), way);
        let text = live.draft().text().to_string();
        assert!(
            text.contains(end)
                && text.contains("# First")
                && text.contains("} # round")
                && live.tick() == 5,
            "{text}"
        );
        let there = pos2(x + way.x, y + way.y);
        assert!(
            live.hold(there, 0.5).is_some() && live.log().lines().count() > 1,
            "{}",
            live.log()
        );
        // It begins there, and what is undone is so in both.
        live.step(None);
        live.restart(live.seed());
        assert!(
            live.draft().text() == text
                && live.hold(there, 0.5).is_some()
                && live.hold(pos2(x, y), 0.5).is_none(),
            "{end}"
        );
        (0..5).for_each(|_| live.step(None));
        assert!(matches!(live.undo(), Outcome::Done), "{end}");
        assert!(
            live.draft().text() == shapes
                && live.hold(pos2(x, y), 0.5).is_some()
                && live.digest() == before,
            "{end}"
        );
    }
}
