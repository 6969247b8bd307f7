//! Clicks and drags on the picture.

use eframe::egui::{Key, vec2};
use wayfare::AgentId;

use super::screen::{AT, Screen};

#[test]
fn a_click_fires_in_scenes_with_fire_and_shows_forces_in_others() {
    for (name, fires) in [("captain", true), ("seek", false)] {
        let mut screen = Screen::paused(name);
        let before = screen.session().len();
        let state =
            |screen: &mut Screen| (screen.session().len() - before, screen.gallery.display.forces);
        screen.click_at(AT);
        assert_eq!(state(&mut screen), if fires { (9, false) } else { (0, true) }, "{name}");
        screen.click_at(AT);
        let expected = if fires { (18, false) } else { (1, false) };
        assert_eq!(state(&mut screen), expected, "{name}: a double click adds an agent");
        screen.key(Key::Enter);
        assert_eq!(state(&mut screen).0, if fires { 27 } else { 1 }, "{name}");
    }
}

#[test]
fn where_clicks_fire_they_select_an_agent_only_while_forces_are_shown() {
    let mut screen = Screen::paused("captain");
    // The screen position of agent 0 follows from the world positions of two clicks.
    let [near, far] = [AT, AT + vec2(100.0, 100.0)].map(|at| {
        screen.click_at(at);
        screen.gallery.mouse.unwrap()
    });
    let offset =
        (screen.session().position_of(AgentId(0)).unwrap() - near) * (100.0 / (far.x - near.x));
    let at = AT + vec2(offset.x, offset.y);
    let state = |screen: &mut Screen| (screen.session().len(), screen.gallery.display.selected);
    screen.click_at(at);
    assert_eq!(state(&mut screen), (14 + 27, None));
    screen.gallery.display.forces = true;
    screen.click_at(at);
    assert_eq!(state(&mut screen), (14 + 27, Some(AgentId(0))));
    screen.click_at(at);
    assert_eq!(state(&mut screen), (14 + 27, None));
    screen.click_at(AT);
    assert_eq!((screen.session().len(), screen.gallery.display.forces), (14 + 36, true));
}

#[test]
fn a_dragged_obstacle_stays_where_it_is_put_until_undo() {
    let mut screen = Screen::paused("obstacles");
    screen.frames(2);
    let before = screen.text();
    let position = |screen: &mut Screen| {
        let landmarks = screen.session().landmarks();
        landmarks.into_iter().find(|(name, _)| name == "obstacle:0").unwrap().1
    };
    let start = position(&mut screen);
    let world = screen.gallery.world();
    let camera = screen.gallery.display.view.camera(world, Screen::rect("canvas"));
    let at = camera.to_screen(start);
    let by = vec2(40.0, 30.0);
    screen.move_mouse(at);
    screen.press(at, true);
    (1..=5).for_each(|i| screen.move_mouse(at + by * (i as f32 / 5.0)));
    screen.press(at + by, false);
    let moved = camera.to_screen(position(&mut screen));
    assert!(moved.distance(at + by) < 1.0, "{moved:?}, not {:?}", at + by);
    screen.frames(1);
    screen.click("undo");
    assert_eq!((position(&mut screen), screen.text()), (start, before));
}
