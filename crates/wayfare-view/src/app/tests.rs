//! The application without a screen: what passes, and what a person does.

use super::*;

#[test]
fn a_scene_of_frames_runs_at_sixty_ticks_a_second_and_one_of_seconds_in_real_time() {
    let mut gallery = Gallery::with(Swarm::new(None));
    gallery.show("seek");
    (0..30).for_each(|_| gallery.pass(1.0 / 60.0, || 0.0));
    assert!((29..=30).contains(&gallery.live().unwrap().tick()));
    gallery.show("game-crowd");
    (0..30).for_each(|_| gallery.pass(1.0 / 60.0, || 0.0));
    assert!((0.45..=0.51).contains(&gallery.live().unwrap().time()));
}

#[test]
fn a_wrong_name_is_told_and_the_next_scene_is_a_key_away() {
    let mut gallery = Gallery::with(Swarm::new(None));
    gallery.show("no-such-scene");
    assert!(
        matches!(&gallery.shown, Shown::Nothing { problem, .. } if problem.contains("no-such-scene"))
    );
    gallery.turn_to(1);
    assert_eq!(gallery.name, gallery.catalog[0].scene.name);
    gallery.turn_to(-1);
    assert_eq!(gallery.name, gallery.catalog.last().unwrap().scene.name);
    assert!(matches!(gallery.shown, Shown::Scene { .. }));
}

#[test]
fn a_tick_too_slow_for_its_frame_is_spread_over_frames_and_the_rate_tells() {
    let mut gallery = Gallery::with(Swarm::new(None));
    gallery.show("flock-2000-2d");
    let mut whole = open("flock", bundled("flock-2000-2d").unwrap().text, Format::Toml).unwrap();
    // Each look at the clock seems to come 50 ms after the one before: one part a frame.
    let (now, mut idle) = (std::cell::Cell::new(0.0), 0);
    for _ in 0..100 {
        let before = gallery.live().unwrap().tick();
        gallery.pass(0.1, || {
            now.set(now.get() + 0.05);
            now.get()
        });
        idle += u32::from(gallery.live().unwrap().tick() == before);
    }
    let live = gallery.live().unwrap();
    (0..live.tick()).for_each(|_| whole.step(None));
    assert!(
        live.tick() > 40 && idle > 0 && live.digest() == whole.digest(),
        "{} ticks, {idle} frames without one",
        live.tick()
    );
    assert!(
        gallery.rate.measured > 1.0 && gallery.rate.measured < 0.9 * gallery.rate.asked,
        "{:?}",
        gallery.rate
    );
}

const AT: Pos2 = Pos2::new(900.0, 400.0);

pub(crate) fn gallery() -> Gallery {
    Gallery::with(Swarm::new(None))
}

pub(crate) fn frame_with(gallery: &mut Gallery, ctx: &egui::Context, event: egui::Event) {
    let screen = Rect::from_min_size(Pos2::ZERO, egui::vec2(1280.0, 800.0));
    let input =
        egui::RawInput { screen_rect: Some(screen), events: vec![event], ..Default::default() };
    ctx.run_ui(input, |ui| gallery.frame(ui)).drop_without_applying_deltas();
}

pub(crate) fn click_at(gallery: &mut Gallery, ctx: &egui::Context, at: Pos2) {
    frame_with(gallery, ctx, egui::Event::PointerMoved(at));
    for pressed in [true, false] {
        let button = egui::PointerButton::Primary;
        frame_with(
            gallery,
            ctx,
            egui::Event::PointerButton {
                pos: at,
                button,
                pressed,
                modifiers: egui::Modifiers::NONE,
            },
        );
    }
}

#[test]
fn a_click_fires_where_the_scene_says_so_and_shows_forces_elsewhere() {
    for (name, fires) in [("captain", true), ("seek", false)] {
        let mut gallery = Gallery::with(Swarm::new(None));
        gallery.show(name);
        gallery.playing = false;
        let ctx = egui::Context::default();
        let enter = egui::Event::Key {
            key: egui::Key::Enter,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: egui::Modifiers::NONE,
        };
        let count = |gallery: &mut Gallery| gallery.live().unwrap().len();
        let before = count(&mut gallery);
        click_at(&mut gallery, &ctx, AT);
        assert_eq!(
            (count(&mut gallery) - before, gallery.forces),
            if fires { (9, false) } else { (0, true) },
            "{name}"
        );
        // The second of a double click: it adds an agent where it does not fire.
        click_at(&mut gallery, &ctx, AT);
        assert_eq!(
            (count(&mut gallery) - before, gallery.forces),
            if fires { (18, false) } else { (1, false) },
            "{name}"
        );
        frame_with(&mut gallery, &ctx, enter);
        assert_eq!(count(&mut gallery) - before, if fires { 27 } else { 1 }, "{name}");
    }
}

