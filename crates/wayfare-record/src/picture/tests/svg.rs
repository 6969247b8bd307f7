//! Pictures as SVG, read back by an XML parser.

use super::*;

/// The SVG of a picture with every kind of object and with names that need escaping.
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
        presentation: None,
    }
    .svg()
}

#[test]
fn an_svg_is_xml_with_a_title_and_a_group_for_each_kind_and_is_reproducible() {
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
    let by_id = |id: &str| all().find(|node| node.attribute("id") == Some(id)).unwrap();
    assert_eq!(by_id("name").text(), Some("Cats < dogs & \u{20}more, tick 30, time 30"));
    assert_eq!(
        by_id("about").text(),
        Some("<b>&\"cats\"\u{20}: 3, dogs: 1, 1 obstacle, 1 path, 1 line, 1 exit")
    );
    let marks = |id: &str, tag: &str| {
        by_id(id)
            .children()
            .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", tag)))
            .count()
    };
    // A dart is a light outline and a fill; a disc has a line in its heading.
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
    // Every class in use is defined, and no number is invalid.
    let classes = all().filter_map(|node| node.attribute("class"));
    assert!(classes.into_iter().all(|class| text.contains(&format!("\n.{class}{{"))));
    assert!(!text.contains("NaN") && !text.contains("inf"));
}

#[test]
fn an_svg_of_two_thousand_agents_with_long_trails_is_below_two_megabytes() {
    let points: Vec<_> =
        (0..2000).map(|i| vec2((i % 50) as f32 * 8.0, (i / 50) as f32 * 7.5)).collect();
    let mut flock = group("birds", &points, vec2(1.0, 0.4), 0.0);
    flock.steer = wayfare::List::default().with(
        wayfare::behavior::Wander::default()
            .circle_distance(3.0)
            .circle_radius(3.0)
            .angle_change(1.0),
    );
    flock.max_speed = Distribution::Same(1.2);
    let (crowd, trails) =
        run(Setup { groups: vec![flock], bounds: bounds(Edge::Wrap), ..Setup::default() }, 200);
    let picture = Picture {
        title: "",
        bounds: bounds(Edge::Wrap),
        crowd: &crowd,
        trails: &trails,
        pointer: None,
        presentation: None,
    };
    let size = picture.svg().len();
    assert!((300_000..2_000_000).contains(&size), "{size}");
}
