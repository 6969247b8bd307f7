//! The guided tour.

use eframe::egui::Key;
use wayfare::glam::Vec2;
use wayfare::registry::Behavior;

use super::screen::Screen;
use crate::panels::tour::steps::{Forces, Offer, STEPS};

#[test]
fn every_step_opens_its_scene_and_runs() {
    let mut screen = Screen::of("captain");
    screen.key(Key::U);
    for (i, step) in STEPS.iter().enumerate() {
        let gallery = &screen.gallery;
        assert_eq!(
            (gallery.panels.tour.number(), gallery.name.as_str(), gallery.display.forces),
            (Some(i + 1), step.scene, step.forces != Forces::None)
        );
        let selected = gallery.display.selected;
        let exists = |id| screen.session().position_of(id).is_some();
        assert!(selected.is_none_or(exists), "{}", step.scene);
        let (tick, digest) = screen.state();
        screen.frames(5);
        let now = screen.state();
        assert!(now.0 > tick && now.1 != digest, "{}", step.scene);
        screen.key(Key::PageDown);
    }
    assert_eq!(screen.gallery.panels.tour.number(), None, "the tour ends after the last step");
}

#[test]
fn the_page_keys_go_through_the_tour_and_it_goes_on_where_it_was_left() {
    let mut screen = Screen::of("captain");
    let state =
        |screen: &Screen| (screen.gallery.panels.tour.number(), screen.gallery.name.clone());
    let flee = |number: Option<usize>| (number, "flee".to_string());
    screen.gallery.show_tour_step(2);
    screen.key(Key::PageUp);
    assert_eq!(state(&screen), flee(Some(2)));
    screen.key(Key::U);
    assert_eq!(state(&screen), flee(None));
    screen.key(Key::PageDown);
    assert_ne!(state(&screen), flee(None), "the next scene of the list");
    screen.key(Key::U);
    assert_eq!(state(&screen), flee(Some(2)));
    screen.gallery.show("captain");
    assert_eq!(screen.gallery.panels.tour.number(), None, "another scene ends the tour");
    screen.gallery.show_tour_step(99);
    assert_eq!(screen.gallery.panels.tour.number(), Some(STEPS.len()));
}

#[test]
fn the_scene_of_a_step_has_its_behavior_and_the_settings_that_it_offers() {
    for step in &STEPS {
        let mut screen = Screen::of(step.scene);
        let fields = screen.session().draft().controls();
        if step.section == "one tick" {
            let weights = fields.iter().filter(|field| field.name() == "weight").count();
            assert!(weights > 1, "several forces");
        } else {
            assert!(Behavior::<Vec2>::LIST.iter().any(|behavior| behavior.name == step.section));
            let table = format!(".{}.", step.section);
            let has_behavior =
                fields.iter().any(|field| field.key_path.to_string().contains(&table));
            assert!(has_behavior, "{} is not in {}", step.section, step.scene);
        }
        for name in step.attempt.split('`').skip(1).step_by(2) {
            let has_setting = fields.iter().any(|field| field.name() == name);
            assert!(has_setting, "`{name}` cannot be set in {}", step.scene);
        }
        // A button opens the setting or the comparison that the text names.
        let set = if let Some(Offer::Setting(name)) = step.offer { Some(name) } else { None };
        assert_eq!(set, step.attempt.split('`').nth(1), "{}", step.title);
        let compares = step.attempt.contains("Compare: ");
        assert_eq!(step.offer == Some(Offer::Compare), compares, "{}", step.title);
    }
}