#[test]
fn where_clicks_fire_they_choose_an_agent_only_among_forces_that_are_shown() {
    let mut gallery = Gallery::with(Swarm::new(None));
    gallery.show("captain");
    gallery.playing = false;
    let ctx = egui::Context::default();
    // Where the captain is on the screen: the mouse has told where two points of it are in the
    // world.
    let [near, far] = [AT, AT + egui::vec2(100.0, 100.0)].map(|at| {
        click_at(&mut gallery, &ctx, at);
        gallery.mouse.unwrap()
    });
    let at =
        AT + (gallery.live().unwrap().place_of(0).unwrap() - near) * (100.0 / (far.x - near.x));
    let count = |gallery: &mut Gallery| gallery.live().unwrap().len();
    click_at(&mut gallery, &ctx, at);
    assert_eq!((count(&mut gallery), gallery.chosen), (14 + 27, None));
    gallery.forces = true;
    click_at(&mut gallery, &ctx, at);
    assert_eq!((count(&mut gallery), gallery.chosen), (14 + 27, Some(0)));
    click_at(&mut gallery, &ctx, at);
    assert_eq!((count(&mut gallery), gallery.chosen), (14 + 27, None));
    click_at(&mut gallery, &ctx, AT);
    assert_eq!((count(&mut gallery), gallery.forces), (14 + 36, true));
}

pub(crate) fn key(gallery: &mut Gallery, ctx: &egui::Context, key: egui::Key) {
    frame_with(
        gallery,
        ctx,
        egui::Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: egui::Modifiers::NONE,
        },
    );
}

#[test]
fn the_comma_goes_back_the_dot_forward_and_the_mouse_over_the_picture_changes_nothing_there() {
    let mut gallery = Gallery::with(Swarm::new(None));
    gallery.show("arrive");
    (gallery.list, gallery.playing) = (Some(false), false);
    let ctx = egui::Context::default();
    frame_with(&mut gallery, &ctx, egui::Event::PointerMoved(AT));
    let mut digests = Vec::new();
    for _ in 0..30 {
        digests.push(gallery.live().unwrap().digest());
        key(&mut gallery, &ctx, egui::Key::Period);
    }
    (0..9).for_each(|_| key(&mut gallery, &ctx, egui::Key::Comma));
    let at = |gallery: &mut Gallery| {
        (gallery.live().unwrap().tick() as usize, gallery.live().unwrap().digest())
    };
    assert_eq!(at(&mut gallery), (21, digests[21]));
    frame_with(&mut gallery, &ctx, egui::Event::PointerMoved(AT - egui::vec2(200.0, 90.0)));
    (0..4).for_each(|_| key(&mut gallery, &ctx, egui::Key::Period));
    assert_eq!(at(&mut gallery), (25, digests[25]));
    assert_eq!(gallery.live().unwrap().known(), (0, 30));
    // A new agent there is something new.
    key(&mut gallery, &ctx, egui::Key::A);
    assert_eq!(gallery.live().unwrap().known(), (0, 25));
}

#[test]
fn plots_measure_and_the_heat_map_looks_only_while_they_are_shown() {
    let mut gallery = Gallery::with(Swarm::new(None));
    gallery.show("hunter-and-prey");
    let ctx = egui::Context::default();
    let corners = |gallery: &mut Gallery| {
        key(gallery, &ctx, egui::Key::Period);
        (gallery.plots.samples(), gallery.heat.samples())
    };
    assert_eq!(corners(&mut gallery), (0, 0));
    key(&mut gallery, &ctx, egui::Key::O);
    key(&mut gallery, &ctx, egui::Key::M);
    (0..5).for_each(|_| _ = corners(&mut gallery));
    let (plotted, heated) = corners(&mut gallery);
    assert!(plotted >= 6 && heated > 0, "{plotted} {heated}");
    key(&mut gallery, &ctx, egui::Key::O);
    assert_eq!(corners(&mut gallery).0, plotted);
    gallery.show("seek");
    assert_eq!(corners(&mut gallery).0, 0);
}

