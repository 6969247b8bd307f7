//! What is where in a picture.

use super::color::Style;
use super::*;
use std::sync::Arc;
use wayfare::crowd::{Distribution, Exit, ExitAction, Group, Line, Setup, Spawn, StartVelocity};
use wayfare::geometry::obstacle::Shape;
use wayfare::geometry::path::Path;
use wayfare::glam::{Vec2, Vec3, vec2, vec3};
use wayfare::parameter::Groups;

use crate::trails::Who;

fn group<V: Vector>(name: &str, points: &[V], velocity: V, radius: f32) -> Group<V> {
    let still = Group::new(name, 0, Spawn::Points(points.to_vec()), 1e9);
    Group { velocity: StartVelocity::Same(velocity), radius: Distribution::Same(radius), ..still }
}

fn run<V: Vector>(setup: Setup<V>, ticks: u32) -> (Crowd<V>, Trails<V>) {
    let mut crowd = Crowd::new(setup).unwrap();
    let mut trails = Trails::new(&crowd);
    for _ in 0..ticks {
        crowd.step();
        trails.record(&crowd);
    }
    (crowd, trails)
}

/// A picture, and what is at which place of the world.
struct Seen {
    pixmap: Pixmap,
    layout: Layout,
    camera: Camera,
}

fn see<V: Vector>(picture: &Picture<'_, V>) -> Seen {
    let (layout, camera) = picture.view(|_, layout, camera| (*layout, *camera));
    Seen { pixmap: picture.draw(), layout, camera }
}

impl Seen {
    fn pixel(&self, x: f32, y: f32) -> (u32, u32) {
        let at = self.camera.at(vec2(x, y));
        (at.x.floor() as u32 + self.layout.left, at.y.floor() as u32 + self.layout.top)
    }

    fn at(&self, x: f32, y: f32) -> color::Rgb {
        let (x, y) = self.pixel(x, y);
        let pixel = self.pixmap.pixel(x, y).unwrap();
        [pixel.red(), pixel.green(), pixel.blue()]
    }

    /// Where there is anything in the columns and rows of pixels.
    fn inked(&self, columns: core::ops::Range<u32>, rows: core::ops::Range<u32>) -> bool {
        let ground = ink(color::MARGIN, 1.0).to_color_u8().premultiply();
        rows.flat_map(|y| columns.clone().map(move |x| (x, y)))
            .any(|(x, y)| self.pixmap.pixel(x, y) != Some(ground))
    }
}

fn bounds(edge: Edge) -> Option<Bounds<Vec2>> {
    Some(Bounds { min: vec2(0.0, 0.0), max: vec2(400.0, 300.0), edge })
}

fn darkness(color: color::Rgb) -> u32 {
    765 - color.iter().map(|&c| u32::from(c)).sum::<u32>()
}

#[test]
fn bodies_stand_where_they_are_in_the_color_of_their_group_and_y_grows_downward() {
    let groups = vec![
        group("a", &[vec2(100.0, 50.0)], Vec2::ZERO, 20.0),
        group("b", &[vec2(300.0, 250.0)], Vec2::ZERO, 20.0),
    ];
    let (crowd, trails) = run(Setup { groups, ..Setup::default() }, 0);
    let seen = see(&Picture {
        title: "",
        bounds: bounds(Edge::Open),
        crowd: &crowd,
        trails: &trails,
        pointer: None,
    });
    assert_eq!(
        (seen.at(92.0, 45.0), seen.at(292.0, 258.0)),
        (Style::of(0).color, Style::of(1).color)
    );
    assert_eq!((seen.at(92.0, 258.0), seen.at(-3.0, 150.0)), (color::PAPER, color::OUTSIDE));
    assert!(
        seen.pixel(100.0, 50.0).1 < seen.pixel(100.0, 250.0).1
            && seen.pixel(100.0, 50.0).0 < seen.pixel(300.0, 50.0).0
    );
    // Both face +x.
    assert_eq!((seen.at(108.0, 50.0), seen.at(88.0, 50.0)), (color::PAPER, Style::of(0).color));
}

