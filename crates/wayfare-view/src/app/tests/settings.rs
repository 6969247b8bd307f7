//! The settings panel.

use std::collections::BTreeSet;

use wayfare::crowd::KeyPath;
use wayfare::glam::Vec2;
use wayfare::registry::Behavior;
use wayfare_scene::edit::{ControlKind, Draft};
use wayfare_scene::{Format, Source};

use super::screen::Screen;
use crate::action::{Action, SidePanel};
use crate::panels::settings::about;
use crate::platform::services;
use crate::session::catalog::catalog;

#[test]
fn every_parameter_of_every_behavior_has_a_control_and_a_hint() {
    let mut shown = BTreeSet::new();
    for known in Behavior::<Vec2>::LIST {
        let text = "[bounds]\nmin = [0, 0]\nmax = [640, 480]\n[pointer]\ntrack = [[0, 1, \
                    1]]\n[path.way]\npoints = [[0, 0], [9, 9]]\nradius = 5\n[field.out]\ngoal = \
                    [{ circle = { center = [600, 40], radius = 20 } }]\ncell = \
                    20\n[[group]]\nname = \"a\"\nspawn = { points = [[5, 5]] }\nmax_speed = \
                    3\nradius = 1\n[[group]]\nname = \"b\"\nspawn = { points = [[50, 50]] \
                    }\nmax_speed = 3\n";
        let mut draft =
            Draft::new(Source { name: "a.toml".to_string(), text: text.to_string() }, Format::Toml)
                .unwrap();
        draft
            .add(&KeyPath::read("group[0].steer").unwrap(), 0, known.name)
            .unwrap_or_else(|error| panic!("{}: {error}", known.name));
        let mut screen = Screen::with_panel("seek", SidePanel::Settings);
        screen.act(Action::ReplaceText(draft.text().to_string(), true));
        assert_eq!(screen.text(), draft.text());
        screen.frames(3);
        let fields: Vec<_> = draft
            .controls()
            .into_iter()
            .filter(|field| field.key_path.to_string().starts_with("group[0].steer[0]"))
            .collect();
        assert!(fields.len() >= known.parameters.len() + 2, "{}: {}", known.name, fields.len());
        for field in &fields {
            let hint = about(field, &Default::default());
            let numeric = matches!(&field.kind, ControlKind::Number(_));
            assert!(
                hint.len() > 10 && (!numeric || hint.contains("allowed: ")),
                "{}: {hint}",
                field.key_path
            );
            // A table is shown by its fields.
            let is_table = fields.iter().any(|other| {
                other.key_path.0.len() > field.key_path.0.len()
                    && other.key_path.0.starts_with(&field.key_path.0)
            });
            if field.name() != "off" && !is_table {
                Screen::rect(&format!("field:{}", field.key_path));
                shown.insert(field.name().to_string());
            }
        }
        Screen::rect("on:group[0].steer[0]");
    }
    assert!(shown.len() > 25, "{shown:?}");
}

#[test]
fn a_slider_changes_the_text_while_the_crowd_goes_on_and_one_undo_takes_it_back() {
    let mut screen = Screen::with_panel("arrive", SidePanel::Settings);
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
    screen.act(Action::Undo);
    assert_eq!(screen.text(), before);
    assert!(screen.tick() > tick && !screen.session().can_undo());
}

#[test]
fn behaviors_can_be_switched_off_moved_removed_and_added_and_reset_restores_the_scene() {
    let mut screen = Screen::with_panel("seek-and-flee", SidePanel::Settings);
    let before = screen.text();
    let behaviors = |screen: &mut Screen| {
        let lists = screen.session().draft().lists();
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
    screen.click("add:arrive");
    assert!(behaviors(&mut screen).1.iter().any(|(behavior, _)| behavior == "arrive"));
    screen.click("reset-all");
    assert_eq!(screen.text(), before);
}

#[test]
fn a_search_finds_fields_by_a_part_of_their_name() {
    let mut screen = Screen::with_panel("arrive", SidePanel::Settings);
    screen.gallery.panels.settings.find("slowing");
    screen.frames(1);
    Screen::rect("field:group[0].steer[0].arrive.slowing_radius");
    assert!(!Screen::is_shown("field:group[0].max_speed"));
}

#[test]
fn every_bundled_scene_has_a_settings_panel() {
    for entry in catalog().iter().filter(|entry| entry.scene.folder != "bench") {
        let mut screen = Screen::with_panel(entry.scene.name, SidePanel::Settings);
        let fields = screen.session().draft().controls();
        let named = services::CONTROLS
            .with_borrow(|names| names.keys().filter(|name| name.starts_with("field:")).count());
        assert!(
            named >= 8 && named <= fields.len(),
            "{}: {named} of {}",
            entry.scene.name,
            fields.len()
        );
    }
}
