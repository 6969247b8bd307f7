//! The visible area, the sheet and the legend of pictures.

use super::*;

#[test]
fn the_sheet_has_about_1280_by_960_pixels_and_a_ratio_from_1_to_16_by_9() {
    for (width, height) in [(1.0, 1.0), (640.0, 480.0), (1e4, 1.0), (1.0, 1e4), (1e-3, 1e18)] {
        let layout = Layout::new(
            Rect::new(geometry::point(0.0, 0.0), geometry::point(width, height)),
            SheetFormat::PICTURE,
        );
        let aspect = f64::from(layout.width) / f64::from(layout.height);
        assert!((0.99..1.79).contains(&aspect), "{aspect}");
        let area = layout.width * layout.height;
        assert!((1_220_000..1_235_000).contains(&area), "{area}");
    }
}

#[test]
fn worlds_without_extent_or_agents_are_drawn() {
    for points in [
        vec![Vec2::ZERO],
        vec![vec2(1e9, -1e9)],
        vec![vec2(5.0, 5.0); 3],
        vec![vec2(1.0, 1.0), vec2(1.0, 1.000_000_1)],
    ] {
        for radius in [0.0, 1e-6, 30.0] {
            let (crowd, trails) = run(
                Setup { groups: vec![group("a", &points, Vec2::ZERO, radius)], ..Setup::default() },
                2,
            );
            let drawn = draw(&Picture {
                title: "a",
                bounds: None,
                crowd: &crowd,
                trails: &trails,
                pointer: None,
                presentation: None,
            });
            let (x, y) = (points[0].x, points[0].y);
            assert!(darkness(drawn.at(x, y)) > 100 || radius > 1.0, "{points:?} {radius}");
        }
    }
    let (crowd, trails) = run(Setup::<Vec2>::default(), 1);
    draw(&Picture {
        title: "",
        bounds: None,
        crowd: &crowd,
        trails: &trails,
        pointer: None,
        presentation: None,
    });
    // Bounds without a finite positive size are ignored.
    for max in [Vec2::ZERO, vec2(-5.0, 5.0), vec2(f32::NAN, 1.0), Vec2::INFINITY] {
        let bounds = Some(Bounds { min: Vec2::ZERO, max, edge: Edge::Wrap });
        draw(&Picture {
            title: "",
            bounds,
            crowd: &crowd,
            trails: &trails,
            pointer: Some(vec2(f32::NAN, 3.0)),
            presentation: None,
        });
    }
}

#[test]
fn enormous_worlds_are_drawn_without_a_panic() {
    let far = 1e9;
    let setup = || Setup {
        obstacles: vec![
            Shape::Circle { center: vec2(far, 0.0), radius: far },
            Shape::Box { center: vec2(0.0, 3.0), half: vec2(far, 1e-3), angle: 0.3 },
            Shape::Segment { from: vec2(-far, -far), to: vec2(far, far), thickness: 1.0 },
            Shape::Polygon { points: vec![vec2(-far, 0.0), vec2(0.0, 1.0), vec2(far, -far)] },
        ],
        paths: vec![(
            "p".to_string(),
            Path::new(vec![vec2(-far, 5.0), vec2(far, 6.0), vec2(0.0, -far)], 2.0, true),
        )],
        groups: vec![
            group("fast", &[vec2(1.0, 2.0), vec2(far, far)], vec2(7e8, 7e8), far),
            group("slow", &[vec2(0.0, 0.0); 30], vec2(1e-3, 0.0), 0.0),
        ],
        dt: 1e9,
        ..Setup::default()
    };
    let (crowd, trails) = run(setup(), 30);
    assert!(crowd.agents().any(|(_, agent)| agent.position.x >= 1e18));
    let max = Vec2::splat(1e18);
    let worlds = [
        None,
        Some((Vec2::ZERO, Vec2::splat(1e-3))),
        Some((-max, max)),
        Some((max, max * 1.001)),
        Some((Vec2::ZERO, vec2(1e18, 1e-3))),
    ];
    for (min, max) in worlds.map(|world| world.unwrap_or_default()) {
        for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
            let bounds = (min != max).then_some(Bounds { min, max, edge });
            Picture {
                title: "far",
                bounds,
                crowd: &crowd,
                trails: &trails,
                pointer: Some(max),
                presentation: None,
            }
            .draw();
        }
    }
}

#[test]
fn a_few_agents_far_away_do_not_change_the_scale() {
    let home: Vec<_> =
        (0..30).map(|i| vec2((i % 6) as f32 * 10.0, (i / 6) as f32 * 10.0)).collect();
    let groups = vec![
        group("home", &home, Vec2::ZERO, 0.0),
        group("away", &[vec2(0.0, 0.0)], vec2(1e8, 0.0), 0.0),
    ];
    let (crowd, trails) = run(Setup { groups, ..Setup::default() }, 20);
    let drawn = draw(&Picture {
        title: "",
        bounds: None,
        crowd: &crowd,
        trails: &trails,
        pointer: None,
        presentation: None,
    });
    assert!(drawn.camera.scale > 5.0, "{}", drawn.camera.scale);
    assert!(darkness(drawn.at(50.0, 40.0)) > 100);
}

#[test]
fn long_names_and_many_groups_stay_on_the_sheet() {
    for count in [1, 7, 50, 300] {
        let name = |i| {
            format!(
                "{i} is the name of a group that has a much longer name than the legend has room \
                 for"
            )
        };
        let groups = (0..count)
            .map(|i| group(&name(i), &[vec2(i as f32, (i % 7) as f32)], Vec2::ZERO, 0.0))
            .collect();
        let (crowd, trails) = run(Setup { groups, ..Setup::default() }, 0);
        let title = "A title that goes on and on ".repeat(20);
        let drawn = draw(&Picture {
            title: &title,
            bounds: None,
            crowd: &crowd,
            trails: &trails,
            pointer: Some(Vec2::ZERO),
            presentation: None,
        });
        let (width, height) = (drawn.layout.width, drawn.layout.height);
        let bottom = drawn.layout.top + drawn.layout.plot_height + 4;
        assert!(
            !drawn.inked(width - 26..width, 0..height),
            "{count} groups: the right margin is clean"
        );
        assert!(
            !drawn.inked(width - 230..width, bottom..height),
            "{count} groups: below the legend is clean"
        );
        assert!(!drawn.inked(0..width, 0..16), "the margin above the title is clean");
        assert!(drawn.inked(width - 230..width, 80..bottom));
    }
}