#[test]
fn all_four_shapes_are_where_they_stand_in_the_way() {
    let obstacles = vec![
        Shape::Circle { center: vec2(60.0, 60.0), radius: 40.0 },
        Shape::Box {
            center: vec2(200.0, 60.0),
            half: vec2(50.0, 10.0),
            angle: core::f32::consts::FRAC_PI_4,
        },
        Shape::Segment { from: vec2(300.0, 40.0), to: vec2(380.0, 40.0), thickness: 20.0 },
        Shape::Polygon {
            points: vec![
                vec2(100.0, 150.0),
                vec2(300.0, 150.0),
                vec2(300.0, 280.0),
                vec2(200.0, 180.0),
                vec2(100.0, 280.0),
            ],
        },
    ];
    let (crowd, trails) = run(Setup { obstacles, ..Setup::default() }, 0);
    let seen = see(&Picture {
        title: "",
        bounds: bounds(Edge::Open),
        crowd: &crowd,
        trails: &trails,
        pointer: None,
    });
    for x in 0..80 {
        for y in 0..60 {
            let (x, y) = (x as f32 * 5.0 + 2.0, y as f32 * 5.0 + 2.0);
            let distance = crowd
                .obstacles()
                .iter()
                .map(|o| o.distance(vec2(x, y)))
                .fold(f32::INFINITY, f32::min);
            if distance.abs() > 1.5 {
                let expected = if distance < 0.0 { color::OBSTACLE } else { color::PAPER };
                assert_eq!(seen.at(x, y), expected, "at {x}, {y}, {distance} from a surface");
            }
        }
    }
}

#[test]
fn a_path_is_a_band_of_its_radius_and_a_closed_one_is_closed() {
    let points = vec![vec2(50.0, 50.0), vec2(350.0, 50.0), vec2(350.0, 250.0)];
    let band = |closed| {
        let paths = vec![("p".to_string(), Path::new(points.clone(), 20.0, closed))];
        let (crowd, trails) = run(Setup { paths, ..Setup::default() }, 0);
        let seen = see(&Picture {
            title: "",
            bounds: bounds(Edge::Open),
            crowd: &crowd,
            trails: &trails,
            pointer: None,
        });
        let tinted = |x, y| seen.at(x, y) != color::PAPER;
        (tinted(160.0, 35.0), tinted(160.0, 25.0), tinted(365.0, 150.0), tinted(210.0, 150.0))
    };
    assert_eq!(band(false), (true, false, true, false));
    assert_eq!(band(true), (true, false, true, true));
}

#[test]
fn exits_are_tinted_faintly_and_lines_have_their_arrow_on_the_left() {
    let exits = vec![Exit {
        shape: Shape::box_between(vec2(0.0, 200.0), vec2(100.0, 300.0)),
        groups: Groups::All,
        then: ExitAction::Remove,
    }];
    let lines =
        vec![Line { name: "door".to_string(), from: vec2(200.0, 100.0), to: vec2(300.0, 100.0) }];
    let (crowd, trails) = run(Setup { exits, lines, ..Setup::default() }, 0);
    let seen = see(&Picture {
        title: "",
        bounds: bounds(Edge::Open),
        crowd: &crowd,
        trails: &trails,
        pointer: None,
    });
    let faint = darkness(seen.at(50.0, 250.0));
    assert!(faint > 0 && faint < 100, "{faint}");
    assert!(darkness(seen.at(220.0, 100.0)) > 200 && seen.at(320.0, 100.0) == color::PAPER);
    // Along +x the left is +y, below in a picture.
    let off = 7.0 / seen.camera.scale as f32;
    assert!(
        darkness(seen.at(250.0, 100.0 + off)) > 100 && seen.at(250.0, 100.0 - off) == color::PAPER
    );
}

#[test]
fn a_trail_is_fainter_the_longer_ago() {
    let (crowd, trails) = run(
        Setup {
            groups: vec![group("a", &[vec2(20.0, 100.0)], vec2(2.0, 0.0), 0.0)],
            ..Setup::default()
        },
        150,
    );
    let seen = see(&Picture {
        title: "",
        bounds: bounds(Edge::Open),
        crowd: &crowd,
        trails: &trails,
        pointer: None,
    });
    let [old, middle, new] = [40.0, 160.0, 280.0].map(|x| darkness(seen.at(x, 100.0)));
    assert!(0 < old && old < middle && middle < new, "{old}, {middle}, {new}");
    assert_eq!(seen.at(360.0, 100.0), color::PAPER);
}

