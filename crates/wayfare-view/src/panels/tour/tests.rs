//! The tour says what is there.

use super::*;
use crate::app::tests::{frame_with, gallery};
use wayfare::glam::Vec2;
use wayfare::registry::Behavior;

fn press(gallery: &mut Gallery, ctx: &egui::Context, key: Key) {
    frame_with(
        gallery,
        ctx,
        egui::Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        },
    );
}

#[test]
fn every_step_opens_its_scene_and_runs() {
    let (mut gallery, ctx) = (gallery(), egui::Context::default());
    press(&mut gallery, &ctx, Key::U);
    for (i, step) in STEPS.iter().enumerate() {
        assert_eq!(
            (gallery.tour.number(), gallery.name.as_str(), gallery.forces),
            (Some(i + 1), step.scene, step.forces != Forces::Nobodys)
        );
        let chosen = gallery.chosen;
        assert!(
            chosen.is_none_or(|id| gallery.live().is_some_and(|live| live.place_of(id).is_some())),
            "{}",
            step.scene
        );
        let before = gallery.live().map(|live| live.digest());
        (0..30).for_each(|_| frame_with(&mut gallery, &ctx, egui::Event::PointerGone));
        let live = gallery.live().unwrap();
        assert!(live.tick() > 5 && Some(live.digest()) != before, "{}", step.scene);
        press(&mut gallery, &ctx, Key::PageDown);
    }
    assert_eq!(gallery.tour.number(), None, "on from the last one is the end");
}

#[test]
fn the_page_keys_are_the_tours_while_it_is_on_and_it_goes_on_where_it_was_left() {
    let (mut gallery, ctx) = (gallery(), egui::Context::default());
    gallery.tour_to(2);
    press(&mut gallery, &ctx, Key::PageUp);
    assert_eq!((gallery.tour.number(), gallery.name.as_str()), (Some(2), "flee"));
    press(&mut gallery, &ctx, Key::U);
    let flee = gallery.name.clone();
    press(&mut gallery, &ctx, Key::PageDown);
    assert!(gallery.tour.number().is_none() && gallery.name != flee, "the next scene of the list");
    press(&mut gallery, &ctx, Key::U);
    assert_eq!((gallery.tour.number(), gallery.name.as_str()), (Some(2), "flee"));
    gallery.show("captain");
    assert_eq!(gallery.tour.number(), None, "who opens another scene has left it");
    gallery.tour_to(99);
    assert_eq!(gallery.tour.number(), Some(STEPS.len()));
}

#[test]
fn every_formula_and_link_is_a_section_of_the_docs_and_formulas_use_no_symbol_unexplained() {
    let headings: Vec<&str> = PAGE.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let mut explained = "max_speed max_force min panic_radius slowing_radius circle_distance \
                         max_avoid_force weight force sum of whose angle walks randomly for \
                         circles other shapes and the next once with where it damps seek flee \
                         arrive evade f"
        .to_string();
    for step in &STEPS {
        let anchor = step.link().rsplit_once('#').unwrap().1.replace('-', " ");
        assert!(headings.contains(&anchor.as_str()), "{}", step.link());
        let formula = step.formula().unwrap();
        assert!(
            PAGE.contains(&formula.replace('\n', "; ")) && formula.contains(['*', '(']),
            "{formula}"
        );
        explained += &format!(" {}", step.symbols);
        for word in formula
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| word.chars().any(char::is_alphabetic))
        {
            let known = explained
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|known| known == word);
            assert!(
                known || formula.contains(&format!(".{word}")) || word == "target",
                "{}: `{word}` in {formula}",
                step.section
            );
        }
    }
}

#[test]
fn the_behavior_of_a_step_is_in_its_scene_and_so_is_all_that_it_offers_to_set() {
    for step in &STEPS {
        let mut gallery = gallery();
        gallery.show(step.scene);
        let fields = gallery.live().unwrap().draft().controls();
        if step.section == "one tick" {
            assert!(
                fields.iter().filter(|field| field.name() == "weight").count() > 1,
                "several forces"
            );
        } else {
            assert!(Behavior::<Vec2>::LIST.iter().any(|behavior| behavior.name == step.section));
            let there = fields
                .iter()
                .any(|field| field.key_path.to_string().contains(&format!(".{}.", step.section)));
            assert!(there, "{} is not in {}", step.section, step.scene);
        }
        for name in step.attempt.split('`').skip(1).step_by(2) {
            assert!(
                fields.iter().any(|field| field.name() == name),
                "`{name}` cannot be set in {}",
                step.scene
            );
        }
        // What is to be set is a button away, and so is what it is to be compared with.
        let set = if let Some(Offer::Setting(name)) = step.offer { Some(name) } else { None };
        assert_eq!(set, step.attempt.split('`').nth(1), "{}", step.title);
        assert_eq!(
            step.offer == Some(Offer::Compare),
            step.attempt.contains("Compare: "),
            "{}",
            step.title
        );
    }
}

#[test]
fn a_step_has_two_or_three_sentences_and_little_to_read() {
    for step in &STEPS {
        let sentences = step.text.matches(". ").count() + usize::from(step.text.ends_with('.'));
        assert!(
            (2..=3).contains(&sentences) && step.text.len() < 400,
            "{}: {sentences}, {}",
            step.title,
            step.text.len()
        );
        assert!(step.attempt.len() < 170, "{}: {}", step.title, step.attempt.len());
        let ends = |text: &str| text.ends_with('.') && !text.contains("  ");
        assert!(ends(step.text) && ends(step.symbols) && ends(step.attempt), "{}", step.title);
    }
}
