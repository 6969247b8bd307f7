//! Time, history, seed, plots and heat map.

use eframe::egui::{Context, Event, Key, Modifiers, Pos2, RawInput, Rect, epaint, vec2};
use wayfare_scene::Format;

use super::screen::{AT, Screen, USUAL};
use crate::action::Action;
use crate::app::{Gallery, Shown, ShownScene};
use crate::render::gpu_agents::GpuAgents;
use crate::render::theme;
use crate::session::open::open;

#[test]
fn an_unknown_name_is_reported_and_the_next_scene_is_a_key_away() {
    let mut gallery = Gallery::with([(); 2].map(|()| GpuAgents::new(None)));
    gallery.show("no-such-scene");
    let Shown::Problem { problem, .. } = &gallery.shown else { panic!("a scene is shown") };
    assert!(problem.contains("no-such-scene"), "{problem}");
    gallery.show_next(1);
    assert_eq!(gallery.name, gallery.catalog[0].scene.name);
    gallery.show_next(-1);
    assert_eq!(gallery.name, gallery.catalog.last().unwrap().scene.name);
    assert!(matches!(gallery.shown, Shown::Scene(_)));
}

#[test]
fn comma_and_dot_step_back_and_forward_and_the_mouse_changes_nothing_in_the_past() {
    let mut screen = Screen::paused("arrive");
    screen.gallery.panels.list.open = Some(false);
    screen.move_mouse(AT);
    let mut digests = Vec::new();
    for _ in 0..30 {
        digests.push(screen.session().digest());
        screen.key(Key::Period);
    }
    (0..9).for_each(|_| screen.key(Key::Comma));
    assert_eq!(screen.state(), (21, digests[21]));
    screen.move_mouse(AT - vec2(200.0, 90.0));
    (0..4).for_each(|_| screen.key(Key::Period));
    assert_eq!(screen.state(), (25, digests[25]));
    assert_eq!(screen.session().known_ticks(), (0, 30));
    // Adding an agent discards the later ticks.
    screen.key(Key::A);
    assert_eq!(screen.session().known_ticks(), (0, 25));
}

#[test]
fn keys_that_are_pressed_between_two_frames_all_count() {
    let mut screen = Screen::paused("arrive");
    let events = |key, count: usize| {
        let event = |pressed| Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        (0..2 * count).map(|i| event(i % 2 == 0)).collect()
    };
    screen.frame(events(Key::Period, 12));
    assert_eq!(screen.tick(), 12);
    screen.frame(events(Key::Comma, 10));
    assert_eq!(screen.tick(), 2);
}

#[test]
fn plots_and_heat_map_take_samples_only_while_they_are_shown() {
    let mut screen = Screen::paused("hunter-and-prey");
    let samples = |screen: &mut Screen| {
        screen.key(Key::Period);
        (screen.gallery.panels.plots.sample_count(), screen.gallery.heat[0].samples())
    };
    assert_eq!(samples(&mut screen), (0, 0));
    screen.key(Key::O);
    screen.key(Key::M);
    (0..5).for_each(|_| _ = samples(&mut screen));
    let (plotted, cells) = samples(&mut screen);
    assert!(plotted >= 6 && cells > 0, "{plotted} {cells}");
    screen.key(Key::O);
    assert_eq!(samples(&mut screen).0, plotted);
    screen.gallery.show("seek");
    assert_eq!(samples(&mut screen).0, 0);
}

#[test]
fn a_typed_seed_is_an_edit_of_the_text_and_an_invalid_one_is_refused() {
    let mut screen = Screen::paused("wander");
    let state = |screen: &mut Screen| {
        let text = screen.text();
        (text, screen.session().seed(), screen.session().digest())
    };
    let before = state(&mut screen);
    screen.gallery.panels.controls.seed = " 4711 ".to_string();
    screen.act(Action::Restart);
    let text = screen.text();
    let session = screen.session();
    assert_eq!((session.seed(), session.tick()), (4711, 0));
    assert!(text.contains("seed = 4711") && session.starting_text() == text, "{text}");
    assert_ne!(session.digest(), before.2);
    screen.act(Action::StepForward);
    for wrong in ["", "-1", "seven"] {
        screen.gallery.panels.controls.seed = wrong.to_string();
        screen.act(Action::Restart);
        let notice = screen.gallery.notice.take().unwrap();
        assert!(
            notice.contains(&format!("“{wrong}”")) && notice.contains("allowed: a whole number"),
            "{notice}"
        );
        assert_eq!(screen.gallery.panels.controls.seed, "4711");
        assert_eq!(screen.tick(), 1, "the scene goes on");
    }
    screen.act(Action::Undo);
    assert_eq!(state(&mut screen), before);
    assert_eq!(screen.gallery.panels.controls.seed, before.1.to_string());
}

/// Number of vertices that the renderer is given in a frame of a crowd without ticks.
fn vertices_of_frame(agents: usize, trails: bool) -> usize {
    let text = format!(
        "[bounds]\nmin = [0, 0]\nmax = [1200, 900]\nedge = \"wrap\"\n[[group]]\nname = \
         \"walkers\"\ncount = {agents}\nvelocity = \"random\"\nmax_speed = 3\nspawn = {{ box = {{ \
         min = [0, 0], max = [1200, 900] }} }}\n"
    );
    let mut gallery = Gallery::with([(); 2].map(|()| GpuAgents::new(None)));
    let mut session = open("crowd", &text, Format::Toml).unwrap();
    assert_eq!(session.len(), agents);
    (0..300).for_each(|_| session.step(None));
    let world = session.world();
    gallery.shown = Shown::Scene(ShownScene { session, description: String::new(), world });
    gallery.playback.playing = false;
    gallery.display.trails = trails;
    let ctx = Context::default();
    theme::set(&ctx);
    let mut vertices = 0;
    // Panels take their final size in the second frame.
    for _ in 0..3 {
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, USUAL));
        let input = RawInput { screen_rect, ..Default::default() };
        let mut output = ctx.run_ui(input, |ui| gallery.frame(ui));
        let shapes = std::mem::take(&mut output.shapes);
        let pieces = ctx.tessellate(shapes, output.pixels_per_point);
        output.drop_without_applying_deltas();
        assert_eq!(gallery.agents[0].count(), agents);
        let count = |piece: &epaint::ClippedPrimitive| match &piece.primitive {
            epaint::Primitive::Mesh(mesh) => mesh.vertices.len(),
            epaint::Primitive::Callback(_) => 0,
        };
        vertices = pieces.iter().map(count).sum();
    }
    vertices
}

#[test]
fn the_renderer_is_given_no_vertices_per_agent() {
    let [few, many, trails] = [(20, false), (20_000, false), (300, true)]
        .map(|(agents, trails)| vertices_of_frame(agents, trails));
    assert!(few > 1_000 && many < few + 100, "{few} for 20 agents, {many} for 20,000");
    assert!(trails > few, "trails are drawn by egui");
}