#[test]
fn a_trail_goes_through_the_edge_of_a_world_that_wraps_and_not_back_across_it() {
    let bounds = bounds(Edge::Wrap);
    let groups = vec![group("a", &[vec2(350.0, 100.0)], vec2(7.0, 0.0), 0.0)];
    let (crowd, trails) = run(Setup { bounds, groups, ..Setup::default() }, 20);
    let seen = see(&Picture { title: "", bounds, crowd: &crowd, trails: &trails, pointer: None });
    let drawn =
        [370.0, 395.0, 5.0, 60.0, 120.0, 200.0, 300.0].map(|x| seen.at(x, 100.0) != color::PAPER);
    assert_eq!(drawn, [true, true, true, true, false, false, false]);
}

#[test]
fn nobody_walked_to_where_it_was_put() {
    let who: Arc<[Who]> = Arc::new([Who { id: 0, group: 0, max_speed: 2.0 }]);
    let sample = |tick: u64, x| Sample {
        tick,
        time: tick as f64,
        who: who.clone(),
        positions: vec![vec2(x, 0.0)],
    };
    let samples = [sample(0, 0.0), sample(1, 2.0), sample(2, 90.0), sample(3, 92.0)];
    let view = Rect::new(geometry::point(0.0, -50.0), geometry::point(100.0, 50.0));
    let layout = Layout::new(view, Form::PICTURE);
    let camera = Camera::new(view, &layout);
    let mut pixels = Pixels::new(layout.plot_width, layout.plot_height, ink(color::PAPER, 1.0));
    let tracks =
        Tracks { camera: &camera, samples: samples.iter().collect(), groups: 1, wrap: None };
    tracks.draw(&mut Canvas::new(&mut pixels, layout.plot_width, layout.plot_height));
    let pixmap = pixels.into_pixmap();
    let drawn = [1.0, 30.0, 60.0, 91.0].map(|x| {
        let at = camera.at(vec2(x, 0.0));
        pixmap
            .pixel(at.x as u32, at.y as u32)
            .is_some_and(|pixel| pixel.blue() != 255 || pixel.red() != 255)
    });
    assert_eq!(drawn, [true, false, false, true]);
}

#[test]
fn the_edges_and_the_pointer_are_drawn() {
    let (crowd, trails) = run(
        Setup {
            groups: vec![group("a", &[vec2(20.0, 100.0)], Vec2::ZERO, 0.0)],
            ..Setup::default()
        },
        0,
    );
    let share = |edge| {
        let seen = see(&Picture {
            title: "",
            bounds: bounds(edge),
            crowd: &crowd,
            trails: &trails,
            pointer: Some(vec2(200.0, 150.0)),
        });
        assert!(darkness(seen.at(200.0, 150.0 + 10.0 / seen.camera.scale as f32)) > 300);
        (0..380).filter(|&x| darkness(seen.at(x as f32 + 10.0, 0.0)) > 100).count()
    };
    let (wall, open, wrap) = (share(Edge::Wall), share(Edge::Open), share(Edge::Wrap));
    assert!(
        wall == 380 && open < 300 && open > 100 && wrap < 300 && wrap > 50,
        "{wall}, {open}, {wrap}"
    );
}

#[test]
fn the_same_crowd_is_the_same_bytes_in_any_order_in_memory() {
    let setup = || {
        let obstacles = vec![Shape::Circle { center: vec3(5.0, 5.0, 0.0), radius: 3.0 }];
        let birds: Vec<_> =
            (0..40).map(|i| vec3((i % 7) as f32, (i % 5) as f32, (i % 3) as f32)).collect();
        Setup {
            obstacles,
            groups: vec![group("birds", &birds, vec3(0.1, 0.2, 0.5), 0.1)],
            ..Setup::default()
        }
    };
    let png = |(crowd, trails): &(Crowd<Vec3>, Trails<Vec3>)| {
        Picture { title: "Birds", bounds: None, crowd, trails, pointer: Some(vec3(1.0, 2.0, 3.0)) }
            .png()
            .unwrap()
    };
    let (one, mut other) = (run(setup(), 10), run(setup(), 10));
    other.0.permute(&(0..40).map(|i| (i * 7 + 3) % 40).collect::<Vec<_>>());
    let bytes = png(&one);
    assert_eq!(bytes, png(&one));
    assert_eq!(bytes, png(&other));
    assert_eq!(
        Pixmap::decode_png(&bytes).unwrap().data(),
        Picture {
            title: "Birds",
            bounds: None,
            crowd: &one.0,
            trails: &one.1,
            pointer: Some(vec3(1.0, 2.0, 3.0))
        }
        .draw()
        .data()
    );
}

