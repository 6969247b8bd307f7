//! The panel of one agent.

use eframe::egui::{Key, Modifiers, vec2};
use wayfare::AgentId;

use super::screen::Screen;
use crate::action::{Action, SidePanel};
use crate::session::agent_settings::AgentSettings;

const UNITS: &str = "[[group]]\nname = \"units\"\nspawn = { points = [[0, 0], [0, 50]] }\n\
                     max_speed = 2\nspeed_cap = 5\nturn_rate = 90\n[group.stat.stamina]\n\
                     start = 8\nmin = 0\nmax = 9\n[[group.state]]\nname = \"calm\"\n\
                     rate = { stamina = -0.01 }\n[[group.state]]\nname = \"hurry\"\n\
                     [[group]]\nname = \"others\"\nspawn = { points = [[90, 90]] }\n\
                     max_speed = 4\n";

/// The panel of agent 0 of two groups; the scene runs.
fn panel() -> Screen {
    let mut screen = Screen::with_panel("seek", SidePanel::Agent);
    screen.act(Action::ReplaceText(UNITS.to_string(), true));
    screen.act(Action::SelectAgent(Some(AgentId(0))));
    screen.frames(3);
    screen
}

fn shown(screen: &mut Screen) -> AgentSettings {
    screen.session().agent_settings(AgentId(0)).unwrap()
}

/// Types a number into a field.
fn enter(screen: &mut Screen, field: &str, text: &str) {
    screen.click(&format!("own:{field}"));
    screen.type_text(text);
    screen.frames(2);
}

#[test]
fn every_setting_has_a_control_whose_change_is_logged_and_undone() {
    let mut screen = panel();
    let before = shown(&mut screen);
    for (field, text) in [("mass", "4\n"), ("max_speed", "3.5\n"), ("max_force", "0.25\n")] {
        enter(&mut screen, field, text);
    }
    enter(&mut screen, "radius", "6\n");
    screen.click("own:frozen");
    enter(&mut screen, "facing", "45\n");
    let after = shown(&mut screen);
    let values: Vec<f32> = after.limits.iter().map(|limit| limit.value).collect();
    assert_eq!(values, [4.0, 3.5, 0.25, 6.0]);
    assert!(after.frozen && (after.facing - 45.0).abs() < 1e-3, "{after:?}");
    for (list, name) in [("state", "hurry"), ("group", "others")] {
        screen.click(&format!("own:{list}"));
        screen.click(&format!("own:{list}:{name}"));
    }
    assert_eq!(shown(&mut screen).group, "others");
    let log = screen.session().log();
    for line in ["mass", "max_speed", "max_force", "radius", "facing", "frozen", "state", "group"] {
        assert!(log.contains(&format!("\"{line}\": ")), "{line} is not in {log}");
    }
    for _ in 0..8 {
        screen.act(Action::Undo);
    }
    // Time has passed meanwhile; the agent is at rest.
    assert_eq!(AgentSettings { stats: before.stats.clone(), ..shown(&mut screen) }, before);
}

#[test]
fn a_number_that_changes_from_tick_to_tick_can_be_typed_over() {
    let mut screen = panel();
    let tick = screen.tick();
    enter(&mut screen, "stat:stamina", "4.25\n");
    assert!(screen.tick() > tick, "the scene runs");
    assert!(screen.session().log().contains("\"value\": 4.25"), "{}", screen.session().log());
    // Nothing is typed: nothing changes.
    let log = screen.session().log();
    enter(&mut screen, "facing", "\n");
    enter(&mut screen, "stat:stamina", "\n");
    assert_eq!(screen.session().log(), log);
}

#[test]
fn a_refused_number_shows_its_message_and_an_accepted_one_hides_it() {
    let mut screen = panel();
    let (text, log) = (screen.text(), screen.session().log());
    enter(&mut screen, "max_speed", "5.5\n");
    Screen::rect("own:refused");
    let message = screen.gallery.panels.agent.message(AgentId(0)).unwrap();
    assert!(
        message.contains("5.5; allowed: a speed above 0, up to 5, the `speed_cap`"),
        "{message}"
    );
    assert_eq!((screen.text(), screen.session().log()), (text, log));
    enter(&mut screen, "max_speed", "4.5\n");
    assert!(!Screen::is_shown("own:refused"));
    screen.click("own:reset:max_speed");
    assert_eq!(shown(&mut screen).limits[1].value, 2.0);
}

#[test]
fn a_drag_of_a_number_is_one_undo_step_and_stays_in_the_range() {
    let mut screen = panel();
    let drag = |screen: &mut Screen| {
        let at = Screen::rect("own:max_speed").center();
        screen.move_mouse(at);
        screen.press(at, true);
        (1..=40).for_each(|i| screen.move_mouse(at + vec2(4.0 * i as f32, 0.0)));
        screen.press(at + vec2(160.0, 0.0), false);
        screen.frames(1);
    };
    enter(&mut screen, "max_speed", "3\n");
    drag(&mut screen);
    assert_eq!(shown(&mut screen).limits[1].value, 5.0);
    assert!(screen.session().log().lines().count() > 5);
    screen.act(Action::Undo);
    assert_eq!(shown(&mut screen).limits[1].value, 3.0);
}

#[test]
fn the_panel_opens_with_a_key_and_goes_from_agent_to_agent() {
    let mut screen = Screen::of("arrive");
    screen.key_with(Key::I, Modifiers::NONE);
    screen.frames(2);
    let first = screen.session().shown_agent(None);
    screen.click("next-agent");
    let selected = screen.gallery.display.selected;
    assert!(selected.is_some() && selected != first, "{selected:?}");
    screen.key_with(Key::I, Modifiers::NONE);
    screen.frames(1);
    assert!(!Screen::is_shown("next-agent"));
}