#[test]
fn a_seed_that_is_typed_is_one_of_the_text_can_be_undone_and_what_is_none_is_told() {
    let mut gallery = gallery();
    gallery.show("wander");
    let text = |gallery: &mut Gallery| gallery.live().unwrap().draft().text().to_string();
    let before =
        (text(&mut gallery), gallery.live().unwrap().seed(), gallery.live().unwrap().digest());
    gallery.seed = " 4711 ".to_string();
    gallery.restart();
    let live = gallery.live().unwrap();
    assert!(
        live.seed() == 4711
            && live.draft().text().contains("seed = 4711")
            && live.begun_with() == live.draft().text()
            && live.tick() == 0
    );
    assert_ne!(live.digest(), before.2);
    gallery.single_step();
    for wrong in ["", "-1", "seven"] {
        gallery.seed = wrong.to_string();
        gallery.restart();
        let notice = gallery.notice.take().unwrap();
        assert!(
            notice.contains(&format!("“{wrong}”")) && notice.contains("allowed: a whole number"),
            "{notice}"
        );
        assert!(gallery.seed == "4711" && gallery.live().unwrap().tick() == 1, "nothing is lost");
    }
    let outcome = gallery.live().unwrap().undo();
    gallery.came_of(outcome);
    assert_eq!(
        (text(&mut gallery), gallery.live().unwrap().seed(), gallery.live().unwrap().digest()),
        before
    );
    assert_eq!(gallery.seed, before.1.to_string());
}

#[test]
fn it_stops_at_the_tick_it_was_asked_to() {
    let mut gallery = Gallery::with(Swarm::new(None));
    gallery.until = Some(12);
    gallery.show("seek");
    (0..60).for_each(|_| gallery.pass(1.0 / 60.0, || 0.0));
    assert!(gallery.live().unwrap().tick() == 12 && !gallery.playing);
}

/// Of a frame without ticks (panels, the marks of all agents, and what the renderer is given) the
/// least of many times (seconds), and how many corners its triangles have.
fn cost_of_frame(agents: usize, trails: bool) -> (f64, usize) {
    let scene = format!(
        "[bounds]\nmin = [0, 0]\nmax = [1200, 900]\nedge = \"wrap\"\n[[group]]\nname = \
         \"walkers\"\ncount = {agents}\nvelocity = \"random\"\nmax_speed = 3\nspawn = {{ box = {{ \
         min = [0, 0], max = [1200, 900] }} }}\n"
    );
    let mut gallery = Gallery::with(Swarm::new(None));
    let mut live = open("crowd", &scene, Format::Toml).unwrap();
    assert_eq!(live.len(), agents);
    (0..300).for_each(|_| live.step(None));
    gallery.world = live.world();
    gallery.shown = Shown::Scene { live, sentence: sentence(&scene) };
    gallery.speed = 0.0;
    gallery.trails = trails;
    let ctx = egui::Context::default();
    let input = || egui::RawInput {
        screen_rect: Some(Rect::from_min_size(Pos2::ZERO, egui::vec2(1280.0, 800.0))),
        ..Default::default()
    };
    let frame = |gallery: &mut Gallery| {
        let began = std::time::Instant::now();
        let mut output = ctx.run_ui(input(), |ui| gallery.frame(ui));
        let pieces = ctx.tessellate(std::mem::take(&mut output.shapes), output.pixels_per_point);
        let took = began.elapsed().as_secs_f64();
        output.drop_without_applying_deltas();
        assert_eq!(gallery.swarm.count(), agents);
        let corners = |piece: &egui::ClippedPrimitive| {
            if let egui::epaint::Primitive::Mesh(mesh) = &piece.primitive {
                mesh.vertices.len()
            } else {
                0
            }
        };
        (took, pieces.iter().map(corners).sum())
    };
    (0..60)
        .map(|_| frame(&mut gallery))
        .fold((f64::INFINITY, 0), |(least, _), (took, corners)| (least.min(took), corners))
}

#[test]
fn agents_are_left_to_the_graphics_card_so_that_a_frame_of_twenty_thousand_is_drawn_like_one_of_twenty()
 {
    let [few, many, trails] = [(20, false), (20_000, false), (300, true)]
        .map(|(agents, trails)| cost_of_frame(agents, trails));
    // For who asks: the time depends on the machine, and no test does.
    println!(
        "a frame: 20 agents {:.2} ms, 20,000 agents {:.2} ms, 300 with trails {:.2} ms",
        1e3 * few.0,
        1e3 * many.0,
        1e3 * trails.0
    );
    assert!(few.1 > 1_000 && many.1 < few.1 + 100, "{} corners, {}", few.1, many.1);
}