#[test]
fn the_sheet_is_between_a_square_and_16_to_9_and_about_1280_by_960() {
    for (width, height) in [(1.0, 1.0), (640.0, 480.0), (1e4, 1.0), (1.0, 1e4), (1e-3, 1e18)] {
        let layout = Layout::new(
            Rect::new(geometry::point(0.0, 0.0), geometry::point(width, height)),
            Form::PICTURE,
        );
        let aspect = f64::from(layout.width) / f64::from(layout.height);
        assert!((0.99..1.79).contains(&aspect), "{aspect}");
        let area = layout.width * layout.height;
        assert!((1_220_000..1_235_000).contains(&area), "{area}");
    }
}

#[test]
fn worlds_without_extent_and_without_agents_are_drawn() {
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
            let seen = see(&Picture {
                title: "a",
                bounds: None,
                crowd: &crowd,
                trails: &trails,
                pointer: None,
            });
            let (x, y) = (points[0].x, points[0].y);
            assert!(darkness(seen.at(x, y)) > 100 || radius > 1.0, "{points:?} {radius}");
        }
    }
    let (crowd, trails) = run(Setup::<Vec2>::default(), 1);
    see(&Picture { title: "", bounds: None, crowd: &crowd, trails: &trails, pointer: None });
    // Bounds without room are as good as none.
    for max in [Vec2::ZERO, vec2(-5.0, 5.0), vec2(f32::NAN, 1.0), Vec2::INFINITY] {
        let bounds = Some(Bounds { min: Vec2::ZERO, max, edge: Edge::Wrap });
        see(&Picture {
            title: "",
            bounds,
            crowd: &crowd,
            trails: &trails,
            pointer: Some(vec2(f32::NAN, 3.0)),
        });
    }
}

#[test]
fn enormous_worlds_neither_panic_nor_hang() {
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
        for edge in [Edge::Open, Edge::Wrap, Edge::Wall] {
            let bounds = (min != max).then_some(Bounds { min, max, edge });
            Picture { title: "far", bounds, crowd: &crowd, trails: &trails, pointer: Some(max) }
                .draw();
        }
    }
}

#[test]
fn a_few_who_ran_away_do_not_shrink_the_world_of_the_others() {
    let home: Vec<_> =
        (0..30).map(|i| vec2((i % 6) as f32 * 10.0, (i / 6) as f32 * 10.0)).collect();
    let groups = vec![
        group("home", &home, Vec2::ZERO, 0.0),
        group("away", &[vec2(0.0, 0.0)], vec2(1e8, 0.0), 0.0),
    ];
    let (crowd, trails) = run(Setup { groups, ..Setup::default() }, 20);
    let seen =
        see(&Picture { title: "", bounds: None, crowd: &crowd, trails: &trails, pointer: None });
    assert!(seen.camera.scale > 5.0, "{}", seen.camera.scale);
    assert!(darkness(seen.at(50.0, 40.0)) > 100);
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
        let seen = see(&Picture {
            title: &title,
            bounds: None,
            crowd: &crowd,
            trails: &trails,
            pointer: Some(Vec2::ZERO),
        });
        let (width, height) = (seen.layout.width, seen.layout.height);
        let bottom = seen.layout.top + seen.layout.plot_height + 4;
        assert!(
            !seen.inked(width - 26..width, 0..height),
            "{count} groups: the right margin is clean"
        );
        assert!(
            !seen.inked(width - 230..width, bottom..height),
            "{count} groups: below the legend is clean"
        );
        assert!(!seen.inked(0..width, 0..16), "the margin above the title is clean");
        assert!(seen.inked(width - 230..width, 80..bottom));
    }
}

