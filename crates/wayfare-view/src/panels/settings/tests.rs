//! The panel without a screen.

use std::collections::BTreeSet;

use wayfare_scene::Source;

use super::*;
use crate::app::screen::Screen;
use crate::panels::side::Side;

#[test]
fn every_parameter_of_every_behavior_has_a_control_and_says_what_it_does() {
    let mut shown = BTreeSet::new();
    for known in Behavior::<Vec2>::LIST {
        let text = "[bounds]\nmin = [0, 0]\nmax = [640, 480]\n[pointer]\ntrack = [[0, 1, \
                    1]]\n[path.way]\npoints = [[0, 0], [9, 9]]\nradius = 5\n[field.out]\ngoal = \
                    [{ circle = { center = [600, 40], radius = 20 } }]\ncell = \
                    20\n[[group]]\nname = \"a\"\nspawn = { points = [[5, 5]] }\nmax_speed = \
                    3\n[[group]]\nname = \"b\"\nspawn = { points = [[50, 50]] }\nmax_speed = 3\n";
        let mut draft =
            Draft::new(Source { name: "a.toml".to_string(), text: text.to_string() }, Format::Toml)
                .unwrap();
        draft
            .add(&KeyPath::read("group[0].steer").unwrap(), 0, known.name)
            .unwrap_or_else(|fault| panic!("{}: {fault}", known.name));
        let mut screen = Screen::of("seek", Side::Settings);
        let outcome =
            screen.gallery.live().unwrap().retype(draft.text().to_string(), true).unwrap();
        screen.gallery.came_of(outcome);
        screen.frames(3);
        let fields: Vec<_> = draft
            .controls()
            .into_iter()
            .filter(|field| field.key_path.to_string().starts_with("group[0].steer[0]"))
            .collect();
        assert!(fields.len() >= known.parameters.len() + 2, "{}: {}", known.name, fields.len());
        for field in &fields {
            let told = about(field);
            let numeric = matches!(&field.kind, ControlKind::Number(_));
            assert!(
                told.len() > 10 && (!numeric || told.contains("allowed: ")),
                "{}: {told}",
                field.key_path
            );
            // A table is shown by its parts.
            let parted = fields.iter().any(|other| {
                other.key_path.0.len() > field.key_path.0.len()
                    && other.key_path.0.starts_with(&field.key_path.0)
            });
            if field.name() != "off" && !parted {
                Screen::rect(&format!("field:{}", field.key_path));
                shown.insert(field.name().to_string());
            }
        }
        Screen::rect("on:group[0].steer[0]");
    }
    assert!(shown.len() > 25, "{shown:?}");
}

#[test]
fn a_slider_moves_the_text_while_the_crowd_goes_on_and_one_undo_takes_all_of_it_back() {
    let mut screen = Screen::of("arrive", Side::Settings);
    let before = screen.text();
    screen.frames(20);
    let tick = screen.tick();
    assert!(tick > 5);
    screen.slide("group[1].steer[0].arrive.slowing_radius", 40.0);
    let after = screen.text();
    assert_ne!(before, after);
    let comments = |text: &str| {
        text.lines().filter(|line| line.contains('#')).map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        (before.lines().count(), comments(&before)),
        (after.lines().count(), comments(&after)),
        "comments and layout stay"
    );
    assert!(screen.tick() > tick, "it goes on");
    let outcome = screen.gallery.live().unwrap().undo();
    screen.gallery.came_of(outcome);
    assert_eq!(screen.text(), before);
    assert!(screen.tick() > tick && !screen.gallery.live().unwrap().can_undo());
}

#[test]
fn behaviors_are_switched_off_moved_removed_and_added_and_reset_brings_the_scene_back() {
    let mut screen = Screen::of("seek-and-flee", Side::Settings);
    let before = screen.text();
    let behaviors = |screen: &mut Screen| {
        let lists = screen.gallery.live().unwrap().draft().lists();
        let list = lists.into_iter().find(|list| list.entries.len() > 1).unwrap();
        (
            list.key_path.to_string(),
            list.entries.into_iter().map(|entry| (entry.behavior, entry.off)).collect::<Vec<_>>(),
        )
    };
    let (list, first) = behaviors(&mut screen);
    screen.click(&format!("on:{list}[0]"));
    assert_eq!(behaviors(&mut screen).1[0], (first[0].0.clone(), true));
    screen.click(&format!("down:{list}[0]"));
    assert_eq!(behaviors(&mut screen).1[1], (first[0].0.clone(), true));
    screen.click(&format!("remove:{list}[0]"));
    screen.click(&format!("add:{list}"));
    screen.click("add:wander");
    assert!(behaviors(&mut screen).1.iter().any(|(behavior, _)| behavior == "wander"));
    screen.click("reset-all");
    assert_eq!(screen.text(), before);
}

#[test]
fn a_field_is_found_by_a_part_of_its_name() {
    let mut screen = Screen::of("arrive", Side::Settings);
    screen.gallery.settings.filter = "slowing".to_string();
    screen.frames(1);
    Screen::rect("field:group[0].steer[0].arrive.slowing_radius");
    assert!(host::PLACES.with_borrow(|places| !places.contains_key("field:group[0].max_speed")));
}

#[test]
fn every_bundled_scene_has_a_panel() {
    for entry in
        crate::session::catalog::catalog().iter().filter(|entry| entry.scene.folder != "bench")
    {
        let mut screen = Screen::of(entry.scene.name, Side::Settings);
        let fields = screen.gallery.live().unwrap().draft().controls();
        let named = host::PLACES
            .with_borrow(|places| places.keys().filter(|name| name.starts_with("field:")).count());
        assert!(
            named >= 8 && named <= fields.len(),
            "{}: {named} of {}",
            entry.scene.name,
            fields.len()
        );
    }
}
