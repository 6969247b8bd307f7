//! The content of pictures.

use super::color::Style;
use super::*;
use std::sync::Arc;
use wayfare::AgentId;
use wayfare::crowd::{Distribution, Exit, ExitAction, Group, Line, Setup, Spawn, StartVelocity};
use wayfare::geometry::obstacle::Shape;
use wayfare::geometry::path::Path;
use wayfare::glam::{Vec2, Vec3, vec2, vec3};
use wayfare::parameter::Groups;

use crate::trails::AgentIdentity;

mod layout;
mod svg;

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

/// A picture, and access to its pixels by positions of the world.
struct DrawnPicture {
    pixmap: Pixmap,
    layout: Layout,
    camera: Camera,
}

fn draw<V: Vector>(picture: &Picture<'_, V>) -> DrawnPicture {
    let (layout, camera) = picture.with_visible_area(|view, visible| {
        let layout = Layout::new(visible, SheetFormat::PICTURE);
        (layout, Camera::new(visible, &layout, view.up()))
    });
    DrawnPicture { pixmap: picture.draw(), layout, camera }
}

impl DrawnPicture {
    fn pixel(&self, x: f32, y: f32) -> (u32, u32) {
        let at = self.camera.at(vec2(x, y));
        (at.x.floor() as u32 + self.layout.left, at.y.floor() as u32 + self.layout.top)
    }

    fn at(&self, x: f32, y: f32) -> color::Rgb {
        let (x, y) = self.pixel(x, y);
        let pixel = self.pixmap.pixel(x, y).unwrap();
        [pixel.red(), pixel.green(), pixel.blue()]
    }