/// Text of a picture of two groups with hostile names among everything that there is to draw.
fn svg_of_all(ticks: u32) -> String {
    let setup = Setup {
        obstacles: vec![Shape::Circle { center: vec2(60.0, 60.0), radius: 40.0 }],
        paths: vec![(
            "p".to_string(),
            Path::new(vec![vec2(50.0, 50.0), vec2(350.0, 50.0), vec2(350.0, 250.0)], 20.0, false),
        )],
        lines: vec![Line {
            name: "door".to_string(),
            from: vec2(200.0, 100.0),
            to: vec2(300.0, 100.0),
        }],
        exits: vec![Exit {
            shape: Shape::box_between(vec2(0.0, 200.0), vec2(100.0, 300.0)),
            groups: Groups::Only(Vec::new()),
            then: ExitAction::Remove,
        }],
        groups: vec![
            group(
                "<b>&\"cats\"\u{0}",
                &[vec2(120.0, 50.0), vec2(120.0, 90.0), vec2(120.0, 120.0)],
                vec2(2.0, 1.0),
                0.0,
            ),
            group("dogs", &[vec2(300.0, 250.0)], Vec2::ZERO, 20.0),
        ],
        ..Setup::default()
    };
    let (crowd, trails) = run(setup, ticks);
    Picture {
        title: "Cats < dogs & \u{1b}more",
        bounds: bounds(Edge::Wrap),
        crowd: &crowd,
        trails: &trails,
        pointer: Some(vec2(200.0, 150.0)),
    }
    .svg()
}

#[test]
fn an_svg_is_xml_with_a_title_and_a_group_for_each_kind_and_the_same_bytes_again() {
    let text = svg_of_all(30);
    assert_eq!(text, svg_of_all(30));
    let document = roxmltree::Document::parse(&text).unwrap();
    let all = || document.descendants().filter(roxmltree::Node::is_element);
    let ids: Vec<&str> = all().filter_map(|node| node.attribute("id")).collect();
    let expected = [
        "name",
        "about",
        "cut",
        "exits",
        "paths",
        "obstacles",
        "lines",
        "trails",
        "bounds",
        "pointer",
        "agents",
        "group-0",
        "group-1",
        "legend",
        "scale",
    ];
    assert_eq!(ids, expected);
    let rows_by_id = |id: &str| all().find(|node| node.attribute("id") == Some(id)).unwrap();
    assert_eq!(rows_by_id("name").text(), Some("Cats < dogs & \u{20}more, tick 30, time 30"));
    assert_eq!(
        rows_by_id("about").text(),
        Some("3 <b>&\"cats\"\u{20}, 1 dogs, 1 obstacle, 1 path, 1 line, 1 exit")
    );
    let marks = |id: &str, tag: &str| {
        rows_by_id(id)
            .children()
            .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", tag)))
            .count()
    };
    // A dart is a light outline and a filling; a disc has a line where it faces.
    assert_eq!(
        (marks("group-0", "path"), marks("group-1", "circle"), marks("group-1", "path")),
        (6, 1, 1)
    );
    let texts: Vec<&str> = all()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")))
        .filter_map(|node| node.text())
        .collect();
    for part in [
        "Cats < dogs & \u{20}more",
        "tick 30, time 30",
        "<b>&\"cats\"\u{20}",
        "4 agents",
        "bounds, wrapped",
    ] {
        assert!(texts.contains(&part), "{part} is not in {texts:?}");
    }
    // Every look that is used is told, and no number is broken.
    let classes = all().filter_map(|node| node.attribute("class"));
    assert!(classes.into_iter().all(|class| text.contains(&format!("\n.{class}{{"))));
    assert!(!text.contains("NaN") && !text.contains("inf"));
}

#[test]
fn an_svg_of_two_thousand_with_long_trails_is_below_two_megabytes() {
    let points: Vec<_> =
        (0..2000).map(|i| vec2((i % 50) as f32 * 8.0, (i / 50) as f32 * 7.5)).collect();
    let mut flock = group("birds", &points, vec2(1.0, 0.4), 0.0);
    flock.steer = wayfare::List::default().with(wayfare::behavior::Wander {
        circle_distance: 3.0,
        circle_radius: 3.0,
        angle_change: 1.0,
    });
    flock.max_speed = Distribution::Same(1.2);
    let (crowd, trails) =
        run(Setup { groups: vec![flock], bounds: bounds(Edge::Wrap), ..Setup::default() }, 200);
    let picture = Picture {
        title: "",
        bounds: bounds(Edge::Wrap),
        crowd: &crowd,
        trails: &trails,
        pointer: None,
    };
    let size = picture.svg().len();
    assert!((300_000..2_000_000).contains(&size), "{size}");
}