    /// Whether anything is drawn in these columns and rows of pixels.
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
fn bodies_are_at_their_positions_in_the_color_of_their_group_and_y_grows_downward() {
    let groups = vec![
        group("a", &[vec2(100.0, 50.0)], Vec2::ZERO, 20.0),
        group("b", &[vec2(300.0, 250.0)], Vec2::ZERO, 20.0),
    ];
    let (crowd, trails) = run(Setup { groups, ..Setup::default() }, 0);
    let drawn = draw(&Picture {
        title: "",
        bounds: bounds(Edge::Open),
        crowd: &crowd,
        trails: &trails,
        pointer: None,
        presentation: None,
    });
    assert_eq!(
        (drawn.at(92.0, 45.0), drawn.at(292.0, 258.0)),
        (Style::of(0).color, Style::of(1).color)
    );
    assert_eq!((drawn.at(92.0, 258.0), drawn.at(-3.0, 150.0)), (color::PAPER, color::OUTSIDE));
    assert!(
        drawn.pixel(100.0, 50.0).1 < drawn.pixel(100.0, 250.0).1
            && drawn.pixel(100.0, 50.0).0 < drawn.pixel(300.0, 50.0).0
    );
    // Both face +x.
    assert_eq!((drawn.at(108.0, 50.0), drawn.at(88.0, 50.0)), (color::PAPER, Style::of(0).color));
}

#[test]
fn a_group_has_the_color_of_its_scene_and_the_others_keep_theirs() {
    let groups = vec![
        group("a", &[vec2(100.0, 50.0)], Vec2::ZERO, 20.0),
        group("b", &[vec2(300.0, 250.0)], Vec2::ZERO, 20.0),
    ];
    let (crowd, trails) = run(Setup { groups, ..Setup::default() }, 0);
    let plum = [0x8e, 0x45, 0x85];
    let presentation = Presentation { colors: vec![Some(plum)], ..Presentation::default() };
    let picture = Picture {
        title: "",
        bounds: bounds(Edge::Open),
        crowd: &crowd,
        trails: &trails,
        pointer: None,
        presentation: Some(&presentation),
    };
    let drawn = draw(&picture);
    assert_eq!((drawn.at(92.0, 45.0), drawn.at(292.0, 258.0)), (plum, Style::of(1).color));
    assert!(picture.svg().contains("#8e4585"));
}

#[test]
fn a_small_body_is_a_disc_to_scale_and_its_tip_covers_no_other_body() {
    // Two bodies of about 3 pixels that touch; the first faces the second one.
    let groups = vec![
        group("a", &[vec2(100.0, 50.0), vec2(100.0, 200.0)], Vec2::ZERO, 1.3),
        group("b", &[vec2(102.6, 50.0)], Vec2::ZERO, 1.3),
    ];
    let (crowd, trails) = run(Setup { groups, ..Setup::default() }, 0);
    let drawn = draw(&Picture {
        title: "",
        bounds: bounds(Edge::Open),
        crowd: &crowd,
        trails: &trails,
        pointer: None,
        presentation: None,
    });
    let pixels = |count: f64| (count / drawn.camera.scale) as f32;
    assert!((2.0..4.0).contains(&drawn.camera.length(1.3)));
    assert_eq!(drawn.at(102.0, 50.0), Style::of(1).color);
    assert_eq!(drawn.at(100.0, 200.0), Style::of(0).color);
    assert!(darkness(drawn.at(101.3 + pixels(0.6), 200.0)) > 150, "the tip");
    // A dart would be longer behind and shorter at its sides.
    assert_eq!(drawn.at(100.0 - 1.3 - pixels(1.5), 200.0), color::PAPER);
    assert_ne!(drawn.at(100.0, 201.3 - pixels(0.8)), color::PAPER);
    assert_eq!(drawn.at(100.0, 201.3 + pixels(1.5)), color::PAPER);
}

#[test]
fn a_body_below_another_one_shows_its_outline() {
    let setup = |apart: f32| Setup {
        groups: vec![
            group("below", &[vec2(100.0, 100.0)], Vec2::ZERO, 20.0),
            group("above", &[vec2(100.0 + apart, 100.0)], Vec2::ZERO, 20.0),
        ],
        ..Setup::default()
    };
    let drawn = |apart: f32| {
        let (crowd, trails) = run(setup(apart), 0);
        let (title, bounds, pointer) = ("", bounds(Edge::Open), None);
        let picture =
            Picture { title, bounds, crowd: &crowd, trails: &trails, pointer, presentation: None };
        (draw(&picture).at(110.0, 117.3), picture.svg().contains("Outlines of overlapping"))
    };
    let (edge, outlined) = drawn(10.0);
    assert!(outlined && darkness(edge) < darkness(Style::of(1).color) / 2, "{edge:?}");
    // Bodies that touch have none.
    assert!(!drawn(40.0).1);
}

#[test]
fn all_four_shapes_of_obstacles_are_drawn_where_agents_collide_with_them() {
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
    let drawn = draw(&Picture {
        title: "",
        bounds: bounds(Edge::Open),
        crowd: &crowd,
        trails: &trails,
        pointer: None,
        presentation: None,
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
                assert_eq!(drawn.at(x, y), expected, "at {x}, {y}, {distance} from a surface");
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
        let drawn = draw(&Picture {
            title: "",
            bounds: bounds(Edge::Open),
            crowd: &crowd,
            trails: &trails,
            pointer: None,
            presentation: None,
        });
        let tinted = |x, y| drawn.at(x, y) != color::PAPER;
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
    let drawn = draw(&Picture {
        title: "",
        bounds: bounds(Edge::Open),
        crowd: &crowd,
        trails: &trails,
        pointer: None,
        presentation: None,
    });
    let faint = darkness(drawn.at(50.0, 250.0));
    assert!(faint > 0 && faint < 100, "{faint}");
    assert!(darkness(drawn.at(220.0, 100.0)) > 200 && drawn.at(320.0, 100.0) == color::PAPER);
    // The left of a line along +x is +y, which is down in a picture.
    let off = 7.0 / drawn.camera.scale as f32;
    assert!(
        darkness(drawn.at(250.0, 100.0 + off)) > 100
            && drawn.at(250.0, 100.0 - off) == color::PAPER
    );
}

#[test]
fn trails_fade_with_age() {
    let (crowd, trails) = run(
        Setup {
            groups: vec![group("a", &[vec2(20.0, 100.0)], vec2(2.0, 0.0), 0.0)],
            ..Setup::default()
        },
        150,
    );
    let drawn = draw(&Picture {
        title: "",
        bounds: bounds(Edge::Open),
        crowd: &crowd,
        trails: &trails,
        pointer: None,
        presentation: None,
    });
    let [old, middle, new] = [40.0, 160.0, 280.0].map(|x| darkness(drawn.at(x, 100.0)));
    assert!(0 < old && old < middle && middle < new, "{old}, {middle}, {new}");
    assert_eq!(drawn.at(360.0, 100.0), color::PAPER);
}

#[test]
fn a_trail_crosses_a_wrapped_edge_and_does_not_return_across_the_world() {
    let bounds = bounds(Edge::Wrap);
    let groups = vec![group("a", &[vec2(350.0, 100.0)], vec2(7.0, 0.0), 0.0)];
    let (crowd, trails) = run(Setup { bounds, groups, ..Setup::default() }, 20);
    let drawn = draw(&Picture {
        title: "",
        bounds,
        crowd: &crowd,
        trails: &trails,
        pointer: None,
        presentation: None,
    });
    let colored =
        [370.0, 395.0, 5.0, 60.0, 120.0, 200.0, 300.0].map(|x| drawn.at(x, 100.0) != color::PAPER);
    assert_eq!(colored, [true, true, true, true, false, false, false]);
}

#[test]
fn a_jump_interrupts_the_trail() {
    let agents: Arc<[AgentIdentity]> =
        Arc::new([AgentIdentity { id: AgentId(0), group: 0, max_speed: 2.0 }]);
    let sample = |tick: u64, x| PositionSample {
        tick,
        time: tick as f64,
        agents: agents.clone(),
        positions: vec![vec2(x, 0.0)],
    };
    let samples = [sample(0, 0.0), sample(1, 2.0), sample(2, 90.0), sample(3, 92.0)];
    let view = Rect::new(geometry::point(0.0, -50.0), geometry::point(100.0, 50.0));
    let layout = Layout::new(view, SheetFormat::PICTURE);
    let camera = Camera::new(view, &layout, Up::Z);
    let mut pixels = Pixels::new(layout.plot_width, layout.plot_height, ink(color::PAPER, 1.0));
    let tracks = TrailLines {
        camera: &camera,
        samples: samples.iter().collect(),
        styles: &[Style::of(0)],
        wrap: None,
        max_coverage: 0.35,
    };
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
        let drawn = draw(&Picture {
            title: "",
            bounds: bounds(edge),
            crowd: &crowd,
            trails: &trails,
            pointer: Some(vec2(200.0, 150.0)),
            presentation: None,
        });
        assert!(darkness(drawn.at(200.0, 150.0 + 10.0 / drawn.camera.scale as f32)) > 300);
        (0..380).filter(|&x| darkness(drawn.at(x as f32 + 10.0, 0.0)) > 100).count()
    };
    let (wall, open, wrap) = (share(Edge::Wall), share(Edge::Open), share(Edge::Wrap));
    assert!(
        wall == 380 && open < 300 && open > 100 && wrap < 300 && wrap > 50,
        "{wall}, {open}, {wrap}"
    );
}

#[test]
fn the_bytes_do_not_depend_on_the_order_in_memory() {
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
        Picture {
            title: "Birds",
            bounds: None,
            crowd,
            trails,
            pointer: Some(vec3(1.0, 2.0, 3.0)),
            presentation: None,
        }
        .png()
        .unwrap()
    };
    let (one, mut other) = (run(setup(), 10), run(setup(), 10));
    other.0.permute(&(0..40).map(|i| (i * 7 + 3) % 40).collect::<Vec<_>>());
    let bytes = png(&one);
    assert_eq!(bytes, png(&one));
    assert_eq!(bytes, png(&other));
    // The colors that the file has are near those of the drawing.
    let drawn = Picture {
        title: "Birds",
        bounds: None,
        crowd: &one.0,
        trails: &one.1,
        pointer: Some(vec3(1.0, 2.0, 3.0)),
        presentation: None,
    }
    .draw();
    let read = Pixmap::decode_png(&bytes).unwrap();
    let off = |(a, b): (&u8, &u8)| a.abs_diff(*b);
    let largest = drawn.data().iter().zip(read.data()).map(off).max();
    assert!(largest <= Some(40), "{largest:?}");
}

#[test]
fn a_world_with_y_up_is_seen_from_above_along_y() {
    // The same picture of two worlds: a point (x, z) of the ground with y up is drawn where (x, y)
    // is with z up. The angle of the box has the other sense, and the other side of the line is
    // its left.
    let tile = |up: Up| {
        let at = |x: f32, y: f32, height: f32| up.at_height_of(vec2(x, y), Vec3::splat(height));
        let half = vec2(60.0, 20.0);
        let obstacles = vec![
            Shape::Circle { center: at(60.0, 40.0, 9.0), radius: 20.0 },
            Shape::Box {
                center: at(200.0, 80.0, 9.0),
                half: up.at_height_of(half, Vec3::ONE),
                angle: 0.4 * up.sense(),
            },
            Shape::Polygon {
                points: vec![vec2(20.0, 200.0), vec2(90.0, 220.0), vec2(40.0, 270.0)],
            },
        ];
        let ends = [at(300.0, 40.0, 0.0), at(360.0, 200.0, 0.0)];
        let [from, to] = if up == Up::Z { ends } else { [ends[1], ends[0]] };
        let lines = vec![Line { name: "door".to_string(), from, to }];
        let birds = [at(150.0, 180.0, 3.0), at(155.0, 180.0, 8.0), at(160.0, 185.0, 1.0)];
        let groups = vec![
            group("low", &birds[..1], at(2.0, 1.0, 0.5), 12.0),
            group("high", &birds[1..], at(-1.0, 2.0, 0.1), 12.0),
        ];
        let bounds =
            Some(Bounds { min: at(0.0, 0.0, 0.0), max: at(400.0, 300.0, 50.0), edge: Edge::Open });
        let setup = Setup { up, obstacles, lines, groups, bounds, ..Setup::default() };
        let (crowd, trails) = run(setup, 5);
        let pointer = Some(at(250.0, 250.0, 5.0));
        Picture { title: "", bounds, crowd: &crowd, trails: &trails, pointer, presentation: None }
            .tile(400, 300)
    };
    let [z, y] = [Up::Z, Up::Y].map(tile);
    let differing = z.data().chunks(4).zip(y.data().chunks(4)).filter(|(a, b)| a != b).count();
    // Rounding may move an edge by a shade.
    assert!(differing < 40, "{differing} pixels differ");
    let blank = z.pixel(399, 0);
    assert!(z.pixels().iter().filter(|pixel| Some(**pixel) != blank).count() > 4_000);
}
